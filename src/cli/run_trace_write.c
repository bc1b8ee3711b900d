/* SPDX-License-Identifier: Apache-2.0 */
/* Trace events, written as they come: memory does not grow with the run. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run_trace.h"

/* ---- values --------------------------------------------------------------------------------- */

/* A file name need not be UTF-8. */
static void put_ascii(const char *text, FILE *file)
{
    fputc('"', file);
    for (; *text; text++)
        fputc(*text < 0x20 || *text == '"' || *text == '\\' || *text == 0x7F ? '?' : *text, file);
    fputc('"', file);
}

/* Most text is plain ASCII; whatever is not goes through the library. */
static void put_string(const char *text, FILE *file)
{
    const char *c = text;
    while (*c >= 0x20 && *c != '"' && *c != '\\' && *c != 0x7F)
        c++;
    if (*c == '\0') {
        fprintf(file, "\"%s\"", text);
        return;
    }
    json_t *string = json_string(text);
    if (string)
        json_dumpf(string, file, JSON_COMPACT | JSON_ENCODE_ANY);
    else
        put_ascii(text, file);
    json_decref(string);
}

static void put_member(const char *name, const char *text, FILE *file)
{
    fprintf(file, ",\"%s\":", name);
    put_string(text, file);
}

enum { PS_PER_US = 1000000, UNITS_PER_PS = TRN_TIME_PER_US / PS_PER_US };

/* Microseconds, to the picosecond. */
static void put_time(const char *name, uint64_t picoseconds, FILE *file)
{
    char decimals[16];
    fprintf(file, ",\"%s\":%" PRIu64, name, picoseconds / PS_PER_US);
    if (picoseconds % PS_PER_US == 0)
        return;
    int length = snprintf(decimals, sizeof decimals, "%06" PRIu64, picoseconds % PS_PER_US);
    while (decimals[length - 1] == '0')
        length--;
    fprintf(file, ".%.*s", length, decimals);
}

static uint64_t ps(uint64_t time)
{
    return time / UNITS_PER_PS;
}

/* ---- tracks --------------------------------------------------------------------------------- */

enum { TIDS_OF_ENGINE = 8, FIRST_DMA = 100, TIDS = 512 };

static unsigned pid_of(unsigned core)
{
    return core + 1;
}

/* Tracks of an engine lie beside each other. */
static unsigned tid_of(const struct trn_track *track)
{
    if (track->kind == TRN_TRACK_DMA)
        return FIRST_DMA + track->number;
    return 1 + track->number * TIDS_OF_ENGINE + (unsigned)track->kind;
}

static void name_of(const struct trn_track *track, char *out, size_t size)
{
    static const char *const suffixes[] = {[TRN_TRACK_ENGINE] = "",
                                           [TRN_TRACK_SEQUENCER] = " sequencer",
                                           [TRN_TRACK_WEIGHTS] = " weights",
                                           [TRN_TRACK_DGE] = " transfers"};
    if (track->kind == TRN_TRACK_DMA)
        snprintf(out, size, "dma%u", track->number);
    else
        snprintf(out, size, "%s%s", trn_engine_name((int)track->number), suffixes[track->kind]);
}

/* An event up to its name; the caller closes it. */
static void open_event(struct run_trace *trace, const char *phase, unsigned core, unsigned tid)
{
    fprintf(trace->file, "%s{\"ph\":\"%s\",\"pid\":%u,\"tid\":%u",
            trace->num_events++ ? ",\n" : "\n", phase, pid_of(core), tid);
}

static void put_metadata(struct run_trace *trace, unsigned core, unsigned tid, const char *what,
                         const char *name)
{
    open_event(trace, "M", core, tid);
    put_member("name", what, trace->file);
    fputs(",\"args\":{\"name\":", trace->file);
    put_string(name, trace->file);
    fputs("}}", trace->file);
}

