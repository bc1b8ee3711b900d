/* SPDX-License-Identifier: Apache-2.0 */
/* DVE accessors, stochastic rounding, shadows, DVE and ACT tables (docs/hardware/hal-stpb.md 13);
 * traffic typed from its tables. The register file is put at 0 in most tests, so that an offset is
 * the sheet's. */
#include "hal/host.h"

static const char *const gens[] = {"sunda", "cayman", "mariana", "mariana_plus"};

enum { NUM_GENS = 4, SUNDA = 0, CAYMAN = 1, MARIANA = 2 };

/* ---- accessors (13.1) ----------------------------------------------------------------------- */

static void test_dve_random_numbers(void **state)
{
    (void)state;
    for (unsigned g = 0; g < NUM_GENS; g++) {
        struct host host;
        host_open(&host, gens[g], NULL);
        assert_int_equal(trn_hal_dve_reset_rng_seed(host.hal, 0x6000000), TRN_OK);
        assert_int_equal(trn_hal_dve_write_lfsr(host.hal, 0x6000000, 0x12345678), TRN_OK);
        host_expect(&host, "W 6000314 CD9E8D57\nW 6000314 12345678\n");
        assert_int_equal(trn_hal_dve_write_stochastic_rnd(host.hal, 0, 0x6012345A), TRN_OK);
        assert_int_equal(trn_hal_dve_write_stochastic_rnd_mode(host.hal, 0, 1), TRN_OK);
        host_expect(&host, "W 30C 6012345A\nW 310 1\n");
        /* the increment's register is MARIANA's alone */
        assert_int_equal(trn_hal_dve_write_xorwow_inc_val_default(host.hal, 0), TRN_OK);
        host_expect(&host, g >= MARIANA ? "W 324 800587C5\n" : "");
        host_close(&host);
    }
}

static void test_dve_knobs(void **state)
{
    (void)state;
    for (unsigned g = 0; g < NUM_GENS; g++) {
        struct host host;
        uint32_t offset = 1;
        host_open(&host, gens[g], NULL);
        fake_bus_poke(&host.bus, 0x3F0, 0xF0F0F0F0);
        assert_int_equal(trn_hal_dve_force_pool_arb_chicken_bit(host.hal, 0), TRN_OK);
        host_expect(&host, "R 3F0\nW 3F0 F0F0F0F2\n");
        /* only bit 0 of the value counts, the other bits of the register stay */
        fake_bus_poke(&host.bus, 0x3C0, 0x7FFFFFFF);
        fake_bus_poke(&host.bus, 0x2C4, 0x80000000);
        assert_int_equal(trn_hal_dve_set_force_rspcomb_eight_deep(host.hal, 0, 2), TRN_OK);
        assert_int_equal(trn_hal_act_set_force_rspcomb_eight_deep(host.hal, 0, 3), TRN_OK);
        host_expect(&host, g >= MARIANA ? "R 3C0\nW 3C0 7FFFFFFE\nR 2C4\nW 2C4 80000001\n" : "");
        assert_int_equal(trn_hal_dve_get_offset_force_rspcomb_eight_deep(host.hal, &offset),
                         TRN_OK);
        assert_int_equal(offset, g >= MARIANA ? 0x3C0 : 0);
        host_close(&host);
    }
}

static void test_timestamp_increments(void **state)
{
    static const uint64_t places[4] = {0x008, 0x208, 0x108, 0x308}; /* PE ACT POOL DVE */
    struct host host;
    uint32_t value;
    (void)state;
    host_open(&host, "cayman", NULL);
    for (int engine = 0; engine < 4; engine++) {
        fake_bus_poke(&host.bus, places[engine], 0xB2924u + (uint32_t)engine);
        assert_int_equal(trn_hal_get_timestamp_inc(host.hal, 0, engine, &value), TRN_OK);
        assert_int_equal(value, 0xB2924 + engine);
    }
    host_expect(&host, "R 8\nR 208\nR 108\nR 308\n");
    assert_int_equal(trn_hal_get_timestamp_inc(host.hal, 0, TRN_HAL_SP, &value), -22);
    assert_string_equal(host_said(&host), "engine 4 has no timestamp increment");
    host_close(&host);
}

/* ---- stochastic rounding (13.2) ----------------------------------------------------------------
 */

