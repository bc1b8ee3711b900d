/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of descriptors and the rings they stand in (dge.md 8.5, 6.5; udma.md 2). */
#include <stdlib.h>

#include "dma/dge.h"
#include "udma_pack.h"

enum {
    OP_DRE = 1, /* udma.md 2.2 */
    OP_CME = 2,
    OP_CCE = 4,
    CCE_EXT = 4,
    DRE_TRANSPOSE = 1,
    SEMAPHORE_BYTES = 4
};

/* op_type of a compute operation (udma.md 2.2); what has no class of its own is an extension. */
static const uint8_t cce_type[] = {
    [TRN_DGE_COMPUTE_OP_NONE] = CCE_EXT,
    [TRN_DGE_COMPUTE_OP_ADD] = 0,
    [TRN_DGE_COMPUTE_OP_MULTIPLY] = CCE_EXT,
    [TRN_DGE_COMPUTE_OP_MAX] = 2,
    [TRN_DGE_COMPUTE_OP_MIN] = 3,
};

static bool is_transposed(const struct dge_request *req)
{
    return req->kind == DGE_TRANSPOSE || req->kind == DGE_GATHER_TRANSPOSE;
}

/* ---- rings ----------------------------------------------------------------------------------- */

static void next_lap(struct dge_ring *ring)
{
    enum { RING_IDS = 4 };
    ring->at = 0;
    ring->ring_id = (uint8_t)((ring->ring_id + 1) % RING_IDS);
}

static uint8_t *next_slot(struct dge_run_state *w, enum trn_dge_side side)
{
    struct dge_ring *const ring = &w->context->ring[side];
    uint8_t *const raw = ring->desc + (size_t)ring->at * TRN_DGE_DESC_BYTES;
    if (++ring->at == w->context->ndesc)
        next_lap(ring);
    memset(raw, 0, TRN_DGE_DESC_BYTES);
    return raw;
}

/* The hot ones: flattened, so that the compiler folds every field that is constant. */
__attribute__((flatten)) static void put_copy(const struct dge_run *run, uint8_t ring_id,
                                              bool first, uint8_t *raw)
{
    const struct trn_udma_tx tx = {.length = (uint16_t)run->bytes,
                                   .ring_id = ring_id,
                                   .first = first,
                                   .last_block = 1, /* udma.md 2.2: the driver's default */
                                   .first_block = 1,
                                   .copy_source = 1,
                                   .op = OP_CME,
                                   .source = run->address};
    trn_udma_tx_pack(&tx, raw);
}

/* 8.5: compute and casts take the CCE form, tiles the transposing one (udma.md 2.3): their fields
 * lie over those of a copy. */
__attribute__((flatten)) static void put_operation(const struct dge_request *req,
                                                   const struct dge_run *run, uint8_t ring_id,
                                                   bool first, uint8_t *raw)
{
    const struct trn_udma_tx tx = {
        .length = (uint16_t)run->bytes, .ring_id = ring_id, .first = first, .source = run->address};
    trn_udma_tx_pack(&tx, raw);
    if (is_transposed(req)) {
        const struct trn_udma_transpose form = {.element_bytes =
                                                    (uint8_t)req->side[TRN_DGE_DST].elem_bytes,
                                                .op_type = DRE_TRANSPOSE,
                                                .op = OP_DRE};
        trn_udma_transpose_pack(&form, raw);
    } else {
        const struct trn_udma_cce form = {.source_dtype = req->in_dtype,
                                          .destination_dtype = req->out_dtype,
                                          .op_type = cce_type[req->compute_op],
                                          .sub_op = req->compute_op,
                                          .op = OP_CCE};
        trn_udma_cce_pack(&form, raw);
    }
}

static uint8_t *put_read(struct dge_run_state *w, const struct dge_run *run, bool first)
{
    const uint8_t ring_id = w->context->ring[TRN_DGE_SRC].ring_id;
    uint8_t *const raw = next_slot(w, TRN_DGE_SRC);
    if (is_transposed(&w->req) || dge_computes(&w->req))
        put_operation(&w->req, run, ring_id, first, raw);
    else
        put_copy(run, ring_id, first, raw);
    return raw;
}

