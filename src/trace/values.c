/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/values.h"

uint64_t trn_values_add(struct trn_values *values, struct trn_value entry)
{
    if (values->count > 0) {
        const struct trn_value *last = &values->entries[(values->count - 1) % TRN_VALUES_KEPT];
        entry.time = entry.time < last->time ? last->time : entry.time;
    }
    values->entries[values->count++ % TRN_VALUES_KEPT] = entry;
    return entry.time;
}

static bool compares(enum trn_trace_compare compare, int64_t value, int64_t want)
{
    switch (compare) {
    case TRN_TRACE_EQ:
        return value == want;
    case TRN_TRACE_LT:
        return value < want;
    case TRN_TRACE_LE:
        return value <= want;
    case TRN_TRACE_GT:
        return value > want;
    case TRN_TRACE_GE:
        break;
    }
    return value >= want;
}

static bool holds(const struct trn_trace_wait *wait, uint32_t value)
{
    return wait->is_unsigned ? compares(wait->compare, value, wait->want)
                             : compares(wait->compare, (int32_t)value, (int32_t)wait->want);
}

uint64_t trn_values_held_since(const struct trn_values *values, const struct trn_trace_wait *wait,
                               struct trn_trace_cause *cause)
{
    *cause = (struct trn_trace_cause){.known = false};
    if (!values)
        return 0;
    const uint64_t kept = values->count < TRN_VALUES_KEPT ? values->count : TRN_VALUES_KEPT;
    const struct trn_value *first = NULL;
    for (uint64_t i = 1; i <= kept; i++) {
        const struct trn_value *entry = &values->entries[(values->count - i) % TRN_VALUES_KEPT];
        if (!holds(wait, entry->value))
            break;
        first = entry;
    }
    const bool all = first == &values->entries[(values->count - kept) % TRN_VALUES_KEPT];
    if (!first || (all && kept == values->count && holds(wait, 0)))
        return 0;
    if (!all || kept == values->count) /* else it may have held before */
        *cause = first->cause;
    return first->time;
}
