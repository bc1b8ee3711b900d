/* SPDX-License-Identifier: Apache-2.0 */
/* A block-scaled operand of an instruction, resolved to host memory: packed elements, four to a
 * container, and one scale for every 8 partitions and 4 elements (docs/hardware/pe-array.md 10.1,
 * 10.2; isa-core.md 6). */
#ifndef TRN_ENGINE_MX_OPERAND_H
#define TRN_ENGINE_MX_OPERAND_H

#include "engine/operand.h"
#include "trench/num.h"

#define TRN_MX_PACKED     4   /* elements of a container */
#define TRN_MX_PARTITIONS 8   /* lanes that share a scale */
#define TRN_MX_BLOCK      256 /* containers that trn_mx_scales and trn_mx_values take at a time */

struct trn_mx_operand {
    uint8_t dtype;           /* of the elements */
    struct trn_operand data; /* containers: data.count of them a lane */
    bool scaled;             /* else every factor is 1 */
    uint32_t first_scale;    /* indirect: the scale of container i is index[i] - first_scale */
    /* by 32 lanes: partitions that hold the scales of 8 lanes each */
    struct trn_operand scales[4];
};

/*
 * Resolve the descriptor at `bytes` for `lanes` partitions. trn_mx_open: MXMEM_PATTERN1D, direct or
 * indirect; trn_mx_open_v2: MXTENSOR_V2. `use` is as for trn_operand_open and says how the scales
 * are used, too. Faults: those of trn_operand_open, and mx_scale_start, mx_data for a place or a
 * count that is not legal.
 */
trn_status trn_mx_open(struct trn_exec *x, const uint8_t *bytes, uint8_t dtype, uint32_t lanes,
                       unsigned use, struct trn_mx_operand *out);
trn_status trn_mx_open_v2(struct trn_exec *x, const uint8_t *bytes, uint8_t dtype, uint32_t lanes,
                          unsigned use, struct trn_mx_operand *out);

/* Whether the ADDR4 at `bytes` carries the marker of MXTENSOR_V2. Generations that have it only. */
bool trn_mx_is_v2(const uint8_t *bytes);

/* Scale codes of `count` containers of a lane from stream position `first`, E8M0; 127, which is a
 * factor of 1, where there are no scales. */
void trn_mx_scales(const struct trn_mx_operand *operand, uint32_t lane, uint64_t first,
                   uint32_t count, uint8_t *out);

/* Their elements as fp32, container after container, without the factors. `table`: 16 BF16 values
 * that stand for the codes of a 4-bit type instead of the codes' own (convlut.md 5), or NULL. */
void trn_mx_values(const struct trn_mx_operand *operand, const struct trn_num_mode *mode,
                   uint32_t lane, uint64_t first, uint32_t count, const uint16_t *table,
                   float *out);

#endif
