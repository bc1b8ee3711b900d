/* SPDX-License-Identifier: Apache-2.0 */
/* What the device does by itself: engines execute instructions in turns of the virtual clock, so
 * that the guest's processors run between them. */
#include "device.h"

#define TURN_INSTRUCTIONS 10000
#define TURN_GAP_NS       1000

static void turn(void *opaque)
{
    TrenchState *device = opaque;
    enum trn_pci_progress progress = TRN_PCI_IDLE;

    trn_pci_advance(device->pci, TURN_INSTRUCTIONS, &progress);
    if (progress == TRN_PCI_BUDGET)
        timer_mod(device->turn, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) + TURN_GAP_NS);
}

void trench_turn_init(TrenchState *device)
{
    device->turn = timer_new_ns(QEMU_CLOCK_VIRTUAL, turn, device);
}

void trench_turn_end(TrenchState *device)
{
    timer_free(device->turn);
    device->turn = NULL;
}

void trench_turn_if_pending(TrenchState *device)
{
    if (trn_pci_pending(device->pci) && !timer_pending(device->turn))
        timer_mod(device->turn, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL));
}
