/* SPDX-License-Identifier: Apache-2.0 */
/* Operators on special operands, by hand from docs/hardware/numerics.md 5 and 8, vector-ops.md 1.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "trench/num.h"

#define ONE        0x3F800000u
#define TWO        0x40000000u
#define HALF       0x3F000000u
#define INF        0x7F800000u
#define QUIET      0x7FC00000u /* canonical */
#define MINUS      0x80000000u
#define TINY       0x00000001u /* smallest subnormal */
#define LARGEST    0x7F7FFFFFu /* FLT_MAX */
#define SIGNALLING 0x7F800001u

struct f32_row {
    uint8_t op;
    uint32_t a, b, want;
};

static void check_f32(const struct f32_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        float out = 0;
        assert_int_equal(
            trn_alu_f32(rows[i].op, trn_bits_f32(rows[i].a), trn_bits_f32(rows[i].b), &out), 0);
        if (trn_f32_bits(out) != rows[i].want)
            fail_msg("row %zu, %s(%08X, %08X): %08X, wanted %08X", i, trn_alu_name(rows[i].op),
                     rows[i].a, rows[i].b, trn_f32_bits(out), rows[i].want);
    }
}

#define CHECK(ROWS) check_f32(ROWS, sizeof(ROWS) / sizeof(ROWS)[0])

static void test_sums_and_products(void **state)
{
    (void)state;
    static const struct f32_row rows[] = {
        {TRN_ALU_OP_ADD, ONE, TWO, 0x40400000},
        {TRN_ALU_OP_ADD, INF, INF | MINUS, QUIET},
        {TRN_ALU_OP_ADD, SIGNALLING, ONE, QUIET},
        {TRN_ALU_OP_ADD, 0xFFFFFFFF, ONE, QUIET}, /* canonical, not the operand's payload */
        {TRN_ALU_OP_ADD, MINUS, MINUS, MINUS},
        {TRN_ALU_OP_ADD, MINUS, 0, 0},
        {TRN_ALU_OP_ADD, TINY, TINY, 2}, /* subnormals are not flushed */
        {TRN_ALU_OP_ADD, LARGEST, LARGEST, INF},
        {TRN_ALU_OP_ADD, 0x4B800000, ONE, 0x4B800000}, /* 2^24 + 1: a tie, to even */
        {TRN_ALU_OP_ADD, 0x4B800001, ONE, 0x4B800002}, /* 2^24 + 2 + 1: the other way */
        {TRN_ALU_OP_SUBTRACT, ONE, ONE, 0},
        {TRN_ALU_OP_SUBTRACT, MINUS, 0, MINUS},
        {TRN_ALU_OP_SUBTRACT, INF, INF, QUIET},
        {TRN_ALU_OP_SUBTRACT, 0x00800000, TINY, 0x007FFFFF},
        {TRN_ALU_OP_MULT, HALF, TINY, 0}, /* 2^-150: a tie, to even */
        {TRN_ALU_OP_MULT, HALF, 3, 2},    /* 1.5 * 2^-149: a tie, to even */
        {TRN_ALU_OP_MULT, INF, 0, QUIET},
        {TRN_ALU_OP_MULT, ONE | MINUS, 0, MINUS},
        {TRN_ALU_OP_MULT, LARGEST, TWO | MINUS, INF | MINUS},
        {TRN_ALU_OP_DIVIDE, ONE, 0, INF},
        {TRN_ALU_OP_DIVIDE, ONE, MINUS, INF | MINUS},
        {TRN_ALU_OP_DIVIDE, 0, 0, QUIET},
        {TRN_ALU_OP_DIVIDE, INF, INF, QUIET},
        {TRN_ALU_OP_DIVIDE, ONE, INF | MINUS, MINUS},
        {TRN_ALU_OP_DIVIDE, ONE, 0x40400000, 0x3EAAAAAB}, /* 1/3 */
        {TRN_ALU_OP_ABSOLUTE_DIFF, ONE, 0x40400000, TWO},
        {TRN_ALU_OP_ABSOLUTE_DIFF, INF, INF, QUIET},
        {TRN_ALU_OP_ABSOLUTE_DIFF, MINUS, 0, 0},
        {TRN_ALU_OP_SQUARE, TWO | MINUS, 0, 0x40800000},
        {TRN_ALU_OP_SQUARE, SIGNALLING, 0, QUIET},
    };
    CHECK(rows);
}

