/* SPDX-License-Identifier: Apache-2.0 */
/* One PE core with small operands in it, for the tests of PE words; include cmocka.h first. Right
 * values are small integers and powers of two whose sums are exact in any order, or stand in a
 * comment beside the test; sections named there are those of docs/hardware/pe-array.md. */
#ifndef TESTS_ENGINE_PE_SCENE_H
#define TESTS_ENGINE_PE_SCENE_H

#include "pe_core.h"
#include "pe_words.h"

enum { SUNDA, CAYMAN, MARIANA, MARIANA_PLUS, MAVERICK, GENS };

static struct pe_core core;

static inline void begin(int gen)
{
    assert_true(pe_core_open(&core, trn_gen_at((unsigned)gen), 1));
}

static inline void end(void)
{
    pe_core_close(&core);
}

/* ---- memory ------------------------------------------------------------------------ */

static inline uint16_t bf16(float value)
{
    return (uint16_t)(trn_f32_bits(value) >> 16); /* callers give values that BF16 holds */
}

static inline void poke_bf16(uint32_t partition, uint32_t byte, float value)
{
    const uint16_t bits = bf16(value);
    assert_int_equal(pe_core_poke(&core, TRN_SPACE_SBUF, partition, byte, &bits, 2), TRN_OK);
}

static inline void poke_f32(enum trn_space space, uint32_t partition, uint32_t byte, float value)
{
    assert_int_equal(pe_core_poke(&core, space, partition, byte, &value, 4), TRN_OK);
}

static inline uint32_t cell_bits(uint32_t partition, uint32_t byte)
{
    uint32_t bits;
    assert_int_equal(pe_core_peek(&core, TRN_SPACE_PSUM, partition, byte, &bits, 4), TRN_OK);
    return bits;
}

static inline float cell(uint32_t partition, uint32_t byte)
{
    return trn_bits_f32(cell_bits(partition, byte));
}

/* Weights and moving values live in SBUF from these bytes on. */
enum { WEIGHTS = 0, MOVING = 0x1000 };

static inline uint32_t sbuf(uint32_t partition, uint32_t byte)
{
    return partition * core.gen->sbuf_stride + byte;
}

static inline uint32_t psum(uint32_t partition, uint32_t byte)
{
    return core.gen->psum_base + partition * core.gen->psum_stride + byte;
}

/* `count` equal BF16 values on partitions first .. first+rows-1. */
static inline void fill(uint32_t first, uint32_t rows, uint32_t byte, uint32_t count, float value)
{
    for (uint32_t r = first; r < first + rows; r++)
        for (uint32_t i = 0; i < count; i++)
            poke_bf16(r, byte + 2 * i, value);
}

/* ---- words ------------------------------------------------------------------------- */

static inline void run_ok(const uint8_t *word)
{
    if (pe_core_run(&core, word) != TRN_OK)
        fail_msg("%s: %s", core.gen->name, core.fault.message);
}

static inline void load(struct pe_spec spec)
{
    uint8_t word[64];
    pe_ldweights(core.gen, &spec, word);
    run_ok(word);
}

static inline void multiply(struct pe_spec spec)
{
    uint8_t word[64];
    pe_matmul(core.gen, &spec, word);
    run_ok(word);
}

/* `rows` x `columns` weights in WEIGHTS; they go through the tile backwards unless reversed here.
 */
static inline struct pe_spec weights(uint8_t rows, uint8_t columns)
{
    return (struct pe_spec){.dtype = TRN_DTYPE_BFLOAT16,
                            .rows = rows,
                            .columns = columns,
                            .src = {.address = sbuf(0, WEIGHTS), .num = {columns}}};
}

/* `count` moving values in MOVING, results from PSUM byte `byte` of partition 0 on. */
static inline struct pe_spec moving(uint8_t rows, uint8_t columns, uint16_t count, uint32_t byte,
                                    uint8_t flags)
{
    return (struct pe_spec){.dtype = TRN_DTYPE_BFLOAT16,
                            .rows = rows,
                            .columns = columns,
                            .src = {.address = sbuf(0, MOVING), .num = {count}},
                            .dst = {.address = psum(0, byte), .num = {count}},
                            .flags = flags};
}

static inline uint8_t single(void)
{
    return core.gen->isa == 3 ? 0 : TRN_PSUM_ACCUM_FLAGS_SINGLE;
}

static inline void expect_fault(const uint8_t *word, enum trn_fault_class klass, const char *rule,
                                const char *part)
{
    assert_int_equal(pe_core_run(&core, word), TRN_ERR_FAULT);
    assert_int_equal(core.fault.klass, klass);
    assert_string_equal(core.fault.rule, rule);
    if (!strstr(core.fault.message, part))
        fail_msg("\"%s\" does not say \"%s\"", core.fault.message, part);
}

/* One row, one column, weight 1: the cell at `byte` gets +1 or 1. */
static inline void begin_ones(int gen)
{
    begin(gen);
    fill(0, 1, WEIGHTS, 1, 1);
    fill(0, 1, MOVING, 512, 1);
    load(weights(1, 1));
}

static inline void ones(uint32_t byte, uint16_t count, uint8_t flags)
{
    multiply(moving(1, 1, count, byte, flags));
}

static inline struct pe_spec as_fp32(struct pe_spec spec, enum trn_pe_fp32mode mode)
{
    spec.dtype = TRN_DTYPE_FP32;
    spec.fp32_mode = (uint8_t)mode;
    return spec;
}

#endif
