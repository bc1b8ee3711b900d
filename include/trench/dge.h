/* SPDX-License-Identifier: Apache-2.0 */
/**
 * trench/dge.h - the descriptor generation engine: a 64-byte word becomes ring descriptors and a
 * transfer.
 *
 * docs/hardware/dge.md is the reference; section numbers below are its. One object serves the five
 * sequencers of a core. It knows nothing of who owns it: memory, registers, semaphores, records and
 * log lines are calls that the owner gives. A word is complete when trn_dge_execute returns: the
 * owner has honoured the word's wait before, and fires its update afterwards (14).
 */
#ifndef TRENCH_DGE_H
#define TRENCH_DGE_H

#include "trench/choices.h"
#include "trench/gen.h"
#include "trench/isa.h"
#include "trench/notify.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TRN_DGE_DESC_BYTES = 16, TRN_DGE_SIDES = 2, TRN_DGE_DIMS = 4, TRN_DGE_MAX_VIOLATIONS = 8 };

enum trn_dge_side { TRN_DGE_SRC, TRN_DGE_DST };

/* ---- options --------------------------------------------------------------------------------- */

enum trn_dge_idx_policy { TRN_DGE_IDX_COMPOSITE, TRN_DGE_IDX_OOB_SKIP };
enum trn_dge_step_unit { TRN_DGE_STEP_BYTES, TRN_DGE_STEP_ELEMENTS };
enum trn_dge_oob_record { TRN_DGE_RECORD_TPB_ERROR, TRN_DGE_RECORD_CUSTOM };
enum trn_dge_log_reading { TRN_DGE_LOG_SEMAPHORE, TRN_DGE_LOG_BOUND };

/** Readings of what the sheet leaves open; trn_dge_options_default gives its choices. */
struct trn_dge_options {
    enum trn_dge_idx_policy idx_policy;   /**< dge.idx_policy (9.1) */
    enum trn_dge_step_unit step_unit;     /**< dge.step_unit (8.3) */
    enum trn_dge_oob_record oob_record;   /**< dge.oob_record (9.2) */
    enum trn_dge_log_reading log_reading; /**< dge.log_s_reading (7.3): the log line only */
    bool errors_need_flag;                /**< dge.errors_need_flag (9.1) */
    bool oob_posts_semaphore;             /**< dge.oob_posts_semaphore (7.3) */
    bool nobackend_posts_semaphore;       /**< dge.nobackend_posts_semaphore (9.4) */
    bool select_strict;                   /**< dge.select_strict (8.1): obey the flags only */
    bool software;                        /**< every context has sw = 1 where that exists */
    bool software_expander; /**< a generation without the firmware uses its POOL kernels (1.1) */
    bool faithful_abort;    /**< the first bad index aborts the DMA engine, as machines do */
    bool host_rings_only; /**< a queue that no host initialised is no place for descriptors (6.7) */
    uint32_t packet_bytes[4];  /**< preferred bytes a packet of priority classes 1..4; 0: no wish */
    uint32_t lose_descriptors; /**< fault injection: the stream is short by so many (S4) */
    uint64_t max_bytes;        /**< largest transfer of one word; TRN_ERR_TOO_LARGE above */
};
TRN_API struct trn_dge_options trn_dge_options_default(void);

/* ---- the owner ------------------------------------------------------------------------------- */

struct trn_dge_shape {
    uint16_t num[TRN_DGE_DIMS];
    int32_t step[TRN_DGE_DIMS];
};

/** One descriptor as it was written into a ring. */
struct trn_dge_descriptor {
    bool write;     /**< S2M ring, else M2S */
    bool semaphore; /**< of the completion packet */
    uint8_t dma;    /**< engine of the core that gets it */
    uint8_t queue;  /**< of that engine */
    uint32_t bytes;
    uint64_t src, dst;  /**< its own address, and where the other side of its first byte is */
    const uint8_t *raw; /**< TRN_DGE_DESC_BYTES */
};

/** A queue of a DMA engine as a host set it up (6.7). */
struct trn_dge_queue {
    struct trn_dge_queue_ring {
        uint64_t base;       /**< device address; 0: the host gave none */
        uint32_t length;     /**< descriptors; 0: the host gave none */
        uint32_t tail, used; /**< slot that is next; descriptors that are not done */
        uint8_t ring_id;     /**< of that slot */
    } ring[TRN_DGE_SIDES];   /**< M2S, S2M */
    bool enabled;            /**< both halves run */
    bool failed;             /**< a half is at fault */
};

/**
 * What the owner gives. Functions may be NULL where it says so; `engine` is 0 PE .. 4 SP. A
 * register that does not exist is TRN_ERR_INVALID (the word is illegal); memory answers
 * TRN_ERR_ADDRESS or TRN_ERR_TIMEOUT.
 */
