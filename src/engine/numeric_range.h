/* SPDX-License-Identifier: Apache-2.0 */
/* What values lie between, and what follows for what a word can meet (engine/numeric.h).
 *
 * Rounding is monotonic: the largest magnitude that an operator can give is what it gives for the
 * largest operands, and the same holds for the smallest. So two extremes of each operand, which are
 * cheap to find, tell of most words that no element can meet anything. Only the others are looked
 * at element by element. */
#ifndef TRN_ENGINE_NUMERIC_RANGE_H
#define TRN_ENGINE_NUMERIC_RANGE_H

#include <float.h>
#include <math.h>

#include "engine/numeric.h"

/* Finite values lie between least and most, or are 0; which others there may be. */
struct trn_numeric_range {
    float least, most; /* magnitudes; least is that of a value that is not 0, Inf without one */
    bool zero, infinite, nan;
};

static inline struct trn_numeric_range trn_numeric_range_empty(void)
{
    return (struct trn_numeric_range){.least = INFINITY};
}

/* Anything at all. */
static inline struct trn_numeric_range trn_numeric_range_unknown(void)
{
    return (struct trn_numeric_range){
        .least = FLT_TRUE_MIN, .most = FLT_MAX, .zero = true, .infinite = true, .nan = true};
}

static inline struct trn_numeric_range trn_numeric_range_of(float value)
{
    const float m = fabsf(value);
    const bool ordinary = m != 0 && m < INFINITY;
    return (struct trn_numeric_range){.least = ordinary ? m : INFINITY,
                                      .most = ordinary ? m : 0,
                                      .zero = m == 0,
                                      .infinite = isinf(m),
                                      .nan = isnan(m)};
}

/* Whether all that lies in one range lies in the other. */
static inline bool trn_numeric_range_within(const struct trn_numeric_range *range,
                                            const struct trn_numeric_range *other)
{
    return range->least >= other->least && range->most <= other->most &&
           range->zero <= other->zero && range->infinite <= other->infinite &&
           range->nan <= other->nan;
}

/* Take in the `n` adjacent values of each row, rows `pitch` bytes apart. */
void trn_numeric_range_add(struct trn_numeric_range *range, const float *values, size_t rows,
                           size_t pitch, size_t n);
/* NAN and INF among the values. */
static inline unsigned trn_numeric_of_range(const struct trn_numeric_range *range)
{
    return (range->nan ? TRN_NUMERIC_NAN : 0) | (range->infinite ? TRN_NUMERIC_INF : 0);
}

/* Whether results in this range are ordinary: an operator that tells has met nothing then. */
bool trn_numeric_is_ordinary(uint8_t op, const struct trn_numeric_range *results);

/* Causes that `a op b` may meet, and what its results lie between. Never one too few; operators of
 * one operand do not read b. Operands themselves are not looked at. */
unsigned trn_numeric_may_meet(uint8_t op, const struct trn_numeric_range *a,
                              const struct trn_numeric_range *b, struct trn_numeric_range *out);

/* Magnitudes that narrowing to a type neither turns to 0 nor clamps. */
struct trn_numeric_safe {
    float least, most;
};

/* Types without narrowing events: every magnitude. */
struct trn_numeric_safe trn_numeric_safe_of(uint8_t dtype, const struct trn_num_mode *mode);
/* Causes that narrowing values of this range may meet. */
static inline unsigned trn_numeric_may_narrow(const struct trn_numeric_safe *safe,
                                              const struct trn_numeric_range *range)
{
    unsigned causes = TRN_NUMERIC_NONE;
    if (range->least < safe->least)
        causes |= TRN_NUMERIC_UNDERFLOW;
    if (range->most > safe->most)
        causes |= TRN_NUMERIC_OVERFLOW;
    return causes;
}

#endif
