/* SPDX-License-Identifier: Apache-2.0 */
/* The shims of the engines' chains: their own checks, then the slot (docs/hardware/hal-stpb.md 3.2
 * to 3.5). */
#include "hal/leaves.h"

enum { LAST_LEVEL = 8, SLOT_Q7_INIT = 0x3A8 };

/* ---- orchestrators ------------------------------------------------------------------ */

/* 3.4; pe_init is a plain shim, but a caller's NULL must not end the process. */
static trn_status check(struct trn_hal *hal, const char *function, bool with_level,
                        const struct trn_hal_engine_config *config)
{
    if (!config)
        return trn_hal_log_fail(hal, TRN_ERR_INVALID, function, "%s: invalid input =%p", function,
                                (const void *)config);
    if (with_level && config->info.inst_debug_level > LAST_LEVEL)
        return trn_hal_log_fail(hal, TRN_ERR_INVALID, function, "%s: invalid inst_debug_level=%u",
                                function, config->info.inst_debug_level);
    return TRN_OK;
}

trn_status trn_hal_pe_init(struct trn_hal *hal, const struct trn_hal_engine_config *config)
{
    const trn_status status = check(hal, "aws_hal_stpb_pe_init", false, config);
    return status == TRN_OK ? TRN_HAL_DISPATCH(hal, 0x318, trn_hal_leaf, hal, config) : status;
}

trn_status trn_hal_act_init(struct trn_hal *hal, const struct trn_hal_engine_config *config)
{
    const trn_status status = check(hal, "aws_hal_stpb_act_init", true, config);
    return status == TRN_OK ? TRN_HAL_DISPATCH(hal, 0x2E0, trn_hal_leaf, hal, config) : status;
}

trn_status trn_hal_pooling_init(struct trn_hal *hal, const struct trn_hal_engine_config *config)
{
    const trn_status status = check(hal, "aws_hal_stpb_pooling_init", true, config);
    return status == TRN_OK ? TRN_HAL_DISPATCH(hal, 0x368, trn_hal_leaf, hal, config) : status;
}

trn_status trn_hal_dve_init(struct trn_hal *hal, const struct trn_hal_engine_config *config)
{
    const trn_status status = check(hal, "aws_hal_stpb_dve_init", true, config);
    return status == TRN_OK ? TRN_HAL_DISPATCH(hal, 0x2B0, trn_hal_leaf, hal, config) : status;
}

static trn_status no_engine(struct trn_hal *hal, int engine)
{
    return trn_hal_fail(hal, TRN_ERR_INVALID, NULL, "0 PE, 1 ACT, 2 POOL, 3 DVE, 4 SP",
                        "no engine %d", engine);
}

trn_status trn_hal_engine_init(struct trn_hal *hal, int engine,
                               const struct trn_hal_engine_config *config)
{
    switch (engine) {
    case TRN_HAL_PE:
        return trn_hal_pe_init(hal, config);
    case TRN_HAL_ACT:
        return trn_hal_act_init(hal, config);
    case TRN_HAL_POOL:
        return trn_hal_pooling_init(hal, config);
    case TRN_HAL_DVE:
        return trn_hal_dve_init(hal, config);
    case TRN_HAL_SP:
        return trn_hal_sp_init(hal, config, NULL, 0, true);
    default:
        return no_engine(hal, engine);
    }
}

/* ---- single steps -------------------------------------------------------------------- */

