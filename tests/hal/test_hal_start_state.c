/* SPDX-License-Identifier: Apache-2.0 */
/* Program start, run states, program counters, TopSP signals (docs/hardware/hal-stpb.md 14.3, 14.4)
 * and the bounded wait (docs/hardware/field-cases.md F45; its texts: test_hal_faults.c). */
#include "hal/host.h"

static const char *const later[] = {"cayman", "mariana", "mariana_plus"};

/* Order POOL, ACT, PE, DVE, SP; low, high, then the request. */
static void test_program_start_order(void **state)
{
    static const uint64_t start[5] = {0x111100000000, 0x2000, 0x3000, 0x4000, 0x5000};
    struct host host;
    (void)state;
    host_open(&host, "sunda", NULL);
    assert_int_equal(trn_hal_program_start(host.hal, 0x4000000, start), TRN_OK);
    host_expect(&host, "W 6960008 3000\nW 696000C 0\nW 6960010 1\n"
                       "W 6460008 2000\nW 646000C 0\nW 6460010 1\n"
                       "W 6660008 0\nW 666000C 1111\nW 6660010 1\n"
                       "W 6B60008 4000\nW 6B6000C 0\nW 6B60010 1\n"
                       "W 6860008 5000\nW 686000C 0\nW 6860010 1\n");
    host_close(&host);
    for (unsigned g = 0; g < 3; g++) {
        host_open(&host, later[g], NULL);
        assert_int_equal(trn_hal_program_start(host.hal, 0xD0000000, start), TRN_OK);
        host_expect(&host, "W D3061060 3000\nW D3061080 0\nW D3060004 1\n"
                           "W D2461060 2000\nW D2461080 0\nW D2460004 1\n"
                           "W D2661060 0\nW D2661080 1111\nW D2660004 1\n"
                           "W D2B61060 4000\nW D2B61080 0\nW D2B60004 1\n"
                           "W D2861060 5000\nW D2861080 0\nW D2860004 1\n");
        host_close(&host);
    }
}

static void test_engines_without_a_program_stay(void **state)
{
    static const uint64_t start[5] = {TRN_HAL_NO_START, TRN_HAL_NO_START, TRN_HAL_NO_START, 0,
                                      TRN_HAL_NO_START};
    static const uint64_t none[5] = {TRN_HAL_NO_START, TRN_HAL_NO_START, TRN_HAL_NO_START,
                                     TRN_HAL_NO_START, TRN_HAL_NO_START};
    struct host host;
    (void)state;
    host_open(&host, "cayman", NULL);
    assert_int_equal(trn_hal_program_start(host.hal, 0, start), TRN_OK);
    host_expect(&host, "W 2B61060 0\nW 2B61080 0\nW 2B60004 1\n");
    assert_int_equal(trn_hal_program_start(host.hal, 0, none), TRN_OK);
    host_expect(&host, "");
    host.bus.fail_at = 2;
    host.bus.fail_status = TRN_ERR_IO;
    assert_int_equal(trn_hal_program_start(host.hal, 0, start), TRN_ERR_ABORT);
    host_expect(&host, "W 2B61060 0\nW 2B61080 0\nL1 csr_write failed\n"); /* no request follows */
    host_close(&host);
}

/* The observer hears each engine's start, with the core that the window belongs to. */
static void test_starts_are_steps(void **state)
{
    static const uint64_t start[5] = {0, TRN_HAL_NO_START, 0, TRN_HAL_NO_START, TRN_HAL_NO_START};
    struct host host;
    unsigned steps = 0;
    (void)state;
    host_open(&host, "cayman", NULL);
    assert_int_equal(trn_hal_program_start(host.hal, 0xD8000000, start), TRN_OK);
    for (size_t i = 0; i < host.bus.count; i++)
        if (host.bus.event[i].kind == '#') {
            const struct trn_hal_where *const where = &host.bus.event[i].where;
            assert_int_equal(where->step, TRN_HAL_STEP_START);
            assert_int_equal(where->core, 2);
            assert_int_equal(where->engine, steps++ == 0 ? TRN_HAL_POOL : TRN_HAL_PE);
        }
    assert_int_equal(steps, 2);
    host_close(&host);
}

