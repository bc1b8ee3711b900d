/* SPDX-License-Identifier: Apache-2.0 */
/**
 * trench/device.h - the modelled device: create, reach over its buses, run, look inside.
 *
 * A device is a handle; two devices in two threads do not meet. The host reaches it through the two
 * buses only (a real driver's BAR0 and BAR4); the inspection calls below read the model's own
 * bookkeeping and never change it. They speak of one core, the selected one: core 0 unless
 * trn_device_select_core says otherwise. A core takes memory once somebody touches it.
 */
#ifndef TRENCH_DEVICE_H
#define TRENCH_DEVICE_H

#include "trench/act.h"
#include "trench/bus.h"
#include "trench/choices.h"
#include "trench/cptc.h"
#include "trench/dge.h"
#include "trench/gen.h"
#include "trench/isa.h"
#include "trench/mem.h"
#include "trench/trace.h"
#include "trench/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/** PE 0, ACT 1, POOL 2, DVE 3, SP 4. */
#define TRN_ENGINES 5

struct trn_device;

/** How FP8_EXP4 is read by the engines of a core after a reset. */
enum trn_fp8_option {
    TRN_FP8_OF_GENERATION, /**< as numerics.md 10 says */
    TRN_FP8_ALWAYS_LEGACY, /**< largest finite value 240, results do not saturate */
    TRN_FP8_ALWAYS_FN,     /**< OCP e4m3fn: largest finite value 448, results saturate */
};

/** hbm_bytes 0 is the stack of the generation (gen->hbm_bytes: 16, 24 or 36 GiB, address-map.md 3),
 * 16 GiB where its size is not known. A size beyond the window of a stack gives one stack that all
 * cores share. Memory is committed when it is touched. */
struct trn_device_options {
    enum trn_reset reset;
    uint64_t reset_seed;    /**< TRN_RESET_RANDOM */
    uint64_t schedule_seed; /**< 0: round-robin PE, ACT, POOL, DVE, SP; else a seeded permutation */
    unsigned threads;       /**< threads that share one instruction's partitions; 0 and 1: none */
    uint64_t hbm_bytes;     /**< usable bytes of a stack, at most 64 GiB; 0: see above */
    uint64_t byte_limit;    /**< bytes that words may read and write in all; 0: no limit */
    bool track;             /**< keep the occupancy map (bytes written, last writer) */
    bool check_uninit;      /**< report reads of bytes that nobody wrote; needs `track` */
    bool check_race;        /**< report accesses that nothing orders (docs/races.md) */
    bool digest;            /**< keep the last word and a digest of what it wrote; needs `track` */
    bool strict_pc_bounds;  /**< sequencer.md 4.4: a committed PC out of bounds is fatal */
    bool semaphores_unsigned; /**< sync.md 1: compare unsigned instead of signed */
    bool assert_as_zero_word; /**< error-handling.md 2: failed assertions report an all-zero word */
    unsigned pool_library; /**< library that the host staged for POOL: UID 0 to 3 (convlut.md 7) */
    enum trn_cptc_codec cptc_codec;   /**< cptc.md 7, 8 */
    struct trn_vector_options vector; /**< tensor-scalar-multi.md 1.1, 6.2 */
    bool act_negzero_is_zero;         /**< activation.md 5.1: -0 gives the result for zero */
    bool act_exact;  /**< activation.md 9: functions by their formulas, not by tables */
    bool act_strict; /**< activation.md 5.2: a section that is not stored faults the word */
    /** convlut.md 4: row r of the converter table comes from partition r, not from the first one.
     */
    bool convlut_per_partition;
    bool psum_eager_zero;         /**< pe-array.md 9: the start of a group clears its zero region */
    bool pe_strict;               /**< pe-array.md 8, 9, 12: what is undefined faults the word */
    bool pe_bypass_reg_write;     /**< pe-array.md 1: PE_REG_WRITE is skipped */
    enum trn_fp8_option fp8_e4m3; /**< numerics.md 2.1: until a register says otherwise */
    const struct trn_dge_options *dge; /**< readings of the DGE (dge.h); NULL: its defaults */
    /** One log line of an engine's DGE (dge.md 7.3, 9) or of a kernel of POOL (cptc.md 2.1). */
    void (*dge_log)(void *context, int engine, const char *line);
    void *dge_log_context;
    /** Memory of the host that the device reaches from host_base on (0: gen->hal_host_base,
     * notific.md 8.1), where a host puts its rings. The caller's; it outlives the device. */
    void *host_memory;
    uint64_t host_bytes, host_base;
    /** The same behind a bus instead, whose offset 0 is at host_base: only its block calls are
     * made, while a DMA engine or a notification block works. It is copied; host_memory is NULL
     * then. */
    const struct trn_bus *host_bus;
    struct trn_trace_sink trace; /**< who is told every step (trace.h) */
    /** DMA packets that one register write over a bus may move, those of engines that descriptors
     * ring included; what is left waits for trn_device_run. 0: 1,048,576. */
    uint64_t doorbell_packets;
};

