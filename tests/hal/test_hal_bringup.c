/* SPDX-License-Identifier: Apache-2.0 */
/* A whole bring-up: which steps in which order, what the plan leaves out, what the result says
 * (docs/hardware/hal-stpb.md 7, 7.1, 8.1). The accesses are compared in test_hal_golden.c. */
#include "hal/traffic.h"

#include <stdio.h>
#include <string.h>

static const char *const gens[] = {"sunda", "cayman", "mariana", "mariana_plus"};

enum { NUM_GENS = sizeof gens / sizeof gens[0] };

static bool is_sunda(const struct rig *rig)
{
    return strcmp(rig->gen->name, "sunda") == 0;
}

/* ---- steps as words
 * --------------------------------------------------------------------------------
 */

/* "pool.regs_init", "core.rings", "topsp2.notific_init". */
static void name_step(const struct trn_hal_where *where, char *name, size_t size)
{
    static const char *const engines[TRN_HAL_ENGINES] = {"pe", "act", "pool", "dve", "sp"};
    char owner[16];
    if (where->engine >= 0)
        snprintf(owner, sizeof owner, "%s", engines[where->engine]);
    else if (where->topsp >= 0)
        snprintf(owner, sizeof owner, "topsp%d", where->topsp);
    else
        snprintf(owner, sizeof owner, "core");
    snprintf(name, size, "%s.%s", owner, trn_hal_step_name(where->step));
}

static void expect_steps(const struct rig *rig, const char *const *names, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < rig->bus.count; i++) {
        char name[48];
        if (rig->bus.event[i].kind != '#')
            continue;
        name_step(&rig->bus.event[i].where, name, sizeof name);
        if (found == count || strcmp(name, names[found]) != 0)
            fail_msg("%s: step %zu is %s, wanted %s", rig->gen->name, found + 1, name,
                     found < count ? names[found] : "nothing");
        found++;
    }
    assert_int_equal(found, count);
}

#define EXPECT_STEPS(rig, ...)                                                                     \
    do {                                                                                           \
        static const char *const names_[] = {__VA_ARGS__};                                         \
        expect_steps((rig), names_, sizeof names_ / sizeof names_[0]);                             \
    } while (0)

/* ---- the order
 * ---------------------------------------------------------------------------------------
 */

#define TOPSP(k)                                                                                   \
    "topsp" k ".regs_init", "topsp" k ".ucode_seq_init", "topsp" k ".dma_init",                    \
        "topsp" k ".release_run_stall", "topsp" k ".notific_init", "topsp" k ".rings"
#define CORE_BLOCK "core.notific_init", "core.notific_enable", "core.rings"
#define SP_CHAIN   "sp.regs_init", "sp.ucode_seq_init", "sp.dma_init", "sp.release_run_stall"

static trn_status bring_up_all(struct rig *rig, struct trn_hal_bringup_result *result)
{
    const struct trn_hal_engine_config topsps[2] = {rig_topsp(rig, 0), rig_topsp(rig, 3)};
    const struct trn_hal_dge dge = {.set_carveout = true,
                                    .carveout_size = 0x1000,
                                    .carveout_offset = 0x2000,
                                    .set_mapping = true,
                                    .mapping_hi = 1,
                                    .mapping_lo = 2};
    const struct trn_hal_bringup plan = {.core = rig->core,
                                         .stpb = &rig->stpb,
                                         .num_topsps = 2,
                                         .topsps = topsps,
                                         .dma_rings = true,
                                         .dge = &dge};
    return trn_hal_bringup(rig->hal, &plan, result);
}

/* TopSPs, the core's block and rings, POOL ACT DVE PE SP, the DMA rings, the DGE. SUNDA has no
 * decode step but DVE's stub. */
