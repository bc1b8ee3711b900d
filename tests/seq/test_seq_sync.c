/* SPDX-License-Identifier: Apache-2.0 */
/* Every wait and update mode on every generation. The expected outcomes are the tables of
 * docs/hardware/sync.md 3 and 4, written out by hand. */
#include "base/bytes.h"
#include "seq/fixture.h"

enum { S = 9, E = 17, REG = 7, LEVEL = 5 }; /* semaphore, event, register that holds LEVEL */

struct wait_case {
    uint8_t mode;
    uint32_t value;       /* of the word */
    bool passes[3];       /* with the semaphore at 4, 5, 6 */
    unsigned first, last; /* generations: 2..5 */
};

#define BELOW                                                                                      \
    {                                                                                              \
        true, false, false                                                                         \
    }
#define UPTO                                                                                       \
    {                                                                                              \
        true, true, false                                                                          \
    }
#define EXACT                                                                                      \
    {                                                                                              \
        false, true, false                                                                         \
    }
#define FROM                                                                                       \
    {                                                                                              \
        false, true, true                                                                          \
    }
#define ABOVE                                                                                      \
    {                                                                                              \
        false, false, true                                                                         \
    }

static const struct wait_case wait_cases[] = {
    {0x01, LEVEL, EXACT, 2, 5},
    {0x02, LEVEL, BELOW, 2, 5},
    {0x03, LEVEL, UPTO, 2, 5},
    {0x04, LEVEL, ABOVE, 2, 5},
    {0x05, LEVEL, FROM, 2, 5},
    /* the value names a register */
    {0x81, REG, EXACT, 2, 5},
    {0x82, REG, BELOW, 2, 5},
    {0x83, REG, UPTO, 2, 5},
    {0x84, REG, ABOVE, 2, 5},
    {0x85, REG, FROM, 2, 5},
    /* register in bits 7:0 plus an offset in bits 31:8: R8 holds 2, the offset is 3 */
    {0x91, 8 + (3 << 8), EXACT, 5, 5},
    {0x92, 8 + (3 << 8), BELOW, 5, 5},
    {0x93, 8 + (3 << 8), UPTO, 5, 5},
    {0x94, 8 + (3 << 8), ABOVE, 5, 5},
    {0x95, 8 + (3 << 8), FROM, 5, 5},
    /* no condition */
    {0x00, 0, {true, true, true}, 2, 5},
    {0xFE, 0, {true, true, true}, 5, 5},
};

/* Run one word that waits, with R7 = 5 and R8 = 2 set before. */
static enum trn_run_status run_wait(struct fixture *core, uint8_t mode, uint8_t index,
                                    uint32_t value)
{
    struct program p = program_for(core->gen);
    add_move(&p, REG, LEVEL);
    add_move(&p, 8, 2);
    set_wait(add(&p, TRN_OPCODE_NOP), mode, mode == 0x00 ? 0 : index, value);
    add(&p, TRN_OPCODE_HALT);
    start(core, SP, &p);
    return run(core, 0);
}

static void test_semaphore_waits_pass_on_their_condition_only(void **state)
{
    (void)state;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        for (size_t i = 0; i < sizeof wait_cases / sizeof wait_cases[0]; i++)
            for (unsigned k = 0; k < 3; k++) {
                const struct wait_case *c = &wait_cases[i];
                struct fixture core = open_core(trn_gen_at(g), NULL);
                const bool exists =
                    core.gen->isa_version >= c->first && core.gen->isa_version <= c->last;
                set_sem(&core, S, 4 + k);
                const enum trn_run_status got = run_wait(&core, c->mode, S, c->value);
                const enum trn_run_status want = !exists        ? TRN_RUN_FAULT
                                                 : c->passes[k] ? TRN_RUN_OK
                                                                : TRN_RUN_DEADLOCK;
                if (got != want)
                    fail_msg("%s mode 0x%02x at %u: %s, %s expected", core.gen->name, c->mode,
                             4 + k, trn_run_status_name(got), trn_run_status_name(want));
                if (!exists)
                    expect_fault(&core, SP, "illegal_instruction", "valid_event_modes");
                assert_int_equal(sem_of(&core, S), 4 + k); /* a wait never changes the counter */
                close_core(&core);
            }
}

