/* SPDX-License-Identifier: Apache-2.0 */
#include "act/sections.h"

#include <stdio.h>

#include "act/threshold.h"
#include "base/bytes.h"

enum {
    EXPONENTS = TRN_ACT_CLASSES / TRN_ACT_SIDES,
    EXPONENT_BIAS = 127,
    MAGNITUDE_BITS = TRN_ACT_MANTISSA_BITS + TRN_ACT_EXPONENT_BITS,
};

/* ---- what is stored --------------------------------------------------------------------------
 */

static int control_of(const struct trn_act_profile *p, unsigned side, unsigned exponent)
{
    const int base = side ? p->pwl_control_base_neg : p->pwl_control_base_pos;
    return base + (int)exponent - EXPONENT_BIAS - trn_act_lowest_octave(p);
}

/* Whether some magnitude of the exponent lies between the clamps. */
static bool is_reached(const struct trn_act_function *f, unsigned side, unsigned exponent)
{
    const int64_t first =
        (int64_t)trn_bits_set(0, TRN_ACT_MANTISSA_BITS, TRN_ACT_EXPONENT_BITS, exponent);
    const int64_t last = first + (INT64_C(1) << TRN_ACT_MANTISSA_BITS) - 1;
    return first < f->large_from[side] && last > f->small_to[side];
}

static unsigned nearer(unsigned limit, unsigned base, unsigned next)
{
    return next > base && next < limit ? next : limit;
}

/* The function's next bucket base behind `base`: there other sections, or the clamps, begin. */
static unsigned limit_of(const struct trn_act_function *f, unsigned base)
{
    unsigned limit = TRN_ACT_BUCKET_ENTRIES;
    for (unsigned side = 0; side < TRN_ACT_SIDES; side++) {
        limit = nearer(limit, base, f->small[side].base);
        limit = nearer(limit, base, f->large[side].base);
        for (unsigned e = 0; e < EXPONENTS; e++)
            if (is_reached(f, side, e))
                limit = nearer(limit, base, f->octave[side * EXPONENTS + e].base);
    }
    return limit;
}

void trn_act_sections_of(const struct trn_act_function *function, struct trn_act_sections *out)
{
    out->function = function;
    for (unsigned class = 0; class < TRN_ACT_CLASSES; class ++) {
        const unsigned side = class / EXPONENTS, exponent = class % EXPONENTS;
        out->control[class] = control_of(&function->profile, side, exponent);
        out->limit[class] = is_reached(function, side, exponent)
                                ? (uint16_t)limit_of(function, function->octave[class].base)
                                : 0;
    }
}

/* ---- what a value reads ----------------------------------------------------------------------
 */

static bool is_populated(const struct trn_act_section *octave)
{
    return octave->mask == (1U << (TRN_ACT_MANTISSA_BITS - octave->lsb)) - 1;
}

bool trn_act_section_stored(const struct trn_act_sections *sections, float v, char *what,
                            size_t size)
{
    const struct trn_act_function *const f = sections->function;
    if (trn_act_takes_alpha(f) || trn_act_bucket_of(f, v) < 0)
        return true;
    const uint32_t sel = (trn_f32_bits(v) & f->places.fold_keep) | f->places.fold_set;
    const unsigned side = (unsigned)trn_bits_get(sel, MAGNITUDE_BITS, 1);
    const int64_t magnitude = (int64_t)trn_bits_get(sel, 0, MAGNITUDE_BITS);
    if (magnitude >= f->large_from[side] || magnitude <= f->small_to[side])
        return true;
    const unsigned class = (unsigned)trn_bits_get(sel, TRN_ACT_MANTISSA_BITS, 9);
    const struct trn_act_section *const octave = &f->octave[class];
    const unsigned mantissa = (unsigned)trn_bits_get(sel, 0, TRN_ACT_MANTISSA_BITS);
    const unsigned section = (mantissa >> octave->lsb) & octave->mask;
    const int control = sections->control[class];
    if (control < 0 || control >= TRN_ACT_CONTROL_ENTRIES)
        snprintf(what, size, "octave %d has CONTROL word %d of %d",
                 (int)(class % EXPONENTS) - EXPONENT_BIAS, control, TRN_ACT_CONTROL_ENTRIES);
    else if (!is_populated(octave))
        snprintf(what, size, "CONTROL word %d of octave %d is empty", control,
                 (int)(class % EXPONENTS) - EXPONENT_BIAS);
    else if (octave->base + section >= sections->limit[class])
        snprintf(what, size, "section %u of octave %d is bucket %u; its sections end before %u",
                 section, (int)(class % EXPONENTS) - EXPONENT_BIAS, octave->base + section,
                 sections->limit[class]);
    else
        return true;
    return false;
}
