/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/tracker.h"

#include <stdlib.h>
#include <string.h>

#include "mem/shadow.h"
#include "mem/touched.h"

enum { WORD_BYTES = TRN_TOUCHED_BYTES, NUM_SPACES = 3, HBM_CELL_SHIFT = 6, EVENT_UNKNOWN = 0 };

struct trn_tracker {
    struct trn_shadow shadows[NUM_SPACES]; /* SBUF, PSUM, HBM */
    struct trn_touched spaces[NUM_SPACES];
    struct trn_origin *events; /* in order of time; event 0: unknown writer */
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
        tracker->spaces[space] = (struct trn_touched){.rows = shadows[space].rows,
                                                      .row_bytes = shadows[space].row_bytes,
                                                      .walked = space == TRN_SPACE_HBM};
        status = trn_shadow_init(&tracker->shadows[space]);
        if (status == TRN_OK)
            status = trn_touched_init(&tracker->spaces[space]);
    }
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
    for (unsigned space = 0; space < NUM_SPACES; space++) {
        trn_shadow_destroy(&tracker->shadows[space]);
        trn_touched_destroy(&tracker->spaces[space]);
    }
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
    trn_touched_by(&tracker->spaces[access->space], access, write_word, &writing);
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
    trn_touched_by(&tracker->spaces[access->space], access, find_missing, &search);
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
        if (!trn_shadow_latest(shadow, partition, (size_t)word, trn_touched_bits(byte, size, word),
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
