/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers MATMUL makes of its operands (docs/hardware/pe-array.md 6, 7). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pe_scene.h"

/* ---- 7: numerics ------------------------------------------------------------------- */

/* field-cases.md F24: K = 128 of bf16(0.1) = 3DCD squared, summed in order: 3FA42900. */
static void test_bf16_inputs_round_before_they_multiply(void **state)
{
    (void)state;
    for (int gen = 0; gen < GENS; gen++) {
        begin(gen);
        const float tenth = trn_bits_f32(0x3DCD0000);
        fill(0, 128, WEIGHTS, 1, tenth);
        fill(0, 128, MOVING, 1, tenth);
        load(weights(128, 1));
        multiply(moving(128, 1, 1, 0, single()));
        assert_int_equal(cell_bits(0, 0), 0x3FA42900);
        end();
    }
}

static float thirds(uint32_t i) /* values with all 24 bits in use */
{
    return (float)(1 + i) / 3.0f;
}

static void test_four_passes_make_an_fp32_product(void **state)
{
    (void)state;
    for (int gen = 0; gen < GENS; gen++) {
        begin(gen);
        double exact = 0, magnitude = 0;
        for (uint32_t r = 0; r < 128; r++) {
            const float w = thirds(r), x = r % 2 ? -thirds(r * r) : thirds(r + 7);
            poke_f32(TRN_SPACE_SBUF, r, WEIGHTS, w);
            poke_f32(TRN_SPACE_SBUF, r, MOVING, x);
            exact += (double)w * (double)x;
            magnitude += fabs((double)w * (double)x);
        }
        const bool tiles = core.gen->isa == 3;
        load(as_fp32(weights(128, 1), TRN_PE_FP32MODE_HIGH));
        multiply(as_fp32(moving(128, 1, 1, 0, tiles ? 0 : TRN_PSUM_ACCUM_FLAGS_MULTI_START),
                         TRN_PE_FP32MODE_LOW_HIGH));
        load(as_fp32(weights(128, 1), TRN_PE_FP32MODE_LOW));
        multiply(as_fp32(moving(128, 1, 1, 0, tiles ? 1 : TRN_PSUM_ACCUM_FLAGS_MULTI_END),
                         TRN_PE_FP32MODE_LOW_HIGH));
        /* each of the 513 roundings loses at most half an ulp of a partial sum <= magnitude */
        assert_true(fabs((double)cell(0, 0) - exact) <= 513 * magnitude * 0x1p-24);
        assert_true(fabs((double)cell(0, 0) - exact) <=
                    4e-6 * magnitude); /* tf32 would lose 1e-4 */
        end();
    }
}

/* TF32 is HIGH times HIGH. 40490FDB has the high part 40491000 (numerics.md 2.2), which has 12
 * significant bits, so its square is exact in fp32; 2^23 * 40490FDB has the same bits. */
static void test_tf32_multiplies_the_high_parts(void **state)
{
    (void)state;
    begin(CAYMAN);
    const float pi = trn_bits_f32(0x40490FDB), high = trn_bits_f32(0x40491000);
    poke_f32(TRN_SPACE_SBUF, 0, WEIGHTS, pi);
    poke_f32(TRN_SPACE_SBUF, 0, MOVING, pi);
    load(as_fp32(weights(1, 1), TRN_PE_FP32MODE_HIGH));
    multiply(as_fp32(moving(1, 1, 1, 0, 3), TRN_PE_FP32MODE_HIGH));
    assert_float_equal(cell(0, 0), high * high, 0);
    assert_int_equal(core.choices.count[TRN_CHOICE_PE_FP32_SPLIT], 1);
    /* the low part is the exact rest: 40490FDB - 40491000 = -37 * 2^-22 */
    multiply(as_fp32(moving(1, 1, 1, 0, 3), TRN_PE_FP32MODE_LOW));
    assert_float_equal(cell(0, 0), high * (-37.0f * 0x1p-22f), 0);
    end();
}

static void test_inf_and_nan_are_all_high_part(void **state)
{
    (void)state;
    begin(CAYMAN);
    poke_f32(TRN_SPACE_SBUF, 0, WEIGHTS, 1);
    load(as_fp32(weights(1, 1), TRN_PE_FP32MODE_HIGH));
    poke_f32(TRN_SPACE_SBUF, 0, MOVING, INFINITY);
    poke_f32(TRN_SPACE_SBUF, 0, MOVING + 4, trn_bits_f32(0xFFA00001));
    multiply(as_fp32(moving(1, 1, 2, 0, 3), TRN_PE_FP32MODE_LOW));
    assert_int_equal(cell_bits(0, 0), 0);
    assert_int_equal(cell_bits(0, 4), 0);
    multiply(as_fp32(moving(1, 1, 2, 0, 3), TRN_PE_FP32MODE_LOW_HIGH));
    assert_int_equal(cell_bits(0, 0), 0x7F800000);
    assert_int_equal(cell_bits(0, 4), 0x7FC00000);
    end();
}

/* 0 times Inf, Inf - Inf and NaN in a row give the canonical NaN; inactive rows contribute nothing,
 * not even through a NaN that lies there. */