struct event_case {
    uint8_t mode;
    bool level; /* passes at this value */
    bool after; /* the event once passed */
};

static const struct event_case event_cases[] = {
    {0x06, true, true}, {0x07, true, false}, {0x0E, false, false}, {0x0F, false, true}};

static void test_event_waits_pass_and_leave_their_side_effect(void **state)
{
    (void)state;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        for (size_t i = 0; i < sizeof event_cases / sizeof event_cases[0]; i++)
            for (unsigned level = 0; level < 2; level++) {
                const struct event_case *c = &event_cases[i];
                struct fixture core = open_core(trn_gen_at(g), NULL);
                set_event(&core, E, level);
                const enum trn_run_status got = run_wait(&core, c->mode, E, 0);
                if (core.gen->isa_version == 5) {
                    expect_fault(&core, SP, "illegal_instruction", "valid_event_modes");
                } else if (level == c->level) {
                    assert_int_equal(got, TRN_RUN_OK);
                    assert_int_equal(trn_device_event(core.device, E), c->after);
                } else {
                    assert_int_equal(got, TRN_RUN_DEADLOCK);
                    assert_int_equal(trn_device_event(core.device, E), level);
                }
                close_core(&core);
            }
}

struct update_case {
    uint8_t read, complete; /* mode values */
    uint32_t value, before, after;
};

/* The register forms take R7 = 5. Arithmetic wraps at 32 bits. */
static const struct update_case update_cases[] = {
    {0x03, 0x13, 0, 4, 5},
    {0x03, 0x13, 0, 0xFFFFFFFF, 0},
    {0x04, 0x14, 0, 4, 3},
    {0x04, 0x14, 0, 0, 0xFFFFFFFF},
    {0x05, 0x15, 10, 4, 14},
    {0x07, 0x17, 10, 4, 0xFFFFFFFA},
    {0x09, 0x19, 10, 4, 10},
    {0x85, 0x95, REG, 4, 9},
    {0x87, 0x97, REG, 4, 0xFFFFFFFF},
    {0x89, 0x99, REG, 4, 5},
};

static enum trn_run_status run_update(struct fixture *core, uint8_t mode, uint8_t index,
                                      uint32_t value)
{
    struct program p = program_for(core->gen);
    add_move(&p, REG, LEVEL);
    set_update(add(&p, TRN_OPCODE_NOP), mode, index, value);
    add(&p, TRN_OPCODE_HALT);
    start(core, SP, &p);
    return run(core, 0);
}

static void test_semaphore_updates(void **state)
{
    (void)state;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        for (size_t i = 0; i < sizeof update_cases / sizeof update_cases[0]; i++)
            for (unsigned when = 0; when < 2; when++) {
                const struct update_case *c = &update_cases[i];
                struct fixture core = open_core(trn_gen_at(g), NULL);
                set_sem(&core, S, c->before);
                assert_int_equal(run_update(&core, when ? c->complete : c->read, S, c->value),
                                 TRN_RUN_OK);
                assert_int_equal(sem_of(&core, S), c->after);
                assert_int_equal(sem_of(&core, S + 1), 0);
                close_core(&core);
            }
}

static void test_event_updates_exist_before_v5_only(void **state)
{
    static const struct {
        uint8_t mode;
        bool after;
    } cases[] = {{0x01, true}, {0x11, true}, {0x02, false}, {0x12, false}};
    (void)state;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            struct fixture core = open_core(trn_gen_at(g), NULL);
            set_event(&core, E, !cases[i].after);
            run_update(&core, cases[i].mode, E, 0);
            if (core.gen->isa_version == 5) {
                expect_fault(&core, SP, "illegal_instruction", "valid_event_modes");
            } else {
                assert_int_equal(core.report.status, TRN_RUN_OK);
                assert_int_equal(trn_device_event(core.device, E), cases[i].after);
            }
            close_core(&core);
        }
}

