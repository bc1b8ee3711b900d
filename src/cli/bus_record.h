/* SPDX-License-Identifier: Apache-2.0 */
/* A bus that remembers what crosses it, in order, with the HAL's steps and log lines between. */
#ifndef TRN_CLI_BUS_RECORD_H
#define TRN_CLI_BUS_RECORD_H

#include "cli/sha256.h"
#include "trench/bus.h"
#include "trench/hal.h"

enum bus_op { BUS_READ32, BUS_WRITE32, BUS_READ_BLOCK, BUS_WRITE_BLOCK, BUS_LOG };

/* "read32", "write32", "read_block", "write_block", "log". */
const char *bus_op_name(enum bus_op op);

struct bus_event {
    enum bus_op op;
    bool
        rmw; /* the read or the write of a pair that changes the bits of `mask` (hal-stpb.md 4.1) */
    struct trn_hal_where where;
    trn_status status; /* what the bus answered */
    uint64_t offset;   /* in BAR0 */
    uint32_t value, mask;
    uint64_t size;                /* bytes */
    uint8_t sha256[SHA256_BYTES]; /* of a block */
    int level;                    /* of a log line */
    char *function, *text;
};

/* The bytes of a block that was written; one entry for equal blocks. */
struct bus_image {
    uint8_t sha256[SHA256_BYTES];
    uint8_t *data;
    size_t size;
};

struct bus_recorder {
    const struct trn_bus *inner;
    uint64_t base;    /* where the host thinks BAR0 is mapped; taken off before the inner bus */
    bool keep_images; /* remember the bytes of blocks */
    struct bus_event *events;
    size_t num_events, capacity;
    struct bus_image *images;
    size_t num_images;
    bool lost; /* memory ran out: something is not remembered, and the access failed */
    struct trn_hal_where where;
    uint64_t rmw_offset; /* of the announced pair */
    uint32_t rmw_mask;
    unsigned rmw_left; /* accesses that still belong to it */
};

/* The recorder as a bus and as what the HAL tells it; both live as long as it. */
struct trn_bus bus_recorder_bus(struct bus_recorder *recorder);
void bus_recorder_step(struct bus_recorder *recorder, const struct trn_hal_where *where);
void bus_recorder_rmw(struct bus_recorder *recorder, uint64_t offset, uint32_t mask);
void bus_recorder_log(struct bus_recorder *recorder, int level, const char *function,
                      const char *text);
void bus_recorder_free(struct bus_recorder *recorder);

#endif
