/* SPDX-License-Identifier: Apache-2.0 */
/* One word as text. Values left out are those that the assembler fills in by itself. */
#include "isa/dis.h"

#include "isa/lookup.h"
#include "isa_fields.h"
#include "trench/isa.h"

static char *put_text(char *out, const char *text)
{
    return stpcpy(out, text);
}

/* The opcode is unknown, or its layout: nothing but the bytes. */
static char *put_raw_word(const struct trn_dis *word, char *out)
{
    out = put_text(out, ".word ");
    out = trn_put_bytes(out, word->bytes, TRN_WORD_BYTES);
    const struct trn_opcode_row *row = &trn_opcode_table[trn_common_opcode(word->bytes, word->isa)];
    if (row->name && trn_bits_get(row->isa_mask, word->isa, 1)) {
        out = put_text(out, " ; ");
        out = put_text(out, row->mnemonic);
    }
    *out++ = '\n';
    return out;
}

/* Is every byte zero? `size` is at least 8. */
static bool all_zero(const uint8_t *bytes, size_t size)
{
    uint64_t any = trn_get64(bytes + size - 8);
    for (size_t i = 0; i + 8 < size; i += 8)
        any |= trn_get64(bytes + i);
    return any == 0;
}

char *trn_dis_field(const struct trn_dis *word, const struct trn_text_field *field, char *out)
{
    if (field->bits == 0) {
        if (all_zero(word->bytes + field->offset, field->size))
            return out;
        return trn_dis_value(word, field, trn_dis_label(field, out));
    }
    const uint64_t value = trn_text_get(field, word->bytes);
    if (value == trn_text_initial(word->layout, field, word->bytes))
        return out;
    out = trn_dis_label(field, out);
    switch (field->kind) { /* the frequent ones first */
    case TRN_TEXT_ENUM:
        return trn_dis_enum(word, (enum trn_enum_id)field->enum_id, (uint32_t)value, out);
    case TRN_TEXT_UINT:
        return trn_put_unsigned(out, value);
    default:
        return trn_dis_value(word, field, out);
    }
}

/* The operands of a branch stand in its short form already. */
static bool said_by_branch(const struct trn_text_layout *layout, const struct trn_text_field *field)
{
    return field->row >= trn_struct_table[layout->id].num_common &&
           field->kind != TRN_TEXT_RESERVED && field->kind != TRN_TEXT_BYTES;
}

/* Does the header say nothing but the usual length? */
static bool has_plain_header(const uint8_t *word)
{
    static const uint8_t plain[] = {TRN_TEXT_WORD_LENGTH, 0, 0};
    return memcmp(word + 1, plain, sizeof plain) == 0;
}

static char *put_fields(const struct trn_dis *word, bool is_branch, char *out)
{
    const struct trn_text_layout *layout = word->layout;
    const unsigned end = has_plain_header(word->bytes) ? layout->num_own : layout->num_plain;
    uint64_t to_say = 0; /* sources that their immediates do not imply */
    for (unsigned i = 0; i < end; i++) {
        const struct trn_text_field *field = &layout->fields[i];
        if (is_branch && said_by_branch(layout, field))
            continue;
        if (field->kind == TRN_TEXT_IMM)
            out = trn_dis_imm(word, field, &to_say, out);
        else if (!field->is_source)
            out = trn_dis_field(word, field, out);
        else if (trn_bits_get(to_say, i, 1))
            out = trn_dis_value(word, field, trn_dis_label(field, out));
    }
    return out;
}

char *trn_dis_text(const struct trn_gen *gen, const uint8_t *bytes,
                   const struct trn_dis_labels *labels, char *out)
{
    const enum trn_struct_id id = trn_word_struct(bytes, gen->isa);
    const struct trn_dis word = {gen, gen->isa, trn_text_layouts[gen->isa][id], bytes, labels};
    if (!word.layout)
        return put_raw_word(&word, out);
    const bool is_branch = id == TRN_STRUCT_CTRL_BR;
    char *operands = is_branch ? trn_dis_branch(&word, put_text(out, "branch")) : NULL;
    if (operands) {
        out = operands;
    } else {
        const uint8_t opcode = trn_common_opcode(bytes, word.isa);
        const struct trn_text_opcode *op = &trn_text_opcodes[opcode];
        if (trn_opcode_table[opcode].exec == TRN_EXEC_NEVER)
            out = put_text(out, ".disabled ");
        out = trn_text_copy(out, op->mnemonic, op->length);
    }
    out = put_fields(&word, operands != NULL, out);
    return trn_dis_sync(&word, out);
}

size_t trn_dis_word(const struct trn_gen *gen, const uint8_t word[TRN_INST_BYTES], char *out)
{
    char *end = trn_dis_text(gen, word, NULL, out);
    *end = '\0';
    return (size_t)(end - out);
}
