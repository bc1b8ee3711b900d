/* SPDX-License-Identifier: Apache-2.0 */
#include "seq/fixture.h"

#include <string.h>

#include "base/bytes.h"

uint8_t *add(struct program *program, uint8_t opcode)
{
    enum { CAPACITY = sizeof program->word / sizeof program->word[0], WORD_LEN = 0x10 };
    assert_true(program->num_words < CAPACITY);
    uint8_t *word = program->word[program->num_words++];
    memset(word, 0, TRN_INST_BYTES);
    trn_common_opcode_set(word, program->isa, opcode);
    trn_common_inst_word_len_set(word, program->isa, WORD_LEN);
    return word;
}

void set_wait(uint8_t *word, uint8_t mode, uint8_t index, uint32_t value)
{
    trn_common_wait_mode_set(word, 0, mode);
    trn_common_wait_idx_set(word, 0, index);
    trn_common_semaphore_value_set(word, 0, value);
}

void set_update(uint8_t *word, uint8_t mode, uint8_t index, uint32_t value)
{
    trn_common_update_mode_set(word, 0, mode);
    trn_common_update_idx_set(word, 0, index);
    trn_common_semaphore_value_set(word, 0, value);
}

void add_move(struct program *program, uint8_t reg, uint32_t value)
{
    uint8_t *word = add(program, TRN_OPCODE_MOVE);
    trn_ctrl_mv_num_mov_set(word, program->isa, 1);
    trn_ctrl_mv_dtype_set(word, program->isa, TRN_DTYPE_UINT32);
    trn_ctrl_mv_move_source_set(word, program->isa, TRN_DATA_SRC_IMMEDIATE);
    trn_ctrl_mv_dst_registers_ref(word, program->isa)[0] = reg;
    trn_put32(trn_ctrl_mv_immediate_ref(word, program->isa), value);
}

uint8_t *add_branch(struct program *program, uint8_t compare, uint8_t reg, uint32_t immediate,
                    int32_t words)
{
    uint8_t *word = add(program, TRN_OPCODE_COMPARE_BRANCH);
    trn_ctrl_br_compare_op_set(word, program->isa, compare);
    trn_ctrl_br_dtype_set(word, program->isa, TRN_DTYPE_INT32);
    trn_ctrl_br_target_mode_set(word, program->isa, TRN_BR_TARGET_MODE_REL_IMMEDIATE);
    trn_ctrl_br_cmp_reg0_set(word, program->isa, reg);
    trn_ctrl_br_cmp_immediate_set(word, program->isa, immediate);
    trn_ctrl_br_br_immediate_set(word, program->isa, (uint32_t)(words * TRN_INST_BYTES));
    return word;
}

struct fixture open_core(const struct trn_gen *gen, const struct trn_device_options *options)
{
    struct fixture core = {.gen = gen};
    struct trn_diag diag = {.status = TRN_OK};
    if (trn_device_create(gen, options, &core.device, &diag) != TRN_OK)
        fail_msg("%s", diag.message);
    return core;
}

void close_core(struct fixture *core)
{
    trn_device_destroy(core->device);
}

uint64_t queue_of(int engine)
{
    return UINT64_C(0x1000000) * ((unsigned)engine + 1);
}

void start(struct fixture *core, int engine, const struct program *program)
{
    const struct trn_bus *bus = trn_device_bar4(core->device);
    const uint64_t address = queue_of(engine) - trn_device_hbm_base(core->device);
    assert_int_equal(
        bus->write_block(bus->context, address, program->word, program->num_words * TRN_INST_BYTES),
        TRN_OK);
    assert_int_equal(trn_device_start(core->device, engine, queue_of(engine)), TRN_OK);
}

enum trn_run_status run(struct fixture *core, uint64_t limit)
{
    assert_int_equal(trn_device_run(core->device, limit, &core->report), TRN_OK);
    return core->report.status;
}

uint32_t reg_of(const struct fixture *core, int engine, unsigned index)
{
    return trn_device_register(core->device, engine, index);
}

uint32_t sem_of(const struct fixture *core, unsigned index)
{
    return trn_device_semaphore(core->device, index);
}

static uint64_t evt_sem(const struct fixture *core)
{
    return core->gen->bar0_tpb + core->gen->bar_evt_sem;
}

void set_sem(struct fixture *core, unsigned index, uint32_t value)
{
    const struct trn_bus *bus = trn_device_bar0(core->device);
    assert_int_equal(bus->write32(bus->context, evt_sem(core) + 0x1400 + 4 * index, value), TRN_OK);
}

void set_event(struct fixture *core, unsigned index, bool value)
{
    const struct trn_bus *bus = trn_device_bar0(core->device);
    assert_int_equal(bus->write32(bus->context, evt_sem(core) + 4 * index, value), TRN_OK);
}

uint32_t hbm32(struct fixture *core, uint64_t offset)
{
    const struct trn_bus *bus = trn_device_bar4(core->device);
    uint32_t value = 0;
    assert_int_equal(bus->read32(bus->context, offset, &value), TRN_OK);
    return value;
}

void expect_fault(const struct fixture *core, int engine, const char *klass, const char *rule)
{
    assert_int_equal(core->report.status, TRN_RUN_FAULT);
    assert_int_equal(core->report.num_faults, 1);
    assert_int_equal(core->report.faults[0].engine, engine);
    assert_string_equal(core->report.faults[0].klass, klass);
    if (rule)
        assert_string_equal(core->report.faults[0].rule, rule);
    assert_true(core->report.faults[0].message[0] != '\0');
}
