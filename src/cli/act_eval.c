/* SPDX-License-Identifier: Apache-2.0 */
/* trench act eval: a function of a table applied to an array, as the engine evaluates it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/act.h"
#include "trench/npy.h"

enum { OPT_IN = 256, OPT_OUT, OPT_ALPHA, OPT_NEGZERO, OPT_EXACT };

struct options {
    const char *table, *function, *in, *out;
    float alpha;
    bool negzero, exact, json;
};

static const struct argp_option argp_options[] = {
    {"func", 'f', "F", 0, "function by name or number; needed when there are several", 0},
    {"in", OPT_IN, "X.npy", 0, "array of f4; needed", 0},
    {"out", OPT_OUT, "Y.npy", 0, "where the results go, f4 of the same shape; needed", 0},
    {"alpha", OPT_ALPHA, "A", 0, "slope of parametric_relu below 0 (default: 1)", 0},
    {"negzero-is-zero", OPT_NEGZERO, NULL, 0, "-0 is detected as zero (act.negzero_is_zero)", 0},
    {"exact", OPT_EXACT, NULL, 0,
     "the function's expression, rounded once, instead of its table (act.mode = exact)", 0},
    {"json", 'j', NULL, 0, "one JSON document (schema trench.act.eval/1)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *const options = state->input;
    char *end;
    switch (key) {
    case 'f':
        options->function = arg;
        return 0;
    case OPT_IN:
        options->in = arg;
        return 0;
    case OPT_OUT:
        options->out = arg;
        return 0;
    case OPT_ALPHA:
        options->alpha = strtof(arg, &end);
        if (end == arg || *end || !isfinite(options->alpha))
            exit(cli_usage_error("--alpha takes a number that f32 holds, not '%s'", arg));
        return 0;
    case OPT_NEGZERO:
        options->negzero = true;
        return 0;
    case OPT_EXACT:
        options->exact = true;
        return 0;
    case 'j':
        options->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->table)
            exit(cli_usage_error("act eval takes one table; '%s' is too many", arg));
        options->table = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    argp_options,
    parse,
    "FILE.act|SET --func F --in X.npy --out Y.npy",
    "Apply a function of a table, a file or a shipped set (trench act ls), to an array, bit for "
    "bit "
    "as the engine evaluates it. Inputs outside the range that the table was fitted for are "
    "counted and warned of: a clamp answers there.",
    NULL,
    NULL,
    NULL};

/* The array may have any alignment. */
static float *floats_of(const struct trn_npy *array)
{
    float *const copy = calloc(array->num_elements + 1, sizeof *copy);
    if (copy && array->num_elements)
        memcpy(copy, array->data, array->num_elements * sizeof *copy);
    return copy;
}

/* How many values a clamp answers beyond the range; NaN and zeros of 1/x are not counted. */
static uint64_t count_outside(const struct trn_act_table *table, const float *x, uint64_t n)
{
    uint64_t outside = 0;
    for (uint64_t i = 0; i < n; i++)
        outside += x[i] == x[i] && !trn_act_in_range(table, x[i]);
    return outside;
}

static void report(const struct options *options, const struct trn_act_table *table, uint64_t n,
                   uint64_t outside)
{
    char lo[32], hi[32];
    act_number(table->lo, lo);
    act_number(table->hi, hi);
    if (outside && !options->exact)
        fprintf(stderr,
                "trench: warning: %llu of %llu inputs lie outside %s to %s, the range that %s was "
                "fitted for\n",
                (unsigned long long)outside, (unsigned long long)n, lo, hi, table->name);
    if (options->json)
        cli_print_json(json_pack("{s:s, s:s, s:i, s:s, s:s, s:s, s:I, s:I}", "schema",
                                 "trench.act.eval/1", "function", table->name, "func_id",
                                 table->func_id, "expression", table->expression, "lo", lo, "hi",
                                 hi, "inputs", (json_int_t)n, "outside", (json_int_t)outside));
}

static trn_status evaluate(const struct options *options, const struct trn_act_set *set, int index,
                           float *x, size_t n, struct trn_diag *diag)
{
    const struct trn_act_tables tables = trn_act_set_tables(set);
    struct trn_act_specials specials = trn_act_specials_default();
    specials.negzero_is_zero = options->negzero;
    if (options->exact)
        return trn_act_exact_array(&set->member[index], &specials, options->alpha, x, x, n, diag);
    trn_act_eval_array(&tables, set->member[index].slot, &specials, options->alpha, x, x, n);
    return TRN_OK;
}

static trn_status apply(const struct options *options, const struct trn_act_set *set, int index,
                        const struct trn_npy *in, struct trn_diag *diag)
{
    float *const x = floats_of(in);
    struct trn_act_table *const table = malloc(sizeof *table);
    trn_status status = TRN_ERR_NO_MEMORY;
    if (table && x)
        status = trn_act_set_get(set, (unsigned)index, table, diag);
    else
        trn_diag_set(diag, status, options->in, NULL, NULL, "out of memory");
    if (status == TRN_OK) {
        const uint64_t outside = count_outside(table, x, in->num_elements);
        status = evaluate(options, set, index, x, in->num_elements, diag);
        if (status == TRN_OK)
            status = trn_npy_write(options->out, TRN_NPY_F4, in->shape, in->num_dims, x, diag);
        if (status == TRN_OK)
            report(options, table, in->num_elements, outside);
    }
    free(x);
    free(table);
    return status;
}

static int run(const struct options *options)
{
    struct trn_npy in = {0};
    struct trn_diag diag = {0};
    struct trn_act_set *const set = act_open(options->table, TRN_ACT_LAYOUT_LATER);
    const int index = set ? act_pick(set, options->function) : -1;
    if (index < 0) {
        free(set);
        return CLI_USAGE;
    }
    trn_status status = trn_npy_read(options->in, 0, &in, &diag);
    if (status == TRN_OK)
        status = trn_npy_expect(&in, options->in, TRN_NPY_F4, NULL, 0, &diag);
    if (status == TRN_OK)
        status = apply(options, set, index, &in, &diag);
    if (status != TRN_OK)
        cli_print_diag(&diag);
    trn_npy_free(&in);
    free(set);
    return status == TRN_OK ? CLI_OK : CLI_USAGE;
}

int act_eval(int argc, char **argv)
{
    struct options options = {.alpha = 1};
    const int parsed = cli_parse(&argp, argc, argv, &options);
    if (parsed)
        return parsed < 0 ? CLI_OK : parsed;
    if (!options.table || !options.in || !options.out)
        return cli_usage_error("act eval needs a table, --in and --out");
    return run(&options);
}
