/* SPDX-License-Identifier: Apache-2.0 */
/* Which ALU operators the vector engines execute, and on what they work (vector-ops.md 1). */
#ifndef TRN_ENGINE_VECTOR_OPERATORS_H
#define TRN_ENGINE_VECTOR_OPERATORS_H

#include "engine/vector/rows.h"

/* Codes C0 and above select the integer engine: bits 7:6 are 3 (vector-ops.md 1). */
static inline bool trn_op_is_integer_band(uint8_t op)
{
    return op >= TRN_ALU_OP_ADD_INT;
}

/*
 * TRN_OK when this engine executes `op` on words of the view, elements of `dtype`; a fault that
 * says why not otherwise. Notes the model choices that the operator's result rests on.
 */
trn_status trn_op_check(struct trn_exec *x, uint8_t op, enum trn_view view, uint8_t dtype);

/* Bits of a word of an integer or bitvec view. */
static inline unsigned trn_view_bits(enum trn_view view)
{
    return view == TRN_VIEW_BITS64 || view == TRN_VIEW_INT64 ? 64 : 32;
}

#endif
