/* SPDX-License-Identifier: Apache-2.0 */
/* Effects of the words that the sequencer executes itself (sequencer.md 7), one function a word.
 * Each returns TRN_OK, or a fault through trn_seq_fault(). */
#ifndef TRN_SEQ_CONTROL_H
#define TRN_SEQ_CONTROL_H

#include "seq/seq.h"

/* flow.c */
trn_status trn_word_nothing(struct trn_seq *seq, const uint8_t *word);
trn_status trn_word_halt(struct trn_seq *seq, const uint8_t *word);
trn_status trn_word_instruction_flush(struct trn_seq *seq, const uint8_t *word);
trn_status trn_word_notify(struct trn_seq *seq, const uint8_t *word);
trn_status trn_word_set_ordering_mode(struct trn_seq *seq, const uint8_t *word);
trn_status trn_word_compare_branch(struct trn_seq *seq, const uint8_t *word);
trn_status trn_word_branch_prefetch_hint(struct trn_seq *seq, const uint8_t *word);
/* registers.c */
trn_status trn_word_move(struct trn_seq *seq, const uint8_t *word);
trn_status trn_word_move_shape(struct trn_seq *seq, const uint8_t *word);
/* scalar_alu.c */
trn_status trn_word_alu_op(struct trn_seq *seq, const uint8_t *word);
/* sync_words.c */
trn_status trn_word_range_clear(struct trn_seq *seq, const uint8_t *word);
trn_status trn_word_poll_sem(struct trn_seq *seq, const uint8_t *word);
trn_status trn_word_test_event_sem(struct trn_seq *seq, const uint8_t *word);
/* memory_words.c */
trn_status trn_word_write(struct trn_seq *seq, const uint8_t *word);
trn_status trn_word_tensor_load(struct trn_seq *seq, const uint8_t *word);
trn_status trn_word_tensor_store(struct trn_seq *seq, const uint8_t *word);
/* control.c: words that move memory by descriptors (docs/hardware/dge.md) */
trn_status trn_word_dma(struct trn_seq *seq, const uint8_t *word);

/* The word has read its inputs: its READ updates fire now, before its first write
 * (sequencer.md 5.4). A handler that writes what updates can reach calls this first; a second call
 * does nothing. */
void trn_seq_inputs_read(struct trn_seq *seq);

/* Accesses of a control word to SoC addresses; an address that no block owns is a fault. */
trn_status trn_seq_load(struct trn_seq *seq, uint64_t address, void *data, size_t size);
trn_status trn_seq_store(struct trn_seq *seq, uint64_t address, const void *data, size_t size);

/*
 * The scalar ALU: `op` on 32- or 64-bit integers, signed or not. Results are cut to `bits`.
 * TRN_ERR_INVALID: no such operator here; TRN_ERR_FAULT: division by zero.
 */
trn_status trn_scalar_alu(uint8_t op, unsigned bits, bool is_signed, uint64_t a, uint64_t b,
                          uint64_t *out);

#endif
