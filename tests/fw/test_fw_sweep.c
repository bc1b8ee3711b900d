/* SPDX-License-Identifier: Apache-2.0 */
/* The linear sweep: field cases F41 to F43 and docs/hardware/xtensa-subset.md 7. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "trench/fw_code.h"

enum { ITEMS = 64 };

struct swept {
    struct trn_xtensa_item item[ITEMS];
    size_t count;
    struct trn_xtensa_stats stats;
};

static void sweep(const struct trn_xtensa_code *code, struct swept *out)
{
    struct trn_xtensa_sweep *sweep;
    struct trn_xtensa_item item;
    uint32_t next = code->base;
    memset(out, 0, sizeof *out);
    assert_int_equal(trn_xtensa_sweep_create(code, &sweep, NULL), TRN_OK);
    while (trn_xtensa_sweep_next(sweep, &item)) {
        assert_int_equal(item.address, next); /* pieces are adjacent */
        assert_true(item.size > 0);
        next += item.size;
        assert_true(out->count < ITEMS);
        out->item[out->count++] = item;
    }
    assert_int_equal(next - code->base, code->size); /* and cover the code */
    out->stats = *trn_xtensa_sweep_stats(sweep);
    trn_xtensa_sweep_destroy(sweep);
}

static void expect_text(const struct swept *swept, size_t index, const char *text)
{
    char found[TRN_XTENSA_TEXT_MAX];
    assert_true(index < swept->count);
    assert_int_equal(swept->item[index].kind, TRN_XTENSA_ITEM_CODE);
    trn_xtensa_print(&swept->item[index].insn, found);
    assert_string_equal(found, text);
}

/* F41: entry; a 16-byte bundle; then bytes of no format, that end at a label inside what would read
 * as another bundle. */
static void test_f41_a_bundle_is_named_and_the_sweep_comes_back_at_a_label(void **state)
{
    static const uint8_t bytes[] = {
        0x36, 0x41, 0x00,                                           /* 0x00 entry a1, 32 */
        0x4F, 0xFF, 0x42, 0x41, 0x56, 0x02, 0x41, 0,                /* 0x03 F0 */
        0,    0,    0,    0,    0,    0,    0,    0,                /* */
        0x0F, 0x11, 0x22, 0x07, 0x8F, 0x42,                         /* 0x13 no format */
        0x22, 0xC2, 0xBF,                                           /* 0x19 addi: the label */
        0x0E, 0x00, 0x00, 0x00, 0x1D, 0xF0,                         /* 0x1c F3, cut by a label */
        0x1D, 0xF0, 0x36, 0x41, 0x00, 0x1D, 0xF0, 0, 0, 0, 0, 0, 0, /* 0x22 retw.n: the label */
    };
    static const uint32_t labels[] = {0x19, 0x22};
    const struct trn_xtensa_code code = {
        .bytes = bytes, .size = sizeof bytes, .label = labels, .num_labels = 2};
    struct swept swept;
    (void)state;
    sweep(&code, &swept);
    expect_text(&swept, 0, "entry a1, 32");
    expect_text(&swept, 1, "FLIX bundle F0, 16 bytes, 4 slots, not decoded");
    assert_int_equal(swept.item[2].kind, TRN_XTENSA_ITEM_RAW);
    assert_int_equal(swept.item[2].address, 0x13);
    assert_int_equal(swept.item[2].size, 6);
    expect_text(&swept, 3, "addi a2, a2, -65");
    assert_true(swept.item[3].is_label);
    assert_int_equal(swept.item[4].kind, TRN_XTENSA_ITEM_RAW); /* never a bundle over a label */
    assert_int_equal(swept.item[4].size, 6);
    expect_text(&swept, 5, "retw.n");
    expect_text(&swept, 6, "entry a1, 32");
    expect_text(&swept, 7, "retw.n");
    assert_int_equal(swept.stats.desyncs, 2);
    assert_int_equal(swept.stats.raw_bytes, 12);
    assert_int_equal(swept.stats.bundles, 1);
    assert_int_equal(swept.stats.slots, 4);
    assert_int_equal(swept.stats.count[TRN_XTENSA_CENSUS_ENTRY], 2);
    assert_int_equal(swept.stats.count[TRN_XTENSA_CENSUS_RETW], 2);
    assert_int_equal(swept.stats.suspects, 2); /* six zero bytes: two times ill */
}

