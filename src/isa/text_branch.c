/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/text_branch.h"

#include "isa/tables.h"
#include "trench/enums.h"

static const struct trn_branch_test tests[] = {
    {TRN_BR_CMP_OP_ALWAYS, TRN_BRANCH_NOTHING, "always"},
    {TRN_BR_CMP_OP_LT_IMM, TRN_BRANCH_IMMEDIATE, "lt"},
    {TRN_BR_CMP_OP_LE_IMM, TRN_BRANCH_IMMEDIATE, "le"},
    {TRN_BR_CMP_OP_EQ_IMM, TRN_BRANCH_IMMEDIATE, "eq"},
    {TRN_BR_CMP_OP_NE_IMM, TRN_BRANCH_IMMEDIATE, "ne"},
    {TRN_BR_CMP_OP_GE_IMM, TRN_BRANCH_IMMEDIATE, "ge"},
    {TRN_BR_CMP_OP_GT_IMM, TRN_BRANCH_IMMEDIATE, "gt"},
    {TRN_BR_CMP_OP_LT_REG, TRN_BRANCH_REGISTERS, "lt"},
    {TRN_BR_CMP_OP_LE_REG, TRN_BRANCH_REGISTERS, "le"},
    {TRN_BR_CMP_OP_EQ_REG, TRN_BRANCH_REGISTERS, "eq"},
    {TRN_BR_CMP_OP_NE_REG, TRN_BRANCH_REGISTERS, "ne"},
    {TRN_BR_CMP_OP_GE_REG, TRN_BRANCH_REGISTERS, "ge"},
    {TRN_BR_CMP_OP_GT_REG, TRN_BRANCH_REGISTERS, "gt"},
};

static const struct {
    uint8_t dtype;
    const char *suffix;
} suffixes[] = {
    {TRN_DTYPE_INT32, ""},
    {TRN_DTYPE_INT32, ".int32"},
    {TRN_DTYPE_UINT32, ".uint32"},
    {TRN_DTYPE_FP32, ".fp32"},
};

enum {
    NUM_TESTS = sizeof tests / sizeof tests[0],
    NUM_SUFFIXES = sizeof suffixes / sizeof suffixes[0]
};

const struct trn_branch_test *trn_branch_test(uint8_t compare_op)
{
    for (int i = 0; i < NUM_TESTS; i++)
        if (tests[i].compare_op == compare_op)
            return &tests[i];
    return NULL;
}

int trn_branch_find(const char *word, size_t length, enum trn_branch_operands operands)
{
    for (int i = 0; i < NUM_TESTS; i++)
        if (tests[i].operands == operands && trn_name_is(tests[i].word, word, length))
            return tests[i].compare_op;
    return -1;
}

const char *trn_branch_suffix(uint8_t dtype)
{
    for (int i = 0; i < NUM_SUFFIXES; i++)
        if (suffixes[i].dtype == dtype)
            return suffixes[i].suffix;
    return NULL;
}

int trn_branch_dtype(const char *suffix, size_t length)
{
    for (int i = 0; i < NUM_SUFFIXES; i++)
        if (trn_name_is(suffixes[i].suffix, suffix, length))
            return suffixes[i].dtype;
    return -1;
}

bool trn_branch_distance(size_t from, size_t to, int32_t *offset)
{
    const size_t words = to > from ? to - from : from - to;
    if (words > INT32_MAX / TRN_WORD_BYTES) /* the most negative distance is given up */
        return false;
    const int32_t bytes = (int32_t)words * TRN_WORD_BYTES;
    *offset = to > from ? bytes : -bytes;
    return true;
}

bool trn_branch_target(size_t from, int32_t offset, size_t num_words, size_t *to)
{
    if (offset % TRN_WORD_BYTES != 0)
        return false;
    const int64_t target = (int64_t)from + offset / TRN_WORD_BYTES;
    if (target < 0 || (uint64_t)target > num_words)
        return false;
    *to = (size_t)target;
    return true;
}
