/* SPDX-License-Identifier: Apache-2.0 */
/* The host's notification rings of a run. */
#ifndef TRN_CLI_RUN_NOTIFY_H
#define TRN_CLI_RUN_NOTIFY_H

#include "cli/run.h"
#include "trench/drain.h"

/* Of each kind: what instructions and semaphores post with every word, and the rest. */
enum { RUN_MAX_RINGS = 10, RUN_MAX_RECORDS = 4096 };

struct run_ring {
    unsigned queue;
    uint32_t size;
    struct trn_drain drain;
};

/* A record that was read, and from where. */
struct run_record {
    uint8_t raw[TRN_RECORD_BYTES];
    unsigned queue;
};

struct run_rings {
    uint8_t *memory; /* of the host */
    uint64_t bytes;
    uint64_t block; /* BAR0 offset of the core's notification block */
    struct run_ring rings[RUN_MAX_RINGS];
    size_t num_rings;
    struct run_record *records; /* the first of them */
    size_t num_records, capacity, num_plain;
    uint64_t read;
    struct trn_collect kinds; /* each kind of error once */
    struct trn_diag problem;  /* the first that reading met */
};

#endif
