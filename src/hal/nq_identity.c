/* SPDX-License-Identifier: Apache-2.0 */
/* How the driver numbers notification queues (docs/hardware/notific.md 8.2). */
#include <inttypes.h>

#include "gen/regmap.h"
#include "hal/handle.h"

enum { QUEUES_OF_TYPE = 16 };

trn_status trn_hal_nq_identity(struct trn_hal *hal, enum trn_hal_nq_type type, unsigned index,
                               struct trn_hal_nq_place *out)
{
    const uint64_t id = (uint64_t)type * QUEUES_OF_TYPE + index;
    *out = (struct trn_hal_nq_place){0};
    if ((unsigned)type >= TRN_HAL_NQ_TYPES || index >= TRN_HAL_NQ_SLOTS || id >= TRN_HAL_NQ_SLOTS)
        return trn_hal_fail(hal, TRN_ERR_INVALID, NULL,
                            "type 0 to 5, and type * 16 + index below 96",
                            "notification queue of type %u, index %u", (unsigned)type, index);
    const bool dma = type == TRN_HAL_NQ_TRACE_DMA;
    *out = (struct trn_hal_nq_place){
        .id = (uint32_t)id, .of_dma = dma, .dma = dma ? index : 0, .queue = dma ? 0 : index};
    return TRN_OK;
}

trn_status trn_hal_nq_of_head(struct trn_hal *hal, uint64_t offset, enum trn_hal_nq_type *type,
                              unsigned *index)
{
    const struct trn_reg_row *const head =
        hal->gen ? trn_reg_find(hal->gen, "notific.nq.head_ptr", NULL) : NULL;
    *type = TRN_HAL_NQ_TRACE;
    *index = 0;
    const uint64_t stride = head ? head->stride[0] : 0, first = head ? head->offset : 0;
    const uint64_t instance = stride ? (offset - first) / stride : 0;
    if (!stride || offset < first || (offset - first) % stride != 0 || instance >= TRN_HAL_NQ_SLOTS)
        return trn_hal_fail(hal, TRN_ERR_INVALID, NULL, "0x10c + 0x28 for each queue, exactly",
                            "no head register at 0x%" PRIx64 " of a notification block", offset);
    *type = (enum trn_hal_nq_type)(instance / QUEUES_OF_TYPE);
    *index = (unsigned)(instance % QUEUES_OF_TYPE);
    return TRN_OK;
}
