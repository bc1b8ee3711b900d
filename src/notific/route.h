/* SPDX-License-Identifier: Apache-2.0 */
/* Which software queue and which input a record of a class takes (docs/hardware/notific.md 7; rows
 * of notific-routing.csv and notific-wr-buffers.csv). A route is the place of a field: its value is
 * read when the record is routed, never remembered. */
#ifndef TRN_NOTIFIC_ROUTE_H
#define TRN_NOTIFIC_ROUTE_H

#include "notific/notific.h"

/* Engine classes first, three for each engine in the order PE, ACT, POOL, DVE, SP. */
enum trn_notific_class {
    TRN_ROUTE_NX,       /* INST_START and INST_END made by the sequencer */
    TRN_ROUTE_EXPLICIT, /* NOTIFY words, DGE metadata */
    TRN_ROUTE_ENGINE,   /* INST_START and INST_END made by the datapath; SP has none */
    TRN_ROUTE_CLASSES_OF_ENGINE,
    TRN_ROUTE_EVENTS = 5 * TRN_ROUTE_CLASSES_OF_ENGINE, /* events and semaphores, AXI's too */
    TRN_ROUTE_ERRORS,                                   /* ERROR and TPB_ERROR */
    TRN_ROUTE_HAM_PERIODIC,
    TRN_ROUTE_HAM_THROTTLE,
    TRN_ROUTE_Q7_0,
    TRN_ROUTES = TRN_ROUTE_Q7_0 + 8
};

static inline unsigned trn_route_of_engine(int engine, enum trn_notific_class klass)
{
    return (unsigned)engine * TRN_ROUTE_CLASSES_OF_ENGINE + (unsigned)klass;
}

struct trn_notific_route {
    uint32_t offset; /* of the register in its block (tpb, or top_sp_ram of a TopSP) */
    uint8_t low, bits;
    bool exists; /* false: the generation has no such field */
};

struct trn_notific_router {
    struct trn_notific_route to[TRN_ROUTES];
    struct trn_notific_route from_instruction[5]; /* queue_idx_ctrl, by engine */
};

/* The fields of a core's register file, or of a TopSP's. */
void trn_notific_router_init(struct trn_notific_router *router, const struct trn_gen *gen,
                             bool topsp);

/* Queue of a class. `read` gives a register of the block that holds the fields. A class without a
 * field goes where a field after reset would send it, to queue 0. */
unsigned trn_notific_route(const struct trn_notific_router *router, unsigned route,
                           uint32_t (*read)(void *context, uint32_t offset), void *context);

/* Input of a core for records of an engine (PE 0, ACT 1, POOL 2, DVE 3, SP 4): its sequencer's, or
 * its datapath's. Which number is whose is a model choice. */
unsigned trn_notific_engine_input(int engine, bool datapath);
/* Input of a core for an error id below SEQUENCER_NONFATAL, and for a sequencer's error. */
unsigned trn_notific_error_input(enum trn_error_id id);
unsigned trn_notific_sequencer_input(int engine, bool fatal);

/* Trigger of a core (tpb-intc-triggers.csv) that an output drives; -1: none. */
int trn_notific_trigger(enum trn_notific_output output, unsigned n);

#endif
