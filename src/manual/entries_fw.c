/* SPDX-License-Identifier: Apache-2.0 */
/* Data of firmware images: kernels of the EXTISA libraries, opcodes that hardware decode arms, the
 * host's core types. */
#include "manual/entry.h"
#include "manual/fw_rows.h"
#include "trench/isa.h"

static const char *gen_name(unsigned number)
{
    return trn_gen_at(number)->name;
}

/* ---- kernels ---------------------------------------------------------------------- */

static uint32_t kernel_rows(void)
{
    return (uint32_t)trn_num_kernel_pages;
}

/* "cayman.extisa_3.0xe4", "cayman.extisa_0.0xf0/2", and the kernel's own name. */
static void kernel_spell(uint32_t number, uint32_t part, struct spellings *out)
{
    const struct trn_kernel_page_row *const row = &trn_kernel_page_table[number];
    (void)part;
    if (row->spec)
        spell(out, "%s.extisa_%u.0x%02x/%u", gen_name(row->gen), row->library, row->opcode,
              row->spec);
    else
        spell(out, "%s.extisa_%u.0x%02x", gen_name(row->gen), row->library, row->opcode);
    spell(out, "%s", row->symbol);
}

static unsigned kernel_generations(uint32_t number, uint32_t part)
{
    (void)part;
    return 1U << trn_kernel_page_table[number].gen;
}

static void kernel_page(struct page *page, uint32_t number, uint32_t part)
{
    const struct trn_kernel_page_row *const row = &trn_kernel_page_table[number];
    struct spellings names = {.count = 0};
    kernel_spell(number, part, &names);
    page_title(page, page_format(page, "%s", names.name[0]), row->kernel);
    page_fact(page, "opcode", value_hex(row->opcode, 2));
    page_text(page, "name", trn_opcode_name((uint8_t)row->opcode));
    page_fact(page, "spec", value_number(row->spec));
    page_text(page, "key", page_format(page, "0x%02x%02x0000", row->opcode, row->spec));
    page_text(page, "generation", gen_name(row->gen));
    page_text(page, "library", page_format(page, "EXTISA_%u", row->library));
    page_fact(page, "index", value_number(row->index));
    page_text(page, "function", *row->function ? row->function : "not recorded");
    page_text(page, "confidence", row->confidence);
    page_text(page, "sheet", "firmware-images.md 13.3");
}

const struct entry_kind entry_fw_kernel = {
    .name = "kernel",
    .rows = kernel_rows,
    .spell = kernel_spell,
    .generations = kernel_generations,
    .page = kernel_page,
};

void page_kernels(struct page *page, unsigned opcode)
{
    static const struct trn_manual_column columns[] = {
        {"generation", TRN_MANUAL_COLUMN_PLAIN}, {"library", TRN_MANUAL_COLUMN_PLAIN},
        {"index", TRN_MANUAL_COLUMN_PLAIN},      {"spec", TRN_MANUAL_COLUMN_PLAIN},
        {"function", TRN_MANUAL_COLUMN_PLAIN},   {"kernel", TRN_MANUAL_COLUMN_PLAIN},
    };
    bool started = false;
    for (size_t i = 0; i < trn_num_kernel_pages; i++) {
        const struct trn_kernel_page_row *const row = &trn_kernel_page_table[i];
        if (row->opcode != opcode || !page_wants(page, row->gen))
            continue;
        if (!started)
            PAGE_TABLE(page, "kernels", columns);
        started = true;
        const struct trn_manual_value cells[] = {
            value_text(gen_name(row->gen)),
            value_text(page_format(page, "EXTISA_%u", row->library)),
            value_number(row->index),
            value_number(row->spec),
            value_text(*row->function ? row->function : "-"),
            value_text(row->kernel)};
        page_row(page, cells);
    }
}

/* ---- hardware decode -------------------------------------------------------------- */

static uint32_t set_rows(void)
{
    return (uint32_t)trn_num_decode_sets;
}

static void set_spell(uint32_t number, uint32_t part, struct spellings *out)
{
    (void)part;
    spell(out, "%s", trn_decode_set_table[number].name);
}

static unsigned set_generations(uint32_t number, uint32_t part)
{
    (void)part;
    return trn_decode_set_table[number].gens;
}

static void set_page(struct page *page, uint32_t number, uint32_t part)
{
    const struct trn_decode_set_row *const row = &trn_decode_set_table[number];
    (void)part;
    page_title(page, row->name, row->meaning);
    page_list(page, "generations", generation_list(page, row->gens));
    page_text(page, "engines", row->engines);
    page_fact(page, "armed", value_number(row->armed));
    page_text(page, "opcodes", row->opcodes);
    page_text(page, "class_word", row->class_word);
    page_text(page, "confidence", row->confidence);
    page_text(page, "class_confidence", row->class_confidence);
    page_text(page, "sheet", row->sheet);
}

const struct entry_kind entry_fw_decode_set = {
    .name = "decode_set",
    .rows = set_rows,
    .spell = set_spell,
    .generations = set_generations,
    .page = set_page,
};

/* ---- core types ------------------------------------------------------------------- */

static uint32_t core_rows(void)
{
    return (uint32_t)trn_num_core_types;
}

static void core_spell(uint32_t number, uint32_t part, struct spellings *out)
{
    (void)part;
    spell(out, "coretype.%s.%s", gen_name(trn_core_type_table[number].gen),
          trn_core_type_table[number].name);
    spell(out, "coretype.%u", trn_core_type_table[number].number);
}

static unsigned core_generations(uint32_t number, uint32_t part)
{
    (void)part;
    return 1U << trn_core_type_table[number].gen;
}

static void core_page(struct page *page, uint32_t number, uint32_t part)
{
    const struct trn_core_type_row *const row = &trn_core_type_table[number];
    (void)part;
    page_title(page, page_format(page, "coretype.%s.%s", gen_name(row->gen), row->name),
               "row of the host's core-type table: which firmware image a core takes");
    page_fact(page, "coretype", value_number(row->number));
    page_text(page, "images_of", row->images);
    page_text(page, "flavors", *row->flavors ? row->flavors : "none: removed");
    page_fact(page, "decode_table", value_bool(row->has_prof));
    page_fact(page, "libraries", value_number(row->libraries));
    page_text(page, "confidence", row->confidence);
    page_text(page, "sheet", row->sheet);
}

const struct entry_kind entry_fw_core_type = {
    .name = "core_type",
    .rows = core_rows,
    .spell = core_spell,
    .generations = core_generations,
    .page = core_page,
};
