/* SPDX-License-Identifier: Apache-2.0 */
/* The matrix engine: what its array holds between words (docs/hardware/pe-array.md). */
#ifndef TRN_ENGINE_PE_PE_H
#define TRN_ENGINE_PE_PE_H

#include "engine/exec.h"
#include "engine/operand.h"
#include "engine/pe/columns.h"
#include "engine/pe/word.h"
#include "trench/num.h"

#define TRN_PE_ROWS    128
#define TRN_PE_COLUMNS 256 /* of the widest generation */
#define TRN_PE_PANELS  (TRN_PE_COLUMNS / TRN_PE_PANEL_COLUMNS)
/* Floats from panel to panel: two rows more than there are, or the panels of a row would all fall
 * on one cache set. */
#define TRN_PE_PANEL_FLOATS ((TRN_PE_ROWS + 2) * TRN_PE_PANEL_COLUMNS)
#define TRN_PE_QUADRANT     32 /* tiles start and end at multiples of this */

/* Moving elements that are decoded at a time, and the floats from row to row of that buffer: an odd
 * number of cache lines, so that a column of it does not fall on one cache set. */
#define TRN_PE_CHUNK       256
#define TRN_PE_CHUNK_PITCH (TRN_PE_CHUNK + 16)

/* What was loaded last into a quadrant of the array. */
enum trn_pe_loaded { TRN_PE_LOADED_NOTHING, TRN_PE_LOADED_NARROW, TRN_PE_LOADED_FP32 };

struct trn_pe_state {
    _Alignas(64) float weights[TRN_PE_PANELS][TRN_PE_PANEL_FLOATS]; /* panels of columns.h */
    uint8_t loaded[TRN_PE_ROWS / TRN_PE_QUADRANT][TRN_PE_COLUMNS / TRN_PE_QUADRANT];

    /* scratch of one MATMUL: moving values of up to two passes, [pass][row][element] */
    _Alignas(64) float moving[2][TRN_PE_ROWS][TRN_PE_CHUNK_PITCH];
};

/* Where the stationary values of a panel begin, `row` on; `column` is the first of the panel. */
static inline float *trn_pe_weights(struct trn_pe_state *pe, uint32_t row, uint32_t column)
{
    return pe->weights[column / TRN_PE_PANEL_COLUMNS] + row * TRN_PE_PANEL_COLUMNS;
}

/* The array after reset: every stationary value is 0 and nothing counts as loaded. */
void trn_pe_reset(struct trn_pe_state *pe);

/*
 * Elements first .. first+count-1 of a lane as the array takes them: widened to fp32 and, for FP32
 * input, split (pe-array.md 7.1): `pass` TRN_PE_FP32MODE_LOW or HIGH gives that part, NONE the
 * value itself. `count` is at most TRN_PE_CHUNK.
 */
void trn_pe_fetch(const struct trn_exec *x, const struct trn_operand *operand, uint32_t lane,
                  uint64_t first, uint32_t count, enum trn_pe_fp32mode pass, float *out);

trn_status trn_pe_ldweights(struct trn_exec *x);
trn_status trn_pe_matmul(struct trn_exec *x);

#endif
