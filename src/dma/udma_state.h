/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a DMA engine (docs/hardware/udma.md; section numbers are its). */
#ifndef TRN_DMA_UDMA_STATE_H
#define TRN_DMA_UDMA_STATE_H

#include "dma/udma.h"
#include "dma/udma_map.h"
#include "trench/udma_ids.h"

enum {
    TRN_UDMA_BURST = 8,          /* 10: descriptors of one fetch, at most */
    TRN_UDMA_BURST_BYTES = 128,  /* whose boundary no fetch crosses */
    TRN_UDMA_DESC_CEILING = 128, /* 3: hardware ceiling of descriptors in a packet */
    TRN_UDMA_PACKET_CEILING = 0xFFFFF,
    TRN_UDMA_GROUPS = TRN_UDMA_PRIMARY + TRN_UDMA_SECONDARY + TRN_UDMA_AXI
};

/* ---- one ring: submission and completion side of a queue in one half ---- */

struct trn_udma_ring {
    uint64_t base, comp_base;
    uint32_t length;
    struct trn_udma_pointer head, tail, current, comp, comp_shown;
    uint32_t unfetched; /* head to tail */
    uint32_t used;      /* current to tail */
    bool enabled, comp_ring;
    bool stuck; /* at fault: until its reset */
    bool over_doorbell;
    uint8_t first, count;         /* prefetched descriptors that wait */
    struct trn_udma_pointer next; /* place of the first of them */
    uint64_t packets, bytes, ignored;
    uint8_t fifo[TRN_UDMA_BURST_BYTES];
};

/* Behind it in the ring; 7: the ring id counts 1, 2, 3, 0, 1 with every wrap. */
static inline struct trn_udma_pointer trn_udma_behind(struct trn_udma_pointer at, uint32_t n,
                                                      uint32_t length)
{
    enum { RING_IDS = 4 };
    const uint64_t index = (uint64_t)at.index + n;
    if (index < length) /* no division, most of the time */
        return (struct trn_udma_pointer){.index = (uint32_t)index, .ring_id = at.ring_id};
    return (struct trn_udma_pointer){.index = (uint32_t)(index % length),
                                     .ring_id =
                                         (uint8_t)((at.ring_id + index / length) % RING_IDS)};
}

/* One on, in place: descriptors pass by the million, and copies of a pointer that was just written
 * part by part are slow. */
static inline void trn_udma_step_on(struct trn_udma_pointer *at, uint32_t length)
{
    if (at->index + 1 < length)
        at->index++;
    else
        *at = trn_udma_behind(*at, 1, length);
}

/* The first prefetched descriptor is taken. */
static inline void trn_udma_pop(struct trn_udma_ring *ring)
{
    trn_udma_step_on(&ring->next, ring->length);
    ring->first++;
    ring->count--;
}

static inline bool trn_udma_has_ring(const struct trn_udma_ring *ring)
{
    return ring->length != 0 && ring->base != 0;
}

/* ---- one queue: the packet that is on its way ---- */

enum { TRN_UDMA_OP_DRE = 1, TRN_UDMA_OP_CME = 2, TRN_UDMA_OP_CCE = 4 }; /* 2.2 */

/* What a source descriptor does with its bytes. */
enum trn_udma_work { TRN_UDMA_COPY, TRN_UDMA_COMPUTE, TRN_UDMA_TRANSPOSE, TRN_UDMA_UNSUPPORTED };

struct trn_udma_compute {
    struct trn_udma_cce form;
    bool given;
    float scale;
};

struct trn_udma_lane {
    uint32_t resets; /* counts them: a register write may come from inside a transfer */
    bool in_packet, open, silent;
    uint32_t packet_descs;
    uint64_t packet_bytes;
    struct trn_udma_compute packet;  /* of a metadata descriptor, for the whole packet */
    struct trn_udma_compute compute; /* of the open descriptor */
    /* source */
    struct trn_udma_tx tx;
    uint32_t tx_index;
    enum trn_udma_work work;
    uint64_t tx_at;
    uint32_t tx_left;
    /* bytes that were read and wait for destinations */
    uint8_t *stage;
    size_t stage_room, stage_at, stage_end;
    uint32_t rows, row_bytes; /* of a transposing packet */
    uint8_t element;          /* bytes */
    /* destination */
    struct trn_udma_rx rx;
    uint32_t rx_index;
    uint64_t rx_at;
    uint32_t rx_left;
    bool rx_open, rx_first; /* the next one opens a packet */
};

