/* SPDX-License-Identifier: Apache-2.0 */
/* One function of the tables, made ready to be applied to many values (activation.md 5). */
#ifndef TRN_ACT_EVAL_H
#define TRN_ACT_EVAL_H

#include "act/quick.h"
#include "trench/act.h"
#include "trench/num.h"

enum {
    TRN_ACT_SIDES = 2,     /* 0 positive, 1 negative: the sign bit of sel */
    TRN_ACT_CLASSES = 512, /* sign and biased exponent of an f32 */
};

/* Where a value's bucket is: base + ((mantissa >> lsb) & mask), modulo the table. */
struct trn_act_section {
    uint16_t base;
    uint16_t mask;
    uint8_t lsb;
};

/* The same as one word: base, lsb, mask. */
#define TRN_ACT_PLACE(section)                                                                     \
    ((uint32_t)(section).base | (uint32_t)(section).lsb << 11 | (uint32_t)(section).mask << 16)
#define TRN_ACT_PLACE_BASE(place) ((place)&0x7FF)
#define TRN_ACT_PLACE_LSB(place)  ((place) >> 11 & 0x1F)
#define TRN_ACT_PLACE_MASK(place) ((place) >> 16)

/* What apply.c reads for every value, in its smallest form. */
struct trn_act_places {
    uint32_t octave[TRN_ACT_CLASSES];
    uint32_t large[TRN_ACT_SIDES], small[TRN_ACT_SIDES];
    uint32_t large_from[TRN_ACT_SIDES]; /* magnitudes from here on: the large clamp, else ... */
    uint32_t small_end[TRN_ACT_SIDES];  /* ... below: the small one */
    uint32_t fold_keep, fold_set;       /* bits of v that sel keeps, and that it sets */
    uint32_t unfold_sign;               /* what turns the sign of a reflected result */
};

/* The buckets as the cubic takes them. */
struct trn_act_coefficients {
    _Alignas(64) float row[TRN_ACT_BUCKET_ENTRIES][4]; /* d0, d1, d2, d3 */
    _Alignas(64) float x0[TRN_ACT_BUCKET_ENTRIES];
};

/* About 50 KB. */
struct trn_act_function {
    struct trn_act_profile profile;
    struct trn_act_specials specials;
    bool usual_specials; /* zeros, infinities and NaN only */
    struct trn_act_places places;
    struct trn_act_coefficients coefficients;
    struct trn_act_quick quick;
    const uint8_t *bucket; /* the whole table, borrowed */
    float alpha;
    struct trn_act_section octave[TRN_ACT_CLASSES]; /* by the upper nine bits of sel */
    struct trn_act_section large[TRN_ACT_SIDES];
    struct trn_act_section small[TRN_ACT_SIDES];
    /* Magnitudes (bits of sel without its sign): at or above `large_from` the large clamp, else at
     * or below `small_to` the small one; -1 when no value is. */
    int64_t large_from[TRN_ACT_SIDES];
    int64_t small_to[TRN_ACT_SIDES];
};

/* The tables must stay as they are while the function is used. */
void trn_act_prepare(const struct trn_act_tables *tables, unsigned slot,
                     const struct trn_act_specials *specials, float alpha,
                     struct trn_act_function *out);

/* Scalar definition; trn_act_apply() gives the same bits for every element. */
float trn_act_value(const struct trn_act_function *function, float v);

/* Whether the function is a parametric ReLU, the one that reads alpha. */
static inline bool trn_act_takes_alpha(const struct trn_act_function *function)
{
    enum { FMA_ALPHA = 2 }; /* activation.md 5.5 */
    return function->profile.fma_indirection_src_sel == FMA_ALPHA;
}

/* out[i] = function of v[i]; out may be v. */
void trn_act_apply(const struct trn_act_function *function, const float *v, float *out, size_t n);
/* The same with another alpha. */
void trn_act_apply_alpha(const struct trn_act_function *function, float alpha, const float *v,
                         float *out, size_t n);

/* BF16 results of values that are x * scale + bias, two roundings (activation.md 4), or x itself
 * where line is NULL: what the three steps give one after the other. The mode does not round
 * stochastically; `out` has any alignment and does not overlap x. */
struct trn_act_line {
    float scale, bias;
};
void trn_act_apply_bf16(const struct trn_act_function *function, float alpha,
                        const struct trn_act_line *line, const float *x,
                        const struct trn_num_mode *mode, void *out, size_t n);

/* Bucket that a value reads; -1 when it reads none (special value, or the table is bypassed). */
int trn_act_bucket_of(const struct trn_act_function *function, float v);

#endif
