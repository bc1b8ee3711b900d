/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a sequencer: reset, boot, start, one word after another, stop (sequencer.md 2, 3, 5).
 */
#include "seq/seq.h"

#include <string.h>

#include "isa_fields.h"
#include "mem/store.h"
#include "seq/control.h"
#include "trench/enums.h"

/* ---- reset, boot, start --------------------------------------------------------------- */

enum { Q7_CORES = 8 };

/* POOL has eight more cores, which the host releases by a register where the generation has one
 * (hal-stpb.md 14.1). */
static bool has_q7_cores(const struct trn_seq *seq)
{
    return seq->engine == TRN_NEURON_ENGINE_POOL && seq->core->gen->has_q7_csr_release;
}

trn_status trn_seq_create(struct trn_seq *seq, const struct trn_core *core, int engine)
{
    *seq = (struct trn_seq){.core = core, .engine = engine, .state = TRN_SEQ_STALLED};
    seq->decoded = trn_reserve(TRN_FETCH_CACHE_WORDS * sizeof *seq->decoded);
    if (!trn_local_create(&seq->local, core->gen) || !seq->decoded) {
        trn_seq_destroy(seq);
        return TRN_ERR_NO_MEMORY;
    }
    seq->exec = (struct trn_exec){.gen = core->gen,
                                  .engine = engine,
                                  .mem = core->mem,
                                  .regs = &seq->regs,
                                  .state = core->state,
                                  .workers = core->workers,
                                  .choices = core->choices,
                                  .kernel_line = core->kernel_line,
                                  .kernel_context = core->context,
                                  .fault = &seq->fault};
    seq->q7_held = has_q7_cores(seq);
    trn_dispatch_build(&seq->dispatch, core->gen, engine);
    return TRN_OK;
}

void trn_seq_destroy(struct trn_seq *seq)
{
    trn_local_destroy(&seq->local);
    trn_unreserve(seq->decoded, TRN_FETCH_CACHE_WORDS * sizeof *seq->decoded);
    seq->decoded = NULL;
}

/* The host holds the engine: what the core itself keeps is lost, and so is a start not yet taken.
 */
static void hold_in_reset(struct trn_seq *seq)
{
    const struct trn_gen *gen = seq->core->gen;
    seq->state = TRN_SEQ_STALLED;
    seq->halting = seq->announced = seq->admitted = seq->released = false;
    seq->posting = seq->dying = false;
    seq->error_word = 0;
    seq->severity = TRN_SEVERITY_NONE;
    if (seq->core->forget)
        seq->core->forget(seq->core->context, seq->engine);
    trn_local_set(&seq->local, gen->local_start_ctrl, 0);
    trn_local_set(&seq->local, gen->local_run_state, TRN_RUN_STATE_IDLE);
    trn_local_set(&seq->local, gen->local_halt_ctrl, 0);
    trn_seq_attend(seq);
}

void trn_seq_reset(struct trn_seq *seq)
{
    hold_in_reset(seq);
    trn_local_reset(&seq->local, seq->core->gen);
    memset(&seq->regs, 0, sizeof seq->regs);
    seq->retired = 0;
    seq->started = false;
    seq->last = NULL;
    seq->loop = (struct trn_loop){0};
    seq->fault = (struct trn_fault){.klass = TRN_FAULT_NONE};
    seq->q7_held = has_q7_cores(seq);
    trn_seq_flush(seq);
    trn_seq_attend(seq);
}

/* A block size must be one of the five that firmware knows (sequencer.md 4.2). */
static bool block_size_known(const struct trn_seq *seq)
{
    const uint16_t place = seq->core->gen->local_block_size;
    const uint32_t size = place ? trn_local_get(&seq->local, place) : 0;
    return size == 0 || size == 1024 || size == 2048 || size == 4096 || size == 8192 ||
           size == 16384;
}

static void boot(struct trn_seq *seq)
{
    memset(&seq->regs, 0, sizeof seq->regs); /* model choice: registers reset to 0 */
    seq->retired = 0;
    seq->started = false;
    seq->loop = (struct trn_loop){0};
    seq->fault = (struct trn_fault){.klass = TRN_FAULT_NONE};
    trn_seq_flush(seq);
    seq->state = TRN_SEQ_IDLE;
    if (!block_size_known(seq)) {
        trn_seq_fault(seq, TRN_FAULT_ASSERTION, NULL,
                      "the instruction cache block size must be 1, 2, 4, 8 or 16 KiB");
        trn_seq_die(seq);
    }
}

