/* SPDX-License-Identifier: Apache-2.0 */
/* A driver's host-copy ring: descriptors in its own memory, doorbells over a BAR
 * (docs/hardware/pci-function.md 6.2 and 8). Knows the function through two calls only. */
#ifndef EXAMPLES_PCI_RING_H
#define EXAMPLES_PCI_RING_H

#include <stdbool.h>
#include <stdint.h>

struct trn_pci;

enum {
    RING_SLOTS = 8192,
    RING_BYTES = RING_SLOTS * 16,
    RING_CHUNK = 65536,
    RING_MAX_CHUNKS = 2032
};

/* Memory that the device can reach: the driver's pointer and the device's address of it. */
struct ring_memory {
    uint8_t *bytes;
    uint64_t device;
};

struct ring {
    struct trn_pci *pci;
    uint64_t engine; /* of the DMA engine, in BAR0 */
    unsigned queue;
    struct ring_memory tx, rx, marker; /* RING_BYTES, RING_BYTES, 8 */
    uint32_t next;
    uint8_t phase; /* ring id of the next slot: 1, 2, 3, 0, 1, ... */
};

/* Program the queue's registers; the ring begins at slot 0. */
void ring_init(struct ring *ring);

/* Copy between device addresses (host memory or HBM) and wait. False: no marker came. */
bool ring_copy(struct ring *ring, uint64_t source, uint64_t destination, uint64_t size);

#endif
