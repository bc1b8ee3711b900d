/* SPDX-License-Identifier: Apache-2.0 */
/* The last values of a semaphore or an event, who made them and when, in the order of the clock:
 * the model executes updates of several engines in another one. */
#ifndef TRN_TRACE_VALUES_H
#define TRN_TRACE_VALUES_H

#include "trench/trace.h"

enum { TRN_VALUES_KEPT = 256 };

struct trn_value {
    bool added; /* `operand` is a difference; else it is the value */
    uint32_t operand;
    uint32_t value; /* that the updates up to this one give */
    uint64_t time;
    struct trn_trace_cause cause;
};

/* Zeros are a semaphore that nobody has changed. */
struct trn_values {
    struct trn_value entries[TRN_VALUES_KEPT]; /* a ring; at the same time by who made them */
    unsigned first, count;
    struct trn_value last; /* the one that was forgotten last */
};

/* Add an update. It is not seen before an update of the same agent in front of it. True: *settled
 * has been forgotten to make room, and its value is all that was known at its time. */
bool trn_values_add(struct trn_values *values, struct trn_value entry, struct trn_value *settled);
/* Forget the first one; true as above. */
bool trn_values_take(struct trn_values *values, struct trn_value *settled);
/* Since when a wait that holds has held; *cause says who made it so. NULL: nobody changed it. */
uint64_t trn_values_held_since(const struct trn_values *values, const struct trn_trace_wait *wait,
                               struct trn_trace_cause *cause);

#endif
