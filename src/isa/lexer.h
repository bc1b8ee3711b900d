/* SPDX-License-Identifier: Apache-2.0 */
/* Characters and words of the text form. A line ends in '\n': scanning never needs its length. */
#ifndef TRN_ISA_LEXER_H
#define TRN_ISA_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TRN_CHAR_SPACE = 1, /* between operands: blank, tab, carriage return */
    TRN_CHAR_FIRST = 2, /* may begin a name */
    TRN_CHAR_NAME = 4,  /* may go on in a name */
    TRN_CHAR_DIGIT = 8,
    TRN_CHAR_END = 16 /* ends the operands of a line: newline, comment */
};

extern const uint8_t trn_char_class[256];

static inline bool trn_char_is(char c, unsigned classes)
{
    return (trn_char_class[(uint8_t)c] & classes) != 0;
}

static inline const char *trn_skip_spaces(const char *at)
{
    while (trn_char_is(*at, TRN_CHAR_SPACE))
        at++;
    return at;
}

/* End of the name that begins at `at` (`at` itself when none does). */
static inline const char *trn_skip_name(const char *at)
{
    if (trn_char_is(*at, TRN_CHAR_FIRST))
        while (trn_char_is(*at, TRN_CHAR_NAME))
            at++;
    return at;
}

/* A decimal number of at most nine digits and nothing else; NULL when there is something else. */
static inline const char *trn_read_small(const char *at, uint64_t *out)
{
    const char *digit = at;
    uint32_t value = 0;
    while (trn_char_is(*digit, TRN_CHAR_DIGIT) && digit - at < 9)
        value = value * 10 + (uint32_t)(*digit++ - '0');
    *out = value;
    return digit == at || trn_char_is(*digit, TRN_CHAR_NAME) ? NULL : digit;
}

/* rN: its end and its number (at most 255); NULL when `at` holds no register. */
const char *trn_read_register(const char *at, uint8_t *number);

#endif
