/* SPDX-License-Identifier: Apache-2.0 */
/* The converter tables of the array: one of 16 entries for each row, which a 4-bit code of an
 * operand picks its value from (docs/hardware/convlut.md 4, 5). */
#ifndef TRN_ENGINE_PE_CONVLUT_H
#define TRN_ENGINE_PE_CONVLUT_H

#include "engine/exec.h"

#define TRN_CONVLUT_ENTRIES 16
#define TRN_CONVLUT_ROWS    128

struct trn_pe_convlut {
    uint16_t entry[TRN_CONVLUT_ROWS][TRN_CONVLUT_ENTRIES]; /* BF16 patterns */
    bool loaded; /* else the codes have the values of their type */

    /* where a load takes the table of row r from: partition r, or the first one for every row;
     * an option of the run (model choice convlut_source), which a reset leaves alone */
    bool per_partition;
};

/* Entries of every row: BF16 patterns of the FP4_EXP2 codes; nothing counts as loaded. */
void trn_pe_convlut_reset(struct trn_pe_convlut *lut);

/* The table that an operand of `dtype` in `row` goes through, NULL when its codes have the values
 * of their type: it is no 4-bit type, or no table was loaded. */
const uint16_t *trn_pe_convlut_of(const struct trn_pe_convlut *lut, uint8_t dtype, uint32_t row);

/* CONV_LUT_LOAD on PE: loads the tables; the CPTC leg is the fault UNSUPPORTED_LEG. */
trn_status trn_pe_convlut_load(struct trn_exec *x);

#endif
