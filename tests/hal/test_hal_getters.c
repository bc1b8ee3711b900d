/* SPDX-License-Identifier: Apache-2.0 */
/* Getters by generation; every value typed from docs/hardware/hal-stpb.md 8.3, 14.2, 17 and
 * address-map.md 4, 5. */
#include <stdio.h>

#include "hal/host.h"

static const char *const gens[] = {"sunda", "cayman", "mariana", "mariana_plus"};

enum { NUM_GENS = 4, SUNDA = 0, CAYMAN = 1, MARIANA = 2 };

static void open_gen(struct host *host, unsigned g)
{
    host_open(host, gens[g], NULL);
}

static void expect(struct host *host, unsigned g, const char *name, unsigned index, uint64_t want)
{
    uint64_t value;
    const trn_status status = trn_hal_get_param(host->hal, name, index, &value);
    if (status != TRN_OK || value != want)
        fail_msg("%s %s[%u]: status %d, 0x%llx", gens[g], name, index, status,
                 (unsigned long long)value);
}

static void expect_end(struct host *host, const char *name, unsigned index)
{
    uint64_t value;
    assert_int_equal(trn_hal_get_param(host->hal, name, index, &value), TRN_ERR_ASSERT);
}

/* ---- numbers (17) ------------------------------------------------------------------------- */

static void test_plain_numbers(void **state)
{
    static const struct {
        const char *name;
        uint64_t values[3]; /* SUNDA, CAYMAN, MARIANA */
    } rows[] = {
        {"num_tpb", {2, 8, 8}},
        {"num_seng", {2, 4, 4}},
        {"tpb_per_seng", {1, 2, 2}},
        {"dma_engines_per_tpb", {16, 16, 16}},
        {"dma_queues_per_engine", {16, 16, 16}},
        {"num_topsp", {6, 16, 16}},
        {"num_hbm", {2, 4, 4}},
        {"valid_sbuf_partition_size", {0x30000, 0x38000, 0x40000}},
        {"valid_sbuf_partition_count", {128, 128, 128}},
        {"sbuf_ports", {16, 16, 16}},
        {"cce_user_offset", {0, 0, 0x2000}},
        {"dve_emax_cfg_offset", {0, 0, 0x32C}},
        {"pe_seq_host_visible_base", {0x5B0000, 0x140000, 0x140000}},
        {"dge_carveout_cap", {0x30000, 0x38000, 0x40000}},
        {"num_hw_dge", {0, 2, 2}},
        {"max_fma_sources", {16, 16, 32}},
        {"max_cce_elements", {1024, 2048, 2048}},
        {"evsem_notific_mask", {0x800, 0x800, 0x800}},
        {"ham_notific_mask", {0x1000, 0x1000, 0x1000}},
        {"error_notific_mask", {0xFFFFE00000, 0xFFFFE00000, 0xFFFFE00000}},
    };
    (void)state;
    for (unsigned g = 0; g < NUM_GENS; g++) {
        struct host host;
        open_gen(&host, g);
        for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            expect(&host, g, rows[i].name, 0, rows[i].values[g < MARIANA ? g : MARIANA]);
            expect_end(&host, rows[i].name, 1);
        }
        host_expect(&host, "");
        host_close(&host);
    }
}

/* 0 is "absent"; a flag picks one of two converters, an engine its control word. */
static void test_capability_offsets(void **state)
{
    static const uint64_t ocp[2] = {0xC00, 0xC10}, other[2] = {0xC04, 0xC14};
    static const uint64_t fp8[4] = {0xF00, 0xF08, 0xF0C, 0xF04}; /* PE ACT POOL DVE */
    (void)state;
    for (unsigned g = 0; g < NUM_GENS; g++) {
        struct host host;
        const bool there = g >= MARIANA;
        open_gen(&host, g);
        for (unsigned i = 0; i < 2; i++) {
            expect(&host, g, "data_conv_fp8_ocp_cfg_offset", i, there ? ocp[i] : 0);
            expect(&host, g, "data_conv_non_ocp_cfg_offset", i, there ? other[i] : 0);
        }
        for (unsigned i = 0; i < 4; i++)
            expect(&host, g, "eng_fp8_cfg_offset", i, there ? fp8[i] : 0);
        expect_end(&host, "data_conv_fp8_ocp_cfg_offset", 2);
        expect_end(&host, "eng_fp8_cfg_offset", 4);
        host_close(&host);
    }
}