/** Create a device in reset: every engine stalled. `options` NULL: all zero. Free with destroy. */
TRN_API trn_status trn_device_create(const struct trn_gen *gen,
                                     const struct trn_device_options *options,
                                     struct trn_device **out, struct trn_diag *diag);
TRN_API void trn_device_destroy(struct trn_device *device); /**< NULL is fine */

/**
 * Register and on-chip memory space (BAR0 offsets, address-map.md 7). Lives as long as the device.
 * Errors: TRN_ERR_ADDRESS (no block owns the bytes; a read gives 0xDEADBEEF), TRN_ERR_INVALID (a
 * register access that is not aligned, or a block over registers that is no whole number of them).
 */
TRN_API const struct trn_bus *trn_device_bar0(struct trn_device *device);
/** Device memory (BAR4 offsets, address-map.md 7): every stack, the one of core 0 at 0. */
TRN_API const struct trn_bus *trn_device_bar4(struct trn_device *device);

/** The core that run reports and the calls below speak of. TRN_ERR_RANGE: the generation has no
 * such core; TRN_ERR_NO_MEMORY. */
TRN_API trn_status trn_device_select_core(struct trn_device *device, unsigned core);

/** BAR0 offset of the first byte of an on-chip space: SBUF or PSUM; partition p is at + p*stride
 * (gen->sbuf_stride, gen->psum_stride). UINT64_MAX for other spaces. */
TRN_API uint64_t trn_device_space_offset(const struct trn_device *device, enum trn_space space);
/** Address by which instructions and DMA name byte 0 of HBM (SoC address). */
TRN_API uint64_t trn_device_hbm_base(const struct trn_device *device);
/** BAR4 offset of the same byte. */
TRN_API uint64_t trn_device_hbm_offset(const struct trn_device *device);
/** Bytes of one stack of HBM that can be addressed. */
TRN_API uint64_t trn_device_hbm_bytes(const struct trn_device *device);

/**
 * Give the selected core one more set of activation tables: ACTIVATION_TABLE_LOAD n loads the n-th
 * (activation.md 8). The bytes are copied. TRN_ERR_INVALID: not in the layout of the generation;
 * TRN_ERR_TOO_LARGE: 256 are there; TRN_ERR_NO_MEMORY.
 */
TRN_API trn_status trn_device_act_register_set(struct trn_device *device,
                                               const struct trn_act_tables *tables,
                                               struct trn_diag *diag);
/** Make a registered set resident as ACTIVATION_TABLE_LOAD does, for a host whose generation shows
 * no tables on the bus. TRN_ERR_RANGE: no such set. */
TRN_API trn_status trn_device_act_select_set(struct trn_device *device, unsigned index);

/* ---- running ---------------------------------------------------------------------- */

enum trn_engine_run_state {
    TRN_ENGINE_STALLED, /**< a run stall is held: its own, or one of POOL's Q7 cores */
    TRN_ENGINE_IDLE,    /**< waits for start_ctrl */
    TRN_ENGINE_RUNNING,
    TRN_ENGINE_WAITING, /**< blocked in a wait */
    TRN_ENGINE_HALTED,
    TRN_ENGINE_PAUSED,
    TRN_ENGINE_FAULTED,
    TRN_ENGINE_BREAK,  /**< held by trn_device_break_at before the word at pc */
    TRN_ENGINE_POSTING /**< blocked in a record: no room in a notification ring (notific.md 4) */
};

/** "stalled", "idle", "running", "waiting", "halted", "paused", "faulted", "break",
 * "posting". */
TRN_API const char *trn_engine_state_name(enum trn_engine_run_state state);

/** How a run ended; never mixed up. */
enum trn_run_status {
    TRN_RUN_OK,       /**< every started engine stopped by itself */
    TRN_RUN_FAULT,    /**< the device refused a word of some engine */
    TRN_RUN_DEADLOCK, /**< nothing can go on: the waiting engines wait for what nobody will post */
    TRN_RUN_LIMIT,    /**< our own budget of words or bytes is used up */
    TRN_RUN_BREAK     /**< a breakpoint was reached; call run again to go on */
};

