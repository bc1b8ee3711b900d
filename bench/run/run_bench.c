/* SPDX-License-Identifier: Apache-2.0 */
/* A core for bench_run.py, over the public interface only: programs in device memory, brought up by
 * the HAL, run through fetch and dispatch. */
#include <time.h>

#include "trench/device.h"
#include "trench/hal_start.h"

enum { QUEUE = 0x1000000 };

static struct trn_device *device;

TRN_API int bench_open(int gen, unsigned threads);
TRN_API void bench_close(void);
TRN_API int bench_sbuf(unsigned partition, unsigned byte, void *data, size_t size, int write);
TRN_API double bench_program(int engine, const uint8_t *words, size_t num_words);
TRN_API double bench_empty_run(int gen);

int bench_open(int gen, unsigned threads)
{
    const struct trn_device_options options = {.threads = threads};
    return trn_device_create(trn_gen_at((unsigned)gen), &options, &device, NULL) == TRN_OK;
}

void bench_close(void)
{
    trn_device_destroy(device);
    device = NULL;
}

/* Bytes of one partition of core 0, through BAR0. */
int bench_sbuf(unsigned partition, unsigned byte, void *data, size_t size, int write)
{
    const struct trn_bus *bus = trn_device_bar0(device);
    const uint64_t stride = 0x40000; /* cayman */
    const uint64_t at = trn_device_space_offset(device, TRN_SPACE_SBUF) + partition * stride + byte;
    return (write ? bus->write_block(bus->context, at, data, size)
                  : bus->read_block(bus->context, at, data, size)) == TRN_OK;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Put the words into device memory, start the engine, run it: seconds of the run alone; negative
 * when it did not end well. */
double bench_program(int engine, const uint8_t *words, size_t num_words)
{
    const struct trn_bus *bus = trn_device_bar4(device);
    struct trn_run_report report;
    if (bus->write_block(bus->context, QUEUE, words, num_words * TRN_INST_BYTES) != TRN_OK ||
        trn_device_start(device, engine, trn_device_hbm_base(device) + QUEUE) != TRN_OK)
        return -1;
    const double start = now();
    trn_device_run(device, 0, &report);
    const double seconds = now() - start;
    return report.status == TRN_RUN_OK && report.engines[engine].state == TRN_ENGINE_HALTED
               ? seconds
               : -1;
}

/* Bring-up by the HAL of all engines, one HALT on SP, teardown: seconds. */
double bench_empty_run(int gen)
{
    static const uint8_t halt[TRN_INST_BYTES] = {0xA1, 0x10};
    const struct trn_gen *description = trn_gen_at((unsigned)gen);
    struct trn_device *core = NULL;
    struct trn_run_report report = {.status = TRN_RUN_OK};
    struct trn_hal_start hal;
    const double start = now();
    if (trn_device_create(description, NULL, &core, NULL) != TRN_OK)
        return -1;
    const struct trn_bus *bar4 = trn_device_bar4(core);
    bar4->write_block(bar4->context, QUEUE, halt, sizeof halt);
    trn_status status = trn_hal_start_open(&hal, description, trn_device_bar0(core), 0, NULL);
    for (int e = 0; e < TRN_ENGINES && status == TRN_OK; e++)
        status = trn_hal_start_release(&hal, e, NULL);
    if (status == TRN_OK)
        status = trn_hal_start_engine(&hal, TRN_ENGINES - 1, QUEUE, NULL);
    if (status == TRN_OK)
        status = trn_device_run(core, 0, &report);
    trn_device_destroy(core);
    const double seconds = now() - start;
    return status == TRN_OK && report.status == TRN_RUN_OK ? seconds : -1;
}