/* Slot of an engine's step; 0: there is none. Q7's takes other arguments. */
static const uint16_t step_slots[TRN_HAL_ENGINES][TRN_HAL_STEPS] = {
    [TRN_HAL_PE] = {[TRN_HAL_STEP_REGS_INIT] = 0x2F0,
                    [TRN_HAL_STEP_UCODE_SEQ_INIT] = 0x2F8,
                    [TRN_HAL_STEP_HW_DECODE_TABLE_INIT] = 0x310,
                    [TRN_HAL_STEP_DMA_INIT] = 0x308,
                    [TRN_HAL_STEP_RELEASE_RUN_STALL] = 0x300},
    [TRN_HAL_ACT] = {[TRN_HAL_STEP_REGS_INIT] = 0x218,
                     [TRN_HAL_STEP_UCODE_SEQ_INIT] = 0x2B8,
                     [TRN_HAL_STEP_HW_DECODE_TABLE_INIT] = 0x2D8,
                     [TRN_HAL_STEP_DMA_INIT] = 0x2C8,
                     [TRN_HAL_STEP_RELEASE_RUN_STALL] = 0x2C0},
    [TRN_HAL_POOL] = {[TRN_HAL_STEP_REGS_INIT] = 0x338,
                      [TRN_HAL_STEP_UCODE_SEQ_INIT] = 0x340,
                      [TRN_HAL_STEP_Q7_UCODE_ENG_INIT] = SLOT_Q7_INIT,
                      [TRN_HAL_STEP_HW_DECODE_TABLE_INIT] = 0x360,
                      [TRN_HAL_STEP_DMA_INIT] = 0x358,
                      [TRN_HAL_STEP_RELEASE_RUN_STALL] = 0x348,
                      [TRN_HAL_STEP_RELEASE_ENG_RUN_STALL] = 0x350},
    [TRN_HAL_DVE] = {[TRN_HAL_STEP_REGS_INIT] = 0x208,
                     [TRN_HAL_STEP_UCODE_SEQ_INIT] = 0x280,
                     [TRN_HAL_STEP_HW_DECODE_TABLE_INIT] = 0x2A8,
                     [TRN_HAL_STEP_DMA_INIT] = 0x290,
                     [TRN_HAL_STEP_RELEASE_RUN_STALL] = 0x288},
    [TRN_HAL_SP] = {[TRN_HAL_STEP_REGS_INIT] = 0x6E0,
                    [TRN_HAL_STEP_UCODE_SEQ_INIT] = 0x6E8,
                    [TRN_HAL_STEP_DMA_INIT] = 0x738,
                    [TRN_HAL_STEP_RELEASE_RUN_STALL] = 0x6F0},
};

trn_status trn_hal_engine_step(struct trn_hal *hal, int engine, enum trn_hal_step step,
                               const struct trn_hal_engine_config *config)
{
    if (engine < 0 || engine >= TRN_HAL_ENGINES)
        return no_engine(hal, engine);
    const uint16_t slot = (unsigned)step < TRN_HAL_STEPS ? step_slots[engine][step] : 0;
    if (slot == 0)
        return trn_hal_fail(hal, TRN_ERR_UNSUPPORTED, NULL, NULL, "%s has no step '%s'",
                            trn_hal_engine_tag(engine), trn_hal_step_name(step));
    trn_status status = trn_hal_alive(hal);
    if (status == TRN_OK)
        status = check(hal, trn_hal_step_name(step), false, config);
    if (status != TRN_OK)
        return status;
    trn_hal_at_engine(hal, engine, config);
    status = trn_hal_begin(hal, step);
    if (status != TRN_OK)
        return status;
    if (slot == SLOT_Q7_INIT)
        return trn_hal_q7_ucode_eng_init(hal, config->mem_handle, config->addr,
                                         &config->info.q7_ucode, config->memcpy_fn, config->cookie,
                                         0);
    return TRN_HAL_DISPATCH(hal, slot, trn_hal_leaf, hal, config);
}

trn_status trn_hal_instr_debug_level_set(struct trn_hal *hal, int engine, uint64_t mem_handle,
                                         uint64_t regs, uint32_t level)
{
    static const uint16_t slots[TRN_HAL_ENGINES] = {[TRN_HAL_PE] = 0x2E8,
                                                    [TRN_HAL_ACT] = 0x210,
                                                    [TRN_HAL_POOL] = 0x330,
                                                    [TRN_HAL_DVE] = 0x200,
                                                    [TRN_HAL_SP] = 0x6D0};
    if (engine < 0 || engine >= TRN_HAL_ENGINES)
        return no_engine(hal, engine);
    return TRN_HAL_DISPATCH(hal, slots[engine], trn_hal_debug_level_leaf, hal, mem_handle, regs,
                            level);
}

trn_status trn_hal_q7_ucode_eng_init(struct trn_hal *hal, uint64_t mem_handle, uint64_t image_base,
                                     const struct trn_hal_ucode *images,
                                     trn_hal_memcpy_fn memcpy_fn, void *cookie, uint32_t owner)
{
    if (!images)
        return trn_hal_fail(hal, TRN_ERR_INVALID, "aws_hal_q7_ucode_eng_init", NULL,
                            "q7_ucode_eng_init needs its images");
    return TRN_HAL_DISPATCH(hal, SLOT_Q7_INIT, trn_hal_q7_init_leaf, hal, mem_handle, image_base,
                            images, memcpy_fn, cookie, owner);
}
