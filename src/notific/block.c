/* SPDX-License-Identifier: Apache-2.0 */
/* Life of a notification block, and what it counts. */
#include "notific/block.h"

#include <stdlib.h>

static unsigned buffers_of(enum trn_notific_owner owner)
{
    switch (owner) {
    case TRN_NOTIFIC_OF_CORE:
        return TRN_NQ_MAX_BUFFERS;
    case TRN_NOTIFIC_OF_TOPSP:
        return 2; /* 6.2: causes 73..76 are full and drop of buffers 0 and 1 */
    case TRN_NOTIFIC_OF_DMA:
    case TRN_NOTIFIC_OF_TRIGGERS:
        break;
    }
    return 1;
}

trn_status trn_notific_create(const struct trn_gen *gen, const struct trn_notific_options *options,
                              const struct trn_notific_ports *ports, struct trn_notific **out)
{
    enum { MOST_ENTRIES = 511 }; /* niq_buffer_count has 9 bits */
    *out = NULL;
    const unsigned depth = options->depth ? options->depth : TRN_NQ_DEPTH;
    const unsigned buffers = buffers_of(options->owner);
    if (depth > MOST_ENTRIES / buffers)
        return TRN_ERR_RANGE;
    struct trn_notific *const block = calloc(1, sizeof *block);
    struct trn_nq_entry *const entries = calloc((size_t)buffers * depth, sizeof *entries);
    if (!block || !entries || !trn_notific_layout_init(&block->layout, gen, options->one_queue)) {
        const trn_status status = block && entries ? TRN_ERR_UNSUPPORTED : TRN_ERR_NO_MEMORY;
        free(entries);
        free(block);
        return status;
    }
    block->ports = *ports;
    block->options = *options;
    block->options.depth = depth;
    block->num_buffers = buffers;
    block->entries = entries;
    trn_notific_reset(block);
    *out = block;
    return TRN_OK;
}

static void free_rings(struct trn_notific *block)
{
    for (unsigned q = 0; q < TRN_NQ_MAX_QUEUES; q++)
        trn_unread_free(&block->rings[q].unread);
}

void trn_notific_reset(struct trn_notific *block)
{
    free_rings(block);
    *block = (struct trn_notific){.ports = block->ports,
                                  .options = block->options,
                                  .num_buffers = block->num_buffers,
                                  .layout = block->layout,
                                  .entries = block->entries};
    for (unsigned b = 0; b < block->num_buffers; b++)
        block->buffers[b].entries = block->entries + (size_t)b * block->options.depth;
    block->time_at = trn_nq_ticks(block);
    trn_nq_apply_reset_values(block);
}

void trn_notific_destroy(struct trn_notific *block)
{
    if (!block)
        return;
    free_rings(block);
    free(block->entries);
    free(block);
}

size_t trn_notific_waiting(const struct trn_notific *block)
{
    size_t waiting = block->staged;
    for (unsigned b = 0; b < block->num_buffers; b++)
        waiting += block->buffers[b].count;
    return waiting;
}

struct trn_notific_counts trn_notific_counts(const struct trn_notific *block, unsigned queue)
{
    if (queue < block->layout.queues) {
        struct trn_notific_counts counts = block->rings[queue].counts;
        counts.inexact = block->rings[queue].unread.failed;
        return counts;
    }
    struct trn_notific_counts sum = block->counts;
    for (unsigned q = 0; queue == TRN_NOTIFIC_ALL && q < block->layout.queues; q++) {
        const struct trn_notific_counts *const of = &block->rings[q].counts;
        sum.stored += of->stored;
        sum.overwritten += of->overwritten;
        sum.dropped_disabled += of->dropped_disabled;
        sum.dropped_full += of->dropped_full;
        sum.failed += of->failed;
        sum.inexact = sum.inexact || block->rings[q].unread.failed;
    }
    return sum;
}
