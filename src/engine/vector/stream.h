/* SPDX-License-Identifier: Apache-2.0 */
/* The operands of words that share a struct. */
#ifndef TRN_ENGINE_VECTOR_STREAM_H
#define TRN_ENGINE_VECTOR_STREAM_H

#include "engine/vector/map.h"

#define TRN_EIGHT 8

/* S4D4_TR: one source, one destination of four dimensions each, both in one view (vector-ops.md 3).
 * Their counts are for the caller. */
trn_status trn_stream_open(struct trn_exec *x, enum trn_view view, struct trn_rows *src,
                           struct trn_rows *dst);

/* S4D2_BN of MAX8 and FIND_INDEX8: a source of 8..16384 elements seen as fp32 and a destination of
 * eight seen as `results` (vector-ops.md 8.1); fault bn_elements when the counts do not fit. */
trn_status trn_eight_open(struct trn_exec *x, enum trn_view results, struct trn_rows *src,
                          struct trn_rows *dst);

#endif
