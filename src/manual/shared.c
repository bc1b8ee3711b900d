/* SPDX-License-Identifier: Apache-2.0 */
/* What several kinds of page need: generations as text, field tables, public calls. */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "gen/gen_rows.h"
#include "manual/entry.h"
#include "manual/rows.h"

/* ---- generations ------------------------------------------------------------------ */

unsigned generations_of_isa(unsigned isa_mask)
{
    unsigned mask = 0;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        mask |= (unsigned)trn_bits_get(isa_mask, trn_gen_table[g].isa, 1) << g;
    return mask;
}

bool page_wants(const struct page *page, unsigned generation)
{
    return !page_gen(page) || page_gen(page) == &trn_gen_table[generation];
}

bool page_wants_isa(const struct page *page, unsigned isa_mask)
{
    return !page_gen(page) || trn_bits_get(isa_mask, page_gen(page)->isa, 1);
}

const char *generation_list(struct page *page, unsigned mask)
{
    const char *list = "";
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        if (trn_bits_get(mask, g, 1) && page_wants(page, g))
            list = page_list_add(page, list, trn_gen_table[g].name);
    return list;
}

/* Last instruction set of the run of set bits that begins at `first`. */
static unsigned run_end(unsigned mask, unsigned first)
{
    unsigned last = first;
    while (last + 1 < TRN_ISA_COUNT && trn_bits_get(mask, last + 1, 1))
        last++;
    return last;
}

const char *isa_span(struct page *page, unsigned isa_mask)
{
    const char *text = "";
    for (unsigned first = 0; first < TRN_ISA_COUNT; first++) {
        if (!trn_bits_get(isa_mask, first, 1))
            continue;
        const unsigned last = run_end(isa_mask, first);
        const char *span = first == last ? page_format(page, "v%u", first + 2)
                                         : page_format(page, "v%u-v%u", first + 2, last + 2);
        text = page_list_add(page, text, span);
        first = last;
    }
    return *text ? text : "none";
}

/* ---- fields ----------------------------------------------------------------------- */

static const char *const type_names[] = {
    [TRN_TYPE_U8] = "u8",
    [TRN_TYPE_U16] = "u16",
    [TRN_TYPE_U32] = "u32",
    [TRN_TYPE_U64] = "u64",
    [TRN_TYPE_I8] = "i8",
    [TRN_TYPE_I16] = "i16",
    [TRN_TYPE_I32] = "i32",
    [TRN_TYPE_F32] = "f32",
    [TRN_TYPE_REG] = "reg",
    [TRN_TYPE_CHAR] = "char",
    [TRN_TYPE_ENUM] = "enum",
    [TRN_TYPE_RESERVED] = "reserved",
    [TRN_TYPE_ADDR4] = "addr4",
    [TRN_TYPE_ADDR8] = "addr8",
    [TRN_TYPE_PATTERN1D] = "pattern1d",
    [TRN_TYPE_PATTERN2D] = "pattern2d",
    [TRN_TYPE_PATTERN3D] = "pattern3d",
    [TRN_TYPE_PATTERN4D] = "pattern4d",
    [TRN_TYPE_DATA4D] = "data4d",
    [TRN_TYPE_MX1D] = "mx1d",
    [TRN_TYPE_PAIR] = "pair",
    [TRN_TYPE_SRCPAIR] = "srcpair",
    [TRN_TYPE_BOUNDREG] = "boundreg",
    [TRN_TYPE_IMM4] = "imm4",
    [TRN_TYPE_IMM8] = "imm8",
    [TRN_TYPE_DESC16] = "desc16",
    [TRN_TYPE_CCINST] = "ccinst",
    [TRN_TYPE_ADDRUN8] = "addrun8",
};

const char *type_text(struct page *page, const struct trn_field_row *field)
{
    const char *name = type_names[field->type];
    if (field->type == TRN_TYPE_ENUM)
        return page_format(page, "enum:%s", trn_enum_table[field->enum_id].name);
    return field->count > 1 ? page_format(page, "%s[%u]", name, field->count) : name;
}

