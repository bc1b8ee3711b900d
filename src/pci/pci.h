/* SPDX-License-Identifier: Apache-2.0 */
/* The PCI function from the inside (docs/hardware/pci-function.md; section numbers are its). The
 * model behind it is a device of device.h; this room adds what a host sees before it gets there:
 * configuration space, access rules of the BARs, MISC RAM and the firmware behind it, and the way
 * to host memory. */
#ifndef TRN_PCI_PCI_H
#define TRN_PCI_PCI_H

#include "device/core.h"
#include "gen/pci_rows.h"
#include "trench/pci.h"

enum {
    TRN_PCI_CONFIG_BYTES = 256,
    TRN_PCI_EXTENDED_BYTES = 4096,
    TRN_PCI_BARS = 6,
    TRN_PCI_MAX_VECTORS = 8,
    TRN_PCI_MAX_STUCK = 16,
    TRN_PCI_MISC_BYTES = 0x1000,
    TRN_PCI_MAX_TRANSFER = 1 << 20, /* bytes of one callback */
    TRN_PCI_DIES = 2
};

/* Bytes with the bits that a host may set in them. */
struct trn_pci_config {
    uint8_t bytes[TRN_PCI_CONFIG_BYTES], writable[TRN_PCI_CONFIG_BYTES];
};

struct trn_pci_stuck {
    uint64_t offset, reads; /* reads 0: for ever */
    uint32_t mask, value;
};

/* A vector: its table entry (6.3 of notific.md) and whether it waits. */
struct trn_pci_vector {
    uint32_t entry[4];
    bool pending;
};

/* Places of MISC RAM, by registers.csv. */
struct trn_pci_misc {
    uint64_t at; /* in the control BAR */
    uint32_t *words;
    uint32_t api_version, device_id, serial_lo, serial_hi, sram_ecc, hbm_ecc, power, repair,
        reset_map, reset, request_lo, request_hi, response_lo, response_hi, trigger, status;
    uint32_t samples[TRN_PCI_DIES];
    uint32_t qemu_reset; /* the register of 5.4, which is not in MISC RAM */
};

struct trn_pci {
    const struct trn_gen *gen;
    struct trn_pci_options options; /* strings are not kept */
    uint16_t device_id;
    struct trn_pci_host host;
    struct trn_device *device;
    struct trn_pci_config config;
    struct trn_pci_bar window[TRN_PCI_BARS];
    unsigned control;       /* number of the control BAR */
    uint64_t qemu_reset_at; /* register of 5.4 in it; UINT64_MAX: not in this mode */
    struct trn_pci_misc misc;
    uint64_t channel_bytes, channel_pitch; /* of BAR4: what is usable of a channel's window */
    struct trn_pci_stuck stuck[TRN_PCI_MAX_STUCK];
    unsigned num_stuck;
    struct trn_pci_vector vector[TRN_PCI_MAX_VECTORS];
    unsigned depth;    /* callbacks that are under way */
    unsigned inside;   /* calls that work: the outermost one takes what waits */
    bool reset_waits;  /* asked for from a callback */
    bool settles;      /* vectors that wait fire */
    bool mailbox_runs; /* a second request from a callback is not served */
    struct trn_pci_counts counts;
    struct trn_diag diag;
};

/* ---- config.c -------------------------------------------------------------------- */

/* Power-on values; the BARs are known. */
void trn_pci_config_reset(struct trn_pci *pci);
bool trn_pci_decodes(const struct trn_pci *pci);      /* command: memory space */
bool trn_pci_masters(const struct trn_pci *pci);      /* command: bus master */
bool trn_pci_msix_enabled(const struct trn_pci *pci); /* and not masked as a whole */

/* ---- host.c ---------------------------------------------------------------------- */

/* Host memory, its offsets being bus addresses. */
struct trn_bus trn_pci_host_bus(struct trn_pci *pci);
trn_status trn_pci_host_read(struct trn_pci *pci, uint64_t address, void *data, size_t size);
trn_status trn_pci_host_write(struct trn_pci *pci, uint64_t address, const void *data, size_t size);
/* Size of the range of device addresses that is host memory; 0: the generation has none. */
uint64_t trn_pci_host_window(const struct trn_gen *gen);

/* ---- misc.c ---------------------------------------------------------------------- */

/* Find MISC RAM and fill it. TRN_ERR_NO_MEMORY, TRN_ERR_UNSUPPORTED. */
trn_status trn_pci_misc_open(struct trn_pci *pci);
void trn_pci_misc_reset(struct trn_pci *pci); /* power-on values */
static inline uint32_t trn_pci_misc_get(const struct trn_pci *pci, uint32_t at)
{
    return pci->misc.words[at / 4];
}
static inline void trn_pci_misc_set(struct trn_pci *pci, uint32_t at, uint32_t value)
{
    pci->misc.words[at / 4] = value;
}
/* What an access over the control BAR does beyond storage. */
void trn_pci_misc_before_read(struct trn_pci *pci, uint32_t at);
void trn_pci_misc_written(struct trn_pci *pci, uint32_t at, uint32_t value);

/* ---- mailbox.c ------------------------------------------------------------------- */

/* Serve one request (4.1). */
void trn_pci_mailbox(struct trn_pci *pci);
/* CRC-32C (4.1). */
uint32_t trn_pci_crc32c(const uint8_t *data, size_t size);

/* ---- reset.c --------------------------------------------------------------------- */

/* What MISC RAM asks for (5.3): now, or when the outermost call has nothing under way. */
void trn_pci_reset_requested(struct trn_pci *pci);
/* The one that waits. */
void trn_pci_reset_now(struct trn_pci *pci);
/* The register of 5.4 was written. */
void trn_pci_qemu_reset_written(struct trn_pci *pci, uint32_t value);

/* ---- bar.c ----------------------------------------------------------------------- */

/* A call that works begins; callbacks may come. */
void trn_pci_enter(struct trn_pci *pci);
/* It ends: the outermost one takes the reset that waits and lets DMA engines go on. */
void trn_pci_leave(struct trn_pci *pci);
/* One register of the control BAR as the mailbox reads it. */
uint32_t trn_pci_register(struct trn_pci *pci, uint64_t offset);

/* ---- msix.c ---------------------------------------------------------------------- */

/* An unmasked cause of a core: its vector fires, or waits. `context` is a struct trn_pci. */
void trn_pci_interrupt(void *context, unsigned core);
uint32_t trn_pci_msix_read(struct trn_pci *pci, uint64_t at);
void trn_pci_msix_write(struct trn_pci *pci, uint64_t at, uint32_t value);
void trn_pci_msix_reset(struct trn_pci *pci); /* all masked, nothing waits */
/* Vectors that wait and may fire now do. */
void trn_pci_msix_settle(struct trn_pci *pci);

/* ---- inject.c -------------------------------------------------------------------- */

/* What a read of a register shows that holds `value`: bits may be stuck. */
uint32_t trn_pci_shown(const struct trn_pci *pci, uint64_t offset, uint32_t value);
/* The same, and it was one of the reads that the register is stuck for. */
uint32_t trn_pci_read_as(struct trn_pci *pci, uint64_t offset, uint32_t value);

#endif
