/* SPDX-License-Identifier: Apache-2.0 */
/* Resets that a driver asks for (pci-function.md 5.3, 5.4). */
#include "base/bytes.h"
#include "gen/gen_rows.h"
#include "pci/pci.h"

enum { RESET_DEVICE = 1, RESET_CORES = 2, IN_RESET = 3 }; /* MISC RAM 1EC; bit of 808 */

/* What a reset covers, one bit an owner. */
struct scope {
    bool device; /* everything but what 5.3 keeps */
    uint32_t cores;
    uint64_t topsps;
    uint64_t dma_groups; /* of 16 engines: those beside the cores */
    unsigned per_group;
};

/* ---- which blocks ---------------------------------------------------------------- */

static void add(struct scope *scope, const struct trn_pci_reset_row *row, unsigned bit)
{
    switch (row->owner) {
    case TRN_PCI_RESETS_CORE:
        scope->cores = (uint32_t)trn_bits_set(scope->cores, bit, 1, 1);
        return;
    case TRN_PCI_RESETS_TOPSP:
        for (unsigned i = 0; i < row->per_bit; i++)
            scope->topsps = trn_bits_set(scope->topsps, bit * row->per_bit + i, 1, 1);
        return;
    case TRN_PCI_RESETS_DMA:
        scope->dma_groups = trn_bits_set(scope->dma_groups, bit, 1, 1);
        scope->per_group = row->per_bit;
        return;
    case TRN_PCI_RESETS_Q7:
        return;
    }
}

static struct scope scope_of(const struct trn_gen *gen, uint32_t map)
{
    struct scope scope = {.device = false};
    for (size_t i = 0; i < trn_num_pci_resets; i++) {
        const struct trn_pci_reset_row *const row = &trn_pci_reset_table[i];
        if (!trn_bits_get(row->gen_mask, (unsigned)(gen - trn_gen_table), 1))
            continue;
        for (unsigned bit = 0; bit < row->bits; bit++)
            if (trn_bits_get(map, row->low + bit, 1))
                add(&scope, row, bit);
    }
    return scope;
}

/* The engines that move memory of the host between devices lie behind those of the cores. */
static unsigned first_host_copy(const struct trn_gen *gen)
{
    return (unsigned)gen->cores * gen->dma_engines_per_core;
}

static bool is_host_copy(const struct trn_gen *gen, const struct trn_block *block)
{
    return block->row->owner == TRN_BLOCK_OF_DMA && block->number >= first_host_copy(gen);
}

struct covering {
    const struct trn_gen *gen;
    struct scope scope;
    uint64_t misc; /* its words are firmware's */
};

static bool covers(const void *context, const struct trn_block *block)
{
    const struct covering *const covering = context;
    const struct scope *const scope = &covering->scope;
    const unsigned number = block->number;
    if (scope->device)
        return block->bar0 != covering->misc && !is_host_copy(covering->gen, block);
    switch (block->row->owner) {
    case TRN_BLOCK_OF_CORE:
        return trn_bits_get(scope->cores, number, 1);
    case TRN_BLOCK_OF_TOPSP:
        return trn_bits_get(scope->topsps, number, 1);
    case TRN_BLOCK_OF_DMA:
        return !is_host_copy(covering->gen, block) && scope->per_group &&
               trn_bits_get(scope->dma_groups, number / scope->per_group, 1);
    default:
        return false;
    }
}

/* A host-copy engine keeps its queues but leaves abort with the reset of all cores that it serves:
 * those are the resets after which a driver brings it up (5.3, 6). */
static void recover_host_copy(struct trn_pci *pci, uint32_t cores)
{
    const struct trn_gen *const gen = pci->gen;
    const unsigned first = first_host_copy(gen), count = gen->dma_engines - first;
    for (unsigned i = 0; i < count; i++) {
        const unsigned served = gen->cores / count; /* by each: neighbours */
        const uint64_t all = trn_bits_set(0, 0, served, UINT64_MAX);
        if (trn_bits_get(cores, i * served, served) == all)
            trn_dma_recover(pci->device, first + i);
    }
}

static void run(struct trn_pci *pci, struct scope scope)
{
    const struct covering covering = {.gen = pci->gen, .scope = scope, .misc = pci->misc.at};
    const uint32_t cores = scope.device ? UINT32_MAX : scope.cores;
    trn_device_reset(pci->device, cores, covers, &covering);
    recover_host_copy(pci, cores);
    if (scope.device)
        trn_device_forget_hbm(pci->device);
    pci->counts.device_resets += scope.device;
    pci->counts.core_resets += !scope.device;
}

/* ---- the handshake --------------------------------------------------------------- */

static void set_in_reset(struct trn_pci *pci, bool in_reset)
{
    const uint32_t at = pci->misc.status;
    trn_pci_misc_set(pci, at,
                     (uint32_t)trn_bits_set(trn_pci_misc_get(pci, at), IN_RESET, 1, in_reset));
}

/* Acknowledge: status first, then the request (5.3). */
static void acknowledge(struct trn_pci *pci)
{
    trn_pci_misc_set(pci, pci->misc.reset_map, 0);
    set_in_reset(pci, false);
    trn_pci_misc_set(pci, pci->misc.reset, 0);
    pci->misc.qemu_reset = 0;
}

void trn_pci_reset_now(struct trn_pci *pci)
{
    const uint32_t type = trn_pci_misc_get(pci, pci->misc.reset);
    const uint32_t map = trn_pci_misc_get(pci, pci->misc.reset_map);
    pci->reset_waits = false;
    if (type == RESET_DEVICE)
        run(pci, (struct scope){.device = true});
    else if (type == RESET_CORES)
        run(pci, scope_of(pci->gen, map));
    acknowledge(pci);
}

void trn_pci_reset_requested(struct trn_pci *pci)
{
    set_in_reset(pci, true);
    pci->reset_waits = true; /* taken by the outermost call, this one if it is */
    pci->device->stop = true;
}

/* A map of 0 is the whole device. The request travels in MISC RAM, where firmware finds it. */
void trn_pci_qemu_reset_written(struct trn_pci *pci, uint32_t value)
{
    pci->misc.qemu_reset = value;
    if (!pci->gen->pci_qemu_reset_map)
        return;
    trn_pci_misc_set(pci, pci->misc.reset_map, value);
    trn_pci_misc_set(pci, pci->misc.reset, value == 0 ? RESET_DEVICE : RESET_CORES);
    pci->misc.qemu_reset = 1;
    trn_pci_reset_requested(pci);
}
