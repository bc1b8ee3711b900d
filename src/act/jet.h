/* SPDX-License-Identifier: Apache-2.0 */
/* A function about a point: value and the first three Taylor coefficients, f(a + t) = c0 + c1 t +
 * c2 t^2 + c3 t^3 + ... The arithmetic is that of truncated power series. */
#ifndef TRN_ACT_JET_H
#define TRN_ACT_JET_H

enum { TRN_JET_TERMS = 4 };

struct trn_jet {
    long double c[TRN_JET_TERMS];
};

/* Derivatives of an elementary function at a point: value, first, second, third. */
struct trn_jet_derivatives {
    long double g0, g1, g2, g3;
};

struct trn_jet trn_jet_constant(long double value);
struct trn_jet trn_jet_add(struct trn_jet a, struct trn_jet b);
struct trn_jet trn_jet_subtract(struct trn_jet a, struct trn_jet b);
struct trn_jet trn_jet_multiply(struct trn_jet a, struct trn_jet b);
struct trn_jet trn_jet_divide(struct trn_jet a, struct trn_jet b);
struct trn_jet trn_jet_scale(struct trn_jet a, long double factor);
/* g(u), from the derivatives of g at u's value. */
struct trn_jet trn_jet_compose(struct trn_jet_derivatives g, struct trn_jet u);

#endif
