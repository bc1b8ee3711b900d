/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of a DMA engine and what a write sets off (docs/hardware/udma.md 4, 5, 9.2). */
#include "dma/udma_state.h"

static uint32_t word_of(const struct trn_udma *engine, enum trn_udma_engine_reg reg)
{
    return engine->words[engine->map->at[reg]];
}

static uint32_t field(const struct trn_udma *engine, uint32_t word, enum trn_udma_bit bit)
{
    return trn_udma_bit_get(engine->map, word, bit);
}

static enum trn_udma_half half_of(const struct trn_udma_word *word)
{
    return word->owner == TRN_UDMA_OF_M2S ? TRN_UDMA_M2S : TRN_UDMA_S2M;
}

/* Group of a word: primary, secondary, AXI groups follow each other. */
static unsigned group_of(const struct trn_udma_word *word)
{
    switch ((enum trn_udma_owner)word->owner) {
    case TRN_UDMA_OF_PRIMARY:
        return word->index;
    case TRN_UDMA_OF_SECONDARY:
        return TRN_UDMA_PRIMARY + word->index;
    default:
        return TRN_UDMA_PRIMARY + TRN_UDMA_SECONDARY + word->index;
    }
}

static bool is_of_group(const struct trn_udma_word *word)
{
    return word->owner >= TRN_UDMA_OF_PRIMARY;
}

/* ---- writes to a queue bank ---------------------------------------------------------------------
 */

/* 6, model choice: a queue works when both enable bits are set. */
static void set_cfg(struct trn_udma *engine, enum trn_udma_half half, unsigned queue,
                    uint32_t value)
{
    static const enum trn_udma_bit enables[TRN_UDMA_HALVES][2] = {
        {TRN_UB_M2S_PREFETCH, TRN_UB_M2S_SCHEDULE}, {TRN_UB_S2M_PREFETCH, TRN_UB_S2M_STREAM}};
    engine->ring[half][queue].enabled =
        field(engine, value, enables[half][0]) && field(engine, value, enables[half][1]);
}

static uint32_t distance(const struct trn_udma_ring *ring, struct trn_udma_pointer from)
{
    const uint32_t to = ring->tail.index;
    return to >= from.index ? to - from.index : to + (ring->length - from.index);
}

/* 4.3: single pointers go back to the start; what was prefetched is forgotten with the head. */
static void software_control(struct trn_udma *engine, enum trn_udma_half half, unsigned queue,
                             uint32_t value)
{
    struct trn_udma_ring *const ring = &engine->ring[half][queue];
    const struct trn_udma_pointer start = {.index = 0, .ring_id = 1};
    const bool tail = field(engine, value, TRN_UB_RST_TAIL) != 0;
    const bool head = field(engine, value, TRN_UB_RST_HEAD) != 0;
    const bool current = field(engine, value, TRN_UB_RST_CURRENT) != 0;
    if (field(engine, value, TRN_UB_RST_QUEUE)) {
        trn_udma_reset_ring(engine, half, queue);
        return;
    }
    if (!tail && !head && !current)
        return;
    if (tail)
        ring->tail = start;
    if (head) {
        ring->head = start;
        ring->first = ring->count = 0;
        trn_udma_reset_lane(engine, queue);
    }
    if (current)
        ring->current = start;
    ring->unfetched = distance(ring, ring->head);
    ring->used = distance(ring, ring->current);
}

/* 11: what the packet scheduler looks at. */
static void set_schedule(struct trn_udma *engine, unsigned queue, enum trn_udma_queue_reg reg,
                         uint32_t value)
{
    if (reg == TRN_UQ_RATE_LIMIT) {
        if (field(engine, value, TRN_UB_RATE_LIMIT))
            trn_udma_choice(engine, TRN_CHOICE_UDMA_WEIGHTS);
        return;
    }
    trn_udma_choice(engine, TRN_CHOICE_UDMA_QOS);
    if (reg == TRN_UQ_SCHEDULE)
        engine->paused =
            (uint16_t)trn_bits_set(engine->paused, queue, 1, field(engine, value, TRN_UB_PAUSE));
    else
        engine->qos[queue] = (uint8_t)field(engine, value, TRN_UB_QOS);
    engine->most_qos = 0;
    for (unsigned q = 0; q < TRN_UDMA_QUEUES; q++)
        if (engine->qos[q] > engine->most_qos)
            engine->most_qos = engine->qos[q];
}

