/* SPDX-License-Identifier: Apache-2.0 */
/**
 * trench/pci.h - the device as a PCI function: what a driver sees of it, and nothing else.
 *
 * A function is a configuration space, base address registers (BARs) and a bus master that reads
 * and writes the memory of its host. docs/hardware/pci-function.md is the contract with a driver;
 * this header is the contract with the program that gives the function a host: a virtual machine,
 * a test, or a driver that runs in the same process. docs/driver.md shows both.
 *
 *     struct trn_pci_options options = TRN_PCI_OPTIONS("cayman");
 *     struct trn_pci_host host = {.context = me, .read = my_read, .write = my_write};
 *     struct trn_pci *pci;
 *     if (trn_pci_open(&options, &host, &pci, &diag) != TRN_OK) ...
 *     trn_pci_config_write(pci, 0x04, 2, 0x0006);                 memory space, bus master
 *     trn_pci_bar_read(pci, 0, 0x6C84024, 4, &routing_id);        MISC RAM 024
 *
 * WHAT HOLDS FOR EVERY CALL
 *
 * Ownership. trn_pci_open copies the options, the strings in them and struct trn_pci_host; what
 * host.context points to is yours and must outlive the function. Buffers that you pass are used
 * during the call only. What trn_pci_diag and trn_pci_device point to belongs to the function.
 * A pointer may be NULL only where it says so, and the data of a block of 0 bytes.
 *
 * Threads. One thread at a time for each function; the library takes no lock. Two functions do not
 * meet: they may be used by two threads at once.
 *
 * Callbacks. They are made on the thread that is inside a call, and only there: by writes, by
 * trn_pci_advance and by injections; never by a read, by open or by close. They may take as long as
 * they like.
 *
 * Re-entry. A callback may call trn_pci_config_*, trn_pci_bar_*, trn_pci_peek32, trn_pci_pending
 * and trn_pci_counts of the same function; a guest's other processor can do that to a device, too.
 * A doorbell that is rung so is worked off by the call that is under way, behind what it does. A
 * reset that is asked for so happens when the current descriptor is done (pci-function.md 5.3).
 * An interrupt that an interrupt callback raises or unmasks comes when that callback has returned.
 * trn_pci_advance, trn_pci_power_on, trn_pci_inject_*, trn_pci_stick and trn_pci_close return
 * TRN_ERR_BUSY from a callback and do nothing. A callback may call anything of another function,
 * but not so that the two call each other without end.
 *
 * Errors. 0 is success, a negative trn_status an error; base.h lists them. A device cannot refuse
 * an access: reads always give a value, the one that silicon is said to give, whatever the status
 * is. A program that only carries a guest's accesses may ignore the status of config and BAR calls.
 * trn_pci_diag says what the last error was: where, which rule, what would be right.
 *
 * Time. The function has no clock of its own and does nothing between two calls. A doorbell of a
 * DMA engine is complete, its data and its marker visible to the host, when the write returns,
 * unless options.doorbell_packets cuts it short; engines that execute instructions go on in
 * trn_pci_advance. Same calls, same answers of the callbacks: same bytes, on every machine.
 *
 * Promises. The library installs no signal handler and raises no signal, reads no environment, does
 * not print, exit or abort, opens no file, and starts no thread that outlives the function (none at
 * all unless options.threads is 2 or more). It touches host memory through the callbacks only.
 * Memory is taken when it is first needed: an open function that nobody has used stays below
 * 300 MiB, HBM is committed by the page. Hostile drivers are expected: whatever is written to
 * registers, rings and mailboxes leads to an error of the modelled device, at worst.
 *
 * Stability. The symbols of this header carry the version TRENCH_PCI_1. Within it, no function or
 * enumerator changes its meaning, and structs that you fill carry their size first, so that a
 * program built with an older header goes on working with a newer library.
 */
#ifndef TRENCH_PCI_H
#define TRENCH_PCI_H

#include "trench/base.h"

