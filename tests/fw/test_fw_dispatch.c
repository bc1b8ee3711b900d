/* SPDX-License-Identifier: Apache-2.0 */
/* The classifier of docs/hardware/firmware-images.md 7.4 on sites written down from
 * xtensa-subset.md 8. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "trench/fw_code.h"

enum { IMAGE = 0x2000, DATA = 0x1000 };

/* Code that is all nop.n (3d f0) but for what a test puts in. */
struct image {
    uint8_t bytes[IMAGE], data[DATA];
    struct trn_fw_dispatch_report report;
};

static void clear(struct image *image)
{
    for (size_t i = 0; i < IMAGE; i += 2)
        memcpy(image->bytes + i, (const uint8_t[]){0x3D, 0xF0}, 2);
    memset(image->data, 0, DATA);
}

static void put(struct image *image, size_t at, const uint8_t *bytes, size_t size)
{
    memcpy(image->bytes + at, bytes, size);
}

#define PUT(image, at, ...)                                                                        \
    put(image, at, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static void classify(struct image *image, bool with_data)
{
    const struct trn_xtensa_code code = {.bytes = image->bytes, .size = IMAGE};
    assert_int_equal(trn_fw_dispatch_classify(&code, with_data ? image->data : NULL,
                                              with_data ? DATA : 0, &image->report, NULL),
                     TRN_OK);
}

static void expect(const struct image *image, enum trn_fw_dispatch flavor, unsigned rule)
{
    assert_string_equal(trn_fw_dispatch_name(image->report.flavor), trn_fw_dispatch_name(flavor));
    assert_int_equal(image->report.rule, rule);
}

/* addi a2,a2,-base; movi a3,bound; bgeu a3,a2,+6; j; const16 a3,8; const16 a3,table; addx4; l32i.n;
 * jx. The jump: 0x06 with offset 0x1000 / 64 in the upper bytes: target = at + 9 + 4 + 0x40. */
static void put_site(struct image *image, size_t at, uint8_t minus_base, uint8_t bound,
                     uint16_t table)
{
    PUT(image, at, 0x22, 0xC2, minus_base, 0x32, 0xA0, bound, 0x27, 0xB3, 0x02, 0x06, 0x10, 0x00,
        0x34, 0x08, 0x00, 0x34, (uint8_t)table, (uint8_t)(table >> 8), 0x30, 0x22, 0xA0, 0x28, 0x02,
        0xA0, 0x02, 0x00);
}

/* CAYMAN POOL: base 0x41, bound 177, table at 0x80814. */
static void test_indexed_from_0x41(void **state)
{
    struct image *const image = *state;
    put_site(image, 0x400, 0xBF, 0xB1, 0x814);
    classify(image, false);
    expect(image, TRN_FW_DISPATCH_INDEXED_A, 1);
    const struct trn_fw_dispatch_site *const site = &image->report.site[0];
    assert_int_equal(image->report.num_sites, 1);
    assert_int_equal(site->offset, 0x400);
    assert_int_equal(site->base, 0x41);
    assert_int_equal(site->bound, 177);
    assert_true(site->has_table && site->has_default);
    assert_int_equal(site->table, 0x80814);
    assert_int_equal(site->default_arm, 0x409 + 4 + 0x40);
    assert_false(site->is_counted);
    assert_false(image->report.is_dual);
    assert_int_equal(image->report.count[TRN_FW_PATTERN_ADDI_41], 1);
    assert_int_equal(image->report.count[TRN_FW_PATTERN_MOVI_177], 1);
    assert_int_equal(image->report.count[TRN_FW_PATTERN_INDEXED_TAIL], 1);
    assert_int_equal(image->report.count[TRN_FW_PATTERN_TABLE_BASE], 1);
    assert_int_equal(image->report.addx4, 1);
    assert_int_equal(image->report.jx, 1);
}

/* MARIANA DVE: base 0x30, bound 186, two tables; slots that are not the default are real. */
static void test_indexed_from_0x30_dual_and_counted(void **state)
{
    struct image *const image = *state;
    put_site(image, 0x709, 0xD0, 0xBA, 0x800);
    put_site(image, 0xF15, 0xD0, 0xBA, 0xAEC);
    for (size_t slot = 0; slot < 187; slot++) { /* 82 real, 105 of the default */
        const uint32_t arm = slot < 82 ? 0x500 + 8 * (uint32_t)slot : 0x709 + 9 + 4 + 0x40;
        memcpy(image->data + 0x800 + 4 * slot, &arm, 4);
    }
    classify(image, true);
    expect(image, TRN_FW_DISPATCH_INDEXED_0, 1);
    assert_int_equal(image->report.num_sites, 2);
    assert_true(image->report.is_dual);
    assert_true(image->report.site[0].is_counted);
    assert_int_equal(image->report.site[0].real, 82);
    assert_int_equal(image->report.site[0].default_slots, 105);
    assert_int_equal(image->report.site[1].table, 0x80AEC);
    assert_int_equal(image->report.count[TRN_FW_PATTERN_MOVI_186], 2);
    put_site(image, 0xF15, 0xD0, 0xBA, 0x800); /* the same table twice is not dual */
    classify(image, true);
    assert_false(image->report.is_dual);
}

/* A table that runs past the end of the data image is not counted, nor one outside DRAM. */
static void test_tables_outside_the_data_are_not_counted(void **state)
{
    struct image *const image = *state;
    put_site(image, 0x400, 0xBF, 0xB1, DATA - 178 * 4);
    classify(image, true);
    assert_true(image->report.site[0].is_counted);
    put_site(image, 0x400, 0xBF, 0xB1, DATA - 178 * 4 + 1);
    classify(image, true);
    assert_false(image->report.site[0].is_counted);
    put_site(image, 0x400, 0xBF, 0xB1, 0xFFFF);
    classify(image, true);
    assert_false(image->report.site[0].is_counted);
    image->bytes[0x400 + 13] = 0x00; /* const16 a3, 0 */
    classify(image, true);
    assert_int_equal(image->report.site[0].table, 0xFFFF);
    assert_false(image->report.site[0].is_counted);
}

/* The SUNDA signature: S = 1, A65 = 0, M177 = 0 (7.2, 7.4). */
static void test_sunda_is_segmented(void **state)
{
    struct image *const image = *state;
    PUT(image, 0x9C0, 0x30, 0x22, 0xC0);
    PUT(image, 0xA00, 0x32, 0xA0, 0xB8, 0x37, 0x92, 0x10); /* a leaf of POOL: movi a3,184; bne */
    classify(image, false);
    expect(image, TRN_FW_DISPATCH_SEGMENTED, 2);
    assert_int_equal(image->report.count[TRN_FW_PATTERN_SUB_BASE], 1);
    assert_int_equal(image->report.count[TRN_FW_PATTERN_ADDI_41], 0);
    assert_int_equal(image->report.count[TRN_FW_PATTERN_MOVI_177], 0);
    assert_int_equal(image->report.num_subs, 1);
    assert_int_equal(image->report.sub[0], 0x9C0);
    assert_int_equal(image->report.arms, 1);
}

/* More than one sub, or a lone addi -65 beside one: rule 4 (CAYMAN SP is said to hold 16). */
static void test_many_subs_are_segmented_by_rule_4(void **state)
{
    struct image *const image = *state;
    for (size_t i = 0; i < 16; i++)
        PUT(image, 0x400 + 0x20 * i, 0x30, 0x22, 0xC0);
    classify(image, false);
    expect(image, TRN_FW_DISPATCH_SEGMENTED, 4);
    assert_int_equal(image->report.count[TRN_FW_PATTERN_SUB_BASE], 16);
    clear(image);
    PUT(image, 0x400, 0x30, 0x22, 0xC0);
    PUT(image, 0x500, 0x22, 0xC2, 0xBF);
    classify(image, false);
    expect(image, TRN_FW_DISPATCH_SEGMENTED, 4);
}

/* `arms` arms `apart` bytes from start to start: bnei for what B4C holds, movi and bne for 0x9f..
 */
static void put_chain(struct image *image, size_t at, size_t arms, size_t apart)
{
    for (size_t i = 0; i < arms; i++) {
        if (i < 4)
            PUT(image, at + apart * i, 0x66, (uint8_t)((i + 1) << 4 | 2), 0x02);
        else
            PUT(image, at + apart * i, 0x32, 0xA0, (uint8_t)(0x9F + i), 0x37, 0x92, 0x02);
    }
}

static void test_chains_of_compares(void **state)
{
    struct image *const image = *state;
    put_chain(image, 0x936, 12, 16);
    classify(image, false);
    expect(image, TRN_FW_DISPATCH_RAW, 3);
    assert_int_equal(image->report.arms, 12);
    assert_int_equal(image->report.first_arm, 0x936);
    assert_int_equal(image->report.opcode[0], 1);
    assert_int_equal(image->report.opcode[3], 4);
    assert_int_equal(image->report.opcode[4], 0xA3);
    assert_int_equal(image->report.opcode[11], 0xAA);
    clear(image);
    put_chain(image, 0x936, 11, 16);
    classify(image, false);
    expect(image, TRN_FW_DISPATCH_UNKNOWN, 5);
    assert_int_equal(image->report.arms, 11);
    clear(image);
    put_chain(image, 0x936, 20, 17); /* too far apart to be one chain */
    classify(image, false);
    expect(image, TRN_FW_DISPATCH_UNKNOWN, 5);
    assert_int_equal(image->report.arms, 1);
}

/* The traps of 7.4: `32 a0 b1` in a chain is opcode 0xB1; a lone addi classifies nothing. */
static void test_traps(void **state)
{
    struct image *const image = *state;
    put_chain(image, 0x936, 12, 12);
    PUT(image, 0x936 + 12 * 12, 0x32, 0xA0, 0xB1, 0x37, 0x92, 0x02);
    PUT(image, 0x1800, 0x22, 0xC2, 0xBF);
    PUT(image, 0x1900, 0x22, 0xC2, 0xD0);
    classify(image, false);
    expect(image, TRN_FW_DISPATCH_RAW, 3);
    assert_int_equal(image->report.count[TRN_FW_PATTERN_MOVI_177], 1);
    assert_int_equal(image->report.num_sites, 0);
    assert_int_equal(image->report.opcode[12], 0xB1);
    clear(image);
    PUT(image, 0x1800, 0x22, 0xC2, 0xBF);
    PUT(image, 0x1900, 0x32, 0xA0, 0xB1);
    classify(image, false);
    expect(image, TRN_FW_DISPATCH_UNKNOWN, 5);
}

/* movi counts as an arm only with its bne within 8 bytes. */
static void test_reach_of_an_arm(void **state)
{
    struct image *const image = *state;
    PUT(image, 0x400, 0x32, 0xA0, 0x42);
    PUT(image, 0x408, 0x37, 0x92, 0x02);
    classify(image, false);
    assert_int_equal(image->report.arms, 1);
    clear(image);
    PUT(image, 0x400, 0x32, 0xA0, 0x42);
    PUT(image, 0x409, 0x37, 0x92, 0x02);
    classify(image, false);
    assert_int_equal(image->report.arms, 0);
}

/* A site with another base is evidence, but no flavour is named after it. */
static void test_site_with_another_base(void **state)
{
    struct image *const image = *state;
    put_site(image, 0x400, 0xF0, 0x20, 0x800);
    classify(image, false);
    expect(image, TRN_FW_DISPATCH_UNKNOWN, 5);
    assert_int_equal(image->report.num_sites, 1);
    assert_int_equal(image->report.site[0].base, 16);
    put_site(image, 0x800, 0xBF, 0xA9, 0x800);
    classify(image, false);
    expect(image, TRN_FW_DISPATCH_INDEXED_A, 1);
    assert_int_equal(image->report.chosen, 1);
}

/* The byte census counts at every offset, overlapping matches too. */
static void test_patterns_at_every_offset(void **state)
{
    static const uint8_t bytes[] = {0x90, 0x90, 0x00, 0x00, 0x90, 0x00, 0x00, 0x1D, 0xF0, 0x1D};
    (void)state;
    assert_int_equal(trn_fw_pattern_count(TRN_FW_PATTERN_RETW, bytes, sizeof bytes), 2);
    assert_int_equal(trn_fw_pattern_count(TRN_FW_PATTERN_RETW_N, bytes, sizeof bytes), 1);
    assert_int_equal(trn_fw_pattern_count(TRN_FW_PATTERN_RETW, bytes, 2), 0);
    assert_int_equal(trn_fw_pattern_find(TRN_FW_PATTERN_RETW, bytes, sizeof bytes, 2), 4);
    assert_true(trn_fw_pattern_find(TRN_FW_PATTERN_RETW, bytes, sizeof bytes, 5) == SIZE_MAX);
}

/* 7.3: rows of the sheet, by the image's name. */
static void test_documented_sites(void **state)
{
    struct trn_fw_name name;
    (void)state;
    assert_true(trn_fw_name_parse("MARIANA_NX_DVE_DEBUG_IRAM", &name));
    const struct trn_fw_site_row *const row = trn_fw_site_known(&name);
    assert_non_null(row);
    assert_int_equal(row->bound, 186);
    assert_int_equal(row->site[1], 0x3715);
    assert_int_equal(row->real, 82);
    assert_true(trn_fw_name_parse("MARIANA_NX_DVE_PERF_IRAM", &name));
    assert_null(trn_fw_site_known(&name));
}

static int set_up(void **state)
{
    struct image *const image = malloc(sizeof *image);
    if (!image)
        return -1;
    clear(image);
    *state = image;
    return 0;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_indexed_from_0x41, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_indexed_from_0x30_dual_and_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_tables_outside_the_data_are_not_counted, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_sunda_is_segmented, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many_subs_are_segmented_by_rule_4, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_chains_of_compares, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_traps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_reach_of_an_arm, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_site_with_another_base, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_patterns_at_every_offset, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_documented_sites, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
