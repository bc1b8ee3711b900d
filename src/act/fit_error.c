/* SPDX-License-Identifier: Apache-2.0 */
/* How well a cubic does: on a section, for a clamp. */
#include <math.h>

#include "act/fit.h"
#include "base/bytes.h"

enum {
    CHECKS = 6,       /* points of a section where the error is measured, ends included */
    CLAMP_CHECKS = 8, /* of an octave */
    NODES = 4,        /* of the interpolation */
};

/* Chebyshev nodes on [-1, 1] of one to four points: cos((2k + 1) pi / 2n). */
static const long double nodes[NODES][NODES] = {
    {0},
    {-0.707106781186547524400844362104849039L, 0.707106781186547524400844362104849039L},
    {-0.866025403784438646763723170752936183L, 0, 0.866025403784438646763723170752936183L},
    {-0.923879532511286756128183189396788287L, -0.382683432365089771728459984030398866L,
     0.382683432365089771728459984030398866L, 0.923879532511286756128183189396788287L},
};

static long double cubic_at(const struct trn_fit_cubic *cubic, long double x)
{
    const long double t = x - cubic->x0;
    return cubic->d[0] + t * (cubic->d[1] + t * (cubic->d[2] + t * cubic->d[3]));
}

static double error_at(const struct trn_fit *fit, const struct trn_fit_cubic *cubic, long double x)
{
    const long double value = trn_fit_value(fit, x), size = fabsl(value);
    const long double difference = fabsl(cubic_at(cubic, x) - value);
    const double error = (double)(difference / (size > fit->floor ? size : fit->floor));
    return isnan(error) ? (double)INFINITY : error;
}

double trn_fit_error(const struct trn_fit *fit, const struct trn_fit_side *side,
                     const struct trn_fit_cubic *cubic, uint32_t from, uint32_t to)
{
    double worst = 0;
    for (uint32_t i = 0; i < CHECKS; i++) {
        const uint32_t bits = from + (uint32_t)((uint64_t)(to - from) * i / (CHECKS - 1));
        const double error = error_at(fit, cubic, (long double)side->sign * trn_bits_f32(bits));
        worst = error > worst ? error : worst;
    }
    return worst;
}

/* ---- a section ------------------------------------------------------------------------------- */

/* Half the sum of the ends, rounded toward zero to f32. */
static float midpoint(uint32_t from, uint32_t to)
{
    const double exact = ((double)trn_bits_f32(from) + (double)trn_bits_f32(to)) / 2;
    const float nearest = (float)exact;
    return (double)nearest > exact ? nextafterf(nearest, 0) : nearest;
}

struct trn_fit_cubic trn_fit_taylor(const struct trn_fit *fit, float x0, int direction)
{
    const struct trn_jet jet = trn_expr_jet(&fit->expr, x0, direction);
    struct trn_fit_cubic cubic = {.x0 = x0};
    for (int i = 0; i < TRN_JET_TERMS; i++)
        cubic.d[i] = (float)jet.c[i];
    return cubic;
}

/* Newton's divided differences, then expanded in powers of t: the polynomial through n points. */
static void interpolate(const long double *t, long double *value, int n)
{
    for (int order = 1; order < n; order++)
        for (int i = n - 1; i >= order; i--)
            value[i] = (value[i] - value[i - 1]) / (t[i] - t[i - order]);
    for (int order = n - 2; order >= 0; order--)
        for (int i = order; i < n - 1; i++)
            value[i] -= t[order] * value[i + 1];
}

static struct trn_fit_cubic chebyshev(const struct trn_fit *fit, const struct trn_fit_side *side,
                                      uint32_t from, uint32_t to, int n)
{
    const long double sign = side->sign;
    struct trn_fit_cubic cubic = {.x0 = (float)side->sign * midpoint(from, to)};
    const long double half = ((long double)trn_bits_f32(to) - trn_bits_f32(from)) / 2;
    const long double centre = sign * ((long double)trn_bits_f32(to) + trn_bits_f32(from)) / 2;
    long double t[NODES], value[NODES];
    for (int i = 0; i < n; i++) {
        const long double x = centre + half * nodes[n - 1][i];
        t[i] = x - cubic.x0;
        value[i] = trn_fit_value(fit, x);
    }
    interpolate(t, value, n);
    for (int i = 0; i < n; i++)
        cubic.d[i] = (float)value[i];
    return cubic;
}

