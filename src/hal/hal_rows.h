/* SPDX-License-Identifier: Apache-2.0 */
/* Tables made from data/hal-slots.csv and data/hal-getters.csv. */
#ifndef TRN_HAL_ROWS_H
#define TRN_HAL_ROWS_H

#include "trench/hal.h"

extern const struct trn_hal_slot trn_hal_slot_table[]; /* ascending offset */
extern const size_t trn_hal_slot_count;

/* data/hal-getters.csv: values of one generation, one an index. */
struct trn_hal_values {
    size_t count;
    const uint64_t *values;
};

enum { TRN_HAL_GENERATIONS = 4 }; /* sunda .. mariana_plus: those with a HAL */

struct trn_hal_getter {
    const char *name;
    uint16_t slot;     /* 0: none, a real body */
    const char *index; /* what the index counts */
    struct trn_hal_values of[TRN_HAL_GENERATIONS];
};

extern const struct trn_hal_getter trn_hal_getter_table[];
extern const size_t trn_hal_getter_count;

#endif
