/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/convlut.h"

#include "engine/pool/pool.h"
#include "isa_fields.h"
#include "trench/enums.h"

bool trn_convlut_is_cptc(const struct trn_exec *x)
{
    const uint8_t dtype = trn_s2_convlut_lut_dtype(x->word, x->gen->isa);
    return dtype != TRN_DTYPE_INVALID && dtype != TRN_DTYPE_FP32;
}

trn_status trn_run_conv_lut_load(struct trn_exec *x)
{
    if (x->engine == TRN_NEURON_ENGINE_POOL)
        return trn_pool_conv_lut_load(x);
    return trn_exec_fault(x, TRN_FAULT_NOT_MODELLED, NULL,
                          "CONV_LUT_LOAD is not modelled yet on this engine");
}
