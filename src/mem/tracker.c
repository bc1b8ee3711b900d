/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An access is first reduced to the set of bytes it touches in one partition: the order and the
 * number of times do not matter here, so steps are made positive, repeats dropped, and runs that
 * adjoin or overlap merged. On chip that set becomes a bit mask, made once and laid over every
 * partition; in HBM, where it may be large, its runs are walked.
 */
#include "mem/tracker.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "mem/shadow.h"

enum { WORD_BYTES = 64, NUM_SPACES = 3, HBM_CELL_SHIFT = 6, EVENT_UNKNOWN = 0 };

struct trn_tracker {
    struct trn_shadow shadows[NUM_SPACES]; /* SBUF, PSUM, HBM */
    uint64_t *mask;                        /* of the largest partition; zero between accesses */
    struct trn_origin *events;             /* in order of time; event 0: unknown writer */
    size_t num_events, max_events;
};

/* ---- life ------------------------------------------------------------------------- */

trn_status trn_tracker_create(const struct trn_gen *gen, uint64_t hbm_bytes,
                              struct trn_tracker **out)
{
    *out = NULL;
    struct trn_tracker *tracker = calloc(1, sizeof *tracker);
    if (!tracker)
        return TRN_ERR_NO_MEMORY;
    const struct trn_shadow shadows[NUM_SPACES] = {
        [TRN_SPACE_SBUF] = {.rows = gen->sbuf_partitions, .row_bytes = gen->sbuf_active_bytes},
        [TRN_SPACE_PSUM] = {.rows = gen->psum_partitions, .row_bytes = gen->psum_active_bytes},
        [TRN_SPACE_HBM] = {.rows = 1, .row_bytes = (size_t)hbm_bytes, .cell_shift = HBM_CELL_SHIFT},
    };
    trn_status status = TRN_OK;
    for (unsigned space = 0; space < NUM_SPACES && status == TRN_OK; space++) {
        tracker->shadows[space] = shadows[space];
        status = trn_shadow_init(&tracker->shadows[space]);
    }
    const size_t largest = gen->sbuf_active_bytes > gen->psum_active_bytes ? gen->sbuf_active_bytes
                                                                           : gen->psum_active_bytes;
    tracker->mask = calloc(largest / WORD_BYTES + 1, sizeof *tracker->mask);
    if (!tracker->mask)
        status = TRN_ERR_NO_MEMORY;
    if (status != TRN_OK) {
        trn_tracker_destroy(tracker);
        return status;
    }
    *out = tracker;
    return TRN_OK;
}

void trn_tracker_destroy(struct trn_tracker *tracker)
{
    if (!tracker)
        return;
    for (unsigned space = 0; space < NUM_SPACES; space++)
        trn_shadow_destroy(&tracker->shadows[space]);
    free(tracker->mask);
    free(tracker->events);
    free(tracker);
}

void trn_tracker_reset(struct trn_tracker *tracker)
{
    for (unsigned space = 0; space < NUM_SPACES; space++)
        trn_shadow_reset(&tracker->shadows[space]);
    tracker->num_events = 0;
}

/* ---- events ----------------------------------------------------------------------- */

static bool grow_events(struct trn_tracker *tracker)
{
    const size_t more = tracker->max_events ? tracker->max_events * 2 : 1024;
    if (more > UINT32_MAX)
        return false;
    struct trn_origin *events = realloc(tracker->events, more * sizeof *events);
    if (!events)
        return false;
    tracker->events = events;
    tracker->max_events = more;
    return true;
}

/* The event of a write by this origin, now. Writes of one origin in a row are one event. */
static uint32_t event_of(struct trn_tracker *tracker, int engine, uint64_t pc)
{
    if (tracker->num_events > EVENT_UNKNOWN + 1) {
        const struct trn_origin *last = &tracker->events[tracker->num_events - 1];
        if (last->engine == engine && last->pc == pc)
            return (uint32_t)(tracker->num_events - 1);
    }
    if (tracker->num_events + 1 >= tracker->max_events && !grow_events(tracker))
        return EVENT_UNKNOWN;
    if (tracker->num_events == EVENT_UNKNOWN)
        tracker->events[tracker->num_events++] = (struct trn_origin){.engine = -2};
    tracker->events[tracker->num_events] = (struct trn_origin){engine, pc};
    return (uint32_t)tracker->num_events++;
}

static struct trn_origin event_origin(const struct trn_tracker *tracker, uint32_t event)
{
    return event < tracker->num_events ? tracker->events[event] : (struct trn_origin){.engine = -2};
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

/* Bits of the bytes [start, start + length) that lie in word `word`. */
static uint64_t word_mask(uint64_t start, uint64_t length, uint64_t word)
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
        mask->words[word] |= word_mask(start, length, word);
    mask->first = first < mask->first ? first : mask->first;
    mask->end = last + 1 > mask->end ? last + 1 : mask->end;
    return true;
}