static void test_server_sizes(void **state)
{
    (void)state;
    for (unsigned g = 0; g < NUM_GENS; g++) {
        struct host host;
        open_gen(&host, g);
        expect(&host, g, "max_devices", 0, 16);
        expect(&host, g, "max_mesh_folds", 0, 8);
        expect(&host, g, "max_devices", 1, g >= MARIANA ? 32 : 16);
        expect(&host, g, "max_mesh_folds", 1, g >= MARIANA ? 16 : 8);
        host_close(&host);
    }
}

/* ---- addresses (address-map.md 4) ------------------------------------------------------------ */

/* Bit 36 and bit 38 select inside a die, bit 47 the die. */
static uint64_t later_core(unsigned core)
{
    static const uint64_t in_die[4] = {0x2000000000, 0x3000000000, 0x6000000000, 0x7000000000};
    return in_die[core % 4] + (core / 4 ? 0x800000000000 : 0);
}

static void test_cores_and_their_memory(void **state)
{
    static const uint64_t hbm[4] = {0, 0x4000000000, 0x800000000000, 0x804000000000};
    struct host host;
    (void)state;
    open_gen(&host, SUNDA);
    for (unsigned core = 0; core < 2; core++) {
        const uint64_t base = 0xFFFC0000000 + core * 0x4000000ull;
        expect(&host, SUNDA, "tpb_base", core, base);
        expect(&host, SUNDA, "tpb_psum_base", core, base + 0x2000000);
        expect(&host, SUNDA, "tpb_evt_sem_inc_base", core, base + 0x2701800);
        expect(&host, SUNDA, "tpb_hbm_index", core, core);
        expect(&host, SUNDA, "hbm_base", core, core * 0x1000000000ull);
        expect(&host, SUNDA, "hbm_size", core, 0x400000000);
    }
    expect_end(&host, "tpb_base", 2);
    expect_end(&host, "hbm_base", 2);
    expect_end(&host, "preproc_base", 0); /* SUNDA has none */
    assert_string_equal(host_said(&host), "SUNDA has no preproc_base");
    host_close(&host);
    for (unsigned g = CAYMAN; g < NUM_GENS; g++) {
        open_gen(&host, g);
        for (unsigned core = 0; core < 8; core++) {
            expect(&host, g, "tpb_base", core, later_core(core));
            expect(&host, g, "tpb_psum_base", core, later_core(core) + 0x802000000);
            expect(&host, g, "tpb_evt_sem_inc_base", core, later_core(core) + 0x802701800);
            expect(&host, g, "tpb_hbm_index", core, core / 2);
        }
        for (unsigned i = 0; i < 4; i++) {
            expect(&host, g, "hbm_base", i, hbm[i]);
            expect(&host, g, "hbm_size", i, g == CAYMAN ? 0x600000000 : 0x900000000);
        }
        expect(&host, g, "preproc_base", 1, 0x5200000000);
        expect_end(&host, "tpb_base", 8);
        expect_end(&host, "hbm_size", 4);
        host_close(&host);
    }
}

static void test_semaphores_of_topsps(void **state)
{
    struct host host;
    (void)state;
    open_gen(&host, SUNDA);
    for (unsigned t = 0; t < 6; t++)
        expect(&host, SUNDA, "top_sp_evt_sem_inc_base", t, 0xFFFD0001800 + t * 0x400000ull);
    expect_end(&host, "top_sp_evt_sem_inc_base", 6);
    host_close(&host);
    open_gen(&host, CAYMAN);
    for (unsigned t = 0; t < 16; t++)
        expect(&host, CAYMAN, "top_sp_evt_sem_inc_base", t,
               0x8280001800 + (t % 8) * 0x40000000ull + (t / 8 ? 0x800000000000 : 0));
    host_close(&host);
}

/* ---- parameters of engines (8.3) ---------------------------------------------------------------
 */

