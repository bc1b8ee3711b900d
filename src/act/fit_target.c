/* SPDX-License-Identifier: Apache-2.0 */
/* What is fitted: the function, where it is defined, its symmetry, where it leaves f32. */
#include <math.h>
#include <stdio.h>

#include "act/fit.h"
#include "base/bytes.h"

enum { SAMPLES = 4 }; /* of an octave, when looking for what the function does */

#define SYMMETRY_ERROR 0x1p-50L        /* of values that are rounded to 64 bits */
#define POLE_RISE      0x1p14L         /* of a pole above the samples on both sides */
#define OVERFLOW_AT    0x1.ffffffp127L /* the first value that rounds to an infinite f32 */

long double trn_fit_value(const struct trn_fit *fit, long double x)
{
    return trn_expr_value(&fit->expr, x);
}

uint32_t trn_fit_octave_bits(int octave)
{
    return trn_f32_bits((float)ldexp(1, octave));
}

int trn_fit_octave_of(uint32_t bits)
{
    return ilogbf(trn_bits_f32(bits));
}

trn_status trn_fit_refuse_at(struct trn_fit *fit, long double x, const char *what,
                             const char *expected)
{
    char where[48];
    snprintf(where, sizeof where, "x = %.9Lg", x);
    return trn_diag_set(fit->diag, TRN_ERR_INVALID, where, "ACT_DIVERGES", expected, "%s: %s",
                        fit->options->expression, what);
}

/* ---- range and sides ------------------------------------------------------------------------- */

static trn_status check_range(struct trn_fit *fit)
{
    const struct trn_act_fit_options *const o = fit->options;
    if (o->lo < o->hi)
        return TRN_OK;
    return trn_diag_set(fit->diag, TRN_ERR_INVALID, "range", "ACT_RANGE",
                        "LO below HI; -inf and inf leave an end open", "the range %g:%g is empty",
                        (double)o->lo, (double)o->hi);
}

/* Magnitudes of [from, to] on a side; a range above 0 is one of magnitudes when folded. */
static void set_side(struct trn_fit_side *side, int sign, float from, float to)
{
    side->sign = sign;
    side->defined = to > 0;
    side->open = isinf(to);
    side->begin = trn_f32_bits(from > 0 ? from : 0);
    side->end = isinf(to) ? TRN_FIT_LARGEST : trn_f32_bits(to > 0 ? to : 0);
}

static void set_sides(struct trn_fit *fit)
{
    const struct trn_act_fit_options *const o = fit->options;
    set_side(&fit->side[0], 1, o->lo, o->hi);
    set_side(&fit->side[1], -1, -o->hi, -o->lo);
}

/* Calls `visit` with magnitudes of the side's range; stops when it returns false. */
static bool each_sample(const struct trn_fit_side *side,
                        bool (*visit)(void *context, float magnitude), void *context)
{
    for (int e = TRN_FIT_LOWEST; e <= TRN_FIT_HIGHEST; e++) {
        for (int k = 0; k < SAMPLES; k++) {
            const float magnitude = (float)ldexp(1 + (k + 0.3) / SAMPLES, e);
            const uint32_t bits = trn_f32_bits(magnitude);
            if (bits >= side->begin && bits <= side->end && !visit(context, magnitude))
                return false;
        }
    }
    return true;
}

/* ---- symmetry -------------------------------------------------------------------------------- */

struct symmetry {
    const struct trn_fit *fit;
    bool odd, even, point, any;
    long double sum;
};

static bool is_close(long double difference, long double size)
{
    return fabsl(difference) <= SYMMETRY_ERROR * size;
}

static bool look_at_pair(void *context, float magnitude)
{
    struct symmetry *const s = context;
    const long double a = trn_fit_value(s->fit, magnitude), b = trn_fit_value(s->fit, -magnitude);
    if (isnan(a) || isnan(b)) {
        s->odd = s->even = s->point = false;
        return false;
    }
    if (isinf(a) || isinf(b)) {
        s->odd = s->odd && a == -b;
        s->even = s->even && a == b;
        s->point = false;
        return s->odd || s->even;
    }
    const long double size = fabsl(a) > fabsl(b) ? fabsl(a) : fabsl(b);
    if (!s->any)
        s->sum = a + b;
    s->any = true;
    s->odd = s->odd && is_close(a + b, size);
    s->even = s->even && is_close(a - b, size);
    s->point = s->point && is_close(a + b - s->sum, size + fabsl(s->sum));
    return s->odd || s->even || s->point;
}

