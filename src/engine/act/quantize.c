/* SPDX-License-Identifier: Apache-2.0 */
/* ACTIVATE_QUANTIZE 0x22: dequantised input, function, UINT8 out (docs/hardware/activation.md 2.2).
 */
#include "engine/act/words.h"
#include "engine/state.h"
#include "isa/pattern.h"

static trn_status load_operands(struct trn_exec *x, uint32_t channels, struct trn_act_word *word)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    word->stage[0] = (struct trn_act_stage){.op = TRN_ALU_OP_MULT};
    word->stage[1] = (struct trn_act_stage){.op = TRN_ALU_OP_ADD};
    trn_scalar_set(&word->stage[0].imm, trn_f32_bits(trn_s3d3_aq_dequant_scale_value(w, isa)));
    trn_scalar_set(&word->alpha, 0);
    word->quantize = true;
    word->quant_scale = trn_s3d3_aq_quant_scale_value(w, isa);
    word->quant_zero = trn_s3d3_aq_quant_zero_value(w, isa);
    const struct trn_addr4 address = trn_addr4_decode(trn_s3d3_aq_bias_addr_bytes(w, isa));
    return trn_scalar_at(x, address.from_register ? x->regs->r[address.regnum % 64] : address.addr,
                         trn_s3d3_aq_in_bias_dtype_hi(w, isa), TRN_VIEW_F32, channels,
                         &word->stage[1].imm);
}

static trn_status open_rows(struct trn_exec *x, uint32_t channels, struct trn_rows *src,
                            struct trn_rows *dst)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    trn_status status = trn_rows_open(x, trn_s3d3_aq_src_mem_pattern(w, isa), TRN_TYPE_PATTERN3D,
                                      trn_s3d3_aq_in_bias_dtype_lo(w, isa), channels,
                                      TRN_OPERAND_READ, TRN_VIEW_F32, src);
    if (status == TRN_OK)
        status = trn_rows_open(x, trn_s3d3_aq_dst_mem_pattern(w, isa), TRN_TYPE_PATTERN3D,
                               trn_s3d3_aq_out_dtype(w, isa), channels, TRN_OPERAND_WRITE,
                               TRN_VIEW_F32, dst);
    return status == TRN_OK ? trn_rows_same_count(x, "ac_counts", src, dst) : status;
}

trn_status trn_run_activate_quantize(struct trn_exec *x)
{
    const uint32_t channels = trn_s3d3_aq_num_active_channels(x->word, x->gen->isa);
    struct trn_act_word word = {.x = x};
    struct trn_rows src, dst;
    trn_status status = trn_act_find(x, trn_s3d3_aq_activation_func(x->word, x->gen->isa), &word);
    if (status == TRN_OK)
        status = load_operands(x, channels, &word);
    if (status == TRN_OK)
        status = open_rows(x, channels, &src, &dst);
    if (status != TRN_OK)
        return status;
    trn_act_fuse(&word);
    status = trn_act_check_sections(&word, &src);
    if (status != TRN_OK)
        return status;
    trn_exec_choice(x, TRN_CHOICE_ACT_QUANTIZE_CUBIC);
    trn_act_run(&word, &src, &dst);
    return TRN_OK;
}
