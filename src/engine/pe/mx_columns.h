/* SPDX-License-Identifier: Apache-2.0 */
/* The sums of block-scaled operands: s = (float)(s + P) for each row in ascending order, P the sum
 * of four products, formed in double, times a power of two (docs/hardware/pe-array.md 7.2, 10.3).
 *
 * Where the sums of the four products fit the 24 bits of a float, P is exact there, and s + P
 * rounded once to float is what the sum in double rounded twice gives: 53 >= 2 * 24 + 2. Which rows
 * are so is told from what their values lie between; the others go through double. The bytes are
 * the same. */
#ifndef TRN_ENGINE_PE_MX_COLUMNS_H
#define TRN_ENGINE_PE_MX_COLUMNS_H

#include "engine/pe/columns.h"

enum {
    TRN_MX_VALUES = 4, /* of a cell */
    TRN_MX_ROWS = 128,
    TRN_MX_STRIP = 32, /* moving elements that a call works on */
};

/* What value v of each row has in all columns or moving elements: the largest magnitude, and the
 * value of the lowest bit that is set in one of them, infinite where all are 0. */
struct trn_mx_extents {
    _Alignas(64) float largest[TRN_MX_ROWS][TRN_MX_VALUES], lowest[TRN_MX_ROWS][TRN_MX_VALUES];
    bool wide[TRN_MX_ROWS];
};

/* Values of a row have their factors in them, unless the row is wide: then they are plain, because
 * with the factors they would not fit into floats, or come close to their ends. */
struct trn_mx_panel {
    _Alignas(64) float value[TRN_MX_ROWS][TRN_MX_VALUES][TRN_PE_PANEL_COLUMNS];
    /* of rows that are not wide: the value of the lowest bit that is set, infinite for 0 */
    float lowest[TRN_MX_ROWS][TRN_MX_VALUES][TRN_PE_PANEL_COLUMNS];
    struct trn_mx_extents extents;
    uint8_t scale[TRN_MX_ROWS][TRN_PE_PANEL_COLUMNS]; /* codes of the factors */
};

struct trn_mx_strip {
    _Alignas(64) float value[TRN_MX_ROWS][TRN_MX_VALUES][TRN_MX_STRIP];
    struct trn_mx_extents extents;
    uint8_t scale[TRN_MX_ROWS][TRN_MX_STRIP]; /* codes of the factors */
};

/* Fill a row: of a panel from the eight columns at value[v], of a strip from containers of four
 * values each. `scale` holds a code for each column or container; 127 is a factor of 1. */
void trn_mx_panel_row(struct trn_mx_panel *panel, uint32_t row, const float *const value[4],
                      const uint8_t *scale);
void trn_mx_strip_row(struct trn_mx_strip *strip, uint32_t row, const float *packed,
                      const uint8_t *scale);

/* Rows 0 .. rows-1 of a panel and a strip: out[column][moving element]. */
void trn_mx_columns(const struct trn_mx_panel *w, const struct trn_mx_strip *x, uint32_t rows,
                    float *const out[TRN_PE_PANEL_COLUMNS]);

/* 2^(code - 127) of an E8M0 scale; code 255 is a NaN. */
double trn_mx_factor(uint8_t code);

#endif
