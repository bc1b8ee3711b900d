/* SPDX-License-Identifier: Apache-2.0 */
/* Each control word with results worked out by hand (sequencer.md 7, sync.md 6, dge.md 2.3), on
 * every generation that has the word. */
#include <string.h>

#include "base/bytes.h"
#include "mem/soc.h"
#include "seq/control.h"
#include "seq/fixture.h"

#define FOR_EACH_GENERATION(gen)                                                                   \
    for (const struct trn_gen *gen = trn_gen_at(0), *const end = gen + TRN_GEN_COUNT; gen != end;  \
         gen++)

static void expect_end(struct fixture *core, int engine, struct program *program)
{
    add(program, TRN_OPCODE_HALT);
    start(core, engine, program);
    if (run(core, 0) != TRN_RUN_OK)
        fail_msg("%s: %s", core->gen->name,
                 core->report.num_faults ? core->report.faults[0].message
                                         : trn_run_status_name(core->report.status));
}

static void expect_refused(struct fixture *core, int engine, const struct program *program,
                           const char *klass, const char *rule)
{
    start(core, engine, program);
    run(core, 0);
    expect_fault(core, engine, klass, rule);
}

/* ---- MOVE ------------------------------------------------------------------------------- */

static uint8_t *add_move_registers(struct program *p, unsigned count, const uint8_t *to,
                                   const uint8_t *from)
{
    uint8_t *word = add(p, TRN_OPCODE_MOVE);
    trn_ctrl_mv_num_mov_set(word, p->isa, (uint8_t)count);
    trn_ctrl_mv_dtype_set(word, p->isa, TRN_DTYPE_FP32);
    trn_ctrl_mv_move_source_set(word, p->isa, TRN_DATA_SRC_REGISTER);
    memcpy(trn_ctrl_mv_dst_registers_ref(word, p->isa), to, count);
    memcpy(trn_ctrl_mv_src_registers_ref(word, p->isa), from, count);
    return word;
}

static void test_move_copies_eight_registers(void **state)
{
    static const uint8_t to[8] = {40, 41, 42, 43, 44, 45, 46, 63};
    static const uint8_t from[8] = {0, 1, 2, 3, 4, 5, 6, 62};
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        struct program p = program_for(gen);
        for (unsigned i = 0; i < 8; i++)
            add_move(&p, from[i], 0x11111111u * (i + 1));
        add_move_registers(&p, 8, to, from);
        expect_end(&core, SP, &p);
        for (unsigned i = 0; i < 8; i++)
            assert_int_equal(reg_of(&core, SP, to[i]), 0x11111111u * (i + 1));
        close_core(&core);
    }
}

/* sequencer.md 11, 7: a destination equal to a source is illegal; writes to R128 are dropped. */
static void test_move_lists_are_disjoint_and_pc_writes_dropped(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    struct program p = program_for(core.gen);
    add_move_registers(&p, 2, (const uint8_t[]){5, 6}, (const uint8_t[]){6, 7});
    expect_refused(&core, SP, &p, "illegal_instruction", "mv_registers");
    close_core(&core);

    core = open_core(trn_gen_find("cayman"), NULL);
    p = program_for(core.gen);
    add_move(&p, 128, 0x12345678); /* dropped */
    add_move_registers(&p, 2, (const uint8_t[]){1, 2}, (const uint8_t[]){128, 129});
    expect_end(&core, SP, &p);
    assert_int_equal(reg_of(&core, SP, 1), queue_of(SP) + 64); /* own address of the second word */
    assert_int_equal(reg_of(&core, SP, 2), 0);
    close_core(&core);
}

/* ---- MOVE_SHAPE -------------------------------------------------------------------------- */

static uint8_t *add_shape(struct program *p, uint8_t type, uint8_t half, uint8_t shape)
{
    uint8_t *word = add(p, TRN_OPCODE_MOVE_SHAPE);
    trn_ctrl_ms_move_type_set(word, p->isa, type);
    trn_ctrl_ms_num_move_set(word, p->isa, 1);
    trn_ctrl_ms_shape_reg_type_set(word, p->isa, half);
    trn_ctrl_ms_shape_registers_ref(word, p->isa)[0] = shape;
    return word;
}

/* Immediate into S2's counts, out to R10, R11, then R10, R11 into S3's steps and out again: the
 * halves do not mix, two u16 a register with the low entry low. */
static void test_shapes_move_both_ways(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        static const uint16_t counts[4] = {0x0102, 0xFFFE, 7, 0x8000};
        struct fixture core = open_core(gen, NULL);
        struct program p = program_for(gen);
        uint8_t *word = add_shape(&p, TRN_SHAPE_MOVE_TYPE_IMMEDIATE, TRN_SHAPE_REG_TYPE_NUM, 2);
        for (unsigned i = 0; i < 4; i++)
            trn_put16(trn_ctrl_ms_data_ref(word, p.isa) + 2 * i, counts[i]);
        word = add_shape(&p, TRN_SHAPE_MOVE_TYPE_SHAPE_TO_REG, TRN_SHAPE_REG_TYPE_NUM, 2);
        memcpy(trn_ctrl_ms_data_ref(word, p.isa), (const uint8_t[]){10, 11}, 2);
        word = add_shape(&p, TRN_SHAPE_MOVE_TYPE_REG_TO_SHAPE, TRN_SHAPE_REG_TYPE_STEP, 3);
        memcpy(trn_ctrl_ms_data_ref(word, p.isa), (const uint8_t[]){11, 10}, 2);
        word = add_shape(&p, TRN_SHAPE_MOVE_TYPE_SHAPE_TO_REG, TRN_SHAPE_REG_TYPE_STEP, 3);
        memcpy(trn_ctrl_ms_data_ref(word, p.isa), (const uint8_t[]){12, 13}, 2);
        word = add_shape(&p, TRN_SHAPE_MOVE_TYPE_SHAPE_TO_REG, TRN_SHAPE_REG_TYPE_NUM, 3);
        memcpy(trn_ctrl_ms_data_ref(word, p.isa), (const uint8_t[]){14, 15}, 2);
        expect_end(&core, SP, &p);
        assert_int_equal(reg_of(&core, SP, 10), 0xFFFE0102);
        assert_int_equal(reg_of(&core, SP, 11), 0x80000007);
        assert_int_equal(reg_of(&core, SP, 12), 0x80000007);
        assert_int_equal(reg_of(&core, SP, 13), 0xFFFE0102);
        assert_int_equal(reg_of(&core, SP, 14), 0);
        assert_int_equal(reg_of(&core, SP, 15), 0);
        assert_true(core.report.choices[TRN_CHOICE_SHAPE_LAYOUT] == 5);
        close_core(&core);
    }
}

