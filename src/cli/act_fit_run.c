/* SPDX-License-Identifier: Apache-2.0 */
/* Fitting one function after the other into a set, and what is said about each. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/act_fit.h"

enum { EXPRESSION_ID = 200 };

#define COARSEST 0x1p-3 /* relative error that is tried first at most */

static const struct {
    const char *name, *key;
    int mantissa_bits;
    double smallest; /* normal number */
} formats[ACT_FORMATS] = {
    {"FP32", "fp32", 23, 0x1p-126}, {"BF16", "bf16", 7, 0x1p-126}, {"FP16", "fp16", 10, 0x1p-14}};

const char *act_format_name(enum act_format format)
{
    return formats[format].name;
}

struct result {
    struct trn_act_table table;
    struct trn_act_error bf16, fp32;
    double tolerance;
};

/* ---- options --------------------------------------------------------------------------------- */

static int recipe_options(const char *name, struct trn_act_fit_options *out)
{
    const struct trn_act_recipe *const recipe = trn_act_recipe_find(name);
    if (recipe) {
        *out = recipe->options;
        return CLI_OK;
    }
    const char *names[128], *near;
    size_t count = 0;
    for (; count < 128 && trn_act_recipe_at(count); count++)
        names[count] = trn_act_recipe_at(count)->options.name;
    near = cli_nearest(name, names, count);
    return near ? cli_usage_error("there is no function '%s'; did you mean '%s'?", name, near)
                : cli_usage_error("there is no function '%s'; trench act ls --recipes lists them, "
                                  "--expr takes an expression",
                                  name);
}

static void apply_options(const struct act_fit *fit, struct trn_act_fit_options *o)
{
    if (fit->expression) {
        *o = trn_act_fit_options_default();
        o->expression = fit->expression;
        o->func_id = EXPRESSION_ID;
    }
    if (fit->name)
        o->name = fit->name;
    if (fit->has_range) {
        o->lo = fit->lo;
        o->hi = fit->hi;
    }
    if (fit->func_id >= 0)
        o->func_id = (uint8_t)fit->func_id;
    if (fit->outside >= 0)
        o->outside = (enum trn_act_outside)fit->outside;
    if (fit->floor >= 0)
        o->floor = fit->floor;
    if (fit->buckets)
        o->max_buckets = fit->buckets;
    if (fit->has_range || fit->buckets || fit->max_ulp > 0 ||
        fit->whole_line) /* no longer the given plan */
        o->extract = NULL;
    if (!o->extract)
        o->taylor = false;
    if (fit->has_range)
        o->fold = TRN_ACT_FOLD_AUTO;
    if (fit->whole_line)
        o->fold = TRN_ACT_FOLD_NONE;
}

/* ---- fitting --------------------------------------------------------------------------------- */

static trn_status fit_and_measure(const struct act_fit *fit, const struct trn_act_fit_options *o,
                                  struct result *r, struct trn_diag *diag)
{
    const trn_status status = trn_act_fit(o, &r->table, &r->tolerance, diag);
    if (status != TRN_OK)
        return status;
    return trn_act_measure(&r->table, o->expression, fit->samples, &r->bf16, &r->fp32, diag);
}

static double worst_ulp(const struct result *r, enum act_format format)
{
    return fmax(r->fp32.max_ulp[format], r->bf16.max_ulp[format]);
}

/* Smaller tolerances until the measured error is small enough. */
static int fit_to_ulp(const struct act_fit *fit, struct trn_act_fit_options *o, struct result *r)
{
    struct trn_diag diag = {0};
    const char *const format = act_format_name(fit->ulp_of);
    double reached = INFINITY;
    o->max_buckets = TRN_ACT_BUCKET_ENTRIES;
    o->floor = fit->ulp_of == ACT_FP16 ? formats[fit->ulp_of].smallest : 0;
    o->tolerance = fmin(ldexp(fit->max_ulp, -formats[fit->ulp_of].mantissa_bits), COARSEST);
    for (; o->tolerance >= 0x1p-25; o->tolerance /= 2) {
        const trn_status status = fit_and_measure(fit, o, r, &diag);
        if (status == TRN_OK && worst_ulp(r, fit->ulp_of) <= fit->max_ulp)
            return CLI_OK;
        if (status != TRN_OK && status != TRN_ERR_TOO_LARGE) {
            cli_print_diag(&diag);
            return CLI_USAGE;
        }
        if (status != TRN_OK)
            break;
        reached = fmin(reached, worst_ulp(r, fit->ulp_of));
    }
    if (isinf(reached))
        fprintf(stderr,
                "trench: %s: error: no table of 2048 buckets has at most %g ulp of %s; a smaller "
                "range (--range LO:HI) or more ulp are needed\n",
                o->name, fit->max_ulp, format);
    else
        fprintf(stderr,
                "trench: %s: error: no table has at most %g ulp of %s; %.3g ulp are reached\n",
                o->name, fit->max_ulp, format, reached);
    return CLI_DOES_NOT_HOLD;
}

static int fit_one(const struct act_fit *fit, struct trn_act_fit_options *o, struct result *r)
{
    struct trn_diag diag = {0};
    apply_options(fit, o);
    if (fit->max_ulp > 0)
        return fit_to_ulp(fit, o, r);
    if (fit_and_measure(fit, o, r, &diag) == TRN_OK)
        return CLI_OK;
    cli_print_diag(&diag);
    return CLI_USAGE;
}

/* ---- what is said ---------------------------------------------------------------------------- */

