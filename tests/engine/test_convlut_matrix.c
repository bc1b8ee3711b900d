/* SPDX-License-Identifier: Apache-2.0 */
/* CONV_LUT_LOAD 0xE4: what every value of byte 47 answers on every generation and engine, the
 * layout of the word, and the converter tables of PE. Right values: docs/hardware/convlut.md,
 * sections in comments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "pe_scene.h"
#include "trench/isa.h"

enum { LUT = 0x400, NUM_ENGINES = 5 };

/* ---- words --------------------------------------------------------------------------- */

static bool legacy(unsigned lut_dtype)
{
    return lut_dtype == 0x00 || lut_dtype == 0x0A; /* 1.1 */
}

/* The golden words of section 8 at SBUF 0x400, with another byte 47. */
static void make(unsigned lut_dtype, uint8_t word[64])
{
    static const uint8_t load[12] = {0, 4, 0, 0, 1, 0, 1, 0, 16, 0, 1, 0};
    static const uint8_t cptc[12] = {0, 4, 0, 0, 1, 0, 1, 0, 4, 0, 1, 0};
    memset(word, 0, 64);
    word[0] = 0xE4;
    word[1] = 0x10;
    memcpy(word + 16, legacy(lut_dtype) ? load : cptc, 12);
    word[32] = legacy(lut_dtype) ? 0x05 : 0x09;
    word[38] = word[39] = 128;
    word[44] = word[45] = 0x0F;
    if (!legacy(lut_dtype)) {
        word[40] = 0x80;
        word[41] = 0x3F;
        word[46] = 32;
    }
    word[47] = (uint8_t)lut_dtype;
}

/* The first rule that the static check reports, "" for a valid word. */
static const char *first_rule(const struct trn_gen *gen, int engine, const uint8_t *word)
{
    const struct trn_check_options options = {.engine = engine};
    static struct trn_violation found[16];
    size_t count = 0;
    trn_check_word(gen, word, &options, found, 16, &count);
    for (size_t i = 0; i < count && i < 16; i++)
        if (!found[i].warning)
            return found[i].rule;
    return "";
}

/* ---- the matrix (6.1 to 6.3) ----------------------------------------------------------- */

/* Which rule refuses the word before it runs; "" where it is legal. */
static const char *wanted_rule(int gen, int engine, unsigned lut_dtype)
{
    const bool pool = engine == TRN_NEURON_ENGINE_POOL;
    const bool pe = engine == TRN_NEURON_ENGINE_PE;
    const bool coded = lut_dtype >= 0x19 && lut_dtype <= 0x1F;
    if (gen == SUNDA)
        return "is_valid_opcode"; /* not in the enum */
    if (!pool && !(pe && gen >= MARIANA))
        return "opcode_on_engine"; /* no handler */
    if (legacy(lut_dtype))
        return gen == MARIANA || gen == MARIANA_PLUS ? "" : "s2_convlut_valid_nc";
    if (gen >= MARIANA && !coded)
        return "BAD_LUT_DTYPE"; /* 1.1; CAYMAN has no such enumerators */
    return "";
}

static void test_every_value_of_byte_47_on_every_generation_and_engine(void **state)
{
    (void)state;
    unsigned legal = 0;
    for (int gen = 0; gen < GENS; gen++)
        for (int engine = 0; engine < NUM_ENGINES; engine++)
            for (unsigned lut_dtype = 0; lut_dtype < 256; lut_dtype++) {
                uint8_t word[64];
                make(lut_dtype, word);
                const char *rule = first_rule(trn_gen_at((unsigned)gen), engine, word);
                const char *wanted = wanted_rule(gen, engine, lut_dtype);
                if (strcmp(rule, wanted) != 0)
                    fail_msg("%s engine %d lut_dtype 0x%02x: '%s', wanted '%s'",
                             trn_gen_at((unsigned)gen)->name, engine, lut_dtype, rule, wanted);
                legal += *wanted == '\0';
            }
    /* CAYMAN's POOL takes the 254 others; the codes and, but for MAVERICK, the two sentinels */
    assert_int_equal(legal, 254 + 2 * 2 * 9 + 2 * 7);
}

