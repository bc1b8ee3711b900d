/* SPDX-License-Identifier: Apache-2.0 */
/* NOP, HALT, INSTRUCTION_FLUSH, NOTIFY, SET_ORDERING_MODE, COMPARE_BRANCH (sequencer.md 7). */
#include "isa_fields.h"
#include "seq/control.h"
#include "trench/enums.h"

trn_status trn_word_nothing(struct trn_seq *seq, const uint8_t *word)
{
    (void)seq, (void)word;
    return TRN_OK;
}

trn_status trn_word_halt(struct trn_seq *seq, const uint8_t *word)
{
    (void)word;
    seq->halting = true;
    return TRN_OK;
}

trn_status trn_word_instruction_flush(struct trn_seq *seq, const uint8_t *word)
{
    (void)word;
    trn_seq_flush(seq);
    return TRN_OK;
}

/* The payload's place and its split are a model choice (isa-core.md 9.5). */
trn_status trn_word_notify(struct trn_seq *seq, const uint8_t *word)
{
    const unsigned isa = seq->core->gen->isa;
    const uint32_t payload = trn_ctrl_no_notify_payload(word, isa);
    const struct trn_seq_record record = {
        .kind = TRN_SEQ_EXPLICIT,
        .debug_hint = trn_common_debug_hint(word, isa),
        .soft_reset_counter = (uint16_t)trn_bits_get(payload, 0, 16),
        .debug_hint_extended = (uint16_t)trn_bits_get(payload, 16, 16)};
    trn_seq_choice(seq, TRN_CHOICE_NOTIFY_LAYOUT);
    trn_seq_tell(seq, record);
    return TRN_OK;
}

/* Strong order asks that every word completes before the next issues. The model always does so;
 * what is left to see is the bit of the control register. */
trn_status trn_word_set_ordering_mode(struct trn_seq *seq, const uint8_t *word)
{
    enum { STRONG = 1, ORDERING_BIT = 1 };
    const struct trn_gen *gen = seq->core->gen;
    if (gen->has_hw_decode) {
        const uint32_t control = trn_local_get(&seq->local, TRN_LOCAL_HW_CONTROL);
        const bool strong = trn_ctrl_om_ordering_mode(word, gen->isa) == STRONG;
        trn_local_set(&seq->local, TRN_LOCAL_HW_CONTROL,
                      (uint32_t)trn_bits_set(control, ORDERING_BIT, 1, strong));
    }
    return TRN_OK;
}

/* Hints never change results, and the model stages nothing (sequencer.md 4.5); what is left of the
 * word is its validity. */
trn_status trn_word_branch_prefetch_hint(struct trn_seq *seq, const uint8_t *word)
{
    return trn_word_nothing(seq, word);
}

/* ---- COMPARE_BRANCH (sequencer.md 7.6) ------------------------------------------------- */

/* -1, 0, 1 for less, equal, greater; 2 when a NaN makes them unordered. */
static int order(uint8_t dtype, uint32_t a, uint32_t b)
{
    if (dtype == TRN_DTYPE_FP32) {
        const float x = trn_bits_f32(a), y = trn_bits_f32(b);
        return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
    }
    if (dtype == TRN_DTYPE_INT32)
        return ((int32_t)a > (int32_t)b) - ((int32_t)a < (int32_t)b);
    return (a > b) - (a < b);
}

/* Any compare with a NaN is false, except NE (model choice of the sheet). */
static bool holds(uint8_t compare, int order)
{
    switch (compare) {
    case TRN_BR_CMP_OP_LT_IMM:
    case TRN_BR_CMP_OP_LT_REG:
        return order == -1;
    case TRN_BR_CMP_OP_LE_IMM:
    case TRN_BR_CMP_OP_LE_REG:
        return order == -1 || order == 0;
    case TRN_BR_CMP_OP_EQ_IMM:
    case TRN_BR_CMP_OP_EQ_REG:
        return order == 0;
    case TRN_BR_CMP_OP_NE_IMM:
    case TRN_BR_CMP_OP_NE_REG:
        return order != 0;
    case TRN_BR_CMP_OP_GE_IMM:
    case TRN_BR_CMP_OP_GE_REG:
        return order == 1 || order == 0;
    case TRN_BR_CMP_OP_GT_IMM:
    case TRN_BR_CMP_OP_GT_REG:
        return order == 1;
    default:
        return false;
    }
}

static trn_status taken(struct trn_seq *seq, const uint8_t *word, bool *out)
{
    const unsigned isa = seq->core->gen->isa;
    const uint8_t compare = trn_ctrl_br_compare_op(word, isa);
    uint32_t left = 0, right = trn_ctrl_br_cmp_immediate(word, isa);
    *out = compare == TRN_BR_CMP_OP_ALWAYS;
    if (*out)
        return TRN_OK;
    trn_status status = trn_seq_read_register(seq, trn_ctrl_br_cmp_reg0(word, isa), &left);
    if (status == TRN_OK && compare >= TRN_BR_CMP_OP_LT_REG)
        status = trn_seq_read_register(seq, trn_ctrl_br_cmp_reg1(word, isa), &right);
    *out = holds(compare, order(trn_ctrl_br_dtype(word, isa), left, right));
    return status;
}

/* A signed 32-bit byte offset from the branch word itself (model choice, README.md 7, 9). */
static uint64_t relative(struct trn_seq *seq, uint32_t offset)
{
    trn_seq_choice(seq, TRN_CHOICE_BRANCH_RELATIVE_BASE);
    return seq->regs.pc + (uint64_t)(int64_t)(int32_t)offset;
}

static trn_status target(struct trn_seq *seq, const uint8_t *word, uint64_t *out)
{
    const unsigned isa = seq->core->gen->isa;
    const uint8_t mode = trn_ctrl_br_target_mode(word, isa);
    const uint64_t immediate = trn_ctrl_br_br_immediate(word, isa);
    uint32_t low = 0, high = 0;
    trn_status status = TRN_OK;
    switch (mode) {
    case TRN_BR_TARGET_MODE_ABS_IMMEDIATE:
        trn_seq_choice(seq, TRN_CHOICE_BRANCH_ABSOLUTE_IMMEDIATE);
        *out = immediate;
        return TRN_OK;
    case TRN_BR_TARGET_MODE_REL_IMMEDIATE:
        *out = relative(seq, (uint32_t)trn_bits_get(immediate, 0, 32));
        return TRN_OK;
    case TRN_BR_TARGET_MODE_REGISTER:
        status = trn_seq_read_register(seq, trn_ctrl_br_target_reg_lo(word, isa), &low);
        if (status == TRN_OK)
            status = trn_seq_read_register(seq, trn_ctrl_br_target_reg_hi(word, isa), &high);
        *out = low | (uint64_t)high << 32;
        return status;
    case TRN_BR_TARGET_MODE_REL_REGISTER:
        status = trn_seq_read_register(seq, trn_ctrl_br_target_reg_lo(word, isa), &low);
        *out = relative(seq, low);
        return status;
    default:
        return trn_seq_fault(seq, TRN_FAULT_ASSERTION, "br_target",
                             "branch target mode %u has no handler", mode);
    }
}

trn_status trn_word_compare_branch(struct trn_seq *seq, const uint8_t *word)
{
    bool take = false;
    uint64_t address = 0;
    trn_status status = taken(seq, word, &take);
    if (status != TRN_OK || !take)
        return status;
    status = target(seq, word, &address);
    if (status == TRN_OK)
        seq->next_pc = address;
    return status;
}
