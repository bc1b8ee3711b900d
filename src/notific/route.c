/* SPDX-License-Identifier: Apache-2.0 */
#include "notific/route.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "gen/device_rows.h"
#include "gen/regmap.h"

enum { ENGINES = 5, Q7_CORES = 8 };

/* ---- queues ------------------------------------------------------------------------------- */

/* Fields are named after the engine and the class: "pool_explicit". */
static const char *const engine_names[ENGINES] = {"pe", "act", "pool", "dve", "sp"};

static struct trn_notific_route find(const struct trn_gen *gen, const char *block,
                                     const char *field)
{
    const size_t length = strlen(block);
    for (size_t i = 0; i < trn_num_routings; i++) {
        const struct trn_routing_row *row = &trn_routing_table[i];
        if (strncmp(row->register_path, block, length) != 0 || row->register_path[length] != '.' ||
            strcmp(row->name, field) != 0)
            continue;
        const struct trn_reg_row *reg = trn_reg_find(gen, row->register_path, NULL);
        if (reg)
            return (struct trn_notific_route){trn_reg_offset(reg, 0, 0), row->low, row->bits, true};
    }
    return (struct trn_notific_route){0};
}

void trn_notific_router_init(struct trn_notific_router *router, const struct trn_gen *gen,
                             bool topsp)
{
    static const char *const classes[TRN_ROUTE_CLASSES_OF_ENGINE] = {"nx", "explicit", "engine"};
    static const char *const others[] = {"events_semaphores", "errors", "ham_periodic",
                                         "ham_throttle"};
    const char *const block = topsp ? "top_sp_ram" : "tpb";
    char name[32];
    for (int engine = 0; engine < ENGINES; engine++) {
        for (unsigned c = 0; c < TRN_ROUTE_CLASSES_OF_ENGINE; c++) {
            snprintf(name, sizeof name, "%s_%s", engine_names[engine], classes[c]);
            router->to[trn_route_of_engine(engine, (enum trn_notific_class)c)] =
                find(gen, block, name);
        }
        snprintf(name, sizeof name, "%s_instr_queue_idx", engine_names[engine]);
        router->from_instruction[engine] = find(gen, block, name);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        router->to[TRN_ROUTE_EVENTS + i] = find(gen, block, others[i]);
    for (unsigned core = 0; core < Q7_CORES; core++) {
        snprintf(name, sizeof name, "q7_%u", core);
        router->to[TRN_ROUTE_Q7_0 + core] = find(gen, block, name);
    }
}

unsigned trn_notific_route(const struct trn_notific_router *router, unsigned route,
                           uint32_t (*read)(void *context, uint32_t offset), void *context)
{
    const struct trn_notific_route *const to = &router->to[route];
    return route < TRN_ROUTES && to->exists
               ? (unsigned)trn_bits_get(read(context, to->offset), to->low, to->bits)
               : 0;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

unsigned trn_notific_engine_input(int engine, bool datapath)
{
    static const uint8_t inputs[ENGINES][2] = {{TRN_INPUT_PE_0, TRN_INPUT_PE_1},
                                               {TRN_INPUT_ACT_0, TRN_INPUT_ACT_1},
                                               {TRN_INPUT_POOL_0, TRN_INPUT_POOL_1},
                                               {TRN_INPUT_DVE_0, TRN_INPUT_DVE_1},
                                               {TRN_INPUT_SP, TRN_INPUT_SP}};
    return inputs[engine][datapath];
}

/* The nine classes come in the order of the error ids. */
unsigned trn_notific_error_input(enum trn_error_id id)
{
    return TRN_INPUT_ERROR_FP_UNDERFLOW + (unsigned)id;
}

unsigned trn_notific_sequencer_input(int engine, bool fatal)
{
    static const uint8_t inputs[ENGINES] = {
        TRN_INPUT_ERROR_PE_SEQUENCER_NONFATAL, TRN_INPUT_ERROR_ACT_SEQUENCER_NONFATAL,
        TRN_INPUT_ERROR_POOL_SEQUENCER_NONFATAL, TRN_INPUT_ERROR_DVE_SEQUENCER_NONFATAL,
        TRN_INPUT_ERROR_SP_SEQUENCER_NONFATAL};
    return inputs[engine] + (unsigned)fatal;
}

/* ---- interrupts
 * ---------------------------------------------------------------------------------- */

int trn_notific_trigger(enum trn_notific_output output, unsigned n)
{
    char name[48];
    if (output < TRN_NOTIFIC_INTERRUPTS)
        snprintf(name, sizeof name, "tpb_notific_intr_%u", (unsigned)output);
    else
        snprintf(name, sizeof name, "notify_error_wr_buffer_%s_%u",
                 output == TRN_NOTIFIC_BUFFER_DROP ? "drop" : "full", n);
    for (size_t i = 0; i < trn_num_triggers; i++)
        if (strcmp(trn_trigger_table[i].name, name) == 0)
            return trn_trigger_table[i].trigger;
    return -1;
}
