/* SPDX-License-Identifier: Apache-2.0 */
/* Bring-up and start of one core's engines, as a host's driver does it: over the register bus. */
#include <string.h>

#include "cli/run.h"
#include "cli/run_dma.h"
#include "trench/hal.h"
#include "trench/map.h"

enum {
    BRINGUP_RING_BYTES = 0x10000, /* hal-stpb.md 7.1 */
    FEATURE_FLAGS = 38            /* sequencer.md 9.2 */
};

/* The feature flags of one engine, without a HAL. */
static trn_status write_flags(const struct run_core *core, int engine, struct trn_diag *diag)
{
    char name[TRN_MAP_NAME_MAX];
    struct trn_map_place place;
    snprintf(name, sizeof name, "core0.%s.xt_local.general.lr[%d]", trn_engine_name(engine),
             FEATURE_FLAGS);
    const trn_status status = trn_map_name(core->gen, name, 0, &place, diag);
    if (status != TRN_OK)
        return status;
    const struct trn_bus *const bar0 = trn_device_bar0(core->device);
    return bar0->write32(bar0->context, place.address[TRN_MAP_BAR0], core->options->flags);
}

/* A generation that has no HAL is started directly; trn_device_start says what that is. */
static trn_status start_directly(struct run_core *core, struct trn_diag *diag)
{
    fprintf(stderr,
            "trench: note: %s has no host HAL; its engines are started without a bring-up\n",
            core->gen->name);
    trn_status status = run_act_load(core, NULL, 0, diag);
    for (size_t i = 0; i < core->program.num_queues && status == TRN_OK; i++) {
        const struct run_queue *queue = &core->program.queues[i];
        if (core->options->flags_given)
            status = write_flags(core, queue->engine, diag);
        if (status != TRN_OK)
            return status;
        status = trn_device_start(core->device, queue->engine, queue->address);
        if (status != TRN_OK)
            return trn_diag_set(diag, status, queue->file, NULL, NULL, "%s has no %s engine",
                                core->gen->name, trn_engine_name(queue->engine));
    }
    return status;
}

/* Every engine, also those without words: they boot, and wait for a start that does not come. */
static trn_status bring_up(const struct run_core *core, struct trn_hal *hal,
                           struct trn_hal_stpb *stpb)
{
    const struct run_options *options = core->options;
    struct trn_hal_bringup_result result;
    trn_status status = trn_hal_core_defaults(hal, options->core, stpb);
    if (status == TRN_OK)
        status = ucode_files_fill_core(&options->ucode, core->gen, stpb);
    if (status != TRN_OK)
        return status;
    /* The bring-up's own rings are 64 KiB at most; larger ones are set up afterwards. */
    const uint32_t size = options->nq.size <= BRINGUP_RING_BYTES ? options->nq.size : 0;
    const struct trn_hal_bringup plan = {.core = options->core, .stpb = stpb, .nq_size = size};
    return trn_hal_bringup(hal, &plan, &result);
}

/* The feature flags are what an engine finds in its local register 38 when it starts
 * (sequencer.md 2.4); a generation without the register has none to set (hal-stpb.md 15.4). */
static trn_status set_flags(const struct run_core *core, struct trn_hal *hal,
                            const struct trn_hal_stpb *stpb)
{
    trn_status status = TRN_OK;
    for (int e = 0; e < TRN_HAL_ENGINES && core->options->flags_given && status == TRN_OK; e++)
        status = trn_hal_write_general_register(hal, stpb->tpb_mem_handle, e, FEATURE_FLAGS,
                                                core->options->flags);
    return status;
}

static trn_status start_programs(const struct run_core *core, struct trn_hal *hal,
                                 const struct trn_hal_stpb *stpb)
{
    uint64_t start[TRN_HAL_ENGINES];
    for (int e = 0; e < TRN_HAL_ENGINES; e++) {
        const struct run_queue *queue = run_queue_of(&core->program, e);
        start[e] = queue ? queue->address : TRN_HAL_NO_START;
    }
    return trn_hal_program_start(hal, stpb->tpb_mem_handle, start);
}

trn_status run_start(struct run_core *core, struct trn_diag *diag)
{
    struct trn_hal_stpb stpb;
    struct trn_hal *hal = NULL;
    trn_status status = trn_hal_create(trn_device_bar0(core->device), NULL, &hal, diag);
    if (status != TRN_OK)
        return status;
    status = trn_hal_latch(hal, core->gen);
    if (status == TRN_ERR_UNSUPPORTED) {
        trn_hal_destroy(hal);
        return start_directly(core, diag);
    }
    if (status == TRN_OK)
        status = bring_up(core, hal, &stpb);
    if (status == TRN_OK)
        status = set_flags(core, hal, &stpb);
    if (status != TRN_OK)
        *diag = *trn_hal_diag(hal);
    if (status == TRN_OK)
        status = run_act_load(core, hal, stpb.tpb_mem_handle, diag);
    if (status == TRN_OK)
        status = run_rings_attach(core, diag);
    if (status != TRN_OK) {
        trn_hal_destroy(hal);
        return status;
    }
    status = run_dma_load(core, hal, diag);
    if (status == TRN_OK) {
        status = start_programs(core, hal, &stpb);
        if (status != TRN_OK)
            *diag = *trn_hal_diag(hal);
    }
    trn_hal_destroy(hal);
    return status;
}
