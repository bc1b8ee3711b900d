/* SPDX-License-Identifier: Apache-2.0 */
/* DMA bring-up of a core: the register traffic of docs/hardware/pci-function.md 6.1, step by step.
 */
#include "guest.h"

#define SHEET          "pci-function.md 6.1"
#define QUEUES         16
#define ENGINES        16
#define NOT_READY      0xDEADBEEF
#define QUEUE_CFG      0x00030000
#define QUEUE_CFG_BUSY 0x03030000 /* a repeated bring-up finds what the first one left */

struct write {
    uint32_t offset, value;
};

static void write_all(struct function *function, uint64_t base, const struct write *writes,
                      size_t count)
{
    for (size_t i = 0; i < count; i++)
        write32(function, base + writes[i].offset, writes[i].value);
}

#define WRITE_ALL(function, base, ...)                                                             \
    write_all(function, base, (const struct write[]){__VA_ARGS__},                                 \
              sizeof((const struct write[]){__VA_ARGS__}) / sizeof(struct write))

/* "|=": read, then write; the read must answer. */
static uint32_t read_answering(struct function *function, uint64_t offset)
{
    uint32_t value = read32(function, offset);

    if (value == NOT_READY)
        failed(SHEET, "BAR0 %llX, which the bring-up reads, gives no answer",
               (unsigned long long)offset);
    return value;
}

static void set_bit(struct function *function, uint64_t offset, unsigned bit)
{
    write32(function, offset, read_answering(function, offset) | 1u << bit);
}

/* Step 0. */
static void sdma_events(struct function *function, struct engine engine)
{
    static const uint8_t with_events[] = {0, 3, 6, 9, 15};
    uint32_t mask = 0;

    for (size_t i = 0; i < sizeof with_events; i++)
        if (engine.number == with_events[i])
            mask = 0xFFFF;
    write32(function, engine.sdma + 0x100, 0xFFFFu >> engine.number);
    write32(function, engine.sdma + 0x104, mask);
}

/* Steps 1 to 9. */
static void queues_and_masks(struct function *function, uint64_t udma, bool again)
{
    const struct bringup_values *values = &function->gen->bringup;

    for (unsigned q = 0; q < QUEUES; q++)
        WRITE_ALL(function, udma + 0x1000 * q, {0x1020, again ? QUEUE_CFG_BUSY : QUEUE_CFG},
                  {0x21020, again ? QUEUE_CFG_BUSY : QUEUE_CFG});
    WRITE_ALL(function, udma, {0x310, values->r310}, {0x124, values->r124}, {0x3A300, 0x05F5E100},
              {0x408, 0}, {0x254, 0x010FFFFF}, {0x258, 0x00000102});
    for (unsigned q = 0; q < QUEUES; q++)
        write32(function, udma + 0x3C400 + 0x40 * q, 0xFFFFFFFF);
    WRITE_ALL(function, udma, {0x118, 0x00010008}, {0x2038C, 0});
    for (unsigned q = 0; q < QUEUES; q++)
        WRITE_ALL(function, udma + 0x40 * q, {0x3C404, 0xFFFFFFFF}, {0x3C408, 0xFFFFFFFF},
                  {0x3C40C, 0xFFFFFFFF});
    WRITE_ALL(function, udma, {0x20124, values->r20124}, {0x20128, values->r20128});
}

/* Steps 10 to 17. */
static void interrupts_and_start(struct function *function, struct engine engine)
{
    uint64_t udma = engine.udma;

    write32(function, udma + 0x3B460, read_answering(function, udma + 0x3B460) & ~1u);
    WRITE_ALL(function, udma, {0x3A028, 0x28}, {0x380E8, 0x28}, {0x3A030, 0xF0000000},
              {0x3A0B0, 0xFFFFFFC0}, {0x3A018, 0xF0000000}, {0x3A098, 0xFFFFFFC0},
              {0x380D8, 0xFFFFFAFF}, {0x3A068, 0x28}, {0x380E8, 0x28}, {0x3A070, 0x000010F8},
              {0x3A0B0, 0xFFFFF03F}, {0x3A058, 0x000010F8}, {0x3A098, 0xFFFFF03F},
              {0x380D8, 0xFFFFF9FF}, {0x20380, 0x00001004}, {0x304, 0x00010041},
              {0x308, 0x00004181}, {0x20308, 0x00004181}, {0x11C, 0x00010008},
              {0x2011C, 0x00010008});
    WRITE_ALL(function, engine.sdma, {0x1C, 1}, {0x20, 1}, {0x00, 1});
    if (!function->gen->sdma_events)
        write32(function, engine.sdma + 0x800, 0x26);
}

/* Step 18. */
static void axi_abort(struct function *function, uint64_t udma)
{
    for (unsigned t = 0; t < 6; t++)
        WRITE_ALL(function, udma + 0x3A900 + 0x40 * t, {0x04, 0xF}, {0x08, 0xF}, {0x0C, 0xF},
                  {0x24, 0xF}, {0x28, 0xF}, {0x2C, 0xF});
    for (unsigned t = 0; t < 6; t++)
        for (unsigned q = 0; q < QUEUES; q++)
            WRITE_ALL(function, udma + 0x3AB00 + 8 * t, {0, q << 3 | 7}, {4, 0x10});
    for (unsigned k = 0; k < 6; k++)
        WRITE_ALL(function, udma + 0x100 * k, {0x3AD28, 0x28}, {0x3AD30, 0}, {0x3AD18, 0});
    write32(function, udma + 0x3A300, 0xFFFFFFFF);
}

/* Step 19. */
static void mask_ring_errors(struct function *function, struct engine engine)
{
    uint32_t a = read_answering(function, engine.udma + 0x3A010) | 1u << 17;
    uint32_t b = read_answering(function, engine.udma + 0x3A050) | 1u << 11;

    WRITE_ALL(function, engine.udma, {0x3A010, a}, {0x3A030, a}, {0x3A050, b}, {0x3A070, b});
    set_bit(function, engine.error_trigger + 0x90, 11);
    set_bit(function, engine.error_trigger + 0xD0, 2);
    set_bit(function, engine.udma + 0x20C, 17);
    set_bit(function, engine.udma + 0x2020C, 11);
    expect(a, 0xF0020000, "interrupt mask 3A010 after step 19", SHEET);
    expect(b, 0x000018F8, "interrupt mask 3A050 after step 19", SHEET);
}

static void bring_up_engine(struct function *function, struct engine engine, bool again)
{
    const struct generation *gen = function->gen;

    if (gen->sdma_events && !engine.host_copy)
        sdma_events(function, engine);
    queues_and_masks(function, engine.udma, again);
    interrupts_and_start(function, engine);
    if (gen->axi_abort)
        axi_abort(function, engine.udma);
    if (gen->mask_ring_errors && !engine.host_copy)
        mask_ring_errors(function, engine);
}

void bring_up_core(struct function *function, unsigned core, bool again)
{
    const struct generation *gen = function->gen;

    for (unsigned e = 0; e < ENGINES; e++)
        bring_up_engine(function, core_engine(gen, core, e), again);
    if (core % gen->host_cores_per_engine == 0)
        bring_up_engine(function, host_copy_engine(gen, core), again);
}
