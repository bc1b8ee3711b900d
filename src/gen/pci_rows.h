/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of the PCI function (docs/hardware/pci-function.md 1, 2 and 5.3): pci-models.csv,
 * pci-config.csv, pci-bars.csv and pci-reset-map.csv. */
#ifndef TRN_GEN_PCI_ROWS_H
#define TRN_GEN_PCI_ROWS_H

#include "trench/gen.h"

/* A product: which ids. */
struct trn_pci_model_row {
    const char *name;
    uint8_t generation;
    size_t device_member; /* of struct trn_gen; 0: `device` is the id */
    uint16_t device;
    const char *meaning, *confidence;
};

/* Configuration spaces with and without the MSI-X capability. */
enum trn_pci_when { TRN_PCI_WHEN_ALWAYS, TRN_PCI_WHEN_PLAIN, TRN_PCI_WHEN_MSIX };

enum trn_pci_value {
    TRN_PCI_VALUE_NUMBER,
    TRN_PCI_VALUE_DEVICE,
    TRN_PCI_VALUE_REVISION,
    TRN_PCI_VALUE_VECTORS, /* their number less 1 */
    TRN_PCI_VALUE_TABLE,   /* BAR of the vector table */
    TRN_PCI_VALUE_PENDING  /* BAR and offset of the pending bits */
};

/* A register of the configuration space; BARs have rows of their own. */
struct trn_pci_config_row {
    const char *name;
    uint8_t offset, bytes;
    enum trn_pci_when when;
    enum trn_pci_value value;
    uint32_t number;
    uint32_t writable; /* bits that a host may set */
    const char *meaning, *confidence;
};

enum trn_pci_bar_shows { TRN_PCI_SHOWS_CONTROL = 1, TRN_PCI_SHOWS_HBM, TRN_PCI_SHOWS_MSIX };

struct trn_pci_bar_row {
    enum trn_pci_bar_shows shows;
    bool qemu; /* revision FF; false: every other one */
    uint8_t bar;
    size_t size_member; /* of struct trn_gen; 0: `size` says it */
    uint64_t size;
    bool prefetchable;
    const char *meaning, *confidence;
};

enum trn_pci_resets {
    TRN_PCI_RESETS_CORE,
    TRN_PCI_RESETS_DMA,
    TRN_PCI_RESETS_TOPSP,
    TRN_PCI_RESETS_Q7 /* nothing that is modelled */
};

/* Bits of the reset map; each stands for the next `per_bit` owners. */
struct trn_pci_reset_row {
    uint8_t gen_mask;
    enum trn_pci_resets owner;
    uint8_t low, bits, per_bit;
    const char *meaning, *confidence;
};

extern const struct trn_pci_model_row trn_pci_model_table[];
extern const size_t trn_num_pci_models;
extern const struct trn_pci_config_row trn_pci_config_table[];
extern const size_t trn_num_pci_configs;
extern const struct trn_pci_bar_row trn_pci_bar_table[];
extern const size_t trn_num_pci_bars;
extern const struct trn_pci_reset_row trn_pci_reset_table[];
extern const size_t trn_num_pci_resets;

#endif
