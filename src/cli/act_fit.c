/* SPDX-License-Identifier: Apache-2.0 */
/* trench act fit: tables for named functions or an expression, with their error. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/act_fit.h"

enum {
    OPT_EXPR = 256,
    OPT_RANGE,
    OPT_MAX_ULP,
    OPT_ULP_OF,
    OPT_BUCKETS,
    OPT_NAME,
    OPT_ID,
    OPT_OUTSIDE,
    OPT_FLOOR,
    OPT_SAMPLES,
    OPT_SYMMETRY
};

static const struct argp_option argp_options[] = {
    {"gen", 'g', "GEN", 0, "generation whose layout the table has; needed with -o", 0},
    {"output", 'o', "FILE.act", 0,
     "where the tables go; without it only the error is printed; - is standard output, and "
     "the error goes to standard error then",
     0},
    {"expr", OPT_EXPR, "EXPR", 0, "an expression in x, such as 'x*x/(1+x^2)'", 0},
    {"name", OPT_NAME, "NAME", 0, "name of the expression's table (default: expression)", 0},
    {"func-id", OPT_ID, "N", 0, "function number, 0..255 (default: 200, or the function's own)", 0},
    {"range", OPT_RANGE, "LO:HI", 0,
     "inputs to fit (numbers, pi, inf); of magnitudes when LO is "
     "above 0 and the table uses a symmetry",
     0},
    {"outside", OPT_OUTSIDE, "HOW", 0, "beyond the range: hold (the end's value) or extrapolate",
     0},
    {"symmetry", OPT_SYMMETRY, "HOW", 0,
     "auto: what the function has (default); none: both halves are stored, for results that one "
     "minus the other half would lose",
     0},
    {"buckets", OPT_BUCKETS, "N", 0, "at most so many buckets, 4..2048", 0},
    {"max-ulp", OPT_MAX_ULP, "N", 0, "at most so many ulp anywhere in the range", 0},
    {"ulp-of", OPT_ULP_OF, "FORMAT", 0, "whose ulp --max-ulp counts: fp32 (default), bf16 or fp16",
     0},
    {"floor", OPT_FLOOR, "SIZE", 0,
     "results below SIZE may have this size's error (default: 2^-14, or the function's own; 0: "
     "none may)",
     0},
    {"samples", OPT_SAMPLES, "N", 0, "FP32 inputs to measure (default: 1000000)", 0},
    {"json", 'j', NULL, 0, "one JSON document (schema trench.act.fit/1)", 0},
    {0},
};

static double number(const char *option, const char *arg, double least, double most)
{
    char *end;
    errno = 0;
    const double value = strtod(arg, &end);
    if (end == arg || *end || errno || !(value >= least && value <= most))
        exit(
            cli_usage_error("%s takes a number from %g to %g, not '%s'", option, least, most, arg));
    return value;
}

static double whole(const char *option, const char *arg, double least, double most)
{
    const double value = number(option, arg, least, most);
    if (value != floor(value))
        exit(cli_usage_error("%s takes a whole number, not '%s'", option, arg));
    return value;
}

static enum trn_act_outside outside(const char *arg)
{
    if (strcmp(arg, "hold") == 0)
        return TRN_ACT_OUTSIDE_HOLD;
    if (strcmp(arg, "extrapolate") == 0)
        return TRN_ACT_OUTSIDE_EXTRAPOLATE;
    exit(cli_usage_error("--outside takes hold or extrapolate, not '%s'", arg));
}

static bool whole_line(const char *arg)
{
    if (strcmp(arg, "none") == 0)
        return true;
    if (strcmp(arg, "auto") == 0)
        return false;
    exit(cli_usage_error("--symmetry takes auto or none, not '%s'", arg));
}

static enum act_format format(const char *arg)
{
    for (int f = 0; f < ACT_FORMATS; f++)
        if (strcasecmp(arg, act_format_name((enum act_format)f)) == 0)
            return (enum act_format)f;
    exit(cli_usage_error("--ulp-of takes fp32, bf16 or fp16, not '%s'", arg));
}

static error_t parse_number(int key, const char *arg, struct act_fit *fit)
{
    switch (key) {
    case OPT_BUCKETS:
        fit->buckets = (unsigned)whole("--buckets", arg, 4, TRN_ACT_BUCKET_ENTRIES);
        return 0;
    case OPT_MAX_ULP:
        fit->max_ulp = number("--max-ulp", arg, 0.5, 1e9);
        return 0;
    case OPT_ID:
        fit->func_id = (int)whole("--func-id", arg, 0, 255);
        return 0;
    case OPT_FLOOR:
        fit->floor = number("--floor", arg, 0, 1e38);
        return 0;
    case OPT_SAMPLES:
        fit->samples = (uint64_t)whole("--samples", arg, 16, 1e9);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct act_fit *const fit = state->input;
    switch (key) {
    case 'g':
        fit->gen = cli_gen(arg);
        if (!fit->gen)
            exit(CLI_USAGE);
        return 0;
    case 'o':
        fit->output = arg;
        return 0;
    case 'j':
        fit->json = true;
        return 0;
    case OPT_EXPR:
        fit->expression = arg;
        return 0;
    case OPT_NAME:
        fit->name = arg;
        return 0;
    case OPT_RANGE:
        if (!act_range(arg, &fit->lo, &fit->hi))
            exit(CLI_USAGE);
        fit->has_range = true;
        return 0;
    case OPT_ULP_OF:
        fit->ulp_of = format(arg);
        fit->has_ulp_of = true;
        return 0;
    case OPT_OUTSIDE:
        fit->outside = (int)outside(arg);
        return 0;
    case OPT_SYMMETRY:
        fit->whole_line = whole_line(arg);
        return 0;
    case ARGP_KEY_ARGS:
        fit->functions = state->argv + state->next;
        fit->num_functions = (size_t)(state->argc - state->next);
        return 0;
    default:
        return parse_number(key, arg, fit);
    }
}

static const struct argp argp = {
    argp_options,
    parse,
    "FUNC... [-o FILE.act --gen GEN]\n--expr EXPR [-o FILE.act --gen GEN]",
    "Fit piecewise cubics (docs/activation.md) to functions of the manual (trench act ls "
    "--recipes) or to an expression, print the error and write the four tables as one set.\v"
    "Expressions: x, numbers, pi, e, + - * / ^, parentheses and functions such as exp, tanh, erf, "
    "sqrt, max. Without --buckets and --max-ulp a named function has the buckets of its recipe, an "
    "expression 512. Errors are in units of the last place of the exact result, each result "
    "rounded to the format first; inputs are every finite BF16 value and --samples FP32 values in "
    "equal steps of their bits. Exit status: 0 fitted, 1 --max-ulp cannot be reached, 2 bad input.",
    NULL,
    NULL,
    NULL};

static int check(const struct act_fit *fit)
{
    if (fit->num_functions == 0 && !fit->expression)
        return cli_usage_error("act fit needs the name of a function, or --expr");
    if (fit->num_functions && fit->expression)
        return cli_usage_error("act fit takes functions or --expr, not both; '%s' is too many",
                               fit->functions[0]);
    if (fit->output && !fit->gen)
        return cli_usage_error("act fit -o needs --gen: the layout of the entries depends on it");
    if (fit->max_ulp > 0 && fit->buckets)
        return cli_usage_error("--max-ulp and --buckets exclude each other");
    if (fit->has_ulp_of && fit->max_ulp <= 0)
        return cli_usage_error("--ulp-of goes with --max-ulp");
    if (fit->num_functions > 1 && (fit->func_id >= 0 || fit->has_range))
        return cli_usage_error("--func-id and --range go with one function");
    if (fit->json && fit->output && strcmp(fit->output, "-") == 0)
        return cli_usage_error("-o - and --json both write to standard output");
    if (fit->name && !fit->expression)
        return cli_usage_error("--name goes with --expr");
    return CLI_OK;
}

int act_fit(int argc, char **argv)
{
    struct act_fit fit = {.func_id = -1, .outside = -1, .floor = -1, .samples = 1000000};
    const int parsed = cli_parse(&argp, argc, argv, &fit);
    int status = parsed < 0 ? CLI_OK : parsed;
    if (parsed == 0) {
        status = check(&fit);
        if (status == CLI_OK)
            status = act_fit_run(&fit);
    }
    return status;
}
