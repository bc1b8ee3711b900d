/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves behind single slots: getters and accessors, with the type that their caller knows
 * (docs/hardware/hal-stpb.md 3.5, 13 to 15, 17). */
#ifndef TRN_HAL_ACCESSORS_H
#define TRN_HAL_ACCESSORS_H

#include "trench/hal.h"

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

#endif
