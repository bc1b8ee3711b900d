/* SPDX-License-Identifier: Apache-2.0 */
/* Which registers a DMA engine has and what a write can leave in them, from the rows of
 * registers.csv. */
#ifndef TRN_DMA_UDMA_MAP_H
#define TRN_DMA_UDMA_MAP_H

#include "base/bytes.h"
#include "gen/regmap.h"

/* Registers that do more than their rows say: X(id, path without its half). One list a half: the
 * banks have the same registers (udma.md 4), at different offsets past 0x4C. */
#define TRN_UDMA_QUEUE_REGS(X)                                                                     \
    X(CFG, "cfg")                                                                                  \
    X(STATUS, "status")                                                                            \
    X(BASE_LO, "drbp_low")                                                                         \
    X(BASE_HI, "drbp_high")                                                                        \
    X(LENGTH, "drl")                                                                               \
    X(HEAD, "drhp")                                                                                \
    X(DOORBELL, "drtp_inc")                                                                        \
    X(TAIL, "drtp")                                                                                \
    X(CURRENT, "dcp")                                                                              \
    X(COMP_LO, "crbp_low")                                                                         \
    X(COMP_HI, "crbp_high")                                                                        \
    X(COMP_HEAD, "crhp")                                                                           \
    X(COMP_HEAD_INTERNAL, "crhp_internal")                                                         \
    X(COMP_CFG, "comp_cfg")                                                                        \
    X(SW_CTRL, "q_sw_ctrl")                                                                        \
    X(SCHEDULE, "dwrr_cfg_1")                                                                      \
    X(QOS, "dwrr_cfg_2")                                                                           \
    X(RATE_LIMIT, "rlimit_cfg_1")

#define TRN_UDMA_GROUP_REGS(X)                                                                     \
    X(CAUSE, "cause")                                                                              \
    X(CAUSE_SET, "cause_set")                                                                      \
    X(MASK, "mask")                                                                                \
    X(MASK_CLEAR, "mask_clear")                                                                    \
    X(STATUS, "status")                                                                            \
    X(CONTROL, "control")                                                                          \
    X(ABORT_MASK, "abort_mask")

/* Registers of the engine that are read by name: X(id, path). */
#define TRN_UDMA_ENGINE_REGS(X)                                                                    \
    X(M2S_STATE, "udma.m2s.state")                                                                 \
    X(S2M_STATE, "udma.s2m.state")                                                                 \
    X(M2S_CHANGE, "udma.m2s.change_state")                                                         \
    X(S2M_CHANGE, "udma.s2m.change_state")                                                         \
    X(CFG_LEN, "udma.m2s.cfg_len")                                                                 \
    X(DESC_PREF_2, "udma.m2s.desc_pref_cfg_2")                                                     \
    X(M2S_BURST, "udma.m2s.desc_rd_cfg_3")                                                         \
    X(S2M_BURST, "udma.s2m.desc_rd_cfg_3")                                                         \
    X(SPARE, "udma.gen.spare_zeroes0")                                                             \
    X(TX_PACKETS, "udma.m2s_q.q_tx_pkt")                                                           \
    X(RX_PACKETS, "udma.s2m_q.q_rx_pkt")

/* What kind of thing a word belongs to. */
enum trn_udma_owner {
    TRN_UDMA_OF_ENGINE,
    TRN_UDMA_OF_M2S, /* a queue bank */
    TRN_UDMA_OF_S2M,
    TRN_UDMA_OF_PRIMARY, /* an interrupt group */
    TRN_UDMA_OF_SECONDARY,
    TRN_UDMA_OF_AXI,
    TRN_UDMA_OWNERS
};

enum trn_udma_queue_reg {
    TRN_UQ_PLAIN, /* storage: the row says it all */
#define X(id, name) TRN_UQ_##id,
    TRN_UDMA_QUEUE_REGS(X)
#undef X
        TRN_UQ_REGS
};

enum trn_udma_group_reg {
    TRN_UG_PLAIN,
#define X(id, name) TRN_UG_##id,
    TRN_UDMA_GROUP_REGS(X)
#undef X
        TRN_UG_REGS
};

enum trn_udma_engine_reg {
    TRN_UE_PLAIN,
#define X(id, name) TRN_UE_##id,
    TRN_UDMA_ENGINE_REGS(X)
#undef X
        TRN_UE_REGS
};

/* Bit fields that behaviour reads or shows. */
enum trn_udma_bit {
    TRN_UB_M2S_PREFETCH, /* cfg */
    TRN_UB_M2S_SCHEDULE,
    TRN_UB_S2M_PREFETCH,
    TRN_UB_S2M_STREAM,
    TRN_UB_LENGTH,
    TRN_UB_DOORBELL,
    TRN_UB_INDEX, /* of a pointer register */
    TRN_UB_RING_ID,
    TRN_UB_COMP_RING,
    TRN_UB_RST_TAIL,
    TRN_UB_RST_HEAD,
    TRN_UB_RST_CURRENT,
    TRN_UB_RST_QUEUE,
    TRN_UB_USED, /* status */
    TRN_UB_PREFETCH,
    TRN_UB_SCHEDULER,
    TRN_UB_FULL,
    TRN_UB_NORMAL, /* change_state */
    TRN_UB_ABORT,
    TRN_UB_PAUSE, /* dwrr_cfg_1, dwrr_cfg_2, rlimit_cfg_1 */
    TRN_UB_QOS,
    TRN_UB_RATE_LIMIT,
    TRN_UB_STATE_COMP, /* state */
    TRN_UB_STATE_STREAM,
    TRN_UB_STATE_READ,
    TRN_UB_STATE_PREF,
    TRN_UB_MAX_PACKET,
    TRN_UB_MAX_DESCS,
    TRN_UB_MAX_BURST,
    TRN_UB_NO_HEAD_REPORT,
    TRN_UB_POSEDGE, /* interrupt group control */
    TRN_UDMA_BITS
};

struct trn_udma_word {
    uint32_t keep;
    uint8_t access; /* enum trn_reg_access */
    uint8_t owner;  /* enum trn_udma_owner */
    uint8_t reg;    /* of the owner's list */
    uint8_t index;  /* queue or group */
    bool known;
};

struct trn_udma_reset_word {
    uint32_t word, value;
};

enum { TRN_UDMA_PRIMARY = 4, TRN_UDMA_SECONDARY = 3, TRN_UDMA_AXI = 7 };

struct trn_udma_map {
    const struct trn_gen *gen;
    uint32_t num_words;
    struct trn_udma_word *words;
    struct trn_udma_reset_word *resets; /* words that do not reset to 0 */
    size_t num_resets;
    uint32_t at[TRN_UE_REGS]; /* word of an engine register (of queue 0) */
    struct {
        uint8_t low, bits;
    } bit[TRN_UDMA_BITS];
};

static inline uint32_t trn_udma_bit_get(const struct trn_udma_map *map, uint32_t word,
                                        enum trn_udma_bit bit)
{
    return (uint32_t)trn_bits_get(word, map->bit[bit].low, map->bit[bit].bits);
}

static inline uint32_t trn_udma_bit_set(const struct trn_udma_map *map, uint32_t word,
                                        enum trn_udma_bit bit, uint32_t value)
{
    return (uint32_t)trn_bits_set(word, map->bit[bit].low, map->bit[bit].bits, value);
}

#endif
