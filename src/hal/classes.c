/* SPDX-License-Identifier: Apache-2.0 */
/* Which classes of records a core's notification block lets through, and to which queue
 * (docs/hardware/hal-stpb.md 16.2, 15.5). */
#include "gen/blocks.h"
#include "hal/notific.h"

static const char function[] = "aws_hal_stpb_notific_class_enable";

/* What one class has to go by. */
struct class_call {
    struct trn_hal *hal;
    struct trn_hal_notific *notific;
    uint64_t regs;
    uint32_t queue;
    bool enable;
};

static uint64_t buffers(const struct class_call *c, uint64_t mask)
{
    return c->enable ? mask : 0;
}

/* Errors route by register A0C; the number is written when the class is switched on only. */
static trn_status error_class(const struct class_call *c)
{
    const uint64_t mask = c->hal->gen->hal_error_mask;
    trn_status status = TRN_OK;
    if (c->enable)
        status = trn_hal_rmw_field(c->hal, c->regs, TRN_HAL_REG_QUEUES_ERRORS, "errors", c->queue);
    return status == TRN_OK
               ? trn_leaf_notific_update_wr_buf_enable(c->hal, c->notific, mask, buffers(c, mask))
               : status;
}

/* Power: throttle queue and its enable in one word. SUNDA has no register for it. */
static trn_status ham_class(const struct class_call *c)
{
    const uint64_t mask = c->hal->gen->hal_ham_mask;
    struct trn_hal_word word = trn_hal_word(c->hal, TRN_HAL_REG_QUEUES_HAM);
    if (c->enable)
        trn_hal_put(&word, "ham_throttle", c->queue);
    trn_hal_put(&word, "ham_throttle_en", c->enable);
    const trn_status status = trn_hal_rmw_word(c->hal, c->regs, TRN_HAL_REG_QUEUES_HAM, &word);
    return status == TRN_OK
               ? trn_leaf_notific_update_wr_buf_enable(c->hal, c->notific, mask, buffers(c, mask))
               : status;
}

static trn_status evsem_backpressure(const struct class_call *c)
{
    const uint64_t mask = c->hal->gen->hal_evsem_mask;
    return trn_leaf_notific_update_hw_bp(c->hal, c->notific, mask, buffers(c, mask));
}

/* The pair of section 7 step 3. */
static trn_status evsem_class(const struct class_call *c)
{
    trn_status status = TRN_OK;
    struct trn_hal_word control = trn_hal_word(c->hal, TRN_HAL_REG_EVSEM_CTRL);
    trn_hal_put(&control, "notifications_en", c->enable);
    if (c->enable)
        status = trn_hal_rmw_field(c->hal, c->regs, TRN_HAL_REG_QUEUES_SP_EVSEM,
                                   "events_semaphores", c->queue);
    return status == TRN_OK
               ? trn_hal_write_reg(c->hal, c->regs, TRN_HAL_REG_EVSEM_CTRL, control.value)
               : status;
}

/* SUNDA only: a switch in POOL's local block, which belongs to the core of that register file. */
static trn_status dge_class(const struct class_call *c)
{
    struct trn_hal *const hal = c->hal;
    if (!trn_hal_has_reg(hal, TRN_HAL_REG_NX_DGE_NOTIFICATION))
        return trn_hal_fail(hal, TRN_ERR_ASSERT, function, "a generation with the switch",
                            "arch == 2 (it is %u)", hal->arch);
    const struct trn_block *const block = trn_block_at(hal->gen, c->regs);
    const int core = block ? trn_block_core(block) : -1;
    if (core < 0)
        return trn_hal_fail(hal, TRN_ERR_INVALID, function, "the register file of a core",
                            "no core has a register file at 0x%llx", (unsigned long long)c->regs);
    const uint64_t mem = hal->gen->bar0_tpb + (uint64_t)(unsigned)core * hal->gen->bar0_tpb_stride;
    uint64_t local;
    const trn_status status = trn_hal_get_xt_local_reg_offset(hal, mem, TRN_HAL_POOL, 1, &local);
    return status == TRN_OK
               ? trn_hal_rmw_field(hal, local, TRN_HAL_REG_NX_DGE_NOTIFICATION, "en", c->enable)
               : status;
}

trn_status trn_hal_notific_class_enable(struct trn_hal *hal, struct trn_hal_notific *notific,
                                        uint64_t regs, enum trn_hal_notific_class which,
                                        uint32_t queue, bool enable)
{
    static trn_status (*const bodies[])(const struct class_call *call) = {
        [TRN_HAL_CLASS_ERROR] = error_class,
        [TRN_HAL_CLASS_HAM] = ham_class,
        [TRN_HAL_CLASS_EVSEM_BP] = evsem_backpressure,
        [TRN_HAL_CLASS_EVSEM] = evsem_class,
        [TRN_HAL_CLASS_DGE] = dge_class};
    const struct class_call call = {hal, notific, regs, queue, enable};
    const trn_status status = trn_hal_alive(hal);
    if (status != TRN_OK)
        return status;
    if ((size_t)which >= sizeof bodies / sizeof bodies[0])
        return trn_hal_fail(hal, TRN_ERR_INVALID, function, NULL, "no class %d", (int)which);
    return bodies[which](&call);
}
