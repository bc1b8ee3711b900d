/* SPDX-License-Identifier: Apache-2.0 */
/* Log lines and the inline forms (docs/hardware/dge.md 12, 13; section numbers are its). Expected
 * values are the sheet's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "dma/dge_rig.h"
#include "dma/dge_words.h"

/* ---- lines (13) ------------------------------------------------------------------------------ */

static void test_lines_of_the_pool_backend(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", NULL);
    rig.local[40] = 0x20000001;
    rig.reg[20] = 0x10000000;
    rig_word(WORKED_WORD, word);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    static const char *const lines[] = {
        "S: DGE: Select backend Pool",
        "S: Setting up DGE",
        "S: DGE contexts 0x2c/0x2d init sw=0 engine=0 queue_idx=13 queue_num=16",
        "S: DGE Reshape: Analyzed tensor (nelem_target = 2, step_target = 0x100 (-1P), base = "
        "0x10000000 (-1P)): Reshape Strategy = 0, Requested Reshape Kind = 0, Partition Range = 0, "
        "Num Partitions = 0",
        "S: DGE Reshape: Analyzed tensor (nelem_target = 2, step_target = 0x40 (0P), base = 0x0 "
        "(0P)): Reshape Strategy = 0, Requested Reshape Kind = 0, Partition Range = 1, Num "
        "Partitions = 1",
        "S: DGE Reshape: Assessed simple tensor pair params (Num Partitions A = 0, Num Partitions "
        "B = 1, #DMA Avail = 1, HBM Only = 0): Reshape Kind = 0, #DMA = 1",
        "S: DGE $S[10]+=1@dmacomplete src=[0x94]@0x10000000[0x100,0x0][2,1] "
        "dst=[0x0]@0x2000000000[0x40,0x0][2,1] cast:0x3->0x3 bounds:(1 0x10000000<=0x10000000, 0 "
        "0x2000000000<=0x0) compute_op: 0x0",
        "S: push REGWRITE to DMA[0]",
        "S: push GENERATE to DMA[0]: RD : addr=0x10000000, elem_size=64, sem_num=10",
        "S: push GENERATE to DMA[0]: WR : addr=0x2000000040, elem_size=64, sem_num=10",
        "S: push DIMPUSH to DMA[0]: [2,2][256,64]",
        "S: push DIMPUSH to DMA[0]: [1,1][0,0]",
    };
    for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (!rig_logged(&rig, lines[i]))
            fail_msg("no line '%s' in\n%s", lines[i], rig.log);
    rig_close(&rig);
    rig_open(&rig, "mariana_plus", NULL); /* 1.1: no REGWRITE there */
    rig.reg[20] = 0x10000000;
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_null(strstr(rig.log, "REGWRITE"));
    assert_non_null(strstr(rig.log, "push GENERATE"));
    rig_close(&rig);
}

static void test_lines_of_the_hardware_backend(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "mariana", NULL);
    rig.local[40] = 0x20000001;
    rig.shape[2] = (struct trn_dge_shape){{2, 3, 1, 1}, {64, -256, 0, 0}};
    const struct copy c = {.src = UINT64_C(0x4000000000008000),
                           .src_step = {2, 0},
                           .dst = 0x20000,
                           .dst_step = {64, 0},
                           .dst_num = {6, 1},
                           .src_size = 64,
                           .dst_size = 64,
                           .semaphore = 7,
                           .increment = 2};
    word_b8(word, &c);
    assert_int_equal(rig_run(&rig, SP, word, NULL), TRN_OK);
    static const char *const lines[] = {
        "S: dge_shape[2].step = [ 0x0040, 0xff00, 0x0000, 0x0000 ]",
        "S: dge_shape[2].num  = [ 0x0002, 0x0003, 0x0001, 0x0001 ]",
        "S: DGE: Select backend RTL",
        "S: DGE RTL backend: $S[7]+=2@dmacomplete "
        "src=[0x0]@0x8000[0x40,0xffffff00,0x0,0x0,0x0|0x0,0x0][2,3,1,1,1|1,1] "
        "dst=[0x0]@0x20000[0x40,0x0,0x0,0x0,0x0|0x0,0x0][6,1,1,1,1|1,1]",
        "S: push DIMPUSH to DMA[0]: [3,1][-256,0]",
    };
    for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (!rig_logged(&rig, lines[i]))
            fail_msg("no line '%s' in\n%s", lines[i], rig.log);
    for (unsigned i = 0; i < 6; i++)
        assert_memory_equal(rig_at(&rig, 0x20000 + 64 * i, 64),
                            rig_at(&rig, 0x8000 + 64 * (i % 2) - 256 * (i / 2), 64), 64);
    rig_close(&rig);
}

