/* SPDX-License-Identifier: Apache-2.0 */
/* A core with programs in its memory, for the tests of the sequencer and the device. */
#ifndef TESTS_SEQ_FIXTURE_H
#define TESTS_SEQ_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "isa_fields.h"
#include "trench/device.h"
#include "trench/enums.h"

enum { PE, ACT, POOL, DVE, SP };

/* A program under construction: words one after another. */
struct program {
    unsigned isa;
    size_t num_words;
    uint8_t word[128][TRN_INST_BYTES];
};

static inline struct program program_for(const struct trn_gen *gen)
{
    return (struct program){.isa = gen->isa};
}

/* A new word of this opcode: header set, the rest 0. */
uint8_t *add(struct program *program, uint8_t opcode);

/* Set the wait or the update of a word; both share `value`. */
void set_wait(uint8_t *word, uint8_t mode, uint8_t index, uint32_t value);
void set_update(uint8_t *word, uint8_t mode, uint8_t index, uint32_t value);

/* MOVE of one immediate into a register. */
void add_move(struct program *program, uint8_t reg, uint32_t value);
/* COMPARE_BRANCH with a relative immediate target, counted in words from the branch. */
uint8_t *add_branch(struct program *program, uint8_t compare, uint8_t reg, uint32_t immediate,
                    int32_t words);

struct fixture {
    const struct trn_gen *gen;
    struct trn_device *device;
    struct trn_run_report report;
};

/* Fails the test when the device cannot be made. */
struct fixture open_core(const struct trn_gen *gen, const struct trn_device_options *options);
void close_core(struct fixture *core);

/* Device address of an engine's queue. */
uint64_t queue_of(int engine);
/* Put the program into memory and start the engine on it. */
void start(struct fixture *core, int engine, const struct program *program);
/* Run to the end (or to `limit` words) into core->report. */
enum trn_run_status run(struct fixture *core, uint64_t limit);

uint32_t reg_of(const struct fixture *core, int engine, unsigned index);
uint32_t sem_of(const struct fixture *core, unsigned index);
void set_sem(struct fixture *core, unsigned index, uint32_t value);
void set_event(struct fixture *core, unsigned index, bool value);
uint32_t hbm32(struct fixture *core, uint64_t offset);

/* The only fault so far is of this engine and class; `rule` NULL: any. */
void expect_fault(const struct fixture *core, int engine, const char *klass, const char *rule);

#endif
