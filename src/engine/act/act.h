/* SPDX-License-Identifier: Apache-2.0 */
/* What the activation words of one core keep: the tables in device memory, the accumulators, the
 * sets that the host registered (docs/hardware/activation.md 3.5, 7, 8). */
#ifndef TRN_ENGINE_ACT_ACT_H
#define TRN_ENGINE_ACT_ACT_H

#include "act/eval.h"
#include "act/formula.h"
#include "engine/vector/vector.h"

/* Bytes of the local storage of each table; the tables themselves are at the start of it. */
enum {
    TRN_ACT_CAM_ROOM = 0x20000,
    TRN_ACT_PROFILE_ROOM = 0x20000,
    TRN_ACT_CONTROL_ROOM = 0x10000,
    TRN_ACT_BUCKET_ROOM = 0x80000,
    TRN_ACT_MAX_SETS = 256, /* act_tbl_sel is a byte */
    TRN_ACT_READY = 8,      /* functions kept ready */
};

/* Device memory: the bus writes here, the engine reads from here. */
struct trn_act_store {
    uint64_t writes; /* counts writes of the bus: what was made ready before is void */
    uint8_t cam[TRN_ACT_CAM_ROOM];
    uint8_t profile[TRN_ACT_PROFILE_ROOM];
    uint8_t control[TRN_ACT_CONTROL_ROOM];
    uint8_t bucket[TRN_ACT_BUCKET_ROOM];
};

/* A function as the tables were when it was first asked for. */
struct trn_act_ready {
    bool valid;
    uint8_t opcode, func_id;
    uint64_t writes;
    struct trn_act_specials specials;
    struct trn_act_function function;
    struct trn_act_formula formula; /* act.mode = exact */
};

/* Bytes of the four tables of a registered set, one after the other. */
struct trn_act_set_bytes;

struct trn_act_state {
    float accumulator[TRN_LANES];
    struct trn_act_set_bytes *sets[TRN_ACT_MAX_SETS];
    unsigned num_sets;
    unsigned resident;    /* the registered set that was selected last */
    bool negzero_is_zero; /* choice act.negzero_is_zero */
    bool exact;           /* choice act.mode = exact */
    bool strict;          /* choice act.strict */
    /* The eight special-value registers in the core's register file, zero_val first; NULL: as after
     * reset. */
    const uint32_t *registers;
    struct trn_act_ready ready[TRN_ACT_READY];
    struct trn_act_store store;
};

/* Accumulators 0, nothing ready. Tables and registered sets are memory: they stay. */
void trn_act_reset(struct trn_act_state *act);
/* Forget the registered sets. */
void trn_act_close(struct trn_act_state *act);

/* The tables of the store, in the layout of the generation. */
struct trn_act_tables trn_act_store_tables(const struct trn_act_state *act,
                                           const struct trn_gen *gen);

/* Copy the set to the end of the list that 0x23 selects from. TRN_ERR_TOO_LARGE past 256,
 * TRN_ERR_NO_MEMORY. */
trn_status trn_act_register(struct trn_act_state *act, const struct trn_act_tables *set);
/* Make a registered set resident. */
void trn_act_select(struct trn_act_state *act, unsigned index);
/* The first registered set that has a slot for the function; num_sets when none has. */
unsigned trn_act_set_with(const struct trn_act_state *act, const struct trn_gen *gen,
                          uint8_t opcode, uint8_t func_id);
/* Functions of the set that was selected last, or of the first; none when nobody named them. */
const struct trn_act_member *trn_act_resident_members(const struct trn_act_state *act,
                                                      size_t *count);

#endif
