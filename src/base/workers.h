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

/* Does the items begin..end-1 of a job. */
typedef void trn_workers_body(void *context, uint32_t begin, uint32_t end);

/*
 * Call body(context, begin, end) for disjoint ranges that cover 0..count, possibly in parallel, and
 * return when all are done. Ranges depend only on count and the number of threads; a body must give
 * the same bytes for any split. `workers` NULL runs everything in the caller.
 */
void trn_workers_run(struct trn_workers *workers, uint32_t count, trn_workers_body *body,
                     void *context);

/*
 * The same for a job that need not be done at the return: trn_workers_settle() and every other job
 * wait for it, but for small jobs of the same `place` and count. Of those, item i touches only what
 * item i of the others may touch, and each item is done in the order of the jobs. The context, of
 * up to TRN_WORKERS_SMALL bytes, is copied.
 */
#define TRN_WORKERS_SMALL 64
#define TRN_WORKERS_ALONE UINT32_MAX /* a place that no two jobs share */
void trn_workers_begin_small(struct trn_workers *workers, uint32_t place, uint32_t count,
                             trn_workers_body *body, void *context, size_t size);

/* All that was begun is done when this returns. `workers` may be NULL. */
void trn_workers_settle(struct trn_workers *workers);

#endif
