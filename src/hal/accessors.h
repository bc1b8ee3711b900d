/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves behind single slots: getters and accessors, with the type that their caller knows
 * (docs/hardware/hal-stpb.md 3.5, 13 to 15, 17). */
#ifndef TRN_HAL_ACCESSORS_H
#define TRN_HAL_ACCESSORS_H

#include "hal/hal_rows.h"

typedef trn_status trn_hal_seq_params_leaf(struct trn_hal *hal, int engine,
                                           struct trn_hal_seq_params *params);
typedef trn_status trn_hal_q7_params_leaf(struct trn_hal *hal, uint32_t owner,
                                          struct trn_hal_q7_params *params);
typedef trn_status trn_hal_hw_decode_params_leaf(struct trn_hal *hal, int engine,
                                                 struct trn_hal_hw_decode_params *params);
typedef trn_status trn_hal_xt_local_leaf(struct trn_hal *hal, uint64_t mem, int engine,
                                         int instance, uint64_t *offset);
trn_hal_seq_params_leaf trn_leaf_get_seq_params;             /* 0B0 */
trn_hal_q7_params_leaf trn_leaf_get_q7_params;               /* 0B8 */
trn_hal_hw_decode_params_leaf trn_leaf_get_hw_decode_params; /* 0C8 */
trn_hal_xt_local_leaf trn_leaf_get_xt_local_reg_offset;      /* 0F0 */

typedef trn_status trn_hal_param_leaf(struct trn_hal *hal, const struct trn_hal_getter *getter,
                                      unsigned index, uint64_t *value);
trn_hal_param_leaf trn_leaf_get_param; /* the slots of data/hal-getters.csv */

/* DGE (15): (mem, size, offset) or (mem, hi, lo), and the same without the write. */
typedef trn_status trn_hal_pool_pair_leaf(struct trn_hal *hal, uint64_t mem, uint32_t first,
                                          uint32_t second);
typedef trn_status trn_hal_pool_value_leaf(struct trn_hal *hal, uint32_t first, uint32_t second,
                                           uint64_t *reg, uint32_t *value);
trn_hal_pool_pair_leaf trn_leaf_set_dge_dma_mapping;  /* 370 */
trn_hal_pool_value_leaf trn_leaf_get_dge_dma_mapping; /* 378 */
trn_hal_pool_pair_leaf trn_leaf_set_dge_carveout;     /* 380 */
trn_hal_pool_value_leaf trn_leaf_get_dge_carveout;    /* 388 */

/* Registers of a block that the caller names: (block), (block, value), (block, *value). */
typedef trn_status trn_hal_regs_leaf(struct trn_hal *hal, uint64_t regs);
typedef trn_status trn_hal_regs_value_leaf(struct trn_hal *hal, uint64_t regs, uint32_t value);
typedef trn_status trn_hal_regs_read_leaf(struct trn_hal *hal, uint64_t regs, uint32_t *value);
typedef trn_status trn_hal_offset_leaf(struct trn_hal *hal, uint32_t *offset);
trn_hal_regs_value_leaf trn_leaf_nx_write_start_ctrl; /* 170 */
trn_hal_regs_read_leaf trn_leaf_nx_read_run_state;    /* 188 */

/* DVE (13.1) and its tables (13.3); ACT's table sets (13.4). */
trn_hal_regs_leaf trn_leaf_dve_reset_rng_seed;                        /* 1F8 */
trn_hal_regs_value_leaf trn_leaf_dve_write_stochastic_rnd;            /* 230 */
trn_hal_regs_value_leaf trn_leaf_dve_write_stochastic_rnd_mode;       /* 238 */
trn_hal_regs_value_leaf trn_leaf_dve_set_force_rspcomb_eight_deep;    /* 240 */
trn_hal_offset_leaf trn_leaf_dve_get_offset_force_rspcomb_eight_deep; /* 248 */
trn_hal_regs_read_leaf trn_leaf_dve_get_timestamp_inc;                /* 278 */
trn_hal_regs_read_leaf trn_leaf_pe_get_timestamp_inc;                 /* 320 */
typedef trn_status trn_hal_dve_ram_leaf(struct trn_hal *hal, uint64_t mem, struct trn_hal_buf data);
typedef trn_status trn_hal_dve_tables_leaf(struct trn_hal *hal, uint64_t mem,
                                           const struct trn_hal_dve_tables *tables);
typedef trn_status trn_hal_act_tables_leaf(struct trn_hal *hal, uint64_t mem, uint32_t index,
                                           const struct trn_hal_act_tables *tables);
trn_hal_dve_ram_leaf trn_leaf_dve_write_parameter_ram; /* 298 */
trn_hal_dve_tables_leaf trn_leaf_dve_write_tables;     /* 2A0 */
trn_hal_act_tables_leaf trn_leaf_act_load_local;       /* 2D0 */

/* Dynamic kernels (14.2). */
typedef trn_status trn_hal_swap_table_leaf(struct trn_hal *hal, uint64_t mem, uint64_t value,
                                           uint32_t count);
typedef trn_status trn_hal_swap_offsets_leaf(struct trn_hal *hal, uint64_t mem, uint64_t *lo,
                                             uint64_t *hi, uint64_t *count);
typedef trn_status trn_hal_swap_file_io_leaf(struct trn_hal *hal, uint64_t mem, uint32_t base,
                                             uint32_t length, uint32_t interrupt);
trn_hal_swap_table_leaf trn_leaf_swap_table;                        /* 390 */
trn_hal_swap_offsets_leaf trn_leaf_swap_table_get_register_offsets; /* 398 */
trn_hal_swap_file_io_leaf trn_leaf_swap_file_io_table;              /* 3A0 */

/* SP and TopSP (14.3): 6F8, 700, 708, 718; 710, 720, 728; 740; 748. */
typedef trn_status trn_hal_topsp_signal_leaf(struct trn_hal *hal, uint64_t mem,
                                             enum trn_hal_topsp_signal signal, uint32_t value);
typedef trn_status trn_hal_topsp_offset_leaf(struct trn_hal *hal, enum trn_hal_topsp_signal signal,
                                             uint32_t *offset);
typedef trn_status trn_hal_sp_start_leaf(struct trn_hal *hal, uint64_t local, uint64_t address);
trn_hal_topsp_signal_leaf trn_leaf_topsp_signal;
trn_hal_topsp_offset_leaf trn_leaf_topsp_signal_offset;
trn_hal_sp_start_leaf trn_leaf_sp_program_start;
trn_hal_regs_read_leaf trn_leaf_sp_check_run_state;

/* Remote DMA (3.3): 008, 010, 018 of arch 4. */
typedef trn_status trn_hal_rdm_engine_leaf(struct trn_hal *hal, uint32_t queue, uint32_t *id);
typedef trn_status trn_hal_rdm_address_leaf(struct trn_hal *hal, uint32_t queue, uint64_t *address);
trn_hal_rdm_engine_leaf trn_leaf_rdm_get_dma_eng_id;
trn_hal_regs_leaf trn_leaf_rdm_init;
trn_hal_rdm_address_leaf trn_leaf_rdm_get_target_address;

#endif
