/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluation, entry by entry: special values, CAM search, fold, thresholds, wrapping, the cubic's
 * roundings (docs/hardware/activation.md 3.1, 5). Expected values by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "act/eval.h"
#include "act_pack.h"
#include "base/bytes.h"

static uint8_t cam[TRN_ACT_CAM_ENTRIES * TRN_ACT_CAM_BYTES];
static uint8_t profile[TRN_ACT_PROFILE_ENTRIES * TRN_ACT_PROFILE_BYTES];
static uint8_t control[TRN_ACT_CONTROL_ENTRIES * TRN_ACT_CONTROL_BYTES];
static uint8_t bucket[TRN_ACT_BUCKET_ENTRIES * TRN_ACT_BUCKET_BYTES];
static struct trn_act_tables tables = {.layout = TRN_ACT_LAYOUT_LATER,
                                       .cam = cam,
                                       .profile = profile,
                                       .control = control,
                                       .bucket = bucket};

static void put_cam(unsigned i, struct trn_act_cam entry)
{
    trn_act_cam_pack(tables.layout, &entry, cam + (size_t)i * TRN_ACT_CAM_BYTES);
}

static void put_bucket(unsigned i, float d0, float d1, float d2, float d3, float x0)
{
    const struct trn_act_bucket b = {trn_f32_bits(d0), trn_f32_bits(d1), trn_f32_bits(d2),
                                     trn_f32_bits(d3), trn_f32_bits(x0)};
    trn_act_bucket_pack(tables.layout, &b, bucket + (size_t)i * TRN_ACT_BUCKET_BYTES);
}

/* size << 16 | (23 - size) << 11 | base (activation.md 3.3) */
static void put_control(unsigned i, unsigned base, unsigned size)
{
    trn_put32(control + (size_t)i * TRN_ACT_CONTROL_BYTES, size << 16 | (23 - size) << 11 | base);
}

/* Octaves 0 and 1 ([1, 4)) in CONTROL 10, 11 (positive) and 20, 21 (negative); clamps 100 to 103,
 * which answer 1000 + their number. */
static struct trn_act_profile plain(void)
{
    return (struct trn_act_profile){
        .exponent_offset = 0,
        .pwl_control_base_pos = 10,
        .pwl_control_base_neg = 20,
        .small_pos_signal_threshold = 127,
        .small_neg_signal_threshold = 127,
        .large_pos_signal_threshold = 129,
        .large_neg_signal_threshold = 129,
        .large_pos_mantissa_compare_enable = 1,
        .large_neg_mantissa_compare_enable = 1,
        .small_pos_signal_pwl_control = 100,
        .small_neg_signal_pwl_control = 101,
        .large_pos_signal_pwl_control = 102,
        .large_neg_signal_pwl_control = 103,
        .func_rslt_for_zero = 0x41200000, /* 10 */
        .func_rslt_for_nan = 0x7FC12345,
        .func_rslt_for_pos_inf = 0x41300000, /* 11 */
        .func_rslt_for_neg_inf = 0x41400000, /* 12 */
    };
}

static int setup(void **state)
{
    (void)state;
    tables.layout = TRN_ACT_LAYOUT_LATER;
    memset(cam, 0, sizeof cam);
    memset(profile, 0, sizeof profile);
    memset(control, 0, sizeof control);
    memset(bucket, 0, sizeof bucket);
    for (unsigned i = 100; i < 104; i++)
        put_bucket(i, (float)(900 + i), 0, 0, 0, 0);
    put_control(10, 0, 1);
    put_control(11, 2, 2);
    put_control(20, 50, 0);
    put_control(21, 51, 0);
    for (unsigned i = 0; i < 100; i++)
        put_bucket(i, (float)i, 0, 0, 0, 0);
    return 0;
}

static struct trn_act_function function;

static void prepare(const struct trn_act_profile *p, const struct trn_act_specials *specials,
                    float alpha)
{
    trn_act_profile_pack(tables.layout, p, profile + 5 * (size_t)TRN_ACT_PROFILE_BYTES);
    trn_act_prepare(&tables, 5, specials, alpha, &function);
}

static void prepare_plain(const struct trn_act_profile *p)
{
    const struct trn_act_specials specials = trn_act_specials_default();
    prepare(p, &specials, 0);
}

static uint32_t bits_of(uint32_t v)
{
    return trn_f32_bits(trn_act_value(&function, trn_bits_f32(v)));
}

static void test_special_values(void **state)
{
    (void)state;
    const struct trn_act_profile p = plain();
    prepare_plain(&p);
    assert_int_equal(bits_of(0x00000000), 0x41200000);
    assert_int_equal(bits_of(0x7F800000), 0x41300000);
    assert_int_equal(bits_of(0xFF800000), 0x41400000);
    assert_int_equal(bits_of(0x7FC00000), 0x7FC12345); /* quiet NaN of either sign */
    assert_int_equal(bits_of(0xFFC00001), 0x7FC12345);
    /* -0 and subnormals: the small clamps; signalling NaN: the large clamp, whose cubic gives NaN
     */
    assert_int_equal(bits_of(0x80000000), trn_f32_bits(1001));
    assert_int_equal(bits_of(0x00000001), trn_f32_bits(1000));
    assert_int_equal(bits_of(0x7F800001), 0x7FC00000);
    assert_int_equal(bits_of(0xFF800001), 0x7FC00000);
}

