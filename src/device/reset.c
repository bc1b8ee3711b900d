/* SPDX-License-Identifier: Apache-2.0 */
/* Hardware reset of a part of the device (docs/hardware/pci-function.md 5.3). */
#include <string.h>

#include "base/bytes.h"

#include "device/core.h"
#include "engine/state.h"
#include "mem/tracker.h"

static void reset_words(const struct trn_region *region)
{
    memset(region->words, 0, region->size);
    trn_reg_reset(region->layout, region->words);
}

/* Events and semaphores; who listens stays. */
static void reset_sync(struct trn_sync *sync)
{
    for (unsigned i = 0; sync->watch && i < TRN_NUM_SEMAPHORES; i++)
        if (sync->semaphore[i] != 0)
            trn_sync_clear(sync, TRN_SYNC_BY_BUS, (uint8_t)i);
    memset(sync->semaphore, 0, sizeof sync->semaphore);
    memset(sync->event, 0, sizeof sync->event);
}

static void reset_region(const struct trn_region *region)
{
    switch (region->kind) {
    case TRN_REGION_NOTIFIC:
        trn_notific_reset(region->notific->block);
        return;
    case TRN_REGION_UDMA:
        trn_udma_reset(region->udma->engine);
        return;
    case TRN_REGION_SYNC:
        reset_sync(region->sync);
        return;
    case TRN_REGION_LOCAL:
        if (region->seq) /* with its core */
            return;
        break;
    case TRN_REGION_REGS:
    case TRN_REGION_STATE:
    case TRN_REGION_INTC:
        break;
    case TRN_REGION_NONE:
    case TRN_REGION_PLANE:
    case TRN_REGION_RAM:
    case TRN_REGION_EMPTY:
        return;
    }
    reset_words(region);
}

static void reset_core(struct trn_tpb *tpb)
{
    struct trn_tracker *const tracker = trn_mem_tracker(tpb->mem, TRN_SPACE_SBUF);
    reset_sync(&tpb->sync);
    trn_engine_state_reset(tpb->state, tpb->device->gen);
    trn_converters_reset(tpb);
    for (size_t e = 0; e < tpb->num_seqs; e++)
        trn_seq_reset(&tpb->seq[e]);
    trn_core_dma_close(tpb); /* made anew at the next word */
    tpb->dma.aborted = false;
    if (tracker)
        trn_tracker_reset(tracker);
}

void trn_device_reset(struct trn_device *device, uint32_t cores,
                      bool (*covers)(const void *context, const struct trn_block *block),
                      const void *context)
{
    for (unsigned core = 0; core < TRN_MAX_CORES; core++)
        if (device->tpb[core] && trn_bits_get(cores, core, 1))
            reset_core(device->tpb[core]);
    for (size_t i = 0; i < device->regions.count; i++) {
        const struct trn_region *const region = device->regions.list[i];
        const struct trn_block *const block = trn_block_at(device->gen, region->start);
        if (block && covers(context, block))
            reset_region(region);
    }
    if (device->race) /* what comes now is behind the host's reset */
        trn_race_run_ends(device, true);
}

void trn_device_forget_hbm(struct trn_device *device)
{
    for (unsigned i = 0; i < device->num_stacks; i++)
        if (device->stacks[i].tracker)
            trn_tracker_reset(device->stacks[i].tracker);
}
