/* SPDX-License-Identifier: Apache-2.0 */
/* Where the octaves begin and end and how finely each is cut (activation.md 10, steps 2 to 5): the
 * smallest error whose table fits. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "act/fit.h"
#include "base/bytes.h"

enum {
    CLAMPS = 4,
    STEPS_PER_OCTAVE = 4,    /* of the tolerance, when looking for the best */
    COARSEST_TOLERANCE = 12, /* 2^-3: beyond it a table says nothing */
    FINEST_TOLERANCE = 96,   /* 2^-24: the rounding of a coefficient */
    MANTISSA_BITS = 23,
};

static bool is_used(const struct trn_fit_side *side)
{
    return side->stored && side->defined;
}

/* ---- ends ------------------------------------------------------------------------------------ */

/* Largest octave whose start the small clamp still reaches well enough. */
static int small_end(const struct trn_fit_side *side, double tolerance)
{
    if (side->begin)
        return trn_fit_octave_of(side->begin);
    int e = TRN_FIT_HIGHEST + 1;
    while (e > TRN_FIT_LOWEST && side->small_error[e - TRN_FIT_LOWEST] > tolerance)
        e--;
    return e;
}

static void choose_lowest(struct trn_fit *fit, double tolerance)
{
    fit->lowest = TRN_FIT_HIGHEST + 1;
    for (int i = 0; i < 2; i++) {
        if (!is_used(&fit->side[i]))
            continue;
        const int e = small_end(&fit->side[i], tolerance);
        fit->lowest = e < fit->lowest ? e : fit->lowest;
    }
    fit->flat = fit->lowest > TRN_FIT_HIGHEST;
}

/* First octave that one of the limits answers, and which limit. */
static int limit_start(const struct trn_fit_side *side, double tolerance, unsigned *which)
{
    int best = TRN_FIT_HIGHEST + 2;
    for (unsigned k = 0; k < side->num_limits; k++) {
        int e = TRN_FIT_HIGHEST + 1;
        while (e > TRN_FIT_LOWEST && side->limit_error[k][e - 1 - TRN_FIT_LOWEST] <= tolerance)
            e--;
        if (e < best) {
            best = e;
            *which = k;
        }
    }
    return best;
}

/* Beyond a closed range, by the option. */
static struct trn_fit_cubic end_cubic(const struct trn_fit *fit, const struct trn_fit_side *side,
                                      uint32_t end, int direction)
{
    const float x = (float)side->sign * trn_bits_f32(end);
    if (fit->options->outside == TRN_ACT_OUTSIDE_EXTRAPOLATE)
        return trn_fit_taylor(fit, x, direction);
    return (struct trn_fit_cubic){{(float)trn_fit_value(fit, x)}, 0};
}

static void choose_highest(const struct trn_fit *fit, struct trn_fit_side *side, double tolerance)
{
    unsigned which = 0;
    const int last = trn_fit_octave_of(side->end);
    const int start = limit_start(side, tolerance, &which);
    if (side->overflow_from) {
        side->large = (struct trn_fit_cubic){{side->overflow_value}, 0};
        side->large_from = side->overflow_from;
    } else if (start <= last) {
        const int from = start > fit->lowest ? start : fit->lowest;
        side->large = side->limit[which];
        side->large_from = trn_fit_octave_bits(from);
    } else {
        side->large = end_cubic(fit, side, side->end, -side->sign);
        side->large_from = side->end + 1;
    }
    side->highest = trn_fit_octave_of(side->large_from - 1);
}

/* ---- sections -------------------------------------------------------------------------------- */

static uint32_t section_length(unsigned extract)
{
    return UINT32_C(1) << (MANTISSA_BITS - extract);
}

/* The saturation may begin inside the last octave: drop sections that the clamp answers as well. */
static void trim_last(const struct trn_fit *fit, struct trn_fit_side *side, double tolerance)
{
    const uint32_t start = trn_fit_octave_bits(side->highest);
    const uint32_t length = section_length(side->extract[side->highest - TRN_FIT_LOWEST]);
    const bool limited = side->overflow_from == 0 && side->large_from <= side->end;
    while (limited && side->large_from - start > length &&
           trn_fit_error(fit, side, &side->large, side->large_from - length,
                         side->large_from - 1) <= tolerance)
        side->large_from -= length;
}

