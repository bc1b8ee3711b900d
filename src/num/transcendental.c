/* SPDX-License-Identifier: Apache-2.0 */
/* Correctly rounded reciprocal square root and power (docs/hardware/numerics.md 5). The C
 * library's pow differs in its last bit between hosts, so the power is computed here, in pairs of
 * doubles (hi + lo, about 100 bits), with nothing but additions, multiplications and divisions. */
#include "num/alu_f32.h"

/* sqrt and division round once each in double; no fp32 argument's result lies close enough to a
 * tie of fp32 for that to show (tests/num checks every significand). */
float trn_rsqrt(float a)
{
    return (float)(1.0 / sqrt((double)a));
}

struct pair {
    double hi, lo;
};

/* a + b exactly, |a| >= |b| or a == 0 */
static struct pair fast_sum(double a, double b)
{
    const double s = a + b;
    return (struct pair){s, b - (s - a)};
}

static struct pair sum(double a, double b)
{
    const double s = a + b;
    const double part = s - a;
    return (struct pair){s, (a - (s - part)) + (b - part)};
}

static struct pair product(double a, double b)
{
    const double p = a * b;
    return (struct pair){p, fma(a, b, -p)};
}

static struct pair add(struct pair a, struct pair b)
{
    const struct pair high = sum(a.hi, b.hi), low = sum(a.lo, b.lo);
    const struct pair s = fast_sum(high.hi, high.lo + low.hi);
    return fast_sum(s.hi, s.lo + low.lo);
}

static struct pair multiply(struct pair a, struct pair b)
{
    const struct pair p = product(a.hi, b.hi);
    return fast_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static struct pair scale(struct pair a, double b)
{
    const struct pair p = product(a.hi, b);
    return fast_sum(p.hi, p.lo + a.lo * b);
}

static struct pair divide(struct pair a, double b)
{
    const double q = a.hi / b;
    const double rest = fma(-q, b, a.hi) + a.lo;
    return fast_sum(q, rest / b);
}

static const struct pair ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

/* Natural logarithm of a positive finite fp32 value. With m in [sqrt(1/2), sqrt(2)) and
 * s = (m - 1) / (m + 1): log m = 2 (s + s^3 / 3 + s^5 / 5 ..), s^2 < 0.0295. */
static struct pair logarithm(double x)
{
    int exponent;
    double m = frexp(x, &exponent);
    if (m < 0x1.6a09e667f3bcdp-1) {
        m *= 2;
        exponent--;
    }
    const struct pair s = divide((struct pair){m - 1, 0}, m + 1); /* both exact: m has 24 bits */
    const struct pair s2 = multiply(s, s);
    struct pair series = {0, 0};
    for (int k = 21; k >= 0; k--)
        series = add(multiply(series, s2), divide((struct pair){1, 0}, 2 * k + 1));
    return add(scale(ln2, exponent), scale(multiply(s, series), 2));
}

/* e^x of |x| <= ln(2) / 2 */
static struct pair exponential(struct pair x)
{
    struct pair series = {1, 0};
    for (int k = 24; k >= 1; k--)
        series = add((struct pair){1, 0}, divide(multiply(series, x), k));
    return series;
}

/* (hi + lo) * 2^exponent rounded once to fp32: to odd in double, which has more than twice the
 * bits, then to nearest. A rest below the error of the computation is an exact result. */
static float round_once(struct pair x, int exponent)
{
    uint64_t bits;
    memcpy(&bits, &x.hi, sizeof bits);
    if (fabs(x.lo) > x.hi * 0x1p-86 && bits % 2 == 0)
        bits += x.lo > 0 ? 1 : UINT64_MAX;
    memcpy(&x.hi, &bits, sizeof bits);
    return (float)ldexp(x.hi, exponent);
}

/* |a|^b, neither operand 0, Inf or NaN. */
static float power(double a, double b)
{
    const struct pair x = scale(logarithm(a), b);
    if (x.hi > 89) /* beyond FLT_MAX = e^88.7, below half of 2^-149 = e^-103.3 */
        return INFINITY;
    if (x.hi < -105)
        return 0;
    const double turns = nearbyint(x.hi / ln2.hi);
    return round_once(exponential(add(x, scale(ln2, -turns))), (int)turns);
}

float trn_pow(float a, float b)
{
    const bool plain = a != 0 && b != 0 && fabsf(a) < INFINITY && fabsf(b) < INFINITY;
    const bool integer = truncf(b) == b;
    if (!plain || (a < 0 && !integer))
        /* the exact values of IEEE 754: zeros, infinities, 1 ** NaN; a NaN is a NaN, quiet or not
         */
        return powf(trn_canonical(a), trn_canonical(b));
    const bool odd = integer && fmodf(b, 2) != 0;
    const float magnitude = power(fabsf(a), b);
    return a < 0 && odd ? -magnitude : magnitude;
}
