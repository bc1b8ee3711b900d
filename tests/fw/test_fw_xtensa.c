/* SPDX-License-Identifier: Apache-2.0 */
/* One instruction: the samples of docs/hardware/xtensa-subset.md, lengths against the ladder of
 * formats, encode and decode. binutils is in test_fw_xtensa_oracle.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "trench/fw_code.h"

static void expect(const char *hex, uint32_t pc, const char *text)
{
    struct trn_xtensa_insn insn;
    char found[TRN_XTENSA_TEXT_MAX];
    uint8_t bytes[4];
    size_t size = 0;
    for (; sscanf(hex + 3 * size, "%2hhx", &bytes[size]) == 1; size++)
        if (hex[3 * size + 2] == '\0') {
            size++;
            break;
        }
    trn_xtensa_decode(TRN_XTENSA_VISION, bytes, size, pc, &insn);
    trn_xtensa_print(&insn, found);
    assert_string_equal(found, text);
    assert_int_equal(insn.length, size);
}

/* ---- samples ---------------------------------------------------------------------- */

/* xtensa-subset.md 3.1: both columns of the table. */
static void test_jumps_of_the_reset_vectors(void **state)
{
    (void)state;
    expect("06 75 00", 0, "j 0x1d8");
    expect("06 76 00", 0, "j 0x1dc");
    expect("06 78 00", 0, "j 0x1e4");
    expect("06 7d 00", 0, "j 0x1f8");
    expect("06 7f 00", 0, "j 0x200");
    expect("06 87 00", 0, "j 0x220");
    expect("86 76 00", 6, "j 0x1e4");
    expect("86 77 00", 6, "j 0x1e8");
    expect("86 79 00", 6, "j 0x1f0");
    expect("86 7e 00", 6, "j 0x204");
    expect("86 80 00", 6, "j 0x20c");
    expect("86 88 00", 6, "j 0x22c");
}

/* Rows that the oracle's core lacks: xtensa-subset.md 3, 4, 5, 5.1, verification V2 and N. */
static void test_rows_of_windowed_cores(void **state)
{
    (void)state;
    expect("04 94 00", 0, "const16 a0, 148");
    expect("04 90 00", 0, "const16 a0, 144");
    expect("04 10 04", 0, "const16 a0, 0x410");
    expect("24 84 42", 0, "const16 a2, 0x4284");
    expect("34 08 04", 0, "const16 a3, 0x408");
    expect("00 52 00", 0, "halt 0");
    expect("36 41 00", 0, "entry a1, 32");
    expect("36 61 00", 0, "entry a1, 48");
    expect("1d f0", 0, "retw.n");
    expect("90 00 00", 0, "retw");
    expect("20 10 00", 0, "movsp a2, a0");
    expect("25 00 00", 0x100, "call8 0x104");
    expect("a5 00 00", 0x100, "call8 0x10c");
    expect("25 00 01", 0x100, "call8 0x1104");
    expect("15 00 00", 0xB, "call4 0xc"); /* PC rounded down to a word, plus 4 */
    expect("e0 02 00", 0, "callx8 a2");
    expect("d0 02 00", 0, "callx4 a2");
    expect("f0 02 00", 0, "callx12 a2");
    expect("76 82 10", 0x20, "loop a2, 0x34"); /* PC + 4 + 0x10 */
    expect("76 92 ff", 0x20, "loopnez a2, 0x123");
    expect("76 a2 00", 0x20, "loopgtz a2, 0x24");
    expect("f6 12 00", 0, "bgeui a2, 0x10000, 0x4");
    expect("70 2e e3", 0, "rur.threadptr a2");
    expect("30 e7 f3", 0, "wur.threadptr a3");
}

/* xtensa-subset.md 5.1: names of the boot code; 10: a number where there is no name. */
static void test_special_registers(void **state)
{
    struct trn_xtensa_insn insn;
    char text[TRN_XTENSA_TEXT_MAX];
    (void)state;
    expect("00 eb 03", 0, "rsr.prid a0");
    expect("20 e7 13", 0, "wsr.vecbase a2");
    expect("30 e6 61", 0, "xsr.ps a3");
    expect("20 28 13", 0, "wsr.prefctl a2");
    expect("20 61 13", 0, "wsr.memctl a2");
    expect("20 ec 13", 0, "wsr.isb a2");
    expect("20 07 03", 0, "rsr.7 a2");
    expect("00 20 e3", 0, "rur.0 a2");
    /* 236 is ICOUNT on the core of binutils' lx106 */
    trn_xtensa_decode(TRN_XTENSA_SCALAR, (const uint8_t[]){0x20, 0xEC, 0x13}, 3, 0, &insn);
    trn_xtensa_print(&insn, text);
    assert_string_equal(text, "wsr.icount a2");
    /* PRID cannot be written */
    trn_xtensa_decode(TRN_XTENSA_SCALAR, (const uint8_t[]){0x20, 0xEB, 0x13}, 3, 0, &insn);
    assert_int_equal(insn.kind, TRN_XTENSA_OUTSIDE);
}

