/* SPDX-License-Identifier: Apache-2.0 */
/* Vector words for bench_vector.py: a core whose SBUF the script fills, and timed loops over a word
 * that go straight to its handler. */
#include <stdint.h>
#include <time.h>

#include "engine/vector_core.h"

static struct core core;

TRN_API int bench_open(int gen, unsigned threads);
TRN_API void bench_close(void);
TRN_API void bench_poke(unsigned partition, unsigned byte, const void *data, size_t size);
TRN_API void bench_peek(unsigned partition, unsigned byte, void *data, size_t size);
TRN_API double bench_word(int engine, const uint8_t word[64], size_t repeats);

int bench_open(int gen, unsigned threads)
{
    return core_open(&core, trn_gen_at((unsigned)gen), threads);
}

void bench_close(void)
{
    core_close(&core);
}

void bench_poke(unsigned partition, unsigned byte, const void *data, size_t size)
{
    core_poke(&core, TRN_SPACE_SBUF, partition, byte, data, size);
}

void bench_peek(unsigned partition, unsigned byte, void *data, size_t size)
{
    core_peek(&core, TRN_SPACE_SBUF, partition, byte, data, size);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds of one execution; negative when the word was refused. */
double bench_word(int engine, const uint8_t word[64], size_t repeats)
{
    const double start = now();
    for (size_t i = 0; i < repeats; i++)
        if (core_run(&core, engine, word) != TRN_OK)
            return -1;
    return (now() - start) / (double)repeats;
}
