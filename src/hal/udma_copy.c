/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of any size that end with the host marker (docs/hardware/udma.md 8). */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "hal/udma.h"

enum { MARKER_BYTES = 4, MOST_CHUNKS = 2032 /* of a batch of the driver */ };

/* ---- how long to wait (8; seconds below are microseconds)
 * ------------------------------------------- */

/* First wait of a synchronous copy and the polls that follow, n with the marker. */
static uint64_t first_wait(const struct trn_gen *gen, uint32_t n)
{
    const uint64_t chunks = n > 1 ? n - 1 : 1, each = gen->udma_wait_us;
    return each * chunks - (each - 1);
}

static uint64_t polls_after(const struct trn_gen *gen, uint32_t n, uint64_t first)
{
    enum { FACTOR = 100, EXTRA = 2 };
    const uint64_t chunks = n > 1 ? n - 1 : 1;
    return (gen->udma_wait_us * chunks * FACTOR - first) * FACTOR + EXTRA;
}

uint64_t trn_hal_udma_polls(const struct trn_gen *gen, uint32_t n)
{
    return polls_after(gen, n, first_wait(gen, n));
}

/* ---- the marker
 * ----------------------------------------------------------------------------------------- */

void trn_hal_udma_set_marker(uint8_t *words)
{
    trn_put32(words, TRN_HAL_UDMA_MARKER);
    trn_put32(words + MARKER_BYTES, 0);
}

/* A bounded wait that says what it waited for (field case F45). */
static trn_status timed_out(struct trn_hal *hal, const struct trn_hal_udma_queue *queue, uint32_t n,
                            uint32_t last, uint64_t polls)
{
    static const char *const states[] = {"idle", "normal", "abort", "unknown"};
    char where[48];
    struct trn_hal_udma_view view = {.state = 3};
    struct trn_diag unread;
    if (trn_hal_udma_view(hal, queue->dma, queue->queue, 0, &view) != TRN_OK) {
        unread = *trn_hal_diag(hal);
        return unread.status; /* the bus itself is gone */
    }
    snprintf(where, sizeof where, "dma%u queue %u", queue->dma, queue->queue);
    return trn_hal_fail(
        hal, TRN_ERR_TIMEOUT, where,
        "who could write it: the engine, as the last copy of the batch",
        "queue %u of DMA engine %u, ring of %u: marker of a batch of %u descriptors reads 0x%x "
        "after "
        "%llu reads, wanted is 0x%x; the engine is %s, head 0x%x, tail 0x%x, current 0x%x",
        queue->queue, queue->dma, queue->size, n, last, (unsigned long long)polls,
        TRN_HAL_UDMA_MARKER, states[view.state], view.head, view.tail, view.current);
}

trn_status trn_hal_udma_wait(struct trn_hal *hal, const struct trn_hal_udma_queue *queue,
                             uint8_t *words, uint32_t n, bool async)
{
    const uint64_t first = async ? 1 : first_wait(hal->gen, n);
    const uint64_t polls = polls_after(hal->gen, n, first);
    uint32_t last = 0;
    trn_hal_udelay(hal, (uint32_t)first);
    for (uint64_t i = 0; i < polls; i++) {
        last = __atomic_load_n((const uint32_t *)(const void *)(words + MARKER_BYTES),
                               __ATOMIC_ACQUIRE);
        if (last == TRN_HAL_UDMA_MARKER)
            return TRN_OK;
        trn_hal_udelay(hal, 1);
    }
    return timed_out(hal, queue, n, last, polls);
}

/* ---- batches
 * ---------------------------------------------------------------------------------------------- */

/* Chunks of one batch, marker included in what the rings have room for; *n receives how many. */
trn_status trn_hal_udma_batch(struct trn_hal *hal, struct trn_hal_udma_queue *queue,
                              uint64_t *source, uint64_t *destination, uint64_t *size,
                              uint64_t marker, uint32_t *n)
{
    const uint32_t room = trn_hal_udma_available(queue);
    trn_status status = TRN_OK;
    *n = 0;
    while (status == TRN_OK && *size > 0 && *n + 1 < room && *n < MOST_CHUNKS) {
        const uint32_t chunk =
            *size < TRN_HAL_UDMA_MAX_COPY ? (uint32_t)*size : TRN_HAL_UDMA_MAX_COPY;
        const bool last = *size == chunk || *n + 2 >= room || *n + 1 == MOST_CHUNKS;
        status = trn_hal_udma_prepare(hal, queue, *source, *destination, chunk,
                                      last ? TRN_HAL_UDMA_WRITE_BARRIER : TRN_HAL_UDMA_NO_BARRIER,
                                      false);
        *source += chunk;
        *destination += chunk;
        *size -= chunk;
        ++*n;
    }
    if (status == TRN_OK)
        status = trn_hal_udma_prepare(hal, queue, marker, marker + MARKER_BYTES, MARKER_BYTES,
                                      TRN_HAL_UDMA_NO_BARRIER, false);
    ++*n;
    return status;
}

trn_status trn_hal_udma_copy(struct trn_hal *hal, struct trn_hal_udma_queue *queue, uint64_t source,
                             uint64_t destination, uint64_t size,
                             const struct trn_hal_udma_memory *marker)
{
    enum { SMALLEST_BATCH = 2 };
    if (size == 0 || !marker || !marker->memory || (uintptr_t)marker->memory % MARKER_BYTES != 0)
        return trn_hal_fail(hal, TRN_ERR_INVALID, NULL, "1 byte or more, an aligned marker",
                            "a copy of %llu bytes", (unsigned long long)size);
    while (size > 0) {
        uint32_t n;
        if (trn_hal_udma_available(queue) < SMALLEST_BATCH)
            return trn_hal_fail(hal, TRN_ERR_NO_MEMORY, NULL, "acknowledge what is done",
                                "queue %u of DMA engine %u has no room for a copy and its marker",
                                queue->queue, queue->dma);
        trn_hal_udma_set_marker(marker->memory);
        trn_status status =
            trn_hal_udma_batch(hal, queue, &source, &destination, &size, marker->base, &n);
        if (status == TRN_OK)
            status = trn_hal_udma_start(hal, queue, n, n);
        if (status == TRN_OK)
            status = trn_hal_udma_wait(hal, queue, marker->memory, n, false);
        if (status != TRN_OK)
            return status;
        trn_hal_udma_acknowledge(queue, n);
        trn_hal_udma_set_marker(marker->memory);
    }
    return TRN_OK;
}
