/* SPDX-License-Identifier: Apache-2.0 */
/* Base address registers: each access of the guest is one call of the library. */
#include "device.h"

static uint64_t bar_read(void *opaque, hwaddr offset, unsigned size)
{
    struct TrenchBar *bar = opaque;
    uint64_t value;

    trn_pci_bar_read(bar->device->pci, bar->number, offset, size, &value);
    return value;
}

static void bar_write(void *opaque, hwaddr offset, uint64_t value, unsigned size)
{
    struct TrenchBar *bar = opaque;

    trn_pci_bar_write(bar->device->pci, bar->number, offset, size, value);
    trench_turn_if_pending(bar->device);
}

/* Every size and alignment goes through: what the device says to it is the library's to decide. */
static const MemoryRegionOps bar_ops = {
    .read = bar_read,
    .write = bar_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = {.min_access_size = 1, .max_access_size = 8, .unaligned = true},
    .impl = {.min_access_size = 1, .max_access_size = 8, .unaligned = true},
};

void trench_bars_init(TrenchState *device)
{
    for (unsigned number = 0; number < TRENCH_BARS; number++) {
        struct trn_pci_bar shape = trn_pci_bar(device->pci, number);
        struct TrenchBar *bar = &device->bars[number];
        g_autofree char *name = g_strdup_printf("trench-bar%u", number);

        if (!shape.size)
            continue;
        bar->device = device;
        bar->number = number;
        memory_region_init_io(&bar->region, OBJECT(device), &bar_ops, bar, name, shape.size);
        /* DMA of the device may reach its own BARs: pci.h allows calls from callbacks. */
        bar->region.disable_reentrancy_guard = true;
        pci_register_bar(&device->parent, (int)number,
                         PCI_BASE_ADDRESS_SPACE_MEMORY | PCI_BASE_ADDRESS_MEM_TYPE_64 |
                             (shape.prefetchable ? PCI_BASE_ADDRESS_MEM_PREFETCH : 0),
                         &bar->region);
    }
}
