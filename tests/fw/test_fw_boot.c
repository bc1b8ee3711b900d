/* SPDX-License-Identifier: Apache-2.0 */
/* Reset paths and data heads, built from docs/hardware/firmware-images.md 6 by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "trench/fw_code.h"

enum { IMAGE = 0x400 };

/* Section 6.1, a row each: first bytes of the vectors, their targets, the trampoline's constants.
 */
static const struct head {
    const char *gens; /* what the key means, as the tool words it */
    uint8_t first[3], second[3];
    uint16_t primary, secondary, high, low;
    uint32_t enter_run, enter;
} heads[] = {
    {"sunda NX ACT DVE PE POOL SP",
     {0x06, 0x76, 0},
     {0x86, 0x77, 0},
     0x1DC,
     0x1E8,
     0,
     0x94,
     0x94,
     0x94},
    {"sunda Q7 POOL", {0x06, 0x87, 0}, {0x86, 0x88, 0}, 0x220, 0x22C, 0, 0x94, 0x94, 0x94},
    {"cayman NX ACT DVE PE POOL SP",
     {0x06, 0x76, 0},
     {0x86, 0x77, 0},
     0x1DC,
     0x1E8,
     0,
     0x90,
     0x90,
     0x90},
    {"cayman Q7 POOL, mariana Q7 POOL, mariana_plus Q7 POOL",
     {0x06, 0x7F, 0},
     {0x86, 0x80, 0},
     0x200,
     0x20C,
     0,
     0x90,
     0x90,
     0x90},
    {"mariana NX ACT DVE PE POOL SP, mariana_plus NX ACT DVE PE POOL SP",
     {0x06, 0x7D, 0},
     {0x86, 0x7E, 0},
     0x1F8,
     0x204,
     0,
     0x90,
     0x90,
     0x90},
    {"maverick NX DVE PE POOL",
     {0x06, 0x75, 0},
     {0x86, 0x76, 0},
     0x1D8,
     0x1E4,
     0,
     0x94,
     0x94,
     0x94},
    {"maverick NX SP, maverick Q7 POOL",
     {0x06, 0x78, 0},
     {0x86, 0x79, 0},
     0x1E4,
     0x1F0,
     0x410,
     0x94,
     0x04100094,
     0x94},
};

static void build(const struct head *head, uint8_t image[IMAGE])
{
    const uint8_t trampoline[9] = {0x04,
                                   (uint8_t)head->high,
                                   (uint8_t)(head->high >> 8),
                                   0x04,
                                   (uint8_t)head->low,
                                   (uint8_t)(head->low >> 8),
                                   0xA0,
                                   0x00,
                                   0x00};
    memset(image, 0, IMAGE);
    memcpy(image, head->first, 3);
    memcpy(image + 6, head->second, 3);
    memcpy(image + head->primary, trampoline, sizeof trampoline);
    memcpy(image + head->secondary, (const uint8_t[]){0x00, 0x52, 0x00}, 3);
}

static void test_documented_heads(void **state)
{
    uint8_t image[IMAGE];
    struct trn_fw_boot boot;
    char text[256];
    (void)state;
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        build(&heads[i], image);
        trn_fw_boot_decode(image, sizeof image, &boot);
        assert_true(boot.is_head);
        assert_int_equal(boot.primary, heads[i].primary);
        assert_int_equal(boot.secondary, heads[i].secondary);
        assert_int_equal(boot.num_trampoline, 3);
        assert_int_equal(boot.enter_run, heads[i].enter_run);
        assert_int_equal(boot.enter, heads[i].enter);
        assert_int_equal(boot.residence, heads[i].high ? TRN_FW_SRAM : TRN_FW_IRAM);
        assert_int_equal(boot.halt, 0);
        assert_false(boot.has_hub);
        assert_true(trn_fw_boot_describe(&boot, text, sizeof text) < sizeof text);
        assert_string_equal(text, heads[i].gens);
    }
}

/* The key is the whole of (primary, enter_run, residence): SUNDA and CAYMAN differ in enter_run
 * only. */