__attribute__((flatten)) static uint8_t *put_write(struct dge_run_state *w,
                                                   const struct dge_run *run)
{
    const struct trn_udma_rx rx = {.length = (uint16_t)run->bytes,
                                   .destination = run->address,
                                   .ring_id = w->context->ring[TRN_DGE_DST].ring_id};
    uint8_t *const raw = next_slot(w, TRN_DGE_DST);
    trn_udma_rx_pack(&rx, raw);
    return raw;
}

/* 6.3: rings of a carveout lie in SBUF, where a program that uses those bytes meets them; 6.7:
 * those of a host where it put them. */
static void write_out(struct dge_run_state *w, enum trn_dge_side side, unsigned dma, uint8_t *raw)
{
    if (w->given && trn_bits_get(w->given, dma, 1)) {
        dge_put_in_ring(w, side, dma, raw);
        return;
    }
    const struct dge_ring *const ring = &w->context->ring[side];
    const struct trn_dge_ports *const ports = &w->dge->ports;
    if (w->context->in_carveout)
        ports->write(ports->context, ring->base + (uint64_t)(raw - ring->desc), raw,
                     TRN_DGE_DESC_BYTES);
}

static void show_one(struct dge_run_state *w, enum trn_dge_side side, const struct dge_shown *shown,
                     bool semaphore)
{
    const struct trn_dge_ports *const ports = &w->dge->ports;
    const struct dge_run *const run = &shown->run;
    const bool write = side == TRN_DGE_DST;
    const struct trn_dge_descriptor descriptor = {.write = write,
                                                  .semaphore = semaphore,
                                                  .dma = shown->dma,
                                                  .queue = w->queue,
                                                  .bytes = run->bytes,
                                                  .src = write ? run->other : run->address,
                                                  .dst = write ? run->address : run->other,
                                                  .raw = shown->raw};
    write_out(w, side, shown->dma, shown->raw);
    if (ports->descriptor)
        ports->descriptor(ports->context, w->engine, &descriptor);
}

/* Descriptors of the last packet, once their flags are final. */
static void show_packet(struct dge_run_state *w)
{
    for (int side = 0; side < TRN_DGE_SIDES; side++) {
        for (uint32_t i = 0; i < w->num_shown[side]; i++)
            show_one(w, (enum trn_dge_side)side, &w->shown[side][i], false);
        w->num_shown[side] = 0;
    }
    if (w->given)
        dge_pass(w);
}

static void keep(struct dge_run_state *w, enum trn_dge_side side, const struct dge_run *run,
                 uint8_t *raw)
{
    if ((w->dge->ports.descriptor || w->context->in_carveout || w->given) &&
        w->num_shown[side] < DGE_MAX_PACKET)
        w->shown[side][w->num_shown[side]++] =
            (struct dge_shown){*run, raw, w->dma[w->outcome->packets % w->num_dmas]};
}

static void log_generate(const struct dge_run_state *w, enum trn_dge_side side,
                         const struct dge_run *run)
{
    if (!dge_logs(w) || !w->dge->gen->has_dge || w->outcome->backend == TRN_DGE_SOFTWARE)
        return;
    dge_log(w, "S: push GENERATE to DMA[%d]: %s : addr=0x%llx, elem_size=%d, sem_num=%i",
            w->dma[w->outcome->packets % w->num_dmas], side == TRN_DGE_SRC ? "RD" : "WR",
            (unsigned long long)run->address, (int)run->bytes, w->req.semaphore);
}

/* ---- packets --------------------------------------------------------------------------------- */

/* The LAST bit is known late, because a packet ends where the next piece does not fit. */
static void mark_last(uint8_t *raw, bool write_barrier)
{
    struct trn_udma_tx tx = trn_udma_tx_unpack(raw);
    tx.last = 1;
    tx.write_barrier |= write_barrier;
    trn_udma_tx_pack(&tx, raw);
}

