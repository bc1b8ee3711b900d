/* SPDX-License-Identifier: Apache-2.0 */
/* The host's presence record and its core types: docs/hardware/firmware-images.md 11.1, 11.4, 11.5.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "trench/fw_data.h"

static void add(struct trn_fw_opset *set, uint8_t opcode, uint8_t byte_12)
{
    uint8_t word[64] = {0};
    word[0] = opcode;
    word[12] = byte_12;
    trn_fw_opset_add(set, word);
}

static void opcodes_are_counted_once(void **state)
{
    struct trn_fw_opset set = {0};
    (void)state;
    assert_int_equal(trn_fw_opset_opcodes(&set), 0);
    add(&set, 0xE4, 0);
    add(&set, 0xE4, 5);
    add(&set, 0x00, 0);
    add(&set, 0xFF, 0);
    assert_int_equal(trn_fw_opset_opcodes(&set), 3);
    assert_true(trn_fw_opset_has(&set, 0xE4));
    assert_true(trn_fw_opset_has(&set, 0));
    assert_false(trn_fw_opset_has(&set, 1));
    assert_false(trn_fw_opset_has(&set, 256 + 0xE4));
}

static void specialisations_belong_to_0xf0_alone(void **state)
{
    struct trn_fw_opset set = {0};
    (void)state;
    add(&set, 0xF0, 7);
    add(&set, 0xF0, 7);
    add(&set, 0xF0, 2);
    add(&set, 0x7E, 9);
    assert_int_equal(trn_fw_opset_specs(&set, 0xF0), 2);
    assert_true(trn_fw_opset_has_spec(&set, 0xF0, 7));
    assert_false(trn_fw_opset_has_spec(&set, 0xF0, 9));
    assert_int_equal(trn_fw_opset_specs(&set, 0x7E), 0);
    assert_false(trn_fw_opset_has_spec(&set, 0x7E, 9));
}

static void library_of_a_set_is_never_3(void **state)
{
    struct trn_fw_opset set = {0};
    unsigned library = 99;
    (void)state;
    assert_int_equal(trn_fw_opset_library(&set, 12, &library), TRN_FW_SELECTED); /* empty */
    assert_int_equal(library, 0);
    add(&set, 0xE4, 0);
    add(&set, 0xF0, 7);
    for (unsigned core = 0; core < 40; core++) {
        const bool has_libraries =
            core == 6 || core == 13 || core == 21 || core == 29 || core == 37;
        assert_int_equal(trn_fw_opset_library(&set, core, &library),
                         has_libraries ? TRN_FW_SELECTED : TRN_FW_SELECT_NO_CORE);
        assert_int_equal(library, 0);
    }
}

static void core_types_hold_the_documented_counts(void **state)
{
    /* 11.1: [1 x 7 | 3,3,3,3,3,3,6,3 three times | 3,2,2,2,2,0,3], 102 descriptors. */
    static const unsigned counts[TRN_FW_SLOTS] = {1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3,
                                                  6, 3, 3, 3, 3, 3, 3, 3, 6, 3, 3, 3, 3,
                                                  3, 3, 3, 6, 3, 3, 2, 2, 2, 2, 0, 3};
    struct trn_fw_slot slot;
    unsigned sum = 0, decode = 0;
    (void)state;
    for (unsigned i = 0; i < TRN_FW_SLOTS; i++) {
        assert_true(trn_fw_slot(i, &slot));
        assert_int_equal(slot.num_flavors, counts[i]);
        sum += slot.num_flavors;
        decode += slot.has_prof;
    }
    assert_false(trn_fw_slot(TRN_FW_SLOTS, &slot));
    assert_int_equal(sum, 102);
    assert_int_equal(decode, 15);
}

/* 11.2: slots 7..10, 15..18, 23..26, 31..33. */
static void decode_tables_are_where_they_are_documented(void **state)
{
    struct trn_fw_name name;
    (void)state;
    for (unsigned i = 0; i < 50; i++) {
        const bool has = (i >= 7 && i <= 10) || (i >= 15 && i <= 18) || (i >= 23 && i <= 26) ||
                         (i >= 31 && i <= 33);
        const unsigned expected = has ? 0 : i > 37 ? 1 : 2;
        assert_int_equal(trn_fw_select_prof(i, 0, &name), expected);
        assert_int_equal(trn_fw_select_prof(i, 1, &name), expected);
        assert_int_equal(trn_fw_select_prof(i, 2, &name), i > 37 ? 1 : 2);
    }
}

static void strings_of_nothing_are_none(void **state)
{
    struct trn_fw_text text;
    size_t at = 0;
    (void)state;
    assert_false(trn_fw_next_string((const uint8_t *)"", 0, &at, &text));
    at = 1;
    assert_false(trn_fw_next_string((const uint8_t *)"abc", 1, &at, &text));
}

/* Each string is visited once: a run that starts in front of *at is cut there. */
static void strings_do_not_reach_back(void **state)
{
    static const uint8_t bytes[] = "abcdef\0ghi";
    struct trn_fw_text text;
    size_t at = 2;
    (void)state;
    assert_true(trn_fw_next_string(bytes, sizeof bytes, &at, &text));
    assert_int_equal(text.offset, 2);
    assert_int_equal(text.size, 4);
    assert_int_equal(at, 7);
    assert_true(trn_fw_next_string(bytes, sizeof bytes, &at, &text));
    assert_int_equal(text.offset, 7);
    assert_false(trn_fw_next_string(bytes, sizeof bytes, &at, &text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opcodes_are_counted_once),
        cmocka_unit_test(specialisations_belong_to_0xf0_alone),
        cmocka_unit_test(library_of_a_set_is_never_3),
        cmocka_unit_test(core_types_hold_the_documented_counts),
        cmocka_unit_test(decode_tables_are_where_they_are_documented),
        cmocka_unit_test(strings_of_nothing_are_none),
        cmocka_unit_test(strings_do_not_reach_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
