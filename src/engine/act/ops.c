/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/act/words.h"
#include "trench/enums.h"

const struct trn_engine_op trn_act_ops[] = {
    {TRN_OPCODE_ACTIVATE, trn_run_activate},
    {TRN_OPCODE_ACTIVATE_QUANTIZE, trn_run_activate_quantize},
    {TRN_OPCODE_ACTIVATION_TABLE_LOAD, trn_run_activation_table_load},
    {TRN_OPCODE_ACTIVATION_READ_ACCUMULATOR, trn_run_activation_read_accumulator},
    {TRN_OPCODE_ACTIVATE2, trn_run_activate2},
    {0, NULL},
};
