/* SPDX-License-Identifier: Apache-2.0 */
/* What is said of a word: log lines, error and completion records and their gates (dge.md 7.3, 9,
 * 10). */
#include <stdio.h>

#include "dma/dge.h"
#include "isa_fields.h"

enum { FEATURE_FLAGS = 38, NOTIFICATIONS_BIT = 1, WORD_BYTES = TRN_INST_BYTES };

static bool feature_flag(const struct dge_run_state *w)
{
    const struct trn_dge_ports *const ports = &w->dge->ports;
    return ports->local && trn_bits_get(ports->local(ports->context, w->engine, FEATURE_FLAGS),
                                        NOTIFICATIONS_BIT, 1);
}

static uint32_t program_counter(const struct dge_run_state *w, unsigned bits)
{
    const uint64_t address = w->next ? w->next->address : 0;
    return (uint32_t)trn_bits_get(address / WORD_BYTES, 0, bits);
}

static void post_record(struct dge_run_state *w, const struct trn_record *record)
{
    const struct trn_dge_ports *const ports = &w->dge->ports;
    struct trn_dge_outcome *const o = w->outcome;
    if (o->num_records < sizeof o->records / sizeof o->records[0])
        o->records[o->num_records++] = *record;
    if (ports->record)
        ports->record(ports->context, w->engine, record);
}

/* ---- error records (9.2) --------------------------------------------------------------------- */

/* The runtime's custom codes: 4, 5 of scatter/gather, 9, 10 of transposes. */
static struct trn_record custom(const struct dge_run_state *w, enum trn_dge_side side)
{
    const bool tiles = w->req.kind == DGE_TRANSPOSE || w->req.kind == DGE_GATHER_TRANSPOSE;
    struct trn_record record = {.type = trn_record_code_of(w->engine, 2),
                                .form = TRN_FORM_EXPLICIT_NOTIFY};
    record.body.explicit_notify.program_counter = program_counter(w, 20);
    record.body.explicit_notify.soft_reset_counter = (uint16_t)((tiles ? 9 : 4) + (int)side);
    return record;
}

static struct trn_record error(const struct dge_run_state *w, bool fatal)
{
    struct trn_record record = {.type = TRN_RECORD_TPB_ERROR, .form = TRN_FORM_TPB_ERROR_SEQUENCER};
    record.body.tpb_error_sequencer = (struct trn_record_tpb_error_sequencer){
        .error_id = fatal ? TRN_ERROR_ID_SEQUENCER_FATAL : TRN_ERROR_ID_SEQUENCER_NONFATAL,
        .block_id = trn_record_block_of(w->engine),
        .program_counter = (uint16_t)program_counter(w, 12),
        .info = w->req.opcode};
    return record;
}

static bool suppressed(const struct dge_run_state *w, enum trn_dge_side side)
{
    return trn_boundreg_bc_disable_oob_error_notif(&w->req.side[side].bound, w->dge->gen->isa) != 0;
}

/* 9.1: what idx_bound_is_err adds on the index sides of 0xBB. */
static bool policy_notifies(const struct dge_run_state *w, enum trn_dge_side side)
{
    if (w->req.kind != DGE_INDIRECT || !w->req.side[side].bounds_index)
        return true;
    dge_choice(w->dge, TRN_CHOICE_DGE_IDX_POLICY);
    return w->dge->options.idx_policy == TRN_DGE_IDX_COMPOSITE || w->req.is_err;
}

static struct trn_dge_gates gates_of(const struct dge_run_state *w, enum trn_dge_side side)
{
    return (struct trn_dge_gates){.feature_flag = feature_flag(w),
                                  .suppressed = suppressed(w, side),
                                  .policy = policy_notifies(w, side)};
}

static bool open(const struct dge_run_state *w, const struct trn_dge_gates *gates)
{
    return (gates->feature_flag || !w->dge->options.errors_need_flag) && !gates->suppressed &&
           gates->policy;
}

static bool speaks(const struct dge_run_state *w)
{
    return w->dge->gen->has_dge;
}

static void log_failed(const struct dge_run_state *w, enum trn_dge_side side)
{
    const struct trn_dge_bound *const bound = &w->outcome->bound[side];
    const uint8_t reg = trn_boundreg_bc_reg(&bound->reg, w->dge->gen->isa);
    if (!speaks(w))
        return;
    if (w->dge->options.log_reading == TRN_DGE_LOG_BOUND)
        dge_log(w, "S: DGE: Failed bounds check. $S[%i]+=%i.", reg,
                (int)(bound->value - bound->limit));
    else
        dge_log(w, "S: DGE: Failed bounds check. $S[%i]+=%i.", w->req.semaphore, w->req.increment);
}

