/* SPDX-License-Identifier: Apache-2.0 */
/* Notification rings: configure, enable, reset (docs/hardware/hal-stpb.md 16.3, notific.md 9.2). */
#include <string.h>

#include "base/bytes.h"
#include "hal/notific.h"

/* ---- what all three look at first --------------------------------------------------------------
 */

/* The most queues a block can have; an index beyond them ends the program (notific.md 9.2). */
static trn_status check_queue(struct trn_hal *hal, const struct trn_hal_notific *notific,
                              const char *function, unsigned queue)
{
    if (!notific || notific->base == 0)
        return trn_hal_fail(hal, TRN_ERR_ADDRESS, function, "notific_init first",
                            "the notification block is not initialised");
    if (queue >= hal->gen->notification_queues)
        return trn_hal_log_fail(hal, TRN_ERR_ABORT, function, "invalid queue %u", queue);
    if (queue >= notific->num_queues)
        return trn_hal_log_fail(hal, TRN_ERR_INVALID, function, "the block has %u queues, not %u",
                                notific->num_queues, queue + 1);
    return TRN_OK;
}

/* ---- nq_init
 * ------------------------------------------------------------------------------------- */

static trn_status check_ring(struct trn_hal *hal, const char *function, const struct trn_hal_nq *nq)
{
    const bool power_of_two =
        nq && nq->size >= TRN_HAL_RECORD_BYTES && (nq->size & (nq->size - 1)) == 0;
    if (power_of_two)
        return TRN_OK;
    return trn_hal_log_fail(hal, TRN_ERR_INVALID, function,
                            "ring of %u bytes: a power of two of at least %d is needed",
                            nq ? nq->size : 0, TRN_HAL_RECORD_BYTES);
}

trn_status trn_leaf_nq_init(struct trn_hal *hal, struct trn_hal_notific *notific,
                            unsigned eng_index, unsigned queue, const struct trn_hal_nq *nq)
{
    static const char function[] = "aws_hal_notific_nq_init";
    (void)eng_index; /* names the ring in reset's line only */
    trn_status status = check_queue(hal, notific, function, queue);
    if (status == TRN_OK)
        status = check_ring(hal, function, nq);
    if (status != TRN_OK)
        return status;
    trn_hal_log(hal, 4, function, "configuring queue %u", queue);
    notific->queues[queue] =
        (struct trn_hal_ring_state){.nq = *nq, .capacity = nq->size / TRN_HAL_RECORD_BYTES};
    const uint64_t base = notific->base;
    status = trn_hal_write_nq_reg(hal, base, TRN_HAL_REG_NQ_BASE_LO, queue,
                                  (uint32_t)trn_bits_get(nq->base, 0, 32));
    if (status == TRN_OK)
        status = trn_hal_write_nq_reg(hal, base, TRN_HAL_REG_NQ_BASE_HI, queue,
                                      (uint32_t)trn_bits_get(nq->base, 32, 32));
    if (status == TRN_OK)
        status = trn_hal_write_nq_reg(hal, base, TRN_HAL_REG_NQ_SIZE, queue, nq->size);
    return status;
}

/* ---- nq_reset
 * -------------------------------------------------------------------------------------- */

/* Both masks without the queue, ignore_full first. */
static trn_status stop_queue(struct trn_hal *hal, struct trn_hal_notific *notific, unsigned queue)
{
    notific->ignore_full = (uint32_t)trn_bits_set(notific->ignore_full, queue, 1, 0);
    notific->nq_enable = (uint32_t)trn_bits_set(notific->nq_enable, queue, 1, 0);
    const trn_status status =
        trn_hal_write_reg(hal, notific->base, TRN_HAL_REG_NQ_IGNORE_FULL, notific->ignore_full);
    return status == TRN_OK
               ? trn_hal_write_reg(hal, notific->base, TRN_HAL_REG_NQ_ENABLE, notific->nq_enable)
               : status;
}

/* Queues 0 to 3 have a coalescer stream, which is flushed: one read, the bit set, the bit clear. */
static trn_status flush_coalescer(struct trn_hal *hal, const struct trn_hal_notific *notific,
                                  unsigned queue)
{
    enum { LAST_STREAM = 3 };
    uint32_t control;
    if (queue > LAST_STREAM)
        return TRN_OK;
    const uint64_t base = notific->base;
    struct trn_hal_word flush = trn_hal_word(hal, TRN_HAL_REG_COAL_CTRL);
    trn_hal_put(&flush, "clr", 1);
    trn_status status = trn_hal_read_reg(hal, base, TRN_HAL_REG_COAL_CTRL, &control);
    if (status == TRN_OK)
        status = trn_hal_write_reg(hal, base, TRN_HAL_REG_COAL_CTRL, control | flush.mask);
    if (status == TRN_OK)
        status = trn_hal_write_reg(hal, base, TRN_HAL_REG_COAL_CTRL, control & ~flush.mask);
    return status;
}

/* The producer has to come to rest; a bounded wait says who could still write (F45). */
static trn_status wait_for_empty(struct trn_hal *hal, const struct trn_hal_notific *notific,
                                 unsigned queue)
{
    uint32_t tail;
    return trn_hal_wait(hal, trn_hal_reg_place(hal, notific->base, TRN_HAL_REG_NQ_TAIL, queue),
                        UINT32_MAX, 0, hal->options.poll_limit, &tail);
}

trn_status trn_leaf_nq_reset(struct trn_hal *hal, struct trn_hal_notific *notific,
                             unsigned eng_index, unsigned queue)
{
    static const char function[] = "_aws_hal_notific_nq_reset";
    trn_status status = check_queue(hal, notific, function, queue);
    if (status != TRN_OK)
        return status;
    struct trn_hal_ring_state *const ring = &notific->queues[queue];
    trn_hal_log(hal, 4, function, "eng_index %u queue_index %u next_index %u", eng_index, queue,
                ring->next);
    status = stop_queue(hal, notific, queue);
    if (status == TRN_OK)
        status = flush_coalescer(hal, notific, queue);
    if (status == TRN_OK)
        status = wait_for_empty(hal, notific, queue);
    if (status != TRN_OK)
        return status;
    ring->next = 0;
    ring->phase = 0;
    status = trn_hal_write_nq_reg(hal, notific->base, TRN_HAL_REG_NQ_HEAD, queue, 0);
    if (status == TRN_OK && ring->nq.memory)
        memset(ring->nq.memory, 0, ring->nq.size);
    return status;
}

/* ---- nq_enable
 * --------------------------------------------------------------------------------------- */

trn_status trn_leaf_nq_enable(struct trn_hal *hal, struct trn_hal_notific *notific,
                              unsigned eng_index, unsigned queue, bool ignore_full)
{
    static const char function[] = "aws_hal_notific_nq_enable";
    trn_status status = check_queue(hal, notific, function, queue);
    if (status != TRN_OK)
        return status;
    trn_hal_log(hal, 4, function, "enabling queue %u", queue);
    status = trn_leaf_nq_reset(hal, notific, eng_index, queue);
    if (status == TRN_OK && ignore_full) {
        notific->ignore_full = (uint32_t)trn_bits_set(notific->ignore_full, queue, 1, 1);
        status =
            trn_hal_write_reg(hal, notific->base, TRN_HAL_REG_NQ_IGNORE_FULL, notific->ignore_full);
    }
    if (status != TRN_OK)
        return status;
    notific->nq_enable = (uint32_t)trn_bits_set(notific->nq_enable, queue, 1, 1);
    return trn_hal_write_reg(hal, notific->base, TRN_HAL_REG_NQ_ENABLE, notific->nq_enable);
}