static void test_steps_of_a_whole_bringup(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct rig rig;
        struct trn_hal_bringup_result result;
        rig_open(&rig, gens[g], 1);
        assert_int_equal(bring_up_all(&rig, &result), TRN_OK);
        if (is_sunda(&rig))
            EXPECT_STEPS(&rig, TOPSP("0"), TOPSP("3"), CORE_BLOCK, "pool.regs_init",
                         "pool.ucode_seq_init", "pool.q7_ucode_eng_init", "pool.dma_init",
                         "pool.release_run_stall", "pool.release_eng_run_stall", "act.regs_init",
                         "act.ucode_seq_init", "act.dma_init", "act.release_run_stall",
                         "dve.regs_init", "dve.ucode_seq_init", "dve.hw_decode_table_init",
                         "dve.dma_init", "dve.release_run_stall", "pe.regs_init",
                         "pe.ucode_seq_init", "pe.dma_init", "pe.release_run_stall", SP_CHAIN,
                         "core.rings", "core.dge");
        else
            EXPECT_STEPS(&rig, TOPSP("0"), TOPSP("3"), CORE_BLOCK, "pool.regs_init",
                         "pool.ucode_seq_init", "pool.q7_ucode_eng_init",
                         "pool.hw_decode_table_init", "pool.dma_init", "pool.release_run_stall",
                         "pool.release_eng_run_stall", "act.regs_init", "act.ucode_seq_init",
                         "act.hw_decode_table_init", "act.dma_init", "act.release_run_stall",
                         "dve.regs_init", "dve.ucode_seq_init", "dve.hw_decode_table_init",
                         "dve.dma_init", "dve.release_run_stall", "pe.regs_init",
                         "pe.ucode_seq_init", "pe.hw_decode_table_init", "pe.dma_init",
                         "pe.release_run_stall", SP_CHAIN, "core.rings", "core.dge");
        /* Both registers of the DGE last (15): (1000 >> 4) << 16 | 2000 >> 4, then hi << 16 | lo.
         */
        const uint64_t x = rig_local(&rig, TRN_HAL_POOL);
        assert_int_equal(fake_bus_peek(&rig.bus, x + 0x14E0), 0x01000200);
        assert_int_equal(fake_bus_peek(&rig.bus, x + 0x1500), 0x00010002);
        assert_true(rig.bus.event[rig.bus.count - 1].offset == x + 0x1500);
        assert_int_equal(result.failed_engine, -1);
        assert_int_equal(result.blocks, TRN_OK);
        assert_int_equal(result.dge, TRN_OK);
        rig_close(&rig);
    }
}

/* Every step says whose it is. */
static void test_steps_name_their_core(void **state)
{
    struct rig rig;
    struct trn_hal_bringup_result result;
    (void)state;
    rig_open(&rig, "mariana", 5);
    assert_int_equal(bring_up_all(&rig, &result), TRN_OK);
    for (size_t i = 0; i < rig.bus.count; i++) {
        const struct trn_hal_where *const where = &rig.bus.event[i].where;
        if (rig.bus.event[i].kind != '#')
            continue;
        if (where->topsp < 0)
            assert_int_equal(where->core, 5);
        else
            assert_int_equal(where->core, where->topsp / 2); /* two TopSPs a core (7.1) */
        assert_true(where->engine < 0 || where->topsp < 0);
    }
    rig_close(&rig);
}

/* ---- what a plan leaves out
 * ----------------------------------------------------------------------------
 */

static void test_single_engine_of_a_core_that_is_up(void **state)
{
    struct rig rig;
    struct trn_hal_bringup_result result;
    (void)state;
    rig_open(&rig, "cayman", 0);
    const struct trn_hal_bringup plan = {.stpb = &rig.stpb,
                                         .engine_mask = 1u << TRN_HAL_SP | 1u << TRN_HAL_ACT,
                                         .core_blocks_done = true};
    assert_int_equal(trn_hal_bringup(rig.hal, &plan, &result), TRN_OK);
    EXPECT_STEPS(&rig, "act.regs_init", "act.ucode_seq_init", "act.hw_decode_table_init",
                 "act.dma_init", "act.release_run_stall", SP_CHAIN);
    rig_close(&rig);
}

static void test_no_rings(void **state)
{
    struct rig rig;
    struct trn_hal_bringup_result result;
    (void)state;
    rig_open(&rig, "sunda", 0);
    const struct trn_hal_bringup plan = {
        .stpb = &rig.stpb, .engine_mask = 1u << TRN_HAL_SP, .no_rings = true};
    assert_int_equal(trn_hal_bringup(rig.hal, &plan, &result), TRN_OK);
    EXPECT_STEPS(&rig, "core.notific_init", "core.notific_enable", SP_CHAIN);
    rig_close(&rig);
}

static void test_size_of_the_rings(void **state)
{
    struct rig rig;
    struct trn_hal_bringup_result result;
    (void)state;
    rig_open(&rig, "cayman", 3);
    struct trn_hal_bringup plan = {.core = 3, .stpb = &rig.stpb, .nq_size = 0x2000};
    assert_int_equal(trn_hal_bringup(rig.hal, &plan, &result), TRN_OK);
    for (unsigned queue = 0; queue < 10; queue++) {
        const uint64_t d = rig.stpb.ens_regs + 0x100 + 0x28 * queue;
        const bool used = queue != 3 && queue != 9;
        /* Block 3, a ring every 10000 bytes, whatever their size (7.1). */
        assert_int_equal(fake_bus_peek(&rig.bus, d), used ? 0x300000 + queue * 0x10000 : 0);
        assert_int_equal(fake_bus_peek(&rig.bus, d + 4), used ? 0x4000 : 0);
        assert_int_equal(fake_bus_peek(&rig.bus, d + 8), used ? 0x2000 : 0);
    }
    rig_again(&rig);
    plan.nq_size = 0x20000; /* would lie over the next ring */
    assert_int_equal(trn_hal_bringup(rig.hal, &plan, &result), -22);
    assert_int_equal(result.blocks, -22);
    assert_int_equal(rig.bus.accesses, 0);
    rig_close(&rig);
}