/* ---- ALU_OP ------------------------------------------------------------------------------ */

struct alu_case {
    uint8_t op;
    unsigned bits;
    bool is_signed;
    uint64_t a, b, want;
};

#define S32 32, true
#define U32 32, false
#define S64 64, true
#define U64 64, false

static const struct alu_case alu_cases[] = {
    {TRN_ALU_OP_BYPASS, U32, 5, 9, 5},
    {TRN_ALU_OP_BITWISE_NOT, U32, 0x0F0F0F0F, 0, 0xF0F0F0F0},
    {TRN_ALU_OP_ARITH_SHIFT_LEFT, S32, 0x40000001, 1, 0x80000002},
    {TRN_ALU_OP_LOGICAL_SHIFT_LEFT, U32, 1, 32, 0},
    {TRN_ALU_OP_ARITH_SHIFT_RIGHT, S32, 0x80000000, 4, 0xF8000000},
    {TRN_ALU_OP_ARITH_SHIFT_RIGHT, U32, 0x80000000, 99, 0xFFFFFFFF}, /* sign fill */
    {TRN_ALU_OP_LOGICAL_SHIFT_RIGHT, S32, 0x80000000, 4, 0x08000000},
    {TRN_ALU_OP_LOGICAL_SHIFT_RIGHT, U64, UINT64_C(1) << 63, 63, 1},
    {TRN_ALU_OP_ADD, U32, 0xFFFFFFFF, 2, 1}, /* wraps */
    {TRN_ALU_OP_ADD, U64, 0xFFFFFFFF, 2, UINT64_C(0x100000001)},
    {TRN_ALU_OP_SUBTRACT, S32, 3, 5, 0xFFFFFFFE},
    {TRN_ALU_OP_SUBTRACT, S64, 3, 5, UINT64_MAX - 1},
    {TRN_ALU_OP_MULT, U32, 0x10001, 0x10001, 0x00020001},
    {TRN_ALU_OP_MULT, U64, UINT64_C(0x100000000), 3, UINT64_C(0x300000000)},
    {TRN_ALU_OP_DIVIDE, S32, (uint32_t)-7, 2, (uint32_t)-3}, /* towards zero */
    {TRN_ALU_OP_DIVIDE, U32, (uint32_t)-7, 2, 0x7FFFFFFC},
    {TRN_ALU_OP_DIVIDE, S32, 0x80000000, 0xFFFFFFFF, 0x80000000}, /* wraps */
    {TRN_ALU_OP_DIVIDE, S64, UINT64_C(1) << 63, UINT64_MAX, UINT64_C(1) << 63},
    {TRN_ALU_OP_MOD, S32, (uint32_t)-7, 3, (uint32_t)-1}, /* sign of the dividend */
    {TRN_ALU_OP_MOD, U32, 7, 3, 1},
    {TRN_ALU_OP_MAX, S32, (uint32_t)-1, 1, 1},
    {TRN_ALU_OP_MAX, U32, (uint32_t)-1, 1, 0xFFFFFFFF},
    {TRN_ALU_OP_MIN, S32, (uint32_t)-1, 1, 0xFFFFFFFF},
    {TRN_ALU_OP_MIN, U32, (uint32_t)-1, 1, 1},
    {TRN_ALU_OP_BITWISE_AND, U32, 0xFF00FF00, 0x0FF00FF0, 0x0F000F00},
    {TRN_ALU_OP_BITWISE_OR, U32, 0xFF00FF00, 0x0FF00FF0, 0xFFF0FFF0},
    {TRN_ALU_OP_BITWISE_XOR, U64, UINT64_MAX, 1, UINT64_MAX - 1},
    {TRN_ALU_OP_LOGICAL_AND, U32, 2, 4, 1},
    {TRN_ALU_OP_LOGICAL_AND, U32, 2, 0, 0},
    {TRN_ALU_OP_LOGICAL_OR, U32, 0, 4, 1},
    {TRN_ALU_OP_LOGICAL_XOR, U32, 2, 4, 0},
    {TRN_ALU_OP_IS_EQ, U64, UINT64_C(1) << 32, 0, 0}, /* the high half counts */
    {TRN_ALU_OP_IS_NE, U64, UINT64_C(1) << 32, 0, 1},
    {TRN_ALU_OP_IS_GT, S32, (uint32_t)-1, 0, 0},
    {TRN_ALU_OP_IS_GT, U32, (uint32_t)-1, 0, 1},
    {TRN_ALU_OP_IS_GE, S32, 4, 4, 1},
    {TRN_ALU_OP_IS_LE, U32, 5, 4, 0},
    {TRN_ALU_OP_IS_LT, S64, UINT64_MAX, 0, 1},
    {TRN_ALU_OP_ABSOLUTE_DIFF, S32, (uint32_t)-3, 4, 7},
    {TRN_ALU_OP_ABSOLUTE_VALUE, S32, (uint32_t)-3, 0, 3},
};

