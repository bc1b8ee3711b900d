/* SPDX-License-Identifier: Apache-2.0 */
/* What became of a word, as text and as JSON (docs/cli-contract.md, "dge"). */
#include <string.h>

#include "cli/cli.h"
#include "cli/dge.h"
#include "cli/word_json.h"

static const char *const side_names[TRN_DGE_SIDES] = {"src", "dst"};

static json_t *address(uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "0x%llx", (unsigned long long)value);
    return json_string(text);
}

static json_t *bounds(const struct trn_dge_outcome *o)
{
    json_t *list = json_array();
    for (unsigned side = 0; side < TRN_DGE_SIDES; side++) {
        const struct trn_dge_bound *const b = &o->bound[side];
        if (b->present)
            json_array_append_new(list, json_pack("{s:s, s:b, s:b, s:o, s:o, s:b}", "side",
                                                  side_names[side], "index", b->index, "enabled",
                                                  b->enabled, "addr", address(b->value), "limit",
                                                  address(b->limit), "pass", b->pass));
    }
    return list;
}

static json_t *reports(const struct trn_dge_outcome *o)
{
    json_t *list = json_array();
    for (unsigned side = 0; side < TRN_DGE_SIDES; side++) {
        const struct trn_dge_report *const r = &o->report[side];
        if (r->failed)
            json_array_append_new(
                list, json_pack("{s:s, s:s, s:I, s:I, s:I, s:o, s:o, s:b, s:b}", "side",
                                side_names[side], "kind", r->by_index ? "index" : "address",
                                "count", (json_int_t)r->count, "position", (json_int_t)r->position,
                                "index", (json_int_t)r->index, "addr", address(r->address), "limit",
                                address(r->limit), "hard", r->hard, "dispatched", r->dispatched));
    }
    return list;
}

static json_t *descriptors(const struct dge_build *build)
{
    json_t *list = json_array();
    for (size_t i = 0; i < build->num_lines; i++) {
        const struct trn_dge_descriptor *const d = &build->lines[i].descriptor;
        json_array_append_new(
            list,
            json_pack("{s:s, s:o, s:o, s:I, s:o, s:i, s:i, s:b}", "ring", d->write ? "s2m" : "m2s",
                      "src", address(d->src), "dst", address(d->dst), "bytes", (json_int_t)d->bytes,
                      "raw", cli_hex_string(build->lines[i].raw, TRN_DGE_DESC_BYTES), "dma", d->dma,
                      "queue", d->queue, "semaphore", d->semaphore));
    }
    return list;
}

static json_t *record(const struct trn_record *r)
{
    uint8_t raw[TRN_RECORD_BYTES];
    return trn_record_encode(r, raw, NULL) == TRN_OK ? cli_hex_string(raw, sizeof raw)
                                                     : json_null();
}

static json_t *violations(const struct trn_dge_outcome *o)
{
    json_t *list = json_array();
    for (size_t i = 0; i < o->num_violations; i++)
        json_array_append_new(list, json_string(o->violations[i].rule));
    return list;
}

