/* SPDX-License-Identifier: Apache-2.0 */
/* Configuration space: what the guest reads is the model's; QEMU's copy places the BARs. */
#include "device.h"

/* The bytes that QEMU itself looks at (to place BARs, for "info pci") start as the model's. */
void trench_config_init(TrenchState *device)
{
    static const struct {
        unsigned offset, size;
    } fields[] = {
        {PCI_VENDOR_ID, 2},     {PCI_DEVICE_ID, 2},           {PCI_CLASS_REVISION, 4},
        {PCI_HEADER_TYPE, 1},   {PCI_SUBSYSTEM_VENDOR_ID, 2}, {PCI_SUBSYSTEM_ID, 2},
        {PCI_INTERRUPT_PIN, 1},
    };

    for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
        uint32_t value = 0;

        trn_pci_config_read(device->pci, fields[i].offset, fields[i].size, &value);
        for (unsigned byte = 0; byte < fields[i].size; byte++)
            device->parent.config[fields[i].offset + byte] =
                (uint8_t)extract32(value, (int)(8 * byte), 8);
    }
}

uint32_t trench_config_read(PCIDevice *pci, uint32_t offset, int size)
{
    uint32_t value;

    trn_pci_config_read(TRENCH(pci)->pci, offset, size, &value);
    return value;
}

void trench_config_write(PCIDevice *pci, uint32_t offset, uint32_t value, int size)
{
    trn_pci_config_write(TRENCH(pci)->pci, offset, size, value);
    pci_default_write_config(pci, offset, value, size);
}
