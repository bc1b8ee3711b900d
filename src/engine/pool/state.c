/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/pool/pool.h"

#include "engine/convlut.h"
#include "trench/enums.h"

const struct trn_engine_op trn_pool_ops[] = {
    {TRN_OPCODE_CONV_LUT_LOAD, trn_run_conv_lut_load},
    {TRN_OPCODE_EXTENDED_INST, trn_run_extended_inst},
    {0, NULL},
};

void trn_pool_reset(struct trn_pool_state *pool)
{
    pool->length = 0;
}
