/* SPDX-License-Identifier: Apache-2.0 */
/* Bitvec and integer operators on 32- and 64-bit words (docs/hardware/vector-ops.md 1, numerics.md
 * 8). Arithmetic is done on unsigned words, where it wraps. */
#include <string.h>

#include "num/format.h"
#include "num/num_rows.h"

/* ---- one element ----------------------------------------------------------------------------- */

/* In the expressions below: U and S are the word's unsigned and signed type, BITS its width, a and
 * b the operands as U, sa and sb as S. */

/* Model choice (vector-ops.md 1): reflected CRC-32 of the little-endian bytes of b, running value
 * a, no final complement. */
static uint32_t crc32_step(uint32_t crc, uint64_t word, unsigned bits)
{
    for (unsigned i = 0; i < bits; i++) {
        const uint32_t feedback = (crc ^ (uint32_t)(word >> i)) & 1;
        crc = crc >> 1 ^ (feedback ? 0xEDB88320u : 0);
    }
    return crc;
}

#define SHIFT_LEFT  (b < BITS ? a << (b & (BITS - 1)) : 0)
#define SHIFT_RIGHT (b < BITS ? a >> (b & (BITS - 1)) : 0)
#define SIGN_FILL   (0 - (a >> (BITS - 1)))
#define SHIFT_SIGN  ((b < BITS ? (a ^ SIGN_FILL) >> (b & (BITS - 1)) : 0) ^ SIGN_FILL)

/* clang-format off */
#define BITVEC_OPS(X)                                                                              \
    X(BYPASS, a)                                                                                   \
    X(BITWISE_NOT, ~a)                                                                             \
    X(ARITH_SHIFT_LEFT, SHIFT_LEFT)                                                                \
    X(ARITH_SHIFT_RIGHT, SHIFT_SIGN)                                                               \
    X(BITWISE_AND, a & b)                                                                          \
    X(BITWISE_OR, a | b)                                                                           \
    X(BITWISE_XOR, a ^ b)                                                                          \
    X(LOGICAL_SHIFT_LEFT, SHIFT_LEFT)                                                              \
    X(LOGICAL_SHIFT_RIGHT, SHIFT_RIGHT)                                                            \
    X(CRC32, crc32_step((uint32_t)a, b, BITS))
/* clang-format on */

/* Division: INT_MIN / -1 wraps, by zero gives 0 here and an error to the caller (model choice). */
#define QUOTIENT_U  (b ? a / (b ? b : 1) : 0)
#define REMAINDER_U (b ? a % (b ? b : 1) : 0)
#define QUOTIENT_S  (sb == -1 ? 0 - a : b ? (U)(sa / (b ? sb : 1)) : 0)
#define REMAINDER_S (sb == -1 ? 0 : b ? (U)(sa % (b ? sb : 1)) : 0)

/* Magnitudes are exact as unsigned words, INT_MIN included. */
#define ABS_A  (sa < 0 ? 0 - a : a)
#define ABS_B  (sb < 0 ? 0 - b : b)
#define DIFF_S (sa > sb ? a - b : b - a)
#define DIFF_U (a > b ? a - b : b - a)