#ifdef __cplusplus
extern "C" {
#endif

struct trn_pci; /**< one function */
struct trn_device;

/* ---- open and close -------------------------------------------------------------------- */

/** Revision ids by which a driver chooses its mode (pci-function.md 1.1). */
enum trn_pci_revision {
    TRN_PCI_SILICON = 0x00,
    TRN_PCI_EMULATOR = 0xF0,
    TRN_PCI_QEMU = 0xFF /**< the APB BAR is BAR 2; special reset registers (5.4) */
};

/** What the function is. Start from TRN_PCI_OPTIONS; 0 and NULL mean the default everywhere. */
struct trn_pci_options {
    size_t size;            /**< of this struct, as the caller knows it */
    const char *generation; /**< "sunda", "cayman", "mariana", "mariana_plus" */
    const char *model;      /**< which ids: "trn1", "inf2", "trn2", ...; NULL: the first one of
                                 the generation (data/pci-models.csv) */
    uint32_t revision;      /**< 0..255, enum trn_pci_revision; others mean silicon */
    uint32_t routing_id;    /**< MISC RAM 024, 0..63, one per function of a host (5.1) */
    uint64_t serial;     /**< MISC RAM 038, 03C; neither half DEADBEEF; 0: made from routing_id */
    uint64_t hbm_bytes;  /**< usable bytes of one HBM channel, no more than its part of BAR4;
                              0: the generation's */
    uint64_t bar4_bytes; /**< length of BAR4, a power of two, 16 MiB or more; 0: the generation's */
    uint32_t msix_vectors;     /**< 0: no capability at all (1); 1..8: MSI-X */
    uint32_t threads;          /**< that share one instruction's work, up to 256; 0, 1: none */
    uint64_t doorbell_packets; /**< DMA packets that one write to a BAR may move, what is left waits
                                    for trn_pci_advance; 0: 1,048,576 */
};

#define TRN_PCI_OPTIONS(name)                                                                      \
    {                                                                                              \
        .size = sizeof(struct trn_pci_options), .generation = (name)                               \
    }

/**
 * The function's way out: memory and interrupts of the host. Addresses are PCI bus addresses, with
 * the host bit of device addresses taken away (pci-function.md 8).
 *
 * read and write return 0, or any negative status to refuse: the device then meets an AXI response
 * error. A refusal moves nothing; it must not have written to `data`. Sizes are 1 to 1 MiB, with
 * any alignment. Data that `write` has taken must be visible to the driver before a later `write`
 * is. Not called while bus master (command register, bit 2) is off: the device meets the error.
 */
struct trn_pci_host {
    void *context; /**< handed back as the first argument */
    trn_status (*read)(void *context, uint64_t address, void *data, size_t size);
    trn_status (*write)(void *context, uint64_t address, const void *data, size_t size);
    /** An MSI-X vector that the driver enabled and did not mask: the message to deliver. May be
     * NULL; never called when options.msix_vectors is 0. */
    void (*interrupt)(void *context, unsigned vector, uint64_t address, uint32_t data);
};

/**
 * Make a function in the state after power-on: configuration space unprogrammed, decoding and bus
 * master off, every engine stalled.
 *
 * TRN_ERR_INVALID: an option, or a NULL read or write; TRN_ERR_NOT_FOUND: no such generation or
 * model; TRN_ERR_UNSUPPORTED: nobody knows the generation's PCI function (MAVERICK);
 * TRN_ERR_NO_MEMORY. `diag` (may be NULL) says more; *out is NULL then.
 */
TRN_API trn_status trn_pci_open(const struct trn_pci_options *options,
                                const struct trn_pci_host *host, struct trn_pci **out,
                                struct trn_diag *diag);

/** Give everything back; NULL is fine. TRN_ERR_BUSY (from a callback): it stays open. */
TRN_API trn_status trn_pci_close(struct trn_pci *pci);

/** Power-on again: like close and open, for a virtual machine that is reset. HBM, SBUF and PSUM
 * keep their bytes, injections end, counts go on. TRN_ERR_BUSY from a callback. */
TRN_API trn_status trn_pci_power_on(struct trn_pci *pci);

/* ---- configuration space ---------------------------------------------------------------- */

/**
 * The 4096 bytes of configuration space; the first 256 hold everything. `size` is 1, 2 or 4, the
 * offset a multiple of it. Reads of what does not exist give all ones, writes to it nothing.
 * TRN_ERR_INVALID: size or offset. A BAR reads back its size mask after all ones were written, as
 * PCI says; where a host maps it means nothing to the model: BAR calls take offsets.
 */
TRN_API trn_status trn_pci_config_read(struct trn_pci *pci, unsigned offset, unsigned size,
                                       uint32_t *value);
TRN_API trn_status trn_pci_config_write(struct trn_pci *pci, unsigned offset, unsigned size,
                                        uint32_t value);

/* ---- base address registers ------------------------------------------------------------- */

enum trn_pci_bar_kind {
    TRN_PCI_BAR_NONE,
    TRN_PCI_BAR_CONTROL, /**< "APB": registers and on-chip memories */
    TRN_PCI_BAR_HBM,     /**< device memory; write-combining is fine */
    TRN_PCI_BAR_MSIX     /**< vector table and pending bits */
};

/** All BARs are memory and 64 bits wide: BAR n takes registers n and n + 1. */
struct trn_pci_bar {
    enum trn_pci_bar_kind kind;
    uint64_t size; /**< bytes, a power of two; 0: the BAR does not exist */
    bool prefetchable;
};

/** bar 0..5; every other number, and the upper half of a BAR, is TRN_PCI_BAR_NONE. */
TRN_API struct trn_pci_bar trn_pci_bar(const struct trn_pci *pci, unsigned bar);

/**
 * Read or write `size` bytes of a BAR, little-endian in the low bytes of *value.
 *
 * Registers take 4 aligned bytes, or 8 as two accesses, low one first. Memories (SBUF, PSUM, the
 * RAMs and tables of engines, HBM) take 1, 2, 4 or 8 bytes at any offset. What the device does with
 * anything else is in address-map.md 6.4:
 *
 *   no block owns the bytes           reads DEADBEEF, drops the write           TRN_ERR_ADDRESS
 *   wrong size or alignment, or the
 *   bytes of two blocks               reads all ones, drops the write           TRN_ERR_INVALID
 *   memory space is off (command
 *   register, bit 1)                  reads all ones, drops the write           TRN_ERR_BUSY
 *   no such BAR, or past its end      reads all ones, drops the write           TRN_ERR_RANGE
 *   the model has no memory left      reads all ones, drops the write           TRN_ERR_NO_MEMORY
 *
 * An offset inside a block of registers where none is reads 0, drops the write and is counted only.
 */
TRN_API trn_status trn_pci_bar_read(struct trn_pci *pci, unsigned bar, uint64_t offset,
                                    unsigned size, uint64_t *value);
TRN_API trn_status trn_pci_bar_write(struct trn_pci *pci, unsigned bar, uint64_t offset,
                                     unsigned size, uint64_t value);

/** The same for a block of any size inside one memory, or of whole registers inside one block of
 * registers, in ascending order. Pattern and status of what is refused as above, for all of it. */
TRN_API trn_status trn_pci_bar_read_block(struct trn_pci *pci, unsigned bar, uint64_t offset,
                                          void *data, size_t size);
TRN_API trn_status trn_pci_bar_write_block(struct trn_pci *pci, unsigned bar, uint64_t offset,
                                           const void *data, size_t size);

/* ---- time ------------------------------------------------------------------------------- */

enum trn_pci_progress {
    TRN_PCI_IDLE,  /**< nothing can go on before the driver does something */
    TRN_PCI_BUDGET /**< the budget is used up; call again */
};

/**
 * Let the engines of the device execute instructions, and DMA engines move what still waits, until
 * nothing can go on, or until `budget` instructions (and turns of DMA engines that wait alone) have
 * been executed; 0: no limit, which a program that never ends turns into a call that never returns.
 * *progress may be NULL. TRN_ERR_BUSY from a callback. A fault of the modelled device is no error.
 */
TRN_API trn_status trn_pci_advance(struct trn_pci *pci, uint64_t budget,
                                   enum trn_pci_progress *progress);

/** Whether trn_pci_advance would do something. Cheap; ask after writes to a BAR. */
TRN_API bool trn_pci_pending(const struct trn_pci *pci);

/* ---- what goes wrong on request ----------------------------------------------------------- */

/**
 * A DMA engine, numbered as the driver does, meets an AXI response error as if it had just read a
 * source (`write` false) or written a destination for the queue. What it makes of it is in udma.md
 * 9: with the cause's abort mask set, as after reset, it goes on; after the bring-up of
 * pci-function.md 6.1 it is in abort. TRN_ERR_RANGE: no such engine or queue; TRN_ERR_NO_MEMORY.
 */
TRN_API trn_status trn_pci_inject_axi_error(struct trn_pci *pci, unsigned dma, unsigned queue,
                                            bool write);

/** 0: SRAM; 1..4: HBM channels. Adds to the counters of MISC RAM 040..050, which stop at 65,535.
 * TRN_ERR_RANGE: no such memory. */
TRN_API trn_status trn_pci_inject_ecc(struct trn_pci *pci, unsigned memory, uint32_t corrected,
                                      uint32_t uncorrected);

/** Repair state of HBM, MISC RAM 064: 0 none, 1 pending, 2 failed. TRN_ERR_RANGE. */
TRN_API trn_status trn_pci_inject_repair(struct trn_pci *pci, unsigned state);

/** Power utilisation of a die in 1/100 percent, MISC RAM 054, 058; more than 10,000 is what a
 * driver complains of. TRN_ERR_RANGE: no such die, or above 65,535. */
TRN_API trn_status trn_pci_inject_power(struct trn_pci *pci, unsigned die, uint32_t utilisation);

/**
 * A register of the control BAR is stuck: bits under `mask` read as those of `value`, for the next
 * `reads` reads (0: until it is stuck anew with mask 0). Writes arrive nevertheless. Up to 16
 * registers. A device that is not ready answers DEADBEEF: stick MISC RAM 024 at it, all bits.
 * TRN_ERR_INVALID: not aligned; TRN_ERR_RANGE: past the BAR; TRN_ERR_TOO_LARGE: the 17th.
 */
TRN_API trn_status trn_pci_stick(struct trn_pci *pci, uint64_t offset, uint32_t mask,
                                 uint32_t value, uint64_t reads);

/* ---- looking inside ----------------------------------------------------------------------- */

/** The last error of a call on this function; its status is TRN_OK when there was none. Valid until
 * the next call. */
TRN_API const struct trn_diag *trn_pci_diag(const struct trn_pci *pci);

/** A register of the control BAR, or the word of a RAM, without side effects, stuck bits included;
 * it leaves trn_pci_diag alone. TRN_ERR_ADDRESS (*value is DEADBEEF), TRN_ERR_INVALID (not
 * aligned), TRN_ERR_UNSUPPORTED (SBUF and PSUM: read them over the BAR). */
TRN_API trn_status trn_pci_peek32(const struct trn_pci *pci, uint64_t offset, uint32_t *value);

/** What happened since open. */
struct trn_pci_counts {
    size_t size; /**< of this struct, as the caller knows it; set before the call */
    uint64_t bar_reads, bar_writes;
    uint64_t unmapped;                /**< accesses that no block owns */
    uint64_t unknown_registers;       /**< in a block, where no register is */
    uint64_t refused;                 /**< wrong size, alignment, BAR, or decoding off */
    uint64_t host_reads, host_writes; /**< callbacks */
    uint64_t host_bytes_read, host_bytes_written; /**< that were moved */
    uint64_t host_refused; /**< callbacks that refused, and accesses with bus master off */
    uint64_t device_resets, core_resets;
    uint64_t mailbox_requests, mailbox_errors;
    uint64_t interrupts; /**< messages */
};
TRN_API void trn_pci_counts(const struct trn_pci *pci, struct trn_pci_counts *counts);

/** The model behind the function, for the calls of device.h that look and do not change: reports of
 * engines, semaphores, choices. Lives as long as the function. */
TRN_API struct trn_device *trn_pci_device(struct trn_pci *pci);

#ifdef __cplusplus
}
#endif
#endif
