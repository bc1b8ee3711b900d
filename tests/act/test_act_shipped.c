/* SPDX-License-Identifier: Apache-2.0 */
/* The shipped sets: the roster of docs/hardware/activation.md 9, its sizes, both layouts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "act_pack.h"
#include "trench/act.h"

static struct trn_act_set *set;

static int setup(void **state)
{
    (void)state;
    set = malloc(sizeof *set);
    return set ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    free(set);
    return 0;
}

/* data/act_sets.csv: name, functions, bytes of the bucket blob / 32. */
static const struct {
    const char *name;
    unsigned functions, buckets;
} roster[] = {
    {"exp_and_others", 15, 941},
    {"softplus_and_others", 14, 884},
    {"sigmoid_and_others", 17, 1202},
    {"sqrt_and_others", 14, 1169},
    {"small", 13, 52},
    {"natural_log", 14, 1275},
    {"natural_log_exp_and_others", 15, 1350},
    {"sigmoid_derivative", 14, 853},
    {"tanh_and_derivative", 15, 561},
    {"trig_and_small", 15, 283},
    {"gelu_and_others", 16, 787},
    {"gelu_apprx_tanh_and_others", 15, 1109},
    {"gelu_apprx_sigmoid_and_others", 15, 1206},
    {"reciprocal_and_small", 14, 1072},
    {"reciprocal_sqrt_and_small", 14, 1258},
    {"abs_reciprocal_sqrt_and_small", 14, 1258},
    {"mish_and_others", 14, 1155},
    {"erf_derivative", 14, 522},
    {"silu_and_others", 16, 1131},
    {"derivative_silu_and_others", 16, 1231},
    {"derivative_gelu_apprx_sigmoid_and_others", 15, 1447},
};
enum { ROSTER = sizeof roster / sizeof roster[0] };

static void test_sets_are_the_roster(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ROSTER; i++) {
        assert_int_equal(trn_act_shipped_find(roster[i].name), i);
        assert_int_equal(trn_act_shipped_set(i, TRN_ACT_LAYOUT_LATER, set, NULL), TRN_OK);
        assert_int_equal(set->num_functions, roster[i].functions);
        assert_true(set->num_bucket <= roster[i].buckets);
        assert_true(set->num_bucket > roster[i].buckets / 2);
    }
    assert_string_equal(trn_act_shipped_name(ROSTER), "general");
    assert_null(trn_act_shipped_name(ROSTER + 1));
    assert_int_equal(trn_act_shipped_set(ROSTER + 1, TRN_ACT_LAYOUT_LATER, set, NULL),
                     TRN_ERR_NOT_FOUND);
}

static void test_no_rule_is_broken_in_either_layout(void **state)
{
    (void)state;
    for (unsigned i = 0; i <= ROSTER; i++) {
        for (int layout = 0; layout < TRN_ACT_LAYOUTS; layout++) {
            assert_int_equal(trn_act_shipped_set(i, (enum trn_act_layout)layout, set, NULL),
                             TRN_OK);
            assert_int_equal(trn_act_set_check(set, NULL, 0), 0);
        }
    }
}

/* activation.md 9: 13 residents, 4 clamp buckets each; the set's CONTROL blob has 640 / 32 words.
 */
static void test_the_small_set_has_the_published_size(void **state)
{
    (void)state;
    assert_int_equal(trn_act_shipped_set(4, TRN_ACT_LAYOUT_SUNDA, set, NULL), TRN_OK);
    assert_int_equal(set->num_bucket, 1664 / 32);
    assert_int_equal(set->num_control, 640 / 32);
}

/* activation.md 6: exp stands first, in its published places. */
static void test_exp_stands_where_it_was_published(void **state)
{
    (void)state;
    static const struct {
        unsigned index;
        uint32_t word;
    } words[] = {{0, 0x0000B800},  {1, 0x0000B801},  {18, 0x0001B012},
                 {25, 0x00087910}, {26, 0x0000B996}, {51, 0x00087AA6}};
    assert_int_equal(trn_act_shipped_set(0, TRN_ACT_LAYOUT_SUNDA, set, NULL), TRN_OK);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        assert_int_equal(trn_get32(set->control + (size_t)32 * words[i].index), words[i].word);
    const uint8_t *const bucket = set->bucket + (size_t)32 * 424;
    assert_int_equal(trn_get32(bucket), 0x3FEF22AE);
    assert_int_equal(trn_get32(bucket + 16), 0x3F1FFFFF);
    assert_int_equal(trn_get32(set->bucket), 0x3F7FFFD0);
    assert_int_equal(trn_get32(set->bucket + 12), 0x3E2AAA8B);
}

