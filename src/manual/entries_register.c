/* SPDX-License-Identifier: Apache-2.0 */
/* Register blocks, registers and apertures. */
#include <stdio.h>
#include <string.h>

#include "gen/device_rows.h"
#include "gen/gen_rows.h"
#include "gen/regmap.h"
#include "manual/entry.h"

static uint32_t register_rows(void)
{
    return (uint32_t)trn_num_regs;
}

static bool wants_mask(const struct page *page, unsigned gen_mask)
{
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        if (trn_bits_get(gen_mask, g, 1) && page_wants(page, g))
            return true;
    return false;
}

static const char *access_text(enum trn_reg_access access)
{
    static const char *const names[] = {"RW", "RO", "WO", "W0C", "W1C", "RC"};
    return names[access];
}

static const char *access_meaning(enum trn_reg_access access)
{
    static const char *const meanings[] = {"read and write",
                                           "read only",
                                           "write only, reads 0",
                                           "a bit written as 0 is cleared",
                                           "a bit written as 1 is cleared",
                                           "a read clears"};
    return meanings[access];
}

/* "0x10C + i*0x28, i 0..9"; "unknown" where no sheet gives the place. */
static const char *offset_text(struct page *page, const struct trn_reg_row *row)
{
    if (row->open)
        return "unknown";
    const char *text = page_format(page, "0x%X", row->offset);
    for (unsigned k = 0; k < row->num_indices; k++)
        text = page_format(page, "%s + %c*0x%X", text, (char)('i' + k), row->stride[k]);
    for (unsigned k = 0; k < row->num_indices; k++)
        text = page_format(page, "%s, %c %u..%u", text, (char)('i' + k), row->first[k],
                           row->first[k] + row->count[k] - 1);
    return text;
}

/* ---- blocks ----------------------------------------------------------------------- */

/* A block is listed at the first row that belongs to it. */
static void block_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    (void)part;
    for (uint32_t i = 0; i < row; i++)
        if (strcmp(trn_reg_table[i].block, trn_reg_table[row].block) == 0)
            return;
    spell(out, "%s", trn_reg_table[row].block);
}

static unsigned block_generations(uint32_t row, uint32_t part)
{
    (void)part;
    unsigned mask = 0;
    for (size_t i = 0; i < trn_num_regs; i++)
        if (strcmp(trn_reg_table[i].block, trn_reg_table[row].block) == 0)
            mask |= trn_reg_table[i].gen_mask;
    return mask;
}

static void block_page(struct page *page, uint32_t first, uint32_t part)
{
    (void)part;
    static const struct trn_manual_column columns[] = {
        {"offset", TRN_MANUAL_COLUMN_PLAIN},       {"register", TRN_MANUAL_COLUMN_PLAIN},
        {"access", TRN_MANUAL_COLUMN_PLAIN},       {"second_name", TRN_MANUAL_COLUMN_DETAIL},
        {"generations", TRN_MANUAL_COLUMN_DETAIL}, {"meaning", TRN_MANUAL_COLUMN_PLAIN},
    };
    const char *block = trn_reg_table[first].block;
    page_title(page, block, "block of registers");
    page_list(page, "generations", generation_list(page, block_generations(first, 0)));
    PAGE_TABLE(page, "registers", columns);
    for (size_t i = 0; i < trn_num_regs; i++) {
        const struct trn_reg_row *row = &trn_reg_table[i];
        if (strcmp(row->block, block) != 0 || !wants_mask(page, row->gen_mask))
            continue;
        const struct trn_manual_value cells[] = {value_text(offset_text(page, row)),
                                                 value_text(row->name),
                                                 value_text(access_text(row->access)),
                                                 value_text(row->alias),
                                                 value_list(generation_list(page, row->gen_mask)),
                                                 value_text(row->meaning)};
        page_row(page, cells);
    }
    page_places(page, block, NULL);
}

const struct entry_kind entry_block = {
    .name = "register_block",
    .rows = register_rows,
    .spell = block_spell,
    .generations = block_generations,
    .page = block_page,
};

/* ---- registers -------------------------------------------------------------------- */

static void register_spell(uint32_t number, uint32_t part, struct spellings *out)
{
    (void)part;
    const struct trn_reg_row *row = &trn_reg_table[number];
    spell(out, "%s", row->path);
    spell(out, "%s.%s", row->block, row->name);
    spell(out, "%s", row->path + strlen(row->block) + 1);
    spell(out, "%s", row->alias);
    if (*row->alias)
        spell(out, "%s.%s", row->block, row->alias);
}

/* Offsets below 0x100 are left to the kinds that count in bytes: every block has those. */
static bool register_number(uint32_t number, uint32_t part, uint64_t *value)
{
    (void)part;
    *value = trn_reg_table[number].offset;
    return !trn_reg_table[number].open && *value > 0xFF;
}

static unsigned register_generations(uint32_t number, uint32_t part)
{
    (void)part;
    return trn_reg_table[number].gen_mask;
}