static bool is_new(struct run_trace *trace, unsigned core, unsigned tid)
{
    if (!trace->known_tracks)
        trace->known_tracks = calloc((size_t)RUN_TRACE_CORES * TIDS, sizeof *trace->known_tracks);
    if (!trace->known_tracks || core >= RUN_TRACE_CORES || tid >= TIDS)
        return false;
    bool *known = &trace->known_tracks[core * TIDS + tid];
    const bool first = !*known;
    *known = true;
    return first;
}

/* A core is a process, which is named with its first track. */
static void name_core(struct run_trace *trace, unsigned core)
{
    char name[64];
    snprintf(name, sizeof name, "core %u of %s", core, trace->core->gen->name);
    if (is_new(trace, core, 0))
        put_metadata(trace, core, 0, "process_name", name);
}

static void name_track(struct run_trace *trace, const struct trn_track *track)
{
    const unsigned tid = tid_of(track);
    char name[32];
    name_core(trace, track->core);
    if (!is_new(trace, track->core, tid))
        return;
    name_of(track, name, sizeof name);
    put_metadata(trace, track->core, tid, "thread_name", name);
    open_event(trace, "M", track->core, tid);
    fprintf(trace->file, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%u}}", tid);
}

/* A complete event without its arguments. */
static void open_slice(struct run_trace *trace, const struct trn_track *track, const char *name,
                       const char *category, uint64_t start, uint64_t end)
{
    name_track(trace, track);
    open_event(trace, "X", track->core, tid_of(track));
    put_member("name", name, trace->file);
    put_member("cat", category, trace->file);
    put_time("ts", ps(start), trace->file);
    put_time("dur", ps(end) - ps(start), trace->file);
    fputs(",\"args\":{", trace->file);
}

static void put_instant(struct run_trace *trace, const struct trn_track *track, const char *name,
                        uint64_t time, const char *pc, const char *message)
{
    name_track(trace, track);
    open_event(trace, "i", track->core, tid_of(track));
    put_member("name", name, trace->file);
    fputs(",\"cat\":\"record\",\"s\":\"t\"", trace->file);
    put_time("ts", ps(time), trace->file);
    fprintf(trace->file, ",\"args\":{\"pc\":\"%s\"", pc);
    if (*message)
        put_member("message", message, trace->file);
    fputs("}}", trace->file);
}

/* ---- waits and what ends them --------------------------------------------------------------- */

static void sync_name(bool event, unsigned index, char *out, size_t size)
{
    snprintf(out, size, "%s %u", event ? "event" : "sem", index);
}

static void wait_name(const struct trn_trace_wait *wait, char *out, size_t size)
{
    static const char *const signs[] = {[TRN_TRACE_EQ] = "==",
                                        [TRN_TRACE_LT] = "<",
                                        [TRN_TRACE_LE] = "<=",
                                        [TRN_TRACE_GT] = ">",
                                        [TRN_TRACE_GE] = ">="};
    char name[32];
    sync_name(wait->event, wait->index, name, sizeof name);
    if (wait->event)
        snprintf(out, size, "wait %s %s", name, wait->want ? "set" : "clear");
    else
        snprintf(out, size, "wait %s %s %" PRId64, name, signs[wait->compare],
                 wait->is_unsigned ? (int64_t)wait->want : (int32_t)wait->want);
}

static void put_wait(struct run_trace *trace, const struct trn_trace_step *step,
                     const struct trn_trace_place *place)
{
    char name[64];
    if (place->waited_for < 0 || ps(place->start) == ps(place->wait_start))
        return;
    const struct trn_trace_cause *cause = &place->cause[place->waited_for];
    wait_name(&step->waits[place->waited_for], name, sizeof name);
    open_slice(trace, &place->track, name, "wait", place->wait_start, place->start);
    if (cause->known)
        fprintf(trace->file, "\"value\":%" PRId32, (int32_t)cause->value);
    fputs("}}", trace->file);
}

/* Arrows are numbered by the engine that waits: how engines take turns does not show. */
static uint64_t flow_id(struct run_trace *trace, const struct trn_track *track)
{
    enum { ENGINES_OF_CORE = 8, ALL = RUN_TRACE_CORES * ENGINES_OF_CORE };
    const unsigned core = track->core % RUN_TRACE_CORES, engine = track->number % TRN_ENGINES;
    return ALL * ++trace->num_flows[core][engine] + core * ENGINES_OF_CORE + engine;
}