static unsigned stored_sections(const struct trn_fit_side *side, int octave)
{
    const uint32_t start = trn_fit_octave_bits(octave);
    const uint32_t length = section_length(side->extract[octave - TRN_FIT_LOWEST]);
    const uint32_t all = UINT32_C(1) << side->extract[octave - TRN_FIT_LOWEST];
    const uint32_t reached = (side->large_from - 1 - start) / length + 1;
    return reached < all ? reached : all;
}

/* Smallest cut that reaches the tolerance; -1 when none does within `budget` sections. */
static int choose_extract(const struct trn_fit *fit, struct trn_fit_side *side, int octave,
                          double tolerance, unsigned budget)
{
    for (unsigned s = 0; s <= TRN_FIT_MAX_EXTRACT && 1U << s <= 2 * budget; s++)
        if (trn_fit_octave_error(fit, side, octave, s) <= tolerance)
            return (int)s;
    return -1;
}

/* Adds the sections of a side to *total; false when that leaves the budget. */
static bool cut_side(const struct trn_fit *fit, struct trn_fit_side *side, double tolerance,
                     unsigned budget, unsigned *total)
{
    for (int e = fit->lowest; e <= side->highest; e++) {
        const int extract = choose_extract(fit, side, e, tolerance, budget);
        if (extract < 0)
            return false;
        side->extract[e - TRN_FIT_LOWEST] = (uint8_t)extract;
        if (e == side->highest)
            trim_last(fit, side, tolerance);
        const unsigned sections = stored_sections(side, e);
        side->sections[e - TRN_FIT_LOWEST] = (uint16_t)sections;
        *total += sections;
        if (*total + CLAMPS > budget)
            return false;
    }
    return true;
}

static unsigned octaves_of(const struct trn_fit *fit)
{
    unsigned octaves = 0;
    for (int i = 0; i < 2; i++)
        if (is_used(&fit->side[i]) && fit->side[i].highest >= fit->lowest)
            octaves += (unsigned)(fit->side[i].highest - fit->lowest + 1);
    return octaves;
}

/* The whole plan for one tolerance; false when the table cannot hold it. */
static bool plan_for(struct trn_fit *fit, double tolerance)
{
    fit->tolerance = tolerance;
    choose_lowest(fit, tolerance);
    if (fit->flat)
        return true;
    for (int i = 0; i < 2; i++)
        if (is_used(&fit->side[i]))
            choose_highest(fit, &fit->side[i], tolerance);
    if (octaves_of(fit) > fit->options->max_control)
        return false;
    unsigned total = 0;
    for (int i = 0; i < 2; i++)
        if (is_used(&fit->side[i]) &&
            !cut_side(fit, &fit->side[i], tolerance, fit->options->max_buckets, &total))
            return false;
    return true;
}

static double tolerance_at(int step)
{
    return exp2(-(double)step / STEPS_PER_OCTAVE);
}

static trn_status refuse(struct trn_fit *fit, double tolerance)
{
    float pole;
    if (trn_fit_find_pole(fit, &pole))
        return trn_fit_refuse_at(fit, pole, "the result grows without bound near here",
                                 "a range without this point (--range LO:HI)");
    return trn_diag_set(fit->diag, TRN_ERR_TOO_LARGE, fit->options->name, "ACT_CAPACITY",
                        "a smaller range (--range LO:HI), more buckets (--buckets N, at most 2048) "
                        "or less accuracy of small results (--floor SIZE)",
                        "%s does not fit %u buckets and %u octaves with a relative error of %.3g",
                        fit->options->expression, fit->options->max_buckets,
                        fit->options->max_control, tolerance);
}

