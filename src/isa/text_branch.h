/* SPDX-License-Identifier: Apache-2.0 */
/* The words of the short branch form (isa-core.md 8, BR_CMP_OP and BR_TARGET_MODE). */
#ifndef TRN_ISA_TEXT_BRANCH_H
#define TRN_ISA_TEXT_BRANCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum trn_branch_operands { TRN_BRANCH_NOTHING, TRN_BRANCH_IMMEDIATE, TRN_BRANCH_REGISTERS };

struct trn_branch_test {
    uint8_t compare_op;
    enum trn_branch_operands operands;
    const char *word;
};

/* Row of a compare_op, NULL for values of no member. */
const struct trn_branch_test *trn_branch_test(uint8_t compare_op);

/* compare_op of a word and its kind of operands, -1 when there is none. */
int trn_branch_find(const char *word, size_t length, enum trn_branch_operands operands);

/* "" for INT32, ".uint32", ".fp32"; NULL for a type that a branch does not compare. */
const char *trn_branch_suffix(uint8_t dtype);

/* DTYPE of the suffix with its point, -1 when there is none. */
int trn_branch_dtype(const char *suffix, size_t length);

/* Distance in bytes from word `from` to word `to`; false when it does not fit 32 bits. */
bool trn_branch_distance(size_t from, size_t to, int32_t *offset);

/* Word at a distance in bytes, the end of the stream included; false when it is none. */
bool trn_branch_target(size_t from, int32_t offset, size_t num_words, size_t *to);

#endif
