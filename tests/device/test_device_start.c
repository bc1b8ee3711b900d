/* SPDX-License-Identifier: Apache-2.0 */
/* The start protocol as a host sees it on BAR0 (docs/hardware/sequencer.md 2.2 to 3.2, hal-stpb.md
 * 11, 14.1 and 18), wrong sequences included, and looking at registers without touching them. */
#include <string.h>

#include "seq/fixture.h"

#define FOR_EACH_GENERATION(gen)                                                                   \
    for (const struct trn_gen *gen = trn_gen_at(0), *const end = gen + TRN_GEN_COUNT; gen != end;  \
         gen++)

/* Local registers of SUNDA, then of the later generations (address-map.md 9). */
struct places {
    uint32_t stall, start_ctrl, run_state, start_lo, start_hi;
};

static struct places places_of(const struct trn_gen *gen)
{
    static const struct places sunda = {0x04, 0x10, 0x14, 0x08, 0x0C};
    static const struct places later = {0x0000, 0x0004, 0x0008, 0x1060, 0x1080};
    return gen->isa_version == 2 ? sunda : later;
}

enum { Q7_STALL = 0x3000, HW_CONTROL = 0x4000 };

/* hal-stpb.md 14.1: the host releases the Q7 cores by a register on CAYMAN and MARIANA. */
static bool has_q7_release(const struct trn_gen *gen)
{
    return gen->isa_version == 3 || gen->isa_version == 4;
}

/* BAR0 offset of an engine's local registers (address-map.md 5.2, 4.3, 7). */
static uint64_t local(const struct fixture *core, int engine)
{
    static const uint32_t sunda[] = {0x2600000, 0x2400000, 0x2900000, 0x2B00000, 0x2800000};
    static const uint32_t cayman[] = {0x2600000, 0x2400000, 0x3000000, 0x2B00000, 0x2800000};
    static const uint32_t maverick[] = {0x8600000, 0x8400000, 0x9000000, 0x8B00000, 0x8800000};
    if (core->gen->isa_version == 2)
        return sunda[engine] + 0x60000u;
    return UINT64_C(0xD0060000) + (core->gen->isa_version == 5 ? maverick[engine] : cayman[engine]);
}

static void write32(struct fixture *core, uint64_t offset, uint32_t value)
{
    const struct trn_bus *bus = trn_device_bar0(core->device);
    assert_int_equal(bus->write32(bus->context, offset, value), TRN_OK);
}

static uint32_t read32(struct fixture *core, uint64_t offset)
{
    const struct trn_bus *bus = trn_device_bar0(core->device);
    uint32_t value = 0;
    assert_int_equal(bus->read32(bus->context, offset, &value), TRN_OK);
    return value;
}

/* Semaphore 1 counts the starts: the program posts once and halts. */
static void load(struct fixture *core, int engine)
{
    struct program p = program_for(core->gen);
    const struct trn_bus *bus = trn_device_bar4(core->device);
    set_update(add(&p, TRN_OPCODE_NOP), TRN_UPDATE_MODE_SEM_INC_COMPLETE, 1, 0);
    add(&p, TRN_OPCODE_HALT);
    bus->write_block(bus->context, queue_of(engine), p.word, p.num_words * TRN_INST_BYTES);
    write32(core, local(core, engine) + places_of(core->gen).start_lo, (uint32_t)queue_of(engine));
    write32(core, local(core, engine) + places_of(core->gen).start_hi, 0);
}

/* What the engine shows after a run: its state, semaphore 1, start_ctrl and run_state. */
static void expect(struct fixture *core, int engine, enum trn_engine_run_state state,
                   uint32_t starts, uint32_t start_ctrl, uint32_t run_state)
{
    const struct places at = places_of(core->gen);
    assert_int_equal(run(core, 0), TRN_RUN_OK);
    assert_int_equal(core->report.engines[engine].state, state);
    assert_int_equal(sem_of(core, 1), starts);
    assert_int_equal(read32(core, local(core, engine) + at.start_ctrl), start_ctrl);
    assert_int_equal(read32(core, local(core, engine) + at.run_state), run_state);
}

/* ---- one release ----------------------------------------------------------------------- */

static void test_engine_runs_after_release_and_start(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        const struct places at = places_of(gen);
        struct fixture core = open_core(gen, NULL);
        load(&core, SP);
        expect(&core, SP, TRN_ENGINE_STALLED, 0, 0, 0);
        write32(&core, local(&core, SP) + at.stall, 0);
        expect(&core, SP, TRN_ENGINE_IDLE, 0, 0, 0);
        write32(&core, local(&core, SP) + at.start_ctrl, 1);
        expect(&core, SP, TRN_ENGINE_HALTED, 1, 0, 1); /* 3.1: run_state stays 1 */
        close_core(&core);
    }
}

