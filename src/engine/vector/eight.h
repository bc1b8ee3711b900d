/* SPDX-License-Identifier: Apache-2.0 */
/* Words of S4D2_BN that turn a row into eight results: MAX8 and FIND_INDEX8. */
#ifndef TRN_ENGINE_VECTOR_EIGHT_H
#define TRN_ENGINE_VECTOR_EIGHT_H

#include "engine/vector/map.h"

/* Open source (8..16384 elements, seen as fp32) and destination (8 elements, seen as `results`);
 * fault bn_elements when the counts do not fit. */
trn_status trn_eight_open(struct trn_exec *x, enum trn_view results, struct trn_rows *src,
                          struct trn_rows *dst);

#endif
