/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of a sequencer: entry points, packing, the latch, severities (error-handling.md 2 to 6,
 * 11). Expected words are those of 11.2 or packed by hand from 4. */
#include "seq/fixture.h"

/* 11.2: block_id 2 is POOL, program counter 0x123. */
#define AT (UINT64_C(0x3000000) + 0x123 * TRN_INST_BYTES)

/* BAR0 offset of POOL's local registers. */
static uint64_t local(const struct fixture *core)
{
    return core->gen->bar0_tpb + core->gen->bar_engine_pool + 0x60000;
}

static void start_at(struct fixture *core, const struct program *p)
{
    const struct trn_bus *bus = trn_device_bar4(core->device);
    const uint64_t offset = AT - trn_device_hbm_base(core->device);
    assert_int_equal(bus->write_block(bus->context, offset, p->word, p->num_words * TRN_INST_BYTES),
                     TRN_OK);
    assert_int_equal(trn_device_start(core->device, POOL, AT), TRN_OK);
}

/* POOL waits at 0x123 for a semaphore that nobody posts. */
static struct fixture waiting(const struct trn_gen *gen)
{
    struct fixture core = open_core(gen, NULL);
    struct program p = program_for(gen);
    set_wait(add(&p, TRN_OPCODE_NOP), TRN_WAIT_MODE_SEM_GE_IMM, 3, 1);
    add(&p, TRN_OPCODE_HALT);
    start_at(&core, &p);
    assert_int_equal(run(&core, 0), TRN_RUN_DEADLOCK);
    return core;
}

static const struct trn_engine_report *pool(struct fixture *core)
{
    trn_device_report(core->device, &core->report);
    return &core->report.engines[POOL];
}

static uint32_t run_state(const struct fixture *core)
{
    const struct trn_bus *bus = trn_device_bar0(core->device);
    uint32_t value = 0;
    bus->read32(bus->context, local(core) + core->gen->local_run_state, &value);
    return value;
}

static void expect_dead(struct fixture *core, uint32_t word, unsigned code, unsigned info)
{
    assert_int_equal(pool(core)->error_word, word);
    assert_int_equal(pool(core)->severity, 2);
    assert_int_equal(pool(core)->state, TRN_ENGINE_FAULTED);
    assert_int_equal(pool(core)->stop_reason, 16);
    assert_int_equal(run_state(core), 0x00085644);
    assert_int_equal(core->report.num_notifications, 1);
    assert_int_equal(core->report.notifications[0].kind, TRN_NOTIFY_ERROR);
    assert_int_equal(core->report.notifications[0].code, code);
    assert_int_equal(core->report.notifications[0].info, info);
    assert_int_equal(core->report.notifications[0].pc, AT);
    assert_int_equal(core->report.num_faults, 1);
}

static void test_a_bad_opcode_packs_its_opcode(void **state)
{
    (void)state;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        struct fixture core = open_core(trn_gen_at(g), NULL);
        struct program p = program_for(core.gen);
        add(&p, 0x40);
        start_at(&core, &p);
        assert_int_equal(run(&core, 0), TRN_RUN_FAULT);
        expect_dead(&core, 0x40123200, 0x00, 0x40);
        close_core(&core);
    }
}

static void test_a_division_by_zero_packs_2(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    struct program p = program_for(core.gen);
    uint8_t *word = add(&p, TRN_OPCODE_ALU_OP);
    trn_ctrl_al_op_set(word, p.isa, TRN_ALU_OP_DIVIDE);
    trn_ctrl_al_dtype_set(word, p.isa, TRN_DTYPE_INT32);
    trn_ctrl_al_dst_dtype_set(word, p.isa, TRN_DTYPE_INT32);
    trn_ctrl_al_src1_datasrc_set(word, p.isa, TRN_DATA_SRC_IMMEDIATE);
    start_at(&core, &p);
    assert_int_equal(run(&core, 0), TRN_RUN_FAULT);
    expect_dead(&core, 0x02123202, 0x02, 0x02);
    close_core(&core);
}

