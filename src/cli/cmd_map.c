/* SPDX-License-Identifier: Apache-2.0 */
/* trench map: one place under all its addresses. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/map_print.h"
#include "cli/place_names.h"
#include "cli/run.h"

enum { OPT_SPACE = 256, OPT_CORE, OPT_JSON };

struct options {
    const struct trn_gen *gen;
    const char *query;
    enum trn_map_space space; /* TRN_MAP_SPACES: every reading */
    uint64_t core;
    bool json;
};

static const struct argp_option argp_options[] = {
    {"gen", 'g', "GEN", 0, "sunda, cayman, mariana, mariana_plus or maverick", 0},
    {"space", OPT_SPACE, "SPACE", 0,
     "read ADDRESS as bar0, bar4, soc, tpb, tpb_bar or engine (default: every reading that exists)",
     0},
    {"core", OPT_CORE, "N", 0, "core that tpb, tpb_bar, engine and bare names mean (default 0)", 0},
    {"json", OPT_JSON, NULL, 0, "one JSON document (schema trench.map/1)", 0},
    {0},
};

static int take_space(const char *name, struct options *options)
{
    options->space = trn_map_space_find(name);
    if (options->space < TRN_MAP_SPACES)
        return 0;
    return cli_usage_error("unknown space '%s'; bar0, bar4, soc, tpb, tpb_bar and engine exist",
                           name);
}

static int take_core(const char *text, struct options *options)
{
    if (run_number(text, UINT8_MAX, &options->core))
        return 0;
    return cli_usage_error("--core: '%s' is no number of a core", text);
}

static int take_query(const char *text, struct options *options)
{
    if (options->query)
        return cli_usage_error("map takes one address or name; '%s' is a second one", text);
    options->query = text;
    return 0;
}

/* 0, CLI_USAGE after a message, or -1 for a key that is not ours. */
static int take_option(int key, const char *arg, struct options *options)
{
    switch (key) {
    case 'g':
        options->gen = cli_gen(arg);
        return options->gen ? 0 : CLI_USAGE;
    case OPT_SPACE:
        return take_space(arg, options);
    case OPT_CORE:
        return take_core(arg, options);
    case OPT_JSON:
        options->json = true;
        return 0;
    case ARGP_KEY_ARG:
        return take_query(arg, options);
    default:
        return -1;
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    const int status = take_option(key, arg, state->input);
    if (status > 0)
        exit(status);
    return status < 0 ? ARGP_ERR_UNKNOWN : 0;
}

static const struct argp argp = {
    argp_options,
    parse,
    "ADDRESS|NAME",
    "Print every address of one place: BAR0 and BAR4 offset, device (SoC) address, offsets in its "
    "core, address in an instruction; and which memory, aperture, register block and register it "
    "is.\v"
    "NAME is a block with a register and a bit field, as core0.act.xt_local.general.lr[19], "
    "tpb[0].pool_sequencer.instr_dbg_ctrl or topsp2.sp_regs; an aperture, as core1.PE_NX_IRAM or "
    "TPB_0_NOTIFIC; or a byte of a memory, as sbuf[p3,0x40], core1.psum[p0,0] or hbm1[0x1000]. "
    "Blocks and apertures may be followed by +OFFSET. A place that no source gives is never "
    "guessed; one that rests on a model choice says so. Exit status: 0 found, 1 nothing is there "
    "or has that name, 2 usage.",
    NULL,
    NULL,
    NULL};

/* ---- readings --------------------------------------------------------------------- */

struct reading {
    enum trn_map_space space; /* TRN_MAP_SPACES: a name */
    struct trn_map_place place;
};

static size_t read_address(const struct options *options, uint64_t address,
                           struct reading readings[TRN_MAP_SPACES])
{
    size_t count = 0;
    for (unsigned s = 0; s < TRN_MAP_SPACES; s++) {
        const enum trn_map_space space = (enum trn_map_space)s;
        if (options->space < TRN_MAP_SPACES && options->space != space)
            continue;
        readings[count].space = space;
        if (trn_map_address(options->gen, space, address, (int)options->core,
                            &readings[count].place, NULL) == TRN_OK)
            count++;
    }
    return count;
}

static json_t *reading_to_json(const struct reading *reading)
{
    json_t *object = map_to_json(&reading->place);
    json_object_set_new(object, "space",
                        reading->space < TRN_MAP_SPACES
                            ? json_string(trn_map_space_name(reading->space))
                            : json_null());
    return object;
}

static void print_json(const struct options *options, const struct reading *readings, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, reading_to_json(&readings[i]));
    cli_print_json(json_pack("{ss ss ss sI so}", "schema", "trench.map/1", "gen",
                             options->gen->name, "query", options->query, "core",
                             (json_int_t)options->core, "readings", list));
}

static void print_text(const struct options *options, const struct reading *readings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i)
            putchar('\n');
        if (readings[i].space < TRN_MAP_SPACES)
            printf("%s as %s on %s\n", options->query, trn_map_space_name(readings[i].space),
                   options->gen->name);
        else
            printf("%s on %s\n", options->query, options->gen->name);
        map_print_text(&readings[i].place);
    }
}

static int report(const struct options *options, const struct reading *readings, size_t count)
{
    if (options->json)
        print_json(options, readings, count);
    else
        print_text(options, readings, count);
    return count ? CLI_OK : CLI_DOES_NOT_HOLD;
}

static int map_address(const struct options *options)
{
    struct reading readings[TRN_MAP_SPACES];
    uint64_t address;
    if (!run_number(options->query, UINT64_MAX, &address))
        return cli_usage_error("'%s' is no address of 64 bits", options->query);
    const size_t count = read_address(options, address, readings);
    if (count == 0)
        fprintf(stderr, "trench: error: %s has nothing known at 0x%" PRIx64 "%s%s\n",
                options->gen->name, address,
                options->space < TRN_MAP_SPACES ? " of space " : " of any space",
                options->space < TRN_MAP_SPACES ? trn_map_space_name(options->space) : "");
    return report(options, readings, count);
}

static int map_name(const struct options *options)
{
    struct reading reading = {.space = TRN_MAP_SPACES};
    struct trn_diag diag = {0};
    const trn_status status =
        trn_map_name(options->gen, options->query, (int)options->core, &reading.place, &diag);
    if (status == TRN_OK)
        return report(options, &reading, 1);
    if (options->json)
        print_json(options, &reading, 0);
    if (status == TRN_ERR_NOT_FOUND && !*diag.expected)
        return place_unknown(options->gen, options->query, (unsigned)options->core);
    cli_print_diag(&diag);
    return CLI_DOES_NOT_HOLD;
}

int cmd_map(int argc, char **argv)
{
    struct options options = {.space = TRN_MAP_SPACES};
    const int status = cli_parse(&argp, argc, argv, &options);
    if (status)
        return status;
    if (!options.query)
        return cli_usage_error("map needs an address or a name");
    if (!options.gen)
        return cli_usage_error("map needs --gen: an address means other things on another "
                               "generation");
    if (options.core >= options.gen->cores)
        return cli_usage_error("%s has cores 0 to %u, not %u", options.gen->name,
                               options.gen->cores - 1u, (unsigned)options.core);
    if (isdigit((unsigned char)*options.query))
        return map_address(&options);
    if (options.space < TRN_MAP_SPACES)
        return cli_usage_error("--space says how to read a number; '%s' is a name", options.query);
    return map_name(&options);
}