/* What legal words do on PE: the two sentinels load, the codes have no body. */
static void test_every_legal_value_of_byte_47_runs_on_pe(void **state)
{
    (void)state;
    for (int gen = MARIANA; gen < GENS; gen++)
        for (unsigned lut_dtype = 0; lut_dtype < 256; lut_dtype++) {
            uint8_t word[64];
            make(lut_dtype, word);
            if (*wanted_rule(gen, TRN_NEURON_ENGINE_PE, lut_dtype))
                continue;
            begin(gen);
            if (legacy(lut_dtype))
                run_ok(word);
            else
                expect_fault(word, TRN_FAULT_ILLEGAL_INSTRUCTION, "UNSUPPORTED_LEG",
                             "selects the CPTC decoder");
            assert_int_equal(core.state->pe.convlut.loaded, legacy(lut_dtype));
            end();
        }
}

/* ---- layout (2) -------------------------------------------------------------------------- */

static void test_fields_stand_where_the_seed_says(void **state)
{
    (void)state;
    for (unsigned isa = 1; isa < 4; isa++) {
        uint8_t word[64] = {0};
        trn_s2_convlut_in_dtype_set(word, isa, 0x11);
        trn_s2_convlut_num_active_rows_set(word, isa, 0x22);
        trn_s2_convlut_num_active_cols_set(word, isa, 0x33);
        trn_s2_convlut_row_grp_set(word, isa, 0x44);
        trn_s2_convlut_col_grp_set(word, isa, 0x55);
        trn_s2_convlut_block_size_set(word, isa, 0x66);
        trn_s2_convlut_lut_dtype_set(word, isa, 0x77);
        assert_int_equal(word[32], 0x11);
        assert_int_equal(word[38], 0x22);
        assert_int_equal(word[39], 0x33);
        assert_int_equal(word[44], 0x44);
        assert_int_equal(word[45], 0x55);
        assert_int_equal(word[46], 0x66);
        assert_int_equal(word[47], 0x77);
        assert_ptr_equal(trn_s2_convlut_src_mem_pattern(word, isa), word + 16);
        assert_ptr_equal(trn_s2_convlut_multiplicative_const(word, isa), word + 40);
    }
}

/* 9.1: each reserved byte, each byte that only the CPTC leg has. */
static void test_a_byte_that_must_be_zero_is_reported(void **state)
{
    (void)state;
    for (unsigned at = 12; at < 64; at++) {
        uint8_t word[64];
        make(0, word);
        const bool reserved = at < 16 || (at >= 28 && at < 32) || (at >= 33 && at < 38) || at >= 48;
        const bool parameter = (at >= 40 && at < 44) || at == 46;
        if (!reserved && !parameter)
            continue;
        word[at] = at == 46 ? 8 : 1;
        assert_string_equal(first_rule(trn_gen_find("mariana"), TRN_NEURON_ENGINE_PE, word),
                            reserved ? "s2_convlut_reserved_zero"
                                     : "s2_convlut_legacy_reserved_zero");
    }
}