/** "ok", "fault", "deadlock", "limit", "break". */
TRN_API const char *trn_run_status_name(enum trn_run_status status);

struct trn_engine_report {
    enum trn_engine_run_state state;
    bool started; /**< took a start since its reset */
    unsigned
        stop_reason;   /**< sequencer.md 3.1: 0 HALT, 4 INS_BREAK, 8 EXT_BREAK, 16, 64 STEP_CNT */
    uint64_t retired;  /**< words completed since reset */
    uint64_t start_pc; /**< device address of the first word */
    uint64_t pc;       /**< device address of the next word, or of the word that faulted or waits */
    /* the last taken backward branch; loop_count 0: none */
    uint64_t loop_first, loop_last; /**< device addresses of the loop's first word and its branch */
    uint64_t loop_count;            /**< how often in a row */
    /* valid when state is TRN_ENGINE_WAITING */
    bool wait_is_event;
    const char *wait_mode; /**< "eq", "lt", "le", "gt", "ge"; events "set", "clear" */
    uint32_t wait_index;
    int64_t wait_want, wait_value;
    int full_ring; /**< TRN_ENGINE_POSTING: software queue of the record that waits; else -1 */
    uint32_t error_word; /**< user register 0x15: the last error (error-handling.md 5); 0: none */
    unsigned severity;   /**< of it: 1 goes on, 2 fatal */
};

struct trn_fault_report {
    int engine;
    uint64_t pc;         /**< device address */
    const char *klass;   /**< "bad_opcode", "illegal_instruction", "missing_specification", ... */
    const char *rule;    /**< may be empty */
    const char *message; /**< one sentence; strings live until the device is destroyed */
};

/** What a sequencer told the host: the bodies that notification rings will carry. */
enum trn_notification_kind {
    TRN_NOTIFY_INST_START,
    TRN_NOTIFY_INST_END,
    TRN_NOTIFY_EXPLICIT, /**< a NOTIFY word */
    TRN_NOTIFY_ERROR     /**< a fatal error */
};

struct trn_notification {
    enum trn_notification_kind kind;
    int engine;
    uint64_t pc; /**< device address of the word */
    uint8_t debug_hint;
    uint16_t soft_reset_counter, debug_hint_extended; /**< EXPLICIT */
    uint8_t code, info;                               /**< ERROR: sequencer.md 10 */
};

/** Something wrong in the data of a word: said, skipped, and the engine went on
 * (error-handling.md 7.2, 7.4). */
struct trn_content_report {
    int engine;
    uint64_t pc; /**< device address of the word */
    /** "dge_oob", "dge_index_error", "dge_no_backend", "dma_abort", "kernel_error" */
    const char *klass;
    bool source;   /**< which side of the word */
    bool by_index; /**< the five numbers below are valid */
    uint64_t index, position, index_address, limit;
    uint64_t count;   /**< elements that were skipped */
    uint64_t address; /**< what it would have reached */
    bool recorded;    /**< a notification record was sent (dge.md 9.1) */
    /** Who wrote the index last: an engine 0..4, -1 the host, TRN_WRITER_NOBODY, or
     * TRN_WRITER_UNKNOWN without options.track. */
    int writer;
    uint64_t writer_pc;
    char message[320];
};

/** Numeric events of a kind: cause, engine and units agree (error-handling.md 8). Looked for while
 * the core's notification block lets the class in. */
struct trn_numeric_report {
    uint8_t error_id; /**< enum trn_error_id, 0 to 3 */
    int engine;
    uint16_t sources;           /**< bits of enum trn_fp_source (notify.h) */
    uint64_t count;             /**< words that met it, each of which posts one record */
    uint64_t first_pc, last_pc; /**< device addresses of words */
};

#define TRN_WRITER_NOBODY  (-2)
#define TRN_WRITER_UNKNOWN (-3)

/** Who touched the bytes of a race. */
enum trn_access_by {
    TRN_BY_WORD,     /**< a word of an engine */
    TRN_BY_TRANSFER, /**< the transfer that a word gave to the descriptor generator */
    TRN_BY_DMA       /**< descriptors of a DMA engine */
};

struct trn_access_report {
    enum trn_access_by by;
    unsigned core;
    int engine;  /**< TRN_BY_DMA: the number of the DMA engine */
    uint64_t pc; /**< device address of the word; TRN_BY_DMA: 0 */
    bool write;
};

enum trn_finding_kind {
    TRN_FINDING_UNINIT, /**< a read of bytes that nobody wrote (options.check_uninit) */
    TRN_FINDING_RACE    /**< accesses of the same bytes that nothing orders (options.check_race) */
};

