/* SPDX-License-Identifier: Apache-2.0 */
/* Sets and files: placing, capacities, rules, both layouts, hostile bytes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "act_pack.h"
#include "trench/act.h"

struct room {
    struct trn_act_table table, again;
    struct trn_act_set set, copy;
    uint8_t file[TRN_ACT_FILE_MAX];
};

static struct room *r;

static int setup(void **state)
{
    (void)state;
    r = calloc(1, sizeof *r);
    return r ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    free(r);
    return 0;
}

static trn_status add(const char *name, const char *expression, uint8_t func_id, unsigned buckets)
{
    struct trn_act_fit_options o = trn_act_fit_options_default();
    o.name = name;
    o.expression = expression;
    o.func_id = func_id;
    o.max_buckets = buckets;
    assert_int_equal(trn_act_fit(&o, &r->table, NULL, NULL), TRN_OK);
    return trn_act_set_add(&r->set, &r->table, NULL);
}

static void make_set(enum trn_act_layout layout)
{
    assert_int_equal(trn_act_set_init(&r->set, "three", layout, NULL), TRN_OK);
    assert_int_equal(add("tanh", "tanh(x)", 6, 60), TRN_OK);
    assert_int_equal(add("relu", "max(x,0)", 2, 4), TRN_OK);
    assert_int_equal(add("silu", "x*sigmoid(x)", 36, 200), TRN_OK);
}

static float value(const struct trn_act_set *set, uint8_t opcode, uint8_t func_id, float x)
{
    const struct trn_act_specials specials = trn_act_specials_default();
    const struct trn_act_tables tables = trn_act_set_tables(set);
    const int slot = trn_act_find_slot(&tables, opcode, func_id);
    float out;
    assert_true(slot >= 0);
    trn_act_eval_array(&tables, (unsigned)slot, &specials, 0, &x, &out, 1);
    return out;
}

static void test_functions_of_a_set_do_not_meet(void **state)
{
    (void)state;
    for (int layout = 0; layout < TRN_ACT_LAYOUTS; layout++) {
        make_set((enum trn_act_layout)layout);
        assert_true(fabsf(value(&r->set, 0x21, 6, 1) - 0.761594156F) < 1e-6F);
        assert_true(value(&r->set, 0x25, 2, 3) == 3);
        assert_true(fabsf(value(&r->set, 0x22, 36, -1) + 0.268941421F) < 1e-6F);
        assert_int_equal(trn_act_set_check(&r->set, NULL, 0), 0);
    }
}

static void test_functions_come_out_as_they_went_in(void **state)
{
    (void)state;
    make_set(TRN_ACT_LAYOUT_SUNDA);
    assert_int_equal(trn_act_set_get(&r->set, 2, &r->again, NULL), TRN_OK);
    assert_memory_equal(&r->again, &r->table, sizeof r->table);
    assert_int_equal(trn_act_set_get(&r->set, 3, &r->again, NULL), TRN_ERR_NOT_FOUND);
    assert_int_equal(trn_act_set_find(&r->set, "silu"), 2);
    assert_int_equal(trn_act_set_find(&r->set, "0x24"), 2);
    assert_int_equal(trn_act_set_find(&r->set, "gelu"), -1);
}

static void test_full_tables_and_taken_numbers_are_refused(void **state)
{
    (void)state;
    make_set(TRN_ACT_LAYOUT_LATER);
    memcpy(&r->copy, &r->set, sizeof r->set);
    assert_int_equal(add("other", "tanh(x)", 6, 60), TRN_ERR_INVALID);
    assert_int_equal(add("tanh", "tanh(x)", 99, 60), TRN_ERR_INVALID);
    r->table.func_id = 77;
    strcpy(r->table.name, "large");
    r->table.num_bucket = (uint16_t)(2049 - r->set.num_bucket);
    assert_int_equal(trn_act_set_add(&r->set, &r->table, NULL), TRN_ERR_TOO_LARGE);
    r->table.num_bucket = 4;
    r->table.num_control = (uint16_t)(257 - r->set.num_control);
    assert_int_equal(trn_act_set_add(&r->set, &r->table, NULL), TRN_ERR_TOO_LARGE);
    assert_memory_equal(&r->copy, &r->set, sizeof r->set);
    for (int i = 3; i < 64; i++) {
        char name[8];
        snprintf(name, sizeof name, "f%d", i);
        assert_int_equal(add(name, "x", (uint8_t)(100 + i), 4), TRN_OK);
    }
    assert_int_equal(add("one_more", "x", 200, 4), TRN_ERR_TOO_LARGE);
}

/* The masks of a CAM entry by hand (activation.md 3.1): byte 4 and 5 change their meaning. */
static void test_sunda_bytes_in_the_other_layout_are_told(void **state)
{
    (void)state;
    struct trn_act_finding finding;
    struct trn_diag diag = {0};
    make_set(TRN_ACT_LAYOUT_SUNDA);
    assert_int_equal(r->set.cam[4], 0xFF); /* func_id_mask at 39:32 */
    assert_int_equal(r->set.cam[5], 0x00);
    const size_t size = trn_act_file_build(&r->set, r->file);
    assert_int_equal(trn_act_file_parse(r->file, size, "t.act", &r->copy, &diag), TRN_OK);
    /* a generation of the other layout is told so */
    assert_int_equal(trn_act_set_expect(&r->copy, "t.act", trn_gen_find("sunda"), &diag), TRN_OK);
    assert_int_equal(trn_act_set_expect(&r->copy, "t.act", trn_gen_find("cayman"), &diag),
                     TRN_ERR_INVALID);
    assert_string_equal(diag.rule, "ACT_LAYOUT");
    /* so is whoever claims that the bytes have the other layout */
    r->set.layout = TRN_ACT_LAYOUT_LATER;
    assert_int_equal(trn_act_set_check(&r->set, &finding, 1), 1);
    assert_string_equal(finding.rule, "ACT_LAYOUT");
    r->file[8] = 1;
    assert_int_equal(trn_act_file_parse(r->file, size, "t.act", &r->copy, &diag), TRN_ERR_INVALID);
    assert_string_equal(diag.rule, "ACT_LAYOUT");
    assert_int_equal(r->copy.num_functions, 0);
}

