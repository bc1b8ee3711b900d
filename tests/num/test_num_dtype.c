/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes, kinds and names of dtype and operator codes (docs/hardware/isa-core.md 5.1, numerics.md
 * 2). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "trench/num.h"

static void test_sizes_and_alignment(void **state)
{
    (void)state;
    static const struct {
        uint8_t dtype;
        unsigned bits;
        size_t size, align;
    } rows[] = {
        {0x00, 0, 0, 1},  {0x01, 64, 8, 8}, {0x02, 8, 1, 1},  {0x03, 8, 1, 1},  {0x04, 16, 2, 2},
        {0x05, 16, 2, 2}, {0x06, 16, 2, 2}, {0x07, 16, 2, 2}, {0x08, 32, 4, 4}, {0x09, 32, 4, 4},
        {0x0A, 32, 4, 4}, {0x0B, 32, 4, 4}, {0x0C, 64, 8, 8}, {0x0D, 8, 1, 1},  {0x0E, 8, 1, 1},
        {0x0F, 8, 1, 1},  {0x10, 4, 0, 1},  {0x11, 8, 1, 1},  {0x12, 4, 0, 1},  {0x13, 8, 1, 1},
        {0x14, 8, 1, 1},  {0x15, 8, 1, 1},  {0x16, 8, 1, 1},  {0x17, 0, 0, 1},  {0x18, 0, 0, 1},
        {0x19, 1, 0, 1},  {0x1F, 7, 0, 1},  {0x20, 0, 0, 1},  {0xFF, 0, 0, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(trn_dtype_bits(rows[i].dtype), rows[i].bits);
        assert_int_equal(trn_dtype_size(rows[i].dtype), rows[i].size);
        assert_int_equal(trn_dtype_align(rows[i].dtype), rows[i].align);
    }
}

static void test_kinds(void **state)
{
    (void)state;
    /* by code: none, float, integer, scale, transport */
    static const char kinds[] = "niiiiiffiiffifff"  /* 00..0F */
                                "ffissssnnttttttt"; /* 10..1F */
    for (int code = 0; code < 256; code++) {
        const char want = code < 32 ? kinds[code] : 'n';
        const enum trn_dtype_kind kind = trn_dtype_kind((uint8_t)code);
        assert_int_equal("nfist"[kind], want);
        assert_int_equal(trn_dtype_is_integer((uint8_t)code), want == 'i');
    }
    assert_true(trn_dtype_is_signed(TRN_DTYPE_INT4));
    assert_true(trn_dtype_is_signed(TRN_DTYPE_FP8_EXP3));
    assert_false(trn_dtype_is_signed(TRN_DTYPE_UINT64));
    assert_false(trn_dtype_is_signed(TRN_DTYPE_SFP8_E8));
}

static void test_every_name_is_found(void **state)
{
    (void)state;
    for (int code = 1; code < 256; code++)
        if (trn_dtype_bits((uint8_t)code))
            assert_int_equal(trn_dtype_find(trn_dtype_name((uint8_t)code)), code);
    for (int op = 0; op < 256; op++)
        if (trn_alu_name((uint8_t)op))
            assert_int_equal(trn_alu_find(trn_alu_name((uint8_t)op)), op);
}

static void test_aliases_in_any_case(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int dtype;
    } rows[] = {
        {"bf16", 0x6},     {"BFloat16", 0x6}, {"fp16", 0x7},  {"float16", 0x7},  {"fp32", 0xA},
        {"float32", 0xA},  {"F32", 0xA},      {"fp32r", 0xB}, {"int8", 0x2},     {"U8", 0x3},
        {"int32", 0x8},    {"uint64", 0x1},   {"e3m4", 0xD},  {"fp8_e4m3", 0xE}, {"E5M2", 0xF},
        {"fp8_exp5", 0xF}, {"fp4", 0x10},     {"e8m0", 0x13}, {"i4", 0x12},      {"cptc3", 0x1B},
        {"", -1},          {"invalid", -1},   {"float8", -1}, {"bf17", -1},      {"fp32 ", -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(trn_dtype_find(rows[i].name), rows[i].dtype);
}

static void test_array_bytes(void **state)
{
    (void)state;
    static const struct {
        uint8_t dtype;
        uint64_t n, bytes;
    } rows[] = {
        {TRN_DTYPE_FP32, 0, 0},     {TRN_DTYPE_FP32, 513, 2052},
        {TRN_DTYPE_INT4, 7, 4},     {TRN_DTYPE_FP4_EXP2, 1, 2},
        {TRN_DTYPE_FP4_EXP2, 4, 2}, {TRN_DTYPE_FP4_EXP2, 5, 4},
        {TRN_DTYPE_CPTC3, 8, 3},    {TRN_DTYPE_CPTC3, 9, 4},
        {TRN_DTYPE_CPTC1, 17, 3},   {TRN_DTYPE_UINT64, 1ull << 60, 1ull << 63},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t bytes = 0;
        assert_int_equal(trn_dtype_array_bytes(rows[i].dtype, rows[i].n, &bytes), TRN_OK);
        assert_int_equal(bytes, rows[i].bytes);
    }
    uint64_t bytes;
    assert_int_equal(trn_dtype_array_bytes(TRN_DTYPE_UINT64, 1ull << 61, &bytes),
                     TRN_ERR_TOO_LARGE);
    assert_int_equal(trn_dtype_array_bytes(TRN_DTYPE_CPTC7, UINT64_MAX, &bytes), TRN_OK);
    assert_int_equal(bytes, UINT64_MAX / 8 * 7 + 7); /* 7 codes left: 49 bits, 7 bytes */
    assert_int_equal(trn_dtype_array_bytes(0x17, 1, &bytes), TRN_ERR_INVALID);
}

static void test_unconvertible_codes_say_why(void **state)
{
    (void)state;
    struct trn_diag diag;
    assert_int_equal(trn_dtype_convertible(TRN_DTYPE_BFLOAT16, &diag), TRN_OK);
    assert_int_equal(trn_dtype_convertible(TRN_DTYPE_CPTC4, &diag), TRN_ERR_UNSUPPORTED);
    assert_non_null(strstr(diag.message, "CPTC4"));
    assert_int_equal(trn_dtype_convertible(0x42, &diag), TRN_ERR_INVALID);
    assert_non_null(strstr(diag.message, "0x42"));
    assert_int_equal(trn_dtype_convertible(0, NULL), TRN_ERR_INVALID);
}

static void test_operator_classes(void **state)
{
    (void)state;
    /* alu-ops.csv: every defined code is in at least one class, no other code in any */
    for (int code = 0; code < 256; code++) {
        const uint8_t op = (uint8_t)code;
        const bool any = trn_alu_is_f32(op) || trn_alu_is_bitvec(op) || trn_alu_is_int(op);
        assert_int_equal(any, trn_alu_name(op) != NULL);
        assert_int_equal(trn_alu_arity(op) != 0, trn_alu_name(op) != NULL);
    }
    assert_true(trn_alu_is_f32(TRN_ALU_OP_BYPASS) && trn_alu_is_bitvec(TRN_ALU_OP_BYPASS));
    assert_true(trn_alu_is_f32(TRN_ALU_OP_LOGICAL_AND));
    assert_false(trn_alu_is_f32(TRN_ALU_OP_BITWISE_AND));
    assert_false(trn_alu_is_f32(TRN_ALU_OP_ADD_INT));
    assert_false(trn_alu_is_bitvec(TRN_ALU_OP_ADD));
    assert_true(trn_alu_is_int(TRN_ALU_OP_AMAX_INT) && trn_alu_is_int(TRN_ALU_OP_ADD));
    assert_false(trn_alu_is_int(TRN_ALU_OP_POW));
    assert_int_equal(trn_alu_arity(TRN_ALU_OP_ABSOLUTE_VALUE), 1);
    assert_int_equal(trn_alu_find("add"), TRN_ALU_OP_ADD);
    assert_int_equal(trn_alu_find("plus"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_and_alignment),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_every_name_is_found),
        cmocka_unit_test(test_aliases_in_any_case),
        cmocka_unit_test(test_array_bytes),
        cmocka_unit_test(test_unconvertible_codes_say_why),
        cmocka_unit_test(test_operator_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
