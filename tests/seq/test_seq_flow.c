/* SPDX-License-Identifier: Apache-2.0 */
/* Boot, branches, stops and faults: the conformance checks of docs/hardware/sequencer.md 11. */
#include <string.h>

#include "base/bytes.h"
#include "isa/tables.h"
#include "seq/fixture.h"

#define FOR_EACH_GENERATION(gen)                                                                   \
    for (const struct trn_gen *gen = trn_gen_at(0), *const end = gen + TRN_GEN_COUNT; gen != end;  \
         gen++)

enum { HW_DECODE = 0x4000, BREAK_CTRL = 0x4004, BREAK_STEP = 0x4008, BREAK_MATCH = 0x400C };

static uint64_t local(const struct fixture *core, int engine)
{
    const uint32_t blocks[] = {core->gen->bar_engine_pe, core->gen->bar_engine_act,
                               core->gen->bar_engine_pool, core->gen->bar_engine_dve,
                               core->gen->bar_engine_sp};
    return core->gen->bar0_tpb + blocks[engine] + 0x60000;
}

static void write_local(struct fixture *core, int engine, uint32_t offset, uint32_t value)
{
    const struct trn_bus *bus = trn_device_bar0(core->device);
    assert_int_equal(bus->write32(bus->context, local(core, engine) + offset, value), TRN_OK);
}

static uint32_t read_local(struct fixture *core, int engine, uint32_t offset)
{
    const struct trn_bus *bus = trn_device_bar0(core->device);
    uint32_t value = 0;
    assert_int_equal(bus->read32(bus->context, local(core, engine) + offset, &value), TRN_OK);
    return value;
}

static uint64_t read_pc(struct fixture *core, int engine)
{
    return read_local(core, engine, core->gen->local_start_lo) |
           (uint64_t)read_local(core, engine, core->gen->local_start_hi) << 32;
}

static uint32_t run_state(struct fixture *core, int engine)
{
    return read_local(core, engine, core->gen->local_run_state);
}

static void put(struct fixture *core, uint64_t address, const struct program *p)
{
    const struct trn_bus *bus = trn_device_bar4(core->device);
    assert_int_equal(
        bus->write_block(bus->context, address, p->word, p->num_words * TRN_INST_BYTES), TRN_OK);
}

/* ---- boot and start ------------------------------------------------------------------------ */

/* Nothing fetches before the stall falls; start_ctrl is acknowledged; run_state goes 0, 1. */
static void test_start_protocol_register_by_register(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        struct program p = program_for(gen);
        add(&p, TRN_OPCODE_NOP);
        add(&p, TRN_OPCODE_HALT);
        put(&core, 0x4000, &p);
        assert_int_equal(read_local(&core, DVE, gen->local_run_stall), 1);
        run(&core, 0);
        assert_int_equal(core.report.engines[DVE].state, TRN_ENGINE_STALLED);
        write_local(&core, DVE, gen->local_run_stall, 0);
        run(&core, 0);
        assert_int_equal(core.report.status, TRN_RUN_OK);
        assert_int_equal(core.report.engines[DVE].state, TRN_ENGINE_IDLE);
        assert_false(core.report.engines[DVE].started);
        assert_int_equal(run_state(&core, DVE), 0);
        write_local(&core, DVE, gen->local_start_lo, 0x4000);
        write_local(&core, DVE, gen->local_start_hi, 0);
        write_local(&core, DVE, gen->local_start_ctrl, 1);
        assert_int_equal(read_local(&core, DVE, gen->local_start_ctrl), 1);
        run(&core, 1);
        assert_int_equal(read_local(&core, DVE, gen->local_start_ctrl), 0); /* check 1 */
        assert_int_equal(run_state(&core, DVE), 1);
        run(&core, 0);
        assert_int_equal(core.report.status, TRN_RUN_OK);
        assert_int_equal(core.report.engines[DVE].retired, 2);
        assert_int_equal(core.report.engines[DVE].state, TRN_ENGINE_HALTED);
        assert_int_equal(core.report.engines[DVE].stop_reason, 0);
        assert_int_equal(run_state(&core, DVE), 1);    /* a plain halt leaves it */
        assert_int_equal(read_pc(&core, DVE), 0x4080); /* the next word */
        close_core(&core);
    }
}

/* Check 1: acknowledged before the first word. */
static void test_start_is_acknowledged_before_the_first_word(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        struct program p = program_for(gen);
        add(&p, TRN_OPCODE_HALT);
        start(&core, SP, &p);
        assert_int_equal(trn_device_break_at(core.device, SP, queue_of(SP)), TRN_OK);
        assert_int_equal(run(&core, 0), TRN_RUN_BREAK);
        assert_int_equal(core.report.engines[SP].retired, 0);
        assert_int_equal(read_local(&core, SP, gen->local_start_ctrl), 0);
        assert_int_equal(run_state(&core, SP), 1);
        close_core(&core);
    }
}