static void test_sequencer_parameters(void **state)
{
    static const uint32_t bases[5] = {0x2600000, 0x2400000, 0x3000000, 0x2B00000, 0x2800000};
    (void)state;
    for (unsigned g = 0; g < NUM_GENS; g++) {
        struct host host;
        open_gen(&host, g);
        for (int engine = 0; engine < 5; engine++) {
            struct trn_hal_seq_params p;
            const uint32_t base = g == SUNDA && engine == TRN_HAL_POOL ? 0x2900000 : bases[engine];
            assert_int_equal(trn_hal_get_seq_params(host.hal, engine, &p), TRN_OK);
            assert_int_equal(p.base, base);
            assert_int_equal(p.iram, base + 0x20000);
            assert_int_equal(p.dram, base + 0x40000);
            assert_int_equal(p.iram_size, g == SUNDA ? 0x10000 : 0x20000);
            assert_int_equal(p.dram_size, g == SUNDA ? 0x4000 : 0x10000);
            expect(&host, g, "tpb_eng_iram_size", (unsigned)engine,
                   engine == 0  ? 0x20000
                   : g == SUNDA ? 0x800000
                                : 0x8000);
        }
        struct trn_hal_seq_params p;
        assert_int_equal(trn_hal_get_seq_params(host.hal, 5, &p), TRN_ERR_ASSERT);
        assert_int_equal(trn_hal_get_seq_params(host.hal, -1, &p), TRN_ERR_ASSERT);
        host_close(&host);
    }
}

static void test_q7_parameters(void **state)
{
    (void)state;
    for (unsigned g = 0; g < NUM_GENS; g++) {
        struct host host;
        struct trn_hal_q7_params p;
        open_gen(&host, g);
        assert_int_equal(trn_hal_get_q7_params(host.hal, TRN_HAL_OWNER_POOLING, &p), TRN_OK);
        assert_int_equal(p.base, g == SUNDA ? 0x2980000 : 0x3100000);
        assert_int_equal(p.iram_size, g == SUNDA ? 0x10000 : 0x20000);
        assert_int_equal(p.dram_size, g == SUNDA ? 0x10000 : 0x40000);
        assert_int_equal(p.iram_reserved, g == SUNDA ? 0 : 0x60000);
        assert_int_equal(p.dram_reserved, g == SUNDA ? 0 : 0x40000);
        assert_int_equal(p.cores, 8);
        const trn_status cluster =
            trn_hal_get_q7_params(host.hal, TRN_HAL_OWNER_COMPUTE_CLUSTER, &p);
        assert_int_equal(cluster, g == SUNDA ? TRN_ERR_ASSERT : TRN_OK);
        if (g != SUNDA)
            assert_int_equal(p.cores, 4);
        assert_int_equal(trn_hal_get_q7_params(host.hal, 0, &p), TRN_ERR_ASSERT);
        host_close(&host);
    }
}

/* POOL 3070000 and DVE 2B88000, not the other way round (address-map.md 5.2). */
static void test_decode_parameters(void **state)
{
    static const uint32_t cam[4] = {0x2670000, 0x2470000, 0x3070000, 0x2B88000};
    struct trn_hal_hw_decode_params p;
    struct host host;
    (void)state;
    open_gen(&host, SUNDA);
    for (int engine = 0; engine < 5; engine++)
        assert_int_equal(trn_hal_get_hw_decode_params(host.hal, engine, &p), TRN_ERR_ASSERT);
    host_close(&host);
    for (unsigned g = CAYMAN; g < NUM_GENS; g++) {
        open_gen(&host, g);
        for (int engine = 0; engine < 4; engine++) {
            assert_int_equal(trn_hal_get_hw_decode_params(host.hal, engine, &p), TRN_OK);
            assert_int_equal(p.cam, cam[engine]);
            assert_int_equal(p.profile, cam[engine] + 0x1000);
            assert_int_equal(p.cam_size, 0x1000);
            assert_int_equal(p.profile_size, 0x2000);
        }
        assert_int_equal(trn_hal_get_hw_decode_params(host.hal, TRN_HAL_SP, &p), TRN_ERR_ASSERT);
        host_close(&host);
    }
}

static uint64_t local(struct host *host, int engine, int instance)
{
    uint64_t offset;
    const trn_status status =
        trn_hal_get_xt_local_reg_offset(host->hal, 0x10000000, engine, instance, &offset);
    return status == TRN_OK ? offset - 0x10000000 : (uint64_t)status;
}

