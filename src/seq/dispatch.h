/* SPDX-License-Identifier: Apache-2.0 */
/* From an opcode to what executes it, as each generation's sequencers do it: base subtraction in
 * segments with literal compares (Sunda, SP), equality chains and indexed tables (later)
 * (docs/hardware/sequencer.md 6; rows of data/dispatch.csv). The forms find the same handlers: a
 * test holds every opcode of every engine and generation against the engines column. */
#ifndef TRN_SEQ_DISPATCH_H
#define TRN_SEQ_DISPATCH_H

#include "engine/exec.h"

enum trn_dispatch_form {
    TRN_DISPATCH_SEGMENT, /* opcode - first below the count: its slot; else the next part */
    TRN_DISPATCH_LITERAL, /* one equality compare */
    TRN_DISPATCH_CHAIN,   /* an equality compare for each real opcode of first..last */
    TRN_DISPATCH_TABLE    /* opcode - first within the bound: its slot, which may be the default */
};

struct trn_dispatch_row {
    uint8_t isa_mask, engine;
    uint8_t form; /* enum trn_dispatch_form */
    uint8_t first, last;
    const char *confidence;
};

extern const struct trn_dispatch_row trn_dispatch_rows[];
extern const size_t trn_num_dispatch_rows;

struct trn_seq;

/* Effect of a control word: changes the sequencer, returns TRN_OK or a fault. */
typedef trn_status (*trn_control)(struct trn_seq *seq, const uint8_t *word);

/* Handler of a control opcode, NULL when the sequencer does not execute it itself (control.c). */
trn_control trn_control_handler(uint8_t opcode);

enum trn_slot_kind {
    TRN_SLOT_BAD,          /* the default entry: bad opcode */
    TRN_SLOT_CONTROL,      /* the sequencer executes it */
    TRN_SLOT_ENGINE,       /* the data path executes it */
    TRN_SLOT_NOT_MODELLED, /* specified, no handler in this version */
    TRN_SLOT_DISABLED,     /* exec column never: its header switches it off */
    TRN_SLOT_NO_LAYOUT,    /* exec column none */
    TRN_SLOT_NO_SEMANTICS  /* exec column layout */
};

struct trn_slot {
    enum trn_slot_kind kind;
    bool follows; /* ENGINE: as struct trn_engine_op says */
    union {
        trn_control control;
        trn_handler engine;
    };
};

enum { TRN_DISPATCH_PARTS = 12, TRN_DISPATCH_SLOTS = 512 };

struct trn_dispatch {
    struct trn_dispatch_part {
        const struct trn_dispatch_row *row;
        uint16_t begin; /* of its slots */
    } parts[TRN_DISPATCH_PARTS];
    size_t num_parts;
    struct trn_slot slots[TRN_DISPATCH_SLOTS];
};

/* Fill the tables of one engine; an engine without an image finds nothing. */
void trn_dispatch_build(struct trn_dispatch *dispatch, const struct trn_gen *gen, int engine);

/* Never NULL: the default entry for an opcode that no part knows. */
const struct trn_slot *trn_dispatch_find(const struct trn_dispatch *dispatch, uint8_t opcode);

/* What executes the opcode on the engine by opcodes.csv alone. */
struct trn_slot trn_slot_of(const struct trn_gen *gen, int engine, uint8_t opcode);

#endif
