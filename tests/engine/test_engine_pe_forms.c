/* SPDX-License-Identifier: Apache-2.0 */
/* PE words in forms that kernels seldom use: gathered operands and the mode that executes as none
 * (docs/hardware/pe-array.md 13, isa-core.md 6). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pe_scene.h"
#include "trench/isa.h"

enum { LISTS = 0x2000 };

/* INDIRECT16B: index ADDR4 at 0 with bit 29, data ADDR4 at 4, number of indices at 8. */
static void put_indirect(uint8_t *pattern, uint32_t index, uint32_t data, uint16_t num)
{
    memset(pattern, 0, 16);
    trn_put32(pattern, UINT32_C(0x20000000) | index);
    trn_put32(pattern + 4, data);
    trn_put16(pattern + 8, num);
}

static void put_list(uint32_t partition, const uint16_t *list, size_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint8_t entry[2];
        trn_put16(entry, list[i]);
        assert_int_equal(
            pe_core_poke(&core, TRN_SPACE_SBUF, partition, LISTS + 2 * i, entry, sizeof entry),
            TRN_OK);
    }
}

static void run_valid(const uint8_t *word)
{
    const struct trn_check_options options = {.engine = TRN_NEURON_ENGINE_PE};
    struct trn_violation violation;
    if (trn_check_word(core.gen, word, &options, &violation, 1, NULL) != TRN_OK)
        fail_msg("%s: %s: %s", core.gen->name, violation.rule, violation.detail);
    run_ok(word);
}

/* Row 0 has elements 1, 2, ..; the list picks 5, 1, 3, of which the first goes to the last column.
 */
static void test_weights_may_be_gathered(void **state)
{
    static const uint16_t list[3] = {4, 0, 2};
    (void)state;
    for (int gen = MARIANA; gen < GENS; gen++) {
        begin(gen);
        for (uint32_t i = 0; i < 5; i++)
            poke_bf16(0, WEIGHTS + 2 * i, (float)(i + 1));
        poke_bf16(0, MOVING, 1);
        put_list(0, list, 3);
        const struct pe_spec spec = weights(1, 3);
        uint8_t word[64];
        pe_ldweights(core.gen, &spec, word);
        put_indirect(trn_s3_lw_src_mem_pattern_ref(word, core.gen->isa), sbuf(0, LISTS),
                     sbuf(0, WEIGHTS), 3);
        run_valid(word);
        multiply(moving(1, 3, 1, 0, single()));
        assert_float_equal(cell(0, 0), 3, 0);
        assert_float_equal(cell(1, 0), 1, 0);
        assert_float_equal(cell(2, 0), 5, 0);
        assert_int_equal(core.choices.count[TRN_CHOICE_INDIRECT_INDEX_UINT16], 1);
        end();
    }
}

/* The unit matrix as weights: column r shows what row r gathers by its own list. */
static void test_moving_values_may_be_gathered(void **state)
{
    static const uint16_t lists[2][3] = {{3, 0, 2}, {1, 1, 4}};
    static const float want[2][3] = {{4, 1, 3}, {12, 12, 15}};
    (void)state;
    for (int gen = MARIANA; gen < GENS; gen++) {
        begin(gen);
        fill(0, 2, WEIGHTS, 2, 0);
        poke_bf16(0, WEIGHTS + 2, 1); /* the second element goes to column 0 */
        poke_bf16(1, WEIGHTS, 1);
        for (uint32_t row = 0; row < 2; row++) {
            for (uint32_t i = 0; i < 5; i++)
                poke_bf16(row, MOVING + 2 * i, (float)(10 * row + i + 1));
            put_list(row, lists[row], 3);
        }
        load(weights(2, 2));
        const struct pe_spec spec = moving(2, 2, 3, 0, single());
        uint8_t word[64];
        pe_matmul(core.gen, &spec, word);
        put_indirect(trn_s3d3_mm_src_mem_pattern_ref(word, core.gen->isa), sbuf(0, LISTS),
                     sbuf(0, MOVING), 3);
        run_valid(word);
        for (uint32_t c = 0; c < 2; c++)
            for (uint32_t n = 0; n < 3; n++)
                assert_float_equal(cell(c, 4 * n), want[c][n], 0);
        end();
    }
}

/* Results 1, 2, 3 go to cells 5, 0 and 2 of the list; what lies between stays. */
static void test_results_may_be_scattered(void **state)
{
    static const uint16_t list[3] = {5, 0, 2};
    static const float want[6] = {2, 50, 3, 50, 50, 1};
    (void)state;
    for (int gen = MARIANA; gen < GENS; gen++) {
        begin_ones(gen);
        for (uint32_t n = 0; n < 6; n++)
            poke_f32(TRN_SPACE_PSUM, 0, 4 * n, 50);
        for (uint32_t n = 0; n < 3; n++)
            poke_bf16(0, MOVING + 2 * n, (float)(n + 1));
        put_list(0, list, 3);
        const struct pe_spec spec = moving(1, 1, 3, 0, single());
        uint8_t word[64];
        pe_matmul(core.gen, &spec, word);
        put_indirect(trn_s3d3_mm_dst_mem_pattern_ref(word, core.gen->isa), sbuf(0, LISTS),
                     psum(0, 0), 3);
        run_valid(word);
        for (uint32_t n = 0; n < 6; n++)
            assert_float_equal(cell(0, 4 * n), want[n], 0);
        end();
    }
}

/* perf_opt DOUBLE_PIXEL has no known producer: it executes as NONE, and the choice is counted. */
static void test_double_pixel_executes_as_none(void **state)
{
    (void)state;
    for (int gen = SUNDA; gen < MAVERICK; gen++) {
        begin_ones(gen);
        const struct pe_spec spec = moving(1, 1, 4, 0, single());
        uint8_t word[64];
        pe_matmul(core.gen, &spec, word);
        trn_s3d3_mm_perf_opt_set(word, core.gen->isa, TRN_PE_PERF_OPT_DOUBLE_PIXEL);
        run_valid(word);
        for (uint32_t n = 0; n < 4; n++)
            assert_float_equal(cell(0, 4 * n), 1, 0);
        assert_int_equal(core.choices.count[TRN_CHOICE_PE_DOUBLE_PIXEL], 1);
        end();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weights_may_be_gathered),
        cmocka_unit_test(test_moving_values_may_be_gathered),
        cmocka_unit_test(test_results_may_be_scattered),
        cmocka_unit_test(test_double_pixel_executes_as_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
