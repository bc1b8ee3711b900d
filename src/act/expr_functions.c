/* SPDX-License-Identifier: Apache-2.0 */
#include "act/expr_functions.h"

#include <math.h>

#include "base/names.h"

#define LN2L         0.693147180559945309417232121458176568L
#define LN10L        2.302585092994045684017991454684364208L
#define TWO_SQRTPI_L 1.128379167095512573896158903121545172L

/* ---- smooth functions: value, then derivatives ------------------------------------------------
 */

static struct trn_jet_derivatives d_exp(long double u)
{
    const long double e = expl(u);
    return (struct trn_jet_derivatives){e, e, e, e};
}

static struct trn_jet_derivatives d_exp2(long double u)
{
    const long double e = exp2l(u);
    return (struct trn_jet_derivatives){e, e * LN2L, e * LN2L * LN2L, e * LN2L * LN2L * LN2L};
}

static struct trn_jet_derivatives d_expm1(long double u)
{
    const long double e = expl(u);
    return (struct trn_jet_derivatives){expm1l(u), e, e, e};
}

static struct trn_jet_derivatives log_derivatives(long double value, long double u, long double k)
{
    return (struct trn_jet_derivatives){value, k / u, -k / (u * u), 2 * k / (u * u * u)};
}

static struct trn_jet_derivatives d_log(long double u)
{
    return log_derivatives(logl(u), u, 1);
}

static struct trn_jet_derivatives d_log2(long double u)
{
    return log_derivatives(log2l(u), u, 1 / LN2L);
}

static struct trn_jet_derivatives d_log10(long double u)
{
    return log_derivatives(log10l(u), u, 1 / LN10L);
}

static struct trn_jet_derivatives d_log1p(long double u)
{
    return log_derivatives(log1pl(u), 1 + u, 1);
}

static struct trn_jet_derivatives d_sqrt(long double u)
{
    const long double s = sqrtl(u);
    return (struct trn_jet_derivatives){s, 0.5L / s, -0.25L / (s * u), 0.375L / (s * u * u)};
}

static long double v_rsqrt(long double u)
{
    return 1 / sqrtl(u);
}

static struct trn_jet_derivatives d_rsqrt(long double u)
{
    const long double r = v_rsqrt(u);
    return (struct trn_jet_derivatives){r, -0.5L * r / u, 0.75L * r / (u * u),
                                        -1.875L * r / (u * u * u)};
}

static struct trn_jet_derivatives d_sin(long double u)
{
    const long double s = sinl(u), c = cosl(u);
    return (struct trn_jet_derivatives){s, c, -s, -c};
}

static struct trn_jet_derivatives d_cos(long double u)
{
    const long double s = sinl(u), c = cosl(u);
    return (struct trn_jet_derivatives){c, -s, -c, s};
}

static struct trn_jet_derivatives d_tan(long double u)
{
    const long double t = tanl(u), s = 1 + t * t;
    return (struct trn_jet_derivatives){t, s, 2 * t * s, s * (4 * t * t + 2 * s)};
}

static struct trn_jet_derivatives d_atan(long double u)
{
    const long double g = 1 / (1 + u * u);
    return (struct trn_jet_derivatives){atanl(u), g, -2 * u * g * g, (6 * u * u - 2) * g * g * g};
}

static struct trn_jet_derivatives d_sinh(long double u)
{
    const long double s = sinhl(u), c = coshl(u);
    return (struct trn_jet_derivatives){s, c, s, c};
}

static struct trn_jet_derivatives d_cosh(long double u)
{
    const long double s = sinhl(u), c = coshl(u);
    return (struct trn_jet_derivatives){c, s, c, s};
}

static struct trn_jet_derivatives d_tanh(long double u)
{
    const long double t = tanhl(u), c = coshl(u), s = 1 / (c * c);
    return (struct trn_jet_derivatives){t, s, -2 * t * s, s * (4 * t * t - 2 * s)};
}

static struct trn_jet_derivatives erf_derivatives(long double value, long double u, long double k)
{
    const long double g = k * expl(-u * u);
    return (struct trn_jet_derivatives){value, g, -2 * u * g, (4 * u * u - 2) * g};
}

static struct trn_jet_derivatives d_erf(long double u)
{
    return erf_derivatives(erfl(u), u, TWO_SQRTPI_L);
}

static struct trn_jet_derivatives d_erfc(long double u)
{
    return erf_derivatives(erfcl(u), u, -TWO_SQRTPI_L);
}

static long double v_sigmoid(long double u)
{
    return 1 / (1 + expl(-u));
}

/* s' = s (1 - s), where 1 - s is the function at -u: no digits are lost at either end. */
static struct trn_jet_derivatives d_sigmoid(long double u)
{
    const long double s = v_sigmoid(u), g = s * v_sigmoid(-u);
    return (struct trn_jet_derivatives){s, g, g * (v_sigmoid(-u) - s), g * (1 - 6 * g)};
}

static long double v_softplus(long double u)
{
    return log1pl(expl(-fabsl(u))) + (u > 0 ? u : 0);
}

static struct trn_jet_derivatives d_softplus(long double u)
{
    const struct trn_jet_derivatives s = d_sigmoid(u);
    return (struct trn_jet_derivatives){v_softplus(u), s.g0, s.g1, s.g2};
}

/* ---- functions with kinks ---------------------------------------------------------------------
 */

/* Sign of a - b just beside the point, in `direction`: the first term that differs decides. */
static int compare_beside(struct trn_jet a, struct trn_jet b, int direction)
{
    int odd = 1;
    for (int i = 0; i < TRN_JET_TERMS; i++) {
        if (a.c[i] != b.c[i])
            return (a.c[i] > b.c[i] ? 1 : -1) * odd;
        odd *= direction;
    }
    return 0;
}