trn_status trn_fit_plan(struct trn_fit *fit)
{
    const double asked = fit->options->tolerance;
    if (asked > 0)
        return plan_for(fit, asked) ? TRN_OK : refuse(fit, asked);
    int good = COARSEST_TOLERANCE, bad = FINEST_TOLERANCE + 1;
    if (!plan_for(fit, tolerance_at(good)))
        return refuse(fit, tolerance_at(good));
    while (bad - good > 1) {
        const int middle = (good + bad) / 2;
        if (plan_for(fit, tolerance_at(middle)))
            good = middle;
        else
            bad = middle;
    }
    plan_for(fit, tolerance_at(good));
    return TRN_OK;
}

/* ---- a plan that is given -------------------------------------------------------------------- */

static trn_status bad_plan(const struct trn_fit *fit)
{
    return trn_diag_set(fit->diag, TRN_ERR_INVALID, fit->options->name, "ACT_PLAN",
                        "LOWEST: SIZE*COUNT SIZE ..., sizes 0 to 10, octaves -126 to 127",
                        "the plan '%s' cannot be read", fit->options->extract);
}

/* "SIZE" or "SIZE*COUNT"; false at the end or when it is neither. */
static bool read_run(const char **at, long *size, long *count)
{
    char *end;
    *size = strtol(*at, &end, 10);
    *count = 1;
    if (end == *at)
        return false;
    if (*end == '*') {
        *at = end + 1;
        *count = strtol(*at, &end, 10);
    }
    *at = end;
    return *size >= 0 && *size <= TRN_FIT_MAX_EXTRACT && *count >= 1 && *count <= TRN_FIT_OCTAVES;
}

/* Sizes by octave; returns the first octave that has none. */
static trn_status read_plan(const struct trn_fit *fit, uint8_t extract[TRN_FIT_OCTAVES],
                            int *lowest, int *past)
{
    char *end;
    *lowest = (int)strtol(fit->options->extract, &end, 10);
    if (*end != ':' || *lowest < TRN_FIT_LOWEST || *lowest > TRN_FIT_HIGHEST)
        return bad_plan(fit);
    const char *at = end + 1;
    *past = *lowest;
    while (*at) {
        long size, count;
        if (!read_run(&at, &size, &count) || *past + count > TRN_FIT_HIGHEST + 1)
            return bad_plan(fit);
        for (long i = 0; i < count; i++)
            extract[(*past)++ - TRN_FIT_LOWEST] = (uint8_t)size;
        while (isspace((unsigned char)*at))
            at++;
    }
    return *past > *lowest ? TRN_OK : bad_plan(fit);
}

static trn_status apply_plan(struct trn_fit *fit, struct trn_fit_side *side,
                             const uint8_t extract[TRN_FIT_OCTAVES], int past, uint32_t large_from)
{
    if (large_from < trn_fit_octave_bits(past - 1) || large_from > trn_fit_octave_bits(past))
        return bad_plan(fit);
    side->highest = past - 1;
    side->large_from = large_from;
    side->large = side->num_limits ? side->limit[side->num_limits - 1]
                                   : (struct trn_fit_cubic){{side->overflow_value}, 0};
    for (int e = fit->lowest; e < past; e++) {
        side->extract[e - TRN_FIT_LOWEST] = extract[e - TRN_FIT_LOWEST];
        side->sections[e - TRN_FIT_LOWEST] = (uint16_t)stored_sections(side, e);
    }
    return TRN_OK;
}

trn_status trn_fit_plan_given(struct trn_fit *fit)
{
    uint8_t extract[TRN_FIT_OCTAVES] = {0};
    int past = 0;
    trn_status status = read_plan(fit, extract, &fit->lowest, &past);
    for (int i = 0; i < 2 && status == TRN_OK; i++) {
        const uint32_t from = i ? fit->options->large_neg : fit->options->large_pos;
        if (is_used(&fit->side[i]))
            status = apply_plan(fit, &fit->side[i], extract, past, from);
    }
    unsigned total = CLAMPS;
    for (int i = 0; i < 2 && status == TRN_OK; i++)
        for (int e = fit->lowest; is_used(&fit->side[i]) && e < past; e++)
            total += fit->side[i].sections[e - TRN_FIT_LOWEST];
    if (status == TRN_OK &&
        (total > fit->options->max_buckets || octaves_of(fit) > fit->options->max_control))
        return refuse(fit, 0);
    return status;
}