struct trn_dge_ports {
    void *context;
    uint64_t sbuf_base;          /**< device address of the core's state buffer */
    uint64_t psum_base;          /**< device address of its accumulators */
    uint64_t dge_memory_base;    /**< device address of descriptor RAM (1) */
    uint64_t semaphore_inc_base; /**< device address of the window that increments (1) */
    /** Up to `size` bytes at a device address that lie together in host memory; *pointer NULL with
     * TRN_OK: use read and write. An access of these bytes follows. May be NULL. */
    trn_status (*map)(void *context, uint64_t address, uint64_t size, bool write, uint8_t **pointer,
                      uint64_t *length);
    trn_status (*read)(void *context, uint64_t address, void *data, size_t size);
    trn_status (*write)(void *context, uint64_t address, const void *data, size_t size);
    trn_status (*get_register)(void *context, int engine, unsigned number, uint32_t *value);
    trn_status (*set_register)(void *context, int engine, unsigned number, uint32_t value);
    /** Local register 38, 39 or 40 of an engine (6.1). */
    uint32_t (*local)(void *context, int engine, unsigned number);
    /** Shape register 0..3. */
    trn_status (*shape)(void *context, int engine, unsigned number, struct trn_dge_shape *shape);
    /** Entry of the address table (2.2). NULL: there is none, and the word is illegal. */
    trn_status (*table)(void *context, int engine, unsigned index, uint64_t *base);
    /** NULL: nothing is posted. */
    void (*semaphore_add)(void *context, int engine, unsigned semaphore, uint32_t amount);
    /** NULL: records only stand in the outcome. */
    void (*record)(void *context, int engine, const struct trn_record *record);
    /** One log line without its newline; NULL: none is made. */
    void (*log)(void *context, int engine, const char *line);
    /** NULL: nobody looks. */
    void (*descriptor)(void *context, int engine, const struct trn_dge_descriptor *descriptor);
    /** A queue of a DMA engine of the core; what a host rang for there is done first. False: nobody
     * touched the engine. NULL: there is no host. */
    bool (*queue)(void *context, unsigned dma, unsigned queue, struct trn_dge_queue *out);
    /** So many descriptors stand behind the tails of the queue's rings, and are done. May be NULL.
     */
    void (*passed)(void *context, unsigned dma, unsigned queue, const uint32_t n[TRN_DGE_SIDES]);
    /** Ready descriptors of DMA_IMMEDIATE (12) for an engine's queue. NULL: no backend. */
    trn_status (*send)(void *context, unsigned dma, unsigned queue, const uint8_t *raw,
                       size_t count);
    void (*choice)(void *context, enum trn_choice choice); /**< may be NULL */
};

/* ---- what became of a word ------------------------------------------------------------------- */

enum trn_dge_result {
    TRN_DGE_EMITTED,
    TRN_DGE_SKIPPED_OOB, /**< S2: all or some of it was skipped */
    TRN_DGE_ILLEGAL,     /**< S3: the sequencer's illegal-instruction path */
    TRN_DGE_NO_BACKEND,  /**< S1 */
    TRN_DGE_COUNT_ERROR, /**< S4: the descriptor stream is not as long as was announced; as S3 */
    TRN_DGE_ABORTED,     /**< memory refused, or a bad index under faithful_abort */
    TRN_DGE_RESULTS
};
/** "emitted", "skipped_oob", "illegal", "no_backend", "count_error", "aborted". */
TRN_API const char *trn_dge_result_name(enum trn_dge_result result);

enum trn_dge_backend {
    TRN_DGE_NONE,
    TRN_DGE_POOL,
    TRN_DGE_RTL,
    TRN_DGE_SOFTWARE,
    TRN_DGE_BACKENDS
};
/** "none", "pool", "rtl", "software". */
TRN_API const char *trn_dge_backend_name(enum trn_dge_backend backend);

struct trn_dge_bound {
    bool present; /**< the word has a bound on this side that was looked at */
    bool index;   /**< of index values, else of the address */
    bool enabled, pass;
    uint8_t reg;           /**< bound register byte of the word */
    uint64_t value, limit; /**< address compared, or the first index that failed */
};

/** The first failing element of a side (9.1: one record a word and direction). */
struct trn_dge_report {
    bool failed, by_index, hard; /**< hard: idx_bound_is_err (class dge_index_error) */
    bool dispatched;             /**< a record was posted */
    uint64_t count;              /**< elements of this side that failed */
    uint64_t position;           /**< which index of the vector */
    uint64_t index;              /**< its value */
    uint64_t index_address;      /**< where it lies: ask who wrote it */
    uint64_t address;            /**< what it would have reached */
    uint64_t limit;
};

struct trn_dge_gates {
    bool feature_flag, suppressed, policy;
};

