/* SPDX-License-Identifier: Apache-2.0 */
/* What was written since the last reset, byte by byte, and by whom. Off unless asked for: memory
 * has no tracker then, and nothing is reported. Costs memory only for blocks that were written. */
#ifndef TRN_MEM_TRACKER_H
#define TRN_MEM_TRACKER_H

#include "mem/mem.h"

struct trn_tracker;

trn_status trn_tracker_create(const struct trn_gen *gen, uint64_t hbm_bytes,
                              struct trn_tracker **out);
void trn_tracker_destroy(struct trn_tracker *tracker); /* NULL is fine */
void trn_tracker_reset(struct trn_tracker *tracker);   /* O(1) */

/* Take note of an access. Reads change nothing; bytes outside the space are ignored. */
void trn_tracker_access(struct trn_tracker *tracker, const struct trn_access *access);

/* The first byte (lowest partition, then lowest byte) of the access that nobody has written.
 * false: all of it was written. */
bool trn_tracker_first_uninit(struct trn_tracker *tracker, const struct trn_access *access,
                              uint32_t *partition, uint64_t *byte);

/* The latest writer of any byte of [byte, byte + size); false when none was written. Exact to the
 * byte in SBUF and PSUM, to the 64-byte line in HBM. Engine -2: not known (out of memory). */
bool trn_tracker_last_writer(const struct trn_tracker *tracker, enum trn_space space,
                             uint32_t partition, uint64_t byte, uint64_t size,
                             struct trn_origin *out);

/* HBM is one partition, 0. TRN_ERR_INVALID for a space or partition that does not exist. */
trn_status trn_tracker_occupancy(const struct trn_tracker *tracker, enum trn_space space,
                                 uint32_t partition, struct trn_occupancy *out);

#endif