static void test_maxima_and_minima(void **state)
{
    (void)state;
    static const struct f32_row rows[] = {
        {TRN_ALU_OP_MAX, 0, MINUS, 0},
        {TRN_ALU_OP_MAX, MINUS, 0, 0},
        {TRN_ALU_OP_MAX, MINUS, MINUS, MINUS},
        {TRN_ALU_OP_MIN, 0, MINUS, MINUS},
        {TRN_ALU_OP_MIN, MINUS, 0, MINUS},
        {TRN_ALU_OP_MIN, 0, 0, 0},
        {TRN_ALU_OP_MAX, QUIET, ONE, ONE}, /* NaN loses */
        {TRN_ALU_OP_MAX, ONE, SIGNALLING, ONE},
        {TRN_ALU_OP_MIN, QUIET, INF, INF},
        {TRN_ALU_OP_MIN, INF | MINUS, 0xFFC00000, INF | MINUS},
        {TRN_ALU_OP_MAX, 0xFFC00000, SIGNALLING, QUIET},
        {TRN_ALU_OP_MAX, TINY, 0, TINY},
        {TRN_ALU_OP_MIN, TINY | MINUS, 0, TINY | MINUS},
        {TRN_ALU_OP_ABS_MAX, TWO | MINUS, ONE, TWO},
        {TRN_ALU_OP_ABS_MAX, QUIET, ONE | MINUS, ONE},
        {TRN_ALU_OP_ABS_MIN, TWO | MINUS, ONE | MINUS, ONE},
        {TRN_ALU_OP_ABS_MIN, MINUS, 0, 0},
        {TRN_ALU_OP_ABS_MIN, QUIET, QUIET, QUIET},
        {TRN_ALU_OP_RE_LU, ONE | MINUS, 0, 0},
        {TRN_ALU_OP_RE_LU, MINUS, 0, 0},
        {TRN_ALU_OP_RE_LU, TINY, 0, TINY},
        {TRN_ALU_OP_RE_LU, QUIET, 0, 0}, /* max(NaN, 0), and NaN loses */
        {TRN_ALU_OP_RE_LU, INF, 0, INF},
        {TRN_ALU_OP_SYMMETRIC_CLAMP, ONE | MINUS, TWO, TWO | MINUS},
        {TRN_ALU_OP_SYMMETRIC_CLAMP, TWO, ONE | MINUS, TWO},
        {TRN_ALU_OP_SYMMETRIC_CLAMP, MINUS, TWO, MINUS}, /* sign(0) = 0 */
        {TRN_ALU_OP_SYMMETRIC_CLAMP, QUIET, TWO, QUIET},
        {TRN_ALU_OP_SYMMETRIC_CLAMP, ONE, QUIET, ONE},
        {TRN_ALU_OP_ABSOLUTE_VALUE, MINUS, 0, 0},
        {TRN_ALU_OP_ABSOLUTE_VALUE, INF | MINUS, 0, INF},
        {TRN_ALU_OP_ABSOLUTE_VALUE, 0xFFA00000, 0, QUIET},
    };
    CHECK(rows);
}

