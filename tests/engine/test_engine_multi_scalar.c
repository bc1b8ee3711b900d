/* SPDX-License-Identifier: Apache-2.0 */
/* The worked examples of docs/hardware/tensor-scalar-multi.md 9: bit patterns, encodings, and words
 * that are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "engine/vector_core.h"
#include "trench/isa.h"

enum { SUNDA, CAYMAN, MARIANA, MARIANA_PLUS, MAVERICK };
enum { DVE = TRN_NEURON_ENGINE_DVE };
enum { SRC = 0x100, DST = 0x200 };

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- words, byte by byte (2, 3) ---------------------------------------------------- */

static void begin(uint8_t *w, uint8_t opcode)
{
    memset(w, 0, TRN_INST_BYTES);
    w[0] = opcode;
    w[1] = 0x10;
}

static void put_counts(uint8_t *at, const uint16_t *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        trn_put16(at + 2 * i, values[i]);
}

/* W slices of `x` adjacent elements, FP32 in, one channel. */
static void multi_word(uint8_t *w, uint8_t opcode, uint16_t x, uint16_t slices, uint8_t out,
                       uint8_t op, uint8_t reverse)
{
    begin(w, opcode);
    const uint16_t step[4] = {1, 0, 0, x}, num[4] = {x, 1, 1, slices};
    trn_put32(w + 12, SRC);
    put_counts(w + 16, step, 4);
    put_counts(w + 24, num, 4);
    w[32] = TRN_DTYPE_FP32;
    w[33] = out;
    w[34] = 1;
    w[36] = op;
    w[37] = 0x04; /* XYZ */
    w[38] = reverse;
    trn_put32(w + 44, DST);
    put_counts(w + 48, step, 4);
    put_counts(w + 56, num, 4);
}

/* `columns` times `rows` scalars at byte 0. */
static void load_word(uint8_t *w, uint8_t opcode, uint16_t columns, uint16_t rows)
{
    begin(w, opcode);
    const uint16_t step[2] = {1, columns}, num[2] = {columns, rows};
    put_counts(w + 20, step, 2);
    put_counts(w + 24, num, 2);
    w[32] = TRN_DTYPE_FP32;
    w[34] = 1;
}

static const char *broken_rule(unsigned gen, const uint8_t *w)
{
    static struct trn_violation found[8];
    const struct trn_check_options options = {.engine = DVE};
    size_t count = 0;
    trn_check_word(trn_gen_at(gen), w, &options, found, COUNT(found), &count);
    for (size_t i = 0; i < count && i < COUNT(found); i++)
        if (!found[i].warning)
            return found[i].rule;
    return "";
}

static void run(struct core *core, const uint8_t *w)
{
    assert_string_equal(broken_rule(SUNDA, w), "");
    if (core_run(core, DVE, w) != TRN_OK)
        fail_msg("refused: %s %s", core->fault.rule, core->fault.message);
}

static void put(struct core *core, uint32_t byte, const void *data, size_t size)
{
    assert_int_equal(core_poke(core, TRN_SPACE_SBUF, 0, byte, data, size), TRN_OK);
}

static void expect(struct core *core, const void *wanted, size_t size)
{
    uint8_t got[256];
    assert_true(size <= sizeof got);
    assert_int_equal(core_peek(core, TRN_SPACE_SBUF, 0, DST, got, size), TRN_OK);
    assert_memory_equal(got, wanted, size);
}

/* ---- 9.1 ---------------------------------------------------------------------------- */

