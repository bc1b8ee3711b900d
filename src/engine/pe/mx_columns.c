/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/pe/mx_columns.h"

#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/clones.h"

#define INLINE static inline __attribute__((always_inline))

enum { COLUMNS = TRN_PE_PANEL_COLUMNS, BIAS = 127, SCALE_NAN = 255 };

double trn_mx_factor(uint8_t code)
{
    enum { DOUBLE_BIAS = 1023, DOUBLE_MANTISSA = 52 };
    const uint64_t bits = (uint64_t)(code - BIAS + DOUBLE_BIAS) << DOUBLE_MANTISSA;
    double factor;
    memcpy(&factor, &bits, sizeof factor);
    return code == SCALE_NAN ? NAN : factor;
}

/* ---- rows --------------------------------------------------------------------------------- */

enum { LANES = 16, HALF = LANES / 2, VECTORS = TRN_MX_STRIP / LANES };
typedef float floats __attribute__((vector_size(LANES * sizeof(float))));
typedef float halves __attribute__((vector_size(HALF * sizeof(float))));
typedef double doubles __attribute__((vector_size(HALF * sizeof(double))));
typedef int32_t ints __attribute__((vector_size(LANES * sizeof(int32_t))));
typedef int32_t half_ints __attribute__((vector_size(HALF * sizeof(int32_t))));

/* Values that are not wide have exponents of this range, their factors included: products and sums
 * of four then neither overflow nor lose bits below the smallest subnormal. */
enum {
    LOWEST = -70,
    HIGHEST = 50,
    MANTISSA_BITS = 23,
    MAGNITUDE = 0x7FFFFFFF,
    IMPLICIT = 0x800000,
    INFINITE = 0x7F800000
};

/* What a vector of values is reduced to, lane by lane: the biased exponent of the lowest set bit,
 * and the complement of the magnitude's bits, so that the least of both is what is asked for. */
struct marks {
    ints low, not_high;
};

INLINE void marks_of(const float *values, struct marks *marks)
{
    ints bits, exponent;
    memcpy(&bits, values, sizeof bits);
    bits &= MAGNITUDE;
    const ints significand = (bits & (IMPLICIT - 1)) | IMPLICIT;
    /* the exponent of the lowest set bit of the significand, from its value as a float */
    const floats bit = __builtin_convertvector(significand & -significand, floats);
    memcpy(&exponent, &bit, sizeof exponent);
    exponent = (exponent >> MANTISSA_BITS) + (bits >> MANTISSA_BITS);
    marks->low = exponent | ((bits == 0) & INT32_MAX);
    marks->not_high = ~bits;
}

/* The values of the lowest set bits of LANES values that are not wide; infinite for 0. */
INLINE void lowest_of(const float *values, float *lowest)
{
    struct marks m;
    marks_of(values, &m);
    const ints zero = m.not_high == ~0;
    const ints bits = (m.low - BIAS - MANTISSA_BITS) << MANTISSA_BITS;
    m.low = (zero & INFINITE) | (bits & ~zero);
    memcpy(lowest, &m.low, sizeof m.low);
}

INLINE void put_min(ints *to, const ints *value)
{
    const ints less = *value < *to;
    *to = (*value & less) | (*to & ~less);
}

/* The lanes of a and b that the two lists pick, the lesser of each two. */
#define FOLD(to, a, b, first, second)                                                              \
    do {                                                                                           \
        ints fold_a = __builtin_shufflevector(a, b, first);                                        \
        const ints fold_b = __builtin_shufflevector(a, b, second);                                 \
        put_min(&fold_a, &fold_b);                                                                 \
        *(to) = fold_a;                                                                            \
    } while (0)
#define LIST(...) __VA_ARGS__

/* 16 lanes of value 0 and 16 of value 1: 8 of each. */
INLINE void fold16(ints *to, const ints *a, const ints *b)
{
    FOLD(to, *a, *b, LIST(0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23),
         LIST(8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31));
}

