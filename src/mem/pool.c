/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/pool.h"

#include <stdint.h>
#include <stdlib.h>

#include "mem/store.h"

enum { PIECE_BYTES = 1 << 24, PAGE = 4096 };

struct trn_pool_piece {
    struct trn_pool_piece *next;
    uint8_t *bytes;
    size_t size, used;
};

static struct trn_pool_piece *add_piece(struct trn_pool *pool, size_t size)
{
    struct trn_pool_piece *const piece = malloc(sizeof *piece);
    uint8_t *const bytes = piece ? trn_reserve(size) : NULL;
    if (!bytes) {
        free(piece);
        return NULL;
    }
    *piece = (struct trn_pool_piece){.next = pool->pieces, .bytes = bytes, .size = size};
    pool->pieces = piece;
    return piece;
}

void *trn_pool_take(struct trn_pool *pool, size_t size)
{
    if (size > SIZE_MAX - PAGE)
        return NULL;
    const size_t whole = (size + PAGE - 1) / PAGE * PAGE;
    struct trn_pool_piece *piece = pool->pieces;
    if (!piece || piece->size - piece->used < whole)
        piece = add_piece(pool, whole > PIECE_BYTES ? whole : PIECE_BYTES);
    if (!piece)
        return NULL;
    void *const bytes = piece->bytes + piece->used;
    piece->used += whole;
    return bytes;
}

void trn_pool_free(struct trn_pool *pool)
{
    while (pool->pieces) {
        struct trn_pool_piece *const next = pool->pieces->next;
        trn_unreserve(pool->pieces->bytes, pool->pieces->size);
        free(pool->pieces);
        pool->pieces = next;
    }
}
