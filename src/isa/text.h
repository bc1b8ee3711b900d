/* SPDX-License-Identifier: Apache-2.0 */
/* The plans that printer and parser of the text form share: which fields a word has on one
 * instruction set, in the order they are written (docs/tasm.md). Made by tools/tablegen. */
#ifndef TRN_ISA_TEXT_H
#define TRN_ISA_TEXT_H

#include "isa/tables.h"

enum {
    TRN_TEXT_NO_FIELD = 0xFF,
    TRN_TEXT_WORD_LENGTH = 0x10, /* inst_word_len when the text does not say */
    TRN_TEXT_LABEL_SIZE = 40,
    TRN_TEXT_MIN_POWER = -31,
    TRN_TEXT_MAX_POWER = 45
};

enum trn_text_kind {
    TRN_TEXT_UINT,
    TRN_TEXT_INT,
    TRN_TEXT_FLOAT,
    TRN_TEXT_REG,
    TRN_TEXT_ENUM,
    TRN_TEXT_RESERVED, /* at most 8 bytes, one number */
    TRN_TEXT_PAIR,     /* two enum members in the nibbles of one byte */
    TRN_TEXT_BOUNDREG,
    TRN_TEXT_ADDR4,
    TRN_TEXT_ADDR8,
    TRN_TEXT_ADDRUN8,
    TRN_TEXT_IMM, /* number, pointer or register, as another field says */
    TRN_TEXT_PATTERN,
    TRN_TEXT_MX1D,
    TRN_TEXT_DATA4D,
    TRN_TEXT_LIST, /* `count` numbers of kind `element` */
    TRN_TEXT_STRING,
    TRN_TEXT_BYTES,
    TRN_TEXT_CCINSTS
};

/* How the source of an immediate is written down: an index of trn_imm_codings. */
enum trn_imm_source {
    TRN_SOURCE_INSTRUCTION,   /* no field: always a number */
    TRN_SOURCE_POINTER,       /* no field: always a pointer */
    TRN_SOURCE_ENUM,          /* IMM_SRC */
    TRN_SOURCE_INVERTED,      /* IMM_SRC_N */
    TRN_SOURCE_POINTER_FIRST, /* u8: 0 and 1 pointer, 2 register (S2_BN) */
    TRN_SOURCE_FLAG,          /* u8: 0 number, 1 pointer */
    TRN_SOURCE_LOW_HALF,      /* IMM_SRC in the low nibble */
    TRN_SOURCE_HIGH_HALF,
    TRN_NUM_SOURCES
};

/* What a number in an immediate is. */
enum trn_imm_type {
    TRN_IMM_FLOAT,
    TRN_IMM_SIGNED,
    TRN_IMM_UNSIGNED,
    TRN_IMM_RAW,
    TRN_IMM_CLASS, /* float, raw for opcodes named BITVEC */
    TRN_IMM_FIELD, /* as the DTYPE in field `type_field` says */
    TRN_IMM_FIELD_LOW,
    TRN_IMM_FIELD_HIGH
};

struct trn_text_field {
    const char *name;                /* short name */
    char label[TRN_TEXT_LABEL_SIZE]; /* " name=" */
    uint8_t label_length;
    uint8_t row; /* in trn_struct_table[layout->id].fields */
    uint8_t kind;
    uint8_t offset, size; /* bytes */
    uint8_t bit_lo, bits; /* bits is size * 8 for a whole container of up to 8 bytes, 0 above */
    uint8_t count, element;
    uint8_t enum_id;
    uint8_t initial;                          /* value when the text does not give one */
    uint8_t derived_from;                     /* or: xbus_sel follows from this col_grp */
    uint8_t source, coding, type, type_field; /* IMM */
    bool shown;                               /* IMM: printed even when zero */
    bool is_source;                           /* says where an IMM comes from */
    bool label_allowed;                       /* a branch distance */
    bool mx;                                  /* PATTERN: a marker can select MXTENSOR_V2 */
};

struct trn_text_layout {
    const struct trn_text_field *fields;
    uint8_t num_fields;
    uint8_t num_own;                   /* the struct's own fields; header fields follow */
    uint8_t num_plain;                 /* fields before the sync blocks */
    uint8_t lanes[2];                  /* first field of EVENTS and of EVENTS_EXTENDED */
    uint8_t id;                        /* enum trn_struct_id */
    uint8_t num_initials, initials[3]; /* fields whose left-out value is not simply 0 */
};

struct trn_text_opcode {
    char mnemonic[TRN_TEXT_LABEL_SIZE];
    uint8_t length;
    bool bitvec;
    bool wide_list;       /* its u8 list holds 4-byte elements ... */
    uint8_t wide_element; /* ... of this kind */
};

