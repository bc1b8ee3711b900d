/* SPDX-License-Identifier: Apache-2.0 */
/* Words of the array, of its converter table and the decoder behind the same opcode, and of the
 * multi-scalar family that every static rule accepts run: what they can still be refused for is in
 * a register, in an index list, or not specified. And a word that a rule refuses names that rule
 * when registers bring the same fault in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "pe_scene.h"
#include "support/wordgen.h"

enum { PATTERNS = 3 };

/* Where the patterns of a layout begin, and how many ADDR4 there. */
struct form {
    uint8_t opcode;
    int engine;
    struct {
        uint8_t at, addresses;
    } pattern[PATTERNS];
};

static const struct form forms[] = {
    {TRN_OPCODE_LDWEIGHTS, TRN_NEURON_ENGINE_PE, {{16, 1}}},
    {TRN_OPCODE_MATMUL, TRN_NEURON_ENGINE_PE, {{16, 1}, {48, 1}}},
    {TRN_OPCODE_LDTAGS, TRN_NEURON_ENGINE_PE, {{16, 1}}},
    {TRN_OPCODE_MATMUL_SPARSE, TRN_NEURON_ENGINE_PE, {{12, 1}, {48, 1}}},
    {TRN_OPCODE_PE_MANAGE_SEED, TRN_NEURON_ENGINE_PE, {{12, 1}, {24, 1}, {36, 1}}},
    {TRN_OPCODE_LDWEIGHTS_MX, TRN_NEURON_ENGINE_PE, {{16, 2}}},
    {TRN_OPCODE_MATMUL_MX, TRN_NEURON_ENGINE_PE, {{16, 2}, {48, 1}}},
    {TRN_OPCODE_QUANTIZE_MX, TRN_NEURON_ENGINE_DVE, {{16, 1}, {48, 2}}},
    {TRN_OPCODE_CONV_LUT_LOAD, TRN_NEURON_ENGINE_PE, {{16, 1}}},
    {TRN_OPCODE_CONV_LUT_LOAD, TRN_NEURON_ENGINE_POOL, {{16, 1}}},
    {TRN_OPCODE_EXTENDED_INST, TRN_NEURON_ENGINE_POOL, {{16, 1}, {48, 1}}},
    {TRN_OPCODE_TENSOR_SCALAR_PTR_ARITH_OP, TRN_NEURON_ENGINE_DVE, {{16, 1}, {48, 1}}},
    {TRN_OPCODE_TENSOR_SCALAR_PTR_BITVEC_OP, TRN_NEURON_ENGINE_DVE, {{16, 1}, {48, 1}}},
    {TRN_OPCODE_TENSOR_SCALAR_PTR_MULTI_ARITH, TRN_NEURON_ENGINE_DVE, {{12, 1}, {44, 1}}},
    {TRN_OPCODE_TENSOR_SCALAR_PTR_MULTI_BITVEC, TRN_NEURON_ENGINE_DVE, {{12, 1}, {44, 1}}},
    {TRN_OPCODE_TENSOR_SCALAR_IMM_LD_ARITH, TRN_NEURON_ENGINE_DVE, {{16, 1}}},
    {TRN_OPCODE_TENSOR_SCALAR_IMM_LD_BITVEC, TRN_NEURON_ENGINE_DVE, {{16, 1}}},
    {TRN_OPCODE_TENSOR_SCALAR_PTR_MULTI_DUAL_ARITH, TRN_NEURON_ENGINE_DVE, {{12, 1}, {44, 1}}},
};

/* Whether an address or a shape comes from somewhere else than the word: its marker bits say so. */
static bool looks_elsewhere(const struct form *form, const uint8_t *word)
{
    for (size_t p = 0; p < PATTERNS; p++)
        for (unsigned a = 0; a < form->pattern[p].addresses; a++)
            if (word[form->pattern[p].at + 4 * a + 3] & 0xE0)
                return true;
    return false;
}

static trn_status run(const struct form *form, const uint8_t *word)
{
    core.fault = (struct trn_fault){0};
    struct trn_exec x = {.gen = core.gen,
                         .engine = form->engine,
                         .word = word,
                         .mem = core.mem,
                         .regs = &core.regs,
                         .state = core.state,
                         .workers = core.workers,
                         .choices = &core.choices,
                         .fault = &core.fault};
    return trn_engine_handler(form->opcode)(&x);
}

