/* SPDX-License-Identifier: Apache-2.0 */
/* ACTIVATE 0x21: function(in * scale + bias), results added up (docs/hardware/activation.md 2.1,
 * 7).
 */
#include "engine/act/words.h"
#include "engine/state.h"

enum { COPY_FUNCTION = 128 }; /* takes its bias from the word only */

/* The bias has an order of sources of its own. */
static uint8_t bias_source(uint8_t source)
{
    switch (source) {
    case TRN_IMM_SRC_N_POINTER:
        return TRN_IMM_SRC_POINTER;
    case TRN_IMM_SRC_N_REG_PTR:
        return TRN_IMM_SRC_REG_PTR;
    default:
        return TRN_IMM_SRC_INSTRUCTION;
    }
}

static trn_status load_bias(struct trn_exec *x, uint32_t channels, struct trn_scalar *out)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    const uint8_t source = bias_source(trn_s3d3_ac_bias_src_n(w, isa));
    if (trn_s3d3_ac_activation_func(w, isa) == COPY_FUNCTION && source != TRN_IMM_SRC_INSTRUCTION) {
        trn_exec_choice(x, TRN_CHOICE_ACT_COPY_BIAS);
        trn_scalar_set(out, 0);
        return TRN_OK;
    }
    return trn_scalar_load(x, source, trn_s3d3_ac_bias_bytes(w, isa),
                           trn_s3d3_ac_in_bias_dtype_hi(w, isa), TRN_VIEW_F32, channels, out);
}

static trn_status load_operands(struct trn_exec *x, uint32_t channels, struct trn_act_word *word)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    word->stage[0] = (struct trn_act_stage){.op = TRN_ALU_OP_MULT};
    word->stage[1] = (struct trn_act_stage){.op = TRN_ALU_OP_ADD};
    trn_status status =
        trn_scalar_load(x, trn_s3d3_ac_scale_src(w, isa), trn_s3d3_ac_scale_value_bytes(w, isa),
                        TRN_DTYPE_FP32, TRN_VIEW_F32, channels, &word->stage[0].imm);
    if (status == TRN_OK)
        status = load_bias(x, channels, &word->stage[1].imm);
    return status;
}

/* Alpha or load value: read only where something uses it, so that the pointer source which encoders
 * write with an imm of 0 names no operand (activation.md 2.1). */
static trn_status load_imm(struct trn_exec *x, uint32_t channels, struct trn_act_word *word)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    const bool loads = trn_s3d3_ac_accumulator_cmd(w, isa) == TRN_ACCUM_CMD_LOAD_ACCUMULATE;
    trn_scalar_set(&word->alpha, 0);
    if (!loads && !trn_act_takes_alpha(word->function))
        return TRN_OK;
    trn_exec_choice(x, TRN_CHOICE_ACT_IMM);
    return trn_scalar_load(x, trn_s3d3_ac_imm_src(w, isa), trn_s3d3_ac_imm_bytes(w, isa),
                           TRN_DTYPE_FP32, TRN_VIEW_F32, channels, &word->alpha);
}

static trn_status open_rows(struct trn_exec *x, uint32_t channels, struct trn_rows *src,
                            struct trn_rows *dst)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    trn_status status = trn_rows_open(x, trn_s3d3_ac_src_mem_pattern(w, isa), TRN_TYPE_PATTERN3D,
                                      trn_s3d3_ac_in_bias_dtype_lo(w, isa), channels,
                                      TRN_OPERAND_READ, TRN_VIEW_F32, src);
    if (status == TRN_OK)
        status = trn_rows_open(x, trn_s3d3_ac_dst_mem_pattern(w, isa), TRN_TYPE_PATTERN3D,
                               trn_s3d3_ac_out_dtype(w, isa), channels, TRN_OPERAND_WRITE,
                               TRN_VIEW_F32, dst);
    return status == TRN_OK ? trn_rows_same_count(x, "ac_counts", src, dst) : status;
}

/* What the command makes of the accumulators before the first result. */
static void begin(struct trn_exec *x, uint32_t channels, struct trn_act_word *word)
{
    const uint8_t command = trn_s3d3_ac_accumulator_cmd(x->word, x->gen->isa);
    float *const accumulator = x->state->act.accumulator;
    for (uint32_t lane = 0; lane < channels; lane++) {
        if (command == TRN_ACCUM_CMD_ZERO || command == TRN_ACCUM_CMD_ZERO_ACCUMULATE)
            accumulator[lane] = 0;
        if (command == TRN_ACCUM_CMD_LOAD_ACCUMULATE)
            accumulator[lane] = trn_scalar_f32(&word->alpha, lane);
    }
    word->reduce_op = TRN_ALU_OP_ADD;
    word->accumulate = command == TRN_ACCUM_CMD_ACCUMULATE ||
                       command == TRN_ACCUM_CMD_ZERO_ACCUMULATE ||
                       command == TRN_ACCUM_CMD_LOAD_ACCUMULATE;
}

trn_status trn_run_activate(struct trn_exec *x)
{
    const uint32_t channels = trn_s3d3_ac_num_active_channels(x->word, x->gen->isa);
    struct trn_act_word word = {.x = x};
    struct trn_rows src, dst;
    trn_status status = trn_act_find(x, trn_s3d3_ac_activation_func(x->word, x->gen->isa), &word);
    if (status == TRN_OK)
        status = load_operands(x, channels, &word);
    if (status == TRN_OK)
        status = load_imm(x, channels, &word);
    if (status == TRN_OK)
        status = open_rows(x, channels, &src, &dst);
    if (status != TRN_OK)
        return status;
    trn_act_fuse(&word);
    status = trn_act_check_sections(&word, &src);
    if (status != TRN_OK)
        return status;
    begin(x, channels, &word);
    trn_act_run(&word, &src, &dst);
    return TRN_OK;
}
