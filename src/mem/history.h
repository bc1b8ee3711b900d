/* SPDX-License-Identifier: Apache-2.0 */
/* Who touched the bytes of one space, and when: a short list of past accesses a byte, whose meaning
 * is its owner's. Bytes with equal lists share one, and 64 bytes that agree share one cell, so the
 * cost goes with what was touched and with how many ways it was touched in. */
#ifndef TRN_MEM_HISTORY_H
#define TRN_MEM_HISTORY_H

#include "mem/mem.h"

enum { TRN_HISTORY_PASTS = 64 }; /* longest list */

/* One past access: which one it was, and its time. */
struct trn_past {
    uint32_t who, time;
};

struct trn_history;

/* Of one space of `rows` rows; `walked` as in mem/touched.h. TRN_ERR_NO_MEMORY. */
trn_status trn_history_create(size_t rows, size_t row_bytes, bool walked, struct trn_history **out);
void trn_history_destroy(struct trn_history *history); /* NULL is fine */

/*
 * What an access makes of the list of the bytes that it touches. Called for every list it meets
 * (once, or a few times), with the first place of it in the order of trn_touched_by. Writes the new
 * list, in an order that depends on its members only, and returns its length. The same call on its
 * own result changes nothing.
 */
typedef size_t (*trn_history_next)(void *context, size_t row, uint64_t byte,
                                   const struct trn_past *old, size_t count,
                                   struct trn_past now[TRN_HISTORY_PASTS]);
void trn_history_access(struct trn_history *history, const struct trn_access *access,
                        trn_history_next next, void *context);

/* Lists that were forgotten because memory was short. */
uint64_t trn_history_lost(const struct trn_history *history);

/* For tests: lists alive. */
size_t trn_history_lists(const struct trn_history *history);

#endif
