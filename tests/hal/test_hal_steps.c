/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of an engine's chain behind regs_init (docs/hardware/hal-stpb.md 10 to 12, 14): what the
 * default parameters of tests/hal/golden and the limits of test_hal_bounds.c do not show. */
#include "hal/traffic.h"

#include <string.h>

static const char *const gens[] = {"sunda", "cayman", "mariana", "mariana_plus"};

enum { NUM_GENS = sizeof gens / sizeof gens[0] };

static bool is_sunda(const struct rig *rig)
{
    return strcmp(rig->gen->name, "sunda") == 0;
}

/* ---- 6: the first line
 * ----------------------------------------------------------------------------
 */

static void test_first_line_names_function_and_handles(void **state)
{
    struct rig rig;
    (void)state;
    rig_open(&rig, "cayman", 0);
    const struct trn_hal_engine_config config = rig_engine(&rig, TRN_HAL_ACT);
    assert_int_equal(trn_hal_act_init(rig.hal, &config), TRN_OK);
    expect_line(&rig, 4, "aws_hal_stpb_cayman_act_init",
                "aws_hal_stpb_cayman_act_init: tpb_mem_handle=0xd0000000, tpb_regs=0x6000000");
    assert_int_equal(rig.bus.event[0].kind, 'L');
    rig_close(&rig);
}

/* ---- 10: sequencer microcode
 * -----------------------------------------------------------------------
 */

/* Only both sizes together leave the copy out: one image of two is padded with its zeros. */
static void test_one_image_of_two_is_padded(void **state)
{
    static const unsigned char byte = 0x5A;
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct rig rig;
        rig_open(&rig, gens[g], 0);
        struct trn_hal_engine_config config = rig_engine(&rig, TRN_HAL_PE);
        config.info.seq_ucode = (struct trn_hal_ucode){.dram = {&byte, 1}};
        assert_int_equal(
            trn_hal_engine_step(rig.hal, TRN_HAL_PE, TRN_HAL_STEP_UCODE_SEQ_INIT, &config), TRN_OK);
        const uint64_t block = config.mem_handle + 0x2600000;
        assert_int_equal(fake_bus_count(&rig.bus, 'B', block + 0x20000), 1);
        assert_int_equal(fake_bus_count(&rig.bus, 'B', block + 0x40000), 1);
        rig_close(&rig);
    }
}

/* SUNDA's NX registers are written even without an image: the order of section 10. */
static void test_sunda_opens_its_windows(void **state)
{
    struct rig rig;
    (void)state;
    rig_open(&rig, "sunda", 1);
    struct trn_hal_engine_config config = rig_engine(&rig, TRN_HAL_POOL);
    config.info.seq_ucode = (struct trn_hal_ucode){{NULL, 0}, {NULL, 0}};
    config.addr = 0x123456789A00000;
    assert_int_equal(
        trn_hal_engine_step(rig.hal, TRN_HAL_POOL, TRN_HAL_STEP_UCODE_SEQ_INIT, &config), TRN_OK);
    const uint64_t x = 0x4000000 + 0x2960000;
    EXPECT_TRAFFIC(&rig, {'W', x + 0x200, 0xF0000000}, {'W', x + 0x204, 0xFFF},
                   {'W', x + 0x20, 0x89A00000}, {'W', x + 0x24, 0x01234567},
                   {'W', x + 0x28, 0x8C300000}, {'W', x + 0x2C, 0x01234567}); /* + 2900000 */
    rig_close(&rig);
}

/* ---- 14.2: Q7
 * ----------------------------------------------------------------------------------------
 */

static trn_status load_q7(struct rig *rig, uint32_t owner)
{
    static const uint32_t word = 0x12345678;
    const struct trn_hal_ucode images = {{&word, 4}, {&word, 4}};
    return trn_hal_q7_ucode_eng_init(rig->hal, 0x40000000, 0, &images, NULL, NULL, owner);
}

