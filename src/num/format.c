/* SPDX-License-Identifier: Apache-2.0 */
/* Which codes of a format are finite, and what replaces those that are not. */
#include "num/format.h"

#include "num/num_rows.h"

enum specials {
    IEEE,     /* exponent all ones: Inf, then NaNs */
    NAN_ONLY, /* the last code alone: NaN */
    NONE
};

static bool is_fp8(uint8_t dtype)
{
    return dtype == TRN_DTYPE_FP8_EXP2 || dtype == TRN_DTYPE_FP8_EXP3 ||
           dtype == TRN_DTYPE_FP8_EXP4 || dtype == TRN_DTYPE_FP8_EXP5;
}

/* numerics.md 2 and 2.1; SFP8 below E8 and FP8_EXP2 are model choices (dtypes.csv). */
static enum specials specials_of(uint8_t dtype, const struct trn_num_mode *mode)
{
    if (trn_dtype_kind(dtype) == TRN_DTYPE_KIND_SCALE)
        return NAN_ONLY;
    if (dtype == TRN_DTYPE_FP4_EXP2 || dtype == TRN_DTYPE_FP8_EXP2)
        return NONE;
    return dtype == TRN_DTYPE_FP8_EXP4 && mode->fp8_e4m3 == TRN_FP8_FN ? NAN_ONLY : IEEE;
}

/* Exponent cap of the EMAX word (numerics.md 2.1); 0: none. */
static uint32_t emax_of(uint8_t dtype, const struct trn_num_mode *mode)
{
    if (dtype == TRN_DTYPE_FP8_EXP4)
        return mode->emax_e4m3;
    return dtype == TRN_DTYPE_FP8_EXP5 ? mode->emax_e5m2 : 0;
}

void trn_format_get(uint8_t dtype, const struct trn_num_mode *mode, struct trn_format *f)
{
    const struct trn_dtype_row *row = &trn_dtype_table[dtype];
    f->man_bits = dtype == TRN_DTYPE_FP32R ? mode->fp32r_mantissa : row->man_bits;
    f->bias = row->bias;
    f->sign_bit = row->sign == TRN_SIGNED ? row->exp_bits + f->man_bits : 32;

    const uint32_t codes = 1u << (row->exp_bits + f->man_bits);
    const uint32_t mantissa = (1u << f->man_bits) - 1;
    const uint32_t infinity = codes - mantissa - 1;
    bool saturate = true;
    switch (specials_of(dtype, mode)) {
    case IEEE:
        f->special = f->overflow = infinity;
        f->max = infinity - 1;
        f->nan = infinity | (mantissa + 1) >> 1;
        saturate = is_fp8(dtype) && mode->fp8_saturate;
        break;
    case NAN_ONLY:
        f->special = f->overflow = f->nan = codes - 1;
        f->max = codes - 2;
        saturate = !is_fp8(dtype) || mode->fp8_saturate;
        break;
    case NONE:
        f->special = codes;
        f->max = f->overflow = f->nan = codes - 1;
        break;
    }

    const uint32_t emax = emax_of(dtype, mode);
    const uint32_t cap = (emax + f->bias) << f->man_bits | mantissa;
    if (emax && cap < f->max)
        f->max = cap;
    f->nan_sign = 0;
    if (is_fp8(dtype) && mode->fp8_nan_suppress) { /* signed zeros instead */
        if (f->overflow == f->nan)
            f->overflow = 0;
        f->nan = 0;
        f->nan_sign = UINT32_MAX;
    }
    if (saturate)
        f->overflow = f->max;
}

trn_status trn_convert_check(uint8_t dtype, const struct trn_num_mode *mode)
{
    const unsigned kept = mode->fp32r_mantissa;
    if ((kept != 10 && kept != 11 && kept != 13) || mode->fp8_e4m3 > TRN_FP8_FN ||
        mode->int_rounding > TRN_INT_TRUNCATE)
        return TRN_ERR_INVALID;
    return trn_dtype_convertible(dtype, NULL);
}
