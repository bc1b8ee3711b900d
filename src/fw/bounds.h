/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges that come from a file: no sum may wrap before it is compared. */
#ifndef TRN_FW_BOUNDS_H
#define TRN_FW_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

/* Do `size` bytes at `offset` lie inside the first `limit` bytes? */
static inline bool fw_inside(uint64_t offset, uint64_t size, uint64_t limit)
{
    return offset <= limit && size <= limit - offset;
}

/* `count` entries of `each` bytes at `offset`. */
static inline bool fw_table_inside(uint64_t offset, uint64_t count, uint64_t each, uint64_t limit)
{
    uint64_t size;
    return !__builtin_mul_overflow(count, each, &size) && fw_inside(offset, size, limit);
}

#endif
