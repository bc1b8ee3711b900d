/* SPDX-License-Identifier: Apache-2.0 */
/* The registers that the HAL touches, by name: their places come from registers.csv, once a
 * generation. The two local register files (docs/hardware/hal-stpb.md 18 item 6) share a row where
 * they have a register of the same job. */
#ifndef TRN_HAL_REGISTERS_H
#define TRN_HAL_REGISTERS_H

#include "gen/regmap.h"

/* X(id, name in registers.csv, second name or NULL) */
#define TRN_HAL_REG_LIST(X)                                                                        \
    X(PE_DEBUG, "tpb.pe_sequencer.instr_dbg_ctrl", NULL)                                           \
    X(ACT_DEBUG, "tpb.act_sequencer.instr_dbg_ctrl", NULL)                                         \
    X(POOL_DEBUG, "tpb.pool_sequencer.instr_dbg_ctrl", NULL)                                       \
    X(DVE_DEBUG, "tpb.dve_sequencer.instr_dbg_ctrl", NULL)                                         \
    X(ACT_SPECIAL_0, "tpb.act_sequencer.zero_val", NULL)                                           \
    X(ACT_SPECIAL_1, "tpb.act_sequencer.zero_mask", NULL)                                          \
    X(ACT_SPECIAL_2, "tpb.act_sequencer.pos_inf_val", NULL)                                        \
    X(ACT_SPECIAL_3, "tpb.act_sequencer.pos_inf_mask", NULL)                                       \
    X(ACT_SPECIAL_4, "tpb.act_sequencer.neg_inf_val", NULL)                                        \
    X(ACT_SPECIAL_5, "tpb.act_sequencer.neg_inf_mask", NULL)                                       \
    X(ACT_SPECIAL_6, "tpb.act_sequencer.nan_val", NULL)                                            \
    X(ACT_SPECIAL_7, "tpb.act_sequencer.nan_mask", NULL)                                           \
    X(DVE_SPARE, "tpb.dve_sequencer.spare_register0", NULL)                                        \
    X(DVE_XORWOW, "tpb.dve_sequencer.xorwow_inc_val", NULL)                                        \
    X(EVSEM_CTRL, "tpb.events_semaphores.notific_ctrl", NULL)                                      \
    X(QUEUES_PE_POOL, "tpb.notific.sw_queue_num0", NULL)                                           \
    X(QUEUES_ACT_DVE, "tpb.notific.sw_queue_num1", NULL)                                           \
    X(QUEUES_SP_EVSEM, "tpb.notific.sw_queue_num2", NULL)                                          \
    X(QUEUES_ERRORS, "tpb.notific.sw_queue_num3", NULL)                                            \
    X(QUEUES_HAM, "tpb.notific.sw_queue_num4", NULL)                                               \
    X(QUEUES_Q7, "tpb.notific.sw_queue_num5", NULL)                                                \
    X(QUEUES_TOPSP, "top_sp_ram.sw_queue", NULL)                                                   \
    X(RUN_STALL, "nx_local.release_run_stall", "xt_local.nx.release_run_stall")                    \
    X(RUN_STATE, "nx_local.run_state", "xt_local.nx.run_state")                                    \
    X(BLOCK_SIZE, "nx_local.rsvd_1260", "xt_local.iram_cache_block_size")                          \
    X(NX_DEBUG, "nx_local.instr_dbg_ctrl", NULL)                                                   \
    X(NX_DGE_NOTIFICATION, "nx_local.dge_notification_ctrl", NULL)                                 \
    X(TPB_BASE_LO, "nx_local.tpb_base_address_lo", NULL)                                           \
    X(TPB_BASE_HI, "nx_local.tpb_base_address_hi", NULL)                                           \
    X(ENGINE_BASE_LO, "nx_local.engine_base_address_lo", NULL)                                     \
    X(ENGINE_BASE_HI, "nx_local.engine_base_address_hi", NULL)                                     \
    X(APB_WINDOW_LO, "nx_local.mem_window0_lo", NULL)                                              \
    X(APB_WINDOW_HI, "nx_local.mem_window0_hi", NULL)                                              \
    X(RING_WINDOW_LO, "nx_local.mem_window2_lo", NULL)                                             \
    X(RING_WINDOW_HI, "nx_local.mem_window2_hi", NULL)                                             \
    X(DMA_CTRL, "nx_local.dma_ctrl", "xt_local.dma_ctrl")                                          \
    X(RX_HEAD, "nx_local.dma_rx_ring_head_ptr", NULL)                                              \
    X(RX_TAIL, "nx_local.dma_rx_ring_tail_ptr", NULL)                                              \
    X(RX_TAIL_INC, "nx_local.dma_rx_ring_tail_inc_ptr", NULL)                                      \
    X(TX_HEAD, "nx_local.dma_tx_ring_head_ptr", NULL)                                              \
    X(TX_TAIL, "nx_local.dma_tx_ring_tail_ptr", NULL)                                              \
    X(TX_TAIL_INC, "nx_local.dma_tx_ring_tail_inc_ptr", NULL)                                      \
    X(RX_LO, "xt_local.dma_regs_lo_rx", NULL)                                                      \
    X(TX_LO, "xt_local.dma_regs_lo_tx", NULL)                                                      \
    X(RING_HI, "xt_local.dma_regs_hi", NULL)                                                       \
    X(Q7_RUN_STALL, "xt_local.q7.release_run_stall", NULL)                                         \
    X(HW_DECODE, "xt_local.hw_decode.control", NULL)                                               \
    X(DGE_CARVEOUT, "nx_local.sw_dge_carveout", "xt_local.sw_dge_carveout")                        \
    X(DGE_MAPPING, "nx_local.sw_dge_dma_mapping", "xt_local.sw_dge_dma_mapping")                   \
    X(PE_TIMESTAMP, "tpb.pe_sequencer.timestamp_inc_val", NULL)                                    \
    X(ACT_TIMESTAMP, "tpb.act_sequencer.timestamp_inc_val", NULL)                                  \
    X(POOL_TIMESTAMP, "tpb.pool_sequencer.timestamp_inc_val", NULL)                                \
    X(DVE_TIMESTAMP, "tpb.dve_sequencer.timestamp_inc_val", NULL)                                  \
    X(DVE_LFSR, "tpb.dve_sequencer.lfsr", NULL)                                                    \
    X(DVE_RSPCOMB, "tpb.dve_sequencer.force_rspcomb", NULL)                                        \
    X(ACT_RSPCOMB, "tpb.act_sequencer.force_rspcomb", NULL)                                        \
    X(POOL_RND, "tpb.pool_sequencer.stochastic_rnd", NULL)                                         \
    X(DVE_RND, "tpb.dve_sequencer.stochastic_rnd", NULL)                                           \
    X(ACT_RND, "tpb.act_sequencer.stochastic_rnd", NULL)                                           \
    X(POOL_RND_MODE, "tpb.pool_sequencer.stochastic_rnd_mode", NULL)                               \
    X(DVE_RND_MODE, "tpb.dve_sequencer.stochastic_rnd_mode", NULL)                                 \
    X(ACT_RND_MODE, "tpb.act_sequencer.stochastic_rnd_mode", NULL)                                 \
    X(PSUM_RND, "tpb.global_configuration.psum_stochastic_rounding", NULL)                         \
    X(PSUM_RND_CTRL, "tpb.global_configuration.psum_stochastic_rounding_ctrl", NULL)               \
    X(PE_PC_LO, "tpb.misc.pe_nx_spc_lsb", NULL)                                                    \
    X(PE_PC_HI, "tpb.misc.pe_nx_spc_msb", NULL)                                                    \
    X(ACT_PC_LO, "tpb.misc.act_nx_spc_lsb", NULL)                                                  \
    X(ACT_PC_HI, "tpb.misc.act_nx_spc_msb", NULL)                                                  \
    X(POOL_PC_LO, "tpb.misc.pool_nx_spc_lsb", NULL)                                                \
    X(POOL_PC_HI, "tpb.misc.pool_nx_spc_msb", NULL)                                                \
    X(DVE_PC_LO, "tpb.misc.dve_nx_spc_lsb", NULL)                                                  \
    X(DVE_PC_HI, "tpb.misc.dve_nx_spc_msb", NULL)                                                  \
    X(SP_PC_LO, "tpb.misc.sp_nx_spc_lsb", NULL)                                                    \
    X(SP_PC_HI, "tpb.misc.sp_nx_spc_msb", NULL)                                                    \
    X(START_CTRL, "nx_local.start_ctrl", "xt_local.nx.start_ctrl")                                 \
    X(START_LO, "nx_local.start_addr_lo", "xt_local.start_addr_lo")                                \
    X(START_HI, "nx_local.start_addr_hi", "xt_local.start_addr_hi")                                \
    X(SWAP_LO, "nx_local.nx_rsvd_space0", NULL)                                                    \
    X(SWAP_HI, "nx_local.nx_rsvd_space1", NULL)                                                    \
    X(SWAP_COUNT, "nx_local.nx_rsvd_space2", NULL)                                                 \
    X(FILE_IO_BASE, "nx_local.dma_tx_ring_base", NULL)                                             \
    X(FILE_IO_LENGTH, "nx_local.dma_tx_ring_length", NULL)                                         \
    X(Q7_INTR_INFO, "nx_local.q7_intr_info", NULL)                                                 \
    X(TOPSP_HOST_TRIGGER, "nx_local.nx_rsvd_space3", "xt_local.topsp_host_trigger")                \
    X(TOPSP_STOP, "nx_local.nx_rsvd_space4", "xt_local.topsp_stop_signal")                         \
    X(TOPSP_SWITCH, "nx_local.nx_rsvd_space0", "xt_local.topsp_basic_block_switch")                \
    X(TOPSP_INIT, "nx_local.nx_rsvd_space0", "xt_local.general.lr[44]")                            \
    X(TOPSP_TSYNC, "nx_local.nx_rsvd_space1", "xt_local.general.lr[43]")                           \
    X(SW_BACKPRESSURE, "notific.sw_backpressure", NULL)                                            \
    X(HW_BACKPRESSURE_LO, "notific.hw_backpressure_lo", NULL)                                      \
    X(HW_BACKPRESSURE_HI, "notific.hw_backpressure_hi", NULL)                                      \
    X(NQ_ENABLE, "notific.nq_enable", NULL)                                                        \
    X(NQ_IGNORE_FULL, "notific.nq_sw_overflow", NULL)                                              \
    X(UART_MODE, "notific.nq_uart_mode", NULL)                                                     \
    X(WR_BUF_LO, "notific.wr_buf_enable_lo", NULL)                                                 \
    X(WR_BUF_HI, "notific.wr_buf_enable_hi", NULL)                                                 \
    X(COAL_TIMER, "notific.coal_timer", NULL)                                                      \
    X(COAL_CTRL, "notific.coal_ctrl", NULL)                                                        \
    X(WOB_CTRL, "notific.wob_ctrl", NULL)                                                          \
    X(NQ_BASE_LO, "notific.nq.base_addr_lo", NULL)                                                 \
    X(NQ_BASE_HI, "notific.nq.base_addr_hi", NULL)                                                 \
    X(NQ_SIZE, "notific.nq.size", NULL)                                                            \
    X(NQ_HEAD, "notific.nq.head_ptr", NULL)                                                        \
    X(NQ_TAIL, "notific.nq.tail_ptr", NULL)

