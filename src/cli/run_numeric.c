/* SPDX-License-Identifier: Apache-2.0 */
/* Numeric events of the data path, each kind once: how often, where first and last, what the host
 * makes of it (docs/hardware/error-handling.md 8). Records carry the unit; the model knows the
 * words. */
#include <inttypes.h>

#include "cli/run.h"
#include "trench/notify.h"

/* The record that each of the words posts. */
static struct trn_record record_of(const struct trn_numeric_report *report)
{
    return (struct trn_record){
        .type = TRN_RECORD_TPB_ERROR,
        .form = TRN_FORM_TPB_ERROR,
        .body.tpb_error = {.error_id = report->error_id, .metadata_lo = report->sources}};
}

static json_t *sources_json(uint16_t sources)
{
    static const char *const names[TRN_FP_SOURCES] = {"psum", "act", "pool", "dve", "pe"};
    json_t *list = json_array();
    for (unsigned unit = 0; unit < TRN_FP_SOURCES; unit++)
        if (sources >> unit & 1)
            json_array_append_new(list, json_string(names[unit]));
    return list;
}

static json_t *numeric_json(const struct run_core *core, const struct trn_numeric_report *report)
{
    const struct trn_record record = record_of(report);
    const struct trn_record_host host = trn_record_host(&record);
    char first[32], last[32];
    run_pc(&core->program, report->engine, report->first_pc, first, sizeof first);
    run_pc(&core->program, report->engine, report->last_pc, last, sizeof last);
    json_t *object = json_pack("{s:s, s:s, s:I, s:s, s:s, s:i}", "error",
                               trn_error_name("error_id", report->error_id), "engine",
                               trn_engine_name(report->engine), "count", (json_int_t)report->count,
                               "first_pc", first, "last_pc", last, "status", (int)host.status);
    json_object_set_new(object, "sources", sources_json(report->sources));
    return object;
}

json_t *run_numeric_json(const struct run_core *core)
{
    json_t *list = json_array();
    for (size_t i = 0; i < core->report.num_numeric; i++)
        json_array_append_new(list, numeric_json(core, &core->report.numeric[i]));
    return list;
}

static void print_numeric(const struct run_core *core, const struct trn_numeric_report *report)
{
    const struct trn_record record = record_of(report);
    const char *const engine = trn_engine_name(report->engine);
    char text[TRN_RECORD_TEXT_MAX], first[32], last[32];
    trn_record_text(core->gen, &record, text);
    run_pc(&core->program, report->engine, report->first_pc, first, sizeof first);
    run_pc(&core->program, report->engine, report->last_pc, last, sizeof last);
    printf("  %s, %" PRIu64 " time%s", text, report->count, report->count == 1 ? "" : "s");
    if (report->first_pc == report->last_pc)
        printf(", at %s:%s\n", engine, first);
    else
        printf(", first at %s:%s, last at %s:%s\n", engine, first, engine, last);
}

void run_numeric_text(const struct run_core *core)
{
    for (size_t i = 0; i < core->report.num_numeric; i++)
        print_numeric(core, &core->report.numeric[i]);
}