/* clang-format off */
/* X(operator, expression for signed operands, for unsigned operands) */
#define INT_OPS(X)                                                                                 \
    X(BYPASS, a, a)                                                                                \
    X(BITWISE_NOT, ~a, ~a)                                                                         \
    X(ARITH_SHIFT_LEFT, SHIFT_LEFT, SHIFT_LEFT)                                                    \
    X(ARITH_SHIFT_RIGHT, SHIFT_SIGN, SHIFT_SIGN)                                                   \
    X(LOGICAL_SHIFT_LEFT, SHIFT_LEFT, SHIFT_LEFT)                                                  \
    X(LOGICAL_SHIFT_RIGHT, SHIFT_RIGHT, SHIFT_RIGHT)                                               \
    X(BITWISE_AND, a & b, a & b)                                                                   \
    X(BITWISE_OR, a | b, a | b)                                                                    \
    X(BITWISE_XOR, a ^ b, a ^ b)                                                                   \
    X(LOGICAL_AND, (a != 0) & (b != 0), (a != 0) & (b != 0))                                       \
    X(LOGICAL_OR, (a | b) != 0, (a | b) != 0)                                                      \
    X(LOGICAL_XOR, (a != 0) != (b != 0), (a != 0) != (b != 0))                                     \
    X(ADD, a + b, a + b)                                                                           \
    X(SUBTRACT, a - b, a - b)                                                                      \
    X(MULT, a * b, a * b)                                                                          \
    X(DIVIDE, QUOTIENT_S, QUOTIENT_U)                                                              \
    X(MOD, REMAINDER_S, REMAINDER_U)                                                               \
    X(MAX, sa > sb ? a : b, a > b ? a : b)                                                         \
    X(MIN, sa < sb ? a : b, a < b ? a : b)                                                         \
    X(IS_EQ, a == b, a == b)                                                                       \
    X(IS_NE, a != b, a != b)                                                                       \
    X(IS_GT, sa > sb, a > b)                                                                       \
    X(IS_GE, sa >= sb, a >= b)                                                                     \
    X(IS_LE, sa <= sb, a <= b)                                                                     \
    X(IS_LT, sa < sb, a < b)                                                                       \
    X(ABSOLUTE_DIFF, DIFF_S, DIFF_U)                                                               \
    X(ABSOLUTE_VALUE, ABS_A, a)                                                                    \
    X(ABS_MAX, ABS_A > ABS_B ? ABS_A : ABS_B, a > b ? a : b)                                       \
    X(ABS_MIN, ABS_A < ABS_B ? ABS_A : ABS_B, a < b ? a : b)                                       \
    X(RE_LU, sa > 0 ? a : 0, a)                                                                    \
    X(SQUARE, a * a, a * a)                                                                        \
    X(ADD_INT, a + b, a + b)                                                                       \
    X(SUBTRACT_INT, a - b, a - b)                                                                  \
    X(MULT_INT, a * b, a * b)                                                                      \
    X(MULT_UINT, a * b, a * b)                                                                     \
    X(DIVIDE_INT, QUOTIENT_S, QUOTIENT_S)                                                          \
    X(MOD_INT, REMAINDER_S, REMAINDER_S)                                                           \
    X(DIVIDE_UINT, QUOTIENT_U, QUOTIENT_U)                                                         \
    X(MOD_UINT, REMAINDER_U, REMAINDER_U)                                                          \
    X(IS_EQUAL_INT, a == b, a == b)                                                                \
    X(IS_NE_INT, a != b, a != b)                                                                   \
    X(ABS_MAX_INT, ABS_A > ABS_B ? ABS_A : ABS_B, ABS_A > ABS_B ? ABS_A : ABS_B)                   \
    X(ABS_MIN_INT, ABS_A < ABS_B ? ABS_A : ABS_B, ABS_A < ABS_B ? ABS_A : ABS_B)                   \
    X(ABS_DIFF_INT, DIFF_S, DIFF_S)                                                                \
    X(ABS_VALUE_INT, ABS_A, ABS_A)                                                                 \
    X(MAX_INT, sa > sb ? a : b, sa > sb ? a : b)                                                   \
    X(MIN_INT, sa < sb ? a : b, sa < sb ? a : b)                                                   \
    X(IS_GT_INT, sa > sb, sa > sb)                                                                 \
    X(IS_GE_INT, sa >= sb, sa >= sb)                                                               \
    X(IS_LE_INT, sa <= sb, sa <= sb)                                                               \
    X(IS_LT_INT, sa < sb, sa < sb)                                                                 \
    X(MAX_UINT, a > b ? a : b, a > b ? a : b)                                                      \
    X(MIN_UINT, a < b ? a : b, a < b ? a : b)                                                      \
    X(IS_GT_UINT, a > b, a > b)                                                                    \
    X(IS_GE_UINT, a >= b, a >= b)                                                                  \
    X(IS_LE_UINT, a <= b, a <= b)                                                                  \
    X(IS_LT_UINT, a < b, a < b)
