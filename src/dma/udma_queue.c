/* SPDX-License-Identifier: Apache-2.0 */
/* One ring: reset, doorbell, fetch, completion (docs/hardware/udma.md 4.3, 7, 10). */
#include <string.h>

#include "dma/udma_state.h"
#include "udma_pack.h"

static const struct trn_udma_pointer start = {.index = 0, .ring_id = 1}; /* 4.3 */

/* ---- reset ----------------------------------------------------------------------------------- */

void trn_udma_reset_lane(struct trn_udma *engine, unsigned queue)
{
    struct trn_udma_lane *const lane = &engine->lane[queue];
    *lane = (struct trn_udma_lane){
        .resets = lane->resets + 1, .stage = lane->stage, .stage_room = lane->stage_room};
}

void trn_udma_reset_ring(struct trn_udma *engine, enum trn_udma_half half, unsigned queue)
{
    struct trn_udma_ring *const ring = &engine->ring[half][queue];
    ring->head = ring->tail = ring->current = ring->comp = ring->comp_shown = start;
    ring->unfetched = ring->used = 0;
    ring->first = ring->count = 0;
    ring->stuck = ring->over_doorbell = false;
    ring->packets = ring->bytes = ring->ignored = 0;
    trn_udma_reset_lane(engine, queue);
}

void trn_udma_set_length(struct trn_udma *engine, enum trn_udma_half half, unsigned queue,
                         uint32_t length)
{
    struct trn_udma_ring *const ring = &engine->ring[half][queue];
    ring->length = length;
    struct trn_udma_pointer *const pointers[] = {&ring->head, &ring->tail, &ring->current,
                                                 &ring->comp, &ring->next};
    for (size_t i = 0; i < sizeof pointers / sizeof pointers[0]; i++)
        if (pointers[i]->index >= length)
            pointers[i]->index = 0;
    if (ring->unfetched > length)
        ring->unfetched = length;
    if (ring->used > length)
        ring->used = length;
}

/* ---- doorbell ---------------------------------------------------------------------------------
 */

void trn_udma_doorbell(struct trn_udma *engine, enum trn_udma_half half, unsigned queue, uint32_t n)
{
    struct trn_udma_ring *const ring = &engine->ring[half][queue];
    if (!trn_udma_has_ring(ring)) {
        ring->ignored++;
        return;
    }
    ring->tail = trn_udma_behind(ring->tail, n, ring->length);
    if (n > ring->length - ring->used) {
        ring->over_doorbell = true;
        trn_udma_choice(engine, TRN_CHOICE_UDMA_OVER_DOORBELL);
        n = ring->length - ring->used;
    }
    ring->unfetched += n;
    ring->used += n;
    engine->pending = (uint16_t)trn_bits_set(engine->pending, queue, 1, 1);
}

/* ---- fetch -------------------------------------------------------------------------------------
 */

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* 10: up to a burst, never across its boundary or the end of the ring. */
static uint32_t burst(const struct trn_udma *engine, enum trn_udma_half half,
                      const struct trn_udma_ring *ring, uint64_t address)
{
    const uint32_t to_boundary =
        (uint32_t)((TRN_UDMA_BURST_BYTES - address % TRN_UDMA_BURST_BYTES) / TRN_UDMA_DESC_BYTES);
    const uint32_t n = least(least(ring->unfetched, ring->length - ring->head.index), to_boundary);
    return least(n, engine->burst[half]);
}

