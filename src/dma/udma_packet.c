/* SPDX-License-Identifier: Apache-2.0 */
/* Packets: sources form a stream, destinations take it in order, matched by count
 * (docs/hardware/udma.md 3). A call into memory may come back as a register write; every step looks
 * whether its queue is still what it was. */
#include <string.h>

#include "dma/udma_state.h"
#include "udma_pack.h"

static size_t staged(const struct trn_udma_lane *lane)
{
    return lane->stage_end - lane->stage_at;
}

/* ---- records (8) -------------------------------------------------------------------------------
 */

enum record_kind { SOP = 1, EOP, COMPLETION };

static void record(struct trn_udma *engine, enum trn_udma_half half, unsigned queue,
                   enum record_kind kind)
{
    enum { S2M_KINDS = 3, NBYTES_BITS = 24 };
    const struct trn_udma_lane *const lane = &engine->lane[queue];
    if (!engine->ports.record || lane->silent)
        return;
    struct trn_record out = {.type = TRN_RECORD_DMA};
    const uint8_t type = (uint8_t)(kind + (half == TRN_UDMA_S2M ? S2M_KINDS : 0));
    switch (kind) {
    case SOP:
        out.form = TRN_FORM_DMA_SOP;
        out.body.dma_sop.dma_notific_type = type;
        out.body.dma_sop.queue = (uint8_t)queue;
        out.body.dma_sop.metadata = lane->tx.tag;
        break;
    case EOP:
        out.form = TRN_FORM_DMA_EOP;
        out.body.dma_eop.dma_notific_type = type;
        out.body.dma_eop.queue = (uint8_t)queue;
        out.body.dma_eop.nbytes = (uint32_t)trn_bits_get(lane->packet_bytes, 0, NBYTES_BITS);
        break;
    case COMPLETION:
        out.form = TRN_FORM_DMA_COMPLETION;
        out.body.dma_completion.dma_notific_type = type;
        out.body.dma_completion.queue = (uint8_t)queue;
        break;
    }
    engine->ports.record(engine->ports.context, &out);
}

/* ---- faults
 * -------------------------------------------------------------------------------------- */

static bool source_fault(struct trn_udma *engine, unsigned queue, trn_status status, unsigned cause)
{
    const struct trn_udma_lane *const lane = &engine->lane[queue];
    return trn_udma_fail(engine, TRN_UDMA_M2S, queue, status, TRN_UDMA_GROUP_A, cause,
                         lane->tx_index, lane->tx_at);
}

static void unsupported(struct trn_udma *engine, unsigned queue, trn_status status)
{
    const struct trn_udma_lane *const lane = &engine->lane[queue];
    trn_udma_fail(engine, TRN_UDMA_M2S, queue, status, 0, 0, lane->tx_index, lane->tx_at);
}

/* An access to data that memory refused; true: the queue stands still. */
static bool data_fault(struct trn_udma *engine, unsigned queue, trn_status status, bool source)
{
    const struct trn_udma_lane *const lane = &engine->lane[queue];
    const bool timeout = status == TRN_ERR_TIMEOUT;
    if (status == TRN_ERR_NO_MEMORY || status == TRN_ERR_UNSUPPORTED) {
        unsupported(engine, queue, status);
        return true;
    }
    if (source)
        return source_fault(engine, queue, status,
                            timeout ? TRN_UDMA_A_DATA_READ_AXI_TIMEOUT
                                    : TRN_UDMA_A_DATA_READ_AXI_RESPONSE_ERROR);
    return trn_udma_fail(engine, TRN_UDMA_S2M, queue, status, TRN_UDMA_GROUP_B,
                         timeout ? TRN_UDMA_B_DATA_WRITE_AXI_TIMEOUT
                                 : TRN_UDMA_B_DATA_WRITE_AXI_RESPONSE_ERROR,
                         lane->rx_index, lane->rx_at);
}

/* ---- opening a source descriptor
 * ------------------------------------------------------------------ */