/* clang-format on */

/* ---- arrays ---------------------------------------------------------------------------------- */

#define LOOP(EXPRESSION)                                                                           \
    TRN_ELEMENTWISE                                                                                \
    for (size_t i = 0; i < n; i++) {                                                               \
        const U a = x[i], b = y[i];                                                                \
        const S sa = (S)a, sb = (S)b;                                                              \
        (void)b, (void)sa, (void)sb;                                                               \
        out[i] = (U)(EXPRESSION);                                                                  \
    }

#define BITVEC_CASE(OP, EXPRESSION)                                                                \
    case TRN_ALU_OP_##OP:                                                                          \
        LOOP(EXPRESSION)                                                                           \
        break;

#define SIGNED_CASE(OP, SIGNED, UNSIGNED)                                                          \
    case TRN_ALU_OP_##OP:                                                                          \
        LOOP(SIGNED)                                                                               \
        break;

#define UNSIGNED_CASE(OP, SIGNED, UNSIGNED)                                                        \
    case TRN_ALU_OP_##OP:                                                                          \
        LOOP(UNSIGNED)                                                                             \
        break;

#define DEFINE(NAME, W, CLONES, CASES)                                                             \
    CLONES static void NAME##_##W(uint8_t op, const void *left, const void *right, void *to,       \
                                  size_t n)                                                        \
    {                                                                                              \
        typedef uint##W##_t U;                                                                     \
        typedef int##W##_t S;                                                                      \
        enum { BITS = W };                                                                         \
        const U *x = left, *y = right;                                                             \
        U *out = to;                                                                               \
        switch (op) {                                                                              \
            CASES                                                                                  \
        default:                                                                                   \
            break;                                                                                 \
        }                                                                                          \
    }

/* 64-bit words are rare: one version for all hosts. */
DEFINE(bitvec, 32, TRN_CLONES, BITVEC_OPS(BITVEC_CASE))
DEFINE(bitvec, 64, , BITVEC_OPS(BITVEC_CASE))
DEFINE(signed, 32, TRN_CLONES, INT_OPS(SIGNED_CASE))
DEFINE(signed, 64, , INT_OPS(SIGNED_CASE))
DEFINE(unsigned, 32, TRN_CLONES, INT_OPS(UNSIGNED_CASE))
DEFINE(unsigned, 64, , INT_OPS(UNSIGNED_CASE))

typedef void loop_fn(uint8_t op, const void *x, const void *y, void *out, size_t n);

static loop_fn *bitvec_loop(unsigned bits)
{
    return bits == 32 ? bitvec_32 : bitvec_64;
}

static loop_fn *int_loop(unsigned bits, bool is_signed)
{
    if (bits == 32)
        return is_signed ? signed_32 : unsigned_32;
    return is_signed ? signed_64 : unsigned_64;
}

bool trn_alu_is_bitvec(uint8_t op)
{
#define CASE(OP, EXPRESSION) case TRN_ALU_OP_##OP:
    switch (op) {
        BITVEC_OPS(CASE)
        return true;
    default:
        return false;
    }
#undef CASE
}

static bool is_elementwise_int(uint8_t op)
{
#define CASE(OP, SIGNED, UNSIGNED) case TRN_ALU_OP_##OP:
    switch (op) {
        INT_OPS(CASE)
        return true;
    default:
        return false;
    }
#undef CASE
}

static bool is_argument(uint8_t op)
{
    return op >= TRN_ALU_OP_AMAX_INT && op <= TRN_ALU_OP_AMIN_UINT;
}

bool trn_alu_is_int(uint8_t op)
{
    return is_elementwise_int(op) || is_argument(op);
}

