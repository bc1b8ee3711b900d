/* SPDX-License-Identifier: Apache-2.0 */
/* A function applied to many values: the steps of trn_act_value(), each over a block of them, in
 * loops that the compiler vectorises. Every copy of them gives the bits of the scalar definition.
 */
#include <string.h>

#include "act/eval.h"
#include "act/lanes.h"
#include "base/bytes.h"

enum { BLOCK = 1024, MANTISSA = 0x7FFFFF, MAGNITUDE = 0x7FFFFFFF, CANONICAL = 0x7FC00000 };
enum { MANTISSA_BITS = 23, SIGN_BIT = 31, INFINITE = 0x7F800000 };
enum { ROW_BYTES = sizeof((struct trn_act_coefficients){0}.row[0]) };

/* What the steps hand on, an element each. */
struct block {
    _Alignas(64) uint32_t bits[BLOCK];   /* of v */
    _Alignas(64) uint32_t sel[BLOCK];    /* folded */
    _Alignas(64) uint32_t place[BLOCK];  /* of the octave */
    _Alignas(64) uint32_t offset[BLOCK]; /* of the bucket's row, in bytes */
    _Alignas(64) float t[BLOCK];         /* from its centre */
    _Alignas(64) uint32_t result[BLOCK];
};

/* ---- where the bucket is --------------------------------------------------------------------- */

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
                                    const uint32_t *restrict places, uint32_t *restrict offset,
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
        const uint32_t bucket = (TRN_ACT_PLACE_BASE(place) + section) % TRN_ACT_BUCKET_ENTRIES;
        offset[i] = bucket * ROW_BYTES;
    }
}

static void find_distances(const float *x0, const uint32_t *restrict sels,
                           const uint32_t *restrict offset, float *restrict t, size_t n)
{
    for (size_t i = 0; i < n; i++)
        t[i] = trn_bits_f32(sels[i]) - x0[offset[i] / ROW_BYTES];
}

/* ---- the cubic ------------------------------------------------------------------------------- */

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

