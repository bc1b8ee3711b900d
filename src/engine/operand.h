/* SPDX-License-Identifier: Apache-2.0 */
/* A memory operand of an instruction, resolved to host memory. */
#ifndef TRN_ENGINE_OPERAND_H
#define TRN_ENGINE_OPERAND_H

#include "engine/exec.h"
#include "isa/pattern.h"
#include "trench/mem.h"

/* Direction, with what the field's constraint says (struct-fields.csv) or'ed in. */
enum trn_operand_use {
    TRN_OPERAND_READ = 1,
    TRN_OPERAND_WRITE = 2,
    TRN_OPERAND_READ_WRITE = 3,
    TRN_OPERAND_SBUF_ONLY = 4,
    TRN_OPERAND_PSUM_ONLY = 8,
    /* the result of a matmul: may have elements of less than 4 bytes, keeps lazy zeros */
    TRN_OPERAND_MATMUL = 16,
    /* scales lie in partitions that no other operand may start at (pe-array.md 10.2) */
    TRN_OPERAND_ANY_START = 32
};

/* More elements a lane than this is refused as not modelled: one word would run for minutes. */
#define TRN_OPERAND_MAX_COUNT (UINT64_C(1) << 26)

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
    uint64_t count;     /* elements a lane */
    bool contiguous;    /* a lane is `count` adjacent ascending elements */
    uint32_t low, high; /* every byte of every element lies in [low, high) of its partition */

    /* The same elements in the same order in as few loops as possible: dims is 1..4, unused
     * dimensions have num 1 and step 0. Not set for an indirect operand (dims 0). */
    struct {
        uint32_t dims;
        uint64_t num[4];
        int64_t step[4];
    } walk;

    bool indirect;        /* element i lies at base + lane * pitch + index[i] * size */
    const uint8_t *index; /* `count` UINT16 element indices of lane 0, a copy (model choice) */
    size_t index_pitch;   /* host distance of two lists */
};

/*
 * Resolve the pattern at `bytes` (type TRN_TYPE_PATTERN1D..4D) for `channels` partitions: register
 * addresses and shapes are read from x->regs, every rule that the static check had to leave open is
 * checked again (region, alignment, start partition, active bytes of the whole pattern), the access
 * is reported to the memory's tracker once. `use` is made of enum trn_operand_use. Faults: illegal
 * instruction or address, with the rule's name; *out is then meaningless.
 */
trn_status trn_operand_open(struct trn_exec *x, const uint8_t *bytes, enum trn_field_type type,
                            uint8_t dtype, uint32_t channels, unsigned use,
                            struct trn_operand *out);

/*
 * One scalar a lane: pointer or register-pointer immediates (isa-core.md 7.3). `address` is the
 * 29-bit address in the word or in its register. Same checks and report as trn_operand_open.
 */
trn_status trn_operand_open_address(struct trn_exec *x, uint32_t address, uint8_t dtype,
                                    uint32_t channels, unsigned use, struct trn_operand *out);

/* Copy `count` elements of a lane, from stream position `first`, to or from adjacent storage. */
void trn_operand_gather(const struct trn_operand *operand, uint32_t lane, uint64_t first,
                        uint64_t count, void *out);
void trn_operand_scatter(const struct trn_operand *operand, uint32_t lane, uint64_t first,
                         uint64_t count, const void *in);

/* How the bytes of two operands lie to each other. */
enum trn_overlap {
    TRN_OVERLAP_NONE,   /* no byte in common */
    TRN_OVERLAP_SAME,   /* lane i element k of both is the same bytes: in place is safe */
    TRN_OVERLAP_PARTIAL /* may share bytes in another way: go in stream order */
};

/* PARTIAL may be said of patterns that interleave without sharing a byte, NONE never wrongly. */
enum trn_overlap trn_operand_overlap(const struct trn_operand *a, const struct trn_operand *b);

static inline uint8_t *trn_operand_lane(const struct trn_operand *operand, uint32_t lane)
{
    return operand->base + lane * operand->pitch;
}

#endif
