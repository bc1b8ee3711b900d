/* SPDX-License-Identifier: Apache-2.0 */
/* Small floating-point formats on 32-bit integer lanes. Everything is branch-free arithmetic on
 * the bits of a float, so that a loop over it vectorises and gives the same bytes at any width.
 *
 * A magnitude code is an element without its sign bit: exponent and mantissa fields, read as one
 * integer. Codes are in the order of the values they stand for, so rounding is an addition with
 * carry and overflow is a comparison (docs/hardware/numerics.md 2, 4). */
#ifndef TRN_NUM_FORMAT_H
#define TRN_NUM_FORMAT_H

#include "base/bytes.h"
#include "num/elements.h"

#define TRN_F32_INF  0x7F800000u
#define TRN_F32_NAN  0x7FC00000u /* canonical (numerics.md 5) */
#define TRN_F32_SIGN 0x80000000u

/* One floating-point format under one mode. */
struct trn_format {
    unsigned man_bits, bias;
    unsigned sign_bit; /* position of the sign; 32: unsigned */
    uint32_t special;  /* first magnitude code that is Inf or NaN; above all codes: none */
    uint32_t max;      /* largest finite magnitude code */
    uint32_t overflow; /* magnitude code of what does not fit */
    uint32_t nan;      /* magnitude code of a NaN input */
    uint32_t nan_sign; /* all ones: a NaN keeps its sign; 0: the sign is dropped */
};

/* The format of a float or scale dtype; FP32R too, as its kept bits. */
void trn_format_get(uint8_t dtype, const struct trn_num_mode *mode, struct trn_format *format);

/* TRN_OK, or why nothing converts: the dtype's kind, or a mode member outside its set. */
trn_status trn_convert_check(uint8_t dtype, const struct trn_num_mode *mode);

/* Stochastic narrowing (stochastic.c); `mode->lfsr` is not NULL and trn_sr_target(dtype). */
void trn_narrow_stochastic(uint8_t dtype, const struct trn_num_mode *mode, const float *in,
                           void *out, size_t n);

/* fp32 bits of a magnitude code. `special` as in struct trn_format. */
TRN_INLINE uint32_t trn_widen_magnitude(uint32_t code, unsigned man_bits, unsigned bias,
                                        uint32_t special)
{
    const unsigned shift = 23 - man_bits;
    const uint32_t field = code << shift;
    /* 2^(emin - man_bits): the value of one step of the subnormal grid */
    const float step = trn_bits_f32((128 - bias - man_bits) << 23);
    const uint32_t normal = field + ((127 - bias) << 23);
    const uint32_t subnormal = trn_f32_bits((float)(int32_t)code * step);
    const uint32_t mantissa = field & 0x7FFFFF;
    const uint32_t quiet = mantissa != 0 ? 0x400000u : 0;
    uint32_t bits = (int32_t)code < (int32_t)(1u << man_bits) ? subnormal : normal;
    bits = (int32_t)code >= (int32_t)special ? TRN_F32_INF | mantissa | quiet : bits;
    return bits;
}

/* Magnitude code nearest to |x|, ties to even, as if exponents had no upper end. `mag` is the fp32
 * bits of |x|, at most Inf. */
TRN_INLINE uint32_t trn_narrow_magnitude(uint32_t mag, unsigned man_bits, unsigned bias)
{
    const unsigned shift = 23 - man_bits;
    const uint32_t half = (1u << (shift - 1)) - 1;
    const uint32_t normal = (mag - ((127 - bias) << 23) + half + (mag >> shift & 1)) >> shift;
    /* below the smallest normal: let an addition round at the step of the subnormal grid */
    const uint32_t magic = (151 - bias - man_bits) << 23;
    const uint32_t subnormal = trn_f32_bits(trn_bits_f32(mag) + trn_bits_f32(magic)) - magic;
    return (int32_t)mag < (int32_t)((128 - bias) << 23) ? subnormal : normal;
}

/* Element code (sign included) of x, given the rounded magnitude code of |x|. */
TRN_INLINE uint32_t trn_narrow_finish(float x, uint32_t code, const struct trn_format *f)
{
    const uint32_t sign = f->sign_bit < 32 ? trn_f32_bits(x) >> 31 << f->sign_bit : 0;
    code = (int32_t)code > (int32_t)f->max ? f->overflow : code;
    return x != x ? f->nan | (sign & f->nan_sign) : code | sign;
}

#endif
