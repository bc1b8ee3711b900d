/* SPDX-License-Identifier: Apache-2.0 */
/* The function as bus master: memory of the host, behind the caller's calls (pci-function.md 8). */
#include "base/bytes.h"
#include "pci/pci.h"

uint64_t trn_pci_host_window(const struct trn_gen *gen)
{
    const struct trn_aperture_row *const row =
        trn_aperture_find(gen, TRN_APERTURE_SOC, "PCIE_HOST");
    return row ? row->size : 0;
}

static bool may_master(struct trn_pci *pci)
{
    const bool may = trn_pci_masters(pci);
    pci->counts.host_refused += !may;
    return may;
}

/* One callback. While it runs the host may come back with accesses of its own. */
static trn_status read_piece(struct trn_pci *pci, uint64_t address, void *data, size_t size)
{
    pci->depth++;
    const trn_status status = pci->host.read(pci->host.context, address, data, size);
    pci->depth--;
    pci->counts.host_reads++;
    if (status != TRN_OK)
        pci->counts.host_refused++;
    else
        pci->counts.host_bytes_read += size;
    return status;
}

static trn_status write_piece(struct trn_pci *pci, uint64_t address, const void *data, size_t size)
{
    pci->depth++;
    const trn_status status = pci->host.write(pci->host.context, address, data, size);
    pci->depth--;
    pci->counts.host_writes++;
    if (status != TRN_OK)
        pci->counts.host_refused++;
    else
        pci->counts.host_bytes_written += size;
    return status;
}

static size_t piece(size_t left)
{
    return left < TRN_PCI_MAX_TRANSFER ? left : TRN_PCI_MAX_TRANSFER;
}

trn_status trn_pci_host_read(struct trn_pci *pci, uint64_t address, void *data, size_t size)
{
    uint8_t *out = data;
    while (size > 0) {
        const size_t now = piece(size);
        if (!may_master(pci) || read_piece(pci, address, out, now) != TRN_OK)
            return TRN_ERR_ADDRESS;
        address += now;
        out += now;
        size -= now;
    }
    return TRN_OK;
}

trn_status trn_pci_host_write(struct trn_pci *pci, uint64_t address, const void *data, size_t size)
{
    const uint8_t *in = data;
    while (size > 0) {
        const size_t now = piece(size);
        if (!may_master(pci) || write_piece(pci, address, in, now) != TRN_OK)
            return TRN_ERR_ADDRESS;
        address += now;
        in += now;
        size -= now;
    }
    return TRN_OK;
}

/* ---- as a bus of the device ------------------------------------------------------ */

static trn_status read_block(void *context, uint64_t offset, void *data, size_t size)
{
    return trn_pci_host_read(context, offset, data, size);
}

static trn_status write_block(void *context, uint64_t offset, const void *data, size_t size)
{
    return trn_pci_host_write(context, offset, data, size);
}

static trn_status read32(void *context, uint64_t offset, uint32_t *value)
{
    uint8_t bytes[4] = {0};
    const trn_status status = trn_pci_host_read(context, offset, bytes, sizeof bytes);
    *value = trn_get32(bytes);
    return status;
}

static trn_status write32(void *context, uint64_t offset, uint32_t value)
{
    uint8_t bytes[4];
    trn_put32(bytes, value);
    return trn_pci_host_write(context, offset, bytes, sizeof bytes);
}

struct trn_bus trn_pci_host_bus(struct trn_pci *pci)
{
    return (struct trn_bus){pci, read32, write32, read_block, write_block};
}
