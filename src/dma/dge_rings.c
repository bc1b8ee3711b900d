/* SPDX-License-Identifier: Apache-2.0 */
/* Rings that a host gave the queue of a DMA engine: the generator's descriptors go there
 * (dge.md 6.7, 8.6; udma.md 4, 7). */
#include <stdio.h>

#include "dma/dge.h"
#include "udma_pack.h"

static const char *const half_names[TRN_DGE_SIDES] = {"M2S", "S2M"};

/* ---- which queues are of use ------------------------------------------------------------------
 */

/* The first thing that is wrong is the answer when no engine is left. */
static void exclude(struct dge_run_state *w, unsigned dma, const char *what)
{
    w->usable = (uint32_t)trn_bits_set(w->usable, dma, 1, 0);
    if (!w->outcome->reason[0])
        snprintf(w->outcome->reason, sizeof w->outcome->reason, "queue %u of DMA engine %u %s",
                 w->queue, dma, what);
}

/* Both ends of a ring can be read: it is where the host says it is. */
static bool is_reachable(const struct dge_run_state *w, const struct trn_dge_queue_ring *ring)
{
    const struct trn_dge_ports *const ports = &w->dge->ports;
    uint8_t raw[TRN_DGE_DESC_BYTES];
    const uint64_t last = ring->base + (uint64_t)(ring->length - 1) * TRN_DGE_DESC_BYTES;
    return last >= ring->base &&
           ports->read(ports->context, ring->base, raw, sizeof raw) == TRN_OK &&
           ports->read(ports->context, last, raw, sizeof raw) == TRN_OK;
}

static bool is_given(const struct trn_dge_queue_ring *ring)
{
    return ring->base != 0 && ring->length != 0;
}

/* Why the queue cannot be used; NULL: it can. */
static const char *unusable(const struct dge_run_state *w, const struct trn_dge_queue *queue,
                            char *text, size_t size)
{
    const bool tx = is_given(&queue->ring[TRN_DGE_SRC]), rx = is_given(&queue->ring[TRN_DGE_DST]);
    if (!tx || !rx) {
        snprintf(text, size,
                 "has no %s ring (length and base are not 0 in a ring): initialise "
                 "both halves, or none",
                 half_names[tx ? TRN_DGE_DST : TRN_DGE_SRC]);
        return text;
    }
    if (queue->failed)
        return "is at fault: reset the queue and set its engine to normal";
    if (!queue->enabled)
        return "is paused: set the enable bits of cfg in both halves";
    for (unsigned side = 0; side < TRN_DGE_SIDES; side++) {
        const struct trn_dge_queue_ring *const ring = &queue->ring[side];
        if (!is_reachable(w, ring)) {
            snprintf(text, size, "has its %s ring of %u descriptors at 0x%llx, where no memory is",
                     half_names[side], (unsigned)ring->length, (unsigned long long)ring->base);
            return text;
        }
        if (ring->used) {
            snprintf(text, size, "holds %u %s descriptors that wait for their other half",
                     (unsigned)ring->used, half_names[side]);
            return text;
        }
    }
    return NULL;
}

static void take_rings(struct dge_run_state *w, unsigned dma, const struct trn_dge_queue *queue)
{
    struct dge_given *const given = &w->host[dma];
    w->given = (uint32_t)trn_bits_set(w->given, dma, 1, 1);
    for (unsigned side = 0; side < TRN_DGE_SIDES; side++) {
        const struct trn_dge_queue_ring *const ring = &queue->ring[side];
        given->ring[side] = (struct dge_given_ring){
            .base = ring->base, .length = ring->length, .at = ring->tail, .ring_id = ring->ring_id};
        if (ring->length - DGE_RESERVED < w->room) {
            w->room = ring->length - DGE_RESERVED;
            w->room_dma = (uint8_t)dma;
        }
    }
}

static void look_at(struct dge_run_state *w, unsigned dma)
{
    const struct trn_dge_ports *const ports = &w->dge->ports;
    struct trn_dge_queue queue = {.enabled = false};
    char text[128];
    if (!ports->queue(ports->context, dma, w->queue, &queue) ||
        (!is_given(&queue.ring[TRN_DGE_SRC]) && !is_given(&queue.ring[TRN_DGE_DST]))) {
        if (w->dge->options.host_rings_only)
            exclude(w, dma, "was never initialised: give it rings, 32 descriptors or more");
        return;
    }
    const char *const why = unusable(w, &queue, text, sizeof text);
    if (why)
        exclude(w, dma, why);
    else
        take_rings(w, dma, &queue);
}