static void check(const struct form *form, const uint8_t *word)
{
    const trn_status status = run(form, word);
    if (status == TRN_OK || looks_elsewhere(form, word))
        return;
    if (core.fault.klass == TRN_FAULT_MISSING_SPECIFICATION ||
        strcmp(core.fault.rule, "UNSUPPORTED_LEG") == 0)
        return; /* legal, and PE has no body for it (convlut.md 6.3) */
    char text[3 * 64 + 1];
    for (size_t i = 0; i < 64; i++)
        snprintf(text + 3 * i, 4, "%02x ", word[i]);
    fail_msg("%s: a valid word faults: %s: %s\n%s", core.gen->name, core.fault.rule,
             core.fault.message, text);
}

/* A valid word; of EXTENDED_INST the CPTC one, the others are no words of this test. */
static void draw(struct trn_wordgen *g, const struct trn_wordgen_want *want, uint8_t *word)
{
    enum { TRIES = 1000 };
    for (unsigned n = 0; n < TRIES; n++) {
        assert_true(trn_wordgen_valid(g, core.gen, want, word));
        if (want->opcode != TRN_OPCODE_EXTENDED_INST ||
            trn_extended_cptc_extended_opcode(word, core.gen->isa) ==
                TRN_EXTENDED_OPCODE_CPTC_DECODE)
            return;
    }
    fail_msg("%s: no word of CPTC_DECODE", core.gen->name);
}

static void test_a_valid_word_never_faults_for_its_form(void **state)
{
    (void)state;
    enum { WORDS = 300 };
    static struct trn_wordgen g;
    unsigned run_words = 0;
    for (int gen = SUNDA; gen < GENS; gen++) {
        begin(gen);
        for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
            const struct trn_wordgen_want want = {.opcode = forms[f].opcode,
                                                  .engine = forms[f].engine};
            if (!trn_wordgen_possible(core.gen, &want))
                continue;
            g = trn_wordgen_init(100 * (uint64_t)f + (uint64_t)gen);
            for (unsigned n = 0; n < WORDS; n++) {
                uint8_t word[TRN_INST_BYTES];
                draw(&g, &want, word);
                trn_pe_reset(&core.state->pe); /* cells of another class are no matter of form */
                check(&forms[f], word);
                run_words++;
            }
        }
        end();
    }
    /* dense, multi-scalar and pointer words everywhere, 0x87 on SUNDA; sparse words and POOL's two
     * from CAYMAN on; block-scaled ones and PE's 0xe4 from MARIANA on; seeds on the two of v4 */
    assert_int_equal(run_words, WORDS * (9 + 12 + 17 + 17 + 16));
}

/* ---- descriptors of MAVERICK (10.1) -------------------------------------------------------- */

static uint32_t pick(struct trn_wordgen *g, const uint32_t *values, uint32_t count)
{
    return values[trn_wordgen_below(g, count)];
}