/* 9.2: FIRST and LAST, descriptors and bytes of the packet; false: the queue stands still. */
static bool check_packet(struct trn_udma *engine, unsigned queue, struct trn_udma_lane *lane)
{
    const bool first = lane->tx.first != 0;
    if (!lane->in_packet && !first &&
        source_fault(engine, queue, TRN_ERR_INVALID, TRN_UDMA_A_FIRST_BIT_ERROR_IN_A_DESCRIPTOR))
        return false;
    if (lane->in_packet && first &&
        source_fault(engine, queue, TRN_ERR_INVALID, TRN_UDMA_A_LAST_BIT_ERROR_IN_A_DESCRIPTOR))
        return false;
    if (!lane->in_packet) {
        trn_udma_begin_packet(lane);
        record(engine, TRN_UDMA_M2S, queue, SOP);
    }
    lane->packet_bytes += lane->tx_left;
    if (++lane->packet_descs > engine->max_descs &&
        source_fault(engine, queue, TRN_ERR_TOO_LARGE,
                     TRN_UDMA_A_MORE_DESCRIPTORS_IN_A_PACKET_THAN_ALLOWED))
        return false;
    return lane->packet_bytes <= engine->max_packet ||
           !source_fault(engine, queue, TRN_ERR_TOO_LARGE,
                         TRN_UDMA_A_PACKET_LONGER_THAN_THE_CONFIGURED_MAXIMUM);
}

/* 2.3: a metadata descriptor of the compute class says what the packet's data is for; a data
 * descriptor of the class says it for itself, with the scale of the packet. */
static void set_work(struct trn_udma_lane *lane, const uint8_t raw[TRN_UDMA_DESC_BYTES])
{
    if (lane->work == TRN_UDMA_TRANSPOSE)
        lane->element = trn_udma_transpose_unpack(raw).element_bytes;
    if (lane->work != TRN_UDMA_COMPUTE)
        return;
    lane->compute = lane->packet;
    if (!trn_udma_is_compute(lane))
        return;
    lane->compute.form = trn_udma_cce_unpack(raw);
    if (lane->tx.meta) {
        lane->compute.scale = trn_bits_f32(trn_udma_operands_unpack(raw).scale);
        lane->compute.given = true;
        lane->packet = lane->compute;
    }
}

static enum trn_udma_step open_source(struct trn_udma *engine, unsigned queue)
{
    struct trn_udma_lane *const lane = &engine->lane[queue];
    struct trn_udma_pointer at;
    const uint8_t *const taken = trn_udma_take(engine, TRN_UDMA_M2S, queue, &at);
    if (!taken)
        return TRN_UDMA_BLOCKED;
    uint8_t raw[TRN_UDMA_DESC_BYTES]; /* whatever happens to the place it lies in */
    memcpy(raw, taken, sizeof raw);
    lane->tx = trn_udma_tx_unpack(raw);
    lane->tx_index = at.index;
    lane->tx_at = lane->tx.source;
    lane->tx_left = lane->tx.meta ? 0 : trn_udma_bytes(lane->tx.length);
    lane->silent = lane->tx.notification_mask && engine->map->gen->udma_notification_mask;
    if (lane->tx.ring_id != at.ring_id &&
        source_fault(engine, queue, TRN_ERR_FORMAT,
                     TRN_UDMA_A_WRONG_RING_ID_IN_A_PREFETCHED_SUBMISSION_DESCRIPTOR))
        return TRN_UDMA_BLOCKED;
    if (!check_packet(engine, queue, lane))
        return TRN_UDMA_BLOCKED;
    lane->work = trn_udma_work_of(engine, lane, raw);
    if (lane->work == TRN_UDMA_UNSUPPORTED) {
        unsupported(engine, queue, TRN_ERR_UNSUPPORTED);
        return TRN_UDMA_BLOCKED;
    }
    set_work(lane, raw);
    lane->open = true;
    return TRN_UDMA_MOVED;
}

/* ---- destinations
 * -------------------------------------------------------------------------------- */

