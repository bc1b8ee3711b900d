/* SPDX-License-Identifier: Apache-2.0 */
/* bench_bringup: the five engines of a core through the HAL, beside a memcpy of the same blocks
 * into memory as fresh as the device's. The two take turns; each figure is the median of five
 * rounds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "trench/device.h"
#include "trench/hal.h"
#include "trench/ucode.h"

enum { ROUNDS = 5, REPEATS = 20, MAX_BLOCKS = 64 };

/* What one bring-up sends over the bus. */
struct traffic {
    struct trn_bus bus, inner;
    size_t blocks[MAX_BLOCKS], num_blocks, block_bytes, registers;
};

static void check(trn_status status, const char *what)
{
    if (status != TRN_OK) {
        fprintf(stderr, "bench_bringup: %s: %s\n", what, trn_status_name(status));
        exit(1);
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- a bus that counts -------------------------------------------------------------------------
 */

static trn_status count_read(void *context, uint64_t offset, uint32_t *value)
{
    struct traffic *t = context;
    t->registers++;
    return t->inner.read32(t->inner.context, offset, value);
}

static trn_status count_write(void *context, uint64_t offset, uint32_t value)
{
    struct traffic *t = context;
    t->registers++;
    return t->inner.write32(t->inner.context, offset, value);
}

static trn_status read_block(void *context, uint64_t offset, void *data, size_t size)
{
    struct traffic *t = context;
    return t->inner.read_block(t->inner.context, offset, data, size);
}

static trn_status count_block(void *context, uint64_t offset, const void *data, size_t size)
{
    struct traffic *t = context;
    if (t->num_blocks == MAX_BLOCKS)
        return TRN_ERR_TOO_LARGE;
    t->blocks[t->num_blocks++] = size;
    t->block_bytes += size;
    return t->inner.write_block(t->inner.context, offset, data, size);
}

/* ---- one of each -------------------------------------------------------------------------------
 */

static double bring_up(const struct trn_gen *gen, const struct trn_bus *bus)
{
    struct trn_hal_bringup_result result;
    struct trn_hal_stpb core;
    struct trn_hal *hal;
    const double start = now();
    check(trn_hal_create(bus, NULL, &hal, NULL), "create");
    check(trn_hal_latch(hal, gen), "latch");
    check(trn_hal_core_defaults(hal, 0, &core), "defaults");
    check(trn_ucode_fill_core(gen, &core), "images");
    check(trn_hal_bringup(hal, &(struct trn_hal_bringup){.stpb = &core}, &result), "bring-up");
    trn_hal_destroy(hal);
    return now() - start;
}

static struct traffic count_traffic(const struct trn_gen *gen)
{
    struct traffic t = {0};
    struct trn_device *device;
    check(trn_device_create(gen, NULL, &device, NULL), "device");
    t.inner = *trn_device_bar0(device);
    t.bus = (struct trn_bus){&t, count_read, count_write, read_block, count_block};
    bring_up(gen, &t.bus);
    trn_device_destroy(device);
    return t;
}

/* The images as the HAL sends them, padded; each block to its own place in `memory`. */
static double copy_blocks(const struct traffic *t, const uint8_t *image, uint8_t *memory)
{
    const double start = now();
    for (size_t i = 0; i < t->num_blocks; memory += t->blocks[i++])
        memcpy(memory, image, t->blocks[i]);
    return now() - start;
}

struct times {
    double bringup[ROUNDS], again[ROUNDS], copy[ROUNDS], recopy[ROUNDS];
};

static void measure(const struct trn_gen *gen, const struct traffic *t, const uint8_t *image,
                    struct times *times)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct trn_device *device;
        check(trn_device_create(gen, NULL, &device, NULL), "device");
        times->bringup[round] = bring_up(gen, trn_device_bar0(device));
        for (int i = 0; i < REPEATS; i++)
            times->again[round] += bring_up(gen, trn_device_bar0(device)) / REPEATS;
        trn_device_destroy(device);
        uint8_t *memory =
            mmap(NULL, t->block_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        check(memory != MAP_FAILED ? TRN_OK : TRN_ERR_NO_MEMORY, "memory");
        times->copy[round] = copy_blocks(t, image, memory);
        for (int i = 0; i < REPEATS; i++)
            times->recopy[round] += copy_blocks(t, image, memory) / REPEATS;
        munmap(memory, t->block_bytes);
    }
}

/* ---- report ------------------------------------------------------------------------------------
 */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_ms(double *seconds)
{
    qsort(seconds, ROUNDS, sizeof seconds[0], ascending);
    return seconds[ROUNDS / 2] * 1e3;
}

static void print_machine(void)
{
    char line[256];
    FILE *info = fopen("/proc/cpuinfo", "r");
    while (info && fgets(line, sizeof line, info))
        if (strncmp(line, "model name", 10) == 0) {
            printf("machine:%s", strchr(line, ':') + 1);
            break;
        }
    if (info)
        fclose(info);
}

static void print_row(const char *what, double bringup, double copy)
{
    printf("  %-24s %6.2f ms, memcpy %5.2f ms: %5.2f ms beyond it (wanted below 5)\n", what,
           bringup, copy, bringup - copy);
}

int main(void)
{
    static uint8_t image[1 << 20];
    print_machine();
    memset(image, 0x5A, sizeof image); /* its pages exist before anything is timed */
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++) {
        const struct trn_gen *gen = trn_gen_at(i);
        struct times times = {0};
        if (gen->hal_arch == 0)
            continue;
        const struct traffic t = count_traffic(gen);
        measure(gen, &t, image, &times);
        printf(
            "%s, five engines and the core's rings: %zu register accesses, %zu blocks of %zu bytes"
            " in all\n",
            gen->name, t.registers, t.num_blocks, t.block_bytes);
        print_row("first, fresh memory", median_ms(times.bringup), median_ms(times.copy));
        print_row("again, same memory", median_ms(times.again), median_ms(times.recopy));
    }
    return 0;
}
