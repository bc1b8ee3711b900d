/* SPDX-License-Identifier: Apache-2.0 */
/* Copies, rings, packets and registers of a DMA engine; values are those of docs/hardware/udma.md
 * (section numbers are its) and pci-function.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dma/udma_rig.h"
#include "udma_pack.h"

enum { COPY = 0x01080003, PACKET = 0x0C000000, FIRST = 0x04000000, LAST = 0x08000000 };
enum { TX = M2S_BANK + 0x1000 * RIG_QUEUE, RX = S2M_BANK + 0x1000 * RIG_QUEUE };

static void fill(struct rig *rig, uint64_t address, size_t size, uint32_t seed)
{
    uint8_t *at = rig_at(rig, address);
    for (size_t i = 0; i < size; i++) {
        seed = seed * 1664525u + 1013904223u;
        at[i] = (uint8_t)(seed >> 24);
    }
}

static void assert_same(struct rig *rig, uint64_t a, uint64_t b, size_t size)
{
    assert_memory_equal(rig_at(rig, a), rig_at(rig, b), size);
}

static void assert_well(struct rig *rig)
{
    struct trn_diag diag = {0};
    assert_int_equal(trn_udma_explain_fault(rig->engine, &diag), TRN_OK);
    assert_int_equal(trn_udma_half_state(rig->engine, TRN_UDMA_M2S) == TRN_UDMA_ABORT, false);
}

/* ---- descriptors (2) ------------------------------------------------------------------ */

static void test_check_vectors(void **state)
{
    (void)state;
    static const struct {
        uint16_t length;
        uint8_t id, dmb, barrier;
        uint32_t word0, word1;
    } tx[] = {{0, 1, 0, 0, 0x0D000000, 0x01080003},
              {4, 1, 0, 0, 0x0D000004, 0x01080003},
              {256, 2, 1, 0, 0x4E000100, 0x01080003},
              {4096, 3, 0, 1, 0x0F001000, 0x05080003}};
    for (size_t i = 0; i < sizeof tx / sizeof tx[0]; i++) {
        uint8_t raw[16] = {0};
        const struct trn_udma_tx from = {.length = tx[i].length,
                                         .ring_id = tx[i].id,
                                         .first = 1,
                                         .last = 1,
                                         .dmb = tx[i].dmb,
                                         .last_block = 1,
                                         .first_block = 1,
                                         .copy_source = 1,
                                         .op = 2,
                                         .write_barrier = tx[i].barrier,
                                         .source = 0x123456789ABCDEF0};
        trn_udma_tx_pack(&from, raw);
        assert_int_equal(trn_get32(raw), tx[i].word0);
        assert_int_equal(trn_get32(raw + 4), tx[i].word1);
        assert_int_equal(trn_get64(raw + 8), 0x123456789ABCDEF0);
    }
    static const struct {
        uint16_t length;
        uint8_t id, int_en, strong;
        uint32_t word0;
    } rx[] = {{4, 1, 0, 0, 0x01000004}, {0, 1, 1, 0, 0x11000000}, {256, 2, 0, 1, 0x22000100}};
    for (size_t i = 0; i < sizeof rx / sizeof rx[0]; i++) {
        uint8_t raw[16] = {0};
        const struct trn_udma_rx from = {.length = rx[i].length,
                                         .ring_id = rx[i].id,
                                         .int_en = rx[i].int_en,
                                         .strong_order = rx[i].strong,
                                         .destination = 0xFEDCBA9876543210};
        trn_udma_rx_pack(&from, raw);
        assert_int_equal(trn_get32(raw), rx[i].word0);
        assert_int_equal(trn_get32(raw + 4), 0);
        assert_int_equal(trn_get64(raw + 8), 0xFEDCBA9876543210);
    }
}

/* Each field alone at its largest value sets exactly the bits that 2.1 and 2.2 give it. */
static void test_fields_at_their_extremes(void **state)
{
    (void)state;
    uint8_t raw[16] = {0};
    const struct trn_udma_tx all = {.length = 0xFFFF,
                                    .tag = 0x7F,
                                    .ring_id = 3,
                                    .op = 7,
                                    .op_type = 7,
                                    .crc_slot = 7,
                                    .source = UINT64_MAX};
    trn_udma_tx_pack(&all, raw);
    assert_int_equal(trn_get32(raw), 0x037FFFFF);
    assert_int_equal(trn_get32(raw + 4), 0x03F00038);
    memset(raw, 0xFF, sizeof raw);
    const struct trn_udma_tx back = trn_udma_tx_unpack(raw);
    assert_int_equal(back.length, 0xFFFF);
    assert_int_equal(back.tag, 0x7F);
    assert_int_equal(back.write_barrier, 1);
    assert_int_equal(back.reserved_29, 7);
    assert_true(back.source == UINT64_MAX);
    const struct trn_udma_operands operands = {.length = 0xFFFFFF, .b_sel = 2, .scale = 0x3F800000};
    memset(raw, 0, sizeof raw);
    trn_udma_operands_pack(&operands, raw);
    assert_int_equal(trn_get32(raw + 8), 0x08FFFFFF);
    assert_int_equal(trn_get32(raw + 12), 0x3F800000);
}

