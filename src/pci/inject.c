/* SPDX-License-Identifier: Apache-2.0 */
/* What goes wrong on request: AXI errors, ECC counts, power, registers that are stuck. */
#include <stdio.h>

#include "base/bytes.h"
#include "pci/pci.h"

static trn_status busy(struct trn_pci *pci)
{
    return trn_diag_set(&pci->diag, TRN_ERR_BUSY, NULL, NULL, "when the callback has returned",
                        "a callback cannot inject");
}

static trn_status out_of_range(struct trn_pci *pci, const char *what, uint64_t value, uint64_t most)
{
    char expected[48];
    snprintf(expected, sizeof expected, "0 to %llu", (unsigned long long)most);
    return trn_diag_set(&pci->diag, TRN_ERR_RANGE, NULL, NULL, expected, "there is no %s %llu",
                        what, (unsigned long long)value);
}

trn_status trn_pci_inject_axi_error(struct trn_pci *pci, unsigned dma, unsigned queue, bool write)
{
    if (pci->depth)
        return busy(pci);
    if (dma >= pci->gen->dma_engines)
        return out_of_range(pci, "DMA engine", dma, pci->gen->dma_engines - 1u);
    if (queue >= TRN_UDMA_QUEUES)
        return out_of_range(pci, "queue", queue, TRN_UDMA_QUEUES - 1u);
    trn_pci_enter(pci);
    const trn_status status = trn_dma_error(pci->device, dma, queue, write);
    trn_pci_leave(pci);
    return status;
}

/* ---- MISC RAM -------------------------------------------------------------------- */

/* A counter of 16 bits stops at its end. */
static uint32_t counted(uint32_t word, unsigned low, uint32_t more)
{
    enum { BITS = 16 };
    const uint64_t sum = trn_bits_get(word, low, BITS) + more;
    return (uint32_t)trn_bits_set(word, low, BITS, sum < UINT16_MAX ? sum : UINT16_MAX);
}

trn_status trn_pci_inject_ecc(struct trn_pci *pci, unsigned memory, uint32_t corrected,
                              uint32_t uncorrected)
{
    enum { UNCORRECTED_AT = 0, CORRECTED_AT = 16 };
    if (pci->depth)
        return busy(pci);
    if (memory > pci->gen->hbm_channels)
        return out_of_range(pci, "memory", memory, pci->gen->hbm_channels);
    const uint32_t at = memory == 0 ? pci->misc.sram_ecc : pci->misc.hbm_ecc + (memory - 1) * 4;
    const uint32_t word = counted(trn_pci_misc_get(pci, at), UNCORRECTED_AT, uncorrected);
    trn_pci_misc_set(pci, at, counted(word, CORRECTED_AT, corrected));
    return TRN_OK;
}

trn_status trn_pci_inject_repair(struct trn_pci *pci, unsigned state)
{
    enum { FAILED = 2 };
    if (pci->depth)
        return busy(pci);
    if (state > FAILED)
        return out_of_range(pci, "repair state", state, FAILED);
    trn_pci_misc_set(pci, pci->misc.repair, state);
    return TRN_OK;
}

trn_status trn_pci_inject_power(struct trn_pci *pci, unsigned die, uint32_t utilisation)
{
    enum { BITS = 16 };
    if (pci->depth)
        return busy(pci);
    if (die >= TRN_PCI_DIES)
        return out_of_range(pci, "die", die, TRN_PCI_DIES - 1);
    if (utilisation > UINT16_MAX)
        return out_of_range(pci, "utilisation", utilisation, UINT16_MAX);
    const uint32_t at = pci->misc.power + die * 4;
    trn_pci_misc_set(pci, at,
                     (uint32_t)trn_bits_set(trn_pci_misc_get(pci, at), 0, BITS, utilisation));
    return TRN_OK;
}

/* ---- registers that are stuck ---------------------------------------------------- */

/* Place in the list; num_stuck: it is not stuck. */
static unsigned find(const struct trn_pci *pci, uint64_t offset)
{
    unsigned i = 0;
    while (i < pci->num_stuck && pci->stuck[i].offset != offset)
        i++;
    return i;
}

static void let_go(struct trn_pci *pci, unsigned i)
{
    if (i < pci->num_stuck)
        pci->stuck[i] = pci->stuck[--pci->num_stuck];
}

static trn_status check_stick(struct trn_pci *pci, uint64_t offset)
{
    if (pci->depth)
        return busy(pci);
    if (offset % 4 != 0)
        return trn_diag_set(&pci->diag, TRN_ERR_INVALID, NULL, NULL, "a multiple of 4",
                            "0x%llx is no register", (unsigned long long)offset);
    if (offset >= pci->window[pci->control].size)
        return out_of_range(pci, "offset", offset, pci->window[pci->control].size - 4);
    return TRN_OK;
}

trn_status trn_pci_stick(struct trn_pci *pci, uint64_t offset, uint32_t mask, uint32_t value,
                         uint64_t reads)
{
    const trn_status status = check_stick(pci, offset);
    if (status != TRN_OK)
        return status;
    let_go(pci, find(pci, offset));
    if (mask == 0)
        return TRN_OK;
    if (pci->num_stuck == TRN_PCI_MAX_STUCK)
        return trn_diag_set(&pci->diag, TRN_ERR_TOO_LARGE, NULL, NULL, "let one go first: mask 0",
                            "%d registers are stuck", TRN_PCI_MAX_STUCK);
    pci->stuck[pci->num_stuck++] =
        (struct trn_pci_stuck){.offset = offset, .reads = reads, .mask = mask, .value = value};
    return TRN_OK;
}

uint32_t trn_pci_shown(const struct trn_pci *pci, uint64_t offset, uint32_t value)
{
    const unsigned i = find(pci, offset);
    return i < pci->num_stuck
               ? (value & ~pci->stuck[i].mask) | (pci->stuck[i].value & pci->stuck[i].mask)
               : value;
}

uint32_t trn_pci_read_as(struct trn_pci *pci, uint64_t offset, uint32_t value)
{
    const unsigned i = find(pci, offset);
    const uint32_t shown = trn_pci_shown(pci, offset, value);
    if (i < pci->num_stuck && pci->stuck[i].reads > 0 && --pci->stuck[i].reads == 0)
        let_go(pci, i);
    return shown;
}