static const char *fold_name(const struct trn_act_profile *p)
{
    if (!p->symmetry_opt_en)
        return "no symmetry";
    if (p->symmetry_opt_use_neg_region)
        return "point symmetry";
    return p->func_sym_inv_sign ? "odd" : "even";
}

static void print_error(FILE *out, const char *inputs, const struct trn_act_error *e)
{
    fprintf(out, "  %-6s%9llu", inputs, (unsigned long long)e->inputs);
    for (int i = 0; i < 3; i++)
        fprintf(out, "  %10.4g %9.3g", e->max_ulp[i], e->mean_ulp[i]);
    fprintf(out, "  %9.3g %9.3g\n", e->max_absolute, e->mean_absolute);
}

static void print_result(FILE *out, const struct result *r)
{
    const struct trn_act_table *const t = &r->table;
    char lo[32], hi[32];
    fprintf(out, "%s: function %u, %u buckets, %u CONTROL words, %s", t->name, t->func_id,
            t->num_bucket, t->num_control, fold_name(&t->profile));
    if (t->lo > -INFINITY || t->hi < INFINITY)
        fprintf(out, ", for %s to %s", act_number(t->lo, lo), act_number(t->hi, hi));
    fprintf(out,
            "\n  inputs   number   fp32 max ulp,mean     bf16 max ulp,mean     fp16 max ulp,mean"
            "       max |error|, mean\n");
    print_error(out, "bf16", &r->bf16);
    print_error(out, "fp32", &r->fp32);
}

static json_t *real(double value)
{
    return isfinite(value) ? json_real(value) : json_string("inf");
}

static json_t *error_json(const struct trn_act_error *e)
{
    json_t *const out =
        json_pack("{s:I, s:I}", "inputs", (json_int_t)e->inputs, "outside", (json_int_t)e->outside);
    for (int i = 0; i < 3; i++)
        json_object_set_new(out, formats[i].key,
                            json_pack("{s:o, s:o, s:o}", "max_ulp", real(e->max_ulp[i]), "mean_ulp",
                                      real(e->mean_ulp[i]), "at", real((double)e->max_ulp_at[i])));
    json_object_set_new(out, "max_absolute", real(e->max_absolute));
    json_object_set_new(out, "mean_absolute", real(e->mean_absolute));
    return out;
}

static json_t *result_json(const struct result *r)
{
    const struct trn_act_table *const t = &r->table;
    char lo[32], hi[32];
    return json_pack("{s:s, s:s, s:i, s:i, s:i, s:s, s:s, s:s, s:o, s:o, s:o}", "name", t->name,
                     "expression", t->expression, "func_id", t->func_id, "buckets", t->num_bucket,
                     "control", t->num_control, "symmetry", fold_name(&t->profile), "lo",
                     act_number(t->lo, lo), "hi", act_number(t->hi, hi), "tolerance",
                     real(r->tolerance), "bf16_inputs", error_json(&r->bf16), "fp32_inputs",
                     error_json(&r->fp32));
}

/* ---- the set --------------------------------------------------------------------------------- */

static int write_set(const struct act_fit *fit, const struct trn_act_set *set)
{
    struct trn_diag diag = {0};
    uint8_t *const bytes = malloc(TRN_ACT_FILE_MAX);
    if (!bytes)
        return cli_usage_error("out of memory");
    const trn_status status =
        cli_write_file(fit->output, bytes, trn_act_file_build(set, bytes), &diag);
    free(bytes);
    if (status == TRN_OK)
        return CLI_OK;
    cli_print_diag(&diag);
    return CLI_USAGE;
}

static int add_result(const struct act_fit *fit, struct trn_act_set *set, const struct result *r,
                      json_t *functions)
{
    const bool binary = fit->output && strcmp(fit->output, "-") == 0; /* standard output is taken */
    struct trn_diag diag = {0};
    if (trn_act_set_add(set, &r->table, &diag) != TRN_OK) {
        cli_print_diag(&diag);
        return CLI_USAGE;
    }
    if (functions)
        json_array_append_new(functions, result_json(r));
    else
        print_result(binary ? stderr : stdout, r);
    return CLI_OK;
}

static int fit_all(const struct act_fit *fit, struct trn_act_set *set, struct result *r,
                   json_t *functions)
{
    const size_t count = fit->expression ? 1 : fit->num_functions;
    for (size_t i = 0; i < count; i++) {
        struct trn_act_fit_options o = {0};
        int status = fit->expression ? CLI_OK : recipe_options(fit->functions[i], &o);
        if (status == CLI_OK)
            status = fit_one(fit, &o, r);
        if (status == CLI_OK && i == 0) {
            const unsigned layout = fit->gen ? fit->gen->act_layout : TRN_ACT_LAYOUT_LATER;
            trn_act_set_init(set, count == 1 ? o.name : "fitted", (enum trn_act_layout)layout,
                             NULL);
        }
        if (status == CLI_OK)
            status = add_result(fit, set, r, functions);
        if (status != CLI_OK)
            return status;
    }
    return fit->output ? write_set(fit, set) : CLI_OK;
}

int act_fit_run(const struct act_fit *fit)
{
    struct trn_act_set *const set = malloc(sizeof *set);
    struct result *const result = malloc(sizeof *result);
    json_t *const functions = fit->json ? json_array() : NULL;
    int status = set && result ? CLI_OK : cli_usage_error("out of memory");
    if (status == CLI_OK)
        status = fit_all(fit, set, result, functions);
    if (functions && status == CLI_OK)
        cli_print_json(
            json_pack("{s:s, s:O}", "schema", "trench.act.fit/1", "functions", functions));
    json_decref(functions);
    free(set);
    free(result);
    return status;
}
