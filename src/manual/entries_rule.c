/* SPDX-License-Identifier: Apache-2.0 */
/* Validity rules, on their own pages and on those of opcodes and structs. */
#include <string.h>

#include "base/bytes.h"
#include "manual/entry.h"
#include "manual/rows.h"

static bool bit_of(const uint8_t *bitmap, unsigned bit)
{
    return trn_bits_get(bitmap[bit / 8], bit % 8, 1);
}

/* ---- on other pages --------------------------------------------------------------- */

/* Rules whose scope names the opcode (or, without one, the struct), in file order. */
void page_rules(struct page *page, int opcode, unsigned struct_id, unsigned isa_mask)
{
    static const struct trn_manual_column columns[] = {
        {"rule", TRN_MANUAL_COLUMN_PLAIN},       {"generations", TRN_MANUAL_COLUMN_PLAIN},
        {"confidence", TRN_MANUAL_COLUMN_PLAIN}, {"checked", TRN_MANUAL_COLUMN_DETAIL},
        {"message", TRN_MANUAL_COLUMN_PLAIN},    {"expression", TRN_MANUAL_COLUMN_DETAIL},
    };
    PAGE_TABLE(page, "rules", columns);
    for (int i = 0; i < TRN_RULE_COUNT; i++) {
        const struct trn_rule_scope *scope = &trn_rule_scope_table[i];
        const struct trn_rule_row *row = &trn_rule_table[i];
        const bool covers = opcode >= 0 ? bit_of(scope->opcodes, (unsigned)opcode)
                                        : bit_of(scope->structs, struct_id);
        const unsigned mask = row->isa_mask & isa_mask;
        if (!covers || scope->everything || mask == 0 || !page_wants_isa(page, mask))
            continue;
        const struct trn_manual_value cells[] = {
            value_text(row->name),   value_text(isa_span(page, mask)), value_text(row->confidence),
            value_text(scope->kind), value_text(row->message),         value_text(row->expression)};
        page_row(page, cells);
    }
}

/* Rules that every word with the struct must keep. */
void page_common_rules(struct page *page, unsigned struct_id, unsigned isa_mask)
{
    const char *list = "";
    for (int i = 0; i < TRN_RULE_COUNT; i++) {
        const struct trn_rule_scope *scope = &trn_rule_scope_table[i];
        const bool covers = struct_id == TRN_STRUCT_NONE || bit_of(scope->structs, struct_id);
        if (scope->everything && covers &&
            page_wants_isa(page, trn_rule_table[i].isa_mask & isa_mask))
            list = page_list_add(page, list, trn_rule_table[i].name);
    }
    page_list(page, "rules_of_every_word", list);
}

/* ---- pages of their own ----------------------------------------------------------- */

static uint32_t rule_rows(void)
{
    return TRN_RULE_COUNT;
}

/* A rule whose message ends in "(V6)" is the one that the sheet numbers so. */
static void rule_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    (void)part;
    const char *number = strrchr(trn_rule_table[row].message, '(');
    spell(out, "%s", trn_rule_table[row].name);
    if (number && number[1] == 'V' && number[strlen(number) - 1] == ')')
        spell(out, "%.*s", (int)strlen(number) - 2, number + 1);
}

static unsigned rule_generations(uint32_t row, uint32_t part)
{
    (void)part;
    return generations_of_isa(trn_rule_table[row].isa_mask);
}

/* Is `item` one of the items of a constraint ("T2; T3; T4"), with or without its nibble? */
static bool constraint_has(const char *constraint, const char *item)
{
    const size_t length = strlen(item);
    for (const char *at = constraint; *at;) {
        const char *end = strstr(at, "; ");
        const size_t size = end ? (size_t)(end - at) : strlen(at);
        const bool nibble = strncmp(at, "lo ", 3) == 0 || strncmp(at, "hi ", 3) == 0;
        const char *body = nibble ? at + 3 : at;
        if (size - (size_t)(body - at) == length && memcmp(body, item, length) == 0)
            return true;
        at += size + (end ? 2 : 0);
    }
    return false;
}

static void rule_fields(struct page *page, const char *rule)
{
    static const struct trn_manual_column columns[] = {
        {"field", TRN_MANUAL_COLUMN_PLAIN},
        {"meaning", TRN_MANUAL_COLUMN_PLAIN},
    };
    PAGE_TABLE(page, "fields", columns);
    for (uint32_t row = 0; row < field_rows(); row++)
        for (uint32_t part = 0; part < field_parts(row); part++) {
            const struct trn_field_row *field = field_at(row, part);
            if (!constraint_has(field->constraint, rule))
                continue;
            const struct trn_manual_value cells[] = {
                value_text(page_format(page, "%s.%s", field_owner(row)->name, field->name)),
                value_text(field->meaning)};
            page_row(page, cells);
        }
}

static void rule_opcodes(struct page *page, uint32_t rule)
{
    static const struct trn_manual_column columns[] = {
        {"opcode", TRN_MANUAL_COLUMN_PLAIN},
        {"name", TRN_MANUAL_COLUMN_PLAIN},
        {"struct", TRN_MANUAL_COLUMN_PLAIN},
    };
    PAGE_TABLE(page, "opcodes", columns);
    for (unsigned opcode = 0; opcode < 256; opcode++) {
        const struct trn_opcode_row *row = &trn_opcode_table[opcode];
        if (!row->name || !bit_of(trn_rule_scope_table[rule].opcodes, opcode) ||
            !page_wants_isa(page, row->isa_mask & trn_rule_table[rule].isa_mask))
            continue;
        const struct trn_manual_value cells[] = {value_hex(opcode, 2), value_text(row->name),
                                                 value_text(row->struct_name)};
        page_row(page, cells);
    }
}

static const char *when_text(const struct trn_rule_scope *scope)
{
    if (strcmp(scope->kind, "field") == 0)
        return "on the fields whose constraint names it";
    if (strcmp(scope->kind, "lib") == 0)
        return "only as part of other rules";
    return strcmp(scope->kind, "run") == 0 ? "when the word executes" : "on the word";
}

static void rule_page(struct page *page, uint32_t row, uint32_t part)
{
    (void)part;
    const struct trn_rule_row *rule = &trn_rule_table[row];
    page_title(page, rule->name, rule->message);
    page_text(page, "scope", rule->scope);
    page_text(page, "checked", when_text(&trn_rule_scope_table[row]));
    page_text(page, "expression", rule->expression);
    page_fact(page, "warning", value_bool(rule->is_warning));
    page_list(page, "generations", generation_list(page, rule_generations(row, 0)));
    page_text(page, "confidence", rule->confidence);
    rule_opcodes(page, row);
    rule_fields(page, rule->name);
}

const struct entry_kind entry_rule = {
    .name = "rule",
    .rows = rule_rows,
    .spell = rule_spell,
    .generations = rule_generations,
    .page = rule_page,
};
