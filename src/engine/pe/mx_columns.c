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
typedef uint32_t words __attribute__((vector_size(LANES * sizeof(uint32_t))));
typedef int32_t fours __attribute__((vector_size(TRN_MX_VALUES * sizeof(int32_t))));

#define LOW_HALF(v)  __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7)
#define HIGH_HALF(v) __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15)
#define BOTH_HALVES(l, h)                                                                          \
    __builtin_shufflevector(l, h, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#define LOW_HALVES(a, b)                                                                           \
    __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23)
#define HIGH_HALVES(a, b)                                                                          \
    __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31)

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

/* What vectors of values are reduced to, lane by lane: the biased exponent of the lowest set bit,
 * EXPONENT_OF_ZERO for 0, and the complement of the magnitude's bits, so that the least of both is
 * what is asked for. */
enum { EXPONENT_OF_ZERO = INT32_MAX };
struct marks {
    ints low, not_high;
};

/* Of values with their factors. One that its factor alone makes 0 has a low that is out of range.
 */
INLINE void marks_of(const floats *plain, const floats *scaled, struct marks *marks)
{
    ints bits, exponent;
    memcpy(&bits, scaled, sizeof bits);
    bits &= MAGNITUDE;
    const ints significand = (bits & (IMPLICIT - 1)) | IMPLICIT;
    /* the exponent of the lowest set bit of the significand, from its value as a float */
    const floats bit = __builtin_convertvector(significand & -significand, floats);
    memcpy(&exponent, &bit, sizeof exponent);
    exponent = (exponent >> MANTISSA_BITS) + (bits >> MANTISSA_BITS) - BIAS - MANTISSA_BITS;
    const ints zero = *plain == 0;
    marks->low = (exponent & ~zero) | (zero & EXPONENT_OF_ZERO);
    marks->not_high = ~bits;
}

INLINE void put_min(ints *to, const ints *value)
{
    const ints less = *value < *to;
    *to = (*value & less) | (*to & ~less);
}

INLINE void put_least(struct marks *to, const struct marks *marks)
{
    put_min(&to->low, &marks->low);
    put_min(&to->not_high, &marks->not_high);
}

/* The lanes of a and b that are listed. */
#define PICK(a, b, ...)                                                                            \
    {                                                                                              \
        __builtin_shufflevector((a)->low, (b)->low, __VA_ARGS__),                                  \
            __builtin_shufflevector((a)->not_high, (b)->not_high, __VA_ARGS__)                     \
    }

/* The marks of a row's four values become its extents, unless it is wide: some value lies outside
 * of the range. A row that is wide never fits. */
INLINE bool put_extents(const fours *low, const fours *not_high, bool far, uint32_t row,
                        struct trn_mx_extents *extents)
{
    const fours high = ~*not_high, zero = *low == EXPONENT_OF_ZERO;
    const fours inside = (*low >= LOWEST + BIAS) & (high >> MANTISSA_BITS <= HIGHEST + BIAS);
    const bool wide = far || !(inside[0] & inside[1] & inside[2] & inside[3]);
    const fours largest = wide ? zero * 0 + INFINITE : high;
    const fours lowest = (zero & INFINITE) | (*low << MANTISSA_BITS & ~zero);
    memcpy(extents->largest[row], &largest, sizeof largest);
    memcpy(extents->lowest[row], &lowest, sizeof lowest);
    extents->wide[row] = wide;
    return wide;
}

/* Whether a factor is far from 1, or no number: its row then is wide. */
INLINE bool any_far(const uint8_t *scale, uint32_t n)
{
    enum { AROUND = 64 };
    bool far = false;
    for (uint32_t i = 0; i < n; i++)
        far |= scale[i] <= BIAS - AROUND || scale[i] >= BIAS + AROUND;
    return far;
}

/* Factors that are not far, from their codes: bytes of words, which `up` shifts to the top. */
INLINE void factors_of(const words *codes, const words *up, floats *factors)
{
    const words bits =
        (*codes << *up & 0xFF000000) >> 1; /* above the significand, below the sign */
    memcpy(factors, &bits, sizeof bits);
}

