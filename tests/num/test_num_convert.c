/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of docs/hardware/numerics.md 3, 4.1, 6 and 11, and field cases F23, F25 and F33. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "trench/num.h"

static struct trn_num_mode mode_of(const char *gen)
{
    struct trn_num_mode mode;
    trn_num_mode_default(trn_gen_find(gen), &mode);
    return mode;
}

static uint64_t narrow(uint8_t dtype, const struct trn_num_mode *mode, float x)
{
    uint64_t bits = UINT64_MAX;
    assert_int_equal(trn_from_fp32(dtype, mode, x, &bits), TRN_OK);
    return bits;
}

static uint32_t widen(uint8_t dtype, const struct trn_num_mode *mode, uint64_t bits)
{
    float x;
    assert_int_equal(trn_to_fp32(dtype, mode, bits, &x), TRN_OK);
    return trn_f32_bits(x);
}

/* numerics.md 11.1: saturate on / off for E3M4, E4M3 legacy, E4M3FN, E5M2 */
static void test_fp8_vectors(void **state)
{
    (void)state;
    static const struct {
        float x;
        uint8_t want[4][2];
    } rows[] = {
        {1.0f, {{0x30, 0x30}, {0x38, 0x38}, {0x38, 0x38}, {0x3C, 0x3C}}},
        {-1.5f, {{0xB8, 0xB8}, {0xBC, 0xBC}, {0xBC, 0xBC}, {0xBE, 0xBE}}},
        {0.1f, {{0x06, 0x06}, {0x1D, 0x1D}, {0x1D, 0x1D}, {0x2E, 0x2E}}},
        {3.14159274f, {{0x49, 0x49}, {0x45, 0x45}, {0x45, 0x45}, {0x42, 0x42}}},
        {15.5f, {{0x6F, 0x6F}, {0x58, 0x58}, {0x58, 0x58}, {0x4C, 0x4C}}},
        {16, {{0x6F, 0x70}, {0x58, 0x58}, {0x58, 0x58}, {0x4C, 0x4C}}},
        {240, {{0x6F, 0x70}, {0x77, 0x77}, {0x77, 0x77}, {0x5C, 0x5C}}},
        {247, {{0x6F, 0x70}, {0x77, 0x77}, {0x77, 0x77}, {0x5C, 0x5C}}},
        {248, {{0x6F, 0x70}, {0x77, 0x78}, {0x78, 0x78}, {0x5C, 0x5C}}},
        {448, {{0x6F, 0x70}, {0x77, 0x78}, {0x7E, 0x7E}, {0x5F, 0x5F}}},
        {464, {{0x6F, 0x70}, {0x77, 0x78}, {0x7E, 0x7E}, {0x5F, 0x5F}}},
        {465, {{0x6F, 0x70}, {0x77, 0x78}, {0x7E, 0x7F}, {0x5F, 0x5F}}},
        {57344, {{0x6F, 0x70}, {0x77, 0x78}, {0x7E, 0x7F}, {0x7B, 0x7B}}},
        {61440, {{0x6F, 0x70}, {0x77, 0x78}, {0x7E, 0x7F}, {0x7B, 0x7C}}},
        {INFINITY, {{0x6F, 0x70}, {0x77, 0x78}, {0x7E, 0x7F}, {0x7B, 0x7C}}},
        {-INFINITY, {{0xEF, 0xF0}, {0xF7, 0xF8}, {0xFE, 0xFF}, {0xFB, 0xFC}}},
        {NAN, {{0x78, 0x78}, {0x7C, 0x7C}, {0x7F, 0x7F}, {0x7E, 0x7E}}},
        {0x1p-6f, {{0x01, 0x01}, {0x08, 0x08}, {0x08, 0x08}, {0x24, 0x24}}},
        {0x1p-9f, {{0x00, 0x00}, {0x01, 0x01}, {0x01, 0x01}, {0x18, 0x18}}},
        {0x1p-10f, {{0x00, 0x00}, {0x00, 0x00}, {0x00, 0x00}, {0x14, 0x14}}},
        {0x1.8p-10f, {{0x00, 0x00}, {0x01, 0x01}, {0x01, 0x01}, {0x16, 0x16}}},
        {0x1p-16f, {{0x00, 0x00}, {0x00, 0x00}, {0x00, 0x00}, {0x01, 0x01}}},
        {0x1p-17f, {{0x00, 0x00}, {0x00, 0x00}, {0x00, 0x00}, {0x00, 0x00}}},
        {1.01f * 0x1p-17f, {{0x00, 0x00}, {0x00, 0x00}, {0x00, 0x00}, {0x01, 0x01}}},
        {-0.0f, {{0x80, 0x80}, {0x80, 0x80}, {0x80, 0x80}, {0x80, 0x80}}},
    };
    static const struct {
        uint8_t dtype;
        enum trn_fp8_reading reading;
    } columns[4] = {{TRN_DTYPE_FP8_EXP3, TRN_FP8_LEGACY},
                    {TRN_DTYPE_FP8_EXP4, TRN_FP8_LEGACY},
                    {TRN_DTYPE_FP8_EXP4, TRN_FP8_FN},
                    {TRN_DTYPE_FP8_EXP5, TRN_FP8_LEGACY}};
    struct trn_num_mode mode = mode_of("sunda");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int column = 0; column < 4; column++)
            for (int off = 0; off < 2; off++) {
                mode.fp8_e4m3 = columns[column].reading;
                mode.fp8_saturate = !off;
                assert_int_equal(narrow(columns[column].dtype, &mode, rows[i].x),
                                 rows[i].want[column][off]);
            }
}