/* A start under stall is not lost and not acknowledged: the engine takes it when it boots. */
static void test_start_before_release_waits_for_it(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        const struct places at = places_of(gen);
        struct fixture core = open_core(gen, NULL);
        load(&core, SP);
        write32(&core, local(&core, SP) + at.start_ctrl, 1);
        expect(&core, SP, TRN_ENGINE_STALLED, 0, 1, 0);
        write32(&core, local(&core, SP) + at.stall, 0);
        expect(&core, SP, TRN_ENGINE_HALTED, 1, 0, 1);
        close_core(&core);
    }
}

/* Holding an engine again is its reset: the start that it has not taken is gone. */
static void test_stall_again_is_a_reset(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        const struct places at = places_of(gen);
        struct fixture core = open_core(gen, NULL);
        load(&core, SP);
        write32(&core, local(&core, SP) + at.stall, 0);
        write32(&core, local(&core, SP) + at.start_ctrl, 1);
        write32(&core, local(&core, SP) + at.stall, 1);
        expect(&core, SP, TRN_ENGINE_STALLED, 0, 0, 0);
        write32(&core, local(&core, SP) + at.stall, 0);
        expect(&core, SP, TRN_ENGINE_IDLE, 0, 0, 0);
        close_core(&core);
    }
}

/* hal-stpb.md 18, item 4: the place of SUNDA's release is start_ctrl of later generations, the
 * later place is no register of SUNDA. Either way the engine stays stalled. */
static void test_release_at_the_other_generations_place(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        const struct places at = places_of(gen);
        struct fixture core = open_core(gen, NULL);
        const bool sunda = gen->isa_version == 2;
        load(&core, SP);
        write32(&core, local(&core, SP) + (sunda ? 0x00 : 0x04), 0);
        write32(&core, local(&core, SP) + at.start_ctrl, 1);
        expect(&core, SP, TRN_ENGINE_STALLED, 0, 1, 0);
        assert_int_equal(core.report.warnings[TRN_WARN_UNKNOWN_REGISTER], sunda);
        /* a one there is a start on later generations */
        write32(&core, local(&core, SP) + at.start_ctrl, 0);
        write32(&core, local(&core, SP) + (sunda ? 0x00 : 0x04), 1);
        assert_int_equal(read32(&core, local(&core, SP) + at.start_ctrl), !sunda);
        write32(&core, local(&core, SP) + at.stall, 0);
        expect(&core, SP, sunda ? TRN_ENGINE_IDLE : TRN_ENGINE_HALTED, !sunda, 0, !sunda);
        close_core(&core);
    }
}

/* ---- POOL ------------------------------------------------------------------------------ */

static void test_pool_needs_both_releases(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        const struct places at = places_of(gen);
        struct fixture core = open_core(gen, NULL);
        load(&core, POOL);
        write32(&core, local(&core, POOL) + at.stall, 0);
        write32(&core, local(&core, POOL) + at.start_ctrl, 1);
        if (!has_q7_release(gen)) { /* the host writes nothing more */
            expect(&core, POOL, TRN_ENGINE_HALTED, 1, 0, 1);
            close_core(&core);
            continue;
        }
        expect(&core, POOL, TRN_ENGINE_STALLED, 0, 1, 0);
        write32(&core, local(&core, POOL) + Q7_STALL, 0);
        expect(&core, POOL, TRN_ENGINE_HALTED, 1, 0, 1);
        close_core(&core);
    }
}

static void test_pool_with_the_q7_release_alone_is_stalled(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        if (!has_q7_release(gen))
            continue;
        struct fixture core = open_core(gen, NULL);
        load(&core, POOL);
        write32(&core, local(&core, POOL) + Q7_STALL, 0);
        write32(&core, local(&core, POOL) + places_of(gen).start_ctrl, 1);
        expect(&core, POOL, TRN_ENGINE_STALLED, 0, 1, 0);
        write32(&core, local(&core, POOL) + places_of(gen).stall, 0);
        expect(&core, POOL, TRN_ENGINE_HALTED, 1, 0, 1);
        close_core(&core);
    }
}

/* 14.1: a single-core release clears one bit; POOL runs when the last is clear. */
static void test_q7_cores_are_released_one_by_one(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        if (!has_q7_release(gen))
            continue;
        const struct places at = places_of(gen);
        struct fixture core = open_core(gen, NULL);
        load(&core, POOL);
        write32(&core, local(&core, POOL) + at.stall, 0);
        write32(&core, local(&core, POOL) + at.start_ctrl, 1);
        for (uint32_t held = 0xFF; held != 0; held &= held - 1) {
            write32(&core, local(&core, POOL) + Q7_STALL, held);
            assert_int_equal(read32(&core, local(&core, POOL) + Q7_STALL), held);
            expect(&core, POOL, TRN_ENGINE_STALLED, 0, 1, 0);
        }
        write32(&core, local(&core, POOL) + Q7_STALL, 0);
        expect(&core, POOL, TRN_ENGINE_HALTED, 1, 0, 1);
        close_core(&core);
    }
}

