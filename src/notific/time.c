/* SPDX-License-Identifier: Apache-2.0 */
/* The time counter (docs/hardware/notific.md 3): increments of Q14.10 picoseconds a tick, kept
 * exactly. */
#include "notific/block.h"

enum { FRACTION_BITS = 10 };

static unsigned __int128 time_at(const struct trn_notific *block, uint64_t ticks)
{
    return block->time + (unsigned __int128)(ticks - block->time_at) * block->time_step;
}

uint64_t trn_nq_now(const struct trn_notific *block)
{
    return (uint64_t)(time_at(block, trn_nq_ticks(block)) >> FRACTION_BITS);
}

/* The old increment counts up to now. */
void trn_nq_set_step(struct trn_notific *block, uint32_t step)
{
    const uint64_t ticks = trn_nq_ticks(block);
    block->time = time_at(block, ticks);
    block->time_at = ticks;
    block->time_step = step;
}
