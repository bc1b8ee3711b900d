// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/* A small driver of the function by the list of docs/driver.md, "From probe to removal", with the
 * kernel's own ways: reset, host-copy ring, copies, a notification queue, an MSI-X message. It says
 * what it saw; a step that goes wrong fails the probe. A start for a driver author, and a test. */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/module.h>
#include <linux/pci.h>

#define SLOTS      64u
#define DATA_BYTES 300001u
#define CHUNK      0x10000u
#define HBM        0x1000000u /* the first 16 MiB are firmware's */
#define NQ_BYTES   0x1000u
#define NQ         2u
#define MARKER     0xABCDEF01u
#define CAUSE      3u

/* Of core 0, in BAR0. */
struct places {
    u64 misc, engine, core, notific, host_bit;
};

static const struct places sunda = {0x30FA0000, 0x30600000, 0x30530000, 0x30535000, 1ull << 44};
static const struct places later = {0x06C84000, 0x06800000, 0x06000000, 0x06001000, 1ull << 46};

static const struct pci_device_id ids[] = {
    {PCI_DEVICE(0x1D0F, 0x7164), .driver_data = (kernel_ulong_t)&sunda},
    {PCI_DEVICE(0x1D0F, 0x7264), .driver_data = (kernel_ulong_t)&sunda},
    {PCI_DEVICE(0x1D0F, 0x7364), .driver_data = (kernel_ulong_t)&later},
    {PCI_DEVICE(0x1D0F, 0x7564), .driver_data = (kernel_ulong_t)&later},
    {PCI_DEVICE(0x1D0F, 0x7565), .driver_data = (kernel_ulong_t)&later},
    {},
};
MODULE_DEVICE_TABLE(pci, ids);

struct slot {
    __le32 length, meta;
    __le64 address;
};

struct buffer {
    void *bytes;
    dma_addr_t bus;
};

struct driver {
    struct pci_dev *dev;
    const struct places *at;
    void __iomem *bar0;
    struct buffer tx, rx, marker, from, to, nq;
    unsigned int next, phase;
    struct completion told;
};

static u32 get(struct driver *driver, u64 offset)
{
    return ioread32(driver->bar0 + offset);
}

static void put(struct driver *driver, u64 offset, u32 value)
{
    iowrite32(value, driver->bar0 + offset);
}

static u64 device_address(struct driver *driver, dma_addr_t bus)
{
    return bus | driver->at->host_bit;
}

static int take(struct driver *driver, struct buffer *buffer, size_t size)
{
    buffer->bytes = dmam_alloc_coherent(&driver->dev->dev, size, &buffer->bus, GFP_KERNEL);
    return buffer->bytes ? 0 : -ENOMEM;
}

/* ---- reset (pci-function.md 5.3) ---- */

static int reset(struct driver *driver)
{
    unsigned int tries;

    put(driver, driver->at->misc + 0x1EC, 1);
    put(driver, driver->at->misc + 0x800, 1);
    for (tries = 0; tries < 100; tries++) {
        msleep(100);
        if (get(driver, driver->at->misc + 0x1EC) == 0)
            return get(driver, driver->at->misc + 0x808) & BIT(3) ? -EIO : 0;
    }
    return -ETIMEDOUT;
}

/* ---- host-copy ring (6.2) ---- */

static void init_half(struct driver *driver, u64 half, u64 reset_at, u64 completion, dma_addr_t bus)
{
    u64 bank = driver->at->engine + half, base = device_address(driver, bus);

    put(driver, bank + 0x1020, 0x03000000);
    put(driver, bank + reset_at, 0x100);
    put(driver, bank + 0x1028, lower_32_bits(base));
    put(driver, bank + 0x102C, upper_32_bits(base));
    put(driver, bank + 0x1030, SLOTS);
    put(driver, bank + completion, 0);
    put(driver, bank + 0x1020, 0x03030000);
}

