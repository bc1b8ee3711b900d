/* SPDX-License-Identifier: Apache-2.0 */
/* Address words as the text form sees them. */
#ifndef TRN_ISA_TEXT_ADDRESS_H
#define TRN_ISA_TEXT_ADDRESS_H

#include "isa/pattern.h"
#include "trench/gen.h"

/* An on-chip address taken apart; `space` is NULL outside SBUF and PSUM. */
struct trn_text_place {
    const char *space;
    uint32_t partition, byte;
};

struct trn_text_place trn_text_place(const struct trn_gen *gen, uint32_t address);

void trn_text_addr4_encode(const struct trn_addr4 *addr, uint8_t bytes[4]);

/* Is the word an address or a register, with no other marker, exactly as `addr` says? */
bool trn_text_addr4_is_plain(const struct trn_addr4 *addr, const uint8_t bytes[4]);

enum trn_addr8_form {
    TRN_ADDR8_NUMBER,     /* the 64 bits as they are; a plain address when the marker is zero */
    TRN_ADDR8_SHAPED,     /* an address whose shape is in a register */
    TRN_ADDR8_REGISTERS,  /* low and high half in registers */
    TRN_ADDR8_TABLE,      /* table entry and offset */
    TRN_ADDR8_TABLE_REG,  /* offset in a register */
    TRN_ADDR8_TABLE_WIDE, /* offset in a pair of registers */
    TRN_NUM_ADDR8_FORMS
};

/* An ADDR8 (isa-core.md 7.1). */
struct trn_text_addr8 {
    enum trn_addr8_form form;
    bool shape_from_register;
    uint64_t number;   /* NUMBER, SHAPED (58 bits) */
    uint8_t low, high; /* REGISTERS; TABLE_REG and TABLE_WIDE use low */
    uint16_t table;
    uint32_t offset;
};

/* NUMBER when no other form gives the bytes exactly. */
struct trn_text_addr8 trn_text_addr8_decode(const uint8_t bytes[8]);
void trn_text_addr8_encode(const struct trn_text_addr8 *addr, uint8_t bytes[8]);

#endif
