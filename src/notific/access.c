/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of a block and what a write sets off (docs/hardware/notific.md 2, 4.2 to 4.6). */
#include "notific/block.h"

static uint32_t word_of(const struct trn_notific *block, enum trn_notific_reg reg)
{
    return block->words[block->layout.at[reg]];
}

static uint64_t pair_of(const struct trn_notific *block, enum trn_notific_reg lo,
                        enum trn_notific_reg hi)
{
    return trn_bits_set(word_of(block, lo), 32, 32, word_of(block, hi));
}

static uint32_t bit_of(const struct trn_notific *block, enum trn_notific_reg reg,
                       enum trn_notific_bit bit)
{
    return (uint32_t)trn_bits_get(word_of(block, reg), block->layout.bit[bit].low,
                                  block->layout.bit[bit].bits);
}

/* The word that a register of queue q has now. */
static uint32_t ring_word(const struct trn_notific *block, enum trn_notific_reg reg, unsigned q)
{
    return block->words[block->layout.at[reg] + q * block->layout.stride];
}

/* ---- rings ------------------------------------------------------------------------------------
 */

/* 4.5: do two enabled rings share a byte? Addresses wrap as the bus does. */
static bool share_bytes(const struct trn_nq_ring *a, const struct trn_nq_ring *b)
{
    return a->enabled && b->enabled && a->size && b->size &&
           (b->base - a->base < a->size || a->base - b->base < b->size);
}

static void check_overlap(struct trn_notific *block)
{
    block->overlap = false;
    for (unsigned a = 0; a < block->layout.queues && !block->overlap; a++)
        for (unsigned b = a + 1; b < block->layout.queues && !block->overlap; b++)
            block->overlap = share_bytes(&block->rings[a], &block->rings[b]);
    if (block->overlap)
        trn_nq_pulse(block, TRN_NOTIFIC_OVERLAP, 0);
}

/* 4.6: the drain stage, then the ring as after reset. */
static void reset_ring(struct trn_notific *block, unsigned q)
{
    struct trn_nq_ring *const ring = &block->rings[q];
    trn_nq_flush(block, q);
    ring->tail = 0;
    ring->epoch = !block->options.first_phase_is_zero;
    ring->overflow_pending = false;
    trn_unread_clear_all(&ring->unread);
}

/* 4.2: modulo the size, low four bits taken as 0. */
static uint32_t usable(uint32_t value)
{
    return value / TRN_RECORD_BYTES * TRN_RECORD_BYTES;
}

static void set_head(struct trn_notific *block, unsigned q)
{
    struct trn_nq_ring *const ring = &block->rings[q];
    const uint32_t old = ring->head, written = usable(ring_word(block, TRN_NQ_HEAD, q));
    ring->head = ring->size ? written % ring->size : 0;
    if (ring->size == 0)
        return;
    const uint32_t passed = ring->head >= old ? ring->head - old : ring->head + ring->size - old;
    trn_unread_clear(&ring->unread, old / TRN_RECORD_BYTES, passed / TRN_RECORD_BYTES,
                     ring->size / TRN_RECORD_BYTES);
}

/* 4.2: a new size takes effect at once; a tail outside of it starts over, with the other phase. */
static void set_size(struct trn_notific *block, unsigned q)
{
    struct trn_nq_ring *const ring = &block->rings[q];
    ring->size = usable(ring_word(block, TRN_NQ_SIZE, q));
    const uint32_t head = usable(ring_word(block, TRN_NQ_HEAD, q));
    ring->head = ring->size ? head % ring->size : 0;
    trn_unread_clear_all(&ring->unread);
    if (ring->enabled && ring->tail >= ring->size) {
        ring->tail = 0;
        ring->epoch = !ring->epoch;
    }
    check_overlap(block);
    trn_nq_service(block);
}

static void set_base(struct trn_notific *block, unsigned q)
{
    struct trn_nq_ring *const ring = &block->rings[q];
    trn_nq_flush(block, q);
    ring->base = trn_bits_set(ring_word(block, TRN_NQ_BASE_LO, q), 32, 32,
                              ring_word(block, TRN_NQ_BASE_HI, q));
    if (!ring->enabled)
        reset_ring(block, q);
    check_overlap(block);
}

