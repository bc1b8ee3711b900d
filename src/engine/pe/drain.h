/* SPDX-License-Identifier: Apache-2.0 */
/* Where finished column sums go: PSUM cells, their accumulate groups and lazy zeros
 * (docs/hardware/pe-array.md 7.3, 9). */
#ifndef TRN_ENGINE_PE_DRAIN_H
#define TRN_ENGINE_PE_DRAIN_H

#include "engine/operand.h"
#include "engine/pe/columns.h"
#include "engine/pe/seeds.h"
#include "mem/fresh.h"
#include "trench/num.h"

#define TRN_DRAIN_LANES 128

enum trn_drain_mode {
    TRN_DRAIN_OVERWRITE,    /* START, SINGLE; v5 overwrite */
    TRN_DRAIN_ADD,          /* BEGIN_ACCUM: adds to the stored value; v5 accumulate */
    TRN_DRAIN_ADD_OR_FRESH, /* MID, END: add, but overwrite a fresh cell */
};

/* What a word is in its accumulate group. */
struct trn_drain_group {
    enum trn_drain_mode mode;
    uint32_t zero_banks; /* that a start frees, aligned to their number; 0: no start */
    bool opens, closes;  /* the group (engine/pe/groups.h) */
};

/* `cells` has one of these types: FP32 and BFLOAT16 take sums; INT32 takes sums that are integers
 * and adds with a wrap; UINT16 and UINT32 take bits, which stand in place of the sums. */
struct trn_drain {
    struct trn_operand cells;
    struct trn_num_mode num; /* how a BF16 cell is rounded */
    struct trn_fresh *fresh;
    struct trn_pe_seeds *seeds; /* of stochastic rounding of BF16 cells; NULL: to nearest */
    uint32_t bank_bytes;
    struct trn_exec *watch; /* what the cells add is looked at (engine/numeric.h); else NULL */
    uint8_t lane_mode[TRN_DRAIN_LANES]; /* enum trn_drain_mode; ADD_OR_FRESH: ask cell by cell */
};

/*
 * Prepare the cells of one MATMUL. A group start marks the banks that it frees as fresh in the
 * result's partitions; cells that the word itself reaches become ordinary ones.
 */
void trn_drain_open(struct trn_drain *drain, struct trn_exec *x, const struct trn_operand *cells,
                    const struct trn_drain_group *group);

/* Where the sums of a lane from stream position `first` on can go straight into FP32 cells, one
 * after the other and all in one way, TRN_PE_PUT or TRN_PE_ADD; NULL where trn_drain_put has to
 * look. */
float *trn_drain_cells(const struct trn_drain *drain, uint32_t lane, uint64_t first,
                       enum trn_pe_finish *finish);

/* Write `count` sums (at most TRN_PE_BLOCK) to a lane's cells from stream position `first`. Lanes
 * are independent; within a lane the calls come in stream order. */
void trn_drain_put(const struct trn_drain *drain, uint32_t lane, uint64_t first, uint32_t count,
                   const float *sums);

#endif
