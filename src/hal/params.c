/* SPDX-License-Identifier: Apache-2.0 */
/* Getters that answer with more than one number (docs/hardware/hal-stpb.md 8.3, 14.2, 17). An index
 * outside of its range is an assertion. */
#include "hal/accessors.h"
#include "hal/handle.h"

static trn_status out_of_range(struct trn_hal *hal, const char *getter, const char *what, int index)
{
    return trn_hal_fail(hal, TRN_ERR_ASSERT, getter, NULL, "%s: no %s %d", getter, what, index);
}

trn_status trn_leaf_get_seq_params(struct trn_hal *hal, int engine,
                                   struct trn_hal_seq_params *params)
{
    if (engine < 0 || engine >= TRN_HAL_ENGINES)
        return out_of_range(hal, "get_seq_params", "engine", engine);
    *params = hal->places.seq[engine];
    return TRN_OK;
}

trn_status trn_leaf_get_q7_params(struct trn_hal *hal, uint32_t owner,
                                  struct trn_hal_q7_params *params)
{
    const struct trn_gen *const gen = hal->gen;
    const bool pooling = owner == TRN_HAL_OWNER_POOLING;
    if (!pooling && (owner != TRN_HAL_OWNER_COMPUTE_CLUSTER || !gen->q7_cluster_cores))
        return out_of_range(hal, "get_q7_params", "owner", (int)owner);
    *params =
        (struct trn_hal_q7_params){.base = hal->places.q7,
                                   .iram_size = gen->q7_iram_bytes,
                                   .iram_reserved = gen->hal_q7_iram_reserved,
                                   .dram_size = gen->q7_dram_bytes,
                                   .dram_reserved = gen->hal_q7_dram_reserved,
                                   .cores = pooling ? gen->hal_q7_cores : gen->q7_cluster_cores};
    return TRN_OK;
}

trn_status trn_leaf_get_hw_decode_params(struct trn_hal *hal, int engine,
                                         struct trn_hal_hw_decode_params *params)
{
    if (!hal->gen->has_hw_decode)
        return trn_hal_fail(hal, TRN_ERR_ASSERT, "get_eng_hw_decode_table_params", NULL,
                            "%s has no hardware decode tables", hal->gen->title);
    if (engine < 0 || engine >= TRN_HAL_DECODERS)
        return out_of_range(hal, "get_eng_hw_decode_table_params", "engine", engine);
    *params = hal->places.decode[engine];
    return TRN_OK;
}

trn_status trn_leaf_get_xt_local_reg_offset(struct trn_hal *hal, uint64_t mem, int engine,
                                            int instance, uint64_t *offset)
{
    const struct trn_hal_places *const places = &hal->places;
    const int last = hal->gen->q7_cluster_cores ? TRN_HAL_OWNER_COMPUTE_CLUSTER : TRN_HAL_SP;
    if (engine < 0 || engine > last)
        return out_of_range(hal, "get_xt_local_reg_offset", "engine", engine);
    const bool in_core = instance == 1 || (instance != 0 && hal->gen->hal_sp_other_in_core);
    if (engine == TRN_HAL_OWNER_COMPUTE_CLUSTER)
        *offset = mem + places->cluster_local;
    else if (engine == TRN_HAL_SP && !in_core)
        *offset = mem + places->topsp_local;
    else
        *offset = mem + places->local[engine];
    return TRN_OK;
}

/* ---- through the dispatch object --------------------------------------------------- */

trn_status trn_hal_get_seq_params(struct trn_hal *hal, int engine,
                                  struct trn_hal_seq_params *params)
{
    return TRN_HAL_DISPATCH(hal, 0x0B0, trn_hal_seq_params_leaf, hal, engine, params);
}

trn_status trn_hal_get_q7_params(struct trn_hal *hal, uint32_t owner,
                                 struct trn_hal_q7_params *params)
{
    return TRN_HAL_DISPATCH(hal, 0x0B8, trn_hal_q7_params_leaf, hal, owner, params);
}

trn_status trn_hal_get_hw_decode_params(struct trn_hal *hal, int engine,
                                        struct trn_hal_hw_decode_params *params)
{
    return TRN_HAL_DISPATCH(hal, 0x0C8, trn_hal_hw_decode_params_leaf, hal, engine, params);
}

trn_status trn_hal_get_xt_local_reg_offset(struct trn_hal *hal, uint64_t mem_handle, int engine,
                                           int instance, uint64_t *offset)
{
    return TRN_HAL_DISPATCH(hal, 0x0F0, trn_hal_xt_local_leaf, hal, mem_handle, engine, instance,
                            offset);
}
