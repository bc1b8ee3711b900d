/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses to BARs: the rules of address-map.md 6.4 for sizes, alignment and what nobody owns, in
 * front of the buses of the device. */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "pci/pci.h"

#define UNMAPPED UINT32_C(0xDEADBEEF) /* address-map.md 6.4 */

enum { REGISTER = 4 };

/* ---- calls within calls ---------------------------------------------------------- */

void trn_pci_enter(struct trn_pci *pci)
{
    pci->inside++;
}

/* DMA engines that the stop held up and that the reset has spared go on. */
static void go_on(struct trn_pci *pci, uint64_t *turns)
{
    pci->inside++;
    pci->device->running = true; /* what they ring waits for its turn */
    while (*turns > 0 && !pci->device->stop && trn_dma_turn(pci->device))
        --*turns;
    pci->device->running = false;
    pci->inside--;
}

/* Callbacks may ask for the next reset while engines go on, but only so often. */
static void take_resets(struct trn_pci *pci)
{
    enum { TURNS = 1 << 14 };
    uint64_t turns = TURNS;
    while (pci->reset_waits) {
        pci->device->stop = false;
        trn_pci_reset_now(pci);
        go_on(pci, &turns);
    }
}

void trn_pci_leave(struct trn_pci *pci)
{
    if (--pci->inside == 0 && pci->reset_waits)
        take_resets(pci);
}

/* ---- what is refused ------------------------------------------------------------- */

static trn_status refuse(struct trn_pci *pci, trn_status status, unsigned bar, uint64_t offset,
                         size_t size, const char *right, const char *what)
{
    char where[64];
    pci->counts.refused++;
    snprintf(where, sizeof where, "BAR%u 0x%llx", bar, (unsigned long long)offset);
    return trn_diag_set(&pci->diag, status, where, "address-map.md 6.4", right, "%zu bytes %s",
                        size, what);
}

static trn_status nobody(struct trn_pci *pci, unsigned bar, uint64_t offset, size_t size)
{
    char where[64];
    snprintf(where, sizeof where, "BAR%u 0x%llx", bar, (unsigned long long)offset);
    return trn_diag_set(&pci->diag, TRN_ERR_ADDRESS, where, "address-map.md 6.4",
                        "a block of address-map.md 7.1", "no block owns these %zu bytes", size);
}

static void fill_unmapped(uint8_t *out, size_t size)
{
    uint8_t word[4];
    trn_put32(word, UNMAPPED);
    for (size_t i = 0; i < size; i++)
        out[i] = word[i % sizeof word];
}

/* Whether the function claims the access at all. */
static trn_status claim(struct trn_pci *pci, unsigned bar, uint64_t offset, size_t size)
{
    const uint64_t bytes = bar < TRN_PCI_BARS ? pci->window[bar].size : 0;
    if (offset >= bytes || size > bytes - offset)
        return refuse(pci, TRN_ERR_RANGE, bar, offset, size, "a BAR of trn_pci_bar, to its end",
                      "do not lie in a BAR");
    if (!trn_pci_decodes(pci))
        return refuse(pci, TRN_ERR_BUSY, bar, offset, size, "bit 1 of the command register set",
                      "meet a function that does not decode memory space");
    return TRN_OK;
}

/* ---- the control BAR: one register ----------------------------------------------- */

static inline bool in_misc(const struct trn_pci *pci, uint64_t offset)
{
    return offset - pci->misc.at < TRN_PCI_MISC_BYTES;
}

static trn_status control_read32(struct trn_pci *pci, uint64_t offset, uint32_t *value)
{
    const struct trn_bus *const bus = &pci->device->bar0;
    trn_status status = TRN_OK;
    if (in_misc(pci, offset))
        trn_pci_misc_before_read(pci, (uint32_t)(offset - pci->misc.at));
    if (offset == pci->qemu_reset_at)
        *value = pci->misc.qemu_reset;
    else
        status = bus->read32(bus->context, offset, value);
    if (pci->num_stuck)
        *value = trn_pci_read_as(pci, offset, *value);
    return status;
}

