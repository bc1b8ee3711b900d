/* SPDX-License-Identifier: Apache-2.0 */
/* Which backend takes a request, and the context it runs in (dge.md 5, 6, 8.1). */
#include <stdio.h>
#include <stdlib.h>

#include "dma/dge.h"
#include "isa_fields.h"

/* ---- configuration: local registers 39 and 40 (6.3, 6.4, 6.7) -------------------------------- */

static uint32_t local(const struct dge_run_state *w, unsigned number)
{
    const struct trn_dge_ports *const ports = &w->dge->ports;
    return ports->local ? ports->local(ports->context, w->engine, number) : 0;
}

enum { CARVEOUT = 39, MAPPING = 40, DEFAULT_QUEUE = 13, DMAS = 16 };

uint32_t trn_dge_mailbox_mask(const uint8_t mailbox[4][4], unsigned priority)
{
    uint32_t mask = UINT16_MAX;
    for (unsigned i = 0; i < 4; i++)
        if (priority > mailbox[i][1])
            mask &= trn_get16(mailbox[i] + 2);
    return mask;
}

void trn_dge_set_mailbox(struct trn_dge *dge, unsigned entry, const uint8_t value[4])
{
    if (entry < 4)
        memcpy(dge->mailbox[entry], value, 4);
}

/* Nothing written means not configured: every engine, queue 13 (6.7). */
static void mapping(struct dge_run_state *w)
{
    const uint32_t word = local(w, MAPPING);
    const uint32_t queues = (uint32_t)trn_bits_get(word, 16, 16);
    w->usable = word ? (uint32_t)trn_bits_get(word, 0, 16) : UINT16_MAX;
    w->usable &= trn_dge_mailbox_mask((const uint8_t(*)[4])w->dge->mailbox, w->req.priority);
    w->queue = queues ? (uint8_t)__builtin_ctz(queues) : DEFAULT_QUEUE;
    if (!word)
        dge_choice(w->dge, TRN_CHOICE_DGE_NOT_CONFIGURED);
    if (!w->req.inline_form)
        return;
    w->queue = w->req.queue; /* 12: the word names its engines */
    w->usable = 0;
    for (unsigned i = 0; i < w->req.num_dmas; i++)
        w->usable |= UINT32_C(1) << (w->req.first_dma + i) % DMAS;
}

/* ---- selection (8.1) ------------------------------------------------------------------------- */

/* What a backend can do; its field set in the log says so. */
static const struct capability {
    bool transposes, casts, indirect;
    uint8_t dims;
} capabilities[] = {
    [TRN_DGE_POOL] = {.casts = true, .dims = 2},
    [TRN_DGE_RTL] = {.transposes = true, .dims = 7}, /* 5 + 2 */
    [TRN_DGE_SOFTWARE] = {.transposes = true, .casts = true, .indirect = true, .dims = 4},
};

static bool is_indirect(const struct dge_request *req)
{
    return req->kind == DGE_INDIRECT || req->kind == DGE_GATHER_TRANSPOSE;
}

static bool can(enum trn_dge_backend backend, const struct dge_request *req)
{
    const struct capability *const c = &capabilities[backend];
    const struct dge_side *const side = req->side;
    return side[TRN_DGE_SRC].dims <= c->dims && side[TRN_DGE_DST].dims <= c->dims &&
           (c->casts || !dge_computes(req)) && (c->indirect || !is_indirect(req)) &&
           (c->transposes || req->kind != DGE_TRANSPOSE);
}

static bool has(const struct dge_run_state *w, uint8_t engines)
{
    return trn_bits_get(engines, (unsigned)w->engine, 1) != 0;
}

static enum trn_dge_backend firmware(const struct dge_run_state *w)
{
    const struct trn_gen *const gen = w->dge->gen;
    const bool strict = w->dge->options.select_strict;
    if (has(w, gen->dge_pool_engines) && (strict || can(TRN_DGE_POOL, &w->req)))
        return TRN_DGE_POOL;
    if (has(w, gen->dge_rtl_engines) && (strict || can(TRN_DGE_RTL, &w->req)))
        return TRN_DGE_RTL;
    return TRN_DGE_NONE;
}

static bool has_software(const struct dge_run_state *w)
{
    const struct trn_gen *const gen = w->dge->gen;
    return has(w, gen->dge_sw_engines) ||
           (w->dge->options.software_expander && has(w, gen->dge_expander_engines));
}

static void none(const struct dge_run_state *w, const char *reason)
{
    snprintf(w->outcome->reason, sizeof w->outcome->reason, "%s", reason);
}

static void explain_none(const struct dge_run_state *w)
{
    const struct trn_gen *const gen = w->dge->gen;
    if (!gen->dge_pool_engines && !gen->dge_rtl_engines && !gen->dge_sw_engines)
        none(w, "this generation's firmware has no descriptor generator; the word does nothing");
    else if (!has(w, gen->dge_pool_engines | gen->dge_rtl_engines | gen->dge_sw_engines))
        none(w, gen->has_act ? "no DGE backend on this engine; ACT, POOL and SP have one"
                             : "no DGE backend on this engine; POOL and SP have one");
    else
        none(w, "no backend of this engine can do this transfer; the software backend is on POOL");
}

