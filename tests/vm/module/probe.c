// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/* The smallest driver of the function: probe as docs/hardware/pci-function.md 5.1, steps 1 to 5,
 * read MISC RAM, say what it saw. A start for a driver author, and a test of tools/vm --module. */
#include <linux/io.h>
#include <linux/module.h>
#include <linux/pci.h>

#define MISC_RAM_BYTES 0x1000
#define API_VERSION    0x000
#define ROUTING_ID     0x024

/* driver_data: where MISC RAM lies in BAR0. */
static const struct pci_device_id ids[] = {
    {PCI_DEVICE(0x1D0F, 0x7164), .driver_data = 0x30FA0000},
    {PCI_DEVICE(0x1D0F, 0x7364), .driver_data = 0x06C84000},
    {PCI_DEVICE(0x1D0F, 0x7564), .driver_data = 0x06C84000},
    {PCI_DEVICE(0x1D0F, 0x7565), .driver_data = 0x06C84000},
    {},
};
MODULE_DEVICE_TABLE(pci, ids);

static int probe(struct pci_dev *dev, const struct pci_device_id *id)
{
    void __iomem *misc;
    int err = pcim_enable_device(dev);

    if (err)
        return err;
    pci_set_master(dev);
    err = dma_set_mask_and_coherent(&dev->dev, DMA_BIT_MASK(64));
    if (err)
        return err;
    misc = devm_ioremap(&dev->dev, pci_resource_start(dev, 0) + id->driver_data, MISC_RAM_BYTES);
    if (!misc)
        return -ENOMEM;
    dev_info(&dev->dev, "firmware API %u, routing id %u\n", ioread32(misc + API_VERSION),
             ioread32(misc + ROUTING_ID));
    return 0;
}

static struct pci_driver probe_driver = {
    .name = "trench-probe",
    .id_table = ids,
    .probe = probe,
};
module_pci_driver(probe_driver);

MODULE_DESCRIPTION("reads what a trench device says of itself");
MODULE_LICENSE("GPL");
