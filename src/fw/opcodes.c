/* SPDX-License-Identifier: Apache-2.0 */
/* Opcodes by generation, from the instruction set's own tables (data/opcodes.csv). */
#include "isa/tables.h"
#include "trench/fw.h"

bool trn_fw_opcode_exists(const struct trn_gen *gen, uint8_t opcode)
{
    const struct trn_opcode_row *const row = &trn_opcode_table[opcode];
    return row->name && row->isa_mask >> gen->isa & 1;
}

const struct trn_gen *trn_fw_opcode_first(uint8_t opcode)
{
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        if (trn_fw_opcode_exists(trn_gen_at(i), opcode))
            return trn_gen_at(i);
    return NULL;
}

const struct trn_gen *trn_fw_opcode_last(uint8_t opcode)
{
    for (unsigned i = TRN_GEN_COUNT; i-- > 0;)
        if (trn_fw_opcode_exists(trn_gen_at(i), opcode))
            return trn_gen_at(i);
    return NULL;
}
