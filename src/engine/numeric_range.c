/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/numeric_range.h"

#include "base/bytes.h"
#include "base/clones.h"

enum { INFINITE = 0x7F800000 };
enum {
    ANYTHING = TRN_NUMERIC_UNDERFLOW | TRN_NUMERIC_NAN | TRN_NUMERIC_INF | TRN_NUMERIC_OVERFLOW
};

/* ---- ranges --------------------------------------------------------------------------- */

/* Magnitudes order as their bits do. */
enum { MAGNITUDE = 0x7FFFFFFF };

struct extremes {
    uint32_t smallest, largest;
};

static const struct extremes no_values = {.smallest = UINT32_MAX};

static inline struct extremes joined(struct extremes a, struct extremes b)
{
    return (struct extremes){.smallest = a.smallest < b.smallest ? a.smallest : b.smallest,
                             .largest = a.largest > b.largest ? a.largest : b.largest};
}

static inline struct extremes extremes_of_one(float value, uint32_t less)
{
    const uint32_t m = (trn_f32_bits(value) & MAGNITUDE) - less;
    return (struct extremes){m, m};
}

static inline const float *row_at(const float *values, size_t pitch, size_t r)
{
    return (const void *)((const uint8_t *)values + r * pitch);
}

/* Rows that are taken side by side: their extremes meet before they are folded across a vector. */
#define STREAMS 8

/* Extremes of STREAMS rows, of one row, and both when `LESS` is taken off every magnitude. */
#define EXTREMES(NAME, LESS)                                                                       \
    TRN_CLONES static struct extremes NAME##_of_streams(const float *values, size_t pitch,         \
                                                        size_t n)                                  \
    {                                                                                              \
        struct extremes all = no_values;                                                           \
        for (size_t i = 0; i < n; i++) {                                                           \
            struct extremes here = no_values;                                                      \
            for (size_t r = 0; r < STREAMS; r++)                                                   \
                here = joined(here, extremes_of_one(row_at(values, pitch, r)[i], LESS));           \
            all = joined(all, here);                                                               \
        }                                                                                          \
        return all;                                                                                \
    }                                                                                              \
    TRN_CLONES static struct extremes NAME##_of_row(const float *values, size_t n)                 \
    {                                                                                              \
        struct extremes all = no_values;                                                           \
        for (size_t i = 0; i < n; i++)                                                             \
            all = joined(all, extremes_of_one(values[i], LESS));                                   \
        return all;                                                                                \
    }

EXTREMES(extremes, 0)
EXTREMES(extremes_less_1, 1) /* a zero is the largest of all */

struct kernels {
    struct extremes (*of_streams)(const float *values, size_t pitch, size_t n);
    struct extremes (*of_row)(const float *values, size_t n);
};

/* A long row is STREAMS rows of its own and a rest. */
static struct extremes extremes_of_long(const struct kernels *kernels, const float *row, size_t n)
{
    enum { LONG = 256 };
    const size_t part = n < LONG ? 0 : n / STREAMS, rest = n - part * STREAMS;
    struct extremes all = no_values;
    if (part)
        all = kernels->of_streams(row, part * sizeof *row, part);
    return rest ? joined(all, kernels->of_row(row + part * STREAMS, rest)) : all;
}

static struct extremes extremes_of(const struct kernels *kernels, const float *values, size_t rows,
                                   size_t pitch, size_t n)
{
    struct extremes all = no_values;
    size_t r = 0;
    for (; r + STREAMS <= rows; r += STREAMS)
        all = joined(all, kernels->of_streams(row_at(values, pitch, r), pitch, n));
    for (; r < rows; r++)
        all = joined(all, extremes_of_long(kernels, row_at(values, pitch, r), n));
    return all;
}

static inline float smaller_of(float a, float b)
{
    return a < b ? a : b;
}

static inline float larger_of(float a, float b)
{
    return a > b ? a : b;
}

/* Some value is no number: every kind told apart. */
static void add_specials(struct trn_numeric_range *range, const float *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const float m = fabsf(values[i]);
        range->nan |= isnan(m);
        range->infinite |= isinf(m);
        range->zero |= m == 0;
        if (m != 0 && isfinite(m)) {
            range->least = m < range->least ? m : range->least;
            range->most = m > range->most ? m : range->most;
        }
    }
}

void trn_numeric_range_add(struct trn_numeric_range *range, const float *values, size_t rows,
                           size_t pitch, size_t n)
{
    if (rows == 0 || n == 0)
        return;
    static const struct kernels plain = {extremes_of_streams, extremes_of_row};
    static const struct kernels less_1 = {extremes_less_1_of_streams, extremes_less_1_of_row};
    const struct extremes all = extremes_of(&plain, values, rows, pitch, n);
    if (all.largest >= INFINITE) {
        for (size_t r = 0; r < rows; r++)
            add_specials(range, row_at(values, pitch, r), n);
        return;
    }
    range->zero |= all.smallest == 0;
    if (all.largest == 0)
        return;
    const uint32_t least =
        all.smallest ? all.smallest : extremes_of(&less_1, values, rows, pitch, n).smallest + 1;
    range->least = smaller_of(range->least, trn_bits_f32(least));
    range->most = larger_of(range->most, trn_bits_f32(all.largest));
}