static uint64_t pair(uint64_t old, unsigned low, uint32_t value)
{
    return trn_bits_set(old, low, 32, value);
}

static void write_queue(struct trn_udma *engine, const struct trn_udma_word *word, uint32_t value)
{
    const enum trn_udma_half half = half_of(word);
    const unsigned queue = word->index;
    struct trn_udma_ring *const ring = &engine->ring[half][queue];
    switch ((enum trn_udma_queue_reg)word->reg) {
    case TRN_UQ_CFG:
        set_cfg(engine, half, queue, value);
        break;
    case TRN_UQ_BASE_LO:
        ring->base = pair(ring->base, 0, value);
        break;
    case TRN_UQ_BASE_HI:
        ring->base = pair(ring->base, 32, value);
        break;
    case TRN_UQ_LENGTH:
        trn_udma_set_length(engine, half, queue, field(engine, value, TRN_UB_LENGTH));
        break;
    case TRN_UQ_COMP_LO:
        ring->comp_base = pair(ring->comp_base, 0, value);
        break;
    case TRN_UQ_COMP_HI:
        ring->comp_base = pair(ring->comp_base, 32, value);
        break;
    case TRN_UQ_COMP_CFG:
        ring->comp_ring = field(engine, value, TRN_UB_COMP_RING) != 0;
        break;
    case TRN_UQ_DOORBELL:
        trn_udma_doorbell(engine, half, queue, field(engine, value, TRN_UB_DOORBELL));
        break;
    case TRN_UQ_SW_CTRL:
        software_control(engine, half, queue, value);
        break;
    case TRN_UQ_SCHEDULE: /* of M2S alone */
    case TRN_UQ_QOS:
    case TRN_UQ_RATE_LIMIT:
        set_schedule(engine, queue, (enum trn_udma_queue_reg)word->reg, value);
        break;
    default: /* storage, or read only */
        return;
    }
    engine->pending = (uint16_t)trn_bits_set(engine->pending, queue, 1, 1);
}

/* ---- writes to engine registers
 * ------------------------------------------------------------------ */

static void leave_abort(struct trn_udma *engine, enum trn_udma_half half)
{
    if (!engine->aborted[half])
        return;
    trn_udma_choice(engine, TRN_CHOICE_UDMA_RECOVERY);
    engine->aborted[half] = false;
    if (!trn_udma_is_aborted(engine))
        engine->fault = (struct trn_udma_fault){.status = TRN_OK};
    engine->pending = UINT16_MAX;
}

void trn_udma_recover(struct trn_udma *engine)
{
    leave_abort(engine, TRN_UDMA_M2S);
    leave_abort(engine, TRN_UDMA_S2M);
}

/* 9.2, model choice: normal ends the abort of its half; disable is tracked only. */
static void change_state(struct trn_udma *engine, enum trn_udma_half half, uint32_t value)
{
    engine->normal[half] = field(engine, value, TRN_UB_NORMAL) != 0;
    if (engine->normal[half])
        leave_abort(engine, half);
    if (field(engine, value, TRN_UB_ABORT))
        trn_udma_abort(engine);
}

static uint32_t or_else(uint32_t value, uint32_t standard)
{
    return value ? value : standard;
}

