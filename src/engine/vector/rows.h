/* SPDX-License-Identifier: Apache-2.0 */
/* Operands of vector words as their kernels see them: rows of fp32 values or of integer words, one
 * row a lane, elements in stream order (docs/hardware/vector-ops.md 0).
 *
 * What already lies in memory as a kernel wants it is read where it lies; everything else goes
 * through tiles that fit the first-level cache. */
#ifndef TRN_ENGINE_VECTOR_ROWS_H
#define TRN_ENGINE_VECTOR_ROWS_H

#include "engine/numeric_range.h"
#include "engine/operand.h"
#include "engine/vector/vector.h"
#include "isa_fields.h"
#include "trench/isa.h"

/* How a kernel sees the elements of an operand. */
enum trn_view {
    TRN_VIEW_RAW,    /* as they are stored */
    TRN_VIEW_F32,    /* the fp32 hub: widened when read, narrowed when written */
    TRN_VIEW_BITS32, /* bitvec words: zero-extended, low bits stored */
    TRN_VIEW_BITS64,
    TRN_VIEW_INT32, /* exact integers: sign-extended where the dtype is signed, low bits stored */
    TRN_VIEW_INT64,
};

struct trn_rows {
    struct trn_operand operand;
    enum trn_view view;
    bool plain;  /* what is stored is what the view shows */
    bool direct; /* and a lane's elements are adjacent: a kernel can work on memory itself */
    struct trn_exec *watch;       /* floating-point values of this word are looked at; else NULL */
    struct trn_numeric_safe safe; /* when watched and written: what narrows without an event */
};

#define TRN_TILE_BYTES 4096

/* Elements as stored, and as the view shows them. */
struct trn_tile {
    _Alignas(64) uint8_t raw[TRN_TILE_BYTES];
    _Alignas(64) uint8_t words[TRN_TILE_BYTES];
};

/* Elements of `rows` that fit a tile. */
size_t trn_rows_tile(const struct trn_rows *rows);

/*
 * Open an operand (trn_operand_open) and choose its view. A pattern that the engine cannot reach,
 * an element type that the view cannot show, and 64-bit integers on an engine without them are
 * faults. A write to PSUM ends the pending zero of its cells (pe-array.md 9).
 */
trn_status trn_rows_open(struct trn_exec *x, const uint8_t *pattern, enum trn_field_type type,
                         uint8_t dtype, uint32_t channels, unsigned use, enum trn_view view,
                         struct trn_rows *out);

/* TRN_OK when both have the same number of elements a lane; else fault `rule`. */
trn_status trn_rows_same_count(struct trn_exec *x, const char *rule, const struct trn_rows *src,
                               const struct trn_rows *dst);

/* `n` elements from stream position `first` as the view shows them: in memory, or in *tile. */
const void *trn_rows_read(const struct trn_rows *rows, const struct trn_num_mode *mode,
                          uint32_t lane, uint64_t first, size_t n, struct trn_tile *tile);

/* Store `n` elements that the view shows; `words` may lie in tile->words. */
void trn_rows_write(const struct trn_rows *rows, const struct trn_num_mode *mode, uint32_t lane,
                    uint64_t first, size_t n, const void *words, struct trn_tile *tile);

/* The same two without a look at the values. trn_rows_store returns the elements as they are
 * stored: in memory, in tile->raw, or `words`. */
const void *trn_rows_fetch(const struct trn_rows *rows, const struct trn_num_mode *mode,
                           uint32_t lane, uint64_t first, size_t n, struct trn_tile *tile);
const void *trn_rows_store(const struct trn_rows *rows, const struct trn_num_mode *mode,
                           uint32_t lane, uint64_t first, size_t n, const void *words,
                           struct trn_tile *tile);

/* Note the model choices on which a conversion from or to `dtype` rests. trn_rows_open does it. */
void trn_note_conversion(struct trn_exec *x, uint8_t dtype, bool written);

/* What rows.watch is for values of `dtype` in a view. */
struct trn_exec *trn_rows_watch(struct trn_exec *x, enum trn_view view, uint8_t dtype);

/* The conversion mode of a lane of an operand that is written. */
struct trn_num_mode trn_rows_mode(struct trn_exec *x, const struct trn_rows *dst, uint32_t lane);

/* Whether writing element m of `dst` can change element n > m of `src`: then elements (of a
 * reduction: windows) have to go one by one. */
bool trn_rows_hazard(const struct trn_rows *src, const struct trn_rows *dst);

#endif