/* Four dtypes; PSUM's control before its data, on arch 4 only. */
static void test_stochastic_rounding_seeds(void **state)
{
    struct host host;
    (void)state;
    host_open(&host, "cayman", NULL);
    assert_int_equal(trn_hal_stochastic_rounding_config(host.hal, 0, 0xFFE12345), TRN_OK);
    host_expect(&host, "W 10C 60012345\nW 30C 60012345\nW 20C 60012345\n"
                       "W 10C 70012345\nW 30C 70012345\nW 20C 70012345\n"
                       "W 10C E0012345\nW 30C E0012345\nW 20C E0012345\n"
                       "W 10C F0012345\nW 30C F0012345\nW 20C F0012345\n");
    host_close(&host);
    for (unsigned g = MARIANA; g < NUM_GENS; g++) {
        host_open(&host, gens[g], NULL);
        assert_int_equal(trn_hal_stochastic_rounding_config(host.hal, 0, 0), TRN_OK);
        host_expect(&host, "W 10C 60000000\nW 30C 60000000\nW 20C 60000000\nW F14 2\n"
                           "W F10 60000000\nW 10C 70000000\nW 30C 70000000\nW 20C 70000000\n"
                           "W F14 2\nW F10 70000000\nW 10C E0000000\nW 30C E0000000\n"
                           "W 20C E0000000\nW F14 2\nW F10 E0000000\nW 10C F0000000\n"
                           "W 30C F0000000\nW 20C F0000000\nW F14 2\nW F10 F0000000\n");
        host_close(&host);
    }
}

/* SUNDA's POOL and ACT writers log at level 5 before they write. */
static void test_stochastic_rounding_logs_on_sunda(void **state)
{
    struct host host;
    (void)state;
    host_open(&host, "sunda", NULL);
    assert_int_equal(trn_hal_stochastic_rounding_enable(host.hal, 0, 1), TRN_OK);
    host_expect(&host, "L5 value 0x1\nW 110 1\nW 310 1\nL5 value 0x1\nW 210 1\n");
    assert_int_equal(trn_hal_stochastic_rounding_config(host.hal, 0, 0), TRN_OK);
    assert_int_equal(fake_bus_logs(&host.bus, 5), 8);
    assert_int_equal(host.bus.accesses, 12);
    host_close(&host);
}

static void test_stochastic_rounding_mode(void **state)
{
    struct host host;
    (void)state;
    host_open(&host, "cayman", NULL);
    assert_int_equal(trn_hal_stochastic_rounding_enable(host.hal, 0, 1), TRN_OK);
    host_expect(&host, "W 110 1\nW 310 1\nW 210 1\n");
    host_close(&host);
    host_open(&host, "mariana", NULL);
    assert_int_equal(trn_hal_stochastic_rounding_enable(host.hal, 0, 0), TRN_OK);
    host_expect(&host, "W 110 0\nW 310 0\nW 210 0\nW F14 0\n");
    host_close(&host);
}

static void test_a_refused_write_ends_the_rounding(void **state)
{
    struct host host;
    (void)state;
    host_open(&host, "mariana", NULL);
    host.bus.fail_at = 5;
    host.bus.fail_status = TRN_ERR_IO;
    assert_int_equal(trn_hal_stochastic_rounding_config(host.hal, 0, 0), TRN_ERR_ABORT);
    assert_int_equal(host.bus.accesses, 5);
    host_close(&host);
}

/* ---- shadows (18, item 13) ----------------------------------------------------------------------
 */