static bool start_requested(const struct trn_seq *seq)
{
    return trn_local_get(&seq->local, seq->core->gen->local_start_ctrl) != 0;
}

/* enter_run and resume of sequencer.md 2.4 and 3.2. */
static void take_start(struct trn_seq *seq)
{
    const struct trn_gen *gen = seq->core->gen;
    if (gen->has_hw_decode)
        seq->steps_left = trn_local_get(&seq->local, TRN_LOCAL_BREAK_STEP);
    seq->matches[0] = seq->matches[1] = 0;
    trn_local_set(&seq->local, gen->local_start_ctrl, 0);
    trn_local_set(&seq->local, gen->local_run_state, TRN_RUN_STATE_RUNNING);
    if (seq->state != TRN_SEQ_PAUSED)
        seq->start_pc = seq->regs.pc =
            trn_local_get64(&seq->local, gen->local_start_lo, gen->local_start_hi);
    seq->loop = (struct trn_loop){0};
    seq->started = true;
    seq->state = TRN_SEQ_RUNNING;
    trn_seq_attend(seq);
}

bool trn_seq_runnable(const struct trn_seq *seq)
{
    if (seq->q7_held) /* POOL takes no start and no word before both releases */
        return false;
    switch (seq->state) {
    case TRN_SEQ_RUNNING:
    case TRN_SEQ_WAITING:
        return true;
    case TRN_SEQ_IDLE:
    case TRN_SEQ_HALTED:
    case TRN_SEQ_PAUSED:
        return start_requested(seq);
    case TRN_SEQ_STALLED:
    case TRN_SEQ_POSTING:
    case TRN_SEQ_FAULTED:
    case TRN_SEQ_BREAK:
        break;
    }
    return false;
}

/* ---- one word ------------------------------------------------------------------------- */

enum { LANES = 2 }; /* EVENT_SEMAPHORE has a second wait and update */

struct trn_sync_block {
    size_t lanes;
    struct trn_wait wait[LANES];
    struct trn_update update[LANES];
};

/* The waits and updates of a word. Register operands are read now: a word's own result does not
 * change what it waits for or posts. */
static trn_status read_sync(struct trn_seq *seq, const uint8_t *word, struct trn_sync_block *sync)
{
    const unsigned isa = seq->core->gen->isa;
    const uint32_t value = trn_common_semaphore_value(word, isa);
    bool ok = trn_wait_decode(trn_common_wait_mode(word, isa), trn_common_wait_idx(word, isa),
                              value, &seq->regs, isa, &sync->wait[0]) &&
              trn_update_decode(trn_common_update_mode(word, isa), trn_common_update_idx(word, isa),
                                value, &seq->regs, &sync->update[0]);
    sync->lanes = 1;
    if (seq->opcode == TRN_OPCODE_EVENT_SEMAPHORE) {
        ok = ok &&
             trn_wait_decode(
                 trn_ctrl_es_ext_wait_mode(word, isa), trn_ctrl_es_ext_wait_idx(word, isa),
                 trn_ctrl_es_ext_wait_value(word, isa), &seq->regs, isa, &sync->wait[1]) &&
             trn_update_decode(
                 trn_ctrl_es_ext_update_mode(word, isa), trn_ctrl_es_ext_update_idx(word, isa),
                 trn_ctrl_es_ext_update_value(word, isa), &seq->regs, &sync->update[1]);
        sync->lanes = 2;
    }
    return ok ? TRN_OK
              : trn_seq_fault(seq, TRN_FAULT_ILLEGAL_INSTRUCTION, "event_reg_modes",
                              "a wait or update names a register that does not exist");
}

/* Whether the outcome of a wait rests on a choice: a signed and an unsigned compare may differ. */
static void count_choices(struct trn_seq *seq, const struct trn_wait *wait)
{
    const uint32_t value = seq->core->sync->semaphore[wait->index];
    if (wait->on == TRN_WAIT_SEMAPHORE && (int32_t)(value | wait->threshold) < 0)
        trn_seq_choice(seq, TRN_CHOICE_SEMAPHORE_SIGNED);
    if (wait->unordered)
        trn_seq_choice(seq, TRN_CHOICE_UNORDERED_WAIT);
    if (wait->offset)
        trn_seq_choice(seq, TRN_CHOICE_WAIT_REGISTER_OFFSET);
}

