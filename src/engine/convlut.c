/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/convlut.h"

#include "engine/pe/convlut.h"
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
    return x->engine == TRN_NEURON_ENGINE_POOL ? trn_pool_conv_lut_load(x) : trn_pe_convlut_load(x);
}