static void test_stopped_engine_starts_again(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    struct program p = program_for(core.gen);
    set_update(add(&p, TRN_OPCODE_NOP), 0x13, 3, 0);
    add(&p, TRN_OPCODE_HALT);
    start(&core, SP, &p);
    run(&core, 0);
    write_local(&core, SP, core.gen->local_start_lo, (uint32_t)queue_of(SP));
    write_local(&core, SP, core.gen->local_start_ctrl, 1);
    assert_int_equal(run(&core, 0), TRN_RUN_OK);
    assert_int_equal(sem_of(&core, 3), 2);
    assert_int_equal(core.report.engines[SP].retired, 4);
    close_core(&core);
}

/* hal-stpb.md: an interrupt with intr_info = 1 is a start (sequencer.md 3.4, model choice). */
static void test_interrupt_entry_starts(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    struct program p = program_for(core.gen);
    add(&p, TRN_OPCODE_HALT);
    put(&core, 0x4000, &p);
    write_local(&core, PE, core.gen->local_run_stall, 0);
    write_local(&core, PE, core.gen->local_start_lo, 0x4000);
    write_local(&core, PE, 0x1C, 1); /* intr_info */
    write_local(&core, PE, 0x18, 1); /* intr_ctrl */
    assert_int_equal(run(&core, 0), TRN_RUN_OK);
    assert_int_equal(core.report.engines[PE].retired, 1);
    close_core(&core);
}

/* Check 12. */
static void test_halt_may_pause_and_resume(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        struct program p = program_for(gen);
        add(&p, TRN_OPCODE_HALT);
        set_update(add(&p, TRN_OPCODE_NOP), 0x13, 3, 0);
        add(&p, TRN_OPCODE_HALT);
        assert_int_equal(trn_device_pause_on_halt(core.device, SP, true), TRN_OK);
        start(&core, SP, &p);
        assert_int_equal(run(&core, 0), TRN_RUN_OK);
        assert_int_equal(core.report.engines[SP].state, TRN_ENGINE_PAUSED);
        assert_int_equal(run_state(&core, SP), 2);
        assert_int_equal(sem_of(&core, 3), 0);
        write_local(&core, SP, gen->local_start_ctrl, 1);
        assert_int_equal(run(&core, 0), TRN_RUN_OK);
        assert_int_equal(sem_of(&core, 3), 1); /* went on with the next word */
        close_core(&core);
    }
}

/* HALT carries waits and updates as any word (sync.md 6). */
static void test_halt_posts_its_update(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    struct program p = program_for(core.gen);
    set_update(add(&p, TRN_OPCODE_HALT), 0x13, 3, 0);
    start(&core, SP, &p);
    run(&core, 0);
    assert_int_equal(sem_of(&core, 3), 1);
    close_core(&core);
}

/* ---- branches ------------------------------------------------------------------------------- */

struct branch_case {
    uint8_t compare_imm, compare_reg; /* values of BR_CMP_OP */
    uint8_t dtype;
    uint32_t left, right;
    bool taken;
};

#define NAN_BITS       0x7FC00000u
#define ONE_BITS       0x3F800000u
#define MINUS_ONE_BITS 0xBF800000u

static const struct branch_case branch_cases[] = {
    /* LT */
    {1, 9, TRN_DTYPE_INT32, (uint32_t)-1, 0, true},
    {1, 9, TRN_DTYPE_UINT32, (uint32_t)-1, 0, false},
    {1, 9, TRN_DTYPE_FP32, MINUS_ONE_BITS, ONE_BITS, true},
    {1, 9, TRN_DTYPE_FP32, NAN_BITS, ONE_BITS, false},
    /* LE */
    {2, 10, TRN_DTYPE_INT32, 5, 5, true},
    {2, 10, TRN_DTYPE_UINT32, 6, 5, false},
    {2, 10, TRN_DTYPE_FP32, 0x80000000, 0, true}, /* -0 <= +0 */
    /* EQ */
    {3, 11, TRN_DTYPE_INT32, 5, 5, true},
    {3, 11, TRN_DTYPE_INT32, 5, 4, false},
    {3, 11, TRN_DTYPE_FP32, 0x80000000, 0, true},
    {3, 11, TRN_DTYPE_FP32, NAN_BITS, NAN_BITS, false},
    /* NE */
    {4, 12, TRN_DTYPE_UINT32, 5, 4, true},
    {4, 12, TRN_DTYPE_FP32, NAN_BITS, NAN_BITS, true}, /* the one true compare with a NaN */
    {4, 12, TRN_DTYPE_FP32, ONE_BITS, ONE_BITS, false},
    /* GE */
    {5, 13, TRN_DTYPE_INT32, 0, (uint32_t)-1, true},
    {5, 13, TRN_DTYPE_UINT32, 0, (uint32_t)-1, false},
    {5, 13, TRN_DTYPE_FP32, ONE_BITS, NAN_BITS, false},
    /* GT */
    {6, 14, TRN_DTYPE_UINT32, (uint32_t)-1, 0, true},
    {6, 14, TRN_DTYPE_INT32, (uint32_t)-1, 0, false},
    {6, 14, TRN_DTYPE_FP32, ONE_BITS, MINUS_ONE_BITS, true},
    /* always: operands do not matter */
    {0, 0, TRN_DTYPE_INT32, 1, 2, true},
};

