/* SPDX-License-Identifier: Apache-2.0 */
/* DMA engines at their places in the device: what they reach, and when they work (docs/hardware/
 * udma.md 10, 11; docs/architecture.md "Memory, addresses, time"). */
#ifndef TRN_DEVICE_DMA_H
#define TRN_DEVICE_DMA_H

#include "dma/udma.h"
#include "gen/blocks.h"
#include "mem/mem.h"

struct trn_device;
struct trn_tpb;
struct trn_wired_notific;

/* A live engine with its wires. Made with its region, at the first access. */
struct trn_wired_udma {
    struct trn_device *device;
    struct trn_udma *engine;
    unsigned number;
    struct trn_wired_notific
        *notific;                /* its wrapper's block; NULL: untouched, every class is off */
    struct trn_wired_udma *next; /* of the device */
};

/* TRN_ERR_NO_MEMORY, TRN_ERR_UNSUPPORTED. */
trn_status trn_wired_udma_create(struct trn_device *device, const struct trn_block *where,
                                 struct trn_wired_udma **out);
void trn_wired_udma_destroy(struct trn_wired_udma *wired); /* NULL is fine */
uint32_t trn_wired_udma_read(struct trn_wired_udma *wired, uint32_t at);
/* A write; over the host's bus the work that it starts is done when it returns. */
void trn_wired_udma_write(struct trn_wired_udma *wired, uint32_t at, uint32_t value);
/* The wrapper's notification block of an engine is there now. */
void trn_dma_notific_made(struct trn_device *device, unsigned number,
                          struct trn_wired_notific *notific);

/* A transfer that the generator drives through an engine failed: its cause is raised and both
 * halves go to abort, where they stay until the host recovers them (udma.md 9.2). */
void trn_dma_abort(struct trn_device *device, unsigned number, bool source, unsigned queue,
                   trn_status status, uint64_t address);
/* An access of a queue met an AXI response error; what becomes of it is in the engine's masks. */
trn_status trn_dma_error(struct trn_device *device, unsigned number, unsigned queue, bool write);
/* Whether a half of the engine is in abort; true where the generation has no such engine. */
bool trn_dma_is_aborted(struct trn_device *device, unsigned number);
/* Its halves leave abort with a reset that keeps its queues (pci-function.md 5.3). */
void trn_dma_recover(struct trn_device *device, unsigned number);

/* Port of an engine: what its causes raise in its trigger unit (dma_intc.c). */
void trn_dma_cause(void *wired, unsigned half, uint32_t causes);

/* Whether an engine has something to do. */
bool trn_dma_waits(const struct trn_device *device);
/* A turn of every engine that has something to do; whether a packet ended. */
bool trn_dma_turn(struct trn_device *device);

/* Bytes of a core's view that lie together in host memory (core_dma.c). */
trn_status trn_tpb_map(struct trn_tpb *tpb, uint64_t address, uint64_t size, bool write,
                       struct trn_origin who, uint8_t **pointer, uint64_t *length);

#endif