static void set_halves(uint8_t *low, uint64_t value)
{
    trn_put32(low, (uint32_t)value);
    trn_put32(low + 4, (uint32_t)(value >> 32));
}

/* Registers R0:R1 and R2:R3 against R4:R5; when `immediate`, b stands in the word. */
static uint64_t run_alu(const struct trn_gen *gen, const struct alu_case *c, bool immediate)
{
    static const uint8_t codes[2][2] = {{TRN_DTYPE_UINT32, TRN_DTYPE_INT32},
                                        {TRN_DTYPE_UINT64, TRN_DTYPE_INT64}};
    const uint8_t dtype = codes[c->bits == 64][c->is_signed];
    const bool wide = c->bits == 64;
    struct fixture core = open_core(gen, NULL);
    struct program p = program_for(gen);
    uint8_t *word = add(&p, TRN_OPCODE_MOVE);
    trn_ctrl_mv_num_mov_set(word, p.isa, 6);
    trn_ctrl_mv_dtype_set(word, p.isa, TRN_DTYPE_UINT32);
    trn_ctrl_mv_move_source_set(word, p.isa, TRN_DATA_SRC_IMMEDIATE);
    memcpy(trn_ctrl_mv_dst_registers_ref(word, p.isa), (const uint8_t[]){0, 1, 2, 3, 4, 5}, 6);
    set_halves(trn_ctrl_mv_immediate_ref(word, p.isa), c->a);
    set_halves(trn_ctrl_mv_immediate_ref(word, p.isa) + 8, c->b);
    set_halves(trn_ctrl_mv_immediate_ref(word, p.isa) + 16, UINT64_C(0x5555555566666666));
    word = add(&p, TRN_OPCODE_ALU_OP);
    trn_ctrl_al_op_set(word, p.isa, c->op);
    trn_ctrl_al_dtype_set(word, p.isa, dtype);
    trn_ctrl_al_dst_dtype_set(word, p.isa, dtype);
    trn_ctrl_al_src1_datasrc_set(word, p.isa,
                                 immediate ? TRN_DATA_SRC_IMMEDIATE : TRN_DATA_SRC_REGISTER);
    trn_ctrl_al_src0_lo_set(word, p.isa, 0);
    trn_ctrl_al_src0_hi_set(word, p.isa, wide);
    trn_ctrl_al_src1_lo_set(word, p.isa, 2);
    trn_ctrl_al_src1_hi_set(word, p.isa, wide ? 3 : 0);
    trn_ctrl_al_dst_lo_set(word, p.isa, 4);
    trn_ctrl_al_dst_hi_set(word, p.isa, wide ? 5 : 0);
    if (immediate)
        trn_ctrl_al_immediate_set(word, p.isa, c->b);
    expect_end(&core, SP, &p);
    const uint64_t high = reg_of(&core, SP, 5), result = reg_of(&core, SP, 4) | high << 32;
    if (!wide)
        assert_int_equal(high, 0x55555555); /* 32-bit types leave the high register alone */
    close_core(&core);
    return wide ? result : (uint32_t)result;
}

static void test_scalar_alu(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof alu_cases / sizeof alu_cases[0]; i++)
        for (unsigned immediate = 0; immediate < 2; immediate++) {
            const struct alu_case *c = &alu_cases[i];
            const uint64_t got = run_alu(trn_gen_find("cayman"), c, immediate);
            if (got != c->want)
                fail_msg("case %zu (op 0x%02x): 0x%llx, 0x%llx expected", i, c->op,
                         (unsigned long long)got, (unsigned long long)c->want);
        }
}

/* Operators that only later generations have are illegal before. */
static void test_scalar_alu_on_every_generation(void **state)
{
    (void)state;
    const struct alu_case sum = {TRN_ALU_OP_ADD, S64, UINT64_MAX, 1, 0};
    FOR_EACH_GENERATION(gen)
    assert_int_equal(run_alu(gen, &sum, false), 0);
}

static void test_division_by_zero_is_fatal(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("mariana"), NULL);
    struct program p = program_for(core.gen);
    uint8_t *word = add(&p, TRN_OPCODE_ALU_OP);
    trn_ctrl_al_op_set(word, p.isa, TRN_ALU_OP_DIVIDE);
    trn_ctrl_al_dtype_set(word, p.isa, TRN_DTYPE_INT32);
    trn_ctrl_al_dst_dtype_set(word, p.isa, TRN_DTYPE_INT32);
    trn_ctrl_al_src1_datasrc_set(word, p.isa, TRN_DATA_SRC_IMMEDIATE);
    set_update(word, 0x13, 3, 0);
    expect_refused(&core, SP, &p, "divide_by_zero", NULL);
    assert_int_equal(sem_of(&core, 3), 0); /* a refused word posts nothing */
    const struct trn_notification *note = &core.report.notifications[0];
    assert_int_equal(core.report.num_notifications, 1);
    assert_int_equal(note->kind, TRN_NOTIFY_ERROR);
    assert_int_equal(note->code, 2); /* error-handling.md 2: subtype 0x02, info 0x02 */
    assert_int_equal(note->info, 2);
    close_core(&core);
}

/* ---- EVENT_SEMAPHORE_RANGE_CLEAR ---------------------------------------------------------- */