/* sync.md 4: 0x06, 0x08, their twins and everything else unnamed are unassigned. */
static void test_unassigned_modes_are_illegal(void **state)
{
    static const uint8_t waits[] = {0x08, 0x0D, 0x10, 0x80, 0x86, 0x90, 0x96, 0xFD, 0xFF};
    static const uint8_t updates[] = {0x06, 0x08, 0x0A, 0x10, 0x16, 0x18, 0x83, 0x93, 0xFF};
    (void)state;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        for (size_t i = 0; i < sizeof waits; i++) {
            struct fixture core = open_core(trn_gen_at(g), NULL);
            run_wait(&core, waits[i], S, 0);
            expect_fault(&core, SP, "illegal_instruction", "valid_event_modes");
            close_core(&core);
        }
        for (size_t i = 0; i < sizeof updates; i++) {
            struct fixture core = open_core(trn_gen_at(g), NULL);
            set_sem(&core, S, 3);
            run_update(&core, updates[i], S, 0);
            expect_fault(&core, SP, "illegal_instruction", "valid_event_modes");
            assert_int_equal(sem_of(&core, S), 3); /* executes nothing of that word */
            close_core(&core);
        }
    }
}

static void test_register_modes_need_a_register(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    run_wait(&core, 0x81, S, 64); /* 0..63, 128, 129 exist */
    expect_fault(&core, SP, "illegal_instruction", "event_reg_modes");
    close_core(&core);
    core = open_core(trn_gen_find("maverick"), NULL);
    run_wait(&core, 0x91, S, 64); /* the register of a register-plus-offset wait */
    expect_fault(&core, SP, "illegal_instruction", "event_reg_modes");
    close_core(&core);
}

/* sequencer.md 11, 4: with R128 = low half of the word's own address as threshold. */
static void test_pc_register_is_a_threshold(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    set_sem(&core, S, (uint32_t)queue_of(SP) + 2 * 64); /* the third word's address */
    assert_int_equal(run_wait(&core, 0x81, S, 128), TRN_RUN_OK);
    close_core(&core);
}

static void test_compares_are_signed_unless_switched(void **state)
{
    (void)state;
    for (unsigned is_unsigned = 0; is_unsigned < 2; is_unsigned++) {
        const struct trn_device_options options = {.semaphores_unsigned = is_unsigned != 0};
        struct fixture core = open_core(trn_gen_find("cayman"), &options);
        set_sem(&core, S, 0xFFFFFFFF); /* -1, or the largest number */
        assert_int_equal(run_wait(&core, 0x04, S, 0), is_unsigned ? TRN_RUN_OK : TRN_RUN_DEADLOCK);
        close_core(&core);
    }
}

/* The choice is counted exactly where signed and unsigned compares may differ. */
static void test_signedness_choice_is_counted_where_it_matters(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    set_sem(&core, S, 7);
    run_wait(&core, 0x05, S, 5);
    assert_int_equal(core.report.choices[TRN_CHOICE_SEMAPHORE_SIGNED], 0);
    close_core(&core);
    core = open_core(trn_gen_find("cayman"), NULL);
    set_sem(&core, S, 0xFFFFFFFF);
    run_wait(&core, 0x02, S, 5);
    assert_int_equal(core.report.status, TRN_RUN_OK); /* -1 < 5 */
    assert_int_equal(core.report.choices[TRN_CHOICE_SEMAPHORE_SIGNED], 1);
    close_core(&core);
}

/* ---- EVENT_SEMAPHORE: two lanes (sync.md 6) --------------------------------------------- */

static uint8_t *add_es(struct program *p, uint8_t wait, uint8_t wait_index, uint32_t wait_value,
                       uint8_t update, uint8_t update_index, uint32_t update_value)
{
    uint8_t *word = add(p, TRN_OPCODE_EVENT_SEMAPHORE);
    trn_ctrl_es_ext_wait_mode_set(word, p->isa, wait);
    trn_ctrl_es_ext_wait_idx_set(word, p->isa, wait_index);
    trn_ctrl_es_ext_wait_value_set(word, p->isa, wait_value);
    trn_ctrl_es_ext_update_mode_set(word, p->isa, update);
    trn_ctrl_es_ext_update_idx_set(word, p->isa, update_index);
    trn_ctrl_es_ext_update_value_set(word, p->isa, update_value);
    return word;
}

