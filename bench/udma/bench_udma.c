/* SPDX-License-Identifier: Apache-2.0 */
/* bench_udma: rows copied by a DMA engine, one packet a row, ring memory, fetch, checks, pointers
 * and counters included, beside a loop of memcpy over the same rows in the same order. The rows of
 * the source are drawn pseudo-randomly, as a gather does. Medians of 5 runs that take turns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dma/udma.h"
#include "udma_pack.h"

enum { RUNS = 5, RING = 8192, TOTAL = 64 << 20 };

/* Rows of 2 KiB reach at least this part of the loop, descriptors written and fetched included. */
#define WANTED 0.6

#define MEMORY UINT64_C(0x1000000000)

struct bench {
    uint8_t *memory;
    uint64_t size;
    struct trn_udma_map *map;
    struct trn_udma *engine;
    uint32_t *rows;
    uint32_t row_bytes, num_rows;
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

/* ---- one memory: rings, sources, destinations ------------------------------------------------ */

static trn_status map(void *context, uint64_t address, uint64_t size, bool write, uint8_t **pointer,
                      uint64_t *length)
{
    struct bench *bench = context;
    (void)write;
    if (address < MEMORY || address - MEMORY >= bench->size)
        return TRN_ERR_ADDRESS;
    const uint64_t left = bench->size - (address - MEMORY);
    *pointer = bench->memory + (address - MEMORY);
    *length = size < left ? size : left;
    return TRN_OK;
}

enum { TX_AT = 0, RX_AT = RING * 16, SOURCE_AT = 2 * RING * 16, TARGET_AT = SOURCE_AT + TOTAL };

static void queue_init(struct bench *bench)
{
    static const uint32_t base[TRN_UDMA_HALVES] = {0x1000, 0x21000};
    for (int half = 0; half < TRN_UDMA_HALVES; half++) {
        const uint64_t ring = MEMORY + (half == TRN_UDMA_M2S ? TX_AT : RX_AT);
        trn_udma_write32(bench->engine, base[half] + 0x28, (uint32_t)trn_bits_get(ring, 0, 32));
        trn_udma_write32(bench->engine, base[half] + 0x2C, (uint32_t)trn_bits_get(ring, 32, 32));
        trn_udma_write32(bench->engine, base[half] + 0x30, RING);
        trn_udma_write32(bench->engine, base[half] + 0x20, 0x03030000);
    }
}

/* ---- the two that are compared ------------------------------------------------------------------
 */

static double by_engine(struct bench *bench)
{
    struct trn_udma_tx tx = {.length = (uint16_t)bench->row_bytes,
                             .first = 1,
                             .last = 1,
                             .last_block = 1,
                             .first_block = 1,
                             .copy_source = 1,
                             .op = 2};
    struct trn_udma_rx rx = {.length = (uint16_t)bench->row_bytes};
    trn_udma_reset(bench->engine);
    queue_init(bench);
    const double start = seconds();
    uint32_t slot = 0;
    uint8_t id = 1;
    for (uint32_t done = 0; done < bench->num_rows;) {
        uint32_t n = 0;
        for (; n < RING / 2 && done < bench->num_rows; n++, done++) {
            tx.source = MEMORY + SOURCE_AT + (uint64_t)bench->rows[done] * bench->row_bytes;
            rx.destination = MEMORY + TARGET_AT + (uint64_t)done * bench->row_bytes;
            tx.ring_id = rx.ring_id = id;
            trn_udma_tx_pack(&tx, bench->memory + TX_AT + (size_t)slot * 16);
            trn_udma_rx_pack(&rx, bench->memory + RX_AT + (size_t)slot * 16);
            if (++slot == RING) {
                slot = 0;
                id = (uint8_t)((id + 1) % 4);
            }
        }
        trn_udma_ring_doorbells(bench->engine, 0, n, n);
        trn_udma_run(bench->engine, 0);
    }
    return seconds() - start;
}

static double by_memcpy(struct bench *bench)
{
    const double start = seconds();
    for (uint32_t i = 0; i < bench->num_rows; i++)
        memcpy(bench->memory + TARGET_AT + (size_t)i * bench->row_bytes,
               bench->memory + SOURCE_AT + (size_t)bench->rows[i] * bench->row_bytes,
               bench->row_bytes);
    return seconds() - start;
}

/* Ratio of the loop's time to the engine's. */
static double measure(struct bench *bench, uint32_t row_bytes, uint32_t num_rows)
{
    double took[2][RUNS];
    uint32_t seed = 1;
    bench->row_bytes = row_bytes;
    bench->num_rows = num_rows;
    for (uint32_t i = 0; i < num_rows; i++) {
        seed = seed * 1664525u + 1013904223u;
        bench->rows[i] = (seed >> 8) % num_rows;
    }
    for (int run = 0; run < RUNS; run++) {
        took[0][run] = by_engine(bench);
        took[1][run] = by_memcpy(bench);
    }
    const double bytes = (double)row_bytes * num_rows;
    const double engine = median(took[0]), loop = median(took[1]);
    printf(
        "%6u rows of %5u bytes  engine %7.2f GB/s  memcpy %7.2f GB/s  ratio %.2f  %+.1f ns a row\n",
        num_rows, row_bytes, bytes / engine * 1e-9, bytes / loop * 1e-9, loop / engine,
        (engine - loop) / num_rows * 1e9);
    return loop / engine;
}

static bool moved_right(const struct bench *bench)
{
    for (uint32_t i = 0; i < bench->num_rows; i++)
        if (memcmp(bench->memory + TARGET_AT + (size_t)i * bench->row_bytes,
                   bench->memory + SOURCE_AT + (size_t)bench->rows[i] * bench->row_bytes,
                   bench->row_bytes) != 0)
            return false;
    return true;
}

int main(void)
{
    struct bench bench = {.size = (uint64_t)TARGET_AT + TOTAL};
    const struct trn_udma_ports ports = {.context = &bench, .map = map};
    bench.memory = malloc(bench.size);
    bench.rows = malloc((TOTAL / 64) * sizeof *bench.rows);
    if (!bench.memory || !bench.rows ||
        trn_udma_map_create(trn_gen_find("cayman"), &bench.map) != TRN_OK ||
        trn_udma_create(bench.map, 0, &ports, &bench.engine) != TRN_OK) {
        fputs("bench_udma: out of memory\n", stderr);
        return EXIT_FAILURE;
    }
    for (uint64_t i = 0; i < bench.size; i++)
        bench.memory[i] = (uint8_t)(i * 2654435761u >> 13);
    measure(&bench, 65535, TOTAL / 65536);
    measure(&bench, 512, TOTAL / 512);
    const double ratio = measure(&bench, 2048, 4096);
    const bool right = moved_right(&bench);
    trn_udma_destroy(bench.engine);
    trn_udma_map_destroy(bench.map);
    free(bench.memory);
    free(bench.rows);
    printf("%s: 4096 rows of 2 KiB at %.2f of the loop or better%s\n",
           ratio >= WANTED && right ? "holds" : "FAILS", WANTED, right ? "" : "; wrong bytes");
    return ratio >= WANTED && right ? EXIT_SUCCESS : EXIT_FAILURE;
}