/* The arrow leaves the slice a nanosecond before it ends: at its end it would be outside. */
static void put_flow(struct run_trace *trace, const struct trn_trace_wait *wait,
                     const struct trn_trace_cause *cause, const struct trn_trace_place *place)
{
    const uint64_t nanosecond = TRN_TIME_PER_US / 1000;
    const uint64_t id = flow_id(trace, &place->track);
    const uint64_t leaves = cause->slice_end - cause->slice_start > nanosecond
                                ? cause->slice_end - nanosecond
                                : cause->slice_start;
    char name[32];
    sync_name(wait->event, wait->index, name, sizeof name);
    open_event(trace, "s", cause->track.core, tid_of(&cause->track));
    fprintf(trace->file, ",\"name\":\"%s\",\"cat\":\"flow\",\"id\":%" PRIu64, name, id);
    put_time("ts", ps(leaves), trace->file);
    fputc('}', trace->file);
    open_event(trace, "f", place->track.core, tid_of(&place->track));
    fprintf(trace->file, ",\"name\":\"%s\",\"cat\":\"flow\",\"id\":%" PRIu64 ",\"bp\":\"e\"", name,
            id);
    put_time("ts", ps(place->start), trace->file);
    fputc('}', trace->file);
}

void run_trace_sample(struct run_trace *trace, const struct trn_trace_sample *sample)
{
    char name[32];
    name_core(trace, sample->core);
    sync_name(sample->event, sample->index, name, sizeof name);
    open_event(trace, "C", sample->core, 0);
    put_member("name", name, trace->file);
    put_time("ts", ps(sample->time), trace->file);
    fprintf(trace->file, ",\"args\":{\"value\":%" PRId32 "}}", (int32_t)sample->value);
}

/* ---- words ---------------------------------------------------------------------------------- */

static void put_place(struct run_trace *trace, int engine, uint64_t pc)
{
    char distance[32], where[512];
    run_pc(&trace->core->program, engine, pc, distance, sizeof distance);
    run_where(&trace->core->program, engine, pc, where, sizeof where);
    fprintf(trace->file, "\"pc\":\"%s\",\"addr\":\"0x%" PRIx64 "\"", distance, pc);
    if (*where)
        put_member("where", where, trace->file);
}

