/* SPDX-License-Identifier: Apache-2.0 */
/* MATMUL results in PSUM: accumulate groups and lazy zeros (docs/hardware/pe-array.md 9). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pe_scene.h"

/* ---- 9: accumulate groups ---------------------------------------------------------- */

static void test_start_mid_end_add_up(void **state)
{
    (void)state;
    for (int gen = SUNDA; gen < MAVERICK; gen++) {
        begin_ones(gen);
        poke_f32(TRN_SPACE_PSUM, 0, 0, 50);
        ones(0, 1, TRN_PSUM_ACCUM_FLAGS_MULTI_START);
        assert_float_equal(cell(0, 0), 1, 0);
        ones(0, 1, TRN_PSUM_ACCUM_FLAGS_MULTI_MID);
        ones(0, 1, TRN_PSUM_ACCUM_FLAGS_MULTI_END);
        assert_float_equal(cell(0, 0), 3, 0);
        ones(0, 1, TRN_PSUM_ACCUM_FLAGS_SINGLE);
        assert_float_equal(cell(0, 0), 1, 0);
        end();
    }
}

static void test_begin_accum_adds_to_what_another_engine_left(void **state)
{
    (void)state;
    for (int gen = MARIANA; gen < MAVERICK; gen++) {
        begin_ones(gen);
        poke_f32(TRN_SPACE_PSUM, 0, 0, 50);
        ones(0, 1, TRN_PSUM_ACCUM_FLAGS_BEGIN_ACCUM);
        assert_float_equal(cell(0, 0), 51, 0);
        ones(0, 1, TRN_PSUM_ACCUM_FLAGS_MULTI_END);
        assert_float_equal(cell(0, 0), 52, 0);
        ones(0, 1, TRN_PSUM_ACCUM_FLAGS_BEGIN_ACCUM_END);
        assert_float_equal(cell(0, 0), 53, 0);
        end();
    }
}

static void test_maverick_overwrites_or_accumulates(void **state)
{
    (void)state;
    begin_ones(MAVERICK);
    poke_f32(TRN_SPACE_PSUM, 0, 0, 50);
    ones(0, 1, TRN_ACCUMULATE_MODE_ACCUMULATE);
    assert_float_equal(cell(0, 0), 51, 0);
    ones(0, 1, TRN_ACCUMULATE_MODE_OVERWRITE);
    assert_float_equal(cell(0, 0), 1, 0);
    ones(0, 1, TRN_ACCUMULATE_MODE_ACCUMULATE);
    assert_float_equal(cell(0, 0), 2, 0);
    end();
}

static void test_a_start_makes_the_rest_of_its_bank_fresh(void **state)
{
    (void)state;
    begin_ones(CAYMAN);
    poke_f32(TRN_SPACE_PSUM, 0, 2048 + 8, 50);
    poke_f32(TRN_SPACE_PSUM, 0, 4096, 70);
    ones(2048, 1, TRN_PSUM_ACCUM_FLAGS_MULTI_START);
    assert_float_equal(cell(0, 2048 + 8), 50, 0); /* a read returns the old bytes */
    ones(2048, 3, TRN_PSUM_ACCUM_FLAGS_MULTI_MID);
    assert_float_equal(cell(0, 2048), 2, 0);     /* added */
    assert_float_equal(cell(0, 2048 + 4), 1, 0); /* fresh: overwritten */
    assert_float_equal(cell(0, 2048 + 8), 1, 0);
    assert_int_equal(core.choices.count[TRN_CHOICE_PSUM_LAZY_ZERO], 1);
    ones(2048 + 8, 1, TRN_PSUM_ACCUM_FLAGS_MULTI_END);
    assert_float_equal(cell(0, 2048 + 8), 2, 0); /* fresh no more */
    ones(4096, 1, TRN_PSUM_ACCUM_FLAGS_MULTI_MID);
    assert_float_equal(cell(0, 4096), 71, 0); /* another bank */
    end();
}

