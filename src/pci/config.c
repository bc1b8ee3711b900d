/* SPDX-License-Identifier: Apache-2.0 */
/* Configuration space (pci-function.md 1): bytes with a mask of what a host may set. */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "pci/pci.h"

/* PCI's own layout, where the function itself looks at it. */
enum { COMMAND = 0x04, FIRST_BAR = 0x10, BAR_BYTES = 4, MSIX_CONTROL = 0x42 };
enum { MEMORY_SPACE = 1, BUS_MASTER = 2 };        /* bits of the command register */
enum { FUNCTION_MASK = 14, MSIX_ENABLE = 15 };    /* of the capability */
enum { BAR_IS_64_BIT = 2, BAR_PREFETCHABLE = 3 }; /* bits of a BAR: type 2 of [2:1] */
enum { PENDING_BITS = 0x800 };                    /* in the BAR of the vector table */

/* ---- power-on values ------------------------------------------------------------- */

static void put(uint8_t *at, unsigned bytes, uint32_t value)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)trn_bits_get(value, 8 * i, 8);
}

static uint32_t get(const uint8_t *at, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value = trn_bits_set(value, 8 * i, 8, at[i]);
    return (uint32_t)value;
}

static unsigned msix_bar(const struct trn_pci *pci)
{
    unsigned bar = 0;
    while (bar < TRN_PCI_BARS - 1 && pci->window[bar].kind != TRN_PCI_BAR_MSIX)
        bar++;
    return bar;
}

static uint32_t reset_of(const struct trn_pci *pci, const struct trn_pci_config_row *row)
{
    switch (row->value) {
    case TRN_PCI_VALUE_DEVICE:
        return pci->device_id;
    case TRN_PCI_VALUE_REVISION:
        return pci->options.revision;
    case TRN_PCI_VALUE_VECTORS:
        return pci->options.msix_vectors - 1;
    case TRN_PCI_VALUE_TABLE:
        return msix_bar(pci);
    case TRN_PCI_VALUE_PENDING:
        return PENDING_BITS + msix_bar(pci);
    case TRN_PCI_VALUE_NUMBER:
        break;
    }
    return row->number;
}

/* Address bits below the size are 0 and stay so: that is how a host finds the size. */
static void reset_bar(struct trn_pci *pci, unsigned bar)
{
    const struct trn_pci_bar *const is = &pci->window[bar];
    const unsigned at = FIRST_BAR + bar * BAR_BYTES;
    if (is->size == 0)
        return;
    uint64_t low = trn_bits_set(0, BAR_IS_64_BIT, 1, 1);
    low = trn_bits_set(low, BAR_PREFETCHABLE, 1, is->prefetchable);
    put(pci->config.bytes + at, BAR_BYTES, (uint32_t)low);
    trn_put64(pci->config.writable + at, ~(is->size - 1));
}

void trn_pci_config_reset(struct trn_pci *pci)
{
    const enum trn_pci_when other =
        pci->options.msix_vectors ? TRN_PCI_WHEN_PLAIN : TRN_PCI_WHEN_MSIX;
    memset(&pci->config, 0, sizeof pci->config);
    for (size_t i = 0; i < trn_num_pci_configs; i++) {
        const struct trn_pci_config_row *const row = &trn_pci_config_table[i];
        if (row->when == other)
            continue;
        put(pci->config.bytes + row->offset, row->bytes, reset_of(pci, row));
        put(pci->config.writable + row->offset, row->bytes, row->writable);
    }
    for (unsigned bar = 0; bar < TRN_PCI_BARS; bar++)
        reset_bar(pci, bar);
}

/* ---- what the function asks ------------------------------------------------------ */

static bool bit(const struct trn_pci *pci, unsigned at, unsigned number)
{
    return trn_bits_get(pci->config.bytes[at + number / 8], number % 8, 1);
}

bool trn_pci_decodes(const struct trn_pci *pci)
{
    return bit(pci, COMMAND, MEMORY_SPACE);
}

bool trn_pci_masters(const struct trn_pci *pci)
{
    return bit(pci, COMMAND, BUS_MASTER);
}

bool trn_pci_msix_enabled(const struct trn_pci *pci)
{
    return pci->options.msix_vectors && bit(pci, MSIX_CONTROL, MSIX_ENABLE) &&
           !bit(pci, MSIX_CONTROL, FUNCTION_MASK);
}

/* ---- what a host asks ------------------------------------------------------------ */

static trn_status check(struct trn_pci *pci, unsigned offset, unsigned size)
{
    char where[48];
    if ((size == 1 || size == 2 || size == 4) && offset % size == 0 &&
        offset < TRN_PCI_EXTENDED_BYTES)
        return TRN_OK;
    snprintf(where, sizeof where, "configuration space 0x%x", offset);
    return trn_diag_set(&pci->diag, TRN_ERR_INVALID, where, NULL,
                        "1, 2 or 4 bytes, aligned, below 0x1000",
                        "%u bytes are no access to configuration space", size);
}

trn_status trn_pci_config_read(struct trn_pci *pci, unsigned offset, unsigned size, uint32_t *value)
{
    *value = UINT32_MAX;
    const trn_status status = check(pci, offset, size);
    if (status == TRN_OK && offset < TRN_PCI_CONFIG_BYTES)
        *value = get(pci->config.bytes + offset, size);
    return status;
}

trn_status trn_pci_config_write(struct trn_pci *pci, unsigned offset, unsigned size, uint32_t value)
{
    const trn_status status = check(pci, offset, size);
    if (status != TRN_OK || offset >= TRN_PCI_CONFIG_BYTES)
        return status;
    for (unsigned i = 0; i < size; i++) {
        const uint8_t may = pci->config.writable[offset + i];
        uint8_t *const byte = &pci->config.bytes[offset + i];
        *byte = (uint8_t)((*byte & ~may) | (trn_bits_get(value, 8 * i, 8) & may));
    }
    trn_pci_msix_settle(pci);
    return TRN_OK;
}
