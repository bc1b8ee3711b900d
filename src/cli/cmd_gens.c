/* SPDX-License-Identifier: Apache-2.0 */
/* trench gens: the generation matrix, made from data/generations.csv, and what this version
 * executes on each generation. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "trench/device.h"
#include "trench/isa.h"

struct options {
    bool json, coverage, sources;
    const struct trn_gen *only;
};

static const struct argp_option argp_options[] = {
    {"gen", 'g', "GEN", 0, "only this generation", 0},
    {"coverage", 'c', NULL, 0, "which opcodes this version executes, by engine", 0},
    {"sources", 's', NULL, 0, "with each row's meaning, sheet and provenance", 0},
    {"json", 'j', NULL, 0, "one JSON document (schema trench.gens/1)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'g':
        options->only = cli_gen(arg);
        if (!options->only)
            exit(CLI_USAGE);
        return 0;
    case 'c':
        options->coverage = true;
        return 0;
    case 's':
        options->sources = true;
        return 0;
    case 'j':
        options->json = true;
        return 0;
    case ARGP_KEY_ARG:
        exit(cli_usage_error("gens takes no argument '%s'", arg));
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    argp_options,
    parse,
    NULL,
    "Print every number and capability that differs between the generations.\v"
    "A value marked * is inferred or carried, one marked + is a model choice; OPEN is unknown.",
    NULL,
    NULL,
    NULL};

static bool shown(const struct options *options, unsigned g)
{
    return !options->only || options->only == trn_gen_at(g);
}

/* ---- matrix ------------------------------------------------------------------------ */

static bool is_hexadecimal(const struct trn_gen_row *row)
{
    static const char *const units[] = {"byte", "address", "id"};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(row->unit, units[i]) == 0)
            return true;
    return false;
}

/* The value as the matrix prints it, with its mark. */
static const char *cell(char *text, size_t size, const struct trn_gen_row *row, unsigned g)
{
    const char *tag = row->confidence[g];
    const char *mark = strcmp(tag, "O") == 0 ? "" : strcmp(tag, "MC") == 0 ? "+" : "*";
    const uint64_t value = trn_gen_value(trn_gen_at(g), row);
    if (strcmp(tag, "OPEN") == 0)
        snprintf(text, size, "OPEN");
    else if (row->type == TRN_GEN_STR)
        snprintf(text, size, "%s%s", trn_gen_string(trn_gen_at(g), row), mark);
    else if (row->type == TRN_GEN_BOOL)
        snprintf(text, size, "%s%s", value ? "yes" : "-", mark);
    else if (is_hexadecimal(row) && value >= 10)
        snprintf(text, size, "0x%" PRIx64 "%s", value, mark);
    else
        snprintf(text, size, "%" PRIu64 "%s", value, mark);
    return text;
}

static void print_matrix(const struct options *options)
{
    char text[64];
    for (size_t i = 0; trn_gen_row_at(i); i++) {
        const struct trn_gen_row *row = trn_gen_row_at(i);
        printf("%-22s", row->field);
        for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
            if (shown(options, g))
                printf(" %-15s", cell(text, sizeof text, row, g));
        putchar('\n');
        if (options->sources)
            printf("    %s%s%s [%s]\n", row->meaning, *row->unit ? ", " : "",
                   *row->unit ? row->unit : "", row->sheet);
    }
    puts("\n* inferred or carried   + model choice   OPEN unknown; `trench explain FIELD` says "
         "where "
         "from");
}

static json_t *json_value(const struct trn_gen_row *row, unsigned g)
{
    const uint64_t value = trn_gen_value(trn_gen_at(g), row);
    char text[32];
    if (strcmp(row->confidence[g], "OPEN") == 0)
        return json_null();
    if (row->type == TRN_GEN_STR)
        return json_string(trn_gen_string(trn_gen_at(g), row));
    if (row->type == TRN_GEN_BOOL)
        return json_boolean(value);
    if (row->type != TRN_GEN_U64)
        return json_integer((json_int_t)value);
    snprintf(text, sizeof text, "0x%" PRIx64, value);
    return json_string(text);
}

