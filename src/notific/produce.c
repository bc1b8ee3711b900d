/* SPDX-License-Identifier: Apache-2.0 */
/* The producer path of docs/hardware/notific.md 4: submit, route, policy, stamp, store. */
#include "notific/block.h"
#include "record_pack.h"

/* ---- storing ------------------------------------------------------------------------------ */

#define PUT(word, name, value)                                                                     \
    trn_bits_set(word, TRN_FRAME_##name##_LOW, TRN_FRAME_##name##_BITS, value)

static void build(struct trn_notific *block, const struct trn_nq_ring *ring,
                  const struct trn_nq_entry *entry, bool sw, bool hw,
                  uint8_t record[TRN_RECORD_BYTES])
{
    uint64_t bits = trn_get64(entry->record);
    bits = PUT(bits, SOFTWARE_QUEUE_OVERFLOW, sw);
    bits = PUT(bits, HARDWARE_QUEUE_OVERFLOW, hw);
    bits = PUT(bits, PHASE, ring->epoch);
    trn_put64(record, bits);
    trn_put64(record + 8, trn_nq_now(block));
}

/* 4.4: once, until head is written. */
static void check_threshold(struct trn_notific *block, struct trn_nq_ring *ring)
{
    if (!ring->threshold_on || ring->passed || trn_nq_used(ring) < ring->threshold)
        return;
    ring->passed = true;
    trn_nq_pulse(block, TRN_NOTIFIC_THRESHOLD, 0);
}

static void advance(struct trn_nq_ring *ring)
{
    ring->tail += TRN_RECORD_BYTES;
    if (ring->tail >= ring->size) {
        ring->tail = 0;
        ring->epoch = !ring->epoch;
    }
}

/* TRN_ERR_BUSY: nothing has happened. */
static trn_status store(struct trn_notific *block, struct trn_nq_entry *entry, bool sw)
{
    struct trn_nq_ring *const ring = &block->rings[entry->queue];
    struct trn_nq_buffer *const buffer = &block->buffers[entry->input];
    const uint32_t slot = block->uart ? 0 : ring->tail;
    uint8_t record[TRN_RECORD_BYTES];
    build(block, ring, entry, sw || ring->overflow_pending, buffer->records_lost, record);
    const trn_status status = trn_nq_hand_over(block, entry->queue, ring->base + slot, record);
    if (status == TRN_ERR_BUSY)
        return status;
    if (buffer->records_lost)
        trn_nq_choice(block, TRN_CHOICE_NOTIFIC_HW_OVERFLOW_MARK);
    ring->overflow_pending = false;
    buffer->records_lost = false;
    block->stats++;
    if (!block->uart) {
        if (status == TRN_OK && trn_unread_set(&ring->unread, slot / TRN_RECORD_BYTES))
            ring->counts.overwritten++;
        advance(ring);
        check_threshold(block, ring);
    }
    if (block->overlap)
        trn_nq_pulse(block, TRN_NOTIFIC_OVERLAP, 0);
    return TRN_OK;
}

/* ---- policies (4, 4.1) ------------------------------------------------------------------------
 */

static void drop_disabled(struct trn_notific *block, unsigned queue)
{
    trn_nq_pulse(block, TRN_NOTIFIC_QUEUE_DISABLED, 0);
    if (queue < block->layout.queues) {
        block->rings[queue].counts.dropped_disabled++;
        return;
    }
    block->counts.dropped_disabled++;
    trn_nq_choice(block, TRN_CHOICE_NOTIFIC_BAD_QUEUE);
}

static void drop_full(struct trn_notific *block, struct trn_nq_ring *ring)
{
    trn_nq_pulse(block, TRN_NOTIFIC_QUEUE_FULL, 0);
    ring->overflow_pending = true;
    ring->counts.dropped_full++;
}

static bool held_by_ring(struct trn_notific *block, const struct trn_nq_ring *ring,
                         struct trn_nq_entry *entry)
{
    if (!entry->met_full) {
        trn_nq_pulse(block, TRN_NOTIFIC_QUEUE_FULL, 0);
        if (ring->ignore_full)
            trn_nq_choice(block, TRN_CHOICE_NOTIFIC_BACKPRESSURE_WINS);
    }
    entry->met_full = true;
    return true;
}

static bool held_by_memory(struct trn_notific *block, struct trn_nq_entry *entry)
{
    if (!entry->met_limit)
        trn_nq_pulse(block, TRN_NOTIFIC_OUTSTANDING_STALL, 0);
    entry->met_limit = true;
    block->stall_count++;
    return true;
}

/* Whether the record has to stay in its buffer. */
static bool held(struct trn_notific *block, struct trn_nq_entry *entry)
{
    if (entry->queue >= block->layout.queues || !block->rings[entry->queue].enabled) {
        drop_disabled(block, entry->queue);
        return false;
    }
    struct trn_nq_ring *const ring = &block->rings[entry->queue];
    if (ring->size == 0) { /* the driver's halt: nobody waits for it (4.2) */
        drop_full(block, ring);
        return false;
    }
    const bool full = !block->uart && trn_nq_is_full(ring);
    if (full && ring->backpressure)
        return held_by_ring(block, ring, entry);
    if (full && !ring->ignore_full) {
        drop_full(block, ring);
        return false;
    }
    return store(block, entry, full) == TRN_ERR_BUSY && held_by_memory(block, entry);
}

/* ---- input buffers ------------------------------------------------------------------------------
 */

/* The buffer of a class. Thirty buffers serve a core: the ten sequencer classes are masks in front
 * of the buffer of their engine's own records (7; which one is a model choice). */
static unsigned buffer_of(const struct trn_notific *block, unsigned input)
{
    static const uint8_t sequencer_buffers[] = {TRN_INPUT_PE_0, TRN_INPUT_POOL_0, TRN_INPUT_ACT_0,
                                                TRN_INPUT_DVE_0, TRN_INPUT_SP};
    if (block->options.owner == TRN_NOTIFIC_OF_CORE &&
        input >= TRN_INPUT_ERROR_PE_SEQUENCER_NONFATAL &&
        input <= TRN_INPUT_ERROR_SP_SEQUENCER_FATAL)
        return sequencer_buffers[(input - TRN_INPUT_ERROR_PE_SEQUENCER_NONFATAL) / 2];
    if (block->options.owner == TRN_NOTIFIC_OF_TOPSP && input == TRN_TOPSP_INPUT_ERROR_SEQUENCER)
        return TRN_TOPSP_INPUT_SP;
    return input < block->num_buffers ? input : 0;
}

static struct trn_nq_entry *oldest(const struct trn_nq_buffer *buffer)
{
    return &buffer->entries[buffer->first];
}

static void push(struct trn_notific *block, unsigned b, const struct trn_nq_entry *entry)
{
    struct trn_nq_buffer *const buffer = &block->buffers[b];
    buffer->entries[(buffer->first + buffer->count) % block->options.depth] = *entry;
    buffer->count++;
    block->occupied = trn_bits_set(block->occupied, b, 1, 1);
}

static void pop(struct trn_notific *block, unsigned b)
{
    struct trn_nq_buffer *const buffer = &block->buffers[b];
    buffer->first = (buffer->first + 1) % block->options.depth;
    buffer->count--;
    buffer->stalled = false;
    block->occupied = trn_bits_set(block->occupied, b, 1, buffer->count != 0);
}

/* Of the buffers in the mask, the one whose first record came first. */
static unsigned first_of(const struct trn_notific *block, uint64_t mask)
{
    unsigned best = TRN_NQ_MAX_BUFFERS;
    for (unsigned b = 0; b < block->num_buffers; b++)
        if (trn_bits_get(mask, b, 1) &&
            (best == TRN_NQ_MAX_BUFFERS ||
             oldest(&block->buffers[b])->order < oldest(&block->buffers[best])->order))
            best = b;
    return best;
}

void trn_nq_service(struct trn_notific *block)
{
    uint64_t candidates = block->occupied;
    while (candidates) {
        const unsigned b = first_of(block, candidates);
        const bool stays = held(block, oldest(&block->buffers[b]));
        if (!stays)
            pop(block, b);
        if (stays || block->buffers[b].count == 0)
            candidates = trn_bits_set(candidates, b, 1, 0);
    }
}

/* 4: the buffer is full. */
static enum trn_notific_result refuse(struct trn_notific *block, unsigned input, unsigned b)
{
    struct trn_nq_buffer *const buffer = &block->buffers[b];
    const bool stall = trn_bits_get(block->stall_inputs, input, 1) != 0;
    if (!stall || !buffer->stalled) {
        trn_nq_choice(block, TRN_CHOICE_NOTIFIC_INPUT_DEPTH);
        trn_nq_pulse(block, stall ? TRN_NOTIFIC_BUFFER_FULL_STALL : TRN_NOTIFIC_BUFFER_FULL_DROP,
                     0);
        trn_nq_pulse(block, TRN_NOTIFIC_BUFFER_FULL, b);
    }
    if (stall) {
        buffer->stalled = true;
        block->counts.stalls++;
        return TRN_NOTIFIC_STALLED;
    }
    trn_nq_pulse(block, TRN_NOTIFIC_BUFFER_DROP, b);
    buffer->records_lost = true;
    block->counts.submitted++;
    block->counts.dropped_buffer++;
    return TRN_NOTIFIC_DROPPED;
}

/* ---- submit
 * --------------------------------------------------------------------------------------- */

bool trn_notific_accepts(const struct trn_notific *block, unsigned input)
{
    return input < TRN_NQ_INPUTS && trn_bits_get(block->accept, input, 1) != 0;
}

enum trn_notific_result trn_notific_submit(struct trn_notific *block, unsigned input,
                                           unsigned queue, const uint8_t record[8])
{
    if (block->staged)
        trn_nq_flush_due(block);
    if (!trn_notific_accepts(block, input)) {
        block->counts.submitted++;
        block->counts.masked++;
        return TRN_NOTIFIC_MASKED;
    }
    const unsigned b = buffer_of(block, input);
    struct trn_nq_buffer *const buffer = &block->buffers[b];
    struct trn_nq_entry entry = {
        .order = block->order, .queue = (uint8_t)queue, .input = (uint8_t)b};
    if (queue >= TRN_NQ_MAX_QUEUES) /* 4 bits of a routing field: 10..15 are no queues */
        entry.queue = TRN_NQ_MAX_QUEUES;
    memcpy(entry.record, record, sizeof entry.record);
    if (buffer->count == block->options.depth)
        trn_nq_service(block);
    if (buffer->count == block->options.depth)
        return refuse(block, input, b);
    block->order++;
    block->counts.submitted++;
    const bool waits = buffer->count != 0;
    if (waits || held(block, &entry))
        push(block, b, &entry);
    if (waits)
        trn_nq_service(block);
    return TRN_NOTIFIC_TAKEN;
}

void trn_notific_poll(struct trn_notific *block)
{
    trn_nq_flush_due(block);
    trn_nq_service(block);
}
