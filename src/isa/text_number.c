/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/text_number.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "isa/text.h"

/* ---- integers --------------------------------------------------------------------- */

static const char hex_digits[] = "0123456789abcdef";

static const char digit_pairs[] = "00010203040506070809101112131415161718192021222324"
                                  "25262728293031323334353637383940414243444546474849"
                                  "50515253545556575859606162636465666768697071727374"
                                  "75767778798081828384858687888990919293949596979899";

static char *put_pair(char *out, unsigned value)
{
    memcpy(out, digit_pairs + 2 * value, 2);
    return out + 2;
}

static char *put_up_to_99(char *out, unsigned value)
{
    if (value >= 10)
        return put_pair(out, value);
    *out = (char)('0' + value);
    return out + 1;
}

char *trn_put_decimal(char *out, uint64_t value)
{
    if (value < 100)
        return put_up_to_99(out, (unsigned)value);
    if (value < 10000)
        return put_pair(put_up_to_99(out, (unsigned)value / 100), (unsigned)value % 100);
    char digits[20];
    char *first = digits + sizeof digits;
    for (; value >= 10; value /= 100) {
        first -= 2;
        put_pair(first, (unsigned)(value % 100));
    }
    if (value)
        *--first = (char)('0' + value);
    const size_t length = (size_t)(digits + sizeof digits - first);
    memcpy(out, first, length);
    return out + length;
}

char *trn_put_signed(char *out, int64_t value)
{
    if (value >= 0)
        return trn_put_decimal(out, (uint64_t)value);
    *out = '-';
    return trn_put_decimal(out + 1, 0 - (uint64_t)value);
}

char *trn_put_hex(char *out, uint64_t value)
{
    *out++ = '0';
    *out++ = 'x';
    const int digits = value ? (67 - __builtin_clzll(value)) / 4 : 1;
    for (int i = digits - 1; i >= 0; i--)
        *out++ = hex_digits[trn_bits_get(value, 4 * (unsigned)i, 4)];
    return out;
}

char *trn_put_unsigned(char *out, uint64_t value)
{
    return value < 65536 ? trn_put_decimal(out, value) : trn_put_hex(out, value);
}

char *trn_put_bytes(char *out, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        *out++ = hex_digits[bytes[i] / 16];
        *out++ = hex_digits[bytes[i] % 16];
    }
    return out;
}

/* ---- printing a float ------------------------------------------------------------- */

/* Shortest decimal by Raffaello Giulietti's Schubfach ("The Schubfach way to render doubles",
 * 2020), for FP32: significand * 10^exponent, no trailing zeros removed. */
struct decimal {
    uint32_t significand;
    int exponent;
};

enum { FP32_BIAS = 150, FP32_FRACTION_BITS = 23 };

static int floor_log2_of_power_of_10(int e)
{
    return e * 1741647 >> 19;
}

static int floor_log10_of_power_of_2(int e)
{
    return e * 1262611 >> 22;
}

static int floor_log10_of_three_quarters_of_power_of_2(int e)
{
    return (e * 1262611 - 524031) >> 22;
}

static uint32_t multiply_to_odd(uint64_t power, uint32_t value)
{
    const unsigned __int128 product = (unsigned __int128)power * value;
    const uint32_t high = (uint32_t)(product >> 64);
    const uint32_t below = (uint32_t)((uint64_t)product >> 32);
    return high | (below > 1);
}

static struct decimal shortest(uint32_t fraction, uint32_t biased)
{
    uint32_t c = fraction;
    int q = 1 - FP32_BIAS;
    if (biased) {
        c |= 1u << FP32_FRACTION_BITS;
        q = (int)biased - FP32_BIAS;
        if (-q >= 0 && -q <= FP32_FRACTION_BITS && (c & ((1u << -q) - 1)) == 0)
            return (struct decimal){c >> -q, 0};
    }
    const bool odd = c & 1;
    const bool closer_below = fraction == 0 && biased > 1;
    const int k = closer_below ? floor_log10_of_three_quarters_of_power_of_2(q)
                               : floor_log10_of_power_of_2(q);
    const int h = q + floor_log2_of_power_of_10(-k) + 1;
    const uint64_t power = trn_text_powers[-k - TRN_TEXT_MIN_POWER];
    const uint32_t lower = multiply_to_odd(power, (4 * c - 2 + closer_below) << h) + odd;
    const uint32_t middle = multiply_to_odd(power, 4 * c << h);
    const uint32_t upper = multiply_to_odd(power, (4 * c + 2) << h) - odd;
    const uint32_t s = middle / 4;
    if (s >= 10) {
        const uint32_t tens = s / 10;
        const bool down = lower <= 40 * tens, up = 40 * tens + 40 <= upper;
        if (down != up)
            return (struct decimal){tens + up, k + 1};
    }
    const bool down = lower <= 4 * s, up = 4 * s + 4 <= upper;
    if (down != up)
        return (struct decimal){s + up, k};
    const uint32_t half = 4 * s + 2;
    const bool round_up = middle > half || (middle == half && (s & 1));
    return (struct decimal){s + round_up, k};
}

