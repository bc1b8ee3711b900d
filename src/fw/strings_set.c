/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "fw/strings_set.h"

/* FNV-1a: texts are short. */
static size_t hash_of(const uint8_t *text, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ text[i]) * UINT64_C(0x100000001b3);
    return (size_t)(hash ^ hash >> 32);
}

/* The slot that holds the text, or the free one where it belongs. */
static struct fw_set_slot *find(const struct fw_set *set, const uint8_t *text, size_t size)
{
    size_t at = hash_of(text, size) & (set->num_slots - 1);
    while (set->slots[at].text &&
           (set->slots[at].size != size || memcmp(set->slots[at].text, text, size) != 0))
        at = (at + 1) & (set->num_slots - 1);
    return &set->slots[at];
}

static trn_status grow(struct fw_set *set)
{
    struct fw_set bigger = {.num_slots = set->num_slots ? 2 * set->num_slots : 64,
                            .count = set->count};
    bigger.slots = calloc(bigger.num_slots, sizeof *bigger.slots);
    if (!bigger.slots)
        return TRN_ERR_NO_MEMORY;
    for (size_t i = 0; i < set->num_slots; i++)
        if (set->slots[i].text)
            *find(&bigger, set->slots[i].text, set->slots[i].size) = set->slots[i];
    free(set->slots);
    *set = bigger;
    return TRN_OK;
}

trn_status fw_set_add(struct fw_set *set, const uint8_t *text, size_t size, size_t *number,
                      bool *is_new)
{
    if (2 * (set->count + 1) > set->num_slots && grow(set) != TRN_OK)
        return TRN_ERR_NO_MEMORY;
    struct fw_set_slot *const slot = find(set, text, size);
    *is_new = !slot->text;
    if (*is_new)
        *slot = (struct fw_set_slot){text, size, set->count++};
    *number = slot->number;
    return TRN_OK;
}

void fw_set_free(struct fw_set *set)
{
    free(set->slots);
    *set = (struct fw_set){0};
}