void dge_find_rings(struct dge_run_state *w)
{
    enum { DMAS = 16 };
    w->room = UINT32_MAX;
    if (!w->dge->ports.queue) {
        if (w->dge->options.host_rings_only) {
            exclude(w, 0, "has no host that could initialise it");
            w->usable = 0;
        }
        return;
    }
    for (unsigned dma = 0; dma < DMAS; dma++)
        if (trn_bits_get(w->usable, dma, 1))
            look_at(w, dma);
    if (w->usable)
        w->outcome->reason[0] = '\0';
    if (w->given)
        dge_choice(w->dge, TRN_CHOICE_DGE_HOST_RINGS);
}

/* ---- credits (8.6) ----------------------------------------------------------------------------
 */

void dge_take_credits(struct dge_run_state *w)
{
    const uint32_t own = w->context->budget;
    w->budget = w->room < own ? w->room : own;
    w->outcome->credits = w->budget;
}

/* ---- descriptors go in, and are done ----------------------------------------------------------
 */

void dge_put_in_ring(struct dge_run_state *w, enum trn_dge_side side, unsigned dma, uint8_t *raw)
{
    enum { RING_IDS = 4 };
    const struct trn_dge_ports *const ports = &w->dge->ports;
    struct dge_given_ring *const ring = &w->host[dma].ring[side];
    if (side == TRN_DGE_SRC) {
        struct trn_udma_tx tx = trn_udma_tx_unpack(raw);
        tx.ring_id = ring->ring_id;
        trn_udma_tx_pack(&tx, raw);
    } else {
        struct trn_udma_rx rx = trn_udma_rx_unpack(raw);
        rx.ring_id = ring->ring_id;
        trn_udma_rx_pack(&rx, raw);
    }
    ports->write(ports->context, ring->base + (uint64_t)ring->at * TRN_DGE_DESC_BYTES, raw,
                 TRN_DGE_DESC_BYTES);
    if (++ring->at == ring->length) {
        ring->at = 0;
        ring->ring_id = (uint8_t)((ring->ring_id + 1) % RING_IDS);
    }
    ring->put++;
}

void dge_pass(struct dge_run_state *w)
{
    enum { DMAS = 16 };
    const struct trn_dge_ports *const ports = &w->dge->ports;
    for (unsigned dma = 0; dma < DMAS; dma++) {
        struct dge_given *const given = &w->host[dma];
        if (!trn_bits_get(w->given, dma, 1) ||
            given->ring[TRN_DGE_SRC].put + given->ring[TRN_DGE_DST].put == 0)
            continue;
        const uint32_t n[TRN_DGE_SIDES] = {given->ring[TRN_DGE_SRC].put,
                                           given->ring[TRN_DGE_DST].put};
        given->ring[TRN_DGE_SRC].put = given->ring[TRN_DGE_DST].put = 0;
        if (ports->passed)
            ports->passed(ports->context, dma, w->queue, n);
    }
}

/* ---- bytes of a packet (6.6) ------------------------------------------------------------------
 */

trn_status trn_dge_set_priority_class_map(struct trn_dge *dge, const uint32_t *map, size_t n,
                                          struct trn_diag *diag)
{
    const size_t most = DGE_CLASSES - 1;
    if (!map || n > most)
        return trn_diag_set(diag, TRN_ERR_INVALID, "dge_set_priority_class_map", "error 8",
                            "a map of classes 1 to 4; class 0 is the firmware's own",
                            "%zu entries%s", n, map ? "" : " at NULL");
    for (size_t i = 0; i < n; i++)
        dge->packet_bytes[1 + i] = map[i];
    return TRN_OK;
}

uint32_t dge_packet_bytes(const struct dge_run_state *w)
{
    const uint32_t most = DGE_PACKET_BYTES;
    const uint32_t wanted =
        w->req.priority < DGE_CLASSES ? w->dge->packet_bytes[w->req.priority] : 0;
    return wanted != 0 && wanted < most ? wanted : most;
}