static struct mask begin_mask(const struct trn_tracker *tracker)
{
    return (struct mask){.words = tracker->mask, .first = UINT64_MAX, .end = 0};
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

/* Calls visit(context, row, word, bits) for every word of bytes of the access, partition by
 * partition, ascending; false as soon as one returns false. */
typedef bool (*visit_word)(void *context, size_t row, size_t word, uint64_t bits);

static bool visit_mask(const struct mask *mask, size_t row, visit_word visit, void *context)
{
    for (uint64_t word = mask->first; word < mask->end; word++)
        if (mask->words[word] != 0 && !visit(context, row, (size_t)word, mask->words[word]))
            return false;
    return true;
}

static bool visit_lists(struct trn_tracker *tracker, const struct trn_access *access,
                        visit_word visit, void *context)
{
    const size_t row_bytes = tracker->shadows[access->space].row_bytes;
    bool more = true;
    for (uint32_t lane = 0; lane < access->channels && more; lane++) {
        struct mask mask = begin_mask(tracker);
        mask_of_list(access, row_bytes, lane, &mask);
        more = visit_mask(&mask, access->partition + lane, visit, context);
        end_mask(&mask);
    }
    return more;
}

static bool visit_pattern(struct trn_tracker *tracker, const struct trn_access *access,
                          visit_word visit, void *context)
{
    struct byte_set set;
    if (!set_of_pattern(access, tracker->shadows[access->space].row_bytes, &set))
        return true;
    struct mask mask = begin_mask(tracker);
    for_each_run(&set, add_run, &mask);
    bool more = true;
    for (uint32_t lane = 0; lane < access->channels && more; lane++)
        more = visit_mask(&mask, access->partition + lane, visit, context);
    end_mask(&mask);
    return more;
}

/* A run of HBM bytes, word by word. */
struct run_visitor {
    visit_word visit;
    void *context;
};

static bool visit_run(void *context, uint64_t start, uint64_t length)
{
    const struct run_visitor *visitor = context;
    const uint64_t last = (start + length - 1) / WORD_BYTES;
    for (uint64_t word = start / WORD_BYTES; word <= last; word++)
        if (!visitor->visit(visitor->context, 0, (size_t)word, word_mask(start, length, word)))
            return false;
    return true;
}

static bool visit_access(struct trn_tracker *tracker, const struct trn_access *access,
                         visit_word visit, void *context)
{
    if ((unsigned)access->space >= NUM_SPACES)
        return true;
    const struct trn_shadow *shadow = &tracker->shadows[access->space];
    if (access->partition >= shadow->rows || access->channels > shadow->rows - access->partition)
        return true;
    if (access->space == TRN_SPACE_HBM) {
        struct byte_set set;
        struct run_visitor visitor = {visit, context};
        return access->index || !set_of_pattern(access, shadow->row_bytes, &set) ||
               for_each_run(&set, visit_run, &visitor);
    }
    return access->index ? visit_lists(tracker, access, visit, context)
                         : visit_pattern(tracker, access, visit, context);
}

/* ---- questions and answers -------------------------------------------------------- */

struct writing {
    struct trn_shadow *shadow;
    uint32_t event;
};

static bool write_word(void *context, size_t row, size_t word, uint64_t bits)
{
    const struct writing *writing = context;
    trn_shadow_write(writing->shadow, row, word, bits, writing->event);
    return true;
}

void trn_tracker_access(struct trn_tracker *tracker, const struct trn_access *access)
{
    if (!access->write || (unsigned)access->space >= NUM_SPACES)
        return;
    struct writing writing = {&tracker->shadows[access->space],
                              event_of(tracker, access->engine, access->pc)};
    visit_access(tracker, access, write_word, &writing);
}

struct search {
    const struct trn_shadow *shadow;
    bool found;
    size_t row;
    uint64_t byte;
};

/* Partition by partition the words ascend, so that the first hit is the one; the runs of a strided
 * pattern in HBM may not, and the lowest is kept. */
static bool find_missing(void *context, size_t row, size_t word, uint64_t bits)
{
    struct search *search = context;
    const uint64_t missing = trn_shadow_missing(search->shadow, row, word, bits);
    if (missing == 0)
        return true;
    const uint64_t byte = (uint64_t)word * WORD_BYTES + (uint64_t)__builtin_ctzll(missing);
    if (!search->found || byte < search->byte)
        search->byte = byte;
    search->row = row;
    search->found = true;
    return search->shadow->rows == 1;
}

bool trn_tracker_first_uninit(struct trn_tracker *tracker, const struct trn_access *access,
                              uint32_t *partition, uint64_t *byte)
{
    if ((unsigned)access->space >= NUM_SPACES)
        return false;
    struct search search = {.shadow = &tracker->shadows[access->space]};
    visit_access(tracker, access, find_missing, &search);
    if (!search.found)
        return false;
    *partition = (uint32_t)search.row;
    *byte = search.byte;
    return true;
}

bool trn_tracker_last_writer(const struct trn_tracker *tracker, enum trn_space space,
                             uint32_t partition, uint64_t byte, uint64_t size,
                             struct trn_origin *out)
{
    if ((unsigned)space >= NUM_SPACES || size == 0)
        return false;
    const struct trn_shadow *shadow = &tracker->shadows[space];
    if (partition >= shadow->rows || byte >= shadow->row_bytes || size > shadow->row_bytes - byte)
        return false;
    bool found = false;
    uint32_t latest = 0;
    for (uint64_t word = byte / WORD_BYTES; word <= (byte + size - 1) / WORD_BYTES; word++) {
        uint32_t event;
        if (!trn_shadow_latest(shadow, partition, (size_t)word, word_mask(byte, size, word),
                               &event))
            continue;
        found = true;
        latest = event > latest ? event : latest;
    }
    if (found)
        *out = event_origin(tracker, latest);
    return found;
}

trn_status trn_tracker_occupancy(const struct trn_tracker *tracker, enum trn_space space,
                                 uint32_t partition, struct trn_occupancy *out)
{
    if ((unsigned)space >= NUM_SPACES || partition >= tracker->shadows[space].rows)
        return TRN_ERR_INVALID;
    const struct trn_shadow_row row = trn_shadow_summary(&tracker->shadows[space], partition);
    *out = (struct trn_occupancy){.bytes_written = row.bytes_written, .last_engine = -1};
    if (row.bytes_written > 0) {
        const struct trn_origin origin = event_origin(tracker, row.last_event);
        out->last_engine = origin.engine;
        out->last_pc = origin.pc;
    }
    return TRN_OK;
}
