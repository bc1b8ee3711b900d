/* SPDX-License-Identifier: Apache-2.0 */
/* What one instruction may touch while an engine executes it. The sequencer fills it, handlers
 * read it; a handler returns TRN_OK or fails through trn_exec_fault(). */
#ifndef TRN_ENGINE_EXEC_H
#define TRN_ENGINE_EXEC_H

#include "base/workers.h"
#include "isa/tables.h"
#include "mem/mem.h"
#include "trench/choices.h"
#include "trench/gen.h"

/* Engine numbers are NEURON_ENGINE of enums.csv: PE 0, ACT 1, POOL 2, DVE 3, SP 4. */
#define TRN_NUM_ENGINES 5

/* Registers of one sequencer (docs/hardware/sequencer.md 7.9, dge.md 2.3). */
struct trn_shape {
    uint16_t num[4];
    int16_t step[4];
};

struct trn_regs {
    uint32_t r[64];
    struct trn_shape shape[4];
    uint64_t pc; /* address of the current word; read as R128, R129 */
};

/* Why a device refused. The classes are fixed; scripts match on trn_fault_class_name(). */
enum trn_fault_class {
    TRN_FAULT_NONE,
    TRN_FAULT_BAD_OPCODE,            /* no handler for this opcode on this engine */
    TRN_FAULT_ILLEGAL_INSTRUCTION,   /* a validity rule does not hold */
    TRN_FAULT_MISSING_SPECIFICATION, /* the word exists, its layout or effect is not known */
    TRN_FAULT_NOT_MODELLED,          /* specified, but this version does not execute it yet */
    TRN_FAULT_PC_BOUNDS,
    TRN_FAULT_ADDRESS, /* an address that no block owns, or outside the active bytes */
    TRN_FAULT_DIVIDE_BY_ZERO,
    TRN_FAULT_ASSERTION,
    TRN_FAULT_SIGNAL,   /* error-handling.md 2; not caused by the word itself */
    TRN_FAULT_EXCEPTION /* likewise */
};

struct trn_fault {
    enum trn_fault_class klass;
    int engine;
    uint64_t pc;       /* device address of the word */
    char rule[64];     /* may be empty */
    char message[320]; /* one sentence */
};

/* Counts how often a result rested on a model choice; ids are rows of data/model-choices.csv. */
struct trn_choices {
    uint64_t count[TRN_CHOICE_COUNT];
};

struct trn_engine_state; /* engine/state.h: PE weights, search keys, accumulators, FP8 mode ... */

struct trn_exec {
    const struct trn_gen *gen;
    int engine;
    const uint8_t *word; /* 64 bytes, valid by the static rules */
    struct trn_mem *mem;
    const struct trn_regs *regs;
    struct trn_engine_state *state; /* of the core, shared by its engines */
    struct trn_workers *workers;
    struct trn_choices *choices;
    struct trn_fault *fault;

    /* A line that a kernel of POOL logs; an error is one that refused its word, which then
     * completes without a result. NULL: nobody listens. */
    void (*kernel_line)(void *context, int engine, bool error, const char *line);
    void *kernel_context;

    /* Numeric events (engine/numeric.h): causes that somebody wants to know of, and those met. */
    unsigned numeric_wanted;
    _Atomic uint32_t numeric_met;
};

typedef trn_status (*trn_handler)(struct trn_exec *x);

struct trn_engine_op {
    uint8_t opcode;
    trn_handler run;
};

/* Handlers of this version, each array ending with a NULL `run`. */
extern const struct trn_engine_op trn_pe_ops[];
extern const struct trn_engine_op trn_vector_ops[];
extern const struct trn_engine_op trn_act_ops[];
extern const struct trn_engine_op trn_pool_ops[];

/* Handler of a compute opcode, NULL when this version does not model it. Whether the opcode is
 * legal on the engine is the sequencer's question (opcodes.csv, engines). */
trn_handler trn_engine_handler(uint8_t opcode);

/* A handler follows when it sees to it, before it reads or writes memory, that lanes of the word
 * before are done (trn_workers_settle): they may still be computed when it is called. */
bool trn_engine_follows(trn_handler handler);

/* Fill x->fault and return TRN_ERR_FAULT. `rule` may be NULL. */
trn_status trn_exec_fault(struct trn_exec *x, enum trn_fault_class klass, const char *rule,
                          const char *format, ...) TRN_PRINTF(4, 5);

/* Record that the result rests on a model choice. */
static inline void trn_exec_choice(struct trn_exec *x, enum trn_choice choice)
{
    x->choices->count[choice]++;
}

#endif
