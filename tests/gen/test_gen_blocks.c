/* SPDX-License-Identifier: Apache-2.0 */
/* Where register blocks lie. Expected places: docs/hardware/address-map.md 4 to 7 (formulas written
 * out here), sunda-bringup-trace.md, notific.md 2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "gen/blocks.h"

static const struct trn_gen *sunda, *cayman, *mariana, *maverick;

static int find_generations(void **state)
{
    (void)state;
    sunda = trn_gen_find("sunda");
    cayman = trn_gen_find("cayman");
    mariana = trn_gen_find("mariana");
    maverick = trn_gen_find("maverick");
    return sunda && cayman && mariana && maverick ? 0 : -1;
}

static void expect(const struct trn_gen *gen, const char *name, uint64_t bar0, const char *place)
{
    const struct trn_block *block = trn_block_find(gen, name);
    assert_non_null(block);
    assert_int_equal(block->bar0, bar0);
    assert_string_equal(block->place, place);
    assert_ptr_equal(trn_block_at(gen, bar0), block);
    assert_ptr_equal(trn_block_at(gen, bar0 + block->row->size - 1), block);
    assert_ptr_not_equal(trn_block_at(gen, bar0 + block->row->size), block);
}

static void test_blocks_of_sunda_lie_where_the_sheets_say(void **state)
{
    (void)state;
    const uint64_t apb = 0x30000000; /* 6.1 */
    expect(sunda, "core0.tpb", apb + 0x530000, "TPB_0_CSR");
    expect(sunda, "core1.tpb", apb + 0x700000 + 0x530000, "TPB_1_CSR");
    expect(sunda, "core1.notific", apb + 0x700000 + 0x535000, "TPB_1_NOTIFIC");
    expect(sunda, "core1.act.nx_local", 0x4000000 + 0x2460000, "core 1 ACT_NX_LOCAL_REG");
    expect(sunda, "core0.pool.nx_local", 0x2900000 + 0x60000, "core 0 POOL_NX_LOCAL_REG");
    expect(sunda, "dma21.udma", apb + 0x700000 + 5 * 0x40000, "SENG_1_UDMA[5]");
    expect(sunda, "dma21.notific", apb + 0x700000 + 0x400000 + 5 * 0x7000 + 0x1000,
           "SENG_1_SDMA[5]+0x1000");
    expect(sunda, "dma32.sdma", apb + 0x640000, "D2H_SDMA");
    expect(sunda, "dma33.udma", apb + 0xD00000, "H2D_UDMA");
    expect(sunda, "misc_ram", apb + 0xE00000 + 0x1A0000, "MISC_RAM");
    /* the trace: notification block of TopSP 2, sp_regs, sp_mem = window + 200000 */
    expect(sunda, "topsp2.notific", 0x30E84000, "TOP_SP_2_NOTIFIC");
    expect(sunda, "topsp2.sp_regs", 0x30E85000, "TOP_SP_REGS[2]");
    expect(sunda, "topsp2.nx_local", 0x10A00000 + 0x60000, "TOP_SP[2] SP_LOCAL_REG");
    expect(sunda, "topsp5.sp_regs", 0x30F45000, "TOP_SP_REGS[5]");
    assert_null(trn_block_find(sunda, "topsp6.notific"));
    assert_null(trn_block_find(sunda, "core2.tpb"));
    assert_null(trn_block_find(sunda, "core0.act.xt_local"));
}

/* 6.2 */
static uint64_t tpb_csr(unsigned n)
{
    return UINT64_C(0x40000000) * (n / 4) + 0x6000000 + 0x400000 * (n / 2 % 2) + 0x180000 * (n % 2);
}

static void test_blocks_of_a_cayman_core(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 8; n++) {
        char name[32], place[32];
        snprintf(name, sizeof name, "core%u.tpb", n);
        snprintf(place, sizeof place, "TPB_%u_CSR", n);
        expect(cayman, name, tpb_csr(n), place);
        snprintf(name, sizeof name, "core%u.pe_seq_cluster", n);
        snprintf(place, sizeof place, "TPB_%u_PE_SEQ_CLUSTER", n);
        expect(cayman, name, tpb_csr(n) + 0x141000, place);
        snprintf(name, sizeof name, "core%u.trig1", n);
        snprintf(place, sizeof place, "TPB_%u_TRIG_1", n);
        expect(cayman, name, tpb_csr(n) + 0x3000, place);
        snprintf(name, sizeof name, "core%u.pool.xt_local", n);
        snprintf(place, sizeof place, "core %u POOL_LOCAL_REG", n);
        expect(cayman, name, 0xD0000000 + n * UINT64_C(0x4000000) + 0x3060000, place);
        snprintf(name, sizeof name, "core%u.evt_sem", n);
        snprintf(place, sizeof place, "core %u EVT_SEM", n);
        expect(cayman, name, 0xD0000000 + n * UINT64_C(0x4000000) + 0x2700000, place);
    }
}

