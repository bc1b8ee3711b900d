/* SPDX-License-Identifier: Apache-2.0 */
/* trench act ls: the shipped sets and the recipes of their functions. */
#include <stdlib.h>

#include "cli/act.h"

struct options {
    bool recipes, json;
};

static const struct argp_option argp_options[] = {
    {"recipes", 'r', NULL, 0, "the recipes too: expression, range, buckets", 0},
    {"json", 'j', NULL, 0, "one JSON document (schema trench.act.ls/1)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *const options = state->input;
    switch (key) {
    case 'r':
        options->recipes = true;
        return 0;
    case 'j':
        options->json = true;
        return 0;
    case ARGP_KEY_ARG:
        exit(cli_usage_error("act ls takes options only; '%s' is none", arg));
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    argp_options,
    parse,
    NULL,
    "The shipped sets in the order in which they are registered: number, name, buckets and CONTROL "
    "words in use, functions.",
    NULL,
    NULL,
    NULL};

static json_t *set_json(size_t index, const struct trn_act_set *set)
{
    json_t *const functions = json_array();
    for (unsigned i = 0; i < set->num_functions; i++)
        json_array_append_new(functions, json_pack("{s:s, s:i}", "name", set->member[i].name,
                                                   "func_id", set->member[i].func_id));
    return json_pack("{s:i, s:s, s:i, s:i, s:o}", "index", (int)index, "name", set->name, "buckets",
                     set->num_bucket, "control", set->num_control, "functions", functions);
}

static json_t *recipe_json(const struct trn_act_recipe *r)
{
    char lo[32], hi[32];
    const struct trn_act_fit_options *const o = &r->options;
    return json_pack("{s:s, s:s, s:i, s:s, s:s, s:s, s:i, s:s, s:s, s:s}", "name", o->name,
                     "variant", r->variant, "func_id", o->func_id, "expression", o->expression,
                     "lo", act_number(o->lo, lo), "hi", act_number(o->hi, hi), "max_buckets",
                     (int)o->max_buckets, "sheet", r->sheet, "confidence", r->confidence, "note",
                     r->note);
}

/* Functions that stand in every set are named with the last one only. */
static bool is_resident(const struct trn_act_member *member)
{
    const struct trn_act_recipe *const recipe = trn_act_recipe_find(member->name);
    return recipe && recipe->variant[0] == '\0';
}

static void print_set(size_t index, const struct trn_act_set *set)
{
    printf("%3zu %-42s %5u buckets %4u words ", index, set->name, set->num_bucket,
           set->num_control);
    for (unsigned i = 0; i < set->num_functions; i++)
        if (!is_resident(&set->member[i]))
            printf(" %s", set->member[i].name);
    putchar('\n');
}

static void print_residents(const struct trn_act_set *set)
{
    printf("\nin every set:");
    for (unsigned i = 0; i < set->num_functions; i++)
        if (is_resident(&set->member[i]))
            printf(" %s", set->member[i].name);
    putchar('\n');
}

static void print_recipe(const struct trn_act_recipe *r)
{
    char name[TRN_ACT_NAME_BYTES + 32], range[80], lo[32], hi[32];
    const struct trn_act_fit_options *const o = &r->options;
    snprintf(name, sizeof name, *r->variant ? "%s[%s]" : "%s", o->name, r->variant);
    snprintf(range, sizeof range, "%s:%s", act_number(o->lo, lo), act_number(o->hi, hi));
    printf("%-36s %3u  %5u  %-28s %s\n", name, o->func_id, o->max_buckets,
           o->hi > 3.4e38F ? "all" : range, o->expression);
}

static int list_sets(struct trn_act_set *set, json_t *sets)
{
    struct trn_diag diag = {0};
    for (size_t i = 0; trn_act_shipped_name(i); i++) {
        if (trn_act_shipped_set(i, TRN_ACT_LAYOUT_LATER, set, &diag) != TRN_OK) {
            cli_print_diag(&diag);
            return CLI_USAGE;
        }
        if (sets)
            json_array_append_new(sets, set_json(i, set));
        else
            print_set(i, set);
    }
    if (!sets)
        print_residents(set);
    return CLI_OK;
}

static void list_recipes(json_t *recipes)
{
    if (!recipes)
        printf("\n%-36s  id  buckets at most, range, expression\n", "recipe");
    for (size_t i = 0; trn_act_recipe_at(i); i++) {
        if (recipes)
            json_array_append_new(recipes, recipe_json(trn_act_recipe_at(i)));
        else
            print_recipe(trn_act_recipe_at(i));
    }
}

int act_ls(int argc, char **argv)
{
    struct options options = {0};
    const int parsed = cli_parse(&argp, argc, argv, &options);
    if (parsed)
        return parsed < 0 ? CLI_OK : parsed;
    struct trn_act_set *const set = calloc(1, sizeof *set);
    if (!set)
        return cli_usage_error("out of memory");
    json_t *const sets = options.json ? json_array() : NULL;
    json_t *const recipes = options.json ? json_array() : NULL;
    const int status = list_sets(set, sets);
    if (options.recipes || options.json)
        list_recipes(recipes);
    if (options.json)
        cli_print_json(json_pack("{s:s, s:o, s:o}", "schema", "trench.act.ls/1", "sets", sets,
                                 "recipes", recipes));
    free(set);
    return status;
}
