/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/state.h"

#include "mem/store.h"

trn_status trn_engine_state_create(const struct trn_gen *gen, struct trn_engine_state **out)
{
    struct trn_engine_state *state = trn_reserve(sizeof *state); /* zero, and aligned to a page */
    *out = state;
    if (!state)
        return TRN_ERR_NO_MEMORY;
    trn_engine_state_reset(state, gen);
    return TRN_OK;
}

void trn_engine_state_reset(struct trn_engine_state *state, const struct trn_gen *gen)
{
    for (int engine = 0; engine < TRN_NUM_ENGINES; engine++)
        trn_num_mode_default(gen, &state->mode[engine]);
    trn_pe_reset(&state->pe);
    trn_vector_reset(&state->vector);
    trn_act_reset(&state->act);
    trn_pool_reset(&state->pool);
}

void trn_engine_state_destroy(struct trn_engine_state *state)
{
    if (state)
        trn_act_close(&state->act);
    trn_unreserve(state, sizeof *state);
}
