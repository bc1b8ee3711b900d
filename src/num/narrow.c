/* SPDX-License-Identifier: Apache-2.0 */
/* fp32 to any dtype, to nearest with ties to even (docs/hardware/numerics.md 4). */
#include <math.h>

#include "num/format.h"

/* ---- floats --------------------------------------------------------------------------------- */

TRN_CLONES static void narrow_bf16(const float *in, void *out, size_t n)
{
    trn_packed_u16 *to = out;
    for (size_t i = 0; i < n; i++) {
        const float x = in[i];
        const uint32_t u = trn_f32_bits(x);
        to[i] = (uint16_t)(x != x ? 0x7FC0 : (u + 0x7FFF + (u >> 16 & 1)) >> 16);
    }
}

/* The low `drop` mantissa bits become zero. */
TRN_CLONES static void narrow_fp32r(const float *in, void *out, size_t n, unsigned drop)
{
    trn_packed_u32 *to = out;
    const uint32_t half = (1u << (drop - 1)) - 1;
    for (size_t i = 0; i < n; i++) {
        const float x = in[i];
        const uint32_t u = trn_f32_bits(x);
        to[i] = x != x ? TRN_F32_NAN : (u + half + (u >> drop & 1)) >> drop << drop;
    }
}

/* Width and bias are literals, so that each loop is specialised; the rest depends on the mode. */
#define SMALL(NAME, TYPE, EXP, MAN, BIAS)                                                          \
    TRN_CLONES static void NAME(const struct trn_format *f, const float *in, void *out, size_t n)  \
    {                                                                                              \
        struct trn_format fixed = *f;                                                              \
        fixed.sign_bit = (EXP) + (MAN);                                                            \
        TYPE *to = out;                                                                            \
        for (size_t i = 0; i < n; i++) {                                                           \
            const float x = in[i];                                                                 \
            const uint32_t mag = trn_f32_bits(x) & ~TRN_F32_SIGN;                                  \
            to[i] = (TYPE)trn_narrow_finish(x, trn_narrow_magnitude(mag, MAN, BIAS), &fixed);      \
        }                                                                                          \
    }

SMALL(narrow_fp16, trn_packed_u16, 5, 10, 15)
SMALL(narrow_e2m5, uint8_t, 2, 5, 1)
SMALL(narrow_e3m4, uint8_t, 3, 4, 3)
SMALL(narrow_e4m3, uint8_t, 4, 3, 7)
SMALL(narrow_e5m2, uint8_t, 5, 2, 15)

static void put_nibble(void *out, size_t i, uint32_t bits)
{
    uint8_t *byte = (uint8_t *)out + i / 2;
    *byte = (uint8_t)(i & 1 ? *byte | bits << 4 : bits);
}

static void narrow_fp4(const struct trn_format *f, const float *in, void *out, size_t n)
{
    memset(out, 0, (n + 3) / 4 * 2); /* whole containers of four */
    for (size_t i = 0; i < n; i++) {
        const uint32_t mag = trn_f32_bits(in[i]) & ~TRN_F32_SIGN;
        const uint32_t code = trn_narrow_magnitude(mag, f->man_bits, f->bias);
        put_nibble(out, i, trn_narrow_finish(in[i], code, f));
    }
}

/* S0E8M0 has no mantissa to round and no zero: |x| / 2^e is 1 or 2 to nearest, ties up to the even
 * 2 (numerics.md 4), and below 2^-127 only the smallest code is left. */
static uint32_t narrow_power_of_two(uint32_t mag)
{
    if (mag < 0x00800000)
        return mag >= 0x00600000;
    return (mag + 0x00400000) >> 23;
}

static void narrow_scale(const struct trn_format *f, const float *in, void *out, size_t n)
{
    uint8_t *to = out;
    for (size_t i = 0; i < n; i++) {
        const uint32_t u = trn_f32_bits(in[i]);
        const uint32_t mag = u & ~TRN_F32_SIGN;
        const uint32_t code = f->man_bits ? trn_narrow_magnitude(mag, f->man_bits, f->bias)
                                          : narrow_power_of_two(mag);
        /* no scale is negative: model choice, as NaN */
        to[i] = (uint8_t)(u > TRN_F32_SIGN ? f->nan : trn_narrow_finish(in[i], code, f));
    }
}