static void test_detectors_are_registers(void **state)
{
    (void)state;
    const struct trn_act_profile p = plain();
    struct trn_act_specials s = trn_act_specials_default();
    s.negzero_is_zero = true;
    prepare(&p, &s, 0);
    assert_int_equal(bits_of(0x80000000), 0x41200000);
    s = trn_act_specials_default();
    s.zero.mask = 0x7FFFFFFF;
    prepare(&p, &s, 0);
    assert_int_equal(bits_of(0x80000000), 0x41200000);
    s.pos_inf = (struct trn_act_detector){0x40000000, 0xFF800000}; /* every value in [2, 4) */
    prepare(&p, &s, 0);
    assert_int_equal(bits_of(0x40490FDB), 0x41300000);
    assert_int_equal(bits_of(0x7F800000), 0x7FC00000); /* Inf - x0 is Inf, times 0 is NaN */
}

static void test_cam_takes_the_first_entry_that_matches(void **state)
{
    (void)state;
    put_cam(
        3,
        (struct trn_act_cam){
            .opcode = 0x21, .func_id = 7, .opcode_mask = 0xFF, .func_id_mask = 0xFF, .valid = 1});
    put_cam(2, (struct trn_act_cam){.opcode = 0x21, .func_id = 7, .valid = 0});
    put_cam(
        70,
        (struct trn_act_cam){
            .opcode = 0x20, .func_id = 9, .opcode_mask = 0xF8, .func_id_mask = 0xFF, .valid = 1});
    put_cam(71, (struct trn_act_cam){.func_id = 0x40, .func_id_mask = 0xF0, .valid = 1});
    assert_int_equal(trn_act_find_slot(&tables, 0x21, 7), 3);
    assert_int_equal(trn_act_find_slot(&tables, 0x25, 7), -1); /* the opcode is compared */
    assert_int_equal(trn_act_find_slot(&tables, 0x25, 9), 6);  /* 70 & 63 */
    assert_int_equal(trn_act_find_slot(&tables, 0x22, 0x4C), 7);
    assert_int_equal(trn_act_find_slot(&tables, 0x22, 0x5C), -1);
    put_cam(1, (struct trn_act_cam){.valid = 1}); /* compares nothing */
    assert_int_equal(trn_act_find_slot(&tables, 0x21, 7), 1);
}

static void test_masks_stand_the_other_way_round_in_sunda(void **state)
{
    (void)state;
    cam[0] = 0x21;
    cam[1] = 7;
    cam[4] = 0xFF; /* SUNDA: compares the function; later: the opcode */
    cam[5] = 0x00;
    cam[8] = 1;
    assert_int_equal(trn_act_find_slot(&tables, 0x21, 8), 0);
    assert_int_equal(trn_act_find_slot(&tables, 0x25, 7), -1);
    tables.layout = TRN_ACT_LAYOUT_SUNDA;
    assert_int_equal(trn_act_find_slot(&tables, 0x21, 8), -1);
    assert_int_equal(trn_act_find_slot(&tables, 0x25, 7), 0);
}

