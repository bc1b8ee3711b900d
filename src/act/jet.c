/* SPDX-License-Identifier: Apache-2.0 */
#include "act/jet.h"

struct trn_jet trn_jet_constant(long double value)
{
    return (struct trn_jet){{value}};
}

struct trn_jet trn_jet_add(struct trn_jet a, struct trn_jet b)
{
    for (int i = 0; i < TRN_JET_TERMS; i++)
        a.c[i] += b.c[i];
    return a;
}

struct trn_jet trn_jet_subtract(struct trn_jet a, struct trn_jet b)
{
    for (int i = 0; i < TRN_JET_TERMS; i++)
        a.c[i] -= b.c[i];
    return a;
}

struct trn_jet trn_jet_scale(struct trn_jet a, long double factor)
{
    for (int i = 0; i < TRN_JET_TERMS; i++)
        a.c[i] *= factor;
    return a;
}

struct trn_jet trn_jet_multiply(struct trn_jet a, struct trn_jet b)
{
    struct trn_jet out;
    for (int i = 0; i < TRN_JET_TERMS; i++) {
        out.c[i] = a.c[0] * b.c[i];
        for (int j = 1; j <= i; j++)
            out.c[i] += a.c[j] * b.c[i - j];
    }
    return out;
}

/* a = q b, solved term by term. */
struct trn_jet trn_jet_divide(struct trn_jet a, struct trn_jet b)
{
    struct trn_jet q = {{0}};
    for (int i = 0; i < TRN_JET_TERMS; i++) {
        long double rest = a.c[i];
        for (int j = 1; j <= i; j++)
            rest -= b.c[j] * q.c[i - j];
        q.c[i] = rest / b.c[0];
    }
    return q;
}

struct trn_jet trn_jet_compose(struct trn_jet_derivatives g, struct trn_jet u)
{
    const long double first = u.c[1], second = u.c[2], third = u.c[3];
    return (struct trn_jet){{
        g.g0,
        g.g1 * first,
        g.g1 * second + g.g2 / 2 * first * first,
        g.g1 * third + g.g2 * first * second + g.g3 / 6 * first * first * first,
    }};
}