/* ---- lengths ---------------------------------------------------------------------- */

/* xtensa-subset.md 6, in the order of the sheet. */
static const struct {
    const char *name;
    uint32_t mask, match;
    unsigned size, slots;
} ladder[] = {
    {"x24", 0x00000008, 0, 3, 1},           {"x16a", 0x0000000C, 0x8, 2, 1},
    {"x16b", 0x0000000E, 0xC, 2, 1},        {"F0", 0x0B00000F, 0x0100000F, 16, 4},
    {"F11", 0x0800000F, 0x0800000E, 16, 5}, {"F1", 0x3700000F, 0x0300000F, 16, 4},
    {"F2", 0x3700000F, 0x3300000F, 16, 4},  {"F3", 0x0800000F, 0x0000000E, 16, 5},
    {"F4", 0x0B00000F, 0x0900000F, 16, 4},  {"F6", 0x3700000F, 0x2300000F, 16, 4},
    {"F7", 0x3700000F, 0x1300000F, 16, 4},  {"N1", 0x1900000F, 0x0800000F, 8, 3},
    {"N2", 0x1900000F, 0x1800000F, 8, 2},   {"N0", 0x0900000F, 0x0000000F, 8, 4},
};

static void check_cell(unsigned b0, unsigned b3)
{
    const uint8_t bytes[TRN_XTENSA_LONGEST] = {(uint8_t)b0, 0, 0, (uint8_t)b3};
    const uint32_t word = (uint32_t)b3 << 24 | b0;
    struct trn_xtensa_insn insn;
    size_t i = 0;
    while (i < sizeof ladder / sizeof ladder[0] && (word & ladder[i].mask) != ladder[i].match)
        i++;
    trn_xtensa_decode(TRN_XTENSA_VISION, bytes, sizeof bytes, 0, &insn);
    if (i == sizeof ladder / sizeof ladder[0]) {
        assert_int_equal(insn.kind, TRN_XTENSA_ILLEGAL);
        assert_int_equal(insn.length, 0);
        return;
    }
    assert_int_equal(insn.length, ladder[i].size);
    if (ladder[i].size > 3) {
        assert_int_equal(insn.kind, TRN_XTENSA_BUNDLE);
        assert_string_equal(trn_xtensa_name(&insn), ladder[i].name);
        assert_int_equal(insn.slots, ladder[i].slots);
    }
}

static void test_all_pairs_of_byte_0_and_byte_3(void **state)
{
    (void)state;
    for (unsigned b0 = 0; b0 < 256; b0++)
        for (unsigned b3 = 0; b3 < 256; b3++)
            check_cell(b0, b3);
}

/* xtensa-subset.md 6, the two self-test vectors. */
static void test_bundles_of_the_sheet(void **state)
{
    static const uint8_t n0[] = {0x4F, 0x80, 0xA0, 0x80, 0x11, 0xC3, 0x20, 0x21};
    static const uint8_t f0[16] = {0x4F, 0xFF, 0x42, 0x41, 0x56, 0x02, 0x41, 0x00};
    struct trn_xtensa_insn insn;
    char text[TRN_XTENSA_TEXT_MAX];
    (void)state;
    trn_xtensa_decode(TRN_XTENSA_VISION, n0, sizeof n0, 0, &insn);
    trn_xtensa_print(&insn, text);
    assert_string_equal(text, "FLIX bundle N0, 8 bytes, 4 slots, not decoded");
    trn_xtensa_decode(TRN_XTENSA_VISION, f0, sizeof f0, 0, &insn);
    trn_xtensa_print(&insn, text);
    assert_string_equal(text, "FLIX bundle F0, 16 bytes, 4 slots, not decoded");
}

/* xtensa-subset.md 2.2: E and F lead no bundle on the management core. */
static void test_scalar_core_has_no_bundles(void **state)
{
    struct trn_xtensa_insn insn;
    (void)state;
    for (unsigned b0 = 0; b0 < 256; b0++) {
        const uint8_t bytes[16] = {(uint8_t)b0};
        trn_xtensa_decode(TRN_XTENSA_SCALAR, bytes, sizeof bytes, 0, &insn);
        assert_int_equal(insn.length, b0 % 16 >= 8 && b0 % 16 < 14 ? 2 : 3);
        assert_int_not_equal(insn.kind, TRN_XTENSA_BUNDLE);
    }
}