static inline void trn_udma_begin_packet(struct trn_udma_lane *lane)
{
    lane->in_packet = lane->rx_first = true;
    lane->packet_descs = lane->rows = lane->row_bytes = 0;
    lane->packet_bytes = 0;
    lane->packet.given = false;
    lane->packet.scale = 1.0f;
}

static inline uint32_t trn_udma_bytes(uint16_t length)
{
    return length ? length : TRN_UDMA_MAX_DESC_DATA; /* 2.1 */
}

/* ---- interrupt groups
 * ---------------------------------------------------------------------------- */

struct trn_udma_group {
    uint32_t cause, mask, status, control, abort_mask;
    uint32_t level; /* unmasked causes at the last look */
};

/* ---- the engine
 * ------------------------------------------------------------------------------------ */

/* Fields of a descriptor's first half that are looked at together. */
struct trn_udma_pattern {
    uint64_t cared, wanted;
};

struct trn_udma {
    const struct trn_udma_map *map;
    struct trn_udma_ports ports;
    unsigned number;
    uint32_t *words; /* as written */
    struct trn_udma_ring ring[TRN_UDMA_HALVES][TRN_UDMA_QUEUES];
    struct trn_udma_lane lane[TRN_UDMA_QUEUES];
    struct trn_udma_group group[TRN_UDMA_GROUPS]; /* primary, secondary, AXI */
    uint16_t pending;                             /* queues that may have something to do */
    uint8_t turn;                                 /* queue whose turn it is */
    uint16_t paused;                              /* queues that the scheduler leaves out (11) */
    uint8_t qos[TRN_UDMA_QUEUES], most_qos;       /* and what it prefers: not 0 when any is */
    uint64_t retired;                             /* descriptors of both halves, ever */
    bool running;
    bool aborted[TRN_UDMA_HALVES], normal[TRN_UDMA_HALVES];
    uint32_t max_descs, max_packet, burst[TRN_UDMA_HALVES];
    bool report_head;
    struct trn_udma_fault fault;
    struct trn_udma_pattern common;
    uint8_t *bounce; /* TRN_UDMA_MAX_DESC_DATA bytes, made when needed */
};

static inline void trn_udma_choice(struct trn_udma *engine, enum trn_choice choice)
{
    if (engine->ports.choice)
        engine->ports.choice(engine->ports.context, choice);
}

/* A descriptor is done: the cursors that say so (7). */
static inline void trn_udma_count_done(struct trn_udma *engine, struct trn_udma_ring *ring,
                                       bool last)
{
    engine->retired++;
    trn_udma_step_on(&ring->current, ring->length);
    trn_udma_step_on(&ring->comp, ring->length);
    if (engine->report_head) {
        ring->comp_shown.index = ring->comp.index;
        ring->comp_shown.ring_id = ring->comp.ring_id;
    }
    ring->used--;
    ring->packets += last;
}

static inline bool trn_udma_is_aborted(const struct trn_udma *engine)
{
    return engine->aborted[TRN_UDMA_M2S] || engine->aborted[TRN_UDMA_S2M];
}

static inline bool trn_udma_is_stopped(const struct trn_udma *engine)
{
    return engine->ports.stop && *engine->ports.stop;
}

/* udma_access.c: the registers as after reset take effect. */
void trn_udma_apply_registers(struct trn_udma *engine);

/* udma_cause.c. `group` counts primary, secondary, AXI. */
enum { TRN_UDMA_GROUP_A = TRN_UDMA_PRIMARY, TRN_UDMA_GROUP_B, TRN_UDMA_GROUP_C };
uint32_t trn_udma_group_read(const struct trn_udma *engine, unsigned group, unsigned reg);
void trn_udma_group_write(struct trn_udma *engine, unsigned group, unsigned reg, uint32_t value);
void trn_udma_raise(struct trn_udma *engine, unsigned group, uint32_t causes);
void trn_udma_abort(struct trn_udma *engine);

/* A fault of a queue: its cause is raised (group 0: there is none and the halves abort). True when
 * it is not masked: the queue stands still. */
bool trn_udma_fail(struct trn_udma *engine, enum trn_udma_half half, unsigned queue,
                   trn_status status, unsigned group, unsigned cause, uint32_t index,
                   uint64_t address);

