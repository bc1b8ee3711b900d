/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "engine/pe/mx.h"

static double weight_of(const struct trn_mx_panel *w, uint32_t row, uint32_t v, uint32_t c)
{
    return w->value[row][v][c] * (w->extents.wide[row] ? trn_mx_factor(w->scale[row][c]) : 1);
}

static double moving_of(const struct trn_mx_strip *x, uint32_t row, uint32_t v, uint32_t n)
{
    return x->value[row][v][n] * (x->extents.wide[row] ? trn_mx_factor(x->scale[row][n]) : 1);
}

/* Values that are not wide are finite. */
static unsigned of_wide(double value)
{
    return isnan(value) ? TRN_NUMERIC_NAN : isinf(value) ? TRN_NUMERIC_INF : TRN_NUMERIC_NONE;
}

unsigned trn_mx_numeric_of_operands(const struct trn_mx_panel *w, const struct trn_mx_strip *x,
                                    uint32_t rows)
{
    unsigned met = TRN_NUMERIC_NONE;
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t v = 0; v < TRN_MX_VALUES; v++) {
            for (uint32_t c = 0; w->extents.wide[r] && c < TRN_PE_PANEL_COLUMNS; c++)
                met |= of_wide(weight_of(w, r, v, c));
            for (uint32_t n = 0; x->extents.wide[r] && n < TRN_MX_STRIP; n++)
                met |= of_wide(moving_of(x, r, v, n));
        }
    return met;
}

/* The steps of one sum. */
struct steps {
    bool finite;   /* all operands are */
    bool vanished; /* a step gave 0 that is exactly something else */
};

static struct steps again(const struct trn_mx_panel *w, const struct trn_mx_strip *x, uint32_t rows,
                          uint32_t c, uint32_t n)
{
    struct steps steps = {.finite = true};
    float s = 0;
    for (uint32_t r = 0; r < rows; r++) {
        double p = 0;
        for (uint32_t v = 0; v < TRN_MX_VALUES; v++) {
            const double weight = weight_of(w, r, v, c), moving = moving_of(x, r, v, n);
            steps.finite = steps.finite && isfinite(weight) && isfinite(moving);
            p += weight * moving;
        }
        const double exact = (double)s + p;
        s = (float)exact;
        steps.vanished = steps.vanished || (s == 0 && exact != 0);
    }
    return steps;
}

unsigned trn_mx_numeric_of_sums(const struct trn_mx_panel *w, const struct trn_mx_strip *x,
                                uint32_t rows, uint32_t columns, uint32_t count,
                                float *const sums[TRN_PE_PANEL_COLUMNS])
{
    unsigned met = TRN_NUMERIC_NONE;
    for (uint32_t c = 0; c < columns; c++)
        for (uint32_t n = 0; n < count; n++) {
            const float s = sums[c][n];
            if (isnan(s))
                met |= TRN_NUMERIC_NAN;
            else if (isinf(s) && again(w, x, rows, c, n).finite)
                met |= TRN_NUMERIC_OVERFLOW;
            else if (s == 0 && again(w, x, rows, c, n).vanished)
                met |= TRN_NUMERIC_UNDERFLOW;
        }
    return met;
}
