/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns decoded from bytes laid out by hand (docs/hardware/isa-core.md, sections 5 and 6). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "isa/pattern.h"

static void test_address_marker_0x00_is_an_immediate(void **state)
{
    (void)state;
    const uint8_t bytes[4] = {0x78, 0x56, 0x34, 0x12};
    const struct trn_addr4 a = trn_addr4_decode(bytes);
    assert_int_equal(a.addr, 0x12345678);
    assert_false(a.from_register || a.shape_from_register || a.indirect);
}

static void test_address_has_29_bits(void **state)
{
    (void)state;
    const uint8_t bytes[4] = {0xFF, 0xFF, 0xFF, 0x5F}; /* marker 0x40: shape register */
    const struct trn_addr4 a = trn_addr4_decode(bytes);
    assert_int_equal(a.addr, 0x1FFFFFFF);
    assert_true(a.shape_from_register);
    assert_false(a.from_register || a.indirect);
}

static void test_address_markers_of_the_register_forms(void **state)
{
    (void)state;
    const struct {
        uint8_t marker;
        bool from_register, shape_from_register, indirect;
    } rows[] = {
        {0x80, true, false, false}, /* ADDR_REG */
        {0xC0, true, true, false},  /* ADDR_SHAPE_REG */
        {0x20, false, false, true}, /* INDIRECT_IMM */
        {0xA0, true, false, true},  /* INDIRECT_REG */
        {0x40, false, true, false}, /* SHAPE_REG */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint8_t bytes[4] = {63, 0, 0, rows[i].marker};
        const struct trn_addr4 a = trn_addr4_decode(bytes);
        assert_int_equal(a.from_register, rows[i].from_register);
        assert_int_equal(a.shape_from_register, rows[i].shape_from_register);
        assert_int_equal(a.indirect, rows[i].indirect);
        assert_int_equal(a.regnum, 63);
    }
}

static void test_pattern_1d_has_step_at_4_and_count_at_6(void **state)
{
    (void)state;
    const uint8_t bytes[8] = {0, 0, 0, 2, 0xFE, 0xFF, 0x34, 0x12};
    struct trn_pattern p;
    trn_pattern_decode(bytes, TRN_TYPE_PATTERN1D, &p);
    assert_int_equal(p.ndim, 1);
    assert_int_equal(p.start.addr, 0x02000000);
    assert_int_equal(p.step[0], -2);
    assert_int_equal(p.num[0], 0x1234);
    assert_int_equal(p.step[3], 1);
    assert_int_equal(p.num[3], 1);
    assert_int_equal(trn_pattern_count(&p), 0x1234);
}

static void test_pattern_2d_has_steps_at_4_and_counts_at_8(void **state)
{
    (void)state;
    const uint8_t bytes[12] = {0x10, 0, 0, 0, 1, 0, 0xFF, 0x7F, 3, 0, 5, 0};
    struct trn_pattern p;
    trn_pattern_decode(bytes, TRN_TYPE_PATTERN2D, &p);
    assert_int_equal(p.ndim, 2);
    assert_int_equal(p.start.addr, 0x10);
    assert_int_equal(p.step[0], 1);
    assert_int_equal(p.step[1], 32767);
    assert_int_equal(p.num[0], 3);
    assert_int_equal(p.num[1], 5);
    assert_int_equal(p.num[2], 1);
    assert_int_equal(trn_pattern_count(&p), 15);
}

static void test_pattern_3d_has_steps_at_4_and_counts_at_10(void **state)
{
    (void)state;
    const uint8_t bytes[16] = {0, 0, 0, 0, 1, 0, 0, 0, 0, 0x80, 2, 0, 3, 0, 4, 0};
    struct trn_pattern p;
    trn_pattern_decode(bytes, TRN_TYPE_PATTERN3D, &p);
    assert_int_equal(p.ndim, 3);
    assert_int_equal(p.step[1], 0); /* broadcast */
    assert_int_equal(p.step[2], -32768);
    assert_int_equal(p.num[2], 4);
    assert_int_equal(p.num[3], 1);
    assert_int_equal(trn_pattern_count(&p), 24);
}

static void test_pattern_4d_counts_without_overflow(void **state)
{
    (void)state;
    uint8_t bytes[20] = {0};
    for (int i = 12; i < 20; i++)
        bytes[i] = 0xFF;
    struct trn_pattern p;
    trn_pattern_decode(bytes, TRN_TYPE_PATTERN4D, &p);
    assert_int_equal(p.ndim, 4);
    /* 65535^4 */
    assert_true(trn_pattern_count(&p) == UINT64_C(65535) * 65535 * 65535 * 65535);
}