static json_t *json_matrix(const struct options *options)
{
    json_t *rows = json_array();
    for (size_t i = 0; trn_gen_row_at(i); i++) {
        const struct trn_gen_row *row = trn_gen_row_at(i);
        json_t *values = json_object(), *provenance = json_object();
        for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
            if (!shown(options, g))
                continue;
            json_object_set_new(values, trn_gen_at(g)->name, json_value(row, g));
            json_object_set_new(provenance, trn_gen_at(g)->name, json_string(row->confidence[g]));
        }
        json_array_append_new(rows,
                              json_pack("{ss ss ss ss so so}", "field", row->field, "unit",
                                        row->unit, "sheet", row->sheet, "meaning", row->meaning,
                                        "values", values, "provenance", provenance));
    }
    return json_pack("{ss so}", "schema", "trench.gens/1", "rows", rows);
}

/* ---- coverage ----------------------------------------------------------------------- */

struct tally {
    unsigned legal, modelled;
};

static struct tally count_engine(const struct trn_gen *gen, int engine)
{
    struct tally tally = {0, 0};
    for (unsigned op = 0; op < 256; op++) {
        if (!trn_opcode_on_engine(gen, engine, (uint8_t)op))
            continue;
        tally.legal++;
        tally.modelled += trn_opcode_modelled(gen, engine, (uint8_t)op);
    }
    return tally;
}

/* Engines of the generation that take the opcode, and how many of them execute it. */
static struct tally count_opcode(const struct trn_gen *gen, uint8_t op)
{
    struct tally tally = {0, 0};
    for (int engine = 0; engine < TRN_ENGINES; engine++) {
        if (!trn_opcode_on_engine(gen, engine, op))
            continue;
        tally.legal++;
        tally.modelled += trn_opcode_modelled(gen, engine, op);
    }
    return tally;
}

static const char *coverage_mark(struct tally tally)
{
    if (!tally.legal)
        return ".";
    return tally.modelled == tally.legal ? "yes" : tally.modelled ? "part" : "no";
}

static void print_coverage(const struct options *options)
{
    printf("%-42s", "opcodes executed / legal, by engine");
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        if (shown(options, g))
            printf(" %-13s", trn_gen_at(g)->name);
    putchar('\n');
    for (int engine = 0; engine < TRN_ENGINES; engine++) {
        printf("  %-40s", trn_engine_name(engine));
        for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
            if (!shown(options, g))
                continue;
            const struct tally tally = count_engine(trn_gen_at(g), engine);
            char text[24];
            snprintf(text, sizeof text, "%u / %u", tally.modelled, tally.legal);
            printf(" %-13s", text);
        }
        putchar('\n');
    }
    puts("\nby opcode: yes executed on every engine that takes it, part on some, no not modelled "
         "yet, "
         ". illegal");
    for (unsigned op = 0; op < 256; op++) {
        bool anywhere = false;
        for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
            anywhere |= shown(options, g) && count_opcode(trn_gen_at(g), (uint8_t)op).legal;
        if (!anywhere)
            continue;
        printf("  0x%02x %-35s", op, trn_opcode_name((uint8_t)op));
        for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
            if (shown(options, g))
                printf(" %-13s", coverage_mark(count_opcode(trn_gen_at(g), (uint8_t)op)));
        putchar('\n');
    }
}

static json_t *json_coverage(const struct options *options)
{
    json_t *list = json_array();
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        const struct trn_gen *gen = trn_gen_at(g);
        if (!shown(options, g))
            continue;
        for (int engine = 0; engine < TRN_ENGINES; engine++) {
            json_t *executed = json_array(), *missing = json_array();
            for (unsigned op = 0; op < 256; op++) {
                if (!trn_opcode_on_engine(gen, engine, (uint8_t)op))
                    continue;
                const bool modelled = trn_opcode_modelled(gen, engine, (uint8_t)op);
                json_array_append_new(modelled ? executed : missing,
                                      json_string(trn_opcode_name((uint8_t)op)));
            }
            json_array_append_new(list, json_pack("{ss ss so so}", "gen", gen->name, "engine",
                                                  trn_engine_name(engine), "executed", executed,
                                                  "not_modelled", missing));
        }
    }
    return json_pack("{ss so}", "schema", "trench.gens/1", "coverage", list);
}

int cmd_gens(int argc, char **argv)
{
    struct options options = {0};
    const int status = cli_parse(&argp, argc, argv, &options);
    if (status)
        return status;
    if (options.json)
        cli_print_json(options.coverage ? json_coverage(&options) : json_matrix(&options));
    else if (options.coverage)
        print_coverage(&options);
    else
        print_matrix(&options);
    return CLI_OK;
}
