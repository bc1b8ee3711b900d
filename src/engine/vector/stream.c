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
