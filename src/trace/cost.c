/* SPDX-License-Identifier: Apache-2.0 */
/* What a word costs: the first row of data/timing-words.csv that fits it (timing.md 4), and how
 * long a transfer moves (5). */
#include "trace/cost.h"

#include <string.h>

#include "gen/gen_rows.h"
#include "trench/isa.h"

enum { TIME_PER_NS = TRN_TIME_PER_US / 1000, STRIDE_FACTOR = 2, PERCENT = 100 };

static unsigned generation(const struct trn_gen *gen)
{
    return (unsigned)(gen - trn_gen_table);
}

static void count_choice(const struct trn_timing *timing, enum trn_choice choice)
{
    if (timing->choices && choice != TRN_CHOICE_COUNT)
        timing->choices[choice]++;
}

uint32_t trn_timing_number(const struct trn_timing *timing, enum trn_timing_number number)
{
    const struct trn_timing_row *row = &trn_timing_rows[number];
    const unsigned g = generation(timing->gen);
    if (strcmp(row->confidence[g], "MC") == 0)
        count_choice(timing, row->choice);
    return row->value[g];
}

uint64_t trn_timing_ns(const struct trn_timing *timing, enum trn_timing_number number)
{
    return (uint64_t)TIME_PER_NS * trn_timing_number(timing, number);
}

/* timing.md 1: the increments of the hardware are in 1/1024 ps, too. */
static uint64_t period_of(const struct trn_timing *timing, int engine)
{
    static const enum trn_timing_number clocks[] = {TRN_TIMING_PE_CLOCK, TRN_TIMING_ACT_CLOCK,
                                                    TRN_TIMING_POOL_CLOCK, TRN_TIMING_DVE_CLOCK};
    const bool known = engine >= 0 && (size_t)engine < sizeof clocks / sizeof clocks[0];
    return TRN_TIME_PER_US /
           trn_timing_number(timing, known ? clocks[engine] : TRN_TIMING_CORE_CLOCK);
}

uint64_t trn_timing_period(const struct trn_gen *gen, int engine)
{
    return period_of(&(struct trn_timing){.gen = gen}, engine);
}

/* ---- what a word is like ----------------------------------------------------------------- */

/* The access of a side with the most elements; NULL: there is none. */
static const struct trn_trace_access *largest(const struct trn_trace_step *step, bool write)
{
    const struct trn_trace_access *best = NULL;
    for (size_t i = 0; i < step->num_accesses; i++) {
        const struct trn_trace_access *access = &step->accesses[i];
        if (access->write == write && (!best || access->elements > best->elements))
            best = access;
    }
    return best;
}

/* Inputs with as many elements as the largest: tensors, not scalars. */
static unsigned num_inputs(const struct trn_trace_step *step)
{
    const struct trn_trace_access *most = largest(step, false);
    unsigned count = 0;
    for (size_t i = 0; i < step->num_accesses; i++)
        count += !step->accesses[i].write && step->accesses[i].elements == most->elements;
    return count;
}

static bool is_narrow_float(const struct trn_timing *timing, const char *dtype)
{
    if (strcmp(dtype, "bf16") == 0 || strcmp(dtype, "fp16") == 0)
        return true;
    return strncmp(dtype, "fp8", 3) == 0 && trn_timing_number(timing, TRN_TIMING_FP8_IS_NARROW);
}

/* The types that the fields of a word name, inputs' or all. */
struct types {
    bool fp32_input, all_narrow;
    unsigned count;
};

static void add_type(const struct trn_timing *timing, const struct trn_field_view *field,
                     const char *dtype, struct types *types)
{
    if (!dtype)
        return;
    types->fp32_input |= strncmp(field->name, "in", 2) == 0 && strcmp(dtype, "fp32") == 0;
    types->all_narrow &= is_narrow_float(timing, dtype);
    types->count++;
}

