/* SPDX-License-Identifier: Apache-2.0 */
/* Finding the row of a word, a name or a value. Everything is constant and needs no setting up.
 * `isa` is trn_gen.isa everywhere; names are matched without regard to case. */
#ifndef TRN_ISA_LOOKUP_H
#define TRN_ISA_LOOKUP_H

#include "isa/tables.h"

/* Layout that a word really has: the arm of 0xF0 chosen by byte 12; TRN_STRUCT_NONE when the opcode
 * or its layout does not exist on this instruction set. */
enum trn_struct_id trn_word_struct(const uint8_t word[TRN_WORD_BYTES], unsigned isa);

/* Layout of an opcode before its word is known: EXTENDED for 0xF0. */
enum trn_struct_id trn_opcode_layout(uint8_t opcode, unsigned isa);

/* Opcode by mnemonic or by its name in the manual, on any generation; -1 when there is none. */
int trn_opcode_find(const char *name, size_t length);

/* Field by sheet name or short name, NULL when the struct has none of it. The field may still be
 * absent on an instruction set: its offset is -1 there. TRN_STRUCT_NONE has the common fields. */
const struct trn_field_row *trn_field_find(enum trn_struct_id id, const char *name, size_t length);

/* Member that exists on the instruction set, NULL when there is none. */
const struct trn_enum_member *trn_enum_by_value(enum trn_enum_id id, uint32_t value, unsigned isa);
const struct trn_enum_member *trn_enum_by_name(enum trn_enum_id id, const char *name, size_t length,
                                               unsigned isa);

/* Enum, struct or rule by name; TRN_ENUM_NONE, TRN_STRUCT_NONE or -1 when there is none. Linear. */
enum trn_enum_id trn_enum_find(const char *name);
enum trn_struct_id trn_struct_find(const char *name);
int trn_rule_find(const char *name);

/* Parts of a composite type ("addr4", "pattern3d", "indirect"), NULL when there is none. Linear. */
const struct trn_struct_row *trn_composite_find(const char *name);

#endif
