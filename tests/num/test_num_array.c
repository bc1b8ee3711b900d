/* SPDX-License-Identifier: Apache-2.0 */
/* An array gives element by element what a scalar gives: every length around the vector widths, any
 * alignment, in place, and rows of TENSOR_SCALAR and reductions step by step. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "trench/num.h"

#define MAX_N 150

/* splitmix64: the same values everywhere */
static uint64_t next(uint64_t *s)
{
    uint64_t z = *s += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

static const uint32_t specials[] = {
    0,          0x80000000, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000,
    0x7F800001, 0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x3F000000,
    0x4B800001, 0x4F000000, 0xCF000000, 0x43E80000, 0x3AC00000, 0x40000000, 0x43800000, 0xC2F70000};

#define NUM_SPECIALS (sizeof specials / sizeof specials[0])

/* Special values, values near 1, any bits: in turn. */
static float sample(uint64_t *s)
{
    const uint64_t r = next(s);
    switch (r >> 62) {
    case 0:
        return trn_bits_f32(specials[r % NUM_SPECIALS]);
    case 1:
        return trn_bits_f32((uint32_t)r);
    default:
        return trn_bits_f32(((uint32_t)r & 0x83FFFFFF) | 0x3C000000);
    }
}

static const size_t lengths[] = {0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 127, MAX_N};

#define NUM_LENGTHS (sizeof lengths / sizeof lengths[0])

static bool convertible(int dtype)
{
    return trn_dtype_convertible((uint8_t)dtype, NULL) == TRN_OK;
}

static struct trn_num_mode mode_number(unsigned i)
{
    struct trn_num_mode mode;
    trn_num_mode_default(trn_gen_at(i % 2 ? 3 : 0), &mode);
    mode.fp8_nan_suppress = i / 2 % 2;
    mode.int_rounding = i / 4 % 2 ? TRN_INT_TRUNCATE : TRN_INT_RNE;
    mode.fp32r_mantissa = i % 3 == 0 ? 10 : i % 3 == 1 ? 11 : 13;
    return mode;
}

/* Whole bytes: element i of an array at any byte offset is what the scalar gives for it. */
static void test_narrow_array_is_scalar(void **state)
{
    (void)state;
    uint64_t s = 1;
    for (int dtype = 0; dtype < 32; dtype++) {
        const size_t size = trn_dtype_size((uint8_t)dtype);
        if (!convertible(dtype) || size == 0)
            continue;
        for (unsigned i = 0; i < NUM_LENGTHS * 8; i++) {
            const struct trn_num_mode mode = mode_number(i);
            const size_t n = lengths[i % NUM_LENGTHS], shift = i % 5;
            float in[MAX_N + 4];
            uint8_t out[MAX_N * 8 + 8], before[sizeof out];
            for (size_t k = 0; k < n; k++)
                in[k + shift % 4] = sample(&s);
            memset(before, 0xA5, sizeof before);
            memcpy(out, before, sizeof out);
            assert_int_equal(
                trn_from_fp32_array((uint8_t)dtype, &mode, in + shift % 4, out + shift, n), TRN_OK);
            for (size_t k = 0; k < n; k++) {
                uint64_t want, got = 0;
                trn_from_fp32((uint8_t)dtype, &mode, in[k + shift % 4], &want);
                memcpy(&got, out + shift + k * size, size);
                assert_int_equal(got, want);
            }
            assert_memory_equal(out, before, shift);
            assert_memory_equal(out + shift + n * size, before, sizeof out - shift - n * size);
        }
    }
}

static void test_widen_array_is_scalar(void **state)
{
    (void)state;
    uint64_t s = 2;
    for (int dtype = 0; dtype < 32; dtype++) {
        const size_t size = trn_dtype_size((uint8_t)dtype);
        if (!convertible(dtype) || size == 0)
            continue;
        for (unsigned i = 0; i < NUM_LENGTHS * 4; i++) {
            const struct trn_num_mode mode = mode_number(i);
            const size_t n = lengths[i % NUM_LENGTHS], shift = i % 5;
            uint8_t in[MAX_N * 8 + 8];
            float out[MAX_N + 1];
            for (size_t k = 0; k < sizeof in; k++)
                in[k] = (uint8_t)next(&s);
            out[n] = 42;
            assert_int_equal(trn_to_fp32_array((uint8_t)dtype, &mode, in + shift, out, n), TRN_OK);
            for (size_t k = 0; k < n; k++) {
                uint64_t bits = ~0ull; /* bits above the element are ignored */
                float want;
                memcpy(&bits, in + shift + k * size, size);
                trn_to_fp32((uint8_t)dtype, &mode, bits, &want);
                assert_int_equal(trn_f32_bits(out[k]), trn_f32_bits(want));
            }
            assert_true(out[n] == 42);
        }
    }
}

/* A cast is widening and narrowing, block by block, for every pair of dtypes. */
static void test_convert_is_widen_then_narrow(void **state)
{
    (void)state;
    enum { N = 1024 + 600 };
    static uint8_t in[N * 8], out[N * 8], want[N * 8];
    static float wide[N];
    uint64_t s = 3;
    const struct trn_num_mode mode = mode_number(0);
    for (size_t k = 0; k < sizeof in; k++)
        in[k] = (uint8_t)next(&s);
    for (int from = 0; from < 32; from++)
        for (int to = 0; to < 32; to++) {
            if (!convertible(from) || !convertible(to))
                continue;
            uint64_t bytes;
            assert_int_equal(trn_dtype_array_bytes((uint8_t)to, N, &bytes), TRN_OK);
            memset(out, 0x5A, sizeof out);
            memset(want, 0x5A, sizeof want);
            assert_int_equal(trn_convert_array((uint8_t)from, (uint8_t)to, &mode, in, out, N),
                             TRN_OK);
            if (from == to) {
                memcpy(want, in, bytes);
            } else {
                trn_to_fp32_array((uint8_t)from, &mode, in, wide, N);
                trn_from_fp32_array((uint8_t)to, &mode, wide, want, N);
            }
            assert_memory_equal(out, want, sizeof out);
        }
}

/* One LFSR runs through an array as through as many scalars. */
static void test_stochastic_array_is_scalar(void **state)
{
    (void)state;
    uint64_t s = 4;
    float in[MAX_N];
    for (size_t k = 0; k < MAX_N; k++)
        in[k] = sample(&s);
    for (int dtype = 0; dtype < 32; dtype++) {
        if (!trn_sr_target((uint8_t)dtype))
            continue;
        struct trn_num_mode mode = mode_number(1);
        uint32_t array_state = 77, scalar_state = 77;
        uint8_t out[MAX_N * 4];
        const size_t size = trn_dtype_size((uint8_t)dtype);
        mode.lfsr = &array_state;
        trn_from_fp32_array((uint8_t)dtype, &mode, in, out, MAX_N);
        mode.lfsr = &scalar_state;
        for (size_t k = 0; k < MAX_N; k++) {
            uint64_t want, got = 0;
            trn_from_fp32((uint8_t)dtype, &mode, in[k], &want);
            memcpy(&got, out + k * size, size);
            assert_int_equal(got, want);
        }
        assert_int_equal(array_state, scalar_state);
    }
}

static void test_words_extend_and_truncate(void **state)
{
    (void)state;
    const uint8_t bytes[3] = {0x80, 0x7F, 0xFF};
    uint32_t words[3];
    uint64_t longs[3];
    trn_to_u32_array(TRN_DTYPE_INT8, TRN_EXTEND_ZERO, bytes, words, 3);
    assert_int_equal(words[0], 0x80);
    trn_to_u32_array(TRN_DTYPE_INT8, TRN_EXTEND_SIGN, bytes, words, 3);
    assert_int_equal(words[0], 0xFFFFFF80);
    assert_int_equal(words[1], 0x7F);
    trn_to_u32_array(TRN_DTYPE_UINT8, TRN_EXTEND_SIGN, bytes, words, 3);
    assert_int_equal(words[2], 0xFF);
    trn_to_u32_array(TRN_DTYPE_FP8_EXP4, TRN_EXTEND_SIGN, bytes, words, 3); /* no integer */
    assert_int_equal(words[0], 0x80);
    const int16_t shorts[2] = {-2, 3};
    const int32_t ints[2] = {-2, 3};
    trn_to_u32_array(TRN_DTYPE_INT16, TRN_EXTEND_SIGN, shorts, words, 2);
    assert_int_equal(words[0], 0xFFFFFFFE);
    trn_to_u32_array(TRN_DTYPE_UINT16, TRN_EXTEND_SIGN, shorts, words, 2);
    assert_int_equal(words[0], 0xFFFE);
    trn_to_u64_array(TRN_DTYPE_INT32, TRN_EXTEND_SIGN, ints, longs, 2);
    assert_int_equal(longs[0], 0xFFFFFFFFFFFFFFFE);
    trn_to_u64_array(TRN_DTYPE_UINT32, TRN_EXTEND_SIGN, ints, longs, 2);
    assert_int_equal(longs[0], 0xFFFFFFFE);
    trn_to_u64_array(TRN_DTYPE_INT8, TRN_EXTEND_SIGN, bytes, longs, 3);
    assert_int_equal(longs[0], 0xFFFFFFFFFFFFFF80);
    trn_to_u64_array(TRN_DTYPE_INT16, TRN_EXTEND_SIGN, bytes + 1, longs, 1);
    assert_int_equal(longs[0], 0xFFFFFFFFFFFFFF7F);
    const uint64_t in[2] = {0x1122334455667788, 0x99AABBCCDDEEFF00};
    uint8_t out[17];
    memset(out, 0xA5, sizeof out);
    trn_from_u64_array(TRN_DTYPE_UINT32, in, out + 1, 2);
    const uint8_t low[10] = {0xA5, 0x88, 0x77, 0x66, 0x55, 0x00, 0xFF, 0xEE, 0xDD, 0xA5};
    assert_memory_equal(out, low, sizeof low);

    uint64_t s = 5;
    uint8_t raw[MAX_N * 8 + 1], back[sizeof raw];
    for (size_t k = 0; k < sizeof raw; k++)
        raw[k] = (uint8_t)next(&s);
    for (int dtype = 0; dtype < 32; dtype++) {
        const size_t size = trn_dtype_size((uint8_t)dtype);
        for (size_t i = 0; size && i < NUM_LENGTHS; i++) {
            uint32_t w[MAX_N];
            uint64_t l[MAX_N];
            const enum trn_extend extend = i % 2 ? TRN_EXTEND_SIGN : TRN_EXTEND_ZERO;
            if (size <= 4) {
                trn_to_u32_array((uint8_t)dtype, extend, raw + 1, w, lengths[i]);
                trn_from_u32_array((uint8_t)dtype, w, back, lengths[i]);
                assert_memory_equal(raw + 1, back, lengths[i] * size);
            }
            trn_to_u64_array((uint8_t)dtype, extend, raw + 1, l, lengths[i]);
            trn_from_u64_array((uint8_t)dtype, l, back, lengths[i]);
            assert_memory_equal(raw + 1, back, lengths[i] * size);
        }
    }
}

static uint32_t alu(uint8_t op, float a, float b)
{
    float out;
    assert_int_equal(trn_alu_f32(op, a, b, &out), TRN_OK);
    return trn_f32_bits(out);
}

static void test_operator_arrays_are_scalar(void **state)
{
    (void)state;
    uint64_t s = 6;
    for (int op = 0; op < 256; op++) {
        if (!trn_alu_is_f32((uint8_t)op))
            continue;
        for (size_t i = 0; i < NUM_LENGTHS * 2; i++) {
            const size_t n = lengths[i % NUM_LENGTHS], shift = i % 4;
            float a[MAX_N + 3], b[MAX_N + 3], out[MAX_N + 4];
            for (size_t k = 0; k < MAX_N + 3; k++) {
                a[k] = sample(&s);
                b[k] = k % 7 ? sample(&s) : a[k];
            }
            const float imm = sample(&s);
            out[n + 1] = 42;
            trn_alu_array((uint8_t)op, a + shift, b, out + 1, n);
            for (size_t k = 0; k < n; k++)
                assert_int_equal(trn_f32_bits(out[k + 1]), alu((uint8_t)op, a[k + shift], b[k]));
            trn_alu_scalar_array((uint8_t)op, a + shift, imm, false, out + 1, n);
            for (size_t k = 0; k < n; k++)
                assert_int_equal(trn_f32_bits(out[k + 1]), alu((uint8_t)op, a[k + shift], imm));
            trn_alu_scalar_array((uint8_t)op, a + shift, imm, true, out + 1, n);
            for (size_t k = 0; k < n; k++)
                assert_int_equal(trn_f32_bits(out[k + 1]), alu((uint8_t)op, imm, a[k + shift]));
            assert_true(out[n + 1] == 42);

            float same[MAX_N]; /* in place, onto the left and onto the right operand */
            memcpy(same, a, sizeof same);
            trn_alu_array((uint8_t)op, same, b, same, n);
            for (size_t k = 0; k < n; k++)
                assert_int_equal(trn_f32_bits(same[k]), alu((uint8_t)op, a[k], b[k]));
            memcpy(same, b, sizeof same);
            trn_alu_array((uint8_t)op, a, same, same, n);
            for (size_t k = 0; k < n; k++)
                assert_int_equal(trn_f32_bits(same[k]), alu((uint8_t)op, a[k], b[k]));
        }
    }
}

/* What trn_alu_ts_row() gives, by two scalar operations. */
static uint32_t two_operators(const struct trn_ts_op *first, const struct trn_ts_op *second,
                              float x)
{
    const float t = trn_bits_f32(first->reverse ? alu(first->op, first->imm, x)
                                                : alu(first->op, x, first->imm));
    return second->reverse ? alu(second->op, second->imm, t) : alu(second->op, t, second->imm);
}

static void check_row(const struct trn_ts_op *first, const struct trn_ts_op *second,
                      const float *in, const float *out, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const uint32_t want = two_operators(first, second, in[k]);
        if (trn_f32_bits(out[k]) != want)
            fail_msg("%s %08X, %s %08X, of %08X: %08X, wanted %08X", trn_alu_name(first->op),
                     trn_f32_bits(first->imm), trn_alu_name(second->op), trn_f32_bits(second->imm),
                     trn_f32_bits(in[k]), trn_f32_bits(out[k]), want);
    }
}

