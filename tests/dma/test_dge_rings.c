/* SPDX-License-Identifier: Apache-2.0 */
/* Rings that a host gave, bytes of a packet, credits (docs/hardware/dge.md 6.6, 6.7, 8.6). Expected
 * values are the sheet's or counted by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "dma/dge_rig.h"
#include "dma/dge_words.h"

enum { TX_RING = 0x800000, RX_RING = 0x810000, RING = 32 };

/* A queue of engine `dma` as a host leaves it (udma.md 6): empty, ring id 1. */
static void give(struct rig *rig, unsigned dma, uint32_t length)
{
    rig->has_host[dma] = true;
    rig->host[dma] = (struct trn_dge_queue){
        .ring = {{.base = TX_RING + 0x1000 * dma, .length = length, .ring_id = 1},
                 {.base = RX_RING + 0x1000 * dma, .length = length, .ring_id = 1}},
        .enabled = true};
}

static void check_slot(struct rig *rig, uint64_t ring, unsigned slot, uint32_t word0,
                       uint64_t address)
{
    const uint8_t *const raw = rig_at(rig, ring + 16 * (uint64_t)slot, 16);
    assert_int_equal(desc_word(raw, 0), word0);
    assert_int_equal(desc_address(raw), address);
}

/* 15's worked word behind slot 29 of rings of 32: ring id 1 until the wrap, then 2 (udma.md 7). */
static void test_descriptors_stand_in_the_host_s_rings(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", NULL);
    rig_word(WORKED_WORD, word);
    rig.reg[20] = 0x10000000;
    rig.local[40] = 0x20000001;
    give(&rig, 0, RING);
    rig.host[0].ring[0].tail = rig.host[0].ring[1].tail = 30;
    memset(rig_at(&rig, TX_RING, 16 * RING), 0xEE, 16 * RING);
    memset(rig_at(&rig, RX_RING, 16 * RING), 0xEE, 16 * RING);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.result, TRN_DGE_EMITTED);
    assert_int_equal(rig.outcome.host_rings, 1);
    assert_int_equal(rig.choices[TRN_CHOICE_DGE_HOST_RINGS], 1);
    check_slot(&rig, TX_RING, 30, 0x05000040, 0x10000000);
    check_slot(&rig, TX_RING, 31, 0x09000040, 0x10000100);
    assert_int_equal(desc_word(rig_at(&rig, TX_RING, 16), 0), 0x0E000004);
    check_slot(&rig, RX_RING, 30, 0x01000040, RIG_SBUF);
    check_slot(&rig, RX_RING, 31, 0x01000040, RIG_SBUF + 64);
    check_slot(&rig, RX_RING, 0, 0x02000004, RIG_SEM_INC + 40);
    assert_int_equal(*rig_at(&rig, TX_RING + 16, 1), 0xEE); /* and no other slot */
    assert_int_equal(*rig_at(&rig, TX_RING + 16 * 29, 1), 0xEE);
    assert_int_equal(rig.passed[0][TRN_DGE_SRC], 3);
    assert_int_equal(rig.passed[0][TRN_DGE_DST], 3);
    assert_int_equal(rig.host[0].ring[0].tail, 1);
    assert_memory_equal(rig_at(&rig, RIG_SBUF + 64, 64), rig_at(&rig, 0x10000100, 64), 64);
    assert_int_equal(rig.semaphore[10], 1);
    assert_true(rig_logged(&rig, "S: rx.base=0x810000, tx.base=0x800000"));
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK); /* and goes on behind them */
    check_slot(&rig, TX_RING, 1, 0x06000040, 0x10000000);
    rig_close(&rig);
}

static void check_refused(struct rig *rig, const char *what)
{
    uint8_t word[64];
    word_of_kind(word, 0);
    const uint32_t posted = rig->semaphore[3];
    assert_int_equal(rig_run(rig, ACT, word, NULL), TRN_OK);
    assert_int_equal(rig->outcome.result, TRN_DGE_NO_BACKEND);
    if (!strstr(rig->outcome.reason, what))
        fail_msg("no '%s' in '%s'", what, rig->outcome.reason);
    assert_int_equal(rig->num_descs, 0);
    assert_int_equal(rig->semaphore[3], posted);
}

