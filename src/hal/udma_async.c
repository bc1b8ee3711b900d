/* SPDX-License-Identifier: Apache-2.0 */
/* Copies on their way: the three contexts of a ring, and what a reset window repeats
 * (docs/hardware/udma.md 8). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "hal/udma.h"

enum { ALIGNMENT = 4, MOST_CHUNKS = 2032 /* of a batch of the driver */ };

static uint8_t *words_of(const struct trn_hal_udma_copier *copier, unsigned context)
{
    return (uint8_t *)copier->markers.memory + (size_t)context * TRN_HAL_UDMA_CONTEXT_BYTES;
}

trn_status trn_hal_udma_copier_init(struct trn_hal *hal, struct trn_hal_udma_queue *queue,
                                    const struct trn_hal_udma_memory *markers,
                                    struct trn_hal_udma_copier *copier)
{
    if (!queue || !copier || !markers || !markers->memory ||
        (uintptr_t)markers->memory % ALIGNMENT != 0 || markers->base % ALIGNMENT != 0)
        return trn_hal_fail(hal, TRN_ERR_INVALID, NULL,
                            "a queue, and 24 bytes of markers aligned to 4 bytes",
                            "contexts of copies without them");
    *copier = (struct trn_hal_udma_copier){.queue = queue, .markers = *markers};
    return TRN_OK;
}

/* ---- start ------------------------------------------------------------------------------------
 */

/* NONE, 1, 2, 1, ... (8). */
static enum trn_hal_udma_context behind(enum trn_hal_udma_context chain)
{
    return chain == TRN_HAL_UDMA_ASYNC_1 ? TRN_HAL_UDMA_ASYNC_2 : TRN_HAL_UDMA_ASYNC_1;
}

static trn_status check(struct trn_hal *hal, const struct trn_hal_udma_copier *copier,
                        unsigned context, uint64_t size)
{
    const struct trn_hal_udma_queue *const queue = copier->queue;
    const uint64_t chunks = size / TRN_HAL_UDMA_MAX_COPY + (size % TRN_HAL_UDMA_MAX_COPY != 0);
    char where[48];
    snprintf(where, sizeof where, "dma%u queue %u", queue->dma, queue->queue);
    if (size == 0)
        return trn_hal_fail(hal, TRN_ERR_INVALID, where, "1 byte or more", "a copy of 0 bytes");
    if (copier->flight[context].pending)
        return trn_hal_fail(hal, TRN_ERR_INVALID, where, "wait for it first",
                            "context %u holds copy %" PRIu64 ", which is still on its way", context,
                            copier->flight[context].number);
    if (chunks > MOST_CHUNKS || chunks + 1 > trn_hal_udma_available(queue))
        return trn_hal_fail(hal, TRN_ERR_NO_MEMORY, where, "a smaller copy, or a larger ring",
                            "%" PRIu64 " descriptors and their marker; the rings have room for %u",
                            chunks, trn_hal_udma_available(queue));
    return TRN_OK;
}

static trn_status launch(struct trn_hal *hal, struct trn_hal_udma_copier *copier, unsigned context)
{
    struct trn_hal_udma_flight *const flight = &copier->flight[context];
    uint64_t source = flight->source, destination = flight->destination, size = flight->size;
    const uint64_t marker = copier->markers.base + (uint64_t)context * TRN_HAL_UDMA_CONTEXT_BYTES;
    trn_hal_udma_set_marker(words_of(copier, context));
    const trn_status status =
        trn_hal_udma_batch(hal, copier->queue, &source, &destination, &size, marker, &flight->n);
    return status == TRN_OK ? trn_hal_udma_start(hal, copier->queue, flight->n, flight->n) : status;
}