/* The operators that have fused loops, on every special operand and immediate. */
static void test_ts_row_on_specials(void **state)
{
    (void)state;
    static const uint8_t ops[] = {TRN_ALU_OP_BYPASS, TRN_ALU_OP_ADD, TRN_ALU_OP_SUBTRACT,
                                  TRN_ALU_OP_MULT,   TRN_ALU_OP_MAX, TRN_ALU_OP_MIN,
                                  TRN_ALU_OP_RE_LU};
    float in[NUM_SPECIALS], out[NUM_SPECIALS];
    memcpy(in, specials, sizeof in);
    for (size_t pair = 0; pair < sizeof ops * sizeof ops * 4; pair++)
        for (size_t i = 0; i < NUM_SPECIALS * NUM_SPECIALS; i++) {
            const struct trn_ts_op first = {ops[pair / 4 % sizeof ops], pair & 1,
                                            trn_bits_f32(specials[i % NUM_SPECIALS])};
            const struct trn_ts_op second = {ops[pair / 4 / sizeof ops], pair & 2,
                                             trn_bits_f32(specials[i / NUM_SPECIALS])};
            trn_alu_ts_row(first, second, in, out, NUM_SPECIALS);
            check_row(&first, &second, in, out, NUM_SPECIALS);
        }
}

