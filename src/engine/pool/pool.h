/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernels of POOL keep between words, and the CPTC decoder behind 0xE4 and 0xF0/7
 * (docs/hardware/convlut.md 7, cptc.md 2, 5). */
#ifndef TRN_ENGINE_POOL_POOL_H
#define TRN_ENGINE_POOL_POOL_H

#include "engine/exec.h"
#include "trench/cptc.h"

/* A word of 0xE4 has 128 bits a partition: elements of the largest block that fits. */
enum { TRN_CPTC_TILE_ROWS = 128, TRN_CPTC_TILE_LENGTH = 128 };

struct trn_pool_state {
    unsigned library; /* UID of the library that the host staged; a reset leaves it */
    enum trn_cptc_codec codec;

    /* What the last 0xE4 decoded (model choice cptc_tile): `length` values a partition. */
    float tile[TRN_CPTC_TILE_ROWS][TRN_CPTC_TILE_LENGTH];
    uint32_t length;

    uint64_t kernel_errors;  /* words that a kernel refused: logged, completed, nothing written */
    uint64_t legacy_ignored; /* legacy words of 0xE4, for which POOL has no body */
};

/* The tile is empty. */
void trn_pool_reset(struct trn_pool_state *pool);

/* 0xE4 on POOL: the CPTC leg decodes into the tile, the legacy leg has no body. */
trn_status trn_pool_conv_lut_load(struct trn_exec *x);
/* 0xF0: specialisation 7 decodes from memory to memory; others are not modelled yet. */
trn_status trn_run_extended_inst(struct trn_exec *x);

#endif
