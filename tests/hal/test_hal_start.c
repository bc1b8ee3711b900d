/* SPDX-License-Identifier: Apache-2.0 */
/* The HAL over the model's own bus: what it brings up runs programs, and nothing else does
 * (docs/hardware/sequencer.md 2.2, hal-stpb.md 14). */
#include <string.h>

#include "seq/fixture.h"
#include "trench/hal.h"
#include "trench/ucode.h"

static const char *const gens[] = {"sunda", "cayman", "mariana", "mariana_plus"};

enum { NUM_GENS = sizeof gens / sizeof gens[0], QUEUE = 0x40000 };

/* A model whose core 0 has NOP and HALT in its memory, and a host with the default images. */
struct host {
    struct fixture core;
    struct trn_hal *hal;
    struct trn_hal_stpb stpb;
};

static void open_host(struct host *host, const char *gen)
{
    struct trn_diag diag;
    host->core = open_core(trn_gen_find(gen), NULL);
    struct program p = program_for(host->core.gen);
    add(&p, TRN_OPCODE_NOP);
    add(&p, TRN_OPCODE_HALT);
    const struct trn_bus *const bar4 = trn_device_bar4(host->core.device);
    bar4->write_block(bar4->context, QUEUE, p.word, p.num_words * TRN_INST_BYTES);
    if (trn_hal_create(trn_device_bar0(host->core.device), NULL, &host->hal, &diag) != TRN_OK)
        fail_msg("%s", diag.message);
    assert_int_equal(trn_hal_latch(host->hal, host->core.gen), TRN_OK);
    assert_int_equal(trn_hal_core_defaults(host->hal, 0, &host->stpb), TRN_OK);
    assert_int_equal(trn_ucode_fill_core(host->core.gen, &host->stpb), TRN_OK);
}

static void close_host(struct host *host)
{
    trn_hal_destroy(host->hal);
    close_core(&host->core);
}

static void bring_up(struct host *host, uint8_t engine_mask)
{
    struct trn_hal_bringup_result result;
    const struct trn_hal_bringup plan = {.stpb = &host->stpb, .engine_mask = engine_mask};
    if (trn_hal_bringup(host->hal, &plan, &result) != TRN_OK)
        fail_msg("%s: %s %s", host->core.gen->name, result.diag.where, result.diag.message);
}

static void start_engine(struct host *host, int engine)
{
    uint64_t start_at[TRN_HAL_ENGINES];
    for (int e = 0; e < TRN_HAL_ENGINES; e++)
        start_at[e] =
            e == engine ? trn_device_hbm_base(host->core.device) + QUEUE : TRN_HAL_NO_START;
    assert_int_equal(trn_hal_program_start(host->hal, host->stpb.tpb_mem_handle, start_at), TRN_OK);
}

static uint32_t run_state_of(struct host *host, int engine)
{
    uint32_t state = 99;
    assert_int_equal(trn_hal_run_state(host->hal, host->stpb.tpb_mem_handle, engine, &state),
                     TRN_OK);
    return state;
}

static enum trn_engine_run_state state_of(struct host *host, int engine)
{
    run(&host->core, 0);
    return host->core.report.engines[engine].state;
}

/* ---- one engine --------------------------------------------------------------------------------
 */

static void test_hal_brings_up_the_model(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++)
        for (int engine = 0; engine < TRN_HAL_ENGINES; engine++) {
            struct host host;
            open_host(&host, gens[g]);
            bring_up(&host, (uint8_t)(1u << engine));
            assert_int_equal(state_of(&host, engine), TRN_ENGINE_IDLE); /* no program yet */
            assert_int_equal(run_state_of(&host, engine), 0);
            start_engine(&host, engine);
            assert_int_equal(run(&host.core, 0), TRN_RUN_OK);
            assert_int_equal(host.core.report.engines[engine].retired, 2);
            assert_int_equal(run_state_of(&host, engine), 1);
            for (int other = 0; other < TRN_HAL_ENGINES; other++) /* nobody else was released */
                if (other != engine)
                    assert_int_equal(host.core.report.engines[other].state, TRN_ENGINE_STALLED);
            close_host(&host);
        }
}

static void test_all_engines_at_once(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct host host;
        uint32_t sum = 99;
        open_host(&host, gens[g]);
        bring_up(&host, 0);
        assert_int_equal(trn_hal_check_run_state(host.hal, host.stpb.tpb_mem_handle, &sum), TRN_OK);
        assert_int_equal(sum, 0); /* hal-stpb.md 6: none runs at the start */
        for (int engine = 0; engine < TRN_HAL_ENGINES; engine++)
            start_engine(&host, engine);
        assert_int_equal(run(&host.core, 0), TRN_RUN_OK);
        for (int engine = 0; engine < TRN_HAL_ENGINES; engine++)
            assert_int_equal(host.core.report.engines[engine].retired, 2);
        close_host(&host);
    }
}

/* ---- sequences that are not the sheet's
 * ------------------------------------------------------------
 */

/* An engine whose stall is held does not fetch, whatever its start registers say. */
static void test_start_without_a_release(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++)
        for (int engine = 0; engine < TRN_HAL_ENGINES; engine++) {
            struct host host;
            open_host(&host, gens[g]);
            start_engine(&host, engine);
            assert_int_equal(state_of(&host, engine), TRN_ENGINE_STALLED);
            assert_int_equal(host.core.report.engines[engine].retired, 0);
            close_host(&host);
        }
}

/* hal-stpb.md 14.1: POOL needs both releases where a register holds its Q7 cores. */
static void test_pool_needs_two_releases(void **state)
{
    (void)state;
    for (size_t g = 1; g < NUM_GENS; g++) {
        struct host host;
        struct trn_hal_engine_config config;
        open_host(&host, gens[g]);
        assert_int_equal(trn_hal_engine_config(&host.stpb, 0, TRN_HAL_POOL, &config), TRN_OK);
        for (enum trn_hal_step step = TRN_HAL_STEP_REGS_INIT;
             step <= TRN_HAL_STEP_RELEASE_RUN_STALL; step++)
            assert_int_equal(trn_hal_engine_step(host.hal, TRN_HAL_POOL, step, &config), TRN_OK);
        start_engine(&host, TRN_HAL_POOL);
        run(&host.core, 0);
        assert_int_equal(host.core.report.engines[TRN_HAL_POOL].retired, 0);
        assert_int_equal(trn_hal_engine_step(host.hal, TRN_HAL_POOL,
                                             TRN_HAL_STEP_RELEASE_ENG_RUN_STALL, &config),
                         TRN_OK);
        run(&host.core, 0);
        assert_int_equal(host.core.report.engines[TRN_HAL_POOL].retired, 2);
        close_host(&host);
    }
}

/* No HAL and no register map of a host is known for MAVERICK (generations.md 1, hal-stpb.md 8). */
static void test_maverick_has_no_hal(void **state)
{
    struct fixture core = open_core(trn_gen_find("maverick"), NULL);
    struct trn_hal *hal;
    (void)state;
    assert_int_equal(trn_hal_create(trn_device_bar0(core.device), NULL, &hal, NULL), TRN_OK);
    assert_int_equal(trn_hal_latch(hal, core.gen), TRN_ERR_UNSUPPORTED);
    assert_non_null(strstr(trn_hal_diag(hal)->message, "maverick"));
    trn_hal_destroy(hal);
    close_core(&core);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hal_brings_up_the_model),
        cmocka_unit_test(test_all_engines_at_once),
        cmocka_unit_test(test_start_without_a_release),
        cmocka_unit_test(test_pool_needs_two_releases),
        cmocka_unit_test(test_maverick_has_no_hal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
