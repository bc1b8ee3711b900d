/* SPDX-License-Identifier: Apache-2.0 */
/* A core reduced to what vector words touch: memory, engine state, registers, and words to run. */
#ifndef TESTS_ENGINE_VECTOR_CORE_H
#define TESTS_ENGINE_VECTOR_CORE_H

#include <stdio.h>
#include <string.h>

#include "engine/exec.h"
#include "engine/state.h"
#include "isa_fields.h"
#include "trench/enums.h"

struct core {
    const struct trn_gen *gen;
    struct trn_mem *mem;
    struct trn_engine_state *state;
    struct trn_workers *workers;
    struct trn_regs regs;
    struct trn_choices choices;
    struct trn_fault fault;
    unsigned numeric_wanted; /* engine/numeric.h: causes that words look for */
    uint32_t numeric_met;    /* by all words so far */
    char kernel_error[192];  /* last line that a kernel of POOL logged about an error */
};

static inline bool core_open(struct core *core, const struct trn_gen *gen, unsigned threads)
{
    *core = (struct core){.gen = gen};
    return trn_mem_create(gen, NULL, &core->mem, NULL) == TRN_OK &&
           trn_engine_state_create(gen, &core->state) == TRN_OK &&
           trn_workers_create(threads, &core->workers) == TRN_OK;
}

static inline void core_close(struct core *core)
{
    trn_workers_destroy(core->workers);
    trn_engine_state_destroy(core->state);
    trn_mem_destroy(core->mem);
}

static inline void core_kernel_line(void *context, int engine, bool error, const char *line)
{
    struct core *core = context;
    (void)engine;
    if (error)
        snprintf(core->kernel_error, sizeof core->kernel_error, "%s", line);
}

/* TRN_ERR_NOT_FOUND when no engine has a handler for the opcode. */
static inline trn_status core_run(struct core *core, int engine, const uint8_t *word)
{
    core->fault = (struct trn_fault){0};
    struct trn_exec x = {.gen = core->gen,
                         .engine = engine,
                         .word = word,
                         .mem = core->mem,
                         .regs = &core->regs,
                         .state = core->state,
                         .workers = core->workers,
                         .choices = &core->choices,
                         .fault = &core->fault,
                         .kernel_line = core_kernel_line,
                         .kernel_context = core,
                         .numeric_wanted = core->numeric_wanted};
    const trn_handler handler = trn_engine_handler(trn_common_opcode(word, core->gen->isa));
    const trn_status status = handler ? handler(&x) : TRN_ERR_NOT_FOUND;
    trn_workers_settle(core->workers);
    core->numeric_met |= x.numeric_met;
    return status;
}

static inline uint64_t core_offset(const struct core *core, enum trn_space space,
                                   uint32_t partition, uint32_t byte)
{
    const bool psum = space == TRN_SPACE_PSUM;
    return (uint64_t)partition * (psum ? core->gen->psum_stride : core->gen->sbuf_stride) + byte;
}

/* Bytes of a partition, as the host reaches them. */
static inline trn_status core_poke(struct core *core, enum trn_space space, uint32_t partition,
                                   uint32_t byte, const void *data, size_t size)
{
    return trn_mem_window_write(core->mem, space, core_offset(core, space, partition, byte), data,
                                size, trn_origin_host());
}

static inline trn_status core_peek(struct core *core, enum trn_space space, uint32_t partition,
                                   uint32_t byte, void *data, size_t size)
{
    return trn_mem_window_read(core->mem, space, core_offset(core, space, partition, byte), data,
                               size, trn_origin_host());
}

#endif
