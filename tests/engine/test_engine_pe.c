/* SPDX-License-Identifier: Apache-2.0 */
/* LDWEIGHTS and MATMUL: which weights and tiles a word names, and what is refused. Random words are
 * pe_oracle.py's part. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pe_scene.h"
#include "trench/isa.h"

/* ---- 4: LDWEIGHTS ------------------------------------------------------------------ */

/* Row 0 holds 1, 2, 3, 4, 5; a moving 1 shows which column got which. */
static void expect_columns(const struct pe_spec *spec, const float *want)
{
    load(*spec);
    multiply(moving(1, 5, 1, 0, single()));
    for (uint32_t c = 0; c < 5; c++)
        assert_float_equal(cell(c, 0), want[c], 0);
}

static void test_first_element_goes_to_the_last_column(void **state)
{
    (void)state;
    for (int gen = 0; gen < GENS; gen++) {
        begin(gen);
        for (uint32_t i = 0; i < 5; i++)
            poke_bf16(0, WEIGHTS + 2 * i, (float)(i + 1));
        poke_bf16(0, MOVING, 1);
        struct pe_spec spec = weights(1, 5);
        expect_columns(&spec, (const float[]){5, 4, 3, 2, 1});
        spec.src.address = sbuf(0, WEIGHTS + 8); /* the usual lowering: last element, step -1 */
        spec.src.step[0] = -1;
        expect_columns(&spec, (const float[]){1, 2, 3, 4, 5});
        end();
    }
}

static void test_load_order_can_be_first_column_first(void **state)
{
    (void)state;
    for (int gen = MARIANA; gen < GENS; gen++) {
        begin(gen);
        for (uint32_t i = 0; i < 5; i++)
            poke_bf16(0, WEIGHTS + 2 * i, (float)(i + 1));
        poke_bf16(0, MOVING, 1);
        const struct pe_spec spec = weights(1, 5);
        uint8_t word[64];
        pe_ldweights(core.gen, &spec, word);
        trn_s3_lw_flags_load_order_set(word, core.gen->isa, TRN_PE_LW_ORDER_FIRST_COL_FIRST);
        run_ok(word);
        multiply(moving(1, 5, 1, 0, single()));
        for (uint32_t c = 0; c < 5; c++)
            assert_float_equal(cell(c, 0), (float)(c + 1), 0);
        end();
    }
}

static void test_weights_persist_outside_the_loaded_tile(void **state)
{
    (void)state;
    begin(CAYMAN);
    fill(0, 128, WEIGHTS, 128, 1);
    fill(0, 128, MOVING, 1, 1);
    load(weights(128, 128));
    struct pe_spec part = weights(2, 3); /* rows 32..33, columns 64..66 of the tile there */
    part.row_grp = TRN_PE_GROUP_Q1;
    part.col_grp = TRN_PE_GROUP_Q2;
    part.src.address = sbuf(32, WEIGHTS);
    load(part);
    assert_int_equal(core.choices.count[TRN_CHOICE_PE_TILE_REST], 1);
    multiply(moving(128, 128, 1, 0, single()));
    /* the tile's rest is 0: columns 64..66 keep 2 of its 32 rows, 67..95 none; others all 128 */
    assert_float_equal(cell(63, 0), 128, 0);
    assert_float_equal(cell(64, 0), 98, 0);
    assert_float_equal(cell(66, 0), 98, 0);
    assert_float_equal(cell(67, 0), 96, 0);
    assert_float_equal(cell(95, 0), 96, 0);
    assert_float_equal(cell(96, 0), 128, 0);
    end();
}

static void test_weights_that_nobody_loaded_are_zero(void **state)
{
    (void)state;
    begin(CAYMAN);
    fill(0, 128, MOVING, 4, 1);
    poke_f32(TRN_SPACE_PSUM, 7, 0, 3);
    multiply(moving(128, 128, 4, 0, single()));
    assert_int_equal(cell_bits(7, 0), 0);
    assert_int_equal(core.choices.count[TRN_CHOICE_PE_UNLOADED], 1);
    end();
}

