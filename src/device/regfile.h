/* SPDX-License-Identifier: Apache-2.0 */
/* Registers that behave as their rows in registers.csv say: access kinds, named bits, pulses
 * (address-map.md 6.4). A layout is what the instances of a block share, one entry a word; effects
 * beyond the row are the owner's. */
#ifndef TRN_DEVICE_REGFILE_H
#define TRN_DEVICE_REGFILE_H

#include "gen/blocks.h"

/* What the host may do to one word. */
struct trn_reg_word {
    uint32_t keep;  /* bits that a write can leave set */
    uint8_t access; /* enum trn_reg_access */
    bool known;     /* a register is here */
    uint8_t shows;  /* what a read shows instead of the word: the owner's number, 0 nothing */
};

struct trn_reg_layout {
    const struct trn_gen *gen;
    const struct trn_block_row *row;
    size_t num_words;
    struct trn_reg_word *words;
    struct trn_reg_layout *next;
};

/* The layout of a block's instances, from the list at *first or new at its head; NULL when memory
 * is short. */
struct trn_reg_layout *trn_reg_layout(struct trn_reg_layout **first, const struct trn_gen *gen,
                                      const struct trn_block_row *row);
void trn_reg_layouts_free(struct trn_reg_layout **first);

/* Give the words of an instance their reset values; they are 0 before. */
void trn_reg_reset(const struct trn_reg_layout *layout, uint32_t *words);

/* What the register holds after `value` is written over `old`. */
static inline uint32_t trn_reg_written(const struct trn_reg_word *word, uint32_t old,
                                       uint32_t value)
{
    switch ((enum trn_reg_access)word->access) {
    case TRN_REG_RO:
    case TRN_REG_RC:
        return old;
    case TRN_REG_W0C:
        return old & (value | ~word->keep);
    case TRN_REG_W1C:
        return old & ~(value & word->keep);
    case TRN_REG_RW:
    case TRN_REG_WO:
        break;
    }
    return value & word->keep;
}

#endif
