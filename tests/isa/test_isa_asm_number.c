/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of the text form against the C library, which rounds correctly by its own means. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "isa/text_number.h"

enum { MARGIN = 16 };

static uint64_t random_state = 7;

static uint64_t next_random(void) /* splitmix64 */
{
    uint64_t z = random_state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static const char *print_float(uint32_t bits)
{
    static char text[32];
    *trn_put_float(text, bits) = '\0';
    return text;
}

/* Bits of a number that reads to its end; fails otherwise. */
static struct trn_literal read_all(const char *number)
{
    char text[256 + MARGIN] = {0};
    snprintf(text, 256, "%s\n", number);
    struct trn_literal literal;
    const char *problem = "";
    const char *end = trn_read_literal(text, &literal, &problem);
    if (!end || *end != '\n')
        fail_msg("%s: %s", number, problem);
    return literal;
}

static bool is_refused(const char *number)
{
    char text[64 + MARGIN] = {0};
    snprintf(text, 64, "%s\n", number);
    struct trn_literal literal;
    const char *problem = NULL;
    const char *end = trn_read_literal(text, &literal, &problem);
    return !end && problem;
}

/* Exact, and no decimal with one digit less would be. */
static void check_shortest(uint32_t bits)
{
    const char *text = print_float(bits);
    assert_int_equal(trn_f32_bits(strtof(text, NULL)), bits);
    assert_int_equal(read_all(text).bits, bits);
    size_t digits = 0;
    bool leading = true;
    for (const char *c = text; *c && *c != 'e'; c++) {
        leading = leading && (*c == '0' || *c == '.' || *c == '-');
        digits += !leading && *c >= '0' && *c <= '9';
    }
    const char *mantissa_end = strchr(text, 'e') ? strchr(text, 'e') : text + strlen(text);
    for (const char *c = mantissa_end - 1; digits > 1 && (*c == '0' || *c == '.'); c--)
        digits -= *c == '0';
    if (digits < 2)
        return;
    char shorter[32];
    snprintf(shorter, sizeof shorter, "%.*e", (int)digits - 2, (double)trn_bits_f32(bits));
    if (trn_f32_bits(strtof(shorter, NULL)) == bits)
        fail_msg("%s is not the shortest, %s is", text, shorter);
}

static void test_float_is_the_shortest_decimal(void **state)
{
    (void)state;
    for (uint32_t bits = 1; bits < 0x7F800000; bits += 9973)
        check_shortest(bits);
    for (unsigned exponent = 0; exponent < 255; exponent++) /* powers of two: an uneven interval */
        for (int delta = -2; delta <= 2; delta++)
            if (exponent || delta > 0)
                check_shortest((uint32_t)((int)(exponent << 23) + delta));
}

static void test_float_forms(void **state)
{
    (void)state;
    static const struct {
        uint32_t bits;
        const char *text;
    } rows[] = {
        {0x00000000, "0.0"},
        {0x80000000, "-0.0"},
        {0x3FC00000, "1.5"},
        {0xBF800000, "-1.0"},
        {0x3DCCCCCD, "0.1"},
        {0x38D1B717, "0.0001"},
        {0x3727C5AC, "1e-5"},
        {0x4B800000, "16777216.0"},
        {0x4E6E6B28, "1e9"},
        {0x4CEB79A3, "123456790.0"},
        {0x7F7FFFFF, "3.4028235e38"},
        {0x00000001, "1e-45"},
        {0x00800000, "1.1754944e-38"},
        {0x7F800000, "inf"},
        {0xFF800000, "-inf"},
        {0x7FC00000, "nan:0x7fc00000"},
        {0xFF800001, "nan:0xff800001"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(print_float(rows[i].bits), rows[i].text);
        const struct trn_literal literal = read_all(rows[i].text);
        assert_int_equal(literal.kind, TRN_LITERAL_FLOAT);
        assert_int_equal(literal.bits, rows[i].bits);
    }
}

/* Random digits and exponents, midpoints of two floats among them. */
static void test_decimal_is_rounded_correctly(void **state)
{
    (void)state;
    char text[96];
    for (int i = 0; i < 400000; i++) {
        const uint64_t r = next_random();
        if (i % 4 == 0) { /* the midpoint above a float, exactly, then a little more */
            const uint32_t bits = (uint32_t)(r % 0x7F000000);
            const double middle = ((double)trn_bits_f32(bits) + (double)trn_bits_f32(bits + 1)) / 2;
            snprintf(text, sizeof text, i % 8 ? "%.40e" : "%.16e", middle);
        } else if (i % 4 == 1) {
            snprintf(text, sizeof text, "%u.%u", (unsigned)(r % 100000), (unsigned)(r >> 40));
        } else {
            snprintf(text, sizeof text, "%llue%d", (unsigned long long)(r >> (r % 60)),
                     (int)(next_random() % 70) - 55);
        }
        const float expected = strtof(text, NULL);
        if (expected > 0x1.fffffep127f)
            continue;
        if (read_all(text).bits != trn_f32_bits(expected))
            fail_msg("%s: 0x%08x, not 0x%08x", text, read_all(text).bits, trn_f32_bits(expected));
    }
}

static void test_integers_and_bits(void **state)
{
    (void)state;
    assert_int_equal(read_all("42").kind, TRN_LITERAL_DECIMAL);
    assert_int_equal(read_all("42").magnitude, 42);
    assert_true(read_all("-42").negative);
    assert_int_equal(read_all("0x1F").magnitude, 31);
    assert_int_equal(read_all("0x1F").kind, TRN_LITERAL_BITS);
    assert_int_equal(read_all("0b101").magnitude, 5);
    assert_int_equal(read_all("0xFFFFFFFFFFFFFFFF").magnitude, UINT64_MAX);
    assert_int_equal(read_all("fp32:1.5").magnitude, 0x3FC00000);
    assert_int_equal(read_all("fp32:-2").magnitude, 0xC0000000);
    assert_int_equal(read_all("0x1.8p1").bits, 0x40400000); /* 3.0 */
    assert_int_equal(read_all("+7").magnitude, 7);
    assert_int_equal(read_all("9999999999999999999").magnitude, 9999999999999999999u);
}

static void test_what_is_no_number_is_refused(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "",
        "-",
        "x",
        "0x",
        "0b2",
        "1.",
        ".5",
        "1e",
        "1e+",
        "1.5x",
        "0x1g",
        "12abc",
        "nan:",
        "nan:7",
        "infx",
        "nan:0x",
        "1e39",
        "0x1p200",
        "1..2",
        "0x10000000000000000",
        "nan:0x100000000",
        "123456789012345678901",
        "fp32:0x1",
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (!is_refused(rows[i]))
            fail_msg("'%s' is taken for a number", rows[i]);
}

static void test_integers_are_printed(void **state)
{
    (void)state;
    static const uint64_t values[] = {
        0, 9, 10, 99, 100, 9999, 10000, 65535, 65536, 99999999, 100000000, UINT32_MAX, UINT64_MAX};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char ours[32], theirs[32];
        *trn_put_decimal(ours, values[i]) = '\0';
        snprintf(theirs, sizeof theirs, "%llu", (unsigned long long)values[i]);
        assert_string_equal(ours, theirs);
        *trn_put_hex(ours, values[i]) = '\0';
        snprintf(theirs, sizeof theirs, "0x%llx", (unsigned long long)values[i]);
        assert_string_equal(ours, theirs);
        *trn_put_signed(ours, (int64_t)values[i]) = '\0';
        snprintf(theirs, sizeof theirs, "%lld", (long long)values[i]);
        assert_string_equal(ours, theirs);
    }
    char text[32];
    *trn_put_signed(text, INT64_MIN) = '\0';
    assert_string_equal(text, "-9223372036854775808");
    *trn_put_unsigned(text, 65535) = '\0';
    assert_string_equal(text, "65535");
    *trn_put_unsigned(text, 65536) = '\0';
    assert_string_equal(text, "0x10000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_float_is_the_shortest_decimal),
        cmocka_unit_test(test_float_forms),
        cmocka_unit_test(test_decimal_is_rounded_correctly),
        cmocka_unit_test(test_integers_and_bits),
        cmocka_unit_test(test_what_is_no_number_is_refused),
        cmocka_unit_test(test_integers_are_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
