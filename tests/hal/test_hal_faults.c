/* SPDX-License-Identifier: Apache-2.0 */
/* A bring-up that does not go well: a bus that refuses its n-th access for every n, a device that
 * answers all ones, steps that fail (field case F36). The status is the documented one, nothing is
 * issued after it, and the engine is left stalled (docs/hardware/hal-stpb.md 4.1, 6, 7). */
#include "hal/bringup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const gens[] = {"sunda", "cayman", "mariana", "mariana_plus"};

enum { NUM_GENS = sizeof gens / sizeof gens[0] };

static bool is_sunda(const struct rig *rig)
{
    return strcmp(rig->gen->name, "sunda") == 0;
}

/* ---- stalls: registers of hal-stpb.md 14.1, reset values there --------------------------------
 */

static uint64_t stall_of(const struct rig *rig, int engine)
{
    return rig_local(rig, engine) + (is_sunda(rig) ? 4 : 0);
}

static uint64_t q7_stall(const struct rig *rig)
{
    return rig_local(rig, TRN_HAL_POOL) + 0x3000;
}

static void hold_stalls(struct rig *rig)
{
    for (int engine = 0; engine < TRN_HAL_ENGINES; engine++)
        fake_bus_poke(&rig->bus, stall_of(rig, engine), 1);
    if (!is_sunda(rig))
        fake_bus_poke(&rig->bus, q7_stall(rig), 0xFF);
}

/* POOL executes only when its Q7 cores are released too, where a register does that. */
static bool is_running(const struct rig *rig, int engine)
{
    const bool q7_held = engine == TRN_HAL_POOL && fake_bus_peek(&rig->bus, q7_stall(rig)) != 0;
    return fake_bus_peek(&rig->bus, stall_of(rig, engine)) == 0 && !q7_held;
}

/* ---- a bus that refuses its n-th access
 * ----------------------------------------------------------
 */

/* A failed read and a failed burst are assertions, a failed write ends the process (4.1). */
static trn_status fatal_of(char kind)
{
    return kind == 'W' ? TRN_ERR_ABORT : TRN_ERR_ASSERT;
}

/* What one try issues, beside a single engine. */
enum { EVERYTHING = -1, NUM_TOPSPS = 2 };

/* Everything a plan can hold: TopSPs, core, DMA blocks, DGE. */
static trn_status issue_everything(struct rig *rig, struct trn_hal_bringup_result *result)
{
    struct trn_hal_engine_config topsps[NUM_TOPSPS];
    for (unsigned k = 0; k < NUM_TOPSPS; k++)
        topsps[k] = rig_topsp(rig, k);
    const struct trn_hal_dge dge = {.set_carveout = true, .carveout_size = 16, .set_mapping = true};
    const struct trn_hal_bringup plan = {.core = rig->core,
                                         .stpb = &rig->stpb,
                                         .dma_rings = true,
                                         .num_topsps = NUM_TOPSPS,
                                         .topsps = topsps,
                                         .dge = &dge};
    return trn_hal_bringup(rig->hal, &plan, result);
}

static trn_status issue(struct rig *rig, int what, struct trn_hal_bringup_result *result)
{
    if (what == EVERYTHING)
        return issue_everything(rig, result);
    const struct trn_hal_engine_config config = rig_engine(rig, what);
    return trn_hal_engine_init(rig->hal, what, &config);
}

static const struct fake_event *last_access(const struct fake_bus *bus)
{
    size_t i = bus->count;
    while (i-- > 0)
        if (bus->event[i].kind != 'L' && bus->event[i].kind != '#')
            return &bus->event[i];
    return NULL;
}

/* The documented texts of a refused access (4.1); level 1, once. */
static void expect_bus_text(const struct rig *rig, char kind)
{
    assert_int_equal(fake_bus_logs(&rig->bus, 1), 1);
    if (kind == 'R')
        assert_non_null(fake_bus_find_log(&rig->bus, "PCIe read failed 0x"));
    if (kind == 'W')
        assert_non_null(fake_bus_find_log(&rig->bus, "csr_write failed"));
    assert_true(trn_hal_diag(rig->hal)->message[0] != '\0');
}