static void test_range_clear(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        struct program p = program_for(gen);
        for (unsigned s = 9; s <= 13; s++)
            set_sem(&core, s, s);
        set_sem(&core, 0, 1);
        set_sem(&core, 255, 255);
        set_event(&core, 10, true);
        uint8_t *word = add(&p, TRN_OPCODE_EVENT_SEMAPHORE_RANGE_CLEAR);
        trn_ctrl_er_clear_mode_set(word, p.isa, TRN_RANGE_CLEAR_MODE_RANGE);
        trn_ctrl_er_range_first_set(word, p.isa, 10);
        trn_ctrl_er_range_last_set(word, p.isa, 12);
        word = add(&p, TRN_OPCODE_EVENT_SEMAPHORE_RANGE_CLEAR);
        trn_ctrl_er_clear_mode_set(word, p.isa, TRN_RANGE_CLEAR_MODE_BITMASK);
        trn_put32(trn_ctrl_er_mask_ref(word, p.isa) + 28, 0x80000000u); /* id 255 */
        word = add(&p, TRN_OPCODE_EVENT_SEMAPHORE_RANGE_CLEAR);         /* first > last: nothing */
        trn_ctrl_er_clear_mode_set(word, p.isa, TRN_RANGE_CLEAR_MODE_RANGE);
        trn_ctrl_er_range_first_set(word, p.isa, 1);
        expect_end(&core, SP, &p);
        const uint32_t want[] = {9, 0, 0, 0, 13};
        for (unsigned i = 0; i < 5; i++)
            assert_int_equal(sem_of(&core, 9 + i), want[i]);
        assert_int_equal(sem_of(&core, 0), 1);
        assert_int_equal(sem_of(&core, 255), 0);
        assert_true(trn_device_event(core.device, 10)); /* events stay */
        assert_int_equal(core.report.warnings[TRN_WARN_EMPTY_RANGE], 1);
        close_core(&core);
    }
}

static void test_range_clear_of_unknown_mode_is_illegal(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    struct program p = program_for(core.gen);
    trn_ctrl_er_clear_mode_set(add(&p, TRN_OPCODE_EVENT_SEMAPHORE_RANGE_CLEAR), p.isa, 3);
    expect_refused(&core, SP, &p, "illegal_instruction", "is_valid_enum");
    close_core(&core);
}

/* ---- POLL_SEM ----------------------------------------------------------------------------- */

/* SoC address of a semaphore window of core 0 (sync.md 2). */
static uint64_t window(const struct trn_gen *gen, uint32_t offset, unsigned index)
{
    return gen->tpb_soc_base + gen->tpb_device_rebase + gen->bar_evt_sem + offset + 4 * index;
}

static void add_poll(struct program *p, const struct trn_gen *gen, unsigned first, unsigned n)
{
    uint8_t *word = add(p, TRN_OPCODE_POLL_SEM);
    trn_ctrl_poll_sem_n_read_set(word, p->isa, (uint8_t)n);
    trn_ctrl_poll_sem_result_set(word, p->isa, 20);
    trn_ctrl_poll_sem_op_set(word, p->isa, TRN_ALU_OP_MIN);
    trn_ctrl_poll_sem_addr_set(word, p->isa, window(gen, 0x1000, first));
    trn_ctrl_poll_sem_res_writeback_addr_set(word, p->isa, window(gen, 0x1C00, first));
}

/* sequencer.md 11, 11: {3, 5, 9} gives 3 and three decrements by 3; {0, 4} gives 0 and no write.
 * isa-core.md 9.5: [8, 3, 5, 4, 4, 10] gives 3. */
static void test_poll_sem_takes_the_minimum_from_all(void **state)
{
    static const struct {
        unsigned n;
        uint32_t before[6], result, after[6];
    } cases[] = {{3, {3, 5, 9}, 3, {0, 2, 6}},
                 {2, {0, 4}, 0, {0, 4}},
                 {6, {8, 3, 5, 4, 4, 10}, 3, {5, 0, 2, 1, 1, 7}}};
    (void)state;
    FOR_EACH_GENERATION(gen)
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture core = open_core(gen, NULL);
        struct program p = program_for(gen);
        for (unsigned k = 0; k < cases[i].n; k++)
            set_sem(&core, 30 + k, cases[i].before[k]);
        add_move(&p, 20, 0xDEAD);
        add_poll(&p, gen, 30, cases[i].n);
        expect_end(&core, SP, &p);
        assert_int_equal(reg_of(&core, SP, 20), cases[i].result);
        for (unsigned k = 0; k < cases[i].n; k++)
            assert_int_equal(sem_of(&core, 30 + k), cases[i].after[k]);
        close_core(&core);
    }
}

static void test_poll_sem_counts_are_checked(void **state)
{
    (void)state;
    static const unsigned bad[] = {0, 17};
    for (unsigned i = 0; i < 2; i++) {
        struct fixture core = open_core(trn_gen_find("cayman"), NULL);
        struct program p = program_for(core.gen);
        add_poll(&p, core.gen, 30, bad[i]);
        expect_refused(&core, SP, &p, "illegal_instruction", NULL);
        close_core(&core);
    }
}

static void test_poll_sem_at_no_block_is_an_address_fault(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    struct program p = program_for(core.gen);
    add_poll(&p, core.gen, 30, 1);
    trn_ctrl_poll_sem_addr_set(p.word[0], p.isa, UINT64_C(0x123400000000));
    expect_refused(&core, SP, &p, "address", NULL);
    close_core(&core);
}

/* ---- TEST_EVENT_SEM (v4 and later) --------------------------------------------------------- */

