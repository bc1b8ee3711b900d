/* SPDX-License-Identifier: Apache-2.0 */
/**
 * trench/udma.h - the host side of a DMA engine: bring it up, give it rings, copy.
 *
 * docs/hardware/udma.md is the reference, section numbers are its; register traffic in the order of
 * pci-function.md 6. Everything goes over the handle's bus; ring memory is ordinary memory that the
 * device can reach. Struct views of a descriptor are in udma_ids.h, made from
 * data/udma-descriptor.csv. Every call returns 0 or a negative status; trn_hal_diag() says more.
 */
#ifndef TRENCH_UDMA_H
#define TRENCH_UDMA_H

#include "trench/hal.h"
#include "trench/udma_ids.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TRN_HAL_UDMA_QUEUES     16
#define TRN_HAL_UDMA_DESC_BYTES 16
#define TRN_HAL_UDMA_MIN_RING   32         /**< descriptors (6) */
#define TRN_HAL_UDMA_MAX_RING   0xFFFFF0   /**< 2^24 - 16 */
#define TRN_HAL_UDMA_MAX_COPY   65536      /**< bytes of one descriptor */
#define TRN_HAL_UDMA_GUARD      16         /**< slots that stay free (7) */
#define TRN_HAL_UDMA_MARKER     0xABCDEF01 /**< what the last copy of a batch writes (8) */

/* ---- engines (5, 6) ------------------------------------------------------------------ */

/**
 * Every register of engine `dma` (numbered as the driver does) that the driver writes, in its order
 * (pci-function.md 6.1): enables, limits, error masks, wrapper. `again`: not the first time since
 * the handle began (step 1). TRN_ERR_UNSUPPORTED: the generation has no such engine.
 */
TRN_API trn_status trn_hal_udma_engine_init(struct trn_hal *hal, unsigned dma, bool again);

/** change_state of both halves. */
enum trn_hal_udma_state {
    TRN_HAL_UDMA_NORMAL = 1,
    TRN_HAL_UDMA_DISABLE = 2,
    TRN_HAL_UDMA_ABORT = 4
};
TRN_API trn_status trn_hal_udma_set_state(struct trn_hal *hal, unsigned dma,
                                          enum trn_hal_udma_state state);

/* ---- queues (6, 7) ------------------------------------------------------------------- */

struct trn_hal_udma_memory {
    uint64_t base; /**< device address; host memory with the host bit (1) */
    void *memory;  /**< the host's mapping of the same bytes */
};

/** Cursors of one ring. */
struct trn_hal_udma_ring {
    struct trn_hal_udma_memory memory;
    uint32_t next; /**< slot that is filled next */
    uint32_t done; /**< slots that software took back, modulo the size */
    uint8_t ring_id;
};

/** Software state of a queue; the caller's, filled by trn_hal_udma_queue_init. */
struct trn_hal_udma_queue {
    unsigned dma, queue;
    uint32_t size; /**< descriptors of each ring */
    struct trn_hal_udma_ring tx, rx;
};

/**
 * Write a queue's registers, M2S then S2M (pci-function.md 6.2). -22 with queue, size and limit in
 * one sentence: queue above 15; size below 32, above 16,777,200 or no multiple of 16; a base or an
 * end that is not 256-byte aligned. Nothing is written then.
 */
TRN_API trn_status trn_hal_udma_queue_init(struct trn_hal *hal, unsigned dma, unsigned queue,
                                           uint32_t size, const struct trn_hal_udma_memory *tx,
                                           const struct trn_hal_udma_memory *rx,
                                           struct trn_hal_udma_queue *out);

/** Ring size that the driver allocates for n descriptors: 64, or the power of two from n + 16 on.
 */
TRN_API uint32_t trn_hal_udma_ring_size(uint32_t n);

/** Copies that can be prepared now: the smaller of both rings, less the guard. */
TRN_API uint32_t trn_hal_udma_available(const struct trn_hal_udma_queue *queue);

enum trn_hal_udma_barrier {
    TRN_HAL_UDMA_NO_BARRIER,
    TRN_HAL_UDMA_DMB,
    TRN_HAL_UDMA_WRITE_BARRIER,
    TRN_HAL_UDMA_STRONG_ORDER /**< v3 and later */
};

/**
 * Fill the next slot of both rings for one copy of 1..65536 bytes; nothing starts. -22: size,
 * barrier, or a barrier that the generation lacks; TRN_ERR_NO_MEMORY: no slot is free.
 */
TRN_API trn_status trn_hal_udma_prepare(struct trn_hal *hal, struct trn_hal_udma_queue *queue,
                                        uint64_t source, uint64_t destination, uint32_t size,
                                        enum trn_hal_udma_barrier barrier, bool interrupt);

/** Doorbells: RX, then TX unless tx is 0. -22 for rx 0 or a number above the ring's size. */
TRN_API trn_status trn_hal_udma_start(struct trn_hal *hal, const struct trn_hal_udma_queue *queue,
                                      uint32_t tx, uint32_t rx);

/** Take n completed slots of both rings back. */
TRN_API void trn_hal_udma_acknowledge(struct trn_hal_udma_queue *queue, uint32_t n);