/* ---- registers ------------------------------------------------------------------------- */

static void test_reset_values(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, "cayman");
    for (uint32_t q = 0; q < 16; q++) {
        assert_int_equal(rig_read(&rig, 0x1020 + 0x1000 * q), 0x03000000);
        assert_int_equal(rig_read(&rig, 0x21020 + 0x1000 * q), 0x03000000);
        assert_int_equal(rig_read(&rig, 0x1074 + 0x1000 * q), 7);
        assert_int_equal(rig_read(&rig, 0x21054 + 0x1000 * q), 0xF);
        assert_int_equal(rig_read(&rig, 0x2105C + 0x1000 * q), 0x40);
        assert_int_equal(rig_read(&rig, 0x1034 + 0x1000 * q), 0x40000000); /* ring id 1 */
    }
    assert_int_equal(rig_read(&rig, 0x3A010), UINT32_MAX);
    assert_int_equal(rig_read(&rig, 0x3A030), UINT32_MAX);
    uint32_t value = 1;
    assert_false(trn_udma_read32(rig.engine, 0x3F000, &value));
    assert_int_equal(value, 0);
    assert_false(trn_udma_write32(rig.engine, 0x3FFFFC, 1));
    assert_false(trn_udma_write32(rig.engine, 0x1022, 1));
    rig_close(&rig);
    struct trn_udma_map *map;
    assert_int_equal(trn_udma_map_create(trn_gen_find("maverick"), &map), TRN_ERR_UNSUPPORTED);
}

/* Bits that no field names do not stay; read-only registers ignore writes; write-only read 0. */
static void test_access_kinds_of_a_queue(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, "sunda");
    rig_write(&rig, TX + Q_BASE_LO, 0xFFFFFFFF);
    assert_int_equal(rig_read(&rig, TX + Q_BASE_LO), 0xFFFFFFC0);
    rig_write(&rig, TX + Q_LENGTH, 0xFFFFFFFF);
    assert_int_equal(rig_read(&rig, TX + Q_LENGTH), 0x00FFFFFF);
    rig_write(&rig, TX + Q_TAIL, 7);
    assert_int_equal(rig_read(&rig, TX + Q_TAIL), 0x40000000);
    assert_int_equal(rig_read(&rig, TX + Q_BELL), 0);
    rig_write(&rig, 0x310, 0x010008F8);
    assert_int_equal(rig_read(&rig, 0x310), 0x010008F8);
    rig_close(&rig);
}

/* ---- copies ----------------------------------------------------------------------------- */

/* pci-function.md 12: the first copy of 5 bytes and its marker. */
static void test_first_copy_and_marker(void **state)
{
    (void)state;
    static const char *const generations[] = {"sunda", "cayman", "mariana", "mariana_plus"};
    static const uint8_t rx0[4] = {5, 0, 0, 1}, tx0[8] = {5, 0, 0, 0x0D, 3, 0, 8, 5},
                         tx1[8] = {4, 0, 0, 0x0D, 3, 0, 8, 1};
    for (size_t g = 0; g < sizeof generations / sizeof generations[0]; g++) {
        struct rig rig;
        rig_open(&rig, generations[g]);
        rig_bring_up(&rig);
        memcpy(rig_at(&rig, RIG_A + 0x8000), "\x01\xEF\xCD\xAB\0\0\0\0", 8);
        memcpy(rig_at(&rig, RIG_A + 0x9001), "hello!", 6);
        rig_rx(&rig, 5, RIG_B + 0x333);
        rig_tx(&rig, PACKET | 5, 0x05080003, RIG_A + 0x9001);
        rig_copy(&rig, RIG_A + 0x8000, RIG_A + 0x8004, 4);
        assert_memory_equal(rig_at(&rig, RIG_A + RX_RING), rx0, sizeof rx0);
        assert_memory_equal(rig_at(&rig, RIG_A + TX_RING), tx0, sizeof tx0);
        assert_memory_equal(rig_at(&rig, RIG_A + TX_RING + 16), tx1, sizeof tx1);
        rig_go(&rig);
        assert_memory_equal(rig_at(&rig, RIG_B + 0x333), "hello\0", 6);
        assert_int_equal(trn_get32(rig_at(&rig, RIG_A + 0x8004)), 0xABCDEF01);
        assert_int_equal(rig_read(&rig, TX + Q_HEAD), 0x40000002);
        assert_int_equal(rig_read(&rig, RX + Q_CURRENT), 0x40000002);
        assert_int_equal(rig_read(&rig, TX + Q_STATUS), 0);
        assert_int_equal(rig_read(&rig, TX + M2S_PACKETS), 2);
        assert_well(&rig);
        rig_close(&rig);
    }
}