static bool open_destination(struct trn_udma *engine, unsigned queue)
{
    struct trn_udma_lane *const lane = &engine->lane[queue];
    struct trn_udma_pointer at;
    const uint8_t *const raw = trn_udma_take(engine, TRN_UDMA_S2M, queue, &at);
    if (!raw) {
        trn_udma_choice(engine, TRN_CHOICE_UDMA_NO_DESTINATION);
        return false;
    }
    lane->rx = trn_udma_rx_unpack(raw);
    lane->rx_index = at.index;
    lane->rx_at = lane->rx.destination;
    lane->rx_left = trn_udma_bytes(lane->rx.length);
    if (lane->rx.ring_id != at.ring_id &&
        trn_udma_fail(engine, TRN_UDMA_S2M, queue, TRN_ERR_FORMAT, TRN_UDMA_GROUP_B,
                      TRN_UDMA_B_WRONG_RING_ID_IN_A_PREFETCHED_DESCRIPTOR, at.index, lane->rx_at))
        return false;
    lane->rx_open = true;
    if (lane->rx_first)
        record(engine, TRN_UDMA_S2M, queue, SOP);
    return true;
}

static bool packet_is_over(const struct trn_udma_lane *lane)
{
    return lane->tx.last && lane->tx_left == 0 && staged(lane) == 0;
}

static void close_destination(struct trn_udma *engine, unsigned queue)
{
    struct trn_udma_lane *const lane = &engine->lane[queue];
    const bool first = lane->rx_first;
    lane->rx_open = lane->rx_first = false;
    lane->rx_left = 0;
    trn_udma_complete(engine, TRN_UDMA_S2M, queue, first, packet_is_over(lane), lane->rx.int_en);
}

/* ---- moving
 * --------------------------------------------------------------------------------------- */

/* `taken` source bytes became `put` bytes at the destination. */
static void advance_by(struct trn_udma *engine, unsigned queue, uint32_t taken, uint32_t put)
{
    struct trn_udma_lane *const lane = &engine->lane[queue];
    lane->tx_at += taken;
    lane->tx_left -= taken;
    engine->ring[TRN_UDMA_M2S][queue].bytes += taken;
    lane->rx_at += put;
    lane->rx_left -= put;
    engine->ring[TRN_UDMA_S2M][queue].bytes += put;
    if (lane->rx_left == 0)
        close_destination(engine, queue);
}

/* The whole rest of the source descriptor into the open destination. */
static enum trn_udma_step move_direct(struct trn_udma *engine, unsigned queue)
{
    struct trn_udma_lane *const lane = &engine->lane[queue];
    const uint32_t resets = lane->resets, size = lane->tx_left;
    bool source;
    const trn_status status = trn_udma_copy_bytes(engine, lane->tx_at, lane->rx_at, size, &source);
    if (lane->resets != resets || (status != TRN_OK && data_fault(engine, queue, status, source)))
        return TRN_UDMA_BLOCKED;
    advance_by(engine, queue, size, size);
    return TRN_UDMA_MOVED;
}

/* Read all of the descriptor behind what the stage keeps; false: the queue stands still. */
static bool read_to_stage(struct trn_udma *engine, unsigned queue, size_t at)
{
    struct trn_udma_lane *const lane = &engine->lane[queue];
    const uint32_t resets = lane->resets, size = lane->tx_left;
    if (!trn_udma_stage_room(lane, at + size)) {
        unsupported(engine, queue, TRN_ERR_NO_MEMORY);
        return false;
    }
    const trn_status status = trn_udma_read_bytes(engine, lane->tx_at, lane->stage + at, size);
    if (lane->resets != resets || (status != TRN_OK && data_fault(engine, queue, status, true)))
        return false;
    if (status != TRN_OK)
        memset(lane->stage + at, 0, size); /* masked: no data came */
    lane->tx_at += size;
    lane->tx_left = 0;
    engine->ring[TRN_UDMA_M2S][queue].bytes += size;
    return true;
}

