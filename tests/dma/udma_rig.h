/* SPDX-License-Identifier: Apache-2.0 */
/* One DMA engine over a few pieces of memory, driven by literal register offsets
 * (docs/hardware/udma.md 4, 5). */
#ifndef TESTS_DMA_UDMA_RIG_H
#define TESTS_DMA_UDMA_RIG_H

#include "dma/udma.h"

/* Two memories with a gap between them: every address outside of both is refused. */
enum {
    RIG_BYTES = 1 << 20,
    RIG_RECORDS = 64,
    RIG_PULSES = 64,
    RIG_QUEUE = 3,
    RIG_RING = 64, /* descriptors of both rings */
    TX_RING = 0x1000,
    RX_RING = 0x2000,
    TX_COMP = 0x3000,
    RX_COMP = 0x4000
};
#define RIG_A       UINT64_C(0x10000000)
#define RIG_B       UINT64_C(0x2000000000)
#define RIG_NOWHERE UINT64_C(0x5000000000)
#define RIG_DOOR    UINT64_C(0x7000000000) /* an address whose writes are those of a register */

/* Registers in the window. */
enum {
    M2S_STATE = 0x200,
    M2S_CHANGE = 0x204,
    M2S_LEN = 0x254,
    M2S_PREF_2 = 0x304,
    S2M_STATE = 0x20200,
    S2M_CHANGE = 0x20204,
    M2S_BANK = 0x1000, /* + 0x1000 a queue */
    S2M_BANK = 0x21000,
    Q_CFG = 0x20,
    Q_STATUS = 0x24,
    Q_BASE_LO = 0x28,
    Q_BASE_HI = 0x2C,
    Q_LENGTH = 0x30,
    Q_HEAD = 0x34,
    Q_BELL = 0x38,
    Q_TAIL = 0x3C,
    Q_CURRENT = 0x40,
    Q_COMP_LO = 0x44,
    Q_COMP_HI = 0x48,
    Q_COMP_HEAD = 0x4C,
    M2S_COMP_CFG = 0xA0,
    M2S_SW_CTRL = 0xB0,
    M2S_PACKETS = 0xC0,
    S2M_COMP_CFG = 0x54,
    S2M_SW_CTRL = 0x64,
    CAUSE_D = 0x380C0,
    MASK_D = 0x380D0,
    CLEAR_D = 0x380D8,
    CAUSE_A = 0x3A000, /* + 0x40 a group */
    MASK_A = 0x3A010,
    ABORT_A = 0x3A030,
    CLEAR_A = 0x3A018,
    SET_A = 0x3A008,
    CONTROL_A = 0x3A028
};

struct rig {
    struct trn_udma_map *map;
    struct trn_udma *engine;
    uint8_t *a, *b;
    bool no_pointers; /* the map port gives none: everything is a read or a write */
    uint32_t tx_next, rx_next;
    uint8_t tx_id, rx_id;
    uint32_t tx_new, rx_new; /* written and not rung */
    struct trn_record records[RIG_RECORDS];
    unsigned num_records;
    struct {
        unsigned group, bit;
    } pulses[RIG_PULSES];
    unsigned num_pulses;
    uint32_t choices[TRN_CHOICE_COUNT];
    uint32_t door_offset; /* register behind RIG_DOOR */
    unsigned door_writes;
    trn_status refusal; /* what memory says outside of its ranges */
};

/* What a rig_open after it gives: an engine that tells its records, or one that may take the short
 * road for plain copies. Both must do the same. */
extern bool rig_tells;

/* Not yet brought up. */
void rig_open(struct rig *rig, const char *generation);
void rig_close(struct rig *rig);

void rig_write(struct rig *rig, uint32_t offset, uint32_t value);
uint32_t rig_read(struct rig *rig, uint32_t offset);

/* Masks, limits and queue RIG_QUEUE with rings of RIG_RING in A (pci-function.md 6). */
void rig_bring_up(struct rig *rig);
/* Registers of one queue in both halves, in the driver's order (pci-function.md 6.2). */
void rig_queue_init(struct rig *rig, unsigned queue, uint64_t tx, uint64_t rx, uint32_t length);

uint8_t *rig_at(struct rig *rig, uint64_t address);

/* Next slot of a ring of RIG_QUEUE; word 0 is given without the ring id. */
void rig_tx(struct rig *rig, uint32_t word0, uint32_t word1, uint64_t source);
void rig_rx(struct rig *rig, uint32_t word0, uint64_t destination);
/* One plain copy: a packet of one descriptor on both sides. */
void rig_copy(struct rig *rig, uint64_t source, uint64_t destination, uint32_t size);
/* Rings both doorbells for what was added, RX first, and works. */
void rig_go(struct rig *rig);

#endif
