/* SPDX-License-Identifier: Apache-2.0 */
/* A run as JSON, schema trench.run/1 (docs/cli-contract.md). */
#include <inttypes.h>

#include "cli/run.h"
#include "cli/run_dma.h"

json_t *run_hex(uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "0x%" PRIx64, value);
    return json_string(text);
}

static json_t *pc_json(const struct run_core *core, int engine, uint64_t pc)
{
    char text[32];
    run_pc(&core->program, engine, pc, text, sizeof text);
    return json_string(text);
}

/* "pc" counts from the engine's first word, "addr" is the device address. */
static void set_place(json_t *object, const struct run_core *core, int engine, uint64_t pc)
{
    json_object_set_new(object, "engine", json_string(trn_engine_name(engine)));
    json_object_set_new(object, "pc", pc_json(core, engine, pc));
    json_object_set_new(object, "addr", run_hex(pc));
}

static json_t *waits_json(const struct trn_engine_report *report)
{
    if (report->state == TRN_ENGINE_POSTING)
        return json_pack("{s:i, s:s}", "ring", report->full_ring, "mode", "full");
    return json_pack("{s:i, s:s, s:I, s:I}", report->wait_is_event ? "event" : "sem",
                     (int)report->wait_index, "mode", report->wait_mode, "want",
                     (json_int_t)report->wait_want, "value", (json_int_t)report->wait_value);
}

static json_t *engines_json(const struct run_core *core)
{
    json_t *engines = json_object();
    for (size_t i = 0; i < core->program.num_queues; i++) {
        const int e = core->program.queues[i].engine;
        const struct trn_engine_report *report = &core->report.engines[e];
        json_t *engine = json_object();
        json_object_set_new(engine, "retired", json_integer((json_int_t)report->retired));
        json_object_set_new(engine, "state", json_string(trn_engine_state_name(report->state)));
        json_object_set_new(engine, "pc", pc_json(core, e, report->pc));
        json_object_set_new(engine, "addr", run_hex(report->pc));
        if (report->state == TRN_ENGINE_WAITING || report->state == TRN_ENGINE_POSTING)
            json_object_set_new(engine, "waits", waits_json(report));
        if (report->severity)
            json_object_set_new(engine, "error_word", run_hex(report->error_word));
        json_object_set_new(engines, trn_engine_name(e), engine);
    }
    return engines;
}

