/* SPDX-License-Identifier: Apache-2.0 */
/* What was written to registers that read as 0 (docs/hardware/hal-stpb.md 18, item 13). A register
 * whose word selects one of several cells has a shadow a cell. */
#include <string.h>

#include "hal/handle.h"

static struct trn_hal_shadow *find(const struct trn_hal *hal, uint64_t offset, uint32_t cell)
{
    for (size_t i = 0; i < hal->num_shadows; i++)
        if (hal->shadows[i].offset == offset && hal->shadows[i].cell == cell)
            return &hal->shadows[i];
    return NULL;
}

/* Room for one more; the array doubles. */
static bool grow(struct trn_hal *hal)
{
    enum { FIRST_ROOM = 16 };
    if (hal->num_shadows < hal->shadow_room)
        return true;
    const size_t room = hal->shadow_room ? 2 * hal->shadow_room : FIRST_ROOM;
    struct trn_hal_shadow *grown = trn_hal_zalloc(hal, room * sizeof *grown);
    if (!grown)
        return false;
    if (hal->num_shadows)
        memcpy(grown, hal->shadows, hal->num_shadows * sizeof *grown);
    trn_hal_free(hal, hal->shadows);
    hal->shadows = grown;
    hal->shadow_room = room;
    return true;
}

trn_status trn_hal_write_shadowed(struct trn_hal *hal, uint64_t offset, uint32_t cell,
                                  uint32_t value)
{
    struct trn_hal_shadow *shadow = find(hal, offset, cell);
    if (!shadow && !grow(hal))
        return trn_hal_fail(hal, TRN_ERR_NO_MEMORY, NULL, NULL, "no memory for a shadow");
    const trn_status status = trn_hal_write32(hal, offset, value);
    if (status != TRN_OK)
        return status;
    if (!shadow)
        shadow = &hal->shadows[hal->num_shadows++];
    *shadow = (struct trn_hal_shadow){offset, cell, value};
    return TRN_OK;
}

trn_status trn_hal_get_shadow(struct trn_hal *hal, uint64_t offset, uint32_t cell, uint32_t *value)
{
    const struct trn_hal_shadow *const shadow = find(hal, offset, cell);
    *value = shadow ? shadow->value : 0;
    if (shadow)
        return TRN_OK;
    return trn_hal_fail(hal, TRN_ERR_NOT_FOUND, NULL, NULL,
                        "nothing was written to bar0+0x%llx, cell %u", (unsigned long long)offset,
                        cell);
}
