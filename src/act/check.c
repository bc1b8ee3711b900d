/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of a set of tables (docs/activation.md, "Rules"). */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "act/check.h"
#include "act/threshold.h"
#include "act_pack.h"
#include "trench/act.h"

enum { NOBODY = 0xFF, ACTIVATE = 0x21, FMA_ALPHA = 2, BIAS = 127 };

struct checker {
    const struct trn_act_set *set;
    struct trn_act_finding *findings;
    size_t max, count;
    bool errors_only;
    uint8_t control_owner[TRN_ACT_CONTROL_ENTRIES]; /* member that reads the entry */
    uint8_t bucket_owner[TRN_ACT_BUCKET_ENTRIES];
    unsigned member; /* the one that is looked at */
};

static TRN_PRINTF(5, 6) void find(struct checker *c, bool is_error, const char *rule,
                                  const char *expected, const char *format, ...)
{
    if (c->errors_only && !is_error)
        return;
    if (c->count++ >= c->max)
        return;
    struct trn_act_finding *const f = &c->findings[c->count - 1];
    f->is_error = is_error;
    f->rule = rule;
    snprintf(f->where, sizeof f->where, "%s",
             c->member < c->set->num_functions ? c->set->member[c->member].name : c->set->name);
    snprintf(f->expected, sizeof f->expected, "%s", expected);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(f->message, sizeof f->message, format, arguments);
    va_end(arguments);
}