/* Ring 0 of the sixteen DMA engines of a core, each in its own block of host memory. */
static void test_memory_of_the_dma_rings(void **state)
{
    struct rig rig;
    struct trn_hal_bringup_result result;
    (void)state;
    rig_open(&rig, "sunda", 1);
    const struct trn_hal_bringup plan = {.core = 1,
                                         .stpb = &rig.stpb,
                                         .core_blocks_done = true,
                                         .engine_mask = 1u << TRN_HAL_SP,
                                         .dma_rings = true};
    assert_int_equal(trn_hal_bringup(rig.hal, &plan, &result), TRN_OK);
    size_t rings = 0;
    for (size_t i = 0; i + 2 < rig.bus.count; i++) {
        const struct fake_event *const line = &rig.bus.event[i];
        if (line->kind != 'L' || strcmp(line->function, "aws_hal_notific_nq_init") != 0)
            continue;
        const uint64_t base = 0x100000000000 + (0x80 + 16 + rings++) * 0x100000;
        assert_int_equal(line[1].value, base & 0xFFFFFFFF);
        assert_int_equal(line[2].value, base >> 32);
    }
    assert_int_equal(rings, 16);
    rig_close(&rig);
}

static void test_plan_without_a_context(void **state)
{
    struct rig rig;
    struct trn_hal_bringup_result result;
    (void)state;
    rig_open(&rig, "cayman", 0);
    const struct trn_hal_bringup none = {.stpb = NULL};
    assert_int_equal(trn_hal_bringup(rig.hal, &none, &result), -22);
    const struct trn_hal_bringup topsps = {.stpb = &rig.stpb, .num_topsps = 1};
    assert_int_equal(trn_hal_bringup(rig.hal, &topsps, &result), -22);
    assert_int_equal(trn_hal_stpb_init(rig.hal, NULL, 0, NULL), -22);
    assert_int_equal(trn_hal_stpb_init(rig.hal, &rig.stpb, 0, NULL), -14); /* of notific_init */
    assert_int_equal(rig.bus.accesses, 0);
    rig_close(&rig);
}

/* ---- what the result says
 * ----------------------------------------------------------------------------------
 */

/* A block that fails ends the bring-up; engines that were asked for and not tried carry its code.
 */
static void test_failed_block_ends_the_bringup(void **state)
{
    static const enum trn_hal_step steps[] = {TRN_HAL_STEP_NOTIFIC_INIT,
                                              TRN_HAL_STEP_NOTIFIC_ENABLE, TRN_HAL_STEP_RINGS};
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++)
        for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++) {
            struct rig rig;
            struct trn_hal_bringup_result result;
            rig_open(&rig, gens[g], 0);
            rig.bus.fail_engine = -1;
            rig.bus.fail_step = steps[s];
            rig.bus.fail_code = -7;
            const struct trn_hal_bringup plan = {.stpb = &rig.stpb,
                                                 .engine_mask = 1u << TRN_HAL_PE};
            assert_int_equal(trn_hal_bringup(rig.hal, &plan, &result), -7);
            assert_int_equal(result.blocks, -7);
            assert_int_equal(result.failed_engine, -1);
            assert_int_equal(result.failed_step, steps[s]);
            assert_int_equal(result.engines[TRN_HAL_PE], -7);
            assert_int_equal(result.engines[TRN_HAL_ACT], TRN_OK); /* not asked for */
            char text[64];
            snprintf(text, sizeof text, "core 0: %s failed with -7", trn_hal_step_name(steps[s]));
            expect_line(&rig, 1, trn_hal_step_name(steps[s]), text);
            assert_string_equal(result.diag.message, text);
            rig_close(&rig);
        }
}