/* ---- panels ------------------------------------------------------------------------------- */

/* A vector has two values of eight columns each. */
enum { PANEL_VECTORS = TRN_MX_VALUES * COLUMNS / LANES };

INLINE bool put_panel_extents(const struct marks m[PANEL_VECTORS], bool far, uint32_t row,
                              struct trn_mx_extents *extents)
{
    /* to four lanes a value, two, one */
    struct marks all = PICK(&m[0], &m[1], 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
    const struct marks by4 =
        PICK(&m[0], &m[1], 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
    put_least(&all, &by4);
    const struct marks by2 = PICK(&all, &all, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
    put_least(&all, &by2);
    const struct marks by1 = PICK(&all, &all, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
    put_least(&all, &by1);
    const fours low = {all.low[0], all.low[4], all.low[8], all.low[12]};
    const fours not_high = {all.not_high[0], all.not_high[4], all.not_high[8], all.not_high[12]};
    return put_extents(&low, &not_high, far, row, extents);
}

/* The lowest bits of single values, where they are not wide. */
INLINE void put_lowest(const struct marks *m, float *lowest)
{
    const ints zero = m->low == EXPONENT_OF_ZERO;
    const ints bits = (zero & INFINITE) | (m->low << MANTISSA_BITS & ~zero);
    memcpy(lowest, &bits, sizeof bits);
}

TRN_CLONES void trn_mx_panel_row(struct trn_mx_panel *panel, uint32_t row,
                                 const float *const value[4], const uint8_t *scale)
{
    const uint32_t a = trn_get32(scale), b = trn_get32(scale + COLUMNS / 2);
    const words codes = {a, a, a, a, b, b, b, b, a, a, a, a, b, b, b, b};
    const words up = {24, 16, 8, 0, 24, 16, 8, 0, 24, 16, 8, 0, 24, 16, 8, 0};
    floats plain[PANEL_VECTORS], scaled[PANEL_VECTORS], factors;
    struct marks m[PANEL_VECTORS];
    factors_of(&codes, &up, &factors);
#pragma GCC unroll 2
    for (uint32_t i = 0; i < PANEL_VECTORS; i++) {
        halves first, second;
        memcpy(&first, value[2 * i], sizeof first);
        memcpy(&second, value[2 * i + 1], sizeof second);
        plain[i] = BOTH_HALVES(first, second);
        scaled[i] = plain[i] * factors;
        marks_of(&plain[i], &scaled[i], &m[i]);
        put_lowest(&m[i], panel->lowest[row][2 * i]);
    }
    const bool wide = put_panel_extents(m, any_far(scale, COLUMNS), row, &panel->extents);
#pragma GCC unroll 2
    for (uint32_t i = 0; i < PANEL_VECTORS; i++)
        memcpy(panel->value[row][2 * i], wide ? &plain[i] : &scaled[i], sizeof plain[i]);
    memcpy(panel->scale[row], scale, COLUMNS);
}

/* ---- strips ------------------------------------------------------------------------------- */

/* A vector has four containers of four values each. */
enum { CONTAINERS = LANES / TRN_MX_VALUES, STRIP_VECTORS = TRN_MX_STRIP / CONTAINERS };

INLINE bool put_strip_extents(const struct marks *m, bool far, uint32_t row,
                              struct trn_mx_extents *extents)
{
    struct marks all = *m;
    const struct marks by8 = PICK(m, m, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
    put_least(&all, &by8);
    const struct marks by4 = PICK(&all, &all, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11);
    put_least(&all, &by4);
    const fours low = __builtin_shufflevector(all.low, all.low, 0, 1, 2, 3);
    const fours not_high = __builtin_shufflevector(all.not_high, all.not_high, 0, 1, 2, 3);
    return put_extents(&low, &not_high, far, row, extents);
}

/* The values of CONTAINERS containers times their factors. */
INLINE void scale_containers(const floats *plain, const uint8_t *scale, floats *scaled)
{
    const words codes = (words){0} + trn_get32(scale);
    const words up = {24, 24, 24, 24, 16, 16, 16, 16, 8, 8, 8, 8, 0, 0, 0, 0};
    floats factors;
    factors_of(&codes, &up, &factors);
    *scaled = *plain * factors;
}

/* Of eight containers in a and b, two of the four values. */
#define SPLIT(a, b, v)                                                                             \
    __builtin_shufflevector(a, b, (v), (v) + 4, (v) + 8, (v) + 12, (v) + 16, (v) + 20, (v) + 24,   \
                            (v) + 28, (v) + 1, (v) + 5, (v) + 9, (v) + 13, (v) + 17, (v) + 21,     \
                            (v) + 25, (v) + 29)

/* LANES containers, value by value. */
INLINE void unpack(const floats in[TRN_MX_VALUES], float (*out)[TRN_MX_STRIP])
{
    const floats low01 = SPLIT(in[0], in[1], 0), low23 = SPLIT(in[0], in[1], 2);
    const floats high01 = SPLIT(in[2], in[3], 0), high23 = SPLIT(in[2], in[3], 2);
    const floats value[TRN_MX_VALUES] = {LOW_HALVES(low01, high01), HIGH_HALVES(low01, high01),
                                         LOW_HALVES(low23, high23), HIGH_HALVES(low23, high23)};
    for (int v = 0; v < TRN_MX_VALUES; v++)
        memcpy(out[v], &value[v], sizeof value[v]);
}

/* A row of a strip as it is unpacked from its vectors. */
INLINE void put_strip(struct trn_mx_strip *strip, uint32_t row, const floats values[STRIP_VECTORS])
{
#pragma GCC unroll 2
    for (int i = 0; i < VECTORS; i++)
        unpack(values + TRN_MX_VALUES * i,
               (float(*)[TRN_MX_STRIP])(strip->value[row][0] + LANES * i));
}

TRN_CLONES void trn_mx_strip_row(struct trn_mx_strip *strip, uint32_t row, const float *packed,
                                 const uint8_t *scale)
{
    floats plain[STRIP_VECTORS], scaled[STRIP_VECTORS];
    struct marks all;
#pragma GCC unroll 8
    for (int i = 0; i < STRIP_VECTORS; i++) {
        struct marks more;
        memcpy(&plain[i], packed + LANES * i, sizeof plain[i]);
        scale_containers(&plain[i], scale + CONTAINERS * i, &scaled[i]);
        marks_of(&plain[i], &scaled[i], &more);
        if (i == 0)
            all = more;
        else
            put_least(&all, &more);
    }
    if (put_strip_extents(&all, any_far(scale, TRN_MX_STRIP), row, &strip->extents))
        put_strip(strip, row, plain);
    else
        put_strip(strip, row, scaled);
    memcpy(strip->scale[row], scale, TRN_MX_STRIP);
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

/* Vector by vector: an array that is copied as a whole would be kept in memory. */
INLINE void load_moving(floats moving[TRN_MX_VALUES][VECTORS], const struct trn_mx_strip *x,
                        uint32_t r)
{
#pragma GCC unroll 4
    for (int v = 0; v < TRN_MX_VALUES; v++)
#pragma GCC unroll 2
        for (int i = 0; i < VECTORS; i++)
            memcpy(&moving[v][i], &x->value[r][v][i * LANES], sizeof moving[v][i]);
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
        load_moving(moving, x, r);
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

INLINE void double_half(halves *sum, const float (*weight)[COLUMNS], int c, const doubles *m)
{
    doubles p = (double)weight[0][c] * m[0];
    p += (double)weight[1][c] * m[1];
    p += (double)weight[2][c] * m[2];
    p += (double)weight[3][c] * m[3];
    p += __builtin_convertvector(*sum, doubles);
    *sum = __builtin_convertvector(p, halves);
}

INLINE void double_vector(floats *sum, const float (*weight)[COLUMNS], int c, const doubles *low,
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
            double_vector(&sum[c][i], w->value[r], c, low, high);
    }
}

INLINE void double_column(floats sum[VECTORS], const float (*weight)[COLUMNS], int c,
                          const struct trn_mx_strip *x, uint32_t r)
{
#pragma GCC unroll 2
    for (int i = 0; i < VECTORS; i++) {
        doubles low[TRN_MX_VALUES], high[TRN_MX_VALUES];
        moving_vector(low, high, x, r, i);
        double_vector(&sum[i], weight, c, low, high);
    }
}

/* Columns that do not fit go through double, from what their sums were before the row. */
INLINE void mixed_row(floats sum[COLUMNS][VECTORS], const struct trn_mx_panel *w,
                      const struct trn_mx_strip *x, uint32_t r, const int32_t fits[COLUMNS])
{
    floats before[COLUMNS][VECTORS];
    memcpy(before, sum, sizeof before);
    float_rows(sum, w, x, r, r + 1);
#pragma GCC unroll 1
    for (int c = 0; c < COLUMNS; c++) {
        if (fits[c])
            continue;
        memcpy(sum[c], before[c], sizeof before[c]);
        double_column(sum[c], w->value[r], c, x, r);
    }
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

/* Whether each column of a row fits, from its own values; how many do. */
INLINE uint32_t find_fitting_columns(const struct trn_mx_panel *w, const struct trn_mx_strip *x,
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
    int32_t count = 0;
    for (int c = 0; c < COLUMNS; c++)
        count -= fits[c];
    return (uint32_t)count;
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
        int32_t fits_column[COLUMNS];
        const uint32_t count =
            fit[r * TRN_MX_VALUES] ? COLUMNS : find_fitting_columns(w, x, r, fits_column);
        if (count == COLUMNS)
            continue;
        float_rows(sum, w, x, begin, r);
        if (count > 0)
            mixed_row(sum, w, x, r, fits_column);
        else
            double_row(sum, w, x, r);
        begin = r + 1;
    }
    float_rows(sum, w, x, begin, rows);
    for (int c = 0; c < COLUMNS; c++)
        memcpy(out[c], sum[c], sizeof sum[c]);
}

/* Values with their factors in double. */
INLINE void exact_row(const float *values, const uint8_t *scale, bool wide, uint32_t width,
                      double *out)
{
    for (uint32_t i = 0; i < width; i++) {
        const double factor = wide ? trn_mx_factor(scale[i]) : 1;
        for (uint32_t v = 0; v < TRN_MX_VALUES; v++)
            out[v * width + i] = values[v * width + i] * factor;
    }
}

/* For what the rest cannot hold. */
TRN_CLONES static void wide_columns(const struct trn_mx_panel *w, const struct trn_mx_strip *x,
                                    uint32_t rows, float *const *out)
{
    for (int c = 0; c < COLUMNS; c++)
        memset(out[c], 0, TRN_MX_STRIP * sizeof(float));
    for (uint32_t r = 0; r < rows; r++) {
        double weight[TRN_MX_VALUES][COLUMNS], moving[TRN_MX_VALUES][TRN_MX_STRIP];
        exact_row(w->value[r][0], w->scale[r], w->extents.wide[r], COLUMNS, weight[0]);
        exact_row(x->value[r][0], x->scale[r], x->extents.wide[r], TRN_MX_STRIP, moving[0]);
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
    return memchr(extents->wide, 1, rows) != NULL;
}

void trn_mx_columns(const struct trn_mx_panel *w, const struct trn_mx_strip *x, uint32_t rows,
                    float *const out[TRN_PE_PANEL_COLUMNS])
{
    if (has_wide(&w->extents, rows) || has_wide(&x->extents, rows))
        wide_columns(w, x, rows, out);
    else
        columns(w, x, rows, out);
}
