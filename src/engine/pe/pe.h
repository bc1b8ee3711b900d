/* SPDX-License-Identifier: Apache-2.0 */
/* The matrix engine: what its array holds between words (docs/hardware/pe-array.md 4). */
#ifndef TRN_ENGINE_PE_PE_H
#define TRN_ENGINE_PE_PE_H

#include "engine/exec.h"
#include "engine/operand.h"
#include "engine/pe/columns.h"
#include "engine/pe/convlut.h"
#include "engine/pe/groups.h"
#include "engine/pe/mx_columns.h"
#include "engine/pe/seeds.h"
#include "engine/pe/word.h"
#include "trench/num.h"

#define TRN_PE_ROWS    128
#define TRN_PE_COLUMNS 256 /* of the widest generation */
#define TRN_PE_PANELS  (TRN_PE_COLUMNS / TRN_PE_PANEL_COLUMNS)
/* Floats from panel to panel: two rows more than there are, or the panels of a row would all fall
 * on one cache set. */
#define TRN_PE_PANEL_FLOATS ((TRN_PE_ROWS + 2) * TRN_PE_PANEL_COLUMNS)
#define TRN_PE_QUADRANT     32 /* tiles start and end at multiples of this */
#define TRN_PE_VALUES       4  /* stationary values that a cell can hold */

/* Moving elements that are decoded at a time, and the floats from row to row of that buffer: an odd
 * number of cache lines, so that a column of it does not fall on one cache set. */
#define TRN_PE_CHUNK       256
#define TRN_PE_CHUNK_PITCH (TRN_PE_CHUNK + 16)

/* What the cells of a quadrant were loaded with last. A word that multiplies wants one of them. */
enum trn_pe_loaded {
    TRN_PE_LOADED_NOTHING,
    TRN_PE_LOADED_NARROW,  /* plane 0: floating-point values of up to 16 bits */
    TRN_PE_LOADED_FP32,    /* plane 0: a part of FP32 values */
    TRN_PE_LOADED_INTEGER, /* plane 0: UINT8 values, as floats */
    TRN_PE_LOADED_PAIRS,   /* planes 0 and 1: double row */
    TRN_PE_LOADED_BITS8,   /* plane 0: bits in place of floats, for transposes */
    TRN_PE_LOADED_BITS16,
    TRN_PE_LOADED_BITS32,
    TRN_PE_LOADED_MX, /* planes 0..3 and scales */
};

/* Scratch of a MATMUL of block-scaled operands: a panel for 8 columns of the tile, a strip for 32
 * moving elements of the chunk. */
struct trn_pe_mx {
    struct trn_mx_panel panel[TRN_PE_PANELS];
    struct trn_mx_strip strip[TRN_PE_CHUNK / TRN_MX_STRIP];
};

/* How a run reads what the manual leaves open; a reset keeps it. */
struct trn_pe_options {
    bool eager_zero; /* psum.zero: the start of a group clears its region instead of marking it */
    bool strict;     /* what is undefined faults the word instead of doing as the model chooses */
};

struct trn_pe_state {
    struct trn_pe_options options;
    /* stationary values, a plane for each of a cell's; panels of columns.h */
    _Alignas(64) float weights[TRN_PE_VALUES][TRN_PE_PANELS][TRN_PE_PANEL_FLOATS];
    uint8_t scale[TRN_PE_ROWS][TRN_PE_COLUMNS]; /* exponents of MX cells */
    uint8_t tag[TRN_PE_ROWS][TRN_PE_COLUMNS];   /* of structured sparsity */
    struct trn_pe_seeds seeds;
    struct trn_pe_groups groups;
    uint8_t loaded[TRN_PE_ROWS / TRN_PE_QUADRANT][TRN_PE_COLUMNS / TRN_PE_QUADRANT];

    struct trn_pe_convlut convlut;

    struct trn_pe_mx mx;
    /* scratch of one word that multiplies: moving values [plane or pass][row][element] */
    _Alignas(64) float moving[TRN_PE_VALUES][TRN_PE_ROWS][TRN_PE_CHUNK_PITCH];
    /* the same of the second pass of a sparse word [feature map][row][element] */
    _Alignas(64) float second[TRN_PE_VALUES][TRN_PE_ROWS][TRN_PE_CHUNK_PITCH];
};

