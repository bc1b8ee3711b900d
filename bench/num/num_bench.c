/* SPDX-License-Identifier: Apache-2.0 */
/* Timed loops over the kernels of src/num, for bench_num.py: each runs its kernel `repeats` times
 * over `rows` rows of `n` elements and returns the seconds one run took. */
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "trench/num.h"

/* Of this thread alone, so that a busy machine does not count. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct trn_num_mode mode_of(int fn)
{
    struct trn_num_mode mode;
    trn_num_mode_default(trn_gen_at(0), &mode);
    mode.fp8_e4m3 = fn ? TRN_FP8_FN : TRN_FP8_LEGACY;
    mode.fp8_saturate = fn != 0;
    return mode;
}

TRN_API const char *bench_compiler(void);
TRN_API double bench_memcpy(const void *in, void *out, size_t bytes, size_t repeats);
TRN_API double bench_narrow(int dtype, int fn, const float *in, void *out, size_t n,
                            size_t repeats);
TRN_API double bench_widen(int dtype, int fn, const void *in, float *out, size_t n, size_t repeats);
TRN_API double bench_ts(int op0, float imm0, int op1, float imm1, const float *in, float *out,
                        size_t rows, size_t n, size_t repeats);
TRN_API double bench_tt(int op, const float *a, const float *b, float *out, size_t n,
                        size_t repeats);
TRN_API double bench_reduce(int op, const float *in, float *out, size_t rows, size_t n,
                            size_t repeats);

const char *bench_compiler(void)
{
#if defined(__clang__)
    return "clang " __clang_version__;
#else
    return "gcc " __VERSION__;
#endif
}

double bench_memcpy(const void *in, void *out, size_t bytes, size_t repeats)
{
    const double start = now();
    for (size_t r = 0; r < repeats; r++) {
        memcpy(out, in, bytes);
        __asm__ volatile("" : : "r"(out) : "memory"); /* each copy counts */
    }
    return (now() - start) / (double)repeats;
}

double bench_narrow(int dtype, int fn, const float *in, void *out, size_t n, size_t repeats)
{
    const struct trn_num_mode mode = mode_of(fn);
    const double start = now();
    for (size_t r = 0; r < repeats; r++)
        trn_from_fp32_array((uint8_t)dtype, &mode, in, out, n);
    return (now() - start) / (double)repeats;
}

double bench_widen(int dtype, int fn, const void *in, float *out, size_t n, size_t repeats)
{
    const struct trn_num_mode mode = mode_of(fn);
    const double start = now();
    for (size_t r = 0; r < repeats; r++)
        trn_to_fp32_array((uint8_t)dtype, &mode, in, out, n);
    return (now() - start) / (double)repeats;
}

double bench_ts(int op0, float imm0, int op1, float imm1, const float *in, float *out, size_t rows,
                size_t n, size_t repeats)
{
    const struct trn_ts_op first = {(uint8_t)op0, false, imm0},
                           second = {(uint8_t)op1, false, imm1};
    const double start = now();
    for (size_t r = 0; r < repeats; r++)
        for (size_t row = 0; row < rows; row++)
            trn_alu_ts_row(first, second, in + row * n, out + row * n, n);
    return (now() - start) / (double)repeats;
}

double bench_tt(int op, const float *a, const float *b, float *out, size_t n, size_t repeats)
{
    const double start = now();
    for (size_t r = 0; r < repeats; r++)
        trn_alu_array((uint8_t)op, a, b, out, n);
    return (now() - start) / (double)repeats;
}

double bench_reduce(int op, const float *in, float *out, size_t rows, size_t n, size_t repeats)
{
    const double start = now();
    for (size_t r = 0; r < repeats; r++)
        trn_reduce_rows((uint8_t)op, in, n * sizeof *in, rows, n, out);
    return (now() - start) / (double)repeats;
}