/* LDWEIGHTS or MATMUL with an MXTENSOR_V2, most of whose fields agree. */
static void draw_descriptor(struct trn_wordgen *g, uint8_t opcode, uint8_t word[64])
{
    static const uint32_t types[] = {0x0D, 0x0E, 0x0F, 0x10, 0x11, 0x12, TRN_DTYPE_FP32},
                          starts[] = {0, 0, 0, 32, 64}, scales[] = {TRN_DTYPE_SFP8_E8, 0, 0x14};
    const bool loads = opcode == TRN_OPCODE_LDWEIGHTS;
    const uint32_t num[] = {trn_wordgen_below(g, 40), 1 + trn_wordgen_below(g, 3)},
                   count = num[0] * num[1], active = core.gen->sbuf_active_bytes,
                   bytes[] = {0, 4 * trn_wordgen_below(g, 64),
                              active - 4 * trn_wordgen_below(g, 64), trn_wordgen_below(g, active)},
                   steps[] = {num[0], num[0], -num[0], trn_wordgen_below(g, 0x10000)},
                   row_size = 6 + trn_wordgen_below(g, 2);
    memset(word, 0, 64);
    memcpy(word, (const uint8_t[]){opcode, 0x10}, 2);
    trn_put32(word + 16, sbuf(0, pick(g, bytes, 4)) | 1u << 24);
    trn_put32(word + 20, sbuf(pick(g, starts, 5) + 4 * trn_wordgen_below(g, 5), pick(g, bytes, 4)));
    memcpy(word + 24, (const uint8_t[]){(uint8_t)num[0], (uint8_t)num[1]}, 2);
    trn_put16(word + 26, (uint16_t)pick(g, steps, 4));
    trn_put16(word + 28, (uint16_t)pick(g, steps, 4));
    word[30] = 3 | 2 << 4;
    word[31] = (uint8_t)pick(g, scales, 3);
    word[32] = (uint8_t)pick(g, types, 7);
    const uint32_t columns = loads ? count : 1 + trn_wordgen_below(g, 128);
    const uint8_t tile[] = {(uint8_t)(1 + trn_wordgen_below(g, 1u << row_size)), (uint8_t)columns,
                            (uint8_t)(row_size | 7 << 4)};
    memcpy(word + (loads ? 34 : 35), tile, sizeof tile);
    word[loads ? 38 : 39] = trn_wordgen_below(g, 8) == 0 ? (loads ? 1 : 32) : 0; /* xpose */
    const struct pe_pattern cells = {.address = psum(0, 0),
                                     .num = {(uint16_t)(count + (trn_wordgen_below(g, 8) == 0))}};
    if (!loads)
        pe_put_pattern(word + 48, core.gen->isa, &cells);
}

/* Those that every rule accepts run; what a scale of another type means is not specified. */
static void test_a_valid_descriptor_never_faults_for_its_form(void **state)
{
    (void)state;
    enum { DRAWS = 4000, LEAST = 100 };
    const struct trn_check_options options = {.engine = TRN_NEURON_ENGINE_PE};
    static struct trn_wordgen g;
    begin(MAVERICK);
    g = trn_wordgen_init(5);
    for (unsigned f = 0; f < 2; f++) {
        unsigned ran = 0, refused = 0;
        for (unsigned n = 0; n < DRAWS; n++) {
            uint8_t word[64];
            draw_descriptor(&g, forms[f].opcode, word);
            if (trn_check_word(core.gen, word, &options, NULL, 0, NULL) != TRN_OK) {
                refused++;
                continue;
            }
            trn_pe_reset(&core.state->pe);
            check(&forms[f], word);
            ran += core.fault.klass == TRN_FAULT_NONE;
        }
        if (ran < LEAST || refused < LEAST)
            fail_msg("%u of %d run, %u are refused", ran, DRAWS, refused);
    }
    end();
}

/* ---- registers bring a broken rule in ---------------------------------------------------- */

/* MATMUL_MX of 32 rows, 2 columns, 4 containers, everything in place. */
static void small_mx(uint8_t word[64])
{
    memset(word, 0, 64);
    word[0] = TRN_OPCODE_MATMUL_MX;
    word[1] = 0x10;
    trn_put32(word + 16, sbuf(0, MOVING));
    trn_put32(word + 20, sbuf(0, 0x2000));
    trn_put16(word + 24, 16);
    word[26] = 1;
    word[32] = TRN_DTYPE_FP8_EXP5;
    word[38] = 32;
    word[39] = 2;
    word[43] = TRN_PSUM_ACCUM_FLAGS_SINGLE;
    word[44] = word[45] = TRN_PE_GROUP_ALL;
    const struct pe_pattern cells = {.address = psum(0, 0), .num = {4}};
    pe_put_pattern(word + 48, core.gen->isa, &cells);
}

static void from_register(uint8_t *addr4, uint8_t number, uint32_t value)
{
    memcpy(addr4, (const uint8_t[]){number, 0, 0, 0x80}, 4);
    core.regs.r[number] = value;
}

