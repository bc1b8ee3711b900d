/* SPDX-License-Identifier: Apache-2.0 */
/* --trace and --timing of trench run: steps of the device put on a timeline, into a file in the
 * trace-event format that Perfetto and chrome://tracing open (docs/trace.md). */
#ifndef TRN_CLI_RUN_TRACE_H
#define TRN_CLI_RUN_TRACE_H

#include "cli/out_file.h"
#include "cli/run.h"
#include "trench/trace.h"

enum { RUN_TRACE_CORES = 8 };

struct run_trace {
    const struct run_core *core;
    struct trn_timeline *timeline;
    struct out_file out;
    FILE *file; /* of `out`; NULL: --timing alone, nothing is written */
    const char *path;
    uint64_t num_events;
    uint64_t num_flows[RUN_TRACE_CORES][TRN_ENGINES];
    bool *known_tracks; /* those that have a name */
};

/* run_trace_write.c: a step at its place, and the end of the file. */
void run_trace_step(struct run_trace *trace, const struct trn_trace_step *step,
                    const struct trn_trace_place *place);
void run_trace_sample(struct run_trace *trace, const struct trn_trace_sample *sample);
/* An engine that still waits when the run is over. */
void run_trace_blocked(struct run_trace *trace, unsigned core, int engine,
                       const struct trn_engine_report *report);
void run_trace_begin(struct run_trace *trace);
void run_trace_end(struct run_trace *trace, const char *status);

#endif