/* Limits as the registers have them; before bring-up they are those of the hardware. */
static void set_limits(struct trn_udma *engine)
{
    engine->max_packet = or_else(field(engine, word_of(engine, TRN_UE_CFG_LEN), TRN_UB_MAX_PACKET),
                                 TRN_UDMA_PACKET_CEILING);
    engine->max_descs =
        or_else(field(engine, word_of(engine, TRN_UE_DESC_PREF_2), TRN_UB_MAX_DESCS),
                TRN_UDMA_DESC_CEILING);
    engine->burst[TRN_UDMA_M2S] =
        or_else(field(engine, word_of(engine, TRN_UE_M2S_BURST), TRN_UB_MAX_BURST), TRN_UDMA_BURST);
    engine->burst[TRN_UDMA_S2M] =
        or_else(field(engine, word_of(engine, TRN_UE_S2M_BURST), TRN_UB_MAX_BURST), TRN_UDMA_BURST);
    engine->report_head = !field(engine, word_of(engine, TRN_UE_SPARE), TRN_UB_NO_HEAD_REPORT);
}

static void write_engine(struct trn_udma *engine, const struct trn_udma_word *word, uint32_t value)
{
    switch ((enum trn_udma_engine_reg)word->reg) {
    case TRN_UE_M2S_CHANGE:
        change_state(engine, TRN_UDMA_M2S, value);
        break;
    case TRN_UE_S2M_CHANGE:
        change_state(engine, TRN_UDMA_S2M, value);
        break;
    case TRN_UE_CFG_LEN:
    case TRN_UE_DESC_PREF_2:
    case TRN_UE_M2S_BURST:
    case TRN_UE_S2M_BURST:
    case TRN_UE_SPARE:
        set_limits(engine);
        break;
    default: /* storage */
        break;
    }
}

static const struct trn_udma_word *word_at(const struct trn_udma *engine, uint32_t offset)
{
    const struct trn_udma_word *const word = offset % 4 == 0 && offset / 4 < engine->map->num_words
                                                 ? &engine->map->words[offset / 4]
                                                 : NULL;
    return word && word->known ? word : NULL;
}

bool trn_udma_write32(struct trn_udma *engine, uint32_t offset, uint32_t value)
{
    const struct trn_udma_word *const word = word_at(engine, offset);
    if (!word)
        return false;
    if (is_of_group(word)) {
        trn_udma_group_write(engine, group_of(word), word->reg, value);
        return true;
    }
    if (word->access == TRN_REG_RO)
        return true;
    if (word->access == TRN_REG_RW)
        engine->words[offset / 4] = value &= word->keep;
    if (word->owner == TRN_UDMA_OF_ENGINE)
        write_engine(engine, word, value);
    else
        write_queue(engine, word, value);
    return true;
}

void trn_udma_ring_doorbells(struct trn_udma *engine, unsigned queue, uint32_t tx, uint32_t rx)
{
    if (rx)
        trn_udma_doorbell(engine, TRN_UDMA_S2M, queue, rx);
    if (tx)
        trn_udma_doorbell(engine, TRN_UDMA_M2S, queue, tx);
}

/* ---- reads
 * ------------------------------------------------------------------------------------------ */

static uint32_t show_pointer(const struct trn_udma *engine, struct trn_udma_pointer at)
{
    const uint32_t word = trn_udma_bit_set(engine->map, 0, TRN_UB_INDEX, at.index);
    return trn_udma_bit_set(engine->map, word, TRN_UB_RING_ID, at.ring_id);
}

/* 4, 0x24; which work the two bits 28 and 29 mean is ours: fetches, and descriptors that wait. */
static uint32_t show_status(const struct trn_udma *engine, const struct trn_udma_ring *ring)
{
    uint32_t word = trn_udma_bit_set(engine->map, 0, TRN_UB_USED, ring->used);
    word = trn_udma_bit_set(engine->map, word, TRN_UB_PREFETCH, ring->unfetched != 0);
    word = trn_udma_bit_set(engine->map, word, TRN_UB_SCHEDULER, ring->used > ring->unfetched);
    return trn_udma_bit_set(engine->map, word, TRN_UB_FULL,
                            ring->length != 0 && ring->used == ring->length);
}

