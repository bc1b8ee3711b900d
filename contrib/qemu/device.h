/* SPDX-License-Identifier: Apache-2.0 */
/* The `trench` device of QEMU: one trn_pci function behind a QEMU PCIDevice. */
#ifndef TRENCH_CONTRIB_QEMU_DEVICE_H
#define TRENCH_CONTRIB_QEMU_DEVICE_H

#include "qemu/osdep.h"

#include "hw/pci/pci.h"
#include "qemu/timer.h"
#include "trench/pci.h"

#define TYPE_TRENCH "trench"
#define TRENCH_BARS 6

OBJECT_DECLARE_SIMPLE_TYPE(TrenchState, TRENCH)

struct TrenchBar {
    MemoryRegion region;
    struct TrenchState *device;
    unsigned number;
};

struct TrenchState {
    PCIDevice parent;
    struct trn_pci *pci;
    struct TrenchBar bars[TRENCH_BARS];
    QEMUTimer *turn; /* the next turn of the engines */

    /* properties */
    char *gen, *model;
    uint32_t revision, routing_id, msix, threads;
    uint64_t serial, hbm_bytes, bar4_bytes, doorbell_packets;
};

/* host.c: the function's way into the memory of the guest. */
struct trn_pci_host trench_host(TrenchState *device);

/* config.c */
void trench_config_init(TrenchState *device);
uint32_t trench_config_read(PCIDevice *pci, uint32_t offset, int size);
void trench_config_write(PCIDevice *pci, uint32_t offset, uint32_t value, int size);

/* bar.c */
void trench_bars_init(TrenchState *device);

/* turn.c: what the device does by itself, between the accesses of the guest. */
void trench_turn_init(TrenchState *device);
void trench_turn_end(TrenchState *device);
/* After an access that may have given the engines work. */
void trench_turn_if_pending(TrenchState *device);

/* type.c: tell QEMU of the type. Called once, by load.c, in the QEMU it was built for. */
void trench_register_type(void);

#endif
