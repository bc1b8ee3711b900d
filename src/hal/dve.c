/* SPDX-License-Identifier: Apache-2.0 */
/* Accessors of the DVE sequencer's registers, and ACT's sibling of one (docs/hardware/hal-stpb.md
 * 13.1). No orchestrator calls them. */
#include "hal/accessors.h"
#include "hal/leaves.h"

#define RESET_SEED     0xCD9E8D57u
#define XORWOW_DEFAULT 0x800587C5u

/* ---- leaves -------------------------------------------------------------------------- */

static trn_status write_lfsr(struct trn_hal *hal, uint64_t regs, uint32_t value)
{
    return trn_hal_write_shadowed(hal, trn_hal_reg_place(hal, regs, TRN_HAL_REG_DVE_LFSR, 0), 0,
                                  value);
}

trn_status trn_leaf_dve_reset_rng_seed(struct trn_hal *hal, uint64_t regs)
{
    return write_lfsr(hal, regs, RESET_SEED);
}

/* Only one generation has the knob; the others' leaf is an empty stub. */
trn_status trn_leaf_dve_set_force_rspcomb_eight_deep(struct trn_hal *hal, uint64_t regs,
                                                     uint32_t value)
{
    return hal->gen->has_rspcomb
               ? trn_hal_rmw_field(hal, regs, TRN_HAL_REG_DVE_RSPCOMB, "eight_deep", value)
               : TRN_OK;
}

trn_status trn_leaf_dve_get_offset_force_rspcomb_eight_deep(struct trn_hal *hal, uint32_t *offset)
{
    *offset = hal->gen->rspcomb_offset;
    return TRN_OK;
}

static trn_status read_increment(struct trn_hal *hal, uint64_t regs, enum trn_hal_reg reg,
                                 uint32_t *increment)
{
    return trn_hal_read_reg(hal, regs, reg, increment);
}

trn_status trn_leaf_dve_get_timestamp_inc(struct trn_hal *hal, uint64_t regs, uint32_t *increment)
{
    return read_increment(hal, regs, TRN_HAL_REG_DVE_TIMESTAMP, increment);
}

trn_status trn_leaf_pe_get_timestamp_inc(struct trn_hal *hal, uint64_t regs, uint32_t *increment)
{
    return read_increment(hal, regs, TRN_HAL_REG_PE_TIMESTAMP, increment);
}

/* ---- through the dispatch object ----------------------------------------------------- */

trn_status trn_hal_dve_reset_rng_seed(struct trn_hal *hal, uint64_t regs)
{
    return TRN_HAL_DISPATCH(hal, 0x1F8, trn_hal_regs_leaf, hal, regs);
}

trn_status trn_hal_dve_write_stochastic_rnd(struct trn_hal *hal, uint64_t regs, uint32_t value)
{
    return TRN_HAL_DISPATCH(hal, 0x230, trn_hal_regs_value_leaf, hal, regs, value);
}

trn_status trn_hal_dve_write_stochastic_rnd_mode(struct trn_hal *hal, uint64_t regs, uint32_t mode)
{
    return TRN_HAL_DISPATCH(hal, 0x238, trn_hal_regs_value_leaf, hal, regs, mode);
}

trn_status trn_hal_dve_set_force_rspcomb_eight_deep(struct trn_hal *hal, uint64_t regs,
                                                    uint32_t value)
{
    return TRN_HAL_DISPATCH(hal, 0x240, trn_hal_regs_value_leaf, hal, regs, value);
}

trn_status trn_hal_dve_get_offset_force_rspcomb_eight_deep(struct trn_hal *hal, uint32_t *offset)
{
    *offset = 0;
    return TRN_HAL_DISPATCH(hal, 0x248, trn_hal_offset_leaf, hal, offset);
}

/* ---- real bodies: no slot of their own ------------------------------------------------ */

trn_status trn_hal_dve_write_lfsr(struct trn_hal *hal, uint64_t regs, uint32_t value)
{
    const trn_status status = trn_hal_alive(hal);
    return status == TRN_OK ? write_lfsr(hal, regs, value) : status;
}

trn_status trn_hal_dve_write_xorwow_inc_val_default(struct trn_hal *hal, uint64_t regs)
{
    const trn_status status = trn_hal_alive(hal);
    if (status != TRN_OK || !trn_hal_has_reg(hal, TRN_HAL_REG_DVE_XORWOW))
        return status; /* a generation without the register: no access */
    return trn_hal_write_reg(hal, regs, TRN_HAL_REG_DVE_XORWOW, XORWOW_DEFAULT);
}

trn_status trn_hal_dve_force_pool_arb_chicken_bit(struct trn_hal *hal, uint64_t regs)
{
    const trn_status status = trn_hal_alive(hal);
    return status == TRN_OK ? trn_hal_set_chicken_bit(hal, regs) : status;
}

/* Effective where the register exists (arch 4). */
trn_status trn_hal_act_set_force_rspcomb_eight_deep(struct trn_hal *hal, uint64_t regs,
                                                    uint32_t value)
{
    const trn_status status = trn_hal_alive(hal);
    if (status != TRN_OK || !trn_hal_has_reg(hal, TRN_HAL_REG_ACT_RSPCOMB))
        return status;
    return trn_hal_rmw_field(hal, regs, TRN_HAL_REG_ACT_RSPCOMB, "eight_deep", value);
}

trn_status trn_hal_get_timestamp_inc(struct trn_hal *hal, uint64_t regs, int engine,
                                     uint32_t *increment)
{
    *increment = 0;
    switch (engine) {
    case TRN_HAL_PE:
        return TRN_HAL_DISPATCH(hal, 0x320, trn_hal_regs_read_leaf, hal, regs, increment);
    case TRN_HAL_DVE:
        return TRN_HAL_DISPATCH(hal, 0x278, trn_hal_regs_read_leaf, hal, regs, increment);
    case TRN_HAL_ACT:
    case TRN_HAL_POOL:
        break;
    default: /* SP has no register block of its own in tpb (8.3) */
        return trn_hal_fail(hal, TRN_ERR_INVALID, NULL, "0 PE, 1 ACT, 2 POOL, 3 DVE",
                            "engine %d has no timestamp increment", engine);
    }
    const trn_status status = trn_hal_alive(hal);
    return status == TRN_OK ? read_increment(hal, regs,
                                             engine == TRN_HAL_ACT ? TRN_HAL_REG_ACT_TIMESTAMP
                                                                   : TRN_HAL_REG_POOL_TIMESTAMP,
                                             increment)
                            : status;
}