static void test_local_registers(void **state)
{
    struct host host;
    (void)state;
    for (unsigned g = 0; g < NUM_GENS; g++) {
        open_gen(&host, g);
        for (int instance = 0; instance < 3; instance++) { /* counts for SP only */
            assert_int_equal(local(&host, TRN_HAL_PE, instance), 0x2660000);
            assert_int_equal(local(&host, TRN_HAL_ACT, instance), 0x2460000);
            assert_int_equal(local(&host, TRN_HAL_POOL, instance),
                             g == SUNDA ? 0x2960000 : 0x3060000);
            assert_int_equal(local(&host, TRN_HAL_DVE, instance), 0x2B60000);
        }
        /* v2: the one in the core is 1; later: all but 0 */
        assert_int_equal(local(&host, TRN_HAL_SP, 1), 0x2860000);
        assert_int_equal(local(&host, TRN_HAL_SP, 0), 0x60000);
        assert_int_equal(local(&host, TRN_HAL_SP, 2), g == SUNDA ? 0x60000 : 0x2860000);
        assert_int_equal(local(&host, 5, 1), g == SUNDA ? (uint64_t)TRN_ERR_ASSERT : 0x3060000);
        assert_int_equal(local(&host, 6, 1), (uint64_t)TRN_ERR_ASSERT);
        assert_int_equal(local(&host, -1, 1), (uint64_t)TRN_ERR_ASSERT);
        host_close(&host);
    }
}

static void test_table_parameters(void **state)
{
    static const uint64_t act[4] = {0x2500000, 0x2520000, 0x2540000, 0x2580000};
    static const uint64_t places[4] = {0x2B82000, 0x2B80000, 0x2B81000, 0x2B86000};
    static const uint64_t sizes[4] = {0x4000, 0x1000, 0x1000, 0x400};
    (void)state;
    for (unsigned g = 0; g < NUM_GENS; g++) {
        struct host host;
        open_gen(&host, g);
        for (unsigned i = 0; i < 4; i++) {
            expect(&host, g, "act_table_params", i, act[i]);
            expect(&host, g, "dve_table_offsets", i, places[i]);
            expect(&host, g, "dve_table_sizes", i, sizes[i]);
        }
        expect(&host, g, "dve_parameter_ram_params", 0, 0x2B87000);
        expect(&host, g, "dve_parameter_ram_params", 1, 0x400);
        expect_end(&host, "dve_table_offsets", 4);
        host_close(&host);
    }
}

/* dve_table_layout = per_arch (13.3). */
static void test_other_layout_of_the_dve_tables(void **state)
{
    static const uint64_t places[3][4] = {{0x2B82000, 0x2B80000, 0x2B81000, 0x2B86000},
                                          {0x2B82000, 0x2B80000, 0x2B81000, 0x2B86000},
                                          {0x2B7B000, 0x2B79000, 0x2B7A000, 0x2B7F000}};
    static const uint64_t sizes[3][4] = {{0x2000, 0x800, 0x800, 0x800},
                                         {0x4000, 0x1000, 0x1000, 0x400},
                                         {0x4000, 0x1000, 0x1000, 0x400}};
    static const uint64_t ram[3] = {0x2B87000, 0x2B87000, 0x2B80000};
    const struct trn_hal_options options = {.dve_tables_per_arch = true};
    (void)state;
    for (unsigned g = 0; g < NUM_GENS; g++) {
        const unsigned arch = g < MARIANA ? g : MARIANA;
        struct host host;
        host_open(&host, gens[g], &options);
        for (unsigned i = 0; i < 4; i++) {
            expect(&host, g, "dve_table_offsets", i, places[arch][i]);
            expect(&host, g, "dve_table_sizes", i, sizes[arch][i]);
        }
        expect(&host, g, "dve_parameter_ram_params", 0, ram[arch]);
        host_close(&host);
    }
}

static void test_unknown_names(void **state)
{
    struct host host;
    uint64_t value;
    (void)state;
    host_open(&host, "cayman", NULL);
    assert_int_equal(trn_hal_get_param(host.hal, "num_tpbs", 0, &value), TRN_ERR_NOT_FOUND);
    assert_string_equal(host_said(&host), "no getter 'num_tpbs'");
    assert_int_equal(trn_hal_get_param(host.hal, "", 0, &value), TRN_ERR_NOT_FOUND);
    host_close(&host);
    host_open(&host, NULL, NULL);
    assert_int_equal(trn_hal_get_param(host.hal, "num_tpb", 0, &value), TRN_ERR_ASSERT);
    host_close(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_numbers),
        cmocka_unit_test(test_capability_offsets),
        cmocka_unit_test(test_server_sizes),
        cmocka_unit_test(test_cores_and_their_memory),
        cmocka_unit_test(test_semaphores_of_topsps),
        cmocka_unit_test(test_sequencer_parameters),
        cmocka_unit_test(test_q7_parameters),
        cmocka_unit_test(test_decode_parameters),
        cmocka_unit_test(test_local_registers),
        cmocka_unit_test(test_table_parameters),
        cmocka_unit_test(test_other_layout_of_the_dve_tables),
        cmocka_unit_test(test_unknown_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
