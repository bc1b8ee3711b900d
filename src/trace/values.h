/* SPDX-License-Identifier: Apache-2.0 */
/* The last values of a semaphore or an event, who made them and when. */
#ifndef TRN_TRACE_VALUES_H
#define TRN_TRACE_VALUES_H

#include "trench/trace.h"

enum { TRN_VALUES_KEPT = 256 };

struct trn_value {
    uint32_t value;
    uint64_t time;
    struct trn_trace_cause cause;
};

/* Zeros are a semaphore that nobody has changed. */
struct trn_values {
    struct trn_value entries[TRN_VALUES_KEPT]; /* a ring */
    uint64_t count;                            /* ever added */
};

/* Add a value; returns when it is seen, which is not before the one in front of it: what counts up
 * has not counted on before it counted. */
uint64_t trn_values_add(struct trn_values *values, struct trn_value entry);
/* Since when a wait that holds has held; *cause says who made it so. NULL: nobody changed it. */
uint64_t trn_values_held_since(const struct trn_values *values, const struct trn_trace_wait *wait,
                               struct trn_trace_cause *cause);

#endif
