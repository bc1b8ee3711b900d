/* SPDX-License-Identifier: Apache-2.0 */
/* Seeds of the PSUM drain's stochastic rounding (docs/hardware/pe-array.md 11, numerics.md 6). */
#ifndef TRN_ENGINE_PE_SEEDS_H
#define TRN_ENGINE_PE_SEEDS_H

#include <stdbool.h>
#include <stdint.h>

#define TRN_PE_SEED_LANES 128 /* PSUM partitions */
#define TRN_PE_SEEDS      16  /* of a partition: two a bank */

struct trn_pe_seeds {
    bool on; /* rounding of BF16 cells is stochastic; else to nearest, ties to even */
    uint32_t state[TRN_PE_SEED_LANES][TRN_PE_SEEDS];
};

/* Rounding to nearest, every state as if 1 had been written (numerics.md 6). */
void trn_pe_seeds_reset(struct trn_pe_seeds *seeds);
/* A write to the PSUM seed register: every state of a lane becomes the lane's mix of it. */
void trn_pe_seeds_write(struct trn_pe_seeds *seeds, uint32_t value);
/* A seed from memory; 0 would never leave 0 and counts as 1. */
void trn_pe_seeds_load(struct trn_pe_seeds *seeds, uint32_t lane, uint32_t index, uint32_t value);

#endif