static void test_sections_and_thresholds(void **state)
{
    (void)state;
    struct trn_act_profile p = plain();
    prepare_plain(&p);
    static const struct {
        float x;
        float value;
    } rows[] = {
        {1, 0},     {1.49F, 0},  {1.5F, 1},     {2, 2},        {2.49F, 2}, {2.5F, 3},
        {3.99F, 5}, {4, 1002},   {1e30F, 1002}, {0.99F, 1000}, {-1, 50},   {-1.99F, 50},
        {-2, 51},   {-3.9F, 51}, {-4, 1003},    {-0.5F, 1001},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_true(trn_act_value(&function, rows[i].x) == rows[i].value);
    assert_int_equal(trn_act_bucket_of(&function, 2.5F), 3);
    assert_int_equal(trn_act_bucket_of(&function, 0), -1);
    /* ties: with the compare the mantissa counts, without it the exponent alone */
    p.small_pos_mantissa_compare_enable = 1; /* mantissa 0: exactly 1 is small */
    p.large_pos_signal_threshold = 128;
    p.large_pos_mantissa_threshold_msbs = 1 << 10; /* 2^21: 2.5 */
    p.large_neg_mantissa_compare_enable = 0;       /* [4, 8) is not large */
    put_control(22, 60, 0);
    prepare_plain(&p);
    assert_true(trn_act_value(&function, 1) == 1000);
    assert_true(trn_act_value(&function, nextafterf(1, 2)) == 0);
    assert_true(trn_act_value(&function, 2.5F) == 1002);
    assert_true(trn_act_value(&function, nextafterf(2.5F, 0)) == 2);
    assert_true(trn_act_value(&function, -4) == 60);
    assert_true(trn_act_value(&function, -8) == 1003);
}

static void test_indices_wrap(void **state)
{
    (void)state;
    struct trn_act_profile p = plain();
    p.pwl_control_base_pos = 255;
    put_control(255, 2047, 1);
    put_control(0, 70, 0);
    put_bucket(2047, 5, 0, 0, 0, 0);
    prepare_plain(&p);
    assert_true(trn_act_value(&function, 1) == 5);
    assert_true(trn_act_value(&function, 1.75F) == 0); /* bucket 2048 is bucket 0 */
    assert_true(trn_act_value(&function, 2) == 70);    /* CONTROL 256 is CONTROL 0 */
}

/* activation.md 5.3: what is negated, and that it depends on whether the value was reflected. */
static void test_fold(void **state)
{
    (void)state;
    struct trn_act_profile p = plain();
    p.symmetry_opt_en = 1;
    prepare_plain(&p);
    assert_true(trn_act_value(&function, -1.75F) == 1); /* even */
    p.func_sym_inv_sign = 1;
    prepare_plain(&p);
    assert_true(trn_act_value(&function, -1.75F) == -1); /* odd */
    assert_true(trn_act_value(&function, 1.75F) == 1);
    p.symmetry_opt_use_neg_region = 1;
    p.symmetry_point = trn_f32_bits(1);
    prepare_plain(&p);
    assert_true(trn_act_value(&function, -1.75F) == 50); /* stored */
    assert_true(trn_act_value(&function, 1.75F) == -49); /* 1 - f(-x) */
    p.symmetry_opt_en = 2;                               /* bit 0 is used */
    prepare_plain(&p);
    assert_true(trn_act_value(&function, 1.75F) == 1);
}

/* The cubic: t and the line in f32 (two roundings), the rest in double, one last rounding. */
static void test_roundings_of_the_cubic(void **state)
{
    (void)state;
    const struct trn_act_profile p = plain();
    /* line: t = 1.5 - 2^-24 rounds to 1.5 (tie to even 0x3FC00000); t * d1 = 1.5 (1 + 2^-23) rounds
     * to 1.5 + 2 * 2^-23 (tie to even); + 2^24 d0 loses it: 16777216 + 1.5 -> 16777218 */
    put_bucket(1, 0, 1 + 0x1p-23F, 0, 0, 0x1p-24F);
    prepare_plain(&p);
    assert_int_equal(bits_of(0x3FC00000), 0x3FC00002);
    put_bucket(1, 0x1p24F, 1 + 0x1p-23F, 0, 0, 0);
    prepare_plain(&p);
    assert_true(trn_act_value(&function, 1.5F) == 0x1p24F + 2);
    /* square in double: 1.75^2 2^-30 + 1 keeps its small part until the last rounding, where the
     * cubic term -1.75^3 2^-30 / 1.75 takes it away again */
    put_bucket(1, 1, 0, 0x1p-30F, -0x1p-30F / 1.75F, 0);
    prepare_plain(&p);
    assert_int_equal(bits_of(trn_f32_bits(1.75F)), 0x3F800000);
    /* 3 terms: 2 + 0.5 t + 0.25 t^2 + 0.125 t^3 at t = 0.75 */
    put_bucket(1, 2, 0.5F, 0.25F, 0.125F, 1);
    prepare_plain(&p);
    assert_true(trn_act_value(&function, 1.75F) == 2.568359375F);
}

static void test_bypass_and_parametric_relu(void **state)
{
    (void)state;
    struct trn_act_profile p = plain();
    const struct trn_act_specials specials = trn_act_specials_default();
    p.pwl_bypass = 1;
    prepare_plain(&p);
    assert_true(trn_act_value(&function, 1.75F) == 1.75F);
    assert_int_equal(bits_of(0), 0x41200000); /* special values come first */
    p = plain();
    p.fma_indirection_src_sel = 2;
    p.fma_const0 = trn_f32_bits(1);
    prepare(&p, &specials, 0.25F);
    assert_true(trn_act_value(&function, 1.75F) == 1.75F);
    assert_true(trn_act_value(&function, -8) == -2);
    assert_true(trn_act_value(&function, 1e-30F) == 1e-30F);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_special_values, setup),
        cmocka_unit_test_setup(test_detectors_are_registers, setup),
        cmocka_unit_test_setup(test_cam_takes_the_first_entry_that_matches, setup),
        cmocka_unit_test_setup(test_masks_stand_the_other_way_round_in_sunda, setup),
        cmocka_unit_test_setup(test_sections_and_thresholds, setup),
        cmocka_unit_test_setup(test_indices_wrap, setup),
        cmocka_unit_test_setup(test_fold, setup),
        cmocka_unit_test_setup(test_roundings_of_the_cubic, setup),
        cmocka_unit_test_setup(test_bypass_and_parametric_relu, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