bool trn_act_is_name(const char *text)
{
    size_t length = 0;
    while (isgraph((unsigned char)text[length]))
        length++;
    return length > 0 && length < TRN_ACT_NAME_BYTES && text[length] == '\0';
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool check_capacities(struct checker *c)
{
    const struct trn_act_set *const s = c->set;
    if (s->num_functions > TRN_ACT_PROFILE_ENTRIES)
        find(c, true, "ACT_CAPACITY", "at most 64", "%u functions", s->num_functions);
    if (s->num_control > TRN_ACT_CONTROL_ENTRIES)
        find(c, true, "ACT_CAPACITY", "at most 256", "%u CONTROL words", s->num_control);
    if (s->num_bucket > TRN_ACT_BUCKET_ENTRIES)
        find(c, true, "ACT_CAPACITY", "at most 2048", "%u buckets", s->num_bucket);
    return c->count == 0;
}

static void cam_at(const struct trn_act_set *set, unsigned i, struct trn_act_cam *out)
{
    trn_act_cam_unpack(set->layout, set->cam + (size_t)i * TRN_ACT_CAM_BYTES, out);
}

/* Entries that compare the opcode and leave every function number alone: with more than one of
 * them the set cannot tell its functions apart, and read in the other layout it can. */
static bool check_masks(struct checker *c)
{
    unsigned turned = 0, valid = 0;
    for (unsigned i = 0; i < TRN_ACT_CAM_ENTRIES; i++) {
        struct trn_act_cam cam;
        cam_at(c->set, i, &cam);
        valid += cam.valid;
        turned += cam.valid && cam.func_id_mask == 0 && cam.opcode_mask != 0;
    }
    if (valid == 0 || turned != valid)
        return true;
    const bool sunda = c->set->layout == TRN_ACT_LAYOUT_SUNDA;
    find(c, true, "ACT_LAYOUT", sunda ? "the later layout" : "sunda's layout",
         "no CAM entry compares the function number: its masks stand the other way round in the "
         "layout that these bytes have");
    return false;
}

static void check_cam(struct checker *c)
{
    const struct trn_act_tables tables = trn_act_set_tables(c->set);
    const struct trn_act_member *const m = &c->set->member[c->member];
    const int slot = trn_act_find_slot(&tables, ACTIVATE, m->func_id);
    if (slot < 0)
        find(c, true, "ACT_CAM", "a valid CAM entry for it", "function %u has no CAM entry",
             m->func_id);
    else if (slot != m->slot)
        find(c, true, "ACT_CAM", "one entry for a function",
             "function %u is answered by slot %d, its own is %u", m->func_id, slot, m->slot);
}

/* ---- one function ---------------------------------------------------------------------------- */

static void claim(struct checker *c, uint8_t *owner, unsigned index, const char *what)
{
    if (owner[index] != NOBODY && owner[index] != c->member)
        find(c, true, "ACT_OVERLAP", "entries of its own", "%s %u belongs to %s too", what, index,
             c->set->member[owner[index]].name);
    owner[index] = (uint8_t)c->member;
}

static void check_clamp(struct checker *c, uint32_t word, const char *which)
{
    uint8_t bytes[TRN_ACT_CONTROL_BYTES] = {0};
    struct trn_act_control control;
    trn_put32(bytes, word);
    trn_act_control_unpack(c->set->layout, bytes, &control);
    if (control.extract_size)
        find(c, false, "ACT_CLAMP", "extract_size 0", "the %s clamp is cut into sections", which);
    if (control.act_tbl_base >= c->set->num_bucket)
        find(c, true, "ACT_OUTSIDE", "a bucket of the set", "the %s clamp is bucket %u of %u",
             which, control.act_tbl_base, c->set->num_bucket);
    else
        claim(c, c->bucket_owner, control.act_tbl_base, "bucket");
}

/* Sections 0 .. last of an octave. */
static void check_sections(struct checker *c, const struct trn_act_control *control, unsigned index,
                           unsigned last)
{
    if (control->extract_lsb + control->extract_size != TRN_ACT_MANTISSA_BITS) {
        find(c, true, "ACT_EXTRACT", "extract_lsb + extract_size = 23",
             "CONTROL word %u takes %u bits from bit %u", index, control->extract_size,
             control->extract_lsb);
        return;
    }
    if (control->act_tbl_base + last >= c->set->num_bucket) {
        find(c, true, "ACT_SECTION_OOR", "sections inside the set's buckets",
             "CONTROL word %u reads up to bucket %u of %u", index, control->act_tbl_base + last,
             c->set->num_bucket);
        return;
    }
    for (unsigned i = 0; i <= last; i++)
        claim(c, c->bucket_owner, control->act_tbl_base + i, "bucket");
}

static unsigned exponent_of(uint32_t magnitude)
{
    return (unsigned)trn_bits_get(magnitude, TRN_ACT_MANTISSA_BITS, TRN_ACT_EXPONENT_BITS);
}

/* Every octave that an input of the side reaches: between the small and the large clamp. */
static void check_side(struct checker *c, const struct trn_act_profile *p, unsigned base,
                       uint32_t small_to, uint32_t large_from)
{
    if (small_to > large_from) {
        find(c, true, "ACT_THRESHOLDS", "the small threshold below the large one",
             "the small clamp reaches up to %08X, the large one begins at %08X", small_to,
             large_from);
        return;
    }
    if (large_from <= small_to + 1)
        return;
    const uint32_t last = large_from - 1;
    for (unsigned e = exponent_of(small_to + 1); e <= exponent_of(last); e++) {
        const int index = (int)base + (int)e - BIAS - trn_act_lowest_octave(p);
        if (index < 0 || index >= c->set->num_control) {
            find(c, true, "ACT_OUTSIDE", "octaves inside the set's CONTROL words",
                 "octave %d is CONTROL word %d of %u", (int)e - BIAS, index, c->set->num_control);
            return;
        }
        claim(c, c->control_owner, (unsigned)index, "CONTROL word");
        struct trn_act_control control;
        trn_act_control_unpack(c->set->layout,
                               c->set->control + (size_t)index * TRN_ACT_CONTROL_BYTES, &control);
        const uint32_t mantissa = e == exponent_of(last)
                                      ? (uint32_t)trn_bits_get(last, 0, TRN_ACT_MANTISSA_BITS)
                                      : UINT32_MAX;
        const unsigned all = (1U << control.extract_size) - 1;
        const unsigned reached = (mantissa >> control.extract_lsb) & all;
        check_sections(c, &control, (unsigned)index, mantissa == UINT32_MAX ? all : reached);
    }
}

static void check_profile(struct checker *c, const struct trn_act_profile *p)
{
    const bool folded = trn_bits_get(p->symmetry_opt_en, 0, 1);
    const bool negative = trn_bits_get(p->symmetry_opt_use_neg_region, 0, 1);
    check_clamp(c, p->small_pos_signal_pwl_control, "small positive");
    check_clamp(c, p->small_neg_signal_pwl_control, "small negative");
    check_clamp(c, p->large_pos_signal_pwl_control, "large positive");
    check_clamp(c, p->large_neg_signal_pwl_control, "large negative");
    if (p->fma_indirection_src_sel == FMA_ALPHA || p->pwl_bypass)
        return;
    if (!folded || !negative)
        check_side(c, p, p->pwl_control_base_pos, trn_act_get_small_pos(p),
                   trn_act_get_large_pos(p));
    if (!folded || negative)
        check_side(c, p, p->pwl_control_base_neg, trn_act_get_small_neg(p),
                   trn_act_get_large_neg(p));
}

/* Fields that the model stores and gives no effect (activation.md 3.2, 12). */
static void check_unused(struct checker *c, const struct trn_act_profile *p)
{
    const struct {
        const char *name;
        uint32_t value;
    } fields[] = {
        {"ctrl_table_select_logic", p->ctrl_table_select_logic},
        {"fma_bypass", p->fma_bypass},
        {"sub_src_sel", p->sub_src_sel},
        {"mp_high_threshold", p->mp_high_threshold},
        {"mp_low_threshold", p->mp_low_threshold},
        {"mp_low_threshold_config", p->mp_low_threshold_config},
        {"batchnorm_accumulator_rd", p->batchnorm_accumulator_rd},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (fields[i].value)
            find(c, false, "ACT_UNUSED", "0", "%s is %u, which has no effect in the model",
                 fields[i].name, fields[i].value);
}

/* Bits that the layout reserves are lost when the entry is packed anew. */
static void check_reserved(struct checker *c, const struct trn_act_profile *p, const uint8_t *bytes)
{
    uint8_t again[TRN_ACT_PROFILE_BYTES];
    trn_act_profile_pack(c->set->layout, p, again);
    if (memcmp(again, bytes, sizeof again) != 0)
        find(c, false, "ACT_RESERVED", "zero",
             "reserved bits of the PROFILE entry are set; this layout has no field there");
}

static void check_member(struct checker *c)
{
    const unsigned slot = c->set->member[c->member].slot;
    if (slot >= TRN_ACT_PROFILE_ENTRIES) {
        find(c, true, "ACT_OUTSIDE", "a slot below 64", "slot %u", slot);
        return;
    }
    const uint8_t *const bytes = c->set->profile + (size_t)slot * TRN_ACT_PROFILE_BYTES;
    struct trn_act_profile profile;
    trn_act_profile_unpack(c->set->layout, bytes, &profile);
    check_cam(c);
    check_profile(c, &profile);
    check_unused(c, &profile);
    check_reserved(c, &profile, bytes);
}

static size_t check_all(struct checker *c)
{
    memset(c->control_owner, NOBODY, sizeof c->control_owner);
    memset(c->bucket_owner, NOBODY, sizeof c->bucket_owner);
    c->member = UINT16_MAX;
    if (!check_capacities(c) || !check_masks(c))
        return c->count;
    for (c->member = 0; c->member < c->set->num_functions; c->member++)
        check_member(c);
    return c->count;
}

size_t trn_act_set_check(const struct trn_act_set *set, struct trn_act_finding *findings,
                         size_t max)
{
    struct checker c = {.set = set, .findings = findings, .max = max};
    return check_all(&c);
}

bool trn_act_set_first_error(const struct trn_act_set *set, struct trn_act_finding *error)
{
    struct checker c = {.set = set, .findings = error, .max = 1, .errors_only = true};
    return check_all(&c) > 0;
}