/* Whether the word changes what it waits on: a lock, a P operation. */
static bool takes(const struct trn_sync_block *block, const struct trn_wait *wait)
{
    bool found = wait->toggles;
    for (size_t i = 0; i < block->lanes; i++) {
        const struct trn_update *update = &block->update[i];
        found = found || (update->when != TRN_UPDATE_NEVER && update->index == wait->index &&
                          (update->what == TRN_UPDATE_EVENT) == (wait->on == TRN_WAIT_EVENT));
    }
    return found;
}

static void watch_waits(const struct trn_seq *seq, const struct trn_sync_block *block,
                        const struct trn_sync_watch *watch)
{
    bool early = false;
    for (size_t i = 0; i < block->lanes; i++)
        early = early || block->update[i].when == TRN_UPDATE_READ;
    watch->begin(watch->context, seq->engine, early);
    for (size_t i = 0; i < block->lanes; i++)
        if (block->wait[i].on != TRN_WAIT_NOTHING)
            watch->passed(watch->context, &block->wait[i], takes(block, &block->wait[i]));
}

/* All waits hold: apply their event side effects in one step with the test. Else remember which
 * one does not. */
static bool pass_waits(struct trn_seq *seq, const struct trn_sync_block *block)
{
    struct trn_sync *sync = seq->core->sync;
    for (size_t i = 0; i < block->lanes; i++) {
        if (!trn_wait_holds(sync, &block->wait[i])) {
            seq->blocked_on = block->wait[i];
            seq->state = TRN_SEQ_WAITING;
            return false;
        }
    }
    for (const struct trn_sync_watch *watch = sync->watch; watch; watch = watch->next)
        watch_waits(seq, block, watch);
    for (size_t i = 0; i < block->lanes; i++) {
        count_choices(seq, &block->wait[i]);
        trn_wait_pass(sync, &block->wait[i]);
    }
    seq->state = TRN_SEQ_RUNNING;
    return true;
}

static void apply_updates(struct trn_seq *seq, const struct trn_sync_block *block,
                          enum trn_update_time when)
{
    for (size_t i = 0; i < block->lanes; i++)
        if (block->update[i].when == when)
            trn_update_apply(seq->core->sync, seq->engine, &block->update[i]);
}

void trn_seq_inputs_read(struct trn_seq *seq)
{
    if (seq->reading)
        apply_updates(seq, seq->reading, TRN_UPDATE_READ);
    seq->reading = NULL;
}

/* What a word met is told when it is done; a word that is refused met nothing. */
static void tell_numeric(struct trn_seq *seq, trn_status status)
{
    const uint32_t met = seq->exec.numeric_met;
    if (!met)
        return;
    seq->exec.numeric_met = 0;
    if (status == TRN_OK)
        seq->core->numeric(seq->core->context, seq, met);
}

static trn_status execute(struct trn_seq *seq, const struct trn_decoded *decoded)
{
    const struct trn_core *const core = seq->core;
    if (!decoded->slot->follows)
        trn_workers_settle(core->workers);
    if (decoded->slot->kind == TRN_SLOT_CONTROL)
        return decoded->slot->control(seq, decoded->word);
    seq->exec.word = decoded->word;
    if (core->numeric_wanted)
        seq->exec.numeric_wanted = core->numeric_wanted(core->context, seq->engine);
    const trn_status status = decoded->slot->engine(&seq->exec);
    if (seq->exec.numeric_wanted)
        tell_numeric(seq, status);
    if (status != TRN_OK && seq->fault.klass == TRN_FAULT_NONE)
        return trn_seq_fault(seq, TRN_FAULT_ASSERTION, NULL, "the model could not go on: %s",
                             trn_status_name(status));
    return status;
}

static bool commands(uint8_t command, uint8_t one, uint8_t other)
{
    return command == one || command == other;
}