/* ---- masks of one bit for each queue ------------------------------------------------------------
 */

static void set_enable(struct trn_notific *block)
{
    for (unsigned q = 0; q < block->layout.queues; q++) {
        struct trn_nq_ring *const ring = &block->rings[q];
        const bool on = trn_bits_get(word_of(block, TRN_NQ_ENABLE), q, 1) != 0;
        if (on && !ring->enabled)
            trn_nq_choice(block, TRN_CHOICE_NOTIFIC_FIRST_PHASE);
        if (!on && ring->enabled)
            reset_ring(block, q);
        ring->enabled = on;
    }
    check_overlap(block);
    trn_nq_service(block); /* what waited for a queue that is off now is dropped */
}

static void set_policies(struct trn_notific *block)
{
    for (unsigned q = 0; q < block->layout.queues; q++) {
        struct trn_nq_ring *const ring = &block->rings[q];
        ring->backpressure = trn_bits_get(word_of(block, TRN_NQ_SW_BACKPRESSURE), q, 1) != 0;
        ring->ignore_full = trn_bits_get(word_of(block, TRN_NQ_IGNORE_FULL), q, 1) != 0;
        ring->threshold_on = trn_bits_get(word_of(block, TRN_NQ_THRESHOLD_EN), q, 1) != 0;
    }
    trn_nq_service(block);
}

/* ---- control words
 * --------------------------------------------------------------------------------- */

static void set_coalescer(struct trn_notific *block)
{
    block->bypass = bit_of(block, TRN_NQ_COAL_CTRL, TRN_NQ_COAL_BYPASS) != 0;
    block->force_coalesce = bit_of(block, TRN_NQ_COAL_CTRL, TRN_NQ_COAL_FORCE) != 0;
    block->stream_enable = (uint8_t)bit_of(block, TRN_NQ_COAL_CTRL, TRN_NQ_COAL_STREAMS);
    if (block->bypass || bit_of(block, TRN_NQ_COAL_CTRL, TRN_NQ_COAL_CLEAR))
        trn_nq_flush_all(block);
    for (unsigned q = 0; q < TRN_NQ_STREAMS; q++)
        if (!trn_bits_get(block->stream_enable, q, 1))
            trn_nq_flush(block, q);
}

static void set_order(struct trn_notific *block)
{
    block->rotate_id = bit_of(block, TRN_NQ_WOB_CTRL, TRN_NQ_WOB_ROTATE) != 0;
    block->in_order = bit_of(block, TRN_NQ_WOB_CTRL, TRN_NQ_WOB_IN_ORDER) != 0;
}

/* ---- writes
 * ------------------------------------------------------------------------------------------ */

static void act(struct trn_notific *block, const struct trn_notific_word *word, uint32_t value)
{
    const unsigned q = word->queue;
    switch ((enum trn_notific_reg)word->reg) {
    case TRN_NQ_SW_BACKPRESSURE:
    case TRN_NQ_IGNORE_FULL:
    case TRN_NQ_THRESHOLD_EN:
        set_policies(block);
        break;
    case TRN_NQ_HW_BACKPRESSURE_LO:
    case TRN_NQ_HW_BACKPRESSURE_HI:
        block->stall_inputs = pair_of(block, TRN_NQ_HW_BACKPRESSURE_LO, TRN_NQ_HW_BACKPRESSURE_HI);
        break;
    case TRN_NQ_WR_BUF_LO:
    case TRN_NQ_WR_BUF_HI:
        block->accept = pair_of(block, TRN_NQ_WR_BUF_LO, TRN_NQ_WR_BUF_HI);
        break;
    case TRN_NQ_ENABLE:
        set_enable(block);
        break;
    case TRN_NQ_UART_MODE:
        block->uart = word_of(block, TRN_NQ_UART_MODE) != 0;
        trn_nq_service(block);
        break;
    case TRN_NQ_AXI_ID:
        block->axi_id = (uint16_t)word_of(block, TRN_NQ_AXI_ID);
        block->id_turn = 0;
        break;
    case TRN_NQ_STALL:
        if (value & word->keep)
            block->stall_count = 0;
        break;
    case TRN_NQ_COAL_TIMER:
        trn_nq_flush_due(block);
        break;
    case TRN_NQ_COAL_CTRL:
        set_coalescer(block);
        break;
    case TRN_NQ_WOB_CTRL:
        set_order(block);
        break;
    case TRN_NQ_TIMESTAMP_INC:
        trn_nq_set_step(block, word_of(block, TRN_NQ_TIMESTAMP_INC));
        break;
    case TRN_NQ_BASE_LO:
    case TRN_NQ_BASE_HI:
        set_base(block, q);
        break;
    case TRN_NQ_SIZE:
        set_size(block, q);
        break;
    case TRN_NQ_HEAD: /* the acknowledge of a drain; arms intr_6 again (4.4) */
        block->rings[q].passed = false;
        set_head(block, q);
        trn_nq_service(block);
        break;
    case TRN_NQ_THRESHOLD:
        block->rings[q].threshold = ring_word(block, TRN_NQ_THRESHOLD, q);
        break;
    default: /* storage */
        break;
    }
}

