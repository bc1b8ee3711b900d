/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/vector/operators.h"

/* Operators that only the software kernels of POOL have (alu-ops.csv, vector-ops.md 1). */
static bool pool_only(uint8_t op)
{
    return op == TRN_ALU_OP_POW || op == TRN_ALU_OP_CRC32 || op == TRN_ALU_OP_RSQRT;
}

static bool view_has(enum trn_view view, uint8_t op)
{
    switch (view) {
    case TRN_VIEW_F32:
        return trn_alu_is_f32(op);
    case TRN_VIEW_BITS32:
    case TRN_VIEW_BITS64:
        return trn_alu_is_bitvec(op);
    case TRN_VIEW_INT32:
    case TRN_VIEW_INT64:
        return trn_alu_is_int(op);
    case TRN_VIEW_RAW:
        break;
    }
    return false;
}

static trn_status unspecified(struct trn_exec *x, uint8_t op, const char *why)
{
    const char *name = trn_alu_name(op);
    return trn_exec_fault(x, TRN_FAULT_MISSING_SPECIFICATION, NULL,
                          "operator %s (0x%02x) on %s: %s", name ? name : "?", op,
                          trn_engine_name(x->engine), why);
}

static void note_choices(struct trn_exec *x, uint8_t op)
{
    if (op == TRN_ALU_OP_CRC32)
        trn_exec_choice(x, TRN_CHOICE_CRC32_FORM);
    if (op == TRN_ALU_OP_SYMMETRIC_CLAMP)
        trn_exec_choice(x, TRN_CHOICE_SYMMETRIC_CLAMP_MAX);
    if (op == TRN_ALU_OP_DIVIDE || op == TRN_ALU_OP_POW || op == TRN_ALU_OP_RSQRT)
        trn_exec_choice(x, TRN_CHOICE_CORRECTLY_ROUNDED);
    if (trn_op_is_integer_band(op) && x->engine == TRN_NEURON_ENGINE_DVE)
        trn_exec_choice(x, TRN_CHOICE_DVE_INTEGER_BAND);
}

trn_status trn_op_check(struct trn_exec *x, uint8_t op, enum trn_view view, uint8_t dtype)
{
    if (!view_has(view, op))
        return unspecified(x, op, "what it does in this word is not specified");
    if (pool_only(op) && x->engine != TRN_NEURON_ENGINE_POOL)
        return unspecified(x, op, "only the POOL kernels have it");
    const bool bits = view == TRN_VIEW_BITS32 || view == TRN_VIEW_BITS64;
    if (bits && op == TRN_ALU_OP_ARITH_SHIFT_RIGHT && trn_dtype_size(dtype) < 4)
        return unspecified(x, op, "an arithmetic shift right needs elements of 4 or 8 bytes");
    note_choices(x, op);
    return TRN_OK;
}
