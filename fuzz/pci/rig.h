/* SPDX-License-Identifier: Apache-2.0 */
/* Two devices that share a host, and the bytes that say what happens to them. */
#ifndef FUZZ_PCI_RIG_H
#define FUZZ_PCI_RIG_H

#include <stdlib.h>
#include <string.h>

#include "trench/pci.h"

enum {
    HOST_BYTES = 1 << 18,
    MAX_NESTED = 8,
    PACKETS = 8,       /* that a doorbell moves at once */
    INSTRUCTIONS = 64, /* of one advance */
};

struct input {
    const uint8_t *data;
    size_t left;
};

struct host;

/* One of the two devices. */
struct rig {
    struct host *host;
    struct trn_pci *pci;
    uint64_t misc, host_bit;
    unsigned control; /* BAR */
};

struct host {
    struct input input;
    struct rig rig[2];
    unsigned nested;
    uint8_t memory[HOST_BYTES];
};

static inline uint64_t take(struct host *host, size_t bytes)
{
    struct input *const input = &host->input;
    uint64_t value = 0;
    if (bytes > input->left)
        bytes = input->left;
    if (bytes > 0)
        memcpy(&value, input->data, bytes);
    input->data += bytes;
    input->left -= bytes;
    return value;
}

static inline void check(bool holds)
{
    if (!holds)
        abort();
}

/* Does what the next bytes say. */
void operate(struct host *host);

#endif