static void test_a_start_corrupts_a_chain_still_open_in_its_bank(void **state)
{
    (void)state;
    begin_ones(SUNDA);
    ones(0, 1, TRN_PSUM_ACCUM_FLAGS_MULTI_START); /* chain A */
    ones(0, 1, TRN_PSUM_ACCUM_FLAGS_MULTI_MID);
    ones(64, 1, TRN_PSUM_ACCUM_FLAGS_MULTI_START); /* chain B, same bank */
    assert_float_equal(cell(0, 0), 2, 0);
    ones(0, 1, TRN_PSUM_ACCUM_FLAGS_MULTI_END);
    assert_float_equal(cell(0, 0), 1, 0); /* A has lost its first two terms */
    end();
}

static void test_tiles_in_one_bank_do_not_disturb_each_other(void **state)
{
    (void)state;
    begin_ones(CAYMAN);
    ones(0, 16, TRN_PSUM_ACCUM_FLAGS_SINGLE);
    ones(64, 16, TRN_PSUM_ACCUM_FLAGS_SINGLE);
    for (uint32_t i = 0; i < 32; i++)
        assert_float_equal(cell(0, 4 * i), 1, 0);
    end();
}

static void test_any_other_write_ends_freshness(void **state)
{
    (void)state;
    begin_ones(CAYMAN);
    ones(0, 1, TRN_PSUM_ACCUM_FLAGS_MULTI_START);
    poke_f32(TRN_SPACE_PSUM, 0, 4, 50); /* the host */
    const unsigned isa = core.gen->isa;
    uint8_t word[64] = {0}; /* DVE: MEMSET one FP32 of 1.5 at byte 8 */
    trn_common_opcode_set(word, isa, TRN_OPCODE_MEMSET);
    trn_common_inst_word_len_set(word, isa, 0x10);
    trn_d4_mr_dst_element_count_set(word, isa, 1);
    trn_d4_mr_dtype_set(word, isa, TRN_DTYPE_FP32);
    trn_d4_mr_num_active_channels_set(word, isa, 1);
    trn_d4_mr_set_value_set(word, isa, trn_f32_bits(1.5f));
    uint8_t *dst = trn_d4_mr_dst_mem_pattern_ref(word, isa);
    trn_pattern4d_start_addr_set(dst, isa, psum(0, 8));
    for (int i = 0; i < 4; i++) {
        trn_put16(trn_pattern4d_step_elem_ref(dst, isa) + 2 * i, 1);
        trn_put16(trn_pattern4d_num_elem_ref(dst, isa) + 2 * i, 1);
    }
    struct trn_exec x = {.gen = core.gen,
                         .engine = TRN_NEURON_ENGINE_DVE,
                         .word = word,
                         .mem = core.mem,
                         .regs = &core.regs,
                         .state = core.state,
                         .choices = &core.choices,
                         .fault = &core.fault};
    assert_int_equal(trn_engine_handler(TRN_OPCODE_MEMSET)(&x), TRN_OK);
    ones(0, 4, TRN_PSUM_ACCUM_FLAGS_MULTI_END);
    assert_float_equal(cell(0, 4), 51, 0);
    assert_float_equal(cell(0, 8), 2.5f, 0);
    assert_float_equal(cell(0, 12), 1, 0); /* still fresh */
    end();
}

static void test_zero_regions_are_aligned_groups_of_banks(void **state)
{
    (void)state;
    for (uint8_t region = 0; region < 4; region++) {
        begin_ones(MARIANA);
        for (uint32_t bank = 0; bank < 8; bank++)
            poke_f32(TRN_SPACE_PSUM, 0, bank * 2048 + 4, 50);
        const struct pe_spec spec = moving(1, 1, 1, 3 * 2048, TRN_PSUM_ACCUM_FLAGS_MULTI_START);
        uint8_t word[64];
        pe_matmul(core.gen, &spec, word);
        trn_s3d3_mm_psum_zero_region_set(word, core.gen->isa, region);
        run_ok(word);
        for (uint32_t bank = 0; bank < 8; bank++) {
            ones(bank * 2048 + 4, 1, TRN_PSUM_ACCUM_FLAGS_MULTI_MID);
            /* bank 3 with 1, 2, 4, 8 banks: 3, 2..3, 0..3, 0..7 */
            const bool fresh = bank >> region == 3u >> region;
            assert_float_equal(cell(0, bank * 2048 + 4), (fresh ? 1 : 51), 0);
        }
        end();
    }
}