static void test_conversion_turns_the_masks(void **state)
{
    (void)state;
    make_set(TRN_ACT_LAYOUT_SUNDA);
    memcpy(&r->copy, &r->set, sizeof r->set);
    trn_act_set_convert(&r->copy, TRN_ACT_LAYOUT_LATER);
    assert_int_equal(r->copy.cam[4], 0x00);
    assert_int_equal(r->copy.cam[5], 0xFF);
    assert_true(value(&r->copy, 0x21, 2, 5) == 5);
    trn_act_set_convert(&r->copy, TRN_ACT_LAYOUT_SUNDA);
    assert_memory_equal(&r->copy, &r->set, sizeof r->set);
}

/* Bits 435 and 754 are fields of the later layout and reserved in SUNDA's (activation.md 3.2). */
static void test_later_bits_of_a_sunda_profile_are_warned_of(void **state)
{
    (void)state;
    struct trn_act_finding finding;
    struct trn_act_profile p;
    make_set(TRN_ACT_LAYOUT_SUNDA);
    r->set.profile[435 / 8] |= 1 << 435 % 8;
    assert_int_equal(trn_act_set_check(&r->set, &finding, 1), 1);
    assert_false(finding.is_error);
    assert_string_equal(finding.rule, "ACT_RESERVED");
    trn_act_profile_unpack(TRN_ACT_LAYOUT_SUNDA, r->set.profile, &p);
    assert_int_equal(p.bias_scale_fma_bypass, 0);
    trn_act_profile_unpack(TRN_ACT_LAYOUT_LATER, r->set.profile, &p);
    assert_int_equal(p.bias_scale_fma_bypass, 1);
}

/* Each breaks one rule of a set that has none broken. */
static void break_clamp(struct trn_act_set *s, struct trn_act_profile *p)
{
    p->large_pos_signal_pwl_control = s->num_bucket;
}

static void break_base(struct trn_act_set *s, struct trn_act_profile *p)
{
    (void)s;
    p->pwl_control_base_pos = 250;
}

static void break_thresholds(struct trn_act_set *s, struct trn_act_profile *p)
{
    (void)s;
    p->small_pos_signal_threshold = 200;
}

static void break_overlap(struct trn_act_set *s, struct trn_act_profile *p)
{
    (void)s;
    p->small_pos_signal_pwl_control = s->num_bucket - 1U;
}

static void break_nothing_but_a_field(struct trn_act_set *s, struct trn_act_profile *p)
{
    (void)s;
    p->mp_high_threshold = 1;
}

static void break_sections(struct trn_act_set *s, struct trn_act_profile *p)
{
    (void)p;
    trn_put32(s->control, 9U << 16 | (23U - 9U) << 11 | 1900U);
}

static void break_extract(struct trn_act_set *s, struct trn_act_profile *p)
{
    (void)p;
    trn_put32(s->control, 2U << 16 | 20U << 11);
}

