/* SPDX-License-Identifier: Apache-2.0 */
/* Enums and their members. */
#include "isa/tables.h"
#include "manual/entry.h"

static uint32_t enum_rows(void)
{
    return TRN_ENUM_COUNT;
}

static void enum_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    (void)part;
    if (row != TRN_ENUM_NONE)
        spell(out, "%s", trn_enum_table[row].name);
}

static unsigned enum_generations(uint32_t row, uint32_t part)
{
    (void)part;
    unsigned mask = 0;
    for (size_t i = 0; i < trn_enum_table[row].num_members; i++)
        mask |= trn_enum_table[row].members[i].isa_mask;
    return generations_of_isa(mask);
}

void page_members(struct page *page, unsigned id)
{
    static const struct trn_manual_column columns[] = {
        {"value", TRN_MANUAL_COLUMN_PLAIN},
        {"name", TRN_MANUAL_COLUMN_PLAIN},
        {"generations", TRN_MANUAL_COLUMN_PLAIN},
        {"confidence", TRN_MANUAL_COLUMN_PLAIN},
    };
    const struct trn_enum_row *row = &trn_enum_table[id];
    PAGE_TABLE(page, "members", columns);
    for (size_t i = 0; i < row->num_members; i++) {
        const struct trn_enum_member *member = &row->members[i];
        if (!page_wants_isa(page, member->isa_mask))
            continue;
        const struct trn_manual_value cells[] = {
            value_hex(member->value, 2), value_text(member->name),
            value_text(isa_span(page, member->isa_mask)), value_text(member->confidence)};
        page_row(page, cells);
    }
}

static void enum_users(struct page *page, uint32_t id)
{
    static const struct trn_manual_column columns[] = {{"field", TRN_MANUAL_COLUMN_DETAIL}};
    int64_t count = 0;
    PAGE_TABLE(page, "fields", columns);
    for (uint32_t row = 0; row < field_rows(); row++)
        for (uint32_t part = 0; part < field_parts(row); part++) {
            const struct trn_field_row *field = field_at(row, part);
            if (field->enum_id != id)
                continue;
            const struct trn_manual_value cell =
                value_text(page_format(page, "%s.%s", field_owner(row)->name, field->name));
            page_row(page, &cell);
            count++;
        }
    page_fact(page, "used_by_fields", value_number(count));
}

static void enum_page(struct page *page, uint32_t row, uint32_t part)
{
    (void)part;
    page_list(page, "generations", generation_list(page, enum_generations(row, 0)));
    page_members(page, row);
    enum_users(page, row);
}

const struct entry_kind entry_enum = {
    .name = "enum",
    .rows = enum_rows,
    .spell = enum_spell,
    .generations = enum_generations,
    .page = enum_page,
};

static uint32_t member_parts(uint32_t row)
{
    return trn_enum_table[row].num_members;
}

/* Opcodes, data types and operators have pages of their own. */
static bool has_own_kind(uint32_t row)
{
    return row == TRN_ENUM_OPCODE || row == TRN_ENUM_DTYPE || row == TRN_ENUM_ALU_OP;
}

static void member_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    if (has_own_kind(row))
        return;
    const struct trn_enum_row *owner = &trn_enum_table[row];
    spell(out, "%s.%s", owner->name, owner->members[part].name);
    spell(out, "%s", owner->members[part].name);
    spell(out, "%s", owner->members[part].text);
}

static bool member_number(uint32_t row, uint32_t part, uint64_t *value)
{
    *value = trn_enum_table[row].members[part].value;
    return true;
}

static unsigned member_generations(uint32_t row, uint32_t part)
{
    return generations_of_isa(trn_enum_table[row].members[part].isa_mask);
}

static void member_page(struct page *page, uint32_t row, uint32_t part)
{
    const struct trn_enum_member *member = &trn_enum_table[row].members[part];
    page_text(page, "enum", trn_enum_table[row].name);
    page_fact(page, "value", value_hex(member->value, 2));
    page_list(page, "generations", generation_list(page, member_generations(row, part)));
    page_text(page, "confidence", member->confidence);
}

const struct entry_kind entry_member = {
    .name = "enum_member",
    .rows = enum_rows,
    .parts = member_parts,
    .spell = member_spell,
    .number = member_number,
    .generations = member_generations,
    .page = member_page,
};