/* The idioms of the runtime: increment by n; wait >= v and decrement. */
static void test_event_semaphore_idioms(void **state)
{
    (void)state;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        struct fixture core = open_core(trn_gen_at(g), NULL);
        struct program p = program_for(core.gen);
        add_es(&p, 0, 0, 0, 0x15, 3, 12);    /* S3 += 12 */
        add_es(&p, 0, 0, 0, 0x17, 3, 2);     /* S3 -= 2 */
        add_es(&p, 0x05, 3, 10, 0x14, 3, 0); /* S3 >= 10, then S3 -= 1 */
        add_es(&p, 0x01, 3, 9, 0x19, 4, 77); /* S3 == 9, then S4 := 77 */
        add(&p, TRN_OPCODE_HALT);
        start(&core, SP, &p);
        assert_int_equal(run(&core, 0), TRN_RUN_OK);
        assert_int_equal(sem_of(&core, 3), 9);
        assert_int_equal(sem_of(&core, 4), 77);
        close_core(&core);
    }
}

static void test_both_lanes_must_hold_before_anything_happens(void **state)
{
    (void)state;
    for (unsigned case_ = 0; case_ < 4; case_++) {
        struct fixture core = open_core(trn_gen_find("mariana"), NULL);
        struct program p = program_for(core.gen);
        uint8_t *word = add_es(&p, 0x05, 2, 1, 0x13, 3, 0); /* S2 >= 1, S3 += 1 */
        set_wait(word, 0x07, E, 0);                         /* lane 0: event set, then cleared */
        add(&p, TRN_OPCODE_HALT);
        const bool event = (case_ & 1) != 0, semaphore = (case_ & 2) != 0;
        set_event(&core, E, event);
        set_sem(&core, 2, semaphore);
        start(&core, SP, &p);
        const bool both = event && semaphore;
        assert_int_equal(run(&core, 0), both ? TRN_RUN_OK : TRN_RUN_DEADLOCK);
        assert_int_equal(trn_device_event(core.device, E), event && !both);
        assert_int_equal(sem_of(&core, 3), both);
        if (!both) { /* the report names the lane that does not hold; lane 0 first */
            assert_int_equal(core.report.engines[SP].wait_is_event, !event);
            assert_int_equal(core.report.engines[SP].wait_index, event ? 2 : E);
        }
        close_core(&core);
    }
}

/* At most one of the lanes updates; lane 0's own update works too (sequencer.md 7.3). */
static void test_one_update_of_two_lanes(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("sunda"), NULL);
    struct program p = program_for(core.gen);
    set_update(add(&p, TRN_OPCODE_EVENT_SEMAPHORE), 0x19, 3, 100); /* lane 0: S3 := 100 */
    set_update(add_es(&p, 0, 0, 0, 0x15, 3, 5), 0x19, 3, 100);
    start(&core, SP, &p);
    run(&core, 0);
    expect_fault(&core, SP, "illegal_instruction", "es_two_waits_one_update");
    assert_int_equal(sem_of(&core, 3), 100);
    close_core(&core);
}

/* ---- between engines -------------------------------------------------------------------- */

/* sequencer.md 11, 3: EVT_SET_THEN_CLEAR releases exactly one of two waiting engines. */
static void test_set_then_clear_releases_one_engine(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        const struct trn_device_options options = {.schedule_seed = seed};
        struct fixture core = open_core(trn_gen_find("cayman"), &options);
        struct program waiter = program_for(core.gen), setter = program_for(core.gen);
        set_wait(add(&waiter, TRN_OPCODE_NOP), 0x07, E, 0);
        add(&waiter, TRN_OPCODE_HALT);
        set_update(add(&setter, TRN_OPCODE_NOP), 0x11, E, 0);
        add(&setter, TRN_OPCODE_HALT);
        start(&core, PE, &waiter);
        start(&core, DVE, &waiter);
        start(&core, SP, &setter);
        assert_int_equal(run(&core, 0), TRN_RUN_DEADLOCK);
        const bool pe = core.report.engines[PE].state == TRN_ENGINE_HALTED;
        const bool dve = core.report.engines[DVE].state == TRN_ENGINE_HALTED;
        assert_true(pe != dve);
        assert_false(trn_device_event(core.device, E));
        close_core(&core);
    }
}