/* xtensa-subset.md 2.1, end of a buffer. */
static void test_end_of_the_bytes(void **state)
{
    static const uint8_t bundle[16] = {0x4F, 0xFF, 0x42, 0x41};
    static const uint8_t jump[] = {0x06, 0x76, 0x00};
    static const uint8_t narrow[] = {0x1D, 0xF0};
    struct trn_xtensa_insn insn;
    (void)state;
    for (size_t size = 0; size < 16; size++) {
        trn_xtensa_decode(TRN_XTENSA_VISION, bundle, size, 0, &insn);
        assert_int_equal(insn.kind, TRN_XTENSA_TRUNCATED);
        assert_int_equal(insn.length, 0);
    }
    trn_xtensa_decode(TRN_XTENSA_VISION, jump, 2, 0, &insn);
    assert_int_equal(insn.kind, TRN_XTENSA_TRUNCATED);
    trn_xtensa_decode(TRN_XTENSA_VISION, jump, 3, 0, &insn);
    assert_int_equal(insn.kind, TRN_XTENSA_INSTRUCTION);
    trn_xtensa_decode(TRN_XTENSA_VISION, narrow, 2, 0, &insn);
    assert_int_equal(insn.kind, TRN_XTENSA_INSTRUCTION);
}

/* ---- the other way ---------------------------------------------------------------- */

static uint32_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 16);
}

/* What decodes encodes to the same bytes; every row is met. */
static void test_round_trip_of_every_row(void **state)
{
    static size_t met[256];
    uint64_t random = 1;
    (void)state;
    for (uint32_t i = 0; i < 4000000; i++) {
        uint32_t word = next_random(&random);
        if (i % 4 == 0) /* the groups that all their fields tell apart */
            word = (word & 0x00FFF0) | (i % 8 ? 0x400000 : 0);
        const uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16)};
        const uint32_t pc = 0x1000 + (next_random(&random) & 0xFFFFF);
        struct trn_xtensa_insn insn;
        uint8_t again[3];
        size_t length;
        trn_xtensa_decode(TRN_XTENSA_SCALAR, bytes, sizeof bytes, pc, &insn);
        if (insn.kind != TRN_XTENSA_INSTRUCTION)
            continue;
        met[insn.row]++;
        assert_int_equal(trn_xtensa_encode(trn_xtensa_name(&insn), insn.value,
                                           trn_xtensa_row_operands(insn.row), pc, again, &length),
                         TRN_OK);
        assert_int_equal(length, insn.length);
        assert_memory_equal(again, bytes, length);
    }
    for (size_t row = 0; row < trn_xtensa_row_count(); row++)
        if (met[row] == 0 && strncmp(trn_xtensa_row_name(row), "ill", 4) != 0)
            fail_msg("%s was never met", trn_xtensa_row_name(row));
}

static void test_encoder_refuses_what_no_row_holds(void **state)
{
    uint8_t out[3];
    size_t length;
    (void)state;
    assert_int_equal(trn_xtensa_encode("nosuch", NULL, 0, 0, out, &length), TRN_ERR_NOT_FOUND);
    assert_int_equal(trn_xtensa_encode("j", (const int32_t[]){0x100000}, 1, 0, out, &length),
                     TRN_ERR_RANGE);
    assert_int_equal(trn_xtensa_encode("addi", (const int32_t[]){2, 2, 128}, 3, 0, out, &length),
                     TRN_ERR_RANGE);
    assert_int_equal(trn_xtensa_encode("addi", (const int32_t[]){2, 16, 1}, 3, 0, out, &length),
                     TRN_ERR_RANGE);
    assert_int_equal(trn_xtensa_encode("l32i", (const int32_t[]){2, 2, 3}, 3, 0, out, &length),
                     TRN_ERR_RANGE);
    assert_int_equal(trn_xtensa_encode("bnei", (const int32_t[]){2, 9, 4}, 3, 0, out, &length),
                     TRN_ERR_RANGE);
    assert_int_equal(trn_xtensa_encode("jx", NULL, 0, 0, out, &length), TRN_ERR_RANGE);
    assert_int_equal(trn_xtensa_encode("j", (const int32_t[]){0x1DC}, 1, 0, out, &length), TRN_OK);
    assert_memory_equal(out, ((const uint8_t[]){0x06, 0x76, 0x00}), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jumps_of_the_reset_vectors),
        cmocka_unit_test(test_rows_of_windowed_cores),
        cmocka_unit_test(test_special_registers),
        cmocka_unit_test(test_all_pairs_of_byte_0_and_byte_3),
        cmocka_unit_test(test_bundles_of_the_sheet),
        cmocka_unit_test(test_scalar_core_has_no_bundles),
        cmocka_unit_test(test_end_of_the_bytes),
        cmocka_unit_test(test_round_trip_of_every_row),
        cmocka_unit_test(test_encoder_refuses_what_no_row_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