/* udma_queue.c */
void trn_udma_reset_ring(struct trn_udma *engine, enum trn_udma_half half, unsigned queue);
void trn_udma_reset_lane(struct trn_udma *engine, unsigned queue);
void trn_udma_doorbell(struct trn_udma *engine, enum trn_udma_half half, unsigned queue,
                       uint32_t n);
void trn_udma_set_length(struct trn_udma *engine, enum trn_udma_half half, unsigned queue,
                         uint32_t length);
/* Fetch a burst when none waits; false on a fault. */
bool trn_udma_prefetch(struct trn_udma *engine, enum trn_udma_half half, unsigned queue);
/* Next descriptor and its place in the ring; NULL when none is there or at a fault. The bytes stay
 * until the next fetch. */
const uint8_t *trn_udma_take(struct trn_udma *engine, enum trn_udma_half half, unsigned queue,
                             struct trn_udma_pointer *at);
/* A descriptor is done. */
void trn_udma_complete(struct trn_udma *engine, enum trn_udma_half half, unsigned queue, bool first,
                       bool last, bool interrupt);

/* udma_stream.c: plain copies of one source into one destination of the same length, as far as they
 * follow each other; everything else is left for udma_packet.c. How many packets ended, `most` at
 * most. */
uint64_t trn_udma_stream(struct trn_udma *engine, unsigned queue, uint64_t most);
void trn_udma_common_source(struct trn_udma_pattern *pattern);

/* udma_packet.c: one packet of a queue, as far as it goes. */
enum trn_udma_step { TRN_UDMA_BLOCKED, TRN_UDMA_MOVED, TRN_UDMA_PACKET_ENDED };
/* How many ended; 0: the queue has nothing to do or cannot. */
uint64_t trn_udma_turn(struct trn_udma *engine, unsigned queue, uint64_t most);

/* udma_move.c: bytes between memory and buffers, whole or a failure. */
trn_status trn_udma_read_bytes(struct trn_udma *engine, uint64_t address, uint8_t *data,
                               uint64_t size);
trn_status trn_udma_write_bytes(struct trn_udma *engine, uint64_t address, const uint8_t *data,
                                uint64_t size);
/* One descriptor's worth, read as a whole before the first byte is written (3). */
trn_status trn_udma_copy_bytes(struct trn_udma *engine, uint64_t from, uint64_t to, uint32_t size,
                               bool *source_failed);
/* TRN_UDMA_MAX_DESC_DATA bytes; NULL when memory is short. */
uint8_t *trn_udma_bounce(struct trn_udma *engine);
/* Room for at least `size` bytes of the packet; false when memory is short. */
bool trn_udma_stage_room(struct trn_udma_lane *lane, size_t size);

/* udma_form.c: for a message. */
const char *trn_udma_form_name(const struct trn_udma_tx *tx);

/* udma_compute.c */

/* 2.2: CRC options do nothing but a CRC, which the model does not compute. */
static inline bool trn_udma_is_plain_copy(const struct trn_udma_tx *tx)
{
    enum { COPY = 0 };
    return tx->op == TRN_UDMA_OP_CME && tx->op_type == COPY && tx->copy_source &&
           !tx->swap_result && !tx->swap_intermediate && !tx->swap_source && !tx->swap_initial &&
           !tx->validate_crc && !tx->use_stored_crc && !tx->send_crc && !tx->store_crc &&
           !tx->store_source_crc;
}

enum trn_udma_work trn_udma_work_of(const struct trn_udma *engine, const struct trn_udma_lane *lane,
                                    const uint8_t raw[16]);
/* The open descriptor is itself of the compute class. */
bool trn_udma_is_compute(const struct trn_udma_lane *lane);
/* Result of `size` source bytes over the elements at `old` (which has room for them); *out_size
 * bytes. TRN_ERR_UNSUPPORTED: types or an operation that the model lacks. */
trn_status trn_udma_compute(const struct trn_gen *gen, const struct trn_udma_compute *compute,
                            const uint8_t *source, uint32_t size, uint8_t *old);
/* Bytes that the destination of `size` source bytes has; 0 when there is no such. */
uint32_t trn_udma_compute_bytes(const struct trn_gen *gen, const struct trn_udma_cce *form,
                                uint32_t size);
void trn_udma_transpose_rows(const uint8_t *in, uint8_t *out, uint32_t rows, uint32_t columns,
                             unsigned element);

#endif
