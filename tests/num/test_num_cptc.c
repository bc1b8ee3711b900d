/* SPDX-License-Identifier: Apache-2.0 */
/* Golden vectors, the permutation table and the workers of docs/hardware/cptc.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "trench/cptc.h"
#include "trench/enums.h"

static struct trn_cptc_format format(uint8_t bits, uint8_t block, uint16_t mc0, uint16_t mc1)
{
    return (struct trn_cptc_format){.bits = bits, .block_size = block, .constant = {mc0, mc1}};
}

/* Decodes to the values, and these encode to the same bytes. */
static void assert_vector(const struct trn_cptc_format *f, const uint8_t *bytes,
                          const float *values)
{
    float out[TRN_CPTC_MAX_BLOCK];
    uint8_t back[256];
    const size_t size = trn_cptc_block_bytes(f);
    assert_int_equal(trn_cptc_decode(f, bytes, 1, out, NULL), TRN_OK);
    assert_memory_equal(out, values, f->block_size * sizeof *values);
    assert_int_equal(trn_cptc_encode(f, values, 1, back, NULL), TRN_OK);
    assert_memory_equal(back, bytes, size);
    memset(out, 0, sizeof out);
    assert_int_equal(trn_cptc_worker(trn_cptc_worker_of(f->bits), f, bytes, 1, out, NULL), TRN_OK);
    assert_memory_equal(out, values, f->block_size * sizeof *values);
}

static void test_golden_vector_v1(void **state)
{
    static const uint8_t bytes[16] = {0x00, 0xFF, 0x00, 0xFF, 0x00, 0x00, 0xFF, 0xFF,
                                      0xAA, 0xAA, 0xAA, 0xAA, 0xCC, 0xCC, 0xCC, 0xCC};
    const struct trn_cptc_format f = format(4, 32, 0x3F80, 0x0000);
    float values[32];
    (void)state;
    for (int i = 0; i < 32; i++)
        values[i] = (float)(i % 16 < 8 ? i % 16 : i % 16 - 16);
    assert_vector(&f, bytes, values);
}

static void test_golden_vector_v2(void **state)
{
    static const uint8_t bytes[16] = {0xFF, 0x03, 0xF0, 0x3F, 0x00, 0x00, 0x00, 0xF0,
                                      0xFF, 0xFF, 0xAA, 0xAA, 0x5A, 0x55, 0x55, 0x00};
    static const float repeat[8] = {1.5f, 1, 4.5f, 4, 3.5f, 3, 2.5f, 2};
    const struct trn_cptc_format f = format(3, 40, 0x3F00, 0x3F80);
    float values[40];
    (void)state;
    for (int i = 0; i < 40; i++)
        values[i] = repeat[i % 8];
    assert_vector(&f, bytes, values);
}

static void test_golden_vector_v3(void **state)
{
    static const uint8_t bytes[16] = {0xCC, 0xCC, 0xCC, 0xCC, 0x33, 0x33, 0x33, 0x33,
                                      0x33, 0x33, 0x33, 0x33, 0xCC, 0xCC, 0xCC, 0xCC};
    const struct trn_cptc_format f = format(1, 128, 0x3F80, 0x0000);
    float values[128];
    (void)state;
    for (unsigned i = 0; i < 128; i++)
        values[i] = (i >> 1 ^ i >> 3 ^ i >> 6) & 1 ? 1.0f : -1.0f;
    assert_vector(&f, bytes, values);
}

/* Section 4, in full as the sheet prints it. */
static void test_the_permutation_table(void **state)
{
    static const uint8_t table[TRN_CPTC_LANES] = {
        0x01, 0x21, 0x41, 0x61, 0x03, 0x23, 0x43, 0x63, 0x05, 0x25, 0x45, 0x65, 0x07,
        0x27, 0x47, 0x67, 0x09, 0x29, 0x49, 0x69, 0x0b, 0x2b, 0x4b, 0x6b, 0x0d, 0x2d,
        0x4d, 0x6d, 0x0f, 0x2f, 0x4f, 0x6f, 0x11, 0x31, 0x51, 0x71, 0x13, 0x33, 0x53,
        0x73, 0x15, 0x35, 0x55, 0x75, 0x17, 0x37, 0x57, 0x77, 0x19, 0x39, 0x59, 0x79,
        0x1b, 0x3b, 0x5b, 0x7b, 0x1d, 0x3d, 0x5d, 0x7d, 0x1f, 0x3f, 0x5f, 0x7f};
    (void)state;
    for (unsigned j = 0; j < TRN_CPTC_LANES; j++)
        assert_int_equal(trn_cptc_lane(j), table[j]);
    /* and it is where elements come from: one set code at packed place p, 64 elements */
    const struct trn_cptc_format f = format(2, 64, 0x3F80, 0);
    for (unsigned p = 0; p < TRN_CPTC_LANES; p++) {
        uint8_t bytes[16] = {0};
        float out[64];
        bytes[p / 8] = (uint8_t)(1u << p % 8);
        assert_int_equal(trn_cptc_decode(&f, bytes, 1, out, NULL), TRN_OK);
        for (unsigned j = 0; j < TRN_CPTC_LANES; j++)
            assert_true(out[j] == (table[j] >> 1 == p ? 1.0f : 0.0f));
    }
}

/* Section 3: the worker of each number of bits, and the three that guard themselves. */
static void test_workers_and_guards(void **state)
{
    static const unsigned served[8] = {0, 1, 2, 5, 3, 4, 6, 6};
    static const unsigned guard[7] = {0, 1, 0, 4, 0, 3, 0};
    uint8_t bytes[64] = {0};
    float out[32];
    (void)state;
    for (uint8_t bits = 0; bits < 10; bits++)
        assert_int_equal(trn_cptc_worker_of(bits), bits < 8 ? served[bits] : 0);
    for (unsigned worker = 1; worker <= 6; worker++)
        for (uint8_t bits = 1; bits <= 7; bits++) {
            const struct trn_cptc_format f = format(bits, 32, 0x3F80, 0);
            struct trn_diag diag = {.rule = ""};
            const bool fits = !guard[worker] || guard[worker] == bits;
            assert_int_equal(trn_cptc_worker(worker, &f, bytes, 1, out, &diag),
                             fits ? TRN_OK : TRN_ERR_INVALID);
            assert_string_equal(diag.rule, fits ? "" : "GUARD_MISMATCH");
        }
    const struct trn_cptc_format f = format(1, 32, 0x3F80, 0);
    assert_int_equal(trn_cptc_worker(0, &f, bytes, 1, out, NULL), TRN_ERR_RANGE);
    assert_int_equal(trn_cptc_worker(7, &f, bytes, 1, out, NULL), TRN_ERR_RANGE);
}

/* Section 1: the class test over all codes; 0x18 is no format. */
static void test_codes_of_the_dtype(void **state)
{
    (void)state;
    for (unsigned code = 0; code < 256; code++) {
        const unsigned bits = code >= TRN_DTYPE_CPTC1 && code <= TRN_DTYPE_CPTC7 ? code & 7 : 0;
        assert_int_equal(trn_cptc_bits((uint8_t)code), bits);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_vector_v1),   cmocka_unit_test(test_golden_vector_v2),
        cmocka_unit_test(test_golden_vector_v3),   cmocka_unit_test(test_the_permutation_table),
        cmocka_unit_test(test_workers_and_guards), cmocka_unit_test(test_codes_of_the_dtype),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
