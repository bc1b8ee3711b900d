/* SPDX-License-Identifier: Apache-2.0 */
/* One engine's sequencer: boot, fetch, dispatch, waits and updates, control words, stops
 * (docs/hardware/sequencer.md). The five engines run the same program; only the handlers of the
 * data path differ. */
#ifndef TRN_SEQ_SEQ_H
#define TRN_SEQ_SEQ_H

#include "engine/exec.h"
#include "mem/soc.h"
#include "seq/dispatch.h"
#include "seq/local.h"
#include "seq/sync.h"

struct trn_seq;

/* error-handling.md 3. */
enum trn_severity { TRN_SEVERITY_NONE, TRN_SEVERITY_NONFATAL, TRN_SEVERITY_FATAL };

/* Something the host is told about: what a record of a notification ring is made from. */
struct trn_seq_record {
    enum { TRN_SEQ_START, TRN_SEQ_END, TRN_SEQ_EXPLICIT, TRN_SEQ_ERROR } kind;
    int engine;
    uint64_t pc;
    bool datapath; /* START, END: the word is one of the data path */
    uint8_t debug_hint;
    uint16_t soft_reset_counter, debug_hint_extended; /* EXPLICIT: the word's payload */
    enum trn_severity severity;                       /* ERROR (error-handling.md 3, 4) */
    uint8_t code, aux;
    bool fault; /* ERROR: seq->fault says what happened */
};

/* What the sequencers of a core share. The device fills it once; it outlives them. */
struct trn_core {
    const struct trn_gen *gen;
    struct trn_mem *mem;
    const struct trn_soc *soc; /* memory, and the windows of registers and semaphores */
    struct trn_sync *sync;
    struct trn_engine_state *state;
    struct trn_workers *workers;
    struct trn_choices *choices;
    bool bypass_pe_reg_write; /* pe-array.md 1: the word is skipped */
    bool strict_pc_bounds;    /* sequencer.md 4.4 */
    bool assert_as_zero_word; /* error-handling.md 2: a failed assertion as the binary reports it */

    void *context; /* first argument of the calls below; each of them may be NULL */
    /* False: the notification block has no room. The owner keeps the record, the engine executes no
     * further word, and trn_seq_posted says when the record is out. */
    bool (*record)(void *context, const struct trn_seq_record *record);
    /* A word for the descriptor generator: TRN_OK, or seq->fault is filled. NULL: no generator. */
    trn_status (*dma)(void *context, struct trn_seq *seq, const uint8_t *word);
    /* A line of a POOL kernel (engine/exec.h). */
    void (*kernel_line)(void *context, int engine, bool error, const char *line);
    /* Numeric events (engine/numeric.h): the causes that the data path of an engine shall look for
     * in its next word, and, if it met some, what, behind the word. */
    unsigned (*numeric_wanted)(void *context, int engine);
    void (*numeric)(void *context, const struct trn_seq *seq, uint32_t met);
    /* The engine is held in reset: what was kept of it is lost. */
    void (*forget)(void *context, int engine);
};

enum trn_seq_state {
    TRN_SEQ_STALLED, /* in reset until release_run_stall falls */
    TRN_SEQ_IDLE,    /* booted, waits for start_ctrl */
    TRN_SEQ_RUNNING,
    TRN_SEQ_WAITING, /* running, blocked in a wait */
    TRN_SEQ_POSTING, /* running, blocked in a record that nobody takes (notific.md 4) */
    TRN_SEQ_HALTED,
    TRN_SEQ_PAUSED,
    TRN_SEQ_FAULTED,
    TRN_SEQ_BREAK /* held by the host's debugger before the word at regs.pc */
};

/* Values of sequencer.md 3.1. */
enum trn_stop_reason {
    TRN_STOP_HALT = 0,
    TRN_STOP_INS_BREAK = 4,
    TRN_STOP_EXT_BREAK = 8,
    TRN_STOP_FATAL = 16,
    TRN_STOP_STEP_COUNT = 64
};

