/* SPDX-License-Identifier: Apache-2.0 */
/* pci GENERATION: a driver and a device in one process. The driver enables the function, resets it,
 * sets up a host-copy ring of its own, moves a buffer to HBM and back, takes a record from a
 * notification queue and removes the function. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ring.h"
#include "trench/pci.h"

enum { DATA_BYTES = 300001, HOST_BYTES = 2 << 20, PAGE = 4096 };

/* What this driver knows of a generation: pci-function.md 4, 6, 4.1 and 7 in docs/hardware; the
 * last one, notific.md 7, are registers of core 0 that say which queue its errors go to. */
struct generation {
    const char *name;
    uint64_t misc_ram, copy_engine, host_bit, notification_block, core_registers;
};

static const struct generation generations[] = {
    {"sunda", 0x30FA0000, 0x30600000, UINT64_C(1) << 44, 0x30535000, 0x30530000},
    {"cayman", 0x06C84000, 0x06800000, UINT64_C(1) << 46, 0x06001000, 0x06000000},
    {"mariana", 0x06C84000, 0x06800000, UINT64_C(1) << 46, 0x06001000, 0x06000000},
    {"mariana_plus", 0x06C84000, 0x06800000, UINT64_C(1) << 46, 0x06001000, 0x06000000},
};

static const struct generation *find(const char *name)
{
    for (size_t i = 0; i < sizeof generations / sizeof generations[0]; i++)
        if (strcmp(generations[i].name, name) == 0)
            return &generations[i];
    return NULL;
}

/* ---- the host: memory from bus address 0 on ------------------------------------------ */

struct host {
    uint8_t *memory;
    uint64_t used;
};

static trn_status host_read(void *context, uint64_t address, void *data, size_t size)
{
    const struct host *host = context;
    if (address > HOST_BYTES || size > HOST_BYTES - address)
        return TRN_ERR_ADDRESS;
    memcpy(data, host->memory + address, size);
    return TRN_OK;
}

static trn_status host_write(void *context, uint64_t address, const void *data, size_t size)
{
    struct host *host = context;
    if (address > HOST_BYTES || size > HOST_BYTES - address)
        return TRN_ERR_ADDRESS;
    memcpy(host->memory + address, data, size);
    return TRN_OK;
}

static struct ring_memory take(struct host *host, const struct generation *generation,
                               uint64_t size)
{
    const uint64_t at = host->used;
    host->used += (size + PAGE - 1) / PAGE * PAGE;
    return (struct ring_memory){host->memory + at, at | generation->host_bit};
}

/* ---- the driver ------------------------------------------------------------------------ */

static uint32_t get(struct trn_pci *pci, uint64_t offset)
{
    uint64_t value = 0;
    trn_pci_bar_read(pci, 0, offset, 4, &value);
    return (uint32_t)value;
}

static void put(struct trn_pci *pci, uint64_t offset, uint32_t value)
{
    trn_pci_bar_write(pci, 0, offset, 4, value);
}

/* The handshake of 5.3; this device answers before the first poll. */
static bool reset(struct trn_pci *pci, const struct generation *generation)
{
    const uint64_t misc = generation->misc_ram;
    put(pci, misc + 0x1EC, 1);
    put(pci, misc + 0x800, 1);
    return get(pci, misc + 0x1EC) == 0 && (get(pci, misc + 0x808) >> 3 & 1) == 0;
}

static bool probe(struct trn_pci *pci, const struct generation *generation)
{
    uint32_t ids = 0;
    trn_pci_config_read(pci, 0x00, 4, &ids);
    trn_pci_config_write(pci, 0x04, 2, 0x0006); /* memory space, bus master */
    printf("%04x:%04x, routing id %u\n", ids & 0xFFFF, ids >> 16,
           get(pci, generation->misc_ram + 0x024));
    return reset(pci, generation);
}

