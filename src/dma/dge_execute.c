/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptor generation engine: one word from its bytes to its completion (dge.md 14). */
#include <stdio.h>
#include <stdlib.h>

#include "dma/dge.h"
#include "isa_fields.h"

struct trn_dge_options trn_dge_options_default(void)
{
    return (struct trn_dge_options){
        .errors_need_flag = true, .oob_posts_semaphore = true, .max_bytes = UINT64_C(1) << 32};
}

const char *trn_dge_result_name(enum trn_dge_result result)
{
    static const char *const names[TRN_DGE_RESULTS] = {
        [TRN_DGE_EMITTED] = "emitted",         [TRN_DGE_SKIPPED_OOB] = "skipped_oob",
        [TRN_DGE_ILLEGAL] = "illegal",         [TRN_DGE_NO_BACKEND] = "no_backend",
        [TRN_DGE_COUNT_ERROR] = "count_error", [TRN_DGE_ABORTED] = "aborted"};
    return (unsigned)result < TRN_DGE_RESULTS ? names[result] : "?";
}

const char *trn_dge_backend_name(enum trn_dge_backend backend)
{
    static const char *const names[] = {[TRN_DGE_NONE] = "none",
                                        [TRN_DGE_POOL] = "pool",
                                        [TRN_DGE_RTL] = "rtl",
                                        [TRN_DGE_SOFTWARE] = "software"};
    return (unsigned)backend < sizeof names / sizeof names[0] ? names[backend] : "?";
}

/* ---- life ------------------------------------------------------------------------------------ */

static const uint8_t unused_mailbox[4] = {0x00, 0xFF, 0xFF, 0xFF}; /* 6.6 */

trn_status trn_dge_create(const struct trn_gen *gen, const struct trn_dge_ports *ports,
                          const struct trn_dge_options *options, struct trn_dge **out)
{
    *out = NULL;
    if (!ports->read || !ports->write)
        return TRN_ERR_INVALID;
    struct trn_dge *const dge = calloc(1, sizeof *dge);
    if (!dge)
        return TRN_ERR_NO_MEMORY;
    dge->gen = gen;
    dge->ports = *ports;
    dge->options = options ? *options : trn_dge_options_default();
    trn_dge_reset(dge);
    *out = dge;
    return TRN_OK;
}

void trn_dge_destroy(struct trn_dge *dge)
{
    if (!dge)
        return;
    dge_free_contexts(dge);
    for (unsigned side = 0; side < TRN_DGE_SIDES; side++) {
        free(dge->index[side]);
        free(dge->good[side]);
    }
    free(dge->tile);
    free(dge);
}

void trn_dge_reset(struct trn_dge *dge)
{
    dge_free_contexts(dge);
    for (unsigned i = 0; i < 4; i++) {
        trn_dge_set_mailbox(dge, i, unused_mailbox);
        dge->packet_bytes[1 + i] = dge->options.packet_bytes[i];
    }
}

/* ---- before the transfer --------------------------------------------------------------------- */

bool trn_dge_takes(const struct trn_gen *gen, const uint8_t word[TRN_INST_BYTES])
{
    static const uint8_t words[] = {TRN_OPCODE_DMAMEMCPY,          TRN_OPCODE_DMA_INDIRECT,
                                    TRN_OPCODE_DMA_TRANSPOSE,      TRN_OPCODE_DMA_GATHER_TRANSPOSE,
                                    TRN_OPCODE_DMA_MEMCPY2,        TRN_OPCODE_DMA_IMMEDIATE,
                                    TRN_OPCODE_PSEUDO_DMA_DIRECT2D};
    if (!trn_word_info(gen, word).name)
        return false;
    for (size_t i = 0; i < sizeof words; i++)
        if (words[i] == word[0])
            return true;
    return false;
}

/* Every rule of section 3 (compiled from rules.csv); warnings do not count. */
static bool obeys_rules(struct dge_run_state *w, const uint8_t *word)
{
    struct trn_violation found[4 * TRN_DGE_MAX_VIOLATIONS];
    struct trn_dge_outcome *const o = w->outcome;
    const size_t most = sizeof found / sizeof found[0];
    const struct trn_check_options options = {.engine = w->engine,
                                              .next_word = w->next ? w->next->word : NULL};
    size_t count;
    if (trn_check_word(w->dge->gen, word, &options, found, most, &count) == TRN_OK)
        return true;
    for (size_t i = 0; i < count && i < most; i++)
        if (!found[i].warning && o->num_violations < TRN_DGE_MAX_VIOLATIONS)
            o->violations[o->num_violations++] = found[i];
    if (o->num_violations)
        snprintf(o->reason, sizeof o->reason, "%s: %s", o->violations[0].rule,
                 o->violations[0].message);
    o->result = TRN_DGE_ILLEGAL;
    return false;
}

/* 1.1: without the firmware the word takes the arm that does nothing, unless an option brings the
 * kernels of POOL. */
