/* SPDX-License-Identifier: Apache-2.0 */
/**
 * trench/bus.h - the register bus: the only way the host reaches a device.
 *
 * A bus is one address range of 32-bit registers and memories, normally BAR0 (offsets from its
 * start) or BAR4 (device memory). The same HAL drives the model, a recorder, a replayer or mapped
 * hardware through it.
 */
#ifndef TRENCH_BUS_H
#define TRENCH_BUS_H

#include "trench/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * All calls return 0 or a negative status and may be made from one thread at a time.
 * Offsets are bytes from the start of the bus. 32-bit accesses are 4-byte aligned. Blocks may have
 * any length and alignment; where a block covers registers it acts as ascending 32-bit accesses.
 * A failed access changes nothing on the device.
 */
struct trn_bus {
    void *context; /**< handed back as the first argument */
    trn_status (*read32)(void *context, uint64_t offset, uint32_t *value);
    trn_status (*write32)(void *context, uint64_t offset, uint32_t value);
    trn_status (*read_block)(void *context, uint64_t offset, void *data, size_t size);
    trn_status (*write_block)(void *context, uint64_t offset, const void *data, size_t size);
};

#ifdef __cplusplus
}
#endif
#endif