/* Where the stationary values of a plane and panel begin, `row` on; `column` is the first of the
 * panel. */
static inline float *trn_pe_weights(struct trn_pe_state *pe, uint32_t plane, uint32_t row,
                                    uint32_t column)
{
    return pe->weights[plane][column / TRN_PE_PANEL_COLUMNS] + row * TRN_PE_PANEL_COLUMNS;
}

static inline float *trn_pe_weight(struct trn_pe_state *pe, uint32_t plane, uint32_t row,
                                   uint32_t column)
{
    return trn_pe_weights(pe, plane, row, column) + column % TRN_PE_PANEL_COLUMNS;
}

/* The array after reset: every stationary value is 0 and nothing counts as loaded. */
void trn_pe_reset(struct trn_pe_state *pe);

/* ---- words: one function a family ---------------------------------------------------- */

/* LDWEIGHTS and MATMUL, once decoded, by mode; pe.c picks. */
typedef trn_status trn_pe_run(struct trn_exec *x, const struct trn_pe_word *word);

trn_pe_run trn_pe_load;       /* ldweights.c: one or two values a cell, or bits */
trn_pe_run trn_pe_multiply;   /* matmul.c */
trn_pe_run trn_pe_integer;    /* integer.c */
trn_pe_run trn_pe_double_row; /* double_row.c */
trn_pe_run trn_pe_transpose;  /* transpose.c */
trn_pe_run trn_pe_mx_load;    /* mx.c */
trn_pe_run trn_pe_mx_multiply;
trn_pe_run trn_pe_tag_weights; /* tags.c */

/* Words of layouts of their own. */
trn_status trn_pe_ldtags(struct trn_exec *x);        /* tags.c */
trn_status trn_pe_matmul_sparse(struct trn_exec *x); /* sparse.c */
trn_pe_run trn_pe_move_seeds;                        /* seeds.c */
trn_status trn_pe_manage_seed(struct trn_exec *x);

/* The row that element n of the moving scratch picks in a transpose; tile->rows: none does. */
uint32_t trn_pe_transposed_row(const struct trn_pe_state *pe, const struct trn_pe_tile *tile,
                               uint32_t n);

/* ---- operands (fetch.c) -------------------------------------------------------------- */

/*
 * Elements first .. first+count-1 of a lane as the array takes them: widened to fp32 and, for FP32
 * input, split (pe-array.md 7.1): `pass` TRN_PE_FP32MODE_LOW or HIGH gives that part, NONE the
 * value itself. `count` is at most TRN_PE_CHUNK.
 */
void trn_pe_fetch(const struct trn_exec *x, const struct trn_operand *operand, uint32_t lane,
                  uint64_t first, uint32_t count, enum trn_pe_fp32mode pass, float *out);
/* The same of the lanes 0 .. rows-1 for up to TRN_PE_BLOCK elements. */
void trn_pe_fetch_rows(const struct trn_exec *x, const struct trn_operand *operand, uint32_t rows,
                       uint64_t first, uint32_t count, enum trn_pe_fp32mode pass,
                       float (*out)[TRN_PE_BLOCK]);
/* Their bits, extended by zeros, in place of floats. */
void trn_pe_fetch_bits(const struct trn_operand *operand, uint32_t lane, uint64_t first,
                       uint32_t count, float *out);

/* Resolve word->source, whose first partition has to be the first row of the tile. */
trn_status trn_pe_open_source(struct trn_exec *x, const struct trn_pe_word *word,
                              enum trn_field_type type, struct trn_operand *out);

/* ---- what was loaded (loaded.c) ------------------------------------------------------- */

/* What a LDWEIGHTS of this word leaves in the cells, and what a MATMUL wants to find there. */
enum trn_pe_loaded trn_pe_class(const struct trn_pe_word *word);
/* The cells of the word's tile now hold trn_pe_class(word). */
void trn_pe_note_loaded(struct trn_pe_state *pe, const struct trn_pe_word *word);
/* An illegal instruction where active cells hold another class (model choice); cells that nobody
 * loaded hold 0 (model choice). */
trn_status trn_pe_check_loaded(struct trn_exec *x, const struct trn_pe_word *word);

#endif