/* ---- integers (numerics.md 4.1) -------------------------------------------------------------- */

/* A NaN counts as the infinity of its sign, which clamps to the end the sheet names. */
TRN_INLINE float without_nan(float x)
{
    return x != x ? trn_bits_f32((trn_f32_bits(x) & TRN_F32_SIGN) | TRN_F32_INF) : x;
}

TRN_INLINE float clamp(float x, float low, float high)
{
    x = x > low ? x : low;
    return x < high ? x : high;
}

/* |x| < 2^22 to the nearest integer, ties to even: an addition that leaves no fraction bits. */
TRN_INLINE int32_t nearest(float x)
{
    return (int32_t)(trn_f32_bits(x + 0x1.8p23f) - 0x4B400000u);
}

/* Bounds of 8- and 16-bit integers are floats, so clamping first is exact. They are arguments, not
 * literals: compilers turn a comparison with known results into worse code than a maximum. */
#define INTEGER(NAME, TYPE)                                                                        \
    TRN_CLONES static void NAME(const float *in, void *out, size_t n, bool truncate, float low,    \
                                float high)                                                        \
    {                                                                                              \
        TYPE *to = out;                                                                            \
        if (truncate) {                                                                            \
            for (size_t i = 0; i < n; i++)                                                         \
                to[i] = (TYPE)(int32_t)clamp(without_nan(in[i]), low, high);                       \
            return;                                                                                \
        }                                                                                          \
        for (size_t i = 0; i < n; i++)                                                             \
            to[i] = (TYPE)nearest(clamp(without_nan(in[i]), low, high));                           \
    }

INTEGER(narrow_8, uint8_t)
INTEGER(narrow_16, trn_packed_u16)

/* Bounds of 32-bit integers: 2^n - 1 is no float. `high` is the last float below `over` = 2^n, and
 * from there on the result is `last`. */
struct range32 {
    float low, high, over;
    uint32_t last;
};

/* x is an integer or is to be truncated. */
TRN_INLINE uint32_t saturate_i32(float x, struct range32 range)
{
    const int32_t value = (int32_t)clamp(x, range.low, range.high);
    return x >= range.over ? range.last : (uint32_t)value;
}

/* The upper half of the range is moved down to convert as a signed integer. */
TRN_INLINE uint32_t saturate_u32(float x, struct range32 range)
{
    const float y = clamp(x, range.low, range.high);
    const bool upper = y >= 0x1p31f;
    const uint32_t value = (uint32_t)(int32_t)(upper ? y - 0x1p31f : y) | (uint32_t)upper << 31;
    return x >= range.over ? range.last : value;
}

#define INTEGER32(NAME, SATURATE)                                                                  \
    TRN_CLONES static void NAME(const float *in, void *out, size_t n, bool truncate,               \
                                struct range32 range)                                              \
    {                                                                                              \
        trn_packed_u32 *to = out;                                                                  \
        if (truncate) {                                                                            \
            for (size_t i = 0; i < n; i++)                                                         \
                to[i] = SATURATE(without_nan(in[i]), range);                                       \
            return;                                                                                \
        }                                                                                          \
        for (size_t i = 0; i < n; i++)                                                             \
            to[i] = SATURATE(rintf(without_nan(in[i])), range);                                    \
    }

INTEGER32(narrow_i32, saturate_i32)
INTEGER32(narrow_u32, saturate_u32)

static uint64_t saturate_i64(float x)
{
    const int64_t value = (int64_t)clamp(x, -0x1p63f, 0x1.fffffep62f);
    return (uint64_t)(x >= 0x1p63f ? INT64_MAX : value);
}

static uint64_t saturate_u64(float x)
{
    const uint64_t value = (uint64_t)clamp(x, 0, 0x1.fffffep63f);
    return x >= 0x1p64f ? UINT64_MAX : value;
}

