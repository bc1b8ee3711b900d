/* SPDX-License-Identifier: Apache-2.0 */
/* DGE registers, general local registers and the Q7 swap hooks (docs/hardware/hal-stpb.md 14.2,
 * 15). The caps themselves: test_hal_bounds.c. */
#include "hal/host.h"

static const char *const gens[] = {"sunda", "cayman", "mariana", "mariana_plus"};

enum { NUM_GENS = 4, SUNDA = 0 };

/* POOL's local registers (8.3). */
static uint64_t pool(unsigned g)
{
    return g == SUNDA ? 0x2960000 : 0x3060000;
}

static void expect_write(struct host *host, uint64_t offset, uint32_t value)
{
    assert_int_equal(host->bus.count, 1);
    assert_int_equal(host->bus.event[0].kind, 'W');
    assert_int_equal(host->bus.event[0].offset, offset);
    assert_int_equal(host->bus.event[0].value, value);
    host->bus.count = 0;
}

/* 15.1: ((size >> 4) << 16) | (offset >> 4) at X + 14E0. */
static void test_carveout_word(void **state)
{
    (void)state;
    for (unsigned g = 0; g < NUM_GENS; g++) {
        struct host host;
        host_open(&host, gens[g], NULL);
        assert_int_equal(trn_hal_set_dge_carveout(host.hal, 0x4000000, 0x8000, 0x28000), TRN_OK);
        expect_write(&host, 0x4000000 + pool(g) + 0x14E0, 0x08002800);
        assert_int_equal(trn_hal_set_dge_carveout(host.hal, 0x4000000, 0x30000, 0), TRN_OK);
        expect_write(&host, 0x4000000 + pool(g) + 0x14E0, 0x30000000);
        assert_int_equal(trn_hal_set_dge_carveout(host.hal, 0x4000000, 0, 0x10), TRN_OK);
        expect_write(&host, 0x4000000 + pool(g) + 0x14E0, 0x00000001);
        host_close(&host);
    }
}

/* 15.3: same word and checks, nothing written; the offset counts from tpb_mem_handle. */
static void test_carveout_offset_and_value(void **state)
{
    (void)state;
    for (unsigned g = 0; g < NUM_GENS; g++) {
        struct host host;
        uint64_t reg;
        uint32_t value;
        host_open(&host, gens[g], NULL);
        assert_int_equal(trn_hal_get_dge_carveout_register_offset_and_val(host.hal, 0x8000, 0x28000,
                                                                          &reg, &value),
                         TRN_OK);
        assert_int_equal(reg, pool(g) + 0x14E0);
        assert_int_equal(value, 0x08002800);
        assert_int_equal(
            trn_hal_get_dge_carveout_register_offset_and_val(host.hal, 0x40000, 0x10, &reg, &value),
            -22);
        assert_int_equal(reg, 0);
        assert_int_equal(value, 0);
        assert_int_equal(
            trn_hal_get_dge_carveout_register_offset_and_val(host.hal, 8, 0x10, &reg, &value), -22);
        host_expect(&host, "L1 dge carveout params oob, offset 16 size 262144\n"
                           "L1 invalid dge carveout params, offset 16 size 8\n");
        host_close(&host);
    }
}

/* Bounds before alignment; OPEN 32-bit sum, model choice: it does not wrap. */
static void test_order_of_the_carveout_checks(void **state)
{
    struct host host;
    (void)state;
    host_open(&host, "cayman", NULL);
    assert_int_equal(trn_hal_set_dge_carveout(host.hal, 0, 0x38001, 1), -22);
    host_expect(&host, "L1 dge carveout params oob, offset 1 size 229377\n");
    assert_int_equal(trn_hal_set_dge_carveout(host.hal, 0, 0xFFFFFFF0, 0x20), -22);
    host_expect(&host, "L1 dge carveout params oob, offset 32 size 4294967280\n");
    assert_int_equal(trn_hal_set_dge_carveout(host.hal, 0, 0x20, 0x18), -22);
    host_expect(&host, "L1 invalid dge carveout params, offset 24 size 32\n");
    host_close(&host);
}

