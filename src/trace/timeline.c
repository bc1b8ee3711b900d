/* SPDX-License-Identifier: Apache-2.0 */
/* When each step would have been done: docs/hardware/timing.md 7, or a logical clock. Steps come in
 * the order of the model, one word at a time; here engines and transfers run side by side, held
 * only by what they wait for. */
#include <stdlib.h>

#include "isa_fields.h"
#include "trace/cost.h"
#include "trace/values.h"
#include "trench/enums.h"
#include "trench/isa.h"

/* Semaphores and events have an index of 8 bits (sync.md 1). */
enum { PER_KIND = UINT8_MAX + 1, SYNCS = 2 * PER_KIND };
/* DMA engines of a core: bits of trn_trace_transfer.dmas that are looked at; of the device, by
 * number. */
enum { ENGINES = TRN_NEURON_ENGINE_TPB_SP + 1, MAX_CORES = 8, CORE_DMAS = 16, DMAS = 256 };
enum { STRONG = 1 }; /* ordering_mode of CTRL_OM (struct-fields.csv) */

struct engine {
    uint64_t ready;          /* its sequencer takes up the next word */
    uint64_t issue;          /* its data path does */
    uint64_t done;           /* it is empty */
    uint64_t loader, loaded; /* PE: the next load of weights may begin; the last one is complete */
    uint64_t moved;          /* the last transfer of its words */
    uint64_t counted;        /* up to here its sums are done */
    bool strong;             /* a word begins when the one before it is complete */
    struct trn_timeline_sum sum;
};

/* SUNDA: two engines that exclude each other from a memory (timing.md 3.1). */
struct port {
    enum trn_space space;
    int one, other; /* engines */
    int owner;
    uint64_t until;
};

enum { PORTS = 2 };

struct core {
    struct engine engines[ENGINES];
    struct port ports[PORTS];
    uint64_t dma_free[CORE_DMAS];
    struct trn_values *syncs[SYNCS]; /* semaphores, then events; NULL: never changed */
};

struct trn_timeline {
    const struct trn_gen *gen;
    bool timed;
    struct core *cores[MAX_CORES];
    uint64_t dma_done[DMAS]; /* of engines of the device, by their rings */
    uint64_t floor;          /* the host's transfers before this run */
    uint64_t now;            /* of the last step */
    uint64_t end;
    struct trn_trace_samples samples;
    uint64_t choices[TRN_CHOICE_COUNT];
    struct trn_timing timing;
};

trn_status trn_timeline_create(const struct trn_gen *gen, bool timed, struct trn_timeline **out)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return TRN_ERR_NO_MEMORY;
    (*out)->gen = gen;
    (*out)->timed = timed;
    (*out)->timing = (struct trn_timing){gen, (*out)->choices};
    return TRN_OK;
}

void trn_timeline_destroy(struct trn_timeline *timeline)
{
    for (unsigned c = 0; timeline && c < MAX_CORES; c++) {
        for (unsigned s = 0; timeline->cores[c] && s < SYNCS; s++)
            free(timeline->cores[c]->syncs[s]);
        free(timeline->cores[c]);
    }
    free(timeline);
}

static const struct port all_ports[PORTS] = {
    {.space = TRN_SPACE_SBUF, .one = TRN_NEURON_ENGINE_DVE, .other = TRN_NEURON_ENGINE_POOL},
    {.space = TRN_SPACE_PSUM, .one = TRN_NEURON_ENGINE_DVE, .other = TRN_NEURON_ENGINE_ACT}};

