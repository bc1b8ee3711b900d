/* SPDX-License-Identifier: Apache-2.0 */
/* The sums a PE column forms: the one numeric definition of docs/hardware/pe-array.md 7.2. */
#ifndef TRN_ENGINE_PE_COLUMNS_H
#define TRN_ENGINE_PE_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Weights are kept in panels of this many columns, each panel row after row: the weight of row r
 * and column c stands at panels[c / COLUMNS][r][c % COLUMNS]. A kernel reads a panel as it lies. */
#define TRN_PE_PANEL_COLUMNS 8

/* Moving elements that one call works on. */
#define TRN_PE_BLOCK 64

/* Sums of one panel and one block: s[column][moving element]. */
struct trn_pe_sums {
    _Alignas(64) float s[TRN_PE_PANEL_COLUMNS][TRN_PE_BLOCK];
};

/*
 * s[c][n] = fmaf(w[r][c], x[r][n], s[c][n]) for r = 0 .. rows-1 in that order, starting from +0 or,
 * when `go_on`, from what *sums holds (the second pass of an FP32 operand). `w` is rows x
 * TRN_PE_PANEL_COLUMNS, `x` is rows x TRN_PE_BLOCK with `x_pitch` floats from row to row. NaNs come
 * out with any payload; the writer of the cells makes them canonical.
 *
 * Every element is one chain of fused steps, so the bytes do not depend on the host's vectors.
 */
void trn_pe_columns(const float *w, const float *x, size_t x_pitch, uint32_t rows, bool go_on,
                    struct trn_pe_sums *sums);

/* Write `count` finished sums to FP32 cells: overwrite, or add to what is there. */
void trn_pe_put(float *cells, const float *s, size_t count);
void trn_pe_add(float *cells, const float *s, size_t count);

#endif
