/* SPDX-License-Identifier: Apache-2.0 */
/* Any dtype to fp32 (docs/hardware/numerics.md 3). */
#include "num/format.h"

#define INTEGER(NAME, TYPE)                                                                        \
    TRN_CLONES static void NAME(const void *in, float *out, size_t n)                              \
    {                                                                                              \
        const TYPE *from = in;                                                                     \
        for (size_t i = 0; i < n; i++)                                                             \
            out[i] = (float)from[i];                                                               \
    }

INTEGER(widen_i8, int8_t)
INTEGER(widen_u8, uint8_t)
INTEGER(widen_i16, trn_packed_i16)
INTEGER(widen_u16, trn_packed_u16)
INTEGER(widen_i32, trn_packed_i32)
INTEGER(widen_u32, trn_packed_u32)
INTEGER(widen_i64, trn_packed_i64)
INTEGER(widen_u64, trn_packed_u64)

TRN_CLONES static void widen_bf16(const void *in, float *out, size_t n)
{
    const trn_packed_u16 *from = in;
    for (size_t i = 0; i < n; i++) {
        const uint32_t u = (uint32_t)from[i] << 16;
        const bool nan = (int32_t)(u & ~TRN_F32_SIGN) > (int32_t)TRN_F32_INF;
        out[i] = trn_bits_f32(nan ? u | 0x400000 : u);
    }
}

/* Width and bias are literals, so that each loop is specialised; `special` depends on the mode. */
#define SMALL(NAME, TYPE, EXP, MAN, BIAS)                                                          \
    TRN_CLONES static void NAME(const void *in, float *out, size_t n, uint32_t special)            \
    {                                                                                              \
        const TYPE *from = in;                                                                     \
        for (size_t i = 0; i < n; i++) {                                                           \
            const uint32_t bits = from[i];                                                         \
            const uint32_t code = bits & ((1u << ((EXP) + (MAN))) - 1);                            \
            const uint32_t sign = bits >> ((EXP) + (MAN)) << 31;                                   \
            out[i] = trn_bits_f32(sign | trn_widen_magnitude(code, MAN, BIAS, special));           \
        }                                                                                          \
    }

SMALL(widen_fp16, trn_packed_u16, 5, 10, 15)
SMALL(widen_e2m5, uint8_t, 2, 5, 1)
SMALL(widen_e3m4, uint8_t, 3, 4, 3)
SMALL(widen_e4m3, uint8_t, 4, 3, 7)
SMALL(widen_e5m2, uint8_t, 5, 2, 15)

/* Unsigned: every bit is magnitude. S0E8M0 is 2^(code - 127) throughout, without subnormals. */
static void widen_scale(const struct trn_format *f, const void *in, float *out, size_t n)
{
    const uint8_t *from = in;
    for (size_t i = 0; i < n; i++) {
        uint32_t bits = trn_widen_magnitude(from[i], f->man_bits, f->bias, f->special);
        if (f->man_bits == 0 && from[i] == 0)
            bits = 0x00400000;
        if (from[i] == f->special)
            bits = TRN_F32_NAN;
        out[i] = trn_bits_f32(bits);
    }
}

/* Element i is nibble i & 1 of byte i / 2, low nibble first. */
static uint32_t nibble(const void *in, size_t i)
{
    return ((const uint8_t *)in)[i / 2] >> (i & 1) * 4 & 15;
}

/* Magnitude codes of E2M1 are 0 to 7 for 0, 1, 2, 3, 4, 6, 8, 12 halves. */
static inline float fp4_value(uint32_t code)
{
    const int32_t m = (int32_t)(code & 7);
    const int32_t halves = m + (m > 4 ? m - 4 : 0) + (m > 6 ? 2 * (m - 6) : 0);
    return trn_bits_f32(code >> 3 << 31 | trn_f32_bits((float)halves * 0.5f));
}

static inline float i4_value(uint32_t code)
{
    return (float)((int32_t)(code ^ 8) - 8);
}

#define NIBBLES(NAME, VALUE)                                                                       \
    TRN_CLONES static void NAME(const void *in, float *out, size_t n)                              \
    {                                                                                              \
        const uint8_t *from = in;                                                                  \
        for (size_t i = 0; i < n / 2; i++) {                                                       \
            out[2 * i] = VALUE(from[i] & 15u);                                                     \
            out[2 * i + 1] = VALUE((uint32_t)from[i] >> 4);                                        \
        }                                                                                          \
        if (n % 2)                                                                                 \
            out[n - 1] = VALUE(nibble(in, n - 1));                                                 \
    }

NIBBLES(widen_fp4, fp4_value)
NIBBLES(widen_i4, i4_value)

trn_status trn_to_fp32_array(uint8_t dtype, const struct trn_num_mode *mode, const void *in,
                             float *out, size_t n)
{
    const trn_status status = trn_convert_check(dtype, mode);
    if (status || n == 0)
        return status;

    struct trn_format f = {0};
    if (!trn_dtype_is_integer(dtype))
        trn_format_get(dtype, mode, &f);
    switch (dtype) {
    case TRN_DTYPE_INT8:
        widen_i8(in, out, n);
        break;
    case TRN_DTYPE_UINT8:
        widen_u8(in, out, n);
        break;
    case TRN_DTYPE_INT16:
        widen_i16(in, out, n);
        break;
    case TRN_DTYPE_UINT16:
        widen_u16(in, out, n);
        break;
    case TRN_DTYPE_INT32:
        widen_i32(in, out, n);
        break;
    case TRN_DTYPE_UINT32:
        widen_u32(in, out, n);
        break;
    case TRN_DTYPE_INT64:
        widen_i64(in, out, n);
        break;
    case TRN_DTYPE_UINT64:
        widen_u64(in, out, n);
        break;
    case TRN_DTYPE_INT4:
        widen_i4(in, out, n);
        break;
    case TRN_DTYPE_BFLOAT16:
        widen_bf16(in, out, n);
        break;
    case TRN_DTYPE_FP16:
        widen_fp16(in, out, n, f.special);
        break;
    case TRN_DTYPE_FP32:
    case TRN_DTYPE_FP32R:
        memmove(out, in, n * sizeof *out);
        break;
    case TRN_DTYPE_FP8_EXP2:
        widen_e2m5(in, out, n, f.special);
        break;
    case TRN_DTYPE_FP8_EXP3:
        widen_e3m4(in, out, n, f.special);
        break;
    case TRN_DTYPE_FP8_EXP4:
        widen_e4m3(in, out, n, f.special);
        break;
    case TRN_DTYPE_FP8_EXP5:
        widen_e5m2(in, out, n, f.special);
        break;
    case TRN_DTYPE_FP4_EXP2:
        widen_fp4(in, out, n);
        break;
    default: /* the SFP8 codes: all that trn_convert_check() lets through */
        widen_scale(&f, in, out, n);
        break;
    }
    return TRN_OK;
}

trn_status trn_to_fp32(uint8_t dtype, const struct trn_num_mode *mode, uint64_t bits, float *out)
{
    return trn_to_fp32_array(dtype, mode, &bits, out, 1);
}