static void log_selection(const struct dge_run_state *w, enum trn_dge_backend backend)
{
    if (!w->dge->gen->has_dge)
        return;
    if (backend == TRN_DGE_POOL)
        dge_log(w, "S: DGE: Select backend Pool");
    else if (backend == TRN_DGE_RTL)
        dge_log(w, "S: DGE: Select backend RTL");
}

static bool is_software(const struct dge_run_state *w, enum trn_dge_backend backend)
{
    return has_software(w) &&
           (backend == TRN_DGE_NONE || is_indirect(&w->req) || w->dge->options.software);
}

enum trn_dge_backend dge_select(struct dge_run_state *w)
{
    mapping(w);
    enum trn_dge_backend backend = firmware(w);
    if (is_software(w, backend))
        backend = TRN_DGE_SOFTWARE;
    dge_choice(w->dge, TRN_CHOICE_DGE_BACKEND);
    if (backend == TRN_DGE_NONE)
        explain_none(w);
    else if (w->usable == 0) {
        none(w, "no DMA engine is left: register 40 and the mailbox exclude them all");
        return TRN_DGE_NONE;
    } else {
        dge_find_rings(w);
        if (w->usable == 0)
            return TRN_DGE_NONE;
    }
    log_selection(w, backend);
    return backend;
}

/* ---- contexts (5) ---------------------------------------------------------------------------- */

static void place_rings(const struct dge_run_state *w, struct dge_context *c)
{
    const uint32_t carveout = local(w, CARVEOUT);
    const uint32_t size = (uint32_t)trn_bits_get(carveout, 16, 16);
    const uint64_t ring_bytes = 2 * DGE_DEFAULT_BUDGET * TRN_DGE_DESC_BYTES; /* rings are aligned */
    c->in_carveout = size != 0 && w->outcome->backend != TRN_DGE_RTL;        /* 1, 6.3 */
    if (c->in_carveout) { /* partition 0 holds M2S, partition 1 S2M (model choice) */
        c->budget = size - DGE_RESERVED;
        c->ring[TRN_DGE_SRC].base =
            w->dge->ports.sbuf_base + trn_bits_get(carveout, 0, 16) * TRN_DGE_DESC_BYTES;
        c->ring[TRN_DGE_DST].base = c->ring[TRN_DGE_SRC].base + w->dge->gen->sbuf_stride;
        return;
    }
    c->budget = DGE_DEFAULT_BUDGET;
    c->ring[TRN_DGE_SRC].base = w->dge->ports.dge_memory_base + 2 * c->number * ring_bytes;
    c->ring[TRN_DGE_DST].base = c->ring[TRN_DGE_SRC].base + ring_bytes;
}

static trn_status allocate(struct dge_context *c)
{
    for (unsigned side = 0; side < TRN_DGE_SIDES; side++) {
        struct dge_ring *const ring = &c->ring[side];
        free(ring->desc);
        ring->desc = calloc(c->ndesc, TRN_DGE_DESC_BYTES);
        if (!ring->desc)
            return TRN_ERR_NO_MEMORY;
        ring->ring_id = 1; /* udma.md 7: 1, 2, 3, 0, 1 */
        ring->at = ring->in_batch = 0;
    }
    return TRN_OK;
}

static void log_setup(const struct dge_run_state *w, const struct dge_context *c, bool software)
{
    if (!w->dge->gen->has_dge)
        return;
    dge_log(w, "S: Setting up DGE");
    dge_log(w, "S: DGE contexts 0x%x/0x%x init sw=%d engine=%u queue_idx=%u queue_num=%u",
            2 * c->number, 2 * c->number + 1, software, (unsigned)__builtin_ctz(w->usable),
            w->queue, DMAS);
    const unsigned first = (unsigned)__builtin_ctz(w->usable);
    const bool given = trn_bits_get(w->given, first, 1) != 0;
    const struct dge_given_ring *const host = w->host[first].ring;
    const uint64_t rx = given ? host[TRN_DGE_DST].base : c->ring[TRN_DGE_DST].base;
    const uint64_t tx = given ? host[TRN_DGE_SRC].base : c->ring[TRN_DGE_SRC].base;
    dge_log(w, "S: rx.base=0x%llx, tx.base=0x%llx", (unsigned long long)rx, (unsigned long long)tx);
}

trn_status dge_bind(struct dge_run_state *w, bool software)
{
    const unsigned class = w->req.priority < DGE_CLASSES ? w->req.priority : 0;
    struct dge_context *const c = &w->dge->context[w->engine][class][software];
    w->context = c;
    if (c->ready)
        return TRN_OK;
    c->number = ((unsigned)w->engine * DGE_CLASSES + class) * 2 + software;
    place_rings(w, c);
    c->ndesc = c->budget + DGE_RESERVED;
    const trn_status status = allocate(c);
    if (status != TRN_OK)
        return status;
    c->ready = true;
    log_setup(w, c, software);
    return TRN_OK;
}

void dge_free_contexts(struct trn_dge *dge)
{
    for (unsigned e = 0; e < DGE_ENGINES; e++)
        for (unsigned class = 0; class < DGE_CLASSES; class ++)
            for (unsigned sw = 0; sw < 2; sw++) {
                struct dge_context *const c = &dge->context[e][class][sw];
                free(c->ring[TRN_DGE_SRC].desc);
                free(c->ring[TRN_DGE_DST].desc);
                *c = (struct dge_context){0};
            }
}
