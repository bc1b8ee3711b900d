/* SPDX-License-Identifier: Apache-2.0 */
/* What a host concludes from drained records: each kind once, completion, overflow
 * (docs/hardware/notification-records.md 6, notific.md 9.4). */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "gen/blocks.h"
#include "gen/device_rows.h"
#include "trench/drain.h"

/* ---- each kind once ---------------------------------------------------------------------------
 */

static uint32_t pc_of(const struct trn_record *record)
{
    switch (record->form) {
    case TRN_FORM_INST_START:
        return record->body.inst_start.program_counter;
    case TRN_FORM_INST_END:
        return record->body.inst_end.program_counter;
    case TRN_FORM_EXPLICIT_NOTIFY:
        return record->body.explicit_notify.program_counter;
    case TRN_FORM_EXPLICIT_DGE_METADATA:
        return record->body.explicit_dge_metadata.program_counter;
    case TRN_FORM_TPB_ERROR_SEQUENCER:
        return record->body.tpb_error_sequencer.program_counter;
    default:
        return 0;
    }
}

/* An error: its id, who reports it and of what; anything else: its type and form. */
static bool same_kind(const struct trn_record *a, const struct trn_record *b)
{
    if (a->type != b->type || a->form != b->form)
        return false;
    if (a->form == TRN_FORM_TPB_ERROR)
        return a->body.tpb_error.error_id == b->body.tpb_error.error_id &&
               a->body.tpb_error.metadata_lo == b->body.tpb_error.metadata_lo;
    if (a->form == TRN_FORM_TPB_ERROR_SEQUENCER)
        return a->body.tpb_error_sequencer.error_id == b->body.tpb_error_sequencer.error_id &&
               a->body.tpb_error_sequencer.subtype == b->body.tpb_error_sequencer.subtype &&
               a->body.tpb_error_sequencer.block_id == b->body.tpb_error_sequencer.block_id;
    if (a->form == TRN_FORM_EXPLICIT_NOTIFY)
        return a->body.explicit_notify.debug_hint_extended ==
               b->body.explicit_notify.debug_hint_extended;
    return true;
}

static struct trn_collect_kind *kind_of(struct trn_collect *collect,
                                        const struct trn_record *record)
{
    for (size_t i = 0; i < collect->num_kinds; i++)
        if (same_kind(&collect->kinds[i].first, record))
            return &collect->kinds[i];
    return NULL;
}

const struct trn_collect_kind *trn_collect_add(struct trn_collect *collect,
                                               const uint8_t raw[TRN_RECORD_BYTES])
{
    struct trn_record record;
    collect->records++;
    if (trn_record_decode(raw, &record, NULL) != TRN_OK) {
        collect->unknown++;
        return NULL;
    }
    const unsigned status = trn_record_host(&record).status;
    if (trn_host_status_rank(status) > trn_host_status_rank(collect->status))
        collect->status = status;
    struct trn_collect_kind *kind = kind_of(collect, &record);
    const bool first = !kind;
    if (first && collect->num_kinds == TRN_COLLECT_KINDS) {
        collect->others++;
        return NULL;
    }
    if (first) {
        kind = &collect->kinds[collect->num_kinds++];
        *kind = (struct trn_collect_kind){.first = record, .first_pc = pc_of(&record)};
    }
    kind->count++;
    kind->last_pc = pc_of(&record);
    kind->last_time = record.timestamp;
    return first ? kind : NULL;
}

/* ---- completion
 * ---------------------------------------------------------------------------------- */

enum { SUBTYPE_START = 2, SUBTYPE_END = 3 }; /* 6.2 */

static bool advance(struct trn_completion *completion, int engine,
                    enum trn_completion_state expected)
{
    if (completion->state[engine] != expected) {
        completion->fault = true;
        return false;
    }
    completion->state[engine] = (enum trn_completion_state)(expected + 1);
    return true;
}

bool trn_completion_feed(struct trn_completion *completion, const struct trn_record *record)
{
    const int engine = trn_record_engine(record->type);
    if (record->form != TRN_FORM_EXPLICIT_NOTIFY || engine < 0)
        return !completion->fault;
    const unsigned subtype = record->body.explicit_notify.debug_hint_extended;
    if (subtype == SUBTYPE_START && advance(completion, engine, TRN_COMPLETION_START) &&
        (completion->start_time == 0 || record->timestamp < completion->start_time))
        completion->start_time = record->timestamp;
    if (subtype == SUBTYPE_END && advance(completion, engine, TRN_COMPLETION_END) &&
        record->timestamp > completion->end_time)
        completion->end_time = record->timestamp;
    return !completion->fault;
}

unsigned trn_completion_status(const struct trn_completion *completion, unsigned mask,
                               bool overflowed)
{
    bool pending = false;
    for (unsigned engine = 0; engine < 5; engine++)
        pending |=
            trn_bits_get(mask, engine, 1) && completion->state[engine] != TRN_COMPLETION_DONE;
    if (!pending && !completion->fault)
        return TRN_HOST_STATUS_SUCCESS;
    if (overflowed)
        return TRN_HOST_STATUS_EXEC_SW_NQ_OVERFLOW;
    return completion->fault ? TRN_HOST_STATUS_FAILURE : TRN_HOST_STATUS_TIMEOUT;
}

/* ---- the overflow cause (9.4)
 * ------------------------------------------------------------------------ */

trn_status trn_drain_overflow_cause(const struct trn_bus *bus, const struct trn_gen *gen,
                                    unsigned core, bool *set, struct trn_diag *diag)
{
    char name[32];
    uint64_t at = 0;
    uint32_t causes;
    *set = false;
    snprintf(name, sizeof name, "core%u.trig0", core);
    const struct trn_block *const block = trn_block_find(gen, name);
    const struct trn_reg_row *const row = trn_reg_find(gen, "intc_4grp.int_cause_grp", NULL);
    const struct trn_trigger_row *trigger = NULL;
    for (size_t i = 0; i < trn_num_triggers; i++)
        if (strcmp(trn_trigger_table[i].name, "tpb_notific_intr_0") == 0)
            trigger = &trn_trigger_table[i];
    if (!block || !row || !trigger || !trn_block_reg_place(block, row, trigger->group, 0, &at))
        return trn_diag_set(diag, TRN_ERR_UNSUPPORTED, NULL, NULL, NULL,
                            "%s has no error-trigger unit of core %u", gen->name, core);
    const trn_status status = bus->read32(bus->context, at, &causes);
    if (status != TRN_OK)
        return trn_diag_set(diag, status, name, NULL, NULL, "cannot read bar0+0x%llx: %s",
                            (unsigned long long)at, trn_status_name(status));
    *set = trn_bits_get(causes, trigger->bit, 1) != 0;
    return TRN_OK;
}
