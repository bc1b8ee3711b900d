/* SPDX-License-Identifier: Apache-2.0 */
/* The entries of a plan (activation.md 10, steps 4, 6 and 7). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "act/fit.h"
#include "act/threshold.h"
#include "base/bytes.h"

enum {
    MANTISSA_BITS = 23,
    BIAS = 127,
    FLAT_OFFSET = -127,
    PARAMETRIC_OFFSET = 128,
    FMA_ALPHA = 2,
    NAN_BITS = 0x7FC00000
};

static bool is_used(const struct trn_fit_side *side)
{
    return side->stored && side->defined;
}

static void put_bucket(struct trn_act_table *out, const struct trn_fit_cubic *cubic)
{
    out->bucket[out->num_bucket++] = (struct trn_act_bucket){
        trn_f32_bits(cubic->d[0]), trn_f32_bits(cubic->d[1]), trn_f32_bits(cubic->d[2]),
        trn_f32_bits(cubic->d[3]), trn_f32_bits(cubic->x0)};
}

static void put_octave(const struct trn_fit *fit, const struct trn_fit_side *side, int octave,
                       struct trn_act_table *out)
{
    const unsigned extract = side->extract[octave - TRN_FIT_LOWEST];
    const uint32_t start = trn_fit_octave_bits(octave);
    const uint32_t length = UINT32_C(1) << (MANTISSA_BITS - extract);
    out->control[out->num_control++] = (struct trn_act_control){
        .act_tbl_base = out->num_bucket,
        .extract_lsb = (uint8_t)(MANTISSA_BITS - extract),
        .extract_size = (uint8_t)extract,
    };
    for (uint32_t i = 0; i < side->sections[octave - TRN_FIT_LOWEST]; i++) {
        uint32_t from = start + i * length, to = from + length - 1;
        if (!trn_fit_clip(fit, side, &from, &to)) /* below the range: never read */
            from = to = side->begin;
        const struct trn_fit_cubic cubic = trn_fit_section(fit, side, from, to);
        put_bucket(out, &cubic);
    }
}

/* Octaves of one side; a table without octaves has one empty word a side. */
static void put_side(const struct trn_fit *fit, const struct trn_fit_side *side,
                     struct trn_act_table *out)
{
    if (fit->flat)
        out->control[out->num_control++] =
            (struct trn_act_control){.act_tbl_base = out->num_bucket};
    else
        for (int e = fit->lowest; e <= side->highest; e++)
            put_octave(fit, side, e, out);
}

/* ---- clamps ---------------------------------------------------------------------------------- */

struct clamps {
    struct trn_fit_cubic small, large;
    uint32_t small_to, large_from; /* magnitude bits */
};

/* A side that the range leaves out, or where the function has no value. */
static struct clamps undefined_clamps(const struct trn_fit *fit, const struct trn_fit_side *side,
                                      const struct trn_fit_side *other)
{
    const long double nearest = (long double)other->sign * trn_bits_f32(other->begin);
    const long double probe = other->begin ? -nearest : side->sign * 1.0L;
    struct clamps c = {.small_to = 0, .large_from = 0};
    c.small.d[0] = isnan(trn_fit_value(fit, probe)) ? NAN : (float)trn_fit_value(fit, nearest);
    c.large = c.small;
    return c;
}

static struct clamps side_clamps(const struct trn_fit *fit, const struct trn_fit_side *side)
{
    struct clamps c = {side->small, side->large, trn_fit_octave_bits(fit->lowest),
                       side->large_from};
    if (fit->flat) {
        c.large = side->small;
        c.small_to = c.large_from = trn_fit_octave_bits(0);
    } else if (side->begin) {
        const float x = (float)side->sign * trn_bits_f32(side->begin);
        c.small = (struct trn_fit_cubic){{(float)trn_fit_value(fit, x)}, 0};
        if (fit->options->outside == TRN_ACT_OUTSIDE_EXTRAPOLATE)
            c.small = trn_fit_taylor(fit, x, side->sign);
        c.small_to = side->begin - 1;
    }
    return c;
}

static struct clamps clamps_of(const struct trn_fit *fit, int i)
{
    const struct trn_fit_side *const side = &fit->side[i], *const other = &fit->side[!i];
    if (!side->stored) /* folded: never reached, filled with the other half's */
        return side_clamps(fit, other);
    return side->defined ? side_clamps(fit, side) : undefined_clamps(fit, side, other);
}

