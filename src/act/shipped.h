/* SPDX-License-Identifier: Apache-2.0 */
/* Tables that the build compiled from the recipes (compile.c), one a recipe and in its order. */
#ifndef TRN_ACT_SHIPPED_H
#define TRN_ACT_SHIPPED_H

#include "trench/act.h"

struct trn_act_shipped {
    uint32_t first_control; /* in the common arrays */
    uint32_t first_bucket;
    uint16_t num_control;
    uint16_t num_bucket;
    uint8_t profile[TRN_ACT_PROFILE_BYTES]; /* the later layout */
};

extern const struct trn_act_shipped trn_act_shipped[];
extern const struct trn_act_control trn_act_shipped_control[];
extern const struct trn_act_bucket trn_act_shipped_bucket[];

#endif