/* Every pair of operators, both orders of operands, immediates that are special in turn. */
static void test_ts_row_is_two_operators(void **state)
{
    (void)state;
    uint64_t s = 7;
    size_t turn = 0;
    for (int op0 = 0; op0 < 256; op0++)
        for (int op1 = 0; op1 < 256; op1++) {
            if (!trn_alu_is_f32((uint8_t)op0) || !trn_alu_is_f32((uint8_t)op1))
                continue;
            for (int order = 0; order < 4; order++, turn++) {
                const struct trn_ts_op first = {(uint8_t)op0, order & 1, sample(&s)};
                const struct trn_ts_op second = {(uint8_t)op1, order & 2,
                                                 trn_bits_f32(specials[turn % NUM_SPECIALS])};
                float in[40], out[40];
                const size_t n = 24 + turn % 16;
                for (size_t k = 0; k < n; k++)
                    in[k] = sample(&s);
                if (turn % 3 == 0) { /* in place */
                    memcpy(out, in, sizeof out);
                    trn_alu_ts_row(first, second, out, out, n);
                } else {
                    trn_alu_ts_row(first, second, in, out, n);
                }
                check_row(&first, &second, in, out, n);
            }
        }
}

/* Longer than a block, with an operator that has no fused loop. */
static void test_ts_row_crosses_blocks(void **state)
{
    (void)state;
    static float in[1500], out[1500];
    uint64_t s = 8;
    for (size_t k = 0; k < 1500; k++)
        in[k] = sample(&s);
    const struct trn_ts_op first = {TRN_ALU_OP_IS_GT, false, 0.01f};
    const struct trn_ts_op second = {TRN_ALU_OP_MULT, false, 3};
    assert_int_equal(trn_alu_ts_row(first, second, in, out, 1500), TRN_OK);
    for (size_t k = 0; k < 1500; k++)
        assert_true(out[k] == (in[k] > 0.01f ? 3.0f : 0.0f));
}