/* A chain over all five engines: each waits for its predecessor's count and posts its own. */
static void test_engines_hand_over_through_semaphores(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        const struct trn_device_options options = {.schedule_seed = seed};
        struct fixture core = open_core(trn_gen_find("mariana_plus"), &options);
        for (int engine = SP; engine >= PE; engine--) {
            struct program p = program_for(core.gen);
            if (engine != SP)
                set_wait(add(&p, TRN_OPCODE_NOP), 0x05, (uint8_t)(engine + 1), 3);
            for (int i = 0; i < 3; i++)
                set_update(add(&p, TRN_OPCODE_NOP), 0x13, (uint8_t)engine, 0);
            add(&p, TRN_OPCODE_HALT);
            start(&core, engine, &p);
        }
        assert_int_equal(run(&core, 0), TRN_RUN_OK);
        for (unsigned s = 0; s < 5; s++)
            assert_int_equal(sem_of(&core, s), 3);
        close_core(&core);
    }
}

/* F04: the report names engine, semaphore, mode, wanted value and value. */
static void test_deadlock_names_who_waits_for_what(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    struct program p = program_for(core.gen);
    add(&p, TRN_OPCODE_NOP);
    set_wait(add(&p, TRN_OPCODE_NOP), 0x05, 3, 1);
    add(&p, TRN_OPCODE_HALT);
    start(&core, DVE, &p);
    assert_int_equal(run(&core, 0), TRN_RUN_DEADLOCK);
    const struct trn_engine_report *dve = &core.report.engines[DVE];
    assert_int_equal(dve->state, TRN_ENGINE_WAITING);
    assert_int_equal(dve->retired, 1);
    assert_true(dve->pc == queue_of(DVE) + 64);
    assert_false(dve->wait_is_event);
    assert_string_equal(dve->wait_mode, "ge");
    assert_int_equal(dve->wait_index, 3);
    assert_int_equal(dve->wait_want, 1);
    assert_int_equal(dve->wait_value, 0);
    /* the host posts it, and the program ends */
    set_sem(&core, 3, 1);
    assert_int_equal(run(&core, 0), TRN_RUN_OK);
    assert_int_equal(core.report.engines[DVE].retired, 3);
    close_core(&core);
}

/* sync.md 1 and 8: a decrement below zero and a double set continue, and are counted. */
static void test_underflow_and_double_set_are_counted(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    struct program p = program_for(core.gen);
    set_update(add(&p, TRN_OPCODE_NOP), 0x14, 3, 0);
    set_update(add(&p, TRN_OPCODE_NOP), 0x11, 4, 0);
    set_update(add(&p, TRN_OPCODE_NOP), 0x11, 4, 0);
    add(&p, TRN_OPCODE_HALT);
    start(&core, SP, &p);
    assert_int_equal(run(&core, 0), TRN_RUN_OK);
    assert_int_equal(core.report.warnings[TRN_WARN_SEMAPHORE_UNDERFLOW], 1);
    assert_int_equal(core.report.warnings[TRN_WARN_DOUBLE_EVENT], 1);
    close_core(&core);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_semaphore_waits_pass_on_their_condition_only),
        cmocka_unit_test(test_event_waits_pass_and_leave_their_side_effect),
        cmocka_unit_test(test_semaphore_updates),
        cmocka_unit_test(test_event_updates_exist_before_v5_only),
        cmocka_unit_test(test_unassigned_modes_are_illegal),
        cmocka_unit_test(test_register_modes_need_a_register),
        cmocka_unit_test(test_pc_register_is_a_threshold),
        cmocka_unit_test(test_compares_are_signed_unless_switched),
        cmocka_unit_test(test_signedness_choice_is_counted_where_it_matters),
        cmocka_unit_test(test_event_semaphore_idioms),
        cmocka_unit_test(test_both_lanes_must_hold_before_anything_happens),
        cmocka_unit_test(test_one_update_of_two_lanes),
        cmocka_unit_test(test_set_then_clear_releases_one_engine),
        cmocka_unit_test(test_engines_hand_over_through_semaphores),
        cmocka_unit_test(test_deadlock_names_who_waits_for_what),
        cmocka_unit_test(test_underflow_and_double_set_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