static uint8_t *add_test(struct program *p, uint8_t mode, uint8_t type, unsigned n,
                         const uint8_t *ids, const uint8_t *regs)
{
    uint8_t *word = add(p, TRN_OPCODE_TEST_EVENT_SEM);
    trn_ctrl_test_es_mode_set(word, p->isa, mode);
    trn_ctrl_test_es_update_type_set(word, p->isa, type);
    trn_ctrl_test_es_num_evt_sem_set(word, p->isa, (uint8_t)n);
    memcpy(trn_ctrl_test_es_evt_sem_ids_ref(word, p->isa), ids, n);
    memcpy(trn_ctrl_test_es_value_registers_ref(word, p->isa), regs, n);
    return word;
}

static void test_test_event_sem_reads_and_updates(void **state)
{
    static const uint8_t ids[3] = {200, 7, 0}, regs[3] = {1, 2, 3};
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        struct program p = program_for(gen);
        set_sem(&core, 200, 111);
        set_sem(&core, 7, 222);
        set_sem(&core, 0, 333);
        set_event(&core, 7, true);
        add_test(&p, TRN_TEST_EVT_SEM_MODE_READ_SEM, 0, 3, ids, regs);
        if (gen->isa_version < 4) {
            expect_refused(&core, SP, &p, "bad_opcode", NULL);
            close_core(&core);
            continue;
        }
        /* each semaphore plus its own value, then S200 -= 1 by a mode without operand */
        add_test(&p, TRN_TEST_EVT_SEM_MODE_UPDATE_SEM, 0x95, 3, ids, regs);
        add_test(&p, TRN_TEST_EVT_SEM_MODE_UPDATE_SEM, 0x14, 1, ids, regs);
        if (gen->isa_version == 4) {
            add_test(&p, TRN_TEST_EVT_SEM_MODE_READ_EVT, 0, 3, ids, (const uint8_t[]){4, 5, 6});
            add_test(&p, TRN_TEST_EVT_SEM_MODE_UPDATE_EVT, 0x11, 1, ids, regs);
        }
        expect_end(&core, SP, &p);
        assert_int_equal(reg_of(&core, SP, 1), 111);
        assert_int_equal(reg_of(&core, SP, 2), 222);
        assert_int_equal(reg_of(&core, SP, 3), 333);
        assert_int_equal(sem_of(&core, 200), 2 * 111 - 1);
        assert_int_equal(sem_of(&core, 7), 2 * 222);
        assert_int_equal(sem_of(&core, 0), 2 * 333);
        assert_int_equal(reg_of(&core, SP, 5), gen->isa_version == 4);
        assert_int_equal(trn_device_event(core.device, 200), gen->isa_version == 4);
        close_core(&core);
    }
}

/* tensor-scalar-multi.md 1.1: 0x88 is the error of an opcode without a handler, under its own name
 * where its name exists. */
static void test_a_disabled_opcode_never_executes(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        const bool named = gen->has_dual_tsp;
        struct fixture core = open_core(gen, NULL);
        struct program p = program_for(gen);
        add(&p, 0x88);
        expect_refused(&core, DVE, &p, "bad_opcode", named ? "disabled_opcode" : "");
        assert_int_equal(core.report.num_notifications, 1);
        assert_int_equal(core.report.notifications[0].code, 0);
        assert_int_equal(core.report.notifications[0].info, 0x88);
        close_core(&core);
    }
}

static void test_test_event_sem_refuses_what_is_not_known(void **state)
{
    static const uint8_t one[1] = {1};
    (void)state;
    struct fixture core = open_core(trn_gen_find("mariana"), NULL);
    struct program p = program_for(core.gen);
    add_test(&p, TRN_TEST_EVT_SEM_MODE_COND_UPDATE_SEM, 0x13, 1, one, one);
    expect_refused(&core, SP, &p, "missing_specification", "NO_SEMANTICS");
    close_core(&core);

    core = open_core(trn_gen_find("mariana"), NULL); /* immediate modes are illegal here */
    p = program_for(core.gen);
    add_test(&p, TRN_TEST_EVT_SEM_MODE_UPDATE_SEM, 0x15, 1, one, one);
    expect_refused(&core, SP, &p, "illegal_instruction", "test_es_update");
    close_core(&core);

    core = open_core(trn_gen_find("mariana"), NULL); /* an event mode on semaphores */
    p = program_for(core.gen);
    add_test(&p, TRN_TEST_EVT_SEM_MODE_UPDATE_SEM, 0x11, 1, one, one);
    expect_refused(&core, SP, &p, "illegal_instruction", "test_es_update");
    close_core(&core);

    core = open_core(trn_gen_find("maverick"), NULL); /* v5 dropped the events */
    p = program_for(core.gen);
    add_test(&p, TRN_TEST_EVT_SEM_MODE_READ_EVT, 0, 1, one, one);
    expect_refused(&core, SP, &p, "illegal_instruction", NULL);
    close_core(&core);
}

/* ---- WRITE, TENSOR_LOAD, TENSOR_STORE ------------------------------------------------------ */

static uint8_t *add_write(struct program *p, uint64_t address, uint32_t value)
{
    uint8_t *word = add(p, TRN_OPCODE_WRITE);
    trn_ctrl_wr_wr_size_set(word, p->isa, 4);
    trn_ctrl_wr_address_set(word, p->isa, address);
    trn_ctrl_wr_value_set(word, p->isa, value);
    return word;
}

static void update_when_read(uint8_t *word, unsigned isa, uint8_t semaphore, uint32_t value)
{
    trn_common_update_mode_set(word, isa, 0x09); /* SEM_WR_IMM, READ moment (sync.md 4) */
    trn_common_update_idx_set(word, isa, semaphore);
    trn_common_semaphore_value_set(word, isa, value);
}