/* branch +2 over a word that would count */
static bool branch_taken(const struct trn_gen *gen, const struct branch_case *c, bool by_register)
{
    struct fixture core = open_core(gen, NULL);
    struct program p = program_for(gen);
    add_move(&p, 1, c->left);
    add_move(&p, 2, c->right);
    uint8_t *word = add_branch(&p, by_register ? c->compare_reg : c->compare_imm, 1,
                               by_register ? 0 : c->right, 2);
    trn_ctrl_br_cmp_reg1_set(word, p.isa, 2);
    trn_ctrl_br_dtype_set(word, p.isa, c->dtype);
    set_update(add(&p, TRN_OPCODE_NOP), 0x13, 3, 0);
    add(&p, TRN_OPCODE_HALT);
    start(&core, SP, &p);
    assert_int_equal(run(&core, 0), TRN_RUN_OK);
    const bool taken = sem_of(&core, 3) == 0;
    close_core(&core);
    return taken;
}

static void test_branch_compares(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof branch_cases / sizeof branch_cases[0]; i++)
        for (unsigned by_register = 0; by_register < 2; by_register++)
            if (branch_taken(trn_gen_find("cayman"), &branch_cases[i], by_register) !=
                branch_cases[i].taken)
                fail_msg("case %zu, %s form", i, by_register ? "register" : "immediate");
}

static void test_branch_compares_unused_codes_are_illegal(void **state)
{
    static const uint8_t codes[] = {7, 8, 15, 255};
    (void)state;
    for (size_t i = 0; i < sizeof codes; i++) {
        struct fixture core = open_core(trn_gen_find("mariana"), NULL);
        struct program p = program_for(core.gen);
        add_branch(&p, codes[i], 1, 0, 1);
        start(&core, SP, &p);
        run(&core, 0);
        expect_fault(&core, SP, "illegal_instruction", "is_valid_enum");
        close_core(&core);
    }
}

/* Every target mode goes to word 4, past three words that would count. */
static void test_branch_targets(void **state)
{
    static const uint8_t modes[] = {TRN_BR_TARGET_MODE_ABS_IMMEDIATE, TRN_BR_TARGET_MODE_REGISTER,
                                    TRN_BR_TARGET_MODE_REL_IMMEDIATE,
                                    TRN_BR_TARGET_MODE_REL_REGISTER};
    (void)state;
    FOR_EACH_GENERATION(gen)
    for (size_t m = 0; m < sizeof modes; m++) {
        struct fixture core = open_core(gen, NULL);
        struct program p = program_for(gen);
        const uint64_t target = queue_of(SP) + 6 * 64;
        const bool relative = modes[m] >= TRN_BR_TARGET_MODE_REL_IMMEDIATE;
        add_move(&p, 8, relative ? 4 * 64 : (uint32_t)target);
        add_move(&p, 9, (uint32_t)(target >> 32));
        uint8_t *word = add_branch(&p, TRN_BR_CMP_OP_ALWAYS, 0, 0, 4);
        trn_ctrl_br_target_mode_set(word, p.isa, modes[m]);
        trn_ctrl_br_target_reg_lo_set(word, p.isa, 8);
        trn_ctrl_br_target_reg_hi_set(word, p.isa, 9);
        if (modes[m] == TRN_BR_TARGET_MODE_ABS_IMMEDIATE)
            trn_ctrl_br_br_immediate_set(word, p.isa, target);
        for (int i = 0; i < 3; i++)
            set_update(add(&p, TRN_OPCODE_NOP), 0x13, 3, 0);
        add(&p, TRN_OPCODE_HALT);
        start(&core, SP, &p);
        assert_int_equal(run(&core, 0), TRN_RUN_OK);
        assert_int_equal(sem_of(&core, 3), 0);
        assert_int_equal(core.report.choices[TRN_CHOICE_BRANCH_RELATIVE_BASE], relative);
        close_core(&core);
    }
}

