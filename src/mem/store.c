/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/store.h"

#include <string.h>
#include <sys/mman.h>

#include "base/bytes.h"

enum { PAGE = 4096 };

/* Whole pages: two reservations never share one. */
static size_t page_ceil(size_t size)
{
    return (size + PAGE - 1) / PAGE * PAGE;
}

void *trn_reserve(size_t size)
{
    void *address = mmap(NULL, page_ceil(size), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return address == MAP_FAILED ? NULL : address;
}

void trn_unreserve(void *address, size_t size)
{
    if (address)
        munmap(address, page_ceil(size));
}

static size_t num_blocks(const struct trn_store *store)
{
    return (store->row_bytes + TRN_STORE_BLOCK - 1) / TRN_STORE_BLOCK;
}

static size_t stamp_bytes(const struct trn_store *store)
{
    return num_blocks(store) * store->rows * sizeof *store->stamps;
}

trn_status trn_store_init(struct trn_store *store)
{
    store->bytes = trn_reserve(store->rows * store->pitch);
    store->stamps = trn_reserve(stamp_bytes(store));
    store->epoch = 1; /* stamps start as 0: nothing has content */
    store->lazy = store->content != TRN_RESET_ZERO;
    if (store->bytes && store->stamps)
        return TRN_OK;
    trn_store_destroy(store);
    return TRN_ERR_NO_MEMORY;
}

void trn_store_destroy(struct trn_store *store)
{
    trn_unreserve(store->bytes, store->rows * store->pitch);
    trn_unreserve(store->stamps, stamp_bytes(store));
    *store = (struct trn_store){.bytes = NULL};
}

void trn_store_reset(struct trn_store *store, enum trn_reset content, uint64_t seed)
{
    store->content = content;
    store->seed = seed;
    store->lazy = true;
    if (++store->epoch == 0) { /* once in 2^32 resets */
        memset(store->stamps, 0, stamp_bytes(store));
        store->epoch = 1;
    }
}

/* One output of SplitMix64 (Steele, Lea, Flood 2014): number address / 8 of the stream of `seed`.
 */
uint64_t trn_reset_word(uint64_t seed, uint64_t address)
{
    uint64_t z = seed + UINT64_C(0x9E3779B97F4A7C15) * (address / 8 + 1);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static void fill_random(const struct trn_store *store, uint8_t *bytes, uint64_t address,
                        size_t size)
{
    for (size_t i = 0; i < size; i += 8) {
        uint8_t word[8];
        trn_put64(word, trn_reset_word(store->seed, address + i));
        memcpy(bytes + i, word, size - i < 8 ? size - i : 8);
    }
}

static void fill_block(const struct trn_store *store, size_t row, size_t block)
{
    const size_t start = block * TRN_STORE_BLOCK, left = store->row_bytes - start;
    const size_t size = left < TRN_STORE_BLOCK ? left : TRN_STORE_BLOCK;
    uint8_t *bytes = store->bytes + row * store->pitch + start;
    switch (store->content) {
    case TRN_RESET_ZERO:
        memset(bytes, 0, size);
        break;
    case TRN_RESET_POISON:
        memset(bytes, 0xFF, size);
        break;
    case TRN_RESET_RANDOM:
        fill_random(store, bytes, row * store->row_stride + start, size);
        break;
    }
}

void trn_store_fill(struct trn_store *store, size_t row, size_t rows, uint64_t byte, uint64_t size)
{
    if (size == 0)
        return;
    const size_t first = (size_t)(byte / TRN_STORE_BLOCK);
    const size_t last = (size_t)((byte + size - 1) / TRN_STORE_BLOCK);
    for (size_t block = first; block <= last; block++) {
        uint32_t *stamps = store->stamps + block * store->rows;
        for (size_t r = row; r < row + rows; r++) {
            if (stamps[r] == store->epoch)
                continue;
            fill_block(store, r, block);
            stamps[r] = store->epoch;
        }
    }
}
