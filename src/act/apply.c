/* SPDX-License-Identifier: Apache-2.0 */
/* A function applied to many values: the steps of trn_act_value(), each over a block of them, in
 * loops that the compiler vectorises. Every copy of them gives the bits of the scalar definition.
 */
#include <string.h>

#include "act/eval.h"
#include "base/bytes.h"
#include "base/clones.h"

enum { BLOCK = 256, MANTISSA = 0x7FFFFF, MAGNITUDE = 0x7FFFFFFF, CANONICAL = 0x7FC00000 };
enum { MANTISSA_BITS = 23, SIGN_BIT = 31 };

/* What the steps hand on, an element each. */
struct block {
    _Alignas(64) uint32_t bits[BLOCK];  /* of v */
    _Alignas(64) uint32_t sel[BLOCK];   /* folded */
    _Alignas(64) uint32_t place[BLOCK]; /* of the octave */
    _Alignas(64) uint32_t index[BLOCK]; /* of the bucket */
    _Alignas(64) uint32_t result[BLOCK];
};

/* Vectors of eight elements; the compiler splits them where the host's are shorter. */
typedef float float4 __attribute__((vector_size(16)));
typedef float float8 __attribute__((vector_size(32)));
typedef uint32_t word8 __attribute__((vector_size(32)));
typedef double double2 __attribute__((vector_size(16)));
typedef double double4 __attribute__((vector_size(32)));
typedef double double8 __attribute__((vector_size(64)));
enum { WIDE = 8 };

/* ---- where the bucket is -----------------------------------------------------------------------
 */

TRN_CLONES static void fold(const struct trn_act_places *p, const uint32_t *restrict bits,
                            uint32_t *restrict sel, size_t n)
{
    const uint32_t keep = p->fold_keep, set = p->fold_set;
    for (size_t i = 0; i < n; i++)
        sel[i] = (bits[i] & keep) | set;
}

static void find_octaves(const struct trn_act_places *p, const uint32_t *restrict sel,
                         uint32_t *restrict place, size_t n)
{
    for (size_t i = 0; i < n; i++)
        place[i] = p->octave[sel[i] >> MANTISSA_BITS];
}

/* a where the sign bit of `sel` is 0, b where it is 1. */
static inline uint32_t by_sign(uint32_t sel, uint32_t a, uint32_t b)
{
    const uint32_t negative = 0 - (sel >> SIGN_BIT);
    return a ^ ((a ^ b) & negative);
}

TRN_CLONES static void find_buckets(const struct trn_act_places *p, const uint32_t *restrict sels,
                                    const uint32_t *restrict places, uint32_t *restrict index,
                                    size_t n)
{
    const uint32_t large_pos = p->large[0], large_neg = p->large[1];
    const uint32_t small_pos = p->small[0], small_neg = p->small[1];
    const uint32_t from_pos = p->large_from[0], from_neg = p->large_from[1];
    const uint32_t end_pos = p->small_end[0], end_neg = p->small_end[1];
    for (size_t i = 0; i < n; i++) {
        const uint32_t sel = sels[i], magnitude = sel & MAGNITUDE;
        uint32_t place = places[i];
        place =
            magnitude < by_sign(sel, end_pos, end_neg) ? by_sign(sel, small_pos, small_neg) : place;
        place = magnitude >= by_sign(sel, from_pos, from_neg) ? by_sign(sel, large_pos, large_neg)
                                                              : place;
        const uint32_t section =
            ((sel & MANTISSA) >> TRN_ACT_PLACE_LSB(place)) & TRN_ACT_PLACE_MASK(place);
        index[i] = (TRN_ACT_PLACE_BASE(place) + section) % TRN_ACT_BUCKET_ENTRIES;
    }
}

/* ---- the cubic
 * ----------------------------------------------------------------------------------- */

/* activation.md 5.4 */
static inline float cubic(float t, float d0, float d1, double d2, double d3)
{
    const float product = t * d1;
    const float line = product + d0;
    const double wide = (double)t, square = wide * wide;
    double r = (double)line + square * d2;
    r = r + square * wide * d3;
    return (float)r;
}

