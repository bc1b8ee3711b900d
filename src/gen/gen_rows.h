/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TRN_GEN_ROWS_H
#define TRN_GEN_ROWS_H

#include "trench/gen.h"

/* Made from data/generations.csv. */
extern const struct trn_gen trn_gen_table[TRN_GEN_COUNT];
extern const struct trn_gen_row trn_gen_rows[];
extern const size_t trn_gen_num_rows;

#endif
