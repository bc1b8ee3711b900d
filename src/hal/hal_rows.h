/* SPDX-License-Identifier: Apache-2.0 */
/* Tables made from data/hal-slots.csv and data/hal-getters.csv. */
#ifndef TRN_HAL_ROWS_H
#define TRN_HAL_ROWS_H

#include "trench/hal.h"

extern const struct trn_hal_slot trn_hal_slot_table[]; /* ascending offset */
extern const size_t trn_hal_slot_count;

#endif
