/* SPDX-License-Identifier: Apache-2.0 */
/* What a sequencer does about an error: which entry point it takes, how the error is packed, raised
 * and latched, and whether the engine lives (docs/hardware/error-handling.md; section numbers are
 * its). */
#include <stdarg.h>
#include <stdio.h>

#include "record_pack.h"
#include "seq/seq.h"
#include "trench/notify.h"

const char *trn_fault_class_name(enum trn_fault_class klass)
{
    static const char *const names[] = {
        [TRN_FAULT_NONE] = "none",
        [TRN_FAULT_BAD_OPCODE] = "bad_opcode",
        [TRN_FAULT_ILLEGAL_INSTRUCTION] = "illegal_instruction",
        [TRN_FAULT_MISSING_SPECIFICATION] = "missing_specification",
        [TRN_FAULT_NOT_MODELLED] = "not_modelled",
        [TRN_FAULT_PC_BOUNDS] = "pc_bounds",
        [TRN_FAULT_ADDRESS] = "address",
        [TRN_FAULT_DIVIDE_BY_ZERO] = "divide_by_zero",
        [TRN_FAULT_ASSERTION] = "assertion",
        [TRN_FAULT_SIGNAL] = "signal",
        [TRN_FAULT_EXCEPTION] = "exception",
    };
    return klass < sizeof names / sizeof names[0] ? names[klass] : "?";
}

trn_status trn_seq_fault(struct trn_seq *seq, enum trn_fault_class klass, const char *rule,
                         const char *format, ...)
{
    struct trn_fault *fault = &seq->fault;
    *fault = (struct trn_fault){.klass = klass, .engine = seq->engine, .pc = seq->regs.pc};
    snprintf(fault->rule, sizeof fault->rule, "%s", rule ? rule : "");
    va_list args;
    va_start(args, format);
    vsnprintf(fault->message, sizeof fault->message, format, args);
    va_end(args);
    return TRN_ERR_FAULT;
}

/* ---- packing and raising (4, 5) ------------------------------------------------------- */

/* The word in user register 0x15 has the body of the record without its error id: subtype, then
 * block, program counter and info (notification-records.md 5.6). */
static uint32_t error_word(const struct trn_seq *seq, uint8_t code, uint8_t aux)
{
    enum { CODE_BITS = 8, REST_BITS = 24 };
    const union trn_record_body body = {
        .tpb_error_sequencer = {.subtype = code,
                                .block_id = trn_record_block_of(seq->engine),
                                .program_counter = (uint16_t)(seq->regs.pc / TRN_WORD_BYTES),
                                .info = aux}};
    union trn_record_body halves;
    trn_record_unpack(TRN_FORM_TPB_ERROR, trn_record_pack(TRN_FORM_TPB_ERROR_SEQUENCER, &body),
                      &halves);
    return (uint32_t)trn_bits_set(halves.tpb_error.metadata_lo, CODE_BITS, REST_BITS,
                                  halves.tpb_error.metadata_hi);
}

void trn_seq_tell(struct trn_seq *seq, struct trn_seq_record record)
{
    record.engine = seq->engine;
    record.pc = seq->regs.pc;
    trn_workers_settle(seq->core->workers); /* the record's place may be where lanes write */
    if (seq->core->record && !seq->core->record(seq->core->context, &record))
        seq->posting = true;
}

static void raise_error(struct trn_seq *seq, struct trn_seq_record record)
{
    record.kind = TRN_SEQ_ERROR;
    seq->error_word = error_word(seq, record.code, record.aux);
    if (record.code == TRN_SUBTYPE_ASSERT && seq->core->assert_as_zero_word) {
        seq->error_word = 0; /* 2, note on assertions: as the disassembly passes it */
        record.code = TRN_SUBTYPE_BAD_OPCODE;
    }
    seq->severity = record.severity;
    trn_seq_tell(seq, record);
}

void trn_seq_raise(struct trn_seq *seq, enum trn_severity severity, uint8_t code, uint8_t aux)
{
    raise_error(seq, (struct trn_seq_record){.severity = severity, .code = code, .aux = aux});
}

/* ---- fatal errors (2, 6) --------------------------------------------------------------- */

enum { INVALID_PC = 0x112 }; /* 2.1: full type of the exception, cause 2 */

/* Record of a fault of the word at the program counter. What has no entry point of its own is
 * reported as an illegal instruction (model choice, 2 and "Model fault class"). */