/* A range that reaches to both sides must do so equally far. */
static bool range_can_fold(const struct trn_act_fit_options *o)
{
    return o->lo > 0 || o->lo == -o->hi;
}

static enum trn_act_fold find_fold(struct trn_fit *fit)
{
    struct symmetry s = {fit, true, true, true, false, 0};
    if (!range_can_fold(fit->options))
        return TRN_ACT_FOLD_NONE;
    each_sample(&fit->side[0], look_at_pair, &s);
    fit->point = s.sum;
    if (s.even)
        return TRN_ACT_FOLD_EVEN;
    if (s.odd)
        return TRN_ACT_FOLD_ODD;
    return s.any && s.point ? TRN_ACT_FOLD_POINT : TRN_ACT_FOLD_NONE;
}

static const char *const fold_names[] = {"auto", "none", "odd", "even", "point"};

static trn_status choose_fold(struct trn_fit *fit)
{
    const enum trn_act_fold asked = fit->options->fold;
    const enum trn_act_fold found = find_fold(fit);
    fit->fold = asked == TRN_ACT_FOLD_AUTO ? found : asked;
    if (asked > TRN_ACT_FOLD_NONE && asked != found)
        return trn_diag_set(fit->diag, TRN_ERR_INVALID, "symmetry", "ACT_FOLD", fold_names[found],
                            "%s is not %s in this range", fit->options->expression,
                            fold_names[asked]);
    const bool folded = fit->fold != TRN_ACT_FOLD_NONE;
    fit->side[0].stored = !folded || fit->fold != TRN_ACT_FOLD_POINT;
    fit->side[1].stored = !folded || fit->fold == TRN_ACT_FOLD_POINT;
    if (folded) { /* either half stands for both */
        fit->side[1] = fit->side[0];
        fit->side[1].sign = -1;
        fit->side[0].stored = fit->fold != TRN_ACT_FOLD_POINT;
        fit->side[1].stored = fit->fold == TRN_ACT_FOLD_POINT;
    }
    return TRN_OK;
}

/* ---- values: none, too large ----------------------------------------------------------------- */

struct census {
    const struct trn_fit *fit;
    int sign;
    unsigned values, none;
    float first_none;
    float last_finite, first_infinite; /* magnitudes; first_infinite 0 when there is none */
    bool returns;                      /* finite again after it was infinite */
};

static bool is_overflow(const struct trn_fit *fit, long double x)
{
    return !(fabsl(trn_fit_value(fit, x)) < OVERFLOW_AT);
}

static bool count_sample(void *context, float magnitude)
{
    struct census *const c = context;
    const long double value = trn_fit_value(c->fit, (long double)c->sign * magnitude);
    if (isnan(value) && c->first_infinite == 0) {
        c->first_none = c->none++ ? c->first_none : magnitude;
    } else if (is_overflow(c->fit, (long double)c->sign * magnitude)) {
        if (c->first_infinite == 0)
            c->first_infinite = magnitude;
    } else {
        c->values++;
        c->returns = c->returns || c->first_infinite != 0;
        c->last_finite = magnitude;
    }
    return true;
}

/* Between a magnitude with a finite result and one without: the first without. */
static uint32_t bisect_overflow(const struct trn_fit *fit, int sign, uint32_t finite,
                                uint32_t infinite)
{
    while (infinite - finite > 1) {
        const uint32_t middle = finite + (infinite - finite) / 2;
        if (is_overflow(fit, (long double)sign * trn_bits_f32(middle)))
            infinite = middle;
        else
            finite = middle;
    }
    return infinite;
}

/* A result that leaves f32 through its largest values; a jump to infinity is refused. */
static trn_status set_overflow(struct trn_fit *fit, struct trn_fit_side *side,
                               const struct census *c)
{
    const long double sign = side->sign;
    if (c->returns || c->values == 0)
        return trn_fit_refuse_at(fit, sign * c->first_infinite, "the result is infinite here",
                                 "a range without this point (--range LO:HI)");
    side->overflow_from = bisect_overflow(fit, side->sign, trn_f32_bits(c->last_finite),
                                          trn_f32_bits(c->first_infinite));
    const long double last = trn_fit_value(fit, sign * trn_bits_f32(side->overflow_from - 1));
    if (fabsl(last) < 0x1p120L)
        return trn_fit_refuse_at(
            fit, sign * trn_bits_f32(side->overflow_from),
            "a part of the expression overflows here",
            "another form of the expression (softplus(x) for log(1 + exp(x))), or a "
            "range (--range LO:HI)");
    side->overflow_value = last < 0 ? -INFINITY : INFINITY;
    return TRN_OK;
}

