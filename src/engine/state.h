/* SPDX-License-Identifier: Apache-2.0 */
/* What the engines of one core remember from word to word, apart from memory and registers. */
#ifndef TRN_ENGINE_STATE_H
#define TRN_ENGINE_STATE_H

#include "engine/act/act.h"
#include "engine/exec.h"
#include "engine/pe/pe.h"
#include "engine/pool/pool.h"
#include "engine/vector/vector.h"
#include "trench/num.h"

struct trn_engine_state {
    /* conversion settings, by engine number (docs/hardware/numerics.md 2.1, 4, 6); lfsr is NULL */
    struct trn_num_mode mode[TRN_NUM_ENGINES];
    struct trn_pe_state pe;
    struct trn_vector_state vector;
    struct trn_act_state act;
    struct trn_pool_state pool;
};

/* The state after reset of a core of `gen`. TRN_ERR_NO_MEMORY. Free with destroy. */
trn_status trn_engine_state_create(const struct trn_gen *gen, struct trn_engine_state **out);
void trn_engine_state_reset(struct trn_engine_state *state, const struct trn_gen *gen);
void trn_engine_state_destroy(struct trn_engine_state *state); /* NULL is fine */

#endif
