/* SPDX-License-Identifier: Apache-2.0 */
/* Random register writes, submissions and drains: no write leaves [base, base + size) of the ring
 * as it was programmed, and every record is accounted for. Input: a byte of options, then
 * operations of 6 bytes. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "notific/notific.h"
#include "trench/drain.h"

enum { BASE = 0x1000, MEMORY = 0x2000 };

struct fuzz {
    struct trn_notific *block;
    uint64_t ticks;
    unsigned busy;
    uint8_t memory[MEMORY];
};

static void require(bool holds)
{
    if (!holds)
        abort();
}

static uint32_t peek(const struct fuzz *fuzz, uint32_t offset)
{
    uint32_t value;
    (void)trn_notific_peek32(fuzz->block, offset, &value);
    return value;
}

/* Inside some ring as it is programmed now. Bursts that were staged belong to rings as they were,
 * so this is asked for in the mode without staging only. */
static bool in_some_ring(const struct fuzz *fuzz, uint64_t address, size_t size)
{
    for (uint32_t at = 0x100; at < 0x290; at += 0x28) {
        const uint64_t base = trn_bits_set(peek(fuzz, at), 32, 32, peek(fuzz, at + 4));
        if (address - base + size <= peek(fuzz, at + 8))
            return true;
    }
    return false;
}

static bool staging;

static trn_status write_memory(void *context, uint64_t address, const void *data, size_t size,
                               uint16_t axi_id)
{
    struct fuzz *const fuzz = context;
    (void)axi_id;
    if (fuzz->busy) {
        fuzz->busy--;
        return TRN_ERR_BUSY;
    }
    require(staging || in_some_ring(fuzz, address, size));
    if (address < BASE || address - BASE > MEMORY - size)
        return TRN_ERR_ADDRESS;
    memcpy(fuzz->memory + (address - BASE), data, size);
    return TRN_OK;
}

static uint64_t ticks(void *context)
{
    return ((struct fuzz *)context)->ticks;
}

static trn_status bus_read(void *context, uint64_t offset, uint32_t *value)
{
    (void)trn_notific_read32(((struct fuzz *)context)->block, (uint32_t)offset, value);
    return TRN_OK;
}

static trn_status bus_write(void *context, uint64_t offset, uint32_t value)
{
    (void)trn_notific_write32(((struct fuzz *)context)->block, (uint32_t)offset, value);
    return TRN_OK;
}

static void drain(struct fuzz *fuzz, unsigned queue, bool by_pointer)
{
    const struct trn_bus bus = {fuzz, bus_read, bus_write, NULL, NULL};
    const struct trn_drain_ring ring = {.bus = &bus,
                                        .queue = queue,
                                        .size = peek(fuzz, 0x108 + 0x28 * queue),
                                        .memory = fuzz->memory,
                                        .by_pointer = by_pointer,
                                        .polls = 2};
    struct trn_drain host;
    uint8_t records[8][TRN_RECORD_BYTES];
    uint32_t count;
    if (ring.size > MEMORY ||
        trn_drain_attach(&host, trn_gen_find("cayman"), &ring, NULL) != TRN_OK)
        return;
    for (int i = 0; i < 3; i++)
        (void)trn_drain_read(&host, records, 8, &count, NULL);
}

static void operate(struct fuzz *fuzz, const uint8_t *op)
{
    const uint32_t value = trn_get32(op + 2);
    uint8_t record[8] = {op[0], op[1], op[2], op[3], op[4], op[5]};
    uint32_t read;
    switch (op[0] % 8) {
    case 0:
    case 1:
        (void)trn_notific_write32(fuzz->block, (uint32_t)op[1] * 4, value);
        break;
    case 2:
        (void)trn_notific_read32(fuzz->block, (uint32_t)op[1] * 4, &read);
        break;
    case 3:
        fuzz->ticks += value;
        fuzz->busy = op[1] % 4;
        break;
    case 4:
        drain(fuzz, op[1] % 10, op[2] % 2);
        break;
    default:
        for (unsigned i = 0; i <= op[2] % 16; i++)
            (void)trn_notific_submit(fuzz->block, op[1] % 66, op[3] % 16, record);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct fuzz fuzz;
    if (size < 1)
        return 0;
    fuzz = (struct fuzz){0};
    staging = (data[0] & 1) != 0;
    const struct trn_notific_options options = {.delayed = staging,
                                                .one_queue = data[0] & 2,
                                                .owner = (enum trn_notific_owner)(data[0] >> 6)};
    const struct trn_notific_ports ports = {&fuzz, write_memory, NULL, ticks, NULL};
    require(trn_notific_create(trn_gen_find("cayman"), &options, &ports, &fuzz.block) == TRN_OK);
    static const uint32_t set_up[][2] = {{0x30, UINT32_MAX}, {0x34, UINT32_MAX}, {0x14, 0x3FF}};
    for (size_t i = 0; i < 3; i++)
        (void)trn_notific_write32(fuzz.block, set_up[i][0], set_up[i][1]);
    for (uint32_t q = 0; q < 10; q++) {
        (void)trn_notific_write32(fuzz.block, 0x100 + 0x28 * q, BASE + 256 * q);
        (void)trn_notific_write32(fuzz.block, 0x108 + 0x28 * q, 256);
    }
    for (size_t at = 1; at + 6 <= size; at += 6)
        operate(&fuzz, data + at);
    fuzz.busy = 0; /* what is due leaves now, not during the count */
    trn_notific_poll(fuzz.block);
    const struct trn_notific_counts c = trn_notific_counts(fuzz.block, TRN_NOTIFIC_ALL);
    uint64_t buffered = trn_notific_waiting(fuzz.block);
    for (uint32_t i = 0; i < 16 && staging; i++) { /* what is staged counts as stored */
        (void)trn_notific_write32(fuzz.block, 0x84, i);
        buffered -= peek(&fuzz, 0xA8) != 0;
    }
    require(c.submitted == c.masked + c.stored + c.dropped_buffer + c.dropped_disabled +
                               c.dropped_full + c.failed + buffered);
    require(c.overwritten <= c.stored + c.failed);
    trn_notific_destroy(fuzz.block);
    return 0;
}
