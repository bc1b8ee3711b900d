/* SPDX-License-Identifier: Apache-2.0 */
/**
 * trench/trace.h - what a device did, step by step, and when it would have been done.
 *
 * A device that is given a sink (trn_device_options.trace) tells it every word that retires, every
 * fault and every turn of a DMA engine, in the order in which they happen, which is the same in
 * every run. A timeline puts the steps at their times: on a logical clock, or by the timing model
 * of docs/hardware/timing.md. Neither changes what the device does.
 */
#ifndef TRENCH_TRACE_H
#define TRENCH_TRACE_H

#include "trench/choices.h"
#include "trench/gen.h"
#include "trench/mem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- steps ------------------------------------------------------------------------ */

enum trn_trace_kind {
    TRN_TRACE_WORD,  /**< a word retired */
    TRN_TRACE_FAULT, /**< an engine stopped for good, at the word at pc */
    TRN_TRACE_DMA,   /**< a DMA engine moved descriptors of its rings */
    TRN_TRACE_HOST   /**< changes that the host made before what comes next */
};

enum trn_trace_compare { TRN_TRACE_EQ, TRN_TRACE_LT, TRN_TRACE_LE, TRN_TRACE_GT, TRN_TRACE_GE };

/** A wait that held when its word was issued. */
struct trn_trace_wait {
    bool event;                     /**< an event, which is EQ `want`; else a semaphore */
    bool is_unsigned;               /**< how semaphores are compared */
    enum trn_trace_compare compare; /**< value against want */
    uint8_t index;
    uint32_t want;
};

/** A semaphore or an event got a value. */
struct trn_trace_change {
    unsigned core; /**< whose it is */
    bool event;
    bool at_read; /**< as soon as the inputs of the word are read; else when it is complete */
    bool by_bus;  /**< a write to its register: of the host, of a word, or the end of a transfer */
    bool added;   /**< to its value; else this is overwritten */
    uint8_t index;
    uint32_t operand; /**< the difference that is added, or the value */
};

/** One operand of a word in memory. */
struct trn_trace_access {
    enum trn_space space;
    bool write;
    uint32_t size;     /**< bytes of an element */
    uint32_t channels; /**< partitions */
    uint64_t elements; /**< of one partition */
    int64_t stride;    /**< bytes between two neighbours; 0: there is one, or they are indexed */
    bool indexed;
    uint64_t bytes; /**< of all partitions */
};

/** What the descriptor generator, or a DMA engine, moved. */
struct trn_trace_transfer {
    const char *backend;  /**< "pool", "rtl", "software"; NULL: the word moved nothing */
    uint32_t dmas;        /**< bitmap of the DMA engines of the core that took part */
    uint64_t descriptors; /**< of the ring that has more of them */
    uint64_t bytes, packets;
    bool transposes;
    bool on_chip; /**< both sides are in SBUF or PSUM */
};

enum trn_trace_note_kind {
    TRN_TRACE_NOTE_START, /**< records that a host is sent */
    TRN_TRACE_NOTE_END,
    TRN_TRACE_NOTE_NOTIFY,
    TRN_TRACE_NOTE_ERROR, /**< an error record; of a fault also its message */
    TRN_TRACE_NOTE_REPORT /**< a content error that stopped nobody */
};

struct trn_trace_note {
    enum trn_trace_note_kind kind;
    uint64_t pc;
    const char *text; /**< class of an error or a report, else "" */
    char message[320];
};

/** Valid during the call that hands it over. */
struct trn_trace_step {
    enum trn_trace_kind kind;
    unsigned core;
    int engine;          /**< of a word or a fault; -1 for a DMA engine */
    unsigned dma;        /**< TRN_TRACE_DMA: its number in the device */
    bool by_host;        /**< TRN_TRACE_DMA: while no sequencer ran */
    uint64_t pc;         /**< device address of the word */
    uint64_t next_pc;    /**< of the engine's next one */
    const uint8_t *word; /**< its 64 bytes; NULL for others than TRN_TRACE_WORD */
    bool control;        /**< the sequencer did it, not the data path */
    const struct trn_trace_wait *waits;
    size_t num_waits;
    const struct trn_trace_change *changes;
    size_t num_changes;
    const struct trn_trace_access *accesses;
    size_t num_accesses;
    uint64_t bytes_read, bytes_written;
    struct trn_trace_transfer transfer;
    const struct trn_trace_note *notes;
    size_t num_notes;
};

/** Who wants to see steps. */
struct trn_trace_sink {
    void *context;
    void (*step)(void *context, const struct trn_trace_step *step); /**< NULL: nobody */
};

/* ---- timelines -------------------------------------------------------------------- */

/** Times are in 1/1024 picoseconds (timing.md 1): 2^64 of them are five hours. */
#define TRN_TIME_PER_US UINT64_C(1024000000)

