/* SPDX-License-Identifier: Apache-2.0 */
/* Immediates. What a number means can depend on a type field further on, and the source field
 * follows from how the immediate is written, so both are settled when the word is complete. */
#include "isa/asm.h"
#include "isa_fields.h"

static bool note(struct trn_asm *a, struct trn_asm_immediate immediate)
{
    struct trn_asm_word *word = &a->word;
    word->immediates[word->num_immediates++] = immediate;
    return true;
}

static bool refuse_form(struct trn_asm *a, const struct trn_text_field *field, const char *form)
{
    const bool *possible = trn_imm_codings[field->coding].possible;
    const char *expected = possible[TRN_FORM_REGISTER]  ? "a number, a pointer or a register"
                           : possible[TRN_FORM_POINTER] ? "a pointer, or its bits as a number"
                                                        : "a number";
    return trn_asm_error(a, a->at, expected, "'%s' cannot be a %s", field->name, form);
}

bool trn_asm_imm(struct trn_asm *a, const struct trn_text_field *field)
{
    const bool *possible = trn_imm_codings[field->coding].possible;
    uint8_t *bytes = a->word.bytes + field->offset;
    struct trn_asm_immediate immediate = {
        .field = field, .line = a->line_number, .column = (size_t)(a->at - a->line) + 1};
    uint8_t number;
    if (trn_asm_at_space(a)) {
        struct trn_addr4 addr;
        immediate.form = TRN_FORM_POINTER;
        if (!possible[TRN_FORM_POINTER])
            return refuse_form(a, field, "pointer");
        if (!trn_asm_address(a, &addr))
            return false;
        trn_text_addr4_encode(&addr, bytes);
        return note(a, immediate);
    }
    if (trn_read_register(a->at, &number)) {
        immediate.form = TRN_FORM_REGISTER;
        if (!possible[TRN_FORM_REGISTER])
            return refuse_form(a, field, "register");
        trn_imm4_imm_reg_set(bytes, 0, number);
        return note(a, immediate) && trn_asm_register(a, &number);
    }
    const char *problem = NULL;
    const char *end = trn_read_literal(a->at, &immediate.number, &problem);
    if (!end)
        return trn_asm_error(a, a->at, "a number, a pointer or a register", "%s", problem);
    a->at = end;
    immediate.form = TRN_FORM_NUMBER;
    return note(a, immediate);
}

/* Integers are what the immediate's type makes of them; 0x.., nan:.. and floats are bits already.
 */
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

/* Say in the source fields how the immediates were written, where the text does not say it itself.
 */
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
