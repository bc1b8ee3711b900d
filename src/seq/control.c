/* SPDX-License-Identifier: Apache-2.0 */
/* Which control opcode is executed by what, and what the effects share. */
#include "seq/control.h"

#include "trench/enums.h"

trn_control trn_control_handler(uint8_t opcode)
{
    switch (opcode) {
    case TRN_OPCODE_NOP:
    case TRN_OPCODE_ENGINE_NOP:
    case TRN_OPCODE_DRAIN:           /* every word completes before the next issues */
    case TRN_OPCODE_EVENT_SEMAPHORE: /* all of it is waits and updates */
        return trn_word_nothing;
    case TRN_OPCODE_HALT:
        return trn_word_halt;
    case TRN_OPCODE_INSTRUCTION_FLUSH:
        return trn_word_instruction_flush;
    case TRN_OPCODE_NOTIFY:
        return trn_word_notify;
    case TRN_OPCODE_SET_ORDERING_MODE:
        return trn_word_set_ordering_mode;
    case TRN_OPCODE_COMPARE_BRANCH:
        return trn_word_compare_branch;
    case TRN_OPCODE_BRANCH_PREFETCH_HINT:
        return trn_word_branch_prefetch_hint;
    case TRN_OPCODE_MOVE:
        return trn_word_move;
    case TRN_OPCODE_MOVE_SHAPE:
        return trn_word_move_shape;
    case TRN_OPCODE_ALU_OP:
        return trn_word_alu_op;
    case TRN_OPCODE_EVENT_SEMAPHORE_RANGE_CLEAR:
        return trn_word_range_clear;
    case TRN_OPCODE_POLL_SEM:
        return trn_word_poll_sem;
    case TRN_OPCODE_TEST_EVENT_SEM:
        return trn_word_test_event_sem;
    case TRN_OPCODE_WRITE:
        return trn_word_write;
    case TRN_OPCODE_TENSOR_LOAD:
        return trn_word_tensor_load;
    case TRN_OPCODE_TENSOR_STORE:
        return trn_word_tensor_store;
    case TRN_OPCODE_DMAMEMCPY:
    case TRN_OPCODE_DMA_INDIRECT:
    case TRN_OPCODE_DMA_TRANSPOSE:
    case TRN_OPCODE_DMA_GATHER_TRANSPOSE:
    case TRN_OPCODE_DMA_MEMCPY2:
    case TRN_OPCODE_DMA_IMMEDIATE:
        return trn_word_dma;
    default:
        return NULL;
    }
}

/* The word's events gate its issue; the transfer posts its own completion (sync.md 5). */
trn_status trn_word_dma(struct trn_seq *seq, const uint8_t *word)
{
    if (seq->core->dma)
        return seq->core->dma(seq->core->context, seq, word);
    return trn_seq_fault(seq, TRN_FAULT_NOT_MODELLED, NULL, "nothing generates descriptors here");
}

static trn_status bad_register(struct trn_seq *seq, const char *rule, uint32_t number)
{
    return trn_seq_fault(seq, TRN_FAULT_ILLEGAL_INSTRUCTION, rule,
                         "register %u does not exist; 0..63, 128 and 129 do", number);
}

trn_status trn_seq_read_register(struct trn_seq *seq, uint32_t number, uint32_t *value)
{
    return trn_reg_read(&seq->regs, number, value)
               ? TRN_OK
               : bad_register(seq, "is_valid_register_read", number);
}

trn_status trn_seq_write_register(struct trn_seq *seq, uint32_t number, uint32_t value)
{
    return trn_reg_write(&seq->regs, number, value)
               ? TRN_OK
               : bad_register(seq, "is_valid_register_write", number);
}

static trn_status access_fault(struct trn_seq *seq, trn_status status, const char *verb,
                               uint64_t address, size_t size)
{
    const char *why = status == TRN_ERR_INVALID
                          ? "registers take aligned 4-byte accesses only"
                          : "no memory and no register block owns all of these bytes";
    return trn_seq_fault(seq, TRN_FAULT_ADDRESS, NULL, "cannot %s %zu bytes at 0x%llx: %s", verb,
                         size, (unsigned long long)address, why);
}

trn_status trn_seq_load(struct trn_seq *seq, uint64_t address, void *data, size_t size)
{
    const struct trn_origin who = {.engine = seq->engine, .pc = seq->regs.pc};
    trn_seq_choice(seq, TRN_CHOICE_DIRECT_ADDRESS);
    const trn_status status = trn_soc_read(seq->core->soc, address, data, size, who);
    return status == TRN_OK ? TRN_OK : access_fault(seq, status, "read", address, size);
}

trn_status trn_seq_store(struct trn_seq *seq, uint64_t address, const void *data, size_t size)
{
    const struct trn_origin who = {.engine = seq->engine, .pc = seq->regs.pc};
    trn_seq_choice(seq, TRN_CHOICE_DIRECT_ADDRESS);
    trn_seq_inputs_read(seq);
    const trn_status status = trn_soc_write(seq->core->soc, address, data, size, who);
    return status == TRN_OK ? TRN_OK : access_fault(seq, status, "write", address, size);
}
