/* SPDX-License-Identifier: Apache-2.0 */
/* The short form of a branch: `branch ge r3 10 loop`. */
#include "isa/dis.h"
#include "isa/lookup.h"
#include "isa/text_branch.h"
#include "isa_fields.h"
#include "trench/enums.h"

/* Branch targets: what each mode leaves unused must be zero, or only the fields tell all. */
static bool target_is_short(const uint8_t *word, unsigned isa)
{
    const uint64_t immediate = trn_ctrl_br_br_immediate(word, isa);
    const bool no_registers =
        trn_ctrl_br_target_reg_lo(word, isa) == 0 && trn_ctrl_br_target_reg_hi(word, isa) == 0;
    switch (trn_ctrl_br_target_mode(word, isa)) {
    case TRN_BR_TARGET_MODE_ABS_IMMEDIATE:
        return no_registers;
    case TRN_BR_TARGET_MODE_REL_IMMEDIATE:
        return no_registers && immediate <= UINT32_MAX;
    case TRN_BR_TARGET_MODE_REGISTER:
        return immediate == 0;
    case TRN_BR_TARGET_MODE_REL_REGISTER:
        return immediate == 0 && trn_ctrl_br_target_reg_hi(word, isa) == 0;
    default:
        return false;
    }
}

/* The condition's row when the operands that it leaves unused are zero. */
static const struct trn_branch_test *short_test(const uint8_t *word, unsigned isa)
{
    const struct trn_branch_test *test = trn_branch_test(trn_ctrl_br_compare_op(word, isa));
    if (!test || !trn_branch_suffix(trn_ctrl_br_dtype(word, isa)))
        return NULL;
    if (test->operands != TRN_BRANCH_IMMEDIATE && trn_ctrl_br_cmp_immediate(word, isa))
        return NULL;
    if (test->operands != TRN_BRANCH_REGISTERS && trn_ctrl_br_cmp_reg1(word, isa))
        return NULL;
    if (test->operands == TRN_BRANCH_NOTHING && trn_ctrl_br_cmp_reg0(word, isa))
        return NULL;
    return test;
}

bool trn_dis_branch_offset(const uint8_t *word, unsigned isa, int32_t *offset)
{
    if (trn_word_struct(word, isa) != TRN_STRUCT_CTRL_BR || !short_test(word, isa) ||
        !target_is_short(word, isa) ||
        trn_ctrl_br_target_mode(word, isa) != TRN_BR_TARGET_MODE_REL_IMMEDIATE)
        return false;
    *offset = (int32_t)trn_ctrl_br_br_immediate(word, isa);
    return true;
}

static char *put_distance(const struct trn_dis_labels *labels, int32_t offset, char *out)
{
    size_t target;
    if (labels && trn_branch_target(labels->index, offset, labels->num_words, &target)) {
        *out++ = 'L';
        return trn_put_decimal(out, target);
    }
    *out++ = '.';
    if (offset >= 0)
        *out++ = '+';
    return trn_put_signed(out, offset);
}

static char *put_target(const struct trn_dis *word, char *out)
{
    const uint8_t *bytes = word->bytes;
    const uint64_t immediate = trn_ctrl_br_br_immediate(bytes, word->isa);
    const uint8_t low = trn_ctrl_br_target_reg_lo(bytes, word->isa);
    switch (trn_ctrl_br_target_mode(bytes, word->isa)) {
    case TRN_BR_TARGET_MODE_ABS_IMMEDIATE:
        return trn_put_unsigned(out, immediate);
    case TRN_BR_TARGET_MODE_REL_IMMEDIATE:
        return put_distance(word->labels, (int32_t)immediate, out);
    case TRN_BR_TARGET_MODE_REL_REGISTER:
        return trn_dis_register(low, stpcpy(out, ".+"));
    default:
        out = trn_dis_register(low, out);
        *out++ = '/';
        return trn_dis_register(trn_ctrl_br_target_reg_hi(bytes, word->isa), out);
    }
}

static char *put_immediate(uint8_t dtype, uint32_t bits, char *out)
{
    if (dtype == TRN_DTYPE_FP32)
        return trn_put_float(out, bits);
    return dtype == TRN_DTYPE_INT32 ? trn_put_signed(out, (int32_t)bits)
                                    : trn_put_unsigned(out, bits);
}

char *trn_dis_branch(const struct trn_dis *word, char *out)
{
    const uint8_t *bytes = word->bytes;
    const unsigned isa = word->isa;
    const struct trn_branch_test *test = short_test(bytes, isa);
    if (!test || !target_is_short(bytes, isa))
        return NULL;
    const uint8_t dtype = trn_ctrl_br_dtype(bytes, isa);
    *out++ = ' ';
    out = stpcpy(stpcpy(out, test->word), trn_branch_suffix(dtype));
    *out++ = ' ';
    if (test->operands != TRN_BRANCH_NOTHING) {
        out = trn_dis_register(trn_ctrl_br_cmp_reg0(bytes, isa), out);
        *out++ = ' ';
        out = test->operands == TRN_BRANCH_REGISTERS
                  ? trn_dis_register(trn_ctrl_br_cmp_reg1(bytes, isa), out)
                  : put_immediate(dtype, trn_ctrl_br_cmp_immediate(bytes, isa), out);
        *out++ = ' ';
    }
    return put_target(word, out);
}
