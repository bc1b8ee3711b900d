/* SPDX-License-Identifier: Apache-2.0 */
/* Life of a DMA engine, its turns, and what it says about itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dma/udma_state.h"
#include "gen/device_rows.h"

/* ---- life
 * ---------------------------------------------------------------------------------------- */

trn_status trn_udma_create(const struct trn_udma_map *map, unsigned number,
                           const struct trn_udma_ports *ports, struct trn_udma **out)
{
    *out = NULL;
    struct trn_udma *const engine = calloc(1, sizeof *engine);
    uint32_t *const words = calloc(map->num_words, sizeof *words);
    if (!engine || !words) {
        free(engine);
        free(words);
        return TRN_ERR_NO_MEMORY;
    }
    engine->map = map;
    engine->ports = *ports;
    engine->number = number;
    engine->words = words;
    for (unsigned q = 0; q < TRN_UDMA_QUEUES; q++) {
        trn_udma_reset_ring(engine, TRN_UDMA_M2S, q);
        trn_udma_reset_ring(engine, TRN_UDMA_S2M, q);
    }
    trn_udma_common_source(&engine->common);
    trn_udma_apply_registers(engine);
    *out = engine;
    return TRN_OK;
}

void trn_udma_destroy(struct trn_udma *engine)
{
    if (!engine)
        return;
    for (unsigned q = 0; q < TRN_UDMA_QUEUES; q++)
        free(engine->lane[q].stage);
    free(engine->bounce);
    free(engine->words);
    free(engine);
}

void trn_udma_reset(struct trn_udma *engine)
{
    for (unsigned q = 0; q < TRN_UDMA_QUEUES; q++)
        for (int half = 0; half < TRN_UDMA_HALVES; half++) {
            engine->ring[half][q] = (struct trn_udma_ring){.base = 0};
            trn_udma_reset_ring(engine, (enum trn_udma_half)half, q);
        }
    memset(engine->group, 0, sizeof engine->group);
    memset(engine->words, 0, engine->map->num_words * sizeof *engine->words);
    for (int half = 0; half < TRN_UDMA_HALVES; half++)
        engine->aborted[half] = engine->normal[half] = false;
    engine->fault = (struct trn_udma_fault){.status = TRN_OK};
    engine->turn = 0;
    engine->paused = 0;
    memset(engine->qos, 0, sizeof engine->qos);
    engine->most_qos = 0;
    trn_udma_apply_registers(engine);
}

/* ---- turns
 * ----------------------------------------------------------------------------------------- */

/* Queues that may be served. */
static uint16_t waiting(const struct trn_udma *engine)
{
    return (uint16_t)(engine->pending & ~engine->paused);
}

bool trn_udma_ready(const struct trn_udma *engine)
{
    return waiting(engine) != 0 && !trn_udma_is_aborted(engine) && !engine->running &&
           !trn_udma_is_stopped(engine);
}

/* Queue with something to do whose turn is next. */
static unsigned next_queue(const struct trn_udma *engine)
{
    const uint16_t left = waiting(engine);
    unsigned queue = engine->turn, best = TRN_UDMA_QUEUES;
    for (unsigned i = 0; i < TRN_UDMA_QUEUES; i++, queue = (queue + 1) % TRN_UDMA_QUEUES) {
        if (!trn_bits_get(left, queue, 1))
            continue;
        if (engine->qos[queue] == engine->most_qos)
            return queue;
        if (best == TRN_UDMA_QUEUES || engine->qos[queue] > engine->qos[best])
            best = queue;
    }
    return best;
}

uint64_t trn_udma_run(struct trn_udma *engine, uint64_t packets)
{
    uint64_t done = 0;
    if (engine->running) /* a transfer wrote a register of its own engine */
        return 0;
    engine->running = true;
    while (waiting(engine) && !trn_udma_is_aborted(engine) && !trn_udma_is_stopped(engine) &&
           (packets == 0 || done < packets)) {
        const unsigned queue = next_queue(engine);
        /* before the turn: a doorbell that comes from inside of it counts */
        engine->pending = (uint16_t)trn_bits_set(engine->pending, queue, 1, 0);
        const uint64_t ended =
            trn_udma_turn(engine, queue, packets == 0 ? UINT64_MAX : packets - done);
        if (ended > 0) {
            done += ended;
            engine->pending = (uint16_t)trn_bits_set(engine->pending, queue, 1, 1);
            engine->turn = (uint8_t)((queue + 1) % TRN_UDMA_QUEUES);
        } else if (trn_udma_is_stopped(engine)) { /* not because it has nothing to do */
            engine->pending = (uint16_t)trn_bits_set(engine->pending, queue, 1, 1);
        }
    }
    engine->running = false;
    return done;
}

