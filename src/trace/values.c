/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/values.h"

static struct trn_value *at(struct trn_values *values, unsigned i)
{
    return &values->entries[(values->first + i) % TRN_VALUES_KEPT];
}

static const struct trn_value *look_at(const struct trn_values *values, unsigned i)
{
    return &values->entries[(values->first + i) % TRN_VALUES_KEPT];
}

/* Tracks of an engine are one agent, which does its words in their order. */
static uint64_t agent_of(const struct trn_value *value)
{
    const struct trn_track *track = &value->cause.track;
    const bool engine = track->kind != TRN_TRACK_DGE && track->kind != TRN_TRACK_DMA;
    const uint64_t kind = engine ? TRN_TRACK_ENGINE : track->kind;
    return kind << 48 | (uint64_t)track->core << 32 | track->number;
}

static bool comes_before(const struct trn_value *one, const struct trn_value *other)
{
    return one->time != other->time ? one->time < other->time : agent_of(one) < agent_of(other);
}

/* Behind what the same agent did before, and behind what is forgotten. */
static uint64_t seen_at(const struct trn_values *values, const struct trn_value *entry)
{
    uint64_t time = entry->time;
    if (time < values->last.time)
        time = values->last.time;
    for (unsigned i = values->count; i > 0; i--) {
        const struct trn_value *other = look_at(values, i - 1);
        if (agent_of(other) == agent_of(entry))
            return time < other->time ? other->time : time;
    }
    return time;
}

/* Values from the i-th on. */
static void count_on(struct trn_values *values, unsigned i)
{
    uint32_t value = i > 0 ? at(values, i - 1)->value : values->last.value;
    for (; i < values->count; i++) {
        struct trn_value *entry = at(values, i);
        value = entry->added ? value + entry->operand : entry->operand;
        entry->value = value;
    }
}

bool trn_values_take(struct trn_values *values, struct trn_value *settled)
{
    *settled = values->last = *at(values, 0);
    values->first++;
    values->count--;
    return values->count == 0 || at(values, 0)->time != settled->time;
}

bool trn_values_add(struct trn_values *values, struct trn_value entry, struct trn_value *settled)
{
    const bool told = values->count == TRN_VALUES_KEPT && trn_values_take(values, settled);
    entry.time = seen_at(values, &entry);
    unsigned i = values->count++;
    for (; i > 0 && comes_before(&entry, at(values, i - 1)); i--)
        *at(values, i) = *at(values, i - 1);
    *at(values, i) = entry;
    count_on(values, i);
    return told;
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
    if (!values || values->count == 0)
        return 0;
    unsigned i = values->count;
    while (i > 0 && holds(wait, look_at(values, i - 1)->value))
        i--;
    if (i == values->count) /* what overwrites has another order on the clock */
        return look_at(values, i - 1)->time;
    const struct trn_value *first = look_at(values, i);
    if (i == 0 && holds(wait, values->last.value)) /* from the start, or for longer than is known */
        return values->last.time;
    *cause = first->cause;
    cause->value = first->value;
    return first->time;
}