static trn_status begin(struct trn_hal *hal, struct trn_hal_udma_copier *copier, unsigned context,
                        uint64_t source, uint64_t destination, uint64_t size)
{
    trn_status status = check(hal, copier, context, size);
    if (status != TRN_OK)
        return status;
    copier->flight[context] = (struct trn_hal_udma_flight){
        .source = source, .destination = destination, .size = size, .number = copier->started};
    status = launch(hal, copier, context);
    if (status != TRN_OK)
        return status;
    copier->flight[context].pending = true;
    copier->started++;
    return TRN_OK;
}

trn_status trn_hal_udma_copy_start(struct trn_hal *hal, struct trn_hal_udma_copier *copier,
                                   uint64_t source, uint64_t destination, uint64_t size,
                                   enum trn_hal_udma_context *context)
{
    const enum trn_hal_udma_context next = behind(copier->chain);
    const trn_status status = begin(hal, copier, next, source, destination, size);
    if (status != TRN_OK)
        return status;
    *context = copier->chain = next;
    return TRN_OK;
}

/* ---- wait -------------------------------------------------------------------------------------
 */

/* Fresh rings lost what was in them: every copy on its way goes in again, oldest first. */
static trn_status repeat(struct trn_hal *hal, struct trn_hal_udma_copier *copier)
{
    struct trn_hal_udma_queue *const queue = copier->queue;
    const struct trn_hal_udma_memory tx = queue->tx.memory, rx = queue->rx.memory;
    bool done[TRN_HAL_UDMA_CONTEXTS] = {false};
    trn_status status =
        trn_hal_udma_queue_init(hal, queue->dma, queue->queue, queue->size, &tx, &rx, queue);
    copier->repeats++;
    for (unsigned i = 0; status == TRN_OK && i < TRN_HAL_UDMA_CONTEXTS; i++) {
        unsigned oldest = TRN_HAL_UDMA_CONTEXTS;
        for (unsigned c = 0; c < TRN_HAL_UDMA_CONTEXTS; c++)
            if (copier->flight[c].pending && !done[c] &&
                (oldest == TRN_HAL_UDMA_CONTEXTS ||
                 copier->flight[c].number < copier->flight[oldest].number))
                oldest = c;
        if (oldest == TRN_HAL_UDMA_CONTEXTS)
            break;
        done[oldest] = true;
        status = launch(hal, copier, oldest);
    }
    return status;
}

trn_status trn_hal_udma_copy_wait(struct trn_hal *hal, struct trn_hal_udma_copier *copier,
                                  enum trn_hal_udma_context context)
{
    if ((unsigned)context >= TRN_HAL_UDMA_CONTEXTS || !copier->flight[context].pending)
        return trn_hal_fail(hal, TRN_ERR_INVALID, NULL, "a copy that was started",
                            "context %u has no copy on its way", (unsigned)context);
    struct trn_hal_udma_flight *const flight = &copier->flight[context];
    uint8_t *const words = words_of(copier, context);
    const bool async = context != TRN_HAL_UDMA_SYNC;
    trn_status status = trn_hal_udma_wait(hal, copier->queue, words, flight->n, async);
    if (status == TRN_ERR_TIMEOUT && copier->in_reset_window && hal->gen->udma_repeat_in_reset) {
        status = repeat(hal, copier);
        if (status == TRN_OK)
            status = trn_hal_udma_wait(hal, copier->queue, words, flight->n, async);
    }
    if (status != TRN_OK)
        return status;
    trn_hal_udma_acknowledge(copier->queue, flight->n);
    trn_hal_udma_set_marker(words);
    flight->pending = false;
    return TRN_OK;
}

trn_status trn_hal_udma_copy_now(struct trn_hal *hal, struct trn_hal_udma_copier *copier,
                                 uint64_t source, uint64_t destination, uint64_t size)
{
    const trn_status status = begin(hal, copier, TRN_HAL_UDMA_SYNC, source, destination, size);
    return status == TRN_OK ? trn_hal_udma_copy_wait(hal, copier, TRN_HAL_UDMA_SYNC) : status;
}