static void init_ring(struct driver *driver)
{
    put(driver, driver->at->engine + 0x1074, 3);
    init_half(driver, 0, 0x10B0, 0x10A0, driver->tx.bus);
    init_half(driver, 0x20000, 0x1064, 0x1054, driver->rx.bus);
    driver->next = 0;
    driver->phase = 1;
}

/* ---- copies (8) ---- */

static void add(struct driver *driver, u64 from, u64 to, u32 size, u32 meta)
{
    struct slot *tx = driver->tx.bytes, *rx = driver->rx.bytes;
    u32 word = driver->phase << 24 | (size & 0xFFFF);

    rx[driver->next] = (struct slot){cpu_to_le32(word), 0, cpu_to_le64(to)};
    tx[driver->next] =
        (struct slot){cpu_to_le32(0x0C000000 | word), cpu_to_le32(meta), cpu_to_le64(from)};
    if (++driver->next == SLOTS) {
        driver->next = 0;
        driver->phase = (driver->phase + 1) % 4;
    }
}

static int copy(struct driver *driver, u64 from, u64 to, u32 size)
{
    u32 *marker = driver->marker.bytes, at, n = 1, tries;
    u64 mark = device_address(driver, driver->marker.bus);

    for (at = 0; at < size; at += CHUNK, n++)
        add(driver, from + at, to + at, min(size - at, CHUNK),
            size - at <= CHUNK ? 0x05080003 : 0x01080003);
    WRITE_ONCE(marker[0], MARKER);
    WRITE_ONCE(marker[1], 0);
    add(driver, mark, mark + 4, 4, 0x01080003);
    dma_wmb();
    put(driver, driver->at->engine + 0x21038, n);
    put(driver, driver->at->engine + 0x1038, n);
    for (tries = 0; tries < 1000; tries++) {
        if (READ_ONCE(marker[1]) == MARKER)
            return 0;
        usleep_range(10, 20);
    }
    return -ETIMEDOUT;
}

static int check_copies(struct driver *driver)
{
    u8 *from = driver->from.bytes;
    unsigned int turn, i;
    void __iomem *hbm;
    int err;

    for (turn = 0; turn < 40; turn++) { /* more slots than the ring has */
        for (i = 0; i < DATA_BYTES; i++)
            from[i] = (u8)(i * 31 + i / 256 + turn);
        memset(driver->to.bytes, 0, DATA_BYTES);
        err = copy(driver, device_address(driver, driver->from.bus), HBM, DATA_BYTES);
        if (!err)
            err = copy(driver, HBM, device_address(driver, driver->to.bus), DATA_BYTES);
        if (err)
            return err;
        if (memcmp(driver->from.bytes, driver->to.bytes, DATA_BYTES))
            return -EIO;
    }
    hbm = ioremap_wc(pci_resource_start(driver->dev, 4) + HBM, PAGE_SIZE);
    if (!hbm)
        return -ENOMEM;
    memcpy_fromio(driver->to.bytes, hbm, PAGE_SIZE);
    iounmap(hbm);
    if (memcmp(driver->from.bytes, driver->to.bytes, PAGE_SIZE))
        return -EIO;
    dev_info(&driver->dev->dev, "%u bytes to HBM and back, %u times: the same\n", DATA_BYTES, turn);
    return 0;
}

/* ---- a notification queue (7) ---- */

static void set_queue(struct driver *driver, u64 ring, u32 size)
{
    u64 at = driver->at->notific + 0x100 + 0x28 * NQ;

    put(driver, at + 4, upper_32_bits(ring));
    put(driver, at, lower_32_bits(ring));
    put(driver, at + 8, size);
}

static int check_notification(struct driver *driver)
{
    const u32 *record = driver->nq.bytes;

    set_queue(driver, device_address(driver, driver->nq.bus), NQ_BYTES);
    put(driver, driver->at->notific + 0x30, ~0u);
    put(driver, driver->at->notific + 0x34, ~0u);
    put(driver, driver->at->notific + 0x14, BIT(NQ));
    put(driver, driver->at->core + 0xA0C, NQ);
    put(driver, driver->at->core + 0xB04, 0xCAFE);
    put(driver, driver->at->core + 0xB00, 1);
    if (get(driver, driver->at->notific + 0x110 + 0x28 * NQ) != 16)
        return -EIO;
    dev_info(&driver->dev->dev, "record %08x %08x\n", READ_ONCE(record[0]), READ_ONCE(record[1]));
    return READ_ONCE(record[1]) == 0xCAFE ? 0 : -EIO;
}

