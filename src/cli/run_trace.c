/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a trace: a temporary file before the run, a name when it is over. */
#include "cli/run_trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the file ------------------------------------------------------------------------------- */

static trn_status failed(const struct run_trace *trace, const char *what, struct trn_diag *diag)
{
    return trn_diag_set(diag, TRN_ERR_IO, trace->path, NULL, "expected a file that can be written",
                        "--trace %s: %s", what, strerror(errno));
}

static trn_status open_file(struct run_trace *trace, struct trn_diag *diag)
{
    if (!trace->path)
        return TRN_OK;
    if (!out_file_open(trace->path, &trace->out))
        return failed(trace, "cannot create it", diag);
    trace->file = trace->out.stream;
    return TRN_OK;
}

/* ---- the run -------------------------------------------------------------------------------- */

static void take_step(void *context, const struct trn_trace_step *step)
{
    struct run_trace *trace = context;
    struct trn_trace_place place;
    trn_timeline_place(trace->timeline, step, &place);
    if (trace->file)
        run_trace_step(trace, step, &place);
}

static void take_sample(void *context, const struct trn_trace_sample *sample)
{
    run_trace_sample(context, sample);
}

trn_status run_trace_open(struct run_core *core, struct trn_device_options *device,
                          struct trn_diag *diag)
{
    const struct run_options *options = core->options;
    if (!options->trace && !options->timing)
        return TRN_OK;
    struct run_trace *trace = calloc(1, sizeof *trace);
    if (!trace)
        return trn_diag_set(diag, TRN_ERR_NO_MEMORY, NULL, NULL, NULL, "out of memory");
    core->tracer = trace;
    *trace = (struct run_trace){.core = core, .path = options->trace};
    if (trn_timeline_create(core->gen, options->timing, &trace->timeline) != TRN_OK)
        return trn_diag_set(diag, TRN_ERR_NO_MEMORY, NULL, NULL, NULL, "out of memory");
    const trn_status status = open_file(trace, diag);
    if (trace->file) {
        run_trace_begin(trace);
        trn_timeline_tell(trace->timeline, (struct trn_trace_samples){trace, take_sample});
    }
    device->trace = (struct trn_trace_sink){trace, take_step};
    return status;
}

trn_status run_trace_finish(struct run_core *core, struct trn_diag *diag)
{
    struct run_trace *trace = core->tracer;
    const uint64_t *choices = trace ? trn_timeline_choices(trace->timeline) : NULL;
    for (int c = 0; choices && c < TRN_CHOICE_COUNT; c++)
        core->report.choices[c] += choices[c];
    if (!trace || !trace->file)
        return TRN_OK;
    for (int e = 0; e < TRN_ENGINES; e++)
        run_trace_blocked(trace, core->options->core, e, &core->report.engines[e]);
    trn_timeline_settle(trace->timeline);
    run_trace_end(trace, run_core_status(core));
    trace->file = NULL;
    return out_file_close(&trace->out) ? TRN_OK : failed(trace, "cannot write it", diag);
}

void run_trace_close(struct run_core *core)
{
    struct run_trace *trace = core->tracer;
    if (!trace)
        return;
    out_file_abandon(&trace->out);
    free(trace->known_tracks);
    trn_timeline_destroy(trace->timeline);
    free(trace);
    core->tracer = NULL;
}

/* ---- what --timing says -----------------------------------------------------------------------
 */

static double microseconds(uint64_t time)
{
    return (double)time / (double)TRN_TIME_PER_US;
}

void run_timing_text(const struct run_core *core)
{
    if (!core->options->timing)
        return;
    const struct trn_timeline *timeline = core->tracer->timeline;
    printf("  estimated time %.3f us\n", microseconds(trn_timeline_end(timeline)));
    for (size_t q = 0; q < core->program.num_queues; q++) {
        const int e = core->program.queues[q].engine;
        const struct trn_timeline_sum sum = trn_timeline_sum(timeline, core->options->core, e);
        const uint64_t period = trn_timing_period(core->gen, e);
        printf("  %-5s busy %" PRIu64 " cycles (%.3f us), waits %" PRIu64 " (%.3f us)",
               trn_engine_name(e), sum.busy / period, microseconds(sum.busy), sum.waiting / period,
               microseconds(sum.waiting));
        if (sum.no_formula)
            printf("; %" PRIu64 " of %" PRIu64 " words have no formula", sum.no_formula, sum.words);
        putchar('\n');
    }
}

json_t *run_timing_json(const struct run_core *core)
{
    const struct trn_timeline *timeline = core->tracer->timeline;
    json_t *engines = json_object();
    for (size_t q = 0; q < core->program.num_queues; q++) {
        const int e = core->program.queues[q].engine;
        const struct trn_timeline_sum sum = trn_timeline_sum(timeline, core->options->core, e);
        const uint64_t period = trn_timing_period(core->gen, e);
        json_object_set_new(engines, trn_engine_name(e),
                            json_pack("{s:I, s:I, s:I, s:f, s:f}", "busy_cycles",
                                      (json_int_t)(sum.busy / period), "wait_cycles",
                                      (json_int_t)(sum.waiting / period), "words_without_formula",
                                      (json_int_t)sum.no_formula, "busy_us", microseconds(sum.busy),
                                      "wait_us", microseconds(sum.waiting)));
    }
    return json_pack("{s:f, s:o}", "estimated_us", microseconds(trn_timeline_end(timeline)),
                     "engines", engines);
}
