/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/shadow.h"

#include <stdlib.h>
#include <string.h>

#include "mem/store.h"

enum { WORD_BYTES = 64, BLOCK_WORDS = TRN_STORE_BLOCK / WORD_BYTES };

static size_t row_words(const struct trn_shadow *shadow)
{
    return (shadow->row_bytes + WORD_BYTES - 1) / WORD_BYTES;
}

static size_t row_blocks(const struct trn_shadow *shadow)
{
    return (row_words(shadow) + BLOCK_WORDS - 1) / BLOCK_WORDS;
}

/* Sizes in bytes of the three sparse arrays; whole blocks, so that clearing one stays inside. */
static size_t bits_size(const struct trn_shadow *shadow)
{
    return shadow->rows * row_blocks(shadow) * BLOCK_WORDS * sizeof *shadow->bits;
}

static size_t cells_size(const struct trn_shadow *shadow)
{
    const size_t bytes = shadow->rows * row_blocks(shadow) * TRN_STORE_BLOCK;
    return (bytes >> shadow->cell_shift) * sizeof *shadow->cells;
}

static size_t stamps_size(const struct trn_shadow *shadow)
{
    return shadow->rows * row_blocks(shadow) * sizeof *shadow->stamps;
}

static uint64_t *word_bits(const struct trn_shadow *shadow, size_t row, size_t word)
{
    return shadow->bits + row * row_blocks(shadow) * BLOCK_WORDS + word;
}

static uint32_t *word_cells(const struct trn_shadow *shadow, size_t row, size_t word)
{
    const size_t byte = (row * row_blocks(shadow) * BLOCK_WORDS + word) * WORD_BYTES;
    return shadow->cells + (byte >> shadow->cell_shift);
}

static uint32_t *word_stamp(const struct trn_shadow *shadow, size_t row, size_t word)
{
    return shadow->stamps + row * row_blocks(shadow) + word / BLOCK_WORDS;
}

trn_status trn_shadow_init(struct trn_shadow *shadow)
{
    shadow->epoch = 1;
    shadow->bits = trn_reserve(bits_size(shadow));
    shadow->cells = trn_reserve(cells_size(shadow));
    shadow->stamps = trn_reserve(stamps_size(shadow));
    shadow->summary = calloc(shadow->rows, sizeof *shadow->summary);
    if (shadow->bits && shadow->cells && shadow->stamps && shadow->summary)
        return TRN_OK;
    trn_shadow_destroy(shadow);
    return TRN_ERR_NO_MEMORY;
}

void trn_shadow_destroy(struct trn_shadow *shadow)
{
    trn_unreserve(shadow->bits, bits_size(shadow));
    trn_unreserve(shadow->cells, cells_size(shadow));
    trn_unreserve(shadow->stamps, stamps_size(shadow));
    free(shadow->summary);
    *shadow = (struct trn_shadow){.rows = 0};
}

void trn_shadow_reset(struct trn_shadow *shadow)
{
    if (++shadow->epoch != 0)
        return;
    memset(shadow->stamps, 0, stamps_size(shadow)); /* once in 2^32 resets */
    memset(shadow->summary, 0, shadow->rows * sizeof *shadow->summary);
    shadow->epoch = 1;
}

/* The written bits of a word of bytes. */
static uint64_t written(const struct trn_shadow *shadow, size_t row, size_t word)
{
    const bool fresh = *word_stamp(shadow, row, word) == shadow->epoch;
    return fresh ? *word_bits(shadow, row, word) : 0;
}

static void begin_block(struct trn_shadow *shadow, size_t row, size_t word)
{
    uint32_t *stamp = word_stamp(shadow, row, word);
    if (*stamp == shadow->epoch)
        return;
    memset(word_bits(shadow, row, word / BLOCK_WORDS * BLOCK_WORDS), 0,
           BLOCK_WORDS * sizeof *shadow->bits);
    *stamp = shadow->epoch;
}

static void count(struct trn_shadow *shadow, size_t row, uint64_t fresh, uint32_t event)
{
    struct trn_shadow_row *summary = &shadow->summary[row];
    if (summary->epoch != shadow->epoch)
        *summary = (struct trn_shadow_row){.epoch = shadow->epoch};
    summary->bytes_written += (uint64_t)__builtin_popcountll(fresh);
    summary->last_event = event;
}

static void set_cells(uint32_t *cells, unsigned cell_shift, uint64_t mask, uint32_t event)
{
    if (cell_shift == 0 && mask == UINT64_MAX) {
        for (unsigned i = 0; i < WORD_BYTES; i++)
            cells[i] = event;
        return;
    }
    for (; mask != 0; mask &= mask - 1)
        cells[(unsigned)__builtin_ctzll(mask) >> cell_shift] = event;
}

void trn_shadow_write(struct trn_shadow *shadow, size_t row, size_t word, uint64_t mask,
                      uint32_t event)
{
    if (mask == 0)
        return;
    begin_block(shadow, row, word);
    uint64_t *bits = word_bits(shadow, row, word);
    count(shadow, row, mask & ~*bits, event);
    *bits |= mask;
    set_cells(word_cells(shadow, row, word), shadow->cell_shift, mask, event);
}

uint64_t trn_shadow_missing(const struct trn_shadow *shadow, size_t row, size_t word, uint64_t mask)
{
    return mask & ~written(shadow, row, word);
}

bool trn_shadow_latest(const struct trn_shadow *shadow, size_t row, size_t word, uint64_t mask,
                       uint32_t *event)
{
    const uint64_t known = mask & written(shadow, row, word);
    const uint32_t *cells = word_cells(shadow, row, word);
    uint32_t latest = 0;
    for (uint64_t left = known; left != 0; left &= left - 1) {
        const uint32_t cell = cells[(unsigned)__builtin_ctzll(left) >> shadow->cell_shift];
        latest = cell > latest ? cell : latest;
    }
    *event = latest;
    return known != 0;
}

struct trn_shadow_row trn_shadow_summary(const struct trn_shadow *shadow, size_t row)
{
    const struct trn_shadow_row *summary = &shadow->summary[row];
    return summary->epoch == shadow->epoch ? *summary : (struct trn_shadow_row){.epoch = 0};
}
