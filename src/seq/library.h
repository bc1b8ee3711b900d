/* SPDX-License-Identifier: Apache-2.0 */
/* POOL's Q7 cores run kernels of the library that the host staged; a key that its table lacks is an
 * unknown opcode (docs/hardware/convlut.md 7; rows of data/kernel-info.csv). */
#ifndef TRN_SEQ_LIBRARY_H
#define TRN_SEQ_LIBRARY_H

#include "trench/gen.h"

struct trn_pool_kernel_row {
    uint8_t gen, library, opcode, spec;
};

extern const struct trn_pool_kernel_row trn_pool_kernel_rows[];
extern const size_t trn_num_pool_kernel_rows;

/* Whether a library of the generation has a kernel for the word, and the staged one has not. Words
 * that no library knows are none of its business: other code executes them. */
bool trn_pool_lacks_kernel(const struct trn_gen *gen, unsigned library, const uint8_t *word);

#endif