TRN_CLONES static void evaluate(const float (*rows)[4], const uint32_t *restrict offset,
                                const float *restrict ts, uint32_t *restrict result, size_t n)
{
    for (size_t i = 0; i < n; i += TRN_ACT_LANES) {
        trn_float16 d[4];
        trn_act_columns(rows, offset + i, d);
        const trn_float16 t = *(const trn_float16 *)(ts + i);
        const trn_float16 product = t * d[1];
        const trn_float16 line = product + d[0];
        const trn_double16 wide = __builtin_convertvector(t, trn_double16), square = wide * wide;
        trn_double16 r = __builtin_convertvector(line, trn_double16) +
                         square * __builtin_convertvector(d[2], trn_double16);
        r = r + square * wide * __builtin_convertvector(d[3], trn_double16);
        *(trn_word16 *)(result + i) = (trn_word16) __builtin_convertvector(r, trn_float16);
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

/* ---- the rest -------------------------------------------------------------------------------- */

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

/* Whether a value may be special by the usual detectors: a zero, an infinity or a NaN. */
TRN_CLONES static bool has_specials(const uint32_t *restrict bits, size_t n)
{
    uint32_t most = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t below = (bits[i] & MAGNITUDE) - 1; /* of 0: the most */
        most = below > most ? below : most;
    }
    return most >= INFINITE - 1;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void find(const struct trn_act_function *f, struct block *b, size_t n)
{
    fold(&f->places, b->bits, b->sel, n);
    find_octaves(&f->places, b->sel, b->place, n);
    find_buckets(&f->places, b->sel, b->place, b->offset, n);
    find_distances(f->coefficients.x0, b->sel, b->offset, b->t, n);
}

static bool is_quick(const struct trn_act_function *f)
{
    return f->quick.usable && trn_act_quick_host();
}

static void compute(const struct trn_act_function *f, float alpha, struct block *b, size_t n)
{
    const float(*rows)[4] = f->coefficients.row;
    if (trn_act_takes_alpha(f)) {
        fold(&f->places, b->bits, b->sel, n);
        evaluate_lines(f, alpha, b, n);
    } else if (is_quick(f)) {
        rows += f->quick.first;
        trn_act_quick_find(f, b->bits, b->sel, b->offset, b->t, n);
        if (!f->quick.middles)
            find_distances(f->coefficients.x0 + f->quick.first, b->sel, b->offset, b->t, n);
        evaluate(rows, b->offset, b->t, b->result, n);
    } else {
        find(f, b, n);
        evaluate(rows, b->offset, b->t, b->result, n);
    }
    finish(f, b->bits, b->sel, b->result, n);
}

/* Whole vectors of a block are done, whatever stands behind the last value. */
static void apply_block(const struct trn_act_function *f, float alpha, struct block *b, size_t n)
{
    if (f->profile.pwl_bypass)
        memcpy(b->result, b->bits, n * sizeof *b->bits);
    else
        compute(f, alpha, b, n);
    if (!f->usual_specials || has_specials(b->bits, n))
        put_specials(f, b->bits, b->result, n);
}

void trn_act_apply_alpha(const struct trn_act_function *function, float alpha, const float *v,
                         float *out, size_t n)
{
    struct block block;
    size_t count;
    for (size_t done = 0; done < n; done += count) {
        count = n - done < BLOCK ? n - done : BLOCK;
        const size_t whole = (count + TRN_ACT_LANES - 1) / TRN_ACT_LANES * TRN_ACT_LANES;
        memcpy(block.bits, v + done, count * sizeof *v);
        memset(block.bits + count, 0, (whole - count) * sizeof *v);
        apply_block(function, alpha, &block, whole);
        memcpy(out + done, block.result, count * sizeof *out);
    }
}

/* ---- BF16 ------------------------------------------------------------------------------------ */

TRN_CLONES static void run_line(const struct trn_act_line *line, const float *restrict x,
                                float *restrict v, size_t n)
{
    const float scale = line->scale, bias = line->bias;
    for (size_t i = 0; i < n; i++) {
        const float product = x[i] * scale;
        const float sum = product + bias;
        v[i] = sum != sum ? trn_bits_f32(CANONICAL) : sum;
    }
}

/* One step after the other. */
static void apply_in_steps(const struct trn_act_function *f, float alpha,
                           const struct trn_act_line *line, const float *x,
                           const struct trn_num_mode *mode, trn_packed_u16 *out, size_t n)
{
    float v[BLOCK];
    size_t count;
    for (size_t done = 0; done < n; done += count) {
        count = n - done < BLOCK ? n - done : BLOCK;
        if (line)
            run_line(line, x + done, v, count);
        trn_act_apply_alpha(f, alpha, line ? v : x + done, v, count);
        (void)trn_from_fp32_array(TRN_DTYPE_BFLOAT16, mode, v, out + done, count);
    }
}

enum { GROUP = TRN_ACT_QUICK_GROUP, GROUPS = TRN_ACT_QUICK_GROUPS };

/* A group of which some results are not sure: few of them one by one, or all of it. */
static void settle(const struct trn_act_function *f, const struct trn_act_line *line,
                   uint64_t doubtful, const float *x, const struct trn_num_mode *mode,
                   trn_packed_u16 *out)
{
    enum { FEW = 8 };
    if (__builtin_popcountll(doubtful) > FEW) {
        apply_in_steps(f, 0, line, x, mode, out, GROUP);
        return;
    }
    for (; doubtful; doubtful &= doubtful - 1) {
        const int i = __builtin_ctzll(doubtful);
        float v = x[i];
        if (line)
            run_line(line, x + i, &v, 1);
        v = trn_act_value(f, v);
        (void)trn_from_fp32_array(TRN_DTYPE_BFLOAT16, mode, &v, out + i, 1);
    }
}

/* The quick way. */
static void apply_groups(const struct trn_act_function *f, const struct trn_act_line *line,
                         const float *x, const struct trn_num_mode *mode, trn_packed_u16 *out,
                         size_t groups)
{
    static const struct trn_act_line none = {1, -0.0F}; /* x * 1 + -0 is x */
    uint64_t doubtful[GROUPS];
    trn_act_quick_bf16(f, line ? line : &none, x, out, doubtful, groups);
    for (size_t g = 0; g < groups; g++)
        if (doubtful[g])
            settle(f, line, doubtful[g], x + g * GROUP, mode, out + g * GROUP);
}

void trn_act_apply_bf16(const struct trn_act_function *f, float alpha,
                        const struct trn_act_line *line, const float *x,
                        const struct trn_num_mode *mode, void *out, size_t n)
{
    const bool quick =
        f->quick.bf16 && is_quick(f) && !f->profile.pwl_bypass && !trn_act_takes_alpha(f);
    trn_packed_u16 *const to = out;
    size_t done = 0;
    while (quick && n - done >= GROUP) {
        const size_t left = (n - done) / GROUP, groups = left < GROUPS ? left : GROUPS;
        apply_groups(f, line, x + done, mode, to + done, groups);
        done += groups * GROUP;
    }
    apply_in_steps(f, alpha, line, x + done, mode, to + done, n - done);
}
