/* SPDX-License-Identifier: Apache-2.0 */
/* The choice act.mode = exact: a function is evaluated by its formula, tables or none
 * (docs/hardware/activation.md 9). */
#include <string.h>

#include "base/bytes.h"
#include "engine/act/words.h"
#include "engine/state.h"

enum { FMA_ALPHA = 2 }; /* activation.md 5.5 */

/* The resident set's own functions come first: their numbers need not be the manual's. */
static trn_status find_formula(const struct trn_act_state *act, uint8_t func_id,
                               struct trn_act_formula *out, struct trn_diag *diag)
{
    size_t count = 0;
    const struct trn_act_member *const members = trn_act_resident_members(act, &count);
    for (size_t i = 0; i < count; i++)
        if (members[i].func_id == func_id && members[i].expression[0] != '\0')
            return trn_act_formula_of(&members[i], out, diag);
    return trn_act_formula_of_id(func_id, out, diag);
}

trn_status trn_act_make_exact(struct trn_exec *x, uint8_t func_id, struct trn_act_ready *out)
{
    const struct trn_act_state *const act = &x->state->act;
    struct trn_diag diag = {0};
    if (find_formula(act, func_id, &out->formula, &diag) != TRN_OK)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "act_formula",
                              "act.mode is exact: %s", diag.message);
    /* no constants of its own and nothing bypassed: the word's scale and bias hold */
    memset(&out->function.profile, 0, sizeof out->function.profile);
    if (out->formula.parametric)
        out->function.profile.fma_indirection_src_sel = FMA_ALPHA;
    return TRN_OK;
}
