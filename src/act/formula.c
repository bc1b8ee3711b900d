/* SPDX-License-Identifier: Apache-2.0 */
#include "act/formula.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "act/eval.h"
#include "base/bytes.h"

enum { CANONICAL = 0x7FC00000 };

static uint32_t bits_of(long double value)
{
    return isnan(value) ? CANONICAL : trn_f32_bits((float)value);
}

static uint32_t special(const char *given, long double otherwise)
{
    return given ? (uint32_t)strtoul(given, NULL, 16) : bits_of(otherwise);
}

/* Where the expression has no value at an infinity that is part of its range: the value far out. */
static long double at_infinity(const struct trn_expr *expr, float end, float far)
{
    const long double value = trn_expr_value(expr, (long double)copysignf(INFINITY, far));
    if (!isnan(value) || !isinf(end))
        return value;
    const long double near = trn_expr_value(expr, (long double)far);
    return near == 0 ? 0 : near; /* 0 has no sign there */
}

static trn_status make(const struct trn_act_fit_options *o, struct trn_act_formula *out,
                       struct trn_diag *diag)
{
    const trn_status status = trn_expr_parse(o->expression, &out->expr, diag);
    if (status != TRN_OK)
        return status;
    out->zero = special(o->special[0], trn_expr_value(&out->expr, 0));
    out->nan = special(o->special[1], NAN);
    out->pos_inf = special(o->special[2], at_infinity(&out->expr, o->hi, FLT_MAX));
    out->neg_inf = special(o->special[3], at_infinity(&out->expr, o->lo, -FLT_MAX));
    out->parametric = o->parametric;
    return TRN_OK;
}

trn_status trn_act_formula_of(const struct trn_act_member *member, struct trn_act_formula *out,
                              struct trn_diag *diag)
{
    const struct trn_act_recipe *const recipe = trn_act_recipe_find(member->name);
    if (recipe && strcmp(recipe->options.expression, member->expression) == 0)
        return make(&recipe->options, out, diag);
    struct trn_act_fit_options options = trn_act_fit_options_default();
    options.expression = member->expression;
    options.lo = member->lo;
    options.hi = member->hi;
    return make(&options, out, diag);
}

trn_status trn_act_formula_of_id(uint8_t func_id, struct trn_act_formula *out,
                                 struct trn_diag *diag)
{
    for (size_t i = 0; trn_act_recipe_at(i); i++)
        if (trn_act_recipe_at(i)->options.func_id == func_id)
            return make(&trn_act_recipe_at(i)->options, out, diag);
    return trn_diag_set(diag, TRN_ERR_NOT_FOUND, NULL, NULL, NULL,
                        "neither the resident set nor the manual has a formula for function %u",
                        func_id);
}

/* ---- applying -------------------------------------------------------------------------------- */

static bool detects(struct trn_act_detector detector, uint32_t bits)
{
    return (bits & detector.mask) == detector.value;
}

/* As with tables (activation.md 5.1); what is no number or infinite never reaches the formula. */
static bool special_result(const struct trn_act_formula *f, const struct trn_act_specials *s,
                           float v, uint32_t *result)
{
    const uint32_t bits = trn_f32_bits(v);
    if (detects(s->zero, bits) || (s->negzero_is_zero && v == 0))
        *result = f->zero;
    else if (detects(s->nan, bits) || isnan(v))
        *result = f->nan;
    else if (detects(s->pos_inf, bits) || (isinf(v) && v > 0))
        *result = f->pos_inf;
    else if (detects(s->neg_inf, bits) || isinf(v))
        *result = f->neg_inf;
    else
        return false;
    return true;
}

static uint32_t value_of(const struct trn_act_formula *f, const struct trn_act_specials *s,
                         float alpha, float v)
{
    uint32_t result;
    if (special_result(f, s, v, &result))
        return result;
    if (f->parametric && !(v > 0))
        return bits_of((long double)alpha * v);
    return bits_of(trn_expr_value(&f->expr, v));
}

void trn_act_formula_apply(const struct trn_act_formula *formula,
                           const struct trn_act_specials *specials, float alpha, const float *v,
                           float *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = trn_bits_f32(value_of(formula, specials, alpha, v[i]));
}

trn_status trn_act_exact_array(const struct trn_act_member *member,
                               const struct trn_act_specials *specials, float alpha, const float *v,
                               float *out, size_t n, struct trn_diag *diag)
{
    struct trn_act_formula formula;
    const trn_status status = trn_act_formula_of(member, &formula, diag);
    if (status == TRN_OK)
        trn_act_formula_apply(&formula, specials, alpha, v, out, n);
    return status;
}
