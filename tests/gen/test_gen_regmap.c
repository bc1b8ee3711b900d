/* SPDX-License-Identifier: Apache-2.0 */
/* Registers and apertures by name and by place. Expected numbers: docs/hardware/address-map.md,
 * hal-stpb.md, sequencer.md 9 and notific.md 2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/device_rows.h"
#include "gen/regmap.h"

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

static uint32_t place(const struct trn_gen *gen, const char *name)
{
    unsigned index[2];
    const struct trn_reg_row *row = trn_reg_find(gen, name, index);
    assert_non_null(row);
    return trn_reg_offset(row, index[0], index[1]);
}

static void test_register_is_found_by_block_and_name(void **state)
{
    (void)state;
    assert_int_equal(place(cayman, "tpb.misc.fake_error_data"), 0xB04);
    assert_int_equal(place(cayman, "TPB.Misc.Fake_Error_Data"), 0xB04);
    assert_int_equal(place(cayman, "notific.nq.head_ptr"), 0x10C);
    assert_null(trn_reg_find(cayman, "tpb.misc.fake_error_date", NULL));
    assert_null(trn_reg_find(cayman, "misc.fake_error_data", NULL));
    assert_null(trn_reg_find(cayman, "", NULL));
}

static void test_one_instance_is_named_by_its_index(void **state)
{
    (void)state;
    assert_int_equal(place(cayman, "notific.nq[3].head_ptr"), 0x100 + 0x0C + 3 * 0x28);
    assert_int_equal(place(cayman, "evt_sem.semaphore_inc[255]"), 0x1800 + 4 * 255);
    assert_int_equal(place(mariana, "sdma_cce_user.seed[2][5]"), 0x2000 + 8 * (5 + 16 * (2 + 8)));
    assert_null(trn_reg_find(cayman, "notific.nq[10].head_ptr", NULL)); /* ten queues */
    assert_null(trn_reg_find(cayman, "notific.nq[3][1].head_ptr", NULL));
    assert_null(trn_reg_find(cayman, "notific.nq[].head_ptr", NULL));
    assert_null(trn_reg_find(cayman, "notific.nq[3.head_ptr", NULL));
    assert_null(trn_reg_find(cayman, "notific.nq[99999999999].head_ptr", NULL));
    assert_null(trn_reg_find(cayman, "notific.nq[-1].head_ptr", NULL));
}

static void test_local_register_38_has_a_second_name(void **state)
{
    (void)state;
    const uint32_t want = 0x1000 + 38 * 0x20; /* sequencer.md 9.2 */
    assert_int_equal(place(cayman, "xt_local.general.lr[38]"), want);
    assert_int_equal(place(cayman, "xt_local.feature_flag"), want);
    assert_int_equal(place(maverick, "xt_local.general.feature_flag"), want);
    assert_null(trn_reg_find(sunda, "xt_local.feature_flag", NULL)); /* v2 has nx_local */
}

static void test_families_differ_between_generations(void **state)
{
    (void)state;
    const char *name = "tpb_arr_seq_cluster.queue_perf[19].matmul_active_cycle_cnt_lsb";
    assert_int_equal(place(sunda, name), 0x100 + 19 * 0x40);
    assert_int_equal(place(cayman, name), 0x100 + 19 * 0x30);
    name = "tpb_arr_seq_cluster.queue_perf[20].matmul_active_cycle_cnt_lsb";
    assert_null(trn_reg_find(sunda, name, NULL));
    assert_non_null(trn_reg_find(NULL, name, NULL)); /* some generation has it */
}

static void test_bits_and_resets(void **state)
{
    (void)state;
    const struct trn_reg_row *row = trn_reg_find(cayman, "tpb_ham.mon.ctrl", NULL);
    assert_int_equal(row->reset, 0x50C);
    assert_true(row->reset_known);
    const struct trn_reg_bits *bits = trn_reg_field(row, "meas_period_exp");
    assert_int_equal(bits->low, 8);
    assert_int_equal(bits->bits, 6);
    assert_null(trn_reg_field(row, "meas_period"));
    row = trn_reg_find(cayman, "udma.m2s_q.q_sw_ctrl", NULL);
    assert_true(trn_reg_field(row, "rst_q")->pulse);
    row = trn_reg_find(cayman, "xt_local.q7.release_run_stall", NULL);
    assert_int_equal(row->reset, 0xFF); /* sequencer.md 2.2, step 8 */
}

