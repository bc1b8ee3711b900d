/* SPDX-License-Identifier: Apache-2.0 */
/* The decoder against binutils for Xtensa, line by line: on every instruction of two C libraries,
 * and on a great many words at random. Where the tool decodes a word, binutils must read the same
 * text at the same address, or must not know the row at all (verification V2, N, I and - of
 * docs/hardware/xtensa-subset.md). Skipped where binutils-xtensa-lx106 is not installed. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "trench/fw_code.h"

#define OBJDUMP "xtensa-lx106-elf-objdump"
#define LIBGCC  "/usr/lib/gcc/xtensa-lx106-elf/12.2.0/libgcc.a"
#define LIBC    "/usr/lib/xtensa-lx106-elf/lib/libc.a"

enum { SKIPPED = 77, RANDOM_WORDS = 200000, LINE = 512 };

/* What one disassembly came to. */
struct tally {
    size_t lines;   /* instructions that binutils prints */
    size_t agreed;  /* decoded by both, to the same text */
    size_t outside; /* binutils decodes, the tool says "outside the subset" */
    size_t ours;    /* the tool decodes a row that this binutils does not know */
    size_t neither;
    size_t different;
    bool seen[256]; /* rows agreed on */
};

/* ---- one line --------------------------------------------------------------------- */

/* "   8:\t3023b6        \tbltui\ta3, 2, 3c <__modsi3+0x3c>" */
struct line {
    uint32_t pc;
    uint8_t bytes[4];
    size_t size;
    char text[3 * LINE]; /* as the tool prints it */
};

/* The number is the word; its lowest byte lies first. */
static size_t read_word(const char *digits, size_t count, uint8_t *bytes)
{
    const unsigned long word = strtoul(digits, NULL, 16);
    for (size_t i = 0; i < count / 2 && i < 4; i++)
        bytes[i] = (uint8_t)(word >> 8 * i);
    return count / 2;
}

/* Targets of objects are printed as "3c <name+0x3c>", those of flat files as "0x3c". */
static void join(struct line *line, const char *mnemonic, const char *operands)
{
    char text[LINE];
    const char *const symbol = strstr(operands, " <");
    const size_t length = symbol ? (size_t)(symbol - operands) : strlen(operands);
    snprintf(text, sizeof text, "%.*s", (int)length, operands);
    char *const last = strrchr(text, ' ');
    char *const target = last ? last + 1 : text;
    if (symbol)
        snprintf(line->text, sizeof line->text, "%s %.*s0x%s", mnemonic, (int)(target - text), text,
                 target);
    else
        snprintf(line->text, sizeof line->text, "%s%s%s", mnemonic, *text ? " " : "", text);
}

static bool read_line(char *from, struct line *line)
{
    char *rest = strchr(from, ':');
    char *const loaded = strstr(from, " (0x"); /* what l32r would load */
    from[strcspn(from, "\n")] = '\0';
    if (loaded)
        *loaded = '\0';
    if (!rest || rest[1] != '\t')
        return false;
    line->pc = (uint32_t)strtoul(from, NULL, 16);
    char *const word = rest + 2;
    const size_t digits = strspn(word, "0123456789abcdef");
    char *const mnemonic = strchr(word, '\t');
    if (!mnemonic || (digits != 4 && digits != 6))
        return false;
    line->size = read_word(word, digits, line->bytes);
    char *operands = strchr(mnemonic + 1, '\t');
    if (operands)
        *operands++ = '\0';
    join(line, mnemonic + 1, operands ? operands : "");
    return true;
}

/* binutils prints excw for what it cannot decode; .byte for what is no code. */
static bool is_decoded(const struct line *line)
{
    return strcmp(line->text, "excw") != 0 && line->text[0] != '.';
}

/* Is there a reason why this binutils does not know the instruction? */
static bool is_of_other_cores(const struct trn_xtensa_insn *insn)
{
    const char *const verified = trn_xtensa_row_verified(insn->row);
    const char *const name = trn_xtensa_name(insn);
    char text[TRN_XTENSA_TEXT_MAX];
    if (strncmp(verified, "V1", 2) != 0)
        return true;
    /* a special register that the core has no name for is printed by its number */
    trn_xtensa_print(insn, text);
    const char *const dot = strchr(text, '.');
    const bool special =
        strcmp(name, "rsr") == 0 || strcmp(name, "wsr") == 0 || strcmp(name, "xsr") == 0;
    return special && dot && dot[1] >= '0' && dot[1] <= '9';
}

