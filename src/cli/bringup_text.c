/* SPDX-License-Identifier: Apache-2.0 */
/* What crossed the bus, for people: one operation a line under the step it belongs to. */
#include <inttypes.h>
#include <string.h>

#include "cli/bringup.h"
#include "cli/bus_place.h"

static bool same_step(const struct trn_hal_where *a, const struct trn_hal_where *b)
{
    return a->core == b->core && a->engine == b->engine && a->topsp == b->topsp &&
           a->step == b->step;
}

/* "cayman core 0 act.regs_init", "cayman topsp2.regs_init". */
static void heading(const struct trn_gen *gen, const struct trn_hal_where *where, char *out,
                    size_t size)
{
    char owner[32], core[32] = "";
    bringup_owner(where, owner, sizeof owner);
    if (where->topsp < 0)
        snprintf(core, sizeof core, "core %u ", where->core);
    snprintf(out, size, "%s %s%s.%s", gen->name, core, owner, trn_hal_step_name(where->step));
}

static void print_heading(const struct bringup *bringup, const struct trn_hal_where *where)
{
    char text[128];
    heading(bringup->options->gen, where, text, sizeof text);
    puts(text);
}

/* A register of more fields is read more easily as one number. */
enum { SHOWN_FIELDS = 4 };

/* The fields by name, when there are few. */
static void print_fields(const struct bus_event *event, const struct bus_place *place)
{
    const uint32_t mask = event->rmw ? event->mask : UINT32_MAX;
    struct trn_map_field field;
    if (bus_place_field(place, mask, SHOWN_FIELDS, &field))
        return;
    for (unsigned i = 0; bus_place_field(place, mask, i, &field); i++)
        printf(" %s=%" PRIu32, field.name, trn_map_field_value(&field, event->value));
}

static void print_register(const struct bus_event *event, uint64_t address,
                           const struct bus_place *place)
{
    const char *op = event->rmw ? "RMW" : event->op == BUS_READ32 ? "R" : "W";
    char at[64];
    snprintf(at, sizeof at, "%s+0x%" PRIx64, place->space, place->offset);
    printf("  %-3s 0x%09" PRIx64 "  0x%08" PRIx32 "  %-18s %s", op, address, event->value, at,
           place->name);
    if (event->rmw)
        printf(" (bits of 0x%08" PRIx32 ")", event->mask);
    print_fields(event, place);
    putchar('\n');
}

static void print_block(const struct bus_event *event, uint64_t address,
                        const struct bus_place *place)
{
    char at[64];
    snprintf(at, sizeof at, "%s+0x%" PRIx64, place->space, place->offset);
    printf("  %-3s 0x%09" PRIx64 "  %7" PRIu64 " B   %-18s %s\n",
           event->op == BUS_READ_BLOCK ? "RB" : "B", address, event->size, at, place->name);
}

static void print_log(const struct bus_event *event)
{
    printf("  log %d %s: %s\n", event->level, event->function, event->text);
}

static void print_event(const struct bringup *bringup, const struct bus_event *event)
{
    struct bus_place place;
    if (event->op == BUS_LOG) {
        print_log(event);
        return;
    }
    if (event->op == BUS_READ32 && event->rmw)
        return; /* the write says both */
    const uint64_t address = event->offset + bringup->options->bar0;
    bus_place_of(bringup->options->gen, event->offset, &place);
    if (event->op == BUS_READ32 || event->op == BUS_WRITE32)
        print_register(event, address, &place);
    else
        print_block(event, address, &place);
    if (event->status != TRN_OK)
        printf("      refused: %s\n", trn_status_name(event->status));
}

/* ---- what came of it ------------------------------------------------------------------------ */

struct totals {
    size_t reads, writes, blocks;
    uint64_t block_bytes;
};

static struct totals count_totals(const struct bus_recorder *recorder)
{
    struct totals totals = {0};
    for (size_t i = 0; i < recorder->num_events; i++) {
        const struct bus_event *event = &recorder->events[i];
        totals.reads += event->op == BUS_READ32;
        totals.writes += event->op == BUS_WRITE32;
        totals.blocks += event->op == BUS_WRITE_BLOCK;
        totals.block_bytes += event->op == BUS_WRITE_BLOCK ? event->size : 0;
    }
    return totals;
}