uint64_t trn_udma_retired(const struct trn_udma *engine)
{
    return engine->retired;
}

/* ---- what it says about itself
 * ---------------------------------------------------------------------- */

struct trn_udma_queue_view trn_udma_queue(const struct trn_udma *engine, enum trn_udma_half half,
                                          unsigned queue)
{
    const struct trn_udma_ring *const ring = &engine->ring[half][queue];
    struct trn_udma_queue_view view = {.state = TRN_UDMA_QUEUE_DISABLED,
                                       .base = ring->base,
                                       .length = ring->length,
                                       .head = ring->head,
                                       .tail = ring->tail,
                                       .current = ring->current,
                                       .completion = ring->comp,
                                       .used = ring->used,
                                       .packets = ring->packets,
                                       .bytes = ring->bytes,
                                       .ignored = ring->ignored,
                                       .over_doorbell = ring->over_doorbell};
    if (engine->aborted[half] || ring->stuck)
        view.state = TRN_UDMA_QUEUE_ABORTED;
    else if (ring->enabled)
        view.state = TRN_UDMA_QUEUE_ENABLED;
    return view;
}

struct trn_udma_fault trn_udma_fault(const struct trn_udma *engine)
{
    return engine->fault;
}

static const char *cause_text(const struct trn_udma_fault *fault)
{
    for (size_t i = 0; i < trn_num_dma_causes; i++)
        if (trn_dma_cause_table[i].group == fault->group &&
            trn_dma_cause_table[i].bit == fault->cause)
            return trn_dma_cause_table[i].cause;
    return "no cause of the hardware";
}

/* What would have been right, by the kind of failure. */
static const char *right(const struct trn_udma_fault *fault)
{
    switch (fault->status) {
    case TRN_ERR_FORMAT:
        return "the ring id starts at 1 and steps mod 4 with each wrap";
    case TRN_ERR_UNSUPPORTED:
        return "a copy, compute ADD FMA MAX MIN EXT within the element limit, or a transpose";
    case TRN_ERR_INVALID:
        return "FIRST opens and LAST ends a packet; destinations end where their packet ends";
    case TRN_ERR_TOO_LARGE:
        return "a packet within max_desc_per_pkt and max_pkt_size";
    case TRN_ERR_NO_MEMORY:
        return "more host memory";
    default:
        return "an address of HBM, SBUF, PSUM, a register or mapped host memory";
    }
}

trn_status trn_udma_explain_fault(const struct trn_udma *engine, struct trn_diag *diag)
{
    const struct trn_udma_fault *const fault = &engine->fault;
    const struct trn_udma_ring *const ring = &engine->ring[fault->half][fault->queue];
    char where[64], cause[8] = "none";
    if (fault->status == TRN_OK)
        return TRN_OK;
    const char *const half = fault->half == TRN_UDMA_M2S ? "M2S" : "S2M";
    snprintf(where, sizeof where, "dma%u %s queue %u descriptor %u", engine->number, half,
             fault->queue, fault->index);
    if (fault->status == TRN_ERR_UNSUPPORTED)
        return trn_diag_set(diag, fault->status, where, NULL, right(fault),
                            "%s of udma.md is not modelled: no cause of the hardware, both halves "
                            "went to abort; the source is 0x%llx, the ring of %u at 0x%llx",
                            trn_udma_form_name(&engine->lane[fault->queue].tx),
                            (unsigned long long)fault->address, ring->length,
                            (unsigned long long)ring->base);
    if (fault->group)
        snprintf(cause, sizeof cause, "%c%u", fault->group, fault->cause);
    return trn_diag_set(
        diag, fault->status, where, NULL, right(fault),
        "cause %s (%s) at address 0x%llx, ring of %u at 0x%llx; both halves went to "
        "abort",
        cause, cause_text(fault), (unsigned long long)fault->address, ring->length,
        (unsigned long long)ring->base);
}