/* The first of several failures is the one that is told, and every engine has its own code. */
static void test_first_failure_is_told(void **state)
{
    static const unsigned char bytes[0x20001];
    struct rig rig;
    struct trn_hal_bringup_result result;
    (void)state;
    rig_open(&rig, "cayman", 0);
    rig.stpb.act_info.seq_ucode.iram = (struct trn_hal_buf){bytes, sizeof bytes};
    rig.stpb.pe_info.inst_debug_level = 9;
    rig.stpb.dve_info.inst_debug_level = 9;
    assert_int_equal(rig_bringup(&rig, &result), -1);
    assert_int_equal(result.failed_engine, TRN_HAL_ACT); /* POOL, ACT, DVE, PE, SP */
    assert_int_equal(result.failed_step, TRN_HAL_STEP_UCODE_SEQ_INIT);
    assert_int_equal(result.diag.status, -1);
    assert_non_null(strstr(result.diag.message, "ACT seq IRAM ucode too big!"));
    assert_int_equal(result.engines[TRN_HAL_POOL], TRN_OK);
    assert_int_equal(result.engines[TRN_HAL_ACT], -1);
    assert_int_equal(result.engines[TRN_HAL_DVE], -22);
    assert_int_equal(result.engines[TRN_HAL_PE], -22);
    assert_int_equal(result.engines[TRN_HAL_SP], TRN_OK);
    rig_close(&rig);
}

/* The last two steps of SP's chain end it too: nothing is released behind a failure. */
static void test_every_step_of_sp_ends_its_chain(void **state)
{
    static const enum trn_hal_step steps[] = {TRN_HAL_STEP_REGS_INIT, TRN_HAL_STEP_UCODE_SEQ_INIT,
                                              TRN_HAL_STEP_DMA_INIT,
                                              TRN_HAL_STEP_RELEASE_RUN_STALL};
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++)
        for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++) {
            struct rig rig;
            struct trn_hal_bringup_result result;
            rig_open(&rig, gens[g], 0);
            rig.bus.fail_engine = TRN_HAL_SP;
            rig.bus.fail_step = steps[s];
            rig.bus.fail_code = -5;
            assert_int_equal(rig_bringup(&rig, &result), -5);
            assert_int_equal(result.failed_engine, TRN_HAL_SP);
            const uint64_t stall = rig_local(&rig, TRN_HAL_SP) + (is_sunda(&rig) ? 4 : 0);
            assert_int_equal(fake_bus_count(&rig.bus, 'W', stall), 0);
            assert_int_equal(fake_bus_logs(&rig.bus, 1), 1);
            rig_close(&rig);
        }
}

/* A carveout that is refused is the DGE's own result; the engines run. */
static void test_refused_carveout(void **state)
{
    struct rig rig;
    struct trn_hal_bringup_result result;
    (void)state;
    rig_open(&rig, "cayman", 0);
    const struct trn_hal_dge dge = {
        .set_carveout = true, .carveout_size = 0x38010, .set_mapping = true, .mapping_lo = 1};
    const struct trn_hal_bringup plan = {.stpb = &rig.stpb, .dge = &dge};
    assert_int_equal(trn_hal_bringup(rig.hal, &plan, &result), -22);
    assert_int_equal(result.dge, -22);
    assert_int_equal(result.failed_engine, -1);
    assert_int_equal(result.failed_step, TRN_HAL_STEP_DGE);
    for (int engine = 0; engine < TRN_HAL_ENGINES; engine++)
        assert_int_equal(result.engines[engine], TRN_OK);
    assert_int_equal(fake_bus_count(&rig.bus, 'W', rig_local(&rig, TRN_HAL_POOL) + 0x1500), 0);
    rig_close(&rig);
}

/* Nothing is latched on a generation without a HAL, and nothing reaches the bus. */
static void test_no_bringup_without_an_arch(void **state)
{
    struct rig rig;
    struct trn_hal_bringup_result result;
    (void)state;
    rig_open(&rig, "cayman", 0);
    trn_hal_reset_arch(rig.hal);
    assert_int_equal(trn_hal_latch(rig.hal, trn_gen_find("maverick")), TRN_ERR_UNSUPPORTED);
    assert_int_equal(rig_bringup(&rig, &result), TRN_ERR_ASSERT);
    assert_int_equal(result.engines[TRN_HAL_PE], TRN_ERR_ASSERT);
    assert_int_equal(rig.bus.accesses, 0);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_of_a_whole_bringup),
        cmocka_unit_test(test_steps_name_their_core),
        cmocka_unit_test(test_single_engine_of_a_core_that_is_up),
        cmocka_unit_test(test_no_rings),
        cmocka_unit_test(test_size_of_the_rings),
        cmocka_unit_test(test_memory_of_the_dma_rings),
        cmocka_unit_test(test_plan_without_a_context),
        cmocka_unit_test(test_failed_block_ends_the_bringup),
        cmocka_unit_test(test_first_failure_is_told),
        cmocka_unit_test(test_every_step_of_sp_ends_its_chain),
        cmocka_unit_test(test_refused_carveout),
        cmocka_unit_test(test_no_bringup_without_an_arch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
