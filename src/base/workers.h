/* SPDX-License-Identifier: Apache-2.0 */
/* A small pool of threads that splits one instruction's work over partitions. */
#ifndef TRN_BASE_WORKERS_H
#define TRN_BASE_WORKERS_H

#include "trench/base.h"

struct trn_workers;

/* `threads` counts the caller: 1 makes no thread at all. Free with trn_workers_destroy. */
trn_status trn_workers_create(unsigned threads, struct trn_workers **out);
void trn_workers_destroy(struct trn_workers *workers); /* NULL is fine */

unsigned trn_workers_count(const struct trn_workers *workers); /* 1 for NULL */

/*
 * Call body(context, begin, end) for disjoint ranges that cover 0..count, possibly in parallel, and
 * return when all are done. Ranges depend only on count and the number of threads; a body must give
 * the same bytes for any split. `workers` NULL runs everything in the caller.
 */
void trn_workers_run(struct trn_workers *workers, uint32_t count,
                     void (*body)(void *context, uint32_t begin, uint32_t end), void *context);

/* The same for a context of up to TRN_WORKERS_SMALL bytes: each thread gets a copy with its share,
 * which is quicker than to fetch the context from the caller's core. */
#define TRN_WORKERS_SMALL 64
void trn_workers_run_small(struct trn_workers *workers, uint32_t count,
                           void (*body)(void *context, uint32_t begin, uint32_t end),
                           const void *context, size_t size);

#endif
