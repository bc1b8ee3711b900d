/* SPDX-License-Identifier: Apache-2.0 */
/* The engine state that conversions depend on, and the LFSR of the output converters. */
#include "trench/num.h"

void trn_num_mode_default(const struct trn_gen *gen, struct trn_num_mode *mode)
{
    *mode = (struct trn_num_mode){
        .fp8_e4m3 = gen->fp8_fn_default ? TRN_FP8_FN : TRN_FP8_LEGACY,
        .fp8_saturate = gen->fp8_saturate_default,
        .fp32r_mantissa = 11, /* numerics.md 2.2 */
        .int_rounding = TRN_INT_RNE,
    };
}

/* x^32 + x^22 + x^2 + x + 1 (vector-ops.md 13.3; a model choice where hardware is not known). */
uint32_t trn_lfsr_next(uint32_t *state)
{
    const uint32_t s = *state;
    *state = s << 1 | ((s >> 31 ^ s >> 21 ^ s >> 1 ^ s) & 1);
    return *state;
}

uint32_t trn_sr_seed(uint32_t lane, uint32_t value)
{
    const uint32_t seed = lane << 24 | (value & 0x1FFFFF); /* the register holds seed [20:0] */
    return seed ? seed : 1;                                /* zero is the LFSR's dead state */
}

bool trn_sr_target(uint8_t dtype)
{
    return trn_dtype_kind(dtype) == TRN_DTYPE_KIND_FLOAT && dtype != TRN_DTYPE_FP32 &&
           dtype != TRN_DTYPE_FP4_EXP2;
}

size_t trn_dtype_choices(uint8_t dtype, const struct trn_num_mode *mode,
                         enum trn_choice out[TRN_DTYPE_MAX_CHOICES])
{
    static const struct {
        uint8_t dtype;
        enum trn_choice choice;
    } rows[] = {
        {TRN_DTYPE_FP32R, TRN_CHOICE_FP32R_WIDTH},
        {TRN_DTYPE_FP8_EXP2, TRN_CHOICE_FP8_EXP2_FORM},
        {TRN_DTYPE_FP8_EXP3, TRN_CHOICE_FP8_EXP3_SPECIALS},
        {TRN_DTYPE_FP8_EXP4, TRN_CHOICE_FP8_MODE_DEFAULT},
        {TRN_DTYPE_FP4_EXP2, TRN_CHOICE_FP4_FORM},
        {TRN_DTYPE_INT4, TRN_CHOICE_INT4_FORM},
        {TRN_DTYPE_SFP8_E8, TRN_CHOICE_SFP8_FORM},
        {TRN_DTYPE_SFP8_E7, TRN_CHOICE_SFP8_FORM},
        {TRN_DTYPE_SFP8_E6, TRN_CHOICE_SFP8_FORM},
        {TRN_DTYPE_SFP8_E5, TRN_CHOICE_SFP8_FORM},
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].dtype == dtype)
            out[count++] = rows[i].choice;
    if (mode->lfsr && trn_sr_target(dtype))
        out[count++] = TRN_CHOICE_STOCHASTIC_BITS;
    return count;
}
