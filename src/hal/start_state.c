/* SPDX-License-Identifier: Apache-2.0 */
/* Starting programs and looking at what runs (docs/hardware/hal-stpb.md 14.4). */
#include "base/bytes.h"
#include "hal/accessors.h"
#include "hal/leaves.h"

enum {
    SLOT_START_CTRL = 0x170,
    SLOT_RUN_STATE = 0x188,
    SLOT_SP_START = 0x740,
    SLOT_SP_STATE = 0x748
};

/* ---- leaves -------------------------------------------------------------------------- */

trn_status trn_leaf_nx_write_start_ctrl(struct trn_hal *hal, uint64_t local, uint32_t value)
{
    return trn_hal_write_reg(hal, local, TRN_HAL_REG_START_CTRL, value);
}

trn_status trn_leaf_nx_read_run_state(struct trn_hal *hal, uint64_t local, uint32_t *state)
{
    return trn_hal_read_reg(hal, local, TRN_HAL_REG_RUN_STATE, state);
}

static trn_status write_start_ctrl(struct trn_hal *hal, uint64_t local)
{
    return TRN_HAL_DISPATCH(hal, SLOT_START_CTRL, trn_hal_regs_value_leaf, hal, local, 1);
}

/* The address, low then high, and the request. */
static trn_status start_at(struct trn_hal *hal, uint64_t local, uint64_t address)
{
    trn_status status =
        trn_hal_write_reg(hal, local, TRN_HAL_REG_START_LO, (uint32_t)trn_bits_get(address, 0, 32));
    if (status == TRN_OK)
        status = trn_hal_write_reg(hal, local, TRN_HAL_REG_START_HI,
                                   (uint32_t)trn_bits_get(address, 32, 32));
    return status == TRN_OK ? write_start_ctrl(hal, local) : status;
}

trn_status trn_leaf_sp_program_start(struct trn_hal *hal, uint64_t local, uint64_t address)
{
    return start_at(hal, local, address);
}

trn_status trn_leaf_sp_check_run_state(struct trn_hal *hal, uint64_t local, uint32_t *state)
{
    return TRN_HAL_DISPATCH(hal, SLOT_RUN_STATE, trn_hal_regs_read_leaf, hal, local, state);
}

/* ---- programs of a core --------------------------------------------------------------- */

/* Whose window it is, for the observer; a handle that is no core's counts as core 0's. */
static unsigned core_of(const struct trn_hal *hal, uint64_t mem)
{
    const struct trn_gen *const gen = hal->gen;
    const uint64_t core = (mem - gen->bar0_tpb) / gen->bar0_tpb_stride;
    return core < gen->cores ? (unsigned)core : 0;
}

static trn_status start_engine(struct trn_hal *hal, uint64_t mem, int engine, uint64_t address)
{
    uint64_t local;
    trn_hal_at_core(hal, core_of(hal, mem));
    hal->where.engine = engine;
    trn_status status = trn_hal_begin(hal, TRN_HAL_STEP_START);
    if (status == TRN_OK)
        status = trn_hal_get_xt_local_reg_offset(hal, mem, engine, 1, &local);
    return status == TRN_OK ? start_at(hal, local, address) : status;
}

trn_status trn_hal_program_start(struct trn_hal *hal, uint64_t mem_handle,
                                 const uint64_t start[TRN_HAL_ENGINES])
{
    static const int order[TRN_HAL_ENGINES] = {TRN_HAL_POOL, TRN_HAL_ACT, TRN_HAL_PE, TRN_HAL_DVE,
                                               TRN_HAL_SP};
    if (!start)
        return trn_hal_fail(hal, TRN_ERR_INVALID, NULL, NULL, "program_start needs addresses");
    trn_status status = trn_hal_alive(hal);
    for (unsigned i = 0; i < TRN_HAL_ENGINES && status == TRN_OK; i++)
        if (start[order[i]] != TRN_HAL_NO_START)
            status = start_engine(hal, mem_handle, order[i], start[order[i]]);
    return status;
}

/* ---- a TopSP or the SP of a core -------------------------------------------------------- */

