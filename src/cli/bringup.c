/* SPDX-License-Identifier: Apache-2.0 */
/* Bringing cores of a model up through the HAL, over a bus that records. */
#include "cli/bringup.h"

#include <string.h>

const char *bringup_state_name(enum bringup_state state)
{
    static const char *const names[] = {[BRINGUP_STALLED] = "stalled",
                                        [BRINGUP_RUNNING] = "running",
                                        [BRINGUP_UNKNOWN] = "unknown"};
    return names[state];
}

void bringup_owner(const struct trn_hal_where *where, char *out, size_t size)
{
    if (where->topsp >= 0)
        snprintf(out, size, "topsp%d", where->topsp);
    else
        snprintf(out, size, "%s", where->engine >= 0 ? trn_engine_name(where->engine) : "core");
}

/* ---- what the HAL tells us -------------------------------------------------------------- */

static bool is_to_fail(const struct bringup_options *options, const struct trn_hal_where *where)
{
    if (options->fail_code == 0 || where->step != options->fail_step)
        return false;
    return options->fail_engine < 0 ? where->topsp >= 0
                                    : where->topsp < 0 && where->engine == options->fail_engine;
}

static trn_status on_step(void *context, const struct trn_hal_where *where)
{
    struct bringup *bringup = context;
    bus_recorder_step(&bringup->recorder, where);
    return is_to_fail(bringup->options, where) ? bringup->options->fail_code : TRN_OK;
}

static void on_rmw(void *context, uint64_t offset, uint32_t mask)
{
    struct bringup *bringup = context;
    bus_recorder_rmw(&bringup->recorder, offset, mask);
}

static void on_log(void *context, int level, const char *function, const char *text)
{
    struct bringup *bringup = context;
    bus_recorder_log(&bringup->recorder, level, function, text);
}

/* ---- device and HAL ----------------------------------------------------------------------- */

static trn_status hal_error(const struct bringup *bringup, trn_status status, struct trn_diag *diag)
{
    *diag = *trn_hal_diag(bringup->hal);
    return status;
}

trn_status bringup_open(struct bringup *bringup, const struct bringup_options *options,
                        struct trn_diag *diag)
{
    bringup->options = options;
    trn_status status = trn_device_create(options->gen, NULL, &bringup->device, diag);
    if (status != TRN_OK)
        return status;
    bringup->recorder = (struct bus_recorder){.inner = trn_device_bar0(bringup->device),
                                              .base = options->bar0,
                                              .keep_images = options->record_images != NULL,
                                              .where = {.engine = -1, .topsp = -1}};
    bringup->bus = bus_recorder_bus(&bringup->recorder);
    const struct trn_hal_options hal = {
        .observer = {.context = bringup, .step = on_step, .rmw = on_rmw, .log = on_log}};
    status = trn_hal_create(&bringup->bus, &hal, &bringup->hal, diag);
    if (status != TRN_OK)
        return status;
    status = trn_hal_latch(bringup->hal, options->gen);
    return status == TRN_OK ? TRN_OK : hal_error(bringup, status, diag);
}

void bringup_close(struct bringup *bringup)
{
    trn_hal_destroy(bringup->hal);
    trn_device_destroy(bringup->device);
    bus_recorder_free(&bringup->recorder);
}

/* ---- plans ---------------------------------------------------------------------------------- */

static trn_status make_topsp(struct bringup *bringup, unsigned number,
                             struct trn_hal_engine_config *config)
{
    const struct bringup_options *options = bringup->options;
    trn_status status = trn_hal_topsp_defaults(bringup->hal, number, config);
    if (status != TRN_OK)
        return status;
    config->mem_handle += options->bar0;
    config->regs += options->bar0;
    config->ens_regs += options->bar0;
    return ucode_files_fill(&options->ucode, options->gen, TRN_UCODE_TOPSP, &config->info);
}

static trn_status make_core(struct bringup *bringup, unsigned core, struct trn_hal_stpb *stpb)
{
    const struct bringup_options *options = bringup->options;
    trn_status status = trn_hal_core_defaults(bringup->hal, core, stpb);
    if (status != TRN_OK)
        return status;
    stpb->tpb_mem_handle += options->bar0;
    stpb->tpb_regs += options->bar0;
    stpb->ens_regs += options->bar0;
    return ucode_files_fill_core(&options->ucode, options->gen, stpb);
}