/* Number of the access that lets an engine run; 0: none does. */
static size_t release_of(const struct rig *rig, int engine)
{
    const bool q7 = engine == TRN_HAL_POOL && !is_sunda(rig); /* the second release counts */
    const uint64_t offset = q7 ? q7_stall(rig) : stall_of(rig, engine);
    size_t number = 0;
    for (size_t i = 0; i < rig->bus.count; i++) {
        const struct fake_event *event = &rig->bus.event[i];
        number += event->kind != 'L' && event->kind != '#';
        if (event->kind == 'W' && event->offset == offset)
            return number;
    }
    return 0;
}

static void refuse_access(struct rig *rig, int what, size_t n, const size_t *release)
{
    struct trn_hal_bringup_result result;
    rig_again(rig);
    hold_stalls(rig);
    rig->bus.fail_at = n;
    const trn_status status = issue(rig, what, &result);
    const char kind = last_access(&rig->bus)->kind;
    if (rig->bus.accesses != n || status != fatal_of(kind))
        fail_msg("%s %d: access %zu refused: status %d, %zu issued", rig->gen->name, what, n,
                 status, rig->bus.accesses);
    expect_bus_text(rig, kind);
    for (int e = 0; e < TRN_HAL_ENGINES; e++)
        assert_int_equal(is_running(rig, e), release[e] != 0 && release[e] < n);
}

static void refuse_every_access(const char *gen, int what)
{
    struct rig rig;
    struct trn_hal_bringup_result result;
    size_t release[TRN_HAL_ENGINES];
    rig_open(&rig, gen, 0);
    assert_int_equal(issue(&rig, what, &result), TRN_OK);
    const size_t length = rig.bus.accesses;
    assert_true(length > 10);
    for (int e = 0; e < TRN_HAL_ENGINES; e++) {
        release[e] = release_of(&rig, e);
        assert_int_equal(release[e] != 0, what == EVERYTHING || e == what);
    }
    for (size_t n = 1; n <= length; n++)
        refuse_access(&rig, what, n, release);
    rig_close(&rig);
}

static void test_refused_access_ends_an_engine(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++)
        for (int engine = 0; engine < TRN_HAL_ENGINES; engine++)
            refuse_every_access(gens[g], engine);
}

static void test_refused_access_ends_a_bringup(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS - 1; g++) /* MARIANA_PLUS issues what MARIANA does */
        refuse_every_access(gens[g], EVERYTHING);
}

/* What was issued up to a refusal is what a good bring-up issues, access by access. */
static void test_refusal_changes_nothing_before_it(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct rig good, bad;
        struct trn_hal_bringup_result result;
        rig_open(&good, gens[g], 0);
        rig_open(&bad, gens[g], 0);
        assert_int_equal(rig_bringup(&good, &result), TRN_OK);
        bad.bus.fail_at = good.bus.accesses / 2;
        assert_true(rig_bringup(&bad, &result) < TRN_OK);
        size_t at = 0;
        for (size_t i = 0; i < bad.bus.count; i++) {
            const struct fake_event *event = &bad.bus.event[i];
            if (event->kind == 'L' || event->kind == '#')
                continue;
            while (good.bus.event[at].kind == 'L' || good.bus.event[at].kind == '#')
                at++;
            assert_int_equal(event->kind, good.bus.event[at].kind);
            assert_true(event->offset == good.bus.event[at].offset);
            assert_true(event->value == good.bus.event[at].value);
            at++;
        }
        rig_close(&good);
        rig_close(&bad);
    }
}

/* ---- a step that fails
 * ---------------------------------------------------------------------------
 */

/* Field case F36: one diagnostic, this engine stalled, the others usable. */
static void test_failed_step_leaves_the_others_usable(void **state)
{
    static const enum trn_hal_step steps[] = {TRN_HAL_STEP_REGS_INIT,
                                              TRN_HAL_STEP_UCODE_SEQ_INIT,
                                              TRN_HAL_STEP_Q7_UCODE_ENG_INIT,
                                              TRN_HAL_STEP_HW_DECODE_TABLE_INIT,
                                              TRN_HAL_STEP_DMA_INIT,
                                              TRN_HAL_STEP_RELEASE_RUN_STALL,
                                              TRN_HAL_STEP_RELEASE_ENG_RUN_STALL};
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++)
        for (int engine = 0; engine < TRN_HAL_SP; engine++)
            for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++) {
                struct rig rig;
                struct trn_hal_bringup_result result;
                rig_open(&rig, gens[g], 0);
                if (!trn_hal_engine_has_step(rig.hal, engine, steps[s])) {
                    rig_close(&rig);
                    continue;
                }
                hold_stalls(&rig);
                rig.bus.fail_engine = engine;
                rig.bus.fail_step = steps[s];
                rig.bus.fail_code = -1;
                assert_int_equal(rig_bringup(&rig, &result), -1);
                assert_int_equal(result.failed_engine, engine);
                assert_int_equal(result.failed_step, steps[s]);
                assert_int_equal(result.engines[engine], -1);
                /* On SUNDA the host writes nothing to release the Q7 cores (14.1). */
                const bool released =
                    steps[s] == TRN_HAL_STEP_RELEASE_ENG_RUN_STALL && is_sunda(&rig);
                for (int e = 0; e < TRN_HAL_ENGINES; e++)
                    assert_int_equal(is_running(&rig, e), e != engine || released);
                assert_int_equal(fake_bus_logs(&rig.bus, 1), 1); /* exactly one error line */
                rig_close(&rig);
            }
}

