/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/lexer.h"

enum { FIRST = TRN_CHAR_FIRST | TRN_CHAR_NAME, DIGIT = TRN_CHAR_NAME | TRN_CHAR_DIGIT };

const uint8_t trn_char_class[256] = {
    [' '] = TRN_CHAR_SPACE, ['\t'] = TRN_CHAR_SPACE, ['\r'] = TRN_CHAR_SPACE, ['\n'] = TRN_CHAR_END,
    [';'] = TRN_CHAR_END,   ['0' ... '9'] = DIGIT,   ['a' ... 'z'] = FIRST,   ['A' ... 'Z'] = FIRST,
    ['_'] = FIRST,          ['.'] = TRN_CHAR_NAME, /* members of a byte: tile_size.row_size */
};

const char *trn_read_register(const char *at, uint8_t *number)
{
    if (*at != 'r' && *at != 'R')
        return NULL;
    const char *digit = at + 1;
    unsigned value = 0;
    for (; trn_char_is(*digit, TRN_CHAR_DIGIT) && value <= UINT8_MAX; digit++)
        value = value * 10 + (unsigned)(*digit - '0');
    if (digit == at + 1 || value > UINT8_MAX || trn_char_is(*digit, TRN_CHAR_NAME))
        return NULL;
    *number = (uint8_t)value;
    return digit;
}
