/* SPDX-License-Identifier: Apache-2.0 */
#include "notific/unread.h"

#include <stdlib.h>
#include <string.h>

bool trn_unread_grow(struct trn_unread *unread, uint32_t slot)
{
    const size_t needed = slot / TRN_UNREAD_WORD + 1;
    const size_t words = needed < 2 * unread->num_words ? 2 * unread->num_words : needed;
    uint64_t *const bits = realloc(unread->bits, words * sizeof *bits);
    if (!bits) {
        unread->failed = true;
        return false;
    }
    memset(bits + unread->num_words, 0, (words - unread->num_words) * sizeof *bits);
    unread->bits = bits;
    unread->num_words = words;
    return true;
}

/* Slots [first, end), which do not wrap. */
static void clear_run(struct trn_unread *unread, uint32_t first, uint32_t end)
{
    const uint64_t known = (uint64_t)unread->num_words * TRN_UNREAD_WORD;
    const uint32_t stop = end < known ? end : (uint32_t)known;
    for (uint32_t slot = first; slot < stop;) {
        const uint32_t within = slot % TRN_UNREAD_WORD, left = stop - slot;
        if (within == 0 && left >= TRN_UNREAD_WORD) {
            unread->bits[slot / TRN_UNREAD_WORD] = 0;
            slot += TRN_UNREAD_WORD;
            continue;
        }
        unread->bits[slot / TRN_UNREAD_WORD] &= ~(UINT64_C(1) << within);
        slot++;
    }
}

void trn_unread_clear(struct trn_unread *unread, uint32_t first, uint32_t count, uint32_t slots)
{
    const uint32_t straight = count < slots - first ? count : slots - first;
    clear_run(unread, first, first + straight);
    clear_run(unread, 0, count - straight);
}

void trn_unread_clear_all(struct trn_unread *unread)
{
    if (unread->num_words)
        memset(unread->bits, 0, unread->num_words * sizeof *unread->bits);
}

void trn_unread_free(struct trn_unread *unread)
{
    free(unread->bits);
    *unread = (struct trn_unread){0};
}