static void test_run_states(void **state)
{
    static const uint64_t places[5] = {0x2660008, 0x2460008, 0x3060008, 0x2B60008, 0x2860008};
    struct host host;
    uint32_t value;
    (void)state;
    host_open(&host, "cayman", NULL);
    for (unsigned e = 0; e < 5; e++)
        fake_bus_poke(&host.bus, places[e], 1u + e);
    for (int e = 0; e < 5; e++) {
        assert_int_equal(trn_hal_run_state(host.hal, 0, e, &value), TRN_OK);
        assert_int_equal(value, 1 + e);
    }
    assert_int_equal(trn_hal_check_run_state(host.hal, 0, &value), TRN_OK);
    assert_int_equal(value, 1 + 2 + 3 + 4 + 5);
    assert_int_equal(trn_hal_run_state(host.hal, 0, 5, &value), -22);
    host_close(&host);
    host_open(&host, "sunda", NULL);
    assert_int_equal(trn_hal_check_run_state(host.hal, 0, &value), TRN_OK);
    host_expect(&host, "R 2660014\nR 2460014\nR 2960014\nR 2B60014\nR 2860014\n");
    host_close(&host);
}

static void test_program_counters(void **state)
{
    static const uint64_t low[5] = {0xB08, 0xB18, 0xB10, 0xB20, 0xB28}; /* PE ACT POOL DVE SP */
    struct host host;
    uint64_t pc;
    (void)state;
    host_open(&host, "cayman", NULL);
    for (int e = 0; e < 5; e++) {
        fake_bus_poke(&host.bus, low[e], 0x80000000u + (uint32_t)e);
        fake_bus_poke(&host.bus, low[e] + 4, 0x12u + (uint32_t)e);
        assert_int_equal(trn_hal_read_program_counter(host.hal, 0, e, &pc), TRN_OK);
        assert_int_equal(pc, UINT64_C(0x1280000000) + UINT64_C(0x100000001) * (uint64_t)e);
    }
    assert_int_equal(trn_hal_read_program_counter(host.hal, 0, 5, &pc), TRN_ERR_ASSERT);
    assert_int_equal(trn_hal_read_program_counter(host.hal, 0, -1, &pc), TRN_ERR_ASSERT);
    host_close(&host);
}

/* ---- SP and TopSP ------------------------------------------------------------------------------
 */

static void test_start_of_one_sp(void **state)
{
    const struct trn_hal_engine_config topsp = {.mem_handle = 0x10A00000, .topsp = true};
    const struct trn_hal_engine_config sp = {.mem_handle = 0x4000000};
    struct host host;
    uint32_t value;
    (void)state;
    host_open(&host, "sunda", NULL);
    assert_int_equal(trn_hal_sp_program_start(host.hal, &topsp, 0xFFFC4000100), TRN_OK);
    assert_int_equal(trn_hal_sp_check_run_state(host.hal, &topsp, &value), TRN_OK);
    host_expect(&host, "W 10A60008 C4000100\nW 10A6000C FFF\nW 10A60010 1\nR 10A60014\n");
    assert_int_equal(trn_hal_sp_program_start(host.hal, &sp, 0x40), TRN_OK);
    host_expect(&host, "W 6860008 40\nW 686000C 0\nW 6860010 1\n");
    host_close(&host);
}

/* The table of 14.3, OPEN places by its model choices. */
static void test_topsp_signals(void **state)
{
    static const struct {
        enum trn_hal_topsp_signal signal;
        uint32_t sunda, others;
    } rows[] = {
        {TRN_HAL_TOPSP_HOST_TRIGGER, 0x60848, 0x615A0},
        {TRN_HAL_TOPSP_STOP, 0x6084C, 0x615C0},
        {TRN_HAL_TOPSP_BASIC_BLOCK_SWITCH, 0x6083C, 0x615E0},
        {TRN_HAL_TOPSP_INIT, 0x6083C, 0x61580},
        {TRN_HAL_TOPSP_TSYNC, 0x60840, 0x61560},
    };
    (void)state;
    for (unsigned g = 0; g < 4; g++) {
        struct host host;
        host_open(&host, g == 0 ? "sunda" : later[g - 1], NULL);
        for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            const uint32_t want = g == 0 ? rows[i].sunda : rows[i].others;
            uint32_t offset;
            assert_int_equal(trn_hal_topsp_signal_offset(host.hal, rows[i].signal, &offset),
                             TRN_OK);
            assert_int_equal(offset, want);
            assert_int_equal(host.bus.count, 0);
            assert_int_equal(trn_hal_topsp_signal(host.hal, 0x10200000, rows[i].signal, 5), TRN_OK);
            assert_int_equal(host.bus.count, 1);
            assert_int_equal(host.bus.event[0].offset, 0x10200000 + want);
            assert_int_equal(host.bus.event[0].value, 5);
            host.bus.count = 0;
        }
        assert_int_equal(trn_hal_topsp_signal(host.hal, 0, (enum trn_hal_topsp_signal)5, 1), -22);
        host_close(&host);
    }
}

