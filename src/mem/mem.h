/* SPDX-License-Identifier: Apache-2.0 */
/* The memories of one core: SBUF and PSUM as planes of partitions, HBM sparse. */
#ifndef TRN_MEM_MEM_H
#define TRN_MEM_MEM_H

#include "trench/gen.h"
#include "trench/mem.h"

/* One partitioned memory. Host rows are `pitch` bytes apart, padded so that a column access does
 * not fall on one cache set; only active_bytes of a row exist on the device. */
struct trn_plane {
    uint8_t *rows;
    size_t pitch;
    uint32_t partitions;
    uint32_t active_bytes;
};

static inline uint8_t *trn_plane_at(const struct trn_plane *plane, uint32_t partition, uint32_t byte)
{
    return plane->rows + partition * plane->pitch + byte;
}

struct trn_hbm;     /* mem/hbm.h */
struct trn_tracker; /* mem/tracker.h: occupancy, last writer, uninitialised reads */

struct trn_mem {
    const struct trn_gen *gen;
    struct trn_plane sbuf, psum;
    struct trn_hbm *hbm;
    struct trn_tracker *tracker; /* NULL: nobody watches */
};

static inline struct trn_plane *trn_mem_plane(struct trn_mem *mem, enum trn_space space)
{
    return space == TRN_SPACE_PSUM ? &mem->psum : &mem->sbuf;
}

/* One access of an instruction to a plane, for the tracker: the bytes
 * byte + x*step[0] + ... + [0, size) in every partition of partition .. partition+channels-1. */
struct trn_access {
    enum trn_space space;
    uint32_t partition, channels, byte, size;
    int64_t step[4];
    uint32_t num[4];
    bool write;
    int engine;
    uint64_t pc;
};

/* Report an access; does nothing when no tracker is attached. */
void trn_mem_report(struct trn_mem *mem, const struct trn_access *access);

#endif