/* ---- 2.1, 2.2: tiles --------------------------------------------------------------- */

static const struct {
    uint8_t code;
    uint32_t first, size;
} groups[] = {{0xF, 0, 128}, {0x3, 0, 64},  {0xC, 64, 64}, {0x1, 0, 32},
              {0x2, 32, 32}, {0x4, 64, 32}, {0x8, 96, 32}};
enum { GROUPS = 7 };

/* Weights 1 in one tile; moving value 2 in its first row: its columns give 2, nothing else moves.
 */
static void test_groups_choose_source_rows_and_result_partitions(void **state)
{
    (void)state;
    for (int gen = SUNDA; gen < MAVERICK; gen++)
        for (int r = 0; r < GROUPS; r++)
            for (int c = 0; c < GROUPS - (gen == SUNDA); c++) {
                begin(gen);
                const uint32_t row = groups[r].first, column = groups[c].first;
                fill(row, groups[r].size, WEIGHTS, groups[c].size, 1);
                poke_bf16(row, MOVING, 2);
                for (uint32_t p = 0; p < 128; p++)
                    poke_f32(TRN_SPACE_PSUM, p, 0, -1);
                struct pe_spec spec = weights((uint8_t)groups[r].size, (uint8_t)groups[c].size);
                spec.row_grp = groups[r].code;
                spec.col_grp = groups[c].code;
                spec.src.address = sbuf(row, WEIGHTS);
                load(spec);
                spec.src = (struct pe_pattern){.address = sbuf(row, MOVING), .num = {1}};
                spec.dst = (struct pe_pattern){.address = psum(column, 0), .num = {1}};
                spec.flags = TRN_PSUM_ACCUM_FLAGS_SINGLE;
                multiply(spec);
                for (uint32_t p = 0; p < 128; p++)
                    assert_float_equal(cell(p, 0), (p - column < groups[c].size ? 2 : -1), 0);
                end();
            }
}

static void test_four_row_tiles_sum_to_one_matmul(void **state)
{
    (void)state;
    begin(CAYMAN);
    float want[8] = {0};
    for (uint32_t r = 0; r < 128; r++)
        for (uint32_t i = 0; i < 8; i++) {
            poke_bf16(r, WEIGHTS + 2 * i, (float)((r + i) % 5));
            poke_bf16(r, MOVING + 2 * i, (float)(r * (i + 1) % 7));
            want[i] += (float)((r + i) % 5 * (r * 3 % 7)); /* moving element 2: r * 3 % 7 */
        }
    for (uint32_t q = 0; q < 4; q++) {
        struct pe_spec spec = weights(32, 8);
        spec.row_grp = (uint8_t)(1u << q);
        spec.src.address = sbuf(32 * q, WEIGHTS);
        load(spec);
        spec = moving(32, 8, 8, 0,
                      q == 0   ? TRN_PSUM_ACCUM_FLAGS_MULTI_START
                      : q == 3 ? TRN_PSUM_ACCUM_FLAGS_MULTI_END
                               : TRN_PSUM_ACCUM_FLAGS_MULTI_MID);
        spec.row_grp = (uint8_t)(1u << q);
        spec.src.address = sbuf(32 * q, MOVING);
        multiply(spec);
    }
    for (uint32_t i = 0; i < 8; i++)
        assert_float_equal(cell(7 - i, 4 * 2), want[i], 0); /* exact: integers below 2^24 */
    end();
}

