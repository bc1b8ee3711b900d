/* SPDX-License-Identifier: Apache-2.0 */
/* fp32 operators over arrays: one specialised loop for each operator and operand form. */
#include "num/alu_f32.h"

/* The loops of one form: `a` and `b` name the operands of element i. Returns false for codes that
 * are no fp32 operator. */
#define CASE(OP, EXPRESSION)                                                                       \
    case TRN_ALU_OP_##OP:                                                                          \
        TRN_ELEMENTWISE                                                                            \
        for (size_t i = 0; i < n; i++) {                                                           \
            const float a = A(i), b = B(i);                                                        \
            (void)b;                                                                               \
            out[i] = trn_canonical(EXPRESSION);                                                    \
        }                                                                                          \
        return true;

#define A(i) x[i]
#define B(i) y[i]
TRN_CLONES static bool tensor_tensor(uint8_t op, const float *x, const float *y, float *out,
                                     size_t n)
{
    switch (op) {
        TRN_F32_OPS(CASE)
    }
    return false;
}
#undef B

#define B(i) s
TRN_CLONES static bool tensor_scalar(uint8_t op, const float *x, float s, float *out, size_t n)
{
    switch (op) {
        TRN_F32_OPS(CASE)
    }
    return false;
}
#undef A
#undef B

#define A(i) s
#define B(i) x[i]
TRN_CLONES static bool scalar_tensor(uint8_t op, float s, const float *x, float *out, size_t n)
{
    switch (op) {
        TRN_F32_OPS(CASE)
    }
    return false;
}
#undef A
#undef B

static trn_status move_bits(const float *in, float *out, size_t n)
{
    if (n)
        memmove(out, in, n * sizeof *out);
    return TRN_OK;
}

trn_status trn_alu_array(uint8_t op, const float *a, const float *b, float *out, size_t n)
{
    if (op == TRN_ALU_OP_BYPASS)
        return move_bits(a, out, n);
    const float *right = trn_alu_arity(op) == 1 ? a : b;
    return tensor_tensor(op, a, right, out, n) ? TRN_OK : TRN_ERR_UNSUPPORTED;
}

trn_status trn_alu_scalar_array(uint8_t op, const float *a, float s, bool reverse, float *out,
                                size_t n)
{
    if (op == TRN_ALU_OP_BYPASS && !reverse)
        return move_bits(a, out, n);
    if (op == TRN_ALU_OP_BYPASS) {
        for (size_t i = 0; i < n; i++)
            out[i] = s;
        return TRN_OK;
    }
    const bool known = reverse ? scalar_tensor(op, s, a, out, n) : tensor_scalar(op, a, s, out, n);
    return known ? TRN_OK : TRN_ERR_UNSUPPORTED;
}

trn_status trn_alu_f32(uint8_t op, float a, float b, float *out)
{
    return trn_alu_array(op, &a, &b, out, 1);
}
