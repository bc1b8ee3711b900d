/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and formulas of the timing model (docs/hardware/timing.md). */
#include "gen/timing_rows.h"
#include "manual/entry.h"
#include "trench/isa.h"

/* ---- numbers ------------------------------------------------------------------------ */

static uint32_t number_rows(void)
{
    return TRN_TIMING_NUMBERS;
}

static void number_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    (void)part;
    spell(out, "timing.%s", trn_timing_rows[row].id);
}

static void number_page(struct page *page, uint32_t number, uint32_t part)
{
    static const struct trn_manual_column columns[] = {
        {"generation", TRN_MANUAL_COLUMN_PLAIN},
        {"value", TRN_MANUAL_COLUMN_PLAIN},
        {"confidence", TRN_MANUAL_COLUMN_PLAIN},
    };
    const struct trn_timing_row *const row = &trn_timing_rows[number];
    (void)part;
    page_title(page, page_format(page, "timing.%s", row->id), row->meaning);
    page_text(page, "unit", row->unit);
    page_text(page, "model_choice", trn_choice_table[row->choice].id);
    page_text(page, "sheet", row->sheet);
    PAGE_TABLE(page, "values", columns);
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        const struct trn_manual_value cells[] = {value_text(trn_gen_at(g)->name),
                                                 value_number(row->value[g]),
                                                 value_text(row->confidence[g])};
        if (page_wants(page, g))
            page_row(page, cells);
    }
}

const struct entry_kind entry_timing = {
    .name = "timing",
    .rows = number_rows,
    .spell = number_spell,
    .page = number_page,
};

/* ---- formulas ----------------------------------------------------------------------- */

static uint32_t formula_rows(void)
{
    return (uint32_t)trn_timing_num_word_rows;
}

static void formula_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    (void)part;
    spell(out, "timing.%s", trn_timing_word_rows[row].id);
    spell(out, "%s", trn_timing_word_rows[row].id);
}

static unsigned formula_generations(uint32_t row, uint32_t part)
{
    (void)part;
    return trn_timing_word_rows[row].generations;
}

/* "4 * max(64, n)", "n / 4 + 144", "16"; n is named where it occurs. */
static const char *formula_text(struct page *page, const struct trn_timing_word_row *row)
{
    const char *text = "";
    if (row->mul > 1)
        text = page_format(page, "%u * n", row->mul);
    else if (row->mul == 1)
        text = "n";
    if (row->mul && row->div > 1)
        text = page_format(page, "%s / %u", text, row->div);
    if (row->mul && row->add)
        text = page_format(page, "%s + %u", text, row->add);
    if (!row->mul)
        text = page_format(page, "%u", row->add > row->min ? row->add : row->min);
    else if (row->min)
        text = page_format(page, "max(%u, %s)", row->min, text);
    return row->factor > 1 ? page_format(page, "%u * %s", row->factor, text) : text;
}

static void formula_page(struct page *page, uint32_t number, uint32_t part)
{
    static const char *const engines[] = {"pe", "act", "pool", "dve", "every sequencer", "any"};
    const struct trn_timing_word_row *const row = &trn_timing_word_rows[number];
    const char *opcodes = "";
    (void)part;
    for (unsigned i = 0; i < row->num_opcodes; i++)
        opcodes = page_list_add(page, opcodes, trn_opcode_name(row->opcodes[i]));
    page_title(page, page_format(page, "timing.%s", row->id), row->meaning);
    page_text(page, "engine", engines[row->engine]);
    page_list(page, "opcodes", opcodes);
    page_text(page, "formula", formula_text(page, row));
    page_text(page, "unit", row->ns ? "ns" : "cycle");
    if (row->mul)
        page_text(page, "n",
                  row->of_output ? "elements that a partition is written"
                                 : "elements of the largest input in a partition");
    page_fact(page, "by_default", value_bool(row->by_default));
    page_list(page, "generations", generation_list(page, row->generations));
    if (row->choice != TRN_CHOICE_COUNT)
        page_text(page, "model_choice", trn_choice_table[row->choice].id);
    page_text(page, "sheet", row->sheet);
    page_text(page, "confidence", row->confidence);
}

const struct entry_kind entry_timing_formula = {
    .name = "timing_formula",
    .rows = formula_rows,
    .spell = formula_spell,
    .generations = formula_generations,
    .page = formula_page,
};