static void test_compares_and_logic(void **state)
{
    (void)state;
    static const struct f32_row rows[] = {
        {TRN_ALU_OP_IS_EQ, 0, MINUS, ONE},
        {TRN_ALU_OP_IS_EQ, QUIET, QUIET, 0},
        {TRN_ALU_OP_IS_NE, QUIET, QUIET, ONE},
        {TRN_ALU_OP_IS_NE, ONE, QUIET, ONE},
        {TRN_ALU_OP_IS_NE, 0, MINUS, 0},
        {TRN_ALU_OP_IS_GT, TINY, 0, ONE},
        {TRN_ALU_OP_IS_GT, QUIET, 0, 0},
        {TRN_ALU_OP_IS_GE, 0, MINUS, ONE},
        {TRN_ALU_OP_IS_GE, QUIET, QUIET, 0},
        {TRN_ALU_OP_IS_LE, INF | MINUS, INF, ONE},
        {TRN_ALU_OP_IS_LE, 0, QUIET, 0},
        {TRN_ALU_OP_IS_LT, MINUS, 0, 0},
        {TRN_ALU_OP_IS_LT, ONE, TWO, ONE},
        {TRN_ALU_OP_LOGICAL_AND, TINY, ONE, ONE},
        {TRN_ALU_OP_LOGICAL_AND, MINUS, ONE, 0},
        {TRN_ALU_OP_LOGICAL_AND, QUIET, SIGNALLING, ONE}, /* NaN is not zero */
        {TRN_ALU_OP_LOGICAL_OR, MINUS, 0, 0},
        {TRN_ALU_OP_LOGICAL_OR, 0, QUIET, ONE},
        {TRN_ALU_OP_LOGICAL_XOR, QUIET, ONE, 0},
        {TRN_ALU_OP_LOGICAL_XOR, 0, TINY | MINUS, ONE},
    };
    CHECK(rows);
}

static void test_special_functions(void **state)
{
    (void)state;
    static const struct f32_row rows[] = {
        {TRN_ALU_OP_MOD, 0xC0E00000, 0x40400000, 0xBF800000}, /* -7 mod 3 = -1: sign of a */
        {TRN_ALU_OP_MOD, 0x40E00000, 0xC0400000, 0x3F800000}, /* 7 mod -3 = 1 */
        {TRN_ALU_OP_MOD, 0xC0C00000, 0x40400000, MINUS},      /* -6 mod 3 = -0 */
        {TRN_ALU_OP_MOD, ONE, 0, QUIET},
        {TRN_ALU_OP_MOD, INF, ONE, QUIET},
        {TRN_ALU_OP_MOD, ONE, INF, ONE},
        {TRN_ALU_OP_RSQRT, 0x40800000, 0, HALF}, /* 1/sqrt(4) */
        {TRN_ALU_OP_RSQRT, TWO, 0, 0x3F3504F3},  /* 0.70710678.. */
        {TRN_ALU_OP_RSQRT, 0, 0, INF},
        {TRN_ALU_OP_RSQRT, MINUS, 0, INF | MINUS},
        {TRN_ALU_OP_RSQRT, INF, 0, 0},
        {TRN_ALU_OP_RSQRT, ONE | MINUS, 0, QUIET},
        {TRN_ALU_OP_RSQRT, 0x00400000, 0, 0x5F3504F3}, /* (2^-127)^-1/2 = 2^63.5 */
        {TRN_ALU_OP_POW, TWO, 0x41200000, 0x44800000}, /* 2^10 */
        {TRN_ALU_OP_POW, TWO | MINUS, 0x40400000, 0xC1000000},
        {TRN_ALU_OP_POW, TWO | MINUS, HALF, QUIET},
        {TRN_ALU_OP_POW, 0x40800000, HALF, TWO},
        {TRN_ALU_OP_POW, TWO, 0xC3150000, TINY}, /* 2^-149 */
        {TRN_ALU_OP_POW, TWO, 0xC3160000, 0},    /* 2^-150: a tie, to even */
        {TRN_ALU_OP_POW, TWO, 0x43000000, INF},  /* 2^128 */
        {TRN_ALU_OP_POW, QUIET, 0, ONE},
        {TRN_ALU_OP_POW, ONE, QUIET, ONE},
        {TRN_ALU_OP_POW, 0, ONE | MINUS, INF},
        {TRN_ALU_OP_POW, MINUS, ONE | MINUS, INF | MINUS},
        {TRN_ALU_OP_BYPASS, SIGNALLING, ONE, SIGNALLING}, /* moves bits */
        {TRN_ALU_OP_BYPASS, 0xFFC12345, ONE, 0xFFC12345},
    };
    CHECK(rows);
}

