/* SPDX-License-Identifier: Apache-2.0 */
/* Fitting: the published exp table bit for bit (docs/hardware/activation.md 6), symmetry, ends,
 * capacities, functions that diverge. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "act/eval.h"
#include "act/threshold.h"
#include "act_pack.h"
#include "base/bytes.h"

static struct trn_act_table *table;
static struct trn_act_set *set;

static int setup(void **state)
{
    (void)state;
    table = malloc(sizeof *table);
    set = malloc(sizeof *set);
    return table && set ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    free(table);
    free(set);
    return 0;
}

/* activation.md 6: octaves, sizes and thresholds of the shipped exp, coefficients by its recipe. */
static struct trn_act_fit_options exp_options(void)
{
    struct trn_act_fit_options o = trn_act_fit_options_default();
    o.name = "exp";
    o.expression = "exp(x)";
    o.func_id = 7;
    o.taylor = true;
    o.extract = "-19: 0*18 1 2 3 4 5 6 7 8";
    o.large_pos = 0x42B17218; /* exponent 133, mantissa 3240472 */
    o.large_neg = 0x42C2928B; /* exponent 133, mantissa 4362891 */
    o.max_buckets = 781;
    return o;
}

static void fit(const struct trn_act_fit_options *o)
{
    struct trn_diag diag = {0};
    if (trn_act_fit(o, table, NULL, &diag) != TRN_OK)
        fail_msg("%s: %s", diag.where, diag.message);
}

static void fit_expression(const char *expression)
{
    struct trn_act_fit_options o = trn_act_fit_options_default();
    o.expression = expression;
    fit(&o);
}

static float value_at(float x)
{
    const struct trn_act_specials specials = trn_act_specials_default();
    assert_int_equal(trn_act_set_init(set, "test", TRN_ACT_LAYOUT_LATER, NULL), TRN_OK);
    assert_int_equal(trn_act_set_add(set, table, NULL), TRN_OK);
    const struct trn_act_tables tables = trn_act_set_tables(set);
    float out;
    trn_act_eval_array(&tables, 0, &specials, 1, &x, &out, 1);
    return out;
}

static void assert_bucket(unsigned i, uint32_t d0, uint32_t d1, uint32_t d2, uint32_t d3,
                          uint32_t x0)
{
    const struct trn_act_bucket *const b = &table->bucket[i];
    assert_int_equal(b->d0, d0);
    assert_int_equal(b->d1, d1);
    assert_int_equal(b->d2, d2);
    assert_int_equal(b->d3, d3);
    assert_int_equal(b->x0, x0);
}

static void assert_control(unsigned i, uint32_t word)
{
    uint8_t bytes[TRN_ACT_CONTROL_BYTES];
    trn_act_control_pack(TRN_ACT_LAYOUT_LATER, &table->control[i], bytes);
    assert_int_equal(trn_get32(bytes), word);
}

static void test_exp_is_the_published_table(void **state)
{
    (void)state;
    const struct trn_act_fit_options o = exp_options();
    fit(&o);
    assert_int_equal(table->num_bucket, 406 + 371 + 4);
    assert_int_equal(table->num_control, 52);
    assert_int_equal(table->profile.pwl_control_base_neg, 0);
    assert_int_equal(table->profile.pwl_control_base_pos, 26);
    assert_int_equal(table->control[26].act_tbl_base, 406);
    assert_bucket(0, 0x3F7FFFD0, 0x3F7FFFD0, 0x3EFFFFD0, 0x3E2AAA8B, 0xB63FFFFF);
    assert_int_equal(table->bucket[424].x0, 0x3F1FFFFF);
    assert_int_equal(table->bucket[424].d0, 0x3FEF22AE);
    assert_control(0, 0x0000B800);
    assert_control(1, 0x0000B801);
    assert_control(18, 0x0001B012);
    assert_control(25, 0x00087910);
    assert_control(26, 0x0000B996);
    assert_control(51, 0x00087AA6);
}

static void test_exp_profile_and_clamps(void **state)
{
    (void)state;
    const struct trn_act_fit_options o = exp_options();
    fit(&o);
    const struct trn_act_profile *const p = &table->profile;
    assert_int_equal(p->exponent_offset, 0xED);
    assert_int_equal(p->small_pos_signal_threshold, 108);
    assert_int_equal(p->small_neg_signal_threshold, 108);
    assert_int_equal(p->large_pos_signal_threshold, 133);
    assert_int_equal(p->large_neg_signal_threshold, 133);
    /* 12 upper and 11 lower bits of the mantissas */
    assert_int_equal(p->large_pos_mantissa_threshold_msbs * 2048 +
                         p->large_pos_mantissa_threshold_lsbs,
                     3240472);
    assert_int_equal(p->large_neg_mantissa_threshold_msbs * 2048 +
                         p->large_neg_mantissa_threshold_lsbs,
                     4362891);
    assert_int_equal(p->large_pos_mantissa_compare_enable, 1);
    assert_int_equal(p->small_pos_signal_pwl_control, 777);
    assert_int_equal(p->small_neg_signal_pwl_control, 778);
    assert_int_equal(p->large_pos_signal_pwl_control, 779);
    assert_int_equal(p->large_neg_signal_pwl_control, 780);
    assert_bucket(777, 0x3F800000, 0x3F800000, 0x3F000000, 0x3E2AAAAB, 0);
    assert_bucket(778, 0x3F800000, 0x3F800000, 0x3F000000, 0x3E2AAAAB, 0);
    assert_bucket(779, 0x7F800000, 0, 0, 0, 0);
    assert_bucket(780, 0, 0, 0, 0, 0);
    assert_int_equal(p->func_rslt_for_zero, 0x3F800000);
    assert_int_equal(p->func_rslt_for_nan, 0x7FC00000);
    assert_int_equal(p->func_rslt_for_pos_inf, 0x7F800000);
    assert_int_equal(p->func_rslt_for_neg_inf, 0);
}

