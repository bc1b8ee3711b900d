/* SPDX-License-Identifier: Apache-2.0 */
/* What a run's notification rings held, as JSON and as text. */
#include <inttypes.h>

#include "cli/record_json.h"
#include "cli/run_notify.h"

/* ---- content errors ---------------------------------------------------------------------- */

static json_t *writer_json(const struct run_core *core, const struct trn_content_report *report)
{
    char pc[32];
    if (report->writer == TRN_WRITER_UNKNOWN)
        return json_null();
    if (report->writer == TRN_WRITER_NOBODY)
        return json_string("nobody");
    if (report->writer < 0)
        return json_string("host");
    run_pc(&core->program, report->writer, report->writer_pc, pc, sizeof pc);
    return json_pack("{s:s, s:s}", "engine", trn_engine_name(report->writer), "pc", pc);
}

static json_t *report_json(const struct run_core *core, const struct trn_content_report *report)
{
    char pc[32], where[256];
    run_pc(&core->program, report->engine, report->pc, pc, sizeof pc);
    run_where(&core->program, report->engine, report->pc, where, sizeof where);
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:b}", "engine", trn_engine_name(report->engine), "pc",
                  pc, "class", report->klass, "message", report->message, "where", where,
                  "recorded", report->recorded);
    json_object_set_new(object, "addr", run_hex(report->pc));
    if (!report->by_index)
        return object;
    json_object_set_new(object, "side", json_string(report->source ? "src" : "dst"));
    json_object_set_new(object, "index", json_integer((json_int_t)report->index));
    json_object_set_new(object, "position", json_integer((json_int_t)report->position));
    json_object_set_new(object, "index_addr", run_hex(report->index_address));
    json_object_set_new(object, "limit", json_integer((json_int_t)report->limit));
    json_object_set_new(object, "skipped", json_integer((json_int_t)report->count));
    json_object_set_new(object, "would_reach", run_hex(report->address));
    json_object_set_new(object, "last_writer", writer_json(core, report));
    return object;
}

json_t *run_reports_json(const struct run_core *core)
{
    json_t *list = json_array();
    for (size_t i = 0; i < core->report.num_reports; i++)
        json_array_append_new(list, report_json(core, &core->report.reports[i]));
    return list;
}

/* The first few; --json has all. */
static void print_reports(const struct run_core *core)
{
    enum { SHOWN = 16 };
    for (size_t i = 0; i < core->report.num_reports && i < SHOWN; i++) {
        const struct trn_content_report *report = &core->report.reports[i];
        char pc[32];
        run_pc(&core->program, report->engine, report->pc, pc, sizeof pc);
        printf("  %s:%s: %s: %s (%s)\n", trn_engine_name(report->engine), pc, report->klass,
               report->message, report->recorded ? "recorded" : "no record");
    }
    if (core->report.num_reports > SHOWN)
        printf("  ... and %zu more reports\n", core->report.num_reports - SHOWN);
}

/* ---- rings --------------------------------------------------------------------------------- */

static json_t *ring_json(const struct run_core *core, const struct run_ring *ring)
{
    struct trn_ring_counts counts;
    if (trn_device_ring_counts(core->device, ring->queue, &counts) != TRN_OK)
        return json_null();
    return json_pack("{s:i, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "queue", (int)ring->queue, "size",
                     (json_int_t)ring->size, "read", (json_int_t)ring->drain.read, "stored",
                     (json_int_t)counts.stored, "overwritten", (json_int_t)counts.overwritten,
                     "dropped", (json_int_t)counts.dropped_full, "disabled",
                     (json_int_t)counts.dropped_disabled, "failed", (json_int_t)counts.failed);
}

static json_t *record_json(const struct run_core *core, const struct run_record *record,
                           size_t index)
{
    json_t *object = cli_record_json(core->gen, index, record->raw);
    json_object_set_new(object, "queue", json_integer(record->queue));
    return object;
}

static json_t *kind_json(const struct run_core *core, const struct trn_collect_kind *kind)
{
    char text[TRN_RECORD_TEXT_MAX];
    trn_record_text(core->gen, &kind->first, text);
    json_t *object = json_pack("{s:s, s:I}", "text", text, "count", (json_int_t)kind->count);
    json_object_set_new(object, "first_pc", run_hex(kind->first_pc));
    json_object_set_new(object, "last_pc", run_hex(kind->last_pc));
    return object;
}

/* ---- what the host did not see ----------------------------------------------------------------
 */

static uint64_t lost(const struct trn_ring_counts *counts)
{
    return counts->overwritten + counts->dropped_full + counts->dropped_disabled + counts->failed;
}

static uint64_t lost_of_run(const struct run_core *core)
{
    struct trn_ring_counts counts;
    uint64_t sum = 0;
    for (size_t i = 0; i < core->rings->num_rings; i++)
        if (trn_device_ring_counts(core->device, core->rings->rings[i].queue, &counts) == TRN_OK)
            sum += lost(&counts);
    return sum;
}

/* Records that are in their ring still. */
static uint64_t unread_of_run(const struct run_core *core)
{
    struct trn_ring_counts counts;
    uint64_t sum = 0;
    for (size_t i = 0; i < core->rings->num_rings; i++) {
        const struct run_ring *ring = &core->rings->rings[i];
        if (trn_device_ring_counts(core->device, ring->queue, &counts) == TRN_OK &&
            counts.stored > counts.overwritten + ring->drain.read)
            sum += counts.stored - counts.overwritten - ring->drain.read;
    }
    return sum;
}

