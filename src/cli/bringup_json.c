/* SPDX-License-Identifier: Apache-2.0 */
/* What crossed the bus as JSON lines, the last one of schema trench.bringup/1
 * (docs/cli-contract.md). */
#include "cli/bringup.h"
#include "cli/bus_place.h"
#include "cli/run.h"

static const char *op_name(const struct bus_event *event)
{
    return event->rmw && event->op == BUS_WRITE32 ? "rmw32" : bus_op_name(event->op);
}

static json_t *owner_json(const struct trn_hal_where *where)
{
    if (where->topsp >= 0)
        return json_string("topsp");
    return json_string(where->engine >= 0 ? trn_engine_name(where->engine) : "core");
}

static json_t *fields_json(const struct bus_event *event, const struct bus_place *place)
{
    const uint32_t mask = event->rmw ? event->mask : UINT32_MAX;
    json_t *fields = json_object();
    struct trn_map_field field;
    for (unsigned i = 0; bus_place_field(place, mask, i, &field); i++)
        json_object_set_new(fields, field.name,
                            json_integer(trn_map_field_value(&field, event->value)));
    return fields;
}

static void set_access(json_t *line, const struct bringup *bringup, const struct bus_event *event)
{
    struct bus_place place;
    bus_place_of(bringup->options->gen, event->offset, &place);
    json_object_set_new(line, "space", json_string(place.space));
    json_object_set_new(line, "offset", run_hex(place.offset));
    json_object_set_new(line, "addr", run_hex(event->offset + bringup->options->bar0));
    if (event->op == BUS_READ32 || event->op == BUS_WRITE32) {
        json_object_set_new(line, "value", run_hex(event->value));
        json_object_set_new(line, "fields", fields_json(event, &place));
    } else {
        char text[SHA256_TEXT];
        sha256_text(event->sha256, text);
        json_object_set_new(line, "sha256", json_string(text));
    }
    json_object_set_new(line, "size", json_integer((json_int_t)event->size));
    json_object_set_new(line, "name", json_string(place.name));
    if (event->rmw)
        json_object_set_new(line, "mask", run_hex(event->mask));
    if (event->status != TRN_OK)
        json_object_set_new(line, "refused", json_string(trn_status_name(event->status)));
}

static void print_line(const struct bringup *bringup, const struct bus_event *event, size_t seq)
{
    const struct trn_hal_where *where = &event->where;
    json_t *line =
        json_pack("{s:I, s:o, s:s, s:s}", "seq", (json_int_t)seq, "engine", owner_json(where),
                  "step", trn_hal_step_name(where->step), "op", op_name(event));
    if (where->topsp >= 0)
        json_object_set_new(line, "topsp", json_integer(where->topsp));
    else
        json_object_set_new(line, "core", json_integer(where->core));
    if (event->op == BUS_LOG) {
        json_object_set_new(line, "level", json_integer(event->level));
        json_object_set_new(line, "function", json_string(event->function));
        json_object_set_new(line, "text", json_string(event->text));
    } else {
        set_access(line, bringup, event);
    }
    cli_print_json(line);
}

static json_t *engines_json(const struct bringup_core *core)
{
    json_t *engines = json_object();
    for (int e = 0; e < TRN_HAL_ENGINES; e++)
        json_object_set_new(engines, trn_engine_name(e),
                            json_string(bringup_state_name(core->engines[e])));
    return engines;
}

static json_t *cores_json(const struct bringup *bringup)
{
    json_t *list = json_array();
    for (unsigned n = 0; n < bringup->num_cores; n++)
        json_array_append_new(
            list, json_pack("{s:i, s:i, s:o}", "core", (int)bringup->cores[n].core, "status",
                            bringup->cores[n].status, "engines", engines_json(&bringup->cores[n])));
    return list;
}

static json_t *topsps_json(const struct bringup *bringup)
{
    json_t *list = json_array();
    for (unsigned k = 0; k < bringup->options->topsps.count; k++)
        json_array_append_new(list, json_pack("{s:i, s:s}", "topsp",
                                              (int)(bringup->options->topsps.first + k), "state",
                                              bringup_state_name(bringup->topsp_states[k])));
    return list;
}

void bringup_print_json(const struct bringup *bringup)
{
    const struct bus_recorder *recorder = &bringup->recorder;
    size_t seq = 0;
    for (size_t i = 0; i < recorder->num_events; i++) {
        const struct bus_event *event = &recorder->events[i];
        if (!(event->op == BUS_READ32 && event->rmw)) /* the write says both */
            print_line(bringup, event, seq++);
    }
    cli_print_json(json_pack("{s:s, s:s, s:i, s:o, s:o, s:o}", "schema", "trench.bringup/1", "gen",
                             bringup->options->gen->name, "status", bringup->status, "engines",
                             engines_json(&bringup->cores[0]), "cores", cores_json(bringup),
                             "topsps", topsps_json(bringup)));
}