static void test_an_unusable_queue_says_why(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, "cayman", NULL);
    rig.local[40] = 0x20000008; /* engine 3, queue 13 */
    give(&rig, 3, RING);
    rig.host[3].ring[TRN_DGE_DST].length = 0;
    check_refused(&rig, "queue 13 of DMA engine 3 has no S2M ring");
    give(&rig, 3, RING);
    rig.host[3].ring[TRN_DGE_SRC].base = 0;
    check_refused(&rig, "has no M2S ring");
    give(&rig, 3, RING);
    rig.host[3].enabled = false;
    check_refused(&rig, "is paused");
    rig.host[3].failed = true;
    check_refused(&rig, "is at fault");
    give(&rig, 3, RING);
    rig.host[3].ring[TRN_DGE_DST].base = UINT64_C(0x7000000000);
    check_refused(&rig, "has its S2M ring of 32 descriptors at 0x7000000000");
    rig.host[3].ring[TRN_DGE_DST].base = UINT64_MAX - 255; /* the ring's end wraps */
    check_refused(&rig, "has its S2M ring of 32 descriptors at 0xffffffffffffff00");
    give(&rig, 3, RING);
    rig.host[3].ring[TRN_DGE_DST].used = 2;
    check_refused(&rig, "holds 2 S2M descriptors");
    rig_close(&rig);
}

/* What is wrong with one engine leaves the others; engines without a host keep rings of their own.
 */
static void test_other_engines_take_the_word(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", NULL);
    rig.local[40] = 0x20000007;
    give(&rig, 0, RING);
    rig.host[0].enabled = false;
    give(&rig, 1, RING);
    const struct copy c = {.src = 0x1000,
                           .dst = 0x200000,
                           .src_step = {64, 0},
                           .dst_step = {64, 0},
                           .src_num = {256, 1},
                           .dst_num = {256, 1},
                           .src_size = 32,
                           .dst_size = 32};
    word_b8(word, &c);
    assert_int_equal(rig_run(&rig, ACT, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.result, TRN_DGE_EMITTED);
    assert_string_equal(rig.outcome.reason, "");
    assert_int_equal(rig.outcome.dmas, 6);
    assert_int_equal(rig.outcome.host_rings, 2);
    uint32_t second = 0;
    for (unsigned i = 0; i < rig.num_descs; i++)
        second += !rig.desc[i].write && rig.desc[i].dma == 1;
    assert_int_equal(rig.passed[1][TRN_DGE_SRC], second);
    assert_int_equal(rig.passed[2][TRN_DGE_SRC], 0);
    for (unsigned i = 0; i < 256; i++)
        assert_memory_equal(rig_at(&rig, 0x200000 + 64 * i, 32), rig_at(&rig, 0x1000 + 64 * i, 32),
                            32);
    rig_close(&rig);
}

static void test_a_ring_must_hold_a_tile(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", NULL);
    rig.local[40] = 0x20000001;
    give(&rig, 0, RING);
    const struct tiles tiles = {.src = 0x1000,
                                .dst = 0x200000,
                                .src_num = {1, 1},
                                .dst_num = {1, 1},
                                .row_step = 256,
                                .type = U16,
                                .cols = 64,
                                .semaphore = 3};
    word_bd(word, &tiles);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.result, TRN_DGE_NO_BACKEND);
    assert_string_equal(rig.outcome.reason,
                        "the rings that the host gave queue 13 of DMA engine 0 hold 31 descriptors "
                        "beside the reserved one; 64 are needed");
    give(&rig, 0, 2 * RING + 16);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.result, TRN_DGE_EMITTED);
    assert_int_equal(rig.passed[0][TRN_DGE_DST], 65);
    rig_close(&rig);
}