struct trn_dge_outcome {
    enum trn_dge_result result;
    enum trn_dge_backend backend;
    uint8_t consumed; /**< words of the stream: 2 for a pseudo word with its extension */
    char reason[200]; /**< why nothing or not everything was moved; empty when all was */
    struct trn_dge_bound bound[TRN_DGE_SIDES];
    struct trn_dge_report report[TRN_DGE_SIDES];
    struct trn_dge_gates gates; /**< of the side that is reported */
    size_t num_violations;
    struct trn_violation violations[TRN_DGE_MAX_VIOLATIONS];
    size_t num_records;
    /** What is posted for the word. Of TRN_DGE_ILLEGAL and TRN_DGE_COUNT_ERROR the fatal record of
     * the sequencer, which the owner's sequencer posts: ports.record is not called for it. */
    struct trn_record records[TRN_DGE_SIDES + 1];
    uint64_t elements, skipped, bytes; /**< element pairs asked for and skipped; bytes written */
    uint64_t read_descriptors, write_descriptors; /**< without the completion packet */
    uint64_t completion_descriptors;              /**< of the completion packet, both rings */
    uint64_t packets, batches;
    uint32_t credits; /**< descriptors a ring takes before it must wait for completions (8.6) */
    uint64_t credit_waits; /**< how often the word found none left */
    uint32_t host_rings;   /**< bitmap of engines whose rings are those of a host (6.7) */
    uint32_t dmas;         /**< bitmap of engines that got a packet */
    bool posted;           /**< the semaphore was incremented */
    uint8_t semaphore, increment;
    /* TRN_DGE_ABORTED */
    trn_status abort_status;
    enum trn_dge_side abort_side;
    uint64_t abort_address;
    uint8_t abort_dma, abort_queue;
};

/* ---- the engine ------------------------------------------------------------------------------ */

struct trn_dge;

/** What `ports` points to outlives the object; `options` NULL: the defaults. */
TRN_API trn_status trn_dge_create(const struct trn_gen *gen, const struct trn_dge_ports *ports,
                                  const struct trn_dge_options *options, struct trn_dge **out);
TRN_API void trn_dge_destroy(struct trn_dge *dge); /**< NULL is fine */
/** Contexts and rings as after create. */
TRN_API void trn_dge_reset(struct trn_dge *dge);

/** What the word alone does not say. */
struct trn_dge_next {
    const uint8_t *word; /**< the 64 bytes that follow; NULL at the end of the stream */
    uint64_t address;    /**< of the word itself, for records */
};

/** Is the word one that trn_dge_execute takes on this generation? */
TRN_API bool trn_dge_takes(const struct trn_gen *gen, const uint8_t word[TRN_INST_BYTES]);

/**
 * Execute one word for an engine. TRN_OK with *outcome filled, whatever became of it;
 * TRN_ERR_UNSUPPORTED: no word of the DGE; TRN_ERR_TOO_LARGE: more than options.max_bytes;
 * TRN_ERR_NO_MEMORY. `next` may be NULL.
 */
TRN_API trn_status trn_dge_execute(struct trn_dge *dge, int engine,
                                   const uint8_t word[TRN_INST_BYTES],
                                   const struct trn_dge_next *next,
                                   struct trn_dge_outcome *outcome);

/**
 * Lower a pseudo word (4): the real word in `out`, how many words of the stream it took in
 * *consumed. TRN_ERR_INVALID with the firmware's own words in *diag.
 */
TRN_API trn_status trn_dge_lower(const struct trn_gen *gen, const uint8_t word[TRN_INST_BYTES],
                                 const uint8_t *next_word, uint8_t out[TRN_INST_BYTES],
                                 unsigned *consumed, struct trn_diag *diag);
/** What a host writes into the bound registers of a pseudo word and its extension (4): the last
 * legal value of each side. */
TRN_API void trn_dge_bound_values(const struct trn_gen *gen, const uint8_t word[TRN_INST_BYTES],
                                  const uint8_t *next_word, uint64_t values[TRN_DGE_SIDES]);

/** DMA engines that an operation of that priority may use (6.6): mailbox entries are {0, priority,
 * mask low, mask high}. */
TRN_API uint32_t trn_dge_mailbox_mask(const uint8_t mailbox[4][4], unsigned priority);
/**
 * Preferred bytes a packet of priority classes 1..n (6.6); class 0 is the firmware's own. A wish of
 * 0 or above what a packet may have is none. TRN_ERR_INVALID: n above 4, or no map.
 */
TRN_API trn_status trn_dge_set_priority_class_map(struct trn_dge *dge, const uint32_t *map,
                                                  size_t n, struct trn_diag *diag);
/** Entry 0..3 of the mailbox; unused ones hold 00 FF FF FF. */
TRN_API void trn_dge_set_mailbox(struct trn_dge *dge, unsigned entry, const uint8_t value[4]);

#ifdef __cplusplus
}
#endif
#endif
