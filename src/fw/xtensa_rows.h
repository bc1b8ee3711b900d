/* SPDX-License-Identifier: Apache-2.0 */
/* The generated tables of the Xtensa subset (data/xtensa*.csv). */
#ifndef TRN_FW_XTENSA_ROWS_H
#define TRN_FW_XTENSA_ROWS_H

#include "trench/fw_code.h"

/* How an operand is printed and what it means. */
enum trn_xtensa_operand_kind {
    TRN_XTENSA_OPERAND_REG,
    TRN_XTENSA_OPERAND_BOOL,
    TRN_XTENSA_OPERAND_NUMBER,
    TRN_XTENSA_OPERAND_PC,      /* address: PC plus the value */
    TRN_XTENSA_OPERAND_PC_WORD, /* address: PC rounded down to a word, plus the value */
    TRN_XTENSA_OPERAND_PC_UP,   /* address: PC + 3 rounded down to a word, plus the value */
    TRN_XTENSA_OPERAND_SR,      /* printed behind the mnemonic */
    TRN_XTENSA_OPERAND_UR
};

struct trn_xtensa_operand_row {
    const char *name;
    enum trn_xtensa_operand_kind kind;
    char access; /* 'r', 'w', 'x' of a special or user register */
    uint8_t bits;
    uint32_t wrap; /* raw values from here on are negative */
    int32_t scale, bias;
    const int32_t *values; /* NULL: raw * scale + bias */
    uint32_t (*get)(uint32_t word);
    uint32_t (*put)(uint32_t word, uint32_t raw);
};

struct trn_xtensa_row {
    const char *name;
    uint32_t mask, match;
    uint8_t size;
    enum trn_xtensa_class cls;
    enum trn_xtensa_census census; /* TRN_XTENSA_CENSUSES: not counted */
    uint8_t num_operands;
    uint8_t operand[TRN_XTENSA_OPERANDS]; /* rows of trn_xtensa_operand_table */
    const char *verified, *confidence;
};

/* Rows by op0: the byte at bit `low` picks a list of row numbers in the pool, ended by 0xFF. */
struct trn_xtensa_select {
    uint8_t low;
    uint16_t list[256];
};

enum { TRN_XTENSA_NO_ROW = 0xFF };

struct trn_xtensa_register_row {
    enum trn_xtensa_operand_kind kind;
    uint8_t cores; /* mask over enum trn_xtensa_core */
    uint8_t number;
    const char *access, *name;
};

struct trn_xtensa_format_row {
    const char *name;
    uint32_t mask, match;
    uint8_t size, slots;
    const char *roles;
};

extern const struct trn_xtensa_operand_row trn_xtensa_operand_table[];
extern const struct trn_xtensa_row trn_xtensa_table[];
extern const size_t trn_xtensa_num_rows;
extern const struct trn_xtensa_select trn_xtensa_select_table[16];
extern const uint8_t trn_xtensa_select_pool[];
extern const struct trn_xtensa_register_row trn_xtensa_register_table[];
extern const size_t trn_xtensa_num_registers;
/* [core][low nibble of byte 3][low nibble of byte 0], 0: illegal */
extern const uint8_t trn_xtensa_length_table[TRN_XTENSA_CORES][16][16];
extern const struct trn_xtensa_format_row trn_xtensa_format_table[]; /* the first match wins */
extern const size_t trn_xtensa_num_formats;

#endif
