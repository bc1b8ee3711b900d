/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/pe/convlut.h"

#include <string.h>

#include "base/bytes.h"
#include "engine/convlut.h"
#include "engine/operand.h"
#include "engine/state.h"
#include "isa_fields.h"
#include "trench/num.h"

typedef uint16_t table[TRN_CONVLUT_ENTRIES];

/* ---- the tables --------------------------------------------------------------------------- */

/* Code e of FP4_EXP2 as BF16 (convlut.md 5.2, model choice). */
static uint16_t native(uint8_t code)
{
    static const uint16_t magnitude[] = {0x0000, 0x3F00, 0x3F80, 0x3FC0,
                                         0x4000, 0x4040, 0x4080, 0x40C0};
    const uint16_t negative = 0x8000;
    return code < 8 ? magnitude[code] : (uint16_t)(magnitude[code - 8] | negative);
}

void trn_pe_convlut_reset(struct trn_pe_convlut *lut)
{
    lut->loaded = false;
    for (uint32_t row = 0; row < TRN_CONVLUT_ROWS; row++)
        for (uint8_t code = 0; code < TRN_CONVLUT_ENTRIES; code++)
            lut->entry[row][code] = native(code);
}

const uint16_t *trn_pe_convlut_of(const struct trn_pe_convlut *lut, uint8_t dtype, uint32_t row)
{
    const bool coded = dtype == TRN_DTYPE_FP4_EXP2 || dtype == TRN_DTYPE_INT4;
    return coded && lut->loaded ? lut->entry[row] : NULL;
}

/* ---- the load ----------------------------------------------------------------------------- */

/* Rows that the word reads: one for all, or each its own. What the static rules left to registers
 * is looked at again. */
static trn_status open_source(struct trn_exec *x, uint32_t rows, struct trn_operand *source)
{
    const trn_status status = trn_operand_open(
        x, trn_s2_convlut_src_mem_pattern(x->word, x->gen->isa), TRN_TYPE_PATTERN2D,
        TRN_DTYPE_UINT16, rows, TRN_OPERAND_READ | TRN_OPERAND_SBUF_ONLY, source);
    if (status)
        return status;
    if (source->partition != 0)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "s2_convlut_active_channels",
                              "CONV_LUT_LOAD: source in partition %u; with 128 active rows it "
                              "starts in partition 0",
                              source->partition);
    if (source->indirect || source->count != TRN_CONVLUT_ENTRIES ||
        (source->num[0] != TRN_CONVLUT_ENTRIES && source->num[1] != TRN_CONVLUT_ENTRIES))
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "has_conv_lut_load_src_element_cnt",
                              "CONV_LUT_LOAD: a source of %u by %u elements; 16 by 1 and 1 by 16 "
                              "are legal",
                              source->num[0], source->num[1]);
    return TRN_OK;
}

static void read_table(const struct trn_operand *source, uint32_t row, table out)
{
    trn_operand_gather(source, row, 0, TRN_CONVLUT_ENTRIES, out);
}

/* Whether the two readings of the source differ: the other rows are looked at, not read. */
static bool rows_differ(const struct trn_operand *source)
{
    table first, other;
    read_table(source, 0, first);
    for (uint32_t row = 1; row < TRN_CONVLUT_ROWS; row++) {
        read_table(source, row, other);
        if (memcmp(first, other, sizeof first) != 0)
            return true;
    }
    return false;
}

trn_status trn_pe_convlut_load(struct trn_exec *x)
{
    struct trn_pe_convlut *lut = &x->state->pe.convlut;
    if (trn_convlut_is_cptc(x))
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "UNSUPPORTED_LEG",
                              "CONV_LUT_LOAD: lut_dtype 0x%02x selects the CPTC decoder, which PE "
                              "does not have; 0 and 0x0A load the converter table",
                              trn_s2_convlut_lut_dtype(x->word, x->gen->isa));
    struct trn_operand source;
    const uint32_t rows = lut->per_partition ? TRN_CONVLUT_ROWS : 1;
    const trn_status status = open_source(x, rows, &source);
    if (status)
        return status;
    if (rows_differ(&source))
        trn_exec_choice(x, TRN_CHOICE_CONVLUT_SOURCE);
    for (uint32_t row = 0; row < TRN_CONVLUT_ROWS; row++)
        read_table(&source, lut->per_partition ? row : 0, lut->entry[row]);
    lut->loaded = true;
    return TRN_OK;
}