/* Staged bytes into the open destination. */
static enum trn_udma_step move_staged(struct trn_udma *engine, unsigned queue)
{
    struct trn_udma_lane *const lane = &engine->lane[queue];
    const uint32_t resets = lane->resets;
    const size_t waiting = staged(lane);
    const uint32_t size = waiting < lane->rx_left ? (uint32_t)waiting : lane->rx_left;
    const trn_status status =
        trn_udma_write_bytes(engine, lane->rx_at, lane->stage + lane->stage_at, size);
    if (lane->resets != resets || (status != TRN_OK && data_fault(engine, queue, status, false)))
        return TRN_UDMA_BLOCKED;
    lane->stage_at += size;
    if (lane->stage_at == lane->stage_end)
        lane->stage_at = lane->stage_end = 0;
    advance_by(engine, queue, 0, size);
    return TRN_UDMA_MOVED;
}

/* 2.3, model choice: elements at the destination are read, combined and written. */
static enum trn_udma_step move_computed(struct trn_udma *engine, unsigned queue)
{
    struct trn_udma_lane *const lane = &engine->lane[queue];
    const uint32_t resets = lane->resets, size = lane->tx_left;
    const uint32_t put = trn_udma_compute_bytes(engine->map->gen, &lane->compute.form, size);
    uint8_t *const old = trn_udma_bounce(engine);
    trn_udma_choice(engine, TRN_CHOICE_UDMA_CCE_FORM);
    if (put == 0 || put > TRN_UDMA_MAX_DESC_DATA || !old) {
        unsupported(engine, queue, TRN_ERR_UNSUPPORTED);
        return TRN_UDMA_BLOCKED;
    }
    if (put > lane->rx_left) {
        trn_udma_fail(engine, TRN_UDMA_S2M, queue, TRN_ERR_INVALID, TRN_UDMA_GROUP_B,
                      TRN_UDMA_B_DATA_COUNTER_DOES_NOT_MATCH_PACKET_LENGTH, lane->rx_index,
                      lane->rx_at);
        engine->ring[TRN_UDMA_S2M][queue].stuck = true; /* it has no room, masked or not */
        return TRN_UDMA_BLOCKED;
    }
    if (!read_to_stage(engine, queue, 0))
        return TRN_UDMA_BLOCKED;
    trn_status status = trn_udma_read_bytes(engine, lane->rx_at, old, put);
    if (lane->resets == resets && status == TRN_OK)
        status = trn_udma_compute(engine->map->gen, &lane->compute, lane->stage, size, old);
    if (lane->resets == resets && status == TRN_OK)
        status = trn_udma_write_bytes(engine, lane->rx_at, old, put);
    if (lane->resets != resets || (status != TRN_OK && data_fault(engine, queue, status, false)))
        return TRN_UDMA_BLOCKED;
    advance_by(engine, queue, 0, put);
    return TRN_UDMA_MOVED;
}

/* One more row; the last one turns them all into the stream that leaves. */
static enum trn_udma_step collect_row(struct trn_udma *engine, unsigned queue)
{
    struct trn_udma_lane *const lane = &engine->lane[queue];
    const uint32_t size = lane->tx_left, element = lane->element;
    trn_udma_choice(engine, TRN_CHOICE_UDMA_TRANSPOSE_FORM);
    if (lane->rows == 0)
        lane->row_bytes = size;
    if (size != lane->row_bytes || size % element != 0) {
        unsupported(engine, queue, TRN_ERR_UNSUPPORTED);
        return TRN_UDMA_BLOCKED;
    }
    if (!read_to_stage(engine, queue, (size_t)lane->rows * size))
        return TRN_UDMA_BLOCKED;
    lane->rows++;
    if (!lane->tx.last)
        return TRN_UDMA_MOVED;
    const size_t total = (size_t)lane->rows * size;
    if (!trn_udma_stage_room(lane, 2 * total)) {
        unsupported(engine, queue, TRN_ERR_NO_MEMORY);
        return TRN_UDMA_BLOCKED;
    }
    trn_udma_transpose_rows(lane->stage, lane->stage + total, lane->rows, size / element, element);
    lane->stage_at = total;
    lane->stage_end = 2 * total;
    return TRN_UDMA_MOVED;
}

/* ---- the end
 * ---------------------------------------------------------------------------------------- */

