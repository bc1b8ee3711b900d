/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors of a DMA engine, a page for each view of the 16 bytes. */
#include <string.h>

#include "gen/udma_rows.h"
#include "manual/entry.h"

static const struct {
    const char *view, *meaning, *sheet;
} views[] = {
    {"tx", "submission descriptor of the M2S half: where bytes come from", "udma.md 2.1, 2.2"},
    {"rx", "submission descriptor of the S2M half: where bytes go", "udma.md 2.1"},
    {"meta", "metadata descriptor: a command for its packet, no data", "udma.md 2, 2.1"},
    {"cce", "second word of a compute descriptor (the form is a model choice)", "udma.md 2.3"},
    {"transpose", "second word of a transposing descriptor (the form is a model choice)",
     "udma.md 2.3"},
    {"operands", "payload of a metadata descriptor of the compute class", "udma.md 2.3"},
    {"completion", "completion descriptor that the engine writes", "udma.md 2.4"},
};

static uint32_t view_rows(void)
{
    return sizeof views / sizeof views[0];
}

static void view_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    (void)part;
    spell(out, "descriptor.%s", views[row].view);
    spell(out, "udma.%s", views[row].view);
}

static void view_layout(struct page *page, const char *view)
{
    static const struct trn_manual_column columns[] = {
        {"word", TRN_MANUAL_COLUMN_PLAIN},    {"bits", TRN_MANUAL_COLUMN_PLAIN},
        {"field", TRN_MANUAL_COLUMN_PLAIN},   {"confidence", TRN_MANUAL_COLUMN_PLAIN},
        {"meaning", TRN_MANUAL_COLUMN_PLAIN},
    };
    enum { WORD_BITS = 32 };
    PAGE_TABLE(page, "layout", columns);
    for (size_t i = 0; i < trn_num_udma_fields; i++) {
        const struct trn_udma_field_row *const field = &trn_udma_field_table[i];
        if (strcmp(field->view, view) != 0)
            continue;
        const struct trn_manual_value cells[] = {
            value_number(field->low / WORD_BITS),
            value_text(bits_text(page, field->low % WORD_BITS, field->bits)),
            value_text(field->name), value_text(field->confidence), value_text(field->meaning)};
        page_row(page, cells);
    }
}

static void view_page(struct page *page, uint32_t row, uint32_t part)
{
    (void)part;
    page_title(page, page_format(page, "descriptor.%s", views[row].view), views[row].meaning);
    page_fact(page, "bytes", value_number(16));
    page_text(page, "sheet", views[row].sheet);
    view_layout(page, views[row].view);
}

const struct entry_kind entry_udma_descriptor = {
    .name = "udma_descriptor",
    .rows = view_rows,
    .spell = view_spell,
    .page = view_page,
};
