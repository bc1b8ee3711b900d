/* SPDX-License-Identifier: Apache-2.0 */
/* Opcodes: who executes them, what their words hold, which rules they keep. */
#include <string.h>

#include "base/bytes.h"
#include "gen/gen_rows.h"
#include "isa/lookup.h"
#include "manual/entry.h"
#include "manual/rows.h"
#include "trench/isa.h"

static uint32_t opcode_rows(void)
{
    return 256;
}

static void opcode_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    (void)part;
    if (!trn_opcode_table[row].name)
        return;
    spell(out, "%s", trn_opcode_table[row].name);
    spell(out, "%s", trn_opcode_table[row].mnemonic);
}

static bool opcode_number(uint32_t row, uint32_t part, uint64_t *value)
{
    (void)part;
    *value = row;
    return true;
}

static unsigned opcode_generations(uint32_t row, uint32_t part)
{
    (void)part;
    return generations_of_isa(trn_opcode_table[row].isa_mask);
}

static const char *exec_text(enum trn_exec_kind exec)
{
    switch (exec) {
    case TRN_EXEC_NONE:
        return "missing specification: the layout is not known";
    case TRN_EXEC_LAYOUT:
        return "missing specification: what the word does is not known";
    case TRN_EXEC_FULL:
        return "complete";
    case TRN_EXEC_SUB:
        return "depends on byte 12";
    case TRN_EXEC_HOST:
        return "lowered by the host before load";
    case TRN_EXEC_NEVER:
        return "never legal";
    }
    return "";
}

enum which_engines { LEGAL, EXECUTED, NOT_YET };

static bool is_listed(const struct page *page, const struct trn_gen *gen, int engine,
                      uint8_t opcode, enum which_engines which)
{
    if (!trn_bits_get(trn_opcode_table[opcode].engines[gen->isa], (unsigned)engine, 1))
        return false;
    return which == LEGAL || page_modelled(page)(gen, engine, opcode) == (which == EXECUTED);
}

static const char *engine_list(struct page *page, const struct trn_gen *gen, uint8_t opcode,
                               enum which_engines which)
{
    const char *list = "";
    for (int e = 0; trn_engine_name(e); e++)
        if (is_listed(page, gen, e, opcode, which))
            list = page_list_add(page, list, trn_engine_name(e));
    return list;
}

static const char *model_status(struct page *page, const struct trn_gen *gen, uint8_t opcode)
{
    const enum trn_exec_kind exec = trn_opcode_table[opcode].exec;
    if (!page_modelled(page) || (exec != TRN_EXEC_FULL && exec != TRN_EXEC_SUB))
        return exec_text(exec);
    if (trn_opcode_table[opcode].engines[gen->isa] == 0)
        return "no engine of this generation";
    const char *yes = engine_list(page, gen, opcode, EXECUTED);
    const char *no = engine_list(page, gen, opcode, NOT_YET);
    if (*no == '\0')
        return "executed";
    return *yes ? page_format(page, "executed on %s; not modelled yet on %s", yes, no)
                : "not modelled yet";
}

static void opcode_engines(struct page *page, uint8_t opcode)
{
    static const struct trn_manual_column columns[] = {
        {"generation", TRN_MANUAL_COLUMN_PLAIN},
        {"engines", TRN_MANUAL_COLUMN_PLAIN},
        {"model", TRN_MANUAL_COLUMN_PLAIN},
    };
    PAGE_TABLE(page, "engines", columns);
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        if (!trn_bits_get(opcode_generations(opcode, 0), g, 1) || !page_wants(page, g))
            continue;
        const struct trn_gen *gen = &trn_gen_table[g];
        const struct trn_manual_value cells[] = {value_text(gen->name),
                                                 value_list(engine_list(page, gen, opcode, LEGAL)),
                                                 value_text(model_status(page, gen, opcode))};
        page_row(page, cells);
    }
}

static const char *presence_word(char code)
{
    return code == '1' ? "named" : code == 'u' ? "unnamed" : code == 'i' ? "inferred" : NULL;
}

/* "cayman:named maverick:inferred": where a handler is present, and how that is known. */
static const char *presence_text(struct page *page, const char *presence)
{
    const char *text = "";
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        const char *word = presence_word(presence[g]);
        if (word && page_wants(page, g))
            text =
                page_list_add(page, text, page_format(page, "%s:%s", trn_gen_table[g].name, word));
    }
    return text;
}

static void opcode_handlers(struct page *page, uint8_t opcode)
{
    static const struct trn_manual_column columns[] = {
        {"engine", TRN_MANUAL_COLUMN_PLAIN},     {"handler", TRN_MANUAL_COLUMN_PLAIN},
        {"confidence", TRN_MANUAL_COLUMN_PLAIN}, {"presence", TRN_MANUAL_COLUMN_DETAIL},
        {"notes", TRN_MANUAL_COLUMN_PLAIN},
    };
    PAGE_TABLE(page, "firmware_handlers", columns);
    for (size_t i = 0; i < trn_num_handlers; i++) {
        const struct trn_handler_row *row = &trn_handler_table[i];
        if (!row->num_opcodes || !memchr(row->opcodes, opcode, row->num_opcodes))
            continue;
        const char *presence = presence_text(page, row->presence);
        const struct trn_manual_value cells[] = {value_text(row->engine), value_text(row->name),
                                                 value_text(row->confidence), value_list(presence),
                                                 value_text(row->notes)};
        if (*presence)
            page_row(page, cells);
    }
}

/* The struct that the page shows: none where the generation has no layout for the opcode. */
static unsigned shown_struct(const struct page *page, uint8_t opcode)
{
    const struct trn_gen *gen = page_gen(page);
    return gen ? trn_opcode_layout(opcode, gen->isa) : trn_opcode_table[opcode].struct_id;
}

static void opcode_page(struct page *page, uint32_t number, uint32_t part)
{
    (void)part;
    const uint8_t opcode = (uint8_t)number;
    const struct trn_opcode_row *row = &trn_opcode_table[opcode];
    const unsigned struct_id = shown_struct(page, opcode);
    page_title(page, row->name, row->meaning);
    page_fact(page, "opcode", value_hex(opcode, 2));
    page_text(page, "mnemonic", row->mnemonic);
    page_text(page, "struct", row->struct_name);
    page_list(page, "generations", generation_list(page, opcode_generations(opcode, 0)));
    page_text(page, "specification", exec_text(row->exec));
    if (!row->host && row->exec != TRN_EXEC_NEVER)
        page_fact(page, "maintained", value_bool(row->maintained));
    page_text(page, "confidence", row->confidence);
    page_text(page, "struct_confidence", row->struct_confidence);
    page_text(page, "engine_confidence", row->engine_confidence);
    page_text(page, "meaning_confidence", row->meaning_confidence);
    page_common_rules(page, struct_id, row->isa_mask);
    opcode_engines(page, opcode);
    if (struct_id != TRN_STRUCT_NONE)
        page_layout(page, &trn_struct_table[struct_id], trn_struct_table[struct_id].num_common);
    page_rules(page, opcode, 0, row->isa_mask);
    opcode_handlers(page, opcode);
    page_kernels(page, opcode);
    page_calls(page, "api", opcode);
}

const struct entry_kind entry_opcode = {
    .name = "opcode",
    .rows = opcode_rows,
    .spell = opcode_spell,
    .number = opcode_number,
    .generations = opcode_generations,
    .page = opcode_page,
};
