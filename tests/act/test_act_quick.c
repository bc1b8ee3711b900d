/* SPDX-License-Identifier: Apache-2.0 */
/* The quick ways through tables of the usual shape: the bits of trn_act_value(), the scalar
 * definition, for every function of every shipped set, all BF16 inputs and noise; and the BF16
 * results of what is an affine stage, that definition and a rounding one after the other. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "act/eval.h"
#include "base/bytes.h"
#include "trench/gen.h"

enum { CODES = 65536, NOISE = 16384, VALUES = CODES + NOISE };

static struct trn_act_set *set;
static struct trn_act_function *function;
static float *values, *wanted, *results;
static uint16_t *halves;

static int setup(void **state)
{
    (void)state;
    set = malloc(sizeof *set);
    function = aligned_alloc(64, sizeof *function);
    values = malloc(VALUES * sizeof *values);
    wanted = malloc(VALUES * sizeof *wanted);
    results = malloc(VALUES * sizeof *results);
    halves = malloc(VALUES * sizeof *halves + 1);
    return set && function && values && wanted && results && halves ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    free(set);
    free(function);
    free(values);
    free(wanted);
    free(results);
    free(halves);
    return 0;
}

static uint32_t noise(void)
{
    static uint64_t seed = 1;
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)trn_bits_get(seed, 32, 32);
}

/* Any bits half of the time, else ordinary numbers up to 16. */
static void fill_values(void)
{
    for (uint32_t code = 0; code < CODES; code++)
        values[code] = trn_bits_f32((uint32_t)trn_bits_set(0, 16, 16, code));
    for (size_t i = CODES; i < VALUES; i++) {
        const uint32_t bits = noise();
        values[i] = noise() % 2 ? trn_bits_f32(bits) : (float)(int32_t)bits * 0x1p-27F;
    }
}

static void prepare(unsigned member)
{
    const struct trn_act_specials specials = trn_act_specials_default();
    const struct trn_act_tables tables = trn_act_set_tables(set);
    const int slot = trn_act_find_slot(&tables, 0x21, set->member[member].func_id);
    assert_true(slot >= 0);
    trn_act_prepare(&tables, (unsigned)slot, &specials, 0.25F, function);
}

static void expect_wanted(const char *way)
{
    for (size_t i = 0; i < VALUES; i++)
        if (trn_f32_bits(results[i]) != trn_f32_bits(wanted[i]))
            fail_msg("%s %s: %08x gives %08x, not %08x", set->name, way, trn_f32_bits(values[i]),
                     trn_f32_bits(results[i]), trn_f32_bits(wanted[i]));
}

/* To nearest, ties to even (numerics.md 4). */
static uint16_t rounded(float x)
{
    const uint32_t bits = trn_f32_bits(x);
    return isnan(x) ? 0x7FC0 : (uint16_t)((bits + 0x7FFF + trn_bits_get(bits, 16, 1)) / 65536);
}

/* Into places of any alignment. */
static void expect_bf16(const struct trn_act_line *line)
{
    uint8_t *const odd = (uint8_t *)halves + 1;
    struct trn_num_mode mode;
    trn_num_mode_default(trn_gen_at(0), &mode);
    trn_act_apply_bf16(function, 0.25F, line, values, &mode, odd, VALUES);
    for (size_t i = 0; i < VALUES; i++) {
        const float product = line ? values[i] * line->scale : values[i];
        const float v = line ? product + line->bias : values[i];
        const float f = trn_act_value(function, line && isnan(v) ? trn_bits_f32(0x7FC00000) : v);
        if (trn_get16(odd + 2 * i) != rounded(f))
            fail_msg("%s: %08x gives bf16 %04x, not that of %08x", set->name,
                     trn_f32_bits(values[i]), trn_get16(odd + 2 * i), trn_f32_bits(f));
    }
}

static void check_member(unsigned member)
{
    prepare(member);
    for (size_t i = 0; i < VALUES; i++)
        wanted[i] = trn_act_value(function, values[i]);
    trn_act_apply(function, values, results, VALUES);
    expect_wanted("quick");
    expect_bf16(NULL);
    expect_bf16(&(struct trn_act_line){1, 0});
    expect_bf16(&(struct trn_act_line){-0.3F, 0.7F});
    function->quick.usable = false;
    trn_act_apply(function, values, results, VALUES);
    expect_wanted("general");
}

static void test_shipped_functions(void **state)
{
    (void)state;
    for (size_t i = 0; trn_act_shipped_name(i); i++) {
        assert_int_equal(trn_act_shipped_set(i, TRN_ACT_LAYOUT_LATER, set, NULL), TRN_OK);
        fill_values();
        for (unsigned member = 0; member < set->num_functions; member++)
            check_member(member);
    }
}

/* What the promise of speed is about; see quick_bound.c for the conditions. */
static void test_which_functions_are_quick(void **state)
{
    static const struct {
        const char *name;
        bool usable, bf16;
    } rows[] = {
        {"exp", true, true},          {"tanh", true, true},
        {"erf", true, true},          {"sigmoid", true, false}, /* its symmetry point is 1 */
        {"sin", true, true},          {"relu", true, false},    /* its clamps are no constants */
        {"reciprocal", false, false},                           /* more than 32 octaves */
    };
    (void)state;
    const int place = trn_act_shipped_find("general");
    assert_true(place >= 0);
    assert_int_equal(trn_act_shipped_set((size_t)place, TRN_ACT_LAYOUT_LATER, set, NULL), TRN_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const int member = trn_act_set_find(set, rows[i].name);
        assert_true(member >= 0);
        prepare((unsigned)member);
        if (function->quick.usable != rows[i].usable || function->quick.bf16 != rows[i].bf16)
            fail_msg("%s: usable %d, bf16 %d", rows[i].name, function->quick.usable,
                     function->quick.bf16);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shipped_functions),
        cmocka_unit_test(test_which_functions_are_quick),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
