/* SPDX-License-Identifier: Apache-2.0 */
/* MSI-X: a vector table and pending bits in a BAR of their own; vector n is core n (model choice,
 * pci-function.md 1). */
#include "base/bytes.h"
#include "pci/pci.h"

enum { ADDRESS_LO, ADDRESS_HI, DATA, CONTROL, ENTRY_WORDS };
enum { MASKED = 0 };           /* bit of CONTROL */
enum { PENDING_BITS = 0x800 }; /* as config.c says */

static bool may_fire(const struct trn_pci *pci, const struct trn_pci_vector *vector)
{
    return trn_pci_msix_enabled(pci) && trn_pci_masters(pci) && pci->host.interrupt &&
           !trn_bits_get(vector->entry[CONTROL], MASKED, 1);
}

static void fire(struct trn_pci *pci, unsigned number)
{
    const struct trn_pci_vector *const vector = &pci->vector[number];
    const uint64_t address =
        trn_bits_set(vector->entry[ADDRESS_LO], 32, 32, vector->entry[ADDRESS_HI]);
    pci->counts.interrupts++;
    pci->depth++;
    pci->host.interrupt(pci->host.context, number, address, vector->entry[DATA]);
    pci->depth--;
}

/* One round over the vectors; whether any fired. */
static bool settle_round(struct trn_pci *pci)
{
    bool fired = false;
    for (unsigned n = 0; n < pci->options.msix_vectors; n++) {
        struct trn_pci_vector *const vector = &pci->vector[n];
        if (!vector->pending || !may_fire(pci, vector))
            continue;
        vector->pending = false;
        fired = true;
        fire(pci, n);
    }
    return fired;
}

/* What an interrupt callback raises waits until it has returned: calls do not nest without end. */
void trn_pci_msix_settle(struct trn_pci *pci)
{
    if (pci->settles)
        return;
    pci->settles = true;
    while (settle_round(pci)) {
    }
    pci->settles = false;
}

void trn_pci_interrupt(void *context, unsigned core)
{
    struct trn_pci *const pci = context;
    if (core >= pci->options.msix_vectors)
        return;
    pci->vector[core].pending = true;
    trn_pci_msix_settle(pci);
}

/* ---- the BAR --------------------------------------------------------------------- */

/* Word of the table, NULL: behind its end. */
static uint32_t *word_at(struct trn_pci *pci, uint64_t at)
{
    const uint64_t word = at / 4;
    return word / ENTRY_WORDS < pci->options.msix_vectors
               ? &pci->vector[word / ENTRY_WORDS].entry[word % ENTRY_WORDS]
               : NULL;
}

uint32_t trn_pci_msix_read(struct trn_pci *pci, uint64_t at)
{
    const uint32_t *const word = word_at(pci, at);
    uint64_t pending = 0;
    if (word)
        return *word;
    for (unsigned n = 0; n < pci->options.msix_vectors; n++)
        pending = trn_bits_set(pending, n, 1, pci->vector[n].pending);
    return at == PENDING_BITS ? (uint32_t)pending : 0;
}

void trn_pci_msix_write(struct trn_pci *pci, uint64_t at, uint32_t value)
{
    uint32_t *const word = word_at(pci, at);
    if (!word)
        return;
    *word = at / 4 % ENTRY_WORDS == CONTROL ? (uint32_t)trn_bits_get(value, MASKED, 1) : value;
    trn_pci_msix_settle(pci);
}

void trn_pci_msix_reset(struct trn_pci *pci)
{
    for (unsigned n = 0; n < TRN_PCI_MAX_VECTORS; n++)
        pci->vector[n] = (struct trn_pci_vector){.entry[CONTROL] = 1};
}
