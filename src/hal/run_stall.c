/* SPDX-License-Identifier: Apache-2.0 */
/* The last steps of a chain: engines leave their stall (docs/hardware/hal-stpb.md 14.1). */
#include "hal/leaves.h"

/* SUNDA's writer announces itself. */
static void announce(struct trn_hal *hal, int engine)
{
    if (hal->gen->hal_log_writes)
        trn_hal_log(hal, 5, trn_hal_function(hal, engine, "release_run_stall").name,
                    "%s leaves its run stall", trn_hal_engine_tag(engine));
}

trn_status trn_hal_body_release_run_stall(struct trn_hal *hal, int engine,
                                          const struct trn_hal_engine_config *config)
{
    uint64_t local;
    const trn_status status =
        trn_hal_get_xt_local_reg_offset(hal, config->mem_handle, engine, !config->topsp, &local);
    if (status != TRN_OK)
        return status;
    announce(hal, engine);
    return trn_hal_write_reg(hal, local, TRN_HAL_REG_RUN_STALL, 0);
}

/* All eight Q7 cores at once; on SUNDA the host writes nothing and the sequencer lets them go. */
trn_status trn_hal_body_release_eng_run_stall(struct trn_hal *hal, int engine,
                                              const struct trn_hal_engine_config *config)
{
    uint64_t local;
    if (!hal->gen->has_q7_csr_release)
        return TRN_OK;
    const trn_status status =
        trn_hal_get_xt_local_reg_offset(hal, config->mem_handle, engine, 1, &local);
    return status == TRN_OK ? trn_hal_write_reg(hal, local, TRN_HAL_REG_Q7_RUN_STALL, 0) : status;
}