static void test_access_kinds(void **state)
{
    (void)state;
    assert_int_equal(trn_reg_find(sunda, "evt_sem.semaphore_read", NULL)->access, TRN_REG_RO);
    assert_int_equal(trn_reg_find(sunda, "evt_sem.semaphore_set", NULL)->access, TRN_REG_WO);
    assert_int_equal(trn_reg_find(sunda, "evt_sem.event", NULL)->access, TRN_REG_RW);
    assert_int_equal(trn_reg_find(sunda, "udma.gen.primary_iofic.cause", NULL)->access,
                     TRN_REG_W0C);
    assert_int_equal(trn_reg_find(cayman, "notific.nq_stats", NULL)->access, TRN_REG_RC);
}

static void test_register_of_unknown_place_is_open(void **state)
{
    (void)state;
    const struct trn_reg_row *row = trn_reg_find(mariana, "sdma_embedded_sem.ctrl_cfg", NULL);
    assert_true(row->open);
    assert_null(trn_reg_at(mariana, "sdma_embedded_sem", 0, NULL));
}

static void test_offset_finds_its_register_and_index(void **state)
{
    (void)state;
    unsigned index[2] = {99, 99};
    const struct trn_reg_row *row = trn_reg_at(cayman, "udma", 0x1038 + 7 * 0x1000, index);
    assert_string_equal(row->path, "udma.m2s_q.drtp_inc");
    assert_int_equal(index[0], 7);
    row = trn_reg_at(cayman, "udma", 0x21038 + 15 * 0x1000 + 2, index); /* a byte inside */
    assert_string_equal(row->path, "udma.s2m_q.drtp_inc");
    assert_int_equal(index[0], 15);
    row = trn_reg_at(mariana, "sdma_cce_user", 0x2400 + 2 * 0x80 + 5 * 8, index);
    assert_string_equal(row->path, "sdma_cce_user.seed");
    assert_int_equal(index[0], 2);
    assert_int_equal(index[1], 5);
    assert_null(trn_reg_at(mariana, "sdma_cce_user", 0x2404, NULL)); /* between two seeds */
    assert_null(trn_reg_at(cayman, "tpb", 0xFFC, NULL));
    assert_null(trn_reg_at(cayman, "no_such_block", 0, NULL));
    assert_null(trn_reg_at(cayman, "tpb", UINT32_MAX, NULL));
}

static void test_every_register_is_found_at_its_place(void **state)
{
    (void)state;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        for (size_t r = 0; r < trn_num_regs; r++) {
            const struct trn_reg_row *row = &trn_reg_table[r];
            if (row->open || !trn_reg_on(row, trn_gen_at(g)))
                continue;
            const unsigned last[2] = {
                row->first[0] + (row->num_indices > 0 ? row->count[0] - 1u : 0),
                row->first[1] + (row->num_indices > 1 ? row->count[1] - 1u : 0)};
            unsigned index[2];
            const uint32_t offset = trn_reg_offset(row, last[0], last[1]);
            assert_ptr_equal(trn_reg_at(trn_gen_at(g), row->block, offset, index), row);
            assert_int_equal(index[0], last[0]);
            assert_int_equal(index[1], last[1]);
            assert_ptr_equal(trn_reg_find(trn_gen_at(g), row->path, NULL), row);
        }
}

/* ---- apertures -------------------------------------------------------------------- */

static void test_smallest_aperture_wins(void **state)
{
    (void)state;
    /* 6.2: core 1 of CAYMAN has its registers at APB_IO + 0x6180000, inside the APB_IO window */
    const struct trn_aperture_row *row =
        trn_aperture_at(cayman, TRN_APERTURE_BAR0, 0x6180B04, NULL);
    assert_string_equal(row->name, "TPB_1_CSR");
    row = trn_aperture_at(cayman, TRN_APERTURE_BAR0, 0x6200000, NULL);
    assert_string_equal(row->name, "APB_IO_0");
    assert_null(
        trn_aperture_at(sunda, TRN_APERTURE_BAR0, 0x40000000, NULL)); /* past the 1 GiB BAR */
}

