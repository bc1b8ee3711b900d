/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions: precedence, values, Taylor coefficients, errors with their column. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "act/expr.h"

static struct trn_expr expr;

static void parse(const char *text)
{
    struct trn_diag diag = {0};
    if (trn_expr_parse(text, &expr, &diag) != TRN_OK)
        fail_msg("%s: %s", diag.where, diag.message);
}

static void assert_near(long double value, long double right)
{
    if (!(fabsl(value - right) <= 1e-15L * (1 + fabsl(right))))
        fail_msg("%.20Lg is not %.20Lg", value, right);
}

static void test_values(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        long double x, value;
    } rows[] = {
        {"1+2*3", 0, 7},
        {"(1+2)*3", 0, 9},
        {"2^3^2", 0, 512}, /* from the right */
        {"-x^2", 3, -9},
        {"2^-1", 0, 0.5L},
        {"-2^-2", 0, -0.25L},
        {"8/4/2", 0, 1},
        {"7-2-1", 0, 4},
        {"--x", 5, 5},
        {"2*-x", 3, -6},
        {"+x", 3, 3},
        {"1.5e1", 0, 15},
        {".5*x", 4, 2},
        {"max(x, 2)", 1, 2},
        {"max(min(x,4),2)", 9, 4},
        {"pow(x,3)", -2, -8},
        {"x^0.5", 9, 3},
        {"sin(pi/2)", 0, 1},
        {"ln(e)", 0, 1},
        {"EXP(0)", 0, 1},
        {"abs(x)-sign(x)+step(x)", -3, 4},
        {"relu(x)", -1, 0},
        {"log2(8)+log10(100)+exp2(3)", 0, 13},
        {"rsqrt(4)", 0, 0.5L},
        /* public values: erf(1), atan(1), tanh(1), to 18 digits */
        {"erf(x)", 1, 0.842700792949714869L},
        {"erfc(x)", 1, 0.157299207050285131L},
        {"atan(x)", 1, 0.785398163397448310L},
        {"tanh(x)", 1, 0.761594155955764888L},
        {"softplus(x)", 0, 0.693147180559945309L},
        {"sigmoid(x)", 0, 0.5L},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        parse(rows[i].text);
        assert_near(trn_expr_value(&expr, rows[i].x), rows[i].value);
        assert_near(trn_expr_jet(&expr, rows[i].x, 1).c[0], rows[i].value);
    }
}

/* Coefficients of known series. */
static void test_taylor_coefficients(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        long double x, c[TRN_JET_TERMS];
    } rows[] = {
        {"exp(x)", 0, {1, 1, 0.5L, 1 / 6.0L}},
        {"sin(x)", 0, {0, 1, 0, -1 / 6.0L}},
        {"cos(x)", 0, {1, 0, -0.5L, 0}},
        {"tan(x)", 0, {0, 1, 0, 1 / 3.0L}},
        {"tanh(x)", 0, {0, 1, 0, -1 / 3.0L}},
        {"atan(x)", 0, {0, 1, 0, -1 / 3.0L}},
        {"sinh(x)", 0, {0, 1, 0, 1 / 6.0L}},
        {"cosh(x)", 0, {1, 0, 0.5L, 0}},
        {"log(1+x)", 0, {0, 1, -0.5L, 1 / 3.0L}},
        {"log1p(x)", 0, {0, 1, -0.5L, 1 / 3.0L}},
        {"expm1(x)", 0, {0, 1, 0.5L, 1 / 6.0L}},
        {"sqrt(1+x)", 0, {1, 0.5L, -0.125L, 0.0625L}},
        {"rsqrt(1+x)", 0, {1, -0.5L, 0.375L, -0.3125L}},
        {"1/(1-x)", 0, {1, 1, 1, 1}},
        {"(1+x)^0.5", 0, {1, 0.5L, -0.125L, 0.0625L}},
        {"x^2", 0, {0, 0, 1, 0}},
        {"x^3", 2, {8, 12, 6, 1}},
        {"sigmoid(x)", 0, {0.5L, 0.25L, 0, -1 / 48.0L}},
        {"softplus(x)", 0, {0.693147180559945309417L, 0.5L, 0.125L, 0}},
        /* 2/sqrt(pi) (x - x^3/3) */
        {"erf(x)", 0, {0, 1.12837916709551257390L, 0, -0.376126389031837524632L}},
        {"x^x", 1, {1, 1, 1, 0.5L}},
        {"max(x,0)", 0, {0, 1, 0, 0}}, /* to the right of 0 */
        {"abs(x)+step(x)", 0, {1, 1, 0, 0}},
        {"log2(x)*log10(100)",
         1,
         {0, 2.88539008177792681472L, -1.44269504088896340736L, 0.961796693925975604906L}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        parse(rows[i].text);
        const struct trn_jet jet = trn_expr_jet(&expr, rows[i].x, 1);
        for (int k = 0; k < TRN_JET_TERMS; k++)
            assert_near(jet.c[k], rows[i].c[k]);
    }
    parse("max(x,0)");
    assert_near(trn_expr_jet(&expr, 0, -1).c[1], 0);
    parse("abs(x)");
    assert_near(trn_expr_jet(&expr, 0, -1).c[1], -1);
}

static void test_errors_name_their_column(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned column;
        const char *message;
    } rows[] = {
        {"", 1, "the expression ends too early"},
        {"x+", 3, "the expression ends too early"},
        {"x x", 3, "unexpected 'x'"},
        {"x*/2", 3, "unexpected '/'"},
        {"foo(x)", 1, "no function or constant is called 'foo'"},
        {"1+y", 3, "no function or constant is called 'y'"},
        {"(x", 1, "'(' is never closed"},
        {"x)", 2, "')' without '('"},
        {"sin x", 5, "unexpected 'x'"},
        {"sin(x,1)", 6, "unexpected ','"},
        {"max(x)", 6, "unexpected ')'"},
        {"max(x,)", 7, "unexpected ')'"},
        {"1,2", 2, "unexpected ','"},
        {"x\x01", 2, "unexpected byte 0x01"},
        {"1e99999", 1, "the number is too large"},
        {"x^", 3, "the expression ends too early"},
        {"()", 2, "unexpected ')'"},
        {"0x", 2, "unexpected 'x'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct trn_diag diag = {0};
        char where[32];
        assert_int_equal(trn_expr_parse(rows[i].text, &expr, &diag) == TRN_OK, 0);
        snprintf(where, sizeof where, "expression:1:%u", rows[i].column);
        assert_string_equal(diag.where, where);
        assert_string_equal(diag.message, rows[i].message);
        assert_string_equal(diag.rule, "ACT_EXPRESSION");
    }
}

static void test_limits(void **state)
{
    (void)state;
    static char text[2000];
    memset(text, '(', 200);
    strcpy(text + 200, "x");
    assert_int_equal(trn_expr_parse(text, &expr, NULL), TRN_ERR_TOO_LARGE);
    text[0] = '\0';
    for (int i = 0; i < 200; i++)
        strcat(text, "x+(");
    assert_int_equal(trn_expr_parse(text, &expr, NULL), TRN_ERR_TOO_LARGE);
    memset(text, '1', 1500);
    text[1500] = '\0';
    assert_int_equal(trn_expr_parse(text, &expr, NULL), TRN_ERR_TOO_LARGE);
    strcpy(text, "x");
    for (int i = 0; i < 300; i++)
        strcat(text, "+x");
    assert_int_equal(trn_expr_parse(text, &expr, NULL), TRN_ERR_TOO_LARGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_taylor_coefficients),
        cmocka_unit_test(test_errors_name_their_column),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