static struct types types_of(const struct trn_timing *timing, const uint8_t *word)
{
    const size_t num_fields = trn_word_info(timing->gen, word).num_fields;
    struct types types = {.all_narrow = true};
    struct trn_field_view field;
    for (size_t i = 0; i < num_fields; i++) {
        if (trn_word_field(timing->gen, word, i, &field) != TRN_OK || !field.enum_name ||
            strcmp(field.enum_name, "DTYPE") != 0)
            continue;
        add_type(timing, &field, field.symbol, &types);
        if (field.kind == TRN_VALUE_PAIR)
            add_type(timing, &field, field.symbol_hi, &types);
    }
    types.all_narrow &= types.count > 0;
    return types;
}

/* transpose_mode, or the flag of that name (MAVERICK). */
static bool transposes(const struct trn_timing *timing, const uint8_t *word)
{
    const size_t num_fields = trn_word_info(timing->gen, word).num_fields;
    struct trn_field_view field;
    for (size_t i = 0; i < num_fields; i++)
        if (trn_word_field(timing->gen, word, i, &field) == TRN_OK && field.number != 0 &&
            (strcmp(field.name, "transpose_mode") == 0 || strcmp(field.name, "flags.xpose") == 0))
            return true;
    return false;
}

static bool is_packed(const struct trn_trace_access *access)
{
    return !access->indexed && (access->stride == 0 || access->stride == (int64_t)access->size);
}

/* All inputs with the most elements lie in SBUF. */
static bool inputs_in_sbuf(const struct trn_trace_step *step)
{
    const struct trn_trace_access *most = largest(step, false);
    for (size_t i = 0; i < step->num_accesses; i++)
        if (!step->accesses[i].write && step->accesses[i].elements == most->elements &&
            step->accesses[i].space != TRN_SPACE_SBUF)
            return false;
    return true;
}

/* timing.md 4.2, the performance modes of DVE. */
static bool holds(const struct trn_timing *timing, const struct trn_trace_step *step,
                  enum trn_timing_when when)
{
    const struct trn_trace_access *in = largest(step, false), *out = largest(step, true);
    const bool both = in && out;
    switch (when) {
    case TRN_TIMING_WHEN_ALWAYS:
        return true;
    case TRN_TIMING_WHEN_FP32:
        return types_of(timing, step->word).fp32_input;
    case TRN_TIMING_WHEN_TRANSPOSE_FP32:
        return types_of(timing, step->word).fp32_input && transposes(timing, step->word);
    case TRN_TIMING_WHEN_NARROW:
        return types_of(timing, step->word).all_narrow;
    case TRN_TIMING_WHEN_ONE_INPUT:
        return num_inputs(step) <= 1;
    case TRN_TIMING_WHEN_TENSORS_FAST:
        return both && inputs_in_sbuf(step) && types_of(timing, step->word).all_narrow;
    case TRN_TIMING_WHEN_SBUF_PACKED:
    case TRN_TIMING_WHEN_SBUF_NARROW:
        return both && in->space == TRN_SPACE_SBUF && out->space == TRN_SPACE_SBUF &&
               (when == TRN_TIMING_WHEN_SBUF_NARROW || (is_packed(in) && is_packed(out))) &&
               types_of(timing, step->word).all_narrow;
    case TRN_TIMING_WHEN_PSUM_PACKED:
        return both && (in->space == TRN_SPACE_PSUM) != (out->space == TRN_SPACE_PSUM) &&
               is_packed(in) && is_packed(out) && types_of(timing, step->word).all_narrow;
    case TRN_TIMING_WHEN_BYTES_1:
    case TRN_TIMING_WHEN_BYTES_2: {
        const uint32_t size = when == TRN_TIMING_WHEN_BYTES_1 ? 1 : 2;
        return out && out->size == size && (!in || in->size == size);
    }
    case TRN_TIMING_WHEN_TAKEN:
        return step->next_pc != step->pc + TRN_INST_BYTES;
    case TRN_TIMING_WHEN_HBM:
        return (in && in->space == TRN_SPACE_HBM) || (out && out->space == TRN_SPACE_HBM);
    case TRN_TIMING_CONDITIONS:
        break;
    }
    return false;
}

/* ---- the price of a word ----------------------------------------------------------------- */

static bool names(const struct trn_timing_word_row *row, uint8_t opcode)
{
    for (uint8_t i = 0; i < row->num_opcodes; i++)
        if (row->opcodes[i] == opcode)
            return true;
    return row->num_opcodes == 0;
}