/* numerics.md 11.2 */
static void test_other_vectors(void **state)
{
    (void)state;
    const struct trn_num_mode mode = mode_of("sunda");
    static const struct {
        uint8_t dtype;
        uint32_t in;
        uint64_t out;
    } rows[] = {
        {TRN_DTYPE_BFLOAT16, 0x40490FDB, 0x4049},
        {TRN_DTYPE_BFLOAT16, 0x3DCCCCCD, 0x3DCD},
        {TRN_DTYPE_BFLOAT16, 0x3F800001, 0x3F80},
        {TRN_DTYPE_BFLOAT16, 0xFF7FFFFF, 0xFF80},
        {TRN_DTYPE_FP32R, 0x40490FDB, 0x40491000},
        {TRN_DTYPE_FP32R, 0x3DCCCCCD, 0x3DCCD000},
        {TRN_DTYPE_FP32R, 0x3F800001, 0x3F800000},
        {TRN_DTYPE_FP32R, 0x7F7FFFFF, 0x7F800000},
        {TRN_DTYPE_FP32R, 0xFFC12345, 0x7FC00000},
        {TRN_DTYPE_FP32, 0xFFA12345, 0xFFA12345}, /* bit by bit */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(narrow(rows[i].dtype, &mode, trn_bits_f32(rows[i].in)), rows[i].out);

    assert_int_equal(narrow(TRN_DTYPE_FP16, &mode, 65519.0f), 0x7BFF);
    assert_int_equal(narrow(TRN_DTYPE_FP16, &mode, 65520.0f), 0x7C00);
    assert_int_equal(narrow(TRN_DTYPE_FP16, &mode, 0x1p-25f), 0x0000);
    assert_int_equal(narrow(TRN_DTYPE_FP16, &mode, 1.01f * 0x1p-25f), 0x0001);
    assert_int_equal(widen(TRN_DTYPE_INT32, &mode, 16777217), 0x4B800000);
    assert_int_equal(widen(TRN_DTYPE_INT32, &mode, 16777219), 0x4B800002);
    assert_int_equal(narrow(TRN_DTYPE_UINT16, &mode, 65535.5f), 65535);
    assert_int_equal(narrow(TRN_DTYPE_UINT16, &mode, -0.5f), 0);
}

/* numerics.md 4.1, field case F25 */
static void test_float_to_integer(void **state)
{
    (void)state;
    const struct trn_num_mode mode = mode_of("sunda");
    const float nan = trn_bits_f32(0x7FC00000), minus_nan = trn_bits_f32(0xFFC00000);
    const struct {
        uint8_t dtype;
        float x;
        uint64_t want;
    } rows[] = {
        {TRN_DTYPE_INT8, 0.5f, 0},
        {TRN_DTYPE_INT8, 1.5f, 2},
        {TRN_DTYPE_INT8, 2.5f, 2},
        {TRN_DTYPE_INT8, -0.5f, 0},
        {TRN_DTYPE_INT8, -2.5f, 0xFE},
        {TRN_DTYPE_INT8, 127.5f, 127},
        {TRN_DTYPE_INT8, -128.5f, 0x80},
        {TRN_DTYPE_INT8, nan, 127},
        {TRN_DTYPE_INT8, minus_nan, 0x80},
        {TRN_DTYPE_INT8, -INFINITY, 0x80},
        {TRN_DTYPE_UINT8, 300, 255},
        {TRN_DTYPE_UINT8, -1, 0},
        {TRN_DTYPE_UINT8, nan, 255},
        {TRN_DTYPE_UINT8, minus_nan, 0},
        {TRN_DTYPE_INT16, -40000, 0x8000},
        {TRN_DTYPE_INT32, 2147483648.0f, 2147483647},
        {TRN_DTYPE_INT32, -2147483648.0f, 0x80000000},
        {TRN_DTYPE_INT32, 2147483520.0f, 2147483520},
        {TRN_DTYPE_INT32, 8388609.0f, 8388609},
        {TRN_DTYPE_INT32, -4194304.5f, 0xFFC00000}, /* a tie: -4194304 is even */
        {TRN_DTYPE_INT32, nan, 2147483647},
        {TRN_DTYPE_INT32, minus_nan, 0x80000000},
        {TRN_DTYPE_UINT32, 4294967040.0f, 4294967040},
        {TRN_DTYPE_UINT32, 2147483648.0f, 2147483648},
        {TRN_DTYPE_UINT32, 4294967296.0f, 4294967295},
        {TRN_DTYPE_UINT32, -3, 0},
        {TRN_DTYPE_INT64, 0x1p63f, INT64_MAX},
        {TRN_DTYPE_INT64, -0x1p63f, 1ull << 63},
        {TRN_DTYPE_UINT64, 0x1p64f, UINT64_MAX},
        {TRN_DTYPE_UINT64, minus_nan, 0},
        {TRN_DTYPE_INT4, 7.5f, 7},
        {TRN_DTYPE_INT4, -9, 8},
        {TRN_DTYPE_INT4, -1, 15},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(narrow(rows[i].dtype, &mode, rows[i].x), rows[i].want);
}

static void test_truncating_cast_is_an_option(void **state)
{
    (void)state;
    struct trn_num_mode mode = mode_of("sunda");
    mode.int_rounding = TRN_INT_TRUNCATE;
    assert_int_equal(narrow(TRN_DTYPE_INT8, &mode, 1.75f), 1);
    assert_int_equal(narrow(TRN_DTYPE_INT8, &mode, -1.75f), 0xFF);
    assert_int_equal(narrow(TRN_DTYPE_INT8, &mode, 127.99f), 127);
    assert_int_equal(narrow(TRN_DTYPE_UINT16, &mode, -0.99f), 0);
    assert_int_equal(narrow(TRN_DTYPE_INT32, &mode, -1.5f), 0xFFFFFFFF);
    assert_int_equal(narrow(TRN_DTYPE_UINT32, &mode, 3000000000.0f), 3000000000);
    assert_int_equal(narrow(TRN_DTYPE_INT64, &mode, -2.5f), UINT64_MAX - 1);
    assert_int_equal(narrow(TRN_DTYPE_INT4, &mode, -1.75f), 15);
    assert_int_equal(narrow(TRN_DTYPE_BFLOAT16, &mode, trn_bits_f32(0x3F808001)), 0x3F81);
}

/* numerics.md 4.2 */
static void test_integer_casts_go_through_fp32(void **state)
{
    (void)state;
    const struct trn_num_mode mode = mode_of("sunda");
    const int32_t in[3] = {16777217, -5, INT32_MAX};
    uint32_t out[3];
    assert_int_equal(trn_convert_array(TRN_DTYPE_INT32, TRN_DTYPE_UINT32, &mode, in, out, 3), 0);
    assert_int_equal(out[0], 16777216);
    assert_int_equal(out[1], 0);
    assert_int_equal(out[2], 0x80000000); /* 2^31 after rounding to 24 bits */
    int32_t same[3];
    assert_int_equal(trn_convert_array(TRN_DTYPE_INT32, TRN_DTYPE_INT32, &mode, in, same, 3), 0);
    assert_memory_equal(in, same, sizeof in);
}

/* numerics.md 3: no double rounding. 2^63 + 2^39 is a tie of fp32 (step 2^40); one more than that
 * is above it, and rounding to double first (step 2^11) would lose the one. */
static void test_64_bit_integers_round_once(void **state)
{
    (void)state;
    const struct trn_num_mode mode = mode_of("sunda");
    const uint64_t tie = (1ull << 63) + (1ull << 39);
    assert_int_equal(widen(TRN_DTYPE_UINT64, &mode, tie), 0x5F000000);
    assert_int_equal(widen(TRN_DTYPE_UINT64, &mode, tie + 1), 0x5F000001);
    assert_int_equal(widen(TRN_DTYPE_UINT64, &mode, UINT64_MAX), 0x5F800000);
    const uint64_t half = (1ull << 62) + (1ull << 38);
    assert_int_equal(widen(TRN_DTYPE_INT64, &mode, half), 0x5E800000);
    assert_int_equal(widen(TRN_DTYPE_INT64, &mode, half + 1), 0x5E800001);
    assert_int_equal(widen(TRN_DTYPE_INT64, &mode, 0 - (half + 1)), 0xDE800001);
    assert_int_equal(widen(TRN_DTYPE_INT64, &mode, 1ull << 63), 0xDF000000);
}

static void test_signalling_nans_become_quiet(void **state)
{
    (void)state;
    struct trn_num_mode mode = mode_of("sunda");
    assert_int_equal(widen(TRN_DTYPE_BFLOAT16, &mode, 0x7F81), 0x7FC10000);
    assert_int_equal(widen(TRN_DTYPE_BFLOAT16, &mode, 0xFFC5), 0xFFC50000);
    assert_int_equal(widen(TRN_DTYPE_FP16, &mode, 0xFC01), 0xFFC02000);
    assert_int_equal(widen(TRN_DTYPE_FP8_EXP4, &mode, 0x79), 0x7FD00000);
    assert_int_equal(widen(TRN_DTYPE_FP8_EXP5, &mode, 0x7D), 0x7FE00000);
    mode.fp8_e4m3 = TRN_FP8_FN;
    assert_int_equal(widen(TRN_DTYPE_FP8_EXP4, &mode, 0x7F), 0x7FF00000);
    assert_int_equal(widen(TRN_DTYPE_FP8_EXP4, &mode, 0x79), 0x43900000); /* 288 */
    /* a plain read, numerics.md 2.2 */
    assert_int_equal(widen(TRN_DTYPE_FP32R, &mode, 0x7F800001), 0x7F800001);
}

/* field cases F23 and F33; numerics.md 10 */
static void test_generation_defaults(void **state)
{
    (void)state;
    static const struct {
        const char *gen;
        uint8_t of_300, of_465, of_1000, of_248;
    } rows[] = {
        {"sunda", 0x78, 0x78, 0x78, 0x78},    {"cayman", 0x78, 0x78, 0x78, 0x78},
        {"mariana", 0x79, 0x7E, 0x7E, 0x78},  {"mariana_plus", 0x79, 0x7E, 0x7E, 0x78},
        {"maverick", 0x79, 0x7E, 0x7E, 0x78},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct trn_num_mode mode = mode_of(rows[i].gen);
        assert_int_equal(narrow(TRN_DTYPE_FP8_EXP4, &mode, 300), rows[i].of_300);
        assert_int_equal(narrow(TRN_DTYPE_FP8_EXP4, &mode, 465), rows[i].of_465);
        assert_int_equal(narrow(TRN_DTYPE_FP8_EXP4, &mode, 1000), rows[i].of_1000);
        assert_int_equal(narrow(TRN_DTYPE_FP8_EXP4, &mode, 248), rows[i].of_248);
        assert_null(mode.lfsr);
        assert_int_equal(mode.fp32r_mantissa, 11);
        assert_int_equal(mode.int_rounding, TRN_INT_RNE);
    }
    struct trn_num_mode mode = mode_of("mariana");
    assert_int_equal(narrow(TRN_DTYPE_FP8_EXP4, &mode, NAN), 0x7F);
    assert_int_equal(narrow(TRN_DTYPE_FP8_EXP4, &mode, 464), 0x7E);
    mode.fp8_saturate = false;
    assert_int_equal(narrow(TRN_DTYPE_FP8_EXP4, &mode, 464), 0x7E);
    assert_int_equal(narrow(TRN_DTYPE_FP8_EXP4, &mode, 465), 0x7F);
    mode = mode_of("sunda");
    assert_int_equal(narrow(TRN_DTYPE_FP8_EXP4, &mode, 240), 0x77);
    assert_int_equal(narrow(TRN_DTYPE_FP8_EXP4, &mode, 247), 0x77);
}

/* numerics.md 2.1 and 4 */
static void test_nan_suppress_and_emax(void **state)
{
    (void)state;
    struct trn_num_mode mode = mode_of("mariana");
    mode.fp8_nan_suppress = true;
    assert_int_equal(narrow(TRN_DTYPE_FP8_EXP4, &mode, trn_bits_f32(0xFFC00000)), 0x80);
    assert_int_equal(narrow(TRN_DTYPE_FP8_EXP5, &mode, NAN), 0x00);
    assert_int_equal(narrow(TRN_DTYPE_BFLOAT16, &mode, NAN), 0x7FC0); /* FP8 targets only */
    mode.fp8_saturate = false; /* overflow of E4M3FN would be a NaN: a signed zero instead */
    assert_int_equal(narrow(TRN_DTYPE_FP8_EXP4, &mode, -500), 0x80);
    assert_int_equal(narrow(TRN_DTYPE_FP8_EXP5, &mode, -INFINITY), 0xFC);

    mode = mode_of("mariana");
    mode.emax_e4m3 = 7; /* 2^7 * 1.875 = 240 */
    assert_int_equal(narrow(TRN_DTYPE_FP8_EXP4, &mode, 240), 0x77);
    assert_int_equal(narrow(TRN_DTYPE_FP8_EXP4, &mode, 300), 0x77);
    mode.emax_e4m3 = 8; /* the format's own */
    assert_int_equal(narrow(TRN_DTYPE_FP8_EXP4, &mode, 448), 0x7E);
    assert_int_equal(narrow(TRN_DTYPE_FP8_EXP4, &mode, 480), 0x7E); /* never the NaN code */
    mode.emax_e5m2 = 3;
    mode.fp8_saturate = false;
    assert_int_equal(narrow(TRN_DTYPE_FP8_EXP5, &mode, 14), 0x4B);
    assert_int_equal(narrow(TRN_DTYPE_FP8_EXP5, &mode, 16), 0x7C);
}

/* FP4 E2M1 is 0 .5 1 1.5 2 3 4 6; E2M5 ends at 7.875; no specials (dtypes.csv) */
static void test_formats_without_specials(void **state)
{
    (void)state;
    const struct trn_num_mode mode = mode_of("maverick");
    static const float fp4[8] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
    for (uint32_t code = 0; code < 16; code++) {
        const float x = code & 8 ? -fp4[code & 7] : fp4[code & 7];
        assert_int_equal(widen(TRN_DTYPE_FP4_EXP2, &mode, code), trn_f32_bits(x));
        assert_int_equal(narrow(TRN_DTYPE_FP4_EXP2, &mode, x), code);
    }
    assert_int_equal(narrow(TRN_DTYPE_FP4_EXP2, &mode, 5), 6);     /* tie to even: 4 */
    assert_int_equal(narrow(TRN_DTYPE_FP4_EXP2, &mode, 0.25f), 0); /* tie to even: 0 */
    assert_int_equal(narrow(TRN_DTYPE_FP4_EXP2, &mode, -1e30f), 15);
    assert_int_equal(narrow(TRN_DTYPE_FP4_EXP2, &mode, INFINITY), 7);
    assert_int_equal(narrow(TRN_DTYPE_FP4_EXP2, &mode, trn_bits_f32(0xFFC00000)), 7);

    assert_int_equal(widen(TRN_DTYPE_FP8_EXP2, &mode, 0x7F), trn_f32_bits(7.875f));
    assert_int_equal(widen(TRN_DTYPE_FP8_EXP2, &mode, 0x20), trn_f32_bits(1));
    assert_int_equal(widen(TRN_DTYPE_FP8_EXP2, &mode, 0x81), trn_f32_bits(-0x1p-5f));
    assert_int_equal(narrow(TRN_DTYPE_FP8_EXP2, &mode, -8), 0xFF);
    assert_int_equal(narrow(TRN_DTYPE_FP8_EXP2, &mode, NAN), 0x7F);
}

static void test_scales(void **state)
{
    (void)state;
    const struct trn_num_mode mode = mode_of("maverick");
    assert_int_equal(widen(TRN_DTYPE_SFP8_E8, &mode, 127), trn_f32_bits(1));
    assert_int_equal(widen(TRN_DTYPE_SFP8_E8, &mode, 0), trn_f32_bits(0x1p-127f));
    assert_int_equal(widen(TRN_DTYPE_SFP8_E8, &mode, 254), trn_f32_bits(0x1p127f));
    assert_int_equal(widen(TRN_DTYPE_SFP8_E8, &mode, 255), 0x7FC00000);
    assert_int_equal(narrow(TRN_DTYPE_SFP8_E8, &mode, 1.25f), 127);
    assert_int_equal(narrow(TRN_DTYPE_SFP8_E8, &mode, 1.5f), 128); /* q = 1.5: even is 2 */
    assert_int_equal(narrow(TRN_DTYPE_SFP8_E8, &mode, 0x1.4p-127f), 0);
    assert_int_equal(narrow(TRN_DTYPE_SFP8_E8, &mode, 0x1.8p-127f), 1);
    assert_int_equal(narrow(TRN_DTYPE_SFP8_E8, &mode, 0), 0);
    assert_int_equal(narrow(TRN_DTYPE_SFP8_E8, &mode, -0.0f), 0);
    assert_int_equal(narrow(TRN_DTYPE_SFP8_E8, &mode, INFINITY), 254);
    assert_int_equal(narrow(TRN_DTYPE_SFP8_E8, &mode, -1), 255);
    assert_int_equal(narrow(TRN_DTYPE_SFP8_E8, &mode, NAN), 255);
    /* unsigned E5M3, bias 15: 0x78 is exponent 15, mantissa 0 */
    assert_int_equal(widen(TRN_DTYPE_SFP8_E5, &mode, 0x78), trn_f32_bits(1));
    assert_int_equal(narrow(TRN_DTYPE_SFP8_E5, &mode, 1.0625f), 0x78);
    assert_int_equal(narrow(TRN_DTYPE_SFP8_E7, &mode, 3), 0x81); /* 2^1 * 1.5 */
}

/* pe-array.md 10.2: element q in bits 4q+3..4q of its container */
static void test_packed_nibbles(void **state)
{
    (void)state;
    const struct trn_num_mode mode = mode_of("maverick");
    const float in[5] = {0.5f, -1, 6, -6, 2};
    uint8_t out[5] = {0xEE, 0xEE, 0xEE, 0xEE, 0xEE};
    assert_int_equal(trn_from_fp32_array(TRN_DTYPE_FP4_EXP2, &mode, in, out, 5), TRN_OK);
    const uint8_t want[5] = {0xA1, 0xF7, 0x04, 0x00, 0xEE}; /* two containers of two bytes */
    assert_memory_equal(out, want, sizeof want);
    float back[5];
    assert_int_equal(trn_to_fp32_array(TRN_DTYPE_FP4_EXP2, &mode, out, back, 5), TRN_OK);
    assert_memory_equal(in, back, sizeof in);

    const float ints[3] = {-8, 7, -1};
    uint8_t nibbles[3] = {0xEE, 0xEE, 0xEE};
    assert_int_equal(trn_from_fp32_array(TRN_DTYPE_INT4, &mode, ints, nibbles, 3), TRN_OK);
    const uint8_t packed[3] = {0x78, 0x0F, 0xEE};
    assert_memory_equal(nibbles, packed, sizeof packed);
    assert_int_equal(trn_to_fp32_array(TRN_DTYPE_INT4, &mode, nibbles, back, 3), TRN_OK);
    assert_memory_equal(ints, back, sizeof ints);
}

static void test_fp32r_width_is_an_option(void **state)
{
    (void)state;
    struct trn_num_mode mode = mode_of("sunda");
    mode.fp32r_mantissa = 10; /* 1/8/10: 13 bits dropped, 40490FDB: .. 0FDB is below half of 2000 */
    assert_int_equal(narrow(TRN_DTYPE_FP32R, &mode, trn_bits_f32(0x40490FDB)), 0x40490000);
    mode.fp32r_mantissa = 13; /* 10 bits dropped: 0FDB - 0C00 = 3DB is above 200 */
    assert_int_equal(narrow(TRN_DTYPE_FP32R, &mode, trn_bits_f32(0x40490FDB)), 0x40491000);
    assert_int_equal(narrow(TRN_DTYPE_FP32R, &mode, trn_bits_f32(0x40490DFF)), 0x40490C00);
}

static void test_bad_dtype_or_mode_writes_nothing(void **state)
{
    (void)state;
    struct trn_num_mode mode = mode_of("sunda");
    const float in[2] = {1, 2};
    uint32_t out[2] = {7, 7};
    assert_int_equal(trn_from_fp32_array(TRN_DTYPE_CPTC2, &mode, in, out, 2), TRN_ERR_UNSUPPORTED);
    float wide[2] = {7, 7};
    assert_int_equal(trn_to_fp32_array(0x18, &mode, in, wide, 2), TRN_ERR_INVALID);
    assert_true(wide[0] == 7 && wide[1] == 7);
    assert_int_equal(trn_convert_array(TRN_DTYPE_FP32, 0, &mode, in, out, 2), TRN_ERR_INVALID);
    assert_int_equal(trn_convert_array(TRN_DTYPE_CPTC1, TRN_DTYPE_CPTC1, &mode, in, out, 2),
                     TRN_ERR_UNSUPPORTED);
    mode.fp32r_mantissa = 12;
    assert_int_equal(trn_from_fp32_array(TRN_DTYPE_INT32, &mode, in, out, 2), TRN_ERR_INVALID);
    assert_int_equal(out[0], 7);
    assert_int_equal(out[1], 7);
    assert_int_equal(trn_to_u32_array(TRN_DTYPE_INT64, TRN_EXTEND_ZERO, in, out, 1),
                     TRN_ERR_INVALID);
    assert_int_equal(trn_to_u32_array(TRN_DTYPE_INT4, TRN_EXTEND_ZERO, in, out, 1),
                     TRN_ERR_INVALID);
    assert_int_equal(out[0], 7);
}

/* vector-ops.md 13.3 */
static void test_lfsr_sequences(void **state)
{
    (void)state;
    static const uint32_t reset[8] = {0x9B3D1AAF, 0x367A355E, 0x6CF46ABC, 0xD9E8D579,
                                      0xB3D1AAF3, 0x67A355E7, 0xCF46ABCF, 0x9E8D579F};
    uint32_t s = 0xCD9E8D57;
    for (int i = 0; i < 8; i++)
        assert_int_equal(trn_lfsr_next(&s), reset[i]);
    static const uint32_t one[8] = {0x3, 0x6, 0xD, 0x1B, 0x36, 0x6D, 0xDB, 0x1B6};
    s = 1;
    for (int i = 0; i < 8; i++)
        assert_int_equal(trn_lfsr_next(&s), one[i]);
    for (int i = 8; i < 1000; i++)
        trn_lfsr_next(&s);
    assert_int_equal(s, 0xEB62387F);
}

/* numerics.md 6 */
static void test_stochastic_seeds(void **state)
{
    (void)state;
    assert_int_equal(trn_sr_seed(0, 0), 1);
    assert_int_equal(trn_sr_seed(0, 0x70000000), 1); /* the dtype code is not part of the seed */
    assert_int_equal(trn_sr_seed(5, 0xE0123456), 0x05123456);
    assert_int_equal(trn_sr_seed(127, 0x3FFFFF), 0x7F1FFFFF);
    for (int code = 0; code < 256; code++) {
        const bool want = code == 0x6 || code == 0x7 || code == 0xB ||
                          (code >= 0xD && code <= 0xF) || code == 0x11;
        assert_int_equal(trn_sr_target((uint8_t)code), want);
    }
}

/* numerics.md 6: 3F806000 is 0.375 ulp above 3F80; draws below A000 round down */
static void test_stochastic_bf16_example(void **state)
{
    (void)state;
    struct trn_num_mode mode = mode_of("sunda");
    uint32_t s = 0x67A355E7; /* draws CF46ABCF, then 9E8D579F */
    mode.lfsr = &s;
    const float x = trn_bits_f32(0x3F806000);
    assert_int_equal(narrow(TRN_DTYPE_BFLOAT16, &mode, x), 0x3F81);
    assert_int_equal(narrow(TRN_DTYPE_BFLOAT16, &mode, x), 0x3F80);
    /* exact values and NaN stay, and use a draw */
    s = 1;
    assert_int_equal(narrow(TRN_DTYPE_BFLOAT16, &mode, 1), 0x3F80);
    assert_int_equal(narrow(TRN_DTYPE_BFLOAT16, &mode, NAN), 0x7FC0);
    assert_int_equal(narrow(TRN_DTYPE_BFLOAT16, &mode, -INFINITY), 0xFF80);
    assert_int_equal(s, 0xD);
    /* integers and FP32 never: no draw */
    assert_int_equal(narrow(TRN_DTYPE_INT8, &mode, 0.5f), 0);
    assert_int_equal(narrow(TRN_DTYPE_FP32, &mode, x), 0x3F806000);
    assert_int_equal(narrow(TRN_DTYPE_FP4_EXP2, &mode, 5), 6);
    assert_int_equal(s, 0xD);
}

/* The public example: 1024 + 0.5, 2,048 times. Each step goes up by 1 with probability 1/2, so the
 * end is 2048 with a standard deviation of 22.6; five of them are allowed. */
static void test_stochastic_accumulation(void **state)
{
    (void)state;
    for (int stochastic = 0; stochastic < 2; stochastic++) {
        struct trn_num_mode mode = mode_of("sunda");
        uint32_t s = 0xCD9E8D57;
        mode.lfsr = stochastic ? &s : NULL;
        float x = 1024;
        for (int i = 0; i < 2048; i++) {
            const uint64_t half = narrow(TRN_DTYPE_FP16, &mode, x + 0.5f);
            x = trn_bits_f32(widen(TRN_DTYPE_FP16, &mode, half));
        }
        if (stochastic)
            assert_true(fabsf(x - 2048) < 113);
        else
            assert_true(x == 1024);
    }
}

/* Far below the smallest subnormal (2^-9): up with probability x / 2^-9 = 1/8. Of 8,000 draws 1,000
 * are expected, standard deviation 30. */
static void test_stochastic_underflow_is_unbiased(void **state)
{
    (void)state;
    struct trn_num_mode mode = mode_of("sunda");
    uint32_t s = 0xCD9E8D57;
    mode.lfsr = &s;
    int up = 0;
    for (int i = 0; i < 8000; i++) {
        const uint64_t code = narrow(TRN_DTYPE_FP8_EXP4, &mode, -0x1p-12f);
        assert_true(code == 0x80 || code == 0x81);
        up += code == 0x81;
    }
    assert_in_range(up, 850, 1150);
}

/* numerics.md 12 and dtypes.csv name what is chosen; the rest is observed or public */
static void test_conversions_name_their_choices(void **state)
{
    (void)state;
    struct trn_num_mode mode = mode_of("sunda");
    enum trn_choice out[TRN_DTYPE_MAX_CHOICES];
    assert_int_equal(trn_dtype_choices(TRN_DTYPE_BFLOAT16, &mode, out), 0);
    assert_int_equal(trn_dtype_choices(TRN_DTYPE_INT8, &mode, out), 0);
    assert_int_equal(trn_dtype_choices(TRN_DTYPE_FP8_EXP4, &mode, out), 1);
    assert_int_equal(out[0], TRN_CHOICE_FP8_MODE_DEFAULT);
    uint32_t s = 1;
    mode.lfsr = &s;
    assert_int_equal(trn_dtype_choices(TRN_DTYPE_BFLOAT16, &mode, out), 1);
    assert_int_equal(out[0], TRN_CHOICE_STOCHASTIC_BITS);
    assert_int_equal(trn_dtype_choices(TRN_DTYPE_FP32R, &mode, out), 2);
    assert_int_equal(out[0], TRN_CHOICE_FP32R_WIDTH);
    assert_int_equal(trn_dtype_choices(TRN_DTYPE_INT8, &mode, out), 0); /* never stochastic */
    assert_int_equal(trn_dtype_choices(TRN_DTYPE_SFP8_E6, &mode, out), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fp8_vectors),
        cmocka_unit_test(test_other_vectors),
        cmocka_unit_test(test_float_to_integer),
        cmocka_unit_test(test_truncating_cast_is_an_option),
        cmocka_unit_test(test_integer_casts_go_through_fp32),
        cmocka_unit_test(test_64_bit_integers_round_once),
        cmocka_unit_test(test_signalling_nans_become_quiet),
        cmocka_unit_test(test_generation_defaults),
        cmocka_unit_test(test_nan_suppress_and_emax),
        cmocka_unit_test(test_formats_without_specials),
        cmocka_unit_test(test_scales),
        cmocka_unit_test(test_packed_nibbles),
        cmocka_unit_test(test_fp32r_width_is_an_option),
        cmocka_unit_test(test_bad_dtype_or_mode_writes_nothing),
        cmocka_unit_test(test_lfsr_sequences),
        cmocka_unit_test(test_stochastic_seeds),
        cmocka_unit_test(test_stochastic_bf16_example),
        cmocka_unit_test(test_stochastic_accumulation),
        cmocka_unit_test(test_stochastic_underflow_is_unbiased),
        cmocka_unit_test(test_conversions_name_their_choices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
