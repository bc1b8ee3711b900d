/* SPDX-License-Identifier: Apache-2.0 */
/* Which slots of a ring hold a record that head has not passed: what an overwriting producer
 * destroys is exact only with a bit for each slot. */
#ifndef TRN_NOTIFIC_UNREAD_H
#define TRN_NOTIFIC_UNREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trn_unread {
    uint64_t *bits; /* grows to the highest slot that was stored into */
    size_t num_words;
    bool failed; /* memory ran out: slots are missing */
};

/* Set the slot; returns whether it was set. */
static inline bool trn_unread_set(struct trn_unread *unread, uint32_t slot);
/* Clear `count` slots from `first` on, in a ring of `slots`. */
void trn_unread_clear(struct trn_unread *unread, uint32_t first, uint32_t count, uint32_t slots);
void trn_unread_clear_all(struct trn_unread *unread);
void trn_unread_free(struct trn_unread *unread);
bool trn_unread_grow(struct trn_unread *unread, uint32_t slot);

enum { TRN_UNREAD_WORD = 64 };

static inline bool trn_unread_set(struct trn_unread *unread, uint32_t slot)
{
    const size_t word = slot / TRN_UNREAD_WORD;
    if (word >= unread->num_words && !trn_unread_grow(unread, slot))
        return false;
    const uint64_t bit = UINT64_C(1) << slot % TRN_UNREAD_WORD;
    const bool was = (unread->bits[word] & bit) != 0;
    unread->bits[word] |= bit;
    return was;
}

#endif
