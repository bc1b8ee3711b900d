/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as an expression: refused with its column, or evaluated everywhere; some are fitted. */
#include <stdlib.h>
#include <string.h>

#include "act/expr.h"

static void require(int condition)
{
    if (!condition)
        abort();
}

static void evaluate(const struct trn_expr *expr)
{
    static const long double x[] = {0, -0.0L, 1, -2.5L, 1e-38L, -3e38L, 88.7L};
    for (size_t i = 0; i < sizeof x / sizeof x[0]; i++) {
        trn_expr_value(expr, x[i]);
        trn_expr_jet(expr, x[i], 1);
        trn_expr_jet(expr, x[i], -1);
    }
}

static void fit(const char *text)
{
    static struct trn_act_table table;
    struct trn_diag diag = {0};
    struct trn_act_fit_options o = trn_act_fit_options_default();
    o.expression = text;
    o.max_buckets = 24;
    o.max_control = 24;
    const trn_status status = trn_act_fit(&o, &table, NULL, &diag);
    if (status == TRN_OK)
        require(table.num_bucket <= 24 && table.num_control <= 24);
    else
        require(diag.status == status && diag.message[0] && diag.rule[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[TRN_EXPR_MAX_TEXT + 8];
    static struct trn_expr expr;
    struct trn_diag diag = {0};
    size = size < sizeof text ? size : sizeof text - 1;
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    const trn_status status = trn_expr_parse(text, &expr, &diag);
    if (status != TRN_OK) {
        require(diag.status == status && diag.message[0]);
        require(strncmp(diag.where, "expression:1:", 13) == 0);
        return 0;
    }
    evaluate(&expr);
    if (expr.num_steps % 8 == 3)
        fit(text);
    return 0;
}
