/* SPDX-License-Identifier: Apache-2.0 */
#include "ring.h"

#include <string.h>

#include "trench/pci.h"

enum { FIRST_AND_LAST = 0x0C000000, PLAIN = 0x01080003, WITH_BARRIER = 0x05080003 };
enum { MARKER_BYTES = 4, PHASES = 4, POLLS = 1000000 };
static const uint32_t marker = 0xABCDEF01;

/* ---- registers ------------------------------------------------------------------- */

static void put(const struct ring *ring, uint64_t offset, uint32_t value)
{
    trn_pci_bar_write(ring->pci, 0, ring->engine + UINT64_C(0x1000) * ring->queue + offset, 4,
                      value);
}

static void init_half(const struct ring *ring, uint64_t half, uint64_t reset, uint64_t completion,
                      uint64_t base)
{
    put(ring, half + 0x1020, 0x03000000); /* off */
    put(ring, half + reset, 0x100);
    put(ring, half + 0x1028, (uint32_t)base);
    put(ring, half + 0x102C, (uint32_t)(base >> 32));
    put(ring, half + 0x1030, RING_SLOTS);
    put(ring, half + completion, 0);      /* no completion ring */
    put(ring, half + 0x1020, 0x03030000); /* on */
}

void ring_init(struct ring *ring)
{
    put(ring, 0x1074, 3); /* rate limiter */
    init_half(ring, 0, 0x10B0, 0x10A0, ring->tx.device);
    init_half(ring, 0x20000, 0x1064, 0x1054, ring->rx.device);
    ring->next = 0;
    ring->phase = 1;
}

/* ---- slots ----------------------------------------------------------------------- */

struct slot {
    uint32_t length, meta;
    uint64_t address;
};

static void put_slot(struct ring_memory *memory, uint32_t at, struct slot slot)
{
    memcpy(memory->bytes + (size_t)at * sizeof slot, &slot, sizeof slot);
}

static void step(struct ring *ring)
{
    if (++ring->next < RING_SLOTS)
        return;
    ring->next = 0;
    ring->phase = (uint8_t)((ring->phase + 1u) % PHASES);
}

/* A length of 65536 is written as 0. */
static void add(struct ring *ring, uint64_t source, uint64_t destination, uint32_t size,
                uint32_t meta)
{
    const uint32_t word = (uint32_t)ring->phase << 24 | (size & 0xFFFF);
    put_slot(&ring->rx, ring->next, (struct slot){word, 0, destination});
    put_slot(&ring->tx, ring->next, (struct slot){FIRST_AND_LAST | word, meta, source});
    step(ring);
}

/* ---- copies ---------------------------------------------------------------------- */

static bool wait(const struct ring *ring)
{
    for (int i = 0; i < POLLS; i++) {
        uint32_t seen;
        memcpy(&seen, ring->marker.bytes + MARKER_BYTES, sizeof seen);
        if (seen == marker)
            return true;
    }
    return false;
}

/* Chunks, then 4 bytes that the device copies last: RX doorbell, TX doorbell, wait for them. */
static bool copy_batch(struct ring *ring, uint64_t source, uint64_t destination, uint64_t size)
{
    const uint32_t zero = 0;
    uint32_t n = 0;
    for (uint64_t at = 0; at < size; at += RING_CHUNK, n++) {
        const uint64_t left = size - at;
        add(ring, source + at, destination + at, left < RING_CHUNK ? (uint32_t)left : RING_CHUNK,
            left <= RING_CHUNK ? WITH_BARRIER : PLAIN);
    }
    memcpy(ring->marker.bytes, &marker, sizeof marker);
    memcpy(ring->marker.bytes + MARKER_BYTES, &zero, sizeof zero);
    add(ring, ring->marker.device, ring->marker.device + MARKER_BYTES, MARKER_BYTES, PLAIN);
    put(ring, 0x21038, n + 1);
    put(ring, 0x1038, n + 1);
    return wait(ring);
}

bool ring_copy(struct ring *ring, uint64_t source, uint64_t destination, uint64_t size)
{
    const uint64_t most = (uint64_t)RING_MAX_CHUNKS * RING_CHUNK;
    for (uint64_t at = 0; at < size; at += most) {
        const uint64_t left = size - at;
        if (!copy_batch(ring, source + at, destination + at, left < most ? left : most))
            return false;
    }
    return true;
}
