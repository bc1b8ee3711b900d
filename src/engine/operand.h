/* SPDX-License-Identifier: Apache-2.0 */
/* A memory operand of an instruction, resolved to host memory. */
#ifndef TRN_ENGINE_OPERAND_H
#define TRN_ENGINE_OPERAND_H

#include "engine/exec.h"
#include "isa/pattern.h"
#include "trench/mem.h"

enum trn_operand_use { TRN_OPERAND_READ, TRN_OPERAND_WRITE, TRN_OPERAND_READ_WRITE };

/* Lane i is partition `partition + i`. Element (w,z,y,x) of a lane lies at
 * base + lane * pitch + x*step[0] + y*step[1] + z*step[2] + w*step[3] (steps in bytes). */
struct trn_operand {
    enum trn_space space;
    uint32_t partition, channels;
    uint32_t byte; /* of the first element inside its partition */
    uint8_t dtype;
    uint32_t size; /* bytes of an element */
    uint8_t *base;
    size_t pitch; /* host distance of two partitions */
    int64_t step[4];
    uint32_t num[4];
    uint64_t count;  /* elements a lane */
    bool contiguous; /* a lane is `count` adjacent ascending elements */
    bool indirect;
    const uint8_t *index; /* indirect: UINT16 element indices of lane 0 (model choice) */
    size_t index_pitch;
};

/*
 * Resolve the pattern at `bytes` (type TRN_TYPE_PATTERN1D..4D) for `channels` partitions: register
 * addresses and shapes are read from x->regs, every rule that the static check had to leave open is
 * checked again (region, alignment, start partition, active bytes of the whole pattern), the access
 * is reported to the memory's tracker once. Faults: illegal instruction or address.
 */
trn_status trn_operand_open(struct trn_exec *x, const uint8_t *bytes, enum trn_field_type type,
                            uint8_t dtype, uint32_t channels, enum trn_operand_use use,
                            struct trn_operand *out);

/* Copy `count` elements of a lane, from stream position `first`, to or from adjacent storage. */
void trn_operand_gather(const struct trn_operand *operand, uint32_t lane, uint64_t first,
                        uint64_t count, void *out);
void trn_operand_scatter(const struct trn_operand *operand, uint32_t lane, uint64_t first,
                         uint64_t count, const void *in);

static inline uint8_t *trn_operand_lane(const struct trn_operand *operand, uint32_t lane)
{
    return operand->base + lane * operand->pitch;
}

#endif
