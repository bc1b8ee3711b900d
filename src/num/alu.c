/* SPDX-License-Identifier: Apache-2.0 */
/* What an ALU operator code is: questions that the row of alu-ops.csv answers. */
#include <strings.h>

#include "num/alu_f32.h"
#include "num/num_rows.h"

const char *trn_alu_name(uint8_t op)
{
    return trn_alu_table[op].name;
}

int trn_alu_find(const char *name)
{
    for (int op = 0; op < 256; op++)
        if (trn_alu_table[op].name && strcasecmp(trn_alu_table[op].name, name) == 0)
            return op;
    return -1;
}

unsigned trn_alu_arity(uint8_t op)
{
    return trn_alu_table[op].arity;
}

bool trn_alu_is_f32(uint8_t op)
{
    switch (op) {
    case TRN_ALU_OP_BYPASS:
#define CASE(OP, EXPRESSION) case TRN_ALU_OP_##OP:
        TRN_F32_OPS(CASE)
#undef CASE
        return true;
    default:
        return false;
    }
}
