/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of a notification block through the dispatch object (docs/hardware/hal-stpb.md 3.5). */
#include "hal/notific.h"

enum { SLOT_INIT = 0x3B0, SLOT_NQ_INIT = 0x408, SLOT_NQ_ENABLE = 0x410, SLOT_NQ_RESET = 0x440 };

trn_status trn_hal_notific_init(struct trn_hal *hal, struct trn_hal_notific *notific,
                                uint32_t num_queues, uint32_t bp_mode, uint32_t uart_mode,
                                uint64_t base)
{
    void (*leaf)(void);
    const trn_status status = trn_hal_slot(hal, SLOT_INIT, &leaf);
    return leaf ? ((trn_hal_notific_init_leaf *)leaf)(hal, notific, num_queues, bp_mode, uart_mode,
                                                      base)
                : status;
}

trn_status trn_hal_nq_init(struct trn_hal *hal, struct trn_hal_notific *notific, unsigned eng_index,
                           unsigned queue, const struct trn_hal_nq *nq)
{
    void (*leaf)(void);
    const trn_status status = trn_hal_slot(hal, SLOT_NQ_INIT, &leaf);
    return leaf ? ((trn_hal_nq_init_leaf *)leaf)(hal, notific, eng_index, queue, nq) : status;
}

trn_status trn_hal_nq_enable(struct trn_hal *hal, struct trn_hal_notific *notific,
                             unsigned eng_index, unsigned queue, bool ignore_full)
{
    void (*leaf)(void);
    const trn_status status = trn_hal_slot(hal, SLOT_NQ_ENABLE, &leaf);
    return leaf ? ((trn_hal_nq_enable_leaf *)leaf)(hal, notific, eng_index, queue, ignore_full)
                : status;
}

trn_status trn_hal_nq_reset(struct trn_hal *hal, struct trn_hal_notific *notific,
                            unsigned eng_index, unsigned queue)
{
    void (*leaf)(void);
    const trn_status status = trn_hal_slot(hal, SLOT_NQ_RESET, &leaf);
    return leaf ? ((trn_hal_nq_reset_leaf *)leaf)(hal, notific, eng_index, queue) : status;
}

/* 3.2: the one shim without the liveness test and without an argument; notific.md: one record. */
uint32_t trn_hal_nq_get_notification_size(void)
{
    return TRN_HAL_RECORD_BYTES;
}
