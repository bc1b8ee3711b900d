/* SPDX-License-Identifier: Apache-2.0 */
/* trn_act_apply() against trn_act_value(), the scalar definition: same bits for tables and values
 * that are noise, where thresholds, octaves and sections point anywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "act/eval.h"
#include "base/bytes.h"

enum { ROUNDS = 400, VALUES = 1000 };

static uint8_t cam[TRN_ACT_CAM_ENTRIES * TRN_ACT_CAM_BYTES];
static uint8_t profile[TRN_ACT_PROFILE_ENTRIES * TRN_ACT_PROFILE_BYTES];
static uint8_t control[TRN_ACT_CONTROL_ENTRIES * TRN_ACT_CONTROL_BYTES];
static uint8_t bucket[TRN_ACT_BUCKET_ENTRIES * TRN_ACT_BUCKET_BYTES];

static uint32_t noise(void)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)trn_bits_get(state, 32, 32);
}

static void fill(uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)trn_bits_get(noise(), 0, 8);
}

/* Coefficients of the size of 1, so that results are mostly numbers. */
static void fill_buckets(void)
{
    for (size_t i = 0; i < sizeof bucket; i += 4)
        trn_put32(bucket + i, 0x3F000000 + (noise() & 0x80FFFFFF));
}

/* Near the thresholds half of the time. */
static float value(void)
{
    const uint32_t bits = noise();
    switch (noise() % 4) {
    case 0:
        return trn_bits_f32(bits);
    case 1:
        return trn_bits_f32((bits & 0x83FFFFFF) | 0x3C000000);
    case 2: {
        static const uint32_t special[] = {0,          0x80000000, 0x7F800000,
                                           0xFF800000, 0x7FC00000, 0xFFC00001,
                                           0x7F800001, 1,          0x807FFFFF};
        return trn_bits_f32(special[bits % 9]);
    }
    default:
        return (float)(int32_t)bits * 0x1p-28f;
    }
}

static struct trn_act_specials some_specials(void)
{
    struct trn_act_specials out = trn_act_specials_default();
    out.negzero_is_zero = noise() % 2;
    if (noise() % 4 == 0)
        out.zero = (struct trn_act_detector){0, noise()};
    if (noise() % 4 == 0)
        out.nan = (struct trn_act_detector){0x7F800000, 0x7F800000};
    return out;
}

static void test_arrays_are_the_scalar_definition(void **state)
{
    static struct trn_act_function function;
    static float in[VALUES], out[VALUES];
    const struct trn_act_tables tables = {.layout = TRN_ACT_LAYOUT_LATER,
                                          .cam = cam,
                                          .profile = profile,
                                          .control = control,
                                          .bucket = bucket};
    (void)state;
    fill(control, sizeof control);
    fill_buckets();
    for (int round = 0; round < ROUNDS; round++) {
        const struct trn_act_specials specials = some_specials();
        fill(profile, sizeof profile);
        trn_act_prepare(&tables, noise() % TRN_ACT_PROFILE_ENTRIES, &specials, value(), &function);
        if (round % 8 != 0) /* noise bypasses the table every other time */
            function.profile.pwl_bypass = 0;
        if (round % 8 == 1)
            function.profile.fma_indirection_src_sel = 2;
        for (size_t i = 0; i < VALUES; i++)
            in[i] = value();
        const size_t n = VALUES - noise() % 300;
        trn_act_apply(&function, in, out, n);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(trn_f32_bits(out[i]), trn_f32_bits(trn_act_value(&function, in[i])));
        trn_act_apply(&function, in, in, n);
        assert_memory_equal(in, out, n * sizeof *in);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_arrays_are_the_scalar_definition)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
