/* SPDX-License-Identifier: Apache-2.0 */
/* The default images by the hash of their padded form, so that a trace of ours needs no files. */
#include <stdlib.h>
#include <string.h>

#include "cli/replay.h"
#include "trench/ucode.h"

/* Bytes come in few sizes, one an aperture: every image is hashed once a size. */
struct padded {
    uint8_t sha256[SHA256_BYTES];
    size_t size;
    const void *bytes;
    size_t bytes_size;
};

struct replay_images {
    const struct trn_gen *gen;
    struct padded *list;
    size_t count;
};

trn_status replay_images_create(const struct trn_gen *gen, struct replay_images **out)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return TRN_ERR_NO_MEMORY;
    (*out)->gen = gen;
    return TRN_OK;
}

static uint8_t *pad(const void *bytes, size_t bytes_size, size_t size)
{
    uint8_t *data = calloc(1, size);
    if (data)
        memcpy(data, bytes, bytes_size);
    return data;
}

static trn_status add_padded(struct replay_images *images, const void *bytes, size_t bytes_size,
                             size_t size)
{
    struct padded *grown = realloc(images->list, (images->count + 1) * sizeof *grown);
    if (!grown)
        return TRN_ERR_NO_MEMORY;
    images->list = grown;
    struct padded *entry = &grown[images->count];
    *entry = (struct padded){.size = size, .bytes = bytes, .bytes_size = bytes_size};
    uint8_t *data = pad(bytes, bytes_size, size);
    if (!data)
        return TRN_ERR_NO_MEMORY;
    const trn_status status = sha256_of(data, size, entry->sha256);
    free(data);
    if (status == TRN_OK)
        images->count++;
    return status;
}

static bool has_size(const struct replay_images *images, size_t size)
{
    for (size_t i = 0; i < images->count; i++)
        if (images->list[i].size == size)
            return true;
    return false;
}

static trn_status hash_at_size(struct replay_images *images, size_t size)
{
    trn_status status = TRN_OK;
    for (int c = 0; c < TRN_UCODE_CORES; c++)
        for (int r = 0; r < TRN_UCODE_REGIONS && status == TRN_OK; r++) {
            const void *bytes = NULL;
            size_t bytes_size = 0;
            if (trn_ucode_default(images->gen, (enum trn_ucode_core)c, (enum trn_ucode_region)r,
                                  &bytes, &bytes_size) == TRN_OK &&
                bytes_size <= size)
                status = add_padded(images, bytes, bytes_size, size);
        }
    return status;
}

trn_status replay_images_find(struct replay_images *images, const uint8_t sha256[SHA256_BYTES],
                              size_t size, uint8_t **data)
{
    *data = NULL;
    const trn_status status = has_size(images, size) ? TRN_OK : hash_at_size(images, size);
    if (status != TRN_OK)
        return status;
    for (size_t i = 0; i < images->count; i++) {
        const struct padded *entry = &images->list[i];
        if (entry->size != size || memcmp(entry->sha256, sha256, SHA256_BYTES) != 0)
            continue;
        *data = pad(entry->bytes, entry->bytes_size, size);
        return *data ? TRN_OK : TRN_ERR_NO_MEMORY;
    }
    return TRN_OK;
}

void replay_images_free(struct replay_images *images)
{
    if (images)
        free(images->list);
    free(images);
}
