/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluation of a table (docs/hardware/activation.md 5): special values, fold, bucket, cubic. */
#include "act/eval.h"

#include "act/threshold.h"
#include "act_pack.h"
#include "base/bytes.h"

enum {
    EXPONENT_BIAS = 127,
    MANTISSA_BITS = 23,
    EXPONENT_BITS = 8,
};

/* Bits of an f32, apart. */
static uint32_t magnitude_of(uint32_t bits)
{
    return (uint32_t)trn_bits_get(bits, 0, MANTISSA_BITS + EXPONENT_BITS);
}

static uint32_t mantissa_of(uint32_t bits)
{
    return (uint32_t)trn_bits_get(bits, 0, MANTISSA_BITS);
}

static unsigned class_of(uint32_t bits)
{
    return (unsigned)trn_bits_get(bits, MANTISSA_BITS, EXPONENT_BITS + 1);
}

static unsigned sign_of(uint32_t bits)
{
    return (unsigned)trn_bits_get(bits, MANTISSA_BITS + EXPONENT_BITS, 1);
}

/* Of the two-bit switches bit 0 is used. */
static bool is_set(uint8_t field)
{
    return trn_bits_get(field, 0, 1) != 0;
}

static uint32_t with_sign(uint32_t bits, unsigned sign)
{
    return (uint32_t)trn_bits_set(bits, MANTISSA_BITS + EXPONENT_BITS, 1, sign);
}

/* ---- preparing ------------------------------------------------------------------------------- */

struct trn_act_specials trn_act_specials_default(void)
{
    return (struct trn_act_specials){
        .zero = {0x00000000, 0xFFFFFFFF},
        .nan = {0x7FC00000, 0x7FC00000},
        .pos_inf = {0x7F800000, 0xFFFFFFFF},
        .neg_inf = {0xFF800000, 0xFFFFFFFF},
    };
}

static bool same_detector(struct trn_act_detector a, struct trn_act_detector b)
{
    return a.value == b.value && a.mask == b.mask;
}

static bool are_usual(const struct trn_act_specials *s)
{
    const struct trn_act_specials usual = trn_act_specials_default();
    return same_detector(s->zero, usual.zero) && same_detector(s->nan, usual.nan) &&
           same_detector(s->pos_inf, usual.pos_inf) && same_detector(s->neg_inf, usual.neg_inf);
}

int trn_act_find_slot(const struct trn_act_tables *tables, uint8_t opcode, uint8_t func_id)
{
    for (unsigned i = 0; i < TRN_ACT_CAM_ENTRIES; i++) {
        struct trn_act_cam entry;
        trn_act_cam_unpack(tables->layout, tables->cam + (size_t)i * TRN_ACT_CAM_BYTES, &entry);
        if (entry.valid && ((opcode ^ entry.opcode) & entry.opcode_mask) == 0 &&
            ((func_id ^ entry.func_id) & entry.func_id_mask) == 0)
            return (int)(i % TRN_ACT_PROFILE_ENTRIES);
    }
    return -1;
}

static struct trn_act_section section_of(const struct trn_act_control *control)
{
    return (struct trn_act_section){
        .base = control->act_tbl_base,
        .mask = (uint16_t)((1U << control->extract_size) - 1),
        .lsb = control->extract_lsb,
    };
}

/* The clamp fields of a PROFILE hold a word of CONTROL's shape (activation.md 3.2). */
static struct trn_act_section clamp_of(uint32_t word)
{
    uint8_t bytes[TRN_ACT_CONTROL_BYTES] = {0};
    struct trn_act_control control;
    trn_put32(bytes, word);
    trn_act_control_unpack(TRN_ACT_LAYOUT_LATER, bytes, &control);
    return section_of(&control);
}

static uint32_t mantissa_threshold(uint16_t upper, uint16_t lower)
{
    enum { LOWER_BITS = 11, UPPER_BITS = 12 };
    return (uint32_t)trn_bits_set(lower, LOWER_BITS, UPPER_BITS, upper);
}

/* The first magnitude of a threshold's exponent, or with the tie test that of its mantissa. */
static int64_t magnitude_at(unsigned exponent, uint32_t mantissa)
{
    return (int64_t)trn_bits_set(mantissa, MANTISSA_BITS, EXPONENT_BITS, exponent);
}

static int64_t large_from(unsigned exponent, bool compare, uint32_t mantissa)
{
    return compare ? magnitude_at(exponent, mantissa)
                   : magnitude_at(exponent, 0) + (INT64_C(1) << MANTISSA_BITS);
}

static int64_t small_to(unsigned exponent, bool compare, uint32_t mantissa)
{
    return compare ? magnitude_at(exponent, mantissa) : magnitude_at(exponent, 0) - 1;
}

