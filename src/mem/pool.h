/* SPDX-License-Identifier: Apache-2.0 */
/* Zeroed memory of many sizes that lives as long as its owner: reserved in large pieces, committed
 * on touch, given back all at once. */
#ifndef TRN_MEM_POOL_H
#define TRN_MEM_POOL_H

#include <stddef.h>

struct trn_pool {
    struct trn_pool_piece *pieces; /* the one that is being used up first; NULL: none yet */
};

/* `size` zero bytes at the start of a page; NULL when the host has no memory. */
void *trn_pool_take(struct trn_pool *pool, size_t size);

void trn_pool_free(struct trn_pool *pool); /* a zeroed pool is fine */

#endif
