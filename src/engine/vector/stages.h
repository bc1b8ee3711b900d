/* SPDX-License-Identifier: Apache-2.0 */
/* Numeric events of operators whose second operand is a scalar (engine/numeric.h): one stage, or
 * two of them one behind the other. */
#ifndef TRN_ENGINE_VECTOR_STAGES_H
#define TRN_ENGINE_VECTOR_STAGES_H

#include "engine/numeric_range.h"

/* What `out` = `in` op scalar met; the scalar stands still, on the side that `reverse` says. */
unsigned trn_stage_numeric(struct trn_ts_op stage, const float *in, const float *out, size_t n);

/* What two stages met that gave `out`. */
unsigned trn_stages_numeric(struct trn_ts_op first, struct trn_ts_op second, const float *in,
                            const float *out, size_t n);

/* What a stage can meet at most with scalars and elements in these ranges; *out: its results. */
unsigned trn_stage_bound(uint8_t op, bool reverse, const struct trn_numeric_range *scalar,
                         const struct trn_numeric_range *in, struct trn_numeric_range *out);

#endif