/* What makes a runtime say 1204 in place of a timeout (notific.md 9.4). */
static bool has_overflow_cause(const struct run_core *core)
{
    struct trn_diag ignored;
    bool set = false;
    return trn_drain_overflow_cause(trn_device_bar0(core->device), core->gen, core->options->core,
                                    &set, &ignored) == TRN_OK &&
           set;
}

static void print_unseen(const struct run_core *core)
{
    const uint64_t gone = lost_of_run(core), unread = unread_of_run(core);
    if (gone)
        printf("  the host does not see %" PRIu64 " lost record%s%s\n", gone, gone == 1 ? "" : "s",
               has_overflow_cause(core)
                   ? "; a run that does not complete ends with 1204 (overflow), not 5 (timeout)"
                   : "");
    if (unread)
        printf("  the host has not read %" PRIu64 " record%s\n", unread, unread == 1 ? "" : "s");
}

/* What a runtime would make of the error records (notification-records.md 6.3). */
static json_t *host_json(const struct run_core *core)
{
    const struct trn_collect *kinds = &core->rings->kinds;
    const char *name = trn_error_name("host_status", kinds->status);
    json_t *list = json_array();
    for (size_t i = 0; i < kinds->num_kinds; i++)
        json_array_append_new(list, kind_json(core, &kinds->kinds[i]));
    json_t *object = json_pack("{s:i, s:I, s:o}", "status", (int)kinds->status, "errors",
                               (json_int_t)kinds->records, "kinds", list);
    json_object_set_new(object, "name", name ? json_string(name) : json_null());
    json_object_set_new(object, "lost", json_integer((json_int_t)lost_of_run(core)));
    json_object_set_new(object, "unread", json_integer((json_int_t)unread_of_run(core)));
    json_object_set_new(object, "overflow_cause", json_boolean(has_overflow_cause(core)));
    return object;
}

void run_rings_json(const struct run_core *core, json_t *run)
{
    const struct run_rings *rings = core->rings;
    json_t *list = json_array(), *records = json_array();
    for (size_t i = 0; rings && i < rings->num_rings; i++)
        json_array_append_new(list, ring_json(core, &rings->rings[i]));
    for (size_t i = 0; rings && i < rings->num_records; i++)
        json_array_append_new(records, record_json(core, &rings->records[i], i));
    json_object_set_new(run, "rings", list);
    json_object_set_new(run, "dge_without_metadata",
                        json_integer((json_int_t)core->report.dge_silent));
    json_object_set_new(run, "records", records);
    json_object_set_new(run, "records_left_out",
                        json_integer(rings ? (json_int_t)(rings->read - rings->num_records) : 0));
    json_object_set_new(run, "host", rings ? host_json(core) : json_null());
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_ring(const struct run_core *core, const struct run_ring *ring)
{
    struct trn_ring_counts counts;
    if (trn_device_ring_counts(core->device, ring->queue, &counts) != TRN_OK)
        return;
    if (counts.stored + lost(&counts) == 0)
        return;
    printf("  ring %u: %" PRIu64 " stored, %" PRIu64 " lost, %" PRIu64 " read\n", ring->queue,
           counts.stored, lost(&counts), ring->drain.read);
}

static bool is_fatal(const struct trn_record *record)
{
    return record->form == TRN_FORM_TPB_ERROR_SEQUENCER &&
           record->body.tpb_error_sequencer.error_id == TRN_ERROR_ID_SEQUENCER_FATAL;
}

/* Those are said with their places, which their records do not have. */
static bool is_numeric(const struct trn_record *record)
{
    return record->form == TRN_FORM_TPB_ERROR &&
           record->body.tpb_error.error_id <= TRN_ERROR_ID_FP_OVERFLOW;
}

/* Errors that stopped no engine. Those that did stand with the problems; a fatal record without any
 * fault is that of an engine that lives (dge.md 9.1). */
static void print_kind(const struct run_core *core, const struct trn_collect_kind *kind)
{
    char text[TRN_RECORD_TEXT_MAX];
    if ((is_fatal(&kind->first) && core->report.num_faults > 0) || is_numeric(&kind->first))
        return;
    trn_record_text(core->gen, &kind->first, text);
    printf("  error record, %" PRIu64 " time%s: %s\n", kind->count, kind->count == 1 ? "" : "s",
           text);
}

void run_rings_text(const struct run_core *core)
{
    const struct run_rings *rings = core->rings;
    print_reports(core);
    if (core->report.dge_silent)
        printf("  no DGE metadata: feature flag bit 1 is 0 (%" PRIu64 " transfers; --flags 2)\n",
               core->report.dge_silent);
    run_numeric_text(core);
    if (!rings)
        return;
    for (size_t i = 0; core->options->nq.given && i < rings->num_rings; i++)
        print_ring(core, &rings->rings[i]);
    for (size_t i = 0; i < rings->kinds.num_kinds; i++)
        print_kind(core, &rings->kinds.kinds[i]);
    print_unseen(core);
    if (rings->problem.status != TRN_OK)
        cli_print_diag(&rings->problem);
}
