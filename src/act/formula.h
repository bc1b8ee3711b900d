/* SPDX-License-Identifier: Apache-2.0 */
/* A function by its formula instead of its tables (activation.md 9, "Exact-mode simulation"). */
#ifndef TRN_ACT_FORMULA_H
#define TRN_ACT_FORMULA_H

#include "act/expr.h"

struct trn_act_formula {
    struct trn_expr expr;
    uint32_t zero, nan, pos_inf, neg_inf; /* results of the special values, as bits */
    bool parametric;                      /* parametric ReLU: alpha * v below 0 */
};

/* Of a function of a set; TRN_ERR_INVALID when its expression is empty or does not parse. */
trn_status trn_act_formula_of(const struct trn_act_member *member, struct trn_act_formula *out,
                              struct trn_diag *diag);
/* Of a function number of the manual, where the resident set has none; TRN_ERR_NOT_FOUND. */
trn_status trn_act_formula_of_id(uint8_t func_id, struct trn_act_formula *out,
                                 struct trn_diag *diag);

/* out[i] = formula of v[i], rounded once; out may be v. */
void trn_act_formula_apply(const struct trn_act_formula *formula,
                           const struct trn_act_specials *specials, float alpha, const float *v,
                           float *out, size_t n);

#endif
