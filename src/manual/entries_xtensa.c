/* SPDX-License-Identifier: Apache-2.0 */
/* Code of firmware images: instructions and bundle formats of Xtensa, boot heads, byte patterns,
 * dispatch flavours, the words of the boot handshake. */
#include <string.h>

#include "base/bytes.h"
#include "manual/entry.h"
#include "manual/xtensa_rows.h"

/* ---- instructions ----------------------------------------------------------------- */

static uint32_t insn_rows(void)
{
    return (uint32_t)trn_num_insn_pages;
}

/* "xtensa.add"; alone where the name cannot be an operator or word of the NeuronCore. */
static void insn_spell(uint32_t number, uint32_t part, struct spellings *out)
{
    static const char *const own[] = {"call",  "call_reg", "call_absent", "jump_reg",
                                      "entry", "return",   "const16",     "load_literal"};
    const struct trn_insn_page_row *const row = &trn_insn_page_table[number];
    bool is_own = strpbrk(row->name, ".0123456789") != NULL;
    (void)part;
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        is_own = is_own || strcmp(row->cls, own[i]) == 0;
    spell(out, "xtensa.%s", row->name);
    spell(out, "%s", is_own ? row->name : "");
}

static void insn_page(struct page *page, uint32_t number, uint32_t part)
{
    const struct trn_insn_page_row *const row = &trn_insn_page_table[number];
    (void)part;
    page_title(page, page_format(page, "xtensa.%s", row->name), row->meaning);
    page_fact(page, "bytes", value_number(row->size));
    page_fact(page, "mask", value_hex(row->mask, 2U * row->size));
    page_fact(page, "match", value_hex(row->match, 2U * row->size));
    page_text(page, "operands", row->operands);
    page_text(page, "class", row->cls);
    page_text(page, "counted_as", row->census);
    page_text(page, "sample", row->samples);
    page_text(page, "verified", row->verified);
    page_text(page, "confidence", row->confidence);
    page_text(page, "sheet", row->sheet);
}

const struct entry_kind entry_xtensa_insn = {
    .name = "xtensa_instruction",
    .rows = insn_rows,
    .spell = insn_spell,
    .page = insn_page,
};

/* ---- formats ---------------------------------------------------------------------- */

static uint32_t format_rows(void)
{
    return (uint32_t)trn_num_format_pages;
}

static void format_spell(uint32_t number, uint32_t part, struct spellings *out)
{
    (void)part;
    spell(out, "flix.%s", trn_format_page_table[number].name);
    spell(out, "xtensa.%s", trn_format_page_table[number].name);
}

static void format_page(struct page *page, uint32_t number, uint32_t part)
{
    const struct trn_format_page_row *const row = &trn_format_page_table[number];
    (void)part;
    page_title(page, page_format(page, "flix.%s", row->name),
               "format of an Xtensa instruction; slots of bundles are not decoded");
    page_fact(page, "mask", value_hex(row->mask, 8));
    page_fact(page, "match", value_hex(row->match, 8));
    page_fact(page, "bytes", value_number(row->size));
    page_fact(page, "slots", value_number(row->slots));
    page_text(page, "roles", row->roles);
    page_text(page, "confidence", row->confidence);
    page_text(page, "sheet", row->sheet);
}

const struct entry_kind entry_xtensa_format = {
    .name = "xtensa_format",
    .rows = format_rows,
    .spell = format_spell,
    .page = format_page,
};

/* ---- heads ------------------------------------------------------------------------ */

static uint32_t head_rows(void)
{
    return (uint32_t)trn_num_head_pages;
}

/* "head.cayman.NX"; the SP of MAVERICK, in SRAM, apart from its other engines. */
static void head_spell(uint32_t number, uint32_t part, struct spellings *out)
{
    const struct trn_head_page_row *const row = &trn_head_page_table[number];
    const char *const gen = trn_gen_at(row->gen)->name;
    const bool is_apart = strcmp(row->engines, "SP") == 0;
    (void)part;
    spell(out, "head.%s.%s%s", gen, row->core, is_apart ? ".SP" : "");
    spell(out, "boot.%s.%s%s", gen, row->core, is_apart ? ".SP" : "");
}

static unsigned head_generations(uint32_t number, uint32_t part)
{
    (void)part;
    return (unsigned)trn_bits_set(0, trn_head_page_table[number].gen, 1, 1);
}

