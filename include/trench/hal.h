/* SPDX-License-Identifier: Apache-2.0 */
/**
 * trench/hal.h - the open host HAL: brings a core up over a bus; knows nothing of the model.
 *
 * docs/hardware/hal-stpb.md is the reference; section numbers below are its. Addresses are BAR0
 * offsets, except `addr` of a context, `head_ptr` ... of a ring, ring memory and start addresses,
 * which are device (SoC) addresses. One thread at a time per handle; two handles do not meet.
 *
 * Every call returns 0 or a negative status; trn_hal_diag() then says what happened. Where the real
 * HAL asserts or aborts the process the call returns TRN_ERR_ASSERT or TRN_ERR_ABORT (fatal, 4.1):
 * nothing more is issued, and the diagnostic holds the documented text.
 */
#ifndef TRENCH_HAL_H
#define TRENCH_HAL_H

#include "trench/bus.h"
#include "trench/gen.h"

#ifdef __cplusplus
extern "C" {
#endif

struct trn_hal;         /**< a host's handle: latch, dispatch object, platform, shadows */
struct trn_hal_notific; /**< host side of one notification block: shadows and rings */

/** Engine numbers of the HAL (section 1). SP is the one inside a core. */
enum {
    TRN_HAL_PE = 0,
    TRN_HAL_ACT = 1,
    TRN_HAL_POOL = 2,
    TRN_HAL_DVE = 3,
    TRN_HAL_SP = 4,
    TRN_HAL_ENGINES = 5
};

/* ---- what the HAL tells its owner -------------------------------------------------- */

/** Steps of an engine's chain (8.1, in this order), then those outside of it (7.1). */
enum trn_hal_step {
    TRN_HAL_STEP_NONE,
    TRN_HAL_STEP_REGS_INIT,
    TRN_HAL_STEP_UCODE_SEQ_INIT,
    TRN_HAL_STEP_Q7_UCODE_ENG_INIT,
    TRN_HAL_STEP_HW_DECODE_TABLE_INIT,
    TRN_HAL_STEP_DMA_INIT,
    TRN_HAL_STEP_RELEASE_RUN_STALL,
    TRN_HAL_STEP_RELEASE_ENG_RUN_STALL,
    TRN_HAL_STEP_NOTIFIC_INIT,
    TRN_HAL_STEP_NOTIFIC_ENABLE,
    TRN_HAL_STEP_RINGS,
    TRN_HAL_STEP_TABLES,
    TRN_HAL_STEP_DGE,
    TRN_HAL_STEP_START,
    TRN_HAL_STEPS
};

/** "regs_init", "ucode_seq_init", ...; "" for NONE. */
TRN_API const char *trn_hal_step_name(enum trn_hal_step step);

/** Whose step it is. */
struct trn_hal_where {
    unsigned core; /**< of an engine or a core's block */
    int engine;    /**< 0..4, -1: the core's or TopSP's own blocks */
    int topsp;     /**< device-wide number, -1: none */
    enum trn_hal_step step;
};

/** All members may be NULL. */
struct trn_hal_observer {
    void *context;
    /** Before a step that the generation has; a non-zero answer is the step's result, and its body
     * is not run. */
    trn_status (*step)(void *context, const struct trn_hal_where *where);
    /** The next read and write of `offset` are one read-modify-write of the bits of `mask`. */
    void (*rmw)(void *context, uint64_t offset, uint32_t mask);
    /** A log line: level 1 error, 4 info, 5 trace; `text` without newline. */
    void (*log)(void *context, int level, const char *function, const char *text);
};

/** NULL members: malloc, free, no delay at all. */
struct trn_hal_options {
    struct trn_hal_observer observer;
    void *platform;                                 /**< first argument of the three calls below */
    void *(*allocate)(void *platform, size_t size); /**< zeroed; NULL: out of memory */
    void (*release)(void *platform, void *memory);
    void (*delay)(void *platform, uint32_t microseconds);
    bool regions_only;        /**< 4.2: no access while no region was added */
    bool fp_special_schema;   /**< 9.3: names and values of the schema, not of the seed */
    bool dve_tables_per_arch; /**< 13.3: the other table layout */
    uint32_t poll_limit;      /**< reads of one poll before TRN_ERR_TIMEOUT; 0: 1000 */
};

/** `bus` is copied and must outlive the handle's last call; options NULL: all zero. */
TRN_API trn_status trn_hal_create(const struct trn_bus *bus, const struct trn_hal_options *options,
                                  struct trn_hal **out, struct trn_diag *diag);
TRN_API void trn_hal_destroy(struct trn_hal *hal); /**< NULL is fine */
/** Of the last call that failed; valid until the next call. Never NULL. */
TRN_API const struct trn_diag *trn_hal_diag(const struct trn_hal *hal);

/* ---- regions (4.2) ----------------------------------------------------------------- */

/** Without any region every offset is allowed. With regions an access outside of them is refused
 * with -2 before it reaches the bus. */
TRN_API trn_status trn_hal_add_region(struct trn_hal *hal, uint64_t start, uint64_t end);

/* ---- the arch latch (3.1) ---------------------------------------------------------- */

/** 0 or >= 5: TRN_ERR_ASSERT. 1 (folded to 0) and what no registrar fills: -1, latch unchanged. The
 * same value again: 0; another value: -1 (model choice). */
TRN_API trn_status trn_hal_set_arch_type(struct trn_hal *hal, uint32_t arch);
/** TRN_ERR_ASSERT while nothing is latched. */
TRN_API trn_status trn_hal_get_arch_type(struct trn_hal *hal, uint32_t *arch);
TRN_API void trn_hal_reset_arch(struct trn_hal *hal);
/** set_arch_type with the generation's value; TRN_ERR_UNSUPPORTED where no HAL exists (MAVERICK).
 */
TRN_API trn_status trn_hal_latch(struct trn_hal *hal, const struct trn_gen *gen);

/* ---- the dispatch object (3.2 to 3.5; rows: data/hal-slots.csv) -------------------- */

struct trn_hal_slot {
    uint16_t offset;    /**< bytes from the start of the dispatch object of 0x7A8 bytes */
    const char *family; /**< "stpb", "arch", "notific", ... */
    const char *member; /**< "dve_regs_init" */
    bool fatal;         /**< an empty slot is an assertion; else it is success */
    const char *text;   /**< of the assertion: "kaena_khal.khal_stpb.dve_regs_init" */
    const char *confidence;
};

TRN_API size_t trn_hal_num_slots(void);
TRN_API const struct trn_hal_slot *trn_hal_slot_at(size_t index); /**< ascending offset, or NULL */
/** Whether the latched generation's registrar (or nobody) filled the slot at a byte offset. */
TRN_API bool trn_hal_slot_filled(const struct trn_hal *hal, uint16_t offset);
/** Empty a slot, to meet its policy. TRN_ERR_NOT_FOUND: no slot there. */
TRN_API trn_status trn_hal_slot_clear(struct trn_hal *hal, uint16_t offset);

/* ---- layouts (section 5; sizes and offsets are those of the real HAL on LP64) ------- */

struct trn_hal_buf {
    const void *data;
    uint64_t size; /**< bytes; 0: nothing to load */
};

struct trn_hal_ucode {
    struct trn_hal_buf iram, dram;
};

struct trn_hal_hw_decode {
    struct trn_hal_buf profile, cam;
};

struct trn_hal_ring {
    uint64_t ring_base, ring_length; /**< descriptors; not written by dma_init */
    uint64_t head_ptr, tail_ptr, tail_inc_ptr;
};

struct trn_hal_dma_info {
    uint8_t enabled, reserved[7];
    struct trn_hal_ring rx, tx;
};

struct trn_hal_eng_info { /* 0xD0 bytes */
    struct trn_hal_ucode seq_ucode;
    struct trn_hal_ucode q7_ucode; /**< POOL only */
    struct trn_hal_hw_decode hw_decode;
    struct trn_hal_dma_info dma_info;
    uint32_t inst_debug_level; /**< 0..8 */
    uint32_t expl_nq_index, impl_nq_index;
    uint8_t disable_hw_decode, reserved[3];
    uint32_t iram_cache_block_size;
    uint32_t reserved_cc;
};

/** Copies to a BAR0 offset in the HAL's place (write_padded, 4.3). */
typedef trn_status (*trn_hal_memcpy_fn)(void *cookie, uint64_t dst, const void *src, uint64_t size);

struct trn_hal_stpb {                            /* 0x450 bytes */
    uint64_t tpb_mem_handle, tpb_regs, ens_regs; /**< BAR0 offsets */
    uint64_t addr;                               /**< device address of this core */
    trn_hal_memcpy_fn memcpy_fn;
    void *cookie;
    struct trn_hal_eng_info pooling_info, act_info, pe_info, dve_info, sp_info;
    uint32_t evsem_nq_index, error_nq_index, ham_nq_index, flags;
};

/** What `<eng>_init` takes (5.3), one struct for all engines. */
struct trn_hal_engine_config {
    uint64_t mem_handle, regs, ens_regs, addr;
    trn_hal_memcpy_fn memcpy_fn;
    void *cookie;
    struct trn_hal_eng_info info;
    uint32_t error_nq_index, evsem_nq_index, dge_nq_index; /**< SP and TopSP */
    bool topsp;                                            /**< regs is a TopSP's own block (9.7) */
    unsigned core;    /**< whose it is, for trn_hal_where only */
    int topsp_number; /**< likewise; -1 for engines of a core */
};

/** Fill a context with the defaults of 7.1 for one core. No images: see trn_ucode (ucode.h). */
TRN_API trn_status trn_hal_core_defaults(struct trn_hal *hal, unsigned core,
                                         struct trn_hal_stpb *stpb);
/** Likewise a TopSP's handle (14.3); `topsp` 0..gen's number of usable ones - 1. */
TRN_API trn_status trn_hal_topsp_defaults(struct trn_hal *hal, unsigned topsp,
                                          struct trn_hal_engine_config *config);
/** The engine's part of a context as its `<eng>_init` argument. */
TRN_API trn_status trn_hal_engine_config(const struct trn_hal_stpb *stpb, unsigned core, int engine,
                                         struct trn_hal_engine_config *config);

/* ---- engines: orchestrators and single steps through the dispatch object (8, 9 to 14) ---- */

TRN_API trn_status trn_hal_pe_init(struct trn_hal *hal, const struct trn_hal_engine_config *config);
TRN_API trn_status trn_hal_act_init(struct trn_hal *hal,
                                    const struct trn_hal_engine_config *config);
TRN_API trn_status trn_hal_pooling_init(struct trn_hal *hal,
                                        const struct trn_hal_engine_config *config);
TRN_API trn_status trn_hal_dve_init(struct trn_hal *hal,
                                    const struct trn_hal_engine_config *config);
/** `notific` NULL: its block is already initialised. flag: HW back-pressure mode of notific_init.
 * topsp_init is an alias. */
TRN_API trn_status trn_hal_sp_init(struct trn_hal *hal, const struct trn_hal_engine_config *config,
                                   struct trn_hal_notific *notific, uint32_t flag, bool init_flag);
/** The four above or sp_init(config, NULL, 0, true), by engine number. */
TRN_API trn_status trn_hal_engine_init(struct trn_hal *hal, int engine,
                                       const struct trn_hal_engine_config *config);
/** One step of an engine's chain through its slot; 0 where an empty slot is success. */
TRN_API trn_status trn_hal_engine_step(struct trn_hal *hal, int engine, enum trn_hal_step step,
                                       const struct trn_hal_engine_config *config);
/** Whether the orchestrator of the latched arch calls the step at all (8.1). */
TRN_API bool trn_hal_engine_has_step(const struct trn_hal *hal, int engine, enum trn_hal_step step);
TRN_API trn_status trn_hal_instr_debug_level_set(struct trn_hal *hal, int engine,
                                                 uint64_t mem_handle, uint64_t regs,
                                                 uint32_t level);

/* ---- notification blocks (16) ------------------------------------------------------- */

struct trn_hal_nq {
    uint64_t base; /**< device address of the ring */
    void *memory;  /**< its host mapping, cleared by reset; NULL: not the HAL's business */
    uint32_t size; /**< bytes, a power of two */
};

TRN_API trn_status trn_hal_notific_create(struct trn_hal *hal, struct trn_hal_notific **out);
/** -14 when the block is not initialised, any number of times (F28); NULL: -14. No bus access. The
 * object stays, as if never initialised, and is freed with the handle. */
TRN_API trn_status trn_hal_notific_destroy(struct trn_hal *hal, struct trn_hal_notific *notific);
/** 16.1; bp_mode 0 or 1, else -1. num_queues 1 or 10. */
TRN_API trn_status trn_hal_notific_init(struct trn_hal *hal, struct trn_hal_notific *notific,
                                        uint32_t num_queues, uint32_t bp_mode, uint32_t uart_mode,
                                        uint64_t base);
TRN_API trn_status trn_hal_nq_init(struct trn_hal *hal, struct trn_hal_notific *notific,
                                   unsigned eng_index, unsigned queue, const struct trn_hal_nq *nq);
TRN_API trn_status trn_hal_nq_enable(struct trn_hal *hal, struct trn_hal_notific *notific,
                                     unsigned eng_index, unsigned queue, bool ignore_full);
TRN_API trn_status trn_hal_nq_reset(struct trn_hal *hal, struct trn_hal_notific *notific,
                                    unsigned eng_index, unsigned queue);
/** Bytes of one record: 16. The one shim that does not look at the latch (3.2). */
TRN_API uint32_t trn_hal_nq_get_notification_size(void);

/* ---- how the driver numbers queues (notific.md 8.2) ------------------------------------ */

enum trn_hal_nq_type {
    TRN_HAL_NQ_TRACE,
    TRN_HAL_NQ_NOTIFY,
    TRN_HAL_NQ_EVENT,
    TRN_HAL_NQ_ERROR,
    TRN_HAL_NQ_TRACE_DMA,
    TRN_HAL_NQ_THROTTLE,
    TRN_HAL_NQ_TYPES
};
#define TRN_HAL_NQ_SLOTS 96 /**< of a core, and of a TopSP */

struct trn_hal_nq_place {
    uint32_t id;    /**< type * 16 + index: the driver's key */
    bool of_dma;    /**< in the block of a DMA engine, else in that of the core or TopSP */
    unsigned dma;   /**< which of the core's engines */
    unsigned queue; /**< of that block: index, 0 in the block of a DMA engine */
};
/** -22: no such type, or a key of 96 and above. The driver does not hold index below 10. */
TRN_API trn_status trn_hal_nq_identity(struct trn_hal *hal, enum trn_hal_nq_type type,
                                       unsigned index, struct trn_hal_nq_place *out);
/** Which queue a head register of a block, which user space maps, belongs to: -22 unless the offset
 * in the block is exactly one. */
TRN_API trn_status trn_hal_nq_of_head(struct trn_hal *hal, uint64_t offset,
                                      enum trn_hal_nq_type *type, unsigned *index);

enum trn_hal_notific_class {
    TRN_HAL_CLASS_ERROR,
    TRN_HAL_CLASS_HAM,
    TRN_HAL_CLASS_EVSEM_BP, /**< hardware back-pressure of events and semaphores */
    TRN_HAL_CLASS_EVSEM,
    TRN_HAL_CLASS_DGE /**< SUNDA only */
};
/** 16.2. `regs` is the core's register file. */
TRN_API trn_status trn_hal_notific_class_enable(struct trn_hal *hal,
                                                struct trn_hal_notific *notific, uint64_t regs,
                                                enum trn_hal_notific_class which, uint32_t queue,
                                                bool enable);

/* ---- whole bring-up (7, 7.1) --------------------------------------------------------- */

/** Section 7, steps 1 to 4, returning at the first engine that fails. */
TRN_API trn_status trn_hal_stpb_init(struct trn_hal *hal, struct trn_hal_stpb *stpb, unsigned core,
                                     struct trn_hal_notific *notific);

/** A ring's most bytes: the default places lie as far apart (7.1). */
#define TRN_HAL_NQ_MAX_BYTES 0x10000u

/** The order of 7.1. Engines are tried one after the other even when one fails (F36). */
struct trn_hal_bringup {
    unsigned core;
    const struct trn_hal_stpb *stpb; /**< trn_hal_core_defaults plus images */
    uint8_t engine_mask;             /**< bit e: engine e, other bits mean nothing; 0: all five */
    bool no_rings;                   /**< leave step c out */
    bool core_blocks_done;           /**< leave steps b and c out (single engine) */
    bool dma_rings;                  /**< the rings of the 16 DMA blocks of the core (R3) */
    uint32_t nq_size;    /**< bytes of each ring, TRN_HAL_NQ_MAX_BYTES at most; 0: that */
    uint32_t num_topsps; /**< step a */
    const struct trn_hal_engine_config *topsps; /**< trn_hal_topsp_defaults plus images */
    const struct trn_hal_dge *dge;              /**< step f; NULL: none */
};

struct trn_hal_dge {
    bool set_carveout, set_mapping;
    uint32_t carveout_size, carveout_offset;
    uint32_t mapping_hi, mapping_lo;
};

struct trn_hal_bringup_result {
    trn_status blocks;                   /**< of steps a to c */
    trn_status engines[TRN_HAL_ENGINES]; /**< 0: not asked for; not tried: as what ended it all */
    trn_status dge;
    int failed_engine;             /**< first that failed, -1: none */
    enum trn_hal_step failed_step; /**< its step */
    struct trn_diag diag;          /**< of the first failure */
};

/** 0, or the first failure. A fatal status ends the whole bring-up at that access. */
TRN_API trn_status trn_hal_bringup(struct trn_hal *hal, const struct trn_hal_bringup *plan,
                                   struct trn_hal_bringup_result *result);

/* ---- start and state (14.4) ---------------------------------------------------------- */

#define TRN_HAL_NO_START UINT64_MAX
/** start[engine]: device address of the first word or TRN_HAL_NO_START. */
TRN_API trn_status trn_hal_program_start(struct trn_hal *hal, uint64_t mem_handle,
                                         const uint64_t start[TRN_HAL_ENGINES]);
TRN_API trn_status trn_hal_run_state(struct trn_hal *hal, uint64_t mem_handle, int engine,
                                     uint32_t *state);
/** Sum of the five run states. */
TRN_API trn_status trn_hal_check_run_state(struct trn_hal *hal, uint64_t mem_handle, uint32_t *sum);
/** Start one sequencer, and its run state: a TopSP, or the SP of a core (14.3). */
TRN_API trn_status trn_hal_sp_program_start(struct trn_hal *hal,
                                            const struct trn_hal_engine_config *config,
                                            uint64_t address);
TRN_API trn_status trn_hal_sp_check_run_state(struct trn_hal *hal,
                                              const struct trn_hal_engine_config *config,
                                              uint32_t *state);
/** Other engines than 0..4: TRN_ERR_ASSERT. */
TRN_API trn_status trn_hal_read_program_counter(struct trn_hal *hal, uint64_t regs, int engine,
                                                uint64_t *pc);
/** Read until (value & mask) == want, `polls` times at most; then TRN_ERR_TIMEOUT, whose diagnostic
 * names the register, the last value, what was wanted and who could write it (F45). */
TRN_API trn_status trn_hal_wait(struct trn_hal *hal, uint64_t offset, uint32_t mask, uint32_t want,
                                uint32_t polls, uint32_t *last);

/* ---- DVE, stochastic rounding, tables (13) ------------------------------------------- */

TRN_API trn_status trn_hal_dve_write_lfsr(struct trn_hal *hal, uint64_t regs, uint32_t value);
TRN_API trn_status trn_hal_dve_reset_rng_seed(struct trn_hal *hal, uint64_t regs);
TRN_API trn_status trn_hal_dve_write_stochastic_rnd(struct trn_hal *hal, uint64_t regs,
                                                    uint32_t value);
TRN_API trn_status trn_hal_dve_write_stochastic_rnd_mode(struct trn_hal *hal, uint64_t regs,
                                                         uint32_t mode);
TRN_API trn_status trn_hal_dve_write_xorwow_inc_val_default(struct trn_hal *hal, uint64_t regs);
TRN_API trn_status trn_hal_dve_force_pool_arb_chicken_bit(struct trn_hal *hal, uint64_t regs);
/** A generation without the knob: 0 and no access. */
TRN_API trn_status trn_hal_dve_set_force_rspcomb_eight_deep(struct trn_hal *hal, uint64_t regs,
                                                            uint32_t value);
/** 0 means that the knob does not exist, never "offset 0". */
TRN_API trn_status trn_hal_dve_get_offset_force_rspcomb_eight_deep(struct trn_hal *hal,
                                                                   uint32_t *offset);
TRN_API trn_status trn_hal_act_set_force_rspcomb_eight_deep(struct trn_hal *hal, uint64_t regs,
                                                            uint32_t value);
TRN_API trn_status trn_hal_get_timestamp_inc(struct trn_hal *hal, uint64_t regs, int engine,
                                             uint32_t *increment);
/** 13.2: the seed (21 bits) for the four dtypes on POOL, DVE, ACT and, where there is one, PSUM. */
TRN_API trn_status trn_hal_stochastic_rounding_config(struct trn_hal *hal, uint64_t regs,
                                                      uint32_t seed);
TRN_API trn_status trn_hal_stochastic_rounding_enable(struct trn_hal *hal, uint64_t regs,
                                                      uint32_t mode);

/** What this handle wrote last to a register that reads as 0 (18, item 13): BAR0 offset and cell,
 * the dtype code for stochastic_rnd, else 0. TRN_ERR_NOT_FOUND: nothing yet. */
TRN_API trn_status trn_hal_get_shadow(struct trn_hal *hal, uint64_t offset, uint32_t cell,
                                      uint32_t *value);

struct trn_hal_dve_tables { /* a NULL pointer is not written; sizes up to the table's */
    struct trn_hal_buf opcode, control_fast, control_slow, datapath;
};
TRN_API trn_status trn_hal_dve_write_tables(struct trn_hal *hal, uint64_t mem_handle,
                                            const struct trn_hal_dve_tables *tables);
TRN_API trn_status trn_hal_dve_write_parameter_ram(struct trn_hal *hal, uint64_t mem_handle,
                                                   struct trn_hal_buf data);

struct trn_hal_act_tables {
    struct trn_hal_buf cam, profile, control, bucket;
};
/** 13.4; index < 8, else -22 (model choice). */
TRN_API trn_status trn_hal_act_load_local(struct trn_hal *hal, uint64_t mem_handle, uint32_t index,
                                          const struct trn_hal_act_tables *tables);

/* ---- Q7 (14.2) ------------------------------------------------------------------------ */

/** owner 0: the POOL cluster; 1: the compute cluster where the generation has one. */
TRN_API trn_status trn_hal_q7_ucode_eng_init(struct trn_hal *hal, uint64_t mem_handle,
                                             uint64_t image_base,
                                             const struct trn_hal_ucode *images,
                                             trn_hal_memcpy_fn memcpy_fn, void *cookie,
                                             uint32_t owner);
TRN_API trn_status trn_hal_q7_swap_table(struct trn_hal *hal, uint64_t mem_handle, uint64_t value,
                                         uint32_t count);
/** Each of the three may be NULL; 0 where the generation has none. */
TRN_API trn_status trn_hal_q7_swap_table_get_register_offsets(struct trn_hal *hal,
                                                              uint64_t mem_handle, uint64_t *lo,
                                                              uint64_t *hi, uint64_t *count);

/** Base and length of the file-IO table and Q7's interrupt word; no access where there is none. */
TRN_API trn_status trn_hal_q7_swap_file_io_table(struct trn_hal *hal, uint64_t mem_handle,
                                                 uint32_t base, uint32_t length,
                                                 uint32_t interrupt);

/* ---- DGE and memcopy (15) -------------------------------------------------------------- */

TRN_API trn_status trn_hal_set_dge_carveout(struct trn_hal *hal, uint64_t mem_handle, uint32_t size,
                                            uint32_t offset);
TRN_API trn_status trn_hal_set_dge_dma_mapping(struct trn_hal *hal, uint64_t mem_handle,
                                               uint32_t hi, uint32_t lo);
/** *reg is relative to tpb_mem_handle (model choice). */
TRN_API trn_status trn_hal_get_dge_carveout_register_offset_and_val(struct trn_hal *hal,
                                                                    uint32_t size, uint32_t offset,
                                                                    uint64_t *reg, uint32_t *value);
TRN_API trn_status trn_hal_get_dge_dma_mapping_register_offset_and_val(struct trn_hal *hal,
                                                                       uint32_t hi, uint32_t lo,
                                                                       uint64_t *reg,
                                                                       uint32_t *value);
/** General local register idx < 60 of an engine; silently nothing on SUNDA (15.4). */
TRN_API trn_status trn_hal_write_general_register(struct trn_hal *hal, uint64_t mem_handle,
                                                  int engine, uint32_t index, uint32_t value);

/* ---- TopSP signals (14.3) --------------------------------------------------------------- */

enum trn_hal_topsp_signal {
    TRN_HAL_TOPSP_HOST_TRIGGER,
    TRN_HAL_TOPSP_STOP,
    TRN_HAL_TOPSP_BASIC_BLOCK_SWITCH,
    TRN_HAL_TOPSP_INIT,
    TRN_HAL_TOPSP_TSYNC
};
TRN_API trn_status trn_hal_topsp_signal(struct trn_hal *hal, uint64_t sp_mem_handle,
                                        enum trn_hal_topsp_signal signal, uint32_t value);
/** Relative to the SP memory window. */
TRN_API trn_status trn_hal_topsp_signal_offset(struct trn_hal *hal,
                                               enum trn_hal_topsp_signal signal, uint32_t *offset);

/* ---- remote DMA (3.3): -1 and a line on MARIANA, an assertion elsewhere -------------------- */

TRN_API trn_status trn_hal_rdm_get_dma_eng_id(struct trn_hal *hal, uint32_t queue, uint32_t *id);
TRN_API trn_status trn_hal_rdm_init(struct trn_hal *hal, uint64_t base);
TRN_API trn_status trn_hal_rdm_get_target_address(struct trn_hal *hal, uint32_t queue,
                                                  uint64_t *address);

/* ---- getters by generation (8.3, 17) ------------------------------------------------------ */

struct trn_hal_seq_params {
    uint32_t base, iram, dram; /**< relative to tpb_mem_handle, host view */
    uint32_t iram_size, dram_size;
};
TRN_API trn_status trn_hal_get_seq_params(struct trn_hal *hal, int engine,
                                          struct trn_hal_seq_params *params);

/** Owners of Q7 cores (section 1). q7_ucode_eng_init counts them 0 and 1 instead. */
enum { TRN_HAL_OWNER_POOLING = 2, TRN_HAL_OWNER_COMPUTE_CLUSTER = 5 };

struct trn_hal_q7_params {
    uint32_t base, iram_size, iram_reserved, dram_size, dram_reserved, cores;
};
TRN_API trn_status trn_hal_get_q7_params(struct trn_hal *hal, uint32_t owner,
                                         struct trn_hal_q7_params *params);

struct trn_hal_hw_decode_params {
    uint32_t cam, profile, cam_size, profile_size;
};
/** SUNDA: TRN_ERR_ASSERT (it has none). */
TRN_API trn_status trn_hal_get_hw_decode_params(struct trn_hal *hal, int engine,
                                                struct trn_hal_hw_decode_params *params);
/** mem_handle + table; engine 5 is the compute cluster. TRN_ERR_ASSERT outside (8.3). */
TRN_API trn_status trn_hal_get_xt_local_reg_offset(struct trn_hal *hal, uint64_t mem_handle,
                                                   int engine, int instance, uint64_t *offset);

/** Numbers of section 17 by name ("num_tpb", "valid_sbuf_partition_size", "cce_user_offset", ...;
 * rows: data/hal-getters.csv). index: engine, flag or core where the getter has one. 0 is "absent"
 * where the sheet says so. TRN_ERR_NOT_FOUND: no such getter; TRN_ERR_ASSERT: index out of range.
 */
TRN_API trn_status trn_hal_get_param(struct trn_hal *hal, const char *name, unsigned index,
                                     uint64_t *value);

#ifdef __cplusplus
}
#endif
#endif