static void test_q7_owners(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct rig rig;
        rig_open(&rig, gens[g], 0);
        if (is_sunda(&rig)) {
            assert_int_equal(load_q7(&rig, 1), -1);
            expect_line(&rig, 1, NULL, "Invalid q7 owner 1 for v2 (only pooling supported)");
            EXPECT_NO_TRAFFIC(&rig);
        } else {
            assert_int_equal(load_q7(&rig, 2), -1);
            expect_line(&rig, 1, NULL, "Invalid q7 owner 2");
            EXPECT_NO_TRAFFIC(&rig);
            /* The compute cluster has four cores, laid out as POOL's; DRAM before IRAM. */
            assert_int_equal(load_q7(&rig, 1), TRN_OK);
            EXPECT_TRAFFIC(&rig, {'B', 0x43180000, 0x40000}, {'B', 0x43100000, 0x20000},
                           {'B', 0x43280000, 0x40000}, {'B', 0x43200000, 0x20000},
                           {'B', 0x43380000, 0x40000}, {'B', 0x43300000, 0x20000},
                           {'B', 0x43480000, 0x40000}, {'B', 0x43400000, 0x20000});
        }
        rig_close(&rig);
    }
}

/* ---- 11: hardware decode
 * -----------------------------------------------------------------------------
 */

static void test_disable_bit_alone_changes(void **state)
{
    (void)state;
    for (size_t g = 1; g < NUM_GENS; g++) {
        struct rig rig;
        rig_open(&rig, gens[g], 0);
        for (unsigned disable = 0; disable < 3; disable++) {
            struct trn_hal_engine_config config = rig_engine(&rig, TRN_HAL_DVE);
            const uint64_t at = rig_local(&rig, TRN_HAL_DVE) + 0x4000;
            config.info.disable_hw_decode = (uint8_t)disable;
            fake_bus_poke(&rig.bus, at, 0xFFFF7FFC | (disable == 0));
            assert_int_equal(trn_hal_engine_step(rig.hal, TRN_HAL_DVE,
                                                 TRN_HAL_STEP_HW_DECODE_TABLE_INIT, &config),
                             TRN_OK);
            EXPECT_TRAFFIC(&rig, {'B', config.mem_handle + 0x2B88000, 0x1000},
                           {'B', config.mem_handle + 0x2B89000, 0x2000},
                           {'R', at, 0xFFFF7FFC | (disable == 0)},
                           {'W', at, 0xFFFF7FFC | (disable != 0)});
        }
        rig_close(&rig);
    }
}

/* The size of PROFILE is looked at behind the write of the CAM. */
static void test_profile_is_checked_behind_the_cam(void **state)
{
    static const unsigned char bytes[0x2001];
    (void)state;
    for (size_t g = 1; g < NUM_GENS; g++) {
        struct rig rig;
        rig_open(&rig, gens[g], 0);
        struct trn_hal_engine_config config = rig_engine(&rig, TRN_HAL_PE);
        config.info.hw_decode.profile = (struct trn_hal_buf){bytes, sizeof bytes};
        assert_int_equal(
            trn_hal_engine_step(rig.hal, TRN_HAL_PE, TRN_HAL_STEP_HW_DECODE_TABLE_INIT, &config),
            -1);
        expect_line(&rig, 1, NULL, "PE HW decode PROFILE table too big!");
        EXPECT_TRAFFIC(&rig, {'B', config.mem_handle + 0x2670000, 0x1000});
        rig_close(&rig);
    }
}

/* ---- 12: fetch rings
 * -----------------------------------------------------------------------------------
 */

static void test_no_rings_still_switch_the_control(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct rig rig;
        rig_open(&rig, gens[g], 0);
        for (int engine = 0; engine < TRN_HAL_ENGINES; engine++) {
            rig_again(&rig);
            struct trn_hal_engine_config config = rig_engine(&rig, engine);
            config.info.dma_info.enabled = 0;
            assert_int_equal(trn_hal_engine_step(rig.hal, engine, TRN_HAL_STEP_DMA_INIT, &config),
                             TRN_OK);
            const uint64_t at = rig_local(&rig, engine) + (is_sunda(&rig) ? 0x40 : 0x10A0);
            EXPECT_TRAFFIC(&rig, {'W', at, 0}, {'W', at, 1});
        }
        rig_close(&rig);
    }
}

