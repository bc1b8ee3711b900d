/* SPDX-License-Identifier: Apache-2.0 */
/* One line a kernel: a digest of its results over many operands. Built against src/num as it is and
 * against a copy for the plainest host; both print the same (compare_digests.cmake). */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "trench/num.h"

enum { N = 20011 };

static float in[N], other[N], out[N];
static uint64_t raw[N], raw_other[N], words[N];

static uint64_t next(uint64_t *s)
{
    uint64_t z = *s += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

static void print(const char *what, const char *name, const void *bytes, size_t size)
{
    uint64_t hash = 0xCBF29CE484222325; /* FNV-1a */
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001B3;
    printf("%s %s %016llx\n", what, name, (unsigned long long)hash);
}

static void fill(void)
{
    uint64_t s = 1;
    for (size_t i = 0; i < N; i++) {
        const uint64_t r = next(&s);
        const uint32_t close = ((uint32_t)r & 0x83FFFFFF) | 0x3C000000;
        in[i] = trn_bits_f32(i % 3 == 0 ? (uint32_t)r : close);
        other[i] = i % 5 == 0 ? in[i] : trn_bits_f32((uint32_t)(next(&s) & 0xBFFFFFFF));
        raw[i] = r;
        raw_other[i] = i % 4 ? next(&s) : r % 67;
    }
}

static void conversions(void)
{
    struct trn_num_mode mode;
    for (unsigned m = 0; m < 6; m++) {
        trn_num_mode_default(trn_gen_at(m % 2 ? 3 : 0), &mode);
        mode.fp8_nan_suppress = m == 2;
        mode.int_rounding = m == 3 ? TRN_INT_TRUNCATE : TRN_INT_RNE;
        mode.fp32r_mantissa = m == 4 ? 10 : m == 5 ? 13 : 11;
        uint32_t state = 99;
        mode.lfsr = m == 1 ? &state : NULL;
        for (unsigned code = 0; code < 32; code++) {
            const uint8_t dtype = (uint8_t)code;
            if (trn_dtype_convertible(dtype, NULL))
                continue;
            memset(words, 0, sizeof words);
            trn_from_fp32_array(dtype, &mode, in, words, N);
            print("narrow", trn_dtype_name(dtype), words, sizeof words);
            trn_to_fp32_array(dtype, &mode, raw, out, N);
            print("widen", trn_dtype_name(dtype), out, sizeof out);
            if (trn_dtype_size(dtype) == 0)
                continue;
            trn_to_u64_array(dtype, m % 2 ? TRN_EXTEND_SIGN : TRN_EXTEND_ZERO, raw, words, N);
            print("words", trn_dtype_name(dtype), words, sizeof words);
        }
    }
}

static void rows(uint8_t op)
{
    const uint8_t seconds[] = {TRN_ALU_OP_BYPASS, TRN_ALU_OP_ADD, TRN_ALU_OP_SUBTRACT,
                               TRN_ALU_OP_MULT,   TRN_ALU_OP_MAX, TRN_ALU_OP_MIN,
                               TRN_ALU_OP_IS_LT};
    for (size_t k = 0; k < sizeof seconds; k++)
        for (unsigned order = 0; order < 4; order++) {
            const struct trn_ts_op first = {op, order & 1, 0.75f};
            const struct trn_ts_op second = {seconds[k], order & 2, -0.0f};
            trn_alu_ts_row(first, second, in, out, 2000);
            print("ts", trn_alu_name(op), out, 2000 * sizeof *out);
        }
}

static void operators(void)
{
    for (unsigned code = 0; code < 256; code++) {
        const uint8_t op = (uint8_t)code;
        const char *name = trn_alu_name(op);
        if (trn_alu_is_f32(op)) {
            trn_alu_array(op, in, other, out, N);
            print("array", name, out, sizeof out);
            trn_alu_scalar_array(op, in, 1.25f, false, out, N);
            print("scalar", name, out, sizeof out);
            trn_alu_scalar_array(op, in, -0.0f, true, out, N);
            print("reverse", name, out, sizeof out);
            trn_reduce_rows(op, in, 67 * sizeof *in, 131, 67, out);
            print("reduce", name, out, 131 * sizeof *out);
            rows(op);
        }
        for (unsigned bits = 32; bits <= 64; bits += 32) {
            if (trn_alu_is_bitvec(op)) {
                trn_alu_bitvec_array(op, bits, raw, 1, raw_other, 1, words, N);
                print("bitvec", name, words, N * bits / 8);
            }
            for (int is_signed = 0; is_signed < 2; is_signed++)
                if (trn_alu_is_int(op)) {
                    trn_alu_int_array(op, bits, is_signed, raw, 1, raw_other, 1, words, N);
                    print("int", name, words, N * bits / 8);
                    trn_reduce_int_rows(op, bits, is_signed, raw, 13 * bits / 8, 70, 13, words);
                    print("reduce int", name, words, 70 * bits / 8);
                }
        }
    }
}

int main(void)
{
    fill();
    conversions();
    operators();
    return 0;
}