bool trn_numeric_is_ordinary(uint8_t op, const struct trn_numeric_range *results)
{
    return !results->nan && !results->infinite && !(results->zero && trn_numeric_shrinks(op));
}

/* ---- operators ------------------------------------------------------------------------- */

/* The exact sum of multiples of a step is one: what is not 0 is not below it. */
static float step_of(float least)
{
    if (isinf(least))
        return INFINITY;
    const float power = trn_bits_f32(trn_f32_bits(least) & INFINITE); /* 0 for a subnormal value */
    return larger_of(power * FLT_EPSILON, FLT_TRUE_MIN);
}

static struct trn_numeric_range sum_of(const struct trn_numeric_range *a,
                                       const struct trn_numeric_range *b)
{
    return (struct trn_numeric_range){
        .least = step_of(smaller_of(a->least, b->least)), .most = a->most + b->most, .zero = true};
}

static struct trn_numeric_range product_of(const struct trn_numeric_range *a,
                                           const struct trn_numeric_range *b)
{
    return (struct trn_numeric_range){
        .least = a->least * b->least, .most = a->most * b->most, .zero = a->zero || b->zero};
}

/* The divisor is not 0. */
static struct trn_numeric_range quotient_of(const struct trn_numeric_range *a,
                                            const struct trn_numeric_range *b)
{
    return (struct trn_numeric_range){
        .least = a->least / b->most, .most = a->most / b->least, .zero = a->zero};
}

/* Results are among the operands, or 0 and 1. */
static struct trn_numeric_range either_of(const struct trn_numeric_range *a,
                                          const struct trn_numeric_range *b)
{
    return (struct trn_numeric_range){.least = smaller_of(smaller_of(a->least, b->least), 1),
                                      .most = larger_of(larger_of(a->most, b->most), 1),
                                      .zero = true,
                                      .infinite = a->infinite || b->infinite,
                                      .nan = a->nan || b->nan};
}

unsigned trn_numeric_may_meet(uint8_t op, const struct trn_numeric_range *a,
                              const struct trn_numeric_range *b, struct trn_numeric_range *out)
{
    const unsigned arity = trn_alu_arity(op);
    if (arity < 2)
        b = a;
    if (!trn_numeric_rounds(op)) {
        *out = either_of(a, b);
        return TRN_NUMERIC_NONE;
    }
    const bool finite = !a->nan && !a->infinite && !b->nan && !b->infinite;
    *out = trn_numeric_range_unknown();
    if (!finite)
        return ANYTHING;
    switch (op) {
    case TRN_ALU_OP_ADD:
    case TRN_ALU_OP_SUBTRACT:
    case TRN_ALU_OP_ABSOLUTE_DIFF:
        *out = sum_of(a, b);
        break;
    case TRN_ALU_OP_MULT:
    case TRN_ALU_OP_SQUARE:
        *out = product_of(a, b);
        break;
    case TRN_ALU_OP_DIVIDE:
        if (b->zero)
            return ANYTHING;
        *out = quotient_of(a, b);
        break;
    default: /* no bounds are told of it */
        return ANYTHING;
    }
    const bool vanishes = out->least == 0;
    out->infinite = isinf(out->most);
    if (vanishes) {
        out->zero = true;
        out->least = FLT_TRUE_MIN;
    }
    return (vanishes ? TRN_NUMERIC_UNDERFLOW : 0) | (out->infinite ? TRN_NUMERIC_OVERFLOW : 0);
}

/* ---- narrowing ------------------------------------------------------------------------- */

static float there_and_back(uint8_t dtype, const struct trn_num_mode *mode, float value)
{
    uint64_t code = 0;
    float back = 0;
    (void)trn_from_fp32(dtype, mode, value, &code);
    (void)trn_to_fp32(dtype, mode, code, &back);
    return back;
}

/* The first of two values that the type has; else the third. */
static float one_that_it_has(uint8_t dtype, const struct trn_num_mode *mode, float value,
                             float other, float none)
{
    if (there_and_back(dtype, mode, value) == value)
        return value;
    return there_and_back(dtype, mode, other) == other ? other : none;
}

/* Values between two that a type has round to one between them, however rounding is done. */
struct trn_numeric_safe trn_numeric_safe_of(uint8_t dtype, const struct trn_num_mode *mode)
{
    struct trn_num_mode plain = *mode;
    uint64_t code = 0;
    float smallest = 0, largest = 0;
    if (trn_dtype_kind(dtype) != TRN_DTYPE_KIND_FLOAT || dtype == TRN_DTYPE_FP32)
        return (struct trn_numeric_safe){.least = 0, .most = INFINITY};
    plain.lfsr = NULL; /* asking draws no random bits */
    plain.fp8_saturate = true;
    (void)trn_to_fp32(dtype, &plain, 1, &smallest);
    (void)trn_from_fp32(dtype, &plain, FLT_MAX, &code);
    (void)trn_to_fp32(dtype, &plain, code, &largest);
    if (!isfinite(largest)) /* below the code of Inf */
        (void)trn_to_fp32(dtype, &plain, code - 1, &largest);
    return (struct trn_numeric_safe){
        .least = one_that_it_has(dtype, &plain, smallest, FLT_MIN, INFINITY),
        .most = one_that_it_has(dtype, &plain, largest, 0x1p127f, 0)};
}
