/* SPDX-License-Identifier: Apache-2.0 */
/* Finding a row by its name: open-addressing tables that tablegen lays out at build time
 * (tools/tablegen/names.py computes the same hash). Upper and lower case are the same name. */
#ifndef TRN_BASE_NAMES_H
#define TRN_BASE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"

/* Slot: 0 is empty, else the hash's upper half above the row number + 1. */
struct trn_name_index {
    const uint32_t *slots;
    uint32_t mask; /* number of slots - 1, a power of two - 1 */
};

static inline uint64_t trn_name_load(const char *at, size_t bytes)
{
    uint64_t value = 0;
    memcpy(&value, at, bytes);
    return value;
}

/* First, middle and last bytes of the name, with the case bit of every byte set. */
static inline uint32_t trn_name_hash(const char *name, size_t length)
{
    const uint64_t fold = UINT64_C(0x2020202020202020);
    uint64_t head, tail, middle = 0;
    if (length >= 8) {
        head = trn_name_load(name, 8);
        tail = trn_name_load(name + length - 8, 8);
        if (length > 16)
            middle = trn_name_load(name + length / 2 - 4, 8);
    } else if (length >= 4) {
        head = trn_name_load(name, 4);
        tail = trn_name_load(name + length - 4, 4);
    } else {
        head = length ? (uint8_t)name[0] : 0;
        tail = length ? (uint64_t)(uint8_t)name[length / 2] << 8 | (uint8_t)name[length - 1] : 0;
    }
    uint64_t mix = (head | fold) * UINT64_C(0x9E3779B97F4A7C15);
    mix = (mix ^ ((middle | fold) + (mix >> 29))) * UINT64_C(0xBF58476D1CE4E5B9);
    mix = (mix ^ ((tail | fold) + length + (mix >> 32))) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)(mix >> 32);
}

static inline char trn_name_fold(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Is the NUL-terminated `stored` the `length` bytes at `name`, case aside? */
static inline bool trn_name_is(const char *stored, const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (stored[i] == '\0' || trn_name_fold(stored[i]) != trn_name_fold(name[i]))
            return false;
    return stored[length] == '\0';
}

/* Next row whose name may be the one hashed, -1 at the end of the probe. Start with *probe = 0. */
static inline int trn_name_next(const struct trn_name_index *index, uint32_t hash, uint32_t *probe)
{
    while (*probe <= index->mask) {
        const uint32_t slot = index->slots[(hash + (*probe)++) & index->mask];
        if (slot == 0)
            return -1;
        if (slot >> 16 == hash >> 16)
            return (int)(slot & 0xFFFF) - 1;
    }
    return -1;
}

#endif
