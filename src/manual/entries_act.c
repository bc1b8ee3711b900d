/* SPDX-License-Identifier: Apache-2.0 */
/* The activation engine: functions, sets, tables and their entries' fields, rules of a set. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "manual/entry.h"
#include "manual/rows.h"

/* ---- functions ------------------------------------------------------------------- */

static uint32_t function_rows(void)
{
    return (uint32_t)trn_num_act_functions;
}

static void function_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    (void)part;
    spell(out, "%s", trn_act_function_table[row].name);
    spell(out, "%s", trn_act_function_table[row].table_name);
}

static bool function_number(uint32_t row, uint32_t part, uint64_t *value)
{
    (void)part;
    char *end;
    *value = strtoull(trn_act_function_table[row].id, &end, 10);
    return end != trn_act_function_table[row].id && *end == '\0';
}

static void function_page(struct page *page, uint32_t number, uint32_t part)
{
    (void)part;
    const struct trn_act_function_row *row = &trn_act_function_table[number];
    page_title(page, row->name, row->formula);
    page_text(page, "table_name", row->table_name);
    page_text(page, "function_id", row->id);
    page_text(page, "class", row->klass);
    page_text(page, "symmetry", row->symmetry);
    page_text(page, "input_range", row->input_range);
    page_text(page, "note", row->note);
    page_text(page, "fitted_to", row->recipe);
    page_text(page, "sets", row->sets);
    page_text(page, "sheet", "activation.md");
}

const struct entry_kind entry_act_function = {
    .name = "act_function",
    .rows = function_rows,
    .spell = function_spell,
    .number = function_number,
    .page = function_page,
};

/* ---- fields of entries -------------------------------------------------------------- */

static uint32_t profile_rows(void)
{
    return (uint32_t)trn_num_profile_fields;
}

/* Names that every word has too. */
static bool is_common(const char *name)
{
    return strcmp(name, "opcode") == 0 || strcmp(name, "valid") == 0;
}

static void profile_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    (void)part;
    const struct trn_profile_field_row *field = &trn_profile_field_table[row];
    spell(out, "%s.%s", field->entry, field->name);
    if (!is_common(field->name))
        spell(out, "%s", field->name);
}

static void profile_page(struct page *page, uint32_t number, uint32_t part)
{
    (void)part;
    const struct trn_profile_field_row *row = &trn_profile_field_table[number];
    page_title(page, page_format(page, "%s.%s", row->entry, row->name), row->meaning);
    page_text(page, "bits", bits_text(page, row->low, row->bits));
    page_text(page, "sunda", row->sunda);
    page_text(page, "cayman_and_later", row->cayman_plus);
    page_text(page, "confidence", row->confidence);
    page_text(page, "sheet", "activation.md");
}

const struct entry_kind entry_profile_field = {
    .name = "profile_field",
    .rows = profile_rows,
    .spell = profile_spell,
    .page = profile_page,
};

/* ---- sets ------------------------------------------------------------------------- */

static uint32_t set_rows(void)
{
    return (uint32_t)trn_num_act_set_rows;
}

static void set_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    (void)part;
    const struct trn_act_set_row *set = &trn_act_set_table[row];
    spell(out, "%s.%s", set->target, set->name);
    spell(out, "%s", set->name);
    spell(out, "%s", set->target);
}

static void set_page(struct page *page, uint32_t number, uint32_t part)
{
    (void)part;
    const struct trn_act_set_row *row = &trn_act_set_table[number];
    page_title(page, page_format(page, "%s.%s", row->target, row->name), row->heroes);
    page_text(page, "place", row->place);
    page_text(page, "functions", row->functions);
    page_text(page, "published_buckets", row->buckets);
    page_text(page, "published_control_words", row->words);
    page_text(page, "control_stride", row->stride);
    page_text(page, "here", row->here);
    page_text(page, "sheet", "activation.md 8 and 9");
}

const struct entry_kind entry_act_set = {
    .name = "act_set",
    .rows = set_rows,
    .spell = set_spell,
    .page = set_page,
};

/* ---- tables ----------------------------------------------------------------------- */

static uint32_t table_rows(void)
{
    return (uint32_t)trn_num_act_table_rows;
}

static void table_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    (void)part;
    spell(out, "%s", trn_act_table_table[row].name);
}

static void table_page(struct page *page, uint32_t number, uint32_t part)
{
    (void)part;
    static const struct trn_manual_column columns[] = {
        {"field", TRN_MANUAL_COLUMN_PLAIN},
        {"bits", TRN_MANUAL_COLUMN_PLAIN},
        {"meaning", TRN_MANUAL_COLUMN_PLAIN},
    };
    const struct trn_act_table_row *row = &trn_act_table_table[number];
    page_title(page, row->name, row->holds);
    page_fact(page, "entries", value_number(row->entries));
    page_fact(page, "entry_bytes", value_number(row->entry_bytes));
    page_fact(page, "used_bytes", value_number(row->used_bytes));
    page_text(page, "places", row->places);
    page_text(page, "sheet", row->sheet);
    page_text(page, "confidence", row->confidence);
    PAGE_TABLE(page, "fields", columns);
    for (size_t i = 0; i < trn_num_profile_fields; i++) {
        const struct trn_profile_field_row *field = &trn_profile_field_table[i];
        const struct trn_manual_value cells[] = {
            value_text(field->name), value_text(bits_text(page, field->low, field->bits)),
            value_text(field->meaning)};
        if (strcasecmp(field->entry, row->name) == 0)
            page_row(page, cells);
    }
}

const struct entry_kind entry_act_table = {
    .name = "act_table",
    .rows = table_rows,
    .spell = table_spell,
    .page = table_page,
};

/* ---- rules of a set --------------------------------------------------------------- */

static uint32_t rule_rows(void)
{
    return (uint32_t)trn_num_act_rules;
}

static void rule_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    (void)part;
    spell(out, "%s", trn_act_rule_table[row].name);
}

static void rule_page(struct page *page, uint32_t number, uint32_t part)
{
    (void)part;
    const struct trn_act_rule_row *row = &trn_act_rule_table[number];
    page_title(page, row->name, row->holds);
    page_text(page, "severity", row->severity);
    page_text(page, "checked", row->checked);
    page_text(page, "sheet", row->sheet);
    page_text(page, "confidence", row->confidence);
}

const struct entry_kind entry_act_rule = {
    .name = "act_rule",
    .rows = rule_rows,
    .spell = rule_spell,
    .page = rule_page,
};