static struct trn_seq_record entry_of(struct trn_seq *seq)
{
    enum { INFO_BITS = 8 };
    struct trn_seq_record record = {.severity = TRN_SEVERITY_FATAL, .fault = true};
    switch (seq->fault.klass) {
    case TRN_FAULT_DIVIDE_BY_ZERO:
        record.code = TRN_SUBTYPE_INT;
        record.aux = TRN_FP_INFO_DIVZERO;
        break;
    case TRN_FAULT_ASSERTION:
        record.code = TRN_SUBTYPE_ASSERT;
        break;
    case TRN_FAULT_PC_BOUNDS: /* 7.1 */
        trn_seq_choice(seq, TRN_CHOICE_FAULT_AS_ILLEGAL);
        record.code = TRN_SUBTYPE_EXCEPTION;
        record.aux = (uint8_t)trn_bits_get(INVALID_PC, 0, INFO_BITS);
        break;
    case TRN_FAULT_BAD_OPCODE:
    case TRN_FAULT_ILLEGAL_INSTRUCTION:
        record.code = TRN_SUBTYPE_BAD_OPCODE;
        record.aux = seq->opcode;
        break;
    default:
        trn_seq_choice(seq, TRN_CHOICE_FAULT_AS_ILLEGAL);
        record.code = TRN_SUBTYPE_BAD_OPCODE;
        record.aux = seq->opcode;
        break;
    }
    return record;
}

/* The record is out, or there is none. */
static void finish(struct trn_seq *seq)
{
    seq->dying = false;
    trn_seq_setup_halt(seq, TRN_STOP_FATAL);
    trn_local_set(&seq->local, seq->core->gen->local_run_state, TRN_RUN_STATE_FATAL);
}

/* 11.1: the record comes before the marker, and a core whose record nobody takes is not dead yet.
 */
static enum trn_step die_with(struct trn_seq *seq, struct trn_seq_record record)
{
    raise_error(seq, record);
    if (seq->posting) {
        seq->dying = true;
        seq->state = TRN_SEQ_POSTING;
    } else {
        finish(seq);
    }
    return TRN_STEP_STOPPED;
}

enum trn_step trn_seq_die(struct trn_seq *seq)
{
    if (!seq->dying)
        return die_with(seq, entry_of(seq));
    finish(seq);
    return TRN_STEP_STOPPED;
}

/* ---- errors from outside of a word (2) --------------------------------------------------- */

/* In a program: an engine that waits for a start has no word to report. */
static bool alive(const struct trn_seq *seq)
{
    return seq->state == TRN_SEQ_RUNNING || seq->state == TRN_SEQ_WAITING ||
           (seq->state == TRN_SEQ_POSTING && !seq->dying);
}

void trn_seq_signal(struct trn_seq *seq, uint8_t number)
{
    if (!alive(seq))
        return;
    trn_seq_fault(seq, TRN_FAULT_SIGNAL, NULL, "the sequencer caught signal %u", number);
    die_with(seq, (struct trn_seq_record){.severity = TRN_SEVERITY_FATAL,
                                          .fault = true,
                                          .code = TRN_SUBTYPE_SIGNAL,
                                          .aux = number});
}

/* 2.1: the causes that the sequencer's own handler takes. */
static bool is_handled(unsigned cause)
{
    enum { INSTRUCTION = 1, EXTERNAL = 3, DEBUG = 4 };
    return cause == INSTRUCTION || cause == EXTERNAL || cause == DEBUG;
}

void trn_seq_exception(struct trn_seq *seq, uint16_t cause)
{
    enum { CAUSE_BITS = 4, INFO_BITS = 8, FULL_BITS = 12 };
    const unsigned full = (unsigned)trn_bits_get(cause, 0, FULL_BITS);
    if (!alive(seq))
        return;
    trn_seq_fault(seq, TRN_FAULT_EXCEPTION, NULL, "hardware exception 0x%03x", full);
    const struct trn_seq_record record = {.severity = TRN_SEVERITY_FATAL,
                                          .fault = true,
                                          .code = TRN_SUBTYPE_EXCEPTION,
                                          .aux = (uint8_t)trn_bits_get(full, 0, INFO_BITS)};
    if (is_handled((unsigned)trn_bits_get(full, 0, CAUSE_BITS)))
        die_with(seq, record);
    else
        finish(seq);
}

void trn_seq_fp_status(struct trn_seq *seq, uint32_t flags)
{
    /* 5: the firmware's map reverses five bits. */
    static const uint8_t masks[] = {TRN_FP_INFO_INEXACT, TRN_FP_INFO_UNDERFLOW,
                                    TRN_FP_INFO_OVERFLOW, TRN_FP_INFO_DIVZERO, TRN_FP_INFO_INVALID};
    for (unsigned i = 0; i < sizeof masks && alive(seq); i++)
        if (trn_bits_get(flags, i, 1))
            trn_seq_raise(seq, TRN_SEVERITY_NONFATAL, TRN_SUBTYPE_FP, masks[i]);
}
