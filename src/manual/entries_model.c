/* SPDX-License-Identifier: Apache-2.0 */
/* Public calls, model choices and generation members. */
#include <string.h>

#include "gen/gen_rows.h"
#include "manual/entry.h"
#include "manual/rows.h"
#include "trench/choices.h"

/* ---- public calls ----------------------------------------------------------------- */

static uint32_t call_rows(void)
{
    return (uint32_t)trn_num_calls;
}

static void call_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    (void)part;
    const char *last = strrchr(trn_call_table[row].name, '.');
    spell(out, "%s", trn_call_table[row].name);
    spell(out, "%s", last ? last + 1 : "");
}

static unsigned call_generations(uint32_t row, uint32_t part)
{
    (void)part;
    unsigned mask = 0;
    for (unsigned isa = 0; isa < TRN_ISA_COUNT; isa++)
        mask |= (unsigned)(strcmp(trn_call_table[row].presence[isa], "0") != 0) << isa;
    return generations_of_isa(mask);
}

static void call_page(struct page *page, uint32_t number, uint32_t part)
{
    (void)part;
    const struct trn_call_row *row = &trn_call_table[number];
    page_title(page, row->name, row->semantics);
    page_text(page, "kind_of_name", row->kind);
    page_text(page, "engines", row->engines);
    page_text(page, "instructions", row->instructions);
    page_text(page, "numbers", row->opcodes);
    page_text(page, "structs", row->structs);
    page_text(page, "data_types", row->dtype_limits);
    page_text(page, "shapes", row->shape_limits);
    page_text(page, "memory", row->memory_limits);
    page_list(page, "generations", generation_list(page, call_generations(number, 0)));
    page_text(page, "confidence", row->confidence);
}

const struct entry_kind entry_call = {
    .name = "call",
    .rows = call_rows,
    .spell = call_spell,
    .generations = call_generations,
    .page = call_page,
};

/* ---- model choices ---------------------------------------------------------------- */

static uint32_t choice_rows(void)
{
    return TRN_CHOICE_COUNT;
}

static void choice_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    (void)part;
    spell(out, "%s", trn_choice_table[row].id);
}

static void choice_page(struct page *page, uint32_t row, uint32_t part)
{
    (void)part;
    page_title(page, trn_choice_table[row].id, trn_choice_table[row].what);
    page_text(page, "sheet", trn_choice_table[row].sheet);
    page_text(page, "confidence", trn_choice_table[row].confidence);
}

const struct entry_kind entry_choice = {
    .name = "choice",
    .rows = choice_rows,
    .spell = choice_spell,
    .page = choice_page,
};

/* ---- members of a generation ------------------------------------------------------ */

static uint32_t member_rows(void)
{
    return (uint32_t)trn_gen_num_rows;
}

static void member_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    (void)part;
    spell(out, "%s", trn_gen_rows[row].field);
    spell(out, "gen.%s", trn_gen_rows[row].field);
}

/* Addresses and sizes read better in hexadecimal; counts do not. */
static struct trn_manual_value member_value(unsigned g, const struct trn_gen_row *row)
{
    const struct trn_gen *gen = &trn_gen_table[g];
    const uint64_t value = trn_gen_value(gen, row);
    if (strcmp(row->confidence[g], "OPEN") == 0)
        return value_text("unknown");
    switch (row->type) {
    case TRN_GEN_STR:
        return value_text(trn_gen_string(gen, row));
    case TRN_GEN_BOOL:
        return value_bool(value != 0);
    default:
        return value > 999 ? value_hex(value, 1) : value_number((int64_t)value);
    }
}

static void member_page(struct page *page, uint32_t number, uint32_t part)
{
    (void)part;
    static const struct trn_manual_column columns[] = {
        {"generation", TRN_MANUAL_COLUMN_PLAIN},
        {"value", TRN_MANUAL_COLUMN_PLAIN},
        {"confidence", TRN_MANUAL_COLUMN_PLAIN},
    };
    const struct trn_gen_row *row = &trn_gen_rows[number];
    page_title(page, row->field, row->meaning);
    page_text(page, "unit", row->unit);
    page_text(page, "sheet", row->sheet);
    PAGE_TABLE(page, "values", columns);
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        const struct trn_manual_value cells[] = {value_text(trn_gen_table[g].name),
                                                 member_value(g, row),
                                                 value_text(row->confidence[g])};
        if (page_wants(page, g))
            page_row(page, cells);
    }
}

const struct entry_kind entry_gen_field = {
    .name = "gen_field",
    .rows = member_rows,
    .spell = member_spell,
    .page = member_page,
};
