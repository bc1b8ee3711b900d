/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/vector/stream.h"

trn_status trn_stream_open(struct trn_exec *x, enum trn_view view, struct trn_rows *src,
                           struct trn_rows *dst)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    const uint32_t channels = trn_s4d4_tr_num_active_channels(w, isa);
    const trn_status status =
        trn_rows_open(x, trn_s4d4_tr_src_mem_pattern(w, isa), TRN_TYPE_PATTERN4D,
                      trn_s4d4_tr_in_dtype(w, isa), channels, TRN_OPERAND_READ, view, src);
    if (status != TRN_OK)
        return status;
    return trn_rows_open(x, trn_s4d4_tr_dst_mem_pattern(w, isa), TRN_TYPE_PATTERN4D,
                         trn_s4d4_tr_out_dtype(w, isa), channels, TRN_OPERAND_WRITE, view, dst);
}

trn_status trn_eight_open(struct trn_exec *x, enum trn_view results, struct trn_rows *src,
                          struct trn_rows *dst)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    const uint32_t channels = trn_s4d2_bn_num_active_channels(w, isa);
    trn_status status =
        trn_rows_open(x, trn_s4d2_bn_src_mem_pattern(w, isa), TRN_TYPE_PATTERN4D,
                      trn_s4d2_bn_in_dtype(w, isa), channels, TRN_OPERAND_READ, TRN_VIEW_F32, src);
    if (status == TRN_OK)
        status =
            trn_rows_open(x, trn_s4d2_bn_dst_mem_pattern(w, isa), TRN_TYPE_PATTERN2D,
                          trn_s4d2_bn_out_dtype(w, isa), channels, TRN_OPERAND_WRITE, results, dst);
    if (status != TRN_OK)
        return status;
    if (src->operand.count < TRN_EIGHT || src->operand.count > TRN_SEARCH_MAX ||
        dst->operand.count != TRN_EIGHT)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "bn_elements",
                              "source has %llu elements a lane (8..%d), destination %llu (8)",
                              (unsigned long long)src->operand.count, TRN_SEARCH_MAX,
                              (unsigned long long)dst->operand.count);
    return TRN_OK;
}
