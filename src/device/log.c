/* SPDX-License-Identifier: Apache-2.0 */
/* What the sequencers told: faults and notifications, in the order they happened. */
#include <stdlib.h>

#include "device/core.h"

enum { MAX_NOTIFICATIONS = 65536, MAX_FAULTS = 4096, MAX_REPORTS = 4096 };

static bool reserve_report(struct trn_log *log)
{
    if (log->num_faults < log->fault_capacity)
        return true;
    const size_t wanted = log->fault_capacity ? 2 * log->fault_capacity : TRN_ENGINES;
    struct trn_fault_report *reports = realloc(log->fault_reports, wanted * sizeof *reports);
    if (!reports)
        return false;
    log->fault_reports = reports;
    log->fault_capacity = wanted;
    return true;
}

static void log_fault(struct trn_log *log, const struct trn_fault *fault)
{
    if (log->num_faults == MAX_FAULTS || !reserve_report(log))
        return;
    struct trn_fault_node *node = malloc(sizeof *node);
    if (!node)
        return;
    *node = (struct trn_fault_node){*fault, log->faults};
    log->faults = node;
    log->fault_reports[log->num_faults++] =
        (struct trn_fault_report){.engine = fault->engine,
                                  .pc = fault->pc,
                                  .klass = trn_fault_class_name(fault->klass),
                                  .rule = node->fault.rule,
                                  .message = node->fault.message};
}

static enum trn_notification_kind kind_of(const struct trn_seq_record *record)
{
    switch (record->kind) {
    case TRN_SEQ_START:
        return TRN_NOTIFY_INST_START;
    case TRN_SEQ_END:
        return TRN_NOTIFY_INST_END;
    case TRN_SEQ_EXPLICIT:
        return TRN_NOTIFY_EXPLICIT;
    case TRN_SEQ_ERROR:
        break;
    }
    return TRN_NOTIFY_ERROR;
}

static bool reserve_notification(struct trn_log *log)
{
    if (log->num_notifications < log->notification_capacity)
        return true;
    const size_t wanted = log->notification_capacity ? 2 * log->notification_capacity : 64;
    if (wanted > MAX_NOTIFICATIONS)
        return false;
    struct trn_notification *list = realloc(log->notifications, wanted * sizeof *list);
    if (!list)
        return false;
    log->notifications = list;
    log->notification_capacity = wanted;
    return true;
}

static void trace_record(struct trn_tpb *tpb, const struct trn_seq_record *record)
{
    static const enum trn_trace_note_kind kinds[] = {[TRN_SEQ_START] = TRN_TRACE_NOTE_START,
                                                     [TRN_SEQ_END] = TRN_TRACE_NOTE_END,
                                                     [TRN_SEQ_EXPLICIT] = TRN_TRACE_NOTE_NOTIFY,
                                                     [TRN_SEQ_ERROR] = TRN_TRACE_NOTE_ERROR};
    const struct trn_fault *fault = &tpb->seq[record->engine].fault;
    const bool died = record->kind == TRN_SEQ_ERROR && record->fault;
    trn_trace_note(tpb, record->engine, kinds[record->kind], record->pc,
                   died ? trn_fault_class_name(fault->klass) : "", died ? fault->message : "");
    if (died)
        trn_trace_fault(tpb, fault);
}

void trn_tpb_log_record(struct trn_tpb *tpb, const struct trn_seq_record *record)
{
    struct trn_log *log = &tpb->log;
    if (record->kind == TRN_SEQ_ERROR && record->fault)
        log_fault(log, &tpb->seq[record->engine].fault);
    if (tpb->device->trace)
        trace_record(tpb, record);
    if (!reserve_notification(log)) {
        log->notifications_lost++;
        return;
    }
    log->notifications[log->num_notifications++] =
        (struct trn_notification){.kind = kind_of(record),
                                  .engine = record->engine,
                                  .pc = record->pc,
                                  .debug_hint = record->debug_hint,
                                  .soft_reset_counter = record->soft_reset_counter,
                                  .debug_hint_extended = record->debug_hint_extended,
                                  .code = record->code,
                                  .info = record->aux};
}

void trn_tpb_log_content(struct trn_tpb *tpb, const struct trn_content_report *report)
{
    struct trn_log *log = &tpb->log;
    if (tpb->device->trace)
        trn_trace_note(tpb, report->engine, TRN_TRACE_NOTE_REPORT, report->pc, report->klass,
                       report->message);
    if (log->num_reports == log->report_capacity && log->report_capacity < MAX_REPORTS) {
        const size_t wanted = log->report_capacity ? 2 * log->report_capacity : 16;
        struct trn_content_report *grown = realloc(log->reports, wanted * sizeof *grown);
        if (grown) {
            log->reports = grown;
            log->report_capacity = wanted;
        }
    }
    if (log->num_reports == log->report_capacity)
        log->reports_lost++;
    else
        log->reports[log->num_reports++] = *report;
}

/* A flood is one entry: count, first and last place. */
void trn_tpb_log_numeric(struct trn_tpb *tpb, uint8_t error_id, int engine, uint16_t sources,
                         uint64_t pc)
{
    struct trn_log *log = &tpb->log;
    struct trn_numeric_report *entry = log->numeric;
    struct trn_numeric_report *const end = log->numeric + log->num_numeric;
    while (entry < end &&
           (entry->error_id != error_id || entry->engine != engine || entry->sources != sources))
        entry++;
    if (entry == end && log->num_numeric == TRN_MAX_NUMERIC)
        return; /* there are not that many kinds */
    if (entry == end) {
        *entry = (struct trn_numeric_report){
            .error_id = error_id, .engine = engine, .sources = sources, .first_pc = pc};
        log->num_numeric++;
    }
    entry->count++;
    entry->last_pc = pc;
}

void trn_log_free(struct trn_log *log)
{
    free(log->reports);
    while (log->faults) {
        struct trn_fault_node *next = log->faults->next;
        free(log->faults);
        log->faults = next;
    }
    free(log->fault_reports);
    free(log->notifications);
}