static void test_singular_example_of_the_sheet(void **state)
{
    static const float scalars[3] = {2.0f, 0.5f, 1.5f};
    static const float src[12] = {1.0f,  2.0f, -3.0f, 0.5f,   4.0f,   0.25f,
                                  -1.0f, 8.0f, 10.0f, 100.0f, 0.001f, 3.0f};
    static const uint32_t wanted[12] = {0xBF800000, 0x00000000, 0xC0A00000, 0xBFC00000,
                                        0x40600000, 0xBE800000, 0xBFC00000, 0x40F00000,
                                        0x41080000, 0x42C50000, 0xBFBFDF3B, 0x3FC00000};
    uint8_t w[TRN_INST_BYTES];
    struct core core;
    (void)state;
    assert_true(core_open(&core, trn_gen_at(SUNDA), 1));
    put(&core, 0, scalars, sizeof scalars);
    put(&core, SRC, src, sizeof src);
    load_word(w, 0x70, 3, 1);
    run(&core, w);
    multi_word(w, 0x4F, 4, 3, TRN_DTYPE_FP32, TRN_ALU_OP_SUBTRACT, TRN_REV_OPS_NONE);
    run(&core, w);
    expect(&core, wanted, sizeof wanted);

    uint32_t negated[12]; /* s - src: the signs change, 0 stays +0 */
    for (size_t i = 0; i < COUNT(negated); i++)
        negated[i] = wanted[i] ? wanted[i] ^ 0x80000000 : 0;
    multi_word(w, 0x4F, 4, 3, TRN_DTYPE_FP32, TRN_ALU_OP_SUBTRACT, TRN_REV_OPS_BOTH);
    run(&core, w);
    expect(&core, negated, sizeof negated);
    core_close(&core);
}

/* ---- 9.2 to 9.4 --------------------------------------------------------------------- */

static void load_pairs(struct core *core)
{
    static const uint32_t pairs[4] = {0x3F000000, 0x40000000, 0xBF800000, 0x3DCCCCCD};
    static const float src[6] = {1, 2, 3, 10, 20, 30};
    uint8_t w[TRN_INST_BYTES];
    assert_true(core_open(core, trn_gen_at(SUNDA), 1));
    put(core, 0, pairs, sizeof pairs);
    put(core, SRC, src, sizeof src);
    load_word(w, 0x70, 2, 2);
    run(core, w);
}

static void test_dual_example_of_the_sheet(void **state)
{
    static const uint32_t fp32[6] = {0x40400000, 0x40A00000, 0x40E00000,
                                     0x3F666667, 0x3FF33333, 0x4039999A};
    static const uint16_t bf16[6] = {0x4040, 0x40A0, 0x40E0, 0x3F66, 0x3FF3, 0x403A};
    uint8_t w[TRN_INST_BYTES];
    struct core core;
    (void)state;
    load_pairs(&core);
    multi_word(w, 0x87, 3, 2, TRN_DTYPE_FP32, TRN_ALU_OP_ADD, TRN_REV_OPS_NONE);
    run(&core, w);
    expect(&core, fp32, sizeof fp32);
    multi_word(w, 0x87, 3, 2, TRN_DTYPE_BFLOAT16, TRN_ALU_OP_ADD, TRN_REV_OPS_NONE);
    run(&core, w);
    expect(&core, bf16, sizeof bf16);
    core_close(&core);
}

static void test_four_reverse_settings_of_the_sheet(void **state)
{
    static const uint32_t forward[6] = {0x3F800000, 0x40400000, 0x40A00000,
                                        0x3F8CCCCD, 0x40066667, 0x40466667};
    uint8_t w[TRN_INST_BYTES];
    struct core core;
    (void)state;
    load_pairs(&core);
    for (uint8_t reverse = TRN_REV_OPS_NONE; reverse <= TRN_REV_OPS_BOTH; reverse++) {
        const bool first = reverse == TRN_REV_OPS_FIRST || reverse == TRN_REV_OPS_BOTH;
        uint32_t wanted[6];
        for (size_t i = 0; i < COUNT(wanted); i++)
            wanted[i] = forward[i] ^ (first ? 0x80000000 : 0);
        multi_word(w, 0x87, 3, 2, TRN_DTYPE_FP32, TRN_ALU_OP_SUBTRACT, reverse);
        run(&core, w);
        expect(&core, wanted, sizeof wanted);
    }
    core_close(&core);
}

