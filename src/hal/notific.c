/* SPDX-License-Identifier: Apache-2.0 */
/* Notification blocks: life of their host side, initialisation, masked updates
 * (docs/hardware/hal-stpb.md 16.1). */
#include "hal/notific.h"
#include "base/bytes.h"

_Static_assert(sizeof(struct trn_hal_ring_state) == 0x160, "hal-stpb.md 5.4: per-NQ object");

static const char function[] = "aws_hal_notific_init";

/* ---- life ------------------------------------------------------------------------------------ */

trn_status trn_hal_notific_create(struct trn_hal *hal, struct trn_hal_notific **out)
{
    struct trn_hal_notific *const notific = trn_hal_zalloc(hal, sizeof *notific);
    *out = notific;
    if (!notific)
        return trn_hal_fail(hal, TRN_ERR_NO_MEMORY, NULL, NULL,
                            "no memory for a notification block");
    notific->other = hal->notifics;
    hal->notifics = notific;
    return TRN_OK;
}

void trn_hal_notific_detach(struct trn_hal *hal, struct trn_hal_notific *notific)
{
    trn_hal_free(hal, notific->queues);
    *notific = (struct trn_hal_notific){.other = notific->other};
}

trn_status trn_hal_notific_destroy(struct trn_hal *hal, struct trn_hal_notific *notific)
{
    if (!notific || notific->base == 0)
        return trn_hal_fail(hal, TRN_ERR_ADDRESS, "aws_hal_notific_destroy",
                            "a block that notific_init has seen",
                            "the notification block was never initialised");
    trn_hal_notific_detach(hal, notific);
    return TRN_OK;
}

void trn_hal_free_notifics(struct trn_hal *hal)
{
    while (hal->notifics) {
        struct trn_hal_notific *const notific = hal->notifics;
        hal->notifics = notific->other;
        trn_hal_notific_detach(hal, notific);
        trn_hal_free(hal, notific);
    }
}

trn_status trn_hal_notific_attach(struct trn_hal *hal, struct trn_hal_notific *notific,
                                  uint32_t num_queues, uint64_t base)
{
    struct trn_hal_ring_state *const queues =
        trn_hal_zalloc(hal, (uint64_t)num_queues * sizeof *queues);
    if (!queues)
        return trn_hal_fail(hal, TRN_ERR_NO_MEMORY, function, NULL, "no memory for %u queues",
                            num_queues);
    trn_hal_notific_detach(hal, notific);
    notific->base = base;
    notific->num_queues = num_queues;
    notific->queues = queues;
    return TRN_OK;
}

/* ---- masked updates
 * ------------------------------------------------------------------------------ */

/* A 64-bit shadow goes out as two words, low first. */
static trn_status write_pair(struct trn_hal *hal, const struct trn_hal_notific *notific,
                             enum trn_hal_reg lo, enum trn_hal_reg hi, uint64_t value)
{
    const trn_status status =
        trn_hal_write_reg(hal, notific->base, lo, (uint32_t)trn_bits_get(value, 0, 32));
    return status == TRN_OK
               ? trn_hal_write_reg(hal, notific->base, hi, (uint32_t)trn_bits_get(value, 32, 32))
               : status;
}

static trn_status check_block(struct trn_hal *hal, const struct trn_hal_notific *notific)
{
    if (notific && notific->base != 0)
        return TRN_OK;
    return trn_hal_fail(hal, TRN_ERR_ADDRESS, NULL, "notific_init first",
                        "the notification block is not initialised");
}

trn_status trn_leaf_notific_update_wr_buf_enable(struct trn_hal *hal,
                                                 struct trn_hal_notific *notific, uint64_t mask,
                                                 uint64_t value)
{
    const trn_status status = check_block(hal, notific);
    if (status != TRN_OK)
        return status;
    const uint64_t old = notific->wr_buf_enable;
    notific->wr_buf_enable = old ^ (mask & (old ^ value));
    return write_pair(hal, notific, TRN_HAL_REG_WR_BUF_LO, TRN_HAL_REG_WR_BUF_HI,
                      notific->wr_buf_enable);
}

