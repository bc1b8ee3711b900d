/* SPDX-License-Identifier: Apache-2.0 */
/* What words and transfers cost (docs/hardware/timing.md), made from data/timing.csv and
 * data/timing-words.csv. */
#ifndef TRN_TIMING_ROWS_H
#define TRN_TIMING_ROWS_H

#include <stddef.h>

#include "timing_ids.h"
#include "trench/choices.h"
#include "trench/gen.h"

/* A number of each generation. */
struct trn_timing_row {
    const char *id;
    uint32_t value[TRN_GEN_COUNT];
    const char *unit, *sheet;
    const char *confidence[TRN_GEN_COUNT];
    enum trn_choice choice; /* where it is one */
    const char *meaning;
};

/* The first row that fits a word prices it: factor * max(min, n * mul / div + add), where n is the
 * elements of a partition that the word reads (of_output: writes). */
struct trn_timing_word_row {
    const char *id;
    enum trn_timing_engine engine;
    uint8_t generations; /* bit: generation */
    enum trn_timing_when when;
    bool of_output;
    uint32_t mul, div, add, min, factor;
    bool ns;         /* else cycles of the engine's clock */
    bool by_default; /* the sheet has no formula for these words */
    const char *sheet, *confidence;
    enum trn_choice choice; /* TRN_CHOICE_COUNT: none */
    const char *meaning;
    uint8_t num_opcodes; /* 0: every opcode */
    uint8_t opcodes[TRN_TIMING_MAX_OPCODES];
};

extern const struct trn_timing_row trn_timing_rows[TRN_TIMING_NUMBERS];
extern const struct trn_timing_word_row trn_timing_word_rows[];
extern const size_t trn_timing_num_word_rows;

#endif