static void write_descriptor(struct dge_run_state *w, enum trn_dge_side side,
                             const struct dge_run *run)
{
    if (w->to_lose && side == TRN_DGE_DST) { /* fault injection: S4 */
        w->to_lose--;
        w->lost++;
        return;
    }
    const bool first = w->in_packet[side] == 1;
    uint8_t *const raw = side == TRN_DGE_SRC ? put_read(w, run, first) : put_write(w, run);
    if (side == TRN_DGE_SRC)
        w->last_read = raw;
    w->context->ring[side].in_batch++;
    *(side == TRN_DGE_SRC ? &w->outcome->read_descriptors : &w->outcome->write_descriptors) += 1;
    log_generate(w, side, run);
    keep(w, side, run, raw);
}

static void close_run(struct dge_run_state *w, enum trn_dge_side side)
{
    struct dge_run *const run = &w->run[side];
    if (!run->open)
        return;
    run->open = false;
    write_descriptor(w, side, run);
}

static void trigger(struct dge_run_state *w)
{
    struct dge_ring *const ring = w->context->ring;
    const unsigned tx = ring[TRN_DGE_SRC].in_batch, rx = ring[TRN_DGE_DST].in_batch;
    if (tx == 0 && rx == 0)
        return;
    w->outcome->batches++;
    const uint64_t data = w->outcome->read_descriptors;
    if (w->in_batches && data > w->in_batches) {
        w->outcome->credit_waits++; /* 8.6: the batch before this one had to be done */
        dge_choice(w->dge, TRN_CHOICE_DGE_CREDITS);
    }
    w->in_batches = data;
    ring[TRN_DGE_SRC].in_batch = ring[TRN_DGE_DST].in_batch = 0;
    if (!dge_logs(w) || w->outcome->backend != TRN_DGE_SOFTWARE)
        return;
    /* udma.md 4: the tail increments of queue q, S2M first; the broadcast base is OPEN */
    enum { BANK = 0x1000, TAIL_INC = 0x38, S2M = 0x20000 };
    const unsigned bank = BANK + (unsigned)w->queue * BANK + TAIL_INC;
    dge_log(w, "P0: Generating %i descriptors; ring_ndesc = %i", (int)(tx > rx ? tx : rx),
            (int)w->context->ndesc);
    dge_log(w,
            "P0: Trigger DMA; sdma_bcast_base = 0x%08x, trigger addr = 0x%08x, mask = 0x%08x "
            "n_desc=%d",
            0U, S2M + bank, (unsigned)w->outcome->dmas, (int)rx);
    dge_log(w,
            "P0: Trigger DMA; sdma_bcast_base = 0x%08x, trigger addr = 0x%08x, mask = 0x%08x "
            "n_desc=%d",
            0U, bank, (unsigned)w->outcome->dmas, (int)tx);
}

void dge_begin(struct dge_run_state *w)
{
    w->to_lose = w->dge->options.lose_descriptors;
    w->in_packet[TRN_DGE_SRC] = w->in_packet[TRN_DGE_DST] = w->packet_bytes = 0;
    w->packet_limit = dge_packet_bytes(w);
    w->outcome->host_rings = w->given;
    if (w->packet_limit < DGE_PACKET_BYTES)
        dge_choice(w->dge, TRN_CHOICE_DGE_PACKET_BYTES);
}

void dge_reserve(struct dge_run_state *w, uint32_t reads, uint32_t writes)
{
    const struct dge_ring *const ring = w->context->ring;
    if (ring[TRN_DGE_SRC].in_batch + reads > w->budget ||
        ring[TRN_DGE_DST].in_batch + writes > w->budget)
        trigger(w);
}

void dge_end_packet(struct dge_run_state *w)
{
    close_run(w, TRN_DGE_SRC);
    close_run(w, TRN_DGE_DST);
    if (w->in_packet[TRN_DGE_SRC] == 0)
        return;
    mark_last(w->last_read, false);
    w->outcome->dmas |= UINT32_C(1) << w->dma[w->outcome->packets % w->num_dmas];
    w->outcome->packets++;
    w->in_packet[TRN_DGE_SRC] = w->in_packet[TRN_DGE_DST] = w->packet_bytes = 0;
    for (unsigned side = 0; side < TRN_DGE_SIDES; side++)
        if (w->context->ring[side].in_batch >= w->budget) {
            trigger(w);
            return;
        }
}