/* The Q7 cores are POOL's: the same register of another engine holds nobody. */
static void test_q7_stall_of_other_engines_holds_nobody(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    load(&core, ACT);
    assert_int_equal(read32(&core, local(&core, ACT) + Q7_STALL), 0xFF);
    write32(&core, local(&core, ACT) + 0x0000, 0);
    write32(&core, local(&core, ACT) + 0x0004, 1);
    expect(&core, ACT, TRN_ENGINE_HALTED, 1, 0, 1);
    close_core(&core);
}

/* ---- while a program runs ---------------------------------------------------------------- */

/* hal-stpb.md 11: disable_hw_decode may only change while the engine is halted. */
static void test_fetch_mode_changes_only_while_halted(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        if (gen->isa_version == 2) /* no hardware decode */
            continue;
        struct fixture core = open_core(gen, NULL);
        struct program p = program_for(gen);
        const uint64_t control = local(&core, SP) + HW_CONTROL;
        set_wait(add(&p, TRN_OPCODE_NOP), TRN_WAIT_MODE_SEM_GE_IMM, 0, 1);
        add(&p, TRN_OPCODE_HALT);
        write32(&core, control, 0x7FFD); /* stalled */
        assert_int_equal(read32(&core, control), 0x7FFD);
        start(&core, SP, &p);
        write32(&core, control, 0x7FFC); /* idle */
        assert_int_equal(read32(&core, control), 0x7FFC);
        assert_int_equal(run(&core, 0), TRN_RUN_DEADLOCK);
        write32(&core, control, 0x107FFF); /* in the program: all bits but this one */
        assert_int_equal(read32(&core, control), 0x107FFE);
        set_sem(&core, 0, 1);
        assert_int_equal(run(&core, 0), TRN_RUN_OK);
        write32(&core, control, 0x7FFD);
        assert_int_equal(read32(&core, control), 0x7FFD);
        close_core(&core);
    }
}

/* address-map.md 6.4, error-handling.md 12: B08.. shows the PC of each engine, B44.. its low part.
 */
static void test_register_file_shows_program_counters(void **state)
{
    static const uint64_t files[] = {0x30530000, 0x06000000, 0x06000000, 0x06000000};
    static const struct {
        int engine;
        uint32_t low, eng; /* eng 0: none */
    } cases[] = {
        {PE, 0xB08, 0xB44},  {POOL, 0xB10, 0xB48}, {ACT, 0xB18, 0xB4C},
        {DVE, 0xB20, 0xB50}, {SP, 0xB28, 0},
    };
    (void)state;
    const uint64_t pc = UINT64_C(0x2ABCD0040); /* more than 32 bits, in every stack */
    for (unsigned g = 0; g < 4; g++)
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            struct fixture core = open_core(trn_gen_at(g), NULL);
            struct program p = program_for(core.gen);
            const struct trn_bus *bus = trn_device_bar4(core.device);
            const uint64_t low = files[g] + cases[i].low;
            assert_int_equal(read32(&core, low), 0);
            set_wait(add(&p, TRN_OPCODE_NOP), TRN_WAIT_MODE_SEM_GE_IMM, 0, 1);
            bus->write_block(bus->context, pc, p.word, TRN_INST_BYTES);
            trn_device_start(core.device, cases[i].engine, pc);
            assert_int_equal(run(&core, 0), TRN_RUN_DEADLOCK);
            assert_int_equal(read32(&core, low), 0xABCD0040);
            assert_int_equal(read32(&core, low + 4), 2);
            if (cases[i].eng)
                assert_int_equal(read32(&core, files[g] + cases[i].eng), 0xCD0040);
            write32(&core, low, 5); /* read-only */
            assert_int_equal(read32(&core, low), 0xABCD0040);
            close_core(&core);
        }
}

/* ---- looking without touching ------------------------------------------------------------ */

