/* SPDX-License-Identifier: Apache-2.0 */
/* Signals between the host and a TopSP (docs/hardware/hal-stpb.md 14.3): local registers of its
 * memory window. */
#include "hal/accessors.h"
#include "hal/handle.h"

/* Slot 0: the call is a real body. */
struct signal {
    enum trn_hal_reg reg;
    uint16_t set_slot, offset_slot;
};

static const struct signal signals[] = {
    [TRN_HAL_TOPSP_HOST_TRIGGER] = {TRN_HAL_REG_TOPSP_HOST_TRIGGER, 0x708, 0x710},
    [TRN_HAL_TOPSP_STOP] = {TRN_HAL_REG_TOPSP_STOP, 0x718, 0x720},
    [TRN_HAL_TOPSP_BASIC_BLOCK_SWITCH] = {TRN_HAL_REG_TOPSP_SWITCH, 0, 0x728},
    [TRN_HAL_TOPSP_INIT] = {TRN_HAL_REG_TOPSP_INIT, 0x6F8, 0},
    [TRN_HAL_TOPSP_TSYNC] = {TRN_HAL_REG_TOPSP_TSYNC, 0x700, 0},
};

static trn_status offset_of(struct trn_hal *hal, enum trn_hal_topsp_signal signal, uint32_t *offset)
{
    const uint32_t local = hal->places.topsp_local;
    *offset = (uint32_t)trn_hal_reg_place(hal, local, signals[signal].reg, 0);
    return TRN_OK;
}

trn_status trn_leaf_topsp_signal(struct trn_hal *hal, uint64_t mem,
                                 enum trn_hal_topsp_signal signal, uint32_t value)
{
    uint32_t offset;
    const trn_status status = offset_of(hal, signal, &offset);
    return status == TRN_OK ? trn_hal_write32(hal, mem + offset, value) : status;
}

trn_status trn_leaf_topsp_signal_offset(struct trn_hal *hal, enum trn_hal_topsp_signal signal,
                                        uint32_t *offset)
{
    return offset_of(hal, signal, offset);
}

static trn_status check(struct trn_hal *hal, enum trn_hal_topsp_signal signal)
{
    const trn_status status = trn_hal_alive(hal);
    if (status != TRN_OK || (unsigned)signal < sizeof signals / sizeof signals[0])
        return status;
    return trn_hal_fail(hal, TRN_ERR_INVALID, NULL, NULL, "no TopSP signal %d", (int)signal);
}

trn_status trn_hal_topsp_signal(struct trn_hal *hal, uint64_t sp_mem_handle,
                                enum trn_hal_topsp_signal signal, uint32_t value)
{
    const trn_status status = check(hal, signal);
    if (status != TRN_OK)
        return status;
    if (signals[signal].set_slot == 0)
        return trn_leaf_topsp_signal(hal, sp_mem_handle, signal, value);
    return TRN_HAL_DISPATCH(hal, signals[signal].set_slot, trn_hal_topsp_signal_leaf, hal,
                            sp_mem_handle, signal, value);
}

trn_status trn_hal_topsp_signal_offset(struct trn_hal *hal, enum trn_hal_topsp_signal signal,
                                       uint32_t *offset)
{
    *offset = 0;
    const trn_status status = check(hal, signal);
    if (status != TRN_OK)
        return status;
    if (signals[signal].offset_slot == 0)
        return offset_of(hal, signal, offset);
    return TRN_HAL_DISPATCH(hal, signals[signal].offset_slot, trn_hal_topsp_offset_leaf, hal,
                            signal, offset);
}
