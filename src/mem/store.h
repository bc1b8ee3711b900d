/* SPDX-License-Identifier: Apache-2.0 */
/* Reserved memory that is committed on touch and gets its reset content lazily. A reset is O(1): it
 * starts a new epoch, and a block whose stamp is older is filled again before it is used. */
#ifndef TRN_MEM_STORE_H
#define TRN_MEM_STORE_H

#include <stdbool.h>

#include "trench/mem.h"

#define TRN_STORE_BLOCK 4096

/* `rows` rows of row_bytes, `pitch` bytes apart in host memory. */
struct trn_store {
    uint8_t *bytes;
    size_t rows, pitch, row_bytes;
    uint64_t row_stride; /* device distance of two rows: random content depends on the address */
    uint32_t *stamps;    /* [block][row]: the epoch in which the block got its content */
    uint32_t epoch;
    enum trn_reset content;
    uint64_t seed;
    bool lazy; /* false: all content is plain zero pages, nothing has to be filled */
};

/* Zero pages of reserved address space, NULL when the host refuses. */
void *trn_reserve(size_t size);
void trn_unreserve(void *address, size_t size); /* NULL is fine */

/* Take rows, pitch, row_bytes, row_stride, content and seed from *store, reserve the rest.
 * TRN_ERR_NO_MEMORY leaves *store destroyed. */
trn_status trn_store_init(struct trn_store *store);
void trn_store_destroy(struct trn_store *store); /* a zeroed store is fine */

/* Forget everything. O(1). */
void trn_store_reset(struct trn_store *store, enum trn_reset content, uint64_t seed);

/* Give bytes [byte, byte + size) of rows [row, row + rows) their content; the range must exist. */
void trn_store_fill(struct trn_store *store, size_t row, size_t rows, uint64_t byte, uint64_t size);

/* Call before the bytes are read or written through a pointer; not from two threads at once. */
static inline void trn_store_touch(struct trn_store *store, size_t row, size_t rows, uint64_t byte,
                                   uint64_t size)
{
    if (store->lazy)
        trn_store_fill(store, row, rows, byte, size);
}

/* Eight bytes of random reset content: of the aligned device address `address` of a store. */
uint64_t trn_reset_word(uint64_t seed, uint64_t address);

#endif
