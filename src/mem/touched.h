/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of one space that an access touches, as words of 64 bytes with a bit a byte. */
#ifndef TRN_MEM_TOUCHED_H
#define TRN_MEM_TOUCHED_H

#include "mem/mem.h"

enum { TRN_TOUCHED_BYTES = 64 };

struct trn_touched {
    size_t rows, row_bytes;
    bool walked;    /* HBM: no mask of a row, its runs are walked */
    uint64_t *mask; /* of a row; zero between accesses */
};

/* Takes rows, row_bytes and walked. TRN_ERR_NO_MEMORY. */
trn_status trn_touched_init(struct trn_touched *space);
void trn_touched_destroy(struct trn_touched *space); /* a zeroed one is fine */

/* Calls visit(context, row, word, bits) for every word that the access touches, partition by
 * partition, ascending (in HBM: run by run); false as soon as one returns false. Bytes outside the
 * space are ignored. */
typedef bool (*trn_touched_visit)(void *context, size_t row, size_t word, uint64_t bits);
bool trn_touched_by(const struct trn_touched *space, const struct trn_access *access,
                    trn_touched_visit visit, void *context);

/* Bits of the bytes [start, start + length) that lie in word `word`. */
uint64_t trn_touched_bits(uint64_t start, uint64_t length, uint64_t word);

#endif
