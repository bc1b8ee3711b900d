/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/history.h"

uint64_t trn_history_add(struct trn_history *history, struct trn_history_entry entry)
{
    if (history->count > 0) {
        const struct trn_history_entry *last =
            &history->entries[(history->count - 1) % TRN_HISTORY_VALUES];
        entry.time = entry.time < last->time ? last->time : entry.time;
    }
    history->entries[history->count++ % TRN_HISTORY_VALUES] = entry;
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

uint64_t trn_history_held_since(const struct trn_history *history,
                                const struct trn_trace_wait *wait, struct trn_trace_cause *cause)
{
    *cause = (struct trn_trace_cause){.known = false};
    if (!history)
        return 0;
    const uint64_t kept = history->count < TRN_HISTORY_VALUES ? history->count : TRN_HISTORY_VALUES;
    const struct trn_history_entry *first = NULL;
    for (uint64_t i = 1; i <= kept; i++) {
        const struct trn_history_entry *entry =
            &history->entries[(history->count - i) % TRN_HISTORY_VALUES];
        if (!holds(wait, entry->value))
            break;
        first = entry;
    }
    const bool all = first == &history->entries[(history->count - kept) % TRN_HISTORY_VALUES];
    if (!first || (all && kept == history->count && holds(wait, 0)))
        return 0;
    if (!all || kept == history->count) /* else it may have held before */
        *cause = first->cause;
    return first->time;
}