/* F10: 54 bytes to a byte that is 2 mod 4 change exactly 54 bytes. */
static void test_unaligned_write_changes_its_bytes_only(void **state)
{
    (void)state;
    struct rig rig;
    for (int pointers = 0; pointers < 2; pointers++) {
        rig_open(&rig, "cayman");
        rig.no_pointers = pointers == 0;
        rig_bring_up(&rig);
        memset(rig_at(&rig, RIG_B), 0xEE, 0x400);
        fill(&rig, RIG_A + 0x9003, 54, 1);
        rig_copy(&rig, RIG_A + 0x9003, RIG_B + 0x92, 54);
        rig_go(&rig);
        for (size_t i = 0; i < 0x400; i++)
            if (i < 0x92 || i >= 0x92 + 54)
                assert_int_equal(*rig_at(&rig, RIG_B + i), 0xEE);
        assert_same(&rig, RIG_A + 0x9003, RIG_B + 0x92, 54);
        rig_close(&rig);
    }
}

static void test_length_zero_is_64_kib(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, "cayman");
    rig_bring_up(&rig);
    fill(&rig, RIG_A + 0x20001, 65536, 2);
    rig_copy(&rig, RIG_A + 0x20001, RIG_B + 0x10003, 65536);
    rig_go(&rig);
    assert_same(&rig, RIG_A + 0x20001, RIG_B + 0x10003, 65536);
    assert_int_equal(*rig_at(&rig, RIG_B + 0x10002), 0);
    assert_int_equal(*rig_at(&rig, RIG_B + 0x10003 + 65536), 0);
    assert_int_equal(trn_udma_queue(rig.engine, TRN_UDMA_M2S, RIG_QUEUE).bytes, 65536);
    rig_close(&rig);
}

/* 3: bytes are matched by count; the two sides may be cut differently. */
static void test_sides_cut_differently(void **state)
{
    (void)state;
    static const uint16_t cuts[][2][4] = {
        {{100}, {60, 40}}, {{60, 40}, {100}}, {{1, 98, 1}, {33, 33, 34}}, {{50, 50}, {1, 99}}};
    for (size_t c = 0; c < sizeof cuts / sizeof cuts[0]; c++) {
        struct rig rig;
        rig_open(&rig, "mariana");
        rig_bring_up(&rig);
        fill(&rig, RIG_A + 0x9000, 100, (uint32_t)c);
        uint64_t at = 0;
        for (size_t i = 0; i < 4 && cuts[c][0][i]; at += cuts[c][0][i], i++)
            rig_tx(&rig,
                   cuts[c][0][i] | (at == 0 ? FIRST : 0) | (at + cuts[c][0][i] == 100 ? LAST : 0),
                   COPY, RIG_A + 0x9000 + at);
        at = 0;
        for (size_t i = 0; i < 4 && cuts[c][1][i]; at += cuts[c][1][i], i++)
            rig_rx(&rig, cuts[c][1][i], RIG_B + at);
        rig_go(&rig);
        assert_same(&rig, RIG_A + 0x9000, RIG_B, 100);
        assert_int_equal(rig_read(&rig, TX + M2S_PACKETS), 1);
        assert_int_equal(rig_read(&rig, RX + Q_STATUS), 0);
        assert_well(&rig);
        rig_close(&rig);
    }
}