static void announce(struct trn_seq *seq, const struct trn_decoded *decoded)
{
    const unsigned isa = seq->core->gen->isa;
    const uint8_t *word = decoded->word;
    if (!seq->announced &&
        commands(trn_common_debug_cmd(word, isa), TRN_DEBUG_CMD_START, TRN_DEBUG_CMD_START_END))
        trn_seq_tell(seq,
                     (struct trn_seq_record){.kind = TRN_SEQ_START,
                                             .datapath = decoded->slot->kind == TRN_SLOT_ENGINE,
                                             .debug_hint = trn_common_debug_hint(word, isa)});
    seq->announced = true;
}

/* A word other than NOTIFY that asks for an explicit record. Its payload is 0, or with INS_FIELD
 * what NOTIFY has there (model choice: isa-core.md 1 gives the bit's name only). */
static void notify(struct trn_seq *seq, const uint8_t *word, bool from_field)
{
    enum { HALF = 16 };
    const unsigned isa = seq->core->gen->isa;
    const uint32_t payload = from_field ? trn_ctrl_no_notify_payload(word, isa) : 0;
    trn_seq_choice(seq, TRN_CHOICE_DEBUG_CMD_NOTIFY);
    trn_seq_tell(seq, (struct trn_seq_record){
                          .kind = TRN_SEQ_EXPLICIT,
                          .debug_hint = trn_common_debug_hint(word, isa),
                          .soft_reset_counter = (uint16_t)trn_bits_get(payload, 0, HALF),
                          .debug_hint_extended = (uint16_t)trn_bits_get(payload, HALF, HALF)});
}

/* `datapath`: an engine did it, not the sequencer. */
static void conclude(struct trn_seq *seq, const uint8_t *word, bool datapath)
{
    const unsigned isa = seq->core->gen->isa;
    const uint8_t command = trn_common_debug_cmd(word, isa);
    if (command == TRN_DEBUG_CMD_NONE)
        return;
    if (commands(command, TRN_DEBUG_CMD_NOTIFY, TRN_DEBUG_CMD_INS_FIELD))
        notify(seq, word, command == TRN_DEBUG_CMD_INS_FIELD);
    if (commands(command, TRN_DEBUG_CMD_END, TRN_DEBUG_CMD_START_END))
        trn_seq_tell(seq, (struct trn_seq_record){.kind = TRN_SEQ_END,
                                                  .datapath = datapath,
                                                  .debug_hint = trn_common_debug_hint(word, isa)});
}

static void note_loop(struct trn_seq *seq)
{
    struct trn_loop *loop = &seq->loop;
    if (seq->next_pc > seq->regs.pc)
        return;
    const bool same = loop->first == seq->next_pc && loop->last == seq->regs.pc;
    *loop = (struct trn_loop){seq->next_pc, seq->regs.pc, same ? loop->count + 1 : 1};
}

/* HALT took effect: pause or stop, with the address of the next word (sequencer.md 3.2, 3.3). */
static void finish_halt(struct trn_seq *seq)
{
    seq->halting = false;
    if (!seq->pause_on_halt) {
        trn_seq_setup_halt(seq, TRN_STOP_HALT);
        return;
    }
    seq->state = TRN_SEQ_PAUSED;
    trn_local_set(&seq->local, seq->core->gen->local_run_state, TRN_RUN_STATE_PAUSED);
}

/* sequencer.md 5.4, in its order. */
static enum trn_step run_word(struct trn_seq *seq, const struct trn_decoded *decoded)
{
    struct trn_sync_block sync;
    announce(seq, decoded);
    if (seq->posting) {
        seq->state = TRN_SEQ_POSTING;
        return TRN_STEP_BLOCKED;
    }
    if (read_sync(seq, decoded->word, &sync) != TRN_OK)
        return trn_seq_die(seq);
    if (!pass_waits(seq, &sync))
        return TRN_STEP_BLOCKED;
    /* A word that flushes the decoded ones loses its own slot; the word itself stays. */
    const bool datapath = decoded->slot->kind == TRN_SLOT_ENGINE;
    seq->next_pc = seq->regs.pc + TRN_WORD_BYTES;
    seq->reading = &sync;
    const trn_status status = execute(seq, decoded);
    if (status == TRN_OK)
        trn_seq_inputs_read(seq);
    seq->reading = NULL;
    if (status != TRN_OK)
        return trn_seq_die(seq);
    apply_updates(seq, &sync, TRN_UPDATE_COMPLETE);
    conclude(seq, decoded->word, datapath);
    note_loop(seq);
    seq->retired++;
    seq->last = decoded;
    seq->regs.pc = seq->next_pc;
    seq->announced = seq->admitted = seq->released = false;
    if (seq->posting)
        seq->state = TRN_SEQ_POSTING;
    else if (seq->halting)
        finish_halt(seq);
    return TRN_STEP_RETIRED;
}