/* The word as `dis` prints it, its waits and updates included. */
static void put_text(struct run_trace *trace, const uint8_t *word)
{
    char text[TRN_DIS_MAX];
    size_t length = trn_dis_word(trace->core->gen, word, text);
    while (length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
    put_member("text", text, trace->file);
}

static void put_word(struct run_trace *trace, const struct trn_trace_step *step,
                     const struct trn_trace_place *place)
{
    const struct trn_word_info info = trn_word_info(trace->core->gen, step->word);
    open_slice(trace, &place->track, info.mnemonic ? info.mnemonic : ".word", "word", place->start,
               place->end);
    put_place(trace, step->engine, step->pc);
    put_text(trace, step->word);
    if (step->bytes_read)
        fprintf(trace->file, ",\"bytes_read\":%" PRIu64, step->bytes_read);
    if (step->bytes_written)
        fprintf(trace->file, ",\"bytes_written\":%" PRIu64, step->bytes_written);
    if (place->formula) {
        put_member("formula", place->formula, trace->file);
        put_time("done", ps(place->done), trace->file);
    }
    fputs("}}", trace->file);
}

static void put_transfer(struct run_trace *trace, const struct trn_trace_transfer *transfer,
                         const struct trn_track *track, uint64_t start, uint64_t end)
{
    char name[64];
    snprintf(name, sizeof name, "%" PRIu64 " bytes", transfer->bytes);
    open_slice(trace, track, name, "transfer", start, end);
    fprintf(trace->file,
            "\"by\":\"%s\",\"bytes\":%" PRIu64 ",\"packets\":%" PRIu64 ",\"descriptors\":%" PRIu64
            "}}",
            transfer->backend, transfer->bytes, transfer->packets, transfer->descriptors);
}

static void put_notes(struct run_trace *trace, const struct trn_trace_step *step,
                      const struct trn_trace_place *place)
{
    static const char *const names[] = {[TRN_TRACE_NOTE_START] = "start",
                                        [TRN_TRACE_NOTE_END] = "end",
                                        [TRN_TRACE_NOTE_NOTIFY] = "notify",
                                        [TRN_TRACE_NOTE_ERROR] = "error",
                                        [TRN_TRACE_NOTE_REPORT] = "report"};
    for (size_t i = 0; i < step->num_notes; i++) {
        const struct trn_trace_note *note = &step->notes[i];
        const bool first = note->kind == TRN_TRACE_NOTE_START;
        char name[96], pc[32];
        run_pc(&trace->core->program, step->engine, note->pc, pc, sizeof pc);
        snprintf(name, sizeof name, "%s%s%s",
                 step->kind == TRN_TRACE_FAULT && *note->text ? "fault" : names[note->kind],
                 *note->text ? " " : "", note->text);
        put_instant(trace, &place->track, name, first ? place->start : place->end, pc,
                    note->message);
    }
}

void run_trace_step(struct run_trace *trace, const struct trn_trace_step *step,
                    const struct trn_trace_place *place)
{
    if (step->kind == TRN_TRACE_WORD) {
        put_wait(trace, step, place);
        put_word(trace, step, place);
        if (place->move_end > place->move_start)
            put_transfer(trace, &step->transfer, &place->moved_by, place->move_start,
                         place->move_end);
        for (size_t i = 0; i < step->num_waits; i++)
            if (place->cause[i].known)
                put_flow(trace, &step->waits[i], &place->cause[i], place);
    } else if (step->kind == TRN_TRACE_DMA) {
        put_transfer(trace, &step->transfer, &place->track, place->start, place->end);
    }
    put_notes(trace, step, place);
}

/* ---- beginning and end ----------------------------------------------------------------------- */

void run_trace_blocked(struct run_trace *trace, unsigned core, int engine,
                       const struct trn_engine_report *report)
{
    static const struct {
        const char *mode;
        enum trn_trace_compare compare;
    } compares[] = {{"eq", TRN_TRACE_EQ},
                    {"lt", TRN_TRACE_LT},
                    {"le", TRN_TRACE_LE},
                    {"gt", TRN_TRACE_GT},
                    {"ge", TRN_TRACE_GE}};
    const uint64_t start = trn_timeline_ready(trace->timeline, core, engine);
    const uint64_t end = trn_timeline_end(trace->timeline);
    const struct trn_track track = {TRN_TRACK_ENGINE, core, (unsigned)engine};
    struct trn_trace_wait wait = {.event = report->wait_is_event,
                                  .index = (uint8_t)report->wait_index,
                                  .want = (uint32_t)report->wait_want};
    char name[64];
    if (report->state != TRN_ENGINE_WAITING)
        return;
    for (size_t i = 0; i < sizeof compares / sizeof compares[0]; i++)
        if (strcmp(report->wait_mode, compares[i].mode) == 0)
            wait.compare = compares[i].compare;
    wait_name(&wait, name, sizeof name);
    open_slice(trace, &track, name, "wait", start, end > start ? end : start + TRN_TIME_PER_US);
    put_place(trace, engine, report->pc);
    fprintf(trace->file, ",\"value\":%" PRId64 ",\"ended\":false}}", report->wait_value);
}

void run_trace_begin(struct run_trace *trace)
{
    fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", trace->file);
}

void run_trace_end(struct run_trace *trace, const char *status)
{
    fprintf(trace->file,
            "\n],\"otherData\":{\"schema\":\"trench.trace/1\",\"gen\":\"%s\",\"clock\":\"%s\","
            "\"status\":\"%s\"}}\n",
            trace->core->gen->name, trace->core->options->timing ? "estimated" : "logical", status);
}