/* A TopSP that fails ends the bring-up before the core is touched, its own stall held. */
static void test_failed_step_of_a_topsp(void **state)
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
            hold_stalls(&rig);
            rig.bus.fail_engine = -1;
            rig.bus.fail_step = steps[s];
            rig.bus.fail_code = -1;
            assert_int_equal(issue_everything(&rig, &result), -1);
            assert_int_equal(result.blocks, -1);
            assert_int_equal(fake_bus_logs(&rig.bus, 1), 1);
            const uint64_t window = is_sunda(&rig) ? 0x10000000 : 0xF0000000;
            const uint64_t stall = window + 0x260000 + (is_sunda(&rig) ? 4 : 0);
            assert_int_equal(fake_bus_count(&rig.bus, 'W', stall), 0);
            for (int e = 0; e < TRN_HAL_ENGINES; e++)
                assert_false(is_running(&rig, e));
            rig_close(&rig);
        }
}

/* hal_stpb_init, the library call, returns at the first engine that fails; the ones after it stay
 * in reset (hal-stpb.md 7 step 4: POOL, ACT, DVE, PE, SP). */
static void test_library_call_ends_at_the_first_failure(void **state)
{
    static const int order[] = {TRN_HAL_POOL, TRN_HAL_ACT, TRN_HAL_DVE, TRN_HAL_PE, TRN_HAL_SP};
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++)
        for (size_t failing = 0; failing < TRN_HAL_ENGINES - 1; failing++) {
            struct rig rig;
            struct trn_hal_notific *notific;
            rig_open(&rig, gens[g], 0);
            hold_stalls(&rig);
            assert_int_equal(trn_hal_notific_create(rig.hal, &notific), TRN_OK);
            rig.bus.fail_engine = order[failing];
            rig.bus.fail_step = TRN_HAL_STEP_DMA_INIT;
            rig.bus.fail_code = -22;
            assert_int_equal(trn_hal_stpb_init(rig.hal, &rig.stpb, 0, notific), -22);
            for (size_t e = 0; e < TRN_HAL_ENGINES; e++)
                assert_int_equal(is_running(&rig, order[e]), e < failing);
            trn_hal_notific_destroy(rig.hal, notific);
            rig_close(&rig);
        }
}

/* A step the generation does not have is not reached: no hw_decode_table_init in SUNDA's ACT, PE
 * and POOL chains, a stub in its DVE chain (hal-stpb.md 8.1, 3.3). */
static void test_steps_of_a_chain(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct rig rig;
        rig_open(&rig, gens[g], 0);
        const bool later = !is_sunda(&rig);
        for (int engine = 0; engine < TRN_HAL_ENGINES; engine++) {
            const bool decode = engine == TRN_HAL_DVE || (later && engine != TRN_HAL_SP);
            const bool pool = engine == TRN_HAL_POOL;
            assert_int_equal(
                trn_hal_engine_has_step(rig.hal, engine, TRN_HAL_STEP_HW_DECODE_TABLE_INIT),
                decode);
            assert_int_equal(
                trn_hal_engine_has_step(rig.hal, engine, TRN_HAL_STEP_Q7_UCODE_ENG_INIT), pool);
            assert_int_equal(
                trn_hal_engine_has_step(rig.hal, engine, TRN_HAL_STEP_RELEASE_ENG_RUN_STALL), pool);
            assert_true(trn_hal_engine_has_step(rig.hal, engine, TRN_HAL_STEP_DMA_INIT));
        }
        rig_close(&rig);
    }
}