/* 4097^2 = 2^24 + 2^13 + 1 lies on a tie of fp32 (step 2); even is below */
static void test_power_rounds_exact_ties_to_even(void **state)
{
    (void)state;
    float out;
    assert_int_equal(trn_alu_f32(TRN_ALU_OP_POW, 4097, 2, &out), 0);
    assert_true(out == 16785408.0f);
    assert_int_equal(trn_alu_f32(TRN_ALU_OP_POW, 4099, 2, &out), 0);
    assert_true(out == 16801800.0f); /* 16801801: above would be ..802, and ..800 is even */
}

/* The exact powers lie within 10^-16 of a tie of fp32, nearer than double can tell; the side
 * follows from comparing x^(4y) with the fourth power of the tie as integers. */
static void test_power_rounds_near_ties(void **state)
{
    (void)state;
    static const struct f32_row rows[] = {
        {TRN_ALU_OP_POW, 0x3FD39224, 0xC1AE0000, 0x3796426D}, /* y = -21.75, below the tie */
        {TRN_ALU_OP_POW, 0x3FB56409, 0xC1EA0000, 0x381C55EB}, /* y = -29.25, above */
        {TRN_ALU_OP_POW, 0x3FCBBBFE, 0xC2CA0000, 0x1D9ADEC3}, /* y = -101, above */
    };
    CHECK(rows);
}

/* Every significand in [1, 4): r is right when (r - half ulp)^2 a < 1 < (r + half ulp)^2 a,
 * compared as 75-bit integers. No other exponent differs: rsqrt(4a) = rsqrt(a) / 2. */
static void test_rsqrt_is_correctly_rounded(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__)
    const uint32_t stride = 101;
#else
    const uint32_t stride = 1;
#endif
    for (uint32_t bits = 0x3F800001; bits < 0x40800000; bits += stride) {
        float r;
        const float a = trn_bits_f32(bits);
        trn_alu_f32(TRN_ALU_OP_RSQRT, a, 0, &r);
        /* a = A 2^-23 (or 2^-22), r = R 2^-24 with R in [2^23, 2^24) */
        const uint64_t significand = (bits & 0x7FFFFF) | 0x800000;
        const uint64_t twice = (uint64_t)(r * 0x1p25f);
        const unsigned scale = bits < 0x40000000 ? 23 : 22;
        const __uint128_t one = (__uint128_t)1 << (50 + scale);
        const __uint128_t low = (__uint128_t)((twice - 1) * (twice - 1)) * significand;
        const __uint128_t high = (__uint128_t)((twice + 1) * (twice + 1)) * significand;
        if (!(low < one && one < high))
            fail_msg("rsqrt(%08X) = %08X", bits, trn_f32_bits(r));
    }
}

static void test_f32_rejects_other_operators(void **state)
{
    (void)state;
    float out = 5;
    const float in[1] = {1};
    const struct trn_ts_op add = {TRN_ALU_OP_ADD, false, 1},
                           bits = {TRN_ALU_OP_BITWISE_OR, false, 1};
    assert_int_equal(trn_alu_f32(TRN_ALU_OP_BITWISE_AND, 1, 1, &out), TRN_ERR_UNSUPPORTED);
    assert_int_equal(trn_alu_f32(TRN_ALU_OP_ADD_INT, 1, 1, &out), TRN_ERR_UNSUPPORTED);
    assert_int_equal(trn_alu_f32(0x1E, 1, 1, &out), TRN_ERR_UNSUPPORTED);
    assert_int_equal(trn_alu_scalar_array(0xFF, in, 1, true, &out, 1), TRN_ERR_UNSUPPORTED);
    assert_int_equal(trn_alu_ts_row(add, bits, in, &out, 1), TRN_ERR_UNSUPPORTED);
    assert_int_equal(trn_alu_ts_row(bits, add, in, &out, 1), TRN_ERR_UNSUPPORTED);
    assert_int_equal(trn_reduce_rows(TRN_ALU_OP_CRC32, in, 4, 1, 1, &out), TRN_ERR_UNSUPPORTED);
    assert_int_equal(trn_reduce_rows(TRN_ALU_OP_ADD, in, 4, 1, 0, &out), TRN_ERR_INVALID);
    assert_int_equal(trn_reduce_rows(TRN_ALU_OP_ADD, in, 6, 1, 1, &out), TRN_ERR_INVALID);
    assert_true(out == 5);
}