/* sequencer.md 5.4, steps 6 to 8: sources are read, READ updates fire, results are written. So a
 * word that writes the semaphore of its own READ update has the last word: WRITE 41 over 7 leaves
 * 41; POLL_SEM reads 5, the update makes it 9, the write-back takes 5 away: 4; a clear leaves 0. */
static void test_read_updates_fire_before_the_first_write(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        struct program p = program_for(gen);
        set_sem(&core, 31, 5);
        set_sem(&core, 32, 6);
        update_when_read(add_write(&p, window(gen, 0x1400, 30), 41), p.isa, 30, 7);
        add_poll(&p, gen, 31, 1);
        update_when_read(p.word[p.num_words - 1], p.isa, 31, 9);
        uint8_t *clear = add(&p, TRN_OPCODE_EVENT_SEMAPHORE_RANGE_CLEAR);
        trn_ctrl_er_clear_mode_set(clear, p.isa, 1);
        trn_ctrl_er_range_first_set(clear, p.isa, 32);
        trn_ctrl_er_range_last_set(clear, p.isa, 32);
        update_when_read(clear, p.isa, 32, 8);
        expect_end(&core, SP, &p);
        assert_int_equal(sem_of(&core, 30), 41);
        assert_int_equal(sem_of(&core, 31), 4);
        assert_int_equal(sem_of(&core, 32), 0);
        close_core(&core);
    }
}

static void test_write_reaches_memory_semaphores_and_registers(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        struct program p = program_for(gen);
        const uint64_t engines = gen->tpb_soc_base + gen->tpb_device_rebase;
        const uint64_t dve_flags = gen->has_hw_decode ? 0x614C0 : 0x60040; /* lr[38], dma_ctrl */
        add_write(&p, 0x9000, 0xCAFEF00D);
        add_write(&p, window(gen, 0x1400, 77), 41);
        add_write(&p, window(gen, 0x1800, 77), 2);
        add_write(&p, window(gen, 0x1C00, 77), 1);
        add_write(&p, gen->tpb_soc_base + 5 * gen->sbuf_stride + 16, 0x01020304);
        add_write(&p, engines + gen->bar_engine_dve + dve_flags, 1);
        expect_end(&core, SP, &p);
        assert_int_equal(hbm32(&core, 0x9000), 0xCAFEF00D);
        assert_int_equal(sem_of(&core, 77), 42);
        const struct trn_bus *bus = trn_device_bar0(core.device);
        uint32_t value = 0;
        assert_int_equal(bus->read32(bus->context,
                                     trn_device_space_offset(core.device, TRN_SPACE_SBUF) +
                                         5 * gen->sbuf_stride + 16,
                                     &value),
                         TRN_OK);
        assert_int_equal(value, 0x01020304);
        assert_int_equal(
            bus->read32(bus->context, gen->bar0_tpb + gen->bar_engine_dve + dve_flags, &value),
            TRN_OK);
        assert_int_equal(value, 1);
        assert_int_equal(core.report.choices[TRN_CHOICE_WRITE_LAYOUT], 6);
        close_core(&core);
    }
}

static void test_write_to_no_block_is_an_address_fault(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    struct program p = program_for(core.gen);
    add_write(&p, UINT64_C(0x7FFFFFFFFF00), 1);
    expect_refused(&core, SP, &p, "address", NULL);
    close_core(&core);
}

static uint8_t *add_mem2d(struct program *p, uint8_t opcode, uint8_t dtype, uint8_t source,
                          uint64_t address, unsigned n0, unsigned n1, int32_t s0, int32_t s1)
{
    uint8_t *word = add(p, opcode);
    trn_mem_2d_dtype_set(word, p->isa, dtype);
    trn_mem_2d_src_datasrc_set(word, p->isa, source);
    trn_mem_2d_num_elem_ref(word, p->isa)[0] = (uint8_t)n0;
    trn_mem_2d_num_elem_ref(word, p->isa)[1] = (uint8_t)n1;
    trn_mem_2d_start_addr_set(word, p->isa, address);
    trn_put32(trn_mem_2d_step_elem_ref(word, p->isa), (uint32_t)s0);
    trn_put32(trn_mem_2d_step_elem_ref(word, p->isa) + 4, (uint32_t)s1);
    return word;
}

/* 2 x 3 INT16 elements, x backwards: i0 is the fastest; sign- and zero-extended. */
static void test_tensor_load_walks_and_extends(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    for (unsigned is_signed = 0; is_signed < 2; is_signed++) {
        static const uint16_t memory[8] = {0x8001, 2, 0x8003, 4, 5, 0xFFFF, 7, 8};
        struct fixture core = open_core(gen, NULL);
        struct program p = program_for(gen);
        const struct trn_bus *bus = trn_device_bar4(core.device);
        bus->write_block(bus->context, 0x8000, memory, sizeof memory);
        /* x: 3 elements with step -1 from element 2; y: 2 rows, 3 elements apart */
        uint8_t *word =
            add_mem2d(&p, TRN_OPCODE_TENSOR_LOAD, is_signed ? TRN_DTYPE_INT16 : TRN_DTYPE_UINT16, 0,
                      0x8000 + 2 * 2, 3, 2, -1, 3);
        for (unsigned i = 0; i < 6; i++)
            trn_mem_2d_data_ref(word, p.isa)[i] = (uint8_t)(10 + i);
        expect_end(&core, SP, &p);
        const uint32_t high = is_signed ? 0xFFFF0000 : 0;
        const uint32_t want[6] = {high | 0x8003, 2, high | 0x8001, high | 0xFFFF, 5, 4};
        for (unsigned i = 0; i < 6; i++)
            assert_int_equal(reg_of(&core, SP, 10 + i), want[i]);
        close_core(&core);
    }
}

