/* SPDX-License-Identifier: Apache-2.0 */
/* Stochastic rounding of POOL, DVE, ACT and PSUM (docs/hardware/hal-stpb.md 13.2). */
#include "base/bytes.h"
#include "hal/accessors.h"
#include "hal/handle.h"

/* OPEN which four; model choice: BF16, FP16, FP8-E4M3, FP8-E5M2 (data/dtypes.csv). */
static const uint32_t dtypes[] = {6, 7, 14, 15};

/* What PSUM's control takes before the data register is written; the order matters. */
enum { PSUM_ARM = 2 };

/* One seed for one dtype; the register reads as 0, so each dtype has a shadow. */
static trn_status write_seed(struct trn_hal *hal, uint64_t regs, enum trn_hal_reg reg,
                             uint32_t value)
{
    const struct trn_reg_row *const row = trn_hal_word(hal, reg).row;
    const struct trn_reg_bits *const dtype = row ? trn_reg_field(row, "dtype") : NULL;
    const uint32_t cell = dtype ? (uint32_t)trn_bits_get(value, dtype->low, dtype->bits) : 0;
    return trn_hal_write_shadowed(hal, trn_hal_reg_place(hal, regs, reg, 0), cell, value);
}

trn_status trn_leaf_dve_write_stochastic_rnd(struct trn_hal *hal, uint64_t regs, uint32_t value)
{
    return write_seed(hal, regs, TRN_HAL_REG_DVE_RND, value);
}

trn_status trn_leaf_dve_write_stochastic_rnd_mode(struct trn_hal *hal, uint64_t regs, uint32_t mode)
{
    return trn_hal_write_reg(hal, regs, TRN_HAL_REG_DVE_RND_MODE, mode);
}

/* ---- POOL and ACT: real bodies, with a line before the write on SUNDA ------------------ */

static void log_write(struct trn_hal *hal, const char *function, uint32_t value)
{
    if (hal->gen->hal_log_writes)
        trn_hal_log(hal, 5, function, "value 0x%x", value);
}

static trn_status write_pool_seed(struct trn_hal *hal, uint64_t regs, uint32_t value)
{
    log_write(hal, "pool_write_stochastic_rnd", value);
    return write_seed(hal, regs, TRN_HAL_REG_POOL_RND, value);
}

static trn_status write_act_seed(struct trn_hal *hal, uint64_t regs, uint32_t value)
{
    log_write(hal, "act_write_stochastic_rnd", value);
    return write_seed(hal, regs, TRN_HAL_REG_ACT_RND, value);
}

static trn_status write_pool_mode(struct trn_hal *hal, uint64_t regs, uint32_t mode)
{
    log_write(hal, "pool_write_stochastic_rnd_mode", mode);
    return trn_hal_write_reg(hal, regs, TRN_HAL_REG_POOL_RND_MODE, mode);
}

static trn_status write_act_mode(struct trn_hal *hal, uint64_t regs, uint32_t mode)
{
    log_write(hal, "act_write_stochastic_rnd_mode", mode);
    return trn_hal_write_reg(hal, regs, TRN_HAL_REG_ACT_RND_MODE, mode);
}

/* ---- PSUM: arch 4 only ------------------------------------------------------------------ */

static trn_status write_psum_seed(struct trn_hal *hal, uint64_t regs, uint32_t value)
{
    if (!hal->gen->has_psum_rounding)
        return TRN_OK;
    const trn_status status = trn_hal_write_reg(hal, regs, TRN_HAL_REG_PSUM_RND_CTRL, PSUM_ARM);
    return status == TRN_OK ? trn_hal_write_reg(hal, regs, TRN_HAL_REG_PSUM_RND, value) : status;
}

static trn_status write_psum_mode(struct trn_hal *hal, uint64_t regs, uint32_t mode)
{
    return hal->gen->has_psum_rounding
               ? trn_hal_write_reg(hal, regs, TRN_HAL_REG_PSUM_RND_CTRL, mode)
               : TRN_OK;
}

/* ---- both calls --------------------------------------------------------------------------- */

/* The engines in the sheet's order: POOL, DVE through its slot, ACT, then PSUM. */
static trn_status write_all(struct trn_hal *hal, uint64_t regs, uint32_t value,
                            trn_hal_regs_value_leaf *const writers[4])
{
    trn_status status = TRN_OK;
    for (unsigned i = 0; i < 4 && status == TRN_OK; i++)
        status = writers[i](hal, regs, value);
    return status;
}

trn_status trn_hal_stochastic_rounding_config(struct trn_hal *hal, uint64_t regs, uint32_t seed)
{
    trn_hal_regs_value_leaf *const writers[4] = {write_pool_seed, trn_hal_dve_write_stochastic_rnd,
                                                 write_act_seed, write_psum_seed};
    trn_status status = trn_hal_alive(hal);
    for (unsigned i = 0; i < sizeof dtypes / sizeof dtypes[0] && status == TRN_OK; i++) {
        struct trn_hal_word word = trn_hal_word(hal, TRN_HAL_REG_DVE_RND);
        trn_hal_put(&word, "seed", seed);
        trn_hal_put(&word, "dtype", dtypes[i]);
        status = write_all(hal, regs, word.value, writers);
    }
    return status;
}

trn_status trn_hal_stochastic_rounding_enable(struct trn_hal *hal, uint64_t regs, uint32_t mode)
{
    trn_hal_regs_value_leaf *const writers[4] = {
        write_pool_mode, trn_hal_dve_write_stochastic_rnd_mode, write_act_mode, write_psum_mode};
    const trn_status status = trn_hal_alive(hal);
    return status == TRN_OK ? write_all(hal, regs, mode, writers) : status;
}