/* 6.7: no host, no rings: the model has its own; or says so. */
static void test_a_queue_that_nobody_initialised(void **state)
{
    (void)state;
    struct trn_dge_options options = trn_dge_options_default();
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", &options);
    rig.has_host[0] = true; /* touched, and left as after reset */
    word_of_kind(word, 0);
    assert_int_equal(rig_run(&rig, ACT, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.result, TRN_DGE_EMITTED);
    assert_int_equal(rig.outcome.host_rings, 0);
    rig_close(&rig);
    options.host_rings_only = true;
    rig_open(&rig, "cayman", &options);
    check_refused(&rig, "queue 13 of DMA engine 0 was never initialised");
    rig_close(&rig);
}

/* ---- bytes of a packet (6.6) ----------------------------------------------------------------- */

/* 16 elements of 1 KiB that do not touch. */
static void sixteen(uint8_t word[64], uint8_t priority)
{
    const struct copy c = {.src = 0x1000,
                           .dst = 0x200000,
                           .src_step = {2048, 0},
                           .dst_step = {2048, 0},
                           .src_num = {16, 1},
                           .dst_num = {16, 1},
                           .src_size = 1024,
                           .dst_size = 1024,
                           .priority = priority};
    word_b8(word, &c);
}

static void test_a_class_has_its_bytes_per_packet(void **state)
{
    (void)state;
    static const uint32_t map[4] = {100, 4096, 0x200000, 0};
    static const unsigned packets[5] = {1, 16, 4, 1, 1}; /* of classes 0..4 */
    struct trn_dge_options options = trn_dge_options_default();
    for (unsigned way = 0; way < 2; way++) { /* set by a call, and from the beginning */
        struct rig rig;
        uint8_t word[64];
        memcpy(options.packet_bytes, map, sizeof map);
        rig_open(&rig, "cayman", way ? &options : NULL);
        if (!way)
            assert_int_equal(trn_dge_set_priority_class_map(rig.dge, map, 4, NULL), TRN_OK);
        for (uint8_t class = 0; class < 5; class ++) {
            sixteen(word, class);
            assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
            assert_int_equal(rig.outcome.result, TRN_DGE_EMITTED);
            assert_int_equal(rig.outcome.packets, packets[class]);
            for (unsigned i = 0; i < 16; i++)
                assert_memory_equal(rig_at(&rig, 0x200000 + 2048 * i, 1024),
                                    rig_at(&rig, 0x1000 + 2048 * i, 1024), 1024);
        }
        rig_close(&rig);
    }
}

static void test_the_map_has_classes_1_to_4(void **state)
{
    (void)state;
    static const uint32_t map[5] = {64, 64, 64, 64, 64};
    struct trn_diag diag;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", NULL);
    assert_int_equal(trn_dge_set_priority_class_map(rig.dge, map, 5, &diag), TRN_ERR_INVALID);
    assert_non_null(strstr(diag.message, "5 entries"));
    assert_int_equal(trn_dge_set_priority_class_map(rig.dge, NULL, 1, &diag), TRN_ERR_INVALID);
    sixteen(word, 1); /* nothing was set */
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.packets, 1);
    assert_int_equal(trn_dge_set_priority_class_map(rig.dge, map, 1, &diag), TRN_OK);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.packets, 16);
    rig_close(&rig);
}

/* ---- credits (8.6) --------------------------------------------------------------------------- */

static void copies(uint8_t word[64], uint16_t count)
{
    const struct copy c = {.src = 0x1000,
                           .dst = 0x200000,
                           .src_step = {64, 0},
                           .dst_step = {64, 0},
                           .src_num = {count, 1},
                           .dst_num = {count, 1},
                           .src_size = 16,
                           .dst_size = 16};
    word_b8(word, &c);
}

/* Credits are the descriptors of a ring less the reserved one; each time they are used up and more
 * is to come the word waits once. */
static void test_a_word_waits_for_credits(void **state)
{
    (void)state;
    static const struct {
        uint32_t credits;
        uint16_t count;
        unsigned waits;
    } cases[] = {{8, 7, 0}, {8, 8, 0}, {8, 9, 1}, {8, 20, 2}, {31, 31, 0}, {31, 100, 3}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (unsigned host = 0; host < 2; host++) {
            struct rig rig;
            uint8_t word[64];
            rig_open(&rig, "mariana_plus", NULL);
            rig.local[40] = 0x20000001;
            if (host)
                give(&rig, 0, cases[i].credits + 1);
            else
                rig.local[39] = (cases[i].credits + 1) << 16 | 0x400;
            copies(word, cases[i].count);
            assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
            assert_int_equal(rig.outcome.result, TRN_DGE_EMITTED);
            assert_int_equal(rig.outcome.credits, cases[i].credits);
            assert_int_equal(rig.outcome.credit_waits, cases[i].waits);
            assert_int_equal(rig.choices[TRN_CHOICE_DGE_CREDITS], cases[i].waits);
            for (unsigned k = 0; k < cases[i].count; k++)
                assert_memory_equal(rig_at(&rig, 0x200000 + 64 * k, 16),
                                    rig_at(&rig, 0x1000 + 64 * k, 16), 16);
            rig_close(&rig);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_descriptors_stand_in_the_host_s_rings),
        cmocka_unit_test(test_an_unusable_queue_says_why),
        cmocka_unit_test(test_other_engines_take_the_word),
        cmocka_unit_test(test_a_ring_must_hold_a_tile),
        cmocka_unit_test(test_a_queue_that_nobody_initialised),
        cmocka_unit_test(test_a_class_has_its_bytes_per_packet),
        cmocka_unit_test(test_the_map_has_classes_1_to_4),
        cmocka_unit_test(test_a_word_waits_for_credits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