static void test_a_zero_count_makes_the_pattern_empty(void **state)
{
    (void)state;
    const uint8_t bytes[12] = {0, 0, 0, 0, 1, 0, 1, 0, 7, 0, 0, 0};
    struct trn_pattern p;
    trn_pattern_decode(bytes, TRN_TYPE_PATTERN2D, &p);
    assert_int_equal(trn_pattern_count(&p), 0);
}

static void test_indirect_arm_has_index_data_and_count(void **state)
{
    (void)state;
    /* INDIRECT16B: index ADDR4 @0 with bit 29, data ADDR4 @4, num u16 @8, rest inert */
    const uint8_t bytes[16] = {0x00, 0x10, 0, 0x20, 0x40, 0, 0, 0x00, 0x2C, 0x01, 9, 9, 9, 9, 9, 9};
    struct trn_pattern p;
    trn_pattern_decode(bytes, TRN_TYPE_PATTERN3D, &p);
    assert_true(p.indirect);
    assert_int_equal(p.ndim, 1);
    assert_int_equal(p.start.addr, 0x1000);
    assert_int_equal(p.data.addr, 0x40);
    assert_false(p.data.from_register);
    assert_int_equal(p.num[0], 300);
    assert_int_equal(p.num[1], 1);
    assert_int_equal(p.step[0], 1);
    assert_int_equal(trn_pattern_count(&p), 300);
}

static void test_indirect_arm_with_index_from_a_register(void **state)
{
    (void)state;
    const uint8_t bytes[12] = {5, 0, 0, 0xA0, 7, 0, 0, 0x80, 8, 0, 0, 0};
    struct trn_pattern p;
    trn_pattern_decode(bytes, TRN_TYPE_PATTERN2D, &p);
    assert_true(p.indirect);
    assert_true(p.start.from_register);
    assert_int_equal(p.start.regnum, 5);
    assert_true(p.data.from_register);
    assert_int_equal(p.data.regnum, 7);
    assert_int_equal(p.num[0], 8);
}

static void test_pattern_1d_and_marker_0x60_have_no_indirect_arm(void **state)
{
    (void)state;
    const uint8_t one[8] = {0, 0, 0, 0x20, 3, 0, 9, 0};
    struct trn_pattern p;
    trn_pattern_decode(one, TRN_TYPE_PATTERN1D, &p);
    assert_false(p.indirect);
    assert_int_equal(p.step[0], 3);
    assert_int_equal(p.num[0], 9);
    /* 5: 0x60 belongs to no arm; the test of the manual is (m & 0x60) == 0x20 */
    const uint8_t neither[16] = {0, 0, 0, 0x60, 1, 0, 0, 0, 0, 0, 2, 0, 1, 0, 1, 0};
    trn_pattern_decode(neither, TRN_TYPE_PATTERN3D, &p);
    assert_false(p.indirect);
    assert_int_equal(p.num[0], 2);
}

static void test_shape_register_number_is_the_first_step(void **state)
{
    (void)state;
    const uint8_t bytes[16] = {0, 0, 0, 0x40, 3};
    struct trn_pattern p;
    trn_pattern_decode(bytes, TRN_TYPE_PATTERN3D, &p);
    assert_true(p.start.shape_from_register);
    assert_int_equal(p.shape_register, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_address_marker_0x00_is_an_immediate),
        cmocka_unit_test(test_address_has_29_bits),
        cmocka_unit_test(test_address_markers_of_the_register_forms),
        cmocka_unit_test(test_pattern_1d_has_step_at_4_and_count_at_6),
        cmocka_unit_test(test_pattern_2d_has_steps_at_4_and_counts_at_8),
        cmocka_unit_test(test_pattern_3d_has_steps_at_4_and_counts_at_10),
        cmocka_unit_test(test_pattern_4d_counts_without_overflow),
        cmocka_unit_test(test_a_zero_count_makes_the_pattern_empty),
        cmocka_unit_test(test_indirect_arm_has_index_data_and_count),
        cmocka_unit_test(test_indirect_arm_with_index_from_a_register),
        cmocka_unit_test(test_pattern_1d_and_marker_0x60_have_no_indirect_arm),
        cmocka_unit_test(test_shape_register_number_is_the_first_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