static bool there_and_back(struct trn_pci *pci, struct host *host,
                           const struct generation *generation)
{
    struct ring ring = {.pci = pci, .engine = generation->copy_engine};
    const uint64_t hbm = 0x1000000; /* behind what firmware keeps of the channel */
    ring.tx = take(host, generation, RING_BYTES);
    ring.rx = take(host, generation, RING_BYTES);
    ring.marker = take(host, generation, 8);
    const struct ring_memory from = take(host, generation, DATA_BYTES);
    const struct ring_memory to = take(host, generation, DATA_BYTES);
    for (size_t i = 0; i < DATA_BYTES; i++)
        from.bytes[i] = (uint8_t)(i * 31 + i / 256);
    ring_init(&ring);
    if (!ring_copy(&ring, from.device, hbm, DATA_BYTES) ||
        !ring_copy(&ring, hbm, to.device, DATA_BYTES))
        return false;
    printf("%d bytes to HBM and back: %s\n", DATA_BYTES,
           memcmp(from.bytes, to.bytes, DATA_BYTES) == 0 ? "the same" : "DIFFERENT");
    return memcmp(from.bytes, to.bytes, DATA_BYTES) == 0;
}

/* A queue of the block: its ring, or none (7). */
static void set_queue(struct trn_pci *pci, uint64_t block, unsigned queue, uint64_t ring,
                      uint32_t size)
{
    const uint64_t at = block + 0x100 + UINT64_C(0x28) * queue;
    put(pci, at + 4, (uint32_t)(ring >> 32));
    put(pci, at, (uint32_t)ring);
    put(pci, at + 8, size);
}

/* Errors of core 0 go to queue 2, and a fake one is raised (error-handling.md 8). */
static bool take_record(struct trn_pci *pci, struct host *host, const struct generation *generation)
{
    enum { ERRORS = 2, RECORD_BYTES = 16 };
    const uint64_t block = generation->notification_block, core = generation->core_registers;
    const struct ring_memory ring = take(host, generation, PAGE);
    uint32_t record[2];
    set_queue(pci, block, ERRORS, ring.device, PAGE);
    put(pci, block + 0x30, UINT32_MAX); /* every input of the block ... */
    put(pci, block + 0x34, UINT32_MAX);
    put(pci, block + 0x14, 1u << ERRORS); /* ... and the queue are on */
    put(pci, core + 0xA0C, ERRORS);
    put(pci, core + 0xB04, 0xCAFE);
    put(pci, core + 0xB00, 1);
    memcpy(record, ring.bytes, sizeof record);
    printf("notification queue: record %08x %08x, %u bytes\n", record[0], record[1],
           get(pci, block + 0x110 + UINT64_C(0x28) * ERRORS));
    set_queue(pci, block, ERRORS, 0, 0); /* halted: the memory is the driver's again */
    return record[1] == 0xCAFE && get(pci, block + 0x108 + UINT64_C(0x28) * ERRORS) == 0;
}

static int drive(const struct generation *generation, struct host *host)
{
    const struct trn_pci_options options = TRN_PCI_OPTIONS(generation->name);
    const struct trn_pci_host calls = {.context = host, .read = host_read, .write = host_write};
    struct trn_pci *pci = NULL;
    struct trn_diag diag;
    if (trn_pci_open(&options, &calls, &pci, &diag) != TRN_OK) {
        fprintf(stderr, "pci: %s\n", diag.message);
        return EXIT_FAILURE;
    }
    const bool done = probe(pci, generation) && there_and_back(pci, host, generation) &&
                      take_record(pci, host, generation);
    if (!done)
        fprintf(stderr, "pci: the device did not do it: %s\n", trn_pci_diag(pci)->message);
    trn_pci_config_write(pci, 0x04, 2, 0); /* removed: neither BARs nor bus master */
    trn_pci_close(pci);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    const struct generation *generation = find(argc > 1 ? argv[1] : "sunda");
    struct host host = {.memory = calloc(1, HOST_BYTES)};
    if (!generation || !host.memory) {
        fprintf(stderr, "usage: pci sunda|cayman|mariana|mariana_plus\n");
        free(host.memory);
        return EXIT_FAILURE;
    }
    const int status = drive(generation, &host);
    free(host.memory);
    return status;
}
