/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/state.h"

#include <stdlib.h>
#include <string.h>

trn_status trn_engine_state_create(const struct trn_gen *gen, struct trn_engine_state **out)
{
    /* the size of a struct is a multiple of its alignment, as aligned_alloc wants it */
    struct trn_engine_state *state =
        aligned_alloc(_Alignof(struct trn_engine_state), sizeof *state);
    *out = state;
    if (!state)
        return TRN_ERR_NO_MEMORY;
    memset(state, 0, sizeof *state);
    trn_engine_state_reset(state, gen);
    return TRN_OK;
}

void trn_engine_state_reset(struct trn_engine_state *state, const struct trn_gen *gen)
{
    for (int engine = 0; engine < TRN_NUM_ENGINES; engine++)
        trn_num_mode_default(gen, &state->mode[engine]);
    trn_pe_reset(&state->pe);
    trn_vector_reset(&state->vector);
}

void trn_engine_state_destroy(struct trn_engine_state *state)
{
    free(state);
}