/* The TopSPs come with the first core (hal-stpb.md 7.1, a). */
static struct trn_hal_bringup make_plan(const struct bringup *bringup, unsigned index,
                                        const struct trn_hal_stpb *stpb)
{
    const struct bringup_options *options = bringup->options;
    const bool dge = options->dge.set_carveout || options->dge.set_mapping;
    return (struct trn_hal_bringup){.core = options->cores.first + index,
                                    .stpb = stpb,
                                    .engine_mask = options->engine_mask,
                                    .no_rings = options->no_rings,
                                    .core_blocks_done = options->engine_mask != 0,
                                    .dma_rings = options->dma_rings,
                                    .nq_size = options->nq_size,
                                    .num_topsps = index == 0 ? options->topsps.count : 0,
                                    .topsps = bringup->topsps,
                                    .dge = dge ? &options->dge : NULL};
}

/* ---- states --------------------------------------------------------------------------------- */

/* A TopSP has one stall, in the local registers of its sequencer (hal-stpb.md 14.1, 14.3). */
static enum bringup_state topsp_state(const struct bringup *bringup, unsigned index)
{
    const struct trn_gen *gen = bringup->options->gen;
    const struct trn_bus *bus = bringup->recorder.inner;
    const uint64_t mem = bringup->topsps[index].mem_handle - bringup->options->bar0;
    uint64_t local = 0;
    uint32_t stall = 0;
    if (trn_hal_get_xt_local_reg_offset(bringup->hal, mem, TRN_HAL_SP, 0, &local) != TRN_OK ||
        bus->read32(bus->context, local + gen->local_run_stall, &stall) != TRN_OK)
        return BRINGUP_UNKNOWN;
    return stall ? BRINGUP_STALLED : BRINGUP_RUNNING;
}

static trn_status read_core_states(struct bringup *bringup, struct bringup_core *core,
                                   struct trn_diag *diag)
{
    struct trn_run_report report;
    const trn_status status = trn_device_select_core(bringup->device, core->core);
    if (status != TRN_OK)
        return trn_diag_set(diag, status, NULL, NULL, NULL, "core %u: %s", core->core,
                            trn_status_name(status));
    trn_device_report(bringup->device, &report);
    for (int e = 0; e < TRN_HAL_ENGINES; e++)
        core->engines[e] =
            report.engines[e].state == TRN_ENGINE_STALLED ? BRINGUP_STALLED : BRINGUP_RUNNING;
    return TRN_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static trn_status bring_core(struct bringup *bringup, unsigned index, struct trn_diag *diag)
{
    struct bringup_core *core = &bringup->cores[index];
    struct trn_hal_stpb stpb;
    core->core = bringup->options->cores.first + index;
    const trn_status status = make_core(bringup, core->core, &stpb);
    if (status != TRN_OK)
        return hal_error(bringup, status, diag);
    const struct trn_hal_bringup plan = make_plan(bringup, index, &stpb);
    core->status = trn_hal_bringup(bringup->hal, &plan, &core->result);
    core->last = bringup->recorder.where;
    bringup->num_cores = index + 1;
    if (bringup->status == TRN_OK)
        bringup->status = core->status;
    return read_core_states(bringup, core, diag);
}

/* A fatal status is one of the bus, not of a core. */
static bool is_fatal(trn_status status)
{
    return status == TRN_ERR_ASSERT || status == TRN_ERR_ABORT;
}

trn_status bringup_do(struct bringup *bringup, struct trn_diag *diag)
{
    const struct bringup_options *options = bringup->options;
    trn_status status = TRN_OK;
    for (unsigned k = 0; k < options->topsps.count && status == TRN_OK; k++)
        status = make_topsp(bringup, options->topsps.first + k, &bringup->topsps[k]);
    if (status != TRN_OK)
        return hal_error(bringup, status, diag);
    for (unsigned n = 0; n < options->cores.count && status == TRN_OK; n++) {
        status = bring_core(bringup, n, diag);
        if (is_fatal(bringup->cores[n].status))
            break;
    }
    for (unsigned k = 0; k < options->topsps.count && status == TRN_OK; k++)
        bringup->topsp_states[k] = topsp_state(bringup, k);
    if (status == TRN_OK && bringup->recorder.lost)
        return trn_diag_set(diag, TRN_ERR_NO_MEMORY, NULL, NULL, NULL, "out of memory");
    return status;
}
