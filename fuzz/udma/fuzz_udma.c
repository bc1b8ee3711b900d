/* SPDX-License-Identifier: Apache-2.0 */
/* Any register writes and any descriptor bytes into a DMA engine: it stays inside the memory that
 * its owner gives, comes to an end, and its cursors stay inside their rings. Its own registers are
 * mapped too, so that a transfer may change the engine that makes it. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "dma/udma.h"

enum { BYTES = 1 << 16, RINGS = 0x2000, STEPS = 256 };
#define MEMORY UINT64_C(0x10000000)
#define DOOR   UINT64_C(0x80000000) /* the engine's own window */

struct owner {
    uint8_t *memory; /* exactly BYTES, so that a byte too far is found */
    struct trn_udma *engine;
    bool pointers;
    unsigned writes;
};

static trn_status map(void *context, uint64_t address, uint64_t size, bool write, uint8_t **pointer,
                      uint64_t *length)
{
    struct owner *owner = context;
    (void)write;
    *pointer = NULL;
    if (address >= DOOR && address - DOOR < 0x40000)
        return TRN_OK;
    if (address < MEMORY || address - MEMORY >= BYTES)
        return TRN_ERR_ADDRESS;
    const uint64_t left = BYTES - (address - MEMORY);
    *length = size < left ? size : left;
    if (owner->pointers)
        *pointer = owner->memory + (address - MEMORY);
    return TRN_OK;
}

static trn_status read(void *context, uint64_t address, void *data, size_t size)
{
    struct owner *owner = context;
    if (address >= MEMORY && address - MEMORY <= BYTES && size <= BYTES - (address - MEMORY)) {
        memcpy(data, owner->memory + (address - MEMORY), size);
        return TRN_OK;
    }
    return TRN_ERR_ADDRESS;
}

static trn_status write(void *context, uint64_t address, const void *data, size_t size)
{
    struct owner *owner = context;
    if (address >= MEMORY && address - MEMORY <= BYTES && size <= BYTES - (address - MEMORY)) {
        memcpy(owner->memory + (address - MEMORY), data, size);
        return TRN_OK;
    }
    if (address < DOOR || address - DOOR >= 0x40000 || size != 4)
        return TRN_ERR_TIMEOUT;
    if (owner->writes++ < STEPS) { /* an engine that feeds itself would never end */
        trn_udma_write32(owner->engine, (uint32_t)(address - DOOR), trn_get32(data));
        trn_udma_run(owner->engine, 0);
    }
    return TRN_OK;
}

static void record(void *context, const struct trn_record *out)
{
    uint8_t raw[TRN_RECORD_BYTES];
    (void)context;
    if (trn_record_encode(out, raw, NULL) != TRN_OK)
        abort();
}

static void check(const struct trn_udma *engine)
{
    for (unsigned q = 0; q < TRN_UDMA_QUEUES; q++)
        for (int half = 0; half < TRN_UDMA_HALVES; half++) {
            const struct trn_udma_queue_view view =
                trn_udma_queue(engine, (enum trn_udma_half)half, q);
            const bool inside = view.head.index < view.length && view.tail.index < view.length &&
                                view.current.index < view.length && view.used <= view.length;
            const bool empty = view.length == 0;
            if ((!inside && !empty) || view.head.ring_id > 3)
                abort();
        }
    struct trn_diag diag;
    trn_udma_explain_fault(engine, &diag);
}

/* Rings of queues 0 and 1 in the memory, both halves on, so that descriptors are reached soon. */
static void set_up(struct trn_udma *engine, unsigned length)
{
    for (uint32_t q = 0; q < 2; q++)
        for (uint32_t half = 0; half < 2; half++) {
            const uint32_t bank = (half ? 0x21000 : 0x1000) + 0x1000 * q;
            trn_udma_write32(engine, bank + 0x28, (uint32_t)MEMORY + 0x800 * (2 * q + half));
            trn_udma_write32(engine, bank + 0x30, 1 + length);
            trn_udma_write32(engine, bank + 0x20, 0x03030000);
        }
}

static uint32_t register_of(uint16_t pick)
{
    static const uint32_t bases[] = {0x1000, 0x21000, 0x38000, 0x3A000,
                                     0,      0x20000, 0x2000,  0x22000};
    return bases[pick % 8] + (uint32_t)(pick / 8 % 256) * 4;
}

/* Operations: a kind, then what it needs. */
static void play(struct owner *owner, const uint8_t *data, size_t size)
{
    for (int step = 0; step < STEPS && size >= 8; step++, data += 8, size -= 8) {
        const uint32_t value = trn_get32(data + 4);
        const uint16_t pick = trn_get16(data + 2);
        uint32_t shown;
        switch (data[0] % 8) {
        case 0:
            trn_udma_write32(owner->engine, register_of(pick), value);
            break;
        case 1:
            trn_udma_read32(owner->engine, register_of(pick), &shown);
            break;
        case 2: /* doorbells of a queue that has rings */
            trn_udma_ring_doorbells(owner->engine, data[1] % 2, pick % 64, value % 64);
            break;
        case 3: /* four bytes of a descriptor */
            trn_put32(owner->memory + pick % RINGS / 4 * 4, value);
            break;
        case 4:
            trn_udma_run(owner->engine, data[1]);
            break;
        case 6:
            trn_udma_settle(owner->engine, data[1] % TRN_UDMA_QUEUES);
            break;
        case 7:
            trn_udma_pass(owner->engine, data[1] % 2, pick % 64, value % 64);
            break;
        default:
            if (data[1] == 0)
                trn_udma_reset(owner->engine);
            set_up(owner->engine, data[1] % 128);
            break;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const generations[] = {"sunda", "cayman", "mariana", "mariana_plus"};
    static struct trn_udma_map *maps[4]; /* constant once made */
    struct owner owner = {0};
    if (size < 4)
        return 0;
    struct trn_udma_ports ports = {
        .context = &owner, .map = map, .read = read, .write = write, .record = record};
    if (data[1] & 1)
        ports.record = NULL;
    owner.pointers = (data[1] & 2) != 0;
    owner.memory = calloc(1, BYTES);
    struct trn_udma_map **const registers = &maps[data[0] % 4];
    if (!*registers)
        trn_udma_map_create(trn_gen_find(generations[data[0] % 4]), registers);
    if (!owner.memory || !*registers || trn_udma_create(*registers, 0, &ports, &owner.engine))
        abort();
    set_up(owner.engine, data[2] % 128);
    const size_t head = 4 + (size_t)data[3] * 16;
    if (size > head) { /* the rings begin with the input's bytes */
        memcpy(owner.memory, data + 4, head - 4);
        play(&owner, data + head, size - head);
    } else {
        memcpy(owner.memory, data + 4, size - 4);
    }
    trn_udma_ring_doorbells(owner.engine, 0, 8, 8);
    trn_udma_run(owner.engine, 0);
    check(owner.engine);
    trn_udma_destroy(owner.engine);
    free(owner.memory);
    return 0;
}