/** What somebody did: an engine, its sequencer, a loader of weights, a DMA agent. */
enum trn_track_kind {
    TRN_TRACK_ENGINE,    /**< number: engine */
    TRN_TRACK_SEQUENCER, /**< timed only: control words of an engine */
    TRN_TRACK_WEIGHTS,   /**< timed only: loads of stationary values, behind the matmuls of PE */
    TRN_TRACK_DGE,       /**< transfers of the words of an engine */
    TRN_TRACK_DMA        /**< number: DMA engine of the device */
};

struct trn_track {
    enum trn_track_kind kind;
    unsigned core, number;
};

/** Who made a wait hold. */
struct trn_trace_cause {
    bool known; /**< false: it held from the start, or for longer than a timeline remembers */
    struct trn_track track;
    uint64_t slice_start, slice_end; /**< of what made the update */
    uint32_t value;                  /**< that it gave */
};

/** Where a step lies. */
struct trn_trace_place {
    struct trn_track track;
    uint64_t wait_start; /**< wait_start < start: the engine waited in between */
    uint64_t start, end; /**< how long it occupies its track */
    uint64_t done;       /**< its results are there; not before `end` */
    int waited_for;      /**< number of the wait that held last; -1: none made it wait */
    struct trn_trace_cause cause[2]; /**< of each wait */
    struct trn_track moved_by;       /**< of a word with a transfer */
    uint64_t move_start, move_end;   /**< equal: there is none */
    const char *formula;             /**< row of data/timing-words.csv; NULL: not timed */
    bool by_default;                 /**< no formula of the sheet speaks of this word */
};

/** Sums of one engine of a core; `busy` and `waiting` together are at most the time until its end.
 */
struct trn_timeline_sum {
    uint64_t words;
    uint64_t busy;       /**< any of its tracks is: what overlaps counts once */
    uint64_t waiting;    /**< a word waits while none of them is busy */
    uint64_t no_formula; /**< words that a default of timing-words.csv priced */
};

struct trn_timeline;

/**
 * An empty timeline. Not `timed`: a word or a transfer takes one tick of a logical clock, a tick
 * is shown as a microsecond, and a word begins when the one before it of its engine has ended and
 * the updates that it waits for have been made. Free with destroy. TRN_ERR_NO_MEMORY.
 */
TRN_API trn_status trn_timeline_create(const struct trn_gen *gen, bool timed,
                                       struct trn_timeline **out);
TRN_API void trn_timeline_destroy(struct trn_timeline *timeline); /**< NULL is fine */

/** Place the next step. Steps come in the order in which the device told them. */
TRN_API void trn_timeline_place(struct trn_timeline *timeline, const struct trn_trace_step *step,
                                struct trn_trace_place *out);

/** What a semaphore or an event counts to from `time` on, in the order of the timeline's clock. */
struct trn_trace_sample {
    unsigned core;
    bool event;
    uint8_t index;
    uint32_t value;
    uint64_t time;
};

/** Who wants to see samples: of each semaphore and event in the order of their times, each as soon
 * as a timeline forgets its update (it keeps the last 256 of each), the rest when it is settled. */
struct trn_trace_samples {
    void *context;
    void (*sample)(void *context, const struct trn_trace_sample *sample); /**< NULL: nobody */
};
TRN_API void trn_timeline_tell(struct trn_timeline *timeline, struct trn_trace_samples samples);
TRN_API void trn_timeline_settle(struct trn_timeline *timeline); /**< no more steps come */

/** The end of everything so far, and where an engine would go on. */
TRN_API uint64_t trn_timeline_end(const struct trn_timeline *timeline);
TRN_API uint64_t trn_timeline_ready(const struct trn_timeline *timeline, unsigned core, int engine);
TRN_API struct trn_timeline_sum trn_timeline_sum(const struct trn_timeline *timeline, unsigned core,
                                                 int engine);
/** How often the times rest on each model choice. */
TRN_API const uint64_t *trn_timeline_choices(const struct trn_timeline *timeline);

/* ---- prices ----------------------------------------------------------------------- */

/** Period of an engine's clock (TRN_ENGINE_ANY: of the sequencers), in 1/1024 picoseconds. */
TRN_API uint64_t trn_timing_period(const struct trn_gen *gen, int engine);

/** What a word costs by the sheet. */
struct trn_timing_cost {
    uint64_t busy, latency; /**< it keeps its engine; its results are there (includes busy) */
    const char *formula;    /**< row of data/timing-words.csv */
    bool by_default;        /**< the sheet has no formula for it */
};

/** `choices` (TRN_CHOICE_COUNT counters, may be NULL): those that the price rests on are counted.
 */
TRN_API struct trn_timing_cost
trn_timing_cost(const struct trn_gen *gen, const struct trn_trace_step *step, uint64_t *choices);

#ifdef __cplusplus
}
#endif
#endif