/* Coefficients that f32 holds: neither infinite nor below its normal numbers. */
static bool is_representable(const struct trn_fit_cubic *cubic)
{
    for (int i = 1; i < TRN_JET_TERMS; i++)
        if (cubic->d[i] != 0 && !isnormal(cubic->d[i]))
            return false;
    return true;
}

/* Far from 1 the higher coefficients leave f32 (1/x at 2^-42 has d3 = 2^168): a lower degree. */
static struct trn_fit_cubic best_degree(const struct trn_fit *fit, const struct trn_fit_side *side,
                                        uint32_t from, uint32_t to)
{
    struct trn_fit_cubic best = chebyshev(fit, side, from, to, NODES);
    if (is_representable(&best))
        return best;
    double error = trn_fit_error(fit, side, &best, from, to);
    for (int n = NODES - 1; n >= 1; n--) {
        const struct trn_fit_cubic lower = chebyshev(fit, side, from, to, n);
        const double lower_error = trn_fit_error(fit, side, &lower, from, to);
        if (lower_error < error) {
            best = lower;
            error = lower_error;
        }
    }
    return best;
}

struct trn_fit_cubic trn_fit_section(const struct trn_fit *fit, const struct trn_fit_side *side,
                                     uint32_t from, uint32_t to)
{
    if (fit->options->taylor)
        return trn_fit_taylor(fit, (float)side->sign * midpoint(from, to), side->sign);
    return from == to ? chebyshev(fit, side, from, to, 1) : best_degree(fit, side, from, to);
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Last magnitude that a cubic has to answer. */
static uint32_t last_of(const struct trn_fit_side *side)
{
    return side->overflow_from ? smaller(side->overflow_from - 1, side->end) : side->end;
}

/* The part of a section that the range reaches; false when it reaches none. */
bool trn_fit_clip(const struct trn_fit *fit, const struct trn_fit_side *side, uint32_t *from,
                  uint32_t *to)
{
    if (fit->options->extract)
        return true;
    *from = larger(*from, side->begin);
    *to = smaller(*to, last_of(side));
    return *from <= *to;
}

double trn_fit_octave_error(const struct trn_fit *fit, struct trn_fit_side *side, int octave,
                            unsigned extract)
{
    double *const known = &side->section_error[octave - TRN_FIT_LOWEST][extract];
    if (*known >= 0)
        return *known;
    const uint32_t start = trn_fit_octave_bits(octave);
    const uint32_t length =
        (trn_fit_octave_bits(TRN_FIT_LOWEST + 1) - trn_fit_octave_bits(TRN_FIT_LOWEST)) >> extract;
    *known = 0;
    for (uint32_t i = 0; i < 1U << extract; i++) {
        uint32_t from = start + i * length, to = from + length - 1;
        if (!trn_fit_clip(fit, side, &from, &to))
            continue;
        const struct trn_fit_cubic cubic = trn_fit_section(fit, side, from, to);
        const double error = trn_fit_error(fit, side, &cubic, from, to);
        *known = error > *known ? error : *known;
    }
    return *known;
}

/* ---- clamps ---------------------------------------------------------------------------------- */

static double octave_error(const struct trn_fit *fit, const struct trn_fit_side *side,
                           const struct trn_fit_cubic *cubic, int octave)
{
    double worst = 0;
    for (int i = 0; i <= CLAMP_CHECKS; i++) {
        const double fraction = i == CLAMP_CHECKS ? 0x1.fffffep-1 : (double)i / CLAMP_CHECKS;
        const uint32_t bits = trn_f32_bits((float)ldexp(1 + fraction, octave));
        if (bits < side->begin || bits > last_of(side))
            continue;
        const double error = error_at(fit, cubic, (long double)side->sign * trn_bits_f32(bits));
        worst = error > worst ? error : worst;
    }
    return worst;
}

/* About 0: the Taylor cubic, or where a derivative is infinite the value alone. */
static void measure_small(struct trn_fit *fit, struct trn_fit_side *side)
{
    const struct trn_jet jet = trn_expr_jet(&fit->expr, 0, side->sign);
    const bool smooth =
        isfinite(jet.c[0]) && isfinite(jet.c[1]) && isfinite(jet.c[2]) && isfinite(jet.c[3]);
    side->small = (struct trn_fit_cubic){{(float)trn_fit_value(fit, 0)}, 0};
    if (smooth)
        side->small = trn_fit_taylor(fit, 0, side->sign);
    side->has_small = true;
    double worst = 0;
    for (int e = TRN_FIT_LOWEST; e <= TRN_FIT_HIGHEST + 1; e++) {
        side->small_error[e - TRN_FIT_LOWEST] = worst;
        if (e <= TRN_FIT_HIGHEST) {
            const double error = octave_error(fit, side, &side->small, e);
            worst = error > worst ? error : worst;
        }
    }
}

/* The cubic about `x` moved to 0: what a line or a parabola looks like from far away. */
static struct trn_fit_cubic moved_to_zero(const struct trn_jet *jet, long double x)
{
    const long double *const c = jet->c;
    return (struct trn_fit_cubic){{(float)(c[0] - x * (c[1] - x * (c[2] - x * c[3]))),
                                   (float)(c[1] - x * (2 * c[2] - 3 * x * c[3])),
                                   (float)(c[2] - 3 * x * c[3]), (float)c[3]},
                                  0};
}

static void add_limit(const struct trn_fit *fit, struct trn_fit_side *side,
                      struct trn_fit_cubic cubic)
{
    for (int i = 0; i < TRN_JET_TERMS; i++)
        if (!isfinite(cubic.d[i]))
            return;
    const unsigned n = side->num_limits++;
    side->limit[n] = cubic;
    double worst = 0;
    for (int e = TRN_FIT_HIGHEST + 1; e >= TRN_FIT_LOWEST; e--) {
        if (e <= TRN_FIT_HIGHEST && isfinite(worst)) {
            const double error = octave_error(fit, side, &cubic, e);
            worst = error > worst ? error : worst;
        }
        side->limit_error[n][e - TRN_FIT_LOWEST] = worst;
    }
}

/* What the function looks like from several distances, and the constant that it tends to. */
static void measure_large(struct trn_fit *fit, struct trn_fit_side *side)
{
    static const int distances[TRN_FIT_LIMITS - 1] = {5, 8, 12, 24, 100};
    for (unsigned i = 0; i < TRN_FIT_LIMITS - 1; i++) {
        const long double x = side->sign * ldexpl(1, distances[i]);
        const struct trn_jet jet = trn_expr_jet(&fit->expr, x, side->sign);
        add_limit(fit, side, moved_to_zero(&jet, x));
    }
    const long double far = trn_fit_value(fit, side->sign * 0x1p126L);
    add_limit(fit, side, (struct trn_fit_cubic){{(float)far}, 0});
}

void trn_fit_measure_clamps(struct trn_fit *fit)
{
    for (int i = 0; i < 2; i++) {
        struct trn_fit_side *const side = &fit->side[i];
        if (!side->stored || !side->defined)
            continue;
        for (int e = 0; e < TRN_FIT_OCTAVES; e++)
            for (int s = 0; s <= TRN_FIT_MAX_EXTRACT; s++)
                side->section_error[e][s] = -1;
        if (side->begin == 0)
            measure_small(fit, side);
        if (!side->overflow_from)
            measure_large(fit, side);
    }
}