trn_status trn_leaf_notific_update_hw_bp(struct trn_hal *hal, struct trn_hal_notific *notific,
                                         uint64_t mask, uint64_t value)
{
    const trn_status status = check_block(hal, notific);
    if (status != TRN_OK)
        return status;
    const uint64_t old = notific->hw_backpressure;
    notific->hw_backpressure = old ^ (mask & (old ^ value));
    return write_pair(hal, notific, TRN_HAL_REG_HW_BACKPRESSURE_LO, TRN_HAL_REG_HW_BACKPRESSURE_HI,
                      notific->hw_backpressure);
}

/* ---- notific_init
 * ---------------------------------------------------------------------------------- */

/* Rows 1 to 3: mode, write-order buffer, coalescer. */
static trn_status set_up_writes(struct trn_hal *hal, struct trn_hal_notific *notific,
                                uint32_t uart_mode)
{
    enum { ALL_STREAMS = 0xF, COALESCER_TIMER = 700000 };
    const uint64_t base = notific->base;
    struct trn_hal_word order = trn_hal_word(hal, TRN_HAL_REG_WOB_CTRL);
    trn_hal_put(&order, "axi_id_rotate", 1);
    trn_status status = trn_hal_write_reg(hal, base, TRN_HAL_REG_UART_MODE, uart_mode);
    if (status == TRN_OK)
        status = trn_hal_write_reg(hal, base, TRN_HAL_REG_WOB_CTRL, order.value);
    if (status != TRN_OK || notific->num_queues == 1)
        return status;
    notific->stream_enable = ALL_STREAMS;
    return trn_hal_write_reg(hal, base, TRN_HAL_REG_COAL_TIMER, COALESCER_TIMER);
}

/* Row 5: 0 lossless on every queue, 1 on none; the value is the same in the one-queue flavour. */
static trn_status set_up_software_backpressure(struct trn_hal *hal,
                                               const struct trn_hal_notific *notific,
                                               uint32_t bp_mode)
{
    static const uint32_t values[] = {0x3FF, 0};
    if (bp_mode >= sizeof values / sizeof values[0])
        return trn_hal_log_fail(hal, TRN_ERR_FAILED, function, "invalid backpressure mode %u",
                                bp_mode);
    return trn_hal_write_reg(hal, notific->base, TRN_HAL_REG_SW_BACKPRESSURE, values[bp_mode]);
}

trn_status trn_leaf_notific_init(struct trn_hal *hal, struct trn_hal_notific *notific,
                                 uint32_t num_queues, uint32_t bp_mode, uint32_t uart_mode,
                                 uint64_t base)
{
    enum { ONE_QUEUE = 1 };
    if (!notific || base == 0)
        return trn_hal_fail(hal, TRN_ERR_ADDRESS, function, NULL, "NULL context or base");
    if (num_queues != ONE_QUEUE && num_queues != hal->gen->notification_queues)
        return trn_hal_fail(hal, TRN_ERR_INVALID, function, "1 or 10", "%u queues", num_queues);
    trn_status status = trn_hal_notific_attach(hal, notific, num_queues, base);
    if (status != TRN_OK)
        return status;
    trn_hal_log(hal, 4, function, "Initializing ENS hal with AXI base 0x%llx",
                (unsigned long long)base);
    status = set_up_writes(hal, notific, uart_mode);
    if (status == TRN_OK)
        status = trn_leaf_notific_update_wr_buf_enable(hal, notific, UINT64_MAX, UINT64_MAX);
    if (status == TRN_OK)
        status = set_up_software_backpressure(hal, notific, bp_mode);
    if (status == TRN_OK)
        status = trn_leaf_notific_update_hw_bp(hal, notific, UINT64_MAX, UINT64_MAX);
    return status;
}
