/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/vector/stages.h"

#include "engine/vector/rows.h"

unsigned trn_stage_numeric(struct trn_ts_op stage, const float *in, const float *out, size_t n)
{
    return stage.reverse ? trn_numeric_of_op(stage.op, &stage.imm, 0, in, 1, out, n)
                         : trn_numeric_of_op(stage.op, in, 1, &stage.imm, 0, out, n);
}

/* The value between the stages is computed once more: a fused pass does not keep it. */
unsigned trn_stages_numeric(struct trn_ts_op first, struct trn_ts_op second, const float *in,
                            const float *out, size_t n)
{
    float between[TRN_TILE_BYTES / sizeof(float)];
    const size_t room = sizeof between / sizeof between[0];
    unsigned causes = TRN_NUMERIC_NONE;
    for (size_t done = 0, m; done < n; done += m) {
        m = n - done < room ? n - done : room;
        (void)trn_alu_scalar_array(first.op, in + done, first.imm, first.reverse, between, m);
        causes |= trn_stage_numeric(first, in + done, between, m);
        causes |= trn_stage_numeric(second, between, out + done, m);
    }
    return causes;
}

unsigned trn_stage_bound(uint8_t op, bool reverse, const struct trn_numeric_range *scalar,
                         const struct trn_numeric_range *in, struct trn_numeric_range *out)
{
    const bool reads_scalar = reverse || trn_alu_arity(op) > 1;
    const unsigned may = reverse ? trn_numeric_may_meet(op, scalar, in, out)
                                 : trn_numeric_may_meet(op, in, scalar, out);
    return may | (reads_scalar ? trn_numeric_of_range(scalar) : TRN_NUMERIC_NONE);
}