struct trn_finding_report {
    enum trn_finding_kind kind;
    enum trn_space space;
    uint32_t partition;
    uint64_t byte; /**< first unwritten byte of the access, or lowest byte that both touch */
    int engine;    /**< UNINIT: of the word that reads; RACE: of the first access */
    uint64_t pc;
    struct trn_access_report access[2]; /**< RACE: of two writes or a write and a read, in order */
};

/** What the device only counts, and goes on. */
enum trn_warning {
    TRN_WARN_HOLE_ACCESS,         /**< host or control-word accesses that met inactive bytes */
    TRN_WARN_UNMAPPED_ACCESS,     /**< bus accesses that no block owns */
    TRN_WARN_UNKNOWN_REGISTER,    /**< accesses inside a register block where no register is */
    TRN_WARN_SEMAPHORE_UNDERFLOW, /**< decrements below zero (sync.md 1) */
    TRN_WARN_DOUBLE_EVENT,        /**< events set while set, or cleared while clear (sync.md 8) */
    TRN_WARN_EMPTY_RANGE,         /**< EVENT_SEMAPHORE_RANGE_CLEAR with first > last (sync.md 6) */
    TRN_WARN_STAGING_SKIPPED, /**< instruction blocks outside the PC bounds (sequencer.md 4.4) */
    TRN_WARN_RECORD_REFUSED,  /**< records of bus accesses that met a full input (notific.md 4) */
    TRN_WARN_KERNEL_ERROR,    /**< words that a kernel of POOL refused with a log line: each is a
                                   report too (cptc.md 2.1) */
    TRN_WARN_CONVLUT_LEGACY,  /**< legacy words of 0xE4 that POOL ignored (convlut.md 7.2) */
    TRN_WARN_STALE_SCALAR,    /**< STALE_SCALAR: words that wanted another number of scalars than
                                   the load before them read (tensor-scalar-multi.md 4.3) */
    TRN_WARN_MIXED_SCALAR,    /**< arith words behind a bitvec load, or the reverse (6.1) */
    TRN_WARN_STUB_LOGGED,     /**< words that did nothing under TRN_STUB_LOG_ONLY (1.1) */
    TRN_WARNINGS
};

/** "hole_access", "unmapped_access", ... */
TRN_API const char *trn_warning_name(enum trn_warning warning);

/** What the words of an engine moved through one backend of the descriptor generator. */
struct trn_dge_moved {
    uint64_t words; /**< that a backend took */
    uint64_t read_descriptors, write_descriptors, completion_descriptors;
    uint64_t packets, bytes;
};

/** Status, counts, warnings and choices are of the whole device; engines and lists of the selected
 * core. */
struct trn_run_report {
    enum trn_run_status status;
    struct trn_engine_report engines[TRN_ENGINES];
    /* lists since the device was created; owned by it, valid until the next call */
    const struct trn_fault_report *faults;
    size_t num_faults;
    const struct trn_notification *notifications;
    size_t num_notifications;
    uint64_t notifications_lost; /**< past the first 65,536 */
    const struct trn_content_report *reports;
    size_t num_reports;
    uint64_t reports_lost; /**< past the first 4,096 */
    const struct trn_numeric_report *numeric;
    size_t num_numeric;
    /** Since the device was created. */
    struct trn_dge_moved dge[TRN_ENGINES][TRN_DGE_BACKENDS];
    uint64_t dge_silent; /**< transfers without a metadata record: feature flag bit 1 is 0 (F27) */
    const struct trn_finding_report *findings;
    size_t num_findings;             /**< one per engine, pc and space; then the races, sorted: one
                                          per space and pair of accesses (by, core, engine, pc, write) */
    uint64_t findings_lost;          /**< past the first 4,096 */
    uint64_t bytes_touched;          /**< by words; kept with options.byte_limit only */
    uint64_t warnings[TRN_WARNINGS]; /**< how often the device went on where a host should look */
    uint64_t choices[TRN_CHOICE_COUNT]; /**< how often a result rested on each model choice */
};

/**
 * Run every started engine of every core, in turns, until nothing can go on, a breakpoint is
 * reached or `limit` more words (0: no limit) have been executed. An engine that faults stops; the
 * others go on. A refusal is a report, not an error: the return value is negative only for bad
 * arguments. May be called again after the host posted what was waited for, or to go on past a
 * breakpoint or a limit.
 */
TRN_API trn_status trn_device_run(struct trn_device *device, uint64_t limit,
                                  struct trn_run_report *report);

/** The same report without running anything. */
TRN_API void trn_device_report(struct trn_device *device, struct trn_run_report *report);

