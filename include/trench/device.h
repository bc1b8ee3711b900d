/* SPDX-License-Identifier: Apache-2.0 */
/**
 * trench/device.h - one modelled core: create, reach over its buses, run, look inside.
 *
 * A device is a handle; two devices in two threads do not meet. The host reaches it through the two
 * buses only (a real driver's BAR0 and BAR4); the inspection calls below read the model's own
 * bookkeeping and never change it.
 */
#ifndef TRENCH_DEVICE_H
#define TRENCH_DEVICE_H

#include "trench/bus.h"
#include "trench/choices.h"
#include "trench/gen.h"
#include "trench/isa.h"
#include "trench/mem.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TRN_ENGINES 5

struct trn_device;

struct trn_device_options {
    enum trn_reset reset;
    uint64_t reset_seed;    /**< TRN_RESET_RANDOM */
    uint64_t schedule_seed; /**< 0: round-robin PE, ACT, POOL, DVE, SP; else a seeded permutation */
    unsigned threads;       /**< threads that share one instruction's partitions; 0 and 1: none */
    uint64_t hbm_bytes;     /**< addressable device memory; 0: 16 GiB. Committed on touch */
    bool track;             /**< keep the occupancy map (bytes written, last writer) */
    bool strict_pc_bounds;  /**< sequencer.md 4.4: a committed PC out of bounds is fatal */
    bool semaphores_unsigned; /**< sync.md 1: compare unsigned instead of signed */
};

/** Create a core in reset: every engine stalled. `options` NULL: all zero. Free with destroy. */
TRN_API trn_status trn_device_create(const struct trn_gen *gen,
                                     const struct trn_device_options *options,
                                     struct trn_device **out, struct trn_diag *diag);
TRN_API void trn_device_destroy(struct trn_device *device);

/** Register and on-chip memory space (BAR0 offsets, address-map.md 7). Lives as long as the device. */
TRN_API const struct trn_bus *trn_device_bar0(struct trn_device *device);
/** Device memory (BAR4 offsets: HBM of this core at 0). */
TRN_API const struct trn_bus *trn_device_bar4(struct trn_device *device);

/** BAR0 offset of the first byte of an on-chip space: SBUF or PSUM; partition p is at + p*stride. */
TRN_API uint64_t trn_device_space_offset(const struct trn_device *device, enum trn_space space);
/** Address by which instructions and DMA name byte 0 of HBM (SoC address). */
TRN_API uint64_t trn_device_hbm_base(const struct trn_device *device);

/* ---- running ---------------------------------------------------------------------- */

enum trn_engine_run_state {
    TRN_ENGINE_STALLED, /**< run stall not released */
    TRN_ENGINE_IDLE,    /**< waits for start_ctrl */
    TRN_ENGINE_RUNNING,
    TRN_ENGINE_WAITING, /**< blocked in a wait */
    TRN_ENGINE_HALTED,
    TRN_ENGINE_PAUSED,
    TRN_ENGINE_FAULTED,
    TRN_ENGINE_BREAK /**< stopped by a breakpoint before the word at pc */
};

TRN_API const char *trn_engine_state_name(enum trn_engine_run_state state);

/** How a run ended; never mixed up. */
enum trn_run_status {
    TRN_RUN_OK,       /**< every started engine halted */
    TRN_RUN_FAULT,    /**< the device refused a word */
    TRN_RUN_DEADLOCK, /**< all engines wait for what nobody will post */
    TRN_RUN_LIMIT,    /**< our own budget of words is used up */
    TRN_RUN_BREAK     /**< a breakpoint was reached; call run again to go on */
};

TRN_API const char *trn_run_status_name(enum trn_run_status status);

struct trn_engine_report {
    enum trn_engine_run_state state;
    uint64_t retired; /**< words completed since reset */
    uint64_t pc;      /**< device address of the next word, or of the word that faulted or waits */
    bool started;
    /* valid when state is TRN_ENGINE_WAITING */
    bool wait_is_event;
    const char *wait_mode; /**< "eq", "lt", "le", "gt", "ge", "set", "clear" */
    uint32_t wait_index;
    int64_t wait_want, wait_value;
};

struct trn_fault_report {
    int engine;
    uint64_t pc;         /**< device address */
    const char *klass;   /**< "bad_opcode", "illegal_instruction", "missing_specification", ... */
    const char *rule;    /**< may be empty */
    const char *message; /**< one sentence; strings live until the device is destroyed */
};

struct trn_run_report {
    enum trn_run_status status;
    struct trn_engine_report engines[TRN_ENGINES];
    const struct trn_fault_report *faults; /**< owned by the device, valid until the next call */
    size_t num_faults;
    const char *loop; /**< TRN_RUN_LIMIT: where the words went ("dve pc 0x40..0x80"); may be empty */
    uint64_t choices[TRN_CHOICE_COUNT]; /**< how often each model choice was used */
};

/**
 * Run every started engine until all have halted, one faults, all block, a breakpoint is reached or
 * `limit` more words (0: no limit) have been executed. A refusal is a report, not an error; the
 * return value is negative only for bad arguments.
 */
TRN_API trn_status trn_device_run(struct trn_device *device, uint64_t limit,
                                  struct trn_run_report *report);

/** Stop before the word at device address `pc` of `engine` executes; TRN_ERR_TOO_LARGE past 64. */
TRN_API trn_status trn_device_break_at(struct trn_device *device, int engine, uint64_t pc);

/* ---- looking inside --------------------------------------------------------------- */

/** Needs options.track. TRN_ERR_UNSUPPORTED without it. */
TRN_API trn_status trn_device_occupancy(const struct trn_device *device, enum trn_space space,
                                        uint32_t partition, struct trn_occupancy *out);

TRN_API uint32_t trn_device_semaphore(const struct trn_device *device, unsigned index);
TRN_API uint32_t trn_device_register(const struct trn_device *device, int engine, unsigned index);

#ifdef __cplusplus
}
#endif
#endif
