/* SPDX-License-Identifier: Apache-2.0 */
/* What the checks of a run found, as a sentence and as JSON. */
#include <inttypes.h>

#include "cli/run.h"

const char *run_finding_kind(const struct trn_finding_report *found)
{
    return found->kind == TRN_FINDING_RACE ? "race" : "uninit";
}

/* The side of a race that it is reported at: a word where there is one. */
static const struct trn_access_report *side_of(const struct trn_finding_report *found, int side)
{
    const bool swap = found->access[0].by == TRN_BY_DMA && found->access[1].by != TRN_BY_DMA;
    return &found->access[swap ? 1 - side : side];
}

static const char *verb(const struct trn_access_report *access)
{
    return access->write ? "writes" : "reads";
}

/* "dve 0x40 (prog.tasm:12)" */
static void name_side(const struct run_core *core, const struct trn_access_report *access,
                      char *out, size_t size)
{
    char pc[32], where[256];
    if (access->by == TRN_BY_DMA) {
        snprintf(out, size, "a descriptor of dma%d", access->engine);
        return;
    }
    run_pc(&core->program, access->engine, access->pc, pc, sizeof pc);
    run_where(&core->program, access->engine, access->pc, where, sizeof where);
    snprintf(out, size, "%s%s %s%s%s%s", access->by == TRN_BY_TRANSFER ? "the transfer of " : "",
             trn_engine_name(access->engine), pc, *where ? " (" : "", where, *where ? ")" : "");
}

void run_finding_message(const struct run_core *core, const struct trn_finding_report *found,
                         char *out, size_t size)
{
    char place[96], other[320];
    snprintf(place, sizeof place, "%s partition %" PRIu32 " byte %" PRIu64,
             trn_space_name(found->space), found->partition, found->byte);
    if (found->kind == TRN_FINDING_UNINIT) {
        snprintf(out, size, "reads %s, which nobody wrote", place);
        return;
    }
    const struct trn_access_report *a = side_of(found, 0), *b = side_of(found, 1);
    name_side(core, b, other, sizeof other);
    snprintf(out, size,
             "%s%s %s, which %s %s, and no semaphore or event orders them: let one post when "
             "it is done%s and the other wait for that",
             a->by == TRN_BY_TRANSFER ? "its transfer " : "", verb(a), place, other, verb(b),
             a->by == TRN_BY_TRANSFER || b->by == TRN_BY_TRANSFER
                 ? " (a transfer by its own semaphore)"
                 : "");
}

void run_finding_place(const struct trn_finding_report *found, int *engine, uint64_t *pc)
{
    *engine = found->engine;
    *pc = found->pc;
    if (found->kind != TRN_FINDING_RACE)
        return;
    const struct trn_access_report *a = side_of(found, 0);
    *engine = a->by == TRN_BY_DMA ? -1 : a->engine;
    *pc = a->pc;
}

static json_t *side_json(const struct run_core *core, const struct trn_access_report *access)
{
    static const char *const by[] = {"word", "transfer", "dma"};
    json_t *side = json_object();
    char text[32];
    if (access->by == TRN_BY_DMA) {
        snprintf(text, sizeof text, "dma%d", access->engine);
        json_object_set_new(side, "engine", json_string(text));
        json_object_set_new(side, "pc", json_null());
        json_object_set_new(side, "addr", json_null());
    } else {
        run_pc(&core->program, access->engine, access->pc, text, sizeof text);
        json_object_set_new(side, "engine", json_string(trn_engine_name(access->engine)));
        json_object_set_new(side, "pc", json_string(text));
        json_object_set_new(side, "addr", run_hex(access->pc));
    }
    json_object_set_new(side, "by", json_string(by[access->by]));
    json_object_set_new(side, "access", json_string(access->write ? "write" : "read"));
    return side;
}

json_t *run_finding_json(const struct run_core *core, const struct trn_finding_report *found)
{
    char message[1024];
    json_t *object = json_pack("{s:s, s:s, s:I, s:I}", "kind", run_finding_kind(found), "space",
                               trn_space_name(found->space), "partition",
                               (json_int_t)found->partition, "byte", (json_int_t)found->byte);
    if (found->kind == TRN_FINDING_UNINIT) {
        char pc[32];
        run_pc(&core->program, found->engine, found->pc, pc, sizeof pc);
        json_object_set_new(object, "message", json_string("read of bytes nobody wrote"));
        json_object_set_new(object, "engine", json_string(trn_engine_name(found->engine)));
        json_object_set_new(object, "pc", json_string(pc));
        json_object_set_new(object, "addr", run_hex(found->pc));
        return object;
    }
    run_finding_message(core, found, message, sizeof message);
    json_object_set_new(object, "message", json_string(message));
    json_t *first = side_json(core, side_of(found, 0));
    json_object_update(object, first);
    json_decref(first);
    json_object_set_new(object, "other", side_json(core, side_of(found, 1)));
    return object;
}
