/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/pe/numeric.h"

#include <float.h>
#include <math.h>

#include "base/bytes.h"
#include "base/clones.h"

enum { MAGNITUDE = 0x7FFFFFFF, INFINITE = 0x7F800000 };

/* ---- ranges --------------------------------------------------------------------------- */

struct trn_pe_range trn_pe_range_empty(void)
{
    return (struct trn_pe_range){.least = INFINITY, .most = 0, .infinite = false, .nan = false};
}

/* Magnitudes order as their bits do. */
struct bits {
    uint32_t least, most, infinite, nan;
};

/* Every kind of value told apart. */
static struct bits bits_of_specials(const float *values, uint32_t n)
{
    struct bits bits = {.least = INFINITE};
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t m = trn_f32_bits(values[i]) & MAGNITUDE;
        bits.least = m != 0 && m < bits.least ? m : bits.least;
        bits.most = m < INFINITE && m > bits.most ? m : bits.most;
        bits.infinite |= m == INFINITE;
        bits.nan |= m > INFINITE;
    }
    return bits;
}

/* Two plain extremes, which a compiler makes wide; a zero is the largest when 1 is taken off. */
TRN_CLONES static struct bits bits_of(const float *values, uint32_t n)
{
    int32_t least = MAGNITUDE, most = 0;
    for (uint32_t i = 0; i < n; i++) {
        const int32_t m = (int32_t)(trn_f32_bits(values[i]) & MAGNITUDE);
        const int32_t low = (m - 1) & MAGNITUDE;
        least = low < least ? low : least;
        most = m > most ? m : most;
    }
    if (most >= INFINITE)
        return bits_of_specials(values, n);
    return (struct bits){.least = least == MAGNITUDE ? INFINITE : (uint32_t)least + 1,
                         .most = (uint32_t)most};
}

void trn_pe_range_add(struct trn_pe_range *range, const float *values, uint32_t rows, size_t pitch,
                      uint32_t count)
{
    const bool adjacent = pitch == count;
    for (uint32_t r = 0; r < (adjacent ? 1 : rows); r++) {
        const struct bits bits = bits_of(values + r * pitch, adjacent ? rows * count : count);
        range->least = fminf(range->least, trn_bits_f32(bits.least));
        range->most = fmaxf(range->most, trn_bits_f32(bits.most));
        range->infinite |= bits.infinite != 0;
        range->nan |= bits.nan != 0;
    }
}

unsigned trn_pe_numeric_of_range(const struct trn_pe_range *range)
{
    return (range->nan ? TRN_NUMERIC_NAN : 0) | (range->infinite ? TRN_NUMERIC_INF : 0);
}

/* A step s + w*x gives a zero that hides something only if |s + w*x| is at most 2^-150 and not 0.
 * s is a multiple of 2^-149 and w*x has 48 bits: then w*x has a bit below 2^-149, so it lies below
 * 2^-101. Sums of finite values stay finite below FLT_MAX; a factor of two is for roundings. */
bool trn_pe_may_meet(const struct trn_pe_range *weights, const struct trn_pe_range *moving,
                     uint32_t steps)
{
    if (weights->nan || weights->infinite || moving->nan || moving->infinite)
        return true;
    const double least = (double)weights->least * moving->least;
    const double most = (double)weights->most * moving->most * steps;
    return least < 0x1p-101 || most > (double)FLT_MAX / 2;
}

/* ---- sums ------------------------------------------------------------------------------- */

static float weight_of(const struct trn_pe_terms *terms, uint32_t v, uint32_t row, uint32_t column)
{
    return terms->w[v][row * TRN_PE_PANEL_COLUMNS + column];
}

static const float *moving_of(const struct trn_pe_terms *terms, uint32_t plane, uint32_t row)
{
    return terms->x[plane] + row * terms->x_pitch;
}

static bool operands_are_finite(const struct trn_pe_terms *terms, uint32_t column, uint32_t n)
{
    for (uint32_t r = 0; r < terms->rows; r++) {
        bool finite = true;
        for (uint32_t v = 0; v < terms->values; v++)
            finite = finite && isfinite(weight_of(terms, v, r, column));
        for (uint32_t plane = 0; plane < terms->passes * terms->values; plane++)
            finite = finite && isfinite(moving_of(terms, plane, r)[n]);
        if (!finite)
            return false;
    }
    return true;
}

/* One row of a pass again, from *s on. In double a product is exact, and a sum is 0 only if it is
 * exactly 0. */
static bool step_vanishes(const struct trn_pe_terms *terms, uint32_t pass, uint32_t row,
                          uint32_t column, uint32_t n, float *s)
{
    double exact = (double)*s, p = 0;
    for (uint32_t v = 0; v < terms->values; v++)
        p += (double)weight_of(terms, v, row, column) * moving_of(terms, pass + v, row)[n];
    exact += p;
    *s = terms->values == 1
             ? fmaf(weight_of(terms, 0, row, column), moving_of(terms, pass, row)[n], *s)
             : (float)exact;
    return *s == 0 && exact != 0;
}

static bool a_step_vanished(const struct trn_pe_terms *terms, uint32_t column, uint32_t n)
{
    float s = 0;
    for (uint32_t pass = 0; pass < terms->passes; pass++)
        for (uint32_t r = 0; r < terms->rows; r++)
            if (step_vanishes(terms, pass, r, column, n, &s))
                return true;
    return false;
}

unsigned trn_pe_numeric_of_sums(const struct trn_pe_terms *terms, uint32_t column,
                                const float *sums, uint32_t count)
{
    unsigned causes = TRN_NUMERIC_NONE;
    for (uint32_t n = 0; n < count; n++) {
        if (isnan(sums[n]))
            causes |= TRN_NUMERIC_NAN;
        else if (isinf(sums[n]) && !(causes & TRN_NUMERIC_OVERFLOW) &&
                 operands_are_finite(terms, column, n))
            causes |= TRN_NUMERIC_OVERFLOW;
        else if (sums[n] == 0 && !(causes & TRN_NUMERIC_UNDERFLOW) &&
                 a_step_vanished(terms, column, n))
            causes |= TRN_NUMERIC_UNDERFLOW;
    }
    return causes;
}