static void register_bits(struct page *page, const struct trn_reg_row *row)
{
    static const struct trn_manual_column columns[] = {
        {"bits", TRN_MANUAL_COLUMN_PLAIN},
        {"field", TRN_MANUAL_COLUMN_PLAIN},
        {"reset", TRN_MANUAL_COLUMN_PLAIN},
        {"pulse", TRN_MANUAL_COLUMN_PLAIN},
    };
    PAGE_TABLE(page, "bit_fields", columns);
    for (unsigned i = 0; i < row->num_fields; i++) {
        const struct trn_reg_bits *bits = &row->fields[i];
        const struct trn_manual_value cells[] = {
            value_text(bits_text(page, bits->low, bits->bits)), value_text(bits->name),
            row->reset_known ? value_hex(trn_bits_get(row->reset, bits->low, bits->bits), 1)
                             : value_nothing(),
            value_bool(bits->pulse)};
        page_row(page, cells);
    }
}

static void register_routes(struct page *page, const struct trn_reg_row *row)
{
    static const struct trn_manual_column columns[] = {
        {"bits", TRN_MANUAL_COLUMN_PLAIN},
        {"route", TRN_MANUAL_COLUMN_PLAIN},
        {"generations", TRN_MANUAL_COLUMN_DETAIL},
        {"records", TRN_MANUAL_COLUMN_PLAIN},
    };
    PAGE_TABLE(page, "notification_routes", columns);
    for (size_t i = 0; i < trn_num_routings; i++) {
        const struct trn_routing_row *route = &trn_routing_table[i];
        if (strcmp(route->register_path, row->path) != 0)
            continue;
        const struct trn_manual_value cells[] = {
            value_text(bits_text(page, route->low, route->bits)), value_text(route->name),
            value_text(route->generations), value_text(route->meaning)};
        page_row(page, cells);
    }
}

static void register_page(struct page *page, uint32_t number, uint32_t part)
{
    (void)part;
    const struct trn_reg_row *row = &trn_reg_table[number];
    page_title(page, page_format(page, "%s.%s", row->block, row->name), row->meaning);
    page_text(page, "block", row->block);
    page_text(page, "second_name", row->alias);
    page_text(page, "offset", offset_text(page, row));
    page_fact(page, "width", value_number(row->width));
    page_text(page, "access", access_text(row->access));
    page_text(page, "access_meaning", access_meaning(row->access));
    if (row->reset_known)
        page_fact(page, "reset", value_hex(row->reset, 1));
    page_list(page, "generations", generation_list(page, row->gen_mask));
    page_text(page, "confidence", row->confidence);
    register_bits(page, row);
    register_routes(page, row);
    if (!row->open)
        page_places(page, row->block, row);
}

const struct entry_kind entry_register = {
    .name = "register",
    .rows = register_rows,
    .spell = register_spell,
    .number = register_number,
    .generations = register_generations,
    .page = register_page,
};

/* ---- apertures -------------------------------------------------------------------- */

static uint32_t aperture_rows(void)
{
    return (uint32_t)trn_num_apertures;
}

static void aperture_spell(uint32_t number, uint32_t part, struct spellings *out)
{
    (void)part;
    const struct trn_aperture_row *row = &trn_aperture_table[number];
    spell(out, "%s.%s", trn_aperture_scope_name(row->scope), row->name);
    spell(out, "%s", row->name);
}

static unsigned aperture_generations(uint32_t number, uint32_t part)
{
    (void)part;
    return trn_aperture_table[number].gen_mask;
}

static const char *scope_meaning(enum trn_aperture_scope scope)
{
    static const char *const meanings[] = {"device offset in a core",
                                           "host offset in a core's BAR0 window",
                                           "offset in a TopSP window",
                                           "offset in BAR0",
                                           "offset in BAR4",
                                           "device address",
                                           "offset in a MAVERICK DVE block",
                                           "offset in the MAVERICK POOL block",
                                           "offset in a MAVERICK PE block",
                                           "offset in the window of a compute cluster"};
    _Static_assert(sizeof meanings / sizeof meanings[0] == TRN_APERTURE_SCOPES, "one a scope");
    return meanings[scope];
}

/* Device address of the first copy on the first generation that the page shows. */
static void aperture_address(struct page *page, const struct trn_aperture_row *row)
{
    uint64_t address;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        if (trn_bits_get(row->gen_mask, g, 1) && page_wants(page, g) &&
            trn_aperture_soc(&trn_gen_table[g], row, 0, &address)) {
            page_fact(page, "device_address", value_hex(address, 1));
            return;
        }
}

static void aperture_page(struct page *page, uint32_t number, uint32_t part)
{
    (void)part;
    const struct trn_aperture_row *row = &trn_aperture_table[number];
    page_title(page, page_format(page, "%s.%s", trn_aperture_scope_name(row->scope), row->name),
               row->meaning);
    page_text(page, "scope", trn_aperture_scope_name(row->scope));
    page_text(page, "offset_is", scope_meaning(row->scope));
    page_fact(page, "offset", value_hex(row->offset, 1));
    page_fact(page, "size", value_hex(row->size, 1));
    if (row->count > 1) {
        page_fact(page, "copies", value_number(row->count));
        page_fact(page, "stride", value_hex(row->stride, 1));
    }
    aperture_address(page, row);
    page_list(page, "generations", generation_list(page, row->gen_mask));
    page_text(page, "confidence", row->confidence);
}

const struct entry_kind entry_aperture = {
    .name = "aperture",
    .rows = aperture_rows,
    .spell = aperture_spell,
    .generations = aperture_generations,
    .page = aperture_page,
};
