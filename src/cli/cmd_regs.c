/* SPDX-License-Identifier: Apache-2.0 */
/* trench regs: what the registers of a device hold. */
#include <stdlib.h>
#include <string.h>

#include "cli/regs.h"

enum { OPT_CORE = 256, OPT_AFTER, OPT_AFTER_BRINGUP, OPT_CHANGED, OPT_JSON };

static const struct argp_option argp_options[] = {
    {"gen", 'g', "GEN", 0, "sunda, cayman, mariana, mariana_plus or maverick", 0},
    {"core", OPT_CORE, "N", 0,
     "core that is brought up, runs, and that a name without coreN. means (default 0)", 0},
    {"engine", 'e', "ENGINE", 0, "registers of this engine: pe, act, pool, dve or sp", 0},
    {"after", OPT_AFTER, "PROGRAM", 0, "run this text program first", 0},
    {"after-bringup", OPT_AFTER_BRINGUP, NULL, 0,
     "bring the core up through the host HAL first (and the TopSPs that are shown)", 0},
    {"changed", OPT_CHANGED, NULL, 0, "only registers that do not hold their reset value", 0},
    {"json", OPT_JSON, NULL, 0, "one JSON document (schema trench.regs/1)", 0},
    {0},
};

static int take_engine(const char *name, struct regs_options *options)
{
    options->engine = cli_engine(name);
    return options->engine < 0 ? CLI_USAGE : 0;
}

static int take_core(const char *text, struct regs_options *options)
{
    options->core_given = true;
    if (run_number(text, UINT8_MAX, &options->core))
        return 0;
    return cli_usage_error("--core: '%s' is no number of a core", text);
}

static int take_after(enum regs_after after, const char *program, struct regs_options *options)
{
    if (options->after != REGS_AFTER_RESET)
        return cli_usage_error("one of --after and --after-bringup is enough");
    options->after = after;
    options->program = program;
    return 0;
}

static int take_name(const char *name, struct regs_options *options)
{
    if (options->num_names == REGS_MAX_NAMES)
        return cli_usage_error("at most %d names", REGS_MAX_NAMES);
    options->names[options->num_names++] = name;
    return 0;
}

/* 0, CLI_USAGE after a message, or -1 for a key that is not ours. */
static int take_option(int key, const char *arg, struct regs_options *options)
{
    switch (key) {
    case 'g':
        options->gen = cli_gen(arg);
        return options->gen ? 0 : CLI_USAGE;
    case 'e':
        return take_engine(arg, options);
    case OPT_CORE:
        return take_core(arg, options);
    case OPT_AFTER:
        return take_after(REGS_AFTER_RUN, arg, options);
    case OPT_AFTER_BRINGUP:
        return take_after(REGS_AFTER_BRINGUP, NULL, options);
    case OPT_CHANGED:
        options->changed = true;
        return 0;
    case OPT_JSON:
        options->json = true;
        return 0;
    case ARGP_KEY_ARG:
        return take_name(arg, options);
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
    "[BLOCK[.REGISTER]...]",
    "Print and decode registers of a modelled device after reset, after bring-up or after a "
    "program; without BLOCK, list the register blocks.\v"
    "BLOCK is a name as `trench map` takes it: core0.tpb, tpb[1], act.xt_local, topsp2.notific, "
    "dma5.udma; with --engine also xt_local or tpb. REGISTER is a register, or the bundle or "
    "family "
    "it is of: core0.tpb.act_sequencer. Registers are read without side effects; * marks one that "
    "does not hold its reset value. Exit status: 0 success, 1 nothing has that name or the "
    "bring-up "
    "failed, 2 usage or bad input, 3 the program faulted, deadlocked or ran into the limit.",
    NULL,
    NULL,
    NULL};

/* ---- the command ------------------------------------------------------------------ */

static int check(const struct regs_options *options)
{
    if (!options->gen)
        return cli_usage_error("regs needs --gen GEN");
    if (options->core >= options->gen->cores)
        return cli_usage_error("%s has cores 0 to %u, not %u", options->gen->name,
                               options->gen->cores - 1u, (unsigned)options->core);
    if (options->num_names == 0 && (options->after != REGS_AFTER_RESET || options->changed))
        return cli_usage_error("without a BLOCK there are no registers to show; `trench regs --gen "
                               "%s` lists the blocks",
                               options->gen->name);
    return 0;
}

static int select_all(const struct regs_options *options, struct regs_block *blocks)
{
    int status = 0;
    for (size_t i = 0; i < options->num_names && status == 0; i++)
        status = regs_select(options, options->names[i], &blocks[i]);
    return status;
}

static int show(const struct regs_options *options, struct regs_block *blocks)
{
    struct regs_device state;
    int status = regs_device_open(&state, options, blocks, options->num_names);
    if (status == 0) {
        for (size_t i = 0; i < options->num_names; i++)
            regs_device_read(&state, &blocks[i]);
        if (options->json)
            regs_print_json(options, &state, blocks, options->num_names);
        else
            regs_print_text(options, blocks, options->num_names);
        status = state.exit_status;
    }
    regs_device_close(&state);
    return status;
}

int cmd_regs(int argc, char **argv)
{
    struct regs_options options = {.engine = -1};
    struct regs_block blocks[REGS_MAX_NAMES] = {{.values = NULL}};
    int status = cli_parse(&argp, argc, argv, &options);
    if (status == 0)
        status = check(&options);
    if (status)
        return status;
    if (options.num_names == 0) {
        regs_print_list(&options);
        return CLI_OK;
    }
    status = select_all(&options, blocks);
    if (status == 0)
        status = show(&options, blocks);
    for (size_t i = 0; i < options.num_names; i++)
        regs_free(&blocks[i]);
    return status;
}