/* 3, model choice: read all, then write, inside one descriptor. */
static void test_overlap_reads_all_first(void **state)
{
    (void)state;
    struct rig rig;
    for (int direct = 0; direct < 2; direct++) {
        uint8_t before[300];
        rig_open(&rig, "cayman");
        rig_bring_up(&rig);
        fill(&rig, RIG_B, 300, 3);
        memcpy(before, rig_at(&rig, RIG_B), sizeof before);
        rig_tx(&rig, PACKET | 200, COPY, RIG_B);
        if (direct) {
            rig_rx(&rig, 200, RIG_B + 7);
        } else {
            rig_rx(&rig, 50, RIG_B + 7);
            rig_rx(&rig, 150, RIG_B + 57);
        }
        rig_go(&rig);
        assert_memory_equal(rig_at(&rig, RIG_B + 7), before, 200);
        rig_close(&rig);
    }
}

/* A later descriptor of the queue sees what an earlier one wrote (8: fill by replication). */
static void test_descriptors_retire_in_order(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, "sunda");
    rig_bring_up(&rig);
    memset(rig_at(&rig, RIG_A + 0x9000), 0x5A, 64);
    rig_copy(&rig, RIG_A + 0x9000, RIG_B, 64);
    for (uint32_t i = 1; i < 20; i++)
        rig_copy(&rig, RIG_B + 64 * (i - 1), RIG_B + 64 * i, 64);
    rig_go(&rig);
    for (size_t i = 0; i < 64 * 20; i++)
        assert_int_equal(*rig_at(&rig, RIG_B + i), 0x5A);
    rig_close(&rig);
}

/* ---- rings (7) ----------------------------------------------------------------------------- */

static void test_ring_ids_step_with_every_wrap(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, "cayman");
    rig_bring_up(&rig);
    for (uint32_t n = 1; n <= 5 * RIG_RING + 3; n++) {
        trn_put32(rig_at(&rig, RIG_A + 0x9000), n);
        rig_copy(&rig, RIG_A + 0x9000, RIG_B, 4);
        rig_go(&rig);
        assert_int_equal(trn_get32(rig_at(&rig, RIG_B)), n);
        const uint32_t id = (1 + n / RIG_RING) % 4;
        assert_int_equal(rig_read(&rig, TX + Q_TAIL), n % RIG_RING | id << 30);
        assert_int_equal(rig_read(&rig, RX + Q_HEAD), n % RIG_RING | id << 30);
    }
    assert_well(&rig);
    rig_close(&rig);
}

/* F29: 32 descriptors are the smallest ring; a doorbell may fill it. */
static void test_smallest_ring_can_be_full(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, "cayman");
    rig_bring_up(&rig);
    rig_queue_init(&rig, RIG_QUEUE, RIG_A + TX_RING, RIG_A + RX_RING, 32);
    rig_write(&rig, TX + Q_CFG, 0x03000000); /* pause */
    for (uint32_t i = 0; i < 32; i++)
        rig_copy(&rig, RIG_A + 0x9000 + i, RIG_B + 2 * i, 1);
    fill(&rig, RIG_A + 0x9000, 32, 4);
    rig_go(&rig);
    assert_int_equal(rig_read(&rig, TX + Q_STATUS), UINT32_C(0x80000000) | 1u << 28 | 32);
    assert_int_equal(rig_read(&rig, TX + Q_TAIL), 0x80000000); /* wrapped: index 0, ring id 2 */
    rig_write(&rig, TX + Q_CFG, 0x03030000);
    trn_udma_run(rig.engine, 0);
    assert_int_equal(rig_read(&rig, TX + Q_STATUS), 0);
    for (size_t i = 0; i < 32; i++)
        assert_int_equal(*rig_at(&rig, RIG_B + 2 * i), *rig_at(&rig, RIG_A + 0x9000 + i));
    rig_close(&rig);
}

/* 9.2, model choice. */
static void test_doorbell_beyond_the_ring(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, "cayman");
    rig_bring_up(&rig);
    rig_write(&rig, TX + Q_CFG, 0x03000000);
    rig_write(&rig, TX + Q_BELL, 3 * RIG_RING + 5);
    assert_int_equal(rig_read(&rig, TX + Q_STATUS) & 0x01FFFFFF, RIG_RING);
    assert_int_equal(rig_read(&rig, TX + Q_STATUS) >> 31, 1);
    assert_int_equal(rig_read(&rig, TX + Q_TAIL), 5 | 0u << 30);
    assert_true(trn_udma_queue(rig.engine, TRN_UDMA_M2S, RIG_QUEUE).over_doorbell);
    assert_int_equal(rig.choices[TRN_CHOICE_UDMA_OVER_DOORBELL], 1);
    rig_close(&rig);
}