/* 8 lanes of values 0 and 1, 8 of values 2 and 3: lane 4 * v has the least of value v. */
INLINE void fold8(ints *to, const ints *a, const ints *b)
{
    ints r;
    FOLD(&r, *a, *b, LIST(0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27),
         LIST(4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31));
    FOLD(&r, r, r, LIST(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
         LIST(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13));
    FOLD(to, r, r, LIST(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
         LIST(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
}

/* Extents of a row; false when some value lies outside of the range. */
INLINE bool row_extent(const float *values, uint32_t width, float *largest, float *lowest)
{
    struct marks m[TRN_MX_VALUES];
    if (width == COLUMNS) { /* two values in a vector */
        marks_of(values, &m[0]);
        marks_of(values + LANES, &m[1]);
    } else {
        for (uint32_t v = 0; v < TRN_MX_VALUES; v++) {
            struct marks more;
            marks_of(values + v * width, &m[v]);
            marks_of(values + v * width + LANES, &more);
            put_min(&m[v].low, &more.low);
            put_min(&m[v].not_high, &more.not_high);
        }
        fold16(&m[0].low, &m[0].low, &m[1].low);
        fold16(&m[0].not_high, &m[0].not_high, &m[1].not_high);
        fold16(&m[1].low, &m[2].low, &m[3].low);
        fold16(&m[1].not_high, &m[2].not_high, &m[3].not_high);
    }
    fold8(&m[0].low, &m[0].low, &m[1].low);
    fold8(&m[0].not_high, &m[0].not_high, &m[1].not_high);
    bool inside = true;
    for (int v = 0; v < TRN_MX_VALUES; v++) {
        const int32_t high = ~m[0].not_high[v * TRN_MX_VALUES];
        const int32_t low = m[0].low[v * TRN_MX_VALUES] - BIAS - MANTISSA_BITS;
        largest[v] = trn_bits_f32((uint32_t)high);
        lowest[v] = high == 0 ? INFINITY : trn_bits_f32((uint32_t)low << MANTISSA_BITS);
        inside &= high == 0 || (low >= LOWEST + BIAS && high >> MANTISSA_BITS <= HIGHEST + BIAS);
    }
    return inside;
}

/* Whether the factors are floats that leave room for the values of every element type. */
INLINE bool scales_are_plain(const uint8_t *scale, uint32_t n)
{
    enum { AROUND = 64 };
    uint8_t least = UINT8_MAX, most = 0;
    for (uint32_t i = 0; i < n; i++) {
        least = scale[i] < least ? scale[i] : least;
        most = scale[i] > most ? scale[i] : most;
    }
    return least > BIAS - AROUND && most < BIAS + AROUND;
}

/* Put the factors into the plain values of a row, unless it is wide. */
INLINE void finish_row(float *values, const uint8_t *scale, uint32_t width, uint32_t row,
                       struct trn_mx_extents *extents)
{
    float factor[TRN_MX_STRIP], scaled[TRN_MX_VALUES * TRN_MX_STRIP];
    extents->wide[row] = true;
    for (uint32_t v = 0; v < TRN_MX_VALUES; v++)
        extents->largest[row][v] = extents->lowest[row][v] = INFINITY; /* it never fits */
    if (!scales_are_plain(scale, width))
        return;
    for (uint32_t i = 0; i < width; i++)
        factor[i] = trn_bits_f32((uint32_t)scale[i] << MANTISSA_BITS);
    for (uint32_t v = 0; v < TRN_MX_VALUES; v++)
        for (uint32_t i = 0; i < width; i++)
            scaled[v * width + i] = values[v * width + i] * factor[i];
    float largest[TRN_MX_VALUES], lowest[TRN_MX_VALUES];
    if (!row_extent(scaled, width, largest, lowest))
        return;
    memcpy(extents->largest[row], largest, sizeof largest);
    memcpy(extents->lowest[row], lowest, sizeof lowest);
    memcpy(values, scaled, TRN_MX_VALUES * width * sizeof *values);
    extents->wide[row] = false;
}

TRN_CLONES void trn_mx_panel_row(struct trn_mx_panel *panel, uint32_t row,
                                 const float *const value[4], const uint8_t *scale)
{
    for (uint32_t v = 0; v < TRN_MX_VALUES; v++)
        memcpy(panel->value[row][v], value[v], COLUMNS * sizeof(float));
    finish_row(panel->value[row][0], scale, COLUMNS, row, &panel->extents);
    const float *values = panel->value[row][0];
    double *exact = panel->exact[row][0];
    for (uint32_t i = 0; i < TRN_MX_VALUES * COLUMNS; i++)
        exact[i] = values[i];
    if (panel->extents.wide[row])
        for (uint32_t i = 0; i < TRN_MX_VALUES * COLUMNS; i++)
            exact[i] *= trn_mx_factor(scale[i % COLUMNS]);
    else
        for (uint32_t i = 0; i < TRN_MX_VALUES * COLUMNS; i += LANES)
            lowest_of(values + i, panel->lowest[row][0] + i);
}

TRN_CLONES void trn_mx_strip_row(struct trn_mx_strip *strip, uint32_t row, const float *packed,
                                 const uint8_t *scale)
{
    for (uint32_t v = 0; v < TRN_MX_VALUES; v++)
        for (uint32_t i = 0; i < TRN_MX_STRIP; i++)
            strip->value[row][v][i] = packed[TRN_MX_VALUES * i + v];
    memcpy(strip->scale[row], scale, TRN_MX_STRIP);
    finish_row(strip->value[row][0], scale, TRN_MX_STRIP, row, &strip->extents);
}

/* ---- sums --------------------------------------------------------------------------------- */

/* Products of the values are exact, in float and in double, so that it is all one whether they are
 * fused with the sums: this file is compiled to do so where the host can. */

INLINE void float_column(floats sum[VECTORS], const float (*weight)[COLUMNS], int c,
                         const floats moving[TRN_MX_VALUES][VECTORS])
{
#pragma GCC unroll 2
    for (int i = 0; i < VECTORS; i++) {
        floats p = weight[0][c] * moving[0][i];
        p += weight[1][c] * moving[1][i];
        p += weight[2][c] * moving[2][i];
        p += weight[3][c] * moving[3][i];
        sum[i] += p;
    }
}

/* Rows begin .. end-1, the sums in registers. */
INLINE void float_rows(floats sums[COLUMNS][VECTORS], const struct trn_mx_panel *w,
                       const struct trn_mx_strip *x, uint32_t begin, uint32_t end)
{
    floats sum[COLUMNS][VECTORS];
#pragma GCC unroll 8
    for (int c = 0; c < COLUMNS; c++)
#pragma GCC unroll 2
        for (int i = 0; i < VECTORS; i++)
            sum[c][i] = sums[c][i];
    for (uint32_t r = begin; r < end; r++) {
        floats moving[TRN_MX_VALUES][VECTORS];
        memcpy(moving, x->value[r], sizeof moving);
#pragma GCC unroll 8
        for (int c = 0; c < COLUMNS; c++)
            float_column(sum[c], w->value[r], c, moving);
    }
#pragma GCC unroll 8
    for (int c = 0; c < COLUMNS; c++)
#pragma GCC unroll 2
        for (int i = 0; i < VECTORS; i++)
            sums[c][i] = sum[c][i];
}

/* Eight elements of value v. */
INLINE void moving_of(doubles *out, const struct trn_mx_strip *x, uint32_t r, int v, int n)
{
    halves values;
    memcpy(&values, &x->value[r][v][n], sizeof values);
    *out = __builtin_convertvector(values, doubles);
}

INLINE void double_half(halves *sum, const double (*weight)[COLUMNS], int c, const doubles *m)
{
    doubles p = weight[0][c] * m[0];
    p += weight[1][c] * m[1];
    p += weight[2][c] * m[2];
    p += weight[3][c] * m[3];
    p += __builtin_convertvector(*sum, doubles);
    *sum = __builtin_convertvector(p, halves);
}

#define LOW_HALF(v)  __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7)
#define HIGH_HALF(v) __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15)
#define BOTH_HALVES(l, h)                                                                          \
    __builtin_shufflevector(l, h, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)

INLINE void double_vector(floats *sum, const double (*weight)[COLUMNS], int c, const doubles *low,
                          const doubles *high)
{
    halves l = LOW_HALF(*sum), h = HIGH_HALF(*sum);
    double_half(&l, weight, c, low);
    double_half(&h, weight, c, high);
    *sum = BOTH_HALVES(l, h);
}

/* Vector i of the moving values. */
INLINE void moving_vector(doubles low[TRN_MX_VALUES], doubles high[TRN_MX_VALUES],
                          const struct trn_mx_strip *x, uint32_t r, int i)
{
#pragma GCC unroll 4
    for (int v = 0; v < TRN_MX_VALUES; v++) {
        moving_of(&low[v], x, r, v, i * LANES);
        moving_of(&high[v], x, r, v, i * LANES + HALF);
    }
}

INLINE void double_row(floats sum[COLUMNS][VECTORS], const struct trn_mx_panel *w,
                       const struct trn_mx_strip *x, uint32_t r)
{
#pragma GCC unroll 2
    for (int i = 0; i < VECTORS; i++) {
        doubles low[TRN_MX_VALUES], high[TRN_MX_VALUES];
        moving_vector(low, high, x, r, i);
#pragma GCC unroll 8
        for (int c = 0; c < COLUMNS; c++)
            double_vector(&sum[c][i], w->exact[r], c, low, high);
    }
}

INLINE void double_column(floats sum[VECTORS], const double (*weight)[COLUMNS], int c,
                          const struct trn_mx_strip *x, uint32_t r)
{
#pragma GCC unroll 2
    for (int i = 0; i < VECTORS; i++) {
        doubles low[TRN_MX_VALUES], high[TRN_MX_VALUES];
        moving_vector(low, high, x, r, i);
        double_vector(&sum[i], weight, c, low, high);
    }
}

/* Columns that do not fit go through double. */
INLINE void mixed_row(floats sum[COLUMNS][VECTORS], const struct trn_mx_panel *w,
                      const struct trn_mx_strip *x, uint32_t r, const int32_t fits[COLUMNS])
{
    floats moving[TRN_MX_VALUES][VECTORS];
    memcpy(moving, x->value[r], sizeof moving);
#pragma GCC unroll 1
    for (int c = 0; c < COLUMNS; c++)
        if (fits[c])
            float_column(sum[c], w->value[r], c, moving);
        else
            double_column(sum[c], w->exact[r], c, x, r);
}

/* ---- all rows ----------------------------------------------------------------------------- */

enum { ROWS_AT_ONCE = LANES / TRN_MX_VALUES };
typedef ints fitting[TRN_MX_ROWS / ROWS_AT_ONCE];

/* A sum of four products that together are at most `bound` has at most 24 bits down to the lowest
 * one that can be set in any of them. The bound itself is rounded: it stays below. */
#define FLOAT_SPAN 0x1.fffffp23f

/* Whether all columns of a row fit. Four rows go in one vector; the answer for row r is lane 4 * r,
 * not 0 where it fits. */
INLINE void find_fitting(const struct trn_mx_extents *a, const struct trn_mx_extents *b,
                         fitting fits)
{
    for (int r = 0; r < TRN_MX_ROWS; r += ROWS_AT_ONCE) {
        floats bound, unit, other;
        memcpy(&bound, a->largest[r], sizeof bound);
        memcpy(&other, b->largest[r], sizeof other);
        bound *= other;
        bound += __builtin_shufflevector(bound, bound, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12,
                                         15, 14);
        bound += __builtin_shufflevector(bound, bound, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15,
                                         12, 13);
        memcpy(&unit, a->lowest[r], sizeof unit);
        memcpy(&other, b->lowest[r], sizeof other);
        ints fit = bound < unit * other * FLOAT_SPAN; /* each value: all four have to */
        fit &=
            __builtin_shufflevector(fit, fit, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
        fit &=
            __builtin_shufflevector(fit, fit, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
        fits[r / ROWS_AT_ONCE] = fit;
    }
}

/* Whether each column of a row fits, from its own values; false when none does. */
INLINE bool find_fitting_columns(const struct trn_mx_panel *w, const struct trn_mx_strip *x,
                                 uint32_t r, int32_t fits[COLUMNS])
{
    half_ints fit = ~(half_ints){0};
    halves bound = {0};
#pragma GCC unroll 4
    for (int v = 0; v < TRN_MX_VALUES; v++) {
        half_ints weight;
        halves magnitude;
        memcpy(&weight, w->value[r][v], sizeof weight);
        weight &= MAGNITUDE;
        memcpy(&magnitude, &weight, sizeof magnitude);
        bound += magnitude * x->extents.largest[r][v];
    }
#pragma GCC unroll 4
    for (int v = 0; v < TRN_MX_VALUES; v++) {
        halves unit;
        memcpy(&unit, w->lowest[r][v], sizeof unit);
        fit &= bound < unit * (x->extents.lowest[r][v] * FLOAT_SPAN);
    }
    memcpy(fits, &fit, sizeof fit);
    int32_t any = 0;
    for (int c = 0; c < COLUMNS; c++)
        any |= fits[c];
    return any;
}

/* A row some column of which does not fit. */
INLINE void other_row(floats sum[COLUMNS][VECTORS], const struct trn_mx_panel *w,
                      const struct trn_mx_strip *x, uint32_t r)
{
    int32_t fits[COLUMNS];
    if (find_fitting_columns(w, x, r, fits))
        mixed_row(sum, w, x, r, fits);
    else
        double_row(sum, w, x, r);
}

TRN_CLONES static void columns(const struct trn_mx_panel *w, const struct trn_mx_strip *x,
                               uint32_t rows, float *const *out)
{
    fitting fits;
    floats sum[COLUMNS][VECTORS] = {0};
    find_fitting(&w->extents, &x->extents, fits);
    const int32_t *fit = (const int32_t *)fits;
    uint32_t begin = 0;
    for (uint32_t r = 0; r < rows; r++) {
        if (fit[r * TRN_MX_VALUES])
            continue;
        float_rows(sum, w, x, begin, r);
        other_row(sum, w, x, r);
        begin = r + 1;
    }
    float_rows(sum, w, x, begin, rows);
    for (int c = 0; c < COLUMNS; c++)
        memcpy(out[c], sum[c], sizeof sum[c]);
}

/* Every value in double with its factor: for what the rest cannot hold. */
TRN_CLONES static void wide_columns(const struct trn_mx_panel *w, const struct trn_mx_strip *x,
                                    uint32_t rows, float *const *out)
{
    for (int c = 0; c < COLUMNS; c++)
        memset(out[c], 0, TRN_MX_STRIP * sizeof(float));
    for (uint32_t r = 0; r < rows; r++) {
        double moving[TRN_MX_VALUES][TRN_MX_STRIP];
        for (int n = 0; n < TRN_MX_STRIP; n++) {
            const double factor = x->extents.wide[r] ? trn_mx_factor(x->scale[r][n]) : 1;
            for (int v = 0; v < TRN_MX_VALUES; v++)
                moving[v][n] = x->value[r][v][n] * factor;
        }
        const double(*weight)[COLUMNS] = w->exact[r];
        for (int c = 0; c < COLUMNS; c++)
            for (int n = 0; n < TRN_MX_STRIP; n++) {
                double p = weight[0][c] * moving[0][n];
                for (int v = 1; v < TRN_MX_VALUES; v++)
                    p += weight[v][c] * moving[v][n];
                out[c][n] = (float)(out[c][n] + p);
            }
    }
}

static bool has_wide(const struct trn_mx_extents *extents, uint32_t rows)
{
    return memchr(extents->wide, true, rows) != NULL;
}

void trn_mx_columns(const struct trn_mx_panel *w, const struct trn_mx_strip *x, uint32_t rows,
                    float *const out[TRN_PE_PANEL_COLUMNS])
{
    if (has_wide(&w->extents, rows) || has_wide(&x->extents, rows))
        wide_columns(w, x, rows, out);
    else
        columns(w, x, rows, out);
}
