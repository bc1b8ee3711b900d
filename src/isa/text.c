/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/text.h"

#include "isa_fields.h"
#include "trench/enums.h"

enum { NUMBER = TRN_FORM_NUMBER, POINTER = TRN_FORM_POINTER, REGISTER = TRN_FORM_REGISTER };

const struct trn_imm_coding trn_imm_codings[TRN_NUM_SOURCES] = {
    [TRN_SOURCE_INSTRUCTION] = {.possible = {true, false, false}, .form = {NUMBER}},
    [TRN_SOURCE_POINTER] = {.possible = {true, true, false}, .form = {POINTER}},
    [TRN_SOURCE_ENUM] = {{true, true, true},
                         {TRN_IMM_SRC_INSTRUCTION, TRN_IMM_SRC_POINTER, TRN_IMM_SRC_REG_PTR},
                         {NUMBER, POINTER, REGISTER},
                         0,
                         8,
                         TRN_IMM_SRC_INSTRUCTION},
    [TRN_SOURCE_INVERTED] = {{true, true, true},
                             {TRN_IMM_SRC_N_INSTRUCTION, TRN_IMM_SRC_N_POINTER,
                              TRN_IMM_SRC_N_REG_PTR},
                             {POINTER, NUMBER, REGISTER},
                             0,
                             8,
                             TRN_IMM_SRC_N_INSTRUCTION},
    /* a plain number is the raw pointer */
    [TRN_SOURCE_POINTER_FIRST] =
        {{true, true, true}, {0, 0, 2}, {POINTER, POINTER, REGISTER}, 0, 8, 0},
    [TRN_SOURCE_FLAG] =
        {{true, true, false}, {0, 1, 0}, {NUMBER, POINTER, TRN_FORM_UNKNOWN}, 0, 8, 0},
    [TRN_SOURCE_LOW_HALF] = {{true, true, true},
                             {TRN_IMM_SRC_INSTRUCTION, TRN_IMM_SRC_POINTER, TRN_IMM_SRC_REG_PTR},
                             {NUMBER, POINTER, REGISTER},
                             0,
                             4,
                             TRN_IMM_SRC_INSTRUCTION},
    [TRN_SOURCE_HIGH_HALF] = {{true, true, true},
                              {TRN_IMM_SRC_INSTRUCTION, TRN_IMM_SRC_POINTER, TRN_IMM_SRC_REG_PTR},
                              {NUMBER, POINTER, REGISTER},
                              4,
                              4,
                              TRN_IMM_SRC_INSTRUCTION},
};

uint8_t trn_imm_source_get(const struct trn_text_layout *layout, const struct trn_text_field *imm,
                           const uint8_t *word)
{
    const struct trn_imm_coding *coding = &trn_imm_codings[imm->coding];
    if (coding->bits == 0)
        return 0;
    const uint8_t byte = word[layout->fields[imm->source].offset];
    return (uint8_t)trn_bits_get(byte, coding->bit_lo, coding->bits);
}

void trn_imm_source_set(const struct trn_text_layout *layout, const struct trn_text_field *imm,
                        uint8_t *word, uint8_t value)
{
    const struct trn_imm_coding *coding = &trn_imm_codings[imm->coding];
    if (coding->bits == 0)
        return;
    uint8_t *byte = &word[layout->fields[imm->source].offset];
    *byte = (uint8_t)trn_bits_set(*byte, coding->bit_lo, coding->bits, value);
}

/* Immediates of arithmetic are FP32; a type of 0 means FP32 too (README.md 3, `type=F`). */
static enum trn_imm_type type_of_dtype(uint64_t dtype)
{
    switch (dtype) {
    case TRN_DTYPE_INVALID:
    case TRN_DTYPE_FP32:
    case TRN_DTYPE_FP32R:
        return TRN_IMM_FLOAT;
    case TRN_DTYPE_INT32:
        return TRN_IMM_SIGNED;
    case TRN_DTYPE_UINT32:
        return TRN_IMM_UNSIGNED;
    default:
        return TRN_IMM_RAW;
    }
}

enum trn_imm_type trn_imm_type(const struct trn_text_layout *layout,
                               const struct trn_text_field *imm, const uint8_t *word)
{
    switch (imm->type) {
    case TRN_IMM_CLASS:
        return trn_text_opcodes[trn_common_opcode(word, 0)].bitvec ? TRN_IMM_RAW : TRN_IMM_FLOAT;
    case TRN_IMM_FIELD:
        return type_of_dtype(trn_text_get(&layout->fields[imm->type_field], word));
    case TRN_IMM_FIELD_LOW:
        return type_of_dtype(trn_pair_dtype_lo(word + layout->fields[imm->type_field].offset, 0));
    case TRN_IMM_FIELD_HIGH:
        return type_of_dtype(trn_pair_dtype_hi(word + layout->fields[imm->type_field].offset, 0));
    default:
        return (enum trn_imm_type)imm->type;
    }
}