/* F42: a pool that reads as a bundle and as a function entry, reached by l32r behind it. */
static void test_f42_words_that_l32r_reaches_are_data(void **state)
{
    static const uint8_t bytes[] = {
        0x36, 0x61, 0x00, 0x1D, 0xF0, 0x3D, 0xF0, 0x00, /* 0x00 entry, retw.n, nop.n, padding */
        0x4F, 0xFF, 0x42, 0x41,                         /* 0x08 literal: reads as a bundle */
        0x36, 0x41, 0x00, 0x36,                         /* 0x0c literal: reads as an entry */
        0x36, 0xC1, 0x00,                               /* 0x10 entry a1, 96 (0x60) */
        0x61, 0xFD, 0xFF,                               /* 0x13 l32r a6, 0x8: 0x14 + 4 * -3 */
        0x71, 0xFD, 0xFF,                               /* 0x16 l32r a7, 0xc: 0x18 + 4 * -3 */
        0x90, 0x00, 0x00,                               /* 0x19 retw */
    };
    const struct trn_xtensa_code code = {.bytes = bytes, .size = sizeof bytes};
    struct swept swept;
    (void)state;
    sweep(&code, &swept);
    assert_int_equal(swept.stats.literals, 2);
    size_t i = 0;
    while (i < swept.count && swept.item[i].kind != TRN_XTENSA_ITEM_LITERAL)
        i++;
    assert_int_equal(swept.item[i].address, 8);
    assert_int_equal(swept.item[i].insn.word, 0x4142FF4F);
    assert_int_equal(swept.item[i + 1].kind, TRN_XTENSA_ITEM_LITERAL);
    assert_int_equal(swept.item[i + 1].insn.word, 0x36004136);
    expect_text(&swept, i + 2, "entry a1, 96");
    expect_text(&swept, i + 3, "l32r a6, 0x8");
    expect_text(&swept, i + 4, "l32r a7, 0xc");
    expect_text(&swept, i + 5, "retw");
    assert_int_equal(swept.stats.bundles, 0);
    assert_int_equal(swept.stats.count[TRN_XTENSA_CENSUS_ENTRY], 2);
    assert_int_equal(swept.stats.count[TRN_XTENSA_CENSUS_L32R], 2);
}

/* F43: `61 00 00`, l32r a6 before its relocation: it says nothing about any word. */
static void test_f43_an_unrelocated_l32r_reaches_nothing(void **state)
{
    static const uint8_t bytes[] = {0x36, 0x41, 0x00, 0x61, 0x00, 0x00,
                                    0x25, 0x00, 0x04, 0x90, 0,    0};
    static const uint32_t pending[] = {3, 6};
    const struct trn_xtensa_code code = {
        .bytes = bytes, .size = sizeof bytes, .pending = pending, .num_pending = 2};
    struct swept swept;
    (void)state;
    sweep(&code, &swept);
    expect_text(&swept, 1, "l32r a6, 0xfffc0004");
    assert_true(swept.item[1].is_pending);
    assert_true(swept.item[2].is_pending);
    assert_int_equal(swept.item[2].doubt, TRN_XTENSA_SURE); /* its target is not there yet */
    assert_false(swept.item[3].is_pending);
    assert_int_equal(swept.stats.pending, 2);
    assert_int_equal(swept.stats.literals, 0);
}