bool trn_udma_prefetch(struct trn_udma *engine, enum trn_udma_half half, unsigned queue)
{
    struct trn_udma_ring *const ring = &engine->ring[half][queue];
    if (ring->count != 0 || ring->unfetched == 0 || !trn_udma_has_ring(ring))
        return true;
    const uint32_t resets = engine->lane[queue].resets;
    const uint64_t address = ring->base + (uint64_t)ring->head.index * TRN_UDMA_DESC_BYTES;
    const uint32_t n = burst(engine, half, ring, address);
    const trn_status status =
        trn_udma_read_bytes(engine, address, ring->fifo, (uint64_t)n * TRN_UDMA_DESC_BYTES);
    if (engine->lane[queue].resets != resets)
        return false;
    if (status != TRN_OK) {
        static const uint8_t causes[TRN_UDMA_HALVES][2] = {
            {TRN_UDMA_A_DESCRIPTOR_PREFETCH_AXI_RESPONSE_ERROR,
             TRN_UDMA_A_DESCRIPTOR_PREFETCH_AXI_TIMEOUT},
            {TRN_UDMA_B_DESCRIPTOR_PREFETCH_AXI_RESPONSE_ERROR,
             TRN_UDMA_B_DESCRIPTOR_PREFETCH_AXI_TIMEOUT}};
        trn_udma_fail(engine, half, queue, status, TRN_UDMA_GROUP_A + half,
                      causes[half][status == TRN_ERR_TIMEOUT], ring->head.index, address);
        ring->stuck = true; /* nothing to go on with, masked or not */
        return false;
    }
    ring->first = 0;
    ring->count = (uint8_t)n;
    ring->next = ring->head;
    ring->head = trn_udma_behind(ring->head, n, ring->length);
    ring->unfetched -= n;
    return true;
}

const uint8_t *trn_udma_take(struct trn_udma *engine, enum trn_udma_half half, unsigned queue,
                             struct trn_udma_pointer *at)
{
    struct trn_udma_ring *const ring = &engine->ring[half][queue];
    if (ring->stuck || !ring->enabled ||
        (ring->count == 0 && !trn_udma_prefetch(engine, half, queue)) || ring->count == 0)
        return NULL;
    const uint8_t *const raw = ring->fifo + (size_t)ring->first * TRN_UDMA_DESC_BYTES;
    at->index = ring->next.index;
    at->ring_id = ring->next.ring_id;
    trn_udma_pop(ring);
    return raw;
}

/* ---- completion ---------------------------------------------------------------------------------
 */

static void write_completion(struct trn_udma *engine, enum trn_udma_half half, unsigned queue,
                             bool first, bool last)
{
    static const uint8_t causes[TRN_UDMA_HALVES][2] = {
        {TRN_UDMA_A_COMPLETION_WRITE_AXI_RESPONSE_ERROR, TRN_UDMA_A_COMPLETION_WRITE_AXI_TIMEOUT},
        {TRN_UDMA_B_COMPLETION_WRITE_AXI_RESPONSE_ERROR, TRN_UDMA_B_COMPLETION_WRITE_AXI_TIMEOUT}};
    const struct trn_udma_ring *const ring = &engine->ring[half][queue];
    const struct trn_udma_completion done = {
        .ring_id = ring->comp.ring_id, .first = first, .last = last};
    uint8_t raw[TRN_UDMA_DESC_BYTES] = {0};
    trn_udma_completion_pack(&done, raw);
    trn_udma_choice(engine, TRN_CHOICE_UDMA_COMPLETION_RING);
    const uint32_t index = ring->comp.index;
    const uint64_t address = ring->comp_base + (uint64_t)index * TRN_UDMA_DESC_BYTES;
    const trn_status status = trn_udma_write_bytes(engine, address, raw, sizeof raw);
    if (status != TRN_OK)
        trn_udma_fail(engine, half, queue, status, TRN_UDMA_GROUP_A + half,
                      causes[half][status == TRN_ERR_TIMEOUT], index, address);
}

void trn_udma_complete(struct trn_udma *engine, enum trn_udma_half half, unsigned queue, bool first,
                       bool last, bool interrupt)
{
    struct trn_udma_ring *const ring = &engine->ring[half][queue];
    const uint32_t resets = engine->lane[queue].resets;
    if (ring->comp_ring && ring->comp_base != 0)
        write_completion(engine, half, queue, first, last);
    if (engine->lane[queue].resets != resets || ring->used == 0)
        return;
    trn_udma_count_done(engine, ring, last);
    if (interrupt) {
        /* 2.1, model choice: groups B and C have a bit a queue */
        trn_udma_choice(engine, TRN_CHOICE_UDMA_INT_EN);
        trn_udma_raise(engine, half == TRN_UDMA_M2S ? 2 : 1,
                       (uint32_t)trn_bits_set(0, queue, 1, 1));
    }
}
