/* SPDX-License-Identifier: Apache-2.0 */
#include "device/storage.h"

#include <stdlib.h>
#include <string.h>

trn_status trn_storage_add(struct trn_storage *storage, uint64_t offset, uint64_t size)
{
    if (storage->num_ranges == storage->capacity) {
        const size_t wanted = storage->capacity ? 2 * storage->capacity : 32;
        void *grown = realloc(storage->ranges, wanted * sizeof *storage->ranges);
        if (!grown)
            return TRN_ERR_NO_MEMORY;
        storage->ranges = grown;
        storage->capacity = wanted;
    }
    storage->ranges[storage->num_ranges++] =
        (struct trn_storage_range){.offset = offset, .size = size};
    return TRN_OK;
}

void trn_storage_free(struct trn_storage *storage)
{
    for (size_t i = 0; i < storage->num_ranges; i++)
        free(storage->ranges[i].bytes);
    free(storage->ranges);
    *storage = (struct trn_storage){0};
}

struct trn_storage_range *trn_storage_find(struct trn_storage *storage, uint64_t offset,
                                           uint64_t size)
{
    for (size_t i = 0; i < storage->num_ranges; i++) {
        struct trn_storage_range *range = &storage->ranges[i];
        if (offset >= range->offset && size <= range->size &&
            offset - range->offset <= range->size - size)
            return range;
    }
    return NULL;
}

void trn_storage_read(const struct trn_storage_range *range, uint64_t offset, void *data,
                      size_t size)
{
    if (range->bytes)
        memcpy(data, range->bytes + (offset - range->offset), size);
    else
        memset(data, 0, size);
}

trn_status trn_storage_write(struct trn_storage_range *range, uint64_t offset, const void *data,
                             size_t size)
{
    if (!range->bytes)
        range->bytes = calloc(1, range->size);
    if (!range->bytes)
        return TRN_ERR_NO_MEMORY;
    memcpy(range->bytes + (offset - range->offset), data, size);
    return TRN_OK;
}