static void prepare_clamps(const struct trn_act_profile *p, struct trn_act_function *out)
{
    out->large[0] = clamp_of(p->large_pos_signal_pwl_control);
    out->large[1] = clamp_of(p->large_neg_signal_pwl_control);
    out->small[0] = clamp_of(p->small_pos_signal_pwl_control);
    out->small[1] = clamp_of(p->small_neg_signal_pwl_control);
    out->large_from[0] =
        large_from(p->large_pos_signal_threshold, p->large_pos_mantissa_compare_enable,
                   mantissa_threshold(p->large_pos_mantissa_threshold_msbs,
                                      p->large_pos_mantissa_threshold_lsbs));
    out->large_from[1] =
        large_from(p->large_neg_signal_threshold, p->large_neg_mantissa_compare_enable,
                   mantissa_threshold(p->large_neg_mantissa_threshold_msbs,
                                      p->large_neg_mantissa_threshold_lsbs));
    out->small_to[0] = small_to(p->small_pos_signal_threshold, p->small_pos_mantissa_compare_enable,
                                mantissa_threshold(p->small_pos_mantissa_threshold_msbs,
                                                   p->small_pos_mantissa_threshold_lsbs));
    out->small_to[1] = small_to(p->small_neg_signal_threshold, p->small_neg_mantissa_compare_enable,
                                mantissa_threshold(p->small_neg_mantissa_threshold_msbs,
                                                   p->small_neg_mantissa_threshold_lsbs));
}

/* CONTROL[(base of the side + octave above the lowest) modulo the table], for every exponent. */
static void prepare_octaves(const struct trn_act_tables *tables, const struct trn_act_profile *p,
                            struct trn_act_function *out)
{
    const int lowest = trn_act_lowest_octave(p);
    for (unsigned class = 0; class < TRN_ACT_CLASSES; class ++) {
        const int exponent = (int)(class % (TRN_ACT_CLASSES / TRN_ACT_SIDES));
        const bool negative = class >= TRN_ACT_CLASSES / TRN_ACT_SIDES;
        const int base = negative ? p->pwl_control_base_neg : p->pwl_control_base_pos;
        const unsigned index =
            (unsigned)(base + exponent - EXPONENT_BIAS - lowest) % TRN_ACT_CONTROL_ENTRIES;
        struct trn_act_control control;
        trn_act_control_unpack(tables->layout,
                               tables->control + (size_t)index * TRN_ACT_CONTROL_BYTES, &control);
        out->octave[class] = section_of(&control);
    }
}

static void prepare_places(struct trn_act_function *out)
{
    struct trn_act_places *const p = &out->places;
    for (unsigned class = 0; class < TRN_ACT_CLASSES; class ++)
        p->octave[class] = TRN_ACT_PLACE(out->octave[class]);
    for (unsigned side = 0; side < TRN_ACT_SIDES; side++) {
        p->large[side] = TRN_ACT_PLACE(out->large[side]);
        p->small[side] = TRN_ACT_PLACE(out->small[side]);
        p->large_from[side] = (uint32_t)out->large_from[side];
        p->small_end[side] = (uint32_t)(out->small_to[side] + 1);
    }
    const bool folded = is_set(out->profile.symmetry_opt_en);
    const uint32_t sign = with_sign(0, 1);
    p->fold_keep = folded ? ~sign : UINT32_MAX;
    p->fold_set = folded && is_set(out->profile.symmetry_opt_use_neg_region) ? sign : 0;
    p->unfold_sign = is_set(out->profile.func_sym_inv_sign) ? sign : 0;
}

static void prepare_coefficients(const struct trn_act_tables *tables,
                                 struct trn_act_coefficients *out)
{
    for (unsigned i = 0; i < TRN_ACT_BUCKET_ENTRIES; i++) {
        struct trn_act_bucket b;
        trn_act_bucket_unpack(tables->layout, tables->bucket + (size_t)i * TRN_ACT_BUCKET_BYTES,
                              &b);
        out->row[i][0] = trn_bits_f32(b.d0);
        out->row[i][1] = trn_bits_f32(b.d1);
        out->row[i][2] = trn_bits_f32(b.d2);
        out->row[i][3] = trn_bits_f32(b.d3);
        out->x0[i] = trn_bits_f32(b.x0);
    }
}

void trn_act_prepare(const struct trn_act_tables *tables, unsigned slot,
                     const struct trn_act_specials *specials, float alpha,
                     struct trn_act_function *out)
{
    const unsigned entry = slot % TRN_ACT_PROFILE_ENTRIES;
    trn_act_profile_unpack(tables->layout, tables->profile + (size_t)entry * TRN_ACT_PROFILE_BYTES,
                           &out->profile);
    out->specials = *specials;
    out->usual_specials = are_usual(specials);
    out->bucket = tables->bucket;
    out->alpha = alpha;
    prepare_clamps(&out->profile, out);
    prepare_octaves(tables, &out->profile, out);
    prepare_places(out);
    prepare_coefficients(tables, &out->coefficients);
    trn_act_quick_prepare(out);
}

/* ---- applying -------------------------------------------------------------------------------- */

static bool detects(struct trn_act_detector detector, uint32_t bits)
{
    return (bits & detector.mask) == detector.value;
}