/* ---- wait
 * ---------------------------------------------------------------------------------------- */

static void count_delay(void *platform, uint32_t microseconds)
{
    unsigned *const delays = platform;
    assert_int_equal(microseconds, 100); /* 16.3 */
    ++*delays;
}

/* Bounded by a count, a pause between two reads, the mask applied. */
static void test_wait_is_bounded(void **state)
{
    unsigned delays = 0;
    const struct trn_hal_options options = {
        .platform = &delays, .delay = count_delay, .poll_limit = 7};
    struct host host;
    uint32_t last;
    (void)state;
    host_open(&host, "cayman", &options);
    fake_bus_poke(&host.bus, 0x100, 0xF5);
    assert_int_equal(trn_hal_wait(host.hal, 0x100, 0xF, 5, 3, &last), TRN_OK);
    assert_int_equal(last, 0xF5);
    assert_int_equal(delays, 0);
    host_expect(&host, "R 100\n");
    assert_int_equal(trn_hal_wait(host.hal, 0x100, 0xF0, 5, 3, &last), TRN_ERR_TIMEOUT);
    assert_int_equal(host.bus.accesses, 3);
    assert_int_equal(delays, 2);
    host.bus.count = host.bus.accesses = 0;
    assert_int_equal(trn_hal_wait(host.hal, 0x100, 0xF0, 5, 0, &last), TRN_ERR_TIMEOUT);
    assert_int_equal(host.bus.accesses, 7); /* options.poll_limit */
    host_close(&host);
}

static void test_wait_ends_at_a_failed_read(void **state)
{
    struct host host;
    uint32_t last;
    (void)state;
    host_open(&host, "cayman", NULL);
    host.bus.fail_at = 2;
    host.bus.fail_status = TRN_ERR_IO;
    assert_int_equal(trn_hal_wait(host.hal, 0x100, 1, 1, 50, &last), TRN_ERR_ASSERT);
    host_expect(&host, "R 100\nR 100\nL1 PCIe read failed 0x100\n");
    host_close(&host);
}

/* F45: register, last value, wanted value and mask, who could write it. */
static void test_wait_says_what_it_waited_for(void **state)
{
    static const struct {
        uint64_t offset;
        const char *where, *expected;
    } rows[] = {
        {0x6001110 + 3 * 0x28, "core0.notific.nq[0..9].tail_ptr, index 3",
         "who could write it: the device alone; the host cannot write it"},
        {0xD2660008, "core0.pe.xt_local.nx.run_state",
         "who could write it: the host, and the device where the register acts"},
        {0xD2700010, NULL, NULL},
        {0x12345678, "bar0+0x12345678", "who could write it: whoever owns that address"},
    };
    struct host host;
    uint32_t last;
    (void)state;
    host_open(&host, "cayman", NULL);
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fake_bus_poke(&host.bus, rows[i].offset, 0x40);
        assert_int_equal(trn_hal_wait(host.hal, rows[i].offset, 0xFF, 1, 4, &last),
                         TRN_ERR_TIMEOUT);
        assert_int_equal(last, 0x40);
        const struct trn_diag *const diag = trn_hal_diag(host.hal);
        assert_non_null(
            strstr(diag->message, "reads 0x40 after 4 reads; wanted is 0x1 under mask 0xff"));
        if (!rows[i].where)
            continue;
        assert_string_equal(diag->where, rows[i].where);
        assert_string_equal(diag->expected, rows[i].expected);
    }
    host_close(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_program_start_order),
        cmocka_unit_test(test_engines_without_a_program_stay),
        cmocka_unit_test(test_starts_are_steps),
        cmocka_unit_test(test_run_states),
        cmocka_unit_test(test_program_counters),
        cmocka_unit_test(test_start_of_one_sp),
        cmocka_unit_test(test_topsp_signals),
        cmocka_unit_test(test_wait_is_bounded),
        cmocka_unit_test(test_wait_ends_at_a_failed_read),
        cmocka_unit_test(test_wait_says_what_it_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
