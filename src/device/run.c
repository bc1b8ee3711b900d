/* SPDX-License-Identifier: Apache-2.0 */
/* The scheduler: engines take turns, each until it blocks, stops or has used up its turn. One
 * engine executes at a time, so an update is visible to the others in their next step and two
 * updates of one semaphore never coincide (sync.md 5). */
#include "device/core.h"
#include "engine/state.h"

/* Long enough that the turns cost nothing, short enough that nobody starves in a spin. */
enum { TURN_WORDS = 64, ALL_ENGINES = (1 << TRN_ENGINES) - 1 };

/* ---- turns ----------------------------------------------------------------------------- */

/* splitmix64: the same sequence on every host. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* A round begins: with a seed, in a new order. */
static void deal_round(struct trn_scheduler *scheduler)
{
    scheduler->position = 0;
    for (unsigned i = TRN_ENGINES - 1; scheduler->seeded && i > 0; i--) {
        const unsigned j = (unsigned)(next_random(&scheduler->random) % (i + 1));
        const int engine = scheduler->order[i];
        scheduler->order[i] = scheduler->order[j];
        scheduler->order[j] = engine;
    }
}

/* A turn begins: with a seed, of 1 to TURN_WORDS words. */
static void deal_turn(struct trn_scheduler *scheduler)
{
    scheduler->turn_left = TURN_WORDS;
    if (scheduler->seeded)
        scheduler->turn_left = 1 + (unsigned)(next_random(&scheduler->random) % TURN_WORDS);
}

void trn_scheduler_init(struct trn_scheduler *scheduler, uint64_t seed)
{
    *scheduler = (struct trn_scheduler){.random = seed, .seeded = seed != 0};
    for (int e = 0; e < TRN_ENGINES; e++)
        scheduler->order[e] = e;
    deal_round(scheduler);
    deal_turn(scheduler);
}

/* The engine's turn is over; the next core that exists goes on. DMA engines take theirs when a core
 * is through its round. */
static void next_turn(struct trn_device *device, struct trn_tpb *tpb)
{
    struct trn_scheduler *scheduler = &tpb->scheduler;
    if (++scheduler->position == TRN_ENGINES) {
        deal_round(scheduler);
        device->progress += device->udmas && trn_dma_turn(device);
    }
    deal_turn(scheduler);
    do
        device->turn = (device->turn + 1) % TRN_MAX_CORES;
    while (!device->tpb[device->turn]);
}

/* ---- the run --------------------------------------------------------------------------- */

/* The first core that exists with this number or a larger one. */
static struct trn_tpb *core_from(const struct trn_device *device, unsigned number)
{
    while (number < TRN_MAX_CORES && !device->tpb[number])
        number++;
    return number < TRN_MAX_CORES ? device->tpb[number] : NULL;
}

#define FOR_EACH_CORE(core, device)                                                                \
    for (struct trn_tpb *core = core_from(device, 0); core;                                        \
         core = core_from(device, core->number + 1))

static bool core_can_go_on(const struct trn_tpb *tpb)
{
    for (int e = 0; e < TRN_ENGINES; e++) {
        const struct trn_seq *seq = &tpb->seq[e];
        if (trn_seq_runnable(seq) &&
            (seq->state != TRN_SEQ_WAITING || trn_wait_holds(&tpb->sync, &seq->blocked_on)))
            return true;
    }
    return false;
}

/* Whether a word could execute now; a wait that does not hold is no reason to go on. */
static bool can_go_on(const struct trn_device *device)
{
    FOR_EACH_CORE(tpb, device)
    {
        if (core_can_go_on(tpb))
            return true;
    }
    return false;
}

bool trn_device_waits(const struct trn_device *device)
{
    return can_go_on(device) || trn_dma_waits(device);
}

static bool any_in(const struct trn_device *device, enum trn_seq_state state)
{
    FOR_EACH_CORE(tpb, device)
    {
        for (int e = 0; e < TRN_ENGINES; e++)
            if (tpb->seq[e].state == state)
                return true;
    }
    return false;
}

/* How things stand when no engine can go on by itself. */
static enum trn_run_status verdict(const struct trn_device *device)
{
    if (any_in(device, TRN_SEQ_FAULTED))
        return TRN_RUN_FAULT;
    return any_in(device, TRN_SEQ_WAITING) || any_in(device, TRN_SEQ_POSTING) ? TRN_RUN_DEADLOCK
                                                                              : TRN_RUN_OK;
}

/* The engine could do nothing. Whether that holds for every engine of every core since a word
 * retired last. */