static inline void two_lines(const struct trn_act_coefficients *c, uint32_t a, uint32_t b,
                             float8 *out)
{
    const float4 low = *(const float4 *)c->line[a], high = *(const float4 *)c->line[b];
    *out = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

/* d2 and d3 of buckets k[0], k[2], k[4], k[6] behind each other. */
static inline void four_bends(const struct trn_act_coefficients *c, const uint32_t *k, double8 *out)
{
    const double2 v0 = *(const double2 *)c->bend[k[0]], v2 = *(const double2 *)c->bend[k[2]];
    const double2 v4 = *(const double2 *)c->bend[k[4]], v6 = *(const double2 *)c->bend[k[6]];
    const double4 low = __builtin_shufflevector(v0, v2, 0, 1, 2, 3);
    const double4 high = __builtin_shufflevector(v4, v6, 0, 1, 2, 3);
    *out = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

/* Eight rows in, a coefficient a vector out: pairs of rows stand in the two halves, so that what is
 * taken within halves comes out in order. */
TRN_CLONES static void evaluate(const struct trn_act_coefficients *c, const uint32_t *restrict sels,
                                const uint32_t *restrict index, uint32_t *restrict result, size_t n)
{
    for (size_t i = 0; i < n; i += WIDE) {
        const uint32_t *k = index + i;
        float8 r04, r15, r26, r37;
        double8 even, odd;
        two_lines(c, k[0], k[4], &r04);
        two_lines(c, k[1], k[5], &r15);
        two_lines(c, k[2], k[6], &r26);
        two_lines(c, k[3], k[7], &r37);
        four_bends(c, k, &even);
        four_bends(c, k + 1, &odd);
        const float8 low01 = __builtin_shufflevector(r04, r15, 0, 8, 1, 9, 4, 12, 5, 13);
        const float8 low23 = __builtin_shufflevector(r26, r37, 0, 8, 1, 9, 4, 12, 5, 13);
        const float8 high01 = __builtin_shufflevector(r04, r15, 2, 10, 3, 11, 6, 14, 7, 15);
        const float8 high23 = __builtin_shufflevector(r26, r37, 2, 10, 3, 11, 6, 14, 7, 15);
        const float8 d0 = __builtin_shufflevector(low01, low23, 0, 1, 8, 9, 4, 5, 12, 13);
        const float8 d1 = __builtin_shufflevector(low01, low23, 2, 3, 10, 11, 6, 7, 14, 15);
        const float8 x0 = __builtin_shufflevector(high01, high23, 0, 1, 8, 9, 4, 5, 12, 13);
        const double8 d2 = __builtin_shufflevector(even, odd, 0, 8, 2, 10, 4, 12, 6, 14);
        const double8 d3 = __builtin_shufflevector(even, odd, 1, 9, 3, 11, 5, 13, 7, 15);
        const float8 t = (float8) * (const word8 *)(sels + i) - x0;
        const float8 product = t * d1;
        const float8 line = product + d0;
        const double8 wide = __builtin_convertvector(t, double8), square = wide * wide;
        double8 r = __builtin_convertvector(line, double8) + square * d2;
        r = r + square * wide * d3;
        *(word8 *)(result + i) = (word8) __builtin_convertvector(r, float8);
    }
}

/* Parametric ReLU: a line through 0, steeper on one side (activation.md 5.5). */
TRN_CLONES static void evaluate_lines(const struct trn_act_function *f, float alpha,
                                      struct block *b, size_t n)
{
    const float slope = trn_bits_f32(f->profile.fma_const0);
    for (size_t i = 0; i < n; i++) {
        const float d1 = b->sel[i] >> SIGN_BIT ? alpha : slope;
        b->result[i] = trn_f32_bits(cubic(trn_bits_f32(b->sel[i]), 0, d1, 0, 0));
    }
}

/* ---- the rest
 * ------------------------------------------------------------------------------------ */

/* The reflected half, and one NaN for all (activation.md 5.3). */
TRN_CLONES static void finish(const struct trn_act_function *f, const uint32_t *restrict bits,
                              const uint32_t *restrict sel, uint32_t *restrict result, size_t n)
{
    const float point = trn_bits_f32(f->profile.symmetry_point);
    const uint32_t sign = f->places.unfold_sign;
    for (size_t i = 0; i < n; i++) {
        const uint32_t plain = result[i];
        const uint32_t turned = trn_f32_bits(trn_bits_f32(plain ^ sign) + point);
        const uint32_t value = sel[i] != bits[i] ? turned : plain;
        result[i] = (value & MAGNITUDE) > 0x7F800000 ? CANONICAL : value;
    }
}

/* The last assignment wins, so the tests stand in the reverse of their order (activation.md 5.1).
 */
TRN_CLONES static void put_specials(const struct trn_act_function *f, const uint32_t *restrict bits,
                                    uint32_t *restrict result, size_t n)
{
    const struct trn_act_specials s = f->specials;
    const struct trn_act_profile *const p = &f->profile;
    const uint32_t zero = p->func_rslt_for_zero, nan = p->func_rslt_for_nan;
    const uint32_t pos_inf = p->func_rslt_for_pos_inf, neg_inf = p->func_rslt_for_neg_inf;
    const uint32_t minus_zero = UINT32_C(1) << SIGN_BIT;
    /* never equal to a value when -0 is none of them */
    const uint32_t minus_mask = s.negzero_is_zero ? UINT32_MAX : 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t v = bits[i];
        uint32_t out = result[i];
        out = (v & s.neg_inf.mask) == s.neg_inf.value ? neg_inf : out;
        out = (v & s.pos_inf.mask) == s.pos_inf.value ? pos_inf : out;
        out = (v & s.nan.mask) == s.nan.value ? nan : out;
        out = (v & s.zero.mask) == s.zero.value ? zero : out;
        out = (v & minus_mask) == minus_zero ? zero : out;
        result[i] = out;
    }
}

/* Whole vectors of a block are done, whatever stands behind the last value. */
static void apply_block(const struct trn_act_function *f, float alpha, struct block *b, size_t n)
{
    if (f->profile.pwl_bypass) {
        memcpy(b->result, b->bits, n * sizeof *b->bits);
    } else {
        fold(&f->places, b->bits, b->sel, n);
        if (trn_act_takes_alpha(f)) {
            evaluate_lines(f, alpha, b, n);
        } else {
            find_octaves(&f->places, b->sel, b->place, n);
            find_buckets(&f->places, b->sel, b->place, b->index, n);
            evaluate(&f->coefficients, b->sel, b->index, b->result, n);
        }
        finish(f, b->bits, b->sel, b->result, n);
    }
    put_specials(f, b->bits, b->result, n);
}

void trn_act_apply_alpha(const struct trn_act_function *function, float alpha, const float *v,
                         float *out, size_t n)
{
    struct block block;
    size_t count;
    for (size_t done = 0; done < n; done += count) {
        count = n - done < BLOCK ? n - done : BLOCK;
        const size_t whole = (count + WIDE - 1) / WIDE * WIDE;
        memcpy(block.bits, v + done, count * sizeof *v);
        memset(block.bits + count, 0, (whole - count) * sizeof *v);
        apply_block(function, alpha, &block, whole);
        memcpy(out + done, block.result, count * sizeof *out);
    }
}