static void test_branch_target_label_and_unknown_modes_are_illegal(void **state)
{
    static const uint8_t modes[] = {TRN_BR_TARGET_MODE_LABEL, 5, 10, 11, 255};
    (void)state;
    for (size_t m = 0; m < sizeof modes; m++) {
        struct fixture core = open_core(trn_gen_find("cayman"), NULL);
        struct program p = program_for(core.gen);
        trn_ctrl_br_target_mode_set(add_branch(&p, TRN_BR_CMP_OP_ALWAYS, 0, 0, 1), p.isa, modes[m]);
        start(&core, SP, &p);
        run(&core, 0);
        expect_fault(&core, SP, "illegal_instruction", NULL);
        close_core(&core);
    }
}

/* R1 counts from 10 to 0 backwards; the relative immediate is stored zero-extended. */
static void test_loop_runs_its_count(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        struct program p = program_for(gen);
        add_move(&p, 1, 10);
        uint8_t *word = add(&p, TRN_OPCODE_ALU_OP);
        trn_ctrl_al_op_set(word, p.isa, TRN_ALU_OP_SUBTRACT);
        trn_ctrl_al_dtype_set(word, p.isa, TRN_DTYPE_INT32);
        trn_ctrl_al_dst_dtype_set(word, p.isa, TRN_DTYPE_INT32);
        trn_ctrl_al_src1_datasrc_set(word, p.isa, TRN_DATA_SRC_IMMEDIATE);
        trn_ctrl_al_src0_lo_set(word, p.isa, 1);
        trn_ctrl_al_dst_lo_set(word, p.isa, 1);
        trn_ctrl_al_immediate_set(word, p.isa, 1);
        set_update(word, 0x13, 3, 0);
        add_branch(&p, TRN_BR_CMP_OP_GT_IMM, 1, 0, -1);
        add(&p, TRN_OPCODE_HALT);
        start(&core, SP, &p);
        assert_int_equal(run(&core, 0), TRN_RUN_OK);
        assert_int_equal(sem_of(&core, 3), 10);
        assert_int_equal(core.report.engines[SP].retired, 1 + 2 * 10 + 1);
        close_core(&core);
    }
}

/* F39: an endless loop ends in `limit`, never in `deadlock`, and says where it loops. */
static void test_endless_loop_is_a_limit(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    struct program p = program_for(core.gen);
    add(&p, TRN_OPCODE_NOP);
    add(&p, TRN_OPCODE_NOP);
    add_branch(&p, TRN_BR_CMP_OP_ALWAYS, 0, 0, -1);
    start(&core, DVE, &p);
    assert_int_equal(run(&core, 1000), TRN_RUN_LIMIT);
    const struct trn_engine_report *dve = &core.report.engines[DVE];
    assert_int_equal(dve->retired, 1000);
    assert_true(dve->loop_first == queue_of(DVE) + 64);
    assert_true(dve->loop_last == queue_of(DVE) + 128);
    assert_int_equal(dve->loop_count, 499); /* word 1000 is the nop of round 500 */
    close_core(&core);
}

static void test_program_of_exactly_the_limit_ends(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    struct program p = program_for(core.gen);
    add(&p, TRN_OPCODE_NOP);
    add(&p, TRN_OPCODE_HALT);
    start(&core, DVE, &p);
    assert_int_equal(run(&core, 2), TRN_RUN_OK);
    close_core(&core);
}

/* Check 5: a branch to itself can still be stopped from outside, with the PC at the branch. */
static void test_external_halt_stops_a_livelock(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        struct program p = program_for(gen);
        add_branch(&p, TRN_BR_CMP_OP_EQ_IMM, 1, 0, 0); /* R1 stays 0 */
        start(&core, SP, &p);
        assert_int_equal(run(&core, 500), TRN_RUN_LIMIT);
        write_local(&core, SP, gen->local_halt_ctrl, 1);
        assert_int_equal(run(&core, 500), TRN_RUN_OK);
        assert_int_equal(core.report.engines[SP].state, TRN_ENGINE_HALTED);
        assert_int_equal(core.report.engines[SP].stop_reason, 8);
        assert_int_equal(read_pc(&core, SP), queue_of(SP));
        assert_int_equal(read_local(&core, SP, gen->local_halt_ctrl), 0);
        close_core(&core);
    }
}

/* ---- breakpoints and steps --------------------------------------------------------------------
 */

static struct program five_nops(const struct trn_gen *gen)
{
    struct program p = program_for(gen);
    for (int i = 0; i < 5; i++)
        add(&p, TRN_OPCODE_NOP);
    add(&p, TRN_OPCODE_HALT);
    return p;
}

