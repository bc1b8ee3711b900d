/* SPDX-License-Identifier: Apache-2.0 */
/* bench_dge: one gather of 4096 rows of 2 KiB from HBM to SBUF, bounds checked, descriptors built
 * into rings, semaphore posted, beside a loop of memcpy over the same rows to the same places; and
 * 32 words that transpose a 128x4096 matrix of 16-bit elements beside a plain loop (bench_dge.py:
 * beside NumPy). Both sides take turns over the same warm memory; medians. */
#include "dge_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 51 };

/* A gather reaches at least this part of the loop. */
#define WANTED 0.85

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

static bool gather(struct bench *bench)
{
    double word[RUNS], loop[RUNS];
    const bool right = bench_gather_is_right(bench);
    for (unsigned run = 0; run < RUNS; run++) {
        loop[run] = bench_gather_by_memcpy(bench);
        word[run] = bench_gather_by_word(bench);
    }
    const double ours = median(word), peer = median(loop);
    printf("gather 4096 x 2 KiB: word %.0f us, memcpy %.0f us, ratio %.2f%s\n", ours * 1e6,
           peer * 1e6, peer / ours, right ? "" : "; wrong bytes");
    return right && peer / ours >= WANTED;
}

static bool transpose(struct bench *bench)
{
    enum { ELEMENTS = BENCH_LINES * BENCH_COLUMNS };
    double words[RUNS], loop[RUNS];
    uint16_t *const out = calloc(2 * ELEMENTS, sizeof *out);
    if (!out)
        return false;
    for (unsigned run = 0; run < RUNS; run++) {
        loop[run] = bench_transpose_by_loop(bench, out);
        words[run] = bench_transpose_by_words(bench);
    }
    bench_transposed(bench, out + ELEMENTS);
    const bool right = memcmp(out, out + ELEMENTS, ELEMENTS * sizeof *out) == 0;
    free(out);
    const double ours = median(words), peer = median(loop);
    printf("transpose 128x4096 16-bit: words %.0f us, plain loop %.0f us, ratio %.1f%s\n",
           ours * 1e6, peer * 1e6, peer / ours, right ? "" : "; wrong bytes");
    return right;
}

int main(void)
{
    struct bench *const bench = bench_open();
    if (!bench) {
        fputs("bench_dge: out of memory\n", stderr);
        return EXIT_FAILURE;
    }
    const bool gathers = gather(bench), transposes = transpose(bench);
    bench_close(bench);
    printf("%s: the gather at %.2f of the loop or better, the right bytes\n",
           gathers && transposes ? "holds" : "FAILS", WANTED);
    return gathers && transposes ? EXIT_SUCCESS : EXIT_FAILURE;
}
