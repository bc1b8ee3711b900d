/* SPDX-License-Identifier: Apache-2.0 */
/* EVENT_SEMAPHORE_RANGE_CLEAR, POLL_SEM and TEST_EVENT_SEM (sync.md 6). */
#include "isa_fields.h"
#include "seq/control.h"
#include "trench/enums.h"

/* Clears semaphores; events stay, because both mode names speak of semaphores (model choice). */
trn_status trn_word_range_clear(struct trn_seq *seq, const uint8_t *word)
{
    const unsigned isa = seq->core->gen->isa;
    const unsigned first = trn_ctrl_er_range_first(word, isa);
    const unsigned last = trn_ctrl_er_range_last(word, isa);
    const uint8_t *mask = trn_ctrl_er_mask(word, isa);
    const bool by_mask = trn_ctrl_er_clear_mode(word, isa) == TRN_RANGE_CLEAR_MODE_BITMASK;
    trn_seq_choice(seq, TRN_CHOICE_RANGE_CLEAR_EVENTS);
    trn_seq_inputs_read(seq);
    if (!by_mask && first > last)
        seq->empty_ranges++;
    for (unsigned id = 0; id < TRN_NUM_SEMAPHORES; id++) {
        const bool in_mask = trn_bits_get(trn_get32(mask + id / 32 * 4), id % 32, 1) != 0;
        if (by_mask ? in_mask : id >= first && id <= last)
            trn_sync_clear(seq->core->sync, seq->engine, (uint8_t)id);
    }
    return TRN_OK;
}

enum { MAX_POLL = 16 };

/* Fold n words at an address; a result that is not 0 is written n times to the write-back address
 * (normally the decrement window, which lowers all n semaphores by their minimum). */
trn_status trn_word_poll_sem(struct trn_seq *seq, const uint8_t *word)
{
    const unsigned isa = seq->core->gen->isa;
    const unsigned n = trn_ctrl_poll_sem_n_read(word, isa);
    const uint8_t op = trn_ctrl_poll_sem_op(word, isa);
    uint8_t words[4 * MAX_POLL];
    if (n < 1 || n > MAX_POLL)
        return trn_seq_fault(seq, TRN_FAULT_ILLEGAL_INSTRUCTION, "ctrl_poll_sem",
                             "n_read is %u; 1 to 16 is legal", n);
    trn_status status = trn_seq_load(seq, trn_ctrl_poll_sem_addr(word, isa), words, 4 * n);
    if (status != TRN_OK)
        return status;
    uint64_t fold = trn_get32(words);
    for (unsigned i = 1; i < n; i++)
        if (trn_scalar_alu(op, 32, !seq->core->sync->compare_unsigned, fold,
                           trn_get32(words + 4 * i), &fold) != TRN_OK)
            return trn_seq_fault(seq, TRN_FAULT_ASSERTION, NULL,
                                 "POLL_SEM cannot fold with operator 0x%02x", op);
    if (fold != 0) {
        for (unsigned i = 0; i < n; i++)
            trn_put32(words + 4 * i, (uint32_t)fold);
        status = trn_seq_store(seq, trn_ctrl_poll_sem_res_writeback_addr(word, isa), words, 4 * n);
    }
    if (status != TRN_OK)
        return status;
    return trn_seq_write_register(seq, trn_ctrl_poll_sem_result(word, isa), (uint32_t)fold);
}

/* ---- TEST_EVENT_SEM: slots in order, never blocks (model choice) ----------------------- */

static trn_status read_slot(struct trn_seq *seq, bool event, uint8_t id, uint8_t reg)
{
    return trn_seq_write_register(seq, reg, trn_sync_look(seq->core->sync, !event, id));
}

/* A register-form update takes the slot's register as its operand. */
static trn_status update_slot(struct trn_seq *seq, bool event, uint8_t type, uint8_t id,
                              uint8_t reg)
{
    struct trn_update update;
    const bool known = trn_update_decode(type, id, reg, &seq->regs, &update);
    const bool fits = update.when == TRN_UPDATE_NEVER || (update.what == TRN_UPDATE_EVENT) == event;
    if (!known || !fits)
        return trn_seq_fault(seq, TRN_FAULT_ILLEGAL_INSTRUCTION, "test_es_update",
                             "update mode 0x%02x does not fit the mode of TEST_EVENT_SEM", type);
    if (update.when != TRN_UPDATE_NEVER)
        trn_update_apply(seq->core->sync, seq->engine, &update);
    return TRN_OK;
}

trn_status trn_word_test_event_sem(struct trn_seq *seq, const uint8_t *word)
{
    const unsigned isa = seq->core->gen->isa;
    const uint8_t mode = trn_ctrl_test_es_mode(word, isa);
    const uint8_t *ids = trn_ctrl_test_es_evt_sem_ids(word, isa);
    const uint8_t *regs = trn_ctrl_test_es_value_registers(word, isa);
    const uint8_t type = trn_ctrl_test_es_update_type(word, isa);
    const bool event =
        mode == TRN_TEST_EVT_SEM_MODE_READ_EVT || mode == TRN_TEST_EVT_SEM_MODE_UPDATE_EVT;
    const bool update =
        mode == TRN_TEST_EVT_SEM_MODE_UPDATE_SEM || mode == TRN_TEST_EVT_SEM_MODE_UPDATE_EVT;
    if (mode == TRN_TEST_EVT_SEM_MODE_COND_UPDATE_SEM)
        return trn_seq_fault(seq, TRN_FAULT_MISSING_SPECIFICATION, "NO_SEMANTICS",
                             "what the conditional update of TEST_EVENT_SEM does is not known");
    if (event && seq->core->gen->wide_events)
        return trn_seq_fault(seq, TRN_FAULT_ILLEGAL_INSTRUCTION, "is_valid_enum",
                             "%s has no event modes", seq->core->gen->name);
    trn_seq_choice(seq, TRN_CHOICE_TEST_EVENT_SEM_ORDER);
    if (update)
        trn_seq_inputs_read(seq);
    trn_status status = TRN_OK;
    for (unsigned i = 0; i < trn_ctrl_test_es_num_evt_sem(word, isa) && status == TRN_OK; i++)
        status = update ? update_slot(seq, event, type, ids[i], regs[i])
                        : read_slot(seq, event, ids[i], regs[i]);
    return status;
}
