/* SPDX-License-Identifier: Apache-2.0 */
/* Rows about the DMA engine: fields of a descriptor, values of its bring-up. */
#ifndef TRN_GEN_UDMA_ROWS_H
#define TRN_GEN_UDMA_ROWS_H

#include <stddef.h>
#include <stdint.h>

/* udma-descriptor.csv: a field of the 128 bits of a descriptor, as one view reads them */
struct trn_udma_field_row {
    const char *view; /* "tx", "rx", "meta", "cce", "transpose", "operands", "completion" */
    const char *name;
    uint8_t low, bits;
    const char *meaning, *confidence;
};

/* udma-init.csv: instances of a register that a row writes */
enum trn_udma_init_loop { TRN_UDMA_INIT_ONE, TRN_UDMA_INIT_QUEUES, TRN_UDMA_INIT_QUEUES_BY_3 };

enum { TRN_UDMA_INIT_GENERATIONS = 4 }; /* sunda .. mariana_plus */

struct trn_udma_init_row {
    uint8_t step; /* of pci-function.md 6.1 */
    uint8_t loop; /* enum trn_udma_init_loop */
    uint8_t gen_mask;
    const char *reg; /* path in registers.csv */
    uint32_t value[TRN_UDMA_INIT_GENERATIONS];
    const char *meaning;
};

extern const struct trn_udma_field_row trn_udma_field_table[];
extern const size_t trn_num_udma_fields;
extern const struct trn_udma_init_row trn_udma_init_table[];
extern const size_t trn_num_udma_init_rows;

#endif
