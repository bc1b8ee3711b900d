/* SPDX-License-Identifier: Apache-2.0 */
#include "dma/udma_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

bool rig_tells = true;

static uint8_t *find(struct rig *rig, uint64_t address, uint64_t size, uint64_t *have)
{
    const uint64_t bases[] = {RIG_A, RIG_B};
    uint8_t *const bytes[] = {rig->a, rig->b};
    for (int i = 0; i < 2; i++)
        if (address >= bases[i] && address - bases[i] < RIG_BYTES) {
            const uint64_t left = RIG_BYTES - (address - bases[i]);
            *have = size < left ? size : left;
            return bytes[i] + (address - bases[i]);
        }
    return NULL;
}

static trn_status map(void *context, uint64_t address, uint64_t size, bool write, uint8_t **pointer,
                      uint64_t *length)
{
    struct rig *rig = context;
    (void)write;
    if (rig->no_pointers || address == RIG_DOOR) {
        *pointer = NULL;
        return TRN_OK;
    }
    *pointer = find(rig, address, size, length);
    return *pointer ? TRN_OK : rig->refusal;
}

static trn_status read(void *context, uint64_t address, void *data, size_t size)
{
    uint64_t have = 0;
    uint8_t *from = find(context, address, size, &have);
    if (!from || have < size)
        return ((struct rig *)context)->refusal;
    memcpy(data, from, size);
    return TRN_OK;
}

static trn_status write(void *context, uint64_t address, const void *data, size_t size)
{
    struct rig *rig = context;
    uint64_t have = 0;
    if (address == RIG_DOOR) {
        uint32_t value = 0;
        memcpy(&value, data, size < sizeof value ? size : sizeof value);
        rig->door_writes++;
        trn_udma_write32(rig->engine, rig->door_offset, value);
        trn_udma_run(rig->engine, 0);
        return TRN_OK;
    }
    uint8_t *to = find(rig, address, size, &have);
    if (!to || have < size)
        return rig->refusal;
    memcpy(to, data, size);
    return TRN_OK;
}

static void record(void *context, const struct trn_record *out)
{
    struct rig *rig = context;
    if (rig->num_records < RIG_RECORDS)
        rig->records[rig->num_records++] = *out;
}

static void interrupt(void *context, unsigned group, unsigned bit)
{
    struct rig *rig = context;
    if (rig->num_pulses < RIG_PULSES) {
        rig->pulses[rig->num_pulses].group = group;
        rig->pulses[rig->num_pulses++].bit = bit;
    }
}

static void choice(void *context, enum trn_choice which)
{
    ((struct rig *)context)->choices[which]++;
}

void rig_open(struct rig *rig, const char *generation)
{
    *rig = (struct rig){.tx_id = 1, .rx_id = 1, .refusal = TRN_ERR_ADDRESS};
    rig->a = calloc(1, RIG_BYTES);
    rig->b = calloc(1, RIG_BYTES);
    assert_non_null(rig->a);
    assert_non_null(rig->b);
    const struct trn_udma_ports ports = {.context = rig,
                                         .map = map,
                                         .read = read,
                                         .write = write,
                                         .record = rig_tells ? record : NULL,
                                         .interrupt = interrupt,
                                         .choice = choice};
    assert_int_equal(trn_udma_map_create(trn_gen_find(generation), &rig->map), TRN_OK);
    assert_int_equal(trn_udma_create(rig->map, 5, &ports, &rig->engine), TRN_OK);
}

void rig_close(struct rig *rig)
{
    trn_udma_destroy(rig->engine);
    trn_udma_map_destroy(rig->map);
    free(rig->a);
    free(rig->b);
}

void rig_write(struct rig *rig, uint32_t offset, uint32_t value)
{
    assert_true(trn_udma_write32(rig->engine, offset, value));
}

uint32_t rig_read(struct rig *rig, uint32_t offset)
{
    uint32_t value;
    assert_true(trn_udma_read32(rig->engine, offset, &value));
    return value;
}