static void test_blocks_of_a_cayman_device(void **state)
{
    (void)state;
    expect(cayman, "preproc1.xt_local", 0xC4000000 + 0x3060000, "PREPROC_1+0x3060000");
    /* engine 5 of SENG 1: APB_SE(1) + 4000000 + 100000 * 5, number 32 + 5 */
    const uint64_t engine = UINT64_C(0x90000000) + 0x4000000 + 0x500000;
    expect(cayman, "dma37.udma", engine, "SE_1_SDMA[5]");
    expect(cayman, "dma37.sdma", engine + 0x40000, "SE_1_SDMA[5]+0x40000");
    expect(cayman, "dma37.notific", engine + 0x41000, "SE_1_SDMA[5]+0x41000");
    expect(cayman, "dma37.fis", UINT64_C(0x90000000) + 0xC400000 + 0x20000 * 5, "SE_1_SDMA_FIS[5]");
    expect(cayman, "dma128.udma", 0x6800000, "D2H_0_UDMA");
    expect(cayman, "dma131.notific", 0x40000000 + 0x6900000 + 0x41000, "H2D_1_UDMA+0x41000");
    expect(cayman, "misc_ram", 0x6C84000, "MISC_RAM");
    /* software TopSP 8 is hardware window 10 */
    expect(cayman, "topsp8.evt_sem", 0xF2800000, "TOP_SP_10 EVT_SEM");
    expect(cayman, "topsp8.notific", 0x46A00000, "TOP_SP_8_NOTIFIC");
    expect(cayman, "topsp8.sp_regs", 0x46A01000, "TOP_SP_REGS_DIE1[0]");
    expect(cayman, "topsp_spare3.xt_local", 0xF4C00000 + 0x260000, "TOP_SP_19 SP_LOCAL_REG");
    assert_null(trn_block_find(mariana, "topsp_spare3.xt_local"));
    assert_null(trn_block_find(cayman, "dma132.udma"));
    assert_null(trn_block_find(cayman, "intc0")); /* its registers are known from v4 on */
    expect(mariana, "intc1", 0xF5202000, "INTC_1");
    expect(mariana, "dma0.sdma_cce_user", 0x82000000 + 0x42000, "SE_0_SDMA[0]+0x42000");
}

static void test_maverick_has_engines_and_semaphores(void **state)
{
    (void)state;
    /* 4.3: PE 8600000, EVT_SEM 8700000 in the window of core 0, which is CAYMAN's */
    expect(maverick, "core0.pe.xt_local", 0xD0000000 + 0x8660000, "core 0 PE_LOCAL_REG");
    expect(maverick, "core0.evt_sem", 0xD0000000 + 0x8700000, "core 0 EVT_SEM");
    assert_null(trn_block_find(maverick, "core0.tpb"));
    assert_null(trn_block_find(maverick, "topsp0.notific"));
}

static void test_blocks_have_other_names(void **state)
{
    (void)state;
    assert_ptr_equal(trn_block_find(cayman, "tpb[3]"), trn_block_find(cayman, "core3.tpb"));
    assert_ptr_equal(trn_block_find(cayman, "tpb"), trn_block_find(cayman, "core0.tpb"));
    assert_ptr_equal(trn_block_find(cayman, "TPB_3_CSR"), trn_block_find(cayman, "CORE3.tpb"));
    assert_ptr_equal(trn_block_find(cayman, "udma[130]"), trn_block_find(cayman, "dma130.udma"));
    assert_ptr_equal(trn_block_find(cayman, "notific[2]"),
                     trn_block_find(cayman, "core2.notific")); /* not TopSP 2 or DMA engine 2 */
    assert_null(trn_block_find(cayman, "tpb[8]"));
    assert_null(trn_block_find(cayman, "tpb[3"));
    assert_null(trn_block_find(cayman, "tpb[]"));
    assert_null(trn_block_find(cayman, "tpb[3]x"));
    assert_null(trn_block_find(cayman, "tpb[-1]"));
    assert_null(trn_block_find(cayman, ""));
}

static void test_owner_and_engine_of_a_block(void **state)
{
    (void)state;
    const struct trn_block *block = trn_block_find(cayman, "core3.act.xt_local");
    assert_int_equal(trn_block_core(block), 3);
    assert_int_equal(block->row->engine, 1);
    assert_string_equal(block->row->block, "xt_local");
    block = trn_block_find(cayman, "topsp3.xt_local");
    assert_int_equal(trn_block_core(block), -1);
    assert_int_equal(block->row->engine, -1);
    assert_int_equal(block->number, 3);
}

