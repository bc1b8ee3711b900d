/* SPDX-License-Identifier: Apache-2.0 */
/* Images of two containers that have one name (docs/hardware/firmware-images.md 5). */
#include <stdlib.h>
#include <string.h>

#include "fw/identity.h"

struct fw_named {
    const struct trn_fw_image *image;
    const char *name; /* without decorations */
    size_t length, index;
    size_t next; /* of the first one of this name: how many are taken */
    bool is_taken;
};

static int compare_names(const struct fw_named *a, const struct fw_named *b)
{
    const int order = memcmp(a->name, b->name, a->length < b->length ? a->length : b->length);
    if (order)
        return order;
    return a->length < b->length ? -1 : a->length > b->length;
}

static int by_name(const void *left, const void *right)
{
    const struct fw_named *const a = left, *const b = right;
    const int order = compare_names(a, b);
    if (order)
        return order;
    return a->index < b->index ? -1 : a->index > b->index;
}

static struct fw_named name_of(const struct trn_fw_image *image, size_t index)
{
    struct fw_named named = {.image = image, .index = index};
    named.name = trn_fw_name_base(image->symbol, &named.length);
    return named;
}

trn_status fw_names_sort(const struct trn_fw *fw, struct fw_names *out, struct trn_diag *diag)
{
    const size_t count = fw ? fw->num_images : 0;
    *out = (struct fw_names){.sorted = calloc(count + 1, sizeof *out->sorted)};
    if (!out->sorted)
        return fw_out_of_memory(diag);
    out->count = count;
    for (size_t i = 0; i < count; i++)
        out->sorted[i] = name_of(&fw->images[i], i);
    qsort(out->sorted, count, sizeof *out->sorted, by_name);
    return TRN_OK;
}

void fw_names_free(struct fw_names *names)
{
    free(names->sorted);
    *names = (struct fw_names){0};
}

/* The next image of that name that nobody took: the n-th of a name stands for the n-th. */
static const struct trn_fw_image *take_namesake(const struct fw_names *names,
                                                const struct fw_named *wanted)
{
    size_t low = 0, high = names->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_names(&names->sorted[middle], wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == names->count || compare_names(&names->sorted[low], wanted) != 0)
        return NULL;
    const size_t at = low + names->sorted[low].next;
    if (at == names->count || compare_names(&names->sorted[at], wanted) != 0)
        return NULL;
    names->sorted[low].next++;
    names->sorted[at].is_taken = true;
    return names->sorted[at].image;
}

/* Images that nobody took, in the order of their container. */
static trn_status list_rest(const struct fw_names *names, struct trn_fw_identity *out,
                            struct trn_diag *diag)
{
    const struct trn_fw_image **const left = calloc(names->count + 1, sizeof(void *));
    out->rest = calloc(names->count + 1, sizeof(void *));
    if (!left || !out->rest) {
        free(left);
        return fw_out_of_memory(diag);
    }
    for (size_t i = 0; i < names->count; i++)
        if (!names->sorted[i].is_taken)
            left[names->sorted[i].index] = names->sorted[i].image;
    for (size_t i = 0; i < names->count; i++)
        if (left[i])
            out->rest[out->num_rest++] = left[i];
    free(left);
    return TRN_OK;
}

trn_status fw_pairs_start(const struct trn_fw *first, struct trn_fw_identity *out,
                          struct trn_diag *diag)
{
    *out = (struct trn_fw_identity){.pairs = calloc(first->num_images + 1, sizeof *out->pairs)};
    if (!out->pairs)
        return fw_out_of_memory(diag);
    for (size_t i = 0; i < first->num_images; i++)
        out->pairs[i].first = &first->images[i];
    out->num_pairs = first->num_images;
    return TRN_OK;
}

trn_status fw_pairs_finish(struct fw_names *names, struct trn_fw_identity *out,
                           struct trn_diag *diag)
{
    for (size_t i = 0; i < out->num_pairs; i++) {
        const struct fw_named wanted = name_of(out->pairs[i].first, i);
        out->pairs[i].second = take_namesake(names, &wanted);
    }
    return list_rest(names, out, diag);
}