static void test_a_cell_named_twice_takes_both_sums(void **state)
{
    (void)state;
    begin_ones(CAYMAN);
    struct pe_spec spec = moving(1, 1, 4, 0, TRN_PSUM_ACCUM_FLAGS_MULTI_START);
    spec.dst = (struct pe_pattern){.address = psum(0, 0), .step = {0, 1}, .num = {2, 2}};
    multiply(spec);
    assert_float_equal(cell(0, 0), 1, 0); /* overwritten twice */
    spec.flags = TRN_PSUM_ACCUM_FLAGS_MULTI_MID;
    multiply(spec);
    assert_float_equal(cell(0, 0), 3, 0);
    assert_float_equal(cell(0, 4), 3, 0);
    spec.dst.address = psum(0, 64); /* fresh: overwritten once, then added to */
    multiply(spec);
    assert_float_equal(cell(0, 64), 2, 0);
    end();
}

/* field-cases.md F15: all ones, K = 128, accumulate 0 then 1; and overlapping windows. */
static void test_accumulating_twice_doubles_a_product(void **state)
{
    (void)state;
    for (int gen = 0; gen < GENS; gen++) {
        begin(gen);
        fill(0, 128, WEIGHTS, 128, 1);
        fill(0, 128, MOVING, 512, 1);
        load(weights(128, 128));
        const bool tiles = core.gen->isa == 3;
        multiply(moving(128, 128, 512, 0, tiles ? 0 : TRN_PSUM_ACCUM_FLAGS_MULTI_START));
        assert_float_equal(cell(127, 2044), 128, 0);
        multiply(moving(128, 128, 512, 0, tiles ? 1 : TRN_PSUM_ACCUM_FLAGS_MULTI_END));
        for (uint32_t p = 0; p < 128; p += 127)
            for (uint32_t n = 0; n < 512; n++)
                assert_float_equal(cell(p, 4 * n), 256, 0);
        end();
    }
}

static void test_overlapping_windows_add_where_they_overlap(void **state)
{
    (void)state;
    for (int gen = SUNDA; gen < MAVERICK; gen++) {
        begin(gen);
        fill(0, 128, WEIGHTS, 1, 1);
        fill(0, 128, MOVING, 512, 1);
        load(weights(128, 1));
        multiply(moving(128, 1, 512, 0, TRN_PSUM_ACCUM_FLAGS_MULTI_START));
        if (core.gen->matmul_one_bank) { /* the second window crosses a bank: two words */
            multiply(moving(128, 1, 256, 1024, TRN_PSUM_ACCUM_FLAGS_MULTI_END));
            multiply(moving(128, 1, 256, 2048, TRN_PSUM_ACCUM_FLAGS_SINGLE));
        } else {
            multiply(moving(128, 1, 512, 1024, TRN_PSUM_ACCUM_FLAGS_MULTI_END));
        }
        for (uint32_t n = 0; n < 768; n++)
            assert_float_equal(cell(0, 4 * n), (n >= 256 && n < 512 ? 256 : 128), 0);
        end();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start_mid_end_add_up),
        cmocka_unit_test(test_begin_accum_adds_to_what_another_engine_left),
        cmocka_unit_test(test_maverick_overwrites_or_accumulates),
        cmocka_unit_test(test_a_start_makes_the_rest_of_its_bank_fresh),
        cmocka_unit_test(test_a_start_corrupts_a_chain_still_open_in_its_bank),
        cmocka_unit_test(test_tiles_in_one_bank_do_not_disturb_each_other),
        cmocka_unit_test(test_any_other_write_ends_freshness),
        cmocka_unit_test(test_zero_regions_are_aligned_groups_of_banks),
        cmocka_unit_test(test_a_cell_named_twice_takes_both_sums),
        cmocka_unit_test(test_accumulating_twice_doubles_a_product),
        cmocka_unit_test(test_overlapping_windows_add_where_they_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
