/* SPDX-License-Identifier: Apache-2.0 */
/* Notification queues as the driver allocates and halts them, docs/hardware/pci-function.md 7. */
#include "guest.h"

#define QUEUES      10
#define QUEUE_BYTES 0x10000u

/* high, low, size: in this order; all 0 halts the queue. */
static void set_queue(struct function *function, uint64_t block, unsigned index, uint64_t address,
                      uint32_t bytes)
{
    uint64_t registers = block + 0x100 + 0x28 * index;

    write32(function, registers + 4, (uint32_t)(address >> 32));
    write32(function, registers, (uint32_t)address);
    write32(function, registers + 8, bytes);
}

static void expect_queue(struct function *function, uint64_t block, unsigned index,
                         uint64_t address, uint32_t bytes)
{
    uint64_t registers = block + 0x100 + 0x28 * index;

    expect((uint64_t)read32(function, registers + 4) << 32 | read32(function, registers), address,
           "base of a notification queue", "pci-function.md 7");
    expect(read32(function, registers + 8), bytes, "size of a notification queue",
           "pci-function.md 7");
}

void check_notification_queues(struct function *function, struct block memory)
{
    const struct generation *gen = function->gen;

    for (unsigned core = 0; core < gen->cores; core++)
        for (unsigned index = 0; index < QUEUES; index++) {
            uint64_t address = (memory.physical + index * QUEUE_BYTES) | gen->host_bit;

            set_queue(function, gen->tpb_notific[core], index, address, QUEUE_BYTES);
            expect_queue(function, gen->tpb_notific[core], index, address, QUEUE_BYTES);
        }
    for (unsigned core = 0; core < gen->cores; core++)
        for (unsigned index = 0; index < QUEUES; index++) {
            set_queue(function, gen->tpb_notific[core], index, 0, 0);
            expect_queue(function, gen->tpb_notific[core], index, 0, 0);
        }
    passed("notification queues of %u cores allocated and halted", gen->cores);
}
