/* SPDX-License-Identifier: Apache-2.0 */
/* What a program built against version 1 of trench/pci.h knows: its structs, numbers and calls as
 * they were then. Never edited: a change that breaks test_pci_abi needs a new version. */
#ifndef TRENCH_PCI_1_H
#define TRENCH_PCI_1_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trn_pci;

struct trn_pci_options {
    size_t size;
    const char *generation, *model;
    uint32_t revision, routing_id;
    uint64_t serial, hbm_bytes, bar4_bytes;
    uint32_t msix_vectors, threads;
    uint64_t doorbell_packets;
};

struct trn_pci_host {
    void *context;
    int (*read)(void *context, uint64_t address, void *data, size_t size);
    int (*write)(void *context, uint64_t address, const void *data, size_t size);
    void (*interrupt)(void *context, unsigned vector, uint64_t address, uint32_t data);
};

struct trn_pci_bar {
    int kind;
    uint64_t size;
    bool prefetchable;
};

struct trn_pci_counts {
    size_t size;
    uint64_t bar_reads, bar_writes, unmapped, unknown_registers, refused, host_reads, host_writes,
        host_bytes_read, host_bytes_written, host_refused, device_resets, core_resets,
        mailbox_requests, mailbox_errors, interrupts;
};

struct trn_diag {
    int status;
    char where[192], rule[64], message[512], expected[256];
};

int trn_pci_open(const struct trn_pci_options *options, const struct trn_pci_host *host,
                 struct trn_pci **out, struct trn_diag *diag);
int trn_pci_close(struct trn_pci *pci);
int trn_pci_power_on(struct trn_pci *pci);
int trn_pci_config_read(struct trn_pci *pci, unsigned offset, unsigned size, uint32_t *value);
int trn_pci_config_write(struct trn_pci *pci, unsigned offset, unsigned size, uint32_t value);
struct trn_pci_bar trn_pci_bar(const struct trn_pci *pci, unsigned bar);
int trn_pci_bar_read(struct trn_pci *pci, unsigned bar, uint64_t offset, unsigned size,
                     uint64_t *value);
int trn_pci_bar_write(struct trn_pci *pci, unsigned bar, uint64_t offset, unsigned size,
                      uint64_t value);
int trn_pci_bar_read_block(struct trn_pci *pci, unsigned bar, uint64_t offset, void *data,
                           size_t size);
int trn_pci_bar_write_block(struct trn_pci *pci, unsigned bar, uint64_t offset, const void *data,
                            size_t size);
int trn_pci_advance(struct trn_pci *pci, uint64_t budget, int *progress);
bool trn_pci_pending(const struct trn_pci *pci);
int trn_pci_inject_axi_error(struct trn_pci *pci, unsigned dma, unsigned queue, bool write);
int trn_pci_inject_ecc(struct trn_pci *pci, unsigned memory, uint32_t corrected,
                       uint32_t uncorrected);
int trn_pci_inject_repair(struct trn_pci *pci, unsigned state);
int trn_pci_inject_power(struct trn_pci *pci, unsigned die, uint32_t utilisation);
int trn_pci_stick(struct trn_pci *pci, uint64_t offset, uint32_t mask, uint32_t value,
                  uint64_t reads);
const struct trn_diag *trn_pci_diag(const struct trn_pci *pci);
int trn_pci_peek32(const struct trn_pci *pci, uint64_t offset, uint32_t *value);
void trn_pci_counts(const struct trn_pci *pci, struct trn_pci_counts *counts);
void *trn_pci_device(struct trn_pci *pci);

#endif