const char *bits_text(struct page *page, unsigned low, unsigned bits)
{
    if (bits == 0)
        return "";
    return bits == 1 ? page_format(page, "%u", low)
                     : page_format(page, "%u:%u", low + bits - 1, low);
}

/* Byte offset of a field, -1 where the instruction set lacks it. */
static int offset_on(const struct trn_field_row *field, unsigned isa)
{
    const int8_t offset = field->offset[isa];
    return offset < 0 ? -1 : (uint8_t)offset;
}

struct trn_manual_value offset_value(const struct page *page, const struct trn_field_row *field)
{
    const struct trn_gen *gen = page_gen(page);
    if (gen)
        return value_number(offset_on(field, gen->isa));
    struct trn_manual_value value = {.type = TRN_MANUAL_PER_ISA};
    for (unsigned isa = 0; isa < TRN_ISA_COUNT; isa++)
        value.per_isa[isa] = (int16_t)offset_on(field, isa);
    return value;
}

/* Bit number that orders a field in its table, -1 when the page does not show it. */
static int field_place(const struct page *page, const struct trn_field_row *field)
{
    const struct trn_gen *gen = page_gen(page);
    int offset = gen ? offset_on(field, gen->isa) : -1;
    for (unsigned isa = 0; !gen && offset < 0 && isa < TRN_ISA_COUNT; isa++)
        offset = offset_on(field, isa);
    return offset < 0 ? -1 : offset * 64 + field->bit_lo;
}

static void layout_row(struct page *page, const struct trn_field_row *field)
{
    const struct trn_manual_value cells[] = {
        offset_value(page, field),  value_text(bits_text(page, field->bit_lo, field->bits)),
        value_text(field->name),    value_text(type_text(page, field)),
        value_number(field->size),  value_text(field->confidence),
        value_text(field->meaning), value_text(field->constraint),
    };
    page_row(page, cells);
}

void page_layout(struct page *page, const struct trn_struct_row *row, size_t skip)
{
    static const struct trn_manual_column columns[] = {
        {"offset", TRN_MANUAL_COLUMN_PLAIN},  {"bits", TRN_MANUAL_COLUMN_PLAIN},
        {"field", TRN_MANUAL_COLUMN_PLAIN},   {"type", TRN_MANUAL_COLUMN_PLAIN},
        {"size", TRN_MANUAL_COLUMN_DETAIL},   {"confidence", TRN_MANUAL_COLUMN_PLAIN},
        {"meaning", TRN_MANUAL_COLUMN_PLAIN}, {"constraint", TRN_MANUAL_COLUMN_JOINED},
    };
    PAGE_TABLE(page, "layout", columns);
    for (int place = 0; place < TRN_WORD_BYTES * 64; place++)
        for (size_t i = skip; i < row->num_fields; i++)
            if (field_place(page, &row->fields[i]) == place)
                layout_row(page, &row->fields[i]);
}

/* ---- public calls ----------------------------------------------------------------- */

void page_calls(struct page *page, const char *kind, unsigned number)
{
    static const struct trn_manual_column columns[] = {
        {"call", TRN_MANUAL_COLUMN_PLAIN},
        {"engines", TRN_MANUAL_COLUMN_PLAIN},
        {"instructions", TRN_MANUAL_COLUMN_PLAIN},
    };
    char text[8];
    snprintf(text, sizeof text, "0x%02X", number);
    PAGE_TABLE(page, "calls", columns);
    for (size_t i = 0; i < trn_num_calls; i++) {
        const struct trn_call_row *row = &trn_call_table[i];
        if (strcmp(row->kind, kind) != 0 || !strstr(row->opcodes, text))
            continue;
        const struct trn_manual_value cells[] = {value_text(row->name), value_text(row->engines),
                                                 value_text(row->instructions)};
        page_row(page, cells);
    }
}