static void test_bitvec(void **state)
{
    (void)state;
    static const struct {
        uint8_t op;
        unsigned bits;
        uint64_t a, b, want;
    } rows[] = {
        {TRN_ALU_OP_BITWISE_NOT, 32, 0x0F0F0F0F, 0, 0xF0F0F0F0},
        {TRN_ALU_OP_BITWISE_NOT, 64, 0, 0, UINT64_MAX},
        {TRN_ALU_OP_LOGICAL_SHIFT_LEFT, 32, 1, 31, 0x80000000},
        {TRN_ALU_OP_LOGICAL_SHIFT_LEFT, 32, 1, 32, 0},
        {TRN_ALU_OP_LOGICAL_SHIFT_LEFT, 64, 1, 32, 1ull << 32},
        {TRN_ALU_OP_ARITH_SHIFT_LEFT, 32, 0xC0000001, 1, 0x80000002},
        {TRN_ALU_OP_ARITH_SHIFT_RIGHT, 32, 0x80000000, 4, 0xF8000000},
        {TRN_ALU_OP_ARITH_SHIFT_RIGHT, 32, 0x80000000, 99, 0xFFFFFFFF},
        {TRN_ALU_OP_ARITH_SHIFT_RIGHT, 32, 0x7FFFFFFF, 32, 0},
        {TRN_ALU_OP_ARITH_SHIFT_RIGHT, 64, 1ull << 63, 63, UINT64_MAX},
        {TRN_ALU_OP_LOGICAL_SHIFT_RIGHT, 32, 0x80000000, 31, 1},
        {TRN_ALU_OP_LOGICAL_SHIFT_RIGHT, 32, 0x80000000, 0xFFFFFFFF, 0},
        {TRN_ALU_OP_BITWISE_AND, 32, 0xFF00FF00, 0x0FF00FF0, 0x0F000F00},
        {TRN_ALU_OP_BITWISE_OR, 32, 0xFF00FF00, 0x0FF00FF0, 0xFFF0FFF0},
        {TRN_ALU_OP_BITWISE_XOR, 64, UINT64_MAX, 1, UINT64_MAX - 1},
        {TRN_ALU_OP_BYPASS, 32, 0xDEADBEEF, 7, 0xDEADBEEF},
        /* CRC-32 of "1234" then "5678" is a published check value: 9AE0DAAF after complement */
        {TRN_ALU_OP_CRC32, 64, 0xFFFFFFFF, 0x3837363534333231, 0x9AE0DAAF ^ 0xFFFFFFFF},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t out;
        assert_int_equal(trn_alu_bitvec(rows[i].op, rows[i].bits, rows[i].a, rows[i].b, &out), 0);
        assert_int_equal(out, rows[i].want);
    }
    uint64_t first, both;
    trn_alu_bitvec(TRN_ALU_OP_CRC32, 32, 0xFFFFFFFF, 0x34333231, &first);
    trn_alu_bitvec(TRN_ALU_OP_CRC32, 32, first, 0x38373635, &both);
    assert_int_equal(both, 0x9AE0DAAF ^ 0xFFFFFFFF);

    uint64_t out = 9;
    assert_int_equal(trn_alu_bitvec(TRN_ALU_OP_ADD, 32, 1, 1, &out), TRN_ERR_UNSUPPORTED);
    assert_int_equal(trn_alu_bitvec(TRN_ALU_OP_BITWISE_OR, 16, 1, 1, &out), TRN_ERR_INVALID);
    assert_int_equal(out, 9);
}

