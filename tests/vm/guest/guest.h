/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The guest test: a program that runs in a Linux guest of tools/vm and drives the PCI function from
 * user space as docs/hardware/pci-function.md says a driver does. It knows nothing of the model:
 * its numbers are retyped from the sheets, and it uses only what Linux offers (sysfs, pagemap).
 *
 * A step that fails says what it saw, what would be right and where that is written, and ends the
 * program; steps that pass print one line.
 */
#ifndef TRENCH_TESTS_VM_GUEST_H
#define TRENCH_TESTS_VM_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PCI_COMMAND        0x04
#define PCI_COMMAND_MEMORY 0x2
#define PCI_COMMAND_MASTER 0x4

#define MAX_CORES    8
#define MAX_CHANNELS 4
#define CHUNKS       16 /* of the address space of a BAR that are mapped at a time */

/* ---- generation.c: what the sheets say of a generation ------------------------------------ */

/* Columns of the bring-up table, pci-function.md 6.1, that differ. */
struct bringup_values {
    uint32_t r310, r124, r20124, r20128;
};

struct generation {
    const char *name;
    uint16_t device_id;
    uint64_t bar0_bytes, bar4_bytes;
    uint64_t misc_ram;     /* BAR0 offset, pci-function.md 4 */
    uint64_t misc_ram_soc; /* device address of the same */
    uint64_t host_bit;     /* of device addresses that mean host memory */
    unsigned cores;
    unsigned channels; /* of HBM */
    uint64_t channel_base[MAX_CHANNELS], channel_bar4[MAX_CHANNELS];
    uint64_t sbuf_soc[MAX_CORES], sbuf_bar0[MAX_CORES];
    uint64_t tpb_notific[MAX_CORES]; /* BAR0, notific.md 8.1 */
    unsigned host_cores_per_engine;  /* cores that share a host-copy engine */
    bool axi_abort, sdma_events;     /* steps 18 and 0 of 6.1 */
    bool mask_ring_errors;           /* step 19 */
    uint32_t core_reset_map[MAX_CORES];
    struct bringup_values bringup;
    uint8_t mailbox_read[16]; /* check vector, 4.1: READ of MISC RAM word 0, sequence 2 */
};

const struct generation *generation_by_device_id(uint16_t device_id);
const struct generation *generation_by_name(const char *name);
/* BAR0 offsets of a UDMA engine and of its SDMA wrapper, pci-function.md 6. */
struct engine {
    uint64_t udma, sdma, error_trigger;
    unsigned number; /* inside its core */
    bool host_copy;
};
struct engine core_engine(const struct generation *gen, unsigned core, unsigned number);
struct engine host_copy_engine(const struct generation *gen, unsigned core);

/* ---- report.c ------------------------------------------------------------------------------ */

/* Set before the steps of a device: the name that lines begin with. */
void report_device(const char *name);
void passed(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints and ends the program with status 1. */
_Noreturn void failed(const char *sheet, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void expect(uint64_t got, uint64_t right, const char *what, const char *sheet);
void sleep_ms(unsigned ms);
uint64_t now_ms(void);

/* ---- sysfs.c: the function as Linux shows it ------------------------------------------------ */

struct function {
    char name[32]; /* 0000:00:04.0 */
    const struct generation *gen;
    int config, bar0, bar4;
    uint64_t bar4_bytes;
    struct chunk {
        int file;
        uint64_t first;
        void *map;
    } chunks[CHUNKS];
    unsigned next_chunk;
};

/* Functions with vendor 1D0F that trench models, in bus order; how many there are. */
unsigned find_functions(struct function *functions, unsigned capacity);
void enable_function(struct function *function);
void disable_function(struct function *function);
uint32_t config_read(const struct function *function, unsigned offset, unsigned size);
void config_write(const struct function *function, unsigned offset, unsigned size, uint32_t value);
/* Ids, class, BARs: pci-function.md 1, 2. */
void check_enumeration(struct function *function);

/* ---- window.c: BARs -------------------------------------------------------------------------- */

uint32_t read32(struct function *function, uint64_t offset);
/* As the driver reads at probe and reset: DEADBEEF means "again", pci-function.md 3. */
uint32_t read32_when_ready(struct function *function, uint64_t offset);
void write32(struct function *function, uint64_t offset, uint32_t value);
uint32_t misc_read(struct function *function, unsigned offset);
void misc_write(struct function *function, unsigned offset, uint32_t value);
void bar0_read_block(struct function *function, uint64_t offset, void *data, size_t size);
void bar4_read_block(struct function *function, uint64_t offset, void *data, size_t size);
void bar4_write_block(struct function *function, uint64_t offset, const void *data, size_t size);

/* ---- memory.c: memory of the guest that a device can reach -------------------------------------
 */

#define BLOCK_BYTES 0x200000u /* one huge page: contiguous in physical memory */

struct block {
    uint8_t *bytes;
    uint64_t physical;
};
struct block take_block(void);

/* ---- mailbox.c, reset.c, bringup.c, ring.c, copy.c, notify.c
 * -------------------------------------  */

uint32_t crc32c(const void *data, size_t size);
void check_mailbox(struct function *function, struct block memory);

void check_probe(struct function *function, unsigned routing_id);
void reset_device(struct function *function);
void reset_core(struct function *function, unsigned core);

/* The traffic of pci-function.md 6.1 for every engine of a core. */
void bring_up_core(struct function *function, unsigned core, bool again);

/* A host-copy ring, pci-function.md 6.2, 8. */
struct copy_ring {
    struct function *function;
    uint64_t udma; /* BAR0 offset of its engine */
    unsigned queue;
    struct block memory; /* descriptors of both sides and the completion buffer */
    unsigned next;       /* slot of the next descriptor */
    unsigned phase;
};
void ring_init(struct copy_ring *ring, struct function *function, unsigned core,
               struct block memory);
/* Copy between device addresses; false when the marker does not come. */
bool ring_copy(struct copy_ring *ring, uint64_t to, uint64_t from, size_t size);
/* Copy one chunk of 64 KiB to `to`, then from there behind it, `copies` in all, in one batch. */
bool ring_fill(struct copy_ring *ring, uint64_t to, uint64_t pattern, uint32_t copies);
/* Both halves of the engine are in abort, udma.md 9.2. */
bool ring_aborted(const struct copy_ring *ring);
uint64_t host_address(const struct copy_ring *ring, uint64_t physical);

void check_first_descriptors(struct copy_ring *ring, struct block from);
void check_copies(struct copy_ring *ring, unsigned core, struct block from, struct block to);
void check_many_copies(struct copy_ring *ring, struct block from, struct block to);
void check_no_bus_master(struct copy_ring *ring, struct block from, struct block to);

void check_notification_queues(struct function *function, struct block memory);

#endif