/* 15.2: no validation, no masking of lo. */
static void test_mapping_word(void **state)
{
    (void)state;
    for (unsigned g = 0; g < NUM_GENS; g++) {
        struct host host;
        uint64_t reg;
        uint32_t value;
        host_open(&host, gens[g], NULL);
        assert_int_equal(trn_hal_set_dge_dma_mapping(host.hal, 0, 0x12, 0x34), TRN_OK);
        expect_write(&host, pool(g) + 0x1500, 0x00120034);
        assert_int_equal(trn_hal_set_dge_dma_mapping(host.hal, 0, 0xABCD1234, 0x80010001), TRN_OK);
        expect_write(&host, pool(g) + 0x1500, 0x92350001); /* 12340000 | 80010001 */
        assert_int_equal(
            trn_hal_get_dge_dma_mapping_register_offset_and_val(host.hal, 1, 2, &reg, &value),
            TRN_OK);
        assert_int_equal(reg, pool(g) + 0x1500);
        assert_int_equal(value, 0x00010002);
        assert_int_equal(host.bus.count, 0);
        host_close(&host);
    }
}

/* 15.4: X + 32 (idx + 128); nothing on SUNDA. */
static void test_general_registers(void **state)
{
    static const uint64_t local[5] = {0x2660000, 0x2460000, 0x3060000, 0x2B60000, 0x2860000};
    struct host host;
    (void)state;
    for (unsigned g = 1; g < NUM_GENS; g++) {
        host_open(&host, gens[g], NULL);
        for (int engine = 0; engine < 5; engine++)
            for (uint32_t i = 0; i < 60; i++) {
                assert_int_equal(trn_hal_write_general_register(host.hal, 0, engine, i, 5), TRN_OK);
                expect_write(&host, local[engine] + 32 * (i + 128), 5);
            }
        assert_int_equal(trn_hal_write_general_register(host.hal, 0, 0, 60, 5), -22);
        assert_int_equal(trn_hal_write_general_register(host.hal, 0, 0, UINT32_MAX, 5), -22);
        host_expect(&host, "");
        /* eng_to_xt: anything else is 6, with a line */
        assert_int_equal(trn_hal_write_general_register(host.hal, 0, 5, 0, 5), TRN_ERR_ASSERT);
        host_expect(&host, "L1 invalid engine 5\n");
        host_close(&host);
    }
    host_open(&host, "sunda", NULL);
    assert_int_equal(trn_hal_write_general_register(host.hal, 0, 0, 29, 5), TRN_OK);
    assert_int_equal(trn_hal_write_general_register(host.hal, 0, 0, 60, 5), TRN_OK);
    host_expect(&host, "");
    host_close(&host);
}

/* ---- Q7 swap hooks (14.2) ---------------------------------------------------------------------
 */

static void test_swap_hooks_on_sunda(void **state)
{
    struct host host;
    uint64_t lo, hi, count;
    (void)state;
    host_open(&host, "sunda", NULL);
    assert_int_equal(trn_hal_q7_swap_table(host.hal, 0x4000000, 0x1122334455667788, 9), TRN_OK);
    host_expect(&host, "W 696083C 55667788\nW 6960840 11223344\nW 6960844 9\n");
    assert_int_equal(
        trn_hal_q7_swap_table_get_register_offsets(host.hal, 0x4000000, &lo, &hi, &count), TRN_OK);
    assert_int_equal(lo, 0x696083C);
    assert_int_equal(hi, 0x6960840);
    assert_int_equal(count, 0x6960844);
    assert_int_equal(trn_hal_q7_swap_table_get_register_offsets(host.hal, 0, NULL, &hi, NULL),
                     TRN_OK);
    assert_int_equal(hi, 0x2960840);
    assert_int_equal(trn_hal_q7_swap_file_io_table(host.hal, 0, 0x1000, 0x20, 7), TRN_OK);
    host_expect(&host, "W 2960070 1000\nW 2960074 20\nW 2960838 7\n");
    host_close(&host);
}

static void test_swap_hooks_of_later_generations(void **state)
{
    (void)state;
    for (unsigned g = 1; g < NUM_GENS; g++) {
        struct host host;
        uint64_t lo = 1, hi = 1, count = 1;
        host_open(&host, gens[g], NULL);
        assert_int_equal(trn_hal_q7_swap_table(host.hal, 0, 5, 9), TRN_OK);
        assert_int_equal(trn_hal_q7_swap_file_io_table(host.hal, 0, 1, 2, 3), TRN_OK);
        assert_int_equal(trn_hal_q7_swap_table_get_register_offsets(host.hal, 0, &lo, &hi, &count),
                         TRN_OK);
        assert_int_equal(lo | hi | count, 0);
        host_expect(&host, "");
        host_close(&host);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_carveout_word),
        cmocka_unit_test(test_carveout_offset_and_value),
        cmocka_unit_test(test_order_of_the_carveout_checks),
        cmocka_unit_test(test_mapping_word),
        cmocka_unit_test(test_general_registers),
        cmocka_unit_test(test_swap_hooks_on_sunda),
        cmocka_unit_test(test_swap_hooks_of_later_generations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