/* Check 6. */
static void test_step_count_stops_after_three_words(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    const struct program p = five_nops(core.gen);
    write_local(&core, SP, BREAK_STEP, 3);
    write_local(&core, SP, BREAK_CTRL, 7 | 1 << 3); /* step_valid */
    start(&core, SP, &p);
    assert_int_equal(run(&core, 0), TRN_RUN_OK);
    assert_int_equal(core.report.engines[SP].retired, 3);
    assert_int_equal(core.report.engines[SP].stop_reason, 64);
    assert_int_equal(read_pc(&core, SP), queue_of(SP) + 3 * 64); /* first word not executed */
    write_local(&core, SP, core.gen->local_start_ctrl, 1);       /* three more */
    run(&core, 0);
    assert_int_equal(core.report.engines[SP].state, TRN_ENGINE_HALTED);
    assert_int_equal(core.report.engines[SP].retired, 6);
    close_core(&core);
}

static void test_address_breakpoint_stops_before_the_word(void **state)
{
    (void)state;
    for (unsigned which = 0; which < 2; which++) {
        struct fixture core = open_core(trn_gen_find("mariana"), NULL);
        const struct program p = five_nops(core.gen);
        write_local(&core, SP, 0x4018 + 8 * which, (uint32_t)queue_of(SP) + 2 * 64);
        write_local(&core, SP, BREAK_CTRL, 7u | 1u << (4 + which));
        start(&core, SP, &p);
        run(&core, 0);
        assert_int_equal(core.report.engines[SP].retired, 2);
        assert_int_equal(core.report.engines[SP].stop_reason, 4);
        assert_int_equal(read_pc(&core, SP), queue_of(SP) + 2 * 64);
        close_core(&core);
    }
}

/* (opcode & 0xF0) == 0xA0, the fourth match: the word at index 3. */
static void test_opcode_counter_breaks_on_its_count(void **state)
{
    (void)state;
    for (unsigned which = 0; which < 2; which++) {
        struct fixture core = open_core(trn_gen_find("cayman"), NULL);
        const struct program p = five_nops(core.gen);
        write_local(&core, SP, BREAK_MATCH, 0xA0F0u << (16 * which));
        write_local(&core, SP, 0x4010 + 4 * which, 4);
        write_local(&core, SP, BREAK_CTRL, 7u | 1u << (6 + which));
        start(&core, SP, &p);
        run(&core, 0);
        assert_int_equal(core.report.engines[SP].retired, 3);
        assert_int_equal(core.report.engines[SP].stop_reason, 4);
        close_core(&core);
    }
}

static void test_debugger_break_holds_and_goes_on(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        const struct program p = five_nops(gen);
        start(&core, SP, &p);
        assert_int_equal(trn_device_break_at(core.device, SP, queue_of(SP) + 2 * 64), TRN_OK);
        assert_int_equal(trn_device_break_at(core.device, SP, queue_of(SP) + 4 * 64), TRN_OK);
        assert_int_equal(run(&core, 0), TRN_RUN_BREAK);
        assert_int_equal(core.report.engines[SP].state, TRN_ENGINE_BREAK);
        assert_int_equal(core.report.engines[SP].retired, 2);
        assert_int_equal(run(&core, 0), TRN_RUN_BREAK);
        assert_int_equal(core.report.engines[SP].retired, 4);
        assert_int_equal(run(&core, 0), TRN_RUN_OK);
        assert_int_equal(core.report.engines[SP].retired, 6);
        close_core(&core);
    }
}

/* A word that the debugger held is counted as any other. */
static void test_debugger_break_does_not_disturb_the_step_count(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    const struct program p = five_nops(core.gen);
    write_local(&core, SP, BREAK_STEP, 3);
    write_local(&core, SP, BREAK_CTRL, 7 | 1 << 3);
    start(&core, SP, &p);
    trn_device_break_at(core.device, SP, queue_of(SP) + 64);
    assert_int_equal(run(&core, 0), TRN_RUN_BREAK);
    assert_int_equal(run(&core, 0), TRN_RUN_OK);
    assert_int_equal(core.report.engines[SP].retired, 3);
    assert_int_equal(core.report.engines[SP].stop_reason, 64);
    close_core(&core);
}

static void test_breakpoints_are_limited(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(trn_device_break_at(core.device, SP, 64 * i), TRN_OK);
    assert_int_equal(trn_device_break_at(core.device, SP, 0), TRN_ERR_TOO_LARGE);
    assert_int_equal(trn_device_break_at(core.device, 5, 0), TRN_ERR_INVALID);
    assert_int_equal(trn_device_break_at(core.device, -1, 0), TRN_ERR_INVALID);
    close_core(&core);
}

/* ---- fetch ------------------------------------------------------------------------------------
 */

