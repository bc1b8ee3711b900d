/* SPDX-License-Identifier: Apache-2.0 */
/* ACTIVATE2 0x25: function((in op0 imm0) op1 imm1), results reduced (docs/hardware/activation.md
 * 2.5, 7). */
#include <math.h>

#include "engine/act/words.h"
#include "engine/state.h"

/* All three immediates are of one type where they lie in memory; those that nothing reads are not
 * read: a BYPASS whose operands are not reversed hands the other one on. */
static trn_status load_stage(struct trn_exec *x, int i, uint32_t channels,
                             struct trn_act_stage *stage)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    const uint8_t reverse = trn_s2d2_ac_reverse_operands(w, isa);
    stage->op = i ? trn_s2d2_ac_op1(w, isa) : trn_s2d2_ac_op0(w, isa);
    stage->reverse =
        reverse == TRN_REV_OPS_BOTH || reverse == (i ? TRN_REV_OPS_SECOND : TRN_REV_OPS_FIRST);
    trn_scalar_set(&stage->imm, 0);
    if (stage->op == TRN_ALU_OP_BYPASS && !stage->reverse)
        return TRN_OK;
    return trn_scalar_load(x, i ? trn_s2d2_ac_imm1_src(w, isa) : trn_s2d2_ac_imm0_src(w, isa),
                           i ? trn_s2d2_ac_imm1_bytes(w, isa) : trn_s2d2_ac_imm0_bytes(w, isa),
                           trn_s2d2_ac_imm_dtype(w, isa), TRN_VIEW_F32, channels, &stage->imm);
}

static trn_status load_alpha(struct trn_exec *x, uint32_t channels, struct trn_act_word *word)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    trn_scalar_set(&word->alpha, 0);
    if (!trn_act_takes_alpha(word->function))
        return TRN_OK;
    return trn_scalar_load(x, trn_s2d2_ac_relu_param_src(w, isa),
                           trn_s2d2_ac_relu_param_bytes(w, isa), trn_s2d2_ac_imm_dtype(w, isa),
                           TRN_VIEW_F32, channels, &word->alpha);
}

static trn_status open_rows(struct trn_exec *x, uint32_t channels, struct trn_rows *src,
                            struct trn_rows *dst)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    trn_status status =
        trn_rows_open(x, trn_s2d2_ac_src_mem_pattern(w, isa), TRN_TYPE_PATTERN2D,
                      trn_s2d2_ac_in_dtype(w, isa), channels, TRN_OPERAND_READ, TRN_VIEW_F32, src);
    if (status == TRN_OK)
        status = trn_rows_open(x, trn_s2d2_ac_dst_mem_pattern(w, isa), TRN_TYPE_PATTERN2D,
                               trn_s2d2_ac_out_dtype(w, isa), channels, TRN_OPERAND_WRITE,
                               TRN_VIEW_F32, dst);
    return status == TRN_OK ? trn_rows_same_count(x, "ac2_counts", src, dst) : status;
}

/* What leaves a lane's first result as it is (model choice, activation.md 7). */
static float identity_of(uint8_t op)
{
    switch (op) {
    case TRN_ALU_OP_MAX:
        return -INFINITY;
    case TRN_ALU_OP_MIN:
    case TRN_ALU_OP_ABS_MIN:
        return INFINITY;
    default:
        return 0;
    }
}

static void begin(struct trn_exec *x, uint32_t channels, struct trn_act_word *word)
{
    const uint8_t command = trn_s2d2_ac_reduce_cmd(x->word, x->gen->isa);
    word->reduce_op = trn_s2d2_ac_reduce_op(x->word, x->gen->isa);
    word->accumulate = command == TRN_REDUCE_CMD_REDUCE || command == TRN_REDUCE_CMD_RESET_REDUCE;
    if (command != TRN_REDUCE_CMD_RESET && command != TRN_REDUCE_CMD_RESET_REDUCE)
        return;
    trn_exec_choice(x, TRN_CHOICE_ACT_REDUCE_IDENTITY);
    for (uint32_t lane = 0; lane < channels; lane++)
        x->state->act.accumulator[lane] = identity_of(word->reduce_op);
}

trn_status trn_run_activate2(struct trn_exec *x)
{
    const uint32_t channels = trn_s2d2_ac_num_active_channels(x->word, x->gen->isa);
    struct trn_act_word word = {.x = x};
    struct trn_rows src, dst;
    trn_status status = trn_act_find(x, trn_s2d2_ac_activation_func(x->word, x->gen->isa), &word);
    for (int i = 0; i < 2 && status == TRN_OK; i++)
        status = load_stage(x, i, channels, &word.stage[i]);
    if (status == TRN_OK)
        status = load_alpha(x, channels, &word);
    if (status == TRN_OK)
        status = open_rows(x, channels, &src, &dst);
    if (status == TRN_OK)
        status = trn_act_check_sections(&word, &src);
    if (status != TRN_OK)
        return status;
    begin(x, channels, &word);
    trn_act_run(&word, &src, &dst);
    return TRN_OK;
}