static json_t *notifications_json(const struct run_core *core)
{
    static const char *const kinds[] = {"INST_START", "INST_END", "EXPLICIT", "TPB_ERROR"};
    json_t *list = json_array();
    for (size_t i = 0; i < core->report.num_notifications; i++) {
        const struct trn_notification *note = &core->report.notifications[i];
        json_t *object = json_pack("{s:I, s:s}", "index", (json_int_t)i, "type", kinds[note->kind]);
        json_t *fields = json_pack("{s:i}", "debug_hint", note->debug_hint);
        if (note->kind == TRN_NOTIFY_EXPLICIT) {
            json_object_set_new(fields, "soft_reset_counter",
                                json_integer(note->soft_reset_counter));
            json_object_set_new(fields, "debug_hint_extended",
                                json_integer(note->debug_hint_extended));
        } else if (note->kind == TRN_NOTIFY_ERROR) {
            json_object_set_new(fields, "code", json_integer(note->code));
            json_object_set_new(fields, "info", json_integer(note->info));
        }
        set_place(object, core, note->engine, note->pc);
        json_object_set_new(object, "fields", fields);
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *faults_json(const struct run_core *core)
{
    json_t *list = json_array();
    for (size_t i = 0; i < core->report.num_faults; i++) {
        const struct trn_fault_report *fault = &core->report.faults[i];
        json_t *object = json_object();
        char where[256], message[1024];
        run_fault_message(&core->program, fault, where, sizeof where, message, sizeof message);
        set_place(object, core, fault->engine, fault->pc);
        json_object_set_new(object, "class", json_string(fault->klass));
        json_object_set_new(object, "rule", json_string(fault->rule));
        json_object_set_new(object, "message", json_string(message));
        json_object_set_new(object, "where", json_string(where));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *deadlock_json(const struct run_core *core)
{
    json_t *list = json_array();
    for (int e = 0; e < TRN_ENGINES; e++) {
        const struct trn_engine_report *report = &core->report.engines[e];
        if (report->state != TRN_ENGINE_WAITING && report->state != TRN_ENGINE_POSTING)
            continue;
        json_t *object = json_object();
        set_place(object, core, e, report->pc);
        json_object_set_new(object, "waits", waits_json(report));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *limit_json(const struct run_core *core)
{
    json_t *loops = json_array();
    for (int e = 0; e < TRN_ENGINES; e++) {
        const struct trn_engine_report *report = &core->report.engines[e];
        if (report->state != TRN_ENGINE_RUNNING || report->loop_count == 0)
            continue;
        json_t *object = json_object();
        set_place(object, core, e, report->pc);
        json_object_set_new(object, "first", pc_json(core, e, report->loop_first));
        json_object_set_new(object, "last", pc_json(core, e, report->loop_last));
        json_object_set_new(object, "count", json_integer((json_int_t)report->loop_count));
        json_array_append_new(loops, object);
    }
    return json_pack("{s:I, s:I, s:o}", "words", (json_int_t)core->limit, "bytes",
                     (json_int_t)core->options->device.byte_limit, "loops", loops);
}

static json_t *choices_json(const struct run_core *core)
{
    json_t *list = json_array();
    for (int c = 0; c < TRN_CHOICE_COUNT; c++) {
        const struct trn_choice_row *row = &trn_choice_table[c];
        if (core->report.choices[c])
            json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:I}", "id", row->id, "sheet",
                                                  row->sheet, "what", row->what, "count",
                                                  (json_int_t)core->report.choices[c]));
    }
    return list;
}

static json_t *warnings_json(const struct run_core *core)
{
    json_t *list = json_array();
    for (int w = 0; w < TRN_WARNINGS; w++)
        if (core->report.warnings[w])
            json_array_append_new(list, json_pack("{s:s, s:I}", "kind",
                                                  trn_warning_name((enum trn_warning)w), "count",
                                                  (json_int_t)core->report.warnings[w]));
    return list;
}

static json_t *findings_json(const struct run_core *core)
{
    json_t *list = json_array();
    for (size_t i = 0; i < core->report.num_findings; i++)
        json_array_append_new(list, run_finding_json(core, &core->report.findings[i]));
    for (size_t i = 0; i < core->num_dump_findings; i++) {
        const struct run_dump_finding *found = &core->dump_findings[i];
        json_array_append_new(list, json_pack("{s:s, s:s, s:I, s:I, s:n, s:n, s:s}", "kind",
                                              "uninit", "space", trn_space_name(found->dump->space),
                                              "partition", (json_int_t)found->partition, "byte",
                                              (json_int_t)found->byte, "engine", "pc", "message",
                                              "dump of bytes nobody wrote"));
    }
    return list;
}

static json_t *occupancy_of(const struct run_core *core, enum trn_space space, uint32_t partitions)
{
    json_t *list = json_array();
    for (uint32_t p = 0; p < partitions; p++) {
        struct trn_occupancy use;
        if (trn_device_occupancy(core->device, space, p, &use) != TRN_OK || use.bytes_written == 0)
            continue;
        json_t *object = json_pack("{s:I, s:I}", "partition", (json_int_t)p, "bytes_written",
                                   (json_int_t)use.bytes_written);
        json_t *writer = json_object();
        if (use.last_engine >= 0)
            set_place(writer, core, use.last_engine, use.last_pc);
        else
            json_object_set_new(writer, "engine", json_string("host"));
        json_object_set_new(object, "last_writer", writer);
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *dumps_json(const struct run_core *core)
{
    json_t *list = json_array();
    for (size_t i = 0; core->dumped && i < core->options->num_dumps; i++) {
        const struct run_array *dump = &core->options->dumps[i];
        json_t *shape = json_array();
        for (size_t d = 0; d < dump->num_dims; d++)
            json_array_append_new(shape, json_integer((json_int_t)dump->shape[d]));
        json_t *object =
            json_pack("{s:s, s:s, s:s, s:o}", "file", dump->file, "space",
                      trn_space_name(dump->space), "dtype", dump->dtype_name, "shape", shape);
        json_object_set_new(object, "addr", run_hex(dump->addr));
        if (dump->by_dma)
            json_object_set_new(object, "dma", json_true());
        json_array_append_new(list, object);
    }
    return list;
}

json_t *run_to_json(const struct run_core *core)
{
    json_t *run = json_pack("{s:s, s:s, s:s}", "schema", "trench.run/1", "gen", core->gen->name,
                            "status", run_core_status(core));
    json_object_set_new(run, "engines", engines_json(core));
    json_object_set_new(run, "notifications", notifications_json(core));
    json_object_set_new(run, "faults", faults_json(core));
    json_object_set_new(run, "reports", run_reports_json(core));
    json_object_set_new(run, "numeric", run_numeric_json(core));
    json_object_set_new(run, "warnings", warnings_json(core));
    json_object_set_new(run, "model_choices", choices_json(core));
    json_object_set_new(run, "findings", findings_json(core));
    json_object_set_new(run, "occupancy",
                        json_pack("{s:o, s:o}", "sbuf",
                                  occupancy_of(core, TRN_SPACE_SBUF, core->gen->sbuf_partitions),
                                  "psum",
                                  occupancy_of(core, TRN_SPACE_PSUM, core->gen->psum_partitions)));
    json_object_set_new(run, "dumps", dumps_json(core));
    run_rings_json(core, run);
    json_object_set_new(run, "dma", run_dma_json(core));
    run_dge_lines_json(core, run);
    json_t *deadlock = deadlock_json(core);
    if (json_array_size(deadlock) > 0)
        json_object_set(run, "deadlock", deadlock);
    json_decref(deadlock);
    if (core->report.status == TRN_RUN_LIMIT)
        json_object_set_new(run, "limit", limit_json(core));
    if (core->options->timing)
        json_object_set_new(run, "timing", run_timing_json(core));
    if (core->trace)
        json_object_set(run, "trace", core->trace);
    return run;
}