static void test_tensor_load_sizes(void **state)
{
    static const struct {
        uint8_t dtype;
        uint32_t low, high; /* from bytes F1 E2 D3 C4 B5 A6 97 88; high of R21 */
    } cases[] = {
        {TRN_DTYPE_UINT8, 0xF1, 0},        {TRN_DTYPE_INT8, 0xFFFFFFF1, 0},
        {TRN_DTYPE_UINT16, 0xE2F1, 0},     {TRN_DTYPE_INT16, 0xFFFFE2F1, 0},
        {TRN_DTYPE_UINT32, 0xC4D3E2F1, 0}, {TRN_DTYPE_INT32, 0xC4D3E2F1, 0},
        {TRN_DTYPE_FP32, 0xC4D3E2F1, 0},   {TRN_DTYPE_UINT64, 0xC4D3E2F1, 0x8897A6B5},
    };
    static const uint8_t bytes[8] = {0xF1, 0xE2, 0xD3, 0xC4, 0xB5, 0xA6, 0x97, 0x88};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture core = open_core(trn_gen_find("cayman"), NULL);
        struct program p = program_for(core.gen);
        const struct trn_bus *bus = trn_device_bar4(core.device);
        bus->write_block(bus->context, 0x8000, bytes, sizeof bytes);
        uint8_t *word =
            add_mem2d(&p, TRN_OPCODE_TENSOR_LOAD, cases[i].dtype, 0, 0x8000, 1, 1, 1, 1);
        trn_mem_2d_data_ref(word, p.isa)[0] = 20;
        expect_end(&core, SP, &p);
        assert_int_equal(reg_of(&core, SP, 20), cases[i].low);
        assert_int_equal(reg_of(&core, SP, 21), cases[i].high);
        close_core(&core);
    }
}

static void test_tensor_store_from_registers_and_immediates(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        struct program p = program_for(gen);
        add_move(&p, 2, 0xAABBCCDD);
        add_move(&p, 3, 0x11223344);
        /* truncated to 16 bits: R2, R3 two elements apart */
        uint8_t *word = add_mem2d(&p, TRN_OPCODE_TENSOR_STORE, TRN_DTYPE_UINT16,
                                  TRN_DATA_SRC_REGISTER, 0x8000, 2, 1, 2, 1);
        memcpy(trn_mem_2d_data_ref(word, p.isa), (const uint8_t[]){2, 3}, 2);
        /* an even pair as 64 bits */
        word = add_mem2d(&p, TRN_OPCODE_TENSOR_STORE, TRN_DTYPE_UINT64, TRN_DATA_SRC_REGISTER,
                         0x8010, 1, 1, 1, 1);
        trn_mem_2d_data_ref(word, p.isa)[0] = 2;
        /* four byte immediates in a 2 x 2 walk of steps 1 and 4 */
        word = add_mem2d(&p, TRN_OPCODE_TENSOR_STORE, TRN_DTYPE_UINT8, TRN_DATA_SRC_IMMEDIATE,
                         0x8020, 2, 2, 1, 4);
        memcpy(trn_mem_2d_data_ref(word, p.isa), (const uint8_t[]){0xA1, 0xA2, 0xA3, 0xA4}, 4);
        expect_end(&core, SP, &p);
        assert_int_equal(hbm32(&core, 0x8000), 0x0000CCDD);
        assert_int_equal(hbm32(&core, 0x8004), 0x00003344);
        assert_int_equal(hbm32(&core, 0x8010), 0xAABBCCDD);
        assert_int_equal(hbm32(&core, 0x8014), 0x11223344);
        assert_int_equal(hbm32(&core, 0x8020), 0x0000A2A1);
        assert_int_equal(hbm32(&core, 0x8024), 0x0000A4A3);
        close_core(&core);
    }
}

/* ADDR8 with marker 0x80: the pair R4, R5 holds the address, known only at execution. */
static uint8_t *add_register_load(struct program *p, uint32_t low, uint32_t high)
{
    add_move(p, 4, low);
    add_move(p, 5, high);
    uint8_t *word = add_mem2d(p, TRN_OPCODE_TENSOR_LOAD, TRN_DTYPE_UINT32, 0,
                              UINT64_C(0x8000000000000504), 2, 1, 1, 1);
    memcpy(trn_mem_2d_data_ref(word, p->isa), (const uint8_t[]){8, 9}, 2);
    return word;
}

static void test_register_addresses_are_checked_when_they_are_known(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    struct program p = program_for(core.gen);
    const struct trn_bus *bus = trn_device_bar4(core.device);
    bus->write32(bus->context, 0xFFFFFC, 5);
    add_register_load(&p, 0xFFFFF8, 0);
    expect_end(&core, SP, &p);
    assert_int_equal(reg_of(&core, SP, 9), 5);
    close_core(&core);

    core = open_core(trn_gen_find("cayman"), NULL); /* the second element lies in the next 16 MiB */
    p = program_for(core.gen);
    add_register_load(&p, 0xFFFFFC, 0);
    expect_refused(&core, SP, &p, "illegal_instruction", "mem2d_region");
    close_core(&core);

    core = open_core(trn_gen_find("cayman"), NULL);
    p = program_for(core.gen);
    add_register_load(&p, 0, 0x00F00000);
    expect_refused(&core, SP, &p, "address", NULL);
    close_core(&core);
}

static void test_registers_take_whole_aligned_words_only(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    struct program p = program_for(core.gen);
    uint8_t *word = add_mem2d(&p, TRN_OPCODE_TENSOR_STORE, TRN_DTYPE_UINT8, TRN_DATA_SRC_IMMEDIATE,
                              window(core.gen, 0x1400, 3), 1, 1, 1, 1);
    trn_mem_2d_data_ref(word, p.isa)[0] = 9;
    expect_refused(&core, SP, &p, "address", NULL);
    assert_int_equal(sem_of(&core, 3), 0);
    close_core(&core);
}