static void test_maverick_drains_256_columns_as_two_halves(void **state)
{
    (void)state;
    begin(MAVERICK);
    for (uint32_t c = 0; c < 256; c++)
        poke_bf16(0, WEIGHTS + 2 * c, (float)c);
    poke_bf16(0, MOVING, 1);
    poke_bf16(0, MOVING + 2, 2);
    struct pe_spec spec = weights(1, 0); /* 0 columns are 256 */
    spec.col_size = TRN_TILE_COL_SIZE_C256;
    spec.src = (struct pe_pattern){.address = sbuf(0, WEIGHTS + 510), .step = {-1}, .num = {256}};
    load(spec);
    spec = moving(1, 0, 2, 0, 0);
    spec.col_size = TRN_TILE_COL_SIZE_C256;
    spec.dst.step[0] = 1;
    spec.dst.step[2] = 8;
    spec.dst.num[2] = 2;
    multiply(spec);
    for (uint32_t c = 0; c < 256; c++)
        for (uint32_t n = 0; n < 2; n++)
            assert_float_equal(cell(c % 128, 4 * (8 * (c / 128) + n)), (float)(c * (n + 1)), 0);
    spec.dst.num[2] = 1;
    uint8_t word[64];
    pe_matmul(core.gen, &spec, word);
    expect_fault(word, TRN_FAULT_ILLEGAL_INSTRUCTION, "mm_halves", "highest dimension");
    end();
}

static void test_maverick_tiles_are_sizes_and_positions(void **state)
{
    (void)state;
    begin(MAVERICK);
    fill(64, 64, WEIGHTS, 128, 1);
    fill(64, 64, MOVING, 1, 1);
    struct pe_spec spec = weights(64, 128);
    spec.row_size = TRN_TILE_ROW_SIZE_R64;
    spec.row_sel = spec.col_sel = 1; /* rows 64..127, columns 128..255 */
    spec.src.address = sbuf(64, WEIGHTS);
    load(spec);
    spec.src = (struct pe_pattern){.address = sbuf(64, MOVING), .num = {1}};
    spec.dst = (struct pe_pattern){.address = psum(0, 0), .num = {1}};
    multiply(spec);
    assert_float_equal(cell(0, 0), 64, 0);
    assert_float_equal(cell(127, 0), 64, 0);
    uint8_t word[64];
    spec.row_size = TRN_TILE_ROW_SIZE_R128; /* rows 128..255 */
    pe_matmul(core.gen, &spec, word);
    expect_fault(word, TRN_FAULT_ILLEGAL_INSTRUCTION, "mm_tile", "no tile of the array");
    end();
}

/* ---- refusals ---------------------------------------------------------------------- */

/* pe-array.md 9: what goes on with no group is undefined on v2 and v3; 8: an identity has one row
 * for each element. Without the option both do as the model chooses. */
static void test_strict_runs_refuse_what_is_undefined(void **state)
{
    (void)state;
    begin_ones(CAYMAN);
    uint8_t word[64];
    struct pe_spec spec = moving(1, 1, 1, 0, TRN_PSUM_ACCUM_FLAGS_MULTI_END);
    pe_matmul(core.gen, &spec, word);
    run_ok(word);
    core.state->pe.options.strict = true;
    expect_fault(word, TRN_FAULT_ILLEGAL_INSTRUCTION, "PSUM_ACC_UNINIT", "bank 0 of partition 0");
    ones(0, 1, TRN_PSUM_ACCUM_FLAGS_MULTI_START);
    ones(64, 1, TRN_PSUM_ACCUM_FLAGS_MULTI_START); /* another tile in the bank */
    ones(0, 1, TRN_PSUM_ACCUM_FLAGS_MULTI_MID);
    run_ok(word);
    ones(64, 1, TRN_PSUM_ACCUM_FLAGS_MULTI_END);
    expect_fault(word, TRN_FAULT_ILLEGAL_INSTRUCTION, "PSUM_ACC_UNINIT", "START opens one");

    fill(0, 2, WEIGHTS, 1, 1);
    fill(0, 2, MOVING, 2, 1);
    spec = weights(2, 1);
    pe_ldweights(core.gen, &spec, word);
    trn_s3_lw_transpose_mode_set(word, core.gen->isa, 1);
    run_ok(word);
    spec = moving(2, 1, 2, 0, TRN_PSUM_ACCUM_FLAGS_SINGLE);
    pe_matmul(core.gen, &spec, word);
    trn_s3d3_mm_transpose_mode_set(word, core.gen->isa, 1);
    expect_fault(word, TRN_FAULT_ILLEGAL_INSTRUCTION, "PE_TRANSPOSE_ROWS", "element 0");
    poke_bf16(1, MOVING, 0);
    expect_fault(word, TRN_FAULT_ILLEGAL_INSTRUCTION, "PE_TRANSPOSE_ROWS", "element 1");
    poke_bf16(0, MOVING + 2, 0);
    run_ok(word);
    end();
}

