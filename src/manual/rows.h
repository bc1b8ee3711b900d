/* SPDX-License-Identifier: Apache-2.0 */
/* Rows that only the manual reads: firmware handlers, activation functions, public calls, and which
 * opcodes and structs a rule covers. */
#ifndef TRN_MANUAL_ROWS_H
#define TRN_MANUAL_ROWS_H

#include "isa/tables.h"
#include "trench/gen.h"

/* handlers.csv: what one image of firmware says about its opcodes */
struct trn_handler_row {
    const char *engine; /* "PE" .. "SP", "ANY" */
    const char *name, *group;
    const char *presence; /* one character a generation: 1 named, u unnamed, i inferred, 0 absent */
    const uint8_t *opcodes;
    uint8_t num_opcodes;
    const char *notes, *confidence;
};

/* act_functions.csv */
struct trn_act_function_row {
    const char *name, *table_name;
    const char *id; /* function number, may be empty */
    const char *klass, *symmetry, *formula, *input_range, *note;
    const char *recipe, *sets; /* of the toolkit's own tables; may be empty */
};

/* act_profile_fields.csv, act-entry-fields.csv */
struct trn_profile_field_row {
    const char *entry; /* profile, cam, control, bucket */
    const char *name;
    uint16_t low, bits;
    const char *meaning, *sunda, *cayman_plus, *confidence;
};

/* act_sets.csv */
struct trn_act_set_row {
    const char *target, *name;
    const char *place, *heroes, *functions; /* heroes: the functions with tables of their own */
    const char *buckets, *words, *stride;   /* as published; may be empty */
    const char *here;                       /* what this project has of it */
};

/* act-tables.csv */
struct trn_act_table_row {
    const char *name;
    uint16_t entries, entry_bytes, used_bytes;
    const char *holds, *places, *sheet, *confidence;
};

/* act-rules.csv */
struct trn_act_rule_row {
    const char *name, *severity, *checked, *holds, *sheet, *confidence;
};

/* nki-crosswalk.csv */
struct trn_call_row {
    const char *kind, *name;
    const char *presence[4]; /* v2 .. v5 */
    const char *engines, *instructions, *opcodes, *structs;
    const char *dtype_limits, *shape_limits, *memory_limits, *semantics, *confidence;
};

/* topics.csv */
struct trn_topic_row {
    const char *name, *aliases, *summary;
    const char *see; /* names that the manual knows */
    const char *sheet, *page, *confidence;
};

/* What the scope of a rule covers: bit = opcode, bit = struct. */
enum { TRN_STRUCT_BYTES = (TRN_STRUCT_COUNT + 7) / 8 };

struct trn_rule_scope {
    const char *kind; /* "word", "field", "lib", "run" */
    bool everything;  /* `*`: every word, or every word but the structs that are not set */
    uint8_t opcodes[32];
    uint8_t structs[TRN_STRUCT_BYTES];
};

extern const struct trn_handler_row trn_handler_table[];
extern const size_t trn_num_handlers;
extern const struct trn_act_function_row trn_act_function_table[];
extern const size_t trn_num_act_functions;
extern const struct trn_profile_field_row trn_profile_field_table[];
extern const size_t trn_num_profile_fields;
extern const struct trn_act_set_row trn_act_set_table[];
extern const size_t trn_num_act_set_rows;
extern const struct trn_act_table_row trn_act_table_table[];
extern const size_t trn_num_act_table_rows;
extern const struct trn_act_rule_row trn_act_rule_table[];
extern const size_t trn_num_act_rules;
extern const struct trn_call_row trn_call_table[];
extern const size_t trn_num_calls;
extern const struct trn_topic_row trn_topic_table[];
extern const size_t trn_num_topics;
extern const struct trn_rule_scope trn_rule_scope_table[TRN_RULE_COUNT];

#endif