enum trn_run_state { TRN_RUN_STATE_IDLE, TRN_RUN_STATE_RUNNING, TRN_RUN_STATE_PAUSED };
/* What run_state holds after a fatal error: a firmware data address (sequencer.md 3.1). */
#define TRN_RUN_STATE_FATAL 0x00085644u

enum { TRN_FETCH_CACHE_WORDS = 512, TRN_MAX_BREAKS = 64 };

/* A word that passed dispatch and the validator. Hit only while memory still holds these bytes, so
 * a program that changes itself is seen at once (model choice, sequencer.md 4.2). */
struct trn_decoded {
    uint64_t address;
    const struct trn_slot *slot; /* NULL: the entry is empty */
    uint8_t word[TRN_WORD_BYTES];
};

/* The last taken backward branch: says where a program that does not end spends its words. */
struct trn_loop {
    uint64_t first, last; /* addresses of its first word and of the branch */
    uint64_t count;       /* how often in a row; 0: none */
};

struct trn_sync_block; /* the waits and updates of one word */

struct trn_seq {
    const struct trn_core *core;
    int engine;
    enum trn_seq_state state;
    enum trn_stop_reason reason; /* meaningful when halted or faulted */
    struct trn_regs regs;
    uint64_t start_pc, next_pc;
    uint64_t retired;                     /* words completed since reset */
    bool started;                         /* took a start since reset */
    const struct trn_decoded *last;       /* the word that retired last */
    struct trn_wait blocked_on;           /* valid while waiting */
    const struct trn_sync_block *reading; /* of a word that still reads; its READ updates are due */
    struct trn_loop loop;
    struct trn_fault fault; /* valid when faulted */
    struct trn_exec exec;   /* handed to engine handlers; its pointers never change */

    bool posting;        /* the owner keeps a record of this engine */
    bool dying;          /* it is that of a fatal error, which takes effect afterwards */
    uint32_t error_word; /* user register 0x15: the last error raised (error-handling.md 5) */
    enum trn_severity severity; /* of it */

    bool q7_held;       /* POOL: at least one of its Q7 cores is still stalled */
    bool halting;       /* the current word asked to stop; takes effect after its updates */
    bool pause_on_halt; /* HALT pauses instead (sequencer.md 3.3) */
    bool announced;     /* the START record of the word at pc is out */
    bool admitted;      /* the word at pc passed the breakpoint checks */
    bool released;      /* the debugger let the word at pc go */
    uint8_t opcode;     /* of the word that is decoded or executed */
    bool attention;     /* something besides plain execution must be looked at */

    uint64_t breaks[TRN_MAX_BREAKS]; /* the host's debugger, not a register */
    size_t num_breaks;
    uint32_t steps_left;
    uint32_t matches[2]; /* of the opcode counters ic0, ic1 */

    uint64_t block, block_bytes; /* the block of the last fetch; 0 bytes: none */
    uint64_t staging_skipped;    /* next blocks out of the PC bounds: soft skip, a warning */
    uint64_t empty_ranges;       /* EVENT_SEMAPHORE_RANGE_CLEAR with first > last: a warning */

    struct trn_local local; /* register file and NX data RAM */
    struct trn_dispatch dispatch;
    struct trn_decoded *decoded; /* TRN_FETCH_CACHE_WORDS entries */
    bool any_decoded;            /* false: they are as they were made */
};

/* Prepare a sequencer in reset. Free with trn_seq_destroy, also after a failure. */
trn_status trn_seq_create(struct trn_seq *seq, const struct trn_core *core, int engine);
void trn_seq_destroy(struct trn_seq *seq);
/* Hardware reset: as after create. What the host's debugger set stays, and so does the data RAM. */
void trn_seq_reset(struct trn_seq *seq);

/* Whether a step can do something now: booted, started, not stopped. A blocked word counts. */
bool trn_seq_runnable(const struct trn_seq *seq);

