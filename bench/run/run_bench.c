/* SPDX-License-Identifier: Apache-2.0 */
/* A core for bench_run.py, over the public interface only: programs in device memory, brought up by
 * the HAL, run through fetch and dispatch. */
#include <stddef.h>
#include <string.h>
#include <time.h>

#include "trench/act.h"
#include "trench/device.h"
#include "trench/hal.h"
#include "trench/ucode.h"

enum { QUEUE = 0x1000000 };

static struct trn_device *device;
static bool check_race; /* of the next device */

TRN_API int bench_open(int gen, unsigned threads);
TRN_API void bench_close(void);
TRN_API void bench_check_race(int on);
TRN_API int bench_sbuf(unsigned partition, unsigned byte, void *data, size_t size, int write);
TRN_API int bench_bar0(uint64_t offset, const void *data, size_t size);
TRN_API int bench_act_set(const char *name, uint8_t *out);
TRN_API double bench_program(int engine, const uint8_t *words, size_t num_words);
TRN_API int bench_look(int on);
TRN_API double bench_empty_run(int gen);

int bench_open(int gen, unsigned threads)
{
    const struct trn_device_options options = {.threads = threads, .check_race = check_race};
    return trn_device_create(trn_gen_at((unsigned)gen), &options, &device, NULL) == TRN_OK;
}

void bench_check_race(int on)
{
    check_race = on != 0;
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

/* Bytes into any block of BAR0. */
int bench_bar0(uint64_t offset, const void *data, size_t size)
{
    const struct trn_bus *bus = trn_device_bar0(device);
    return bus->write_block(bus->context, offset, data, size) == TRN_OK;
}

/* The four tables of a shipped set, one after the other; how many bytes, 0 when there is none. */
int bench_act_set(const char *name, uint8_t *out)
{
    static struct trn_act_set set;
    const int i = trn_act_shipped_find(name);
    if (i < 0 || trn_act_shipped_set((size_t)i, TRN_ACT_LAYOUT_LATER, &set, NULL) != TRN_OK)
        return 0;
    uint8_t *at = out;
    at = (uint8_t *)memcpy(at, set.cam, sizeof set.cam) + sizeof set.cam;
    at = (uint8_t *)memcpy(at, set.profile, sizeof set.profile) + sizeof set.profile;
    at = (uint8_t *)memcpy(at, set.control, sizeof set.control) + sizeof set.control;
    memcpy(at, set.bucket, sizeof set.bucket);
    return (int)(at - out + (ptrdiff_t)sizeof set.bucket);
}

/* Let in numeric events of core 0, all or none (docs/errors.md). */
int bench_look(int on)
{
    const uint64_t wr_buf_enable_lo = 0x06001030; /* cayman (address-map.md 7, notific.md 8.1) */
    const struct trn_bus *bus = trn_device_bar0(device);
    return bus->write32(bus->context, wr_buf_enable_lo, on ? 0x01E00000 : 0) == TRN_OK;
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

/* As `trench run` does it: everything of the core, then a start of SP. */
static trn_status bring_up_and_start(struct trn_hal *hal, const struct trn_gen *gen)
{
    const uint64_t start[TRN_HAL_ENGINES] = {TRN_HAL_NO_START, TRN_HAL_NO_START, TRN_HAL_NO_START,
                                             TRN_HAL_NO_START, QUEUE};
    struct trn_hal_stpb stpb = {0};
    struct trn_hal_bringup_result result;
    const struct trn_hal_bringup plan = {.stpb = &stpb};
    trn_status status = trn_hal_latch(hal, gen);
    if (status == TRN_OK)
        status = trn_hal_core_defaults(hal, 0, &stpb);
    if (status == TRN_OK)
        status = trn_ucode_fill_core(gen, &stpb);
    if (status == TRN_OK)
        status = trn_hal_bringup(hal, &plan, &result);
    return status == TRN_OK ? trn_hal_program_start(hal, stpb.tpb_mem_handle, start) : status;
}

/* Bring-up by the HAL of all engines, one HALT on SP, teardown: seconds. */
double bench_empty_run(int gen)
{
    static const uint8_t halt[TRN_INST_BYTES] = {0xA1, 0x10};
    const struct trn_gen *description = trn_gen_at((unsigned)gen);
    struct trn_device *core = NULL;
    struct trn_hal *hal = NULL;
    struct trn_run_report report = {.status = TRN_RUN_OK};
    const double start = now();
    if (trn_device_create(description, NULL, &core, NULL) != TRN_OK)
        return -1;
    const struct trn_bus *bar4 = trn_device_bar4(core);
    bar4->write_block(bar4->context, QUEUE, halt, sizeof halt);
    trn_status status = trn_hal_create(trn_device_bar0(core), NULL, &hal, NULL);
    if (status == TRN_OK)
        status = bring_up_and_start(hal, description);
    if (status == TRN_OK)
        status = trn_device_run(core, 0, &report);
    trn_hal_destroy(hal);
    trn_device_destroy(core);
    const double seconds = now() - start;
    return status == TRN_OK && report.status == TRN_RUN_OK ? seconds : -1;
}
