/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of the timing model as times (trench/trace.h: 1/1024 picoseconds). */
#ifndef TRN_TRACE_COST_H
#define TRN_TRACE_COST_H

#include "gen/timing_rows.h"
#include "trench/trace.h"

/* For whom times are looked up, and what counts the model choices that they rest on (NULL: nobody
 * counts). */
struct trn_timing {
    const struct trn_gen *gen;
    uint64_t *choices;
};

/* A number of data/timing.csv. */
uint32_t trn_timing_number(const struct trn_timing *timing, enum trn_timing_number number);
/* One that is in nanoseconds. */
uint64_t trn_timing_ns(const struct trn_timing *timing, enum trn_timing_number number);
/* How long DMA engines move a transfer, from its first byte (timing.md 5). */
uint64_t trn_timing_move(const struct trn_timing *timing,
                         const struct trn_trace_transfer *transfer);

#endif