/* ---- copies that wait for their marker (8) ------------------------------------------- */

/**
 * Copy any number of bytes: chunks of 64 KiB, a write barrier on the last, then 4 bytes from
 * marker + 0 to marker + 4 by which the host sees the end. Batches of as many chunks as the ring
 * has room for. Polls every microsecond, as often as the driver does (8). TRN_ERR_TIMEOUT: names
 * queue, batch, the last value read, what was wanted and the engine's state.
 */
TRN_API trn_status trn_hal_udma_copy(struct trn_hal *hal, struct trn_hal_udma_queue *queue,
                                     uint64_t source, uint64_t destination, uint64_t size,
                                     const struct trn_hal_udma_memory *marker);

/** Polls of a synchronous copy of n descriptors, the marker included (8). */
TRN_API uint64_t trn_hal_udma_polls(const struct trn_gen *gen, uint32_t n);

/* ---- copies on their way (8): three contexts a ring --------------------------------- */

/** A synchronous copy has its own context; asynchronous ones take 1 and 2 in turn. */
enum trn_hal_udma_context {
    TRN_HAL_UDMA_SYNC,
    TRN_HAL_UDMA_ASYNC_1,
    TRN_HAL_UDMA_ASYNC_2,
    TRN_HAL_UDMA_CONTEXTS
};
#define TRN_HAL_UDMA_CONTEXT_BYTES 8 /**< of markers; 24 for the three */

/** Copies of one queue; the caller's, filled by trn_hal_udma_copier_init. */
struct trn_hal_udma_copier {
    struct trn_hal_udma_queue *queue;
    struct trn_hal_udma_memory markers;
    bool in_reset_window;            /**< the caller's: the device is being reset */
    enum trn_hal_udma_context chain; /**< the asynchronous one that was started last; SYNC: none */
    uint64_t started;                /**< copies so far */
    struct trn_hal_udma_flight {
        uint64_t source, destination, size, number;
        uint32_t n;   /**< descriptors with the marker */
        bool pending; /**< started, and not waited for */
    } flight[TRN_HAL_UDMA_CONTEXTS];
    uint64_t repeats; /**< times that copies were repeated over fresh rings */
};

/** -22: no queue, or markers (24 bytes) that are not there or not aligned to 4. */
TRN_API trn_status trn_hal_udma_copier_init(struct trn_hal *hal, struct trn_hal_udma_queue *queue,
                                            const struct trn_hal_udma_memory *markers,
                                            struct trn_hal_udma_copier *copier);

/**
 * Start a copy and return; *context is what to wait for. -22: 0 bytes, or the context of its turn
 * is still on its way (wait for it first). TRN_ERR_NO_MEMORY: the rings have no room for all of it.
 */
TRN_API trn_status trn_hal_udma_copy_start(struct trn_hal *hal, struct trn_hal_udma_copier *copier,
                                           uint64_t source, uint64_t destination, uint64_t size,
                                           enum trn_hal_udma_context *context);

/**
 * Wait for a copy that was started. -22: there is none in that context. TRN_ERR_TIMEOUT as for
 * trn_hal_udma_copy; where the driver does so (8: SUNDA, inside a reset window) the rings are
 * initialised anew first and all copies on their way repeated, once.
 */
TRN_API trn_status trn_hal_udma_copy_wait(struct trn_hal *hal, struct trn_hal_udma_copier *copier,
                                          enum trn_hal_udma_context context);

/** Start in the context of synchronous copies, and wait. */
TRN_API trn_status trn_hal_udma_copy_now(struct trn_hal *hal, struct trn_hal_udma_copier *copier,
                                         uint64_t source, uint64_t destination, uint64_t size);

/* ---- what user space may reach (9.5) ------------------------------------------------- */

/**
 * May a mapping of BAR0 in user space write this place? TRN_OK, or -22 with the register: ring and
 * completion bases and doorbells of every queue are the kernel's. Everything else is allowed.
 */
TRN_API trn_status trn_hal_udma_user_write(struct trn_hal *hal, uint64_t offset);

/** Host memory that was registered for transfers, as a device sees it. */
struct trn_hal_udma_buffer {
    uint64_t base, size;
};
/**
 * Descriptors that user space wants in a ring: every address that selects host memory lies, to its
 * last byte, in one of the buffers. -22 with descriptor, address and length of the first that does
 * not. half 0: M2S, whose metadata descriptors have no address; 1: S2M.
 */
TRN_API trn_status trn_hal_udma_user_descriptors(struct trn_hal *hal, unsigned half,
                                                 const void *descriptors, size_t count,
                                                 const struct trn_hal_udma_buffer *buffers,
                                                 size_t num_buffers);

/** Queue registers of one half as software reads them back (9.5). */
struct trn_hal_udma_view {
    uint32_t status, length, head, tail, current;
    uint64_t base;
    uint32_t state; /**< of the half: 0 idle, 1 normal, 2 abort */
};
/** half 0: M2S, 1: S2M. */
TRN_API trn_status trn_hal_udma_view(struct trn_hal *hal, unsigned dma, unsigned queue,
                                     unsigned half, struct trn_hal_udma_view *view);

#ifdef __cplusplus
}
#endif
#endif