/* ---- all ones
 * -------------------------------------------------------------------------------------
 */

/* The tail of a ring never becomes 0: the poll of nq_reset ends by its count. Queue 4 has no
 * coalescer, so nothing is read before (hal-stpb.md 16.3). */
static void test_all_ones_end_the_poll_of_a_ring(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct rig rig;
        struct trn_hal_notific *notific;
        rig_open(&rig, gens[g], 0);
        assert_int_equal(trn_hal_notific_create(rig.hal, &notific), TRN_OK);
        assert_int_equal(trn_hal_notific_init(rig.hal, notific, 10, 0, 0, rig.stpb.ens_regs),
                         TRN_OK);
        rig.bus.all_ones = true;
        assert_int_equal(trn_hal_nq_reset(rig.hal, notific, 4, 4), TRN_ERR_TIMEOUT);
        assert_int_equal(fake_bus_count(&rig.bus, 'R', rig.stpb.ens_regs + 0x100 + 4 * 0x28 + 0x10),
                         1000); /* trn_hal_options.poll_limit */
        assert_non_null(strstr(trn_hal_diag(rig.hal)->message, "0xffffffff"));
        rig_close(&rig);
    }
}

/* A register that cannot hold all ones was not read: the read fails as documented (4.1), every
 * engine stays stalled, alone or in a whole bring-up, and no image is written. */
static void test_all_ones_end_a_bringup(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++)
        for (int engine = -1; engine < TRN_HAL_ENGINES; engine++) {
            struct rig rig;
            struct trn_hal_bringup_result result;
            rig_open(&rig, gens[g], 0);
            hold_stalls(&rig);
            rig.bus.all_ones = true;
            trn_status status;
            if (engine < 0) {
                status = rig_bringup(&rig, &result);
            } else {
                struct trn_hal_engine_config config;
                assert_int_equal(trn_hal_engine_config(&rig.stpb, 0, engine, &config), TRN_OK);
                status = trn_hal_engine_init(rig.hal, engine, &config);
            }
            assert_int_equal(status, TRN_ERR_ASSERT);
            assert_non_null(fake_bus_find_log(&rig.bus, "PCIe read failed"));
            for (int e = 0; e < TRN_HAL_ENGINES; e++)
                assert_false(is_running(&rig, e));
            rig_close(&rig);
        }
}

/* Field case F28: tearing down a block that was never initialised is an error value, as often as
 * one likes, and silent. */
static void test_destroy_of_a_block_never_initialised(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct rig rig;
        rig_open(&rig, gens[g], 0);
        assert_int_equal(trn_hal_notific_destroy(rig.hal, NULL), TRN_ERR_ADDRESS);
        assert_int_equal(trn_hal_notific_destroy(rig.hal, NULL), TRN_ERR_ADDRESS);
        struct trn_hal_notific *notific;
        assert_int_equal(trn_hal_notific_create(rig.hal, &notific), TRN_OK);
        assert_int_equal(trn_hal_notific_destroy(rig.hal, notific), TRN_ERR_ADDRESS);
        assert_int_equal(trn_hal_notific_destroy(rig.hal, notific), TRN_ERR_ADDRESS);
        assert_int_equal(rig.bus.count, 0); /* no access, no log line */
        assert_int_equal(trn_hal_notific_init(rig.hal, notific, 10, 0, 0, rig.stpb.ens_regs),
                         TRN_OK);
        const size_t accesses = rig.bus.accesses;
        assert_int_equal(trn_hal_notific_destroy(rig.hal, notific), TRN_OK);
        assert_int_equal(trn_hal_notific_destroy(rig.hal, notific), TRN_ERR_ADDRESS);
        assert_int_equal(rig.bus.accesses, accesses);
        rig_close(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_access_ends_an_engine),
        cmocka_unit_test(test_refused_access_ends_a_bringup),
        cmocka_unit_test(test_failed_step_of_a_topsp),
        cmocka_unit_test(test_refusal_changes_nothing_before_it),
        cmocka_unit_test(test_failed_step_leaves_the_others_usable),
        cmocka_unit_test(test_library_call_ends_at_the_first_failure),
        cmocka_unit_test(test_steps_of_a_chain),
        cmocka_unit_test(test_all_ones_end_the_poll_of_a_ring),
        cmocka_unit_test(test_all_ones_end_a_bringup),
        cmocka_unit_test(test_destroy_of_a_block_never_initialised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