/* NULL: no memory, or no such core. */
static struct core *core_of(struct trn_timeline *timeline, unsigned number)
{
    if (number >= MAX_CORES)
        return NULL;
    if (!timeline->cores[number] && (timeline->cores[number] = calloc(1, sizeof(struct core))))
        for (unsigned p = 0; p < PORTS; p++)
            timeline->cores[number]->ports[p] = all_ports[p];
    return timeline->cores[number];
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- semaphores and events --------------------------------------------------------------- */

static struct trn_values **sync_of(struct core *core, bool event, uint8_t index)
{
    return &core->syncs[(event ? PER_KIND : 0) + index];
}

static bool same_engine(const struct trn_track *track, const struct trn_trace_step *step)
{
    const bool agent = track->kind == TRN_TRACK_DGE || track->kind == TRN_TRACK_DMA;
    return !agent && track->core == step->core && track->number == (unsigned)step->engine;
}

/* When the waits of a word hold, each with what made it so (timing.md 4.5, cross-engine latency).
 */
static uint64_t waits_hold(struct trn_timeline *timeline, struct core *core,
                           const struct trn_trace_step *step, struct trn_trace_place *place)
{
    uint64_t when = 0;
    place->waited_for = -1;
    for (size_t i = 0; i < step->num_waits && i < 2; i++) {
        const struct trn_trace_wait *wait = &step->waits[i];
        struct trn_trace_cause *cause = &place->cause[i];
        uint64_t held =
            trn_values_held_since(*sync_of(core, wait->event, wait->index), wait, cause);
        if (timeline->timed && cause->known && !same_engine(&cause->track, step))
            held += trn_timing_ns(&timeline->timing, TRN_TIMING_SEMAPHORE_LATENCY);
        if (held > when)
            place->waited_for = (int)i;
        when = later(when, held);
    }
    return when;
}

static uint64_t change_time(const struct trn_trace_change *change,
                            const struct trn_trace_place *place)
{
    if (change->by_bus && place->move_end > place->move_start)
        return place->move_end;
    return change->at_read ? place->end : place->done;
}

static struct trn_trace_cause cause_of(const struct trn_trace_change *change,
                                       const struct trn_trace_place *place, bool known)
{
    if (change->by_bus && place->move_end > place->move_start)
        return (struct trn_trace_cause){.known = known,
                                        .track = place->moved_by,
                                        .slice_start = place->move_start,
                                        .slice_end = place->move_end};
    return (struct trn_trace_cause){.known = known,
                                    .track = place->track,
                                    .slice_start = place->start,
                                    .slice_end = place->end};
}

static void tell(const struct trn_timeline *timeline, unsigned core, unsigned sync,
                 const struct trn_value *settled)
{
    const bool event = sync >= PER_KIND;
    const struct trn_trace_sample sample = {core, event, (uint8_t)(sync % PER_KIND), settled->value,
                                            settled->time};
    if (timeline->samples.sample)
        timeline->samples.sample(timeline->samples.context, &sample);
}

static void note_changes(struct trn_timeline *timeline, const struct trn_trace_step *step,
                         const struct trn_trace_place *place)
{
    for (size_t i = 0; i < step->num_changes; i++) {
        const struct trn_trace_change *change = &step->changes[i];
        const struct trn_value value = {.added = change->added,
                                        .operand = change->operand,
                                        .time = change_time(change, place),
                                        .cause =
                                            cause_of(change, place, step->kind != TRN_TRACE_HOST)};
        struct core *core = core_of(timeline, change->core);
        struct trn_value settled;
        if (!core)
            continue;
        struct trn_values **values = sync_of(core, change->event, change->index);
        if (!*values)
            *values = calloc(1, sizeof **values);
        if (*values && trn_values_add(*values, value, &settled))
            tell(timeline, change->core, (unsigned)(values - core->syncs), &settled);
    }
}

/* ---- words ------------------------------------------------------------------------------- */

static struct trn_timing_cost cost_of(struct trn_timeline *timeline,
                                      const struct trn_trace_step *step)
{
    if (timeline->timed)
        return trn_timing_cost(timeline->gen, step, timeline->choices);
    return (struct trn_timing_cost){.busy = TRN_TIME_PER_US, .latency = TRN_TIME_PER_US};
}

static bool touches(const struct trn_trace_step *step, enum trn_space space)
{
    for (size_t i = 0; i < step->num_accesses; i++)
        if (step->accesses[i].space == space)
            return true;
    return false;
}

/* Whether a word needs a port that two engines share. */
static bool uses(const struct trn_timeline *timeline, const struct port *port,
                 const struct trn_trace_step *step)
{
    return timeline->timed && !step->control &&
           trn_timing_number(&timeline->timing, TRN_TIMING_EXCLUSIVE_PORTS) &&
           (step->engine == port->one || step->engine == port->other) && touches(step, port->space);
}

static uint64_t ports_free(struct trn_timeline *timeline, const struct core *core,
                           const struct trn_trace_step *step)
{
    uint64_t when = 0;
    for (unsigned p = 0; p < PORTS; p++)
        if (uses(timeline, &core->ports[p], step) && core->ports[p].owner != step->engine)
            when = later(when, core->ports[p].until);
    timeline->choices[TRN_CHOICE_TIMING_PORTS] += when > 0;
    return when;
}

static void hold_ports(const struct trn_timeline *timeline, struct core *core,
                       const struct trn_trace_step *step, uint64_t until)
{
    for (unsigned p = 0; p < PORTS; p++)
        if (uses(timeline, &core->ports[p], step)) {
            core->ports[p].owner = step->engine;
            core->ports[p].until = until;
        }
}

/* A load of weights runs behind the matmul before it (timing.md 4.1). */
static bool loads_weights(const struct trn_timeline *timeline, const struct trn_trace_step *step)
{
    return timeline->timed && !step->control &&
           (step->word[0] == TRN_OPCODE_LDWEIGHTS || step->word[0] == TRN_OPCODE_LDWEIGHTS_MX);
}

static enum trn_track_kind track_of(const struct trn_timeline *timeline,
                                    const struct trn_trace_step *step)
{
    if (timeline->timed && step->control)
        return TRN_TRACK_SEQUENCER;
    return loads_weights(timeline, step) ? TRN_TRACK_WEIGHTS : TRN_TRACK_ENGINE;
}

/* From when on the part of the engine that does the word is free. */
static uint64_t unit_free(const struct trn_timeline *timeline, const struct engine *engine,
                          const struct trn_trace_step *step)
{
    if (!timeline->timed)
        return 0;
    if (step->word[0] == TRN_OPCODE_DRAIN || (engine->strong && !step->control))
        return engine->done;
    if (step->control)
        return 0;
    if (loads_weights(timeline, step))
        return engine->loader;
    return later(engine->issue, engine->loaded);
}

/* The word lies at its place: what that means for the next ones of its engine. */
static void occupy(const struct trn_timeline *timeline, struct core *core, struct engine *engine,
                   const struct trn_trace_step *step, const struct trn_trace_place *place)
{
    engine->ready = timeline->timed && !step->control ? place->start : place->end;
    engine->done = later(engine->done, place->done);
    if (loads_weights(timeline, step)) {
        engine->loader = engine->loaded = place->end;
    } else if (!step->control) {
        engine->issue = place->end;
        engine->loader = later(engine->loader, place->start);
    }
    if (step->word[0] == TRN_OPCODE_SET_ORDERING_MODE)
        engine->strong = trn_ctrl_om_ordering_mode(step->word, timeline->gen->isa) == STRONG;
    hold_ports(timeline, core, step, place->end);
}

/* What lies between two times and has not been counted yet. */
static uint64_t count_up_to(struct engine *engine, uint64_t start, uint64_t end)
{
    const uint64_t from = later(start, engine->counted);
    engine->counted = later(engine->counted, end);
    return end > from ? end - from : 0;
}

/* Tracks of an engine overlap, its words begin in their order: no time counts twice, and an engine
 * of which something is busy does not wait. */
static void count(struct engine *engine, const struct trn_trace_place *place)
{
    engine->sum.words++;
    engine->sum.waiting += count_up_to(engine, place->wait_start, place->start);
    engine->sum.busy += count_up_to(engine, place->start, place->end);
    engine->sum.no_formula += place->by_default;
}

/* ---- transfers --------------------------------------------------------------------------- */

/* A transfer of a word: behind it, when the DMA engines that carry it are free (timing.md 5). */
static void place_transfer(struct trn_timeline *timeline, struct core *core, struct engine *engine,
                           const struct trn_trace_step *step, struct trn_trace_place *place)
{
    const struct trn_trace_transfer *transfer = &step->transfer;
    uint64_t start = place->end, length = TRN_TIME_PER_US;
    if (!transfer->backend)
        return;
    if (timeline->timed) {
        start += trn_timing_ns(&timeline->timing, TRN_TIMING_DGE_START) +
                 trn_timing_ns(&timeline->timing, TRN_TIMING_DMA_START);
        length = trn_timing_move(&timeline->timing, transfer);
    }
    for (unsigned d = 0; timeline->timed && d < CORE_DMAS; d++)
        if (transfer->dmas >> d & 1)
            start = later(start, core->dma_free[d]);
    place->move_start = later(start, engine->moved);
    place->move_end = engine->moved = place->move_start + length;
    place->moved_by = (struct trn_track){TRN_TRACK_DGE, step->core, (unsigned)step->engine};
    for (unsigned d = 0; d < CORE_DMAS; d++)
        if (transfer->dmas >> d & 1)
            core->dma_free[d] = place->move_end;
}

/* A DMA engine with rings. What a host moves while nothing runs has moved before others begin. */
static void place_rings(struct trn_timeline *timeline, const struct trn_trace_step *step,
                        struct trn_trace_place *place)
{
    uint64_t *done = &timeline->dma_done[step->dma % DMAS];
    uint64_t start = step->by_host ? timeline->end : timeline->now, length = TRN_TIME_PER_US;
    if (timeline->timed) {
        start += trn_timing_ns(&timeline->timing, TRN_TIMING_DMA_START);
        length = trn_timing_move(&timeline->timing, &step->transfer);
    }
    place->track = (struct trn_track){TRN_TRACK_DMA, step->core, step->dma};
    place->wait_start = place->start = later(start, *done);
    place->end = place->done = *done = place->start + length;
    if (step->by_host)
        timeline->floor = place->end;
}

/* ---- steps ------------------------------------------------------------------------------- */

static void place_word(struct trn_timeline *timeline, struct core *core,
                       const struct trn_trace_step *step, struct trn_trace_place *place)
{
    struct engine *engine = &core->engines[step->engine];
    const struct trn_timing_cost cost = cost_of(timeline, step);
    const uint64_t unit = unit_free(timeline, engine, step);
    const uint64_t free_at =
        later(later(engine->ready, timeline->floor), later(unit, ports_free(timeline, core, step)));
    const uint64_t held = waits_hold(timeline, core, step, place);
    if (held <= free_at)
        place->waited_for = -1;
    place->track = (struct trn_track){track_of(timeline, step), step->core, (unsigned)step->engine};
    place->wait_start = free_at;
    place->start = later(free_at, held);
    place->end = place->start + cost.busy;
    place->done = place->start + cost.latency;
    place->formula = cost.formula;
    place->by_default = cost.by_default;
    occupy(timeline, core, engine, step, place);
    place_transfer(timeline, core, engine, step, place);
    count(engine, place);
}

/* A step that takes no time: a fault where its word would have begun, changes of the host. */
static void place_instant(struct trn_timeline *timeline, struct core *core,
                          const struct trn_trace_step *step, struct trn_trace_place *place)
{
    uint64_t when = timeline->end;
    place->track = (struct trn_track){TRN_TRACK_ENGINE, step->core, (unsigned)step->engine};
    if (step->kind == TRN_TRACE_FAULT && core)
        when = later(trn_timeline_ready(timeline, step->core, step->engine),
                     waits_hold(timeline, core, step, place));
    place->wait_start = place->start = place->end = place->done = when;
}

void trn_timeline_place(struct trn_timeline *timeline, const struct trn_trace_step *step,
                        struct trn_trace_place *out)
{
    struct core *core = core_of(timeline, step->core);
    *out = (struct trn_trace_place){.waited_for = -1};
    if (step->kind == TRN_TRACE_DMA)
        place_rings(timeline, step, out);
    else if (step->kind == TRN_TRACE_WORD && core)
        place_word(timeline, core, step, out);
    else
        place_instant(timeline, core, step, out);
    note_changes(timeline, step, out);
    timeline->now = out->done;
    timeline->end = later(timeline->end, later(out->done, out->move_end));
}

void trn_timeline_tell(struct trn_timeline *timeline, struct trn_trace_samples samples)
{
    timeline->samples = samples;
}

void trn_timeline_settle(struct trn_timeline *timeline)
{
    struct trn_value settled;
    for (unsigned c = 0; c < MAX_CORES; c++)
        for (unsigned s = 0; timeline->cores[c] && s < SYNCS; s++)
            while (timeline->cores[c]->syncs[s] && timeline->cores[c]->syncs[s]->count > 0)
                if (trn_values_take(timeline->cores[c]->syncs[s], &settled))
                    tell(timeline, c, s, &settled);
}

uint64_t trn_timeline_end(const struct trn_timeline *timeline)
{
    return timeline->end;
}

static const struct engine *engine_of(const struct trn_timeline *timeline, unsigned core,
                                      int engine)
{
    const bool known = core < MAX_CORES && timeline->cores[core] && engine >= 0 && engine < ENGINES;
    return known ? &timeline->cores[core]->engines[engine] : NULL;
}

uint64_t trn_timeline_ready(const struct trn_timeline *timeline, unsigned core, int engine)
{
    const struct engine *found = engine_of(timeline, core, engine);
    return found ? later(timeline->floor, later(found->ready, found->issue)) : timeline->floor;
}

struct trn_timeline_sum trn_timeline_sum(const struct trn_timeline *timeline, unsigned core,
                                         int engine)
{
    const struct engine *found = engine_of(timeline, core, engine);
    return found ? found->sum : (struct trn_timeline_sum){.words = 0};
}

const uint64_t *trn_timeline_choices(const struct trn_timeline *timeline)
{
    return timeline->choices;
}
