/* SPDX-License-Identifier: Apache-2.0 */
/* The fp32 operators, one expression each (docs/hardware/vector-ops.md 1, numerics.md 5). They are
 * branch-free, so loops over them vectorise. A NaN that leaves here is any NaN: whoever stores a
 * result makes it canonical with trn_canonical(); no operator looks at a NaN's sign or payload, so
 * doing that once at the end of a chain is the same as after each operator. */
#ifndef TRN_NUM_ALU_F32_H
#define TRN_NUM_ALU_F32_H

#include <math.h>

#include "num/format.h"

TRN_INLINE float trn_canonical(float x)
{
    return x != x ? trn_bits_f32(TRN_F32_NAN) : x;
}

TRN_INLINE float trn_abs(float x)
{
    return trn_bits_f32(trn_f32_bits(x) & ~TRN_F32_SIGN);
}

/* maxNum: equal operands differ at most in a zero's sign, which the AND makes + if any is. */
TRN_INLINE float trn_max(float a, float b)
{
    float r = a > b ? a : b;
    r = a == b ? trn_bits_f32(trn_f32_bits(a) & trn_f32_bits(b)) : r;
    return b != b ? a : r;
}

TRN_INLINE float trn_min(float a, float b)
{
    float r = a < b ? a : b;
    r = a == b ? trn_bits_f32(trn_f32_bits(a) | trn_f32_bits(b)) : r;
    return b != b ? a : r;
}

/* sign(a) * max(|a|, |b|) as the header comment has it, sign(0) = 0 and sign(NaN) = NaN (model
 * choice; the name would suggest min). */
TRN_INLINE float trn_symmetric_clamp(float a, float b)
{
    const float m = trn_max(trn_abs(a), trn_abs(b));
    const float r = trn_bits_f32(trn_f32_bits(m) | (trn_f32_bits(a) & TRN_F32_SIGN));
    return a != 0 && a == a ? r : a;
}

/* Correctly rounded (transcendental.c). */
float trn_pow(float a, float b);
float trn_rsqrt(float a);

/* clang-format off */
/* X(operator, expression in a and b). BYPASS is not here: it moves bits. */
#define TRN_F32_OPS(X)                                                                             \
    X(ADD, a + b)                                                                                  \
    X(SUBTRACT, a - b)                                                                             \
    X(MULT, a * b)                                                                                 \
    X(DIVIDE, a / b)                                                                               \
    X(MAX, trn_max(a, b))                                                                          \
    X(MIN, trn_min(a, b))                                                                          \
    X(LOGICAL_AND, ((a != 0) & (b != 0)) ? 1.0f : 0.0f)                                            \
    X(LOGICAL_OR, ((a != 0) | (b != 0)) ? 1.0f : 0.0f)                                             \
    X(LOGICAL_XOR, ((a != 0) != (b != 0)) ? 1.0f : 0.0f)                                           \
    X(IS_EQ, a == b ? 1.0f : 0.0f)                                                                 \
    X(IS_GT, a > b ? 1.0f : 0.0f)                                                                  \
    X(IS_GE, a >= b ? 1.0f : 0.0f)                                                                 \
    X(IS_LE, a <= b ? 1.0f : 0.0f)                                                                 \
    X(IS_LT, a < b ? 1.0f : 0.0f)                                                                  \
    X(ABSOLUTE_DIFF, trn_abs(a - b))                                                               \
    X(IS_NE, a != b ? 1.0f : 0.0f)                                                                 \
    X(ABSOLUTE_VALUE, trn_abs(a))                                                                  \
    X(POW, trn_pow(a, b))                                                                          \
    X(MOD, fmodf(a, b))                                                                            \
    X(RSQRT, trn_rsqrt(a))                                                                         \
    X(ABS_MAX, trn_max(trn_abs(a), trn_abs(b)))                                                    \
    X(ABS_MIN, trn_min(trn_abs(a), trn_abs(b)))                                                    \
    X(RE_LU, trn_max(a, 0.0f))                                                                     \
    X(SQUARE, a * a)                                                                               \
    X(SYMMETRIC_CLAMP, trn_symmetric_clamp(a, b))
/* clang-format on */

#endif