enum trn_hal_reg {
#define X(id, name, other) TRN_HAL_REG_##id,
    TRN_HAL_REG_LIST(X)
#undef X
        TRN_HAL_REGS
};

/* Rows of one generation; NULL where it has no such register. */
struct trn_hal_registers {
    const struct trn_gen *gen; /* whose rows these are */
    const struct trn_reg_row *row[TRN_HAL_REGS];
};

struct trn_hal;

/* Does the latched generation have the register? Also finds its place the first time. */
bool trn_hal_has_reg(struct trn_hal *hal, enum trn_hal_reg reg);

/* One access at `base` (BAR0 offset of the register's block). A register that the generation does
 * not have: TRN_ERR_UNSUPPORTED and no access. */
trn_status trn_hal_write_reg(struct trn_hal *hal, uint64_t base, enum trn_hal_reg reg,
                             uint32_t value);
trn_status trn_hal_read_reg(struct trn_hal *hal, uint64_t base, enum trn_hal_reg reg,
                            uint32_t *value);
/* Instance `i` of a family ("notific.nq"). */
trn_status trn_hal_write_nq_reg(struct trn_hal *hal, uint64_t base, enum trn_hal_reg reg,
                                unsigned i, uint32_t value);
/* BAR0 offset of an instance; the register must exist. */
uint64_t trn_hal_reg_place(struct trn_hal *hal, uint64_t base, enum trn_hal_reg reg, unsigned i);

/* A word put together field by field (names of registers.csv). */
struct trn_hal_word {
    const struct trn_reg_row *row;
    uint32_t mask, value;
};
struct trn_hal_word trn_hal_word(struct trn_hal *hal, enum trn_hal_reg reg);
/* Bits of `value` above the field are dropped. A field that does not exist spoils the word: its
 * access is refused. */
void trn_hal_put(struct trn_hal_word *word, const char *field, uint32_t value);
/* One read and one write of the word's fields. */
trn_status trn_hal_rmw_word(struct trn_hal *hal, uint64_t base, enum trn_hal_reg reg,
                            const struct trn_hal_word *word);
/* The same for one field. */
trn_status trn_hal_rmw_field(struct trn_hal *hal, uint64_t base, enum trn_hal_reg reg,
                             const char *field, uint32_t value);

#endif
