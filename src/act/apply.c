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
    _Alignas(64) uint32_t index[BLOCK]; /* of the bucket */
    _Alignas(64) uint32_t result[BLOCK];
};

/* ---- where the bucket is -----------------------------------------------------------------------
 */

TRN_CLONES static void find_buckets(const struct trn_act_function *f, struct block *b, size_t n)
{
    const struct trn_act_places *const p = &f->places;
    const uint32_t keep = p->fold_keep, set = p->fold_set;
    for (size_t i = 0; i < n; i++) {
        const uint32_t sel = (b->bits[i] & keep) | set;
        const uint32_t magnitude = sel & MAGNITUDE;
        const bool negative = sel >> SIGN_BIT;
        const uint32_t large_from = negative ? p->large_from[1] : p->large_from[0];
        const uint32_t small_end = negative ? p->small_end[1] : p->small_end[0];
        const uint32_t large = negative ? p->large[1] : p->large[0];
        const uint32_t small = negative ? p->small[1] : p->small[0];
        uint32_t place = p->octave[sel >> MANTISSA_BITS];
        place = magnitude < small_end ? small : place;
        place = magnitude >= large_from ? large : place;
        const uint32_t section =
            ((sel & MANTISSA) >> TRN_ACT_PLACE_LSB(place)) & TRN_ACT_PLACE_MASK(place);
        b->sel[i] = sel;
        b->index[i] = (TRN_ACT_PLACE_BASE(place) + section) % TRN_ACT_BUCKET_ENTRIES;
    }
}

/* ---- the cubic
 * ----------------------------------------------------------------------------------- */

/* activation.md 5.4 */
static inline float cubic(float t, float d0, float d1, float d2, float d3)
{
    const float product = t * d1;
    const float line = product + d0;
    const double wide = (double)t, square = wide * wide;
    double r = (double)line + square * (double)d2;
    r = r + square * wide * (double)d3;
    return (float)r;
}

TRN_CLONES static void evaluate(const struct trn_act_function *f, struct block *b, size_t n)
{
    const struct trn_act_coefficients *const c = &f->coefficients;
    for (size_t i = 0; i < n; i++) {
        const uint32_t k = b->index[i];
        const float t = trn_bits_f32(b->sel[i]) - c->x0[k];
        b->result[i] = trn_f32_bits(cubic(t, c->d0[k], c->d1[k], c->d2[k], c->d3[k]));
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
TRN_CLONES static void finish(const struct trn_act_function *f, struct block *b, size_t n)
{
    const float point = trn_bits_f32(f->profile.symmetry_point);
    const uint32_t sign = f->places.unfold_sign;
    for (size_t i = 0; i < n; i++) {
        const uint32_t plain = b->result[i];
        const uint32_t turned = trn_f32_bits(trn_bits_f32(plain ^ sign) + point);
        const uint32_t bits = b->sel[i] != b->bits[i] ? turned : plain;
        b->result[i] = (bits & MAGNITUDE) > 0x7F800000 ? CANONICAL : bits;
    }
}

/* The last assignment wins, so the tests stand in the reverse of their order (activation.md 5.1).
 */
TRN_CLONES static void put_specials(const struct trn_act_function *f, struct block *b, size_t n)
{
    const struct trn_act_specials s = f->specials;
    const struct trn_act_profile *const p = &f->profile;
    const uint32_t zero = p->func_rslt_for_zero, nan = p->func_rslt_for_nan;
    const uint32_t pos_inf = p->func_rslt_for_pos_inf, neg_inf = p->func_rslt_for_neg_inf;
    const uint32_t minus_zero = UINT32_C(1) << SIGN_BIT;
    const uint32_t sign = s.negzero_is_zero ? minus_zero : 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t v = b->bits[i];
        uint32_t bits = b->result[i];
        bits = (v & s.neg_inf.mask) == s.neg_inf.value ? neg_inf : bits;
        bits = (v & s.pos_inf.mask) == s.pos_inf.value ? pos_inf : bits;
        bits = (v & s.nan.mask) == s.nan.value ? nan : bits;
        bits = (v & s.zero.mask) == s.zero.value ? zero : bits;
        bits = (v & sign) == minus_zero && (v & MAGNITUDE) == 0 ? zero : bits;
        b->result[i] = bits;
    }
}

static void apply_block(const struct trn_act_function *f, float alpha, struct block *b, size_t n)
{
    if (f->profile.pwl_bypass) {
        memcpy(b->result, b->bits, n * sizeof *b->bits);
    } else {
        find_buckets(f, b, n);
        if (trn_act_takes_alpha(f))
            evaluate_lines(f, alpha, b, n);
        else
            evaluate(f, b, n);
        finish(f, b, n);
    }
    put_specials(f, b, n);
}

void trn_act_apply_alpha(const struct trn_act_function *function, float alpha, const float *v,
                         float *out, size_t n)
{
    struct block block;
    size_t count;
    for (size_t done = 0; done < n; done += count) {
        count = n - done < BLOCK ? n - done : BLOCK;
        memcpy(block.bits, v + done, count * sizeof *v);
        apply_block(function, alpha, &block, count);
        memcpy(out + done, block.result, count * sizeof *out);
    }
}
