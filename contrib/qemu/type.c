/* SPDX-License-Identifier: Apache-2.0 */
/* The type `trench`: properties, life and death of a device. */
#include "device.h"

#include "hw/qdev-properties.h"
#include "qapi/error.h"

/* Data of QEMU, which a program that is not QEMU lacks: load.c gets to say so. */
#pragma weak qdev_prop_string
#pragma weak qdev_prop_uint32
#pragma weak qdev_prop_uint64
#pragma weak qdev_prop_size

static Property properties[] = {
    DEFINE_PROP_STRING("gen", TrenchState, gen),
    DEFINE_PROP_STRING("model", TrenchState, model),
    DEFINE_PROP_UINT32("revision", TrenchState, revision, 0),
    DEFINE_PROP_UINT32("routing-id", TrenchState, routing_id, 0),
    DEFINE_PROP_UINT64("serial", TrenchState, serial, 0),
    DEFINE_PROP_SIZE("hbm-size", TrenchState, hbm_bytes, 0),
    DEFINE_PROP_SIZE("bar4-size", TrenchState, bar4_bytes, 0),
    DEFINE_PROP_UINT32("msix", TrenchState, msix, 0),
    DEFINE_PROP_UINT32("threads", TrenchState, threads, 0),
    DEFINE_PROP_UINT64("doorbell-packets", TrenchState, doorbell_packets, 0),
    DEFINE_PROP_END_OF_LIST(),
};

static void realize(PCIDevice *pci, Error **errp)
{
    TrenchState *device = TRENCH(pci);
    struct trn_pci_options options = TRN_PCI_OPTIONS(device->gen ? device->gen : "sunda");
    struct trn_pci_host host = trench_host(device);
    struct trn_diag diag = {0};

    options.model = device->model;
    options.revision = device->revision;
    options.routing_id = device->routing_id;
    options.serial = device->serial;
    options.hbm_bytes = device->hbm_bytes;
    options.bar4_bytes = device->bar4_bytes;
    options.msix_vectors = device->msix;
    options.threads = device->threads;
    options.doorbell_packets = device->doorbell_packets;
    if (trn_pci_open(&options, &host, &device->pci, &diag)) {
        error_setg(errp, "trench: %s; right would be: %s", diag.message,
                   diag.expected[0] ? diag.expected : "more memory");
        return;
    }
    trench_config_init(device);
    trench_turn_init(device);
    trench_bars_init(device);
}

static void leave(PCIDevice *pci)
{
    TrenchState *device = TRENCH(pci);

    trench_turn_end(device);
    trn_pci_close(device->pci);
    device->pci = NULL;
}

static void reset(DeviceState *qdev)
{
    TrenchState *device = TRENCH(qdev);

    timer_del(device->turn);
    trn_pci_power_on(device->pci);
}

static void class_init(ObjectClass *klass, void *data)
{
    DeviceClass *device_class = DEVICE_CLASS(klass);
    PCIDeviceClass *pci_class = PCI_DEVICE_CLASS(klass);

    (void)data;
    pci_class->realize = realize;
    pci_class->exit = leave;
    pci_class->config_read = trench_config_read;
    pci_class->config_write = trench_config_write;
    device_class->desc = "software NeuronCore, the PCI function";
    device_class->reset = reset;
    device_class->user_creatable = true;
    set_bit(DEVICE_CATEGORY_MISC, device_class->categories);
    device_class_set_props(device_class, properties);
}

void trench_register_type(void)
{
    static InterfaceInfo interfaces[] = {{INTERFACE_CONVENTIONAL_PCI_DEVICE}, {}};
    static const TypeInfo type = {
        .name = TYPE_TRENCH,
        .parent = TYPE_PCI_DEVICE,
        .instance_size = sizeof(TrenchState),
        .class_init = class_init,
        .interfaces = interfaces,
    };

    type_register_static(&type);
}
