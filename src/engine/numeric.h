/* SPDX-License-Identifier: Apache-2.0 */
/* Numeric events of the data path: underflow, NaN, infinity and overflow in what a word reads and
 * writes (docs/hardware/error-handling.md 8). Nobody looks while x->numeric_wanted is 0; what is
 * met is collected in x->numeric_met, from any thread, and the sequencer's owner posts it when the
 * word is done.
 *
 * What counts (model choice numeric_kinds):
 *   UNDERFLOW  a value that is not zero became zero: in a product, quotient or power, or when a
 *              result was narrowed; a subnormal result is none
 *   NAN        a NaN among operands or results
 *   INF        an infinite operand, or an infinite result that is exact: a division by zero
 *   OVERFLOW   an infinite, or clamped, floating-point result of finite operands
 * Words that move bits compute nothing and meet nothing. */
#ifndef TRN_ENGINE_NUMERIC_H
#define TRN_ENGINE_NUMERIC_H

#include "engine/exec.h"
#include "trench/notify.h"
#include "trench/num.h"

/* One flag a cause; bit n is error id n of errors.csv. */
enum trn_numeric {
    TRN_NUMERIC_NONE = 0,
    TRN_NUMERIC_UNDERFLOW = 1 << TRN_ERROR_ID_FP_UNDERFLOW,
    TRN_NUMERIC_NAN = 1 << TRN_ERROR_ID_FP_NAN,
    TRN_NUMERIC_INF = 1 << TRN_ERROR_ID_FP_INF,
    TRN_NUMERIC_OVERFLOW = 1 << TRN_ERROR_ID_FP_OVERFLOW
};
enum { TRN_NUMERIC_CAUSES = 4 };

/* The unit that computes the vector words of an engine. */
enum trn_fp_source trn_numeric_source(int engine);

/* Note causes met by a unit; those that nobody wants are forgotten. */
void trn_numeric_raise(struct trn_exec *x, unsigned causes, enum trn_fp_source source);
/* Causes that are wanted and that this unit has not met in this word yet; 0: looking is over. */
unsigned trn_numeric_open(const struct trn_exec *x, enum trn_fp_source source);
/* Units that met a cause: bits of enum trn_fp_source. `id` is one of the first four error ids. */
uint16_t trn_numeric_sources(uint32_t met, unsigned id);

/* NAN and INF among operands. */
unsigned trn_numeric_of_operands(const float *values, size_t n);

/* Whether results of an operator are rounded; else they are among the operands, or 0 and 1. */
bool trn_numeric_rounds(uint8_t op);
/* Whether what is not 0 can become 0. */
bool trn_numeric_shrinks(uint8_t op);

/* Operators whose result tells of all that they and their operands met: nothing when it is
 * ordinary, finite and, where what is not 0 may become 0, not 0. So it is with a fold of many. */
bool trn_numeric_tells(uint8_t op);

/* out[i] = a[i * a_step] op b[i * b_step], steps 0 or 1; b NULL for operators of one operand. What
 * the operation itself met, and the operands that stand still; those that move were looked at when
 * they were read. */
unsigned trn_numeric_of_op(uint8_t op, const float *a, size_t a_step, const float *b, size_t b_step,
                           const float *out, size_t n);

/* out[i] is a function of in[i] (an activation): a NaN of a value that is none, and an infinite
 * result, which is exact where the value is 0. That a result is 0 says nothing. */
unsigned trn_numeric_of_function(const float *in, const float *out, size_t n);

/* out[r] folds the n values of row r by `op`, rows `pitch` bytes apart: what its steps met. */
unsigned trn_numeric_of_folds(uint8_t op, const float *in, size_t pitch, size_t rows, size_t n,
                              const float *out);

/* `in` was stored as `stored`, elements of `dtype`. */
unsigned trn_numeric_of_narrowing(uint8_t dtype, const struct trn_num_mode *mode, const float *in,
                                  const void *stored, size_t n);

#endif