/* A side that needs a new descriptor has no room for it in the packet or in the batch. */
static bool is_full(const struct dge_run_state *w, enum trn_dge_side side)
{
    const uint32_t open = w->run[side].open;
    return w->in_packet[side] == DGE_PACKET_DESCS ||
           w->context->ring[side].in_batch + open >= w->budget;
}

static void extend(struct dge_run_state *w, enum trn_dge_side side, uint64_t address,
                   uint64_t other, uint32_t bytes, bool joins)
{
    struct dge_run *const run = &w->run[side];
    if (joins && run->open) {
        run->bytes += bytes;
        return;
    }
    if (w->in_packet[TRN_DGE_SRC] == 0)
        show_packet(w);
    close_run(w, side);
    *run = (struct dge_run){true, address, other, bytes};
    w->in_packet[side]++;
}

void dge_emit_piece(struct dge_run_state *w, uint64_t src, uint64_t dst, uint32_t src_bytes,
                    uint32_t dst_bytes, bool joins_src, bool joins_dst)
{
    if (w->in_packet[TRN_DGE_SRC] != 0 &&
        (w->packet_bytes + src_bytes > w->packet_limit || (!joins_src && is_full(w, TRN_DGE_SRC)) ||
         (!joins_dst && is_full(w, TRN_DGE_DST))))
        dge_end_packet(w);
    extend(w, TRN_DGE_SRC, src, dst, src_bytes, joins_src);
    extend(w, TRN_DGE_DST, dst, src, dst_bytes, joins_dst);
    w->packet_bytes += src_bytes;
}

/* Nobody looks at single descriptors. */
static bool is_unwatched(const struct dge_run_state *w)
{
    return !dge_logs(w) && !w->dge->ports.descriptor && !w->context->in_carveout && !w->given &&
           !w->to_lose;
}

/* How many of the pieces are each one more read of the packet that is open, for its last write. */
static uint32_t plain_reads(const struct dge_run_state *w, const struct dge_piece *piece,
                            uint32_t count)
{
    const struct dge_ring *const ring = &w->context->ring[TRN_DGE_SRC];
    const uint32_t in_packet = w->in_packet[TRN_DGE_SRC], bytes = w->run[TRN_DGE_SRC].bytes;
    if (!w->run[TRN_DGE_SRC].open || !w->run[TRN_DGE_DST].open || ring->in_batch >= w->budget ||
        w->packet_bytes >= w->packet_limit)
        return 0;
    const uint32_t room[] = {DGE_PACKET_DESCS - in_packet, w->context->ndesc - ring->at,
                             w->budget - ring->in_batch - 1,
                             (w->packet_limit - w->packet_bytes) / bytes};
    for (unsigned i = 0; i < sizeof room / sizeof room[0]; i++)
        count = room[i] < count ? room[i] : count;
    uint32_t n = 0;
    while (n < count && !piece[n].joins_src && piece[n].joins_dst && piece[n].bytes == bytes)
        n++;
    return n;
}

/* What dge_emit_piece does for each of them: the read before it is complete. */
static void put_reads(struct dge_run_state *w, const struct dge_piece *piece, uint32_t count)
{
    struct dge_ring *const ring = &w->context->ring[TRN_DGE_SRC];
    struct dge_run run = w->run[TRN_DGE_SRC];
    const uint8_t ring_id = ring->ring_id;
    uint8_t *raw = ring->desc + (size_t)ring->at * TRN_DGE_DESC_BYTES;
    for (uint32_t i = 0; i < count; i++, raw += TRN_DGE_DESC_BYTES) {
        memset(raw, 0, TRN_DGE_DESC_BYTES);
        put_copy(&run, ring_id, i == 0 && w->in_packet[TRN_DGE_SRC] == 1, raw);
        run.address = piece[i].src;
        run.other = piece[i].dst;
    }
    w->run[TRN_DGE_SRC] = run;
    w->last_read = raw - TRN_DGE_DESC_BYTES;
    w->run[TRN_DGE_DST].bytes += count * run.bytes;
    w->packet_bytes += count * run.bytes;
    w->in_packet[TRN_DGE_SRC] += count;
    w->outcome->read_descriptors += count;
    ring->in_batch += count;
    ring->at += count;
    if (ring->at == w->context->ndesc)
        next_lap(ring);
}