static bool note_idle(const struct trn_device *device, struct trn_tpb *tpb, int engine)
{
    if (tpb->idle_since != device->progress)
        tpb->idle = 0;
    tpb->idle_since = device->progress;
    tpb->idle |= 1u << engine;
    if (tpb->idle != ALL_ENGINES)
        return false;
    FOR_EACH_CORE(other, device)
    {
        if (other->idle_since != device->progress || other->idle != ALL_ENGINES)
            return false;
    }
    return true;
}

static enum trn_run_status run(struct trn_device *device, uint64_t limit)
{
    device->progress++; /* what was idle before may go on now */
    for (uint64_t executed = 0;;) {
        if ((limit != 0 && executed == limit) || trn_watch_exhausted(device) || device->stop)
            return can_go_on(device) ? TRN_RUN_LIMIT : verdict(device);
        struct trn_tpb *tpb = device->tpb[device->turn];
        const int engine = tpb->scheduler.order[tpb->scheduler.position];
        struct trn_seq *seq = &tpb->seq[engine];
        if (trn_seq_step(seq) == TRN_STEP_RETIRED) {
            trn_watch_retired(tpb, seq);
            if (device->trace)
                trn_trace_word(tpb, seq);
            executed++;
            device->progress++;
            device->clock++;
            if (--tpb->scheduler.turn_left == 0)
                next_turn(device, tpb);
            continue;
        }
        trn_workers_settle(device->workers);
        if (device->race)
            trn_race_idle(tpb, engine);
        if (seq->state == TRN_SEQ_BREAK) /* goes on with the same turn */
            return TRN_RUN_BREAK;
        const bool all_idle = note_idle(device, tpb, engine);
        const uint64_t progress = device->progress;
        next_turn(device, tpb);
        if (all_idle && device->progress == progress && !trn_dma_turn(device))
            return verdict(device);
        if (all_idle) { /* a DMA engine may have posted what somebody waits for */
            device->progress++;
            executed++;
        }
    }
}

/* ---- reports --------------------------------------------------------------------------- */

static enum trn_engine_run_state public_state(const struct trn_seq *seq)
{
    const bool would_run = seq->state == TRN_SEQ_IDLE || seq->state == TRN_SEQ_RUNNING ||
                           seq->state == TRN_SEQ_WAITING;
    if (seq->q7_held && would_run) /* one of its two stalls is held */
        return TRN_ENGINE_STALLED;
    switch (seq->state) {
    case TRN_SEQ_STALLED:
        return TRN_ENGINE_STALLED;
    case TRN_SEQ_IDLE:
        return TRN_ENGINE_IDLE;
    case TRN_SEQ_RUNNING:
        return TRN_ENGINE_RUNNING;
    case TRN_SEQ_WAITING:
        return TRN_ENGINE_WAITING;
    case TRN_SEQ_POSTING:
        return TRN_ENGINE_POSTING;
    case TRN_SEQ_HALTED:
        return TRN_ENGINE_HALTED;
    case TRN_SEQ_PAUSED:
        return TRN_ENGINE_PAUSED;
    case TRN_SEQ_FAULTED:
        return TRN_ENGINE_FAULTED;
    case TRN_SEQ_BREAK:
        break;
    }
    return TRN_ENGINE_BREAK;
}

static int64_t signedness(const struct trn_sync *sync, uint32_t value)
{
    return sync->compare_unsigned ? (int64_t)value : (int32_t)value;
}

static void report_wait(const struct trn_sync *sync, const struct trn_wait *wait,
                        struct trn_engine_report *out)
{
    out->wait_is_event = wait->on == TRN_WAIT_EVENT;
    out->wait_mode = trn_wait_name(wait);
    out->wait_index = wait->index;
    out->wait_want = out->wait_is_event ? wait->level : signedness(sync, wait->threshold);
    out->wait_value = out->wait_is_event ? sync->event[wait->index]
                                         : signedness(sync, sync->semaphore[wait->index]);
}

static struct trn_engine_report report_engine(const struct trn_tpb *tpb, int engine)
{
    const struct trn_seq *seq = &tpb->seq[engine];
    struct trn_engine_report out = {.state = public_state(seq),
                                    .started = seq->started,
                                    .stop_reason = seq->reason,
                                    .retired = seq->retired,
                                    .start_pc = seq->start_pc,
                                    .pc = seq->regs.pc,
                                    .loop_first = seq->loop.first,
                                    .loop_last = seq->loop.last,
                                    .loop_count = seq->loop.count,
                                    .wait_mode = "",
                                    .full_ring = trn_post_blocked_queue(tpb, engine),
                                    .error_word = seq->error_word,
                                    .severity = (unsigned)seq->severity};
    if (seq->state == TRN_SEQ_WAITING)
        report_wait(&tpb->sync, &seq->blocked_on, &out);
    return out;
}

