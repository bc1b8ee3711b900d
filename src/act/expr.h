/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions in one variable x, as typed by a user or as a row of data/act-recipes.csv. */
#ifndef TRN_ACT_EXPR_H
#define TRN_ACT_EXPR_H

#include "act/expr_functions.h"
#include "act/jet.h"
#include "trench/act.h"

enum {
    TRN_EXPR_MAX_STEPS = 256,
    TRN_EXPR_MAX_DEPTH = 32,
    TRN_EXPR_MAX_TEXT = TRN_ACT_EXPRESSION_BYTES - 1
};

enum trn_expr_kind {
    TRN_EXPR_NUMBER,
    TRN_EXPR_X,
    TRN_EXPR_NEGATE,
    TRN_EXPR_ADD,
    TRN_EXPR_SUBTRACT,
    TRN_EXPR_MULTIPLY,
    TRN_EXPR_DIVIDE,
    TRN_EXPR_POWER,
    TRN_EXPR_CALL,
};

struct trn_expr_step {
    enum trn_expr_kind kind;
    long double number;                       /* TRN_EXPR_NUMBER */
    const struct trn_expr_function *function; /* TRN_EXPR_CALL */
};

/* Postfix: every step takes its operands from a stack of values. */
struct trn_expr {
    unsigned num_steps;
    struct trn_expr_step steps[TRN_EXPR_MAX_STEPS];
};

/* TRN_ERR_INVALID or TRN_ERR_TOO_LARGE with the column of the text in diag->where. */
trn_status trn_expr_parse(const char *text, struct trn_expr *out, struct trn_diag *diag);

/* Value at x. Not a number where the expression has no value there. */
long double trn_expr_value(const struct trn_expr *expr, long double x);

/* About x; at a kink (|x|, max) the branch is that of x + direction * something small. */
struct trn_jet trn_expr_jet(const struct trn_expr *expr, long double x, int direction);

#endif
