/* SPDX-License-Identifier: Apache-2.0 */
/* regs_init (docs/hardware/hal-stpb.md 9): values other than the defaults, fields that stay, levels
 * that are refused. The order with the defaults is in tests/hal/golden. */
#include "hal/traffic.h"

#include <string.h>

static const char *const gens[] = {"sunda", "cayman", "mariana", "mariana_plus"};

enum { NUM_GENS = sizeof gens / sizeof gens[0] };

static bool is_sunda(const struct rig *rig)
{
    return strcmp(rig->gen->name, "sunda") == 0;
}

/* 8.3: debug register, pack register and shift. SP has no debug register. */
static const struct {
    uint32_t debug, pack;
    unsigned shift;
} places[TRN_HAL_ENGINES] = {[TRN_HAL_PE] = {0x004, 0xA00, 0},
                             [TRN_HAL_ACT] = {0x204, 0xA04, 0},
                             [TRN_HAL_POOL] = {0x104, 0xA00, 16},
                             [TRN_HAL_DVE] = {0x304, 0xA04, 16},
                             [TRN_HAL_SP] = {0, 0xA08, 0}};

/* ---- 9.1: the debug level ----------------------------------------------------------------------
 */

static void test_debug_level_is_four_bits(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct rig rig;
        rig_open(&rig, gens[g], 0);
        const uint64_t mem = rig.stpb.tpb_mem_handle, regs = rig.stpb.tpb_regs;
        for (int engine = 0; engine < TRN_HAL_SP; engine++)
            for (uint32_t level = 0; level <= 8; level++) {
                const uint64_t at = regs + places[engine].debug, x = rig_local(&rig, engine);
                fake_bus_poke(&rig.bus, at, 0xABCDEF05);
                assert_int_equal(trn_hal_instr_debug_level_set(rig.hal, engine, mem, regs, level),
                                 TRN_OK);
                if (is_sunda(&rig))
                    EXPECT_TRAFFIC(&rig, {'R', at, 0xABCDEF05}, {'W', at, 0xABCDEF00 | level},
                                   {'W', x + 0x804, level}, {'R', x + 0x14, 0});
                else
                    EXPECT_TRAFFIC(&rig, {'R', at, 0xABCDEF05}, {'W', at, 0xABCDEF00 | level});
            }
        rig_close(&rig);
    }
}

static void test_bad_debug_level_is_refused(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct rig rig;
        rig_open(&rig, gens[g], 0);
        for (int engine = 0; engine < TRN_HAL_ENGINES; engine++) {
            rig_again(&rig);
            assert_int_equal(trn_hal_instr_debug_level_set(rig.hal, engine, rig.stpb.tpb_mem_handle,
                                                           rig.stpb.tpb_regs, 9),
                             -22);
            expect_line(&rig, 1, NULL, "invalid inst_debug_level=9");
            EXPECT_NO_TRAFFIC(&rig);
        }
        rig_close(&rig);
    }
}

static void test_sp_has_no_debug_level(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct rig rig;
        rig_open(&rig, gens[g], 0);
        assert_int_equal(trn_hal_instr_debug_level_set(rig.hal, TRN_HAL_SP, rig.stpb.tpb_mem_handle,
                                                       rig.stpb.tpb_regs, 5),
                         TRN_OK);
        EXPECT_NO_TRAFFIC(&rig);
        rig_close(&rig);
    }
}

/* Model choice of 9.1: bit 0 of run_state is a warning, and the chain goes on. */
static void test_running_engine_is_a_warning(void **state)
{
    struct rig rig;
    (void)state;
    rig_open(&rig, "sunda", 0);
    fake_bus_poke(&rig.bus, rig_local(&rig, TRN_HAL_DVE) + 0x14, 0x85645);
    const struct trn_hal_engine_config config = rig_engine(&rig, TRN_HAL_DVE);
    assert_int_equal(trn_hal_engine_step(rig.hal, TRN_HAL_DVE, TRN_HAL_STEP_REGS_INIT, &config),
                     TRN_OK);
    const struct fake_event *const line = fake_bus_find_log(&rig.bus, "run_state=85645");
    assert_non_null(line);
    assert_string_equal(line->function, "aws_hal_stpb_sunda_dve_instr_debug_level_set");
    assert_int_equal(fake_bus_logs(&rig.bus, 1), 0);
    rig_close(&rig);
}

/* ---- 9.2 and 9.7: notification queues -----------------------------------------------------------
 */

/* {nx, explicit, engine} = {impl, expl, impl}, four bits each; SP has no engine field. */
static uint32_t packed(uint32_t old, int engine, uint32_t impl, uint32_t expl)
{
    const bool sp = engine == TRN_HAL_SP;
    const uint32_t mask = (sp ? 0xFFu : 0xFFFu) << places[engine].shift;
    const uint32_t group = (impl & 15) | (expl & 15) << 4 | (sp ? 0 : (impl & 15) << 8);
    return (old & ~mask) | group << places[engine].shift;
}

static void pack_queues(struct rig *rig, int engine, uint32_t old, uint32_t impl, uint32_t expl)
{
    rig_again(rig);
    struct trn_hal_engine_config config = rig_engine(rig, engine);
    const uint64_t at = config.regs + places[engine].pack;
    config.info.impl_nq_index = impl;
    config.info.expl_nq_index = expl;
    fake_bus_poke(&rig->bus, at, old);
    assert_int_equal(trn_hal_engine_step(rig->hal, engine, TRN_HAL_STEP_REGS_INIT, &config),
                     TRN_OK);
    assert_int_equal(fake_bus_peek(&rig->bus, at), packed(old, engine, impl, expl));
    assert_int_equal(fake_bus_count(&rig->bus, 'W', at), 1);
}

