/* SPDX-License-Identifier: Apache-2.0 */
/* The host-copy ring, docs/hardware/pci-function.md 6.2 and 8; phases as udma.md 5. */
#include "guest.h"

#include <string.h>

#define SLOTS         8192u
#define SLOT_BYTES    16u
#define RX_AT         (SLOTS * SLOT_BYTES) /* in the block of memory */
#define COMPLETION_AT (2 * SLOTS * SLOT_BYTES)
#define CHUNK_BYTES   0x10000u

#define TX_FLAGS     0x0C000000 /* FIRST, LAST */
#define META         0x01080003
#define META_BARRIER 0x05080003
#define MARKER       0xABCDEF01
#define MARKER_MS    300

#define STATE        0x200 /* udma.md 5, both halves */
#define S2M          0x20000
#define STATE_FIELDS 0x3333 /* four fields of two bits */
#define STATE_ABORT  0x2222

struct descriptor {
    uint32_t len_ctrl, meta;
    uint64_t address;
};

uint64_t host_address(const struct copy_ring *ring, uint64_t physical)
{
    return physical | ring->function->gen->host_bit;
}

static void queue_init(struct copy_ring *ring, uint64_t bank, uint64_t base, uint32_t first_offset,
                       uint32_t first, uint32_t prefetch_offset, uint32_t last_offset)
{
    struct function *function = ring->function;

    if (first_offset)
        write32(function, bank + first_offset, first);
    write32(function, bank + 0x20, 0x03000000);
    write32(function, bank + prefetch_offset, 0x100);
    write32(function, bank + 0x28, (uint32_t)base);
    write32(function, bank + 0x2C, (uint32_t)(base >> 32));
    write32(function, bank + 0x30, SLOTS);
    write32(function, bank + last_offset, 0);
    write32(function, bank + 0x20, 0x03030000);
}

void ring_init(struct copy_ring *ring, struct function *function, unsigned core,
               struct block memory)
{
    uint64_t base;

    *ring = (struct copy_ring){.function = function,
                               .udma = host_copy_engine(function->gen, core).udma,
                               .queue = core % function->gen->host_cores_per_engine,
                               .memory = memory,
                               .phase = 1};
    memset(memory.bytes, 0, BLOCK_BYTES);
    base = host_address(ring, memory.physical);
    queue_init(ring, ring->udma + 0x1000 + 0x1000 * ring->queue, base, 0x74, 3, 0xB0, 0xA0);
    queue_init(ring, ring->udma + 0x21000 + 0x1000 * ring->queue, base + RX_AT, 0, 0, 0x64, 0x54);
}

static void put(struct copy_ring *ring, uint64_t to, uint64_t from, size_t size, bool barrier)
{
    uint32_t length = (uint32_t)ring->phase << 24 | (size == CHUNK_BYTES ? 0 : (uint32_t)size);
    struct descriptor *tx = (struct descriptor *)(void *)ring->memory.bytes + ring->next;

    tx[SLOTS] = (struct descriptor){.len_ctrl = length, .address = to}; /* RX, behind the TX ring */
    *tx = (struct descriptor){
        .len_ctrl = TX_FLAGS | length, .meta = barrier ? META_BARRIER : META, .address = from};
    ring->next = (ring->next + 1) % SLOTS;
    if (!ring->next)
        ring->phase = (ring->phase + 1) % 4;
}

/* Marker pair, doorbells RX then TX, and the wait for the marker. */
static bool finish(struct copy_ring *ring, uint32_t descriptors)
{
    volatile uint32_t *words = (volatile uint32_t *)(void *)(ring->memory.bytes + COMPLETION_AT);
    uint64_t completion = host_address(ring, ring->memory.physical + COMPLETION_AT);
    uint64_t bank = ring->udma + 0x1000 * ring->queue, end;

    words[0] = MARKER;
    words[1] = 0;
    put(ring, completion + 4, completion, 4, false);
    __sync_synchronize();
    write32(ring->function, bank + 0x21038, descriptors + 1);
    write32(ring->function, bank + 0x1038, descriptors + 1);
    for (end = now_ms() + MARKER_MS; words[1] != MARKER;)
        if (now_ms() > end)
            return false;
    return true;
}

bool ring_copy(struct copy_ring *ring, uint64_t to, uint64_t from, size_t size)
{
    uint32_t descriptors = 0;

    for (size_t done = 0; done < size; done += CHUNK_BYTES, descriptors++) {
        size_t left = size - done, bytes = left < CHUNK_BYTES ? left : CHUNK_BYTES;

        put(ring, to + done, from + done, bytes, bytes == left);
    }
    return finish(ring, descriptors);
}

bool ring_fill(struct copy_ring *ring, uint64_t to, uint64_t pattern, uint32_t copies)
{
    put(ring, to, pattern, CHUNK_BYTES, copies == 1);
    for (uint32_t i = 1; i < copies; i++)
        put(ring, to + (uint64_t)i * CHUNK_BYTES, to, CHUNK_BYTES, i == copies - 1);
    return finish(ring, copies);
}

bool ring_aborted(const struct copy_ring *ring)
{
    uint32_t m2s = read32(ring->function, ring->udma + STATE) & STATE_FIELDS;
    uint32_t s2m = read32(ring->function, ring->udma + S2M + STATE) & STATE_FIELDS;

    return (m2s & STATE_ABORT) && (s2m & STATE_ABORT);
}
