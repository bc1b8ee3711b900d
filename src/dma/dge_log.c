/* SPDX-License-Identifier: Apache-2.0 */
/* Log lines of the firmware (dge.md 13). */
#include <stdarg.h>
#include <stdio.h>

#include "dma/dge.h"

enum { LINE_MAX_BYTES = 512 };

void dge_log(const struct dge_run_state *w, const char *format, ...)
{
    const struct trn_dge_ports *const ports = &w->dge->ports;
    if (!ports->log)
        return;
    char line[LINE_MAX_BYTES];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    ports->log(ports->context, w->engine, line);
}

void dge_log_shapes(const struct dge_run_state *w, unsigned n, const struct trn_dge_shape *shape)
{
    if (!w->dge->gen->has_dge)
        return;
    const uint32_t step[TRN_DGE_DIMS] = {(uint16_t)shape->step[0], (uint16_t)shape->step[1],
                                         (uint16_t)shape->step[2], (uint16_t)shape->step[3]};
    dge_log(w, "S: dge_shape[%i].step = [ 0x%04x, 0x%04x, 0x%04x, 0x%04x ]", (int)n,
            (unsigned)step[0], (unsigned)step[1], (unsigned)step[2], (unsigned)step[3]);
    dge_log(w, "S: dge_shape[%i].num  = [ 0x%04x, 0x%04x, 0x%04x, 0x%04x ]", (int)n, shape->num[0],
            shape->num[1], shape->num[2], shape->num[3]);
}

/* "[0x1,0x2|0x3][4,5|6]": `dims` entries, and `more` behind a bar. */
static void walk_text(const struct dge_side *side, unsigned dims, unsigned more, char *out,
                      size_t size)
{
    int at = snprintf(out, size, "[0x%x]@0x%llx", side->bound, (unsigned long long)side->start);
    for (unsigned list = 0; list < 2; list++) {
        for (unsigned k = 0; k < dims + more; k++) {
            const char *const before = k == 0 ? "[" : k == dims ? "|" : ",";
            const uint32_t step = k < TRN_DGE_DIMS ? (uint32_t)side->step[k] : 0;
            const uint32_t num = k < TRN_DGE_DIMS ? side->num[k] : 1;
            at += snprintf(out + at, size - (size_t)at, list == 0 ? "%s0x%x" : "%s%u", before,
                           (unsigned)(list == 0 ? step : num));
        }
        at += snprintf(out + at, size - (size_t)at, "]");
    }
}

static void pool_line(const struct dge_run_state *w, const char *src, const char *dst)
{
    const struct dge_request *const req = &w->req;
    const struct trn_dge_bound *const b = w->outcome->bound;
    dge_log(w,
            "S: DGE $S[%i]+=%i@dmacomplete src=%s dst=%s cast:0x%x->0x%x bounds:(%1d "
            "0x%llx<=0x%llx, %1d 0x%llx<=0x%llx) compute_op: 0x%x",
            req->semaphore, req->increment, src, dst, req->in_dtype, req->out_dtype, b[0].enabled,
            (unsigned long long)b[0].value, (unsigned long long)b[0].limit, b[1].enabled,
            (unsigned long long)b[1].value, (unsigned long long)b[1].limit, req->compute_op);
}

static void software_line(const struct dge_run_state *w, const char *src, const char *dst)
{
    const struct dge_request *const req = &w->req;
    const struct dge_side *const indexed =
        req->side[TRN_DGE_SRC].indexed ? &req->side[TRN_DGE_SRC] : &req->side[TRN_DGE_DST];
    static const char *const kinds[] = {[DGE_DIRECT2D] = "DIRECT2D",
                                        [DGE_INDIRECT] = "INDIRECT",
                                        [DGE_TRANSPOSE] = "GATHER TRANSPOSE",
                                        [DGE_GATHER_TRANSPOSE] = "GATHER TRANSPOSE",
                                        [DGE_IMMEDIATE] = ""};
    if (w->dge->gen->has_dge)
        dge_log(w,
                "S: DGE software backend: $S[%i]+=%i@dmacomplete src=%s dst=%s cast:0x%x->0x%x, "
                "indirection_dim=0x%x, reshape_kind=0x%x",
                req->semaphore, req->increment, src, dst, req->in_dtype, req->out_dtype,
                indexed->index_dim, (unsigned)w->reshape);
    dge_log(w, "P0: DGE %s", kinds[req->kind]); /* 8.2: 0xBD has the identity index */
}

void dge_log_backend(const struct dge_run_state *w)
{
    enum { SIDE_BYTES = 224 };
    static const struct {
        uint8_t dims, more;
    } forms[] = {[TRN_DGE_NONE] = {2, 0},
                 [TRN_DGE_POOL] = {2, 0},
                 [TRN_DGE_RTL] = {5, 2},
                 [TRN_DGE_SOFTWARE] = {4, 0}};
    const enum trn_dge_backend backend = w->outcome->backend;
    char text[TRN_DGE_SIDES][SIDE_BYTES];
    if (!dge_logs(w))
        return;
    for (unsigned side = 0; side < TRN_DGE_SIDES; side++)
        walk_text(&w->req.side[side], forms[backend].dims, forms[backend].more, text[side],
                  sizeof text[side]);
    if (backend == TRN_DGE_SOFTWARE)
        software_line(w, text[0], text[1]);
    else if (w->dge->gen->has_dge && backend == TRN_DGE_POOL)
        pool_line(w, text[0], text[1]);
    else if (w->dge->gen->has_dge)
        dge_log(w, "S: DGE RTL backend: $S[%i]+=%i@dmacomplete src=%s dst=%s", w->req.semaphore,
                w->req.increment, text[0], text[1]);
    if (w->dge->gen->has_dge_regwrite && backend != TRN_DGE_SOFTWARE)
        for (unsigned i = 0; i < w->num_dmas; i++)
            dge_log(w, "S: push REGWRITE to DMA[%d]", w->dma[i]);
}

/* 8.5: one DIMPUSH a dimension of the backend, outer to inner. */
void dge_log_dimensions(const struct dge_run_state *w)
{
    const struct dge_side *const src = &w->req.side[TRN_DGE_SRC], *const dst =
                                                                      &w->req.side[TRN_DGE_DST];
    static const uint8_t dims[] = {
        [TRN_DGE_NONE] = 0, [TRN_DGE_POOL] = 2, [TRN_DGE_RTL] = 7, [TRN_DGE_SOFTWARE] = 4};
    if (!dge_logs(w) || !w->dge->gen->has_dge || w->outcome->backend == TRN_DGE_SOFTWARE)
        return;
    for (unsigned i = 0; i < w->num_dmas; i++)
        for (int k = dims[w->outcome->backend] - 1; k >= 0; k--) {
            const bool used = k < TRN_DGE_DIMS;
            dge_log(w, "S: push DIMPUSH to DMA[%d]: [%u,%u][%d,%d]", w->dma[i],
                    used ? (unsigned)src->num[k] : 1, used ? (unsigned)dst->num[k] : 1,
                    used ? (int)src->step[k] : 0, used ? (int)dst->step[k] : 0);
        }
}