/* 0.0001 .. 999999999.0 without an exponent, like most printers. */
static char *put_decimal_float(char *out, struct decimal value)
{
    while (value.significand % 10 == 0) {
        value.significand /= 10;
        value.exponent++;
    }
    char digits[24];
    const int length = (int)(trn_put_decimal(digits, value.significand) - digits);
    const int point = length + value.exponent; /* digits before the point */
    if (point < -3 || point > 9) {
        *out++ = digits[0];
        if (length > 1) {
            *out++ = '.';
            memcpy(out, digits + 1, (size_t)length - 1);
            out += length - 1;
        }
        *out++ = 'e';
        return trn_put_signed(out, point - 1);
    }
    for (int i = point < 1 ? point - 1 : 0; i < length || i < point + 1; i++) {
        if (i == point)
            *out++ = '.';
        *out++ = i < 0 || i >= length ? '0' : digits[i];
    }
    return out;
}

char *trn_put_float(char *out, uint32_t bits)
{
    const uint32_t fraction = (uint32_t)trn_bits_get(bits, 0, FP32_FRACTION_BITS);
    const uint32_t biased = (uint32_t)trn_bits_get(bits, FP32_FRACTION_BITS, 8);
    if (biased == 255 && fraction)
        return trn_put_hex(stpcpy(out, "nan:"), bits);
    if (trn_bits_get(bits, 31, 1))
        *out++ = '-';
    if (biased == 255)
        return stpcpy(out, "inf");
    if (biased == 0 && fraction == 0)
        return stpcpy(out, "0.0");
    return put_decimal_float(out, shortest(fraction, biased));
}

/* ---- reading ---------------------------------------------------------------------- */

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 16;
}

static bool continues_word(char c)
{
    return digit_value(c) < 16 || (c >= 'g' && c <= 'z') || (c >= 'G' && c <= 'Z') || c == '_' ||
           c == '.';
}

static const char *refuse(const char **problem, const char *why)
{
    *problem = why;
    return NULL;
}

/* Correctly rounded by the C library, always in the C locale (a constant object of the library). */
static const char *read_float_slowly(const char *at, struct trn_literal *out, const char **problem)
{
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    char *end = NULL;
    const float value = strtof_l(at, &end, c_locale);
    freelocale(c_locale);
    out->bits = trn_f32_bits(value);
    if (trn_bits_get(out->bits, FP32_FRACTION_BITS, 8) == 255)
        return refuse(problem, "the number is too large for fp32");
    return end;
}

static const double small_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* significand * 10^exponent as FP32. A double product or quotient of exact operands is correctly
 * rounded; rounding it once more is right unless it fell on a midpoint of two floats. */
static bool float_of_decimal(uint64_t significand, int exponent, uint32_t *bits)
{
    if (significand >= UINT64_C(1) << 53 || exponent < -22 || exponent > 22)
        return false;
    const double value = exponent < 0 ? (double)significand / small_powers[-exponent]
                                      : (double)significand * small_powers[exponent];
    uint64_t double_bits;
    memcpy(&double_bits, &value, sizeof double_bits);
    const bool midpoint = trn_bits_get(double_bits, 0, 29) == UINT64_C(1) << 28;
    if (midpoint || (value != 0 && value < 0x1p-126) || value >= 0x1p127)
        return false;
    *bits = trn_f32_bits((float)value);
    return true;
}

/* Digits, point and exponent of a decimal number; `digits` counts the significant ones. */
struct scanned {
    const char *end;
    uint64_t significand;
    int exponent, digits;
    bool is_float, bad;
};

static const char *scan_digits(const char *at, struct scanned *scan)
{
    for (; *at >= '0' && *at <= '9'; at++) {
        if (scan->digits < 19)
            scan->significand = scan->significand * 10 + (uint64_t)(*at - '0');
        scan->digits += scan->significand != 0;
    }
    return at;
}

static struct scanned scan_decimal(const char *at)
{
    struct scanned scan = {0};
    const char *first = at;
    at = scan_digits(at, &scan);
    scan.bad = at == first;
    if (*at == '.') {
        scan.is_float = true;
        const char *fraction = at + 1;
        at = scan_digits(fraction, &scan);
        scan.bad = at == fraction;
        scan.exponent = (int)(fraction - at);
    }
    if (*at == 'e' || *at == 'E') {
        scan.is_float = true;
        at++;
        const bool negative = *at == '-';
        if (*at == '-' || *at == '+')
            at++;
        int exponent = 0;
        const char *digits = at;
        for (; *at >= '0' && *at <= '9'; at++)
            exponent = exponent < 10000 ? exponent * 10 + (*at - '0') : exponent;
        scan.bad |= at == digits;
        scan.exponent += negative ? -exponent : exponent;
    }
    scan.end = at;
    scan.bad |= continues_word(*at);
    return scan;
}