static struct trn_jet not_a_number(void)
{
    return trn_jet_constant(NAN);
}

static struct trn_jet j_max(struct trn_jet a, struct trn_jet b, int direction)
{
    if (isnan(a.c[0]) || isnan(b.c[0]))
        return not_a_number();
    return compare_beside(a, b, direction) >= 0 ? a : b;
}

static struct trn_jet j_min(struct trn_jet a, struct trn_jet b, int direction)
{
    if (isnan(a.c[0]) || isnan(b.c[0]))
        return not_a_number();
    return compare_beside(a, b, direction) <= 0 ? a : b;
}

static struct trn_jet j_abs(struct trn_jet a, struct trn_jet b, int direction)
{
    (void)b;
    return compare_beside(a, trn_jet_constant(0), direction) < 0 ? trn_jet_scale(a, -1) : a;
}

static struct trn_jet j_relu(struct trn_jet a, struct trn_jet b, int direction)
{
    (void)b;
    return j_max(a, trn_jet_constant(0), direction);
}

/* direction 0: the value at the point itself. */
static struct trn_jet j_sign(struct trn_jet a, struct trn_jet b, int direction)
{
    (void)b;
    if (isnan(a.c[0]))
        return not_a_number();
    return trn_jet_constant(compare_beside(a, trn_jet_constant(0), direction));
}

static struct trn_jet j_step(struct trn_jet a, struct trn_jet b, int direction)
{
    (void)b;
    if (isnan(a.c[0]))
        return not_a_number();
    return trn_jet_constant(compare_beside(a, trn_jet_constant(0), direction) > 0);
}

static struct trn_jet j_pow(struct trn_jet a, struct trn_jet b, int direction)
{
    (void)direction;
    return trn_expr_power(a, b);
}

/* ---- the table --------------------------------------------------------------------------------
 */

#define SMOOTH(name, value, meaning)                                                               \
    {                                                                                              \
#name, 1, meaning, value, d_##name, NULL                                                   \
    }
#define KINKED(name, count, meaning)                                                               \
    {                                                                                              \
#name, count, meaning, NULL, NULL, j_##name                                                \
    }

const struct trn_expr_function trn_expr_functions[] = {
    KINKED(abs, 1, "|u|"),
    SMOOTH(atan, atanl, "arc tangent"),
    SMOOTH(cos, cosl, "cosine"),
    SMOOTH(cosh, coshl, "hyperbolic cosine"),
    SMOOTH(erf, erfl, "error function"),
    SMOOTH(erfc, erfcl, "1 - erf(u) without losing digits"),
    SMOOTH(exp, expl, "e to the u"),
    SMOOTH(exp2, exp2l, "2 to the u"),
    SMOOTH(expm1, expm1l, "exp(u) - 1 without losing digits"),
    {"ln", 1, "natural logarithm", logl, d_log, NULL},
    SMOOTH(log, logl, "natural logarithm"),
    SMOOTH(log10, log10l, "decimal logarithm"),
    SMOOTH(log1p, log1pl, "log(1 + u) without losing digits"),
    SMOOTH(log2, log2l, "binary logarithm"),
    KINKED(max, 2, "the larger"),
    KINKED(min, 2, "the smaller"),
    KINKED(pow, 2, "u to the v, as u^v"),
    KINKED(relu, 1, "max(u, 0)"),
    SMOOTH(rsqrt, v_rsqrt, "1 / sqrt(u)"),
    SMOOTH(sigmoid, v_sigmoid, "1 / (1 + exp(-u))"),
    KINKED(sign, 1, "-1, 0 or 1"),
    SMOOTH(sin, sinl, "sine"),
    SMOOTH(sinh, sinhl, "hyperbolic sine"),
    SMOOTH(softplus, v_softplus, "log(1 + exp(u))"),
    SMOOTH(sqrt, sqrtl, "square root"),
    KINKED(step, 1, "1 above 0, else 0"),
    SMOOTH(tan, tanl, "tangent"),
    SMOOTH(tanh, tanhl, "hyperbolic tangent"),
};
const size_t trn_num_expr_functions = sizeof trn_expr_functions / sizeof trn_expr_functions[0];

const struct trn_expr_function *trn_expr_function_find(const char *name, size_t length)
{
    for (size_t i = 0; i < trn_num_expr_functions; i++)
        if (trn_name_is(trn_expr_functions[i].name, name, length))
            return &trn_expr_functions[i];
    return NULL;
}

static int is_constant(struct trn_jet a)
{
    return a.c[1] == 0 && a.c[2] == 0 && a.c[3] == 0;
}

/* d/du u^p = p u^(p-1); a factor of 0 ends the chain, so that u^2 is exact at 0. */
static long double power_derivative(long double u, long double p, int order)
{
    long double factor = 1;
    for (int i = 0; i < order; i++)
        factor *= p - i;
    return factor == 0 ? 0 : factor * powl(u, p - order);
}

struct trn_jet trn_expr_power(struct trn_jet a, struct trn_jet b)
{
    if (!is_constant(b))
        return trn_jet_compose(d_exp(b.c[0] * logl(a.c[0])),
                               trn_jet_multiply(b, trn_jet_compose(d_log(a.c[0]), a)));
    const long double p = b.c[0], u = a.c[0];
    return trn_jet_compose(
        (struct trn_jet_derivatives){power_derivative(u, p, 0), power_derivative(u, p, 1),
                                     power_derivative(u, p, 2), power_derivative(u, p, 3)},
        a);
}
