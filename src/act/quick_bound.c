/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far the cubic in f32 can be from the definition's (docs/hardware/activation.md 5.4), in steps
 * from one f32 to the next. f is the exact cubic, u is 2^-24, and of all |t| <= T in a section
 *
 *     C = |d2| + |d3| T,  S = C T^2,  least = |d0| - |d1| T - S  <=  |f|.
 *
 * Ours is ((d3 t + d2) t + d1) t + d0 with a rounding for each sum: the first two are off by S u
 * and (|d1| T + S) u. The definition's product t d1 is off by |d1| T u and its line by at most
 * (|f| + S) u; what it computes in double counts for nothing. With S <= least / 4 and
 * |d1| T <= 5/4 least that is (5/4 + 1/4 + 5/4 + 1/4 + 5/4) |f| u = 4 1/4 |f| u, and |f| u is at
 * most a step. What underflows on the way is off by at most (T^2 + T + 1) 2^-150, which is a step
 * and a half where T^2 + T <= 2 or T^2 + T <= least 2^126, as a step is at least 2^-149 and at
 * least |f| u. The last roundings are half a step each, and if the definition's result is above a
 * power of 2 and ours below it, where steps are half as long, half a step and a whole one: 4 1/4 +
 * 1 1/2 + 1 1/2, less than 8 in all. An infinite result is the step after the largest number in
 * both.
 *
 * A small clamp is a section about 0, or a line through 0 (is_bounded_small). A sign that is turned
 * changes no step. Large clamps have to be constants, as their t has no bound.
 */
#include <math.h>

#include "act/eval.h"
#include "base/bytes.h"

enum { MANTISSA_BITS = 23, INFINITE = 0x7F800000, WORTH_OCTAVES = 4 };
enum { SMALLEST = 0x1B800000 }; /* 2^-72 */

_Static_assert(TRN_ACT_QUICK_TIE >= 8, "steps, as above");

/* Coefficients of a bucket, for |t| up to `most`. */
struct cubic {
    double d0, slope, c, s, most;
    double highest; /* of |d1 + t (d2 + d3 t)| */
};

static struct cubic cubic_of(const struct trn_act_function *f, uint32_t bucket, double most)
{
    const float *const d = f->coefficients.row[bucket];
    const double c = fabs((double)d[2]) + fabs((double)d[3]) * most;
    return (struct cubic){.d0 = fabs((double)d[0]),
                          .slope = fabs((double)d[1]) * most,
                          .c = c,
                          .s = c * most * most,
                          .most = most,
                          .highest = fabs((double)d[1]) + c * most};
}

/* What the sums on the way are is finite. What is not compares as false. */
static bool is_finite(const struct cubic *u)
{
    return u->slope < 0x1p127 && u->c < 0x1p127 && u->highest < 0x1p127 && u->most < 0x1p60;
}

static bool is_bounded(const struct cubic *u)
{
    const double least = u->d0 - u->slope - u->s;
    return is_finite(u) && least >= 0x1p-147 && u->s <= least / 4 && u->slope <= least * 1.25 &&
           u->most * u->most + u->most <= fmax(least * 0x1p126, 2);
}

static double distance(const struct trn_act_function *f, const struct trn_act_reach *reach,
                       uint32_t magnitude)
{
    return fabs((double)trn_bits_f32(magnitude) - fabs((double)f->coefficients.x0[reach->bucket]));
}

static bool is_bounded_section(const struct trn_act_function *f, const struct trn_act_reach *reach)
{
    const double from = distance(f, reach, reach->from), to = distance(f, reach, reach->to);
    const struct cubic u = cubic_of(f, reach->bucket, fmax(from, to));
    return is_bounded(&u);
}

/* d0 is all that is left, and may be infinite. A zero has to have the sign that the sum of zeros
 * has, and nothing may turn it. */
static bool is_constant(const struct trn_act_function *f, const struct trn_act_section *clamp)
{
    const float *const d = f->coefficients.row[clamp->base];
    for (unsigned k = 1; k < 4; k++)
        if (trn_f32_bits(d[k]) != 0)
            return false;
    if (d[0] == 0 && (f->quick.folded || trn_f32_bits(d[0]) != 0))
        return false;
    return d[0] == d[0] && trn_f32_bits(f->coefficients.x0[clamp->base]) == 0;
}

static bool lower_end(const struct trn_act_function *f, const struct trn_act_reach *reach,
                      void *context)
{
    uint32_t *const end = context;
    if (reach->from < *end && !(trn_act_quick_is_middle(f, reach) && is_bounded_section(f, reach)))
        *end = reach->from;
    return true;
}

/* Where magnitudes end that are sure on either side. */
static uint32_t find_end(const struct trn_act_function *f)
{
    uint32_t end = INFINITE;
    for (unsigned i = 0; i < TRN_ACT_SIDES; i++) {
        const unsigned side = f->quick.folded ? f->places.fold_set != 0 : i;
        const uint32_t large_from = f->quick.large_from[i];
        if (large_from < end && !is_constant(f, &f->large[side]))
            end = large_from;
    }
    (void)trn_act_quick_each(f, lower_end, &end);
    return end;
}

/* A clamp through 0 is bounded where its line is: S <= least / 4, and with it |d1| T <= 5/4 least,
 * holds for each |t| by itself if it holds for the largest, and C and T are small. */
static bool is_bounded_small(const struct trn_act_function *f, unsigned i)
{
    const unsigned side = f->quick.folded ? f->places.fold_set != 0 : i;
    const uint32_t bucket = f->small[side].base;
    const struct cubic u = cubic_of(f, bucket, (double)trn_bits_f32(f->quick.small_end[i]));
    if (trn_f32_bits(f->coefficients.x0[bucket]) != 0)
        return false;
    if (u.d0 != 0)
        return is_bounded(&u);
    return is_finite(&u) && u.most <= 1 && u.c <= 1 && u.s <= (u.slope - u.s) / 4 &&
           u.slope >= u.most * 0x1p-20;
}

/* Where magnitudes begin that are sure: with the small clamps where these are, except for values so
 * small that products become 0. */
static uint32_t find_begin(const struct trn_act_function *f)
{
    const struct trn_act_quick *const q = &f->quick;
    if (is_bounded_small(f, 0) && is_bounded_small(f, 1))
        return SMALLEST;
    const uint32_t end = q->small_end[0] > q->small_end[1] ? q->small_end[0] : q->small_end[1];
    return end > SMALLEST ? end : SMALLEST;
}

/* Zeros, infinities and NaN are never sure. Where little is, the attempt is not worth it. */
void trn_act_quick_bound(struct trn_act_function *f)
{
    struct trn_act_quick *const q = &f->quick;
    const uint32_t end = find_end(f);
    q->sure_from = find_begin(f);
    q->sure_size = end > q->sure_from ? end - q->sure_from : 0;
    q->bf16 = q->sure_size >= (uint32_t)WORTH_OCTAVES << MANTISSA_BITS && f->usual_specials &&
              trn_bits_f32(f->profile.symmetry_point) == 0;
}
