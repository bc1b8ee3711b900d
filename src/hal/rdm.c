/* SPDX-License-Identifier: Apache-2.0 */
/* The remote-DMA slots (docs/hardware/hal-stpb.md 3.3): present but unsupported on arch 4, absent
 * elsewhere, which is another state. */
#include "hal/accessors.h"
#include "hal/handle.h"

/* The stubs give FFFFFFFF and a line. */
static trn_status unsupported(struct trn_hal *hal, const char *function)
{
    return trn_hal_log_fail(hal, TRN_ERR_FAILED, function, "not supported for arch v%u", hal->arch);
}

trn_status trn_leaf_rdm_get_dma_eng_id(struct trn_hal *hal, uint32_t queue, uint32_t *id)
{
    (void)queue;
    *id = UINT32_MAX;
    return unsupported(hal, "rdm_get_dma_eng_id");
}

trn_status trn_leaf_rdm_init(struct trn_hal *hal, uint64_t base)
{
    (void)base;
    return unsupported(hal, "rdm_init");
}

trn_status trn_leaf_rdm_get_target_address(struct trn_hal *hal, uint32_t queue, uint64_t *address)
{
    (void)queue;
    *address = UINT64_MAX;
    return unsupported(hal, "rdm_get_target_address");
}

trn_status trn_hal_rdm_get_dma_eng_id(struct trn_hal *hal, uint32_t queue, uint32_t *id)
{
    *id = 0;
    return TRN_HAL_DISPATCH(hal, 0x008, trn_hal_rdm_engine_leaf, hal, queue, id);
}

trn_status trn_hal_rdm_init(struct trn_hal *hal, uint64_t base)
{
    return TRN_HAL_DISPATCH(hal, 0x010, trn_hal_regs_leaf, hal, base);
}

trn_status trn_hal_rdm_get_target_address(struct trn_hal *hal, uint32_t queue, uint64_t *address)
{
    *address = 0;
    return TRN_HAL_DISPATCH(hal, 0x018, trn_hal_rdm_address_leaf, hal, queue, address);
}
