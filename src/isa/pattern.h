/* SPDX-License-Identifier: Apache-2.0 */
/* A memory pattern of a word, decoded (docs/hardware/isa-core.md, sections 5 and 6). */
#ifndef TRN_ISA_PATTERN_H
#define TRN_ISA_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/tables.h"

/* An ADDR4: 29 address bits or a register number, and the three marker bits. */
struct trn_addr4 {
    uint32_t addr;  /* immediate address (29 bits); meaningless in register form */
    uint8_t regnum; /* register form only */
    bool from_register, shape_from_register, indirect;
};

struct trn_pattern {
    struct trn_addr4 start; /* of an indirect arm: the index vector */
    uint8_t ndim;           /* 1..4; 1 for an indirect arm */
    int16_t step[4];        /* in elements; 1 in unused dimensions */
    uint16_t num[4]; /* 1 in unused dimensions; num[0] of an indirect arm: how many indices */
    bool indirect;
    struct trn_addr4 data;  /* indirect arm only */
    uint8_t shape_register; /* valid when start.shape_from_register */
};

struct trn_addr4 trn_addr4_decode(const uint8_t bytes[4]);

/* `type` is TRN_TYPE_PATTERN1D..4D, `bytes` the pattern's bytes in the word. */
void trn_pattern_decode(const uint8_t *bytes, enum trn_field_type type, struct trn_pattern *out);

/* Elements a lane: product of the counts (0 when any count is 0). */
uint64_t trn_pattern_count(const struct trn_pattern *pattern);

#endif