static bool is_division(uint8_t op)
{
    return op == TRN_ALU_OP_DIVIDE || op == TRN_ALU_OP_MOD || op == TRN_ALU_OP_DIVIDE_INT ||
           op == TRN_ALU_OP_MOD_INT || op == TRN_ALU_OP_DIVIDE_UINT || op == TRN_ALU_OP_MOD_UINT;
}

static bool valid_form(unsigned bits, size_t a_step, size_t b_step)
{
    return (bits == 32 || bits == 64) && a_step <= 1 && b_step <= 1;
}

static bool any_zero(const void *words, size_t bytes_each, size_t n)
{
    static const uint8_t zero[8];
    for (size_t i = 0; i < n; i++)
        if (memcmp((const uint8_t *)words + i * bytes_each, zero, bytes_each) == 0)
            return true;
    return false;
}

/* Words a scalar operand is repeated for. */
#define BLOCK 256

static void repeat(const void *word, size_t bytes, uint64_t block[BLOCK])
{
    for (size_t i = 0; i < BLOCK; i++)
        memcpy((uint8_t *)block + i * bytes, word, bytes);
}

/* Run the loop over blocks, a scalar operand spread out first. */
static void run(loop_fn *loop, uint8_t op, unsigned bits, const void *a, size_t a_step,
                const void *b, size_t b_step, void *out, size_t n)
{
    const size_t bytes = bits / 8;
    if (n == 1 || (a_step == 1 && b_step == 1)) {
        loop(op, a, b, out, n);
        return;
    }
    uint64_t left[BLOCK], right[BLOCK];
    if (a_step == 0)
        repeat(a, bytes, left);
    if (b_step == 0)
        repeat(b, bytes, right);
    for (size_t done = 0; done < n; done += BLOCK) {
        const size_t count = n - done < BLOCK ? n - done : BLOCK;
        loop(op, a_step ? (const void *)((const uint8_t *)a + done * bytes) : left,
             b_step ? (const void *)((const uint8_t *)b + done * bytes) : right,
             (uint8_t *)out + done * bytes, count);
    }
}

trn_status trn_alu_bitvec_array(uint8_t op, unsigned bits, const void *a, size_t a_step,
                                const void *b, size_t b_step, void *out, size_t n)
{
    if (!trn_alu_is_bitvec(op))
        return TRN_ERR_UNSUPPORTED;
    if (!valid_form(bits, a_step, b_step))
        return TRN_ERR_INVALID;
    if (trn_alu_arity(op) == 1)
        b = a, b_step = a_step;
    run(bitvec_loop(bits), op, bits, a, a_step, b, b_step, out, n);
    return TRN_OK;
}

trn_status trn_alu_int_array(uint8_t op, unsigned bits, bool is_signed, const void *a,
                             size_t a_step, const void *b, size_t b_step, void *out, size_t n)
{
    if (!is_elementwise_int(op))
        return TRN_ERR_UNSUPPORTED;
    if (!valid_form(bits, a_step, b_step))
        return TRN_ERR_INVALID;
    if (trn_alu_arity(op) == 1)
        b = a, b_step = a_step;
    const bool by_zero = n && is_division(op) && any_zero(b, bits / 8, b_step ? n : 1);
    run(int_loop(bits, is_signed), op, bits, a, a_step, b, b_step, out, n);
    return by_zero ? TRN_ERR_RANGE : TRN_OK;
}

trn_status trn_alu_bitvec(uint8_t op, unsigned bits, uint64_t a, uint64_t b, uint64_t *out)
{
    uint64_t result = 0; /* little-endian: the low word is the 32-bit word */
    const trn_status status = trn_alu_bitvec_array(op, bits, &a, 1, &b, 1, &result, 1);
    if (!status)
        *out = result;
    return status;
}

