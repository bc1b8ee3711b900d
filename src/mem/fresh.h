/* SPDX-License-Identifier: Apache-2.0 */
/* Lazy zero of PSUM (docs/hardware/pe-array.md 9): which cells the start of an accumulate group has
 * declared zero although their old bytes are still there. The first sum that reaches such a cell
 * overwrites it; a read returns the old bytes; any other write makes the cell ordinary again.
 *
 * The sheet keeps one bit for each 32-bit cell; one for each half of it serves BF16 cells as well
 * (model choice psum_lazy_zero). */
#ifndef TRN_MEM_FRESH_H
#define TRN_MEM_FRESH_H

#include "mem/mem.h"

struct trn_fresh;

/* Nothing is fresh after create and reset. TRN_ERR_NO_MEMORY. */
trn_status trn_fresh_create(const struct trn_gen *gen, struct trn_fresh **out);
void trn_fresh_destroy(struct trn_fresh *fresh); /* NULL is fine */
void trn_fresh_reset(struct trn_fresh *fresh);

/* False when no cell can be fresh: nothing was marked since the reset. */
bool trn_fresh_touched(const struct trn_fresh *fresh);

enum trn_freshness { TRN_FRESH_NONE, TRN_FRESH_SOME, TRN_FRESH_ALL };

/* Set, clear or ask about bytes [byte, byte + size) of a PSUM partition; size >= 1, all active.
 * Half cells that the range touches count as whole. Different partitions may be used from different
 * threads at a time. */
void trn_fresh_mark(struct trn_fresh *fresh, uint32_t partition, uint32_t byte, uint32_t size);
void trn_fresh_clear(struct trn_fresh *fresh, uint32_t partition, uint32_t byte, uint32_t size);
enum trn_freshness trn_fresh_ask(const struct trn_fresh *fresh, uint32_t partition, uint32_t byte,
                                 uint32_t size);

/* Clear what a write access to PSUM covers; its bytes are active ones. */
void trn_fresh_written(struct trn_fresh *fresh, const struct trn_access *access);

#endif
