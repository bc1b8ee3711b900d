/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of a notification block through the dispatch object (docs/hardware/hal-stpb.md 3.5). */
#include "hal/notific.h"

enum { SLOT_INIT = 0x3B0, SLOT_NQ_INIT = 0x408, SLOT_NQ_ENABLE = 0x410, SLOT_NQ_RESET = 0x440 };

trn_status trn_hal_notific_init(struct trn_hal *hal, struct trn_hal_notific *notific,
                                uint32_t num_queues, uint32_t bp_mode, uint32_t uart_mode,
                                uint64_t base)
{
    return TRN_HAL_DISPATCH(hal, SLOT_INIT, trn_hal_notific_init_leaf, hal, notific, num_queues,
                            bp_mode, uart_mode, base);
}

trn_status trn_hal_nq_init(struct trn_hal *hal, struct trn_hal_notific *notific, unsigned eng_index,
                           unsigned queue, const struct trn_hal_nq *nq)
{
    return TRN_HAL_DISPATCH(hal, SLOT_NQ_INIT, trn_hal_nq_init_leaf, hal, notific, eng_index, queue,
                            nq);
}

trn_status trn_hal_nq_enable(struct trn_hal *hal, struct trn_hal_notific *notific,
                             unsigned eng_index, unsigned queue, bool ignore_full)
{
    return TRN_HAL_DISPATCH(hal, SLOT_NQ_ENABLE, trn_hal_nq_enable_leaf, hal, notific, eng_index,
                            queue, ignore_full);
}

trn_status trn_hal_nq_reset(struct trn_hal *hal, struct trn_hal_notific *notific,
                            unsigned eng_index, unsigned queue)
{
    return TRN_HAL_DISPATCH(hal, SLOT_NQ_RESET, trn_hal_nq_reset_leaf, hal, notific, eng_index,
                            queue);
}

/* 3.2: the one shim without the liveness test and without an argument; notific.md: one record. */
uint32_t trn_hal_nq_get_notification_size(void)
{
    return TRN_HAL_RECORD_BYTES;
}