static void head_page(struct page *page, uint32_t number, uint32_t part)
{
    const struct trn_head_page_row *const row = &trn_head_page_table[number];
    struct spellings names = {.count = 0};
    head_spell(number, part, &names);
    page_title(page, page_format(page, "%s", names.name[0]), "reset path of an image");
    page_text(page, "engines", row->engines);
    page_text(page, "residence", row->residence);
    page_text(page, "head", row->head);
    page_text(page, "primary", row->primary);
    page_text(page, "secondary", row->secondary);
    page_text(page, "trampoline",
              page_format(page, "const16 a0, %s; const16 a0, %s; jx a0", row->high, row->enter));
    page_text(page, "key",
              page_format(page, "(%s, %s, %s)", row->primary, row->enter, row->residence));
    page_text(page, "note", row->note);
    page_text(page, "confidence", row->confidence);
    page_text(page, "sheet", row->sheet);
}

const struct entry_kind entry_fw_head = {
    .name = "fw_head",
    .rows = head_rows,
    .spell = head_spell,
    .generations = head_generations,
    .page = head_page,
};

/* ---- patterns --------------------------------------------------------------------- */

static uint32_t pattern_rows(void)
{
    return (uint32_t)trn_num_pattern_pages;
}

static void pattern_spell(uint32_t number, uint32_t part, struct spellings *out)
{
    (void)part;
    spell(out, "pattern.%s", trn_pattern_page_table[number].name);
}

static void pattern_page(struct page *page, uint32_t number, uint32_t part)
{
    const struct trn_pattern_page_row *const row = &trn_pattern_page_table[number];
    (void)part;
    page_title(page, page_format(page, "pattern.%s", row->name), row->meaning);
    page_text(page, "bytes", row->bytes);
    page_text(page, "confidence", row->confidence);
    page_text(page, "sheet", row->sheet);
}

const struct entry_kind entry_fw_pattern = {
    .name = "fw_pattern",
    .rows = pattern_rows,
    .spell = pattern_spell,
    .page = pattern_page,
};

/* ---- dispatch flavours ------------------------------------------------------------ */

static uint32_t flavor_rows(void)
{
    return (uint32_t)trn_num_dispatch_pages;
}

static void flavor_spell(uint32_t number, uint32_t part, struct spellings *out)
{
    const char *const name = trn_dispatch_page_table[number].name;
    (void)part;
    spell(out, "dispatch.%s", name);
    spell(out, "%s",
          strncmp(name, "INDEXED", 7) == 0 || strcmp(name, "SEGMENTED") == 0 ? name : "");
}

static void flavor_page(struct page *page, uint32_t number, uint32_t part)
{
    const struct trn_dispatch_page_row *const row = &trn_dispatch_page_table[number];
    (void)part;
    page_title(page, page_format(page, "dispatch.%s", row->name),
               "how an image finds the handler of an opcode");
    page_text(page, "shape", row->shape);
    page_text(page, "bound", row->bound);
    page_text(page, "engines", row->engines);
    page_text(page, "recognised", row->rule);
    page_text(page, "confidence", row->confidence);
    page_text(page, "sheet", row->sheet);
}

const struct entry_kind entry_fw_dispatch = {
    .name = "fw_dispatch",
    .rows = flavor_rows,
    .spell = flavor_spell,
    .page = flavor_page,
};

/* ---- boot handshake --------------------------------------------------------------- */

static uint32_t handshake_rows(void)
{
    return (uint32_t)trn_num_handshake_pages;
}

static void handshake_spell(uint32_t number, uint32_t part, struct spellings *out)
{
    (void)part;
    spell(out, "boot.%s", trn_handshake_page_table[number].name);
    spell(out, "%s", trn_handshake_page_table[number].name);
}

/* 0 is every unset word: no search for it means this one. */
static bool handshake_number(uint32_t number, uint32_t part, uint64_t *value)
{
    (void)part;
    *value = trn_handshake_page_table[number].value;
    return *value != 0;
}

static void handshake_page(struct page *page, uint32_t number, uint32_t part)
{
    const struct trn_handshake_page_row *const row = &trn_handshake_page_table[number];
    (void)part;
    page_title(page, page_format(page, "boot.%s", row->name),
               "word 0 of a core's data memory in the boot handshake");
    page_fact(page, "value", value_hex(row->value, 8));
    page_text(page, "meaning", row->meaning);
    page_text(page, "confidence", row->confidence);
    page_text(page, "sheet", row->sheet);
}

const struct entry_kind entry_fw_handshake = {
    .name = "fw_handshake",
    .rows = handshake_rows,
    .spell = handshake_spell,
    .number = handshake_number,
    .page = handshake_page,
};
