/* SPDX-License-Identifier: Apache-2.0 */
/* ACTIVATION_TABLE_LOAD 0x23 (docs/hardware/activation.md 2.3, 8). */
#include "engine/act/words.h"
#include "engine/state.h"

trn_status trn_run_activation_table_load(struct trn_exec *x)
{
    struct trn_act_state *const act = &x->state->act;
    const unsigned wanted = trn_ctrl_no_act_tbl_sel(x->word, x->gen->isa);
    if (wanted >= act->num_sets)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "act_tbl_sel_registered",
                              "invalid activation table: set %u was asked for, %u %s registered",
                              wanted, act->num_sets, act->num_sets == 1 ? "is" : "are");
    trn_exec_choice(x, TRN_CHOICE_ACT_SETS);
    trn_act_select(act, wanted);
    return TRN_OK;
}
