/* SPDX-License-Identifier: Apache-2.0 */
/* Text in a bounded buffer: cut at its end, always terminated. */
#ifndef TRN_ISA_CHECK_TEXT_H
#define TRN_ISA_CHECK_TEXT_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "trench/base.h"

struct text {
    char *at;
    size_t left; /* the terminator included */
};

static inline void say(struct text *text, const char *format, ...) TRN_PRINTF(2, 3);

static inline void say(struct text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(text->at, text->left, format, args);
    va_end(args);
    if (length < 0)
        return;
    const size_t used = (size_t)length < text->left ? (size_t)length : text->left - 1;
    text->at += used;
    text->left -= used;
}

/* The same without a format: a listing of many violations is made of these. */
static inline void put(struct text *text, const char *string)
{
    size_t length = strlen(string);
    if (length > text->left - 1)
        length = text->left - 1;
    memcpy(text->at, string, length);
    text->at += length;
    text->left -= length;
    *text->at = '\0';
}

static inline void put_number(struct text *text, uint64_t value)
{
    char digits[24];
    char *at = digits + sizeof digits - 1;
    *at = '\0';
    do
        *--at = (char)('0' + value % 10);
    while (value /= 10);
    put(text, at);
}

static inline void put_hex(struct text *text, uint64_t value, unsigned width)
{
    char digits[24] = "0x";
    while (width < 16 && trn_bits_get(value, 4 * width, 64 - 4 * width) != 0)
        width++;
    for (unsigned i = 0; i < width; i++)
        digits[2 + i] = "0123456789abcdef"[trn_bits_get(value, 4 * (width - 1 - i), 4)];
    digits[2 + width] = '\0';
    put(text, digits);
}

#endif
