/* SPDX-License-Identifier: Apache-2.0 */
#include "gen/blocks.h"

#include <stdio.h>

#include "gen/gen_rows.h"

const struct trn_block_list *trn_blocks_of(const struct trn_gen *gen)
{
    return &trn_block_lists[gen - trn_gen_table];
}

const struct trn_block *trn_block_at(const struct trn_gen *gen, uint64_t bar0)
{
    const struct trn_block_list *list = trn_blocks_of(gen);
    size_t low = 0, high = list->count; /* the last block that starts at or below the offset */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (list->blocks[middle].bar0 <= bar0)
            low = middle + 1;
        else
            high = middle;
    }
    const struct trn_block *block = low ? &list->blocks[low - 1] : NULL;
    return block && bar0 - block->bar0 < block->row->size ? block : NULL;
}

/* ---- names ------------------------------------------------------------------------ */

void trn_block_path(const struct trn_block *block, char *path)
{
    const char *pattern = block->row->path;
    const char *mark = strchr(pattern, '#');
    if (mark)
        snprintf(path, TRN_BLOCK_PATH_BYTES, "%.*s%u%s", (int)(mark - pattern), pattern,
                 block->number, mark + 1);
    else
        snprintf(path, TRN_BLOCK_PATH_BYTES, "%s", pattern);
}

/* "tpb[3]": the length of the name and its number; false when it has another form. */
static bool numbered(const char *name, size_t *length, unsigned *number)
{
    const char *mark = strchr(name, '[');
    int used = 0;
    *length = mark ? (size_t)(mark - name) : strlen(name);
    *number = 0;
    return !mark || (sscanf(mark, "[%5u]%n", number, &used) == 1 && mark[used] == '\0');
}

/* Of several owners with that number the one whose row comes first: cores. */
static const struct trn_block *find_numbered(const struct trn_block_list *list, const char *name)
{
    size_t length;
    unsigned number;
    if (!numbered(name, &length, &number))
        return NULL;
    for (size_t r = 0; r < trn_num_block_rows; r++) {
        const struct trn_block_row *row = &trn_block_row_table[r];
        if (!trn_name_is(row->block, name, length))
            continue;
        for (size_t i = 0; i < list->count; i++)
            if (list->blocks[i].row == row && list->blocks[i].number == number)
                return &list->blocks[i];
    }
    return NULL;
}

static bool has_path(const struct trn_block *block, const char *name)
{
    char path[TRN_BLOCK_PATH_BYTES];
    trn_block_path(block, path);
    return trn_name_is(path, name, strlen(name));
}

const struct trn_block *trn_block_find(const struct trn_gen *gen, const char *name)
{
    const struct trn_block_list *list = trn_blocks_of(gen);
    const size_t length = strlen(name);
    const uint32_t hash = trn_name_hash(name, length);
    uint32_t probe = 0;
    for (int i; (i = trn_name_next(&list->names, hash, &probe)) >= 0;) {
        const struct trn_block *block = &list->blocks[i];
        if (trn_name_is(block->place, name, length) || has_path(block, name))
            return block;
    }
    return find_numbered(list, name);
}

int trn_block_core(const struct trn_block *block)
{
    return block->row->owner == TRN_BLOCK_OF_CORE ? block->number : -1;
}

/* ---- registers -------------------------------------------------------------------- */

const struct trn_reg_row *trn_block_reg_at(const struct trn_gen *gen, const struct trn_block *block,
                                           uint64_t bar0, unsigned index[2])
{
    const struct trn_block_row *row = block->row;
    const uint32_t offset = (uint32_t)(bar0 - block->bar0) + row->block_offset;
    if (offset >= row->end)
        return NULL;
    const struct trn_reg_row *reg = trn_reg_at(gen, row->block, offset, index);
    return reg || !row->shared ? reg : trn_reg_at(gen, row->shared, offset, index);
}

bool trn_block_reg_place(const struct trn_block *block, const struct trn_reg_row *reg, unsigned i,
                         unsigned j, uint64_t *bar0)
{
    const struct trn_block_row *row = block->row;
    if (reg->open || (strcmp(reg->block, row->block) != 0 &&
                      (!row->shared || strcmp(reg->block, row->shared) != 0)))
        return false;
    const uint32_t offset = trn_reg_offset(reg, i, j);
    if (offset >= row->end)
        return false;
    *bar0 = block->bar0 + (offset - row->block_offset);
    return true;
}