void dge_report_oob(struct dge_run_state *w, enum trn_dge_side side)
{
    struct trn_dge_outcome *const o = w->outcome;
    struct trn_dge_report *const report = &o->report[side];
    const struct trn_dge_gates gates = gates_of(w, side);
    log_failed(w, side);
    if (o->result != TRN_DGE_SKIPPED_OOB) { /* 7.2: the source is named when both fail */
        o->gates = gates;
        if (report->by_index)
            snprintf(o->reason, sizeof o->reason,
                     "%s index %llu at position %llu is above its limit %llu",
                     side == TRN_DGE_SRC ? "source" : "destination",
                     (unsigned long long)report->index, (unsigned long long)report->position,
                     (unsigned long long)report->limit);
        else
            snprintf(o->reason, sizeof o->reason, "%s address 0x%llx is above its limit 0x%llx",
                     side == TRN_DGE_SRC ? "source" : "destination",
                     (unsigned long long)o->bound[side].value, (unsigned long long)report->limit);
    }
    o->result = TRN_DGE_SKIPPED_OOB;
    dge_choice(w->dge, TRN_CHOICE_DGE_OOB_RECORD);
    if (!open(w, &gates))
        return;
    const struct trn_record record = w->dge->options.oob_record == TRN_DGE_RECORD_CUSTOM
                                         ? custom(w, side)
                                         : error(w, report->hard);
    post_record(w, &record);
    report->dispatched = true;
    if (speaks(w))
        dge_log(w, "S: DGE: Dispatched error notification");
}

/* 9.4 S1: by the gates with both suppress bits 0; without the firmware nobody posts anything. */
void dge_report_no_backend(struct dge_run_state *w)
{
    const struct trn_gen *const gen = w->dge->gen;
    w->outcome->result = TRN_DGE_NO_BACKEND;
    w->outcome->gates = (struct trn_dge_gates){.feature_flag = feature_flag(w),
                                               .suppressed = suppressed(w, TRN_DGE_SRC) ||
                                                             suppressed(w, TRN_DGE_DST),
                                               .policy = true};
    if (speaks(w))
        dge_log(w, "S: DGE: NO BACKEND FOUND, doing nothing");
    if ((gen->dge_pool_engines || gen->dge_rtl_engines) && open(w, &w->outcome->gates)) {
        const struct trn_record record = error(w, false);
        post_record(w, &record);
        if (speaks(w))
            dge_log(w, "S: DGE: Dispatched error notification");
    }
    if (w->dge->options.nobackend_posts_semaphore)
        dge_post(w);
}

/* 9.4 S3 and S4: the record of the illegal-instruction path, which the sequencer posts itself. It
 * names the opcode that was fetched. */
void dge_note_fatal(struct dge_run_state *w, uint8_t opcode)
{
    struct trn_dge_outcome *const o = w->outcome;
    w->req.opcode = opcode;
    if (o->num_records < sizeof o->records / sizeof o->records[0])
        o->records[o->num_records++] = error(w, true);
}

/* 9.4 S4: as a structural error. */
static void report_count(struct dge_run_state *w)
{
    struct trn_dge_outcome *const o = w->outcome;
    const uint64_t wrote = o->write_descriptors, due = wrote + w->lost;
    dge_log(w, "P0: ERROR: DescriptorStream wrote %d descriptors, expected %d", (int)wrote,
            (int)due);
    snprintf(o->reason, sizeof o->reason, "the stream wrote %llu descriptors where %llu are due",
             (unsigned long long)wrote, (unsigned long long)due);
    o->result = TRN_DGE_COUNT_ERROR;
}

/* ---- completion ------------------------------------------------------------------------------ */

/* 10: one record a group of 16 engines; a core has one group. */
static void completion_record(struct dge_run_state *w)
{
    enum { MOST = 4096 };
    const struct trn_dge_outcome *const o = w->outcome;
    const uint64_t dmas = (unsigned)__builtin_popcount(o->dmas);
    const uint64_t packets = (o->packets + dmas - 1) / dmas;
    struct trn_record record = {.type = trn_record_code_of(w->engine, 2),
                                .form = TRN_FORM_EXPLICIT_DGE_METADATA};
    record.body.explicit_dge_metadata.program_counter = program_counter(w, 20);
    record.body.explicit_dge_metadata.dma_map = (uint16_t)o->dmas;
    record.body.explicit_dge_metadata.num_packets = (uint16_t)(packets < MOST ? packets : MOST);
    post_record(w, &record);
}

void dge_post(struct dge_run_state *w)
{
    const struct trn_dge_ports *const ports = &w->dge->ports;
    struct trn_dge_outcome *const o = w->outcome;
    o->semaphore = w->req.semaphore;
    o->increment = w->req.increment;
    if (w->req.read_update && ports->semaphore_add) /* 12: every source byte has been read */
        ports->semaphore_add(ports->context, w->engine, w->req.read_semaphore, w->req.read_update);
    if (!w->req.increment)
        return;
    o->posted = true;
    if (ports->semaphore_add)
        ports->semaphore_add(ports->context, w->engine, w->req.semaphore, w->req.increment);
}

void dge_report_done(struct dge_run_state *w)
{
    struct trn_dge_outcome *const o = w->outcome;
    if (w->lost) {
        report_count(w);
        return;
    }
    if (o->result != TRN_DGE_SKIPPED_OOB || w->dge->options.oob_posts_semaphore)
        dge_post(w);
    o->gates.feature_flag = feature_flag(w);
    if (o->gates.feature_flag && o->packets)
        completion_record(w);
}