static void test_integers(void **state)
{
    (void)state;
    const uint64_t min32 = 0x80000000, min64 = 1ull << 63;
    const struct {
        uint8_t op;
        unsigned bits;
        bool is_signed;
        uint64_t a, b, want;
    } rows[] = {
        {TRN_ALU_OP_ADD_INT, 32, true, 0x7FFFFFFF, 1, min32}, /* wraps */
        {TRN_ALU_OP_ADD_INT, 64, true, INT64_MAX, 1, min64},
        {TRN_ALU_OP_ADD, 32, false, 16777216, 1, 16777217}, /* exact, unlike fp32 */
        {TRN_ALU_OP_SUBTRACT_INT, 32, false, 0, 1, 0xFFFFFFFF},
        {TRN_ALU_OP_MULT_INT, 32, true, 0x10000, 0x10000, 0},
        {TRN_ALU_OP_MULT_INT, 32, true, 0xFFFFFFFF, 5, 0xFFFFFFFB},
        {TRN_ALU_OP_MULT_UINT, 32, false, 0xFFFFFFFF, 0xFFFFFFFF, 1},
        {TRN_ALU_OP_MULT_UINT, 64, false, UINT64_MAX, 2, UINT64_MAX - 1},
        {TRN_ALU_OP_DIVIDE_INT, 32, true, 0xFFFFFFF9, 2, 0xFFFFFFFD}, /* -7 / 2 = -3 */
        {TRN_ALU_OP_DIVIDE_INT, 32, true, min32, 0xFFFFFFFF, min32},  /* wraps */
        {TRN_ALU_OP_DIVIDE_INT, 64, true, min64, UINT64_MAX, min64},
        {TRN_ALU_OP_DIVIDE_INT, 32, false, 0xFFFFFFF9, 2, 0xFFFFFFFD}, /* the code is signed */
        {TRN_ALU_OP_DIVIDE_UINT, 32, true, 0xFFFFFFF9, 2, 0x7FFFFFFC},
        {TRN_ALU_OP_DIVIDE, 32, false, 0xFFFFFFF9, 2, 0x7FFFFFFC},
        {TRN_ALU_OP_DIVIDE, 32, true, 7, 0xFFFFFFFE, 0xFFFFFFFD},
        {TRN_ALU_OP_MOD_INT, 32, true, 0xFFFFFFF9, 3, 0xFFFFFFFF}, /* -7 mod 3 = -1 */
        {TRN_ALU_OP_MOD_INT, 32, true, 7, 0xFFFFFFFD, 1},
        {TRN_ALU_OP_MOD_INT, 32, true, min32, 0xFFFFFFFF, 0},
        {TRN_ALU_OP_MOD_UINT, 32, false, 0xFFFFFFFF, 10, 5},
        {TRN_ALU_OP_MOD, 64, true, 0 - 7ull, 3, 0 - 1ull},
        {TRN_ALU_OP_MAX_INT, 32, false, 0xFFFFFFFF, 1, 1},
        {TRN_ALU_OP_MAX_UINT, 32, true, 0xFFFFFFFF, 1, 0xFFFFFFFF},
        {TRN_ALU_OP_MIN_INT, 64, true, min64, 0, min64},
        {TRN_ALU_OP_MAX, 32, true, 0xFFFFFFFF, 1, 1},
        {TRN_ALU_OP_MAX, 32, false, 0xFFFFFFFF, 1, 0xFFFFFFFF},
        {TRN_ALU_OP_ABS_MAX_INT, 32, true, min32, 1, min32}, /* |INT_MIN| = 2^31 wraps */
        {TRN_ALU_OP_ABS_MIN_INT, 32, true, min32, 0xFFFFFFFE, 2},
        {TRN_ALU_OP_ABS_DIFF_INT, 32, true, 5, 0xFFFFFFFE, 7},
        {TRN_ALU_OP_ABS_DIFF_INT, 32, true, min32, 0x7FFFFFFF, 0xFFFFFFFF},
        {TRN_ALU_OP_ABS_VALUE_INT, 32, true, min32, 0, min32},
        {TRN_ALU_OP_ABS_VALUE_INT, 32, true, 0xFFFFFFF6, 0, 10},
        {TRN_ALU_OP_ABSOLUTE_VALUE, 32, false, 0xFFFFFFF6, 0, 0xFFFFFFF6},
        {TRN_ALU_OP_RE_LU, 32, true, 0xFFFFFFF6, 0, 0},
        {TRN_ALU_OP_IS_EQUAL_INT, 32, true, 3, 3, 1},
        {TRN_ALU_OP_IS_NE_INT, 64, true, 3, 3, 0},
        {TRN_ALU_OP_IS_GT_INT, 32, true, 0, 0xFFFFFFFF, 1},
        {TRN_ALU_OP_IS_GT_UINT, 32, true, 0, 0xFFFFFFFF, 0},
        {TRN_ALU_OP_IS_LE_INT, 32, true, min32, min32, 1},
        {TRN_ALU_OP_LOGICAL_XOR, 32, true, 4, 2, 0},
        {TRN_ALU_OP_ARITH_SHIFT_RIGHT, 32, true, 0xFFFFFFF0, 2, 0xFFFFFFFC},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t out;
        assert_int_equal(
            trn_alu_int(rows[i].op, rows[i].bits, rows[i].is_signed, rows[i].a, rows[i].b, &out),
            TRN_OK);
        if (out != rows[i].want)
            fail_msg("row %zu, %s: %llX", i, trn_alu_name(rows[i].op), (unsigned long long)out);
    }
}