static void add_warnings(const struct trn_tpb *tpb, uint64_t *warnings)
{
    warnings[TRN_WARN_HOLE_ACCESS] += tpb->mem->hole_accesses;
    warnings[TRN_WARN_SEMAPHORE_UNDERFLOW] += tpb->sync.underflows;
    warnings[TRN_WARN_DOUBLE_EVENT] += tpb->sync.double_events;
    warnings[TRN_WARN_RECORD_REFUSED] += tpb->post.refused;
    warnings[TRN_WARN_KERNEL_ERROR] += tpb->state->pool.kernel_errors;
    warnings[TRN_WARN_CONVLUT_LEGACY] += tpb->state->pool.legacy_ignored;
    warnings[TRN_WARN_STALE_SCALAR] += tpb->state->vector.stale_scalars;
    warnings[TRN_WARN_MIXED_SCALAR] += tpb->state->vector.mixed_scalars;
    warnings[TRN_WARN_STUB_LOGGED] += tpb->state->vector.logged_stubs;
    for (int e = 0; e < TRN_ENGINES; e++) {
        warnings[TRN_WARN_EMPTY_RANGE] += tpb->seq[e].empty_ranges;
        warnings[TRN_WARN_STAGING_SKIPPED] += tpb->seq[e].staging_skipped;
    }
}

/* Of the whole device. */
static void report_counts(const struct trn_device *device, struct trn_run_report *report)
{
    report->bytes_touched = device->bytes;
    report->warnings[TRN_WARN_UNMAPPED_ACCESS] = device->unmapped_accesses;
    report->warnings[TRN_WARN_UNKNOWN_REGISTER] = device->unknown_registers;
    FOR_EACH_CORE(tpb, device)
    {
        add_warnings(tpb, report->warnings);
    }
    for (int c = 0; c < TRN_CHOICE_COUNT; c++)
        report->choices[c] = device->choices.count[c];
}

void trn_device_report(struct trn_device *device, struct trn_run_report *report)
{
    const struct trn_tpb *tpb = device->tpb[device->selected];
    *report = (struct trn_run_report){
        .status = can_go_on(device) ? TRN_RUN_LIMIT : verdict(device),
        .faults = tpb->log.fault_reports,
        .num_faults = tpb->log.num_faults,
        .notifications = tpb->log.notifications,
        .num_notifications = tpb->log.num_notifications,
        .notifications_lost = tpb->log.notifications_lost,
        .reports = tpb->log.reports,
        .num_reports = tpb->log.num_reports,
        .reports_lost = tpb->log.reports_lost,
        .numeric = tpb->log.numeric,
        .num_numeric = tpb->log.num_numeric,
        .dge_silent = tpb->dma.silent,
        .findings = tpb->watch.findings,
        .num_findings = tpb->watch.num_findings,
        .findings_lost = tpb->watch.findings_lost,
    };
    memcpy(report->dge, tpb->dma.moved, sizeof report->dge);
    report_counts(device, report);
    for (int e = 0; e < TRN_ENGINES; e++)
        report->engines[e] = report_engine(tpb, e);
}

trn_status trn_device_run(struct trn_device *device, uint64_t limit, struct trn_run_report *report)
{
    if (!device)
        return TRN_ERR_INVALID;
    FOR_EACH_CORE(tpb, device)
    {
        for (int e = 0; e < TRN_ENGINES; e++)
            trn_seq_continue(&tpb->seq[e]);
    }
    if (device->trace)
        trn_trace_host(device);
    device->running = true;
    if (device->race)
        trn_race_run_begins(device);
    const enum trn_run_status status = run(device, limit);
    trn_workers_settle(device->workers);
    if (device->race)
        trn_race_run_ends(device, status != TRN_RUN_LIMIT && status != TRN_RUN_BREAK);
    device->running = false;
    if (report) {
        trn_device_report(device, report);
        report->status = status;
    }
    return TRN_OK;
}

const char *trn_engine_state_name(enum trn_engine_run_state state)
{
    static const char *const names[] = {"stalled", "idle",    "running", "waiting", "halted",
                                        "paused",  "faulted", "break",   "posting"};
    return (unsigned)state < sizeof names / sizeof names[0] ? names[state] : "?";
}

const char *trn_warning_name(enum trn_warning warning)
{
    static const char *const names[TRN_WARNINGS] = {
        "hole_access",  "unmapped_access", "unknown_register", "semaphore_underflow",
        "double_event", "empty_range",     "staging_skipped",  "record_refused",
        "kernel_error", "convlut_legacy",  "stale_scalar",     "mixed_scalar",
        "stub_logged"};
    return (unsigned)warning < TRN_WARNINGS ? names[warning] : "?";
}

const char *trn_run_status_name(enum trn_run_status status)
{
    static const char *const names[] = {"ok", "fault", "deadlock", "limit", "break"};
    return (unsigned)status < sizeof names / sizeof names[0] ? names[status] : "?";
}