static trn_status control_write32(struct trn_pci *pci, uint64_t offset, uint32_t value)
{
    const struct trn_bus *const bus = &pci->device->bar0;
    if (offset == pci->qemu_reset_at) {
        trn_pci_qemu_reset_written(pci, value);
        return TRN_OK;
    }
    const trn_status status = bus->write32(bus->context, offset, value);
    if (in_misc(pci, offset))
        trn_pci_misc_written(pci, (uint32_t)(offset - pci->misc.at), value);
    return status;
}

uint32_t trn_pci_register(struct trn_pci *pci, uint64_t offset)
{
    uint32_t value = UNMAPPED;
    control_read32(pci, offset, &value);
    return value;
}

/* ---- the control BAR: anything --------------------------------------------------- */

/* A register of its own outside of the blocks, or the block that owns the first byte. */
struct owner {
    bool registers;
    uint64_t left; /* bytes to its end; 0: nobody */
};

static trn_status owner_of(struct trn_pci *pci, uint64_t offset, struct owner *out)
{
    struct trn_region *region = NULL;
    if (pci->qemu_reset_at != UINT64_MAX && offset - pci->qemu_reset_at < REGISTER) {
        *out = (struct owner){true, REGISTER - (offset - pci->qemu_reset_at)};
        return TRN_OK;
    }
    const trn_status status = trn_region_make(pci->device, offset, &region);
    *out = (struct owner){region && trn_region_is_registers(region),
                          region ? region->size - (offset - region->start) : 0};
    return status;
}

/* Registers take whole ones, in ascending order. */
static trn_status check_owner(struct trn_pci *pci, unsigned bar, uint64_t offset, size_t size,
                              const struct owner *owner)
{
    if (size > owner->left)
        return refuse(pci, TRN_ERR_INVALID, bar, offset, size, "bytes of one block",
                      "reach past the end of their block");
    if (owner->registers && (offset % REGISTER != 0 || size % REGISTER != 0))
        return refuse(pci, TRN_ERR_INVALID, bar, offset, size, "aligned words of 4 bytes",
                      "are no whole registers");
    return TRN_OK;
}

static trn_status control_read(struct trn_pci *pci, unsigned bar, uint64_t offset, uint8_t *out,
                               size_t size)
{
    const struct trn_bus *const bus = &pci->device->bar0;
    struct owner owner;
    trn_status status = owner_of(pci, offset, &owner);
    if (status != TRN_OK)
        return refuse(pci, status, bar, offset, size, "more memory", "have no memory behind them");
    if (owner.left == 0) {
        pci->device->unmapped_accesses++;
        fill_unmapped(out, size);
        return nobody(pci, bar, offset, size);
    }
    status = check_owner(pci, bar, offset, size, &owner);
    if (status != TRN_OK)
        return status;
    if (!owner.registers)
        return bus->read_block(bus->context, offset, out, size);
    for (size_t i = 0; i < size; i += REGISTER) {
        uint32_t value = 0;
        control_read32(pci, offset + i, &value);
        trn_put32(out + i, value);
    }
    return TRN_OK;
}

static trn_status control_write(struct trn_pci *pci, unsigned bar, uint64_t offset,
                                const uint8_t *in, size_t size)
{
    const struct trn_bus *const bus = &pci->device->bar0;
    struct owner owner;
    trn_status status = owner_of(pci, offset, &owner);
    if (status != TRN_OK)
        return refuse(pci, status, bar, offset, size, "more memory", "have no memory behind them");
    if (owner.left == 0) {
        pci->device->unmapped_accesses++;
        return nobody(pci, bar, offset, size);
    }
    status = check_owner(pci, bar, offset, size, &owner);
    if (status != TRN_OK)
        return status;
    if (!owner.registers)
        return bus->write_block(bus->context, offset, in, size);
    for (size_t i = 0; i < size; i += REGISTER)
        control_write32(pci, offset + i, trn_get32(in + i));
    return TRN_OK;
}

