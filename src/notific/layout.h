/* SPDX-License-Identifier: Apache-2.0 */
/* Which registers a block has and what a write can leave in them, from the rows of registers.csv.
 */
#ifndef TRN_NOTIFIC_LAYOUT_H
#define TRN_NOTIFIC_LAYOUT_H

#include "gen/regmap.h"

/* Registers that do more than their rows say; one enumerator a row. */
enum trn_notific_reg {
    TRN_NQ_PLAIN, /* storage: the row says it all */
    TRN_NQ_TIMESTAMP_LO,
    TRN_NQ_TIMESTAMP_HI,
    TRN_NQ_SW_BACKPRESSURE,
    TRN_NQ_HW_BACKPRESSURE_LO,
    TRN_NQ_HW_BACKPRESSURE_HI,
    TRN_NQ_ENABLE,
    TRN_NQ_IGNORE_FULL,
    TRN_NQ_UART_MODE,
    TRN_NQ_AXI_ID,
    TRN_NQ_WR_BUF_LO,
    TRN_NQ_WR_BUF_HI,
    TRN_NQ_ERROR_ADDR_LO,
    TRN_NQ_ERROR_ADDR_HI,
    TRN_NQ_STALL_COUNT,
    TRN_NQ_STALL,
    TRN_NQ_NIQ_COUNT,
    TRN_NQ_NIQ_INDEX,
    TRN_NQ_NIQ_0,
    TRN_NQ_NIQ_1,
    TRN_NQ_NIQ_2,
    TRN_NQ_NIQ_3,
    TRN_NQ_NIQ_4,
    TRN_NQ_NAQ_COUNT,
    TRN_NQ_NAQ_INDEX,
    TRN_NQ_NAQ_0,
    TRN_NQ_NAQ_1,
    TRN_NQ_NAQ_2,
    TRN_NQ_NAQ_3,
    TRN_NQ_NAQ_4,
    TRN_NQ_NAQ_5,
    TRN_NQ_NAQ_6,
    TRN_NQ_STATS,
    TRN_NQ_COAL_TIMER,
    TRN_NQ_COAL_CTRL,
    TRN_NQ_WOB_CTRL,
    TRN_NQ_THRESHOLD_EN,
    TRN_NQ_FULL,
    TRN_NQ_THRESHOLD_PASSED,
    TRN_NQ_TIMESTAMP_INC,
    TRN_NQ_BASE_LO,
    TRN_NQ_BASE_HI,
    TRN_NQ_SIZE,
    TRN_NQ_HEAD,
    TRN_NQ_TAIL,
    TRN_NQ_THRESHOLD,
    TRN_NQ_REGS
};

/* Bit fields of the two control words. */
enum trn_notific_bit {
    TRN_NQ_COAL_BYPASS,
    TRN_NQ_COAL_CLEAR,
    TRN_NQ_COAL_STREAMS,
    TRN_NQ_COAL_FORCE,
    TRN_NQ_WOB_ROTATE,
    TRN_NQ_WOB_IN_ORDER,
    TRN_NQ_BITS
};

enum { TRN_NQ_MAX_WORDS = 192, TRN_NQ_MAX_QUEUES = 10 };

struct trn_notific_word {
    uint32_t keep, reset;
    uint8_t access; /* enum trn_reg_access */
    uint8_t reg;    /* enum trn_notific_reg */
    uint8_t queue;
    bool known;
};

struct trn_notific_layout {
    unsigned queues;
    unsigned stride;    /* words from a queue to the next */
    unsigned num_words; /* words at and past it have no register */
    struct trn_notific_word words[TRN_NQ_MAX_WORDS];
    uint8_t at[TRN_NQ_REGS]; /* word of a register (of queue 0) */
    struct {
        uint8_t low, bits;
    } bit[TRN_NQ_BITS];
};

/* False when the rows do not describe a block that this room can model. */
bool trn_notific_layout_init(struct trn_notific_layout *layout, const struct trn_gen *gen,
                             bool one_queue);

#endif
