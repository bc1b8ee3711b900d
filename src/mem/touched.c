/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An access is first reduced to the set of bytes it touches in one partition: the order and the
 * number of times do not matter here, so steps are made positive, repeats dropped, and runs that
 * adjoin or overlap merged. On chip that set becomes a bit mask, made once and laid over every
 * partition; in HBM, where it may be large, its runs are walked.
 */
#include "mem/touched.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

enum { WORD_BYTES = TRN_TOUCHED_BYTES };

trn_status trn_touched_init(struct trn_touched *space)
{
    if (space->walked)
        return TRN_OK;
    space->mask = calloc(space->row_bytes / WORD_BYTES + 1, sizeof *space->mask);
    return space->mask ? TRN_OK : TRN_ERR_NO_MEMORY;
}

void trn_touched_destroy(struct trn_touched *space)
{
    free(space->mask);
    space->mask = NULL;
}

/* ---- the bytes of a pattern ------------------------------------------------------- */

/* A set of bytes: runs of `length`, `dims` nested loops with positive steps, ascending. */
struct byte_set {
    uint64_t start, length;
    unsigned dims;
    uint64_t step[4], num[4];
};

static void add_dimension(struct byte_set *set, uint64_t step, uint64_t num)
{
    unsigned at = set->dims++;
    for (; at > 0 && set->step[at - 1] > step; at--) {
        set->step[at] = set->step[at - 1];
        set->num[at] = set->num[at - 1];
    }
    set->step[at] = step;
    set->num[at] = num;
}

/* Loops whose runs adjoin or overlap make one longer run. */
static void merge_inner(struct byte_set *set)
{
    unsigned merged = 0;
    while (merged < set->dims && set->step[merged] <= set->length) {
        set->length += (set->num[merged] - 1) * set->step[merged];
        merged++;
    }
    set->dims -= merged;
    memmove(set->step, set->step + merged, set->dims * sizeof set->step[0]);
    memmove(set->num, set->num + merged, set->dims * sizeof set->num[0]);
}

/* false: nothing, or something outside [0, row_bytes) of the row. */
static bool set_of_pattern(const struct trn_access *access, size_t row_bytes, struct byte_set *set)
{
    *set = (struct byte_set){.start = access->byte, .length = access->size};
    int64_t low = 0, high = 0, reach;
    for (unsigned i = 0; i < 4; i++) {
        if (access->num[i] == 0 || access->num[i] > INT64_MAX)
            return false;
        if (access->step[i] == 0 || access->num[i] == 1)
            continue;
        if (__builtin_mul_overflow(access->step[i], (int64_t)(access->num[i] - 1), &reach) ||
            __builtin_add_overflow(reach < 0 ? low : high, reach, reach < 0 ? &low : &high))
            return false;
        const uint64_t step = (uint64_t)access->step[i];
        add_dimension(set, access->step[i] < 0 ? 0 - step : step, access->num[i]);
    }
    set->start += (uint64_t)low; /* every negative loop now starts at its far end */
    if (access->size == 0 || access->byte > row_bytes || 0 - (uint64_t)low > access->byte ||
        (uint64_t)high > row_bytes - access->byte ||
        access->size > row_bytes - access->byte - (uint64_t)high)
        return false;
    merge_inner(set);
    return true;
}

/* Calls visit(context, start, length) for every run; false as soon as one returns false. */
static bool for_each_run(const struct byte_set *set, bool (*visit)(void *, uint64_t, uint64_t),
                         void *context)
{
    uint64_t index[4] = {0}, start = set->start;
    for (;;) {
        if (!visit(context, start, set->length))
            return false;
        unsigned d = 0;
        for (; d < set->dims; d++) {
            start += set->step[d];
            if (++index[d] < set->num[d])
                break;
            start -= set->step[d] * set->num[d];
            index[d] = 0;
        }
        if (d == set->dims)
            return true;
    }
}

uint64_t trn_touched_bits(uint64_t start, uint64_t length, uint64_t word)
{
    const uint64_t from = word * WORD_BYTES, end = start + length;
    const uint64_t low = start > from ? start - from : 0;
    const uint64_t high = end - from < WORD_BYTES ? end - from : WORD_BYTES;
    return trn_bits_set(0, (unsigned)low, (unsigned)(high - low), UINT64_MAX);
}