/* Rows apart, in place, of fused, unfused and moving pairs; what lies between them stays. */
static void test_ts_rows_is_row_by_row(void **state)
{
    (void)state;
    enum { ROWS = 5, N = 37, IN_PITCH = 40, OUT_PITCH = 50 };
    static const uint8_t pairs[][2] = {{TRN_ALU_OP_MULT, TRN_ALU_OP_MAX},
                                       {TRN_ALU_OP_IS_GT, TRN_ALU_OP_ADD},
                                       {TRN_ALU_OP_BYPASS, TRN_ALU_OP_BYPASS}};
    float in[ROWS * IN_PITCH], out[ROWS * OUT_PITCH], want[ROWS * OUT_PITCH];
    uint64_t s = 10;
    for (size_t k = 0; k < ROWS * IN_PITCH; k++)
        in[k] = sample(&s);
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        const struct trn_ts_op first = {pairs[p][0], false, 1.5f};
        const struct trn_ts_op second = {pairs[p][1], false, 0.25f};
        for (size_t k = 0; k < ROWS * OUT_PITCH; k++)
            want[k] = out[k] = sample(&s);
        for (size_t r = 0; r < ROWS; r++)
            trn_alu_ts_row(first, second, in + r * IN_PITCH, want + r * OUT_PITCH, N);
        assert_int_equal(trn_alu_ts_rows(first, second, in, IN_PITCH * sizeof *in, out,
                                         OUT_PITCH * sizeof *out, ROWS, N),
                         TRN_OK);
        assert_memory_equal(out, want, sizeof out);
        trn_alu_ts_rows(first, second, in, IN_PITCH * sizeof *in, in, IN_PITCH * sizeof *in, ROWS,
                        N);
        for (size_t r = 0; r < ROWS; r++)
            assert_memory_equal(in + r * IN_PITCH, want + r * OUT_PITCH, N * sizeof *in);
    }
}