static trn_status look_at_side(struct trn_fit *fit, struct trn_fit_side *side)
{
    struct census c = {.fit = fit, .sign = side->sign};
    if (!side->stored || !side->defined)
        return TRN_OK;
    each_sample(side, count_sample, &c);
    if (c.none && c.values == 0 && c.first_infinite == 0) {
        side->defined = false;
        return TRN_OK;
    }
    if (c.none)
        return trn_fit_refuse_at(fit, (long double)side->sign * c.first_none,
                                 "the expression has no value here",
                                 "a range without this point (--range LO:HI)");
    return c.first_infinite != 0 ? set_overflow(fit, side, &c) : TRN_OK;
}

static trn_status check_zero(struct trn_fit *fit)
{
    const bool reached = (fit->side[0].stored && fit->side[0].defined && !fit->side[0].begin) ||
                         (fit->side[1].stored && fit->side[1].defined && !fit->side[1].begin);
    if (reached && !isfinite(trn_fit_value(fit, 0)))
        return trn_fit_refuse_at(
            fit, 0, "the expression diverges at 0",
            "a range without 0, such as --range 1e-6:1e6 (of magnitudes when the "
            "function is odd or even)");
    if (!fit->side[0].defined && !fit->side[1].defined)
        return trn_fit_refuse_at(fit, 0, "the expression has no value anywhere in the range",
                                 "a range where it has one (--range LO:HI)");
    return TRN_OK;
}

/* ---- poles ----------------------------------------------------------------------------------- */

/* Three samples behind each other, the newest last. */
struct hunt {
    const struct trn_fit *fit;
    const struct trn_fit_side *side;
    uint32_t bits[3];
    unsigned seen;
    uint32_t pole; /* magnitude bits */
};

/* |f|; infinite where f has no value. */
static long double size_at(const struct hunt *h, uint32_t magnitude)
{
    const long double value =
        fabsl(trn_fit_value(h->fit, (long double)h->side->sign * trn_bits_f32(magnitude)));
    return isnan(value) ? (long double)INFINITY : value;
}

/* Where |f| is largest, if it rises to one peak in [from, to]. */
static uint32_t peak_of(const struct hunt *h, uint32_t from, uint32_t to)
{
    while (to - from > 2) {
        const uint32_t third = (to - from) / 3, low = from + third, high = to - third;
        if (size_at(h, low) < size_at(h, high))
            from = low;
        else
            to = high;
    }
    const uint32_t middle = from + (to - from) / 2;
    return size_at(h, middle) >= size_at(h, to) ? middle : to;
}

/* A peak far above the samples around it is no maximum of a function that octaves could hold. */
static bool look_for_peak(void *context, float magnitude)
{
    struct hunt *const h = context;
    h->bits[0] = h->bits[1];
    h->bits[1] = h->bits[2];
    h->bits[2] = trn_f32_bits(magnitude);
    if (++h->seen < 3)
        return true;
    const long double middle = size_at(h, h->bits[1]);
    if (middle < size_at(h, h->bits[0]) || middle < size_at(h, h->bits[2]) || !isfinite(middle))
        return true;
    const uint32_t peak = peak_of(h, h->bits[0], h->bits[2]);
    if (size_at(h, peak) < POLE_RISE * middle || middle == 0)
        return true;
    h->pole = peak;
    return false;
}

bool trn_fit_find_pole(const struct trn_fit *fit, float *x)
{
    for (int i = 0; i < 2; i++) {
        struct hunt h = {.fit = fit, .side = &fit->side[i]};
        if (h.side->stored && h.side->defined && !each_sample(h.side, look_for_peak, &h)) {
            *x = (float)h.side->sign * trn_bits_f32(h.pole);
            return true;
        }
    }
    return false;
}

trn_status trn_fit_target(struct trn_fit *fit)
{
    trn_status status = trn_expr_parse(fit->options->expression, &fit->expr, fit->diag);
    if (status == TRN_OK)
        status = check_range(fit);
    if (status != TRN_OK)
        return status;
    set_sides(fit);
    status = choose_fold(fit);
    for (int i = 0; i < 2 && status == TRN_OK; i++)
        status = look_at_side(fit, &fit->side[i]);
    return status == TRN_OK ? check_zero(fit) : status;
}