/* ---- an interrupt (1; notific.md 6.3) ---- */

static irqreturn_t told(int irq, void *context)
{
    struct driver *driver = context;

    complete(&driver->told);
    return IRQ_HANDLED;
}

/* Vector 0 is core 0. A device without the capability has no vector, and that is all right. */
static int check_interrupt(struct driver *driver)
{
    u64 unit = driver->at->core + 0x2000;
    int count = pci_alloc_irq_vectors(driver->dev, 1, 8, PCI_IRQ_MSIX), err;

    if (count < 1)
        return 0;
    err = request_irq(pci_irq_vector(driver->dev, 0), told, 0, "trench-driver", driver);
    if (!err) {
        put(driver, unit + 0x18, ~(u32)BIT(CAUSE));
        put(driver, unit + 0x08, BIT(CAUSE));
        if (!wait_for_completion_timeout(&driver->told, HZ))
            err = -ETIMEDOUT;
        free_irq(pci_irq_vector(driver->dev, 0), driver);
    }
    pci_free_irq_vectors(driver->dev);
    if (!err)
        dev_info(&driver->dev->dev, "%d vectors, a message of core 0\n", count);
    return err;
}

/* ---- probe and removal (5.1, 10) ---- */

static int take_memory(struct driver *driver)
{
    int err = take(driver, &driver->tx, SLOTS * sizeof(struct slot));

    err = err ? err : take(driver, &driver->rx, SLOTS * sizeof(struct slot));
    err = err ? err : take(driver, &driver->marker, 8);
    err = err ? err : take(driver, &driver->nq, NQ_BYTES);
    err = err ? err : take(driver, &driver->from, DATA_BYTES);
    return err ? err : take(driver, &driver->to, DATA_BYTES);
}

static int work(struct driver *driver)
{
    int err = reset(driver);

    if (err)
        return err;
    init_ring(driver);
    err = check_copies(driver);
    err = err ? err : check_notification(driver);
    return err ? err : check_interrupt(driver);
}

static int probe(struct pci_dev *dev, const struct pci_device_id *id)
{
    struct driver *driver = devm_kzalloc(&dev->dev, sizeof *driver, GFP_KERNEL);
    int err = driver ? pcim_enable_device(dev) : -ENOMEM;

    if (err)
        return err;
    driver->dev = dev;
    driver->at = (const struct places *)id->driver_data;
    init_completion(&driver->told);
    pci_set_drvdata(dev, driver);
    pci_set_master(dev);
    err = dma_set_mask_and_coherent(&dev->dev, DMA_BIT_MASK(64));
    if (err)
        return err;
    driver->bar0 = devm_ioremap(&dev->dev, pci_resource_start(dev, 0), pci_resource_len(dev, 0));
    if (!driver->bar0)
        return -ENOMEM;
    dev_info(&dev->dev, "routing id %u\n", get(driver, driver->at->misc + 0x024));
    err = take_memory(driver);
    err = err ? err : work(driver);
    set_queue(driver, 0, 0); /* halted, since its memory goes with the driver */
    if (err)
        dev_err(&dev->dev, "the device did not do it: %d\n", err);
    return err;
}

static void remove(struct pci_dev *dev)
{
    dev_info(&dev->dev, "removed\n");
}

static struct pci_driver trench_driver = {
    .name = "trench-driver",
    .id_table = ids,
    .probe = probe,
    .remove = remove,
};
module_pci_driver(trench_driver);

MODULE_DESCRIPTION("copies memory by a trench device, takes a notification and an interrupt");
MODULE_LICENSE("GPL");