static void test_ring_addresses_are_split(void **state)
{
    static const struct trn_hal_ring rx = {0, 0, 0x123456789ABCDEF4, 0x1234567811111111,
                                           0x1234567822222222};
    static const struct trn_hal_ring tx = {0, 0, 0x1234567833333334, 0x1234567844444444,
                                           0x1234567855555555};
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct rig rig;
        rig_open(&rig, gens[g], 0);
        struct trn_hal_engine_config config = rig_engine(&rig, TRN_HAL_ACT);
        config.info.dma_info = (struct trn_hal_dma_info){.enabled = 1, .rx = rx, .tx = tx};
        assert_int_equal(trn_hal_engine_step(rig.hal, TRN_HAL_ACT, TRN_HAL_STEP_DMA_INIT, &config),
                         TRN_OK);
        const uint64_t x = rig_local(&rig, TRN_HAL_ACT);
        if (is_sunda(&rig)) /* window over 16 MiB, then the low 24 bits */
            EXPECT_TRAFFIC(&rig, {'W', x + 0x40, 0}, {'W', x + 0x210, 0x9A000000},
                           {'W', x + 0x214, 0x12345678}, {'W', x + 0x58, 0xBCDEF4},
                           {'W', x + 0x5C, 0x111111}, {'W', x + 0x60, 0x222222},
                           {'W', x + 0x78, 0x333334}, {'W', x + 0x7C, 0x444444},
                           {'W', x + 0x80, 0x555555}, {'W', x + 0x40, 1});
        else /* low word by ring, one high word */
            EXPECT_TRAFFIC(&rig, {'W', x + 0x10A0, 0}, {'W', x + 0x10C0, 0x9ABCDEF4},
                           {'W', x + 0x1100, 0x12345678}, {'W', x + 0x10E0, 0x33333334},
                           {'W', x + 0x1100, 0x12345678}, {'W', x + 0x10A0, 1});
        rig_close(&rig);
    }
}

/* The example of 7.1: CAYMAN core 0, POOL. */
static void test_ring_example_of_the_sheet(void **state)
{
    struct rig rig;
    (void)state;
    rig_open(&rig, "cayman", 0);
    const struct trn_hal_engine_config config = rig_engine(&rig, TRN_HAL_POOL);
    assert_int_equal(trn_hal_engine_step(rig.hal, TRN_HAL_POOL, TRN_HAL_STEP_DMA_INIT, &config),
                     TRN_OK);
    const uint64_t x = 0xD3060000;
    EXPECT_TRAFFIC(&rig, {'W', x + 0x10A0, 0}, {'W', x + 0x10C0, 0x0222F034},
                   {'W', x + 0x1100, 0x10}, {'W', x + 0x10E0, 0x0220F034}, {'W', x + 0x1100, 0x10},
                   {'W', x + 0x10A0, 1});
    rig_close(&rig);
}

/* ---- 14.1: stalls
 * ----------------------------------------------------------------------------------------
 */

/* One write; SUNDA says so at level 5. POOL's second release is a step that writes nothing there.
 */
static void test_releases_of_a_stall(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct rig rig;
        rig_open(&rig, gens[g], 0);
        for (int engine = 0; engine < TRN_HAL_ENGINES; engine++) {
            rig_again(&rig);
            const struct trn_hal_engine_config config = rig_engine(&rig, engine);
            const uint64_t x = rig_local(&rig, engine);
            assert_int_equal(
                trn_hal_engine_step(rig.hal, engine, TRN_HAL_STEP_RELEASE_RUN_STALL, &config),
                TRN_OK);
            assert_int_equal(fake_bus_logs(&rig.bus, 5), is_sunda(&rig));
            EXPECT_TRAFFIC(&rig, {'W', x + (is_sunda(&rig) ? 4 : 0), 0});
            if (engine == TRN_HAL_POOL) {
                assert_int_equal(trn_hal_engine_step(rig.hal, engine,
                                                     TRN_HAL_STEP_RELEASE_ENG_RUN_STALL, &config),
                                 TRN_OK);
                if (is_sunda(&rig))
                    EXPECT_NO_TRAFFIC(&rig);
                else
                    EXPECT_TRAFFIC(&rig, {'W', x + 0x3000, 0});
            }
        }
        rig_close(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_line_names_function_and_handles),
        cmocka_unit_test(test_one_image_of_two_is_padded),
        cmocka_unit_test(test_sunda_opens_its_windows),
        cmocka_unit_test(test_q7_owners),
        cmocka_unit_test(test_disable_bit_alone_changes),
        cmocka_unit_test(test_profile_is_checked_behind_the_cam),
        cmocka_unit_test(test_no_rings_still_switch_the_control),
        cmocka_unit_test(test_ring_addresses_are_split),
        cmocka_unit_test(test_ring_example_of_the_sheet),
        cmocka_unit_test(test_releases_of_a_stall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
