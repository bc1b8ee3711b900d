/* SPDX-License-Identifier: Apache-2.0 */
/* ALU_OP: integers of 32 bits in registers, of 64 bits in pairs (sequencer.md 7.8, vector-ops.md
 * 1). */
#include "isa_fields.h"
#include "seq/control.h"
#include "trench/enums.h"

/* A number and how to read it. */
struct scalar {
    unsigned bits;
    bool is_signed;
};

static bool scalar_of(uint8_t dtype, struct scalar *out)
{
    switch (dtype) {
    case TRN_DTYPE_INT32:
        *out = (struct scalar){32, true};
        return true;
    case TRN_DTYPE_UINT32:
        *out = (struct scalar){32, false};
        return true;
    case TRN_DTYPE_INT64:
        *out = (struct scalar){64, true};
        return true;
    case TRN_DTYPE_UINT64:
        *out = (struct scalar){64, false};
        return true;
    default:
        return false;
    }
}

/* The low `bits` bits, with the sign carried up when the number has one. */
static uint64_t extend(uint64_t value, struct scalar kind)
{
    if (kind.bits == 64)
        return value;
    return kind.is_signed ? (uint64_t)(int64_t)(int32_t)(uint32_t)value : (uint32_t)value;
}

static bool less(uint64_t a, uint64_t b, bool is_signed)
{
    return is_signed ? (int64_t)a < (int64_t)b : a < b;
}

/* Counts of the width or more shift everything out (numerics.md 5, model choice). */
static uint64_t shift_right(uint64_t a, uint64_t count, struct scalar kind, bool arithmetic)
{
    const uint64_t value = extend(a, (struct scalar){kind.bits, arithmetic});
    if (count >= kind.bits)
        return arithmetic && (int64_t)value < 0 ? UINT64_MAX : 0;
    return arithmetic ? (uint64_t)((int64_t)value >> count) : value >> count;
}

static uint64_t shift_left(uint64_t a, uint64_t count, struct scalar kind)
{
    return count >= kind.bits ? 0 : a << count;
}

/* The smallest signed number over -1 wraps to itself, remainder 0. */
static uint64_t quotient(uint64_t a, uint64_t b, bool is_signed)
{
    if (!is_signed)
        return a / b;
    return (int64_t)b == -1 ? 0 - a : (uint64_t)((int64_t)a / (int64_t)b);
}

static uint64_t remainder_of(uint64_t a, uint64_t b, bool is_signed)
{
    if (!is_signed)
        return a % b;
    return (int64_t)b == -1 ? 0 : (uint64_t)((int64_t)a % (int64_t)b);
}

static uint64_t magnitude(uint64_t a, bool is_signed)
{
    return is_signed && (int64_t)a < 0 ? 0 - a : a;
}