static void test_exp_at_a_half(void **state)
{
    (void)state;
    const struct trn_act_fit_options o = exp_options();
    fit(&o);
    assert_int_equal(trn_f32_bits(value_at(0.5F)), 0x3FD308B1);
    assert_true(isinf(value_at(88.722839F)));
    assert_true(value_at(88.722832F) < INFINITY);
    assert_int_equal(trn_f32_bits(value_at(-104)), 0);
}

/* Function, fold, negative region, sign: activation.md 5.3. */
static void test_symmetry_is_found(void **state)
{
    (void)state;
    static const struct {
        const char *expression;
        unsigned enabled, negative, inverted;
        float point;
    } rows[] = {
        {"exp(x)", 0, 0, 0, 0},        {"tanh(x)", 1, 0, 1, 0},   {"x*x", 1, 0, 0, 0},
        {"1/(1+exp(-x))", 1, 1, 1, 1}, {"erf(x)", 1, 0, 1, 0},    {"3+x/(1+abs(x))", 1, 1, 1, 6},
        {"x*sigmoid(x)", 0, 0, 0, 0},  {"1/(1+x^2)", 1, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fit_expression(rows[i].expression);
        const struct trn_act_profile *const p = &table->profile;
        assert_int_equal(p->symmetry_opt_en, rows[i].enabled);
        assert_int_equal(p->symmetry_opt_use_neg_region, rows[i].negative);
        assert_int_equal(p->func_sym_inv_sign, rows[i].inverted);
        assert_true(trn_bits_f32(p->symmetry_point) == rows[i].point);
    }
}

/* Results that the machine must give exactly: beyond saturation, on lines, at special values. */
static void test_ends_are_exact(void **state)
{
    (void)state;
    static const struct {
        const char *expression;
        float x, value;
    } rows[] = {
        {"tanh(x)", 30, 1},
        {"tanh(x)", -30, -1},
        {"sigmoid(x)", 40, 1},
        {"sigmoid(x)", -200, 0},
        {"softplus(x)", 1e6F, 1e6F},
        {"x*sigmoid(x)", 12345.5F, 12345.5F},
        {"x*sigmoid(x)", -1e30F, 0},
        {"max(x,0)", 1.5e-40F, 1.5e-40F},
        {"max(x,0)", -3, 0},
        {"abs(x)", -7.25F, 7.25F},
        {"x^3", 2, 8},
        {"x^2", 3e19F, INFINITY},
        {"tanh(x)", INFINITY, 1},
        {"x*sigmoid(x)", -INFINITY, 0},
        {"softplus(x)", INFINITY, INFINITY},
        {"x/(1+abs(x))", INFINITY, 1},
        {"x/(1+abs(x))", -INFINITY, -1},
        {"2+x/(1+abs(x))", INFINITY, 3},
        {"2+x/(1+abs(x))", -INFINITY, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fit_expression(rows[i].expression);
        assert_int_equal(trn_f32_bits(value_at(rows[i].x)), trn_f32_bits(rows[i].value));
    }
}

/* Four clamps do all the work of a line (activation.md 9). */
static void test_lines_need_no_octaves(void **state)
{
    (void)state;
    static const char *const lines[] = {"x", "max(x,0)", "x*x", "sign(x)", "3*x+1", "1"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        fit_expression(lines[i]);
        assert_int_equal(table->num_bucket, 4);
        assert_int_equal(table->profile.exponent_offset, 0x81); /* -127 */
    }
}

/* sin(9) by the cubic about pi: t = 9 - pi, -t + t^3/6 = 27.6527 (F32). */
static void test_f32_sine_extrapolates_and_its_range_is_marked(void **state)
{
    (void)state;
    struct trn_act_fit_options o = trn_act_fit_options_default();
    o.expression = "sin(x)";
    o.lo = -3.14159274F;
    o.hi = 3.14159274F;
    o.outside = TRN_ACT_OUTSIDE_EXTRAPOLATE;
    o.max_buckets = 59;
    fit(&o);
    assert_true(value_at(9) > 27.6F && value_at(9) < 27.7F);
    assert_true(fabsf(value_at(1) - 0.841470985F) < 1e-5F);
    assert_false(trn_act_in_range(table, 9));
    assert_true(trn_act_in_range(table, -3));
    o.outside = TRN_ACT_OUTSIDE_HOLD;
    fit(&o);
    assert_true(fabsf(value_at(9)) < 1e-6F);
}

static void test_table_keeps_to_its_buckets(void **state)
{
    (void)state;
    struct trn_act_fit_options o = trn_act_fit_options_default();
    double coarse, fine;
    o.expression = "tanh(x)";
    o.max_buckets = 20;
    assert_int_equal(trn_act_fit(&o, table, &coarse, NULL), TRN_OK);
    assert_true(table->num_bucket <= 20);
    o.max_buckets = 80;
    assert_int_equal(trn_act_fit(&o, table, &fine, NULL), TRN_OK);
    assert_true(table->num_bucket > 20 && table->num_bucket <= 80);
    assert_true(fine < coarse / 16); /* a cubic: error ~ width^4, width / 2 at least */
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *expression;
        float lo, hi;
        unsigned buckets, control;
        trn_status status;
        const char *rule;
    } rows[] = {
        {"1/x", -INFINITY, INFINITY, 512, 256, TRN_ERR_INVALID, "ACT_DIVERGES"},
        {"log(x)", 0, INFINITY, 512, 256, TRN_ERR_INVALID, "ACT_DIVERGES"},
        {"sqrt(x-1)", 0, 4, 512, 256, TRN_ERR_INVALID, "ACT_DIVERGES"},
        {"log(1+exp(x))", -INFINITY, INFINITY, 512, 256, TRN_ERR_INVALID, "ACT_DIVERGES"},
        {"sqrt(-1-x*x)", -INFINITY, INFINITY, 512, 256, TRN_ERR_INVALID, "ACT_DIVERGES"},
        {"sin(x)", -INFINITY, INFINITY, 2048, 256, TRN_ERR_TOO_LARGE, "ACT_CAPACITY"},
        {"step(x-1)", -INFINITY, INFINITY, 2048, 256, TRN_ERR_TOO_LARGE, "ACT_CAPACITY"},
        {"exp(x)", -INFINITY, INFINITY, 512, 4, TRN_ERR_TOO_LARGE, "ACT_CAPACITY"},
        {"exp(x)", -INFINITY, INFINITY, 2049, 256, TRN_ERR_TOO_LARGE, "ACT_CAPACITY"},
        {"exp(x)", 1, 1, 512, 256, TRN_ERR_INVALID, "ACT_RANGE"},
        {"exp(x)", NAN, 1, 512, 256, TRN_ERR_INVALID, "ACT_RANGE"},
        {"exp(", -INFINITY, INFINITY, 512, 256, TRN_ERR_INVALID, "ACT_EXPRESSION"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct trn_act_fit_options o = trn_act_fit_options_default();
        struct trn_diag diag = {0};
        o.expression = rows[i].expression;
        o.lo = rows[i].lo;
        o.hi = rows[i].hi;
        o.max_buckets = rows[i].buckets;
        o.max_control = rows[i].control;
        assert_int_equal(trn_act_fit(&o, table, NULL, &diag), rows[i].status);
        assert_string_equal(diag.rule, rows[i].rule);
        assert_true(diag.message[0] != '\0' && diag.expected[0] != '\0');
    }
}

static void test_measured_error_is_that_of_a_correct_rounding(void **state)
{
    (void)state;
    struct trn_act_error bf16, fp32;
    fit_expression("max(x,0)"); /* exact in every format it is exact in */
    assert_int_equal(trn_act_measure(table, "max(x,0)", 10000, &bf16, &fp32, NULL), TRN_OK);
    assert_int_equal(bf16.inputs, 65280); /* 65,536 less 256 NaN and Inf */
    assert_true(bf16.max_ulp[0] == 0 && bf16.max_ulp[1] == 0 && bf16.max_absolute == 0);
    assert_true(fp32.max_ulp[1] > 0.49 && fp32.max_ulp[1] <= 0.5); /* round to nearest */
    /* held against another function: 0.75 x is x / 4 below x, in units of 2^-23 up to 2 */
    fit_expression("0.75*x");
    assert_int_equal(trn_act_measure(table, "x", 10000, &bf16, &fp32, NULL), TRN_OK);
    assert_true(fp32.max_ulp[0] > 0.249 * 0x1p24 && fp32.max_ulp[0] <= 0.25 * 0x1p24);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exp_is_the_published_table),
        cmocka_unit_test(test_exp_profile_and_clamps),
        cmocka_unit_test(test_exp_at_a_half),
        cmocka_unit_test(test_symmetry_is_found),
        cmocka_unit_test(test_ends_are_exact),
        cmocka_unit_test(test_lines_need_no_octaves),
        cmocka_unit_test(test_f32_sine_extrapolates_and_its_range_is_marked),
        cmocka_unit_test(test_table_keeps_to_its_buckets),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_measured_error_is_that_of_a_correct_rounding),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