static void test_low_high_weights_are_a_missing_specification(void **state)
{
    (void)state;
    begin(CAYMAN);
    const struct pe_spec spec = as_fp32(weights(1, 1), TRN_PE_FP32MODE_LOW_HIGH);
    uint8_t word[64];
    pe_ldweights(core.gen, &spec, word);
    expect_fault(word, TRN_FAULT_MISSING_SPECIFICATION, "", "LOW_HIGH");
    end();
}

/* Registers hide addresses and shapes from the static rules: the same tests are made at run time.
 */
static void test_rules_are_checked_again_when_registers_are_known(void **state)
{
    (void)state;
    begin(CAYMAN);
    fill(0, 128, WEIGHTS, 128, 1);
    load(weights(128, 128));
    const uint32_t in_register = UINT32_C(0x80000000); /* ADDR4 marker 0x80: register in byte 0 */
    uint8_t word[64];

    struct pe_spec spec = moving(1, 1, 1, 0, 3);
    spec.src.address = in_register | 5;
    pe_matmul(core.gen, &spec, word);
    core.regs.r[5] = sbuf(0, MOVING);
    run_ok(word);
    core.regs.r[5] = sbuf(32, MOVING);
    expect_fault(word, TRN_FAULT_ILLEGAL_INSTRUCTION, "mm_src", "partition 32");

    spec = moving(1, 1, 256, 0, 3);
    spec.dst.address = in_register | 6;
    pe_matmul(core.gen, &spec, word);
    core.regs.r[6] = psum(0, 1024);
    run_ok(word);
    core.regs.r[6] = psum(0, 1028); /* one cell too far */
    expect_fault(word, TRN_FAULT_ILLEGAL_INSTRUCTION, "mm_counts", "one bank");
    core.regs.r[6] = psum(32, 0);
    expect_fault(word, TRN_FAULT_ILLEGAL_INSTRUCTION, "mm_dst", "partition 32");
    core.regs.r[6] = psum(0, 2);
    assert_int_equal(pe_core_run(&core, word), TRN_ERR_FAULT); /* not aligned */
    core.regs.r[6] = sbuf(0, 0);
    assert_int_equal(pe_core_run(&core, word), TRN_ERR_FAULT); /* not PSUM */
    end();
}

static void test_a_refused_matmul_changes_nothing(void **state)
{
    (void)state;
    begin_ones(CAYMAN);
    poke_f32(TRN_SPACE_PSUM, 0, 0, 50);
    poke_f32(TRN_SPACE_PSUM, 0, 4, 60);
    struct pe_spec spec = as_fp32(moving(1, 1, 1, 0, TRN_PSUM_ACCUM_FLAGS_MULTI_START),
                                  TRN_PE_FP32MODE_HIGH); /* FP32 on BF16 weights */
    uint8_t word[64];
    pe_matmul(core.gen, &spec, word);
    assert_int_equal(pe_core_run(&core, word), TRN_ERR_FAULT);
    assert_float_equal(cell(0, 0), 50, 0);
    ones(4, 1, TRN_PSUM_ACCUM_FLAGS_MULTI_MID);
    assert_float_equal(cell(0, 4), 61, 0); /* and left nothing fresh */
    end();
}

/* ---- 5: static legality, generation by generation ----------------------------------- */

static void expect_rule(int gen, const uint8_t *word, const char *rule)
{
    struct trn_violation violations[8];
    size_t count = 0;
    const struct trn_check_options options = {.engine = TRN_NEURON_ENGINE_PE};
    const trn_status status =
        trn_check_word(trn_gen_at((unsigned)gen), word, &options, violations, 8, &count);
    if (!rule) {
        if (status != TRN_OK)
            fail_msg("gen %d: %s: %s", gen, violations[0].rule, violations[0].detail);
        return;
    }
    assert_int_equal(status, TRN_ERR_INVALID);
    for (size_t i = 0; i < count && i < 8; i++)
        if (!strcmp(violations[i].rule, rule))
            return;
    fail_msg("gen %d: no %s", gen, rule);
}