static const char *read_decimal(const char *at, struct trn_literal *out, const char **problem)
{
    const struct scanned scan = scan_decimal(at);
    if (scan.bad)
        return refuse(problem, "a number was expected");
    if (!scan.is_float && scan.digits > 19)
        return refuse(problem, "the number is too long");
    out->kind = scan.is_float ? TRN_LITERAL_FLOAT : TRN_LITERAL_DECIMAL;
    out->magnitude = scan.significand;
    if (!scan.is_float)
        return scan.end;
    if (scan.digits <= 19 && float_of_decimal(scan.significand, scan.exponent, &out->bits))
        return scan.end;
    return read_float_slowly(at, out, problem);
}

/* 0x1F, 0b101, and 0x1.8p3 which is a float. */
static const char *read_bits(const char *at, struct trn_literal *out, const char **problem)
{
    const int base = at[1] == 'x' || at[1] == 'X' ? 16 : 2;
    const char *digit = at + 2;
    out->kind = TRN_LITERAL_BITS;
    for (; digit_value(*digit) < base; digit++) {
        if (out->magnitude > UINT64_MAX / (unsigned)base)
            return refuse(problem, "the number has more than 64 bits");
        out->magnitude = out->magnitude * (unsigned)base + (unsigned)digit_value(*digit);
    }
    if (base == 16 && (*digit == '.' || *digit == 'p' || *digit == 'P')) {
        out->kind = TRN_LITERAL_FLOAT;
        const char *end = read_float_slowly(at, out, problem);
        if (end && (end <= digit || continues_word(*end)))
            return refuse(problem, "a number was expected");
        return end;
    }
    if (digit == at + 2 || continues_word(*digit))
        return refuse(problem, "a number was expected");
    return digit;
}

/* Numbers that are not digits: inf, nan, nan:0x7fc00001. */
static const char *read_special(const char *at, struct trn_literal *out, const char **problem)
{
    out->kind = TRN_LITERAL_FLOAT;
    if (memcmp(at, "inf", 3) == 0 && !continues_word(at[3])) {
        out->bits = 0x7F800000;
        return at + 3;
    }
    if (memcmp(at, "nan", 3) != 0 || continues_word(at[3]))
        return refuse(problem, "a number was expected");
    if (at[3] != ':') {
        out->bits = 0x7FC00000;
        return at + 3;
    }
    const char *end = memcmp(at + 4, "0x", 2) == 0 ? read_bits(at + 4, out, problem) : NULL;
    if (!end || out->kind != TRN_LITERAL_BITS || out->magnitude > UINT32_MAX)
        return refuse(problem, "nan: needs the 32 bits, as in nan:0x7fc00001");
    out->kind = TRN_LITERAL_FLOAT;
    out->bits = (uint32_t)out->magnitude;
    return end;
}

static const char *read_unsigned(const char *at, struct trn_literal *out, const char **problem)
{
    if (*at == '0' && (at[1] == 'x' || at[1] == 'X' || at[1] == 'b' || at[1] == 'B'))
        return read_bits(at, out, problem);
    if (*at >= '0' && *at <= '9')
        return read_decimal(at, out, problem);
    return read_special(at, out, problem);
}

static const char *read_signed(const char *at, struct trn_literal *out, const char **problem)
{
    *out = (struct trn_literal){.negative = *at == '-'};
    const char *end = read_unsigned(at + (*at == '-' || *at == '+'), out, problem);
    if (end && out->negative && out->kind == TRN_LITERAL_FLOAT)
        out->bits ^= UINT32_C(1) << 31;
    return end;
}

const char *trn_read_literal(const char *at, struct trn_literal *out, const char **problem)
{
    if (*at != 'f' || memcmp(at, "fp32:", 5) != 0)
        return read_signed(at, out, problem);
    const char *end = read_signed(at + 5, out, problem);
    if (end && out->kind == TRN_LITERAL_BITS)
        return refuse(problem, "fp32: needs a number in decimal");
    *out = (struct trn_literal){.kind = TRN_LITERAL_BITS, .magnitude = trn_literal_fp32(out)};
    return end;
}

uint32_t trn_literal_fp32(const struct trn_literal *number)
{
    if (number->kind == TRN_LITERAL_FLOAT)
        return number->bits;
    const float value = (float)number->magnitude;
    return trn_f32_bits(number->negative ? -value : value);
}
