/* SPDX-License-Identifier: Apache-2.0 */
/* dma_init: where the sequencer finds its instruction fetch rings (docs/hardware/hal-stpb.md 12).
 */
#include "base/bytes.h"
#include "hal/leaves.h"

/* `sel` of the sheet: rx 0, tx 1. */
enum way { RX, TX, WAYS };

/* SUNDA's window 2 covers the queue registers; ring pointers are places inside it. */
enum { WINDOW_BITS = 24 };

static trn_status write_half(struct trn_hal *hal, uint64_t local, enum trn_hal_reg reg,
                             uint64_t address, unsigned low)
{
    return trn_hal_write_reg(hal, local, reg, (uint32_t)trn_bits_get(address, low, 32));
}

/* The flat block: the window once, with the first ring, then three places (OPEN packing; model
 * choice). Both rings of an engine lie in one window. */
static trn_status write_triple(struct trn_hal *hal, uint64_t local, const struct trn_hal_ring *ring,
                               enum way way)
{
    static const enum trn_hal_reg places[WAYS][3] = {
        [RX] = {TRN_HAL_REG_RX_HEAD, TRN_HAL_REG_RX_TAIL, TRN_HAL_REG_RX_TAIL_INC},
        [TX] = {TRN_HAL_REG_TX_HEAD, TRN_HAL_REG_TX_TAIL, TRN_HAL_REG_TX_TAIL_INC}};
    const uint64_t pointers[3] = {ring->head_ptr, ring->tail_ptr, ring->tail_inc_ptr};
    trn_status status = TRN_OK;
    if (way == RX) {
        const uint64_t window = trn_bits_set(ring->head_ptr, 0, WINDOW_BITS, 0);
        status = write_half(hal, local, TRN_HAL_REG_RING_WINDOW_LO, window, 0);
        if (status == TRN_OK)
            status = write_half(hal, local, TRN_HAL_REG_RING_WINDOW_HI, window, 32);
    }
    for (unsigned i = 0; i < 3 && status == TRN_OK; i++)
        status = trn_hal_write_reg(hal, local, places[way][i],
                                   (uint32_t)trn_bits_get(pointers[i], 0, WINDOW_BITS));
    return status;
}

/* Later blocks: the first of the triple, low word, then the high word that both rings share (OPEN
 * which member; model choice). */
static trn_status write_address(struct trn_hal *hal, uint64_t local,
                                const struct trn_hal_ring *ring, enum way way)
{
    static const enum trn_hal_reg low[WAYS] = {[RX] = TRN_HAL_REG_RX_LO, [TX] = TRN_HAL_REG_TX_LO};
    const trn_status status = write_half(hal, local, low[way], ring->head_ptr, 0);
    return status == TRN_OK ? write_half(hal, local, TRN_HAL_REG_RING_HI, ring->head_ptr, 32)
                            : status;
}

static trn_status nx_dma_regs(struct trn_hal *hal, uint64_t local, const struct trn_hal_ring *ring,
                              enum way way)
{
    return trn_hal_has_reg(hal, TRN_HAL_REG_RING_WINDOW_LO) ? write_triple(hal, local, ring, way)
                                                            : write_address(hal, local, ring, way);
}

/* dma_ctrl is written 0 and 1 even when there are no rings. */
trn_status trn_hal_body_dma_init(struct trn_hal *hal, int engine,
                                 const struct trn_hal_engine_config *config)
{
    const struct trn_hal_dma_info *const rings = &config->info.dma_info;
    uint64_t local;
    trn_status status =
        trn_hal_get_xt_local_reg_offset(hal, config->mem_handle, engine, !config->topsp, &local);
    if (status == TRN_OK)
        status = trn_hal_write_reg(hal, local, TRN_HAL_REG_DMA_CTRL, 0);
    if (status == TRN_OK && rings->enabled)
        status = nx_dma_regs(hal, local, &rings->rx, RX);
    if (status == TRN_OK && rings->enabled)
        status = nx_dma_regs(hal, local, &rings->tx, TX);
    if (status == TRN_OK)
        status = trn_hal_write_reg(hal, local, TRN_HAL_REG_DMA_CTRL, 1);
    return status;
}