static void print_states(const struct bringup *bringup)
{
    const struct bringup_options *options = bringup->options;
    for (unsigned n = 0; n < bringup->num_cores; n++) {
        printf("%s core %u:", options->gen->name, bringup->cores[n].core);
        for (int e = 0; e < TRN_HAL_ENGINES; e++)
            printf("%s %s %s", e ? "," : "", trn_engine_name(e),
                   bringup_state_name(bringup->cores[n].engines[e]));
        putchar('\n');
    }
    for (unsigned k = 0; k < options->topsps.count; k++)
        printf("%s topsp%u: %s\n", options->gen->name, options->topsps.first + k,
               bringup_state_name(bringup->topsp_states[k]));
}

void bringup_print_text(const struct bringup *bringup)
{
    const struct bus_recorder *recorder = &bringup->recorder;
    const struct trn_hal_where *last = NULL;
    for (size_t i = 0; i < recorder->num_events; i++) {
        const struct bus_event *event = &recorder->events[i];
        if (!last || !same_step(last, &event->where)) {
            fputs(last ? "\n" : "", stdout);
            print_heading(bringup, &event->where);
        }
        last = &event->where;
        print_event(bringup, event);
    }
    const struct totals totals = count_totals(recorder);
    printf("\n%zu reads, %zu writes, %zu blocks of %" PRIu64 " bytes in all\n", totals.reads,
           totals.writes, totals.blocks, totals.block_bytes);
    print_states(bringup);
}

/* ---- failures ----------------------------------------------------------------------------------
 */

/* The engine's last line of level 1, NULL: it said nothing. */
static const char *last_words(const struct bringup *bringup, unsigned core, int engine)
{
    const struct bus_recorder *recorder = &bringup->recorder;
    for (size_t i = recorder->num_events; i-- > 0;) {
        const struct bus_event *event = &recorder->events[i];
        if (event->op == BUS_LOG && event->level == 1 && event->where.topsp < 0 &&
            event->where.core == core && event->where.engine == engine)
            return event->text;
    }
    return NULL;
}

/* The first failure has the library's own words. */
static void print_first(const struct bringup *bringup, const struct bringup_core *core)
{
    const struct trn_hal_bringup_result *result = &core->result;
    struct trn_diag diag = result->diag;
    char where[sizeof diag.where];
    struct trn_hal_where at = {.core = core->core,
                               .engine = result->failed_engine,
                               .topsp = -1,
                               .step = result->failed_step};
    if (result->failed_engine < 0 && core->last.step == result->failed_step)
        at = core->last; /* a TopSP, or the core's own blocks: nothing was begun behind it */
    heading(bringup->options->gen, &at, where, sizeof where);
    memcpy(diag.where, where, sizeof where);
    cli_print_diag(&diag);
}

/* Engines that failed behind the first. Where that one is no engine there are none: the core's
 * blocks come before the engines, which are not tried behind a failure of theirs. */
static void print_others(const struct bringup *bringup, const struct bringup_core *core)
{
    for (int e = 0; e < TRN_HAL_ENGINES && core->result.failed_engine >= 0; e++) {
        const trn_status status = core->result.engines[e];
        if (status == TRN_OK || e == core->result.failed_engine)
            continue;
        const char *words = last_words(bringup, core->core, e);
        fprintf(stderr, "trench: %s core %u %s: error: %s (status %d)\n",
                bringup->options->gen->name, core->core, trn_engine_name(e),
                words ? words : trn_status_name(status), status);
    }
}

void bringup_print_failures(const struct bringup *bringup)
{
    for (unsigned n = 0; n < bringup->num_cores; n++) {
        const struct bringup_core *core = &bringup->cores[n];
        if (core->status == TRN_OK)
            continue;
        print_first(bringup, core);
        print_others(bringup, core);
    }
}
