/* SPDX-License-Identifier: Apache-2.0 */
#include "device/regfile.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

/* Bits that some field names, without the ones that only pulse; all of them where none is named. */
static uint32_t stored_bits(const struct trn_reg_row *row)
{
    uint64_t mask = row->num_fields ? 0 : UINT32_MAX;
    for (size_t i = 0; i < row->num_fields; i++)
        if (!row->fields[i].pulse)
            mask = trn_bits_set(mask, row->fields[i].low, row->fields[i].bits, UINT64_MAX);
    return (uint32_t)mask;
}

uint32_t trn_reg_written(const struct trn_reg_row *row, uint32_t old, uint32_t value)
{
    if (!row)
        return 0;
    const uint32_t mask = stored_bits(row);
    switch (row->access) {
    case TRN_REG_RO:
    case TRN_REG_RC:
        return old;
    case TRN_REG_W0C:
        return old & (value | ~mask);
    case TRN_REG_W1C:
        return old & ~(value & mask);
    case TRN_REG_RW:
    case TRN_REG_WO:
        break;
    }
    return value & mask;
}

uint32_t trn_reg_seen(const struct trn_reg_row *row, uint32_t value)
{
    return row && row->access != TRN_REG_WO ? value : 0;
}

static void set_resets(struct trn_regfile *file, const struct trn_reg_row *row)
{
    const unsigned count_i = row->num_indices > 0 ? row->count[0] : 1;
    const unsigned count_j = row->num_indices > 1 ? row->count[1] : 1;
    for (unsigned i = 0; i < count_i; i++)
        for (unsigned j = 0; j < count_j; j++) {
            const uint32_t at = trn_reg_offset(row, row->first[0] + i, row->first[1] + j);
            if (at < file->size)
                file->words[at / 4] = row->reset;
        }
}

trn_status trn_regfile_create(struct trn_regfile *file)
{
    file->words = calloc(1, file->size);
    if (!file->words)
        return TRN_ERR_NO_MEMORY;
    for (size_t r = 0; r < trn_num_regs; r++) {
        const struct trn_reg_row *row = &trn_reg_table[r];
        if (!row->open && row->reset != 0 && trn_reg_on(row, file->gen) &&
            strcmp(row->block, file->block) == 0)
            set_resets(file, row);
    }
    return TRN_OK;
}

void trn_regfile_destroy(struct trn_regfile *file)
{
    free(file->words);
    file->words = NULL;
}

static const struct trn_reg_row *row_at(struct trn_regfile *file, uint32_t offset)
{
    unsigned index[2];
    const struct trn_reg_row *row = trn_reg_at(file->gen, file->block, offset, index);
    file->unknown_accesses += row == NULL;
    return row;
}

uint32_t trn_regfile_read(struct trn_regfile *file, uint32_t offset)
{
    const struct trn_reg_row *row = row_at(file, offset);
    const uint32_t value = trn_reg_seen(row, file->words[offset / 4]);
    if (row && row->access == TRN_REG_RC)
        file->words[offset / 4] = 0;
    return value;
}

void trn_regfile_write(struct trn_regfile *file, uint32_t offset, uint32_t value)
{
    const struct trn_reg_row *row = row_at(file, offset);
    if (row)
        file->words[offset / 4] = trn_reg_written(row, file->words[offset / 4], value);
}
