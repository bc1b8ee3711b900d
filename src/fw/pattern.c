/* SPDX-License-Identifier: Apache-2.0 */
/* Byte patterns of code (data/fw-patterns.csv): exact, at every offset, of no policy. */
#include <string.h>

#include "fw/dispatch_rows.h"

const char *trn_fw_pattern_name(enum trn_fw_pattern pattern)
{
    return (size_t)pattern < TRN_FW_PATTERNS ? trn_fw_pattern_table[pattern].name : NULL;
}

const char *trn_fw_pattern_text(enum trn_fw_pattern pattern)
{
    return (size_t)pattern < TRN_FW_PATTERNS ? trn_fw_pattern_table[pattern].text : NULL;
}

static bool matches(const struct trn_fw_pattern_row *row, const uint8_t *bytes)
{
    for (size_t i = 0; i < row->size; i++)
        if ((bytes[i] & row->byte[i].mask) != row->byte[i].value)
            return false;
    return true;
}

/* Every pattern starts with a whole byte: tablegen proves it. */
size_t trn_fw_pattern_find(enum trn_fw_pattern pattern, const uint8_t *bytes, size_t size,
                           size_t start)
{
    const struct trn_fw_pattern_row *const row = &trn_fw_pattern_table[pattern];
    if (size < row->size)
        return SIZE_MAX;
    const size_t last = size - row->size;
    while (start <= last) {
        const uint8_t *const hit = memchr(bytes + start, row->byte[0].value, last - start + 1);
        if (!hit)
            return SIZE_MAX;
        start = (size_t)(hit - bytes);
        if (matches(row, hit))
            return start;
        start++;
    }
    return SIZE_MAX;
}

uint64_t trn_fw_pattern_count(enum trn_fw_pattern pattern, const uint8_t *bytes, size_t size)
{
    uint64_t count = 0;
    for (size_t at = trn_fw_pattern_find(pattern, bytes, size, 0); at != SIZE_MAX;
         at = trn_fw_pattern_find(pattern, bytes, size, at + 1))
        count++;
    return count;
}
