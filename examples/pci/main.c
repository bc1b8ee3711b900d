/* SPDX-License-Identifier: Apache-2.0 */
/* pci GENERATION: a driver and a device in one process. The driver enables the function, resets it,
 * sets up a host-copy ring of its own, and moves a buffer to HBM and back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ring.h"
#include "trench/pci.h"

enum { DATA_BYTES = 300001, HOST_BYTES = 2 << 20, PAGE = 4096 };

/* What this driver knows of a generation (docs/hardware/pci-function.md 4 and 6, 4.1). */
struct generation {
    const char *name;
    uint64_t misc_ram, copy_engine, host_bit;
};

static const struct generation generations[] = {
    {"sunda", 0x30FA0000, 0x30600000, UINT64_C(1) << 44},
    {"cayman", 0x06C84000, 0x06800000, UINT64_C(1) << 46},
    {"mariana", 0x06C84000, 0x06800000, UINT64_C(1) << 46},
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

/* The handshake of 5.3; this device answers before the first poll. */
static bool reset(struct trn_pci *pci, const struct generation *generation)
{
    const uint64_t misc = generation->misc_ram;
    trn_pci_bar_write(pci, 0, misc + 0x1EC, 4, 1);
    trn_pci_bar_write(pci, 0, misc + 0x800, 4, 1);
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
    const bool done = probe(pci, generation) && there_and_back(pci, host, generation);
    if (!done)
        fprintf(stderr, "pci: the device did not do it: %s\n", trn_pci_diag(pci)->message);
    trn_pci_close(pci);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    const struct generation *generation = find(argc > 1 ? argv[1] : "sunda");
    struct host host = {.memory = calloc(1, HOST_BYTES)};
    if (!generation || !host.memory) {
        fprintf(stderr, "usage: pci sunda|cayman|mariana\n");
        free(host.memory);
        return EXIT_FAILURE;
    }
    const int status = drive(generation, &host);
    free(host.memory);
    return status;
}