static enum trn_udma_step end_packet(struct trn_udma *engine, unsigned queue)
{
    struct trn_udma_lane *const lane = &engine->lane[queue];
    if (lane->rx_open) { /* 9.2: stream length mismatch at LAST */
        if (trn_udma_fail(engine, TRN_UDMA_S2M, queue, TRN_ERR_INVALID, TRN_UDMA_GROUP_B,
                          TRN_UDMA_B_DATA_COUNTER_DOES_NOT_MATCH_PACKET_LENGTH, lane->rx_index,
                          lane->rx_at))
            return TRN_UDMA_BLOCKED;
        close_destination(engine, queue);
    }
    lane->in_packet = false;
    for (int half = 0; engine->ports.record && half < TRN_UDMA_HALVES; half++) {
        record(engine, (enum trn_udma_half)half, queue, EOP);
        record(engine, (enum trn_udma_half)half, queue, COMPLETION);
    }
    return TRN_UDMA_PACKET_ENDED;
}

static enum trn_udma_step close_source(struct trn_udma *engine, unsigned queue)
{
    struct trn_udma_lane *const lane = &engine->lane[queue];
    const uint32_t resets = lane->resets;
    lane->open = false;
    trn_udma_complete(engine, TRN_UDMA_M2S, queue, lane->tx.first, lane->tx.last, lane->tx.int_en);
    if (lane->resets != resets)
        return TRN_UDMA_BLOCKED;
    return lane->tx.last ? end_packet(engine, queue) : TRN_UDMA_MOVED;
}

/* ---- a turn
 * ----------------------------------------------------------------------------------------- */

static enum trn_udma_step advance(struct trn_udma *engine, unsigned queue)
{
    struct trn_udma_lane *const lane = &engine->lane[queue];
    if (!lane->open)
        return open_source(engine, queue);
    if (lane->tx_left == 0 && staged(lane) == 0)
        return close_source(engine, queue);
    if (lane->work == TRN_UDMA_TRANSPOSE && lane->tx_left > 0)
        return collect_row(engine, queue);
    if (!lane->rx_open)
        return open_destination(engine, queue) ? TRN_UDMA_MOVED : TRN_UDMA_BLOCKED;
    if (staged(lane) > 0)
        return move_staged(engine, queue);
    if (lane->work == TRN_UDMA_COMPUTE)
        return move_computed(engine, queue);
    if (lane->tx_left <= lane->rx_left)
        return move_direct(engine, queue);
    lane->stage_end =
        lane->tx_left; /* cut differently: read as a whole, then written piece by piece */
    if (!read_to_stage(engine, queue, 0)) {
        lane->stage_end = 0;
        return TRN_UDMA_BLOCKED;
    }
    return TRN_UDMA_MOVED;
}

/* 9.5 and 6: enabled, not at fault, in an engine that is not in abort. */
static bool works(const struct trn_udma *engine, unsigned queue)
{
    const struct trn_udma_ring *const tx = &engine->ring[TRN_UDMA_M2S][queue];
    const struct trn_udma_ring *const rx = &engine->ring[TRN_UDMA_S2M][queue];
    return tx->enabled && !tx->stuck && !rx->stuck && !trn_udma_is_aborted(engine) &&
           !trn_udma_is_stopped(engine);
}

uint64_t trn_udma_turn(struct trn_udma *engine, unsigned queue, uint64_t most)
{
    enum trn_udma_step step = TRN_UDMA_MOVED;
    if (engine->ring[TRN_UDMA_S2M][queue].enabled && !engine->ring[TRN_UDMA_S2M][queue].stuck &&
        !trn_udma_is_aborted(engine))
        trn_udma_prefetch(engine, TRN_UDMA_S2M, queue); /* armed early (10) */
    while (step == TRN_UDMA_MOVED) {
        if (!works(engine, queue))
            return 0;
        const uint64_t ended = trn_udma_stream(engine, queue, most);
        if (ended > 0)
            return ended;
        step = works(engine, queue) ? advance(engine, queue) : TRN_UDMA_BLOCKED;
    }
    return step == TRN_UDMA_PACKET_ENDED;
}