/* 4.3: a queue without a ring ignores doorbells. */
static void test_queue_without_a_ring(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, "cayman");
    rig_bring_up(&rig);
    rig_queue_init(&rig, 9, 0, 0, 0);
    rig_write(&rig, M2S_BANK + 0x9000 + Q_BELL, 3);
    rig_write(&rig, S2M_BANK + 0x9000 + Q_BELL, 3);
    trn_udma_run(rig.engine, 0);
    assert_int_equal(trn_udma_queue(rig.engine, TRN_UDMA_M2S, 9).ignored, 1);
    assert_int_equal(rig_read(&rig, M2S_BANK + 0x9000 + Q_TAIL), 0x40000000);
    assert_well(&rig);
    rig_close(&rig);
}

static void test_queue_disabled_in_mid_stream(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, "cayman");
    rig_bring_up(&rig);
    fill(&rig, RIG_A + 0x9000, 64, 5);
    rig.door_offset = TX + Q_CFG;
    trn_put32(rig_at(&rig, RIG_A + 0x8000), 0x03000000);
    rig_copy(&rig, RIG_A + 0x9000, RIG_B, 16);
    rig_copy(&rig, RIG_A + 0x8000, RIG_DOOR, 4); /* the queue switches itself off */
    rig_copy(&rig, RIG_A + 0x9010, RIG_B + 16, 16);
    rig_go(&rig);
    assert_same(&rig, RIG_A + 0x9000, RIG_B, 16);
    assert_int_equal(*rig_at(&rig, RIG_B + 16), 0);
    assert_int_equal(trn_udma_queue(rig.engine, TRN_UDMA_M2S, RIG_QUEUE).state,
                     TRN_UDMA_QUEUE_DISABLED);
    rig_write(&rig, TX + Q_CFG, 0x03030000);
    trn_udma_run(rig.engine, 0);
    assert_same(&rig, RIG_A + 0x9000, RIG_B, 32);
    assert_well(&rig);
    rig_close(&rig);
}

/* 10: a descriptor is sampled when it is fetched. */
static void test_change_after_the_fetch_has_no_effect(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, "cayman");
    rig_bring_up(&rig);
    memset(rig_at(&rig, RIG_A + 0x9000), 0x11, 32);
    rig_rx(&rig, 16, RIG_B);
    rig_go(&rig); /* armed early, and fetched */
    trn_put64(rig_at(&rig, RIG_A + RX_RING + 8), RIG_B + 0x100);
    rig_tx(&rig, PACKET | 16, COPY, RIG_A + 0x9000);
    assert_int_equal(rig.choices[TRN_CHOICE_UDMA_NO_DESTINATION], 0);
    rig_go(&rig);
    assert_int_equal(*rig_at(&rig, RIG_B), 0x11);
    assert_int_equal(*rig_at(&rig, RIG_B + 0x100), 0);
    rig_close(&rig);
}

/* 3, model choice: a packet without a destination waits. */
static void test_packet_waits_for_its_destination(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, "cayman");
    rig_bring_up(&rig);
    memset(rig_at(&rig, RIG_A + 0x9000), 0x22, 32);
    rig_tx(&rig, PACKET | 32, COPY, RIG_A + 0x9000);
    rig_rx(&rig, 20, RIG_B);
    rig_go(&rig);
    assert_int_equal(rig_read(&rig, TX + Q_STATUS) & 0xFFFFFF, 1);
    assert_int_equal(rig.choices[TRN_CHOICE_UDMA_NO_DESTINATION], 1);
    assert_false(trn_udma_ready(rig.engine));
    rig_rx(&rig, 12, RIG_B + 64);
    rig_go(&rig);
    assert_int_equal(*rig_at(&rig, RIG_B + 19), 0x22);
    assert_int_equal(*rig_at(&rig, RIG_B + 20), 0);
    assert_int_equal(*rig_at(&rig, RIG_B + 75), 0x22);
    assert_int_equal(rig_read(&rig, TX + Q_STATUS), 0);
    rig_close(&rig);
}

