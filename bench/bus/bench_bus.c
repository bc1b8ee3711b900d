/* SPDX-License-Identifier: Apache-2.0 */
/* bench_bus: what one access over struct trn_bus costs. A pseudo-random walk over the registers of
 * four blocks of one core (its register file, local registers, semaphores, notification block), one
 * write for each read; the same walk over a bus whose calls touch one array; block writes of
 * instruction memories beside memcpy. Medians of 5 runs that take turns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gen/blocks.h"
#include "trench/device.h"

enum { RUNS = 5, PLACES = 4096, ACCESSES = 1 << 24, IMAGE_ROUNDS = 2000 };

/* At least this many accesses a second (plan of the register bus). */
#define WANTED 20e6

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int die(const char *what)
{
    fprintf(stderr, "bench_bus: %s\n", what);
    return EXIT_FAILURE;
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

/* ---- the walk ------------------------------------------------------------------------ */

static const char *const blocks[] = {"core0.tpb", "core0.sp.xt_local", "core0.evt_sem",
                                     "core0.notific"};

/* A write that boots a sequencer is no measure of the bus. */
static bool boots(const struct trn_gen *gen, const struct trn_block *block, uint64_t at)
{
    return block->row->engine >= 0 && at == gen->local_run_stall;
}

/* Every register of the blocks. */
static size_t gather(const struct trn_gen *gen, uint64_t *places, size_t room)
{
    size_t count = 0;
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; b++) {
        const struct trn_block *block = trn_block_find(gen, blocks[b]);
        for (uint64_t at = 0; block && at < block->row->size; at += 4)
            if (count < room && !boots(gen, block, at) &&
                trn_block_reg_at(gen, block, block->bar0 + at, NULL))
                places[count++] = block->bar0 + at;
    }
    return count;
}

/* Fills `walk` with places in a random order, the same every time. */
static void shuffle(const uint64_t *places, size_t count, uint64_t *walk)
{
    uint32_t state = 1;
    for (size_t i = 0; i < PLACES; i++) {
        state = state * 1664525u + 1013904223u;
        walk[i] = places[(state >> 8) % count];
    }
}

static double time_walk(const struct trn_bus *bus, const uint64_t *walk)
{
    uint32_t sum = 0, value = 0;
    const double start = seconds();
    for (size_t i = 0; i < ACCESSES / 2; i++) {
        bus->write32(bus->context, walk[i % PLACES], (uint32_t)i);
        bus->read32(bus->context, walk[(i + PLACES / 2) % PLACES], &value);
        sum += value;
    }
    const double took = seconds() - start;
    return sum == 0 ? took + 1e-12 : took; /* the sum must be computed */
}

/* ---- the peer: a bus over one array ----------------------------------------------------- */

enum { ARRAY_WORDS = 1 << 20 };

static trn_status array_read(void *context, uint64_t offset, uint32_t *value)
{
    *value = ((const uint32_t *)context)[offset / 4 % ARRAY_WORDS];
    return TRN_OK;
}

static trn_status array_write(void *context, uint64_t offset, uint32_t value)
{
    ((uint32_t *)context)[offset / 4 % ARRAY_WORDS] = value;
    return TRN_OK;
}

/* ---- images -------------------------------------------------------------------------- */

static double time_images(const struct trn_bus *bus, uint64_t place, const uint8_t *image,
                          size_t size)
{
    const double start = seconds();
    for (int i = 0; i < IMAGE_ROUNDS; i++)
        bus->write_block(bus->context, place, image, size);
    return seconds() - start;
}

static double time_memcpy(uint8_t *to, const uint8_t *image, size_t size)
{
    const double start = seconds();
    for (int i = 0; i < IMAGE_ROUNDS; i++) {
        memcpy(to, image, size);
        __asm__ volatile("" ::"r"(to) : "memory");
    }
    return seconds() - start;
}

static void report(const char *what, double took, double count, const char *unit)
{
    printf("%-28s %8.1f M%s/s %8.2f ns\n", what, count / took * 1e-6, unit, took / count * 1e9);
}

int main(void)
{
    static uint64_t places[1 << 14], walk[PLACES];
    static uint32_t array[ARRAY_WORDS];
    const struct trn_gen *gen = trn_gen_find("cayman");
    struct trn_device *device = NULL;
    if (trn_device_create(gen, NULL, &device, NULL) != TRN_OK)
        return die("cannot make the device");
    const struct trn_bus *bus = trn_device_bar0(device);
    const struct trn_bus peer = {.context = array, .read32 = array_read, .write32 = array_write};
    const struct trn_aperture_row *iram =
        trn_aperture_find(gen, TRN_APERTURE_TPB_BAR, "PE_NX_IRAM");
    uint8_t *image = calloc(2, iram->size);
    if (!image)
        return die("out of memory");
    shuffle(places, gather(gen, places, sizeof places / sizeof places[0]), walk);
    memset(image, 0x5A, 2 * (size_t)iram->size);
    double took[4][RUNS];
    for (int run = 0; run < RUNS; run++) {
        took[0][run] = time_walk(bus, walk);
        took[1][run] = time_walk(&peer, walk);
        took[2][run] = time_images(bus, gen->bar0_tpb + iram->offset, image, iram->size);
        took[3][run] = time_memcpy(image + iram->size, image, iram->size);
    }
    const double accesses = median(took[0]);
    report("registers of the device", accesses, ACCESSES, "op");
    report("the same walk over an array", median(took[1]), ACCESSES, "op");
    const double bytes = (double)iram->size * IMAGE_ROUNDS;
    report("images written as blocks", median(took[2]), bytes, "B");
    report("memcpy of the same bytes", median(took[3]), bytes, "B");
    free(image);
    trn_device_destroy(device);
    const bool fast = ACCESSES / accesses >= WANTED;
    printf("%s: at least %.0f million accesses a second\n", fast ? "holds" : "FAILS",
           WANTED * 1e-6);
    return fast ? EXIT_SUCCESS : EXIT_FAILURE;
}
