/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of opcodes.csv, struct-fields.csv, enums.csv and rules.csv, made by tools/tablegen. */
#ifndef TRN_ISA_TABLES_H
#define TRN_ISA_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "isa_ids.h"

#define TRN_WORD_BYTES 64
#define TRN_ISA_COUNT  4 /* sunda, cayman, mariana (and mariana_plus), maverick: trn_gen.isa */

enum trn_field_type {
    TRN_TYPE_U8,
    TRN_TYPE_U16,
    TRN_TYPE_U32,
    TRN_TYPE_U64,
    TRN_TYPE_I8,
    TRN_TYPE_I16,
    TRN_TYPE_I32,
    TRN_TYPE_F32,
    TRN_TYPE_REG,
    TRN_TYPE_CHAR,
    TRN_TYPE_ENUM,
    TRN_TYPE_RESERVED,
    /* composite: inner layout in trn_composite_table */
    TRN_TYPE_ADDR4,
    TRN_TYPE_ADDR8,
    TRN_TYPE_PATTERN1D,
    TRN_TYPE_PATTERN2D,
    TRN_TYPE_PATTERN3D,
    TRN_TYPE_PATTERN4D,
    TRN_TYPE_DATA4D,
    TRN_TYPE_MX1D,
    TRN_TYPE_PAIR,
    TRN_TYPE_SRCPAIR,
    TRN_TYPE_BOUNDREG,
    TRN_TYPE_IMM4,
    TRN_TYPE_IMM8,
    TRN_TYPE_DESC16,
    TRN_TYPE_CCINST,
    TRN_TYPE_ADDRUN8
};

struct trn_field_row {
    const char *name, *short_name;
    int8_t offset[TRN_ISA_COUNT]; /* byte offset in the word, -1: the field does not exist */
    uint8_t size;                 /* bytes of the container, or of the whole array */
    uint8_t bit_lo, bits;         /* bits == 0: the whole container */
    enum trn_field_type type;
    uint8_t count; /* array length, 1 for scalars */
    enum trn_enum_id enum_id;
    const char *constraint, *meaning, *confidence;
};

struct trn_struct_row {
    const char *name;
    const struct trn_field_row *fields; /* header and events first */
    uint16_t num_fields;
    uint16_t num_common;         /* how many of them belong to the header and the events */
    uint8_t isa_mask;            /* bit trn_gen.isa: the layout exists there */
    struct trn_name_index names; /* sheet names and short names */
};

struct trn_enum_member {
    const char *name; /* as in the manual */
    const char *text; /* as the text form prints it: lower case, "bf16" for BFLOAT16 */
    uint32_t value;
    uint8_t isa_mask;
    const char *confidence;
};

struct trn_enum_row {
    const char *name;
    const struct trn_enum_member *members;
    uint16_t num_members;
    uint16_t value_limit;    /* largest value + 1 */
    const uint8_t *by_value; /* value_limit entries: member number + 1, 0: none */
    struct trn_name_index names;
};

enum trn_exec_kind {
    TRN_EXEC_NONE,   /* no known layout: executing is a missing-specification fault */
    TRN_EXEC_LAYOUT, /* layout known, effect not */
    TRN_EXEC_FULL,
    TRN_EXEC_SUB,  /* depends on byte 12 */
    TRN_EXEC_HOST, /* pseudo word */
    TRN_EXEC_NEVER
};

struct trn_opcode_row {
    const char *name;             /* NULL: the value is on no generation and in no table */
    const char *mnemonic;         /* text form */
    const char *struct_name;      /* of the manual, may be empty */
    enum trn_struct_id struct_id; /* TRN_STRUCT_NONE: no layout */
    uint8_t isa_mask;
    uint8_t engines[TRN_ISA_COUNT]; /* bit = engine number (PE 0, ACT 1, POOL 2, DVE 3, SP 4) */
    bool host, maintained;
    enum trn_exec_kind exec;
    const char *meaning;
    const char *confidence; /* of the value and the generations */
    const char *struct_confidence, *engine_confidence, *meaning_confidence;
};

struct trn_rule_row {
    const char *name, *scope;
    uint8_t isa_mask;
    bool is_warning;
    const char *expression, *message, *confidence;
};

extern const struct trn_struct_row trn_struct_table[TRN_STRUCT_COUNT];
extern const struct trn_struct_row trn_composite_table[];
extern const size_t trn_num_composites;
extern const struct trn_enum_row trn_enum_table[TRN_ENUM_COUNT];
extern const struct trn_opcode_row trn_opcode_table[256];
extern const struct trn_name_index trn_opcode_names;        /* names and mnemonics */
extern const uint8_t trn_opcode_struct[TRN_ISA_COUNT][256]; /* enum trn_struct_id */
extern const uint8_t trn_extended_struct[256]; /* struct of EXTENDED by its byte 12, 0: EXTENDED */
extern const struct trn_rule_row trn_rule_table[TRN_RULE_COUNT];

#endif