static void narrow_64(const float *in, void *out, size_t n, bool truncate, bool is_signed)
{
    trn_packed_u64 *to = out;
    for (size_t i = 0; i < n; i++) {
        float x = without_nan(in[i]);
        if (!truncate)
            x = rintf(x);
        to[i] = is_signed ? saturate_i64(x) : saturate_u64(x);
    }
}

static void narrow_i4(const float *in, void *out, size_t n, bool truncate)
{
    for (size_t i = 0; i < n; i++) {
        const float x = clamp(without_nan(in[i]), -8, 7);
        put_nibble(out, i, (uint32_t)(truncate ? (int32_t)x : nearest(x)) & 15);
    }
}

/* ---- choice --------------------------------------------------------------------------------- */

static void narrow_integer(uint8_t dtype, bool truncate, const float *in, void *out, size_t n)
{
    const struct range32 i32 = {-0x1p31f, 0x1.fffffep30f, 0x1p31f, INT32_MAX};
    const struct range32 u32 = {0, 0x1.fffffep31f, 0x1p32f, UINT32_MAX};
    switch (dtype) {
    case TRN_DTYPE_INT8:
        narrow_8(in, out, n, truncate, -128, 127);
        break;
    case TRN_DTYPE_UINT8:
        narrow_8(in, out, n, truncate, 0, 255);
        break;
    case TRN_DTYPE_INT16:
        narrow_16(in, out, n, truncate, -32768, 32767);
        break;
    case TRN_DTYPE_UINT16:
        narrow_16(in, out, n, truncate, 0, 65535);
        break;
    case TRN_DTYPE_INT32:
        narrow_i32(in, out, n, truncate, i32);
        break;
    case TRN_DTYPE_UINT32:
        narrow_u32(in, out, n, truncate, u32);
        break;
    case TRN_DTYPE_INT4:
        narrow_i4(in, out, n, truncate);
        break;
    default: /* INT64, UINT64 */
        narrow_64(in, out, n, truncate, trn_dtype_is_signed(dtype));
        break;
    }
}

static void narrow_float(uint8_t dtype, const struct trn_num_mode *mode, const float *in, void *out,
                         size_t n)
{
    struct trn_format f;
    trn_format_get(dtype, mode, &f);
    switch (dtype) {
    case TRN_DTYPE_BFLOAT16:
        narrow_bf16(in, out, n);
        break;
    case TRN_DTYPE_FP16:
        narrow_fp16(&f, in, out, n);
        break;
    case TRN_DTYPE_FP32:
        memmove(out, in, n * sizeof *in);
        break;
    case TRN_DTYPE_FP32R:
        narrow_fp32r(in, out, n, 23 - f.man_bits);
        break;
    case TRN_DTYPE_FP8_EXP2:
        narrow_e2m5(&f, in, out, n);
        break;
    case TRN_DTYPE_FP8_EXP3:
        narrow_e3m4(&f, in, out, n);
        break;
    case TRN_DTYPE_FP8_EXP4:
        narrow_e4m3(&f, in, out, n);
        break;
    case TRN_DTYPE_FP8_EXP5:
        narrow_e5m2(&f, in, out, n);
        break;
    case TRN_DTYPE_FP4_EXP2:
        narrow_fp4(&f, in, out, n);
        break;
    default: /* the SFP8 codes: all that trn_convert_check() lets through */
        narrow_scale(&f, in, out, n);
        break;
    }
}

trn_status trn_from_fp32_array(uint8_t dtype, const struct trn_num_mode *mode, const float *in,
                               void *out, size_t n)
{
    const trn_status status = trn_convert_check(dtype, mode);
    if (status || n == 0)
        return status;
    if (trn_dtype_is_integer(dtype))
        narrow_integer(dtype, mode->int_rounding == TRN_INT_TRUNCATE, in, out, n);
    else if (mode->lfsr && trn_sr_target(dtype))
        trn_narrow_stochastic(dtype, mode, in, out, n);
    else
        narrow_float(dtype, mode, in, out, n);
    return TRN_OK;
}

trn_status trn_from_fp32(uint8_t dtype, const struct trn_num_mode *mode, float value,
                         uint64_t *bits)
{
    *bits = 0;
    return trn_from_fp32_array(dtype, mode, &value, bits, 1);
}
