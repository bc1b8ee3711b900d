/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/pe/pe.h"

#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/clones.h"
#include "engine/state.h"

const struct trn_engine_op trn_pe_ops[] = {
    {TRN_OPCODE_LDWEIGHTS, trn_pe_ldweights},
    {TRN_OPCODE_MATMUL, trn_pe_matmul},
    {0, NULL},
};

void trn_pe_reset(struct trn_pe_state *pe)
{
    static const uint8_t nothing[sizeof pe->loaded]; /* TRN_PE_LOADED_NOTHING */
    if (memcmp(pe->loaded, nothing, sizeof nothing) == 0)
        return; /* nor have the weights been touched */
    memset(pe->weights, 0, sizeof pe->weights);
    memset(pe->loaded, TRN_PE_LOADED_NOTHING, sizeof pe->loaded);
}

/* HI is the FP32R rounding of a value, LO the exact rest; Inf and NaN are all HI (7.1). */
static void split(const struct trn_num_mode *mode, enum trn_pe_fp32mode pass, float *values,
                  uint32_t count)
{
    float high[TRN_PE_CHUNK];
    trn_from_fp32_array(TRN_DTYPE_FP32R, mode, values, high, count);
    if (pass == TRN_PE_FP32MODE_HIGH)
        memcpy(values, high, count * sizeof *values);
    else
        for (uint32_t i = 0; i < count; i++)
            values[i] = isfinite(values[i]) ? values[i] - high[i] : 0.0f;
}

/* BF16 without the quieting of signalling NaNs, which the array's own steps do: half the work. */
TRN_CLONES static void widen_bf16(const uint16_t *elements, float *out, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        out[i] = trn_bits_f32((uint32_t)elements[i] << 16);
}

void trn_pe_fetch(const struct trn_exec *x, const struct trn_operand *operand, uint32_t lane,
                  uint64_t first, uint32_t count, enum trn_pe_fp32mode pass, float *out)
{
    const struct trn_num_mode *mode = &x->state->mode[x->engine];
    _Alignas(4) uint8_t gathered[TRN_PE_CHUNK * sizeof(float)];
    const uint8_t *elements = trn_operand_lane(operand, lane) + first * operand->size;
    if (!operand->contiguous) {
        trn_operand_gather(operand, lane, first, count, gathered);
        elements = gathered;
    }
    if (operand->dtype == TRN_DTYPE_BFLOAT16) {
        widen_bf16((const uint16_t *)(const void *)elements, out, count);
        return;
    }
    /* the word's rules admit convertible types only, so this cannot fail */
    trn_to_fp32_array(operand->dtype, mode, elements, out, count);
    if (pass != TRN_PE_FP32MODE_NONE)
        split(mode, pass, out, count);
}