/* ---- device memory --------------------------------------------------------------- */

/* Place on the device's bus of an offset (2); *left: bytes to the end of the channel, 0 in a hole.
 */
static uint64_t hbm_place(const struct trn_pci *pci, uint64_t offset, uint64_t *left)
{
    const uint64_t channel = offset / pci->channel_pitch, at = offset % pci->channel_pitch;
    *left =
        channel < pci->device->num_stacks && at < pci->channel_bytes ? pci->channel_bytes - at : 0;
    return *left ? pci->device->stacks[channel].bar4 + at : 0;
}

static trn_status check_hbm(struct trn_pci *pci, unsigned bar, uint64_t offset, size_t size,
                            uint64_t left)
{
    if (left == 0) {
        pci->device->unmapped_accesses++;
        return nobody(pci, bar, offset, size);
    }
    return size <= left ? TRN_OK
                        : refuse(pci, TRN_ERR_INVALID, bar, offset, size, "bytes of one channel",
                                 "reach past the end of their channel");
}

static trn_status hbm_read(struct trn_pci *pci, unsigned bar, uint64_t offset, uint8_t *out,
                           size_t size)
{
    const struct trn_bus *const bus = &pci->device->bar4;
    uint64_t left = 0;
    const uint64_t at = hbm_place(pci, offset, &left);
    const trn_status status = check_hbm(pci, bar, offset, size, left);
    if (left == 0)
        fill_unmapped(out, size);
    return status == TRN_OK ? bus->read_block(bus->context, at, out, size) : status;
}

static trn_status hbm_write(struct trn_pci *pci, unsigned bar, uint64_t offset, const uint8_t *in,
                            size_t size)
{
    const struct trn_bus *const bus = &pci->device->bar4;
    uint64_t left = 0;
    const uint64_t at = hbm_place(pci, offset, &left);
    const trn_status status = check_hbm(pci, bar, offset, size, left);
    return status == TRN_OK ? bus->write_block(bus->context, at, in, size) : status;
}

/* ---- the vector table ------------------------------------------------------------ */

static trn_status check_table(struct trn_pci *pci, unsigned bar, uint64_t offset, size_t size)
{
    if (offset % REGISTER == 0 && size % REGISTER == 0)
        return TRN_OK;
    return refuse(pci, TRN_ERR_INVALID, bar, offset, size, "aligned words of 4 bytes",
                  "are no whole words of the vector table");
}

static trn_status table_read(struct trn_pci *pci, unsigned bar, uint64_t offset, uint8_t *out,
                             size_t size)
{
    const trn_status status = check_table(pci, bar, offset, size);
    for (size_t i = 0; status == TRN_OK && i < size; i += REGISTER)
        trn_put32(out + i, trn_pci_msix_read(pci, offset + i));
    return status;
}

static trn_status table_write(struct trn_pci *pci, unsigned bar, uint64_t offset, const uint8_t *in,
                              size_t size)
{
    const trn_status status = check_table(pci, bar, offset, size);
    for (size_t i = 0; status == TRN_OK && i < size; i += REGISTER)
        trn_pci_msix_write(pci, offset + i, trn_get32(in + i));
    return status;
}

/* ---- every BAR ------------------------------------------------------------------- */

static trn_status read_any(struct trn_pci *pci, unsigned bar, uint64_t offset, uint8_t *out,
                           size_t size)
{
    const trn_status status = claim(pci, bar, offset, size);
    memset(out, UINT8_MAX, size);
    if (status != TRN_OK)
        return status;
    switch (pci->window[bar].kind) {
    case TRN_PCI_BAR_CONTROL:
        return control_read(pci, bar, offset, out, size);
    case TRN_PCI_BAR_HBM:
        return hbm_read(pci, bar, offset, out, size);
    case TRN_PCI_BAR_MSIX:
        return table_read(pci, bar, offset, out, size);
    case TRN_PCI_BAR_NONE:
        break;
    }
    return TRN_ERR_RANGE;
}