static void test_product_and_sum_round_twice(void **state)
{
    (void)state;
    /* (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24: the last term is lost before the subtraction, where a
     * fused step would keep it */
    float in[20], out[20];
    for (int k = 0; k < 20; k++)
        in[k] = 1 + 0x1p-12f;
    const struct trn_ts_op first = {TRN_ALU_OP_MULT, false, 1 + 0x1p-12f};
    const struct trn_ts_op second = {TRN_ALU_OP_SUBTRACT, false, 1 + 0x1p-11f};
    trn_alu_ts_row(first, second, in, out, 20);
    for (int k = 0; k < 20; k++)
        assert_int_equal(trn_f32_bits(out[k]), 0);
}

static void test_reduce_is_a_chain(void **state)
{
    (void)state;
    enum { LANES = 70, PITCH = 100 };
    static float in[LANES * PITCH];
    uint64_t s = 9;
    for (int op = 0; op < 256; op++) {
        if (!trn_alu_is_f32((uint8_t)op))
            continue;
        static const size_t shapes[][2] = {{1, 1},  {1, 2},   {3, 3},  {5, 4},   {16, 16}, {31, 20},
                                           {32, 5}, {33, 50}, {64, 8}, {70, 64}, {2, 99},  {1, 90}};
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
            const size_t lanes = shapes[i][0], n = shapes[i][1];
            for (size_t k = 0; k < LANES * PITCH; k++)
                in[k] = sample(&s);
            float out[LANES + 1];
            out[lanes] = 42;
            assert_int_equal(trn_reduce_rows((uint8_t)op, in, PITCH * sizeof *in, lanes, n, out),
                             TRN_OK);
            for (size_t r = 0; r < lanes; r++) {
                float acc = in[r * PITCH];
                for (size_t k = 1; k < n; k++)
                    acc = trn_bits_f32(alu((uint8_t)op, acc, in[r * PITCH + k]));
                if (trn_f32_bits(out[r]) != trn_f32_bits(acc))
                    fail_msg("%s %zux%zu lane %zu: %08X, wanted %08X", trn_alu_name((uint8_t)op),
                             lanes, n, r, trn_f32_bits(out[r]), trn_f32_bits(acc));
            }
            assert_true(out[lanes] == 42);
        }
    }
}