/* Info is 0 (2), or the whole word is as the binary passes it. */
static void test_an_assertion_has_no_info(void **state)
{
    (void)state;
    for (int zero = 0; zero < 2; zero++) {
        const struct trn_device_options options = {.assert_as_zero_word = zero};
        struct fixture core = open_core(trn_gen_find("cayman"), &options);
        const struct trn_bus *bus = trn_device_bar0(core.device);
        struct program p = program_for(core.gen);
        add(&p, TRN_OPCODE_HALT);
        /* sequencer.md 11 check 8: 3 KiB is no block size; lr[19] is at 0x1260 */
        bus->write32(bus->context, local(&core) + 0x1260, 3072);
        start_at(&core, &p);
        assert_int_equal(run(&core, 0), TRN_RUN_FAULT);
        /* the engine has no program yet: block 2, program counter 0 */
        assert_int_equal(pool(&core)->error_word, zero ? 0 : 0x00000240);
        assert_int_equal(core.report.notifications[0].code, zero ? 0 : 0x40);
        assert_int_equal(core.report.notifications[0].info, 0);
        close_core(&core);
    }
}

static void test_signals_are_fatal(void **state)
{
    (void)state;
    static const uint8_t signals[] = {2, 4, 6, 8, 11, 15};
    for (size_t i = 0; i < sizeof signals; i++) {
        struct fixture core = waiting(trn_gen_at((unsigned)i % TRN_GEN_COUNT));
        assert_int_equal(trn_device_inject(core.device, POOL, TRN_INJECT_SIGNAL, signals[i]),
                         TRN_OK);
        expect_dead(&core, ((uint32_t)signals[i] << 24) | 0x123241, 0x41, signals[i]);
        assert_string_equal(core.report.faults[0].klass, "signal");
        set_sem(&core, 3, 1); /* 11: ignores everything but reset */
        assert_int_equal(run(&core, 0), TRN_RUN_FAULT);
        close_core(&core);
    }
}

static void test_handled_exceptions_post_their_cause(void **state)
{
    (void)state;
    static const struct {
        uint16_t cause;
        uint8_t info;
    } cases[] = {{0x111, 0x11}, {0x641, 0x41}, {0x123, 0x23}, {0x064, 0x64}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture core = waiting(trn_gen_find("mariana"));
        trn_device_inject(core.device, POOL, TRN_INJECT_EXCEPTION, cases[i].cause);
        expect_dead(&core, ((uint32_t)cases[i].info << 24) | 0x123242, 0x42, cases[i].info);
        close_core(&core);
    }
}

/* 2: causes 0, 2 and 5 to 8 stay with the library, which halts. */
static void test_other_exceptions_halt_without_a_record(void **state)
{
    (void)state;
    static const uint16_t causes[] = {0x000, 0x112, 0x005, 0x346, 0x107, 0x008};
    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++) {
        struct fixture core = waiting(trn_gen_find("cayman"));
        trn_device_inject(core.device, POOL, TRN_INJECT_EXCEPTION, causes[i]);
        assert_int_equal(pool(&core)->state, TRN_ENGINE_FAULTED);
        assert_int_equal(pool(&core)->error_word, 0);
        assert_int_equal(core.report.num_notifications, 0);
        assert_int_equal(run_state(&core), 0x00085644);
        close_core(&core);
    }
}

/* 5: status 1, 2, 4, 8, 16 map to 16, 8, 4, 2, 1; severity 1; the engine goes on. */
static void test_fp_status_is_reported_and_the_engine_lives(void **state)
{
    (void)state;
    struct fixture core = waiting(trn_gen_find("cayman"));
    trn_device_inject(core.device, POOL, TRN_INJECT_FP_STATUS, 16);
    assert_int_equal(pool(&core)->error_word, 0x01123201);
    assert_int_equal(pool(&core)->severity, 1);
    assert_int_equal(pool(&core)->state, TRN_ENGINE_WAITING);
    trn_device_inject(core.device, POOL, TRN_INJECT_FP_STATUS, 31);
    assert_int_equal(pool(&core)->error_word, 0x01123201);
    assert_int_equal(core.report.num_notifications, 6); /* one a flag */
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(core.report.notifications[1 + i].info, 16 >> i);
    assert_int_equal(core.report.num_faults, 0);
    set_sem(&core, 3, 1);
    assert_int_equal(run(&core, 0), TRN_RUN_OK);
    close_core(&core);
}