static void test_every_block_is_found_at_its_place(void **state)
{
    (void)state;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        const struct trn_gen *gen = trn_gen_at(g);
        const struct trn_block_list *list = trn_blocks_of(gen);
        assert_true(list->count > 0);
        for (size_t i = 0; i < list->count; i++) {
            const struct trn_block *block = &list->blocks[i];
            char path[TRN_BLOCK_PATH_BYTES];
            trn_block_path(block, path);
            assert_ptr_equal(trn_block_find(gen, path), block);
            assert_ptr_equal(trn_block_at(gen, block->bar0), block);
            if (i > 0)
                assert_true(list->blocks[i - 1].bar0 + list->blocks[i - 1].row->size <=
                            block->bar0);
        }
        assert_null(trn_block_at(gen, UINT64_MAX));
    }
}

static void test_one_queue_block_has_one_queue(void **state)
{
    (void)state;
    unsigned index[2] = {9, 9};
    uint64_t bar0 = 0;
    const struct trn_block *ten = trn_block_find(cayman, "core0.notific");
    const struct trn_block *one = trn_block_find(cayman, "core0.trig_notific");
    assert_string_equal(one->row->form, "one-queue");
    assert_string_equal(ten->row->form, "ten-queue");
    const struct trn_reg_row *head = trn_reg_find(cayman, "notific.nq.head_ptr", NULL);
    /* queue i at 100 + 28 * i, head at + C */
    assert_ptr_equal(trn_block_reg_at(cayman, one, one->bar0 + 0x10C, index), head);
    assert_null(trn_block_reg_at(cayman, one, one->bar0 + 0x10C + 0x28, NULL));
    assert_ptr_equal(trn_block_reg_at(cayman, ten, ten->bar0 + 0x10C + 9 * 0x28, index), head);
    assert_int_equal(index[0], 9);
    assert_true(trn_block_reg_place(ten, head, 9, 0, &bar0));
    assert_int_equal(bar0, ten->bar0 + 0x10C + 9 * 0x28);
    assert_false(trn_block_reg_place(one, head, 1, 0, &bar0));
    assert_false(trn_block_reg_place(trn_block_find(cayman, "core0.tpb"), head, 0, 0, &bar0));
}

static void test_two_blocks_share_a_dma_engine(void **state)
{
    (void)state;
    const struct trn_block *engine = trn_block_find(cayman, "dma4.udma");
    unsigned index[2];
    const struct trn_reg_row *row = /* udma.md: queue q at 1000 + 1000 * q, tdrdtp_inc at + E0 */
        trn_block_reg_at(cayman, engine, engine->bar0 + 0x10E0 + 7 * 0x1000, index);
    assert_string_equal(row->path, "udma_m2s.q.tdrdtp_inc");
    assert_int_equal(index[0], 7);
    row = trn_block_reg_at(cayman, engine, engine->bar0 + 0x1038 + 7 * 0x1000, index);
    assert_string_equal(row->path, "udma.m2s_q.drtp_inc");
    /* CCE user base 2000: seed[2][5] at 2000 + 8 * (5 + 16 * (2 + 8)) of the wrapper */
    const struct trn_block *cce = trn_block_find(mariana, "dma0.sdma_cce_user");
    uint64_t bar0 = 0;
    row = trn_block_reg_at(mariana, cce, 0x82040000 + 0x2000 + 8 * (5 + 16 * (2 + 8)), index);
    assert_string_equal(row->path, "sdma_cce_user.seed");
    assert_true(trn_block_reg_place(cce, row, index[0], index[1], &bar0));
    assert_int_equal(bar0, 0x82040000 + 0x2000 + 8 * (5 + 16 * (2 + 8)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_of_sunda_lie_where_the_sheets_say),
        cmocka_unit_test(test_blocks_of_a_cayman_core),
        cmocka_unit_test(test_blocks_of_a_cayman_device),
        cmocka_unit_test(test_maverick_has_engines_and_semaphores),
        cmocka_unit_test(test_blocks_have_other_names),
        cmocka_unit_test(test_owner_and_engine_of_a_block),
        cmocka_unit_test(test_every_block_is_found_at_its_place),
        cmocka_unit_test(test_one_queue_block_has_one_queue),
        cmocka_unit_test(test_two_blocks_share_a_dma_engine),
    };
    return cmocka_run_group_tests(tests, find_generations, NULL);
}
