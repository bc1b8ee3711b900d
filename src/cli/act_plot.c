/* SPDX-License-Identifier: Apache-2.0 */
/* trench act plot: a function, what its table gives, and the difference, as one SVG. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/act.h"
#include "cli/act_svg.h"

enum { OPT_RANGE = 256 };

struct options {
    const char *table, *function, *output;
    bool has_range;
    float lo, hi;
};

static const struct argp_option argp_options[] = {
    {"func", 'f', "F", 0, "function by name or number; needed when there are several", 0},
    {"output", 'o', "FILE.svg", 0, "where the picture goes; needed", 0},
    {"range", OPT_RANGE, "LO:HI", 0, "inputs to show (default: the fitted ones, within -8:8)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *const options = state->input;
    switch (key) {
    case 'f':
        options->function = arg;
        return 0;
    case 'o':
        options->output = arg;
        return 0;
    case OPT_RANGE:
        if (!act_range(arg, &options->lo, &options->hi))
            exit(CLI_USAGE);
        options->has_range = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->table)
            exit(cli_usage_error("act plot takes one table; '%s' is too many", arg));
        options->table = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    argp_options,
    parse,
    "FILE.act|SET --func F -o FILE.svg",
    "Draw a function of a table, a file or a shipped set: the expression that it was fitted to, "
    "what the table gives, and below the difference of both.",
    NULL,
    NULL,
    NULL};

static int choose_range(const struct trn_act_member *m, struct options *options)
{
    enum { SHOWN = 8 };
    if (!options->has_range) {
        options->lo = m->lo > -SHOWN ? m->lo : -SHOWN;
        options->hi = m->hi < SHOWN ? m->hi : SHOWN;
        if (!(options->lo < options->hi)) { /* a range beyond what is shown otherwise */
            options->lo = m->lo;
            options->hi = m->hi;
        }
    }
    if (isfinite(options->lo) && isfinite(options->hi))
        return CLI_OK;
    return cli_usage_error("act plot needs a range with two ends: --range LO:HI");
}

/* Values at equal steps; the table's error is taken in double. */
static trn_status sample(const struct trn_act_set *set, const struct trn_act_member *m,
                         const struct options *options, struct act_curves *c, struct trn_diag *diag)
{
    const struct trn_act_specials specials = trn_act_specials_default();
    const struct trn_act_tables tables = trn_act_set_tables(set);
    const double width = (double)options->hi - (double)options->lo;
    for (int i = 0; i < ACT_POINTS; i++)
        c->x[i] = (float)((double)options->lo + width * i / (ACT_POINTS - 1));
    trn_act_eval_array(&tables, m->slot, &specials, 1, c->x, c->table, ACT_POINTS);
    const trn_status status =
        trn_act_expression_values(m->expression, c->x, c->exact, ACT_POINTS, diag);
    for (int i = 0; i < ACT_POINTS && status == TRN_OK; i++)
        c->error[i] = (double)c->table[i] - c->exact[i];
    return status;
}

static int draw(const struct options *options, const struct trn_act_member *m,
                const struct act_curves *curves)
{
    char *text = NULL;
    size_t size = 0;
    struct trn_diag diag = {0};
    FILE *const out = open_memstream(&text, &size);
    if (!out)
        return cli_usage_error("out of memory");
    act_svg(out, m, curves);
    int status = fclose(out) == 0 ? CLI_OK : cli_usage_error("out of memory");
    if (status == CLI_OK && cli_write_file(options->output, text, size, &diag) != TRN_OK) {
        cli_print_diag(&diag);
        status = CLI_USAGE;
    }
    free(text);
    return status;
}

static int run(struct options *options)
{
    struct trn_diag diag = {0};
    struct trn_act_set *const set = act_open(options->table, TRN_ACT_LAYOUT_LATER);
    const int index = set ? act_pick(set, options->function) : -1;
    struct act_curves *const curves = malloc(sizeof *curves);
    int status = index >= 0 && curves ? choose_range(&set->member[index], options) : CLI_USAGE;
    if (status == CLI_OK && sample(set, &set->member[index], options, curves, &diag) != TRN_OK) {
        cli_print_diag(&diag);
        status = CLI_USAGE;
    }
    if (status == CLI_OK)
        status = draw(options, &set->member[index], curves);
    free(curves);
    free(set);
    return status;
}

int act_plot(int argc, char **argv)
{
    struct options options = {0};
    const int parsed = cli_parse(&argp, argc, argv, &options);
    if (parsed)
        return parsed < 0 ? CLI_OK : parsed;
    if (!options.table || !options.output)
        return cli_usage_error("act plot needs a table and -o");
    return run(&options);
}