/* 9.3, 9.4: the bindings of each leg. */
static void test_type_and_shape_are_bound_to_the_leg(void **state)
{
    (void)state;
    static const struct {
        uint8_t lut_dtype, in_dtype, num[2];
        const char *rule;
    } cases[] = {
        {0x0A, 0x05, {16, 1}, ""},
        {0x00, 0x05, {1, 16}, ""},
        {0x00, 0x09, {16, 1}, "s2_convlut_check_dtype"},
        {0x1C, 0x05, {4, 1}, "s2_convlut_check_dtype"},
        {0x00, 0x05, {2, 8}, "has_conv_lut_load_src_element_cnt"},
        {0x00, 0x05, {4, 1}, "has_conv_lut_load_src_element_cnt"},
        {0x1C, 0x09, {16, 1}, "has_conv_lut_load_src_element_cnt"},
        {0x1C, 0x09, {2, 2}, "has_conv_lut_load_src_element_cnt"},
        {0x1C, 0x09, {1, 4}, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t word[64];
        make(cases[i].lut_dtype, word);
        word[32] = cases[i].in_dtype;
        word[24] = cases[i].num[0];
        word[26] = cases[i].num[1];
        assert_string_equal(first_rule(trn_gen_find("mariana"), TRN_NEURON_ENGINE_PE, word),
                            cases[i].rule);
    }
}

/* ---- the tables (4) ----------------------------------------------------------------------- */

static void put_table(uint32_t partition, uint16_t first)
{
    uint16_t table[16];
    for (uint16_t e = 0; e < 16; e++)
        table[e] = (uint16_t)(first + e);
    assert_int_equal(pe_core_poke(&core, TRN_SPACE_SBUF, partition, LUT, table, sizeof table),
                     TRN_OK);
}

static uint16_t entry(uint32_t row, uint32_t e)
{
    return core.state->pe.convlut.entry[row][e];
}

/* 5.2, codes 1, 7, 8 and 15. */
static void expect_reset_contents(void)
{
    assert_false(core.state->pe.convlut.loaded);
    for (uint32_t row = 0; row < 128; row += 127) {
        assert_int_equal(entry(row, 1), 0x3F00);
        assert_int_equal(entry(row, 7), 0x40C0);
        assert_int_equal(entry(row, 8), 0x8000);
        assert_int_equal(entry(row, 15), 0xC0C0);
    }
}

static void test_tables_persist_until_a_reset(void **state)
{
    (void)state;
    begin(MARIANA);
    expect_reset_contents();
    uint8_t word[64];
    make(0x0A, word);
    put_table(0, 0x1000);
    run_ok(word);
    put_table(0, 0x2000); /* not looked at again */
    assert_int_equal(entry(0, 3), 0x1003);
    assert_int_equal(entry(127, 15), 0x100F);
    run_ok(word);
    assert_int_equal(entry(127, 15), 0x200F);
    trn_engine_state_reset(core.state, core.gen);
    expect_reset_contents();
    end();
}

/* Model choice convlut_source: one table for all rows, or each row its own; a run says so where it
 * makes a difference. */
static void test_the_source_of_a_row_is_an_option(void **state)
{
    (void)state;
    uint8_t word[64];
    for (int per_partition = 0; per_partition < 2; per_partition++) {
        begin(MARIANA_PLUS);
        core.state->pe.convlut.per_partition = per_partition;
        make(0, word);
        for (uint32_t p = 0; p < 128; p++)
            put_table(p, 0x4000);
        run_ok(word);
        assert_int_equal(core.choices.count[TRN_CHOICE_CONVLUT_SOURCE], 0);
        put_table(127, 0x5000);
        run_ok(word);
        assert_int_equal(core.choices.count[TRN_CHOICE_CONVLUT_SOURCE], 1);
        assert_int_equal(entry(127, 2), per_partition ? 0x5002 : 0x4002);
        assert_int_equal(entry(126, 2), 0x4002);
        trn_engine_state_reset(core.state, core.gen); /* which leaves the option alone */
        assert_int_equal(core.state->pe.convlut.per_partition, per_partition);
        end();
    }
}

/* The transposed form steps by the second dimension. */
static void test_the_transposed_form_reads_the_same_entries(void **state)
{
    (void)state;
    begin(MARIANA);
    uint8_t word[64];
    make(0, word);
    put_table(0, 0x3F80);
    word[20] = 7; /* step of the dimension that counts 1 */
    word[24] = 1;
    word[26] = 16;
    run_ok(word);
    assert_int_equal(entry(5, 0), 0x3F80);
    assert_int_equal(entry(5, 15), 0x3F8F);
    word[22] = 2; /* every second element: 8 entries of the table, then what lies behind */
    run_ok(word);
    assert_int_equal(entry(5, 7), 0x3F8E);
    assert_int_equal(entry(5, 8), 0);
    end();
}

static void test_an_address_in_a_register_is_checked_when_the_word_runs(void **state)
{
    (void)state;
    begin(MARIANA);
    uint8_t word[64];
    make(0, word);
    memcpy(word + 16, (const uint8_t[]){3, 0, 0, 0x80}, 4);
    core.regs.r[3] = core.gen->psum_base;
    expect_fault(word, TRN_FAULT_ILLEGAL_INSTRUCTION, "tensor_start_addr_valid", "in PSUM");
    core.regs.r[3] = 32 * core.gen->sbuf_stride;
    expect_fault(word, TRN_FAULT_ILLEGAL_INSTRUCTION, "s2_convlut_active_channels", "partition 32");
    core.regs.r[3] = LUT + 1;
    expect_fault(word, TRN_FAULT_ILLEGAL_INSTRUCTION, "tensor_start_addr_valid", "not aligned");
    assert_false(core.state->pe.convlut.loaded);
    core.regs.r[3] = LUT;
    run_ok(word);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_value_of_byte_47_on_every_generation_and_engine),
        cmocka_unit_test(test_every_legal_value_of_byte_47_runs_on_pe),
        cmocka_unit_test(test_fields_stand_where_the_seed_says),
        cmocka_unit_test(test_a_byte_that_must_be_zero_is_reported),
        cmocka_unit_test(test_type_and_shape_are_bound_to_the_leg),
        cmocka_unit_test(test_tables_persist_until_a_reset),
        cmocka_unit_test(test_the_source_of_a_row_is_an_option),
        cmocka_unit_test(test_the_transposed_form_reads_the_same_entries),
        cmocka_unit_test(test_an_address_in_a_register_is_checked_when_the_word_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
