/* SPDX-License-Identifier: Apache-2.0 */
/* Making a table for a function (docs/hardware/activation.md 10), step by step: what is fitted
 * (target), how well a cubic does on an interval (error), where the octaves begin and end and how
 * finely each is cut (plan), the entries (emit). */
#ifndef TRN_ACT_FIT_H
#define TRN_ACT_FIT_H

#include "act/expr.h"
#include "trench/act.h"

enum {
    TRN_FIT_LOWEST = -126, /* octaves: unbiased exponents of normal f32 */
    TRN_FIT_HIGHEST = 127,
    TRN_FIT_OCTAVES = TRN_FIT_HIGHEST - TRN_FIT_LOWEST + 1,
    TRN_FIT_MAX_EXTRACT = 10,     /* largest extract_size (activation.md 3.3) */
    TRN_FIT_LIMITS = 6,           /* candidates for the large clamp */
    TRN_FIT_LARGEST = 0x7F7FFFFF, /* bits of the largest f32 */
};

/* A cubic with the coefficients of a bucket. */
struct trn_fit_cubic {
    float d[TRN_JET_TERMS];
    float x0;
};

/* One half of the number line. */
struct trn_fit_side {
    bool stored;    /* has octaves and clamps of its own */
    bool defined;   /* the function has values there */
    int sign;       /* +1 or -1 */
    uint32_t begin; /* magnitude bits of the range: first and last */
    uint32_t end;
    bool open; /* the range has no end */
    bool has_small;
    struct trn_fit_cubic small;              /* about 0, when the function is smooth there */
    double small_error[TRN_FIT_OCTAVES + 1]; /* of it up to 2^e */
    unsigned num_limits;
    struct trn_fit_cubic limit[TRN_FIT_LIMITS];              /* for everything above */
    double limit_error[TRN_FIT_LIMITS][TRN_FIT_OCTAVES + 1]; /* from 2^e on */
    uint32_t overflow_from; /* magnitude bits of the first infinite result; 0: none */
    float overflow_value;   /* +Inf or -Inf */
    double section_error[TRN_FIT_OCTAVES][TRN_FIT_MAX_EXTRACT + 1]; /* negative: not known yet */
    /* chosen */
    int highest;         /* last octave, lowest - 1 when none */
    uint32_t large_from; /* magnitude bits where the large clamp begins */
    struct trn_fit_cubic large;
    uint8_t extract[TRN_FIT_OCTAVES];
    uint16_t sections[TRN_FIT_OCTAVES]; /* stored ones */
};

struct trn_fit {
    const struct trn_act_fit_options *options;
    struct trn_diag *diag;
    struct trn_expr expr;
    enum trn_act_fold fold;
    long double point; /* f(x) + f(-x) of a point symmetry */
    double floor;
    int lowest;
    struct trn_fit_side side[2]; /* 0 positive, 1 negative */
    double tolerance;
    bool flat; /* the clamps do everything: no octaves */
};

/* Magnitude bits of 2^e. */
uint32_t trn_fit_octave_bits(int octave);
/* A magnitude's bits as its octave. */
int trn_fit_octave_of(uint32_t bits);

long double trn_fit_value(const struct trn_fit *fit, long double x);

/* target */
trn_status trn_fit_target(struct trn_fit *fit);
/* A point between samples near which the function grows without bound; false when there is none. */
bool trn_fit_find_pole(const struct trn_fit *fit, float *x);
/* ACT_DIVERGES at x. */
trn_status trn_fit_refuse_at(struct trn_fit *fit, long double x, const char *what,
                             const char *expected);

/* error: |cubic - f| over max(|f|, floor), the largest found on magnitudes [from, to]. */
double trn_fit_error(const struct trn_fit *fit, const struct trn_fit_side *side,
                     const struct trn_fit_cubic *cubic, uint32_t from, uint32_t to);
/* The section's cubic: about the midpoint, which is rounded toward zero. */
struct trn_fit_cubic trn_fit_section(const struct trn_fit *fit, const struct trn_fit_side *side,
                                     uint32_t from, uint32_t to);
/* Largest error of an octave cut into 2^extract sections. */
double trn_fit_octave_error(const struct trn_fit *fit, struct trn_fit_side *side, int octave,
                            unsigned extract);
/* The part of [*from, *to] that the range reaches (all of it under a given plan); false when it
 * reaches none. */
bool trn_fit_clip(const struct trn_fit *fit, const struct trn_fit_side *side, uint32_t *from,
                  uint32_t *to);
struct trn_fit_cubic trn_fit_taylor(const struct trn_fit *fit, float x0, int direction);
void trn_fit_measure_clamps(struct trn_fit *fit);

/* plan */
trn_status trn_fit_plan(struct trn_fit *fit);
trn_status trn_fit_plan_given(struct trn_fit *fit);

/* emit */
void trn_fit_emit(const struct trn_fit *fit, struct trn_act_table *out);

#endif
