/* SPDX-License-Identifier: Apache-2.0 */
/* BAR0 ranges that only remember: instruction RAMs, tables, registers without behaviour. A range
 * takes memory on its first write; until then it reads as its reset content, 0. */
#ifndef TRN_DEVICE_STORAGE_H
#define TRN_DEVICE_STORAGE_H

#include <stdbool.h>

#include "trench/base.h"

struct trn_storage_range {
    uint64_t offset, size; /* BAR0 offsets */
    bool registers;        /* aligned 32-bit accesses only */
    uint8_t *bytes;        /* NULL: still all zero */
};

enum { TRN_STORAGE_RANGES = 32 };

struct trn_storage {
    struct trn_storage_range ranges[TRN_STORAGE_RANGES];
    size_t num_ranges;
};

/* Ranges must not overlap; one past the capacity is dropped. */
void trn_storage_add(struct trn_storage *storage, uint64_t offset, uint64_t size, bool registers);
void trn_storage_free(struct trn_storage *storage);

/* The range that holds [offset, offset + size), NULL when none does. */
struct trn_storage_range *trn_storage_find(struct trn_storage *storage, uint64_t offset,
                                           uint64_t size);

/* `offset` and `size` must lie in the range. TRN_ERR_INVALID: not whole aligned registers. */
trn_status trn_storage_read(const struct trn_storage_range *range, uint64_t offset, void *data,
                            size_t size);
/* TRN_ERR_NO_MEMORY besides. */
trn_status trn_storage_write(struct trn_storage_range *range, uint64_t offset, const void *data,
                             size_t size);

#endif
