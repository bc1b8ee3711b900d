/* SPDX-License-Identifier: Apache-2.0 */
/* Hooks of the dynamic kernel load (docs/hardware/hal-stpb.md 14.2): registers of SUNDA's local
 * block; later generations have none and their leaves do nothing. */
#include "base/bytes.h"
#include "hal/accessors.h"
#include "hal/handle.h"

static trn_status pool_local(struct trn_hal *hal, uint64_t mem, uint64_t *local)
{
    return trn_hal_get_xt_local_reg_offset(hal, mem, TRN_HAL_POOL, 1, local);
}

/* Three registers of POOL's local block, in order. */
static trn_status write_three(struct trn_hal *hal, uint64_t mem, const enum trn_hal_reg regs[3],
                              const uint32_t values[3])
{
    uint64_t local;
    if (!trn_hal_has_reg(hal, regs[0]))
        return TRN_OK;
    trn_status status = pool_local(hal, mem, &local);
    for (unsigned i = 0; i < 3 && status == TRN_OK; i++)
        status = trn_hal_write_reg(hal, local, regs[i], values[i]);
    return status;
}

static const enum trn_hal_reg swap_table[3] = {TRN_HAL_REG_SWAP_LO, TRN_HAL_REG_SWAP_HI,
                                               TRN_HAL_REG_SWAP_COUNT};
static const enum trn_hal_reg file_io[3] = {TRN_HAL_REG_FILE_IO_BASE, TRN_HAL_REG_FILE_IO_LENGTH,
                                            TRN_HAL_REG_Q7_INTR_INFO};

trn_status trn_leaf_swap_table(struct trn_hal *hal, uint64_t mem, uint64_t value, uint32_t count)
{
    const uint32_t values[3] = {(uint32_t)trn_bits_get(value, 0, 32),
                                (uint32_t)trn_bits_get(value, 32, 32), count};
    return write_three(hal, mem, swap_table, values);
}

trn_status trn_leaf_swap_table_get_register_offsets(struct trn_hal *hal, uint64_t mem, uint64_t *lo,
                                                    uint64_t *hi, uint64_t *count)
{
    uint64_t *const out[3] = {lo, hi, count};
    const bool exists = trn_hal_has_reg(hal, swap_table[0]);
    uint64_t local = 0;
    const trn_status status = exists ? pool_local(hal, mem, &local) : TRN_OK;
    for (unsigned i = 0; i < 3; i++)
        if (out[i])
            *out[i] = exists ? trn_hal_reg_place(hal, local, swap_table[i], 0) : 0;
    return status;
}

trn_status trn_leaf_swap_file_io_table(struct trn_hal *hal, uint64_t mem, uint32_t base,
                                       uint32_t length, uint32_t interrupt)
{
    const uint32_t values[3] = {base, length, interrupt};
    return write_three(hal, mem, file_io, values);
}

/* ---- through the dispatch object ----------------------------------------------------- */

trn_status trn_hal_q7_swap_table(struct trn_hal *hal, uint64_t mem_handle, uint64_t value,
                                 uint32_t count)
{
    return TRN_HAL_DISPATCH(hal, 0x390, trn_hal_swap_table_leaf, hal, mem_handle, value, count);
}

trn_status trn_hal_q7_swap_table_get_register_offsets(struct trn_hal *hal, uint64_t mem_handle,
                                                      uint64_t *lo, uint64_t *hi, uint64_t *count)
{
    return TRN_HAL_DISPATCH(hal, 0x398, trn_hal_swap_offsets_leaf, hal, mem_handle, lo, hi, count);
}

trn_status trn_hal_q7_swap_file_io_table(struct trn_hal *hal, uint64_t mem_handle, uint32_t base,
                                         uint32_t length, uint32_t interrupt)
{
    return TRN_HAL_DISPATCH(hal, 0x3A0, trn_hal_swap_file_io_leaf, hal, mem_handle, base, length,
                            interrupt);
}