static trn_status sp_local(struct trn_hal *hal, const struct trn_hal_engine_config *config,
                           uint64_t *local)
{
    *local = 0;
    if (!config)
        return trn_hal_fail(hal, TRN_ERR_INVALID, NULL, NULL, "no configuration of an SP");
    return trn_hal_get_xt_local_reg_offset(hal, config->mem_handle, TRN_HAL_SP, !config->topsp,
                                           local);
}

trn_status trn_hal_sp_program_start(struct trn_hal *hal, const struct trn_hal_engine_config *config,
                                    uint64_t address)
{
    uint64_t local;
    const trn_status status = sp_local(hal, config, &local);
    return status == TRN_OK
               ? TRN_HAL_DISPATCH(hal, SLOT_SP_START, trn_hal_sp_start_leaf, hal, local, address)
               : status;
}

trn_status trn_hal_sp_check_run_state(struct trn_hal *hal,
                                      const struct trn_hal_engine_config *config, uint32_t *state)
{
    uint64_t local;
    *state = 0;
    const trn_status status = sp_local(hal, config, &local);
    return status == TRN_OK
               ? TRN_HAL_DISPATCH(hal, SLOT_SP_STATE, trn_hal_regs_read_leaf, hal, local, state)
               : status;
}

/* ---- states ------------------------------------------------------------------------------ */

trn_status trn_hal_run_state(struct trn_hal *hal, uint64_t mem_handle, int engine, uint32_t *state)
{
    uint64_t local;
    *state = 0;
    if (engine < 0 || engine >= TRN_HAL_ENGINES)
        return trn_hal_fail(hal, TRN_ERR_INVALID, NULL, "0 to 4", "no engine %d", engine);
    const trn_status status = trn_hal_get_xt_local_reg_offset(hal, mem_handle, engine, 1, &local);
    return status == TRN_OK
               ? TRN_HAL_DISPATCH(hal, SLOT_RUN_STATE, trn_hal_regs_read_leaf, hal, local, state)
               : status;
}

trn_status trn_hal_check_run_state(struct trn_hal *hal, uint64_t mem_handle, uint32_t *sum)
{
    trn_status status = trn_hal_alive(hal);
    *sum = 0;
    for (int engine = 0; engine < TRN_HAL_ENGINES && status == TRN_OK; engine++) {
        uint32_t state;
        status = trn_hal_run_state(hal, mem_handle, engine, &state);
        *sum += state;
    }
    return status;
}

trn_status trn_hal_read_program_counter(struct trn_hal *hal, uint64_t regs, int engine,
                                        uint64_t *pc)
{
    static const enum trn_hal_reg counters[TRN_HAL_ENGINES][2] = {
        [TRN_HAL_PE] = {TRN_HAL_REG_PE_PC_LO, TRN_HAL_REG_PE_PC_HI},
        [TRN_HAL_ACT] = {TRN_HAL_REG_ACT_PC_LO, TRN_HAL_REG_ACT_PC_HI},
        [TRN_HAL_POOL] = {TRN_HAL_REG_POOL_PC_LO, TRN_HAL_REG_POOL_PC_HI},
        [TRN_HAL_DVE] = {TRN_HAL_REG_DVE_PC_LO, TRN_HAL_REG_DVE_PC_HI},
        [TRN_HAL_SP] = {TRN_HAL_REG_SP_PC_LO, TRN_HAL_REG_SP_PC_HI},
    };
    *pc = 0;
    if (engine < 0 || engine >= TRN_HAL_ENGINES)
        return trn_hal_fail(hal, TRN_ERR_ASSERT, "read_program_counter", "0 to 4",
                            "read_program_counter: no engine %d", engine);
    uint32_t low, high;
    trn_status status = trn_hal_alive(hal);
    if (status == TRN_OK)
        status = trn_hal_read_reg(hal, regs, counters[engine][0], &low);
    if (status == TRN_OK)
        status = trn_hal_read_reg(hal, regs, counters[engine][1], &high);
    if (status == TRN_OK)
        *pc = trn_bits_set(low, 32, 32, high);
    return status;
}