static void break_cam(struct trn_act_set *s, struct trn_act_profile *p)
{
    (void)p;
    s->cam[TRN_ACT_CAM_BYTES * 1 + 1] = 6; /* the second function takes the first one's number */
}

static void test_each_rule(void **state)
{
    (void)state;
    static const struct {
        void (*break_it)(struct trn_act_set *, struct trn_act_profile *);
        const char *rule;
        bool is_error;
    } rows[] = {
        {break_clamp, "ACT_OUTSIDE", true},
        {break_base, "ACT_OUTSIDE", true},
        {break_thresholds, "ACT_THRESHOLDS", true},
        {break_overlap, "ACT_OVERLAP", true},
        {break_nothing_but_a_field, "ACT_UNUSED", false},
        {break_sections, "ACT_SECTION_OOR", true},
        {break_extract, "ACT_EXTRACT", true},
        {break_cam, "ACT_CAM", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct trn_act_profile p;
        struct trn_act_finding finding;
        make_set(TRN_ACT_LAYOUT_LATER);
        trn_act_profile_unpack(r->set.layout, r->set.profile, &p);
        rows[i].break_it(&r->set, &p);
        trn_act_profile_pack(r->set.layout, &p, r->set.profile);
        assert_true(trn_act_set_check(&r->set, &finding, 1) >= 1);
        assert_string_equal(finding.rule, rows[i].rule);
        assert_int_equal(finding.is_error, rows[i].is_error);
        const size_t size = trn_act_file_build(&r->set, r->file);
        assert_int_equal(trn_act_file_parse(r->file, size, "t.act", &r->copy, NULL),
                         rows[i].is_error ? TRN_ERR_INVALID : TRN_OK);
    }
    make_set(TRN_ACT_LAYOUT_LATER);
    r->set.num_bucket = 2049;
    assert_int_equal(trn_act_set_check(&r->set, NULL, 0), 1);
}

static void test_file_reads_back_and_nothing_else_does(void **state)
{
    (void)state;
    make_set(TRN_ACT_LAYOUT_LATER);
    const size_t size = trn_act_file_build(&r->set, r->file);
    /* head, records, then 32 + 128 bytes a function and 32 a word and a bucket */
    assert_int_equal(size,
                     96 + 3 * (336 + 32 + 128) + 32 * r->set.num_control + 32 * r->set.num_bucket);
    assert_int_equal(trn_act_file_parse(r->file, size, "t.act", &r->copy, NULL), TRN_OK);
    assert_memory_equal(&r->copy, &r->set, sizeof r->set);
    for (size_t cut = 0; cut < size; cut += cut < 200 ? 1 : 97)
        assert_int_equal(trn_act_file_parse(r->file, cut, "t.act", &r->copy, NULL), TRN_ERR_FORMAT);
    assert_int_equal(trn_act_file_parse(r->file, size + 1, "t.act", &r->copy, NULL),
                     TRN_ERR_FORMAT);
}

static void test_heads_that_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        uint8_t value;
    } rows[] = {
        {0, 'X'},     {8, 2},       {11, 1},       {13, 2},         {15, 9},
        {16, 0},      {16, ' '},    {79, 'x'},     {85, 1},         {96, 0},
        {96 + 65, 1}, {96 + 77, 1}, {96 + 100, 1}, {96 + 75, 0xFF}, /* NaN */
    };
    struct trn_diag diag;
    make_set(TRN_ACT_LAYOUT_LATER);
    const size_t size = trn_act_file_build(&r->set, r->file);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint8_t kept = r->file[rows[i].at];
        r->file[rows[i].at] = rows[i].value;
        if (rows[i].at == 96 + 75)
            r->file[96 + 74] = 0xC0;
        assert_int_equal(trn_act_file_parse(r->file, size, "t.act", &r->copy, &diag),
                         TRN_ERR_FORMAT);
        assert_non_null(strstr(diag.where, "t.act:byte "));
        r->file[rows[i].at] = kept;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions_of_a_set_do_not_meet),
        cmocka_unit_test(test_functions_come_out_as_they_went_in),
        cmocka_unit_test(test_full_tables_and_taken_numbers_are_refused),
        cmocka_unit_test(test_sunda_bytes_in_the_other_layout_are_told),
        cmocka_unit_test(test_conversion_turns_the_masks),
        cmocka_unit_test(test_later_bits_of_a_sunda_profile_are_warned_of),
        cmocka_unit_test(test_each_rule),
        cmocka_unit_test(test_file_reads_back_and_nothing_else_does),
        cmocka_unit_test(test_heads_that_are_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
