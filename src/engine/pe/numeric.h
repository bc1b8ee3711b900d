/* SPDX-License-Identifier: Apache-2.0 */
/* Numeric events of the array (engine/numeric.h): of its operands, and of the sums that leave it
 * (docs/hardware/pe-array.md 7.2, error-handling.md 8). A step that rounds inside of a sum is
 * looked at only when the sum leaves as zero (model choice numeric_kinds). */
#ifndef TRN_ENGINE_PE_NUMERIC_H
#define TRN_ENGINE_PE_NUMERIC_H

#include "engine/numeric.h"
#include "engine/pe/columns.h"

/* What the finite values of an operand lie between, and what others it has. */
struct trn_pe_range {
    float least, most; /* magnitudes; least is that of a value that is not 0 */
    bool infinite, nan;
};

struct trn_pe_range trn_pe_range_empty(void);
/* Take in `count` adjacent values of each row, rows `pitch` floats apart. */
void trn_pe_range_add(struct trn_pe_range *range, const float *values, uint32_t rows, size_t pitch,
                      uint32_t count);
unsigned trn_pe_numeric_of_range(const struct trn_pe_range *range);

/* Whether a sum of `steps` products can be infinite, NaN, or a zero that hides something. */
bool trn_pe_may_meet(const struct trn_pe_range *weights, const struct trn_pe_range *moving,
                     uint32_t steps);

/* What the sums of one panel and one block are made of. A step adds the products of `values` values
 * a cell, w[v] * x[v]; an FP32 operand of one value a cell has passes x[0] and x[1] instead. */
struct trn_pe_terms {
    const float *w[4], *x[4];
    size_t x_pitch;
    uint32_t rows, passes, values;
};

/* What `count` finished sums of a column of the panel met. */
unsigned trn_pe_numeric_of_sums(const struct trn_pe_terms *terms, uint32_t column,
                                const float *sums, uint32_t count);

#endif