static void test_nans_are_canonical_and_stay_in_active_rows(void **state)
{
    (void)state;
    for (int gen = 0; gen < GENS; gen++) {
        begin(gen);
        fill(0, 3, WEIGHTS, 1, 1);
        load(weights(3, 1));
        const float in[2][4] = {{INFINITY, INFINITY, trn_bits_f32(0xFF810000), 1},
                                {-INFINITY, 1, 1, 2}};
        for (uint32_t r = 0; r < 2; r++)
            for (uint32_t n = 0; n < 4; n++)
                poke_bf16(r, MOVING + 2 * n, in[r][n]);
        fill(2, 1, MOVING, 4, trn_bits_f32(0x7FC00000));
        multiply(moving(2, 1, 4, 0, single()));
        const uint32_t want[4] = {0x7FC00000, 0x7F800000, 0x7FC00000, 0x40400000};
        for (uint32_t n = 0; n < 4; n++)
            assert_int_equal(cell_bits(0, 4 * n), want[n]);
        end();
    }
}

/* 1 + 2^-8 needs 9 bits: BF16 rounds to even, 1. Accumulated from 1: 2 + 2^-8 -> 2. */
static void test_bf16_cells_round_each_sum(void **state)
{
    (void)state;
    for (int gen = MARIANA; gen < GENS; gen++) {
        begin(gen);
        const unsigned isa = core.gen->isa;
        fill(0, 2, WEIGHTS, 1, 1);
        poke_bf16(0, MOVING, 1);
        poke_bf16(0, MOVING + 2, 1);
        poke_bf16(1, MOVING, 0x1p-8f);
        poke_bf16(1, MOVING + 2, 0x1p-7f);
        load(weights(2, 1));
        for (int pass = 0; pass < 2; pass++) {
            const uint8_t flags = core.gen->isa == 3 ? (uint8_t)pass
                                  : pass             ? TRN_PSUM_ACCUM_FLAGS_MULTI_END
                                                     : TRN_PSUM_ACCUM_FLAGS_MULTI_START;
            const struct pe_spec spec = moving(2, 1, 2, 0, flags);
            uint8_t word[64];
            pe_matmul(core.gen, &spec, word);
            trn_s3d3_mm_out_dtype_set(word, isa, TRN_DTYPE_BFLOAT16);
            run_ok(word);
            /* 1 and 1 + 2^-7; then 1 + (1 + 2^-8) -> 2 and 2 + 2^-6 */
            assert_int_equal(cell_bits(0, 0), pass ? (uint32_t)bf16(2 + 0x1p-6f) << 16 | bf16(2)
                                                   : (uint32_t)bf16(1 + 0x1p-7f) << 16 | bf16(1));
        }
        end();
    }
}

static void test_fp8_codes_are_read_by_the_engines_mode(void **state)
{
    (void)state;
    for (int gen = 0; gen < GENS; gen++) {
        begin(gen);
        const uint8_t one = 0x38, code = 0x7E; /* E4M3: 1.0; 448 as fn, NaN as legacy */
        assert_int_equal(pe_core_poke(&core, TRN_SPACE_SBUF, 0, WEIGHTS, &one, 1), TRN_OK);
        assert_int_equal(pe_core_poke(&core, TRN_SPACE_SBUF, 0, MOVING, &code, 1), TRN_OK);
        struct pe_spec spec = weights(1, 1);
        spec.dtype = TRN_DTYPE_FP8_EXP4;
        load(spec);
        spec = moving(1, 1, 1, 0, single());
        spec.dtype = TRN_DTYPE_FP8_EXP4;
        multiply(spec);
        assert_int_equal(cell_bits(0, 0), gen < MARIANA ? 0x7FC00000 : trn_f32_bits(448));
        core.state->mode[TRN_NEURON_ENGINE_PE].fp8_e4m3 =
            gen < MARIANA ? TRN_FP8_FN : TRN_FP8_LEGACY;
        multiply(spec);
        assert_int_equal(cell_bits(0, 0), gen < MARIANA ? trn_f32_bits(448) : 0x7FC00000);
        end();
    }
}

static void test_fp32_goes_with_fp32_only(void **state)
{
    (void)state;
    begin(CAYMAN);
    load(weights(1, 1));
    uint8_t word[64];
    struct pe_spec spec = as_fp32(moving(1, 1, 1, 0, 3), TRN_PE_FP32MODE_HIGH);
    pe_matmul(core.gen, &spec, word);
    expect_fault(word, TRN_FAULT_ILLEGAL_INSTRUCTION, "pe_loaded_class", "multiplies FP32 values");
    load(as_fp32(weights(1, 1), TRN_PE_FP32MODE_HIGH));
    spec = moving(1, 1, 1, 0, 3);
    pe_matmul(core.gen, &spec, word);
    expect_fault(word, TRN_FAULT_ILLEGAL_INSTRUCTION, "pe_loaded_class", "holds FP32 values");
    spec.dtype = TRN_DTYPE_FP16; /* FP16 and BF16 mix */
    load(weights(1, 1));
    multiply(spec);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bf16_inputs_round_before_they_multiply),
        cmocka_unit_test(test_four_passes_make_an_fp32_product),
        cmocka_unit_test(test_tf32_multiplies_the_high_parts),
        cmocka_unit_test(test_inf_and_nan_are_all_high_part),
        cmocka_unit_test(test_nans_are_canonical_and_stay_in_active_rows),
        cmocka_unit_test(test_bf16_cells_round_each_sum),
        cmocka_unit_test(test_fp8_codes_are_read_by_the_engines_mode),
        cmocka_unit_test(test_fp32_goes_with_fp32_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
