/* SPDX-License-Identifier: Apache-2.0 */
/* An Xtensa instruction of the subset into its bytes: the decoder's rows, read backwards. */
#include <string.h>

#include "base/bytes.h"
#include "fw/xtensa.h"

/* The raw field that reads back as the value; false when there is none. */
static bool raw_of(const struct trn_xtensa_operand_row *operand, int32_t value, uint32_t pc,
                   uint32_t *raw)
{
    const uint32_t limit = (uint32_t)trn_bits_set(0, operand->bits, 1, 1);
    if (operand->values) {
        for (*raw = 0; *raw < limit; ++*raw)
            if (operand->values[*raw] == value)
                return true;
        return false;
    }
    /* what the field's zero reads as, then how many steps the value is away from it */
    const uint32_t zero = (uint32_t)trn_xtensa_operand_value(operand, operand->put(0, 0), pc);
    const int64_t away = (int32_t)((uint32_t)value - zero);
    if (away % operand->scale != 0)
        return false;
    *raw = (uint32_t)trn_bits_get((uint64_t)(away / operand->scale), 0, operand->bits);
    return trn_xtensa_operand_value(operand, operand->put(0, *raw), pc) == value;
}

static trn_status encode(const struct trn_xtensa_row *row, const int32_t *values, uint32_t pc,
                         uint8_t out[3])
{
    uint32_t word = row->match, raw = 0;
    for (unsigned i = 0; i < row->num_operands; i++) {
        const struct trn_xtensa_operand_row *const operand =
            &trn_xtensa_operand_table[row->operand[i]];
        if (!raw_of(operand, values[i], pc, &raw))
            return TRN_ERR_RANGE;
        word = operand->put(word, raw);
    }
    uint8_t bytes[4];
    trn_put32(bytes, word);
    memcpy(out, bytes, 3);
    return TRN_OK;
}

trn_status trn_xtensa_encode(const char *name, const int32_t *values, size_t count, uint32_t pc,
                             uint8_t out[3], size_t *length)
{
    for (size_t i = 0; i < trn_xtensa_num_rows; i++) {
        const struct trn_xtensa_row *const row = &trn_xtensa_table[i];
        if (strcmp(row->name, name) != 0)
            continue;
        *length = row->size;
        return count == row->num_operands ? encode(row, values, pc, out) : TRN_ERR_RANGE;
    }
    return TRN_ERR_NOT_FOUND;
}
