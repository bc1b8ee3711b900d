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

#endif
