/* SPDX-License-Identifier: Apache-2.0 */
/* COPY 0x46 and CAST 0x47 (docs/hardware/vector-ops.md 3.4). */
#include "engine/vector/stream.h"
#include "engine/vector/words.h"

static void row_copy(const void *context, const struct trn_row *row)
{
    const struct trn_rows *src = context;
    memcpy(row->out, row->a, row->n * src->operand.size);
}

struct cast {
    uint8_t from, to;
};

static void row_cast(const void *context, const struct trn_row *row)
{
    const struct cast *cast = context;
    (void)trn_convert_array(cast->from, cast->to, row->mode, row->a, row->out, row->n);
}

/* The fp32 hub also between equal types: the copy of an ACT that is not exact. */
static void row_hub(const void *context, const struct trn_row *row)
{
    (void)context;
    memcpy(row->out, row->a, row->n * sizeof(float));
}

static trn_status run(struct trn_exec *x, enum trn_view view, const void *context,
                      void (*kernel)(const void *context, const struct trn_row *row),
                      struct trn_map *map)
{
    *map = (struct trn_map){.x = x, .num_src = 1, .kernel = kernel, .context = context};
    trn_status status = trn_stream_open(x, view, &map->src[0], &map->dst);
    if (status == TRN_OK)
        status = trn_rows_same_count(x, "tr_counts", &map->src[0], &map->dst);
    if (status == TRN_OK)
        trn_map_run(map);
    return status;
}

trn_status trn_run_copy(struct trn_exec *x)
{
    struct trn_map map;
    if (x->engine == TRN_NEURON_ENGINE_ACT && !x->gen->act_copy_exact)
        return run(x, TRN_VIEW_F32, NULL, row_hub, &map);
    return run(x, TRN_VIEW_RAW, &map.src[0], row_copy, &map);
}

trn_status trn_run_cast(struct trn_exec *x)
{
    struct trn_map map;
    const struct cast cast = {.from = trn_s4d4_tr_in_dtype(x->word, x->gen->isa),
                              .to = trn_s4d4_tr_out_dtype(x->word, x->gen->isa)};
    const trn_status status = run(x, TRN_VIEW_RAW, &cast, row_cast, &map);
    if (status == TRN_OK && cast.from != cast.to) {
        trn_note_conversion(x, cast.from, false);
        trn_note_conversion(x, cast.to, true);
    }
    return status;
}
