/* SPDX-License-Identifier: Apache-2.0 */
/* Slots and what an empty one means (docs/hardware/hal-stpb.md 3.2, 3.3). */
#include "hal/hal_rows.h"
#include "hal/handle.h"

size_t trn_hal_num_slots(void)
{
    return trn_hal_slot_count;
}

const struct trn_hal_slot *trn_hal_slot_at(size_t index)
{
    return index < trn_hal_slot_count ? &trn_hal_slot_table[index] : NULL;
}

static const struct trn_hal_slot *find(uint16_t offset)
{
    size_t low = 0, high = trn_hal_slot_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (trn_hal_slot_table[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    const bool there = low < trn_hal_slot_count && trn_hal_slot_table[low].offset == offset;
    return there ? &trn_hal_slot_table[low] : NULL;
}

bool trn_hal_slot_filled(const struct trn_hal *hal, uint16_t offset)
{
    return find(offset) && hal->khal.slot[offset / 8];
}

trn_status trn_hal_slot_clear(struct trn_hal *hal, uint16_t offset)
{
    if (!find(offset))
        return trn_hal_fail(hal, TRN_ERR_NOT_FOUND, NULL, "an offset of the slot map",
                            "no slot at 0x%x", (unsigned)offset);
    hal->khal.slot[offset / 8] = NULL;
    return TRN_OK;
}

trn_status trn_hal_alive(struct trn_hal *hal)
{
    if (hal->arch != 0)
        return TRN_OK;
    return trn_hal_fail(hal, TRN_ERR_ASSERT, NULL, "trn_hal_set_arch_type first",
                        "al_hal_tpb_get_arch_type() != AL_HAL_TPB_ARCH_TYPE_INVALID");
}

trn_status trn_hal_slot(struct trn_hal *hal, uint16_t offset, void (**leaf)(void))
{
    *leaf = NULL;
    const trn_status status = trn_hal_alive(hal);
    if (status != TRN_OK)
        return status;
    *leaf = hal->khal.slot[offset / 8];
    if (*leaf)
        return TRN_OK;
    const struct trn_hal_slot *const slot = find(offset);
    if (slot && !slot->fatal)
        return TRN_OK;
    return trn_hal_fail(hal, TRN_ERR_ASSERT, NULL, NULL, "%s", slot ? slot->text : "no such slot");
}