static void test_copies_of_an_aperture(void **state)
{
    (void)state;
    uint32_t copy = 99;
    /* 5.3: Q7 core c of v3 has its IRAM at 3100000 + c * 100000, 0x20000 bytes */
    const struct trn_aperture_row *row =
        trn_aperture_at(cayman, TRN_APERTURE_TPB_BAR, 0x3100000 + 5 * 0x100000 + 0x1FFFF, &copy);
    assert_string_equal(row->name, "POOL_Q7_CORE_IRAM");
    assert_int_equal(copy, 5);
    row = trn_aperture_at(cayman, TRN_APERTURE_TPB_BAR, 0x3100000 + 5 * 0x100000 + 0x20000, &copy);
    assert_null(row); /* the tail of a slot holds nothing */
    row = trn_aperture_at(sunda, TRN_APERTURE_BAR0, 0x4000000, &copy);
    assert_string_equal(row->name, "TPB");
    assert_int_equal(copy, 1);
}

static void test_device_address_follows_the_enclosing_window(void **state)
{
    (void)state;
    uint64_t address = 0;
    /* 4.1: TPB cores of SUNDA at FFF_C000_0000, 400_0000 apart */
    const struct trn_aperture_row *row = trn_aperture_find(sunda, TRN_APERTURE_BAR0, "TPB");
    assert_true(trn_aperture_soc(sunda, row, 1, &address));
    assert_true(address == UINT64_C(0xFFFC4000000));
    /* 6.2: APB_IO of die 0 is SoC 80_0000_0000, so the registers of core 1 are at + 618_0000 */
    row = trn_aperture_find(cayman, TRN_APERTURE_BAR0, "TPB_1_CSR");
    assert_true(trn_aperture_soc(cayman, row, 0, &address));
    assert_true(address == UINT64_C(0x8006180000));
    row = trn_aperture_find(cayman, TRN_APERTURE_TPB_BAR, "EVT_SEM");
    assert_false(trn_aperture_soc(cayman, row, 0, &address));
}

static void test_v4_apertures_serve_mariana_plus(void **state)
{
    (void)state;
    const struct trn_gen *plus = trn_gen_find("mariana_plus");
    for (size_t i = 0; i < trn_num_apertures; i++) {
        const struct trn_aperture_row *row = &trn_aperture_table[i];
        assert_ptr_equal(trn_aperture_find(plus, row->scope, row->name),
                         trn_aperture_find(mariana, row->scope, row->name));
    }
    assert_null(trn_aperture_find(cayman, TRN_APERTURE_BAR0, "no such aperture"));
    assert_string_equal(trn_aperture_scope_name(TRN_APERTURE_TPB_BAR), "tpb_bar");
}

/* ---- the other rows --------------------------------------------------------------- */

static void test_device_rows_have_their_numbers(void **state)
{
    (void)state;
    assert_int_equal(trn_num_records, 25); /* notification-records.md 3 */
    assert_int_equal(trn_record_table[24].code, 0x1F);
    assert_string_equal(trn_record_table[24].name, "TPB_ERROR");
    assert_int_equal(trn_num_wr_buffers, 40); /* notific.md: bits 0..0x27 */
    assert_int_equal(trn_wr_buffer_table[39].bit, 0x27);
    assert_int_equal(trn_num_triggers, 131); /* 0..130 */
    assert_int_equal(trn_trigger_table[130].unit, 1);
    assert_int_equal(trn_trigger_table[130].bit, 2);
    assert_string_equal(trn_trigger_table[130].name, "ham_intr");
    for (size_t i = 0; i < trn_num_routings; i++)
        assert_non_null(trn_reg_find(NULL, trn_routing_table[i].register_path, NULL));
    assert_true(trn_num_dma_causes > 0 && trn_num_errors > 0);
    assert_int_equal(trn_dma_cause_table[0].group, 'A');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_register_is_found_by_block_and_name),
        cmocka_unit_test(test_one_instance_is_named_by_its_index),
        cmocka_unit_test(test_local_register_38_has_a_second_name),
        cmocka_unit_test(test_families_differ_between_generations),
        cmocka_unit_test(test_bits_and_resets),
        cmocka_unit_test(test_access_kinds),
        cmocka_unit_test(test_register_of_unknown_place_is_open),
        cmocka_unit_test(test_offset_finds_its_register_and_index),
        cmocka_unit_test(test_every_register_is_found_at_its_place),
        cmocka_unit_test(test_smallest_aperture_wins),
        cmocka_unit_test(test_copies_of_an_aperture),
        cmocka_unit_test(test_device_address_follows_the_enclosing_window),
        cmocka_unit_test(test_v4_apertures_serve_mariana_plus),
        cmocka_unit_test(test_device_rows_have_their_numbers),
    };
    return cmocka_run_group_tests(tests, find_generations, NULL);
}
