/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/fresh.h"

#include <stdlib.h>

#include "base/bytes.h"

#define HALF_CELL 2 /* bytes that one bit stands for */
#define WORD_BITS 64

struct trn_fresh {
    bool touched;
    uint32_t partitions, words; /* words of a partition */
    uint64_t bits[];
};

trn_status trn_fresh_create(const struct trn_gen *gen, struct trn_fresh **out)
{
    const uint32_t words = gen->psum_active_bytes / (HALF_CELL * WORD_BITS);
    const size_t count = (size_t)gen->psum_partitions * words;
    *out = calloc(1, sizeof **out + count * sizeof(uint64_t));
    if (!*out)
        return TRN_ERR_NO_MEMORY;
    (*out)->partitions = gen->psum_partitions;
    (*out)->words = words;
    return TRN_OK;
}

void trn_fresh_destroy(struct trn_fresh *fresh)
{
    free(fresh);
}

void trn_fresh_reset(struct trn_fresh *fresh)
{
    if (fresh->touched)
        memset(fresh->bits, 0, (size_t)fresh->partitions * fresh->words * sizeof(uint64_t));
    fresh->touched = false;
}

bool trn_fresh_touched(const struct trn_fresh *fresh)
{
    return fresh->touched;
}

/* Bits first .. last of a partition, word by word. */
struct span {
    uint32_t first, last, word;
};

static struct span span_of(uint32_t byte, uint32_t size)
{
    const uint32_t first = byte / HALF_CELL, last = (byte + size - 1) / HALF_CELL;
    return (struct span){first, last, first / WORD_BITS};
}

static bool next(struct span *span, uint32_t *word, uint64_t *mask)
{
    if (span->word > span->last / WORD_BITS)
        return false;
    *word = span->word++;
    *mask = ~UINT64_C(0);
    if (*word == span->first / WORD_BITS)
        *mask &= ~UINT64_C(0) << span->first % WORD_BITS;
    if (*word == span->last / WORD_BITS)
        *mask &= ~UINT64_C(0) >> (WORD_BITS - 1 - span->last % WORD_BITS);
    return true;
}

void trn_fresh_mark(struct trn_fresh *fresh, uint32_t partition, uint32_t byte, uint32_t size)
{
    uint64_t *bits = fresh->bits + (size_t)partition * fresh->words, mask;
    uint32_t word;
    for (struct span span = span_of(byte, size); next(&span, &word, &mask);)
        bits[word] |= mask;
    fresh->touched = true;
}

void trn_fresh_clear(struct trn_fresh *fresh, uint32_t partition, uint32_t byte, uint32_t size)
{
    uint64_t *bits = fresh->bits + (size_t)partition * fresh->words, mask;
    uint32_t word;
    for (struct span span = span_of(byte, size); next(&span, &word, &mask);)
        bits[word] &= ~mask;
}

enum trn_freshness trn_fresh_ask(const struct trn_fresh *fresh, uint32_t partition, uint32_t byte,
                                 uint32_t size)
{
    const uint64_t *bits = fresh->bits + (size_t)partition * fresh->words;
    uint64_t mask;
    uint32_t word;
    bool any = false, all = true;
    for (struct span span = span_of(byte, size); next(&span, &word, &mask);) {
        any |= (bits[word] & mask) != 0;
        all &= (bits[word] & mask) == mask;
    }
    return all ? TRN_FRESH_ALL : any ? TRN_FRESH_SOME : TRN_FRESH_NONE;
}

/* One partition of an access: every element of its pattern or of its index list. */
static void clear_lane(struct trn_fresh *fresh, const struct trn_access *access, uint32_t lane)
{
    const uint32_t partition = access->partition + lane, size = (uint32_t)access->size;
    if (access->index) {
        const uint8_t *list = access->index + lane * access->index_pitch;
        for (uint64_t i = 0; i < access->num[0]; i++)
            trn_fresh_clear(fresh, partition,
                            (uint32_t)access->byte + trn_get16(list + 2 * i) * size, size);
        return;
    }
    const int64_t *step = access->step;
    for (uint64_t w = 0; w < access->num[3]; w++)
        for (uint64_t z = 0; z < access->num[2]; z++)
            for (uint64_t y = 0; y < access->num[1]; y++)
                for (uint64_t x = 0; x < access->num[0]; x++) {
                    const int64_t at = (int64_t)access->byte + (int64_t)x * step[0] +
                                       (int64_t)y * step[1] + (int64_t)z * step[2] +
                                       (int64_t)w * step[3];
                    trn_fresh_clear(fresh, partition, (uint32_t)at, size);
                }
}

/* The same access with its adjacent elements taken together. */
static struct trn_access joined(struct trn_access access)
{
    for (int i = 0; i < 4 && !access.index; i++) {
        if (access.num[i] > 1 && access.step[i] != (int64_t)access.size)
            break;
        access.size *= access.num[i];
        access.num[i] = 1;
    }
    return access;
}

void trn_fresh_written(struct trn_fresh *fresh, const struct trn_access *access)
{
    if (!fresh->touched)
        return;
    const struct trn_access whole = joined(*access);
    for (uint32_t lane = 0; lane < access->channels; lane++)
        clear_lane(fresh, &whole, lane);
}