static void test_lines_of_the_software_backend(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", NULL);
    const uint32_t index[4] = {3, 0xFFFFFFFF, 1, 2};
    rig_indices(&rig, 0x8000, index, 4);
    rig.reg[20] = 7;
    rig.local[38] = 2;
    rig.local[40] = 0x20000001;
    const struct indirect c = {.src = 0x1000,
                               .dst = 0x20000,
                               .src_step = 64,
                               .dst_step = 64,
                               .src_num = 4,
                               .dst_num = 4,
                               .src_size = 64,
                               .dst_size = 64,
                               .src_idx = 0x8000,
                               .src_bound = 0x94,
                               .semaphore = 6,
                               .increment = 1};
    word_bb(word, &c);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    static const char *const lines[] = {
        "S: DGE software backend: $S[6]+=1@dmacomplete src=[0x94]@0x1000[0x40,0x0,0x0,0x0]"
        "[4,1,1,1] dst=[0x0]@0x20000[0x40,0x0,0x0,0x0][4,1,1,1] cast:0x3->0x3, "
        "indirection_dim=0x0, reshape_kind=0x0",
        "P0: DGE INDIRECT",
        "P0: Before IVP_MULUSAN_2X32: address=0x0_1000, last_indices=0x2, indirection_step=0x40",
        "P0: After IVP_MULUSAN_2X32: address=0x0_1080, last_indices=0x2, indirection_step=0x40",
        "Indirection masks: our_indices_valid = 0xd, other_indices_valid = 0xf, srx_idx_max = 7, "
        "dst_idx_max = 0",
        "S: DGE: Failed bounds check. $S[6]+=1.",
        "S: DGE: Dispatched error notification",
        "P0: Generating 4 descriptors; ring_ndesc = 4097",
        "P0: Trigger DMA; sdma_bcast_base = 0x00000000, trigger addr = 0x0002e038, mask = "
        "0x00000001 n_desc=4",
        "P0: Trigger DMA; sdma_bcast_base = 0x00000000, trigger addr = 0x0000e038, mask = "
        "0x00000001 n_desc=4",
    };
    for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (!rig_logged(&rig, lines[i]))
            fail_msg("no line '%s' in\n%s", lines[i], rig.log);
    rig_close(&rig);
}

/* ---- inline forms (12) ----------------------------------------------------------------------- */

static void test_memcpy2_updates_both_semaphores(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64] = {0xB9, 0x10};
    rig_open(&rig, "maverick", NULL);
    word[10] = 3 | 1 << 5; /* engines 3 and 4 */
    word[11] = 5 << 2;     /* queue 5 */
    word[12] = 0x20;       /* source immediate, destination register plus offset */
    word[13] = 0x11;
    put(word, 14, 2, 40);
    put(word, 16, 8, 0x3000);
    put(word, 24, 4, 256);
    put(word, 32, 2, 4);
    put(word, 34, 2, 1);
    put(word, 36, 2, 32);
    put(word, 38, 2, 41);
    word[40] = 10;
    put(word, 44, 4, 0x40);
    put(word, 48, 4, 32);
    put(word, 56, 2, 4);
    put(word, 58, 2, 1);
    put(word, 60, 2, 32);
    rig.reg[10] = 0x40000;
    assert_int_equal(rig_run(&rig, SP, word, NULL), TRN_OK);
    assert_string_equal(rig.outcome.reason, "");
    assert_int_equal(rig.outcome.result, TRN_DGE_EMITTED);
    assert_int_equal(rig.semaphore[40], 1);
    assert_int_equal(rig.semaphore[41], 1);
    assert_int_equal(rig.desc[0].dma, 3);
    assert_int_equal(rig.desc[0].queue, 5);
    for (unsigned i = 0; i < 4; i++)
        assert_memory_equal(rig_at(&rig, 0x40040 + 32 * i, 32), rig_at(&rig, 0x3000 + 256 * i, 32),
                            32);
    rig_close(&rig);
}

