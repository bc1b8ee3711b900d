/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/hbm.h"

#include <stdlib.h>
#include <string.h>

#include "mem/store.h"

/* One row of bytes. */
struct trn_hbm {
    struct trn_store store;
};

trn_status trn_hbm_create(uint64_t size, enum trn_reset content, uint64_t seed,
                          struct trn_hbm **out)
{
    *out = NULL;
    if (size == 0)
        return TRN_ERR_INVALID;
    if (size > TRN_HBM_MAX_BYTES || size > SIZE_MAX)
        return TRN_ERR_TOO_LARGE;
    struct trn_hbm *hbm = calloc(1, sizeof *hbm);
    if (!hbm)
        return TRN_ERR_NO_MEMORY;
    hbm->store = (struct trn_store){.rows = 1,
                                    .pitch = (size_t)size,
                                    .row_bytes = (size_t)size,
                                    .content = content,
                                    .seed = seed};
    const trn_status status = trn_store_init(&hbm->store);
    if (status != TRN_OK) {
        free(hbm);
        return status;
    }
    *out = hbm;
    return TRN_OK;
}

void trn_hbm_destroy(struct trn_hbm *hbm)
{
    if (!hbm)
        return;
    trn_store_destroy(&hbm->store);
    free(hbm);
}

void trn_hbm_reset(struct trn_hbm *hbm, enum trn_reset content, uint64_t seed)
{
    trn_store_reset(&hbm->store, content, seed);
}

uint64_t trn_hbm_size(const struct trn_hbm *hbm)
{
    return hbm->store.row_bytes;
}

uint8_t *trn_hbm_span(struct trn_hbm *hbm, uint64_t offset, uint64_t size)
{
    const uint64_t total = hbm->store.row_bytes;
    if (offset > total || size > total - offset)
        return NULL;
    trn_store_touch(&hbm->store, 0, 1, offset, size);
    return hbm->store.bytes + offset;
}

trn_status trn_hbm_read(struct trn_hbm *hbm, uint64_t offset, void *data, size_t size)
{
    const uint8_t *bytes = trn_hbm_span(hbm, offset, size);
    if (!bytes)
        return TRN_ERR_ADDRESS;
    memcpy(data, bytes, size);
    return TRN_OK;
}

trn_status trn_hbm_write(struct trn_hbm *hbm, uint64_t offset, const void *data, size_t size)
{
    uint8_t *bytes = trn_hbm_span(hbm, offset, size);
    if (!bytes)
        return TRN_ERR_ADDRESS;
    memcpy(bytes, data, size);
    return TRN_OK;
}

trn_status trn_hbm_copy(struct trn_hbm *hbm, uint64_t to, uint64_t from, uint64_t size)
{
    uint8_t *target = trn_hbm_span(hbm, to, size);
    const uint8_t *source = trn_hbm_span(hbm, from, size);
    if (!target || !source)
        return TRN_ERR_ADDRESS;
    memmove(target, source, (size_t)size);
    return TRN_OK;
}
