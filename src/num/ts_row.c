/* SPDX-License-Identifier: Apache-2.0 */
/* TENSOR_SCALAR rows: both operators in one pass. The usual operators are reduced to a few steps
 * x -> f(x, c), and every pair of steps has its own loop; the rest goes through a block that stays
 * in the first-level cache. */
#include "num/alu_f32.h"

/* clang-format off */
/* X(step, expression in x and c, whether the result may be a NaN) */
#define STEPS(X, ...)                                                                              \
    X(PASS, x, 1, __VA_ARGS__)                                                                     \
    X(ADD, x + c, 1, __VA_ARGS__)                                                                  \
    X(FROM, c - x, 1, __VA_ARGS__)                                                                 \
    X(MULT, x * c, 1, __VA_ARGS__)                                                                 \
    X(MAX, x > c ? x : c, 0, __VA_ARGS__)                                                          \
    X(MIN, x < c ? x : c, 0, __VA_ARGS__)
/* clang-format on */

#define NAME(STEP, EXPRESSION, NAN, ...) STEP_##STEP,
enum step { STEPS(NAME, ) STEP_COUNT };
#undef NAME

#define DEFINE(STEP, EXPRESSION, NAN, ...)                                                         \
    TRN_INLINE float step_##STEP(float x, float c)                                                 \
    {                                                                                              \
        (void)c;                                                                                   \
        return EXPRESSION;                                                                         \
    }
STEPS(DEFINE, )
#undef DEFINE

struct step_op {
    enum step step;
    float c;
};

/* The step that an operator with its immediate is; false when there is none. MAX and MIN steps
 * return c for a NaN and for equal operands, which is right unless c is a NaN or the zero that
 * loses to the other zero. */
static bool step_of(const struct trn_ts_op *op, struct step_op *out)
{
    const uint32_t bits = trn_f32_bits(op->imm);
    out->c = op->imm;
    switch (op->op) {
    case TRN_ALU_OP_BYPASS:
        out->step = STEP_PASS;
        return !op->reverse;
    case TRN_ALU_OP_ADD:
        out->step = STEP_ADD;
        return true;
    case TRN_ALU_OP_SUBTRACT: /* x - c is x + (-c), signed zeros included */
        out->step = op->reverse ? STEP_FROM : STEP_ADD;
        if (!op->reverse)
            out->c = trn_bits_f32(bits ^ TRN_F32_SIGN);
        return true;
    case TRN_ALU_OP_MULT:
        out->step = STEP_MULT;
        return true;
    case TRN_ALU_OP_MAX:
        out->step = STEP_MAX;
        return op->imm == op->imm && bits != TRN_F32_SIGN;
    case TRN_ALU_OP_MIN:
        out->step = STEP_MIN;
        return op->imm == op->imm && bits != 0;
    case TRN_ALU_OP_RE_LU:
        out->step = STEP_MAX;
        out->c = 0;
        return !op->reverse;
    default:
        return false;
    }
}

/* Rows of equal length, `pitch` bytes apart. */
struct rows {
    const float *in;
    float *out;
    size_t in_pitch, out_pitch, count, n;
};

static const float *row_in(const struct rows *rows, size_t r)
{
    return (const float *)(const void *)((const uint8_t *)rows->in + r * rows->in_pitch);
}

static float *row_out(const struct rows *rows, size_t r)
{
    return (float *)(void *)((uint8_t *)rows->out + r * rows->out_pitch);
}

#define PAIR(SECOND, EXPRESSION, NAN, FIRST)                                                       \
    case STEP_##FIRST *STEP_COUNT + STEP_##SECOND:                                                 \
        for (size_t row = 0; row < rows->count; row++) {                                           \
            const float *in = row_in(rows, row);                                                   \
            float *out = row_out(rows, row);                                                       \
            TRN_ELEMENTWISE                                                                        \
            for (size_t i = 0; i < n; i++) {                                                       \
                const float r = step_##SECOND(step_##FIRST(in[i], c0), c1);                        \
                out[i] = (NAN) ? trn_canonical(r) : r;                                             \
            }                                                                                      \
        }                                                                                          \
        break;

TRN_CLONES static void run_pair(struct step_op first, struct step_op second,
                                const struct rows *rows)
{
    const float c0 = first.c, c1 = second.c;
    const size_t n = rows->n;
    switch (first.step * STEP_COUNT + second.step) {
        STEPS(PAIR, PASS)
        STEPS(PAIR, ADD)
        STEPS(PAIR, FROM)
        STEPS(PAIR, MULT)
        STEPS(PAIR, MAX)
        STEPS(PAIR, MIN)
    }
}

#define BLOCK 512 /* elements */

/* Any operators: a block of op0's results at a time. */
static void run_blocks(struct trn_ts_op op0, struct trn_ts_op op1, const float *in, float *out,
                       size_t n)
{
    float block[BLOCK];
    for (size_t done = 0; done < n; done += BLOCK) {
        const size_t count = n - done < BLOCK ? n - done : BLOCK;
        trn_alu_scalar_array(op0.op, in + done, op0.imm, op0.reverse, block, count);
        trn_alu_scalar_array(op1.op, block, op1.imm, op1.reverse, out + done, count);
    }
}

trn_status trn_alu_ts_rows(struct trn_ts_op op0, struct trn_ts_op op1, const float *in,
                           size_t in_pitch, float *out, size_t out_pitch, size_t rows, size_t n)
{
    if (!trn_alu_is_f32(op0.op) || !trn_alu_is_f32(op1.op))
        return TRN_ERR_UNSUPPORTED;
    const struct rows all = {in, out, in_pitch, out_pitch, rows, n};
    const bool pass0 = op0.op == TRN_ALU_OP_BYPASS && !op0.reverse;
    const bool pass1 = op1.op == TRN_ALU_OP_BYPASS && !op1.reverse;
    struct step_op first, second;
    if (pass0 && pass1) { /* no operator, no NaN to make canonical: bits move */
        for (size_t r = 0; r < rows; r++)
            trn_alu_scalar_array(op0.op, row_in(&all, r), op0.imm, false, row_out(&all, r), n);
    } else if (step_of(&op0, &first) && step_of(&op1, &second)) {
        run_pair(first, second, &all);
    } else {
        for (size_t r = 0; r < rows; r++)
            run_blocks(op0, op1, row_in(&all, r), row_out(&all, r), n);
    }
    return TRN_OK;
}

trn_status trn_alu_ts_row(struct trn_ts_op op0, struct trn_ts_op op1, const float *in, float *out,
                          size_t n)
{
    return trn_alu_ts_rows(op0, op1, in, 0, out, 0, 1, n);
}
