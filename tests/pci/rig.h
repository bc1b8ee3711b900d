/* SPDX-License-Identifier: Apache-2.0 */
/* A function, its host's memory and a client that has probed it. */
#ifndef TEST_PCI_RIG_H
#define TEST_PCI_RIG_H

#include "client.h"

enum { HOST_BYTES = 8 << 20 };

struct rig {
    struct host host;
    struct trn_pci *pci;
    struct client client;
};

static inline void open_rig(struct rig *rig, const struct client_gen *gen)
{
    host_open(&rig->host, HOST_BYTES);
    rig->pci = open_generation(gen->name, &rig->host);
    client_open(&rig->client, gen, rig->pci, &rig->host);
    assert_int_equal(client_probe(&rig->client), CLIENT_OK);
}

static inline void close_rig(struct rig *rig)
{
    trn_pci_close(rig->pci);
    host_close(&rig->host);
}

static inline struct trn_pci_counts counts_of(const struct trn_pci *pci)
{
    struct trn_pci_counts counts = {.size = sizeof counts};
    trn_pci_counts(pci, &counts);
    return counts;
}

#endif
