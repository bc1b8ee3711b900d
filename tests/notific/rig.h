/* SPDX-License-Identifier: Apache-2.0 */
/* A block with memory, a clock that the test moves, and a tally of its pulses. */
#ifndef TRN_TESTS_NOTIFIC_RIG_H
#define TRN_TESTS_NOTIFIC_RIG_H

#include "notific/notific.h"

enum { RIG_MEMORY = 1 << 16, RIG_BASE = 0x400000 };

/* Register offsets as notific.md 2 lists them. */
enum {
    RIG_TIMESTAMP_LO = 0x00,
    RIG_TIMESTAMP_HI = 0x04,
    RIG_SW_BACKPRESSURE = 0x08,
    RIG_HW_BACKPRESSURE_LO = 0x0C,
    RIG_HW_BACKPRESSURE_HI = 0x10,
    RIG_NQ_ENABLE = 0x14,
    RIG_IGNORE_FULL = 0x18,
    RIG_UART_MODE = 0x28,
    RIG_AXI_ID = 0x2C,
    RIG_WR_BUF_LO = 0x30,
    RIG_WR_BUF_HI = 0x34,
    RIG_ERROR_ADDR_LO = 0x40,
    RIG_ERROR_ADDR_HI = 0x44,
    RIG_STALL_COUNT = 0x48,
    RIG_STALL = 0x4C,
    RIG_NIQ_COUNT = 0x50,
    RIG_NIQ_INDEX = 0x54,
    RIG_NIQ_0 = 0x60,
    RIG_NAQ_COUNT = 0x80,
    RIG_NAQ_INDEX = 0x84,
    RIG_NAQ_0 = 0x90,
    RIG_STATS = 0xB0,
    RIG_COAL_TIMER = 0xB4,
    RIG_COAL_CTRL = 0xB8,
    RIG_WOB_CTRL = 0xBC,
    RIG_THRESHOLD_EN = 0xC0,
    RIG_FULL = 0xC4,
    RIG_PASSED = 0xC8,
    RIG_TIMESTAMP_INC = 0xCC,
    RIG_BASE_LO = 0x100,
    RIG_BASE_HI = 0x104,
    RIG_SIZE = 0x108,
    RIG_HEAD = 0x10C,
    RIG_TAIL = 0x110,
    RIG_THRESHOLD = 0x114,
    RIG_STRIDE = 0x28
};

struct rig {
    struct trn_notific *block;
    uint64_t ticks;
    unsigned pulses[TRN_NOTIFIC_BUFFER_FULL + 1];
    unsigned last_n[TRN_NOTIFIC_BUFFER_FULL + 1];
    unsigned choices[TRN_CHOICE_COUNT];
    unsigned busy; /* writes that are answered with BUSY */
    unsigned writes;
    size_t last_size;
    uint16_t last_id;
    uint8_t memory[RIG_MEMORY]; /* at RIG_BASE; other addresses are refused */
};

struct trn_notific_ports rig_ports(struct rig *rig);
/* A ten-queue block of a core unless the options say otherwise (NULL: none set). Every class on,
 * every input stalls its producer, as a driver leaves it (9.1). */
void rig_open(struct rig *rig, const struct trn_notific_options *options);
void rig_close(struct rig *rig);

uint32_t rig_read(struct rig *rig, uint32_t offset);
void rig_write(struct rig *rig, uint32_t offset, uint32_t value);
static inline uint32_t rig_queue(unsigned q, uint32_t offset)
{
    return offset + RIG_STRIDE * q;
}

/* Ring of queue q at RIG_BASE + offset, enabled. */
void rig_ring(struct rig *rig, unsigned q, uint32_t offset, uint32_t size);
/* An EXPLICIT record of ACT whose counter is `n`, to a queue through an input. */
enum trn_notific_result rig_submit(struct rig *rig, unsigned input, unsigned q, unsigned n);
/* The record at an offset of the memory. */
struct trn_record rig_record(const struct rig *rig, uint32_t offset);
unsigned rig_number(const struct rig *rig, uint32_t offset);

#endif
