/* SPDX-License-Identifier: Apache-2.0 */
/* Immediates as text: number, pointer or register (isa-core.md 7.3). */
#include "isa/dis.h"
#include "isa_fields.h"

/* The form that the text can have: what its own form cannot say exactly stays a number. */
static enum trn_imm_form printable_form(const struct trn_dis *word,
                                        const struct trn_text_field *imm, uint8_t source)
{
    const enum trn_imm_form form = trn_imm_form(imm, source);
    const uint64_t bits = trn_text_get(imm, word->bytes);
    if (form == TRN_FORM_POINTER && bits <= UINT32_MAX) {
        const uint8_t *bytes = word->bytes + imm->offset;
        const struct trn_addr4 addr = trn_addr4_decode(bytes);
        const bool plain = trn_text_addr4_is_plain(&addr, bytes) && !addr.from_register;
        return plain && trn_text_place(word->gen, addr.addr).space ? form : TRN_FORM_NUMBER;
    }
    if (form == TRN_FORM_REGISTER && bits == trn_imm4_imm_reg(word->bytes + imm->offset, 0))
        return form;
    return TRN_FORM_NUMBER;
}

/* Numbers under another source than the instruction are just bits. */
static char *put_number(const struct trn_dis *word, const struct trn_text_field *imm,
                        bool is_number, char *out)
{
    const uint64_t bits = trn_text_get(imm, word->bytes);
    switch (is_number ? trn_imm_type(word->layout, imm, word->bytes) : TRN_IMM_RAW) {
    case TRN_IMM_FLOAT:
        return trn_put_float(out, (uint32_t)bits);
    case TRN_IMM_SIGNED:
        return trn_put_signed(out, (int32_t)bits);
    case TRN_IMM_UNSIGNED:
        return trn_put_unsigned(out, bits);
    default:
        return trn_put_hex(out, bits);
    }
}

char *trn_dis_imm(const struct trn_dis *word, const struct trn_text_field *imm, uint64_t *to_say,
                  char *out)
{
    const struct trn_imm_coding *coding = &trn_imm_codings[imm->coding];
    const uint8_t source = trn_imm_source_get(word->layout, imm, word->bytes);
    if (!imm->shown && source == coding->initial && trn_text_get(imm, word->bytes) == 0)
        return out;
    const enum trn_imm_form form = printable_form(word, imm, source);
    if (source != coding->value[form])
        *to_say = trn_bits_set(*to_say, imm->source, 1, 1);
    out = trn_dis_label(imm, out);
    switch (form) {
    case TRN_FORM_POINTER: {
        const struct trn_addr4 addr = trn_addr4_decode(word->bytes + imm->offset);
        return trn_dis_address(word->gen, &addr, out);
    }
    case TRN_FORM_REGISTER:
        return trn_dis_register(trn_text_get(imm, word->bytes), out);
    default:
        return put_number(word, imm, trn_imm_form(imm, source) == TRN_FORM_NUMBER, out);
    }
}