static void expect_fault_at(struct fixture *core, int engine, uint64_t pc, const char *klass,
                            const char *rule)
{
    assert_int_equal(trn_device_start(core->device, engine, pc), TRN_OK);
    run(core, 0);
    expect_fault(core, engine, klass, rule);
    assert_true(core->report.faults[0].pc == pc);
    assert_int_equal(core->report.engines[engine].state, TRN_ENGINE_FAULTED);
    assert_int_equal(core->report.engines[engine].stop_reason, 16);
    assert_int_equal(run_state(core, engine), 0x00085644); /* the fatal marker */
}

static void test_misaligned_pc_is_illegal(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        expect_fault_at(&core, SP, 0x1020, "illegal_instruction", "pc_aligned");
        close_core(&core);
    }
}

static void test_pc_without_memory_is_out_of_bounds(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        expect_fault_at(&core, SP, UINT64_C(0x900000000), "pc_bounds", NULL); /* 36 GiB */
        close_core(&core);
        core = open_core(gen, NULL); /* registers are no program memory */
        expect_fault_at(&core, SP, gen->tpb_soc_base + gen->tpb_device_rebase + gen->bar_evt_sem,
                        "pc_bounds", NULL);
        close_core(&core);
    }
}

/* A program may lie in the state buffer: partition 3, byte 0x100. */
static void test_program_runs_from_the_state_buffer(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        struct program p = program_for(gen);
        set_update(add(&p, TRN_OPCODE_NOP), 0x13, 3, 0);
        add(&p, TRN_OPCODE_HALT);
        const uint64_t place = 3 * (uint64_t)gen->sbuf_stride + 0x100;
        const struct trn_bus *bus = trn_device_bar0(core.device);
        bus->write_block(bus->context, trn_device_space_offset(core.device, TRN_SPACE_SBUF) + place,
                         p.word, p.num_words * TRN_INST_BYTES);
        assert_int_equal(trn_device_start(core.device, SP, gen->tpb_soc_base + place), TRN_OK);
        assert_int_equal(run(&core, 0), TRN_RUN_OK);
        assert_int_equal(sem_of(&core, 3), 1);
        close_core(&core);
    }
}

/* A loop whose body is changed by a store in the loop: the change is seen on the next round
 * (sequencer.md 4.2, model choice), and counted as resting on that choice. */
static void test_changed_word_is_seen_by_the_next_fetch(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    struct program p = program_for(core.gen);
    set_update(add(&p, TRN_OPCODE_NOP), 0x13, 3, 0); /* S3 += 1; becomes S4 += 1 */
    uint8_t *word = add(&p, TRN_OPCODE_TENSOR_STORE);
    trn_mem_2d_dtype_set(word, p.isa, TRN_DTYPE_UINT8);
    trn_mem_2d_src_datasrc_set(word, p.isa, TRN_DATA_SRC_IMMEDIATE);
    memset(trn_mem_2d_num_elem_ref(word, p.isa), 1, 2);
    trn_mem_2d_start_addr_set(word, p.isa, queue_of(SP) + 7); /* update_idx of the first word */
    trn_mem_2d_data_ref(word, p.isa)[0] = 4;
    set_wait(add(&p, TRN_OPCODE_NOP), 0, 0, 0);
    /* S4 is still 0 in the first round */
    uint8_t *load = add(&p, TRN_OPCODE_TENSOR_LOAD);
    trn_mem_2d_dtype_set(load, p.isa, TRN_DTYPE_UINT32);
    memset(trn_mem_2d_num_elem_ref(load, p.isa), 1, 2);
    trn_mem_2d_start_addr_set(load, p.isa,
                              core.gen->tpb_soc_base + core.gen->tpb_device_rebase +
                                  core.gen->bar_evt_sem + 0x1000 + 4 * 4);
    trn_mem_2d_data_ref(load, p.isa)[0] = 1;
    add_branch(&p, TRN_BR_CMP_OP_EQ_IMM, 1, 0, -4);
    add(&p, TRN_OPCODE_HALT);
    start(&core, SP, &p);
    assert_int_equal(run(&core, 100), TRN_RUN_OK);
    assert_int_equal(sem_of(&core, 3), 1);
    assert_int_equal(sem_of(&core, 4), 1);
    assert_int_equal(core.report.choices[TRN_CHOICE_FETCH_FROM_MEMORY], 1);
    close_core(&core);
}

/* Check 10 and strict mode: bounds that end with the first block of 8 KiB. */
static void set_bounds(struct fixture *core, int engine, uint64_t low, uint64_t high)
{
    const struct trn_bus *bus = trn_device_bar0(core->device);
    uint8_t bytes[16];
    trn_put64(bytes, low);
    trn_put64(bytes + 8, high);
    /* data RAM, 0x20000 before the local registers; the bounds at +0x38 and +0x40 */
    assert_int_equal(
        bus->write_block(bus->context, local(core, engine) - 0x20000 + 0x38, bytes, sizeof bytes),
        TRN_OK);
}

