/* SPDX-License-Identifier: Apache-2.0 */
/* The evaluation template of every vector word (docs/hardware/vector-ops.md 0): take the elements
 * of a lane in stream order, see them as fp32 or as integer words, compute, convert once, store.
 *
 * Rows that already lie in memory as the kernel wants them are worked on in place; everything else
 * goes through tiles that fit the first-level cache. Both ways give the same bytes. */
#ifndef TRN_ENGINE_VECTOR_LANES_H
#define TRN_ENGINE_VECTOR_LANES_H

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

/* Note the model choices on which a conversion from or to `dtype` rests. trn_rows_open does it. */
void trn_note_conversion(struct trn_exec *x, uint8_t dtype, bool written);

/* The conversion mode of a lane of an operand that is written. */
struct trn_num_mode trn_rows_mode(struct trn_exec *x, const struct trn_rows *dst, uint32_t lane);

/* One call of a kernel: out[i] from a[i] and b[i], i < n, all adjacent. `out` may be `a` or `b`. */
struct trn_row {
    uint32_t lane;
    uint64_t first; /* stream position of element 0 */
    size_t n;
    const void *a, *b; /* NULL when the word has no such source */
    void *out;
    const struct trn_num_mode *mode;
};

/* An element-wise word. */
struct trn_map {
    struct trn_exec *x;
    struct trn_rows src[2], dst;
    unsigned num_src; /* 0..2; every source has the count of dst */
    void (*kernel)(const void *context, const struct trn_row *row);
    const void *context;
};

/* Run it over all lanes. Operands that overlap act as if elements were done one after the other in
 * stream order, all sources of an element before its result (tensor-scalar-multi.md 7.1). */
void trn_map_run(const struct trn_map *map);

/* Call body for the lanes of `elements` elements each, over the workers when it is worth it. */
void trn_lanes_run(struct trn_exec *x, uint32_t lanes, uint64_t elements,
                   void (*body)(void *context, uint32_t begin, uint32_t end), void *context);

/* Whether writing element m of `dst` can change element n > m of `src`: then elements (of a
 * reduction: windows) have to go one by one. */
bool trn_rows_hazard(const struct trn_rows *src, const struct trn_rows *dst);

#endif
