/* SPDX-License-Identifier: Apache-2.0 */
/* BAR0 memories that only remember: instruction RAMs, data RAMs, tables. A range takes memory on
 * its first write; until then it reads 0. Any size and alignment (address-map.md 6.4). */
#ifndef TRN_DEVICE_STORAGE_H
#define TRN_DEVICE_STORAGE_H

#include "trench/base.h"

struct trn_storage_range {
    uint64_t offset, size; /* BAR0 offsets */
    uint8_t *bytes;        /* NULL: still all zero */
};

struct trn_storage {
    struct trn_storage_range *ranges;
    size_t num_ranges, capacity;
};

/* TRN_ERR_NO_MEMORY. Where ranges overlap the one added first owns the bytes. */
trn_status trn_storage_add(struct trn_storage *storage, uint64_t offset, uint64_t size);
void trn_storage_free(struct trn_storage *storage);

/* The range that holds [offset, offset + size), NULL when none does. */
struct trn_storage_range *trn_storage_find(struct trn_storage *storage, uint64_t offset,
                                           uint64_t size);

/* `offset` and `size` must lie in the range. */
void trn_storage_read(const struct trn_storage_range *range, uint64_t offset, void *data,
                      size_t size);
/* TRN_ERR_NO_MEMORY. */
trn_status trn_storage_write(struct trn_storage_range *range, uint64_t offset, const void *data,
                             size_t size);

#endif
