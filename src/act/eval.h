/* SPDX-License-Identifier: Apache-2.0 */
/* One function of the tables, made ready to be applied to many values (activation.md 5). */
#ifndef TRN_ACT_EVAL_H
#define TRN_ACT_EVAL_H

#include "trench/act.h"

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

struct trn_act_function {
    struct trn_act_profile profile;
    struct trn_act_specials specials;
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

void trn_act_apply(const struct trn_act_function *function, const float *v, float *out, size_t n);

/* Bucket that a value reads; -1 when it reads none (special value, or the table is bypassed). */
int trn_act_bucket_of(const struct trn_act_function *function, float v);

#endif