/* 9.4, the numbers as the sheet prints them. */
static void test_encoding_of_the_sheet(void **state)
{
    static const uint8_t source[16] = {1, 0, 0, 0, 0, 0, 3, 0, 3, 0, 1, 0, 1, 0, 2, 0};
    static const uint8_t types[12] = {0x0A, 0x06, 0x01, 0x00, 0x04, 0x04, 0x00, 0, 0, 0, 0, 0};
    static const uint8_t load[8] = {1, 0, 2, 0, 2, 0, 2, 0};
    static const char text[] =
        ".gen sunda\n.engine dve\n"
        "tensor_scalar_imm_ld_arith src=sbuf[p0,0]:(2,2) dtype=fp32 ch=1\n"
        "tensor_scalar_ptr_multi_dual_arith src=sbuf[p0,0x100]:(3,1,1,2)/(1,0,0,3) in=fp32\n"
        "  dst=sbuf[p0,0x200]:(3,1,1,2)/(1,0,0,3) out=bf16 ch=1 op=add op_dim=xyz\n";
    struct trn_program program;
    uint8_t w[TRN_INST_BYTES];
    (void)state;
    multi_word(w, 0x87, 3, 2, TRN_DTYPE_BFLOAT16, TRN_ALU_OP_ADD, TRN_REV_OPS_NONE);
    assert_memory_equal(w + 16, source, sizeof source);
    assert_memory_equal(w + 32, types, sizeof types);
    assert_memory_equal(w + 48, source, sizeof source);
    assert_int_equal(trn_asm(text, sizeof text - 1, NULL, &program, NULL, NULL, NULL), TRN_OK);
    assert_int_equal(program.streams[0].num_words, 2);
    assert_memory_equal(program.streams[0].words + TRN_INST_BYTES, w, sizeof w);
    load_word(w, 0x70, 2, 2);
    assert_memory_equal(w + 20, load, sizeof load);
    assert_memory_equal(program.streams[0].words, w, sizeof w);
    trn_program_free(&program);
}

/* ---- 9.5 ---------------------------------------------------------------------------- */

/* A byte of a valid word is changed, or two. `rule` of each generation, "" where it is accepted. */
struct negative {
    uint8_t opcode;
    struct {
        uint8_t offset, value;
    } change[2];
    const char *rule[TRN_GEN_COUNT];
};

#define EVERY(rule)                                                                                \
    {                                                                                              \
        rule, rule, rule, rule, rule                                                               \
    }
#define LATER(sunda, rule)                                                                         \
    {                                                                                              \
        sunda, rule, rule, rule, rule                                                              \
    }

