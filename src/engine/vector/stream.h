/* SPDX-License-Identifier: Apache-2.0 */
/* The operands that the words of S4D4_TR share: one source, one destination, four dimensions each
 * (docs/hardware/vector-ops.md 3). */
#ifndef TRN_ENGINE_VECTOR_STREAM_H
#define TRN_ENGINE_VECTOR_STREAM_H

#include "engine/vector/map.h"

/* Open source and destination of an S4D4_TR word in a view; their counts are for the caller. */
trn_status trn_stream_open(struct trn_exec *x, enum trn_view view, struct trn_rows *src,
                           struct trn_rows *dst);

#endif