enum trn_step {
    TRN_STEP_RETIRED, /* one word has completed */
    TRN_STEP_BLOCKED, /* its wait does not hold, or its START record is not out */
    TRN_STEP_STOPPED  /* halted, paused, faulted, held or not runnable; see state */
};

/* Do the next thing: take a start, or one word. */
enum trn_step trn_seq_step(struct trn_seq *seq);

/* A 32-bit access of the host (or of a WRITE) to the local register file. */
uint32_t trn_seq_local_read(const struct trn_seq *seq, uint32_t offset);
void trn_seq_local_write(struct trn_seq *seq, uint32_t offset, uint32_t value);

/* Hold the engine before the word at `pc` each time it gets there; TRN_ERR_TOO_LARGE past 64. */
trn_status trn_seq_break_at(struct trn_seq *seq, uint64_t pc);
/* Let a held engine go on with the word it is held at. */
void trn_seq_continue(struct trn_seq *seq);

/* The record that the owner kept of this engine is out. */
void trn_seq_posted(struct trn_seq *seq);

/* ---- errors from outside of a word (errors.c; error-handling.md 2) ----------------------- */

/* A signal: record 0x41, fatal. A hardware exception by its cause register: record 0x42 for causes
 * 1, 3 and 4, others halt without one; fatal. Nothing happens to an engine that is not running. */
void trn_seq_signal(struct trn_seq *seq, uint8_t number);
void trn_seq_exception(struct trn_seq *seq, uint16_t cause);
/* Five flags of the sequencer's FP status: one record 0x01 for each, and the engine goes on. */
void trn_seq_fp_status(struct trn_seq *seq, uint32_t flags);

/* ---- inside the room ---------------------------------------------------------------- */

/* Tell the owner; the engine stops behind the current step when nobody takes it. */
void trn_seq_tell(struct trn_seq *seq, struct trn_seq_record record);
/* Build the error word, latch it and post the record (error-handling.md 4, 5). */
void trn_seq_raise(struct trn_seq *seq, enum trn_severity severity, uint8_t code, uint8_t aux);
/* seq->fault is filled: report it and stop for good, at once or when its record is out. */
enum trn_step trn_seq_die(struct trn_seq *seq);

/* Fill the fault of the current word and return TRN_ERR_FAULT; `rule` may be NULL. */
trn_status trn_seq_fault(struct trn_seq *seq, enum trn_fault_class klass, const char *rule,
                         const char *format, ...) TRN_PRINTF(4, 5);

/* Registers by specifier; a number that names none is an illegal instruction. Writes to the PC pair
 * are dropped. */
trn_status trn_seq_read_register(struct trn_seq *seq, uint32_t number, uint32_t *value);
trn_status trn_seq_write_register(struct trn_seq *seq, uint32_t number, uint32_t value);

static inline void trn_seq_choice(struct trn_seq *seq, enum trn_choice choice)
{
    seq->core->choices->count[choice]++;
}

/* Recompute `attention` after a register or a breakpoint changed. */
void trn_seq_attend(struct trn_seq *seq);

/* The word at regs.pc, ready to execute (fetch.c); NULL: seq->fault says why not. */
const struct trn_decoded *trn_seq_fetch(struct trn_seq *seq);
/* Forget every decoded word (INSTRUCTION_FLUSH). */
void trn_seq_flush(struct trn_seq *seq);

/* Before the fetch, then before the word executes. False: a breakpoint, the step count or an
 * external request stopped the engine (surprise.c). A blocked word is counted once. */
bool trn_seq_admit_address(struct trn_seq *seq);
bool trn_seq_admit_word(struct trn_seq *seq);
void trn_seq_setup_halt(struct trn_seq *seq, enum trn_stop_reason reason);

/* "bad_opcode", "illegal_instruction", ... */
const char *trn_fault_class_name(enum trn_fault_class klass);

#endif
