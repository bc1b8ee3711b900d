/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a table has the usual shape, and then its places and columns. */
#include "act/eval.h"
#include "base/bytes.h"

enum {
    MANTISSA_BITS = 23,
    SIGN_BIT = 31,
    EXPONENTS = TRN_ACT_CLASSES / TRN_ACT_SIDES,
    CLAMP_LSB = 31,
};

/* ---- the buckets in reach -------------------------------------------------------------------- */

/* The sides that values are on: 0, 1 or both. */
static unsigned first_side(const struct trn_act_function *f)
{
    return f->quick.folded && f->places.fold_set;
}

static unsigned sides_end(const struct trn_act_function *f)
{
    return f->quick.folded ? first_side(f) + 1 : TRN_ACT_SIDES;
}

/* Octaves of a side between the clamps, at least in part. */
struct span {
    unsigned begin, end; /* biased exponents */
};

static struct span span_of(const struct trn_act_function *f, unsigned side)
{
    const uint32_t from = f->places.small_end[side], to = f->places.large_from[side];
    if (from >= to)
        return (struct span){0, 0};
    return (struct span){from >> MANTISSA_BITS, ((to - 1) >> MANTISSA_BITS) + 1};
}

static const struct trn_act_section *octave_at(const struct trn_act_function *f, unsigned side,
                                               unsigned exponent)
{
    return &f->octave[side * EXPONENTS + exponent];
}

/* An octave of one section names no bits of it. */
static unsigned lsb_of(const struct trn_act_section *section)
{
    return section->mask ? section->lsb : MANTISSA_BITS;
}