static void test_division_by_zero_is_reported(void **state)
{
    (void)state;
    static const uint8_t ops[] = {TRN_ALU_OP_DIVIDE,  TRN_ALU_OP_MOD,         TRN_ALU_OP_DIVIDE_INT,
                                  TRN_ALU_OP_MOD_INT, TRN_ALU_OP_DIVIDE_UINT, TRN_ALU_OP_MOD_UINT};
    for (size_t i = 0; i < sizeof ops; i++) {
        uint64_t out = 1;
        assert_int_equal(trn_alu_int(ops[i], 32, true, 5, 0, &out), TRN_ERR_RANGE);
        assert_int_equal(out, 0);
        const uint32_t a[3] = {9, 9, 9}, b[3] = {3, 0, 9}, zero = 0;
        uint32_t c[3];
        assert_int_equal(trn_alu_int_array(ops[i], 32, false, a, 1, b, 1, c, 3), TRN_ERR_RANGE);
        const bool divide = i % 2 == 0;
        assert_int_equal(c[0], divide ? 3 : 0);
        assert_int_equal(c[1], 0);
        assert_int_equal(c[2], divide ? 1 : 0);
        assert_int_equal(trn_alu_int_array(ops[i], 32, false, a, 1, &zero, 0, c, 3), TRN_ERR_RANGE);
        assert_int_equal(trn_alu_int_array(ops[i], 32, false, a, 1, &zero, 0, c, 0), TRN_OK);
        assert_int_equal(trn_reduce_int_rows(ops[i], 32, true, b, 12, 1, 3, c), TRN_ERR_RANGE);
        assert_int_equal(c[0], 0);
    }
}