static void test_legality_differs_by_generation(void **state)
{
    (void)state;
    for (int gen = 0; gen < GENS; gen++) {
        begin(gen);
        const unsigned isa = core.gen->isa;
        uint8_t word[64];
        struct pe_spec spec = weights(128, 128);
        pe_ldweights(core.gen, &spec, word);
        expect_rule(gen, word, NULL);
        spec = moving(128, 128, 512, 0, single());
        pe_matmul(core.gen, &spec, word);
        expect_rule(gen, word, NULL);

        /* one result more than a bank holds */
        spec = moving(128, 128, 513, 0, single());
        pe_matmul(core.gen, &spec, word);
        expect_rule(gen, word, gen < MARIANA ? "mm_counts" : NULL);

        spec = moving(128, 128, 1, 0, single());
        spec.fp32_mode = TRN_PE_FP32MODE_HIGH;
        pe_matmul(core.gen, &spec, word);
        expect_rule(gen, word, "mm_fp32_mode");
        spec.fp32_mode = 0;

        if (trn_s3d3_mm_out_dtype_present(isa)) {
            pe_matmul(core.gen, &spec, word);
            trn_s3d3_mm_out_dtype_set(word, isa, TRN_DTYPE_BFLOAT16);
            expect_rule(gen, word, gen < MARIANA ? "mm_out_dtype" : NULL);
        }
        if (trn_s3d3_mm_psum_accumulate_flags_present(isa)) {
            for (uint8_t flags = 0; flags < 8; flags++) {
                const bool legal = flags <= 3 || (gen >= MARIANA && (flags == 4 || flags == 6));
                spec.flags = flags;
                pe_matmul(core.gen, &spec, word);
                expect_rule(gen, word, legal ? NULL : "mm_accumulate_flags");
            }
            spec.flags = TRN_PSUM_ACCUM_FLAGS_SINGLE;
            pe_matmul(core.gen, &spec, word);
            trn_s3d3_mm_psum_zero_region_set(word, isa, TRN_MATMUL_ZERO_REGION_SIZE4096);
            expect_rule(gen, word, gen < MARIANA ? "mm_zero_region" : NULL);
            /* columns 96..127: SUNDA has no xbus_sel for them */
            spec = moving(128, 32, 1, 0, TRN_PSUM_ACCUM_FLAGS_SINGLE);
            spec.col_grp = TRN_PE_GROUP_Q3;
            spec.dst.address = psum(96, 0);
            pe_matmul(core.gen, &spec, word);
            expect_rule(gen, word, gen == SUNDA ? "mm_xbus_sel" : NULL);
            spec.dst.address = psum(64, 0);
            pe_matmul(core.gen, &spec, word);
            expect_rule(gen, word, "mm_dst");
        }
        end();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_element_goes_to_the_last_column),
        cmocka_unit_test(test_load_order_can_be_first_column_first),
        cmocka_unit_test(test_weights_persist_outside_the_loaded_tile),
        cmocka_unit_test(test_weights_that_nobody_loaded_are_zero),
        cmocka_unit_test(test_groups_choose_source_rows_and_result_partitions),
        cmocka_unit_test(test_four_row_tiles_sum_to_one_matmul),
        cmocka_unit_test(test_maverick_drains_256_columns_as_two_halves),
        cmocka_unit_test(test_maverick_tiles_are_sizes_and_positions),
        cmocka_unit_test(test_strict_runs_refuse_what_is_undefined),
        cmocka_unit_test(test_low_high_weights_are_a_missing_specification),
        cmocka_unit_test(test_rules_are_checked_again_when_registers_are_known),
        cmocka_unit_test(test_a_refused_matmul_changes_nothing),
        cmocka_unit_test(test_legality_differs_by_generation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
