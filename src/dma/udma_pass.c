/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors that somebody else carries out in a queue of this engine: the generator's, over rings
 * of a host (docs/hardware/dge.md 6.7, udma.md 7). */
#include "dma/udma_state.h"

/* Descriptors that ring their own doorbell must not hold their owner for ever. */
enum { MOST_PACKETS = 1 << 20 };

void trn_udma_settle(struct trn_udma *engine, unsigned queue)
{
    if (engine->running || trn_bits_get(engine->paused, queue, 1))
        return;
    engine->running = true;
    uint64_t done = 0, ended = 1;
    while (ended > 0 && done < MOST_PACKETS) {
        ended = trn_udma_turn(engine, queue, MOST_PACKETS - done);
        done += ended;
    }
    engine->running = false;
}

/* They are fetched where they stand, and done at once. */
static void pass(struct trn_udma *engine, enum trn_udma_half half, unsigned queue, uint32_t n)
{
    struct trn_udma_ring *const ring = &engine->ring[half][queue];
    if (!trn_udma_has_ring(ring))
        return;
    ring->tail = trn_udma_behind(ring->tail, n, ring->length);
    ring->head = trn_udma_behind(ring->head, n, ring->length);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t resets = engine->lane[queue].resets;
        ring->used++;
        trn_udma_complete(engine, half, queue, i == 0, i + 1 == n, false);
        if (engine->lane[queue].resets != resets) /* a completion wrote a register of the engine */
            return;
    }
}

void trn_udma_pass(struct trn_udma *engine, unsigned queue, uint32_t tx, uint32_t rx)
{
    pass(engine, TRN_UDMA_S2M, queue, rx);
    pass(engine, TRN_UDMA_M2S, queue, tx);
}