static void test_a_rule_that_a_register_breaks_is_named(void **state)
{
    (void)state;
    uint8_t word[64];
    begin(MARIANA);
    small_mx(word);
    run_ok(word);

    from_register(word + 16, 1, sbuf(0, MOVING + 2));
    expect_fault(word, TRN_FAULT_ILLEGAL_INSTRUCTION, "tensor_start_addr_valid", "not aligned");
    core.regs.r[1] = sbuf(32, MOVING);
    expect_fault(word, TRN_FAULT_ILLEGAL_INSTRUCTION, "mx_scale_start", "partition 0");
    from_register(word + 20, 2, sbuf(32, 0x2000));
    expect_fault(word, TRN_FAULT_ILLEGAL_INSTRUCTION, "mx_src", "partition 32");

    small_mx(word);
    from_register(word + 20, 2, sbuf(16, 0x2000));
    expect_fault(word, TRN_FAULT_ILLEGAL_INSTRUCTION, "mx_scale_start", "partition 16");
    core.regs.r[2] = sbuf(2, 0x2000);
    expect_fault(word, TRN_FAULT_ILLEGAL_INSTRUCTION, "mx_scale_start", "partition 2");
    core.regs.r[2] = psum(0, 0);
    expect_fault(word, TRN_FAULT_ADDRESS, "tensor_start_addr_valid", "scale address");
    core.regs.r[2] = sbuf(12, 0x2000);
    run_ok(word);
    end();
}

/* LDWEIGHTS leaves one value a cell, MATMUL_MX wants four. */
static void test_cells_of_another_class_are_refused(void **state)
{
    (void)state;
    uint8_t word[64];
    begin(MARIANA);
    small_mx(word);
    load(weights(32, 2));
    expect_fault(word, TRN_FAULT_ILLEGAL_INSTRUCTION, "pe_loaded_class",
                 "holds floating-point values");
    end();
}

/* MAVERICK: what a perf_mode but NONE and QUAD_ROW lays out differently is not known, nor what one
 * means for a plain operand (10.1). */
static void test_perf_modes_of_no_known_layout_are_a_missing_specification(void **state)
{
    (void)state;
    begin(MAVERICK);
    for (uint8_t mode = TRN_MX_PERF_MODE_QUAD_ROW; mode <= TRN_MX_PERF_MODE_OCT_ROW_TILED; mode++) {
        const struct pe_spec spec = moving(1, 1, 1, 0, 0);
        uint8_t word[64];
        pe_matmul(core.gen, &spec, word);
        trn_s3d3_mm_perf_mode_set(word, core.gen->isa, mode);
        expect_fault(word, TRN_FAULT_MISSING_SPECIFICATION, "", "perf_mode");
    }
    end();
}

/* ---- scales ------------------------------------------------------------------------------- */

/* One weight 2^0 and one moving value 2^0, scales 2^(127) and NaN. */
static void test_a_scale_can_overflow_a_sum_and_a_nan_scale_spreads(void **state)
{
    (void)state;
    uint8_t mm[64], lw[64];
    const uint8_t one[4] = {0x3C, 0, 0, 0}; /* FP8_EXP5 */
    begin(MARIANA);
    small_mx(mm);
    memcpy(lw, mm, 64);
    lw[0] = TRN_OPCODE_LDWEIGHTS_MX;
    trn_put16(lw + 24, 8);
    memset(lw + 40, 0, 24);
    lw[44] = lw[45] = TRN_PE_GROUP_ALL;
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(pe_core_poke(&core, TRN_SPACE_SBUF, 0, MOVING + 4 * i, one, 4), TRN_OK);
    const uint8_t scales[4] = {254, 254, 127, 255};
    for (uint32_t p = 0; p < 4; p++)
        assert_int_equal(pe_core_poke(&core, TRN_SPACE_SBUF, p, 0x2000, scales, 4), TRN_OK);
    run_ok(lw); /* columns 1 and 0: the weight 1 with factor 2^127 twice */
    run_ok(mm);
    assert_int_equal(cell_bits(0, 0), 0x7F800000); /* 2^254 */
    assert_int_equal(cell_bits(0, 8), 0x7F000000); /* 2^127 */
    assert_int_equal(cell_bits(0, 12), 0x7FC00000);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_valid_word_never_faults_for_its_form),
        cmocka_unit_test(test_a_valid_descriptor_never_faults_for_its_form),
        cmocka_unit_test(test_a_rule_that_a_register_breaks_is_named),
        cmocka_unit_test(test_cells_of_another_class_are_refused),
        cmocka_unit_test(test_perf_modes_of_no_known_layout_are_a_missing_specification),
        cmocka_unit_test(test_a_scale_can_overflow_a_sum_and_a_nan_scale_spreads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
