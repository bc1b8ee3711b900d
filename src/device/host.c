/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the host behind the PCI link, at the device address where it appears (notific.md 8.1).
 */
#include <string.h>

#include "base/bytes.h"
#include "device/core.h"

uint64_t trn_host_base(const struct trn_device *device)
{
    return device->options.host_base ? device->options.host_base : device->gen->hal_host_base;
}

static uint8_t *bytes_at(const struct trn_device *device, uint64_t offset, size_t size)
{
    const uint64_t bytes = device->options.host_bytes;
    if (offset > bytes || size > bytes - offset)
        return NULL;
    return (uint8_t *)device->options.host_memory + offset;
}

uint8_t *trn_host_at(const struct trn_device *device, uint64_t address, size_t size)
{
    const uint64_t base = trn_host_base(device);
    return device->options.host_memory && address >= base ? bytes_at(device, address - base, size)
                                                          : NULL;
}

static trn_status read_block(void *context, uint64_t offset, void *data, size_t size)
{
    const uint8_t *bytes = bytes_at(context, offset, size);
    if (!bytes)
        return TRN_ERR_ADDRESS;
    memcpy(data, bytes, size);
    return TRN_OK;
}

static trn_status write_block(void *context, uint64_t offset, const void *data, size_t size)
{
    uint8_t *bytes = bytes_at(context, offset, size);
    if (!bytes)
        return TRN_ERR_ADDRESS;
    memcpy(bytes, data, size);
    return TRN_OK;
}

static trn_status read32(void *context, uint64_t offset, uint32_t *value)
{
    uint8_t bytes[4] = {0};
    const trn_status status = read_block(context, offset, bytes, sizeof bytes);
    *value = trn_get32(bytes);
    return status;
}

static trn_status write32(void *context, uint64_t offset, uint32_t value)
{
    uint8_t bytes[4];
    trn_put32(bytes, value);
    return write_block(context, offset, bytes, sizeof bytes);
}

struct trn_bus trn_host_bus(struct trn_device *device)
{
    return (struct trn_bus){device, read32, write32, read_block, write_block};
}
