/* SPDX-License-Identifier: Apache-2.0 */
/* A device after reset, after bring-up or after a program; what its registers hold. */
#include <stdlib.h>
#include <string.h>

#include "cli/regs.h"

/* A program that does not end stops here. */
#define LIMIT UINT64_C(1000000000)

static int say(const struct trn_diag *diag)
{
    if (*diag->message)
        cli_print_diag(diag);
    return CLI_USAGE;
}

/* ---- bring-up ----------------------------------------------------------------------- */

/* The TopSPs whose blocks were asked for are brought up too. */
static struct bringup_range topsps_of(const struct regs_block *blocks, size_t num_blocks)
{
    struct bringup_range range = {0, 0};
    for (size_t i = 0; i < num_blocks; i++) {
        unsigned number;
        if (sscanf(blocks[i].block.path, "topsp%u.", &number) != 1)
            continue;
        const unsigned last = range.count ? range.first + range.count - 1 : number;
        const unsigned first = range.count && range.first < number ? range.first : number;
        range.first = first;
        range.count = (last > number ? last : number) - first + 1;
    }
    return range;
}

static int bring_up(struct regs_device *state, const struct regs_options *options,
                    struct bringup_options *wanted)
{
    struct trn_diag diag = {.status = TRN_OK};
    state->bringup = calloc(1, sizeof *state->bringup);
    if (!state->bringup)
        return cli_usage_error("out of memory");
    wanted->gen = options->gen;
    wanted->cores = (struct bringup_range){(unsigned)options->core, 1};
    if (bringup_open(state->bringup, wanted, &diag) != TRN_OK ||
        bringup_do(state->bringup, &diag) != TRN_OK)
        return say(&diag);
    state->device = state->bringup->device;
    if (state->bringup->status != TRN_OK) {
        bringup_print_failures(state->bringup);
        state->exit_status = CLI_DOES_NOT_HOLD;
    }
    return 0;
}

static int open_bringup(struct regs_device *state, const struct regs_options *options,
                        const struct regs_block *blocks, size_t num_blocks)
{
    struct bringup_options wanted = {.topsps = topsps_of(blocks, num_blocks)};
    const int status = bring_up(state, options, &wanted);
    if (state->bringup)
        state->bringup->options = NULL; /* it ends here */
    return status;
}

/* ---- a program ---------------------------------------------------------------------- */

static trn_status run_program(struct regs_device *state, const struct regs_options *options,
                              struct trn_diag *diag)
{
    struct run_core *run = &state->run;
    trn_status status =
        run_program_make(&state->run_options, options->gen, false, &run->program, &run->gen, diag);
    if (status == TRN_OK)
        status = run_core_open(run, diag);
    return status == TRN_OK ? run_core_run(run, NULL, 0, diag) : status;
}

static int open_run(struct regs_device *state, const struct regs_options *options)
{
    struct trn_diag diag = {.status = TRN_OK};
    state->run_options =
        (struct run_options){.gen = options->gen,
                             .sources = {{.file = options->program, .engine = TRN_ENGINE_ANY}},
                             .num_sources = 1,
                             .limit = LIMIT,
                             .core = (unsigned)options->core,
                             .break_engine = -1};
    state->run.options = &state->run_options;
    const int status = run_read_sources(&state->run_options);
    if (status)
        return status;
    if (run_program(state, options, &diag) != TRN_OK)
        return say(&diag);
    state->device = state->run.device;
    run_print_problems(&state->run);
    state->exit_status = run_core_exit(&state->run);
    return 0;
}

/* ---- the device --------------------------------------------------------------------- */

int regs_device_open(struct regs_device *state, const struct regs_options *options,
                     const struct regs_block *blocks, size_t num_blocks)
{
    struct trn_diag diag = {.status = TRN_OK};
    *state = (struct regs_device){.exit_status = CLI_OK};
    if (trn_device_create(options->gen, NULL, &state->fresh, &diag) != TRN_OK)
        return say(&diag);
    state->device = state->fresh;
    switch (options->after) {
    case REGS_AFTER_BRINGUP:
        return open_bringup(state, options, blocks, num_blocks);
    case REGS_AFTER_RUN:
        return open_run(state, options);
    case REGS_AFTER_RESET:
        break;
    }
    return 0;
}

void regs_device_read(const struct regs_device *state, struct regs_block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        struct regs_value *value = &block->values[i];
        value->readable =
            trn_device_peek32(state->device, value->reg.bar0, &value->value, NULL) == TRN_OK &&
            trn_device_peek32(state->fresh, value->reg.bar0, &value->reset, NULL) == TRN_OK;
    }
}

bool regs_is_changed(const struct regs_value *value)
{
    return value->readable && value->value != value->reset;
}

void regs_device_close(struct regs_device *state)
{
    trn_device_destroy(state->fresh);
    if (state->bringup)
        bringup_close(state->bringup);
    free(state->bringup);
    run_core_close(&state->run);
    run_free_sources(&state->run_options);
}
