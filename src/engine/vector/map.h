/* SPDX-License-Identifier: Apache-2.0 */
/* The evaluation template of element-wise words (docs/hardware/vector-ops.md 0): take the elements
 * of a lane in stream order, compute, convert once, store. */
#ifndef TRN_ENGINE_VECTOR_MAP_H
#define TRN_ENGINE_VECTOR_MAP_H

#include "engine/vector/rows.h"

/* One call of a kernel: out[i] from a[i] and b[i], i < n, all adjacent. `out` may be `a` or `b`. */
struct trn_row {
    uint32_t lane;
    uint64_t first; /* stream position of element 0 */
    size_t n;
    const void *a, *b; /* NULL when the word has no such source */
    void *out;
    const struct trn_num_mode *mode;
};

/* An element-wise word. */
struct trn_map {
    struct trn_exec *x;
    struct trn_rows src[2], dst;
    unsigned num_src; /* 0..2; every source has the count of dst */
    void (*kernel)(const void *context, const struct trn_row *row);
    const void *context;

    /* Optional: all lanes at once, used when every lane of every operand lies in memory as the
     * kernel wants it and nothing overlaps; the same bytes as the kernel lane by lane. */
    void (*in_memory)(const struct trn_map *map);

    /* Optional, beside in_memory: the same for some of the lanes. */
    void (*in_memory_some)(const struct trn_map *map, uint32_t begin, uint32_t end);

    /* Optional: what computing a row met (engine/numeric.h). Called behind the kernel, while
     * somebody wants to know; row.out is then not over row.a and row.b. */
    unsigned (*numeric)(const void *context, const struct trn_row *row);

    /* Optional, beside numeric: what it can find at most in rows of these lanes whose sources lie
     * in these ranges, and the range of the results (engine/numeric_range.h). When that is nothing
     * that is wanted the rows are not looked at. Sources are fp32 values. */
    unsigned (*bound)(const void *context, uint32_t begin, uint32_t end,
                      const struct trn_numeric_range *in, struct trn_numeric_range *out);
    /* Whether fp32 results of `op` are all that has to be looked at when they are ordinary. */
    bool tells;
    uint8_t op;
};

/* Run it over all lanes. Operands that overlap act as if elements were done one after the other in
 * stream order, all sources of an element before its result (tensor-scalar-multi.md 7.1). */
void trn_map_run(const struct trn_map *map);

/* Call body for the lanes of `elements` elements each, over the workers when it is worth it. */
void trn_lanes_run(struct trn_exec *x, uint32_t lanes, uint64_t elements,
                   void (*body)(void *context, uint32_t begin, uint32_t end), void *context);

/* The same as trn_workers_begin_small does it: for words that follow (engine/exec.h). */
void trn_lanes_begin_small(const struct trn_map *map, trn_workers_body *body, void *context,
                           size_t size);

#endif
