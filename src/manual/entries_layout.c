/* SPDX-License-Identifier: Apache-2.0 */
/* Operand structs, composite types and their fields. */
#include "isa/lookup.h"
#include "manual/entry.h"
#include "manual/rows.h"

/* ---- structs ---------------------------------------------------------------------- */

static uint32_t struct_rows(void)
{
    return TRN_STRUCT_COUNT;
}

static void struct_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    (void)part;
    spell(out, "%s", trn_struct_table[row].name);
}

static unsigned struct_generations(uint32_t row, uint32_t part)
{
    (void)part;
    return generations_of_isa(trn_struct_table[row].isa_mask);
}

static void struct_opcodes(struct page *page, uint32_t id)
{
    static const struct trn_manual_column columns[] = {
        {"opcode", TRN_MANUAL_COLUMN_PLAIN},
        {"name", TRN_MANUAL_COLUMN_PLAIN},
        {"generations", TRN_MANUAL_COLUMN_PLAIN},
        {"meaning", TRN_MANUAL_COLUMN_PLAIN},
    };
    PAGE_TABLE(page, "opcodes", columns);
    for (unsigned opcode = 0; opcode < 256; opcode++) {
        const struct trn_opcode_row *row = &trn_opcode_table[opcode];
        if (row->struct_id != id || !row->name || !page_wants_isa(page, row->isa_mask))
            continue;
        const struct trn_manual_value cells[] = {value_hex(opcode, 2), value_text(row->name),
                                                 value_text(isa_span(page, row->isa_mask)),
                                                 value_text(row->meaning)};
        page_row(page, cells);
    }
}

/* The value of byte 12 that makes an EXTENDED word one of these; -1 for other structs. */
static int extended_opcode(uint32_t id)
{
    for (int value = 0; value < 256; value++)
        if (trn_extended_struct[value] && trn_extended_struct[value] == id)
            return value;
    return -1;
}

static void struct_page(struct page *page, uint32_t id, uint32_t part)
{
    (void)part;
    const struct trn_struct_row *row = &trn_struct_table[id];
    const bool common = id == TRN_STRUCT_NONE;
    const int arm = extended_opcode(id);
    page_title(page, row->name,
               common ? "header and events block, the first twelve bytes of every word"
               : arm >= 0
                   ? page_format(page, "layout of an EXTENDED_INST word whose byte 12 is %d", arm)
                   : "operand layout of a word");
    page_list(page, "generations", generation_list(page, struct_generations(id, 0)));
    page_common_rules(page, id, row->isa_mask);
    if (!common)
        struct_opcodes(page, id);
    page_layout(page, row, common ? 0 : row->num_common);
    if (!common)
        page_rules(page, -1, id, row->isa_mask);
}

const struct entry_kind entry_struct = {
    .name = "struct",
    .rows = struct_rows,
    .spell = struct_spell,
    .generations = struct_generations,
    .page = struct_page,
};

/* ---- composite types -------------------------------------------------------------- */

static uint32_t type_rows(void)
{
    return (uint32_t)trn_num_composites;
}

static void type_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    (void)part;
    spell(out, "%s", trn_composite_table[row].name);
    spell(out, "@%s", trn_composite_table[row].name);
}

static unsigned type_generations(uint32_t row, uint32_t part)
{
    (void)part;
    return generations_of_isa(trn_composite_table[row].isa_mask);
}

static void type_page(struct page *page, uint32_t row, uint32_t part)
{
    (void)part;
    page_title(page, trn_composite_table[row].name,
               "type of a field; offsets count from its start");
    page_list(page, "generations", generation_list(page, type_generations(row, 0)));
    page_layout(page, &trn_composite_table[row], 0);
}

const struct entry_kind entry_type = {
    .name = "type",
    .rows = type_rows,
    .spell = type_spell,
    .generations = type_generations,
    .page = type_page,
};

/* ---- fields ----------------------------------------------------------------------- */
uint32_t field_rows(void)
{
    return (uint32_t)(TRN_STRUCT_COUNT + trn_num_composites);
}

const struct trn_struct_row *field_owner(uint32_t row)
{
    return row < TRN_STRUCT_COUNT ? &trn_struct_table[row]
                                  : &trn_composite_table[row - TRN_STRUCT_COUNT];
}

/* Fields that are the owner's own: the header's belong to COMMON. */
static uint32_t field_skip(uint32_t row)
{
    return row == TRN_STRUCT_NONE ? 0 : field_owner(row)->num_common;
}

uint32_t field_parts(uint32_t row)
{
    return field_owner(row)->num_fields - field_skip(row);
}

const struct trn_field_row *field_at(uint32_t row, uint32_t part)
{
    return &field_owner(row)->fields[field_skip(row) + part];
}

static void field_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    const char *owner = field_owner(row)->name;
    const struct trn_field_row *field = field_at(row, part);
    spell(out, "%s.%s", owner, field->name);
    spell(out, "%s", field->name);
    spell(out, "%s.%s", owner, field->short_name);
    spell(out, "%s", field->short_name);
    const char *const part_of = strrchr(field->name, '.');
    if (part_of)
        spell(out, "%s", part_of + 1);
}

static unsigned field_generations(uint32_t row, uint32_t part)
{
    const struct trn_field_row *field = field_at(row, part);
    unsigned mask = 0;
    for (unsigned isa = 0; isa < TRN_ISA_COUNT; isa++)
        mask |= (unsigned)(field->offset[isa] >= 0) << isa;
    return generations_of_isa(mask);
}

enum { SHORT_ENUM = 32 }; /* a field's page prints its enum's members when there are no more */

static void field_page(struct page *page, uint32_t row, uint32_t part)
{
    const struct trn_field_row *field = field_at(row, part);
    page_title(page, page_format(page, "%s.%s", field_owner(row)->name, field->name),
               field->meaning);
    page_text(page, "struct", field_owner(row)->name);
    page_text(page, "short_name", field->short_name);
    page_fact(page, "offset", offset_value(page, field));
    page_fact(page, "size", value_number(field->size));
    page_text(page, "bits", bits_text(page, field->bit_lo, field->bits));
    page_text(page, "type", type_text(page, field));
    page_text(page, "constraint", field->constraint);
    page_list(page, "generations", generation_list(page, field_generations(row, part)));
    page_text(page, "confidence", field->confidence);
    if (field->enum_id != TRN_ENUM_NONE && trn_enum_table[field->enum_id].num_members <= SHORT_ENUM)
        page_members(page, field->enum_id);
}

const struct entry_kind entry_field = {
    .name = "field",
    .rows = field_rows,
    .parts = field_parts,
    .spell = field_spell,
    .generations = field_generations,
    .page = field_page,
};