static const struct trn_notific_word *word_at(const struct trn_notific *block, uint32_t offset)
{
    const struct trn_notific_word *const word =
        offset / 4 < block->layout.num_words ? &block->layout.words[offset / 4] : NULL;
    return word && word->known && offset % 4 == 0 ? word : NULL;
}

bool trn_notific_write32(struct trn_notific *block, uint32_t offset, uint32_t value)
{
    const struct trn_notific_word *const word = word_at(block, offset);
    if (!word)
        return false;
    trn_nq_flush_due(block);
    if (word->access != TRN_REG_RW)
        return true;
    block->words[offset / 4] = value & word->keep;
    act(block, word, value);
    return true;
}

/* ---- reads
 * -----------------------------------------------------------------------------------------------
 */

static uint32_t ring_bits(const struct trn_notific *block,
                          bool (*is)(const struct trn_notific *, const struct trn_nq_ring *))
{
    uint64_t mask = 0;
    for (unsigned q = 0; q < block->layout.queues; q++)
        mask = trn_bits_set(mask, q, 1, is(block, &block->rings[q]));
    return (uint32_t)mask;
}

/* Live: drops when head moves, idle in UART mode and while the queue is off (4.2, 4.6, 4.7). */
static bool shows_full(const struct trn_notific *block, const struct trn_nq_ring *ring)
{
    return ring->enabled && !block->uart && trn_nq_is_full(ring);
}

static bool shows_passed(const struct trn_notific *block, const struct trn_nq_ring *ring)
{
    (void)block;
    return ring->passed;
}

/* The entry that niq_buffer_index selects: buffer index / depth, its n-th record. The record is as
 * its producer gave it; 143:128 is the queue in 3:0 and the buffer in 9:4 (positions are ours). */
static uint32_t input_word(const struct trn_notific *block, unsigned n)
{
    enum { QUEUE_BITS = 4, INPUT_LOW = 4, INPUT_BITS = 6 };
    const uint32_t index = word_of(block, TRN_NQ_NIQ_INDEX), depth = block->options.depth;
    if (index / depth >= block->num_buffers)
        return 0;
    const struct trn_nq_buffer *const buffer = &block->buffers[index / depth];
    if (index % depth >= buffer->count)
        return 0;
    const struct trn_nq_entry *const entry =
        &buffer->entries[(buffer->first + index % depth) % depth];
    if (n < 2)
        return trn_get32(entry->record + 4 * (size_t)n);
    if (n < 4) /* the time is not known yet */
        return 0;
    return (uint32_t)trn_bits_set(trn_bits_get(entry->queue, 0, QUEUE_BITS), INPUT_LOW, INPUT_BITS,
                                  entry->input);
}

/* The entry that naq_buffer_index selects among the staged records: record, address, 1 in the rest
 * for a single beat (positions are ours). */
