/* SPDX-License-Identifier: Apache-2.0 */
/* What bench_dge and bench_dge.py time: a gather and transposes by DMA words over host memory laid
 * out as HBM and as SBUF with its partition pitch, and plain loops over the same bytes. Times are
 * seconds of CPU, < 0 when a word failed. */
#ifndef DGE_BENCH_H
#define DGE_BENCH_H

#include <stdbool.h>
#include <stdint.h>

enum { BENCH_ROWS = 4096, BENCH_ROW_BYTES = 2048, BENCH_LINES = 128, BENCH_COLUMNS = 4096 };

#pragma GCC visibility push(default)

struct bench *bench_open(void); /* NULL: out of memory */
void bench_close(struct bench *bench);

/* One word: rows from HBM to SBUF, bounds checked, descriptors built, semaphore posted. */
double bench_gather_by_word(struct bench *bench);
double bench_gather_by_memcpy(struct bench *bench);
/* Once more, over a destination that holds none of the bytes. */
bool bench_gather_is_right(struct bench *bench);

/* 32 words of 128 columns, 16-bit elements. */
double bench_transpose_by_words(struct bench *bench);
/* The result in order, one element at a time. */
double bench_transpose_by_loop(const struct bench *bench, uint16_t *out);
void bench_matrix(const struct bench *bench, uint16_t *out);     /* BENCH_LINES x BENCH_COLUMNS */
void bench_transposed(const struct bench *bench, uint16_t *out); /* what the words made of it */

#pragma GCC visibility pop

#endif