static void test_pc_bounds_soft_and_strict(void **state)
{
    (void)state;
    for (unsigned strict = 0; strict < 2; strict++) {
        const struct trn_device_options options = {.strict_pc_bounds = strict != 0};
        struct fixture core = open_core(trn_gen_find("cayman"), &options);
        struct program p = program_for(core.gen);
        add(&p, TRN_OPCODE_NOP);
        add_branch(&p, TRN_BR_CMP_OP_ALWAYS, 0, 0, 8192 / 64); /* into the next block */
        start(&core, SP, &p);
        struct program tail = program_for(core.gen);
        add(&tail, TRN_OPCODE_HALT);
        put(&core, queue_of(SP) + 64 + 8192, &tail);
        set_bounds(&core, SP, queue_of(SP), queue_of(SP) + 8191);
        run(&core, 0);
        if (strict) {
            expect_fault(&core, SP, "pc_bounds", NULL);
            assert_int_equal(core.report.engines[SP].retired, 2);
        } else {
            assert_int_equal(core.report.status, TRN_RUN_OK);
            assert_int_equal(core.report.engines[SP].retired, 3);
            assert_int_equal(core.report.warnings[TRN_WARN_STAGING_SKIPPED],
                             2); /* both blocks: the next is outside */
        }
        close_core(&core);
    }
}

/* Check 8: the block size must be one the firmware knows. */
static void test_bad_block_size_is_fatal_at_boot(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        struct program p = program_for(gen);
        add(&p, TRN_OPCODE_HALT);
        if (gen->local_block_size == 0) { /* no such register on SUNDA */
            close_core(&core);
            continue;
        }
        write_local(&core, SP, gen->local_block_size, 3 * 1024);
        start(&core, SP, &p);
        run(&core, 0);
        expect_fault(&core, SP, "assertion", NULL);
        assert_int_equal(core.report.engines[SP].retired, 0);
        close_core(&core);
    }
}

/* ---- faults -----------------------------------------------------------------------------------
 */

/* Check 2: each generation rejects every opcode outside its row set, per engine. */
static void test_opcodes_outside_the_row_set_are_bad(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    for (int engine = PE; engine <= SP; engine++) {
        if (engine == ACT && !gen->has_act)
            continue;
        struct fixture core = open_core(gen, NULL);
        struct program p = program_for(gen);
        for (unsigned opcode = 0; opcode < 256; opcode++) {
            const struct trn_opcode_row *row = &trn_opcode_table[opcode];
            if (row->name && trn_bits_get(row->isa_mask, gen->isa, 1) &&
                trn_bits_get(row->engines[gen->isa], (unsigned)engine, 1))
                continue;
            p.num_words = 0;
            add(&p, (uint8_t)opcode);
            write_local(&core, engine, gen->local_run_stall, 1);
            const size_t before = core.report.num_faults;
            start(&core, engine, &p);
            run(&core, 0);
            assert_int_equal(core.report.num_faults, before + 1);
            assert_string_equal(core.report.faults[before].klass, "bad_opcode");
        }
        close_core(&core);
    }
}

/* isa-core.md 9.10: known opcodes without a layout or an effect are another class. */
static void test_missing_specification_names_the_opcode(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    struct program p = program_for(core.gen);
    add(&p, TRN_OPCODE_PE_REG_WRITE);
    start(&core, PE, &p);
    run(&core, 0);
    expect_fault(&core, PE, "missing_specification", "NO_LAYOUT");
    assert_non_null(strstr(core.report.faults[0].message, "PE_REG_WRITE"));
    assert_false(trn_opcode_modelled(core.gen, PE, TRN_OPCODE_PE_REG_WRITE));
    close_core(&core);
}

static void test_word_without_a_handler_is_not_modelled(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    struct program p = program_for(core.gen);
    add(&p, TRN_OPCODE_BATCH_NORM_AGGREGATE);
    start(&core, DVE, &p);
    run(&core, 0);
    expect_fault(&core, DVE, "not_modelled", NULL);
    assert_non_null(strstr(core.report.faults[0].message, "BATCH_NORM_AGGREGATE"));
    assert_false(trn_opcode_modelled(core.gen, TRN_ENGINE_ANY, TRN_OPCODE_BATCH_NORM_AGGREGATE));
    assert_true(trn_opcode_modelled(core.gen, SP, TRN_OPCODE_HALT));
    assert_false(trn_opcode_modelled(core.gen, SP, TRN_OPCODE_ENGINE_NOP));
    assert_true(trn_opcode_modelled(core.gen, TRN_ENGINE_ANY, TRN_OPCODE_ENGINE_NOP));
    close_core(&core);
}

