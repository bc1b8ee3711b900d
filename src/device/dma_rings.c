/* SPDX-License-Identifier: Apache-2.0 */
/* Queues of a core's DMA engines that a host set up, for the descriptor generator
 * (docs/hardware/dge.md 6.7). */
#include "device/core.h"
#include "device/dma.h"
#include "dma/udma_state.h"

/* Engines are made at their first access and stay: the list grows at its head. */
static void find_engines(struct trn_tpb *tpb)
{
    struct trn_core_dma *const dma = &tpb->dma;
    const unsigned per_core = tpb->device->gen->dma_engines_per_core;
    const unsigned first = tpb->number * per_core;
    for (struct trn_wired_udma *at = tpb->device->udmas; at != dma->known; at = at->next)
        if (at->number >= first && at->number - first < per_core &&
            at->number - first < TRN_CORE_DMAS)
            dma->engine[at->number - first] = at->engine;
    dma->known = tpb->device->udmas;
}

static struct trn_dge_queue_ring ring_of(const struct trn_udma *engine, enum trn_udma_half half,
                                         unsigned queue)
{
    const struct trn_udma_queue_view view = trn_udma_queue(engine, half, queue);
    return (struct trn_dge_queue_ring){.base = view.base,
                                       .length = view.length,
                                       .tail = view.tail.index,
                                       .used = view.used,
                                       .ring_id = view.tail.ring_id};
}

bool trn_core_dma_queue(void *context, unsigned dma, unsigned queue, struct trn_dge_queue *out)
{
    struct trn_tpb *const tpb = context;
    if (tpb->dma.known != tpb->device->udmas)
        find_engines(tpb);
    struct trn_udma *const engine = dma < TRN_CORE_DMAS ? tpb->dma.engine[dma] : NULL;
    if (!engine || queue >= TRN_UDMA_QUEUES)
        return false;
    trn_udma_settle(engine, queue);
    const enum trn_udma_queue_state tx = trn_udma_queue(engine, TRN_UDMA_M2S, queue).state,
                                    rx = trn_udma_queue(engine, TRN_UDMA_S2M, queue).state;
    *out = (struct trn_dge_queue){
        .ring = {ring_of(engine, TRN_UDMA_M2S, queue), ring_of(engine, TRN_UDMA_S2M, queue)},
        .enabled = tx == TRN_UDMA_QUEUE_ENABLED && rx == TRN_UDMA_QUEUE_ENABLED,
        .failed = tx == TRN_UDMA_QUEUE_ABORTED || rx == TRN_UDMA_QUEUE_ABORTED};
    return true;
}

void trn_core_dma_passed(void *context, unsigned dma, unsigned queue,
                         const uint32_t n[TRN_DGE_SIDES])
{
    const struct trn_tpb *const tpb = context;
    if (dma < TRN_CORE_DMAS && tpb->dma.engine[dma] && queue < TRN_UDMA_QUEUES)
        trn_udma_pass(tpb->dma.engine[dma], queue, n[TRN_DGE_SRC], n[TRN_DGE_DST]);
}