static void test_write_only_registers_have_shadows(void **state)
{
    struct host host;
    uint32_t value;
    (void)state;
    host_open(&host, "cayman", NULL);
    assert_int_equal(trn_hal_get_shadow(host.hal, 0x314, 0, &value), TRN_ERR_NOT_FOUND);
    for (uint32_t core = 0; core < 8; core++) { /* more than the first room */
        const uint64_t regs = 0x6000000 + core * 0x180000;
        assert_int_equal(trn_hal_dve_write_lfsr(host.hal, regs, core), TRN_OK);
        assert_int_equal(trn_hal_stochastic_rounding_config(host.hal, regs, 0x100 + core), TRN_OK);
    }
    assert_int_equal(trn_hal_dve_reset_rng_seed(host.hal, 0x6000000), TRN_OK);
    assert_int_equal(trn_hal_get_shadow(host.hal, 0x6000314, 0, &value), TRN_OK);
    assert_int_equal(value, 0xCD9E8D57);
    assert_int_equal(trn_hal_get_shadow(host.hal, 0x6180314, 0, &value), TRN_OK);
    assert_int_equal(value, 1);
    /* one seed a dtype: E is FP8-E4M3 */
    assert_int_equal(trn_hal_get_shadow(host.hal, 0x630030C, 14, &value), TRN_OK);
    assert_int_equal(value, 0xE0000102);
    assert_int_equal(trn_hal_get_shadow(host.hal, 0x630020C, 6, &value), TRN_OK);
    assert_int_equal(value, 0x60000102);
    assert_int_equal(trn_hal_get_shadow(host.hal, 0x630030C, 5, &value), TRN_ERR_NOT_FOUND);
    host_close(&host);
}

/* What did not reach the device is not remembered. */
static void test_refused_writes_leave_no_shadow(void **state)
{
    struct host host;
    uint32_t value;
    (void)state;
    host_open(&host, "cayman", NULL);
    host.bus.fail_at = 1;
    host.bus.fail_status = TRN_ERR_IO;
    assert_int_equal(trn_hal_dve_write_lfsr(host.hal, 0, 9), TRN_ERR_ABORT);
    assert_int_equal(trn_hal_get_shadow(host.hal, 0x314, 0, &value), TRN_ERR_NOT_FOUND);
    host_close(&host);
}

/* ---- tables (13.3)
 * -------------------------------------------------------------------------------- */

static uint8_t bytes[0x80004];

static struct trn_hal_buf buf(uint64_t size)
{
    return (struct trn_hal_buf){bytes, size};
}

/* Only what has a source is written, each table to its full size. */
static void test_dve_tables(void **state)
{
    static const char *const all =
        "B 2B82000 4000\nB 2B80000 1000\nB 2B81000 1000\nB 2B86000 400\n";
    (void)state;
    for (unsigned g = 0; g < NUM_GENS; g++) {
        struct host host;
        host_open(&host, gens[g], NULL);
        const struct trn_hal_dve_tables full = {.opcode = buf(0x400),
                                                .control_fast = buf(0x1000),
                                                .control_slow = buf(0x1000),
                                                .datapath = buf(0x4000)};
        assert_int_equal(trn_hal_dve_write_tables(host.hal, 0, &full), TRN_OK);
        host_expect(&host, all);
        const struct trn_hal_dve_tables two = {.opcode = buf(0x10), .datapath = buf(4)};
        assert_int_equal(trn_hal_dve_write_tables(host.hal, 0, &two), TRN_OK);
        host_expect(&host, "B 2B82000 4000\nB 2B86000 400\n");
        const struct trn_hal_dve_tables none = {0};
        assert_int_equal(trn_hal_dve_write_tables(host.hal, 0, &none), TRN_OK);
        host_expect(&host, "");
        host_close(&host);
    }
}

static void test_dve_tables_of_the_other_layout(void **state)
{
    const struct trn_hal_options options = {.dve_tables_per_arch = true};
    const struct trn_hal_dve_tables tables = {.opcode = buf(0x400),
                                              .control_fast = buf(0x800),
                                              .control_slow = buf(0x800),
                                              .datapath = buf(0x2000)};
    struct host host;
    (void)state;
    host_open(&host, "sunda", &options);
    assert_int_equal(trn_hal_dve_write_tables(host.hal, 0, &tables), TRN_OK);
    assert_int_equal(trn_hal_dve_write_parameter_ram(host.hal, 0, buf(0x400)), TRN_OK);
    host_expect(&host, "B 2B82000 2000\nB 2B80000 800\nB 2B81000 800\nB 2B86000 800\n"
                       "B 2B87000 400\n");
    host_close(&host);
    host_open(&host, "mariana", &options);
    assert_int_equal(trn_hal_dve_write_tables(host.hal, 0xD0000000, &tables), TRN_OK);
    assert_int_equal(trn_hal_dve_write_parameter_ram(host.hal, 0xD0000000, buf(0x400)), TRN_OK);
    host_expect(&host, "B D2B7B000 4000\nB D2B79000 1000\nB D2B7A000 1000\nB D2B7F000 400\n"
                       "B D2B80000 400\n");
    host_close(&host);
}

