/* SPDX-License-Identifier: Apache-2.0 */
/* A host whose bus ends in the engine of a rig (docs/hardware/udma.md). */
#ifndef TESTS_DMA_UDMA_HOST_H
#define TESTS_DMA_UDMA_HOST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "dma/udma_rig.h"
#include "trench/udma.h"

enum { EVENTS = 1024 };

/* A bus that writes down what crosses it, with the engine of a rig behind one window. */
struct host {
    struct rig rig;
    struct trn_hal *hal;
    uint64_t window;
    bool dead; /* the engine does not see doorbells */
    unsigned delays;
    size_t count;
    struct {
        char kind;
        uint64_t offset;
        uint32_t value;
    } event[EVENTS];
};

static inline void note(struct host *host, char kind, uint64_t offset, uint32_t value)
{
    assert_true(host->count < EVENTS);
    host->event[host->count].kind = kind;
    host->event[host->count].offset = offset;
    host->event[host->count++].value = value;
}

static inline trn_status bus_read(void *context, uint64_t offset, uint32_t *value)
{
    struct host *host = context;
    *value = UINT32_MAX; /* mask registers reset to it */
    if (offset >= host->window && offset - host->window < 0x40000)
        trn_udma_read32(host->rig.engine, (uint32_t)(offset - host->window), value);
    note(host, 'R', offset, *value);
    return TRN_OK;
}

static inline trn_status bus_write(void *context, uint64_t offset, uint32_t value)
{
    struct host *host = context;
    note(host, 'W', offset, value);
    if (offset < host->window || offset - host->window >= 0x40000)
        return TRN_OK;
    trn_udma_write32(host->rig.engine, (uint32_t)(offset - host->window), value);
    if (!host->dead) /* 10: worked off before the next access */
        trn_udma_run(host->rig.engine, 0);
    return TRN_OK;
}

static inline trn_status no_block_read(void *context, uint64_t offset, void *data, size_t size)
{
    (void)context, (void)offset, (void)data, (void)size;
    return TRN_ERR_UNSUPPORTED;
}

static inline trn_status no_block_write(void *context, uint64_t offset, const void *data,
                                        size_t size)
{
    (void)context, (void)offset, (void)data, (void)size;
    return TRN_ERR_UNSUPPORTED;
}

static inline void delay(void *platform, uint32_t microseconds)
{
    (void)microseconds;
    ((struct host *)platform)->delays++;
}

static inline struct host *open_host(const char *generation, uint64_t window)
{
    struct host *host = calloc(1, sizeof *host);
    assert_non_null(host);
    rig_open(&host->rig, generation);
    host->window = window;
    const struct trn_bus bus = {.context = host,
                                .read32 = bus_read,
                                .write32 = bus_write,
                                .read_block = no_block_read,
                                .write_block = no_block_write};
    const struct trn_hal_options options = {.platform = host, .delay = delay};
    assert_int_equal(trn_hal_create(&bus, &options, &host->hal, NULL), TRN_OK);
    assert_int_equal(trn_hal_latch(host->hal, trn_gen_find(generation)), TRN_OK);
    return host;
}

static inline void close_host(struct host *host)
{
    trn_hal_destroy(host->hal);
    rig_close(&host->rig);
    free(host);
}

static inline struct host *host_with_queue(const char *generation, uint64_t window, unsigned dma,
                                           uint32_t size, struct trn_hal_udma_queue *queue)
{
    struct host *host = open_host(generation, window);
    const struct trn_hal_udma_memory tx = {RIG_A + 0x10000, rig_at(&host->rig, RIG_A + 0x10000)},
                                     rx = {RIG_A + 0x20000, rig_at(&host->rig, RIG_A + 0x20000)};
    assert_int_equal(trn_hal_udma_engine_init(host->hal, dma, false), TRN_OK);
    assert_int_equal(trn_hal_udma_queue_init(host->hal, dma, 1, size, &tx, &rx, queue), TRN_OK);
    host->count = 0;
    return host;
}

#endif