static uint32_t show_queue(const struct trn_udma *engine, const struct trn_udma_word *word,
                           uint32_t stored)
{
    const struct trn_udma_ring *const ring = &engine->ring[half_of(word)][word->index];
    switch ((enum trn_udma_queue_reg)word->reg) {
    case TRN_UQ_STATUS:
        return show_status(engine, ring);
    case TRN_UQ_HEAD:
        return show_pointer(engine, ring->head);
    case TRN_UQ_TAIL:
        return show_pointer(engine, ring->tail);
    case TRN_UQ_CURRENT:
        return show_pointer(engine, ring->current);
    case TRN_UQ_COMP_HEAD:
        return show_pointer(engine, ring->comp_shown);
    case TRN_UQ_COMP_HEAD_INTERNAL:
        return show_pointer(engine, ring->comp);
    default:
        return stored;
    }
}

enum trn_udma_state trn_udma_half_state(const struct trn_udma *engine, enum trn_udma_half half)
{
    bool busy = engine->normal[half];
    for (unsigned q = 0; q < TRN_UDMA_QUEUES; q++)
        busy = busy || (engine->ring[half][q].enabled && engine->ring[half][q].used != 0);
    if (engine->aborted[half])
        return TRN_UDMA_ABORT;
    return busy ? TRN_UDMA_NORMAL : TRN_UDMA_IDLE;
}

/* The four parts of a half are always in the same state. */
static uint32_t show_state(const struct trn_udma *engine, enum trn_udma_half half)
{
    const uint32_t state = trn_udma_half_state(engine, half);
    uint32_t word = trn_udma_bit_set(engine->map, 0, TRN_UB_STATE_COMP, state);
    word = trn_udma_bit_set(engine->map, word, TRN_UB_STATE_STREAM, state);
    word = trn_udma_bit_set(engine->map, word, TRN_UB_STATE_READ, state);
    return trn_udma_bit_set(engine->map, word, TRN_UB_STATE_PREF, state);
}

static uint32_t show_engine(const struct trn_udma *engine, const struct trn_udma_word *word,
                            uint32_t stored)
{
    switch ((enum trn_udma_engine_reg)word->reg) {
    case TRN_UE_M2S_STATE:
        return show_state(engine, TRN_UDMA_M2S);
    case TRN_UE_S2M_STATE:
        return show_state(engine, TRN_UDMA_S2M);
    case TRN_UE_TX_PACKETS:
        return (uint32_t)trn_bits_get(engine->ring[TRN_UDMA_M2S][word->index].packets, 0, 32);
    case TRN_UE_RX_PACKETS:
        return (uint32_t)trn_bits_get(engine->ring[TRN_UDMA_S2M][word->index].packets, 0, 32);
    default:
        return stored;
    }
}

bool trn_udma_read32(struct trn_udma *engine, uint32_t offset, uint32_t *value)
{
    const struct trn_udma_word *const word = word_at(engine, offset);
    *value = 0;
    if (!word)
        return false;
    if (is_of_group(word))
        *value = trn_udma_group_read(engine, group_of(word), word->reg);
    else if (word->access == TRN_REG_WO)
        *value = 0;
    else if (word->owner == TRN_UDMA_OF_ENGINE)
        *value = show_engine(engine, word, engine->words[offset / 4]);
    else
        *value = show_queue(engine, word, engine->words[offset / 4]);
    return true;
}

/* ---- reset
 * --------------------------------------------------------------------------------------------- */

static void reset_register(struct trn_udma *engine, uint32_t at, uint32_t value)
{
    const struct trn_udma_word *const word = &engine->map->words[at];
    if (is_of_group(word)) {
        struct trn_udma_group *const group = &engine->group[group_of(word)];
        if (word->reg == TRN_UG_MASK)
            group->mask = value;
        else if (word->reg == TRN_UG_ABORT_MASK)
            group->abort_mask = value;
        return;
    }
    engine->words[at] = value;
    if (word->owner != TRN_UDMA_OF_ENGINE)
        write_queue(engine, word, value);
}

void trn_udma_apply_registers(struct trn_udma *engine)
{
    for (size_t i = 0; i < engine->map->num_resets; i++)
        reset_register(engine, engine->map->resets[i].word, engine->map->resets[i].value);
    set_limits(engine);
    engine->pending = 0;
}