static void test_queue_pack_leaves_other_bits(void **state)
{
    static const uint32_t old[] = {0, 0x7FFFFFFF, 0x5AA5C33C};
    static const uint32_t indices[][2] = {{0, 4}, {3, 9}, {15, 0}, {0x13, 0x105}};
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct rig rig;
        rig_open(&rig, gens[g], 0);
        for (int engine = 0; engine < TRN_HAL_ENGINES; engine++)
            for (size_t o = 0; o < 3; o++)
                for (size_t i = 0; i < 4; i++)
                    pack_queues(&rig, engine, old[o], indices[i][0], indices[i][1]);
        rig_close(&rig);
    }
}

/* 9.5 c: one nibble in all eight places; not on SUNDA, which has no such helper. */
static void test_q7_queues_follow_the_explicit_index(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct rig rig;
        rig_open(&rig, gens[g], 0);
        struct trn_hal_engine_config config = rig_engine(&rig, TRN_HAL_POOL);
        config.info.expl_nq_index = 9;
        assert_int_equal(
            trn_hal_engine_step(rig.hal, TRN_HAL_POOL, TRN_HAL_STEP_REGS_INIT, &config), TRN_OK);
        assert_int_equal(fake_bus_peek(&rig.bus, config.regs + 0xA14),
                         is_sunda(&rig) ? 0 : 0x99999999);
        assert_int_equal(fake_bus_count(&rig.bus, 'W', config.regs + 0xA14), !is_sunda(&rig));
        rig_close(&rig);
    }
}

/* 9.7: errors << 12 | events << 8 | expl << 4 | nx in one write, then X + 1260; nothing else. */
static void test_topsp_has_a_register_of_its_own(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct rig rig;
        rig_open(&rig, gens[g], 0);
        struct trn_hal_engine_config config = rig_topsp(&rig, 1);
        config.error_nq_index = 3;
        config.evsem_nq_index = 4;
        config.info.expl_nq_index = 5;
        config.info.impl_nq_index = 6;
        config.info.iram_cache_block_size = 0x4000;
        assert_int_equal(trn_hal_engine_step(rig.hal, TRN_HAL_SP, TRN_HAL_STEP_REGS_INIT, &config),
                         TRN_OK);
        EXPECT_TRAFFIC(&rig, {'W', config.regs + 0x10, 0x3456},
                       {'W', config.mem_handle + 0x61260, 0x4000});
        rig_close(&rig);
    }
}

/* ---- 9.3: ACT's special values, and the block size of every engine ------------------------------
 */

/* Columns "value written" and "schema-consistent value". */
static const struct {
    uint32_t offset, seed, schema;
} special[] = {{0x240, 0x00000000, 0x00000000}, {0x244, 0xFFFFFFFF, 0xFFFFFFFF},
               {0x248, 0x7F800000, 0x7FC00000}, {0x24C, 0xFFFFFFFF, 0x7FC00000},
               {0x250, 0xFF800000, 0x7F800000}, {0x254, 0xFFFFFFFF, 0xFFFFFFFF},
               {0x258, 0x7FC00000, 0xFF800000}, {0x25C, 0x7FC00000, 0xFFFFFFFF}};

static void test_special_values_in_both_layouts(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++)
        for (int schema = 0; schema < 2; schema++) {
            struct rig rig;
            rig_open(&rig, gens[g], 0);
            rig_with_options(&rig, (struct trn_hal_options){.fp_special_schema = schema != 0});
            const struct trn_hal_engine_config config = rig_engine(&rig, TRN_HAL_ACT);
            assert_int_equal(
                trn_hal_engine_step(rig.hal, TRN_HAL_ACT, TRN_HAL_STEP_REGS_INIT, &config), TRN_OK);
            for (size_t i = 0; i < 8; i++) {
                const uint64_t at = config.regs + special[i].offset;
                assert_int_equal(fake_bus_count(&rig.bus, 'W', at), 1);
                assert_int_equal(fake_bus_peek(&rig.bus, at),
                                 schema ? special[i].schema : special[i].seed);
            }
            rig_close(&rig);
        }
}

static void test_block_size_is_the_callers(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct rig rig;
        rig_open(&rig, gens[g], 0);
        for (int engine = 0; engine < TRN_HAL_ENGINES; engine++) {
            struct trn_hal_engine_config config = rig_engine(&rig, engine);
            config.info.iram_cache_block_size = 0x12345678;
            assert_int_equal(trn_hal_engine_step(rig.hal, engine, TRN_HAL_STEP_REGS_INIT, &config),
                             TRN_OK);
            const uint64_t at = rig_local(&rig, engine) + 0x1260;
            assert_int_equal(fake_bus_peek(&rig.bus, at), 0x12345678);
        }
        rig_close(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_debug_level_is_four_bits),
        cmocka_unit_test(test_bad_debug_level_is_refused),
        cmocka_unit_test(test_sp_has_no_debug_level),
        cmocka_unit_test(test_running_engine_is_a_warning),
        cmocka_unit_test(test_queue_pack_leaves_other_bits),
        cmocka_unit_test(test_q7_queues_follow_the_explicit_index),
        cmocka_unit_test(test_topsp_has_a_register_of_its_own),
        cmocka_unit_test(test_special_values_in_both_layouts),
        cmocka_unit_test(test_block_size_is_the_callers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