static uint32_t highest(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t lowest(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static struct trn_act_reach reach_of(const struct trn_act_function *f, unsigned side,
                                     unsigned exponent, unsigned section)
{
    const struct trn_act_section *const octave = octave_at(f, side, exponent);
    const unsigned lsb = lsb_of(octave);
    const uint32_t low = (exponent << MANTISSA_BITS) + (section << lsb);
    const uint32_t high = low + ((UINT32_C(1) << lsb) - 1);
    return (struct trn_act_reach){
        .side = side,
        .low = low,
        .from = highest(low, f->places.small_end[side]),
        .to = lowest(high, f->places.large_from[side] - 1),
        .bucket = (octave->base + section) % TRN_ACT_BUCKET_ENTRIES,
        .lsb = lsb,
    };
}

bool trn_act_quick_each(const struct trn_act_function *f,
                        bool (*visit)(const struct trn_act_function *function,
                                      const struct trn_act_reach *reach, void *context),
                        void *context)
{
    for (unsigned side = first_side(f); side < sides_end(f); side++) {
        const struct span span = span_of(f, side);
        for (unsigned exponent = span.begin; exponent < span.end; exponent++) {
            for (unsigned i = 0; i <= octave_at(f, side, exponent)->mask; i++) {
                const struct trn_act_reach reach = reach_of(f, side, exponent, i);
                if (reach.from <= reach.to && !visit(f, &reach, context))
                    return false;
            }
        }
    }
    return true;
}

/* ---- the shape ------------------------------------------------------------------------------- */

/* A section's number is all of the mantissa above its lsb. */
static bool is_whole(const struct trn_act_section *octave)
{
    return octave->mask == 0 || ((uint32_t)octave->mask + 1) << octave->lsb == UINT32_C(1)
                                                                                   << MANTISSA_BITS;
}

static bool has_usual_side(const struct trn_act_function *f, unsigned side)
{
    const struct span span = span_of(f, side);
    if (span.end - span.begin > TRN_ACT_QUICK_OCTAVES || span.end > EXPONENTS ||
        f->large[side].mask != 0 || f->small[side].mask != 0)
        return false;
    for (unsigned exponent = span.begin; exponent < span.end; exponent++)
        if (!is_whole(octave_at(f, side, exponent)))
            return false;
    return true;
}

static bool has_usual_shape(const struct trn_act_function *f)
{
    for (unsigned side = first_side(f); side < sides_end(f); side++)
        if (!has_usual_side(f, side))
            return false;
    return true;
}

/* ---- centres --------------------------------------------------------------------------------- */

bool trn_act_quick_is_middle(const struct trn_act_function *f, const struct trn_act_reach *reach)
{
    const uint32_t middle = reach->low + (UINT32_C(1) << reach->lsb) / 2 - 1;
    return trn_f32_bits(f->coefficients.x0[reach->bucket]) ==
           (uint32_t)trn_bits_set(middle, SIGN_BIT, 1, reach->side);
}

static bool visit_centre(const struct trn_act_function *f, const struct trn_act_reach *reach,
                         void *context)
{
    (void)context;
    return trn_act_quick_is_middle(f, reach);
}

static bool has_centre_0(const struct trn_act_function *f, const struct trn_act_section *clamp)
{
    return trn_f32_bits(f->coefficients.x0[clamp->base]) == 0;
}

static bool has_usual_centres(const struct trn_act_function *f)
{
    for (unsigned side = first_side(f); side < sides_end(f); side++)
        if (!has_centre_0(f, &f->large[side]) || !has_centre_0(f, &f->small[side]))
            return false;
    return trn_act_quick_each(f, visit_centre, NULL);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* (sel >> lsb) is `upper` where sections are counted from. */
static uint32_t place_of(const struct trn_act_function *f, unsigned base, unsigned lsb,
                         uint32_t upper)
{
    enum { LSB_AT = 27, LSB_BITS = 5 };
    return (uint32_t)trn_bits_set(base - f->quick.first - upper, LSB_AT, LSB_BITS, lsb);
}

static void put_octaves(struct trn_act_function *f, unsigned side, uint32_t *places)
{
    const struct span span = span_of(f, side);
    for (unsigned exponent = span.begin; exponent < span.end; exponent++) {
        const struct trn_act_section *const octave = octave_at(f, side, exponent);
        const unsigned lsb = lsb_of(octave);
        const uint32_t class = side * EXPONENTS + exponent;
        places[exponent % TRN_ACT_QUICK_SLOTS] =
            place_of(f, octave->base, lsb, class << (MANTISSA_BITS - lsb));
    }
}

/* Whether a side has an octave in the slot. */
static bool is_taken(const struct trn_act_function *f, uint32_t slot)
{
    for (unsigned side = first_side(f); side < sides_end(f); side++) {
        const struct span span = span_of(f, side);
        for (unsigned exponent = span.begin; exponent < span.end; exponent++)
            if (exponent % TRN_ACT_QUICK_SLOTS == slot)
                return true;
    }
    return false;
}

/* The first that is free from `slot` on, or TRN_ACT_QUICK_SLOTS. */
static uint32_t free_slot(const struct trn_act_function *f, uint32_t slot)
{
    while (slot < TRN_ACT_QUICK_SLOTS && is_taken(f, slot))
        slot++;
    return slot;
}

/* Clamps take slots that no octave has. */
static bool find_slots(struct trn_act_function *f)
{
    f->quick.large_slot = free_slot(f, 0);
    f->quick.small_slot = free_slot(f, f->quick.large_slot + 1);
    return f->quick.small_slot < TRN_ACT_QUICK_SLOTS;
}

/* A folded function's side stands in both places. Where both clamps claim a value the large one has
 * it (activation.md 5.2). */
static void put_places(struct trn_act_function *f)
{
    struct trn_act_quick *const q = &f->quick;
    for (unsigned i = 0; i < TRN_ACT_SIDES; i++) {
        const unsigned side = q->folded ? first_side(f) : i;
        put_octaves(f, side, q->octave[i]);
        q->octave[i][q->large_slot] = place_of(f, f->large[side].base, CLAMP_LSB, side);
        q->octave[i][q->small_slot] = place_of(f, f->small[side].base, CLAMP_LSB, side);
        q->large_from[i] = f->places.large_from[side];
        q->small_end[i] = lowest(f->places.small_end[side], q->large_from[i]);
    }
}

/* ---- columns --------------------------------------------------------------------------------- */

struct range {
    uint32_t low, high;
};

static void add_bucket(struct range *range, uint32_t bucket)
{
    range->low = lowest(range->low, bucket);
    range->high = highest(range->high, bucket);
}

static bool add_reach(const struct trn_act_function *f, const struct trn_act_reach *reach,
                      void *context)
{
    (void)f;
    add_bucket(context, reach->bucket);
    return true;
}

static struct range buckets_of(const struct trn_act_function *f)
{
    struct range range = {TRN_ACT_BUCKET_ENTRIES, 0};
    (void)trn_act_quick_each(f, add_reach, &range);
    for (unsigned side = first_side(f); side < sides_end(f); side++) {
        add_bucket(&range, f->large[side].base);
        add_bucket(&range, f->small[side].base);
    }
    return range;
}

static void put_columns(struct trn_act_function *f)
{
    struct trn_act_quick *const q = &f->quick;
    const struct range range = buckets_of(f);
    q->few = range.high - range.low < TRN_ACT_QUICK_FEW;
    q->first = q->few ? range.low : 0;
    for (uint32_t i = 0; q->few && range.low + i <= range.high; i++)
        for (unsigned k = 0; k < 4; k++)
            q->column[k][i] = f->coefficients.row[range.low + i][k];
}

void trn_act_quick_prepare(struct trn_act_function *f)
{
    f->quick = (struct trn_act_quick){.folded = f->places.fold_keep != UINT32_MAX};
    f->quick.usable = has_usual_shape(f) && find_slots(f);
    if (!f->quick.usable)
        return;
    f->quick.middles = has_usual_centres(f);
    put_columns(f);
    put_places(f);
    trn_act_quick_bound(f);
}