/* ---- NOTIFY and the small ones -------------------------------------------------------------- */

static void test_notify_is_recorded(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        struct program p = program_for(gen);
        add(&p, TRN_OPCODE_NOP);
        uint8_t *word = add(&p, TRN_OPCODE_NOTIFY);
        trn_ctrl_no_notify_payload_set(word, p.isa, 0xBEEF1234);
        expect_end(&core, DVE, &p);
        assert_int_equal(core.report.num_notifications, 1);
        const struct trn_notification *note = &core.report.notifications[0];
        assert_int_equal(note->kind, TRN_NOTIFY_EXPLICIT);
        assert_int_equal(note->engine, DVE);
        assert_true(note->pc == queue_of(DVE) + 64);
        assert_int_equal(note->soft_reset_counter, 0x1234);
        assert_int_equal(note->debug_hint_extended, 0xBEEF);
        close_core(&core);
    }
}

/* debug_cmd START_END: a record before the wait is looked at, one after the update. */
static void test_debug_command_brackets_a_word(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    struct program p = program_for(core.gen);
    uint8_t *word = add(&p, TRN_OPCODE_NOP);
    trn_common_debug_cmd_set(word, p.isa, TRN_DEBUG_CMD_START_END);
    trn_common_debug_hint_set(word, p.isa, 6);
    set_wait(word, 0x05, 3, 1);
    add(&p, TRN_OPCODE_HALT);
    start(&core, PE, &p);
    assert_int_equal(run(&core, 0), TRN_RUN_DEADLOCK);
    assert_int_equal(core.report.num_notifications, 1);
    assert_int_equal(core.report.notifications[0].kind, TRN_NOTIFY_INST_START);
    set_sem(&core, 3, 1);
    assert_int_equal(run(&core, 0), TRN_RUN_OK);
    assert_int_equal(core.report.num_notifications, 2);
    assert_int_equal(core.report.notifications[1].kind, TRN_NOTIFY_INST_END);
    assert_int_equal(core.report.notifications[1].debug_hint, 6);
    close_core(&core);
}

static void test_ordering_mode_drives_the_control_bit(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        struct program p = program_for(gen);
        trn_ctrl_om_ordering_mode_set(add(&p, TRN_OPCODE_SET_ORDERING_MODE), p.isa, 1);
        expect_end(&core, PE, &p);
        const struct trn_bus *bus = trn_device_bar0(core.device);
        uint32_t value = 0;
        const uint64_t control = gen->bar0_tpb + gen->bar_engine_pe + 0x60000 + 0x4000;
        bus->read32(bus->context, control, &value);
        assert_int_equal(value, gen->has_hw_decode ? 0x7FFE : 0); /* reset 0x7FFC, bit 1 strong */
        close_core(&core);
    }
}

static void test_words_without_effect_retire(void **state)
{
    static const uint8_t opcodes[] = {TRN_OPCODE_NOP,
                                      TRN_OPCODE_ENGINE_NOP,
                                      TRN_OPCODE_DRAIN,
                                      TRN_OPCODE_INSTRUCTION_FLUSH,
                                      TRN_OPCODE_BRANCH_PREFETCH_HINT,
                                      TRN_OPCODE_EVENT_SEMAPHORE};
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        struct program p = program_for(gen);
        for (size_t i = 0; i < sizeof opcodes; i++)
            add(&p, opcodes[i]);
        expect_end(&core, DVE, &p); /* SP has no ENGINE_NOP */
        assert_int_equal(core.report.engines[DVE].retired, sizeof opcodes + 1);
        close_core(&core);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_move_copies_eight_registers),
        cmocka_unit_test(test_move_lists_are_disjoint_and_pc_writes_dropped),
        cmocka_unit_test(test_shapes_move_both_ways),
        cmocka_unit_test(test_scalar_alu),
        cmocka_unit_test(test_scalar_alu_on_every_generation),
        cmocka_unit_test(test_division_by_zero_is_fatal),
        cmocka_unit_test(test_range_clear),
        cmocka_unit_test(test_range_clear_of_unknown_mode_is_illegal),
        cmocka_unit_test(test_poll_sem_takes_the_minimum_from_all),
        cmocka_unit_test(test_read_updates_fire_before_the_first_write),
        cmocka_unit_test(test_poll_sem_counts_are_checked),
        cmocka_unit_test(test_poll_sem_at_no_block_is_an_address_fault),
        cmocka_unit_test(test_test_event_sem_reads_and_updates),
        cmocka_unit_test(test_test_event_sem_refuses_what_is_not_known),
        cmocka_unit_test(test_a_disabled_opcode_never_executes),
        cmocka_unit_test(test_write_reaches_memory_semaphores_and_registers),
        cmocka_unit_test(test_write_to_no_block_is_an_address_fault),
        cmocka_unit_test(test_tensor_load_walks_and_extends),
        cmocka_unit_test(test_tensor_load_sizes),
        cmocka_unit_test(test_tensor_store_from_registers_and_immediates),
        cmocka_unit_test(test_register_addresses_are_checked_when_they_are_known),
        cmocka_unit_test(test_registers_take_whole_aligned_words_only),
        cmocka_unit_test(test_notify_is_recorded),
        cmocka_unit_test(test_debug_command_brackets_a_word),
        cmocka_unit_test(test_ordering_mode_drives_the_control_bit),
        cmocka_unit_test(test_words_without_effect_retire),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
