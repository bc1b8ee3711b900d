/* SPDX-License-Identifier: Apache-2.0 */
/* How a tensor pair is split over DMA engines (dge.md 8.4). The result of a copy does not depend on
 * it: only the lines and which engine gets which packet do. */
#include "dma/dge.h"

struct tensor {
    int64_t step_partitions, base_partition; /* -1: not on chip */
    uint32_t partitions;                     /* it touches; 0: not on chip */
    enum dge_reshape kind;
};

/* Partitions between the first and the last element, both counted. */
static uint32_t partitions_of(const struct dge_run_state *w, const struct dge_side *side)
{
    const struct trn_gen *const gen = w->dge->gen;
    uint64_t reach = side->elem_bytes - 1;
    for (unsigned k = 0; k < TRN_DGE_DIMS; k++)
        if (side->num[k] > 1 && !(side->indexed && k == side->index_dim)) {
            const int64_t step = side->step[k] < 0 ? -side->step[k] : side->step[k];
            reach += (side->num[k] - 1) * (uint64_t)step;
        }
    const uint64_t all = reach / gen->sbuf_stride + 1;
    return all < gen->sbuf_partitions ? (uint32_t)all : gen->sbuf_partitions;
}

static enum dge_reshape requested(const struct dge_run_state *w, const struct tensor *tensor)
{
    const struct dge_side *const side = w->req.side;
    if (w->req.kind == DGE_TRANSPOSE || w->req.kind == DGE_GATHER_TRANSPOSE)
        return w->dge->gen->has_dge_fast && side[TRN_DGE_SRC].in_sbuf && side[TRN_DGE_DST].in_sbuf
                   ? DGE_SB2SB
                   : DGE_XPOSE;
    return tensor->partitions > 1 ? DGE_PARTITIONS : DGE_STRAIGHT;
}

static struct tensor analyse(const struct dge_run_state *w, const struct dge_side *side)
{
    const int64_t stride = (int64_t)w->dge->gen->sbuf_stride;
    struct tensor t = {.step_partitions = -1, .base_partition = -1};
    if (side->in_sbuf) {
        t.step_partitions = side->step[0] / stride;
        t.base_partition = (int64_t)((side->start - w->dge->ports.sbuf_base) / (uint64_t)stride);
        t.partitions = partitions_of(w, side);
    }
    t.kind = requested(w, &t);
    if (w->dge->gen->has_dge)
        dge_log(
            w,
            "S: DGE Reshape: Analyzed tensor (nelem_target = %u, step_target = 0x%X (%dP), base "
            "= 0x%X (%dP)): Reshape Strategy = %d, Requested Reshape Kind = %d, Partition Range "
            "= %d, Num Partitions = %d",
            (unsigned)side->num[0], (unsigned)side->step[0], (int)t.step_partitions,
            (unsigned)side->start, (int)t.base_partition, (int)t.kind, (int)t.kind,
            (int)t.partitions, (int)t.partitions);
    return t;
}

/* Largest power of two up to both. */
static uint32_t dmas(uint32_t available, uint32_t partitions)
{
    const uint32_t most = partitions < available ? partitions : available;
    uint32_t n = 1;
    while (2 * n <= most)
        n *= 2;
    return n;
}

static uint32_t pair(struct dge_run_state *w, const struct tensor *src, const struct tensor *dst,
                     uint32_t available)
{
    const uint32_t a = src->partitions, b = dst->partitions;
    const uint32_t least = a == 0 ? b : b == 0 ? a : a < b ? a : b;
    const bool hbm_only = a == 0 && b == 0;
    const bool simple = src->kind <= DGE_PARTITIONS && dst->kind <= DGE_PARTITIONS;
    w->reshape = src->kind > dst->kind ? src->kind : dst->kind;
    const uint32_t n = hbm_only && simple ? available : dmas(available, least ? least : 1);
    if (!w->dge->gen->has_dge)
        return n;
    if (simple)
        dge_log(w,
                "S: DGE Reshape: Assessed simple tensor pair params (Num Partitions A = %u, Num "
                "Partitions B = %u, #DMA Avail = %u, HBM Only = %d): Reshape Kind = %d, #DMA = %u",
                (unsigned)a, (unsigned)b, (unsigned)available, hbm_only, (int)w->reshape,
                (unsigned)n);
    else
        dge_log(w,
                "S: DGE Reshape: Assessed tensor pair params (Requested Reshape Kind = %d, Min Num "
                "Partitions = %u, #DMA Avail = %u): Reshape Kind = %d, #DMA = %u",
                (int)w->reshape, (unsigned)least, (unsigned)available, (int)w->reshape,
                (unsigned)n);
    return n;
}

void dge_assess(struct dge_run_state *w)
{
    const uint32_t available = (uint32_t)__builtin_popcount(w->usable);
    const struct tensor src = analyse(w, &w->req.side[TRN_DGE_SRC]);
    const struct tensor dst = analyse(w, &w->req.side[TRN_DGE_DST]);
    const uint32_t n = w->req.inline_form ? available : pair(w, &src, &dst, available);
    dge_choice(w->dge, TRN_CHOICE_DGE_RESHAPE);
    for (uint32_t d = 0; d < 16 && w->num_dmas < n; d++)
        if (trn_bits_get(w->usable, d, 1))
            w->dma[w->num_dmas++] = (uint8_t)d;
}