/* 11: round robin over the queues, one packet a turn. */
static void test_queues_take_turns(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, "cayman");
    rig_bring_up(&rig);
    rig_queue_init(&rig, 7, RIG_A + 0x5000, RIG_A + 0x6000, 32);
    for (uint32_t i = 0; i < 3; i++) { /* both queues write the same word, one after the other */
        rig_copy(&rig, RIG_A + 0x9000 + 4 * i, RIG_B, 4);
        const uint64_t from = RIG_A + 0xA000 + 4 * i, to = RIG_B;
        uint8_t *tx = rig_at(&rig, RIG_A + 0x5000 + 16 * i),
                *rx = rig_at(&rig, RIG_A + 0x6000 + 16 * i);
        trn_put64(tx, UINT64_C(0x010800030D000004));
        trn_put64(tx + 8, from);
        trn_put64(rx, UINT64_C(0x01000004));
        trn_put64(rx + 8, to);
        trn_put32(rig_at(&rig, from), 0xA0 + i);
        trn_put32(rig_at(&rig, RIG_A + 0x9000 + 4 * i), 0x30 + i);
    }
    trn_udma_ring_doorbells(rig.engine, 7, 3, 3);
    trn_udma_ring_doorbells(rig.engine, RIG_QUEUE, 3, 3);
    static const uint32_t order[] = {0x30, 0xA0, 0x31, 0xA1, 0x32, 0xA2};
    for (size_t i = 0; i < 6; i++) {
        assert_true(trn_udma_ready(rig.engine));
        assert_int_equal(trn_udma_run(rig.engine, 1), 1);
        assert_int_equal(trn_get32(rig_at(&rig, RIG_B)), order[i]);
    }
    rig_close(&rig);
}

/* ---- a transfer that reaches its own engine -------------------------------------------------- */

static void test_transfer_rings_its_own_doorbell(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, "cayman");
    rig_bring_up(&rig);
    rig.door_offset = TX + Q_BELL;
    trn_put32(rig_at(&rig, RIG_A + 0x8000), 1);
    fill(&rig, RIG_A + 0x9000, 16, 6);
    rig_copy(&rig, RIG_A + 0x8000, RIG_DOOR, 4);
    rig_copy(&rig, RIG_A + 0x9000, RIG_B, 16);
    rig.tx_new = 1; /* the second is rung by the first */
    rig_go(&rig);
    assert_same(&rig, RIG_A + 0x9000, RIG_B, 16);
    assert_int_equal(rig.door_writes, 1);
    rig_close(&rig);
}

static void test_transfer_resets_its_own_queue(void **state)
{
    (void)state;
    struct rig rig;
    for (int split = 0; split < 2; split++) {
        rig_open(&rig, "cayman");
        rig_bring_up(&rig);
        rig.door_offset = TX + M2S_SW_CTRL;
        trn_put32(rig_at(&rig, RIG_A + 0x8000), 0x100);
        rig_tx(&rig, PACKET | (split ? 8 : 4), COPY, RIG_A + 0x8000);
        rig_rx(&rig, 4, RIG_DOOR);
        rig_rx(&rig, 4, RIG_B);
        rig_copy(&rig, RIG_A + 0x9000, RIG_B, 16);
        rig_go(&rig);
        assert_int_equal(rig.door_writes, 1);
        assert_int_equal(rig_read(&rig, TX + Q_HEAD), 0x40000000);
        assert_int_equal(rig_read(&rig, TX + Q_STATUS), 0);
        assert_well(&rig);
        rig_close(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check_vectors),
        cmocka_unit_test(test_fields_at_their_extremes),
        cmocka_unit_test(test_reset_values),
        cmocka_unit_test(test_access_kinds_of_a_queue),
        cmocka_unit_test(test_first_copy_and_marker),
        cmocka_unit_test(test_unaligned_write_changes_its_bytes_only),
        cmocka_unit_test(test_length_zero_is_64_kib),
        cmocka_unit_test(test_sides_cut_differently),
        cmocka_unit_test(test_overlap_reads_all_first),
        cmocka_unit_test(test_descriptors_retire_in_order),
        cmocka_unit_test(test_ring_ids_step_with_every_wrap),
        cmocka_unit_test(test_smallest_ring_can_be_full),
        cmocka_unit_test(test_doorbell_beyond_the_ring),
        cmocka_unit_test(test_queue_without_a_ring),
        cmocka_unit_test(test_queue_disabled_in_mid_stream),
        cmocka_unit_test(test_change_after_the_fetch_has_no_effect),
        cmocka_unit_test(test_packet_waits_for_its_destination),
        cmocka_unit_test(test_queues_take_turns),
        cmocka_unit_test(test_transfer_rings_its_own_doorbell),
        cmocka_unit_test(test_transfer_resets_its_own_queue),
    };
    rig_tells = false;
    const int failed = cmocka_run_group_tests_name("short road", tests, NULL, NULL);
    rig_tells = true;
    return failed + cmocka_run_group_tests_name("with records", tests, NULL, NULL);
}
