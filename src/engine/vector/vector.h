/* SPDX-License-Identifier: Apache-2.0 */
/* What the vector words keep between instructions (docs/hardware/vector-ops.md 8, numerics.md 6,
 * tensor-scalar-multi.md 6). */
#ifndef TRN_ENGINE_VECTOR_VECTOR_H
#define TRN_ENGINE_VECTOR_VECTOR_H

#include "engine/exec.h"
#include "trench/num.h"
#include "trench/vector.h"

#define TRN_LANES         128
#define TRN_SEARCH_KEYS   8
#define TRN_SEARCH_MAX    16384 /* elements of a searched row (vector-ops.md 8) */
#define TRN_SEARCH_ABSENT UINT32_MAX
#define TRN_SCALAR_FLOPS  8
#define TRN_SR_SLOTS      16 /* dtype codes that a seed register can name */

/* Search flops of one DVE lane. Keys stand in scan order: a load puts source element k at 7 - k. */
struct trn_search {
    float key[TRN_SEARCH_KEYS];
    uint32_t index[TRN_SEARCH_KEYS]; /* stream position of the match, or TRN_SEARCH_ABSENT */
};

/* Scalars that a load put aside for the words behind it, in load order; lane i of every word is
 * bank i, wherever its partitions start. They stay until the next load (tensor-scalar-multi.md 6).
 */
struct trn_scalar_flops {
    uint32_t bits[TRN_LANES][TRN_SCALAR_FLOPS]; /* fp32, or zero-extended when bitvec */
    uint32_t loaded;                            /* by the last load; 0: none since reset */
    bool bitvec;
};

/* Stochastic rounding of one engine's results: one generator a dtype code and lane. */
struct trn_stochastic {
    bool on;         /* the mode register; off: to nearest, ties to even */
    uint16_t seeded; /* bit d: dtype code d was seeded since the reset */
    uint32_t lfsr[TRN_SR_SLOTS][TRN_LANES];
};

struct trn_vector_state {
    struct trn_vector_options options; /* of the run; a reset leaves them, and what is counted */
    struct trn_search search[TRN_LANES];
    struct trn_scalar_flops scalars;
    struct trn_stochastic stochastic[TRN_NUM_ENGINES];
    uint64_t stale_scalars; /* words that wanted another number of scalars than was loaded */
    uint64_t mixed_scalars; /* arith words behind a bitvec load, and the other way round */
    uint64_t logged_stubs;  /* words that did nothing under TRN_STUB_LOG_ONLY */
};

/* Keys and scalars 0, nothing found, rounding to nearest, the generators as numerics.md 6 resets
 * them. */
void trn_vector_reset(struct trn_vector_state *vector);

/* A write of `seed` (21 bits) for a dtype code below TRN_SR_SLOTS to an engine's seed register. */
void trn_stochastic_seed(struct trn_stochastic *stochastic, uint8_t dtype, uint32_t seed);

/* The generator that results of `dtype` in `lane` draw from: that of the dtype if it was ever
 * seeded, else that of BF16; NULL when rounding is to nearest or the dtype is not rounded so. */
uint32_t *trn_stochastic_lfsr(struct trn_stochastic *stochastic, uint8_t dtype, uint32_t lane);

#endif
