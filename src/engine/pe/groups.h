/* SPDX-License-Identifier: Apache-2.0 */
/* Accumulate groups that are open (docs/hardware/pe-array.md 9): only strict runs ask. */
#ifndef TRN_ENGINE_PE_GROUPS_H
#define TRN_ENGINE_PE_GROUPS_H

#include "engine/operand.h"
#include "engine/pe/drain.h"

#define TRN_PE_GROUP_LANES 128
#define TRN_PE_GROUP_BANKS 8

/* Open groups of each partition and bank; several tiles may share a bank. */
struct trn_pe_groups {
    uint8_t open[TRN_PE_GROUP_LANES][TRN_PE_GROUP_BANKS];
};

/*
 * Whether a word of `group` may write these cells: where groups stay in one bank, a word that
 * goes on with one finds one open. PSUM_ACC_UNINIT otherwise. Changes nothing.
 */
trn_status trn_pe_groups_check(struct trn_exec *x, const struct trn_operand *cells,
                               const struct trn_drain_group *group);
/* The word opens or closes a group in the bank of its first cell. */
void trn_pe_groups_note(struct trn_pe_groups *groups, const struct trn_gen *gen,
                        const struct trn_operand *cells, const struct trn_drain_group *group);

#endif
