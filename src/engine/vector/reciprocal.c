/* SPDX-License-Identifier: Apache-2.0 */
/* RECIPROCAL 0x48: 1/x in fp32, correctly rounded (docs/hardware/vector-ops.md 3.5). */
#include "engine/numeric.h"
#include "engine/vector/stream.h"
#include "engine/vector/words.h"

static void row_reciprocal(const void *context, const struct trn_row *row)
{
    (void)context;
    (void)trn_alu_scalar_array(TRN_ALU_OP_DIVIDE, row->a, 1.0f, true, row->out, row->n);
}

static unsigned row_numeric(const void *context, const struct trn_row *row)
{
    static const float one = 1.0f;
    (void)context;
    return trn_numeric_of_op(TRN_ALU_OP_DIVIDE, &one, 0, row->a, 1, row->out, row->n);
}

static unsigned row_bound(const void *context, uint32_t begin, uint32_t end,
                          const struct trn_numeric_range *in, struct trn_numeric_range *out)
{
    const struct trn_numeric_range one = {.least = 1, .most = 1};
    (void)context;
    (void)begin;
    (void)end;
    return trn_numeric_may_meet(TRN_ALU_OP_DIVIDE, &one, in, out);
}

trn_status trn_run_reciprocal(struct trn_exec *x)
{
    struct trn_map map = {.x = x,
                          .num_src = 1,
                          .kernel = row_reciprocal,
                          .numeric = row_numeric,
                          .bound = row_bound,
                          .tells = true,
                          .op = TRN_ALU_OP_DIVIDE};
    trn_status status = trn_stream_open(x, TRN_VIEW_F32, &map.src[0], &map.dst);
    if (status == TRN_OK)
        status = trn_rows_same_count(x, "tr_counts", &map.src[0], &map.dst);
    if (status != TRN_OK)
        return status;
    trn_exec_choice(x, TRN_CHOICE_CORRECTLY_ROUNDED);
    trn_map_run(&map);
    return TRN_OK;
}
