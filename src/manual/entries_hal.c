/* SPDX-License-Identifier: Apache-2.0 */
/* Slots of the host HAL's dispatch object and its getters by generation. */
#include <string.h>

#include "manual/entry.h"
#include "manual/hal_rows.h"

/* ---- slots ------------------------------------------------------------------------ */

static uint32_t slot_rows(void)
{
    return (uint32_t)trn_num_slot_pages;
}

/* "stpb.dve_init", as the assertion says it, and by its offset; a member that names its engine also
 * alone. */
static void slot_spell(uint32_t number, uint32_t part, struct spellings *out)
{
    (void)part;
    const struct trn_slot_page_row *row = &trn_slot_page_table[number];
    spell(out, "khal_%s.%s", row->family, row->member);
    spell(out, "kaena_khal.khal_%s.%s", row->family, row->member);
    spell(out, "%s.%s", row->family, row->member);
    spell(out, "khal+0x%X", row->offset);
    spell(out, "%s", strcmp(row->family, "stpb") == 0 ? row->member : "");
}

static void slot_page(struct page *page, uint32_t number, uint32_t part)
{
    (void)part;
    const struct trn_slot_page_row *row = &trn_slot_page_table[number];
    page_title(page, page_format(page, "khal_%s.%s", row->family, row->member),
               "slot of the host HAL's dispatch object");
    page_fact(page, "offset", value_hex(row->offset, 3));
    page_text(page, "family", row->family);
    page_text(page, "empty", row->fatal ? "fatal assertion" : "returns 0");
    page_text(page, "assertion", row->text);
    page_text(page, "meaning", row->meaning);
    page_text(page, "confidence", row->confidence);
    page_text(page, "sheet", row->sheet);
}

const struct entry_kind entry_hal_slot = {
    .name = "hal_slot",
    .rows = slot_rows,
    .spell = slot_spell,
    .page = slot_page,
};

/* ---- getters ---------------------------------------------------------------------- */

static uint32_t getter_rows(void)
{
    return (uint32_t)trn_num_getter_pages;
}

static void getter_spell(uint32_t number, uint32_t part, struct spellings *out)
{
    (void)part;
    const char *name = trn_getter_page_table[number].name;
    spell(out, "hal.%s", name);
    spell(out, "get_%s", name);
    spell(out, "%s", name);
}

static unsigned getter_generations(uint32_t number, uint32_t part)
{
    (void)part;
    unsigned mask = 0;
    for (unsigned g = 0; g < TRN_HAL_COLUMNS; g++)
        mask |= (unsigned)(strcmp(trn_getter_page_table[number].values[g], "-") != 0) << g;
    return mask;
}

static void getter_page(struct page *page, uint32_t number, uint32_t part)
{
    static const struct trn_manual_column columns[] = {{"generation", TRN_MANUAL_COLUMN_PLAIN},
                                                       {"values", TRN_MANUAL_COLUMN_PLAIN}};
    (void)part;
    const struct trn_getter_page_row *row = &trn_getter_page_table[number];
    page_title(page, page_format(page, "hal.%s", row->name), row->meaning);
    page_text(page, "index", row->index);
    if (row->slot)
        page_fact(page, "slot", value_hex(row->slot, 3));
    page_text(page, "confidence", row->confidence);
    page_text(page, "sheet", row->sheet);
    PAGE_TABLE(page, "values", columns);
    for (unsigned g = 0; g < TRN_HAL_COLUMNS; g++) {
        const struct trn_manual_value cells[] = {value_text(trn_gen_at(g)->name),
                                                 value_text(row->values[g])};
        if (page_wants(page, g))
            page_row(page, cells);
    }
}

const struct entry_kind entry_hal_getter = {
    .name = "hal_getter",
    .rows = getter_rows,
    .spell = getter_spell,
    .generations = getter_generations,
    .page = getter_page,
};