static void test_arguments_of_extremes(void **state)
{
    (void)state;
    static const uint32_t rows[2][4] = {{5, 0xFFFFFFFF, 9, 9}, {7, 7, 0x80000000, 7}};
    static const struct {
        uint8_t op;
        uint32_t want[2];
    } cases[] = {
        {TRN_ALU_OP_AMAX_INT, {2, 0}}, /* the first of equals */
        {TRN_ALU_OP_AMIN_INT, {1, 2}},
        {TRN_ALU_OP_AMAX_UINT, {1, 2}},
        {TRN_ALU_OP_AMIN_UINT, {0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t out[2];
        assert_int_equal(
            trn_reduce_int_rows(cases[i].op, 32, false, rows, sizeof rows[0], 2, 4, out), TRN_OK);
        assert_memory_equal(out, cases[i].want, sizeof out);
        uint64_t word;
        assert_int_equal(trn_alu_int(cases[i].op, 32, true, 1, 2, &word), TRN_ERR_UNSUPPORTED);
    }
}

/* Field case F34's sequence: 2,048 times 0.1f, added one by one */
static void test_sums_are_sequential(void **state)
{
    (void)state;
    static float x[8192];
    for (size_t i = 0; i < 8192; i++)
        x[i] = 0.1f;
    float out;
    assert_int_equal(trn_reduce_rows(TRN_ALU_OP_ADD, x, sizeof x, 1, 2048, &out), TRN_OK);
    assert_int_equal(trn_f32_bits(out), 0x434CCDA5);
    assert_int_equal(trn_reduce_rows(TRN_ALU_OP_ADD, x, sizeof x, 1, 8192, &out), TRN_OK);
    assert_int_equal(trn_f32_bits(out), 0x444CC969);
}

static void test_reduced_specials(void **state)
{
    (void)state;
    const float nan = trn_bits_f32(0xFFC00001), inf = INFINITY;
    float row[70], out;
    for (int kind = 0; kind < 6; kind++) {
        for (int i = 0; i < 70; i++)
            row[i] = kind == 0 ? nan : kind == 1 ? -inf : kind == 2 ? inf : -0.0f;
        if (kind == 4)
            row[69] = 0.0f;
        if (kind == 5)
            row[0] = nan;
        static const uint32_t max[6] = {QUIET, INF | MINUS, INF, MINUS, 0, MINUS};
        static const uint32_t min[6] = {QUIET, INF | MINUS, INF, MINUS, MINUS, MINUS};
        trn_reduce_rows(TRN_ALU_OP_MAX, row, sizeof row, 1, 70, &out);
        assert_int_equal(trn_f32_bits(out), max[kind]);
        trn_reduce_rows(TRN_ALU_OP_MIN, row, sizeof row, 1, 70, &out);
        assert_int_equal(trn_f32_bits(out), min[kind]);
    }
    for (int i = 0; i < 70; i++)
        row[i] = i == 69 ? -inf : nan; /* minus infinity is a number */
    trn_reduce_rows(TRN_ALU_OP_MAX, row, sizeof row, 1, 70, &out);
    assert_int_equal(trn_f32_bits(out), INF | MINUS);
    trn_reduce_rows(TRN_ALU_OP_ADD, row, sizeof row, 1, 70, &out);
    assert_int_equal(trn_f32_bits(out), QUIET);
    trn_reduce_rows(TRN_ALU_OP_MAX, row, sizeof row, 1, 1, &out); /* one element: no operator */
    assert_int_equal(trn_f32_bits(out), 0xFFC00001);
    for (int i = 0; i < 70; i++)
        row[i] = -0.0f;
    trn_reduce_rows(TRN_ALU_OP_ADD, row, sizeof row, 1, 70, &out); /* no 0 to begin with */
    assert_int_equal(trn_f32_bits(out), MINUS);
    row[0] = row[1] = 1;
    trn_reduce_rows(TRN_ALU_OP_SUBTRACT, row, sizeof row, 1, 5, &out); /* 1 - 1 - -0 .. = +0 */
    assert_int_equal(trn_f32_bits(out), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_and_products),
        cmocka_unit_test(test_maxima_and_minima),
        cmocka_unit_test(test_compares_and_logic),
        cmocka_unit_test(test_special_functions),
        cmocka_unit_test(test_power_rounds_exact_ties_to_even),
        cmocka_unit_test(test_power_rounds_near_ties),
        cmocka_unit_test(test_rsqrt_is_correctly_rounded),
        cmocka_unit_test(test_f32_rejects_other_operators),
        cmocka_unit_test(test_bitvec),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_division_by_zero_is_reported),
        cmocka_unit_test(test_arguments_of_extremes),
        cmocka_unit_test(test_sums_are_sequential),
        cmocka_unit_test(test_reduced_specials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