trn_status trn_scalar_alu(uint8_t op, unsigned bits, bool is_signed, uint64_t a, uint64_t b,
                          uint64_t *out)
{
    const struct scalar kind = {bits, is_signed};
    const uint64_t count = bits == 64 ? b : (uint32_t)b;
    a = extend(a, kind);
    b = extend(b, kind);
    const uint64_t a_abs = magnitude(a, is_signed), b_abs = magnitude(b, is_signed);
    uint64_t r = 0;
    switch (op) {
    case TRN_ALU_OP_BYPASS:
        r = a;
        break;
    case TRN_ALU_OP_BITWISE_NOT:
        r = ~a;
        break;
    case TRN_ALU_OP_ARITH_SHIFT_LEFT:
    case TRN_ALU_OP_LOGICAL_SHIFT_LEFT:
        r = shift_left(a, count, kind);
        break;
    case TRN_ALU_OP_ARITH_SHIFT_RIGHT:
        r = shift_right(a, count, kind, true);
        break;
    case TRN_ALU_OP_LOGICAL_SHIFT_RIGHT:
        r = shift_right(a, count, kind, false);
        break;
    case TRN_ALU_OP_ADD:
        r = a + b;
        break;
    case TRN_ALU_OP_SUBTRACT:
        r = a - b;
        break;
    case TRN_ALU_OP_MULT:
        r = a * b;
        break;
    case TRN_ALU_OP_DIVIDE:
        if (b == 0)
            return TRN_ERR_FAULT;
        r = quotient(a, b, is_signed);
        break;
    case TRN_ALU_OP_MOD:
        if (b == 0)
            return TRN_ERR_FAULT;
        r = remainder_of(a, b, is_signed);
        break;
    case TRN_ALU_OP_MAX:
        r = less(a, b, is_signed) ? b : a;
        break;
    case TRN_ALU_OP_MIN:
        r = less(b, a, is_signed) ? b : a;
        break;
    case TRN_ALU_OP_BITWISE_AND:
        r = a & b;
        break;
    case TRN_ALU_OP_BITWISE_OR:
        r = a | b;
        break;
    case TRN_ALU_OP_BITWISE_XOR:
        r = a ^ b;
        break;
    case TRN_ALU_OP_LOGICAL_AND:
        r = a != 0 && b != 0;
        break;
    case TRN_ALU_OP_LOGICAL_OR:
        r = a != 0 || b != 0;
        break;
    case TRN_ALU_OP_LOGICAL_XOR:
        r = (a != 0) != (b != 0);
        break;
    case TRN_ALU_OP_IS_EQ:
        r = a == b;
        break;
    case TRN_ALU_OP_IS_NE:
        r = a != b;
        break;
    case TRN_ALU_OP_IS_GT:
        r = less(b, a, is_signed);
        break;
    case TRN_ALU_OP_IS_GE:
        r = !less(a, b, is_signed);
        break;
    case TRN_ALU_OP_IS_LE:
        r = !less(b, a, is_signed);
        break;
    case TRN_ALU_OP_IS_LT:
        r = less(a, b, is_signed);
        break;
    case TRN_ALU_OP_ABSOLUTE_DIFF:
        r = less(a, b, is_signed) ? b - a : a - b;
        break;
    case TRN_ALU_OP_ABSOLUTE_VALUE:
        r = a_abs;
        break;
    case TRN_ALU_OP_ABS_MAX:
        r = a_abs < b_abs ? b_abs : a_abs;
        break;
    case TRN_ALU_OP_ABS_MIN:
        r = b_abs < a_abs ? b_abs : a_abs;
        break;
    case TRN_ALU_OP_RE_LU:
        r = less(a, 0, is_signed) ? 0 : a;
        break;
    case TRN_ALU_OP_SQUARE:
        r = a * a;
        break;
    default:
        return TRN_ERR_INVALID;
    }
    *out = bits == 64 ? r : (uint32_t)r;
    return TRN_OK;
}

static trn_status read_scalar(struct trn_seq *seq, uint8_t low, uint8_t high, struct scalar kind,
                              uint64_t *out)
{
    uint32_t words[2] = {0, 0};
    trn_status status = trn_seq_read_register(seq, low, &words[0]);
    if (status == TRN_OK && kind.bits == 64)
        status = trn_seq_read_register(seq, high, &words[1]);
    *out = words[0] | (uint64_t)words[1] << 32;
    return status;
}

static trn_status write_scalar(struct trn_seq *seq, const uint8_t *word, struct scalar kind,
                               uint64_t value)
{
    const unsigned isa = seq->core->gen->isa;
    const trn_status status =
        trn_seq_write_register(seq, trn_ctrl_al_dst_lo(word, isa), (uint32_t)value);
    if (status != TRN_OK || kind.bits == 32)
        return status;
    return trn_seq_write_register(seq, trn_ctrl_al_dst_hi(word, isa), (uint32_t)(value >> 32));
}

trn_status trn_word_alu_op(struct trn_seq *seq, const uint8_t *word)
{
    const unsigned isa = seq->core->gen->isa;
    const uint8_t op = trn_ctrl_al_op(word, isa);
    struct scalar source, result;
    uint64_t a = 0, b = trn_ctrl_al_immediate(word, isa), r = 0;
    if (!scalar_of(trn_ctrl_al_dtype(word, isa), &source) ||
        !scalar_of(trn_ctrl_al_dst_dtype(word, isa), &result))
        return trn_seq_fault(seq, TRN_FAULT_ASSERTION, "al_op_dtype", "not supported dtype");
    trn_status status = read_scalar(seq, trn_ctrl_al_src0_lo(word, isa),
                                    trn_ctrl_al_src0_hi(word, isa), source, &a);
    if (status == TRN_OK && trn_ctrl_al_src1_datasrc(word, isa) == TRN_DATA_SRC_REGISTER)
        status = read_scalar(seq, trn_ctrl_al_src1_lo(word, isa), trn_ctrl_al_src1_hi(word, isa),
                             source, &b);
    if (status != TRN_OK)
        return status;
    switch (trn_scalar_alu(op, source.bits, source.is_signed, a, b, &r)) {
    case TRN_OK:
        return write_scalar(seq, word, result, extend(r, source));
    case TRN_ERR_FAULT:
        return trn_seq_fault(seq, TRN_FAULT_DIVIDE_BY_ZERO, NULL,
                             "integer division by zero in ALU_OP");
    default:
        return trn_seq_fault(seq, TRN_FAULT_ASSERTION, "al_op_dtype",
                             "not supported op 0x%02x in ALU_OP", op);
    }
}