static bool has_generator(const struct dge_run_state *w)
{
    const struct trn_gen *const gen = w->dge->gen;
    return gen->dge_pool_engines || gen->dge_rtl_engines || gen->dge_sw_engines ||
           w->dge->options.software_expander;
}

static bool is_tiled(const struct dge_request *req)
{
    return req->kind == DGE_TRANSPOSE || req->kind == DGE_GATHER_TRANSPOSE;
}

/* A tile is one packet: the budget of a ring must hold it. */
static bool fits_budget(struct dge_run_state *w)
{
    const uint32_t most = w->req.rows > w->req.cols ? w->req.rows : w->req.cols;
    const uint32_t need = is_tiled(&w->req) ? most : 1;
    if (w->budget >= need)
        return true;
    if (w->budget < w->context->budget) {
        snprintf(
            w->outcome->reason, sizeof w->outcome->reason,
            "the rings that the host gave queue %u of DMA engine %u hold %u descriptors beside "
            "the reserved one; %u are needed",
            w->queue, w->room_dma, (unsigned)w->budget, (unsigned)need);
        return false;
    }
    snprintf(w->outcome->reason, sizeof w->outcome->reason,
             "the carveout holds %u descriptors a ring beside the reserved one; %u are needed",
             (unsigned)w->context->budget, (unsigned)need);
    return false;
}

/* ---- the transfer ---------------------------------------------------------------------------- */

static bool some_index_failed(const struct dge_run_state *w)
{
    return w->outcome->report[TRN_DGE_SRC].by_index || w->outcome->report[TRN_DGE_DST].by_index;
}

/* What machines do with a bad index: what came before it has run, the engine aborts, nothing is
 * posted. */
static void abort_at_index(struct dge_run_state *w)
{
    const struct trn_dge_report *const src = &w->outcome->report[TRN_DGE_SRC];
    const enum trn_dge_side side = src->by_index ? TRN_DGE_SRC : TRN_DGE_DST;
    const struct trn_dge_report *const report = &w->outcome->report[side];
    dge_end_packet(w);
    dge_aborted(w, side, report->address, TRN_ERR_ADDRESS);
    snprintf(w->outcome->reason, sizeof w->outcome->reason,
             "index %llu at position %llu aborted DMA engine %u, queue %u",
             (unsigned long long)report->index, (unsigned long long)report->position,
             w->outcome->abort_dma, w->outcome->abort_queue);
}

static trn_status transfer(struct dge_run_state *w)
{
    dge_log_backend(w);
    dge_begin(w);
    const trn_status status = is_tiled(&w->req) ? dge_move_tiles(w) : dge_move(w);
    if (w->outcome->result == TRN_DGE_ABORTED) {
        snprintf(w->outcome->reason, sizeof w->outcome->reason,
                 "%s of 0x%llx failed (%s): DMA engine %u aborts",
                 w->outcome->abort_side == TRN_DGE_SRC ? "read" : "write",
                 (unsigned long long)w->outcome->abort_address,
                 trn_status_name(w->outcome->abort_status), w->outcome->abort_dma);
        return TRN_OK;
    }
    if (w->outcome->result == TRN_DGE_ILLEGAL)
        return TRN_OK;
    if (status != TRN_OK)
        return status;
    if (w->dge->options.faithful_abort && some_index_failed(w)) {
        abort_at_index(w);
        return TRN_OK;
    }
    dge_complete(w);
    dge_report_done(w);
    return TRN_OK;
}

/* 7.3: the whole word is skipped; consumers must not hang. */
static void skip_word(struct dge_run_state *w)
{
    const struct trn_dge_outcome *const o = w->outcome;
    dge_report_oob(w, o->report[TRN_DGE_SRC].failed ? TRN_DGE_SRC : TRN_DGE_DST);
    w->outcome->elements = w->outcome->skipped = dge_elements(&w->req.side[TRN_DGE_SRC]);
    if (w->dge->options.oob_posts_semaphore)
        dge_post(w);
}

static trn_status bounded(struct dge_run_state *w)
{
    bool inside;
    trn_status status = dge_check_addresses(w, &inside);
    if (status != TRN_OK)
        return status;
    if (!inside) {
        skip_word(w);
        return TRN_OK;
    }
    status = dge_read_indices(w);
    if (status != TRN_OK)
        return status;
    if (!w->dge->options.faithful_abort)
        for (int side = 0; side < TRN_DGE_SIDES; side++)
            if (w->outcome->report[side].failed)
                dge_report_oob(w, (enum trn_dge_side)side);
    return transfer(w);
}