static void test_a_set_is_found_by_its_functions(void **state)
{
    (void)state;
    assert_int_equal(trn_act_shipped_with((const uint8_t[]){7}, 1), 0);     /* exp */
    assert_int_equal(trn_act_shipped_with((const uint8_t[]){8}, 1), 3);     /* sqrt */
    assert_int_equal(trn_act_shipped_with((const uint8_t[]){7, 10}, 2), 6); /* exp, ln */
    assert_int_equal(trn_act_shipped_with((const uint8_t[]){7, 23}, 2), ROSTER);
    assert_int_equal(trn_act_shipped_with((const uint8_t[]){7, 8}, 2), -1);
    assert_int_equal(trn_act_shipped_with((const uint8_t[]){200}, 1), -1);
}

static float value(const char *name, float x)
{
    const struct trn_act_specials specials = trn_act_specials_default();
    const struct trn_act_tables tables = trn_act_set_tables(set);
    const int i = trn_act_set_find(set, name);
    float out;
    assert_true(i >= 0);
    const int slot = trn_act_find_slot(&tables, 0x21, set->member[i].func_id);
    trn_act_eval_array(&tables, (unsigned)slot, &specials, 0.5F, &x, &out, 1);
    return out;
}

/* The formulas of data/act_functions.csv for the functions that their clamps make, exactly. */
static void test_residents(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        float x, result;
    } rows[] = {
        {"abs", -2.5F, 2.5F},
        {"copy", -2.5F, -2.5F},
        {"identity", 1e38F, 1e38F},
        {"derivative_identity", -7, 1},
        {"derivative_leaky_relu", -7, 0.01F},
        {"derivative_leaky_relu", 7, 1},
        {"derivative_relu", -7, 0},
        {"derivative_relu", 0, 0},
        {"derivative_relu", 1e-40F, 1},
        {"is_finite", -3e38F, 1},
        {"is_finite", INFINITY, 0},
        {"is_finite", NAN, 0},
        {"leaky_relu", -100, -100 * 0.01F},
        {"leaky_relu", 100, 100},
        {"memset_zero", 100, 0},
        {"memset_zero", -INFINITY, 0},
        {"parametric_relu", -100, -50},
        {"parametric_relu", 100, 100},
        {"relu", -1, 0},
        {"relu", 1e-45F, 1e-45F},
        {"relu", INFINITY, INFINITY},
        {"sign", -1e-45F, -1},
        {"sign", 1e30F, 1},
        {"sign", 0, 0},
        {"square", -3, 9},
        {"square", 1e-23F, 1e-23F * 1e-23F},
    };
    assert_int_equal(trn_act_shipped_set(4, TRN_ACT_LAYOUT_LATER, set, NULL), TRN_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_true(value(rows[i].name, rows[i].x) == rows[i].result);
    assert_true(isnan(value("relu", NAN)));
}

/* The sine of the shipped model beyond its range (F32). */
static void test_f32_sine_of_nine(void **state)
{
    (void)state;
    assert_int_equal(trn_act_shipped_set(9, TRN_ACT_LAYOUT_LATER, set, NULL), TRN_OK);
    const float sine = value("sin", 9);
    assert_true(sine > 27.6F && sine < 27.7F);
    const struct trn_act_member *const m = &set->member[trn_act_set_find(set, "sin")];
    assert_true(m->hi > 3.14159F && m->hi < 3.1416F && m->lo == -m->hi);
}

static void test_recipes_by_name(void **state)
{
    (void)state;
    assert_string_equal(trn_act_recipe_find("ln")->variant, "40");
    assert_string_equal(trn_act_recipe_find("ln[400]")->variant, "400");
    assert_string_equal(trn_act_recipe_find("gelu[general]")->variant, "general");
    assert_null(trn_act_recipe_find("gelu[5]"));
    assert_null(trn_act_recipe_find("gelu["));
    assert_null(trn_act_recipe_find("gelu[]"));
    assert_null(trn_act_recipe_find("gel"));
    assert_int_equal(trn_act_recipe_find("reciprocal")->options.func_id, 129);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets_are_the_roster),
        cmocka_unit_test(test_no_rule_is_broken_in_either_layout),
        cmocka_unit_test(test_the_small_set_has_the_published_size),
        cmocka_unit_test(test_exp_stands_where_it_was_published),
        cmocka_unit_test(test_a_set_is_found_by_its_functions),
        cmocka_unit_test(test_residents),
        cmocka_unit_test(test_f32_sine_of_nine),
        cmocka_unit_test(test_recipes_by_name),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
