/* SPDX-License-Identifier: Apache-2.0 */
/* Rows that tablegen makes of fw-tokens.csv, handlers.csv, kernel-info.csv, fw-legs.csv and
 * decode-cam.csv (tools/tablegen/emit_fw_data.py). */
#ifndef TRN_FW_DATA_ROWS_H
#define TRN_FW_DATA_ROWS_H

#include "trench/fw_data.h"

#define TRN_FW_NO_ADDRESS UINT32_MAX

enum trn_fw_match { TRN_FW_MATCH_WORD, TRN_FW_MATCH_NOCASE, TRN_FW_MATCH_TEXT };

struct trn_fw_token {
    const char *text;
    enum trn_fw_token_set set;
    enum trn_fw_match match;
    const char *note;
};

struct trn_fw_roster {
    int engine;
    unsigned gens; /* bit i: generation i */
    const char *handler;
};

struct trn_fw_kernel_row {
    unsigned gen, library, index, opcode, spec;
    uint32_t func_va; /* TRN_FW_NO_ADDRESS: not recorded */
    const char *kernel, *confidence;
};

struct trn_fw_leg {
    unsigned opcode, spec;
    int library; /* -1: no library has it */
    int engine;
    const char *leg, *condition, *note, *confidence;
};

struct trn_fw_prof_slot {
    uint32_t opcode, mask;
};

struct trn_fw_prof_set {
    unsigned gens, engines; /* bit masks */
    size_t first, count;    /* of trn_fw_prof_slots, the wildcard included */
    uint32_t class_word;
    const char *confidence;
};

struct trn_fw_management_row {
    unsigned arch_id;
    const char *image;
};

struct trn_fw_slot_row {
    const char *core_type;
    unsigned gen;
    enum trn_fw_class core;
    int engine;
    unsigned num_flavors;
    unsigned flavors[8];
    bool has_prof;
    unsigned num_libraries;
};

extern const struct trn_fw_token trn_fw_tokens[];
extern const struct trn_fw_roster trn_fw_rosters[];
extern const struct trn_fw_kernel_row trn_fw_kernel_rows[];
extern const struct trn_fw_leg trn_fw_legs[];
extern const struct trn_fw_prof_slot trn_fw_prof_slots[];
extern const struct trn_fw_prof_set trn_fw_prof_sets[];
extern const struct trn_fw_slot_row trn_fw_slot_rows[];
extern const struct trn_fw_management_row trn_fw_management_rows[];
extern const size_t trn_num_fw_management_rows;
extern const size_t trn_num_fw_tokens, trn_num_fw_rosters, trn_num_fw_kernel_rows, trn_num_fw_legs,
    trn_num_fw_prof_slots, trn_num_fw_prof_sets, trn_num_fw_slot_rows;

/* Number of a generation, as in the rows' masks. */
unsigned trn_fw_gen_number(const struct trn_gen *gen);

#endif