void trn_seq_posted(struct trn_seq *seq)
{
    seq->posting = false;
    if (seq->state != TRN_SEQ_POSTING)
        return;
    seq->state = TRN_SEQ_RUNNING;
    if (seq->dying)
        trn_seq_die(seq);
    else if (seq->halting)
        finish_halt(seq);
}

enum trn_step trn_seq_step(struct trn_seq *seq)
{
    if (!trn_seq_runnable(seq))
        return TRN_STEP_STOPPED;
    if (seq->state != TRN_SEQ_RUNNING && seq->state != TRN_SEQ_WAITING)
        take_start(seq);
    if (seq->attention && !trn_seq_admit_address(seq))
        return TRN_STEP_STOPPED;
    const struct trn_decoded *decoded = trn_seq_fetch(seq);
    if (!decoded)
        return trn_seq_die(seq);
    if (seq->attention && !trn_seq_admit_word(seq))
        return TRN_STEP_STOPPED;
    return run_word(seq, decoded);
}

/* ---- the host's side ------------------------------------------------------------------ */

uint32_t trn_seq_local_read(const struct trn_seq *seq, uint32_t offset)
{
    return trn_local_read(&seq->local, seq->core->gen, offset);
}

/* In the middle of a program: the fetch path must not change now. */
static bool in_program(const struct trn_seq *seq)
{
    return seq->state == TRN_SEQ_RUNNING || seq->state == TRN_SEQ_WAITING ||
           seq->state == TRN_SEQ_POSTING || seq->state == TRN_SEQ_BREAK;
}

/* What a write leaves in the register: disable_hw_decode may only change while the engine is halted
 * (hal-stpb.md 11); model choice: a running one keeps it. */
static uint32_t accepted(const struct trn_seq *seq, uint32_t offset, uint32_t old, uint32_t value)
{
    const bool control = seq->core->gen->has_hw_decode && offset == TRN_LOCAL_HW_CONTROL;
    return control && in_program(seq) ? (uint32_t)trn_bits_set(value, 0, 1, trn_bits_get(old, 0, 1))
                                      : value;
}

static void note_stalls(struct trn_seq *seq, uint32_t offset, uint32_t old, uint32_t value)
{
    if (offset == seq->core->gen->local_run_stall && trn_bits_get(value, 0, 1))
        hold_in_reset(seq);
    else if (offset == seq->core->gen->local_run_stall && trn_bits_get(old, 0, 1))
        boot(seq);
    else if (has_q7_cores(seq) && offset == TRN_LOCAL_Q7_STALL)
        seq->q7_held = trn_bits_get(value, 0, Q7_CORES) != 0;
}

void trn_seq_local_write(struct trn_seq *seq, uint32_t offset, uint32_t value)
{
    const struct trn_gen *gen = seq->core->gen;
    const uint32_t old = trn_local_get(&seq->local, offset);
    value = accepted(seq, offset, old, value);
    trn_local_write(&seq->local, gen, offset, value);
    note_stalls(seq, offset, old, value);
    if (gen->has_hw_decode && offset == TRN_LOCAL_INTR_CTRL && value != 0 &&
        trn_local_get(&seq->local, TRN_LOCAL_INTR_INFO) == 1)
        trn_local_set(&seq->local, gen->local_start_ctrl, 1); /* sequencer.md 3.4, model choice */
    trn_seq_attend(seq);
}

trn_status trn_seq_break_at(struct trn_seq *seq, uint64_t pc)
{
    if (seq->num_breaks == TRN_MAX_BREAKS)
        return TRN_ERR_TOO_LARGE;
    seq->breaks[seq->num_breaks++] = pc;
    trn_seq_attend(seq);
    return TRN_OK;
}

void trn_seq_continue(struct trn_seq *seq)
{
    if (seq->state != TRN_SEQ_BREAK)
        return;
    seq->state = TRN_SEQ_RUNNING;
    seq->released = true;
}
