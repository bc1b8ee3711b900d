/* SPDX-License-Identifier: Apache-2.0 */
/* Data types and ALU operators. */
#include "manual/entry.h"
#include "num/num_rows.h"

enum { CODES = 256 };

static uint32_t code_rows(void)
{
    return CODES;
}

static bool code_number(uint32_t row, uint32_t part, uint64_t *value)
{
    (void)part;
    *value = row;
    return true;
}

/* ---- data types ------------------------------------------------------------------- */

static void dtype_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    (void)part;
    if (!trn_dtype_table[row].name)
        return;
    spell(out, "%s", trn_dtype_table[row].name);
    for (size_t i = 0; i < trn_enum_table[TRN_ENUM_DTYPE].num_members; i++)
        if (trn_enum_table[TRN_ENUM_DTYPE].members[i].value == row)
            spell(out, "%s", trn_enum_table[TRN_ENUM_DTYPE].members[i].text);
}

static unsigned dtype_generations(uint32_t row, uint32_t part)
{
    (void)part;
    return generations_of_isa(trn_dtype_table[row].isa_mask);
}

static const char *sign_text(enum trn_sign sign)
{
    return sign == TRN_SIGNED ? "signed" : sign == TRN_UNSIGNED ? "unsigned" : "";
}

static const char *storage_text(struct page *page, const struct trn_dtype_row *row)
{
    return row->size_elements == 1
               ? page_format(page, "%u byte%s", row->size_bytes, row->size_bytes == 1 ? "" : "s")
               : page_format(page, "%u values in %u byte%s", row->size_elements, row->size_bytes,
                             row->size_bytes == 1 ? "" : "s");
}

static void dtype_page(struct page *page, uint32_t code, uint32_t part)
{
    (void)part;
    const struct trn_dtype_row *row = &trn_dtype_table[code];
    page_title(page, row->name, row->role);
    page_fact(page, "code", value_hex(code, 2));
    page_fact(page, "bits", value_number(row->bits));
    page_text(page, "storage", storage_text(page, row));
    page_text(page, "sign", sign_text(row->sign));
    if (row->exp_bits || row->man_bits) {
        page_fact(page, "exponent_bits", value_number(row->exp_bits));
        page_fact(page, "mantissa_bits", value_number(row->man_bits));
        page_fact(page, "bias", value_number(row->bias));
    }
    page_text(page, "special_values", row->specials);
    page_text(page, "conversion", row->notes);
    page_fact(page, "alignment", value_number(row->align_bytes));
    page_list(page, "generations", generation_list(page, dtype_generations(code, 0)));
    page_text(page, "confidence", row->confidence);
    page_text(page, "format_confidence", row->format_confidence);
    page_calls(page, "dtype", code);
}

const struct entry_kind entry_dtype = {
    .name = "dtype",
    .rows = code_rows,
    .spell = dtype_spell,
    .number = code_number,
    .generations = dtype_generations,
    .page = dtype_page,
};

/* ---- ALU operators ---------------------------------------------------------------- */

static void alu_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    (void)part;
    if (trn_alu_table[row].name)
        spell(out, "%s", trn_alu_table[row].name);
}

static unsigned alu_generations(uint32_t row, uint32_t part)
{
    (void)part;
    return generations_of_isa(trn_alu_table[row].isa_mask);
}

static void alu_page(struct page *page, uint32_t value, uint32_t part)
{
    (void)part;
    const struct trn_alu_row *row = &trn_alu_table[value];
    page_title(page, row->name, row->semantics);
    page_fact(page, "value", value_hex(value, 2));
    page_text(page, "class", row->klass);
    page_fact(page, "operands", value_number(row->arity));
    page_fact(page, "general_arith", value_bool(row->general_arith));
    page_fact(page, "general_bitvec", value_bool(row->general_bitvec));
    page_fact(page, "int_aluop", value_bool(row->int_aluop));
    page_fact(page, "int_aluop_dve_v5", value_bool(row->int_aluop_dve_v5));
    page_text(page, "notes", row->notes);
    page_list(page, "generations", generation_list(page, alu_generations(value, 0)));
    page_text(page, "confidence", row->confidence);
    page_text(page, "semantics_confidence", row->semantics_confidence);
    page_calls(page, "aluop", value);
}

const struct entry_kind entry_alu_op = {
    .name = "alu_op",
    .rows = code_rows,
    .spell = alu_spell,
    .number = code_number,
    .generations = alu_generations,
    .page = alu_page,
};
