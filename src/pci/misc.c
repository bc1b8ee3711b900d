/* SPDX-License-Identifier: Apache-2.0 */
/* MISC RAM (pci-function.md 4): what firmware shows there, and the writes that it acts on. */
#include "base/bytes.h"
#include "pci/pci.h"

/* Model choices of 4. */
enum { API_VERSION = 3, SAMPLE_AT = 16, SAMPLE_BITS = 16 };
#define SERIAL_BASE UINT64_C(0x5452454E43480000) /* with the routing id in its low byte */

/* ---- places ---------------------------------------------------------------------- */

static uint32_t place(const struct trn_gen *gen, const char *name)
{
    const struct trn_reg_row *const row = trn_reg_find(gen, name, NULL);
    return row ? row->offset : 0;
}

static void find_places(const struct trn_gen *gen, struct trn_pci_misc *misc)
{
    misc->api_version = place(gen, "misc_ram.api_version");
    misc->device_id = place(gen, "misc_ram.device_id");
    misc->serial_lo = place(gen, "misc_ram.serial_lo");
    misc->serial_hi = place(gen, "misc_ram.serial_hi");
    misc->sram_ecc = place(gen, "misc_ram.sram_ecc");
    misc->hbm_ecc = place(gen, "misc_ram.hbm_ecc");
    misc->power = place(gen, "misc_ram.power_util");
    misc->repair = place(gen, "misc_ram.hbm_repair_state");
    misc->reset_map = place(gen, "misc_ram.reset_map");
    misc->reset = place(gen, "misc_ram.reset");
    misc->request_hi = place(gen, "misc_ram.request_base_hi");
    misc->request_lo = place(gen, "misc_ram.request_base_lo");
    misc->response_hi = place(gen, "misc_ram.response_base_hi");
    misc->response_lo = place(gen, "misc_ram.response_base_lo");
    misc->trigger = place(gen, "misc_ram.trigger");
    misc->status = place(gen, "misc_ram.fw_status");
}

trn_status trn_pci_misc_open(struct trn_pci *pci)
{
    const struct trn_block *const block = trn_block_find(pci->gen, "misc_ram");
    struct trn_region *region = NULL;
    if (!block)
        return TRN_ERR_UNSUPPORTED;
    const trn_status status = trn_region_make(pci->device, block->bar0, &region);
    if (status != TRN_OK || !region)
        return TRN_ERR_NO_MEMORY;
    pci->misc.at = block->bar0;
    pci->misc.words = region->words;
    find_places(pci->gen, &pci->misc);
    return TRN_OK;
}

void trn_pci_misc_reset(struct trn_pci *pci)
{
    const uint64_t serial =
        pci->options.serial ? pci->options.serial : SERIAL_BASE + pci->options.routing_id;
    for (uint32_t at = 0; at < TRN_PCI_MISC_BYTES; at += 4)
        trn_pci_misc_set(pci, at, 0);
    trn_pci_misc_set(pci, pci->misc.api_version, API_VERSION);
    trn_pci_misc_set(pci, pci->misc.device_id, pci->options.routing_id);
    trn_pci_misc_set(pci, pci->misc.serial_lo, (uint32_t)trn_bits_get(serial, 0, 32));
    trn_pci_misc_set(pci, pci->misc.serial_hi, (uint32_t)trn_bits_get(serial, 32, 32));
    pci->misc.qemu_reset = 0;
    for (unsigned die = 0; die < TRN_PCI_DIES; die++)
        pci->misc.samples[die] = 0;
}

/* ---- accesses -------------------------------------------------------------------- */

/* A driver ignores a power sample whose number it has seen (model choice: every read is a new
 * sample). */
void trn_pci_misc_before_read(struct trn_pci *pci, uint32_t at)
{
    const uint32_t die = (at - pci->misc.power) / 4;
    if (at < pci->misc.power || die >= TRN_PCI_DIES)
        return;
    pci->misc.samples[die]++;
    trn_pci_misc_set(pci, at,
                     (uint32_t)trn_bits_set(trn_pci_misc_get(pci, at), SAMPLE_AT, SAMPLE_BITS,
                                            pci->misc.samples[die]));
}

void trn_pci_misc_written(struct trn_pci *pci, uint32_t at, uint32_t value)
{
    if (at != pci->misc.trigger || !trn_bits_get(value, 0, 1))
        return;
    if (trn_pci_misc_get(pci, pci->misc.reset) != 0)
        trn_pci_reset_requested(pci);
    else
        trn_pci_mailbox(pci);
}
