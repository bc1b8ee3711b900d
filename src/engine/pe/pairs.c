/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/clones.h"
#include "engine/pe/columns.h"

/* Eight moving elements of a step: one wide register, two or four narrower ones. */
enum { LANES = 8 };
typedef double doubles __attribute__((vector_size(LANES * sizeof(double))));
typedef float floats __attribute__((vector_size(LANES * sizeof(float))));

/* Element by element, which becomes one instruction: a conversion of vectors becomes two halves. */
static inline __attribute__((always_inline)) void widen_vector(doubles *out, const floats *from)
{
#define W(i) (double)(*from)[i]
    *out = (doubles){W(0), W(1), W(2), W(3), W(4), W(5), W(6), W(7)};
#undef W
}

static inline __attribute__((always_inline)) void widen(doubles *out, const float *from)
{
    floats values;
    memcpy(&values, from, sizeof values);
    widen_vector(out, &values);
}

static inline __attribute__((always_inline)) void add_product(doubles *sum, double w,
                                                              const doubles *x)
{
#define F(i) __builtin_fma(w, (*x)[i], (*sum)[i])
    *sum = (doubles){F(0), F(1), F(2), F(3), F(4), F(5), F(6), F(7)};
#undef F
}

/* All columns of a panel, LANES moving elements. Products of two operands are exact in double, so
 * that a fused step rounds what the sum of two products rounds. */
static inline __attribute__((always_inline)) void sweep(const float *const w[2],
                                                        const float *const x[2], size_t x_pitch,
                                                        uint32_t rows, float *const *out, int n)
{
    doubles sum[TRN_PE_PANEL_COLUMNS];
#pragma GCC unroll 8
    for (int c = 0; c < TRN_PE_PANEL_COLUMNS; c++)
        sum[c] = (doubles){0};
    for (uint32_t r = 0; r < rows; r++) {
        doubles x0, x1;
        widen(&x0, x[0] + r * x_pitch + n);
        widen(&x1, x[1] + r * x_pitch + n);
        doubles w0, w1; /* a column each, as LANES are TRN_PE_PANEL_COLUMNS */
        widen(&w0, w[0] + r * TRN_PE_PANEL_COLUMNS);
        widen(&w1, w[1] + r * TRN_PE_PANEL_COLUMNS);
#pragma GCC unroll 8
        for (int c = 0; c < TRN_PE_PANEL_COLUMNS; c++) {
            doubles pair = w0[c] * x0;
            add_product(&pair, w1[c], &x1);
            const floats rounded = __builtin_convertvector(sum[c] + pair, floats);
            widen_vector(&sum[c], &rounded);
        }
    }
#pragma GCC unroll 8
    for (int c = 0; c < TRN_PE_PANEL_COLUMNS; c++) {
        const floats values = __builtin_convertvector(sum[c], floats);
        memcpy(out[c] + n, &values, sizeof values);
    }
}

TRN_CLONES void trn_pe_pairs(const float *const w[2], const float *const x[2], size_t x_pitch,
                             uint32_t rows, float *const out[TRN_PE_PANEL_COLUMNS])
{
    for (int n = 0; n < TRN_PE_BLOCK; n += LANES)
        sweep(w, x, x_pitch, rows, out, n);
}