/* 8.1: the hardware backend is commanded by SP alone on MAVERICK, POOL has the software one. */
static void test_inline_forms_need_a_backend(void **state)
{
    (void)state;
    static const struct {
        int engine;
        enum trn_dge_backend backend;
    } rows[] = {
        {PE, TRN_DGE_NONE}, {POOL, TRN_DGE_SOFTWARE}, {DVE, TRN_DGE_NONE}, {SP, TRN_DGE_RTL}};
    struct rig rig;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t copy[64] = {0xB9, 0x10}, ready[64] = {0xBA, 0x10};
        put(copy, 16, 8, 0x3000);
        put(copy, 13, 1, 0x10); /* the destination counts semaphore 41 up */
        put(copy, 32, 2, 1);
        put(copy, 34, 2, 1);
        put(copy, 36, 2, 64);
        put(copy, 38, 2, 41);
        put(copy, 40, 8, 0x40000);
        put(copy, 56, 2, 1);
        put(copy, 58, 2, 1);
        put(copy, 60, 2, 64);
        ready[12] = 1;
        const bool none = rows[i].backend == TRN_DGE_NONE;
        rig_open(&rig, "maverick", NULL);
        assert_int_equal(rig_run(&rig, rows[i].engine, copy, NULL), TRN_OK);
        assert_int_equal(rig.outcome.backend, rows[i].backend);
        assert_int_equal(rig.outcome.result, none ? TRN_DGE_NO_BACKEND : TRN_DGE_EMITTED);
        assert_int_equal(rig.semaphore[41], !none);
        assert_int_equal(rig.num_descs, none ? 0 : 4);
        assert_int_equal(rig_run(&rig, rows[i].engine, ready, NULL), TRN_OK);
        assert_int_equal(rig.outcome.backend, rows[i].backend);
        assert_int_equal(rig.outcome.result, none ? TRN_DGE_NO_BACKEND : TRN_DGE_EMITTED);
        assert_int_equal(rig.num_sent, !none);
        rig_close(&rig);
    }
}

static void test_dma_immediate_sends_ready_descriptors(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64] = {0xBA, 0x10};
    rig_open(&rig, "maverick", NULL);
    word[10] = 6;
    word[11] = 2 << 2;
    word[12] = 2 | 1 << 3; /* two descriptors, the second from registers */
    word[14] = 8;
    for (unsigned i = 0; i < 16; i++)
        word[16 + i] = (uint8_t)(0xA0 + i);
    for (unsigned i = 0; i < 4; i++)
        rig.reg[8 + i] = 0x01020304 * (i + 1);
    assert_int_equal(rig_run(&rig, SP, word, NULL), TRN_OK);
    assert_string_equal(rig.outcome.reason, "");
    assert_int_equal(rig.num_sent, 2);
    assert_int_equal(rig.sent_dma, 6);
    assert_int_equal(rig.sent_queue, 2);
    assert_memory_equal(rig.sent, word + 16, 16);
    assert_memory_equal(rig.sent + 16, &rig.reg[8], 16);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_of_the_pool_backend),
        cmocka_unit_test(test_lines_of_the_hardware_backend),
        cmocka_unit_test(test_lines_of_the_software_backend),
        cmocka_unit_test(test_memcpy2_updates_both_semaphores),
        cmocka_unit_test(test_inline_forms_need_a_backend),
        cmocka_unit_test(test_dma_immediate_sends_ready_descriptors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
