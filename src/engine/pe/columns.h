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

/* Sums of one panel and one block that go on in another pass: s[column][moving element]. */
struct trn_pe_sums {
    _Alignas(64) float s[TRN_PE_PANEL_COLUMNS][TRN_PE_BLOCK];
};

/* What becomes of finished sums. A cell never holds another NaN than 7FC00000. */
enum trn_pe_finish {
    TRN_PE_KEEP, /* store them as they are: NaNs have any payload */
    TRN_PE_PUT,  /* overwrite FP32 cells */
    TRN_PE_ADD,  /* add to FP32 cells */
};

/*
 * s[c][n] = fmaf(w[r][c], x[r][n], s[c][n]) for r = 0 .. rows-1 in that order, starting from +0 or
 * from *start (the second pass of an FP32 operand; NULL: +0); then out[c][n] takes the sums as
 * `finish` says. `w` is rows x TRN_PE_PANEL_COLUMNS; `x` is rows x TRN_PE_BLOCK with `x_pitch`
 * floats from row to row; each out[c] has TRN_PE_BLOCK floats and may be start->s[c].
 *
 * Every element is one chain of fused steps, so the bytes do not depend on the host's vectors.
 */
void trn_pe_columns(const float *w, const float *x, size_t x_pitch, uint32_t rows,
                    const struct trn_pe_sums *start, enum trn_pe_finish finish,
                    float *const out[TRN_PE_PANEL_COLUMNS]);

/*
 * The same for two values a cell (double row): s[c][n] = (float)(s[c][n] + p) with
 * p = w[0][r][c] * x[0][r][n] + w[1][r][c] * x[1][r][n], both sums in double. Starts from +0 and
 * keeps the sums in `out`.
 */
void trn_pe_pairs(const float *const w[2], const float *const x[2], size_t x_pitch, uint32_t rows,
                  float *const out[TRN_PE_PANEL_COLUMNS]);

/* TRN_PE_PUT and TRN_PE_ADD for any number of kept sums. */
void trn_pe_put(float *cells, const float *s, size_t count);
void trn_pe_add(float *cells, const float *s, size_t count);

#endif
