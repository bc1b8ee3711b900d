/* SPDX-License-Identifier: Apache-2.0 */
/* One core: wires memory, semaphores, engines and sequencers together. */
#include <stdlib.h>

#include "device/core.h"
#include "engine/state.h"
#include "mem/store.h"

/* ---- where a core lies --------------------------------------------------------------- */

uint64_t trn_tpb_window(const struct trn_gen *gen, unsigned number)
{
    return gen->bar0_tpb + number * gen->bar0_tpb_stride;
}

uint64_t trn_tpb_engine(const struct trn_tpb *tpb, int engine)
{
    const struct trn_gen *gen = tpb->device->gen;
    const uint32_t bases[TRN_ENGINES] = {gen->bar_engine_pe, gen->bar_engine_act,
                                         gen->bar_engine_pool, gen->bar_engine_dve,
                                         gen->bar_engine_sp};
    return trn_tpb_window(gen, tpb->number) + bases[engine];
}

/* No distance from core to core holds for every generation (address-map.md 4.2): the aperture of
 * the window says it, or, where the map has none, the description. */
uint64_t trn_tpb_soc(const struct trn_gen *gen, unsigned number)
{
    uint32_t copy = 0;
    uint64_t address = 0;
    const struct trn_aperture_row *row =
        trn_aperture_at(gen, TRN_APERTURE_BAR0, trn_tpb_window(gen, number), &copy);
    if (row && trn_aperture_soc(gen, row, copy, &address))
        return address;
    return gen->tpb_soc_base + number * gen->tpb_soc_stride;
}

/* ---- life ---------------------------------------------------------------------------- */

/* Core 0 has the content, and the order of turns, of a device with one core. */
static uint64_t seed_of(uint64_t seed, unsigned number)
{
    return number == 0 || seed == 0 ? seed : trn_reset_word(seed, UINT64_C(8) * number);
}

static trn_status create_memory(struct trn_tpb *tpb, struct trn_device *device)
{
    const struct trn_device_options *options = &device->options;
    const uint64_t seed = options->reset_seed;
    tpb->stack = trn_stack_of(device, tpb->number);
    const trn_status status = trn_stack_open(device, tpb->stack);
    if (status != TRN_OK)
        return status;
    const struct trn_mem_options memory = {
        .reset = options->reset,
        .reset_seed = tpb->number == 0 ? seed : trn_reset_word(seed, UINT64_C(8) * tpb->number),
        .track = options->track,
        .hbm = tpb->stack->hbm,
        .hbm_tracker = tpb->stack->tracker};
    return trn_mem_create(device->gen, &memory, &tpb->mem, NULL);
}

static trn_status create_view(struct trn_tpb *tpb, struct trn_device *device)
{
    const struct trn_gen *gen = device->gen;
    size_t count = 0;
    tpb->windows = trn_soc_windows(device, tpb->number, &count);
    if (!tpb->windows)
        return TRN_ERR_NO_MEMORY;
    tpb->soc = trn_soc_of(tpb->mem, tpb->stack->soc, tpb->windows, count);
    tpb->soc.sbuf_base = trn_tpb_soc(gen, tpb->number);
    tpb->soc.psum_base = tpb->soc.sbuf_base + gen->tpb_device_rebase + gen->psum_base;
    tpb->core = (struct trn_core){.gen = gen,
                                  .mem = tpb->mem,
                                  .soc = &tpb->soc,
                                  .sync = &tpb->sync,
                                  .state = tpb->state,
                                  .workers = device->workers,
                                  .choices = &device->choices,
                                  .strict_pc_bounds = device->options.strict_pc_bounds,
                                  .assert_as_zero_word = device->options.assert_as_zero_word,
                                  .bypass_pe_reg_write = device->options.pe_bypass_reg_write,
                                  .context = tpb,
                                  .record = trn_post_record,
                                  .dma = trn_core_dma_word,
                                  .kernel_line = trn_post_kernel_line,
                                  .numeric_wanted = trn_post_numeric_wanted,
                                  .numeric = trn_post_numeric,
                                  .forget = trn_post_forget};
    return TRN_OK;
}

static trn_status create_sequencers(struct trn_tpb *tpb)
{
    for (int e = 0; e < TRN_ENGINES; e++) {
        const trn_status status = trn_seq_create(&tpb->seq[e], &tpb->core, e);
        if (status != TRN_OK)
            return status;
        tpb->num_seqs++;
    }
    return TRN_OK;
}

static trn_status create(struct trn_device *device, struct trn_tpb *tpb)
{
    tpb->sync.compare_unsigned = device->options.semaphores_unsigned;
    trn_scheduler_init(&tpb->scheduler, seed_of(device->options.schedule_seed, tpb->number));
    trn_status status = create_memory(tpb, device);
    if (status == TRN_OK)
        status = trn_engine_state_create(device->gen, &tpb->state);
    if (status == TRN_OK) {
        tpb->state->pool.library = device->options.pool_library;
        tpb->state->pool.codec = device->options.cptc_codec;
        tpb->state->vector.options = device->options.vector;
        tpb->state->act.negzero_is_zero = device->options.act_negzero_is_zero;
        tpb->state->act.exact = device->options.act_exact;
        tpb->state->act.strict = device->options.act_strict;
        tpb->state->pe.convlut.per_partition = device->options.convlut_per_partition;
        tpb->state->pe.options.eager_zero = device->options.psum_eager_zero;
        tpb->state->pe.options.strict = device->options.pe_strict;
        trn_converters_open(tpb);
        trn_converters_reset(tpb);
        status = create_view(tpb, device);
        trn_trace_attach(tpb);
    }
    if (status == TRN_OK)
        status = create_sequencers(tpb);
    return status == TRN_OK ? trn_watch_open(tpb, &device->options) : status;
}

trn_status trn_device_tpb(struct trn_device *device, unsigned number, struct trn_tpb **out)
{
    *out = device->tpb[number];
    if (*out)
        return TRN_OK;
    struct trn_tpb *tpb = calloc(1, sizeof *tpb);
    if (!tpb)
        return TRN_ERR_NO_MEMORY;
    tpb->device = device;
    tpb->number = number;
    const trn_status status = create(device, tpb);
    if (status != TRN_OK) {
        trn_tpb_destroy(tpb);
        return status;
    }
    *out = device->tpb[number] = tpb;
    return TRN_OK;
}

void trn_tpb_destroy(struct trn_tpb *tpb)
{
    if (!tpb)
        return;
    for (size_t e = 0; e < tpb->num_seqs; e++)
        trn_seq_destroy(&tpb->seq[e]);
    trn_core_dma_close(tpb);
    trn_log_free(&tpb->log);
    trn_watch_close(tpb);
    trn_engine_state_destroy(tpb->state);
    free(tpb->windows);
    trn_mem_destroy(tpb->mem);
    free(tpb);
}
