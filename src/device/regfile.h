/* SPDX-License-Identifier: Apache-2.0 */
/* A block of registers that behaves as its rows in registers.csv say: access kinds, named bits,
 * pulses (address-map.md 6.4). Effects beyond that are the owner's. */
#ifndef TRN_DEVICE_REGFILE_H
#define TRN_DEVICE_REGFILE_H

#include "gen/regmap.h"

struct trn_regfile {
    const struct trn_gen *gen;
    const char *block;         /* of registers.csv */
    uint64_t offset;           /* in BAR0 */
    uint32_t size;             /* bytes */
    uint32_t *words;           /* NULL until trn_regfile_create */
    uint64_t unknown_accesses; /* offsets without a register: read 0, write nothing */
};

/* Takes gen, block, offset and size; fills in the reset values. TRN_ERR_NO_MEMORY. */
trn_status trn_regfile_create(struct trn_regfile *file);
void trn_regfile_destroy(struct trn_regfile *file);

/* `offset` is inside the block and aligned. */
uint32_t trn_regfile_read(struct trn_regfile *file, uint32_t offset);
void trn_regfile_write(struct trn_regfile *file, uint32_t offset, uint32_t value);

/* What a register holds after `value` is written over `old`; `row` NULL: no register, 0. */
uint32_t trn_reg_written(const struct trn_reg_row *row, uint32_t old, uint32_t value);
/* What a read of a register that holds `value` gives. */
uint32_t trn_reg_seen(const struct trn_reg_row *row, uint32_t value);

#endif
