/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/lookup.h"

#include "isa_fields.h"
#include "trench/isa.h"

_Static_assert(TRN_STRUCT_COUNT <= 256, "trn_opcode_struct keeps a struct in a byte");

static const char *const engine_names[] = {"pe", "act", "pool", "dve", "sp"};

enum { NUM_ENGINES = sizeof engine_names / sizeof engine_names[0] };

const char *trn_engine_name(int engine)
{
    return engine >= 0 && engine < NUM_ENGINES ? engine_names[engine] : NULL;
}

int trn_engine_find(const char *name)
{
    for (int i = 0; i < NUM_ENGINES; i++)
        if (strcmp(engine_names[i], name) == 0)
            return i;
    return -1;
}

bool trn_opcode_on_engine(const struct trn_gen *gen, int engine, uint8_t opcode)
{
    const struct trn_opcode_row *row = &trn_opcode_table[opcode];
    const bool exists = row->isa_mask >> gen->isa & 1;
    return exists && engine >= 0 && engine < NUM_ENGINES && row->engines[gen->isa] >> engine & 1;
}

const char *trn_opcode_name(uint8_t opcode)
{
    return trn_opcode_table[opcode].name;
}

enum trn_struct_id trn_opcode_layout(uint8_t opcode, unsigned isa)
{
    return (enum trn_struct_id)trn_opcode_struct[isa][opcode];
}

enum trn_struct_id trn_word_struct(const uint8_t word[TRN_WORD_BYTES], unsigned isa)
{
    const enum trn_struct_id id = trn_opcode_layout(trn_common_opcode(word, isa), isa);
    if (id != TRN_STRUCT_EXTENDED)
        return id;
    const uint8_t arm = trn_extended_struct[trn_extended_extended_opcode(word, isa)];
    const bool exists = arm && trn_bits_get(trn_struct_table[arm].isa_mask, isa, 1);
    return exists ? (enum trn_struct_id)arm : id;
}

int trn_opcode_find(const char *name, size_t length)
{
    const uint32_t hash = trn_name_hash(name, length);
    uint32_t probe = 0;
    for (int i; (i = trn_name_next(&trn_opcode_names, hash, &probe)) >= 0;)
        if (trn_name_is(trn_opcode_table[i].mnemonic, name, length) ||
            trn_name_is(trn_opcode_table[i].name, name, length))
            return i;
    return -1;
}

const struct trn_field_row *trn_field_find(enum trn_struct_id id, const char *name, size_t length)
{
    const struct trn_struct_row *row = &trn_struct_table[id];
    const uint32_t hash = trn_name_hash(name, length);
    uint32_t probe = 0;
    for (int i; (i = trn_name_next(&row->names, hash, &probe)) >= 0;)
        if (trn_name_is(row->fields[i].short_name, name, length) ||
            trn_name_is(row->fields[i].name, name, length))
            return &row->fields[i];
    return NULL;
}

static const struct trn_enum_member *on_isa(const struct trn_enum_member *member, unsigned isa)
{
    return trn_bits_get(member->isa_mask, isa, 1) ? member : NULL;
}

const struct trn_enum_member *trn_enum_by_value(enum trn_enum_id id, uint32_t value, unsigned isa)
{
    const struct trn_enum_row *row = &trn_enum_table[id];
    if (value >= row->value_limit || row->by_value[value] == 0)
        return NULL;
    return on_isa(&row->members[row->by_value[value] - 1], isa);
}

const struct trn_enum_member *trn_enum_by_name(enum trn_enum_id id, const char *name, size_t length,
                                               unsigned isa)
{
    const struct trn_enum_row *row = &trn_enum_table[id];
    if (row->num_members == 0)
        return NULL;
    const uint32_t hash = trn_name_hash(name, length);
    uint32_t probe = 0;
    for (int i; (i = trn_name_next(&row->names, hash, &probe)) >= 0;)
        if (trn_name_is(row->members[i].text, name, length) ||
            trn_name_is(row->members[i].name, name, length))
            return on_isa(&row->members[i], isa);
    return NULL;
}

enum trn_enum_id trn_enum_find(const char *name)
{
    for (int i = TRN_ENUM_NONE + 1; i < TRN_ENUM_COUNT; i++)
        if (trn_name_is(trn_enum_table[i].name, name, strlen(name)))
            return (enum trn_enum_id)i;
    return TRN_ENUM_NONE;
}

enum trn_struct_id trn_struct_find(const char *name)
{
    for (int i = TRN_STRUCT_NONE + 1; i < TRN_STRUCT_COUNT; i++)
        if (trn_name_is(trn_struct_table[i].name, name, strlen(name)))
            return (enum trn_struct_id)i;
    return TRN_STRUCT_NONE;
}

int trn_rule_find(const char *name)
{
    for (int i = 0; i < TRN_RULE_COUNT; i++)
        if (trn_name_is(trn_rule_table[i].name, name, strlen(name)))
            return i;
    return -1;
}

const struct trn_struct_row *trn_composite_find(const char *name)
{
    for (size_t i = 0; i < trn_num_composites; i++)
        if (trn_name_is(trn_composite_table[i].name, name, strlen(name)))
            return &trn_composite_table[i];
    return NULL;
}
