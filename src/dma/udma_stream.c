/* SPDX-License-Identifier: Apache-2.0 */
/* The common case of a packet, made short: every descriptor a plain copy into a destination of the
 * same length, nobody to tell. Whatever is not that, an error too, is left untouched for the road
 * of udma_packet.c, which does the same and more. */
#include <string.h>

#include "dma/udma_state.h"
#include "udma_pack.h"

static const uint8_t *front(const struct trn_udma_ring *ring)
{
    return ring->fifo + (size_t)ring->first * TRN_UDMA_DESC_BYTES;
}

/* Completions that are written or told. */
static bool is_told(const struct trn_udma *engine, const struct trn_udma_ring *ring)
{
    return engine->ports.record || (ring->comp_ring && ring->comp_base != 0);
}

/* Sources of the common case: what must be 0 or 1 in their first half, as one comparison. */
void trn_udma_common_source(struct trn_udma_pattern *pattern)
{
    const struct trn_udma_tx cared = {.meta = 1,
                                      .int_en = 1,
                                      .swap_result = UINT8_MAX,
                                      .swap_intermediate = UINT8_MAX,
                                      .swap_source = UINT8_MAX,
                                      .swap_initial = UINT8_MAX,
                                      .validate_crc = 1,
                                      .use_stored_crc = 1,
                                      .send_crc = 1,
                                      .store_crc = 1,
                                      .store_source_crc = 1,
                                      .copy_source = 1,
                                      .op_type = UINT8_MAX,
                                      .op = UINT8_MAX};
    const struct trn_udma_tx wanted = {.copy_source = 1, .op = TRN_UDMA_OP_CME};
    uint8_t raw[TRN_UDMA_DESC_BYTES] = {0};
    trn_udma_tx_pack(&cared, raw);
    pattern->cared = trn_get64(raw);
    memset(raw, 0, sizeof raw);
    trn_udma_tx_pack(&wanted, raw);
    pattern->wanted = trn_get64(raw);
}

static bool is_common(const struct trn_udma_pattern *pattern, const uint8_t *raw)
{
    return (trn_get64(raw) & pattern->cared) == pattern->wanted;
}

/* What a burst of descriptors has come to. */
struct progress {
    uint32_t done;  /* descriptors of both rings */
    uint32_t ended; /* packets */
    uint64_t bytes;
    uint32_t packet_descs;
    uint64_t packet_bytes;
    bool in_packet;
    struct {
        uint8_t *to;
        const uint8_t *from;
        uint32_t size;
    } move[TRN_UDMA_BURST];
};

/* Both ends as pointers; the accesses are reported by asking (udma.h), in the order of the moves.
 */
static bool find(const struct trn_udma_ports *ports, uint64_t source, uint64_t destination,
                 uint32_t size, struct progress *progress)
{
    uint8_t *from = NULL, *to = NULL;
    uint64_t have = 0;
    if (ports->map(ports->context, source, size, false, &from, &have) != TRN_OK || !from ||
        have < size)
        return false;
    if (ports->map(ports->context, destination, size, true, &to, &have) != TRN_OK || !to ||
        have < size)
        return false;
    progress->move[progress->done].to = to;
    progress->move[progress->done].from = from;
    progress->move[progress->done].size = size;
    return true;
}

/* One descriptor of each ring; false: not of this road, nothing was done. */
static bool one(const struct trn_udma *engine, const struct trn_udma_ring *from,
                const struct trn_udma_ring *to, struct progress *progress)
{
    const uint8_t *const raw = front(from) + (size_t)progress->done * TRN_UDMA_DESC_BYTES;
    const struct trn_udma_tx tx = trn_udma_tx_unpack(raw);
    const struct trn_udma_rx rx =
        trn_udma_rx_unpack(front(to) + (size_t)progress->done * TRN_UDMA_DESC_BYTES);
    if (!is_common(&engine->common, raw) || tx.length != rx.length || rx.int_en ||
        tx.ring_id != from->next.ring_id || rx.ring_id != to->next.ring_id ||
        tx.first == progress->in_packet)
        return false;
    const uint32_t size = trn_udma_bytes(tx.length);
    const uint32_t descs = tx.first ? 1 : progress->packet_descs + 1;
    const uint64_t bytes = tx.first ? size : progress->packet_bytes + size;
    if (descs > engine->max_descs || bytes > engine->max_packet ||
        !find(&engine->ports, tx.source, rx.destination, size, progress))
        return false;
    progress->packet_descs = descs;
    progress->packet_bytes = bytes;
    progress->in_packet = !tx.last;
    progress->ended += tx.last;
    progress->bytes += size;
    progress->done++;
    return true;
}

