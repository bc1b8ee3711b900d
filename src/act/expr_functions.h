/* SPDX-License-Identifier: Apache-2.0 */
/* The named functions of an expression, with their derivatives. */
#ifndef TRN_ACT_EXPR_FUNCTIONS_H
#define TRN_ACT_EXPR_FUNCTIONS_H

#include <stddef.h>

#include "act/jet.h"

struct trn_expr_function {
    const char *name;
    unsigned num_arguments; /* 1 or 2 */
    const char *meaning;
    long double (*value)(long double u); /* smooth functions of one argument */
    struct trn_jet_derivatives (*derivatives)(long double u);
    /* Everything else; `direction` picks the branch at a kink. */
    struct trn_jet (*jet)(struct trn_jet a, struct trn_jet b, int direction);
};

extern const struct trn_expr_function trn_expr_functions[];
extern const size_t trn_num_expr_functions;

const struct trn_expr_function *trn_expr_function_find(const char *name, size_t length);

/* a ^ b. */
struct trn_jet trn_expr_power(struct trn_jet a, struct trn_jet b);

#endif