/* In the order of the shipped tables: small positive, small negative, large positive, negative. */
static void put_clamps(const struct trn_fit *fit, struct trn_act_table *out)
{
    const struct clamps pos = clamps_of(fit, 0), neg = clamps_of(fit, 1);
    struct trn_act_profile *const p = &out->profile;
    p->small_pos_signal_pwl_control = out->num_bucket;
    put_bucket(out, &pos.small);
    p->small_neg_signal_pwl_control = out->num_bucket;
    put_bucket(out, &neg.small);
    p->large_pos_signal_pwl_control = out->num_bucket;
    put_bucket(out, &pos.large);
    p->large_neg_signal_pwl_control = out->num_bucket;
    put_bucket(out, &neg.large);
    trn_act_set_small_pos(p, pos.small_to);
    trn_act_set_small_neg(p, neg.small_to);
    trn_act_set_large_pos(p, pos.large_from);
    trn_act_set_large_neg(p, neg.large_from);
}

/* ---- profile --------------------------------------------------------------------------------- */

static void set_symmetry(const struct trn_fit *fit, struct trn_act_profile *p)
{
    p->symmetry_opt_en = fit->fold != TRN_ACT_FOLD_NONE;
    p->symmetry_opt_use_neg_region = fit->fold == TRN_ACT_FOLD_POINT;
    p->func_sym_inv_sign = fit->fold == TRN_ACT_FOLD_ODD || fit->fold == TRN_ACT_FOLD_POINT;
    if (fit->fold == TRN_ACT_FOLD_POINT)
        p->symmetry_point = trn_f32_bits((float)fit->point);
}

/* Where the expression has no value at an infinity: what the large clamp gives far out. */
static long double far_value(const struct trn_fit *fit, const struct trn_fit_side *side)
{
    const struct trn_fit_cubic *const c = &side->large;
    const long double x = (long double)side->sign * trn_bits_f32(TRN_FIT_LARGEST);
    if (!is_used(side) || !side->open || fit->flat)
        return NAN;
    return c->d[0] + x * (c->d[1] + x * (c->d[2] + x * c->d[3]));
}

/* The half that is not stored, out of the one that is (activation.md 5.3). */
static long double reflected(const struct trn_fit *fit, long double value)
{
    switch (fit->fold) {
    case TRN_ACT_FOLD_ODD:
        return -value;
    case TRN_ACT_FOLD_POINT:
        return fit->point - value;
    default:
        return value;
    }
}

static uint32_t value_at_infinity(const struct trn_fit *fit, int i)
{
    const struct trn_fit_side *const side = &fit->side[i];
    long double value = trn_fit_value(fit, (long double)side->sign * INFINITY);
    if (isnan(value))
        value =
            side->stored ? far_value(fit, side) : reflected(fit, far_value(fit, &fit->side[!i]));
    return isnan(value) ? NAN_BITS : trn_f32_bits((float)value + 0.0F);
}

static uint32_t special(const char *given, uint32_t otherwise)
{
    return given ? (uint32_t)strtoul(given, NULL, 16) : otherwise;
}

static void set_specials(const struct trn_fit *fit, struct trn_act_profile *p)
{
    const char *const *const given = fit->options->special;
    const long double zero = trn_fit_value(fit, 0);
    p->func_rslt_for_zero = special(given[0], isnan(zero) ? NAN_BITS : trn_f32_bits((float)zero));
    p->func_rslt_for_nan = special(given[1], NAN_BITS);
    p->func_rslt_for_pos_inf = special(given[2], value_at_infinity(fit, 0));
    p->func_rslt_for_neg_inf = special(given[3], value_at_infinity(fit, 1));
}

/* Parametric ReLU: no octaves; the slope of a side is chosen by the engine (activation.md 5.5). */
static void make_parametric(struct trn_act_table *out)
{
    out->num_control = 0;
    out->profile.pwl_control_base_pos = 0;
    out->profile.exponent_offset = PARAMETRIC_OFFSET;
    out->profile.fma_indirection_src_sel = FMA_ALPHA;
    out->profile.fma_const0 = trn_f32_bits(1);
}

void trn_fit_emit(const struct trn_fit *fit, struct trn_act_table *out)
{
    const struct trn_act_fit_options *const o = fit->options;
    memset(out, 0, sizeof *out);
    strncpy(out->name, o->name, sizeof out->name - 1);
    strncpy(out->expression, o->expression, sizeof out->expression - 1);
    out->func_id = o->func_id;
    out->lo = o->lo;
    out->hi = o->hi;
    set_symmetry(fit, &out->profile);
    if (is_used(&fit->side[1]))
        put_side(fit, &fit->side[1], out);
    const uint8_t first_positive = (uint8_t)out->num_control;
    if (is_used(&fit->side[0]))
        put_side(fit, &fit->side[0], out);
    out->profile.pwl_control_base_neg = 0;
    out->profile.pwl_control_base_pos = is_used(&fit->side[0]) ? first_positive : 0;
    out->profile.exponent_offset = (uint8_t)(fit->flat ? FLAT_OFFSET : fit->lowest);
    put_clamps(fit, out);
    set_specials(fit, &out->profile);
    if (o->parametric)
        make_parametric(out);
}