/* The fixed result of a special value, activation.md 5.1; the order of the tests is fixed. */
static bool special_result(const struct trn_act_function *f, uint32_t bits, uint32_t *result)
{
    const struct trn_act_specials *const s = &f->specials;
    if (detects(s->zero, bits) || (s->negzero_is_zero && magnitude_of(bits) == 0))
        *result = f->profile.func_rslt_for_zero;
    else if (detects(s->nan, bits))
        *result = f->profile.func_rslt_for_nan;
    else if (detects(s->pos_inf, bits))
        *result = f->profile.func_rslt_for_pos_inf;
    else if (detects(s->neg_inf, bits))
        *result = f->profile.func_rslt_for_neg_inf;
    else
        return false;
    return true;
}

/* Bits of |v| or -|v| where the function is folded. */
static uint32_t fold(const struct trn_act_profile *p, uint32_t bits)
{
    return is_set(p->symmetry_opt_en) ? with_sign(bits, is_set(p->symmetry_opt_use_neg_region))
                                      : bits;
}

static unsigned bucket_index(const struct trn_act_function *f, uint32_t sel)
{
    const unsigned side = sign_of(sel);
    const int64_t magnitude = magnitude_of(sel);
    const struct trn_act_section *section = &f->octave[class_of(sel)];
    if (magnitude >= f->large_from[side])
        section = &f->large[side];
    else if (magnitude <= f->small_to[side])
        section = &f->small[side];
    return (section->base + ((mantissa_of(sel) >> section->lsb) & section->mask)) %
           TRN_ACT_BUCKET_ENTRIES;
}

struct cubic {
    float d0, d1, d2, d3, x0;
};

static struct cubic bucket_at(const struct trn_act_function *f, unsigned index)
{
    struct trn_act_bucket b;
    trn_act_bucket_unpack(TRN_ACT_LAYOUT_LATER, f->bucket + (size_t)index * TRN_ACT_BUCKET_BYTES,
                          &b);
    return (struct cubic){trn_bits_f32(b.d0), trn_bits_f32(b.d1), trn_bits_f32(b.d2),
                          trn_bits_f32(b.d3), trn_bits_f32(b.x0)};
}

/* Parametric ReLU: a line through 0 whose slope depends on the side (activation.md 5.5). */
static struct cubic parametric_line(const struct trn_act_function *f, float alpha, uint32_t sel)
{
    const float slope = sign_of(sel) ? alpha : trn_bits_f32(f->profile.fma_const0);
    return (struct cubic){.d1 = slope};
}

/* The constant and linear terms are f32 steps, the rest double, rounded once (activation.md 5.4).
 */
static float cubic_value(const struct cubic *c, float sel)
{
    const float t = sel - c->x0;
    const float product = t * c->d1;
    const float line = product + c->d0;
    const double wide = (double)t;
    const double square = wide * wide; /* exact */
    double r = (double)line + square * (double)c->d2;
    r = r + square * wide * (double)c->d3;
    return (float)r;
}

static float canonical(float f)
{
    return f != f ? trn_bits_f32(0x7FC00000) : f;
}

/* The reflected half: sign, then point of symmetry (activation.md 5.3). */
static float unfold(const struct trn_act_profile *p, float f)
{
    if (is_set(p->func_sym_inv_sign))
        f = -f;
    return f + trn_bits_f32(p->symmetry_point);
}

static float value_of(const struct trn_act_function *f, float alpha, float v)
{
    const struct trn_act_profile *const p = &f->profile;
    const uint32_t bits = trn_f32_bits(v);
    uint32_t result;
    if (special_result(f, bits, &result))
        return trn_bits_f32(result);
    if (p->pwl_bypass)
        return v;
    const uint32_t sel = fold(p, bits);
    const struct cubic c = trn_act_takes_alpha(f) ? parametric_line(f, alpha, sel)
                                                  : bucket_at(f, bucket_index(f, sel));
    float value = cubic_value(&c, trn_bits_f32(sel));
    if (sel != bits)
        value = unfold(p, value);
    return canonical(value);
}

float trn_act_value(const struct trn_act_function *function, float v)
{
    return value_of(function, function->alpha, v);
}

int trn_act_bucket_of(const struct trn_act_function *f, float v)
{
    const uint32_t bits = trn_f32_bits(v);
    uint32_t result;
    if (special_result(f, bits, &result) || f->profile.pwl_bypass)
        return -1;
    return (int)bucket_index(f, fold(&f->profile, bits));
}

void trn_act_apply(const struct trn_act_function *function, const float *v, float *out, size_t n)
{
    trn_act_apply_alpha(function, function->alpha, v, out, n);
}

void trn_act_eval_array(const struct trn_act_tables *tables, unsigned slot,
                        const struct trn_act_specials *specials, float alpha, const float *v,
                        float *out, size_t n)
{
    struct trn_act_function function;
    trn_act_prepare(tables, slot, specials, alpha, &function);
    trn_act_apply(&function, v, out, n);
}
