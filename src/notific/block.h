/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a notification block. */
#ifndef TRN_NOTIFIC_BLOCK_H
#define TRN_NOTIFIC_BLOCK_H

#include "base/bytes.h"
#include "notific/layout.h"
#include "notific/notific.h"
#include "notific/unread.h"

enum {
    TRN_NQ_MAX_BUFFERS = 30, /* 6.2: the wr-buffer triggers */
    TRN_NQ_INPUTS = 64,      /* bits of wr_buf_enable */
    TRN_NQ_STREAMS = 4,      /* 5: queues that can coalesce */
    TRN_NQ_LINE_BYTES = 64,
    TRN_NQ_DEPTH = 8,       /* 2, model choice */
    TRN_NQ_AXI_ENTRIES = 16 /* likewise: naq_buffer_count */
};

/* ---- rings ------------------------------------------------------------------------------ */

struct trn_nq_ring {
    uint64_t base;
    uint32_t size, head, tail; /* as the ring uses them: multiples of 16, below size (4.2) */
    uint32_t threshold;
    bool enabled, backpressure, ignore_full, threshold_on;
    bool epoch;            /* phase of the next record */
    bool overflow_pending; /* records were dropped since the last one stored */
    bool passed;           /* threshold reached, not armed until head is written */
    struct trn_unread unread;
    struct trn_notific_counts counts;
};

static inline uint32_t trn_nq_used(const struct trn_nq_ring *ring)
{
    return ring->tail >= ring->head ? ring->tail - ring->head
                                    : ring->tail + (ring->size - ring->head);
}

/* (tail + 16) mod size == head; a ring without room for a record is always full (4.2). */
static inline bool trn_nq_is_full(const struct trn_nq_ring *ring)
{
    return ring->size == 0 || trn_nq_used(ring) >= ring->size - TRN_RECORD_BYTES;
}

/* ---- input buffers ------------------------------------------------------------------------ */

struct trn_nq_entry {
    uint8_t record[8];
    uint64_t order; /* of arrival, over all inputs */
    uint8_t queue, input;
    bool met_full; /* intr_0 and intr_5 are edges: one pulse a record (4.2) */
    bool met_limit;
};

struct trn_nq_buffer {
    struct trn_nq_entry *entries; /* `depth` of them, a circle */
    unsigned first, count;
    bool stalled;      /* intr_2 was raised for the record that cannot get in */
    bool records_lost; /* mark the next stored record of this input (bit 30) */
};

/* ---- coalescer --------------------------------------------------------------------------------
 */

/* Records of one queue that have moved its tail and are not in memory yet. */
struct trn_nq_stage {
    uint64_t address; /* of the first */
    uint64_t since;   /* ticks */
    unsigned count;
    uint8_t data[TRN_NQ_LINE_BYTES];
};

/* ---- the block ----------------------------------------------------------------------------------
 */

struct trn_notific {
    struct trn_notific_ports ports;
    struct trn_notific_options options;
    unsigned num_buffers;
    uint32_t words[TRN_NQ_MAX_WORDS]; /* as written */
    uint64_t accept, stall_inputs;    /* wr_buf_enable and hw_backpressure, both halves */
    struct trn_nq_ring rings[TRN_NQ_MAX_QUEUES];
    struct trn_nq_buffer buffers[TRN_NQ_MAX_BUFFERS];
    uint64_t occupied; /* a bit for each buffer that is not empty */
    struct trn_nq_stage stages[TRN_NQ_STREAMS];
    unsigned staged; /* records in them */
    bool uart, overlap, bypass, force_coalesce, in_order, rotate_id;
    uint8_t stream_enable;
    uint16_t axi_id;
    uint8_t id_turn;
    uint32_t stats, stall_count;
    uint64_t error_address;
    uint64_t order;
    unsigned __int128 time; /* 74 bits: 64 of the counter, 10 of fraction (3) */
    uint64_t time_at;       /* ticks up to which `time` counts */
    uint32_t time_step;
    struct trn_notific_counts counts; /* of the block: what no queue has */
    struct trn_notific_layout layout;
    struct trn_nq_entry *entries; /* of all buffers */
};

static inline void trn_nq_pulse(struct trn_notific *block, enum trn_notific_output output,
                                unsigned n)
{
    if (block->ports.pulse)
        block->ports.pulse(block->ports.context, output, n);
}

static inline void trn_nq_choice(struct trn_notific *block, enum trn_choice choice)
{
    if (block->ports.choice)
        block->ports.choice(block->ports.context, choice);
}

static inline uint64_t trn_nq_ticks(const struct trn_notific *block)
{
    return block->ports.ticks ? block->ports.ticks(block->ports.context) : 0;
}

/* time.c */
uint64_t trn_nq_now(const struct trn_notific *block);
void trn_nq_set_step(struct trn_notific *block, uint32_t step);

/* produce.c: move what can move, oldest first. */
void trn_nq_service(struct trn_notific *block);

/* stage.c */
/* Hand a record for `address` of queue q on. TRN_ERR_BUSY: not taken, try again. */
trn_status trn_nq_hand_over(struct trn_notific *block, unsigned q, uint64_t address,
                            const uint8_t record[TRN_RECORD_BYTES]);
void trn_nq_flush(struct trn_notific *block, unsigned q);
void trn_nq_flush_all(struct trn_notific *block);
void trn_nq_flush_due(struct trn_notific *block);

/* access.c: what registers hold after reset takes effect. */
void trn_nq_apply_reset_values(struct trn_notific *block);

#endif