void rig_queue_init(struct rig *rig, unsigned queue, uint64_t tx, uint64_t rx, uint32_t length)
{
    const uint32_t m2s = M2S_BANK + 0x1000 * queue, s2m = S2M_BANK + 0x1000 * queue;
    rig_write(rig, m2s + 0x74, 3);
    rig_write(rig, m2s + Q_CFG, 0x03000000);
    rig_write(rig, m2s + M2S_SW_CTRL, 0x100);
    rig_write(rig, m2s + Q_BASE_LO, (uint32_t)tx);
    rig_write(rig, m2s + Q_BASE_HI, (uint32_t)(tx >> 32));
    rig_write(rig, m2s + Q_LENGTH, length);
    rig_write(rig, m2s + M2S_COMP_CFG, 0);
    rig_write(rig, m2s + Q_CFG, 0x03030000);
    rig_write(rig, s2m + Q_CFG, 0x03000000);
    rig_write(rig, s2m + S2M_SW_CTRL, 0x100);
    rig_write(rig, s2m + Q_BASE_LO, (uint32_t)rx);
    rig_write(rig, s2m + Q_BASE_HI, (uint32_t)(rx >> 32));
    rig_write(rig, s2m + Q_LENGTH, length);
    rig_write(rig, s2m + S2M_COMP_CFG, 0);
    rig_write(rig, s2m + Q_CFG, 0x03030000);
    if (queue == RIG_QUEUE) {
        rig->tx_next = rig->rx_next = rig->tx_new = rig->rx_new = 0;
        rig->tx_id = rig->rx_id = 1;
    }
}

void rig_bring_up(struct rig *rig)
{
    static const uint32_t steps[][2] = {
        {M2S_LEN, 0x010FFFFF}, {CONTROL_A, 0x28},     {0x380E8, 0x28},
        {ABORT_A, 0xF0000000}, {0x3A0B0, 0xFFFFFFC0}, {CLEAR_A, 0xF0000000},
        {0x3A098, 0xFFFFFFC0}, {CLEAR_D, 0xFFFFFAFF}, {0x3A068, 0x28},
        {0x3A070, 0x000010F8}, {0x3A0B0, 0xFFFFF03F}, {0x3A058, 0x000010F8},
        {0x3A098, 0xFFFFF03F}, {CLEAR_D, 0xFFFFF9FF}, {M2S_PREF_2, 0x00010041},
        {0x308, 0x00004181},   {0x20308, 0x00004181}, {0x11C, 0x00010008},
        {0x2011C, 0x00010008}};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        rig_write(rig, steps[i][0], steps[i][1]);
    rig_queue_init(rig, RIG_QUEUE, RIG_A + TX_RING, RIG_A + RX_RING, RIG_RING);
}

uint8_t *rig_at(struct rig *rig, uint64_t address)
{
    uint64_t have;
    uint8_t *at = find(rig, address, 1, &have);
    assert_non_null(at);
    return at;
}

static void slot(struct rig *rig, uint64_t ring, uint32_t *next, uint8_t *id, uint32_t word0,
                 uint32_t word1, uint64_t address)
{
    uint8_t *at = rig_at(rig, ring + 16 * *next);
    word0 |= (uint32_t)*id << 24;
    memcpy(at, &word0, 4);
    memcpy(at + 4, &word1, 4);
    memcpy(at + 8, &address, 8);
    if (++*next == RIG_RING) {
        *next = 0;
        *id = (uint8_t)((*id + 1) & 3);
    }
}

void rig_tx(struct rig *rig, uint32_t word0, uint32_t word1, uint64_t source)
{
    slot(rig, RIG_A + TX_RING, &rig->tx_next, &rig->tx_id, word0, word1, source);
    rig->tx_new++;
}

void rig_rx(struct rig *rig, uint32_t word0, uint64_t destination)
{
    slot(rig, RIG_A + RX_RING, &rig->rx_next, &rig->rx_id, word0, 0, destination);
    rig->rx_new++;
}

void rig_copy(struct rig *rig, uint64_t source, uint64_t destination, uint32_t size)
{
    rig_rx(rig, size & 0xFFFF, destination);
    rig_tx(rig, 0x0C000000 | (size & 0xFFFF), 0x01080003, source);
}

void rig_go(struct rig *rig)
{
    if (rig->rx_new)
        rig_write(rig, S2M_BANK + 0x1000 * RIG_QUEUE + Q_BELL, rig->rx_new);
    if (rig->tx_new)
        rig_write(rig, M2S_BANK + 0x1000 * RIG_QUEUE + Q_BELL, rig->tx_new);
    rig->tx_new = rig->rx_new = 0;
    trn_udma_run(rig->engine, 0);
}