/* A member of an enum as it is printed. */
struct trn_text_member {
    char text[TRN_TEXT_LABEL_SIZE];
    uint8_t length;
    uint8_t isa_mask;
};

/* NULL where the struct has no layout. */
extern const struct trn_text_layout *const trn_text_layouts[TRN_ISA_COUNT][TRN_STRUCT_COUNT];
extern const struct trn_text_opcode trn_text_opcodes[256];
extern const struct trn_text_member *const trn_text_members[TRN_ENUM_COUNT]; /* rows as in
                                                                                trn_enum_table */
extern const uint8_t trn_text_xbus[16];                                      /* by col_grp */
extern const uint64_t trn_text_powers[TRN_TEXT_MAX_POWER - TRN_TEXT_MIN_POWER + 1];

/* Copy a label or a mnemonic; `out` has TRN_TEXT_LABEL_SIZE bytes of room. */
static inline char *trn_text_copy(char *out, const char name[TRN_TEXT_LABEL_SIZE], size_t length)
{
    memcpy(out, name, 16);
    if (length > 16)
        memcpy(out + 16, name + 16, TRN_TEXT_LABEL_SIZE - 16);
    return out + length;
}

/* The member that has a value on an instruction set, NULL when none has. */
static inline const struct trn_text_member *trn_text_member(enum trn_enum_id id, uint32_t value,
                                                            unsigned isa)
{
    const struct trn_enum_row *row = &trn_enum_table[id];
    if (value >= row->value_limit || row->by_value[value] == 0)
        return NULL;
    const struct trn_text_member *member = &trn_text_members[id][row->by_value[value] - 1];
    return trn_bits_get(member->isa_mask, isa, 1) ? member : NULL;
}

/* A field of at most 8 bytes as an unsigned number. */
static inline uint64_t trn_text_get(const struct trn_text_field *field, const uint8_t *word)
{
    const uint8_t *at = word + field->offset;
    uint64_t value = 0;
    switch (field->size) {
    case 1:
        value = trn_get8(at);
        return field->bits == 8 ? value : trn_bits_get(value, field->bit_lo, field->bits);
    case 2:
        return trn_get16(at);
    case 4:
        return trn_get32(at);
    case 8:
        return trn_get64(at);
    default: /* reserved bytes */
        memcpy(&value, at, field->size);
        return value;
    }
}

static inline void trn_text_set(const struct trn_text_field *field, uint8_t *word, uint64_t value)
{
    uint8_t *at = word + field->offset;
    if (field->size == 1)
        trn_put8(at, (uint8_t)trn_bits_set(trn_get8(at), field->bit_lo, field->bits, value));
    else
        memcpy(at, &value, field->size);
}

/* Value of a field that the text leaves out; what it is derived from must be in the word. */
static inline uint64_t trn_text_initial(const struct trn_text_layout *layout,
                                        const struct trn_text_field *field, const uint8_t *word)
{
    if (field->derived_from == TRN_TEXT_NO_FIELD)
        return field->initial;
    const uint64_t col_grp = trn_text_get(&layout->fields[field->derived_from], word);
    return col_grp < 16 ? trn_text_xbus[col_grp] : 0;
}

/* ---- immediates ------------------------------------------------------------------- */

/* What stands in an immediate. */
enum trn_imm_form { TRN_FORM_NUMBER, TRN_FORM_POINTER, TRN_FORM_REGISTER, TRN_FORM_UNKNOWN };

/* Values of the source field. */
struct trn_imm_coding {
    bool possible[3];     /* by form: can the immediate have it? */
    uint8_t value[3];     /* by form: value that writing the immediate in this form implies */
    uint8_t form[3];      /* by value; larger values are TRN_FORM_UNKNOWN */
    uint8_t bit_lo, bits; /* of the source field; bits 0: there is no field */
    uint8_t initial;
};

extern const struct trn_imm_coding trn_imm_codings[TRN_NUM_SOURCES];

/* Value of the source field of an immediate (0 where there is none) and how to set it. */
uint8_t trn_imm_source_get(const struct trn_text_layout *layout, const struct trn_text_field *imm,
                           const uint8_t *word);
void trn_imm_source_set(const struct trn_text_layout *layout, const struct trn_text_field *imm,
                        uint8_t *word, uint8_t value);

static inline enum trn_imm_form trn_imm_form(const struct trn_text_field *imm, uint8_t source)
{
    return source < 3 ? (enum trn_imm_form)trn_imm_codings[imm->coding].form[source]
                      : TRN_FORM_UNKNOWN;
}

/* TRN_IMM_FLOAT, _SIGNED, _UNSIGNED or _RAW: what a number in the immediate is in this word. */
enum trn_imm_type trn_imm_type(const struct trn_text_layout *layout,
                               const struct trn_text_field *imm, const uint8_t *word);

#endif
