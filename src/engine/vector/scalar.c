/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/vector/scalar.h"

#include "engine/state.h"

trn_status trn_scalar_at(struct trn_exec *x, uint32_t address, uint8_t dtype, enum trn_view view,
                         uint32_t channels, struct trn_scalar *out)
{
    const trn_status status =
        trn_operand_open_address(x, address, dtype, channels, TRN_OPERAND_READ, &out->place);
    if (status != TRN_OK)
        return status;
    const struct trn_num_mode *const mode = &x->state->mode[x->engine];
    struct trn_tile tile;
    trn_workers_settle(x->workers);
    const struct trn_rows rows = {.operand = out->place,
                                  .view = view,
                                  .plain = out->place.size == sizeof(uint32_t),
                                  .watch = trn_rows_watch(x, view, dtype)};
    for (uint32_t lane = 0; lane < channels; lane++)
        out->bits[lane] = trn_get32(trn_rows_read(&rows, mode, lane, 0, 1, &tile));
    out->in_memory = true;
    return TRN_OK;
}

trn_status trn_scalar_load(struct trn_exec *x, uint8_t source, const uint8_t *field, uint8_t dtype,
                           enum trn_view view, uint32_t channels, struct trn_scalar *out)
{
    const unsigned isa = x->gen->isa;
    if (source == TRN_IMM_SRC_POINTER)
        return trn_scalar_at(x, trn_imm4_imm_ptr(field, isa), dtype, view, channels, out);
    if (source == TRN_IMM_SRC_REG_PTR)
        return trn_scalar_at(x, x->regs->r[trn_imm4_imm_reg(field, isa) % 64], dtype, view,
                             channels, out);
    out->bits[0] = trn_imm4_imm_u32(field, isa);
    out->in_memory = false;
    return TRN_OK;
}

void trn_scalar_note_overlap(struct trn_exec *x, const struct trn_scalar *imm,
                             const struct trn_rows *dst)
{
    if (imm->in_memory && trn_operand_overlap(&imm->place, &dst->operand) != TRN_OVERLAP_NONE)
        trn_exec_choice(x, TRN_CHOICE_SCALAR_READ_FIRST);
}