static void compare(const struct line *line, struct tally *tally)
{
    struct trn_xtensa_insn insn;
    char text[TRN_XTENSA_TEXT_MAX];
    trn_xtensa_decode(TRN_XTENSA_SCALAR, line->bytes, line->size, line->pc, &insn);
    trn_xtensa_print(&insn, text);
    const bool ours = insn.kind == TRN_XTENSA_INSTRUCTION;
    tally->lines++;
    if (!is_decoded(line)) {
        tally->neither += !ours;
        tally->ours += ours;
        if (ours && !is_of_other_cores(&insn)) {
            tally->different++;
            print_error("%x: binutils does not decode what reads '%s'\n", line->pc, text);
        }
        return;
    }
    if (!ours) {
        tally->outside++;
        assert_non_null(strstr(text, "outside the subset"));
        return;
    }
    if (insn.length == line->size && strcmp(text, line->text) == 0) {
        tally->agreed++;
        tally->seen[insn.row] = true;
        return;
    }
    tally->different++;
    if (tally->different < 20)
        print_error("%x: '%s', binutils '%s'\n", line->pc, text, line->text);
}

static struct tally run(const char *command)
{
    struct tally tally = {0};
    struct line line;
    char text[LINE];
    FILE *const from = popen(command, "r");
    assert_non_null(from);
    while (fgets(text, sizeof text, from))
        if (read_line(text, &line))
            compare(&line, &tally);
    assert_int_equal(pclose(from), 0);
    print_message("%s\n  %zu lines: %zu agreed, %zu outside the subset, %zu of other cores, "
                  "%zu decoded by neither, %zu different\n",
                  command, tally.lines, tally.agreed, tally.outside, tally.ours, tally.neither,
                  tally.different);
    return tally;
}

/* ---- tests ------------------------------------------------------------------------ */

/* The libraries of Debian 12 hold 8,722 and 71,609 lines with 2 or 3 bytes. */
static void test_every_instruction_of_libgcc(void **state)
{
    (void)state;
    const struct tally tally = run(OBJDUMP " -d " LIBGCC);
    assert_int_equal(tally.different, 0);
    assert_true(tally.agreed > 7000);
    assert_int_equal(tally.outside, 0);
}

static void test_every_instruction_of_libc(void **state)
{
    (void)state;
    const struct tally tally = run(OBJDUMP " -d " LIBC);
    assert_int_equal(tally.different, 0);
    assert_true(tally.agreed > 70000);
    assert_int_equal(tally.outside, 0);
}

/* xorshift64 */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Every word of the groups that are told apart by all their fields (op0 0, op1 0, op2 0 and 4). */
static void write_control_words(FILE *to)
{
    for (uint32_t word = 0; word < 0x2000; word++) {
        const uint8_t bytes[3] = {(uint8_t)(word << 4), (uint8_t)(word >> 4 & 0xFF),
                                  (uint8_t)(word >> 12 ? 0x40 : 0)};
        assert_int_equal(fwrite(bytes, 1, 3, to), 3);
    }
}

/* Half of the words at random, half with the upper fields that common groups have. */
static void write_words(FILE *to)
{
    uint64_t state = 0x9E3779B97F4A7C15;
    for (int i = 0; i < RANDOM_WORDS; i++) {
        uint64_t word = next_random(&state);
        if (i % 2)
            word &= i % 4 == 1 ? 0xF0FFF0 : 0x00FFF0;
        const uint8_t bytes[3] = {(uint8_t)((word & 0xF0) | (uint64_t)(i % 8)),
                                  (uint8_t)(word >> 8), (uint8_t)(word >> 16)};
        assert_int_equal(fwrite(bytes, 1, 3, to), 3);
    }
    for (uint32_t word = 0; word < 0x10000; word++) {
        const uint8_t bytes[2] = {(uint8_t)word, (uint8_t)(word >> 8)};
        if (word % 16 >= 8 && word % 16 < 14)
            assert_int_equal(fwrite(bytes, 1, 2, to), 2);
    }
}

static void test_words_at_random_and_every_short_word(void **state)
{
    char path[] = "/tmp/test_fw_oracle_XXXXXX";
    char command[128];
    const int file = mkstemp(path);
    (void)state;
    assert_true(file >= 0);
    FILE *const to = fdopen(file, "wb");
    assert_non_null(to);
    write_words(to);
    write_control_words(to);
    assert_int_equal(fclose(to), 0);
    snprintf(command, sizeof command, OBJDUMP " -EL -D -z -b binary -m xtensa %s", path);
    const struct tally tally = run(command);
    unlink(path);
    assert_int_equal(tally.different, 0);
    assert_true(tally.agreed > 100000);
    for (size_t row = 0; row < trn_xtensa_row_count(); row++)
        if (strncmp(trn_xtensa_row_verified(row), "V1", 2) == 0 && !tally.seen[row])
            fail_msg("%s was never met", trn_xtensa_row_name(row));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_instruction_of_libgcc),
        cmocka_unit_test(test_every_instruction_of_libc),
        cmocka_unit_test(test_words_at_random_and_every_short_word),
    };
    if (system("command -v " OBJDUMP " >/dev/null") != 0 || access(LIBGCC, R_OK) != 0 ||
        access(LIBC, R_OK) != 0) {
        puts("skipped: install binutils-xtensa-lx106 gcc-xtensa-lx106 picolibc-xtensa-lx106-elf");
        return SKIPPED;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