static uint32_t output_word(const struct trn_notific *block, unsigned n)
{
    enum { ADDRESS_LO = 4, ADDRESS_HI = 5 };
    uint32_t index = word_of(block, TRN_NQ_NAQ_INDEX);
    for (unsigned q = 0; q < TRN_NQ_STREAMS; index -= block->stages[q].count, q++) {
        const struct trn_nq_stage *const stage = &block->stages[q];
        if (index >= stage->count)
            continue;
        const uint64_t address = stage->address + (uint64_t)index * TRN_RECORD_BYTES;
        if (n == ADDRESS_LO)
            return (uint32_t)trn_bits_get(address, 0, 32);
        if (n == ADDRESS_HI)
            return (uint32_t)trn_bits_get(address, 32, 32);
        return n > ADDRESS_HI
                   ? 1
                   : trn_get32(stage->data + (size_t)index * TRN_RECORD_BYTES + 4 * (size_t)n);
    }
    return 0;
}

static uint32_t shown(const struct trn_notific *block, const struct trn_notific_word *word,
                      uint32_t stored)
{
    const enum trn_notific_reg reg = (enum trn_notific_reg)word->reg;
    switch (reg) {
    case TRN_NQ_TIMESTAMP_LO:
        return (uint32_t)trn_bits_get(trn_nq_now(block), 0, 32);
    case TRN_NQ_TIMESTAMP_HI:
        return (uint32_t)trn_bits_get(trn_nq_now(block), 32, 32);
    case TRN_NQ_ERROR_ADDR_LO:
        return (uint32_t)trn_bits_get(block->error_address, 0, 32);
    case TRN_NQ_ERROR_ADDR_HI:
        return (uint32_t)trn_bits_get(block->error_address, 32, 32);
    case TRN_NQ_STALL_COUNT:
        return block->stall_count;
    case TRN_NQ_NIQ_COUNT:
        return block->num_buffers * block->options.depth;
    case TRN_NQ_NIQ_0:
    case TRN_NQ_NIQ_1:
    case TRN_NQ_NIQ_2:
    case TRN_NQ_NIQ_3:
    case TRN_NQ_NIQ_4:
        return input_word(block, reg - TRN_NQ_NIQ_0);
    case TRN_NQ_NAQ_COUNT:
        return TRN_NQ_AXI_ENTRIES;
    case TRN_NQ_NAQ_0:
    case TRN_NQ_NAQ_1:
    case TRN_NQ_NAQ_2:
    case TRN_NQ_NAQ_3:
    case TRN_NQ_NAQ_4:
    case TRN_NQ_NAQ_5:
    case TRN_NQ_NAQ_6:
        return output_word(block, reg - TRN_NQ_NAQ_0);
    case TRN_NQ_STATS:
        return block->stats;
    case TRN_NQ_FULL:
        return ring_bits(block, shows_full);
    case TRN_NQ_THRESHOLD_PASSED:
        return ring_bits(block, shows_passed);
    case TRN_NQ_TAIL:
        return block->rings[word->queue].tail;
    default:
        return stored;
    }
}

bool trn_notific_peek32(const struct trn_notific *block, uint32_t offset, uint32_t *value)
{
    const struct trn_notific_word *const word = word_at(block, offset);
    *value = word ? shown(block, word, block->words[offset / 4]) : 0;
    return word != NULL;
}

bool trn_notific_read32(struct trn_notific *block, uint32_t offset, uint32_t *value)
{
    trn_nq_flush_due(block);
    if (!trn_notific_peek32(block, offset, value))
        return false;
    if (block->layout.words[offset / 4].reg == TRN_NQ_STATS) /* a read clears */
        block->stats = 0;
    return true;
}

void trn_nq_apply_reset_values(struct trn_notific *block)
{
    for (unsigned w = 0; w < block->layout.num_words; w++)
        if (block->layout.words[w].known)
            block->words[w] = block->layout.words[w].reset;
    block->axi_id = (uint16_t)word_of(block, TRN_NQ_AXI_ID);
    trn_nq_set_step(block, word_of(block, TRN_NQ_TIMESTAMP_INC));
    set_coalescer(block);
    set_order(block);
    for (unsigned q = 0; q < block->layout.queues; q++)
        block->rings[q].epoch = !block->options.first_phase_is_zero;
}
