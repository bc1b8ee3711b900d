/* SPDX-License-Identifier: Apache-2.0 */
/* A core reduced to what PE words touch: memory, engine state, and words to run. */
#ifndef TESTS_ENGINE_PE_CORE_H
#define TESTS_ENGINE_PE_CORE_H

#include <string.h>

#include "engine/exec.h"
#include "engine/state.h"
#include "isa_fields.h"
#include "trench/enums.h"

struct pe_core {
    const struct trn_gen *gen;
    struct trn_mem *mem;
    struct trn_engine_state *state;
    struct trn_workers *workers;
    struct trn_regs regs;
    struct trn_choices choices;
    struct trn_fault fault;
    unsigned numeric_wanted; /* engine/numeric.h: causes that words look for */
    uint32_t numeric_met;    /* by all words so far */
};

static inline bool pe_core_open(struct pe_core *core, const struct trn_gen *gen, unsigned threads)
{
    *core = (struct pe_core){.gen = gen};
    return trn_mem_create(gen, NULL, &core->mem, NULL) == TRN_OK &&
           trn_engine_state_create(gen, &core->state) == TRN_OK &&
           trn_workers_create(threads, &core->workers) == TRN_OK;
}

static inline void pe_core_close(struct pe_core *core)
{
    trn_workers_destroy(core->workers);
    trn_engine_state_destroy(core->state);
    trn_mem_destroy(core->mem);
}

static inline trn_status pe_core_run(struct pe_core *core, const uint8_t *word)
{
    core->fault = (struct trn_fault){0};
    struct trn_exec x = {.gen = core->gen,
                         .engine = TRN_NEURON_ENGINE_PE,
                         .word = word,
                         .mem = core->mem,
                         .regs = &core->regs,
                         .state = core->state,
                         .workers = core->workers,
                         .choices = &core->choices,
                         .fault = &core->fault,
                         .numeric_wanted = core->numeric_wanted};
    const trn_status status = trn_engine_handler(trn_common_opcode(word, core->gen->isa))(&x);
    core->numeric_met |= x.numeric_met;
    return status;
}

/* Bytes of a partition, as the host reaches them. */
static inline trn_status pe_core_poke(struct pe_core *core, enum trn_space space,
                                      uint32_t partition, uint32_t byte, const void *data,
                                      size_t size)
{
    const uint32_t stride =
        space == TRN_SPACE_PSUM ? core->gen->psum_stride : core->gen->sbuf_stride;
    return trn_mem_window_write(core->mem, space, (uint64_t)partition * stride + byte, data, size,
                                trn_origin_host());
}

static inline trn_status pe_core_peek(struct pe_core *core, enum trn_space space,
                                      uint32_t partition, uint32_t byte, void *data, size_t size)
{
    const uint32_t stride =
        space == TRN_SPACE_PSUM ? core->gen->psum_stride : core->gen->sbuf_stride;
    return trn_mem_window_read(core->mem, space, (uint64_t)partition * stride + byte, data, size,
                               trn_origin_host());
}

#endif