void dge_print_json(const struct dge_build *build)
{
    const struct trn_dge_outcome *const o = &build->outcome;
    json_t *all = json_array();
    for (size_t i = 0; i < o->num_records; i++)
        json_array_append_new(all, record(&o->records[i]));
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:{s:b, s:b, s:b}, s:o, s:o, s:o}", "schema",
        "trench.dge/1", "gen", build->gen->name, "engine", trn_engine_name(build->engine),
        "outcome", trn_dge_result_name(o->result), "reason", o->reason, "backend",
        trn_dge_backend_name(o->backend), "descriptors", descriptors(build), "bounds", bounds(o),
        "reports", reports(o), "gates", "feature_flag", o->gates.feature_flag, "suppressed",
        o->gates.suppressed, "policy", o->gates.policy, "record",
        o->num_records ? record(&o->records[0]) : json_null(), "records", all, "violations",
        violations(o));
    json_object_set_new(object, "elements", json_integer((json_int_t)o->elements));
    json_object_set_new(object, "skipped", json_integer((json_int_t)o->skipped));
    json_object_set_new(object, "bytes", json_integer((json_int_t)o->bytes));
    json_object_set_new(object, "packets", json_integer((json_int_t)o->packets));
    json_object_set_new(object, "batches", json_integer((json_int_t)o->batches));
    json_object_set_new(object, "credits", json_integer((json_int_t)o->credits));
    json_object_set_new(object, "credit_waits", json_integer((json_int_t)o->credit_waits));
    json_object_set_new(
        object, "semaphore",
        o->posted ? json_pack("{s:i, s:i}", "number", o->semaphore, "increment", o->increment)
                  : json_null());
    if (build->log)
        json_object_set_new(object, "log", json_string(build->log));
    cli_print_json(object);
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_sides(const struct trn_dge_outcome *o)
{
    for (unsigned side = 0; side < TRN_DGE_SIDES; side++) {
        const struct trn_dge_bound *const b = &o->bound[side];
        if (b->present && b->enabled)
            printf("bound     %s %s 0x%llx <= 0x%llx %s\n", side_names[side],
                   b->index ? "index" : "address", (unsigned long long)b->value,
                   (unsigned long long)b->limit, b->pass ? "holds" : "fails");
    }
}

static void print_records(const struct dge_build *build)
{
    for (size_t i = 0; i < build->outcome.num_records; i++) {
        char text[TRN_RECORD_TEXT_MAX];
        trn_record_text(build->gen, &build->outcome.records[i], text);
        printf("record    %s\n", text);
    }
}

static void print_descriptors(const struct dge_build *build)
{
    for (size_t i = 0; i < build->num_lines; i++) {
        const struct trn_dge_descriptor *const d = &build->lines[i].descriptor;
        printf("%s       0x%-14llx %6u bytes  ", d->write ? "s2m" : "m2s",
               (unsigned long long)(d->write ? d->dst : d->src), (unsigned)d->bytes);
        for (unsigned k = 0; k < TRN_DGE_DESC_BYTES; k++)
            printf("%02x", build->lines[i].raw[k]);
        printf("  dma %u queue %u%s\n", d->dma, d->queue, d->semaphore ? "  semaphore" : "");
    }
}

void dge_print_text(const struct dge_build *build)
{
    const struct trn_dge_outcome *const o = &build->outcome;
    printf("outcome   %s%s%s\n", trn_dge_result_name(o->result), *o->reason ? ": " : "", o->reason);
    for (size_t i = 0; i < o->num_violations; i++)
        printf("violates  %s: %s; %s\n", o->violations[i].rule, o->violations[i].message,
               o->violations[i].detail);
    if (o->backend != TRN_DGE_NONE)
        printf("backend   %s\n", trn_dge_backend_name(o->backend));
    print_sides(o);
    if (o->result == TRN_DGE_EMITTED || o->result == TRN_DGE_SKIPPED_OOB)
        printf(
            "moves     %llu bytes, %llu of %llu elements skipped, %llu packets in %llu batches\n",
            (unsigned long long)o->bytes, (unsigned long long)o->skipped,
            (unsigned long long)o->elements, (unsigned long long)o->packets,
            (unsigned long long)o->batches);
    if (o->credit_waits)
        printf("credits   %u descriptors a ring, waited for %llu times\n", (unsigned)o->credits,
               (unsigned long long)o->credit_waits);
    if (o->result == TRN_DGE_SKIPPED_OOB)
        printf("gates     feature flag %d, suppressed %d, policy %d\n", o->gates.feature_flag,
               o->gates.suppressed, o->gates.policy);
    print_descriptors(build);
    if (o->posted)
        printf("posts     semaphore %u += %u\n", o->semaphore, o->increment);
    print_records(build);
    if (build->log)
        fputs(build->log, stdout);
}