static void count_ring(struct trn_udma *engine, struct trn_udma_ring *ring,
                       const struct progress *progress)
{
    const uint32_t n = progress->done;
    engine->retired += n;
    ring->next = trn_udma_behind(ring->next, n, ring->length);
    ring->current = trn_udma_behind(ring->current, n, ring->length);
    ring->comp = trn_udma_behind(ring->comp, n, ring->length);
    if (engine->report_head)
        ring->comp_shown = ring->comp;
    ring->first = (uint8_t)(ring->first + n);
    ring->count = (uint8_t)(ring->count - n);
    ring->used -= n;
    ring->packets += progress->ended;
    ring->bytes += progress->bytes;
}

/* What is prefetched in both rings: none of it crosses the end of its ring, so that one ring id
 * holds for all. Returns the packets that ended; *left: the next descriptor is not of this road. */
static uint32_t burst(struct trn_udma *engine, struct trn_udma_lane *lane,
                      struct trn_udma_ring *from, struct trn_udma_ring *to, uint64_t most,
                      bool *left)
{
    struct progress progress;
    progress.done = progress.ended = 0;
    progress.bytes = 0;
    progress.packet_descs = lane->packet_descs;
    progress.packet_bytes = lane->packet_bytes;
    progress.in_packet = lane->in_packet;
    const uint32_t n = from->count < to->count ? from->count : to->count;
    while (!*left && progress.done < n && progress.ended < most)
        *left = !one(engine, from, to, &progress);
    if (progress.done == 0)
        return 0;
    /* one behind the other, so that the host has several in flight; 3: read all, then write */
    for (uint32_t i = 0; i < progress.done; i++)
        memmove(progress.move[i].to, progress.move[i].from, progress.move[i].size);
    if (progress.ended || !lane->in_packet)
        trn_udma_begin_packet(lane);
    lane->packet_descs = progress.packet_descs;
    lane->packet_bytes = progress.packet_bytes;
    lane->in_packet = progress.in_packet;
    lane->rx_first = false;
    count_ring(engine, to, &progress);
    count_ring(engine, from, &progress);
    return progress.ended;
}

/* A descriptor waits in front of the ring. */
static bool has_front(struct trn_udma *engine, enum trn_udma_half half, unsigned queue)
{
    const struct trn_udma_ring *const ring = &engine->ring[half][queue];
    return ring->enabled && !ring->stuck &&
           (ring->count != 0 || (trn_udma_prefetch(engine, half, queue) && ring->count != 0));
}

uint64_t trn_udma_stream(struct trn_udma *engine, unsigned queue, uint64_t most)
{
    struct trn_udma_lane *const lane = &engine->lane[queue];
    struct trn_udma_ring *const from = &engine->ring[TRN_UDMA_M2S][queue];
    struct trn_udma_ring *const to = &engine->ring[TRN_UDMA_S2M][queue];
    uint64_t ended = 0;
    bool left = !engine->ports.map || is_told(engine, from) || is_told(engine, to);
    /* a packet a turn (11), but the turn is this queue's again when no other has anything to do */
    if (engine->pending != 0)
        most = 1;
    while (!left && ended < most) {
        const bool idle = !lane->open && !lane->rx_open && !lane->packet.given && lane->rows == 0;
        if (!idle || trn_udma_is_aborted(engine) || !has_front(engine, TRN_UDMA_M2S, queue) ||
            !has_front(engine, TRN_UDMA_S2M, queue))
            break;
        ended += burst(engine, lane, from, to, most - ended, &left);
    }
    return ended;
}
