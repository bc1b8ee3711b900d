/* SPDX-License-Identifier: Apache-2.0 */
#include "device/storage.h"

#include <stdlib.h>
#include <string.h>

void trn_storage_add(struct trn_storage *storage, uint64_t offset, uint64_t size, bool registers)
{
    if (storage->num_ranges < TRN_STORAGE_RANGES)
        storage->ranges[storage->num_ranges++] =
            (struct trn_storage_range){.offset = offset, .size = size, .registers = registers};
}

void trn_storage_free(struct trn_storage *storage)
{
    for (size_t i = 0; i < storage->num_ranges; i++)
        free(storage->ranges[i].bytes);
    storage->num_ranges = 0;
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

static bool access_fits(const struct trn_storage_range *range, uint64_t offset, size_t size)
{
    return !range->registers || (offset % 4 == 0 && size % 4 == 0);
}

trn_status trn_storage_read(const struct trn_storage_range *range, uint64_t offset, void *data,
                            size_t size)
{
    if (!access_fits(range, offset, size))
        return TRN_ERR_INVALID;
    if (range->bytes)
        memcpy(data, range->bytes + (offset - range->offset), size);
    else
        memset(data, 0, size);
    return TRN_OK;
}

trn_status trn_storage_write(struct trn_storage_range *range, uint64_t offset, const void *data,
                             size_t size)
{
    if (!access_fits(range, offset, size))
        return TRN_ERR_INVALID;
    if (!range->bytes)
        range->bytes = calloc(1, range->size);
    if (!range->bytes)
        return TRN_ERR_NO_MEMORY;
    memcpy(range->bytes + (offset - range->offset), data, size);
    return TRN_OK;
}
