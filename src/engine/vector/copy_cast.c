/* SPDX-License-Identifier: Apache-2.0 */
/* COPY 0x46 and CAST 0x47 (docs/hardware/vector-ops.md 3.4). */
#include "engine/numeric.h"
#include "engine/state.h"
#include "engine/vector/stream.h"
#include "engine/vector/words.h"

struct types {
    uint8_t from, to;
    struct trn_numeric_safe safe; /* of `to`, while numeric events are wanted */
};

static struct types types_of(const struct trn_exec *x)
{
    struct types types = {.from = trn_s4d4_tr_in_dtype(x->word, x->gen->isa),
                          .to = trn_s4d4_tr_out_dtype(x->word, x->gen->isa)};
    if (x->numeric_wanted)
        types.safe = trn_numeric_safe_of(types.to, &x->state->mode[x->engine]);
    return types;
}

/* In -> fp32 -> out; equal types move bits. */
static void row_convert(const void *context, const struct trn_row *row)
{
    const struct types *types = context;
    (void)trn_convert_array(types->from, types->to, row->mode, row->a, row->out, row->n);
}

/* Elements as they passed the hub: adjacent values of their own, or copied to `hub`. */
static const float *hub_values(const struct types *types, const struct trn_row *row, size_t done,
                               size_t n, float *hub)
{
    if (types->from == TRN_DTYPE_FP32)
        return (const float *)row->a + done;
    if (types->to == TRN_DTYPE_FP32)
        return (const float *)row->out + done;
    (void)trn_to_fp32_array(types->from, row->mode,
                            (const uint8_t *)row->a + done * trn_dtype_size(types->from), hub, n);
    return hub;
}

/* Between unequal types the elements pass the fp32 hub; equal ones are bits that move. */
static unsigned row_numeric(const void *context, const struct trn_row *row)
{
    enum { AT_ONCE = 512 };
    const struct types *types = context;
    const size_t stored = trn_dtype_size(types->to);
    const bool floating = trn_dtype_kind(types->from) == TRN_DTYPE_KIND_FLOAT;
    unsigned causes = TRN_NUMERIC_NONE;
    float room[AT_ONCE];
    for (size_t done = 0, n; done < row->n; done += n) {
        struct trn_numeric_range range = trn_numeric_range_empty();
        n = row->n - done < AT_ONCE ? row->n - done : AT_ONCE;
        const float *hub = hub_values(types, row, done, n, room);
        trn_numeric_range_add(&range, hub, 1, 0, n);
        causes |= floating ? trn_numeric_of_range(&range) : TRN_NUMERIC_NONE;
        if (trn_numeric_may_narrow(&types->safe, &range))
            causes |= trn_numeric_of_narrowing(types->to, row->mode, hub,
                                               (const uint8_t *)row->out + done * stored, n);
    }
    return causes;
}

/* From fp32: what narrowing can meet. */
static unsigned row_bound(const void *context, uint32_t begin, uint32_t end,
                          const struct trn_numeric_range *in, struct trn_numeric_range *out)
{
    const struct types *types = context;
    (void)begin;
    (void)end;
    *out = trn_numeric_range_unknown();
    return trn_numeric_may_narrow(&types->safe, in);
}

/* The fp32 hub between equal types as well: the copy of an ACT that is not exact. */
static void row_hub(const void *context, const struct trn_row *row)
{
    (void)context;
    memcpy(row->out, row->a, row->n * sizeof(float));
}

static trn_status run(struct trn_exec *x, enum trn_view view, const struct types *types,
                      void (*kernel)(const void *context, const struct trn_row *row))
{
    struct trn_map map = {.x = x, .num_src = 1, .kernel = kernel, .context = types};
    trn_status status = trn_stream_open(x, view, &map.src[0], &map.dst);
    if (status == TRN_OK)
        status = trn_rows_same_count(x, "tr_counts", &map.src[0], &map.dst);
    if (status != TRN_OK)
        return status;
    if (view == TRN_VIEW_RAW && types->from != types->to) {
        map.numeric = row_numeric;
        map.bound = types->from == TRN_DTYPE_FP32 ? row_bound : NULL;
        map.src[0].watch =
            map.bound ? trn_rows_watch(x, TRN_VIEW_F32, types->from) : map.src[0].watch;
        map.tells = types->to == TRN_DTYPE_FP32; /* widening keeps what is infinite or a NaN */
        map.op = TRN_ALU_OP_BYPASS;
    }
    trn_map_run(&map);
    return TRN_OK;
}

trn_status trn_run_copy(struct trn_exec *x)
{
    const struct types types = types_of(x);
    if (x->engine == TRN_NEURON_ENGINE_ACT && !x->gen->act_copy_exact)
        return run(x, TRN_VIEW_F32, &types, row_hub);
    return run(x, TRN_VIEW_RAW, &types, row_convert);
}

trn_status trn_run_cast(struct trn_exec *x)
{
    const struct types types = types_of(x);
    const trn_status status = run(x, TRN_VIEW_RAW, &types, row_convert);
    if (status == TRN_OK && types.from != types.to) {
        trn_note_conversion(x, types.from, false);
        trn_note_conversion(x, types.to, true);
    }
    return status;
}
