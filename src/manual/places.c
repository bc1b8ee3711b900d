/* SPDX-License-Identifier: Apache-2.0 */
/* Where the blocks of registers lie (register-blocks.csv), as a table of a page. */
#include <stdio.h>
#include <string.h>

#include "gen/blocks.h"
#include "gen/gen_rows.h"
#include "manual/entry.h"

/* First block of a row on a generation; *count receives how many there are. */
static const struct trn_block *first_of(const struct trn_block_row *row, unsigned generation,
                                        size_t *count)
{
    const struct trn_block_list *list = trn_blocks_of(&trn_gen_table[generation]);
    const struct trn_block *first = NULL;
    *count = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (list->blocks[i].row != row)
            continue;
        if (!first || list->blocks[i].number < first->number)
            first = &list->blocks[i];
        ++*count;
    }
    return first;
}

static bool is_block_of(const struct trn_block_row *row, const char *block)
{
    return strcmp(row->block, block) == 0 || (row->shared && strcmp(row->shared, block) == 0);
}

/* The row on the first of its generations that the page shows and the register has. */
static void add_row(struct page *page, const struct trn_block_row *row,
                    const struct trn_reg_row *reg)
{
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        size_t count;
        uint64_t bar0;
        if (!trn_bits_get(row->gen_mask, g, 1) || !page_wants(page, g) ||
            (reg && !trn_reg_on(reg, &trn_gen_table[g])))
            continue;
        const struct trn_block *first = first_of(row, g, &count);
        if (!first)
            return;
        bar0 = first->bar0;
        if (reg && !trn_block_reg_place(first, reg, reg->first[0], reg->first[1], &bar0))
            return;
        char path[TRN_BLOCK_PATH_BYTES];
        trn_block_path(first, path);
        const unsigned mask = reg ? reg->gen_mask & row->gen_mask : row->gen_mask;
        const struct trn_manual_value cells[] = {value_text(page_format(page, "%s", path)),
                                                 value_number((int64_t)count),
                                                 value_hex(bar0, 1),
                                                 value_list(generation_list(page, mask)),
                                                 value_text(row->form),
                                                 value_text(row->confidence)};
        page_row(page, cells);
        return;
    }
}

void page_places(struct page *page, const char *block, const struct trn_reg_row *reg)
{
    static const struct trn_manual_column columns[] = {
        {"first_place", TRN_MANUAL_COLUMN_PLAIN}, {"places", TRN_MANUAL_COLUMN_PLAIN},
        {"bar0", TRN_MANUAL_COLUMN_PLAIN},        {"generations", TRN_MANUAL_COLUMN_PLAIN},
        {"form", TRN_MANUAL_COLUMN_PLAIN},        {"confidence", TRN_MANUAL_COLUMN_DETAIL},
    };
    PAGE_TABLE(page, "places", columns);
    for (size_t i = 0; i < trn_num_block_rows; i++)
        if (is_block_of(&trn_block_row_table[i], block))
            add_row(page, &trn_block_row_table[i], reg);
}