void dge_emit_pieces(struct dge_run_state *w, const struct dge_piece *piece, uint32_t count)
{
    const bool plain = is_unwatched(w);
    for (uint32_t i = 0; i < count;) {
        const uint32_t n = plain ? plain_reads(w, piece + i, count - i) : 0;
        if (n)
            put_reads(w, piece + i, n);
        else
            dge_emit_piece(w, piece[i].src, piece[i].dst, piece[i].bytes, piece[i].bytes,
                           piece[i].joins_src, piece[i].joins_dst);
        i += n ? n : 1;
    }
}

void dge_emit_rows(struct dge_run_state *w, enum trn_dge_side side, const struct dge_rows *rows)
{
    struct dge_run run = {false, rows->address, rows->other, rows->bytes};
    if (w->in_packet[TRN_DGE_SRC] == 0)
        show_packet(w);
    if (side == TRN_DGE_SRC)
        w->packet_bytes += rows->bytes * rows->count;
    const uint32_t fast = side == TRN_DGE_DST && is_unwatched(w) ? rows->count : 0;
    for (uint32_t i = 0; i < fast; i++, run.address += rows->pitch)
        put_write(w, &run);
    w->in_packet[side] += fast;
    w->context->ring[side].in_batch += fast;
    w->outcome->write_descriptors += fast;
    for (uint32_t i = fast; i < rows->count; i++) {
        w->in_packet[side]++;
        write_descriptor(w, side, &run);
        run.address += rows->pitch;
        run.other += rows->other_pitch;
    }
}

/* ---- completion ------------------------------------------------------------------------------ */

/* 8.5: the amount lies in a table of constants at the end of descriptor RAM (model choice). */
static uint64_t constant(const struct dge_run_state *w)
{
    enum { MEMORY_BYTES = 1 << 30, CONSTANTS = 256 };
    return w->dge->ports.dge_memory_base + MEMORY_BYTES - CONSTANTS * SEMAPHORE_BYTES +
           (uint64_t)w->req.increment * SEMAPHORE_BYTES;
}

static void semaphore_packet(struct dge_run_state *w)
{
    const uint64_t to =
        w->dge->ports.semaphore_inc_base + (uint64_t)w->req.semaphore * SEMAPHORE_BYTES;
    const struct trn_udma_tx tx = {.length = SEMAPHORE_BYTES,
                                   .first = 1,
                                   .last = 1,
                                   .ring_id = w->context->ring[TRN_DGE_SRC].ring_id,
                                   .last_block = 1,
                                   .first_block = 1,
                                   .copy_source = 1,
                                   .op = OP_CME,
                                   .source = constant(w)};
    uint8_t *raw = next_slot(w, TRN_DGE_SRC);
    const uint8_t dma = w->dma[0];
    const struct dge_run read = {.address = tx.source, .other = to, .bytes = SEMAPHORE_BYTES};
    trn_udma_tx_pack(&tx, raw);
    show_one(w, TRN_DGE_SRC, &(struct dge_shown){read, raw, dma}, true);
    const struct dge_run write = {.address = to, .other = tx.source, .bytes = SEMAPHORE_BYTES};
    raw = put_write(w, &write);
    show_one(w, TRN_DGE_DST, &(struct dge_shown){write, raw, dma}, true);
    if (w->given)
        dge_pass(w);
    for (unsigned side = 0; side < TRN_DGE_SIDES; side++)
        w->context->ring[side].in_batch++;
    w->outcome->completion_descriptors += TRN_DGE_SIDES;
}

void dge_complete(struct dge_run_state *w)
{
    dge_end_packet(w);
    if (w->last_read && w->req.increment)
        mark_last(w->last_read, true);
    show_packet(w);
    if (w->req.increment)
        semaphore_packet(w);
    trigger(w);
    if (w->outcome->packets)
        dge_log_dimensions(w);
}
