/* SPDX-License-Identifier: Apache-2.0 */
/* What the vector words keep between instructions (docs/hardware/vector-ops.md 8, numerics.md 6).
 */
#ifndef TRN_ENGINE_VECTOR_VECTOR_H
#define TRN_ENGINE_VECTOR_VECTOR_H

#include "engine/exec.h"
#include "trench/num.h"

#define TRN_LANES         128
#define TRN_SEARCH_KEYS   8
#define TRN_SEARCH_MAX    16384 /* elements of a searched row (vector-ops.md 8) */
#define TRN_SEARCH_ABSENT UINT32_MAX
#define TRN_SR_SLOTS      16 /* dtype codes that a seed register can name */

/* Search flops of one DVE lane. Keys stand in scan order: a load puts source element k at 7 - k. */
struct trn_search {
    float key[TRN_SEARCH_KEYS];
    uint32_t index[TRN_SEARCH_KEYS]; /* stream position of the match, or TRN_SEARCH_ABSENT */
};

/* Stochastic rounding of one engine's results: one generator a dtype code and lane. */
struct trn_stochastic {
    bool on;         /* the mode register; off: to nearest, ties to even */
    uint16_t seeded; /* bit d: dtype code d was seeded since the reset */
    uint32_t lfsr[TRN_SR_SLOTS][TRN_LANES];
};

struct trn_vector_state {
    struct trn_search search[TRN_LANES];
    struct trn_stochastic stochastic[TRN_NUM_ENGINES];
};

/* Keys 0, nothing found, rounding to nearest, the generators as numerics.md 6 resets them. */
void trn_vector_reset(struct trn_vector_state *vector);

/* A write of `seed` (21 bits) for a dtype code below TRN_SR_SLOTS to an engine's seed register. */
void trn_stochastic_seed(struct trn_stochastic *stochastic, uint8_t dtype, uint32_t seed);

/* The generator that results of `dtype` in `lane` draw from: that of the dtype if it was ever
 * seeded, else that of BF16; NULL when rounding is to nearest or the dtype is not rounded so. */
uint32_t *trn_stochastic_lfsr(struct trn_stochastic *stochastic, uint8_t dtype, uint32_t lane);

#endif