/**
 * Start an engine without a host driver: exactly the register writes of sequencer.md 2.2, steps 7
 * to 10. Meant for generations that have no HAL (MAVERICK); trn_hal_bringup (hal.h) is the road for
 * the others. Counts the model choice direct_start. TRN_ERR_UNSUPPORTED: the generation has no
 * image for the engine; TRN_ERR_INVALID.
 */
TRN_API trn_status trn_device_start(struct trn_device *device, int engine, uint64_t pc);

/** Stop before the word at device address `pc` of `engine` executes; TRN_ERR_TOO_LARGE past 64. */
TRN_API trn_status trn_device_break_at(struct trn_device *device, int engine, uint64_t pc);

/** sequencer.md 3.3: HALT of this engine pauses (run_state 2) instead; off after create. */
TRN_API trn_status trn_device_pause_on_halt(struct trn_device *device, int engine, bool pause);

/** error-handling.md 2: what no word of the model causes by itself. */
enum trn_injection {
    TRN_INJECT_SIGNAL,    /**< value: the signal's number */
    TRN_INJECT_EXCEPTION, /**< value: the cause register, 12 bits (2.1) */
    TRN_INJECT_FP_STATUS  /**< value: five flags of the sequencer's FP status; not fatal */
};

/** Let an error happen to an engine of the selected core that is in a program. */
TRN_API trn_status trn_device_inject(struct trn_device *device, int engine, enum trn_injection what,
                                     uint32_t value);

/* ---- looking inside --------------------------------------------------------------- */

/**
 * The register, or the word of a RAM, at a BAR0 offset, without the side effects and the counting
 * of a bus access. *touched (may be NULL): whether anybody has reached its block over the bus.
 * TRN_ERR_ADDRESS (*value is 0xDEADBEEF), TRN_ERR_INVALID (not aligned), TRN_ERR_UNSUPPORTED (SBUF
 * and PSUM: read them over the bus).
 */
TRN_API trn_status trn_device_peek32(const struct trn_device *device, uint64_t offset,
                                     uint32_t *value, bool *touched);

/**
 * What the last CPTC word of 0xE4 decoded in a partition (cptc.md 5): copies at most `capacity`
 * values to `out` and returns how many there are, 0 before the first word.
 */
TRN_API size_t trn_device_cptc_tile(const struct trn_device *device, uint32_t partition, float *out,
                                    size_t capacity);

/** The word that retired last. Kept with options.digest only. */
struct trn_word_report {
    int engine;  /**< -1: none yet */
    uint64_t pc; /**< device address */
    uint8_t word[TRN_INST_BYTES];
    uint64_t bytes_written; /**< memory bytes it wrote */
    uint64_t digest;        /**< of their places and values; 0 without a write */
};

TRN_API void trn_device_last_word(const struct trn_device *device, struct trn_word_report *out);

/** Needs options.track. TRN_ERR_UNSUPPORTED without it. HBM is partition 0. */
TRN_API trn_status trn_device_occupancy(const struct trn_device *device, enum trn_space space,
                                        uint32_t partition, struct trn_occupancy *out);

/**
 * Whether every byte of [byte, byte + size) of a partition (of HBM: partition 0) was written since
 * reset; *first is the first that was not. Needs options.track; true without it.
 */
TRN_API bool trn_device_written(const struct trn_device *device, enum trn_space space,
                                uint32_t partition, uint64_t byte, uint64_t size, uint64_t *first);

/** What became of the records for a software queue of the selected core, since reset. Lost is what
 * was overwritten before head passed it, or dropped; exact. TRN_ERR_RANGE: no such queue. */
struct trn_ring_counts {
    uint64_t stored, overwritten, dropped_full, dropped_disabled;
    uint64_t failed; /**< memory refused the write */
};

TRN_API trn_status trn_device_ring_counts(const struct trn_device *device, unsigned queue,
                                          struct trn_ring_counts *out);

/** 0 for an index past 255. */
TRN_API uint32_t trn_device_semaphore(const struct trn_device *device, unsigned index);
TRN_API bool trn_device_event(const struct trn_device *device, unsigned index);
/** General register 0..63 of an engine; 0 for others. */
TRN_API uint32_t trn_device_register(const struct trn_device *device, int engine, unsigned index);

/**
 * Whether this version executes the opcode on the engine (TRN_ENGINE_ANY: on some engine) of the
 * generation: it is legal there, its effect is known, and a handler exists.
 */
TRN_API bool trn_opcode_modelled(const struct trn_gen *gen, int engine, uint8_t opcode);

#ifdef __cplusplus
}
#endif
#endif