/* 12: ready descriptors for one engine. */
static trn_status send(struct dge_run_state *w, const uint8_t *word)
{
    const unsigned isa = w->dge->gen->isa;
    const struct trn_dge_ports *const ports = &w->dge->ports;
    const uint8_t *const imm[] = {trn_dma_immediate_descriptor_imm_0(word, isa),
                                  trn_dma_immediate_descriptor_imm_1(word, isa),
                                  trn_dma_immediate_descriptor_imm_2(word, isa)};
    const uint8_t source[] = {trn_dma_immediate_descriptor_flags_desc0_src(word, isa),
                              trn_dma_immediate_descriptor_flags_desc1_src(word, isa),
                              trn_dma_immediate_descriptor_flags_desc2_src(word, isa)};
    const uint8_t count = trn_dma_immediate_descriptor_flags_num_descriptors(word, isa);
    uint8_t raw[3 * TRN_DGE_DESC_BYTES] = {0};
    for (unsigned i = 0; i < count && i < 3; i++) {
        memcpy(raw + (size_t)i * TRN_DGE_DESC_BYTES, imm[i], TRN_DGE_DESC_BYTES);
        for (unsigned k = 0; source[i] == TRN_DMA_DESC_MODE_REGISTER && k < 4; k++) {
            uint32_t value;
            const trn_status status =
                dge_register(w, trn_dma_immediate_descriptor_reg(word, isa)[i] + k, &value);
            if (status != TRN_OK)
                return status;
            trn_put32(raw + (size_t)i * TRN_DGE_DESC_BYTES + 4 * (size_t)k, value);
        }
    }
    if (!ports->send) {
        w->outcome->result = TRN_DGE_NO_BACKEND;
        snprintf(w->outcome->reason, sizeof w->outcome->reason, "no DMA engine takes descriptors");
        return TRN_OK;
    }
    w->outcome->dmas = w->usable;
    w->outcome->batches = 1;
    const trn_status status =
        ports->send(ports->context, w->req.first_dma % 16, w->req.queue, raw, count);
    if (status != TRN_OK)
        dge_aborted(w, TRN_DGE_SRC, 0, status);
    return TRN_OK;
}

static trn_status carry_out(struct dge_run_state *w, const uint8_t *word)
{
    const trn_status status = dge_decode(w, word);
    if (status != TRN_OK)
        return status;
    w->outcome->backend = dge_select(w);
    if (w->outcome->backend == TRN_DGE_NONE) {
        dge_report_no_backend(w);
        return TRN_OK;
    }
    if (w->req.kind == DGE_IMMEDIATE)
        return send(w, word);
    const trn_status bound = dge_bind(w, w->outcome->backend == TRN_DGE_SOFTWARE);
    if (bound != TRN_OK)
        return bound;
    dge_take_credits(w);
    if (!fits_budget(w)) {
        dge_report_no_backend(w);
        return TRN_OK;
    }
    dge_assess(w);
    return bounded(w);
}

/* A pseudo word that a host has not lowered is lowered here. */
static trn_status lowered(struct dge_run_state *w, const uint8_t *word, uint8_t *real)
{
    struct trn_diag diag;
    unsigned consumed;
    const trn_status status =
        trn_dge_lower(w->dge->gen, word, w->next ? w->next->word : NULL, real, &consumed, &diag);
    if (status != TRN_OK)
        return dge_illegal(w, diag.rule, "%s", diag.message);
    w->outcome->consumed = (uint8_t)consumed;
    return TRN_OK;
}

trn_status trn_dge_execute(struct trn_dge *dge, int engine, const uint8_t word[TRN_INST_BYTES],
                           const struct trn_dge_next *next, struct trn_dge_outcome *outcome)
{
    uint8_t real[TRN_INST_BYTES];
    *outcome = (struct trn_dge_outcome){.consumed = 1};
    if (engine < 0 || engine >= DGE_ENGINES || !trn_dge_takes(dge->gen, word))
        return TRN_ERR_UNSUPPORTED;
    struct dge_run_state w;
    memset(&w, 0, offsetof(struct dge_run_state, shown));
    w.num_shown[0] = w.num_shown[1] = 0;
    w.to_lose = w.lost = 0;
    w.dge = dge;
    w.engine = engine;
    w.next = next;
    w.outcome = outcome;
    w.req.opcode = word[0];
    memcpy(real, word, sizeof real);
    trn_status status = TRN_OK;
    if (word[0] == TRN_OPCODE_PSEUDO_DMA_DIRECT2D)
        status = lowered(&w, word, real);
    if (status == TRN_OK && obeys_rules(&w, real)) {
        if (has_generator(&w)) {
            status = carry_out(&w, real);
        } else {
            snprintf(outcome->reason, sizeof outcome->reason,
                     "%s firmware has no descriptor generator: the word does nothing",
                     dge->gen->name);
            dge_report_no_backend(&w);
        }
    }
    const bool illegal = outcome->result == TRN_DGE_ILLEGAL;
    if (illegal || outcome->result == TRN_DGE_COUNT_ERROR)
        dge_note_fatal(&w, word[0]);
    return illegal || outcome->result == TRN_DGE_ABORTED ? TRN_OK : status;
}
