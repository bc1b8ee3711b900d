/* SPDX-License-Identifier: Apache-2.0 */
#include "device/regfile.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

/* ---- what a write can leave set ------------------------------------------------------ */

/* A mask with one bit for each queue has one bit where there is one queue (notific.md 1.1). */
static unsigned field_bits(const struct trn_reg_layout *layout, const struct trn_reg_bits *field)
{
    const bool one_queue = strcmp(layout->row->form, "one-queue") == 0;
    const bool per_queue = field->low == 0 && field->bits == layout->gen->notification_queues;
    return one_queue && per_queue ? 1 : field->bits;
}

/* Bits that some field names, without the ones that only pulse; all of them where none is named. */
static uint32_t stored_bits(const struct trn_reg_layout *layout, const struct trn_reg_row *row)
{
    uint64_t mask = row->num_fields ? 0 : UINT32_MAX;
    for (size_t i = 0; i < row->num_fields; i++)
        if (!row->fields[i].pulse)
            mask = trn_bits_set(mask, row->fields[i].low, field_bits(layout, &row->fields[i]),
                                UINT64_MAX);
    return (uint32_t)mask;
}

/* ---- the words of a block ------------------------------------------------------------ */

static bool in_block(const struct trn_reg_layout *layout, const struct trn_reg_row *row)
{
    const struct trn_block_row *block = layout->row;
    return !row->open && trn_reg_on(row, layout->gen) &&
           (strcmp(row->block, block->block) == 0 ||
            (block->shared && strcmp(row->block, block->shared) == 0));
}

/* Word of an instance of the row; num_words where it does not exist in this block. */
static size_t word_of(const struct trn_reg_layout *layout, const struct trn_reg_row *row,
                      unsigned i, unsigned j)
{
    const uint32_t offset = trn_reg_offset(row, row->first[0] + i, row->first[1] + j);
    const uint32_t start = layout->row->block_offset;
    return offset < layout->row->end && offset >= start && (offset - start) / 4 < layout->num_words
               ? (offset - start) / 4
               : layout->num_words;
}

typedef void (*visitor)(void *context, const struct trn_reg_row *row, size_t word);

static void for_each_register(const struct trn_reg_layout *layout, visitor visit, void *context)
{
    for (size_t r = 0; r < trn_num_regs; r++) {
        const struct trn_reg_row *row = &trn_reg_table[r];
        if (!in_block(layout, row))
            continue;
        for (unsigned i = 0; i < (row->num_indices > 0 ? row->count[0] : 1u); i++)
            for (unsigned j = 0; j < (row->num_indices > 1 ? row->count[1] : 1u); j++) {
                const size_t word = word_of(layout, row, i, j);
                if (word < layout->num_words)
                    visit(context, row, word);
            }
    }
}

static void describe(void *context, const struct trn_reg_row *row, size_t word)
{
    struct trn_reg_layout *layout = context;
    layout->words[word] = (struct trn_reg_word){
        .keep = stored_bits(layout, row), .access = (uint8_t)row->access, .known = true};
}

/* Blocks of one kind that show the same registers in the same words. */
static bool same_words(const struct trn_block_row *a, const struct trn_block_row *b)
{
    return a->size == b->size && a->block_offset == b->block_offset && a->end == b->end &&
           strcmp(a->block, b->block) == 0 && strcmp(a->form, b->form) == 0 && !a->shared &&
           !b->shared;
}

struct trn_reg_layout *trn_reg_layout(struct trn_reg_layout **first, const struct trn_gen *gen,
                                      const struct trn_block_row *row)
{
    for (struct trn_reg_layout *known = *first; known; known = known->next)
        if (known->row == row || same_words(known->row, row))
            return known;
    struct trn_reg_layout *layout = calloc(1, sizeof *layout);
    if (!layout)
        return NULL;
    *layout =
        (struct trn_reg_layout){.gen = gen, .row = row, .num_words = row->size / 4, .next = *first};
    layout->words = calloc(layout->num_words, sizeof *layout->words);
    if (!layout->words) {
        free(layout);
        return NULL;
    }
    for_each_register(layout, describe, layout);
    *first = layout;
    return layout;
}

void trn_reg_layouts_free(struct trn_reg_layout **first)
{
    while (*first) {
        struct trn_reg_layout *next = (*first)->next;
        free((*first)->words);
        free(*first);
        *first = next;
    }
}

static void reset(void *context, const struct trn_reg_row *row, size_t word)
{
    uint32_t *words = context;
    if (row->reset != 0) /* untouched pages of a large block cost nothing */
        words[word] = row->reset;
}

void trn_reg_reset(const struct trn_reg_layout *layout, uint32_t *words)
{
    for_each_register(layout, reset, words);
}
