/* SPDX-License-Identifier: Apache-2.0 */
/* bench_mem: what an operand costs beside the bytes it moves (128 lanes of 512 elements; memcpy of
 * the same bytes in the same run), and what a thread costs beside its work. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bytes.h"
#include "engine/operand.h"
#include "trench/enums.h"

enum { LANES = 128, ELEMENTS = 512, ROUNDS = 2000, REPEATS = 5 };

struct bench {
    struct trn_mem *mem;
    struct trn_regs regs;
    struct trn_choices choices;
    struct trn_fault fault;
    struct trn_exec x;
    struct trn_operand operand;
    uint8_t bytes[20];
    uint8_t dtype;
    uint8_t *buffer;
    struct trn_workers *workers;
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Best time of one call, in microseconds. */
static double measure(void (*run)(struct bench *), struct bench *bench)
{
    double best = 1e9;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        const double start = seconds();
        for (int round = 0; round < ROUNDS; round++)
            run(bench);
        const double each = (seconds() - start) / ROUNDS * 1e6;
        best = each < best ? each : best;
    }
    return best;
}

static void open_operand(struct bench *bench)
{
    if (trn_operand_open(&bench->x, bench->bytes, TRN_TYPE_PATTERN3D, bench->dtype, LANES,
                         TRN_OPERAND_READ_WRITE, &bench->operand) != TRN_OK)
        abort();
}

static size_t lane_bytes(const struct bench *bench)
{
    return bench->operand.count * bench->operand.size;
}

static void gather(struct bench *bench)
{
    for (uint32_t lane = 0; lane < LANES; lane++)
        trn_operand_gather(&bench->operand, lane, 0, bench->operand.count,
                           bench->buffer + lane * lane_bytes(bench));
}

static void scatter(struct bench *bench)
{
    for (uint32_t lane = 0; lane < LANES; lane++)
        trn_operand_scatter(&bench->operand, lane, 0, bench->operand.count,
                            bench->buffer + lane * lane_bytes(bench));
}

static void copy_memory(struct bench *bench)
{
    for (uint32_t lane = 0; lane < LANES; lane++)
        memcpy(bench->buffer + lane * lane_bytes(bench), trn_operand_lane(&bench->operand, lane),
               lane_bytes(bench));
}

static void some_lanes(void *context, uint32_t begin, uint32_t end)
{
    struct bench *bench = context;
    for (uint32_t lane = begin; lane < end; lane++)
        trn_operand_gather(&bench->operand, lane, 0, bench->operand.count,
                           bench->buffer + lane * lane_bytes(bench));
}

static void gather_in_threads(struct bench *bench)
{
    trn_workers_run(bench->workers, LANES, some_lanes, bench);
}

static void nothing(void *context, uint32_t begin, uint32_t end)
{
    (void)context, (void)begin, (void)end;
}

static void empty_job(struct bench *bench)
{
    trn_workers_run(bench->workers, LANES, nothing, bench);
}

static void set_pattern(struct bench *bench, uint8_t dtype, const int16_t step[3],
                        const uint16_t num[3])
{
    bench->dtype = dtype;
    trn_put32(bench->bytes, 0x8000);
    for (size_t i = 0; i < 3; i++) {
        trn_put16(bench->bytes + 4 + 2 * i, (uint16_t)step[i]);
        trn_put16(bench->bytes + 10 + 2 * i, num[i]);
    }
    open_operand(bench);
}

static void bench_shapes(struct bench *bench)
{
    static const struct {
        const char *name;
        uint8_t dtype;
        int16_t step[3];
        uint16_t num[3];
    } shapes[] = {
        {"fp32, adjacent", TRN_DTYPE_FP32, {1, 1, 1}, {512, 1, 1}},
        {"fp32, rows of 64", TRN_DTYPE_FP32, {1, 80, 1}, {64, 8, 1}},
        {"fp32, every second", TRN_DTYPE_FP32, {2, 1, 1}, {512, 1, 1}},
        {"bf16, every second", TRN_DTYPE_BFLOAT16, {2, 1, 1}, {512, 1, 1}},
        {"fp32, 32 x 16 turned", TRN_DTYPE_FP32, {16, 1, 1}, {32, 16, 1}},
        {"fp32, one repeated", TRN_DTYPE_FP32, {0, 1, 1}, {512, 1, 1}},
        {"int8, backwards", TRN_DTYPE_INT8, {-1, 1, 1}, {512, 1, 1}},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        set_pattern(bench, shapes[i].dtype, shapes[i].step, shapes[i].num);
        const double copy = measure(copy_memory, bench);
        printf("%-22s open %6.3f us  gather %7.2f us  scatter %7.2f us  memcpy %7.2f us\n",
               shapes[i].name, measure(open_operand, bench), measure(gather, bench),
               measure(scatter, bench), copy);
    }
}

static void bench_threads(struct bench *bench)
{
    static const int16_t step[3] = {2, 1, 1};
    static const uint16_t num[3] = {ELEMENTS, 1, 1};
    set_pattern(bench, TRN_DTYPE_BFLOAT16, step, num);
    for (unsigned threads = 1; threads <= 2; threads++) {
        if (trn_workers_create(threads, &bench->workers) != TRN_OK)
            abort();
        printf("%u thread%-13s empty job %6.3f us  gather of bf16, every second %7.2f us\n",
               threads, threads == 1 ? "" : "s", measure(empty_job, bench),
               measure(gather_in_threads, bench));
        trn_workers_destroy(bench->workers);
    }
}

static void open_bench(struct bench *bench, bool track)
{
    const struct trn_mem_options options = {.track = track};
    if (trn_mem_create(trn_gen_find("mariana"), &options, &bench->mem, NULL) != TRN_OK)
        abort();
    bench->x = (struct trn_exec){.gen = bench->mem->gen,
                                 .engine = TRN_NEURON_ENGINE_DVE,
                                 .mem = bench->mem,
                                 .regs = &bench->regs,
                                 .choices = &bench->choices,
                                 .fault = &bench->fault};
}

int main(void)
{
    struct bench bench = {.buffer = malloc((size_t)LANES * ELEMENTS * 8)};
    if (!bench.buffer)
        return 1;
    memset(bench.buffer, 1, (size_t)LANES * ELEMENTS * 8);
    open_bench(&bench, false);
    bench_shapes(&bench);
    bench_threads(&bench);
    trn_mem_destroy(bench.mem);
    puts("with a tracker:");
    open_bench(&bench, true);
    bench_shapes(&bench);
    trn_mem_destroy(bench.mem);
    free(bench.buffer);
    return 0;
}
