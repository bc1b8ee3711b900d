/* SPDX-License-Identifier: Apache-2.0 */
/* Immediates. What a number means can depend on a type field further on, and the source field
 * follows from how the immediate is written, so both are settled when the word is complete. */
#include "isa/asm.h"
#include "isa_fields.h"

static bool remember(struct trn_asm *a, const struct trn_text_field *field, const char *at,
                     enum trn_imm_form form, struct trn_literal number)
{
    struct trn_asm_word *word = &a->word;
    word->immediates[word->num_immediates++] =
        (struct trn_asm_immediate){field, form, number, a->line_number, (size_t)(at - a->line) + 1};
    return true;
}

static bool is_possible(struct trn_asm *a, const struct trn_text_field *field,
                        enum trn_imm_form form)
{
    const bool *possible = trn_imm_codings[field->coding].possible;
    if (possible[form])
        return true;
    return trn_asm_error(
        a, a->at, possible[TRN_FORM_POINTER] ? "a pointer, or its bits as a number" : "a number",
        "'%s' cannot be a %s", field->name, form == TRN_FORM_POINTER ? "pointer" : "register");
}

bool trn_asm_imm(struct trn_asm *a, const struct trn_text_field *field)
{
    uint8_t *bytes = a->word.bytes + field->offset;
    const char *at = a->at;
    struct trn_addr4 addr;
    uint8_t reg;
    if (trn_asm_at_space(a)) {
        if (!is_possible(a, field, TRN_FORM_POINTER) || !trn_asm_address(a, &addr))
            return false;
        trn_text_addr4_encode(&addr, bytes);
        return remember(a, field, at, TRN_FORM_POINTER, (struct trn_literal){0});
    }
    if (trn_read_register(at, &reg)) {
        if (!is_possible(a, field, TRN_FORM_REGISTER) || !trn_asm_register(a, &reg))
            return false;
        trn_imm4_imm_reg_set(bytes, 0, reg);
        return remember(a, field, at, TRN_FORM_REGISTER, (struct trn_literal){0});
    }
    struct trn_literal number;
    const char *problem = NULL;
    a->at = trn_read_literal(at, &number, &problem);
    if (a->at)
        return remember(a, field, at, TRN_FORM_NUMBER, number);
    a->at = at;
    return trn_asm_error(a, at, "a number, a pointer or a register", "%s", problem);
}

/* Decimal integers are what the immediate's type makes of them, other numbers are bits already. */
static bool number_bits(enum trn_imm_type type, bool wide, const struct trn_literal *number,
                        uint64_t *out)
{
    if (number->kind == TRN_LITERAL_FLOAT ||
        (number->kind == TRN_LITERAL_DECIMAL && type == TRN_IMM_FLOAT)) {
        *out = trn_literal_fp32(number);
        return true;
    }
    *out = number->negative ? 0 - number->magnitude : number->magnitude;
    const uint64_t largest = wide ? UINT64_MAX : UINT32_MAX;
    if (!wide)
        *out = (uint32_t)*out;
    return number->magnitude <= (number->negative ? largest / 2 + 1 : largest);
}

/* Make the source fields that the text does not give say how the immediates were written. */
static void imply_sources(struct trn_asm_word *word)
{
    uint64_t implied = 0;
    for (unsigned i = 0; i < word->num_immediates; i++) {
        const struct trn_text_field *field = word->immediates[i].field;
        const struct trn_imm_coding *coding = &trn_imm_codings[field->coding];
        if (coding->bits == 0 || trn_bits_get(word->seen, field->source, 1))
            continue;
        trn_imm_source_set(word->layout, field, word->bytes,
                           coding->value[word->immediates[i].form]);
        implied = trn_bits_set(implied, field->source, 1, 1);
    }
    word->seen |= implied;
}

void trn_asm_settle_immediates(struct trn_asm *a)
{
    struct trn_asm_word *word = &a->word;
    const struct trn_text_layout *layout = word->layout;
    imply_sources(word);
    for (unsigned i = 0; i < word->num_immediates; i++) {
        const struct trn_asm_immediate *immediate = &word->immediates[i];
        const struct trn_text_field *field = immediate->field;
        if (immediate->form != TRN_FORM_NUMBER)
            continue;
        const uint8_t source = trn_imm_source_get(layout, field, word->bytes);
        const enum trn_imm_type type = trn_imm_form(field, source) == TRN_FORM_NUMBER
                                           ? trn_imm_type(layout, field, word->bytes)
                                           : TRN_IMM_RAW;
        uint64_t bits;
        if (number_bits(type, field->size == 8, &immediate->number, &bits))
            trn_text_set(field, word->bytes, bits);
        else
            trn_asm_note_at(a, immediate->line, immediate->column, NULL,
                            "the number does not fit '%s', which has %u bits", field->name,
                            field->size * 8u);
    }
}
