/* SPDX-License-Identifier: Apache-2.0 */
/* Every spelling of every register, for trn_reg_find. */
#ifndef TRN_GEN_REGMAP_NAMES_H
#define TRN_GEN_REGMAP_NAMES_H

#include "base/names.h"

struct trn_reg_name {
    const char *name; /* "notific.nq.head_ptr", "xt_local.feature_flag" */
    uint16_t row;     /* in trn_reg_table */
};

extern const struct trn_reg_name trn_reg_name_rows[];
extern const size_t trn_num_reg_names;
extern const struct trn_name_index trn_reg_names; /* row numbers of trn_reg_name_rows */

#endif
