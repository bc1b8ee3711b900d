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

/* The bytes of the input; behind them, where the input asks for it, bytes drawn from their sum, so
 * that a short input goes deep, too. */
struct input {
    const uint8_t *data;
    size_t left, drawn; /* bytes to come of either kind */
    uint64_t state;
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

static inline bool has_input(const struct host *host)
{
    return host->input.left + host->input.drawn > 0;
}

static inline uint8_t take_byte(struct input *input)
{
    if (input->left > 0) {
        input->left--;
        input->state = (input->state ^ *input->data) * UINT64_C(0x100000001B3);
        return *input->data++;
    }
    if (input->drawn == 0)
        return 0;
    input->drawn--;
    input->state ^= input->state << 13;
    input->state ^= input->state >> 7;
    input->state ^= input->state << 17;
    return (uint8_t)(input->state >> 24);
}

/* Little-endian; 0 behind the end. */
static inline uint64_t take(struct host *host, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++)
        value |= (uint64_t)take_byte(&host->input) << 8 * i;
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