static uint64_t word_at(const void *words, unsigned bits, size_t i)
{
    return bits == 32 ? ((const uint32_t *)words)[i] : ((const uint64_t *)words)[i];
}

/* Array, scalar operand and reduction forms of one operator of one class. */
static void check_words(uint8_t op, unsigned bits, int kind, uint64_t *s)
{
    enum { N = 300, LANES = 67 };
    static uint64_t a[N], b[N], out[N];
    for (size_t k = 0; k < N; k++) {
        a[k] = next(s);
        b[k] = k % 3 == 0 ? next(s) : k % 3 == 1 ? next(s) % 70 : a[k];
    }
    for (unsigned form = 0; form < 4; form++) {
        const size_t a_step = form & 1, b_step = form >> 1;
        if (kind == 2)
            trn_alu_bitvec_array(op, bits, a, a_step, b, b_step, out, N);
        else
            trn_alu_int_array(op, bits, kind, a, a_step, b, b_step, out, N);
        for (size_t k = 0; k < N; k++) {
            const uint64_t x = word_at(a, bits, a_step * k), y = word_at(b, bits, b_step * k);
            uint64_t want = 0;
            if (kind == 2)
                trn_alu_bitvec(op, bits, x, y, &want);
            else
                trn_alu_int(op, bits, kind, x, y, &want);
            assert_int_equal(word_at(out, bits, k), want);
        }
    }
    const size_t bytes = bits / 8, n = 4;
    if (kind == 2)
        trn_reduce_bitvec_rows(op, bits, a, n * bytes, LANES, n, out);
    else
        trn_reduce_int_rows(op, bits, kind, a, n * bytes, LANES, n, out);
    for (size_t r = 0; r < LANES; r++) {
        uint64_t acc = word_at(a, bits, r * n);
        for (size_t k = 1; k < n; k++)
            if (kind == 2)
                trn_alu_bitvec(op, bits, acc, word_at(a, bits, r * n + k), &acc);
            else
                trn_alu_int(op, bits, kind, acc, word_at(a, bits, r * n + k), &acc);
        assert_int_equal(word_at(out, bits, r), acc);
    }
}

static void test_word_arrays_are_scalar(void **state)
{
    (void)state;
    uint64_t s = 10;
    for (int op = 0; op < 256; op++)
        for (unsigned bits = 32; bits <= 64; bits += 32) {
            if (trn_alu_is_bitvec((uint8_t)op))
                check_words((uint8_t)op, bits, 2, &s);
            if (trn_alu_is_int((uint8_t)op) &&
                !(op >= TRN_ALU_OP_AMAX_INT && op <= TRN_ALU_OP_AMIN_UINT)) {
                check_words((uint8_t)op, bits, 0, &s);
                check_words((uint8_t)op, bits, 1, &s);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_narrow_array_is_scalar),
        cmocka_unit_test(test_widen_array_is_scalar),
        cmocka_unit_test(test_convert_is_widen_then_narrow),
        cmocka_unit_test(test_stochastic_array_is_scalar),
        cmocka_unit_test(test_words_extend_and_truncate),
        cmocka_unit_test(test_operator_arrays_are_scalar),
        cmocka_unit_test(test_ts_row_on_specials),
        cmocka_unit_test(test_ts_row_is_two_operators),
        cmocka_unit_test(test_ts_row_crosses_blocks),
        cmocka_unit_test(test_ts_rows_is_row_by_row),
        cmocka_unit_test(test_product_and_sum_round_twice),
        cmocka_unit_test(test_reduce_is_a_chain),
        cmocka_unit_test(test_word_arrays_are_scalar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
