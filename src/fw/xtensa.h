/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the Xtensa decoder share. */
#ifndef TRN_FW_XTENSA_H
#define TRN_FW_XTENSA_H

#include "fw/xtensa_rows.h"

/* The operand in a word at `pc`, as it is printed; an address for a target. */
int32_t trn_xtensa_operand_value(const struct trn_xtensa_operand_row *operand, uint32_t word,
                                 uint32_t pc);

/* Name of a special or user register of the core for this kind of access, or NULL; *known tells
 * whether the core names the number at all. */
const char *trn_xtensa_register(enum trn_xtensa_core core,
                                const struct trn_xtensa_operand_row *operand, int32_t number,
                                bool *known);

#endif
