/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptor generator's carveout and mapping, and general local registers
 * (docs/hardware/hal-stpb.md 15). */
#include <stdio.h>

#include "base/bytes.h"
#include "hal/accessors.h"
#include "hal/handle.h"

enum { GRANULE = 16 }; /* bytes that one unit of size and offset counts */

/* Local registers of POOL's sequencer; all leaves pass instance 1. */
static trn_status pool_register(struct trn_hal *hal, uint64_t mem, enum trn_hal_reg reg,
                                uint64_t *place)
{
    uint64_t local;
    const trn_status status = trn_hal_get_xt_local_reg_offset(hal, mem, TRN_HAL_POOL, 1, &local);
    if (status == TRN_OK)
        *place = trn_hal_reg_place(hal, local, reg, 0);
    return status;
}

/* Out of bounds comes before alignment. OPEN whether the 32-bit sum may wrap; model choice: 64
 * bits.
 */
static trn_status pack_carveout(struct trn_hal *hal, const char *function, uint32_t size,
                                uint32_t offset, uint32_t *value)
{
    *value = 0;
    if ((uint64_t)offset + size > hal->gen->dge_carveout_cap)
        return trn_hal_log_fail(hal, TRN_ERR_INVALID, function,
                                "dge carveout params oob, offset %u size %u", offset, size);
    if (size % GRANULE != 0 || offset % GRANULE != 0)
        return trn_hal_log_fail(hal, TRN_ERR_INVALID, function,
                                "invalid dge carveout params, offset %u size %u", offset, size);
    const uint64_t low = trn_bits_set(0, 0, 16, offset / GRANULE);
    *value = (uint32_t)trn_bits_set(low, 16, 16, size / GRANULE);
    return TRN_OK;
}

/* No validation and no masking of lo (15.2): its upper half reaches hi's. */
static uint32_t pack_mapping(uint32_t hi, uint32_t lo)
{
    return (uint32_t)trn_bits_set(0, 16, 16, hi) | lo;
}

trn_status trn_leaf_set_dge_carveout(struct trn_hal *hal, uint64_t mem, uint32_t size,
                                     uint32_t offset)
{
    uint32_t value;
    uint64_t place;
    trn_status status = pack_carveout(hal, "pooling_set_dge_carveout", size, offset, &value);
    if (status == TRN_OK)
        status = pool_register(hal, mem, TRN_HAL_REG_DGE_CARVEOUT, &place);
    return status == TRN_OK ? trn_hal_write32(hal, place, value) : status;
}

trn_status trn_leaf_set_dge_dma_mapping(struct trn_hal *hal, uint64_t mem, uint32_t hi, uint32_t lo)
{
    uint64_t place;
    const trn_status status = pool_register(hal, mem, TRN_HAL_REG_DGE_MAPPING, &place);
    return status == TRN_OK ? trn_hal_write32(hal, place, pack_mapping(hi, lo)) : status;
}

/* OPEN whether the offset is absolute; model choice: relative to tpb_mem_handle (15.3). */
trn_status trn_leaf_get_dge_carveout(struct trn_hal *hal, uint32_t size, uint32_t offset,
                                     uint64_t *reg, uint32_t *value)
{
    const trn_status status =
        pack_carveout(hal, "pooling_get_dge_carveout_register_offset_and_val", size, offset, value);
    return status == TRN_OK ? pool_register(hal, 0, TRN_HAL_REG_DGE_CARVEOUT, reg) : status;
}

trn_status trn_leaf_get_dge_dma_mapping(struct trn_hal *hal, uint32_t hi, uint32_t lo,
                                        uint64_t *reg, uint32_t *value)
{
    *value = pack_mapping(hi, lo);
    return pool_register(hal, 0, TRN_HAL_REG_DGE_MAPPING, reg);
}

/* ---- through the dispatch object ----------------------------------------------------- */

trn_status trn_hal_set_dge_carveout(struct trn_hal *hal, uint64_t mem_handle, uint32_t size,
                                    uint32_t offset)
{
    return TRN_HAL_DISPATCH(hal, 0x380, trn_hal_pool_pair_leaf, hal, mem_handle, size, offset);
}

trn_status trn_hal_set_dge_dma_mapping(struct trn_hal *hal, uint64_t mem_handle, uint32_t hi,
                                       uint32_t lo)
{
    return TRN_HAL_DISPATCH(hal, 0x370, trn_hal_pool_pair_leaf, hal, mem_handle, hi, lo);
}

trn_status trn_hal_get_dge_carveout_register_offset_and_val(struct trn_hal *hal, uint32_t size,
                                                            uint32_t offset, uint64_t *reg,
                                                            uint32_t *value)
{
    *reg = 0;
    *value = 0;
    return TRN_HAL_DISPATCH(hal, 0x388, trn_hal_pool_value_leaf, hal, size, offset, reg, value);
}

trn_status trn_hal_get_dge_dma_mapping_register_offset_and_val(struct trn_hal *hal, uint32_t hi,
                                                               uint32_t lo, uint64_t *reg,
                                                               uint32_t *value)
{
    *reg = 0;
    *value = 0;
    return TRN_HAL_DISPATCH(hal, 0x378, trn_hal_pool_value_leaf, hal, hi, lo, reg, value);
}

/* ---- general local registers (15.4), a real body --------------------------------------- */

/* 0..4 as they are, anything else 6, which no local block answers to (1). */
static int eng_to_xt(struct trn_hal *hal, int engine)
{
    enum { NO_XT = 6 };
    if (engine >= 0 && engine < TRN_HAL_ENGINES)
        return engine;
    trn_hal_log(hal, 1, "eng_to_xt", "invalid engine %d", engine);
    return NO_XT;
}

trn_status trn_hal_write_general_register(struct trn_hal *hal, uint64_t mem_handle, int engine,
                                          uint32_t index, uint32_t value)
{
    trn_status status = trn_hal_alive(hal);
    if (status != TRN_OK)
        return status;
    char name[40];
    snprintf(name, sizeof name, "xt_local.general.lr[%u]", index);
    const struct trn_reg_row *const first = trn_reg_find(hal->gen, "xt_local.general.lr[0]", NULL);
    const struct trn_reg_row *const row = trn_reg_find(hal->gen, name, NULL);
    if (!first)
        return TRN_OK; /* the flat block of SUNDA has none: silently nothing */
    if (!row)
        return trn_hal_fail(hal, TRN_ERR_INVALID, NULL, "0 to 59", "no general register %u", index);
    uint64_t local;
    status = trn_hal_get_xt_local_reg_offset(hal, mem_handle, eng_to_xt(hal, engine), 1, &local);
    return status == TRN_OK ? trn_hal_write32(hal, local + row->offset, value) : status;
}
