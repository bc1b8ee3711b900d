/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/vector/vector.h"

void trn_vector_reset(struct trn_vector_state *vector)
{
    for (uint32_t lane = 0; lane < TRN_LANES; lane++)
        for (int n = 0; n < TRN_SEARCH_KEYS; n++) {
            vector->search[lane].key[n] = 0;
            vector->search[lane].index[n] = TRN_SEARCH_ABSENT;
        }
    vector->scalars = (struct trn_scalar_flops){0};
    for (int engine = 0; engine < TRN_NUM_ENGINES; engine++) {
        struct trn_stochastic *stochastic = &vector->stochastic[engine];
        /* seed 1 for all (model choice, numerics.md 6); a slot that nobody has seeded is not read
         */
        trn_stochastic_seed(stochastic, TRN_DTYPE_BFLOAT16, 1);
        stochastic->seeded = 0;
        stochastic->on = false;
    }
}

void trn_stochastic_seed(struct trn_stochastic *stochastic, uint8_t dtype, uint32_t seed)
{
    for (uint32_t lane = 0; lane < TRN_LANES; lane++)
        stochastic->lfsr[dtype][lane] = trn_sr_seed(lane, seed);
    stochastic->seeded = (uint16_t)(stochastic->seeded | 1u << dtype);
}

uint32_t *trn_stochastic_lfsr(struct trn_stochastic *stochastic, uint8_t dtype, uint32_t lane)
{
    if (!stochastic->on || !trn_sr_target(dtype))
        return NULL;
    const bool own = dtype < TRN_SR_SLOTS && (stochastic->seeded >> dtype & 1);
    return &stochastic->lfsr[own ? dtype : TRN_DTYPE_BFLOAT16][lane];
}