/* ---- masks ------------------------------------------------------------------------ */

/* The bytes of one partition as a mask; [first, end) are the words that may be non-zero. */
struct mask {
    uint64_t *words;
    uint64_t first, end;
};

static bool add_run(void *context, uint64_t start, uint64_t length)
{
    struct mask *mask = context;
    const uint64_t first = start / WORD_BYTES, last = (start + length - 1) / WORD_BYTES;
    for (uint64_t word = first; word <= last; word++)
        mask->words[word] |= trn_touched_bits(start, length, word);
    mask->first = first < mask->first ? first : mask->first;
    mask->end = last + 1 > mask->end ? last + 1 : mask->end;
    return true;
}

static struct mask begin_mask(const struct trn_touched *space)
{
    return (struct mask){.words = space->mask, .first = UINT64_MAX, .end = 0};
}

static void end_mask(const struct mask *mask)
{
    if (mask->end > mask->first)
        memset(mask->words + mask->first, 0, (mask->end - mask->first) * sizeof *mask->words);
}

/* The elements that the index list of one partition names. */
static void mask_of_list(const struct trn_access *access, size_t row_bytes, uint32_t lane,
                         struct mask *mask)
{
    const uint8_t *list = access->index + lane * access->index_pitch;
    for (uint64_t i = 0; i < access->num[0]; i++) {
        const uint64_t start = access->byte + trn_get16(list + 2 * i) * access->size;
        if (access->size > 0 && start < row_bytes && access->size <= row_bytes - start)
            add_run(mask, start, access->size);
    }
}

static bool visit_mask(const struct mask *mask, size_t row, trn_touched_visit visit, void *context)
{
    for (uint64_t word = mask->first; word < mask->end; word++)
        if (mask->words[word] != 0 && !visit(context, row, (size_t)word, mask->words[word]))
            return false;
    return true;
}

static bool visit_lists(const struct trn_touched *space, const struct trn_access *access,
                        trn_touched_visit visit, void *context)
{
    const size_t row_bytes = space->row_bytes;
    bool more = true;
    for (uint32_t lane = 0; lane < access->channels && more; lane++) {
        struct mask mask = begin_mask(space);
        mask_of_list(access, row_bytes, lane, &mask);
        more = visit_mask(&mask, access->partition + lane, visit, context);
        end_mask(&mask);
    }
    return more;
}

static bool visit_pattern(const struct trn_touched *space, const struct trn_access *access,
                          trn_touched_visit visit, void *context)
{
    struct byte_set set;
    if (!set_of_pattern(access, space->row_bytes, &set))
        return true;
    struct mask mask = begin_mask(space);
    for_each_run(&set, add_run, &mask);
    bool more = true;
    for (uint32_t lane = 0; lane < access->channels && more; lane++)
        more = visit_mask(&mask, access->partition + lane, visit, context);
    end_mask(&mask);
    return more;
}

/* A run of HBM bytes, word by word. */
struct run_visitor {
    trn_touched_visit visit;
    void *context;
};

static bool visit_run(void *context, uint64_t start, uint64_t length)
{
    const struct run_visitor *visitor = context;
    const uint64_t last = (start + length - 1) / WORD_BYTES;
    for (uint64_t word = start / WORD_BYTES; word <= last; word++)
        if (!visitor->visit(visitor->context, 0, (size_t)word,
                            trn_touched_bits(start, length, word)))
            return false;
    return true;
}

bool trn_touched_by(const struct trn_touched *space, const struct trn_access *access,
                    trn_touched_visit visit, void *context)
{
    if (access->partition >= space->rows || access->channels > space->rows - access->partition)
        return true;
    if (space->walked) {
        struct byte_set set;
        struct run_visitor visitor = {visit, context};
        return access->index || !set_of_pattern(access, space->row_bytes, &set) ||
               for_each_run(&set, visit_run, &visitor);
    }
    return access->index ? visit_lists(space, access, visit, context)
                         : visit_pattern(space, access, visit, context);
}