/* Before it runs a core has no handlers (2.2), and a dead one takes nothing (11). */
static void test_errors_happen_to_running_engines_only(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    trn_device_inject(core.device, POOL, TRN_INJECT_SIGNAL, 11);
    assert_int_equal(pool(&core)->state, TRN_ENGINE_STALLED);
    assert_int_equal(trn_device_inject(core.device, 5, TRN_INJECT_SIGNAL, 11), TRN_ERR_INVALID);
    close_core(&core);
    core = waiting(trn_gen_find("cayman"));
    trn_device_inject(core.device, POOL, TRN_INJECT_SIGNAL, 11);
    trn_device_inject(core.device, POOL, TRN_INJECT_SIGNAL, 4);
    expect_dead(&core, 0x0b123241, 0x41, 11);
    close_core(&core);
}

static void test_a_reset_clears_the_latch(void **state)
{
    (void)state;
    struct fixture core = waiting(trn_gen_find("cayman"));
    const struct trn_bus *bus = trn_device_bar0(core.device);
    const uint64_t stall = local(&core) + core.gen->local_run_stall;
    trn_device_inject(core.device, POOL, TRN_INJECT_SIGNAL, 11);
    bus->write32(bus->context, stall, 1);
    bus->write32(bus->context, stall, 0);
    assert_int_equal(pool(&core)->error_word, 0);
    assert_int_equal(pool(&core)->state, TRN_ENGINE_IDLE);
    assert_int_equal(run_state(&core), 0);
    close_core(&core);
}

/* isa-core.md 1: debug_cmd NOTIFY and INS_FIELD post an explicit record behind the word. */
static void test_debug_commands_notify(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    struct program p = program_for(core.gen);
    trn_common_debug_cmd_set(add(&p, TRN_OPCODE_NOP), p.isa, TRN_DEBUG_CMD_NOTIFY);
    uint8_t *word = add(&p, TRN_OPCODE_NOTIFY);
    trn_common_debug_cmd_set(word, p.isa, TRN_DEBUG_CMD_INS_FIELD);
    trn_ctrl_no_notify_payload_set(word, p.isa, 0xBEEF1234);
    add(&p, TRN_OPCODE_HALT);
    start(&core, DVE, &p);
    assert_int_equal(run(&core, 0), TRN_RUN_OK);
    assert_int_equal(core.report.num_notifications, 3);
    static const uint16_t counters[] = {0, 0x1234, 0x1234}, hints[] = {0, 0xBEEF, 0xBEEF};
    for (size_t i = 0; i < 3; i++) {
        const struct trn_notification *note = &core.report.notifications[i];
        assert_int_equal(note->kind, TRN_NOTIFY_EXPLICIT);
        assert_int_equal(note->soft_reset_counter, counters[i]);
        assert_int_equal(note->debug_hint_extended, hints[i]);
    }
    close_core(&core);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_bad_opcode_packs_its_opcode),
        cmocka_unit_test(test_a_division_by_zero_packs_2),
        cmocka_unit_test(test_an_assertion_has_no_info),
        cmocka_unit_test(test_signals_are_fatal),
        cmocka_unit_test(test_handled_exceptions_post_their_cause),
        cmocka_unit_test(test_other_exceptions_halt_without_a_record),
        cmocka_unit_test(test_fp_status_is_reported_and_the_engine_lives),
        cmocka_unit_test(test_errors_happen_to_running_engines_only),
        cmocka_unit_test(test_a_reset_clears_the_latch),
        cmocka_unit_test(test_debug_commands_notify),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