static void test_peek_has_no_side_effects(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    const uint64_t stats = 0x060010B0; /* TPB_0_NOTIFIC nq_stats: a read clears */
    const uint64_t seed = 0x0600010C;  /* write-only */
    uint32_t value = 1;
    bool touched = true;
    assert_int_equal(trn_device_peek32(core.device, 0x060010B4, &value, &touched), TRN_OK);
    assert_int_equal(value, 0x1000); /* coal_timer after reset */
    assert_false(touched);
    read32(&core, stats);
    assert_int_equal(trn_device_peek32(core.device, 0x060010B4, &value, &touched), TRN_OK);
    assert_true(touched);
    write32(&core, seed, 0x12345);
    assert_int_equal(trn_device_peek32(core.device, seed, &value, NULL), TRN_OK);
    assert_int_equal(value, 0);
    assert_int_equal(trn_device_peek32(core.device, 0x06000FFC, &value, NULL), TRN_OK);
    assert_int_equal(trn_device_peek32(core.device, 0x1FFFFFFC, &value, NULL), TRN_ERR_ADDRESS);
    assert_int_equal(value, 0xDEADBEEF);
    run(&core, 0);
    assert_int_equal(core.report.warnings[TRN_WARN_UNKNOWN_REGISTER], 0);
    assert_int_equal(core.report.warnings[TRN_WARN_UNMAPPED_ACCESS], 0);
    close_core(&core);
}

static void test_peek_shows_memories_and_refuses_the_rest(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    const uint64_t iram = 0xD2620000; /* PE_NX_IRAM */
    uint32_t value = 1;
    bool touched = true;
    assert_int_equal(trn_device_peek32(core.device, iram, &value, &touched), TRN_OK);
    assert_int_equal(value, 0);
    assert_false(touched);
    write32(&core, iram, 0xCAFE);
    assert_int_equal(trn_device_peek32(core.device, iram, &value, &touched), TRN_OK);
    assert_int_equal(value, 0xCAFE);
    assert_true(touched);
    assert_int_equal(trn_device_peek32(core.device, iram + 2, &value, NULL), TRN_ERR_INVALID);
    assert_int_equal(trn_device_peek32(NULL, iram, &value, NULL), TRN_ERR_INVALID);
    assert_int_equal(trn_device_peek32(core.device, 0xD0000000, &value, NULL), TRN_ERR_UNSUPPORTED);
    close_core(&core);
}

/* The atomic windows of a sequencer that is not modelled are one bank too (sequencer.md 9.7). */
static void test_atomic_windows_of_a_topsp(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("mariana"), NULL);
    const uint64_t bank = UINT64_C(0xF0260000); /* TOP_SP_0 + 260000 */
    write32(&core, bank + 0x8C00, 9);
    write32(&core, bank + 0x8400, 4);
    write32(&core, bank + 0x8800, 1);
    for (unsigned w = 0; w < 4; w++)
        assert_int_equal(read32(&core, bank + 0x8000 + 0x400 * w), 12);
    assert_int_equal(read32(&core, bank + 0x8010), 0);
    close_core(&core);
}

/* address-map.md 5.5: a TopSP has the same unit; it is not the cores'. */
static void test_semaphores_of_topsps(void **state)
{
    static const uint64_t windows[] = {0x10000000, UINT64_C(0xF0000000), UINT64_C(0xF0000000),
                                       UINT64_C(0xF0000000)};
    (void)state;
    for (unsigned g = 0; g < 4; g++) {
        struct fixture core = open_core(trn_gen_at(g), NULL);
        write32(&core, windows[g] + 0x1400 + 4 * 8, 40);
        write32(&core, windows[g] + 0x1800 + 4 * 8, 2);
        write32(&core, windows[g] + 0x400000 + 0x1C00 + 4 * 8, 1); /* TOP_SP_1 */
        assert_int_equal(read32(&core, windows[g] + 0x1000 + 4 * 8), 42);
        assert_int_equal(read32(&core, windows[g] + 0x400000 + 0x1000 + 4 * 8), 0xFFFFFFFF);
        assert_int_equal(sem_of(&core, 8), 0);
        close_core(&core);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_engine_runs_after_release_and_start),
        cmocka_unit_test(test_start_before_release_waits_for_it),
        cmocka_unit_test(test_stall_again_is_a_reset),
        cmocka_unit_test(test_release_at_the_other_generations_place),
        cmocka_unit_test(test_pool_needs_both_releases),
        cmocka_unit_test(test_pool_with_the_q7_release_alone_is_stalled),
        cmocka_unit_test(test_q7_cores_are_released_one_by_one),
        cmocka_unit_test(test_q7_stall_of_other_engines_holds_nobody),
        cmocka_unit_test(test_fetch_mode_changes_only_while_halted),
        cmocka_unit_test(test_register_file_shows_program_counters),
        cmocka_unit_test(test_peek_has_no_side_effects),
        cmocka_unit_test(test_peek_shows_memories_and_refuses_the_rest),
        cmocka_unit_test(test_atomic_windows_of_a_topsp),
        cmocka_unit_test(test_semaphores_of_topsps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