trn_status trn_alu_int(uint8_t op, unsigned bits, bool is_signed, uint64_t a, uint64_t b,
                       uint64_t *out)
{
    uint64_t result = 0;
    const trn_status status = trn_alu_int_array(op, bits, is_signed, &a, 1, &b, 1, &result, 1);
    if (!status || status == TRN_ERR_RANGE)
        *out = result;
    return status;
}

/* ---- reductions ------------------------------------------------------------------------------ */

/* Rows that advance together, one column of words at a time. */
#define COLUMN 64

struct rows {
    const uint8_t *in;
    size_t pitch, lanes, n, bytes;
};

static void load_column(const struct rows *rows, size_t first, size_t count, size_t i, void *column)
{
    for (size_t r = 0; r < count; r++)
        memcpy((uint8_t *)column + r * rows->bytes,
               rows->in + (first + r) * rows->pitch + i * rows->bytes, rows->bytes);
}

static void reduce(loop_fn *loop, uint8_t op, const struct rows *rows, uint8_t *out, bool *by_zero)
{
    uint64_t column[COLUMN];
    for (size_t done = 0; done < rows->lanes; done += COLUMN) {
        const size_t count = rows->lanes - done < COLUMN ? rows->lanes - done : COLUMN;
        uint8_t *acc = out + done * rows->bytes;
        load_column(rows, done, count, 0, acc);
        for (size_t i = 1; i < rows->n; i++) {
            load_column(rows, done, count, i, column);
            *by_zero |= is_division(op) && any_zero(column, rows->bytes, count);
            loop(op, acc, column, acc, count);
        }
    }
}

/* Index of the first extreme element of each row: model choice, as the order of ties is open. */
static void reduce_argument(uint8_t op, unsigned bits, const struct rows *rows, uint8_t *out)
{
    const bool largest = op == TRN_ALU_OP_AMAX_INT || op == TRN_ALU_OP_AMAX_UINT;
    const bool is_signed = op == TRN_ALU_OP_AMAX_INT || op == TRN_ALU_OP_AMIN_INT;
    loop_fn *compare = int_loop(bits, is_signed);
    for (size_t r = 0; r < rows->lanes; r++) {
        uint64_t best = 0, index = 0;
        load_column(rows, r, 1, 0, &best);
        for (size_t i = 1; i < rows->n; i++) {
            uint64_t word = 0, better = 0;
            load_column(rows, r, 1, i, &word);
            compare(largest ? TRN_ALU_OP_IS_GT : TRN_ALU_OP_IS_LT, &word, &best, &better, 1);
            if (better) {
                best = word;
                index = i;
            }
        }
        memcpy(out + r * rows->bytes, &index, rows->bytes);
    }
}

trn_status trn_reduce_bitvec_rows(uint8_t op, unsigned bits, const void *in, size_t pitch,
                                  size_t lanes, size_t n, void *out)
{
    if (!trn_alu_is_bitvec(op))
        return TRN_ERR_UNSUPPORTED;
    if (!valid_form(bits, 1, 1) || n == 0)
        return TRN_ERR_INVALID;
    const struct rows rows = {in, pitch, lanes, n, bits / 8};
    bool by_zero = false;
    reduce(bitvec_loop(bits), op, &rows, out, &by_zero);
    return TRN_OK;
}

trn_status trn_reduce_int_rows(uint8_t op, unsigned bits, bool is_signed, const void *in,
                               size_t pitch, size_t lanes, size_t n, void *out)
{
    if (!trn_alu_is_int(op))
        return TRN_ERR_UNSUPPORTED;
    if (!valid_form(bits, 1, 1) || n == 0)
        return TRN_ERR_INVALID;
    const struct rows rows = {in, pitch, lanes, n, bits / 8};
    bool by_zero = false;
    if (is_argument(op))
        reduce_argument(op, bits, &rows, out);
    else
        reduce(int_loop(bits, is_signed), op, &rows, out, &by_zero);
    return by_zero ? TRN_ERR_RANGE : TRN_OK;
}
