/* SPDX-License-Identifier: Apache-2.0 */
/* sp_init and its alias topsp_init (docs/hardware/hal-stpb.md 14.3). */
#include "hal/notific.h"

static const char function[] = "aws_hal_sp_init";

/* Handles are BAR0 offsets. 0 is a register block on no generation, and the memory of core 0 where
 * that core lies at the start of BAR0 (model choice). */
static bool has_handles(const struct trn_hal *hal, const struct trn_hal_engine_config *config)
{
    const bool zero_is_memory = !config->topsp && hal->gen->bar0_tpb == 0;
    return config->regs != 0 && (config->mem_handle != 0 || zero_is_memory);
}

static trn_status check_config(struct trn_hal *hal, const struct trn_hal_engine_config *config)
{
    enum { LAST_LEVEL = 8 };
    if (!config)
        return trn_hal_log_fail(hal, TRN_ERR_INVALID, function, "invalid input =%p",
                                (const void *)config);
    if (!has_handles(hal, config))
        return trn_hal_log_fail(
            hal, TRN_ERR_INVALID, function, "invalid input sp_mem_handle=0x%llx sp_regs=0x%llx",
            (unsigned long long)config->mem_handle, (unsigned long long)config->regs);
    if (config->info.inst_debug_level > LAST_LEVEL)
        return trn_hal_log_fail(hal, TRN_ERR_INVALID, function, "invalid inst_debug_level=%u",
                                config->info.inst_debug_level);
    return TRN_OK;
}

/* Its failure is a line and nothing more, unless the bus is gone. */
static trn_status init_block(struct trn_hal *hal, const struct trn_hal_engine_config *config,
                             struct trn_hal_notific *notific, uint32_t flag)
{
    trn_status status = trn_hal_enter(hal, TRN_HAL_STEP_NOTIFIC_INIT);
    if (status == TRN_OK)
        status = trn_hal_notific_init(hal, notific, hal->gen->notification_queues, flag, 0,
                                      config->ens_regs);
    if (status == TRN_OK || trn_hal_is_fatal(status))
        return status;
    trn_hal_log(hal, 1, function, "Failed to initialize notific. %d", status);
    return TRN_OK;
}

/* The sheet leaves the results of the last two steps unchecked; a leaf of them fails by the bus or
 * an observer's answer only, and either ends the chain here, so that nothing is released behind a
 * failure (6). */
trn_status trn_hal_sp_init(struct trn_hal *hal, const struct trn_hal_engine_config *config,
                           struct trn_hal_notific *notific, uint32_t flag, bool init_flag)
{
    trn_status status = trn_hal_alive(hal);
    if (status == TRN_OK)
        status = check_config(hal, config);
    if (status != TRN_OK)
        return status;
    trn_hal_log(hal, 4, function, "%s: sp_mem_handle=0x%llx, sp_regs=0x%llx", function,
                (unsigned long long)config->mem_handle, (unsigned long long)config->regs);
    trn_hal_at_engine(hal, TRN_HAL_SP, config);
    if (init_flag)
        status = trn_hal_run_chain(hal, TRN_HAL_SP, config);
    if (status == TRN_OK && notific)
        status = init_block(hal, config, notific, flag);
    return status;
}