static trn_status write_any(struct trn_pci *pci, unsigned bar, uint64_t offset, const uint8_t *in,
                            size_t size)
{
    const trn_status status = claim(pci, bar, offset, size);
    if (status != TRN_OK)
        return status;
    switch (pci->window[bar].kind) {
    case TRN_PCI_BAR_CONTROL:
        return control_write(pci, bar, offset, in, size);
    case TRN_PCI_BAR_HBM:
        return hbm_write(pci, bar, offset, in, size);
    case TRN_PCI_BAR_MSIX:
        return table_write(pci, bar, offset, in, size);
    case TRN_PCI_BAR_NONE:
        break;
    }
    return TRN_ERR_RANGE;
}

/* The common case: a register of the control BAR. */
static inline bool is_register(const struct trn_pci *pci, unsigned bar, uint64_t offset,
                               unsigned size)
{
    return bar == pci->control && size == REGISTER && offset % REGISTER == 0 &&
           offset < pci->window[bar].size && trn_pci_decodes(pci);
}

static trn_status check_size(struct trn_pci *pci, unsigned bar, uint64_t offset, unsigned size)
{
    if (size == 1 || size == 2 || size == 4 || size == 8)
        return TRN_OK;
    return refuse(pci, TRN_ERR_INVALID, bar, offset, size, "1, 2, 4 or 8",
                  "are no size of an access");
}

/* 8 bytes of registers are two of them only where 8 bytes are aligned. */
static trn_status check_single(struct trn_pci *pci, unsigned bar, uint64_t offset, unsigned size)
{
    const trn_status status = check_size(pci, bar, offset, size);
    struct owner owner = {.registers = false};
    if (status != TRN_OK || size <= REGISTER || offset % size == 0 || bar != pci->control ||
        owner_of(pci, offset, &owner) != TRN_OK || !owner.registers)
        return status;
    return refuse(pci, TRN_ERR_INVALID, bar, offset, size, "an aligned access",
                  "are no two registers");
}

trn_status trn_pci_bar_read(struct trn_pci *pci, unsigned bar, uint64_t offset, unsigned size,
                            uint64_t *value)
{
    uint8_t bytes[8] = {0};
    pci->counts.bar_reads++;
    if (is_register(pci, bar, offset, size)) {
        uint32_t word = UNMAPPED;
        const trn_status status = control_read32(pci, offset, &word);
        *value = word;
        return status == TRN_ERR_ADDRESS ? nobody(pci, bar, offset, size) : status;
    }
    *value = UINT64_MAX;
    trn_status status = check_single(pci, bar, offset, size);
    if (status != TRN_OK)
        return status;
    status = read_any(pci, bar, offset, bytes, size);
    *value = trn_get64(bytes);
    return status;
}

trn_status trn_pci_bar_write(struct trn_pci *pci, unsigned bar, uint64_t offset, unsigned size,
                             uint64_t value)
{
    uint8_t bytes[8];
    trn_put64(bytes, value);
    pci->counts.bar_writes++;
    trn_status status = check_single(pci, bar, offset, size);
    if (status != TRN_OK)
        return status;
    trn_pci_enter(pci);
    status = write_any(pci, bar, offset, bytes, size);
    trn_pci_leave(pci);
    return status;
}

trn_status trn_pci_bar_read_block(struct trn_pci *pci, unsigned bar, uint64_t offset, void *data,
                                  size_t size)
{
    pci->counts.bar_reads++;
    return size ? read_any(pci, bar, offset, data, size) : TRN_OK;
}

trn_status trn_pci_bar_write_block(struct trn_pci *pci, unsigned bar, uint64_t offset,
                                   const void *data, size_t size)
{
    pci->counts.bar_writes++;
    trn_pci_enter(pci);
    const trn_status status = size ? write_any(pci, bar, offset, data, size) : TRN_OK;
    trn_pci_leave(pci);
    return status;
}
