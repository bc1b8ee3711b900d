/* SPDX-License-Identifier: Apache-2.0 */
/* bench_pci: what a driver's accesses cost through the PCI function, in process. Register reads
 * over BAR0 in a random order (MISC RAM, semaphores, notification block, DMA engine), and 64 MiB
 * from the host to HBM and back through a host-copy ring, beside memcpy of the same bytes between
 * memories that were touched before. Medians of 5 runs that take turns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "ring.h"
#include "trench/pci.h"

enum { RUNS = 5, PLACES = 4096, READS = 1 << 22, COPY_BYTES = 64 << 20, PAGE = 4096 };

/* At least so many reads a second, and this part of memcpy; an idle function in KiB. */
#define WANTED_READS 10e6
#define WANTED_COPY  0.5
enum { WANTED_IDLE = 300 * 1024 };

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values)
{
    qsort(values, RUNS, sizeof *values, ascending);
    return values[RUNS / 2];
}

static long resident(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* ---- the host ---------------------------------------------------------------------- */

struct host {
    uint8_t *memory;
    uint64_t bytes, used;
};

static trn_status host_read(void *context, uint64_t address, void *data, size_t size)
{
    const struct host *host = context;
    if (address > host->bytes || size > host->bytes - address)
        return TRN_ERR_ADDRESS;
    memcpy(data, host->memory + address, size);
    return TRN_OK;
}

static trn_status host_write(void *context, uint64_t address, const void *data, size_t size)
{
    struct host *host = context;
    if (address > host->bytes || size > host->bytes - address)
        return TRN_ERR_ADDRESS;
    memcpy(host->memory + address, data, size);
    return TRN_OK;
}

static struct ring_memory take(struct host *host, uint64_t size)
{
    const uint64_t at = host->used;
    host->used += (size + PAGE - 1) / PAGE * PAGE;
    return (struct ring_memory){host->memory + at, at | UINT64_C(1) << 46};
}

/* ---- reads ------------------------------------------------------------------------- */

static void choose(uint64_t *walk)
{
    static const uint64_t blocks[] = {0x6C84000, 0xD2700000, 0x6001000, 0x82001000};
    static const uint32_t words[] = {0x90, 0x400, 0x30, 0x30};
    uint32_t state = 1;
    for (size_t i = 0; i < PLACES; i++) {
        state = state * 1664525u + 1013904223u;
        const size_t block = state >> 30;
        walk[i] = blocks[block] + 4 * ((state >> 8) % words[block]);
    }
}

static double time_reads(struct trn_pci *pci, const uint64_t *walk, uint64_t *sum)
{
    const double start = seconds();
    for (size_t i = 0; i < READS; i++) {
        uint64_t value = 0;
        trn_pci_bar_read(pci, 0, walk[i % PLACES], 4, &value);
        *sum += value;
    }
    return READS / (seconds() - start);
}

/* ---- copies ------------------------------------------------------------------------ */

static double time_copy(struct ring *ring, uint64_t source, uint64_t destination)
{
    const double start = seconds();
    if (!ring_copy(ring, source, destination, COPY_BYTES)) {
        fprintf(stderr, "bench_pci: no marker\n");
        exit(EXIT_FAILURE);
    }
    return COPY_BYTES / (seconds() - start);
}

static double time_memcpy(uint8_t *to, const uint8_t *from)
{
    const double start = seconds();
    memcpy(to, from, COPY_BYTES);
    __asm__ volatile("" : : "r"(to) : "memory");
    return COPY_BYTES / (seconds() - start);
}

struct speeds {
    double reads[RUNS], in[RUNS], out[RUNS], memcpy[RUNS];
};

static void measure(struct trn_pci *pci, struct host *host, struct speeds *speeds)
{
    static uint64_t walk[PLACES];
    struct ring ring = {.pci = pci, .engine = 0x6800000};
    uint64_t sum = 0;
    ring.tx = take(host, RING_BYTES);
    ring.rx = take(host, RING_BYTES);
    ring.marker = take(host, 8);
    const struct ring_memory from = take(host, COPY_BYTES), to = take(host, COPY_BYTES);
    memset(from.bytes, 0x5A, COPY_BYTES);
    memset(to.bytes, 0xA5, COPY_BYTES);
    choose(walk);
    ring_init(&ring);
    time_copy(&ring, from.device, 0x1000000); /* HBM is there now */
    for (int run = 0; run < RUNS; run++) {
        speeds->reads[run] = time_reads(pci, walk, &sum);
        speeds->in[run] = time_copy(&ring, from.device, 0x1000000);
        speeds->memcpy[run] = time_memcpy(to.bytes, from.bytes);
        speeds->out[run] = time_copy(&ring, 0x1000000, to.device);
    }
}

static bool say(const char *what, double value, const char *unit, double wanted)
{
    printf("%-34s %8.2f %s (wanted %.2f)%s\n", what, value, unit, wanted,
           value >= wanted ? "" : " MISSED");
    return value >= wanted;
}

static bool report(struct speeds *speeds, long idle)
{
    const double peer = median(speeds->memcpy);
    printf("%-34s %8.2f GB/s\n", "memcpy of 64 MiB", peer / 1e9);
    printf("%-34s %8.1f MiB (wanted below %d)\n", "resident with an idle function",
           (double)idle / 1024, WANTED_IDLE / 1024);
    const bool reads =
        say("register reads over BAR0", median(speeds->reads) / 1e6, "M/s", WANTED_READS / 1e6);
    const bool in = say("host to HBM, part of memcpy", median(speeds->in) / peer, "", WANTED_COPY);
    const bool out =
        say("HBM to host, part of memcpy", median(speeds->out) / peer, "", WANTED_COPY);
    return reads && in && out && idle < WANTED_IDLE;
}

int main(void)
{
    struct host host = {.bytes = UINT64_C(3) * COPY_BYTES};
    struct speeds speeds;
    const struct trn_pci_options options = TRN_PCI_OPTIONS("cayman");
    const struct trn_pci_host calls = {.context = &host, .read = host_read, .write = host_write};
    struct trn_pci *pci = NULL;
    if (trn_pci_open(&options, &calls, &pci, NULL) != TRN_OK)
        return EXIT_FAILURE;
    trn_pci_config_write(pci, 4, 2, 6);
    const long idle = resident();
    host.memory = malloc(host.bytes);
    if (!host.memory)
        return EXIT_FAILURE;
    measure(pci, &host, &speeds);
    const bool held = report(&speeds, idle);
    trn_pci_close(pci);
    free(host.memory);
    return held ? EXIT_SUCCESS : EXIT_FAILURE;
}