static void test_tables_that_do_not_fit(void **state)
{
    struct host host;
    (void)state;
    host_open(&host, "cayman", NULL);
    const struct trn_hal_dve_tables big = {.control_fast = buf(0x1004)};
    assert_int_equal(trn_hal_dve_write_tables(host.hal, 0, &big), -22);
    host_expect(&host, "L1 DVE control fast too big! doesn't fit, size=4100\n");
    assert_int_equal(trn_hal_dve_write_parameter_ram(host.hal, 0, buf(0x404)), -22);
    host_expect(&host, "L1 DVE parameter RAM too big! doesn't fit, size=1028\n");
    assert_int_equal(trn_hal_dve_write_parameter_ram(host.hal, 0, buf(0x400)), TRN_OK);
    assert_int_equal(trn_hal_dve_write_parameter_ram(host.hal, 0, buf(0)), TRN_OK);
    host_expect(&host, "B 2B87000 400\n");
    host_close(&host);
}

/* ---- ACT tables (13.4)
 * ------------------------------------------------------------------------------ */

static void test_act_local_storage(void **state)
{
    const struct trn_hal_act_tables tables = {.cam = buf(0x1000),
                                              .profile = buf(0x2000),
                                              .control = buf(0x10000),
                                              .bucket = buf(0x80000)};
    struct host host;
    (void)state;
    host_open(&host, "cayman", NULL);
    assert_int_equal(trn_hal_act_load_local(host.hal, 0xD0000000, 3, &tables), TRN_OK);
    host_expect(&host, "B D2500000 1000\nB D2520000 2000\nB D2540000 10000\nB D2580000 80000\n");
    host_close(&host);
    /* SUNDA opens all windows first: the peripheral bus and the core's base (10) */
    host_open(&host, "sunda", NULL);
    const struct trn_hal_act_tables control = {.control = buf(0x10000)};
    assert_int_equal(trn_hal_act_load_local(host.hal, 0x4000000, 0, &control), TRN_OK);
    host_expect(&host, "W 6460200 F0000000\nW 6460204 FFF\nW 6460020 C4000000\nW 6460024 FFF\n"
                       "B 6540000 10000\n");
    host_close(&host);
}

static void test_act_tables_that_do_not_fit(void **state)
{
    struct host host;
    (void)state;
    host_open(&host, "cayman", NULL);
    const struct trn_hal_act_tables big = {.cam = buf(0x100), .bucket = buf(0x80004)};
    assert_int_equal(trn_hal_act_load_local(host.hal, 0, 0, &big), -22);
    host_expect(&host,
                "L1 ACT bucket table too big! doesn't fit, size=524292\n"); /* nothing else */
    host_close(&host);
}

/* F21: eight sets, 0 to 7. */
static void test_act_tables_of_a_set_that_is_none(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof gens / sizeof gens[0]; i++) {
        struct host host;
        host_open(&host, gens[i], NULL);
        const struct trn_hal_act_tables tables = {.cam = buf(0x100)};
        assert_int_equal(trn_hal_act_load_local(host.hal, 0, 8, &tables), -22);
        host_expect(&host, "L1 invalid table index=8\n");
        host_close(&host);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dve_random_numbers),
        cmocka_unit_test(test_dve_knobs),
        cmocka_unit_test(test_timestamp_increments),
        cmocka_unit_test(test_stochastic_rounding_seeds),
        cmocka_unit_test(test_stochastic_rounding_logs_on_sunda),
        cmocka_unit_test(test_stochastic_rounding_mode),
        cmocka_unit_test(test_a_refused_write_ends_the_rounding),
        cmocka_unit_test(test_write_only_registers_have_shadows),
        cmocka_unit_test(test_refused_writes_leave_no_shadow),
        cmocka_unit_test(test_dve_tables),
        cmocka_unit_test(test_dve_tables_of_the_other_layout),
        cmocka_unit_test(test_tables_that_do_not_fit),
        cmocka_unit_test(test_act_local_storage),
        cmocka_unit_test(test_act_tables_that_do_not_fit),
        cmocka_unit_test(test_act_tables_of_a_set_that_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
