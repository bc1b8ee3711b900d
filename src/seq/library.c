/* SPDX-License-Identifier: Apache-2.0 */
#include "seq/library.h"

#include "isa_fields.h"
#include "trench/enums.h"

bool trn_pool_lacks_kernel(const struct trn_gen *gen, unsigned library, const uint8_t *word)
{
    const uint8_t opcode = trn_common_opcode(word, gen->isa);
    const bool extended = opcode == TRN_OPCODE_EXTENDED_INST;
    const uint8_t spec = extended ? trn_extended_extended_opcode(word, gen->isa) : 0;
    bool known = false;
    for (size_t i = 0; i < trn_num_pool_kernel_rows; i++) {
        const struct trn_pool_kernel_row *row = &trn_pool_kernel_rows[i];
        if (trn_gen_at(row->gen) != gen || row->opcode != opcode || row->spec != spec)
            continue;
        if (row->library == library)
            return false;
        known = true;
    }
    return known;
}