/* xtensa-subset.md 7: implausible instructions are marked and not counted. */
static void test_implausible_instructions(void **state)
{
    static const uint8_t bytes[] = {
        0x36, 0x41, 0x00, /* 0x00 entry a1, 32 */
        0x06, 0x76, 0x00, /* 0x03 j 0x1df: outside */
        0x25, 0x00, 0x01, /* 0x06 call8 0x1008: outside */
        0x15, 0x00, 0x00, /* 0x09 call4: absent on this core */
        0xD0, 0x02, 0x00, /* 0x0c callx4 */
        0x36, 0x42, 0x00, /* 0x0f entry a2, 32 */
        0x42, 0x20, 0x03, /* 0x12 l32i a4, a0, 12: plausible (kernels read it so) */
        0x06, 0xFF, 0xFF, /* 0x15 j 0x15: inside */
        0x00, 0x00, 0x00, /* 0x18 ill */
    };
    static const enum trn_xtensa_doubt doubts[] = {
        TRN_XTENSA_SURE,        TRN_XTENSA_TARGET_OUTSIDE, TRN_XTENSA_TARGET_OUTSIDE,
        TRN_XTENSA_ABSENT_FORM, TRN_XTENSA_ABSENT_FORM,    TRN_XTENSA_ENTRY_REGISTER,
        TRN_XTENSA_SURE,        TRN_XTENSA_SURE,           TRN_XTENSA_ILL};
    const struct trn_xtensa_code code = {.bytes = bytes, .size = sizeof bytes};
    struct swept swept;
    (void)state;
    sweep(&code, &swept);
    assert_int_equal(swept.count, 9);
    for (size_t i = 0; i < 9; i++)
        assert_int_equal(swept.item[i].doubt, doubts[i]);
    assert_int_equal(swept.stats.suspects, 6);
    assert_int_equal(swept.stats.instructions, 3);
    assert_int_equal(swept.stats.count[TRN_XTENSA_CENSUS_J], 1);
    assert_int_equal(swept.stats.count[TRN_XTENSA_CENSUS_CALL8], 0);
    assert_int_equal(swept.stats.count[TRN_XTENSA_CENSUS_ENTRY], 1);
}

/* Lost bytes end at the first entry within 64 bytes; without any one byte further. */
static void test_anchors(void **state)
{
    uint8_t bytes[160];
    const struct trn_xtensa_code code = {.bytes = bytes, .size = sizeof bytes};
    struct swept swept;
    (void)state;
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, (const uint8_t[]){0x0F, 0, 0, 0x07}, 4); /* no format */
    memcpy(bytes + 9, (const uint8_t[]){0x36, 0x41, 0x00}, 3);
    memcpy(bytes + 20, (const uint8_t[]){0x36, 0x41, 0x00}, 3);
    sweep(&code, &swept);
    assert_int_equal(swept.item[0].kind, TRN_XTENSA_ITEM_RAW);
    assert_int_equal(swept.item[0].size, 9);
    memset(bytes + 9, 0, 3);
    sweep(&code, &swept);
    assert_int_equal(swept.item[0].size, 20);
    memset(bytes + 20, 0, 3);
    memcpy(bytes + 64, (const uint8_t[]){0x36, 0x41, 0x00}, 3); /* not within 64 bytes */
    sweep(&code, &swept);
    assert_int_equal(swept.item[0].size, 1);
    memset(bytes + 64, 0, 3);
    memcpy(bytes + 60, (const uint8_t[]){0x36, 0x41, 0xFF}, 3); /* a frame of 32 KiB is none */
    sweep(&code, &swept);
    assert_int_equal(swept.item[0].size, 1);
}

/* A base that is no multiple of 4, addresses near the end of 32 bits, no bytes at all. */
static void test_bounds(void **state)
{
    static const uint8_t bytes[] = {0x61, 0xFF, 0xFF, 0x0F, 0x0F};
    struct trn_xtensa_code code = {.bytes = bytes, .size = sizeof bytes, .base = 0x1002};
    struct trn_xtensa_sweep *none;
    struct trn_diag diag = {0};
    struct swept swept;
    (void)state;
    sweep(&code, &swept);
    expect_text(&swept, 0, "l32r a6, 0x1000");
    assert_int_equal(swept.stats.literals, 0); /* 0x1000 lies before the first byte */
    code.base = UINT32_MAX - 4;
    assert_int_equal(trn_xtensa_sweep_create(&code, &none, &diag), TRN_ERR_TOO_LARGE);
    assert_null(none);
    assert_non_null(strstr(diag.message, "32-bit"));
    code.base = 0;
    code.size = 0;
    sweep(&code, &swept);
    assert_int_equal(swept.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_f41_a_bundle_is_named_and_the_sweep_comes_back_at_a_label),
        cmocka_unit_test(test_f42_words_that_l32r_reaches_are_data),
        cmocka_unit_test(test_f43_an_unrelocated_l32r_reaches_nothing),
        cmocka_unit_test(test_implausible_instructions),
        cmocka_unit_test(test_anchors),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
