/* SPDX-License-Identifier: Apache-2.0 */
/* ACTIVATION_READ_ACCUMULATOR 0x24 (docs/hardware/activation.md 2.4, 7). */
#include "engine/act/words.h"
#include "engine/state.h"

trn_status trn_run_activation_read_accumulator(struct trn_exec *x)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    struct trn_rows dst;
    const trn_status status = trn_rows_open(
        x, trn_d1_rd_dst_mem_pattern(w, isa), TRN_TYPE_PATTERN1D, trn_d1_rd_dtype(w, isa),
        trn_d1_rd_num_active_channels(w, isa), TRN_OPERAND_WRITE, TRN_VIEW_F32, &dst);
    if (status != TRN_OK)
        return status;
    if (dst.operand.count != 1)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "d1_rd_count",
                              "%llu elements a lane; an accumulator is one",
                              (unsigned long long)dst.operand.count);
    trn_exec_choice(x, TRN_CHOICE_ACT_READ_KEEPS);
    struct trn_tile tile;
    for (uint32_t lane = 0; lane < dst.operand.channels; lane++) {
        const struct trn_num_mode mode = trn_rows_mode(x, &dst, lane);
        trn_rows_write(&dst, &mode, lane, 0, 1, &x->state->act.accumulator[lane], &tile);
    }
    return TRN_OK;
}