static void test_a_key_that_no_page_has(void **state)
{
    struct head head = heads[0];
    uint8_t image[IMAGE];
    struct trn_fw_boot boot;
    char text[8] = "x";
    (void)state;
    head.low = 0x98;
    build(&head, image);
    trn_fw_boot_decode(image, sizeof image, &boot);
    assert_true(boot.is_head);
    assert_int_equal(boot.num_matches, 0);
    assert_int_equal(trn_fw_boot_describe(&boot, text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_true(trn_fw_boot_describe(&(struct trn_fw_boot){0}, NULL, 0) == 0);
}

/* 6.1: the second hub of CAYMAN and later at 0x217, table 0x1250 by const16 a4. */
static void test_second_hub(void **state)
{
    static const uint8_t hub[] = {0x44, 0x00, 0x00, 0x44, 0x50, 0x12, 0x30, 0x30, 0x34,
                                  0x40, 0x43, 0xA0, 0x42, 0x24, 0x00, 0xA0, 0x04, 0x00};
    uint8_t image[IMAGE];
    struct trn_fw_boot boot;
    (void)state;
    build(&heads[2], image);
    memcpy(image + 0x217 - 6, hub, sizeof hub);
    trn_fw_boot_decode(image, sizeof image, &boot);
    assert_true(boot.is_head && boot.has_hub);
    assert_int_equal(boot.hub, 0x217);
    assert_int_equal(boot.hub_table, 0x1250);
}

static void refuse(const uint8_t *image, size_t size, const char *why, uint32_t at)
{
    struct trn_fw_boot boot;
    trn_fw_boot_decode(image, size, &boot);
    assert_false(boot.is_head);
    assert_int_equal(boot.num_matches, 0);
    assert_string_equal(boot.refused, why);
    assert_int_equal(boot.refused_at, at);
}

static void test_what_is_no_head(void **state)
{
    uint8_t image[IMAGE];
    (void)state;
    build(&heads[0], image);
    image[0] = 0x04;
    refuse(image, sizeof image, "no jump: not a reset head", 0);
    build(&heads[0], image);
    image[6] = 0;
    refuse(image, sizeof image, "no jump: not a reset head", 6);
    build(&heads[0], image);
    refuse(image, 0x1DC, "the jump leaves the image", 0);
    refuse(image, 0x1E0, "the jump leaves the image", 6);
    refuse(image, 2, "no jump: not a reset head", 0);
    refuse(image, 0, "no jump: not a reset head", 0);
    image[0x1E8] = 0x3D;
    refuse(image, sizeof image, "the second target holds no halt", 0x1E8);
    build(&heads[0], image);
    image[0x1DC + 6] = 0xC0; /* callx0 a0 in place of jx a0 */
    refuse(image, sizeof image, "the trampoline is no const16, jx", 0x1E2);
    build(&heads[0], image);
    image[0x1DC + 7] = 0x02; /* jx a2: not the register that was built */
    refuse(image, sizeof image, "the trampoline is no const16, jx", 0x1E2);
    build(&heads[0], image);
    memcpy(image + 0x1DC, (const uint8_t[]){0xA0, 0x00, 0x00}, 3);
    refuse(image, sizeof image, "the trampoline builds no address", 0x1DC);
    build(&heads[0], image); /* four constants and no jump */
    for (int i = 0; i < 4; i++)
        memcpy(image + 0x1DC + 3 * i, (const uint8_t[]){0x04, 0x94, 0x00}, 3);
    refuse(image, sizeof image, "the trampoline is no const16, jx", 0x1E8);
}

/* 6.2, 6.3 */
static void test_data_heads(void **state)
{
    uint8_t image[0x40] = {0x34, 0xCB, 0x99, 0x60};
    struct trn_fw_data_head head;
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        image[0x18 + 4 * i + 1] = 0x10;
        memset(image + 0x28 + 4 * i, 0xFF, 3);
    }
    assert_true(trn_fw_data_decode(image, sizeof image, &head));
    assert_int_equal(head.magic, 0x6099CB34);
    assert_int_equal(head.magic, TRN_FW_READY);
    assert_true(head.has_init);
    assert_int_equal(head.limit, TRN_FW_LIMIT_00FFFFFF);
    for (size_t i = 0; i < 4; i++)
        memcpy(image + 0x28 + 4 * i, (const uint8_t[]){0, 0xFF, 0xFF, 0xFF}, 4);
    assert_true(trn_fw_data_decode(image, sizeof image, &head));
    assert_int_equal(head.limit, TRN_FW_LIMIT_FFFFFF00);
    image[0x34] = 1;
    image[0x24] = 1;
    memcpy(image, (const uint8_t[]){0xA1, 0x2D, 0x2B, 0x50}, 4);
    assert_true(trn_fw_data_decode(image, sizeof image, &head));
    assert_int_equal(head.magic, TRN_FW_CLAIM);
    assert_false(head.has_init);
    assert_int_equal(head.limit, TRN_FW_LIMIT_OTHER);
    assert_false(trn_fw_data_decode(image, 0x37, &head));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_documented_heads), cmocka_unit_test(test_a_key_that_no_page_has),
        cmocka_unit_test(test_second_hub),       cmocka_unit_test(test_what_is_no_head),
        cmocka_unit_test(test_data_heads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
