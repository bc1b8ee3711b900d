/* SPDX-License-Identifier: Apache-2.0 */
/* A hostile driver of two devices that share a host: bytes become configuration, BAR and DMA
 * operations, rings, programs and mailboxes full of them, resets, injections, and calls from inside
 * of callbacks, of either device. Nothing may crash or hang, host memory is touched through the
 * callbacks only, and every status is one that pci.h names.
 *
 * Opening a function costs a hundred times what a power-on of an open one does, so functions are
 * kept from input to input. On-chip and device memory keep their bytes, too: a finding that does
 * not come back alone comes back behind others: -runs=0 over the corpus that it was put into. */
#include "rig.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    MAX_OPERATIONS = 100,
    DRAWN_BYTES = 400,
    SHAPES = 12, /* generation, and with MSI-X, in QEMU mode or plainly */
};

/* ---- the host ------------------------------------------------------------------------------ */

/* Now and then the host comes back while a device works. */
static void come_back(struct host *host)
{
    if (host->nested >= MAX_NESTED || !has_input(host) || take(host, 1) % 16 != 0)
        return;
    host->nested++;
    operate(host);
    host->nested--;
}

static bool may_touch(struct host *host, uint64_t address, size_t size)
{
    check(size > 0 && size <= 1 << 20);
    come_back(host);
    return address <= HOST_BYTES && size <= HOST_BYTES - address;
}

static trn_status host_read(void *context, uint64_t address, void *data, size_t size)
{
    struct host *host = context;
    if (!may_touch(host, address, size))
        return TRN_ERR_ADDRESS;
    memcpy(data, host->memory + address, size);
    return TRN_OK;
}

static trn_status host_write(void *context, uint64_t address, const void *data, size_t size)
{
    struct host *host = context;
    if (!may_touch(host, address, size))
        return TRN_ERR_ADDRESS;
    memcpy(host->memory + address, data, size);
    return TRN_OK;
}

static void interrupt(void *context, unsigned vector, uint64_t address, uint32_t data)
{
    (void)address, (void)data;
    check(vector < 8);
    come_back(context);
}

/* ---- functions that are kept ---------------------------------------------------------------- */

static struct trn_pci *open_shape(struct host *host, unsigned shape)
{
    static const char *const generations[] = {"sunda", "cayman", "mariana", "mariana_plus"};
    const struct trn_pci_host calls = {host, host_read, host_write, interrupt};
    struct trn_pci_options options = TRN_PCI_OPTIONS(generations[shape % 4]);
    struct trn_pci *pci = NULL;
    options.doorbell_packets = PACKETS;
    options.msix_vectors = shape / 4 == 1 ? 8 : 0;
    options.revision = shape / 4 == 2 ? TRN_PCI_QEMU : TRN_PCI_SILICON;
    check(trn_pci_open(&options, &calls, &pci, NULL) == TRN_OK);
    return pci;
}

/* The function of a shape for a device, as after power-on. */
static struct trn_pci *obtain(struct host *host, unsigned which, unsigned shape, bool fresh)
{
    static struct trn_pci *kept[2][SHAPES];
    struct trn_pci **const pci = &kept[which][shape];
    if (fresh) {
        check(trn_pci_close(*pci) == TRN_OK);
        *pci = NULL;
    }
    if (!*pci)
        *pci = open_shape(host, shape);
    check(trn_pci_power_on(*pci) == TRN_OK);
    return *pci;
}

static void prepare(struct host *host, unsigned which, unsigned shape, bool fresh)
{
    const bool sunda = shape % 4 == 0;
    struct rig *const rig = &host->rig[which];
    *rig = (struct rig){.host = host,
                        .pci = obtain(host, which, shape, fresh),
                        .misc = sunda ? 0x30FA0000 : 0x6C84000,
                        .host_bit = UINT64_C(1) << (sunda ? 44 : 46),
                        .control = shape / 4 == 2 ? 2 : 0};
    trn_pci_config_write(rig->pci, 4, 2, 6);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct host host;
    host.input = (struct input){.data = data, .left = size, .state = 1};
    host.nested = 0;
    memset(host.memory, 0, sizeof host.memory);
    const unsigned draw = (unsigned)take(&host, 2);
    host.input.drawn = draw / 128 % 4 == 3 ? DRAWN_BYTES : 0;
    prepare(&host, 0, draw % SHAPES, draw / 512 == 1 /* one input of 128 */);
    prepare(&host, 1, draw / 16 % SHAPES, draw / 512 == 2);
    for (int i = 0; i < MAX_OPERATIONS && has_input(&host); i++)
        operate(&host);
    return 0;
}
