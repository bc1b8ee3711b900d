/* SPDX-License-Identifier: Apache-2.0 */
/* bench_notific: produce + drain. A producer encodes records and submits them to a block with
 * backpressure on; when it has to wait, the host drains the ring over a bus: phase bits, copies,
 * one head write a portion. Beside it the same records copied with memcpy into a ring and out of
 * it. Medians of 5 runs that take turns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bytes.h"
#include "notific/notific.h"
#include "trench/drain.h"

enum { RUNS = 5, RECORDS = 1 << 23, RING = 1 << 16, BASE = 0x100000, PORTION = 1024 };

/* At least this many records a second, produced and drained. */
#define WANTED 10e6

struct bench {
    struct trn_notific *block;
    struct trn_bus bus;
    struct trn_drain drain;
    uint64_t ticks;
    uint8_t memory[RING];
    uint8_t out[PORTION][TRN_RECORD_BYTES];
    uint64_t sum;
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
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

static void must(trn_status status)
{
    if (status != TRN_OK) {
        fprintf(stderr, "bench_notific: %s\n", trn_status_name(status));
        exit(EXIT_FAILURE);
    }
}

/* ---- the two ends ------------------------------------------------------------------------ */

static trn_status write_memory(void *context, uint64_t address, const void *data, size_t size,
                               uint16_t axi_id)
{
    struct bench *const bench = context;
    (void)axi_id;
    if (address < BASE || address - BASE > RING - size)
        return TRN_ERR_ADDRESS;
    memcpy(bench->memory + (address - BASE), data, size);
    return TRN_OK;
}

static uint64_t ticks(void *context)
{
    return ((struct bench *)context)->ticks;
}

static trn_status bus_read(void *context, uint64_t offset, uint32_t *value)
{
    struct bench *const bench = context;
    return trn_notific_read32(bench->block, (uint32_t)offset, value) ? TRN_OK : TRN_ERR_ADDRESS;
}

static trn_status bus_write(void *context, uint64_t offset, uint32_t value)
{
    struct bench *const bench = context;
    return trn_notific_write32(bench->block, (uint32_t)offset, value) ? TRN_OK : TRN_ERR_ADDRESS;
}

static void start(struct bench *bench, bool delayed)
{
    const struct trn_gen *const gen = trn_gen_find("cayman");
    const struct trn_notific_options options = {.delayed = delayed};
    const struct trn_notific_ports ports = {bench, write_memory, NULL, ticks, NULL};
    static const uint32_t set_up[][2] = {{0x30, UINT32_MAX}, {0x34, UINT32_MAX}, {0x08, 0x3FF},
                                         {0x0C, UINT32_MAX}, {0x10, UINT32_MAX}, {0x100, BASE},
                                         {0x108, RING},      {0x14, 1}};
    memset(bench, 0, sizeof *bench);
    bench->bus = (struct trn_bus){bench, bus_read, bus_write, NULL, NULL};
    must(trn_notific_create(gen, &options, &ports, &bench->block));
    for (size_t i = 0; i < sizeof set_up / sizeof set_up[0]; i++)
        must(bus_write(bench, set_up[i][0], set_up[i][1]));
    const struct trn_drain_ring ring = {
        .bus = &bench->bus, .size = RING, .memory = bench->memory, .by_pointer = false};
    must(trn_drain_attach(&bench->drain, gen, &ring, NULL));
}

static void drain(struct bench *bench)
{
    uint32_t count;
    must(trn_drain_read(&bench->drain, bench->out, PORTION, &count, NULL));
    for (uint32_t i = 0; i < count; i++)
        bench->sum += trn_get32(bench->out[i] + 4);
}

static void produce(struct bench *bench, uint32_t n)
{
    uint8_t raw[TRN_RECORD_BYTES];
    const struct trn_record record = {.type = TRN_RECORD_TPB_ERROR,
                                      .form = TRN_FORM_TPB_ERROR,
                                      .body.tpb_error = {.error_id = TRN_ERROR_ID_FP_UNDERFLOW,
                                                         .metadata_lo = 8,
                                                         .metadata_hi = n}};
    must(trn_record_encode(&record, raw, NULL));
    bench->ticks++;
    while (trn_notific_submit(bench->block, TRN_INPUT_ERROR_FP_UNDERFLOW, 0, raw) ==
           TRN_NOTIFIC_STALLED)
        drain(bench);
}

static double through_the_block(struct bench *bench, bool delayed)
{
    start(bench, delayed);
    const double begin = seconds();
    for (uint32_t n = 0; n < RECORDS; n++)
        produce(bench, n);
    bench->ticks += 1 << 20; /* the coalescer's timer */
    while (bench->drain.read < RECORDS) {
        trn_notific_poll(bench->block);
        drain(bench);
    }
    const double time = seconds() - begin;
    const struct trn_notific_counts counts = trn_notific_counts(bench->block, TRN_NOTIFIC_ALL);
    const uint64_t want = (uint64_t)RECORDS * (RECORDS - 1) / 2;
    if (bench->sum != want || trn_notific_lost(&counts) || bench->drain.out_of_order) {
        fputs("bench_notific: records are missing\n", stderr);
        exit(EXIT_FAILURE);
    }
    trn_notific_destroy(bench->block);
    return RECORDS / time;
}

/* The bytes alone: into a ring and out of it, 16 at a time. */
static double copies(struct bench *bench)
{
    const double begin = seconds();
    uint8_t raw[TRN_RECORD_BYTES] = {0};
    for (uint32_t n = 0; n < RECORDS; n++) {
        const size_t at = (size_t)n * TRN_RECORD_BYTES % RING;
        trn_put32(raw + 4, n);
        memcpy(bench->memory + at, raw, sizeof raw);
        memcpy(bench->out[n % PORTION], bench->memory + at, sizeof raw);
        bench->sum += trn_get32(bench->out[n % PORTION] + 4);
    }
    return RECORDS / (seconds() - begin);
}

int main(void)
{
    static struct bench bench;
    double through[RUNS], staged[RUNS], plain[RUNS];
    for (int run = 0; run < RUNS; run++) {
        through[run] = through_the_block(&bench, false);
        staged[run] = through_the_block(&bench, true);
        plain[run] = copies(&bench);
    }
    const double speed = median(through);
    printf("produce + drain              %7.1f million records/s (wanted: %.0f)\n", speed / 1e6,
           WANTED / 1e6);
    printf("the same through the coalescer %5.1f million records/s\n", median(staged) / 1e6);
    printf("two copies of 16 bytes       %7.1f million records/s\n", median(plain) / 1e6);
    return speed >= WANTED ? EXIT_SUCCESS : EXIT_FAILURE;
}
