/* SPDX-License-Identifier: Apache-2.0 */
/* The function as bus master: its DMA reads and writes the memory of the guest. */
#include "device.h"

#include "hw/pci/msi.h"

/* Memory of the guest, or a BAR of another device; asked first, so that a refusal moves nothing. */
static bool reachable(TrenchState *device, uint64_t address, size_t size, DMADirection direction)
{
    return dma_memory_valid(pci_get_address_space(&device->parent), address, size, direction,
                            MEMTXATTRS_UNSPECIFIED);
}

static trn_status host_read(void *context, uint64_t address, void *data, size_t size)
{
    TrenchState *device = context;

    if (!reachable(device, address, size, DMA_DIRECTION_TO_DEVICE) ||
        pci_dma_read(&device->parent, address, data, size) != MEMTX_OK)
        return TRN_ERR_ADDRESS;
    return TRN_OK;
}

static trn_status host_write(void *context, uint64_t address, const void *data, size_t size)
{
    TrenchState *device = context;

    if (!reachable(device, address, size, DMA_DIRECTION_FROM_DEVICE) ||
        pci_dma_write(&device->parent, address, data, size) != MEMTX_OK)
        return TRN_ERR_ADDRESS;
    return TRN_OK;
}

static void host_interrupt(void *context, unsigned vector, uint64_t address, uint32_t data)
{
    TrenchState *device = context;

    (void)vector;
    msi_send_message(&device->parent, (MSIMessage){.address = address, .data = data});
}

struct trn_pci_host trench_host(TrenchState *device)
{
    return (struct trn_pci_host){
        .context = device, .read = host_read, .write = host_write, .interrupt = host_interrupt};
}
