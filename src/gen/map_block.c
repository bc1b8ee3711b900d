/* SPDX-License-Identifier: Apache-2.0 */
/* Register blocks and their registers, as the public header shows them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "gen/map.h"

static void fill_block(const struct trn_gen *gen, const struct trn_block *block,
                       struct trn_map_block *out)
{
    const struct trn_block_row *row = block->row;
    *out = (struct trn_map_block){.index = (size_t)(block - trn_blocks_of(gen)->blocks),
                                  .place = block->place,
                                  .block = row->block,
                                  .shared = row->shared,
                                  .form = row->form,
                                  .meaning = row->meaning,
                                  .confidence = row->confidence,
                                  .bar0 = block->bar0,
                                  .size = row->size,
                                  .core = trn_block_core(block),
                                  .engine = row->engine};
    trn_block_path(block, out->path);
}

bool trn_map_block_at(const struct trn_gen *gen, size_t i, struct trn_map_block *out)
{
    const struct trn_block_list *list = trn_blocks_of(gen);
    if (i < list->count)
        fill_block(gen, &list->blocks[i], out);
    return i < list->count;
}

bool trn_map_block_find(const struct trn_gen *gen, const char *name, struct trn_map_block *out)
{
    const struct trn_block *block = trn_block_find(gen, name);
    if (block)
        fill_block(gen, block, out);
    return block != NULL;
}

/* ---- registers -------------------------------------------------------------------- */

static const char *access_name(enum trn_reg_access access)
{
    static const char *const names[] = {"RW", "RO", "WO", "W0C", "W1C", "RC"};
    return names[access];
}

/* The row's name with one pair of indices in place of its ranges. */
static void write_name(const struct trn_reg_row *row, unsigned i, unsigned j, char *name)
{
    const unsigned index[2] = {i, j};
    size_t used = 0;
    unsigned k = 0;
    for (const char *at = row->name; *at && used + 8 < TRN_MAP_NAME_MAX; at++) {
        const char *end = *at == '[' ? strchr(at, ']') : NULL;
        if (end && strstr(at, "..") && strstr(at, "..") < end && k < 2) {
            used += (size_t)sprintf(name + used, "[%u]", index[k++]);
            at = end;
        } else {
            name[used++] = *at;
        }
    }
    name[used] = '\0';
}

bool trn_map_fill_register(const struct trn_block *block, const struct trn_reg_row *row, unsigned i,
                           unsigned j, struct trn_map_register *out)
{
    *out = (struct trn_map_register){.alias = row->alias,
                                     .block = row->block,
                                     .access = access_name(row->access),
                                     .meaning = row->meaning,
                                     .confidence = row->confidence,
                                     .reset = row->reset,
                                     .width = row->width,
                                     .reset_known = row->reset_known,
                                     .num_fields = row->num_fields,
                                     .row = row};
    if (!trn_block_reg_place(block, row, i, j, &out->bar0))
        return false;
    out->offset = trn_reg_offset(row, i, j);
    write_name(row, i, j, out->name);
    return true;
}

static unsigned last_index(const struct trn_reg_row *row, unsigned k)
{
    return row->num_indices > k ? row->first[k] + row->count[k] - 1u : row->first[k];
}

/* All instances of a row; returns the count with them. */
static size_t add_row(const struct trn_block *block, const struct trn_reg_row *row,
                      struct trn_map_register *out, size_t capacity, size_t count)
{
    for (unsigned i = row->first[0]; i <= last_index(row, 0); i++)
        for (unsigned j = row->first[1]; j <= last_index(row, 1); j++) {
            struct trn_map_register reg;
            if (!trn_map_fill_register(block, row, i, j, &reg))
                continue;
            if (count < capacity)
                out[count] = reg;
            count++;
        }
    return count;
}

static int by_place(const void *a, const void *b)
{
    const struct trn_map_register *x = a, *y = b;
    return (x->bar0 > y->bar0) - (x->bar0 < y->bar0);
}

size_t trn_map_registers(const struct trn_gen *gen, size_t block, struct trn_map_register *out,
                         size_t capacity)
{
    const struct trn_block_list *list = trn_blocks_of(gen);
    size_t count = 0;
    if (block >= list->count)
        return 0;
    for (size_t i = 0; i < trn_num_regs; i++)
        if (trn_reg_on(&trn_reg_table[i], gen))
            count = add_row(&list->blocks[block], &trn_reg_table[i], out, capacity, count);
    if (count <= capacity && count)
        qsort(out, count, sizeof *out, by_place);
    return count;
}

bool trn_map_field_at(const struct trn_map_register *reg, unsigned i, struct trn_map_field *out)
{
    if (i >= reg->row->num_fields)
        return false;
    const struct trn_reg_bits *bits = &reg->row->fields[i];
    *out = (struct trn_map_field){bits->name, bits->low, bits->bits, bits->pulse};
    return true;
}

uint32_t trn_map_field_value(const struct trn_map_field *field, uint32_t word)
{
    return (uint32_t)trn_bits_get(word, field->low, field->bits);
}

void trn_map_fill_block(struct trn_map_place *place)
{
    const struct trn_gen *gen = place->gen;
    const uint64_t bar0 = place->address[TRN_MAP_BAR0];
    const struct trn_block *block = place->exists[TRN_MAP_BAR0] ? trn_block_at(gen, bar0) : NULL;
    if (!block)
        return;
    unsigned index[2] = {0, 0};
    const struct trn_reg_row *row = trn_block_reg_at(gen, block, bar0, index);
    place->has_block = true;
    fill_block(gen, block, &place->block);
    place->block_offset = (uint32_t)(bar0 - block->bar0) + block->row->block_offset;
    place->has_register = row && trn_map_fill_register(block, row, index[0], index[1], &place->reg);
}