/* F40: the engine that faults stops, the others end their programs; the report says so. */
static void test_fault_of_one_engine_leaves_the_others(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    struct program good = program_for(core.gen), bad = program_for(core.gen);
    for (int i = 0; i < 100; i++)
        set_update(add(&good, TRN_OPCODE_NOP), 0x13, 3, 0);
    add(&good, TRN_OPCODE_HALT);
    add(&bad, TRN_OPCODE_NOP);
    add(&bad, 0xFE);
    start(&core, PE, &bad);
    start(&core, DVE, &good);
    run(&core, 0);
    expect_fault(&core, PE, "bad_opcode", NULL);
    assert_int_equal(core.report.engines[PE].retired, 1);
    assert_int_equal(core.report.num_notifications, 1); /* error-handling.md 2: code 0, opcode */
    assert_int_equal(core.report.notifications[0].kind, TRN_NOTIFY_ERROR);
    assert_int_equal(core.report.notifications[0].code, 0);
    assert_int_equal(core.report.notifications[0].info, 0xFE);
    assert_int_equal(core.report.engines[DVE].state, TRN_ENGINE_HALTED);
    assert_int_equal(sem_of(&core, 3), 100);
    close_core(&core);
}

/* Check 9: after a fatal error start_ctrl does nothing until the run stall cycles. */
static void test_fatal_engine_needs_a_reset(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        struct program p = program_for(gen), good = program_for(gen);
        add(&p, 0xFE);
        add(&good, TRN_OPCODE_HALT);
        start(&core, SP, &p);
        run(&core, 0);
        expect_fault(&core, SP, "bad_opcode", NULL);
        put(&core, queue_of(SP), &good);
        write_local(&core, SP, gen->local_start_ctrl, 1);
        assert_int_equal(run(&core, 0), TRN_RUN_FAULT);
        assert_int_equal(core.report.engines[SP].retired, 0);
        assert_int_equal(run_state(&core, SP), 0x00085644);
        write_local(&core, SP, gen->local_run_stall, 1);
        assert_int_equal(run_state(&core, SP), 0);
        start(&core, SP, &good);
        assert_int_equal(run(&core, 0), TRN_RUN_OK);
        assert_int_equal(core.report.engines[SP].retired, 1);
        assert_int_equal(core.report.num_faults, 1); /* the old one stays in the record */
        close_core(&core);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start_protocol_register_by_register),
        cmocka_unit_test(test_start_is_acknowledged_before_the_first_word),
        cmocka_unit_test(test_stopped_engine_starts_again),
        cmocka_unit_test(test_interrupt_entry_starts),
        cmocka_unit_test(test_halt_may_pause_and_resume),
        cmocka_unit_test(test_halt_posts_its_update),
        cmocka_unit_test(test_branch_compares),
        cmocka_unit_test(test_branch_compares_unused_codes_are_illegal),
        cmocka_unit_test(test_branch_targets),
        cmocka_unit_test(test_branch_target_label_and_unknown_modes_are_illegal),
        cmocka_unit_test(test_loop_runs_its_count),
        cmocka_unit_test(test_endless_loop_is_a_limit),
        cmocka_unit_test(test_program_of_exactly_the_limit_ends),
        cmocka_unit_test(test_external_halt_stops_a_livelock),
        cmocka_unit_test(test_step_count_stops_after_three_words),
        cmocka_unit_test(test_address_breakpoint_stops_before_the_word),
        cmocka_unit_test(test_opcode_counter_breaks_on_its_count),
        cmocka_unit_test(test_debugger_break_holds_and_goes_on),
        cmocka_unit_test(test_debugger_break_does_not_disturb_the_step_count),
        cmocka_unit_test(test_breakpoints_are_limited),
        cmocka_unit_test(test_misaligned_pc_is_illegal),
        cmocka_unit_test(test_pc_without_memory_is_out_of_bounds),
        cmocka_unit_test(test_program_runs_from_the_state_buffer),
        cmocka_unit_test(test_changed_word_is_seen_by_the_next_fetch),
        cmocka_unit_test(test_pc_bounds_soft_and_strict),
        cmocka_unit_test(test_bad_block_size_is_fatal_at_boot),
        cmocka_unit_test(test_opcodes_outside_the_row_set_are_bad),
        cmocka_unit_test(test_missing_specification_names_the_opcode),
        cmocka_unit_test(test_word_without_a_handler_is_not_modelled),
        cmocka_unit_test(test_fault_of_one_engine_leaves_the_others),
        cmocka_unit_test(test_fatal_engine_needs_a_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