static const struct negative negatives[] = {
    {0x4F, {{38, 1}}, EVERY("R8")},
    {0x4F, {{38, 2}}, EVERY("R8")},
    {0x4F, {{38, 3}}, EVERY("")},
    {0x87, {{38, 1}}, LATER("", "is_valid_opcode")},
    {0x87, {{30, 5}, {62, 5}}, LATER("has_valid_src_slices_tsm_dual", "is_valid_opcode")},
    {0x87, {{30, 4}, {62, 4}}, LATER("", "is_valid_opcode")},
    {0x88, {{0, 0x88}}, LATER("disabled_opcode", "is_valid_opcode")},
    {0x88, {{35, 1}}, LATER("disabled_opcode", "is_valid_opcode")},
    {0x4F, {{30, 9}, {62, 9}}, EVERY("R3")},
    {0x4F, {{30, 8}, {62, 8}}, EVERY("")},
    {0x5F, {{32, TRN_DTYPE_INT16}, {33, TRN_DTYPE_INT16}}, EVERY("R5")},
    {0x5F, {{32, TRN_DTYPE_UINT32}, {33, TRN_DTYPE_UINT32}}, EVERY("")},
    {0x5F, {{36, 0x1C}}, EVERY("")}, /* CRC32 */
    {0x4F, {{36, 0x07}}, EVERY("R4")},
    {0x4F, {{36, 0x1A}}, EVERY("R4")},
    {0x4F, {{36, 0x1B}}, EVERY("R4")},
    {0x4F, {{36, 0x1D}}, EVERY("R4")},
    {0x4F, {{36, 0xC4}}, EVERY("R4")},
    {0x4F, {{36, 0x20}}, {"R4", "R4", "", "", ""}},
    {0x4F, {{32, TRN_DTYPE_FP32R}}, EVERY("R7")},
    {0x4F, {{33, TRN_DTYPE_FP32R}}, EVERY("")},
    {0x4F, {{35, 1}}, EVERY("R6")},
    {0x4F, {{39, 1}}, EVERY("R6")},
    {0x4F, {{43, 1}}, EVERY("R6")},
    {0x4F, {{37, 5}}, EVERY("R9")},
    {0x71, {{32, TRN_DTYPE_INT8}}, EVERY("L5")},
    {0x70, {{32, TRN_DTYPE_INT8}}, EVERY("")},
    {0x70, {{24, 9}}, EVERY("L3")},
    {0x70, {{30, 0x80}, {31, 0x3F}}, EVERY("L4")},
    {0x70, {{31, 0x80}}, EVERY("")}, /* -0.0 compares equal to 0.0 */
    /* nine scalars of a shape register: SUNDA has none, and its address marker says so first */
    {0x70, {{19, 0x40}, {24, 9}}, LATER("addr4_marker", "")},
};

static void base_word(uint8_t *w, uint8_t opcode)
{
    if (opcode == 0x70 || opcode == 0x71) {
        load_word(w, opcode, 2, 1);
        if (opcode == 0x71)
            w[32] = TRN_DTYPE_UINT32;
        return;
    }
    const bool bitvec = opcode == 0x5F;
    multi_word(w, opcode, 2, 2, bitvec ? TRN_DTYPE_UINT32 : TRN_DTYPE_FP32,
               bitvec ? TRN_ALU_OP_BITWISE_AND : TRN_ALU_OP_ADD, TRN_REV_OPS_NONE);
    if (bitvec)
        w[32] = TRN_DTYPE_UINT32;
}

/* The sheet names the rule that a word breaks; several rules may say the same of one byte. */
static bool breaks(unsigned gen, const uint8_t *w, const char *rule)
{
    struct trn_violation found[16];
    const struct trn_check_options options = {.engine = DVE};
    size_t count = 0, errors = 0, named = 0;
    trn_check_word(trn_gen_at(gen), w, &options, found, COUNT(found), &count);
    for (size_t i = 0; i < count && i < COUNT(found); i++) {
        errors += !found[i].warning;
        named += strcmp(found[i].rule, rule) == 0;
    }
    const bool stops = strcmp(rule, "disabled_opcode") == 0;
    return *rule ? named == 1 && (!stops || errors == 1) : errors == 0;
}

static void test_negative_vectors_of_the_sheet(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(negatives); i++)
        for (unsigned gen = SUNDA; gen <= MAVERICK; gen++) {
            const struct negative *n = &negatives[i];
            uint8_t w[TRN_INST_BYTES];
            base_word(w, n->opcode);
            for (size_t c = 0; c < COUNT(n->change); c++)
                if (n->change[c].offset)
                    w[n->change[c].offset] = n->change[c].value;
            if (!breaks(gen, w, n->rule[gen]))
                fail_msg("vector %zu on %s: %s instead of '%s'", i, trn_gen_at(gen)->name,
                         broken_rule(gen, w), n->rule[gen]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_singular_example_of_the_sheet),
        cmocka_unit_test(test_dual_example_of_the_sheet),
        cmocka_unit_test(test_four_reverse_settings_of_the_sheet),
        cmocka_unit_test(test_encoding_of_the_sheet),
        cmocka_unit_test(test_negative_vectors_of_the_sheet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