/* The tables end with a row that fits each word of an engine (tools/tablegen/emit_timing.py). */
static const struct trn_timing_word_row *row_of(const struct trn_timing *timing,
                                                const struct trn_trace_step *step)
{
    const unsigned engine = step->control ? TRN_TIMING_ON_SEQ : (unsigned)step->engine;
    for (size_t i = 0; i < trn_timing_num_word_rows; i++) {
        const struct trn_timing_word_row *row = &trn_timing_word_rows[i];
        if ((row->engine == engine || row->engine == TRN_TIMING_ON_ANY) &&
            row->generations >> generation(timing->gen) & 1 && names(row, step->word[0]) &&
            holds(timing, step, row->when))
            return row;
    }
    return &trn_timing_word_rows[trn_timing_num_word_rows - 1];
}

static uint64_t elements_of(const struct trn_timing_word_row *row,
                            const struct trn_trace_step *step)
{
    const struct trn_trace_access *side = largest(step, row->of_output);
    side = side ? side : largest(step, !row->of_output);
    return side ? side->elements : 0;
}

/* timing.md 7, stride penalty. */
static bool is_strided(const struct trn_timing *timing, const struct trn_trace_step *step)
{
    const int64_t limit = trn_timing_number(timing, TRN_TIMING_FULL_RATE_STRIDE);
    bool strided = false, at_limit = false;
    for (size_t i = 0; i < step->num_accesses; i++) {
        const int64_t stride = step->accesses[i].stride;
        strided |= stride > limit || stride < -limit;
        at_limit |= stride == limit || stride == -limit;
    }
    if (at_limit && !strided)
        count_choice(timing, TRN_CHOICE_TIMING_STRIDE);
    return strided;
}

static uint64_t cycles_behind(const struct trn_timing *timing, int engine)
{
    static const enum trn_timing_number pipes[] = {TRN_TIMING_PE_PIPE, TRN_TIMING_ACT_PIPE};
    const bool named = (size_t)engine < sizeof pipes / sizeof pipes[0];
    return trn_timing_number(timing, TRN_TIMING_ACCESS_START) +
           trn_timing_number(timing, named ? pipes[engine] : TRN_TIMING_OTHER_PIPE);
}

struct trn_timing_cost trn_timing_cost(const struct trn_gen *gen, const struct trn_trace_step *step,
                                       uint64_t *choices)
{
    const struct trn_timing counting = {gen, choices}, *const timing = &counting;
    const struct trn_timing_word_row *row = row_of(timing, step);
    const int clock = step->control ? TRN_ENGINE_ANY : step->engine;
    count_choice(timing, row->choice);
    const uint64_t period = row->ns ? TIME_PER_NS : period_of(timing, clock);
    uint64_t n = (elements_of(row, step) * row->mul + row->div - 1) / row->div + row->add;
    n = (n < row->min ? row->min : n) * row->factor;
    if (!row->ns && !step->control && is_strided(timing, step))
        n *= STRIDE_FACTOR;
    struct trn_timing_cost cost = {
        .busy = n * period, .formula = row->id, .by_default = row->by_default};
    cost.latency = cost.busy;
    if (!step->control)
        cost.latency += cycles_behind(timing, step->engine) * period_of(timing, step->engine);
    return cost;
}

/* ---- transfers --------------------------------------------------------------------------- */

static uint64_t ceil_div(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

uint64_t trn_timing_move(const struct trn_timing *timing, const struct trn_trace_transfer *transfer)
{
    const unsigned engines = transfer->dmas ? (unsigned)__builtin_popcount(transfer->dmas) : 1;
    uint64_t rate = trn_timing_number(timing, TRN_TIMING_DMA_RATE);
    if (transfer->transposes)
        rate = rate *
               trn_timing_number(timing, transfer->on_chip ? TRN_TIMING_DMA_TRANSPOSE_ON_CHIP_RATE
                                                           : TRN_TIMING_DMA_TRANSPOSE_RATE) /
               PERCENT;
    return ceil_div(transfer->descriptors, engines) *
               trn_timing_ns(timing, TRN_TIMING_DMA_DESCRIPTOR) +
           ceil_div(transfer->bytes, engines) * TRN_TIME_PER_US / rate;
}
