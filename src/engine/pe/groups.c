/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/pe/groups.h"

#include "engine/state.h"

trn_status trn_pe_groups_check(struct trn_exec *x, const struct trn_operand *cells,
                               const struct trn_drain_group *group)
{
    const struct trn_gen *gen = x->gen;
    const uint32_t bank = cells->byte / gen->psum_bank_bytes;
    if (!x->state->pe.options.strict || group->opens || !gen->matmul_one_bank)
        return TRN_OK;
    for (uint32_t lane = 0; lane < cells->channels; lane++)
        if (x->state->pe.groups.open[cells->partition + lane][bank] == 0)
            return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "PSUM_ACC_UNINIT",
                                  "MATMUL: it adds to a group, but none is open in bank %u of "
                                  "partition %u; START opens one",
                                  bank, cells->partition + lane);
    return TRN_OK;
}

void trn_pe_groups_note(struct trn_pe_groups *groups, const struct trn_gen *gen,
                        const struct trn_operand *cells, const struct trn_drain_group *group)
{
    const uint32_t bank = cells->byte / gen->psum_bank_bytes;
    for (uint32_t lane = 0; lane < cells->channels; lane++) {
        uint8_t *const open = &groups->open[cells->partition + lane][bank];
        if (group->opens && *open < UINT8_MAX)
            ++*open;
        if (group->closes && *open > 0)
            --*open;
    }
}
