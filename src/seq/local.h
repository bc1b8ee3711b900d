/* SPDX-License-Identifier: Apache-2.0 */
/* The local register file of a sequencer (sequencer.md 9, address-map.md 9) and its data RAM. */
#ifndef TRN_SEQ_LOCAL_H
#define TRN_SEQ_LOCAL_H

#include "trench/gen.h"

enum { TRN_LOCAL_BYTES = 0x10000 };

/* Places of the hardware-decode bundle, the same wherever gen->has_hw_decode. */
enum {
    TRN_LOCAL_INTR_CTRL = 0x0018,
    TRN_LOCAL_INTR_INFO = 0x001C,
    TRN_LOCAL_Q7_STALL = 0x3000, /* one bit a Q7 core, where gen->has_q7_csr_release */
    TRN_LOCAL_HW_CONTROL = 0x4000,
    TRN_LOCAL_BREAK_CTRL = 0x4004,
    TRN_LOCAL_BREAK_STEP = 0x4008,
    TRN_LOCAL_BREAK_MATCH = 0x400C,
    TRN_LOCAL_BREAK_COUNT0 = 0x4010,
    TRN_LOCAL_BREAK_COUNT1 = 0x4014,
    TRN_LOCAL_BREAK_ADDR0 = 0x4018, /* low, then high */
    TRN_LOCAL_BREAK_ADDR1 = 0x4020,
};

/* PC bounds in the data RAM, u64 each, inclusive (sequencer.md 4.4). */
enum { TRN_NX_PC_LOW = 0x38, TRN_NX_PC_HIGH = 0x40, TRN_NX_RESET_END = 0x48 /* zeros behind */ };

struct trn_local {
    uint32_t *word;   /* TRN_LOCAL_BYTES of registers */
    uint8_t *nx_dram; /* gen->nx_dram_bytes, behind them */
    size_t bytes;     /* both */
};

static inline uint32_t trn_local_get(const struct trn_local *local, uint32_t offset)
{
    return local->word[offset / 4];
}

static inline void trn_local_set(struct trn_local *local, uint32_t offset, uint32_t value)
{
    local->word[offset / 4] = value;
}

static inline uint64_t trn_local_get64(const struct trn_local *local, uint32_t low, uint32_t high)
{
    return trn_local_get(local, low) | (uint64_t)trn_local_get(local, high) << 32;
}

/* Registers as the host sees them: the atomic windows of sequencer.md 9.7 are one bank of values
 * seen through four windows, everything else is plain. `offset` is aligned and in the file. */
uint32_t trn_local_read(const struct trn_local *local, const struct trn_gen *gen, uint32_t offset);
void trn_local_write(struct trn_local *local, const struct trn_gen *gen, uint32_t offset,
                     uint32_t value);

/* Name of the block in registers.csv: the file of later generations, or Sunda's own. */
const char *trn_local_block(const struct trn_gen *gen);

/* Allocate with the reset values of the register file; false when memory is short. */
bool trn_local_create(struct trn_local *local, const struct trn_gen *gen);
/* The reset values again; the data RAM keeps its bytes but for the PC bounds. */
void trn_local_reset(struct trn_local *local, const struct trn_gen *gen);
void trn_local_destroy(struct trn_local *local);

#endif
