/* SPDX-License-Identifier: Apache-2.0 */
/* The notification block: producers submit records, the block routes them into rings in memory,
 * stamps them and raises its interrupts (docs/hardware/notific.md; section numbers are its).
 *
 * The block knows nothing of who owns it: memory, interrupts and time are calls that the owner
 * gives. Nothing happens behind the owner's back either: records move when somebody submits,
 * touches a register or polls. */
#ifndef TRN_NOTIFIC_NOTIFIC_H
#define TRN_NOTIFIC_NOTIFIC_H

#include "trench/choices.h"
#include "trench/gen.h"
#include "trench/notify.h"

/* The outputs of 6.1, then those of the input buffers, which have one of each. */
enum trn_notific_output {
    TRN_NOTIFIC_QUEUE_FULL,        /* intr_0 */
    TRN_NOTIFIC_QUEUE_DISABLED,    /* intr_1 */
    TRN_NOTIFIC_BUFFER_FULL_STALL, /* intr_2 */
    TRN_NOTIFIC_BUFFER_FULL_DROP,  /* intr_3 */
    TRN_NOTIFIC_WRITE_ERROR,       /* intr_4 */
    TRN_NOTIFIC_OUTSTANDING_STALL, /* intr_5 */
    TRN_NOTIFIC_THRESHOLD,         /* intr_6 */
    TRN_NOTIFIC_OVERLAP,           /* intr_7 */
    TRN_NOTIFIC_MANY_STREAMS,      /* intr_8 */
    TRN_NOTIFIC_INTERRUPTS,        /* how many intr_N there are */
    TRN_NOTIFIC_BUFFER_DROP,       /* drop_n: a record met buffer n full and was lost */
    TRN_NOTIFIC_BUFFER_FULL        /* full_n: a record met buffer n full */
};

struct trn_notific_ports {
    void *context;
    /* Write to a device address. TRN_ERR_BUSY: the limit of outstanding writes is reached, try
     * again later (intr_5); another failure: a write response error (intr_4). */
    trn_status (*write)(void *context, uint64_t address, const void *data, size_t size,
                        uint16_t axi_id);
    /* One pulse of an output; n is the number of the input buffer, 0 for intr_N. May be NULL. */
    void (*pulse)(void *context, enum trn_notific_output output, unsigned n);
    uint64_t (*ticks)(void *context); /* the device clock (3); NULL: it stands still */
    void (*choice)(void *context, enum trn_choice choice); /* a result rests on it; may be NULL */
};

/* Which inputs a block has (7, wr_buf_enable). */
enum trn_notific_owner {
    TRN_NOTIFIC_OF_CORE,    /* 40 classes, 30 buffers (TRN_INPUT_*) */
    TRN_NOTIFIC_OF_TOPSP,   /* 3 classes, 2 buffers (TRN_TOPSP_INPUT_*) */
    TRN_NOTIFIC_OF_DMA,     /* one */
    TRN_NOTIFIC_OF_TRIGGERS /* one: an error-trigger generator */
};

/* 7: the reduced set of a TopSP. [O] bits 0 and 2; bit 1 is what is left for SP's own records. */
enum { TRN_TOPSP_INPUT_EVSEM, TRN_TOPSP_INPUT_SP, TRN_TOPSP_INPUT_ERROR_SEQUENCER };

struct trn_notific_options {
    enum trn_notific_owner owner;
    bool one_queue;           /* the notific_1_queue form (1.1) */
    unsigned depth;           /* entries of an input buffer; 0: 8 (model choice) */
    bool delayed;             /* 5: records wait in the coalescer until it is flushed */
    bool first_phase_is_zero; /* 4.3: the other reading of the first lap */
};

enum trn_notific_result {
    TRN_NOTIFIC_TAKEN,  /* stored, staged, waiting in its buffer, or dropped by the ring's policy */
    TRN_NOTIFIC_MASKED, /* its class is off: gone without a trace */
    TRN_NOTIFIC_DROPPED, /* its input buffer was full */
    TRN_NOTIFIC_STALLED  /* its input buffer is full and the producer must try again */
};

struct trn_notific;

/* `gen` and the functions behind `ports` outlive the block; TRN_ERR_NO_MEMORY, TRN_ERR_RANGE. */
trn_status trn_notific_create(const struct trn_gen *gen, const struct trn_notific_options *options,
                              const struct trn_notific_ports *ports, struct trn_notific **out);
void trn_notific_destroy(struct trn_notific *block); /* NULL is fine */
/* Hardware reset: registers, rings, buffers and counts as after create. */
void trn_notific_reset(struct trn_notific *block);

/* ---- producers (4) ---------------------------------------------------------------------- */

/* A record of which the first 8 bytes count: body and type (trn_record_encode), to a software
 * queue. The number of the queue is that of its class's routing field now (route.h). */
enum trn_notific_result trn_notific_submit(struct trn_notific *block, unsigned input,
                                           unsigned queue, const uint8_t record[8]);

/* Whether the class of an input is let in (wr_buf_enable). */
bool trn_notific_accepts(const struct trn_notific *block, unsigned input);

/* Try again what waits for memory, and flush what has waited its time (delayed mode). */
void trn_notific_poll(struct trn_notific *block);
/* Records that wait in input buffers and in the coalescer. */
size_t trn_notific_waiting(const struct trn_notific *block);

/* ---- registers (2) ------------------------------------------------------------------------ */

/* Offsets in the block, aligned. False where no register is: reads give 0, writes do nothing. */
bool trn_notific_read32(struct trn_notific *block, uint32_t offset, uint32_t *value);
bool trn_notific_write32(struct trn_notific *block, uint32_t offset, uint32_t value);
/* The same value without the side effects. */
bool trn_notific_peek32(const struct trn_notific *block, uint32_t offset, uint32_t *value);

/* ---- what became of the records ------------------------------------------------------------ */

/* Since reset. Lost is what was overwritten before head passed it, or dropped; what its class mask
 * keeps out was never let in. */
struct trn_notific_counts {
    uint64_t submitted; /* calls that the block answered with something else than STALLED */
    uint64_t masked;
    uint64_t stored;           /* written to memory, or staged for it */
    uint64_t overwritten;      /* in the ring and written over before head passed */
    uint64_t dropped_buffer;   /* input buffer full */
    uint64_t dropped_disabled; /* queue off or not there */
    uint64_t dropped_full;     /* ring full */
    uint64_t failed;           /* memory refused the write */
    uint64_t stalls;           /* attempts that had to be made again */
    bool inexact;              /* memory ran out: `overwritten` is a lower bound */
};

/* Of one queue, the part that a queue has; queue TRN_NOTIFIC_ALL: of the block. */
#define TRN_NOTIFIC_ALL UINT32_MAX
struct trn_notific_counts trn_notific_counts(const struct trn_notific *block, unsigned queue);

static inline uint64_t trn_notific_lost(const struct trn_notific_counts *counts)
{
    return counts->overwritten + counts->dropped_buffer + counts->dropped_disabled +
           counts->dropped_full + counts->failed;
}

#endif
