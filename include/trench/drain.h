/* SPDX-License-Identifier: Apache-2.0 */
/**
 * trench/drain.h - the host side of notification rings: set one up, read it, make sense of it.
 *
 * docs/hardware/notific.md 9 and notification-records.md 6 are the reference. Everything goes over
 * struct trn_bus and the memory that the caller gives; no model is needed. Structs are plain data
 * of the caller; nothing is allocated, whatever the device floods the ring with. One thread at a
 * time for each struct.
 */
#ifndef TRENCH_DRAIN_H
#define TRENCH_DRAIN_H

#include "trench/bus.h"
#include "trench/gen.h"
#include "trench/notify.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a ring ------------------------------------------------------------------------- */

/** Where a ring is. Its records are in `memory` or, when that is NULL, behind `memory_bus`. */
struct trn_drain_ring {
    const struct trn_bus *bus; /**< of the registers (BAR0) */
    uint64_t block;            /**< offset of the notification block on it */
    unsigned queue;
    uint32_t size;         /**< bytes; a multiple of 16, at least 32 */
    const uint8_t *memory; /**< the host's mapping of the ring, of `size` bytes */
    const struct trn_bus *memory_bus;
    uint64_t memory_offset;
    /** How new records are found: by the phase bit of each (false), or by tail_ptr and the phase of
     * the last one (true), which costs a register read a call (9.3). */
    bool by_pointer;
    uint32_t polls;                                      /**< of one wait; 0: 10000 */
    void (*delay)(void *context, uint32_t microseconds); /**< between two polls; NULL: none */
    void *delay_context;
};

/** A ring being read. Members may be looked at. */
struct trn_drain {
    struct trn_drain_ring ring;
    uint64_t head_at, tail_at; /**< offsets of head_ptr and tail_ptr on the bus */
    uint32_t next;             /**< record that is read next */
    bool phase;                /**< of what was read already in this lap */
    uint64_t last_time;
    /* counts since attach */
    uint64_t read;
    uint64_t sw_overflows; /**< records that say: earlier ones were lost in the ring */
    uint64_t hw_overflows; /**< records that say: later ones were lost before it */
    uint64_t out_of_order; /**< records older than the one before them */
};

/**
 * Bind to a ring that was just configured and enabled: the host starts at record 0 and takes phase
 * 0 for read (9.2). No access. TRN_ERR_INVALID: size, memory, queue; TRN_ERR_UNSUPPORTED: the
 * generation has no such registers.
 */
TRN_API trn_status trn_drain_attach(struct trn_drain *drain, const struct trn_gen *gen,
                                    const struct trn_drain_ring *ring, struct trn_diag *diag);

/**
 * Bind to a ring that a host has read before and left, in the middle of a lap or not: head_ptr says
 * where it stopped, and the record before that place, which nobody writes over until it is passed,
 * carries the phase of the lap. Three registers are read, none is written; the counts begin at 0.
 * TRN_ERR_INVALID also: the ring overwrites when it is full, so that its phases say nothing;
 * TRN_ERR_FORMAT: head_ptr is no place of the ring.
 */
TRN_API trn_status trn_drain_resume(struct trn_drain *drain, const struct trn_gen *gen,
                                    const struct trn_drain_ring *ring, struct trn_diag *diag);

/** Records that can be read now. In pointer mode the last of them is waited for, `polls` times. */
TRN_API trn_status trn_drain_available(struct trn_drain *drain, uint32_t *count,
                                       struct trn_diag *diag);

/**
 * Copy up to `capacity` new records and write head_ptr once, behind the last of them, which frees
 * the slots and arms the threshold again. *count is 0 when nothing is new, and then nothing is
 * written. TRN_ERR_TIMEOUT: tail_ptr moved and memory did not follow; the diagnostic names the
 * register, its value and who could write it (F45).
 */
TRN_API trn_status trn_drain_read(struct trn_drain *drain, uint8_t (*records)[TRN_RECORD_BYTES],
                                  uint32_t capacity, uint32_t *count, struct trn_diag *diag);

/** Wait until `want` records can be read, at most `polls` looks. TRN_ERR_TIMEOUT as above. */
TRN_API trn_status trn_drain_wait(struct trn_drain *drain, uint32_t want, struct trn_diag *diag);

/* ---- the Linux driver's way (8.3) ---------------------------------------------------- */

/** base_hi, base_lo, size, in this order: the driver's set-up of a ring; trn_hal_nq_init is the
 * runtime's. TRN_ERR_INVALID: size is no power of two, or no such queue. */
TRN_API trn_status trn_drain_driver_init(const struct trn_bus *bus, const struct trn_gen *gen,
                                         uint64_t block, unsigned queue, uint64_t base,
                                         uint32_t size, struct trn_diag *diag);
/** The same three as 0: what is posted from now on is dropped, and nobody waits for the ring. */
TRN_API trn_status trn_drain_driver_halt(const struct trn_bus *bus, const struct trn_gen *gen,
                                         uint64_t block, unsigned queue, struct trn_diag *diag);

/* ---- each kind once (F01) ------------------------------------------------------------- */

#define TRN_COLLECT_KINDS 64

/** Records that say the same: type, error, engine and source agree. */
struct trn_collect_kind {
    struct trn_record first; /**< the first of them */
    uint64_t count;
    uint32_t first_pc, last_pc; /**< where the record has a program counter, else 0 */
    uint64_t last_time;
};

struct trn_collect {
    struct trn_collect_kind kinds[TRN_COLLECT_KINDS];
    size_t num_kinds;
    uint64_t records; /**< all of them */
    uint64_t others;  /**< of kinds for which there was no place */
    uint64_t unknown; /**< what trn_record_decode refused */
    unsigned status;  /**< worst of the host statuses (6.4) */
};

/** Start with `collect` zeroed. Returns the kind when the record is the first of it, else NULL: a
 * flood is logged once. */
TRN_API const struct trn_collect_kind *trn_collect_add(struct trn_collect *collect,
                                                       const uint8_t raw[TRN_RECORD_BYTES]);

/* ---- completion (6.2, 6.5) -------------------------------------------------------------- */

enum trn_completion_state { TRN_COMPLETION_START, TRN_COMPLETION_END, TRN_COMPLETION_DONE };

struct trn_completion {
    enum trn_completion_state state[5]; /**< by engine */
    uint64_t start_time, end_time;      /**< earliest START, latest END; 0: none yet */
    bool fault;                         /**< a START or END came out of order */
};

/** Feed a record of a completion ring. False: it does not fit (6.5), now or ever before. */
TRN_API bool trn_completion_feed(struct trn_completion *completion,
                                 const struct trn_record *record);
/** 0, or what the runtime ends with: an engine of `mask` is unfinished or something came out of
 * order; `overflowed` is the cause bit (9.4). */
TRN_API unsigned trn_completion_status(const struct trn_completion *completion, unsigned mask,
                                       bool overflowed);
/** Reads the cause of intr_0 at the core's error-trigger unit. TRN_ERR_UNSUPPORTED: none there. */
TRN_API trn_status trn_drain_overflow_cause(const struct trn_bus *bus, const struct trn_gen *gen,
                                            unsigned core, bool *set, struct trn_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
