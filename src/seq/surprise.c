/* SPDX-License-Identifier: Apache-2.0 */
/* What may stop a word before it executes: the debugger, external requests, breakpoints and the
 * step count (sequencer.md 8), and how a stop is left behind for the host (3.2). */
#include "base/bytes.h"
#include "seq/seq.h"

/* Bits of breakpoint_ctrl and bytes of breakpoint_match (registers.csv, hw_decode). */
enum { STEP_VALID = 3, ADDR0_VALID = 4, IC0_VALID = 6, IMMEDIATE_PAUSE = 8, NUM_POINTS = 2 };

static uint32_t reg(const struct trn_seq *seq, uint32_t offset)
{
    return seq->core->gen->has_hw_decode ? trn_local_get(&seq->local, offset) : 0;
}

static bool control(const struct trn_seq *seq, unsigned bit)
{
    return trn_bits_get(reg(seq, TRN_LOCAL_BREAK_CTRL), bit, 1) != 0;
}

void trn_seq_attend(struct trn_seq *seq)
{
    bool armed = control(seq, STEP_VALID) || control(seq, IMMEDIATE_PAUSE);
    for (unsigned i = 0; i < NUM_POINTS; i++)
        armed = armed || control(seq, ADDR0_VALID + i) || control(seq, IC0_VALID + i);
    seq->attention = armed || seq->num_breaks > 0 ||
                     trn_local_get(&seq->local, seq->core->gen->local_halt_ctrl) != 0;
}

void trn_seq_setup_halt(struct trn_seq *seq, enum trn_stop_reason reason)
{
    const struct trn_gen *gen = seq->core->gen;
    trn_local_set(&seq->local, gen->local_start_lo, (uint32_t)seq->regs.pc);
    trn_local_set(&seq->local, gen->local_start_hi, (uint32_t)(seq->regs.pc >> 32));
    seq->state = reason == TRN_STOP_FATAL ? TRN_SEQ_FAULTED : TRN_SEQ_HALTED;
    seq->reason = reason;
    seq->announced = seq->admitted = seq->released = false;
}

static bool external_request(struct trn_seq *seq)
{
    const uint16_t halt = seq->core->gen->local_halt_ctrl;
    if (trn_local_get(&seq->local, halt) != 0) {
        trn_local_set(&seq->local, halt, 0);
        trn_seq_attend(seq);
        return true;
    }
    return control(seq, IMMEDIATE_PAUSE);
}

static bool address_break(const struct trn_seq *seq)
{
    static const uint32_t low[NUM_POINTS] = {TRN_LOCAL_BREAK_ADDR0, TRN_LOCAL_BREAK_ADDR1};
    for (unsigned i = 0; i < NUM_POINTS; i++)
        if (control(seq, ADDR0_VALID + i) &&
            trn_local_get64(&seq->local, low[i], low[i] + 4) == seq->regs.pc)
            return true;
    return false;
}

/* A counter breaks when its number of matches reaches the programmed value (model choice). */
static bool opcode_break(struct trn_seq *seq)
{
    static const uint32_t count[NUM_POINTS] = {TRN_LOCAL_BREAK_COUNT0, TRN_LOCAL_BREAK_COUNT1};
    bool stop = false;
    for (unsigned i = 0; i < NUM_POINTS; i++) {
        const uint32_t match = reg(seq, TRN_LOCAL_BREAK_MATCH);
        const uint8_t mask = (uint8_t)trn_bits_get(match, 16 * i, 8);
        const uint8_t wanted = (uint8_t)trn_bits_get(match, 16 * i + 8, 8);
        if (control(seq, IC0_VALID + i) && (seq->opcode & mask) == wanted)
            stop = ++seq->matches[i] == reg(seq, count[i]) || stop;
    }
    return stop;
}

static bool debugger_break(const struct trn_seq *seq)
{
    for (size_t i = 0; i < seq->num_breaks; i++)
        if (seq->breaks[i] == seq->regs.pc)
            return true;
    return false;
}

bool trn_seq_admit_address(struct trn_seq *seq)
{
    if (external_request(seq)) {
        trn_seq_setup_halt(seq, TRN_STOP_EXT_BREAK);
        return false;
    }
    if (seq->admitted)
        return true;
    if (!seq->released && debugger_break(seq)) {
        seq->state = TRN_SEQ_BREAK;
        return false;
    }
    if (address_break(seq)) {
        trn_seq_setup_halt(seq, TRN_STOP_INS_BREAK);
        return false;
    }
    return true;
}

bool trn_seq_admit_word(struct trn_seq *seq)
{
    if (seq->admitted)
        return true;
    if (opcode_break(seq)) {
        trn_seq_setup_halt(seq, TRN_STOP_INS_BREAK);
        return false;
    }
    if (control(seq, STEP_VALID) && seq->steps_left == 0) {
        trn_seq_setup_halt(seq, TRN_STOP_STEP_COUNT);
        return false;
    }
    seq->steps_left -= control(seq, STEP_VALID);
    seq->admitted = true;
    return true;
}
