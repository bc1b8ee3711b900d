/* SPDX-License-Identifier: Apache-2.0 */
/* On-chip addresses: 29 bits that name a byte of SBUF or PSUM (docs/hardware/isa-core.md 4). */
#ifndef TRN_MEM_ONCHIP_H
#define TRN_MEM_ONCHIP_H

#include <stdbool.h>

#include "trench/gen.h"
#include "trench/mem.h"

#define TRN_ONCHIP_MASK 0x1FFFFFFFu

struct trn_onchip {
    enum trn_space space; /* SBUF or PSUM */
    uint32_t partition, byte;
};

/* Why an address or a range of partitions is refused. */
enum trn_onchip_fault {
    TRN_ONCHIP_OK,
    TRN_ONCHIP_NO_REGION, /* neither in SBUF nor in PSUM, or above 29 bits */
    TRN_ONCHIP_INACTIVE,  /* in a region, past the active bytes of its partition */
    TRN_ONCHIP_CHANNELS,  /* channel count outside 1..128 */
    TRN_ONCHIP_PARTITION, /* start partition not legal for the channel count */
};

/* Decode an address; on TRN_ONCHIP_INACTIVE *out is filled all the same. */
enum trn_onchip_fault trn_onchip_decode(const struct trn_gen *gen, uint64_t address,
                                        struct trn_onchip *out);

/* Address of a byte; the partition must exist. */
uint32_t trn_onchip_encode(const struct trn_gen *gen, const struct trn_onchip *where);

/* Active bytes of a partition of SBUF or PSUM. */
uint32_t trn_onchip_active(const struct trn_gen *gen, enum trn_space space);

/* The start-partition rule active_ok: partitions [partition, partition + channels). */
enum trn_onchip_fault trn_onchip_channels(uint32_t partition, uint32_t channels);

/* The start partitions that rule allows, as text: "0, 32, 64 or 96"; "none" for a bad count. */
const char *trn_onchip_legal_starts(uint32_t channels);

#endif
