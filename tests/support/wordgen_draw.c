/* SPDX-License-Identifier: Apache-2.0 */
/* Fields other than patterns: what their type and constraint allow. */
#include "support/wordgen_draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "isa/lookup.h"
#include "trench/enums.h"

bool draw_chance(struct draw *d, unsigned percent)
{
    return trn_wordgen_below(d->g, 100) < percent;
}

uint32_t draw_below(struct draw *d, uint32_t bound)
{
    return trn_wordgen_below(d->g, bound ? bound : 1);
}

/* ---- access ------------------------------------------------------------------------- */

bool draw_present(const struct draw *d, const struct trn_field_row *field)
{
    return field->offset[d->isa] >= 0;
}

static uint8_t *bytes_of(const struct draw *d, const struct trn_field_row *field)
{
    return d->word + field->offset[d->isa];
}

uint64_t draw_get(const struct draw *d, const struct trn_field_row *field)
{
    uint64_t value = 0;
    memcpy(&value, bytes_of(d, field), field->size <= 8 ? field->size : 8);
    return field->bits ? trn_bits_get(value, field->bit_lo, field->bits) : value;
}

void draw_set(struct draw *d, const struct trn_field_row *field, uint64_t value)
{
    uint64_t container = 0;
    const size_t size = field->size <= 8 ? field->size : 8;
    memcpy(&container, bytes_of(d, field), size);
    container = field->bits ? trn_bits_set(container, field->bit_lo, field->bits, value) : value;
    memcpy(bytes_of(d, field), &container, size);
}

const struct trn_field_row *draw_find(const struct draw *d, const char *name)
{
    const struct trn_field_row *field = trn_field_find(d->id, name, strlen(name));
    if (!field || strcmp(field->name, name) != 0) {
        char pattern[96];
        snprintf(pattern, sizeof pattern, "%s_mem_pattern", name);
        field = trn_field_find(d->id, pattern, strlen(pattern));
    }
    return field && draw_present(d, field) ? field : NULL;
}

bool draw_is_pattern(const struct trn_field_row *field)
{
    return (field->type >= TRN_TYPE_PATTERN1D && field->type <= TRN_TYPE_PATTERN4D) ||
           field->type == TRN_TYPE_MX1D;
}

/* ---- legal values of the constraint ------------------------------------------------------- */

/* One value of "A|B|3|1..8|>= 1", members of the enum or of DTYPE; false when the item is none. */
static bool pick_value(struct draw *d, enum trn_enum_id id, const char *item, uint64_t *out)
{
    char part[64];
    unsigned parts = 1;
    for (const char *p = item; *p && *p != ';'; p++)
        parts += *p == '|';
    const unsigned chosen = draw_below(d, parts);
    for (unsigned i = 0; i < chosen; i++)
        item = strchr(item, '|') + 1;
    snprintf(part, sizeof part, "%.*s", (int)strcspn(item, "|;"), item);
    const struct trn_enum_member *member = trn_enum_by_name(id, part, strlen(part), d->isa);
    if (member) {
        *out = member->value;
        return true;
    }
    if (part[0] == '>' || part[0] == '!') {
        *out = 2 + draw_below(d, 14);
        return true;
    }
    char *end;
    const uint64_t low = strtoull(part, &end, 0);
    if (end == part || (*end && strncmp(end, "..", 2) != 0))
        return false;
    *out = *end ? low + draw_below(d, (uint32_t)(strtoull(end + 2, NULL, 0) - low + 1)) : low;
    return true;
}

/* Walks the items of a constraint that start with `prefix` ("", "lo ", "hi "). */
static bool constrained(struct draw *d, const struct trn_field_row *field, const char *prefix,
                        uint64_t *out)
{
    const enum trn_enum_id id = field->enum_id == TRN_ENUM_NONE ? TRN_ENUM_DTYPE : field->enum_id;
    for (const char *item = field->constraint; *item;) {
        if (strncmp(item, prefix, strlen(prefix)) == 0 &&
            pick_value(d, id, item + strlen(prefix), out))
            return true;
        item += strcspn(item, ";");
        item += strspn(item, "; ");
    }
    return false;
}

/* ---- types --------------------------------------------------------------------------- */

static bool holds_dtype(const struct trn_field_row *field)
{
    return field->type == TRN_TYPE_PAIR || field->enum_id == TRN_ENUM_DTYPE;
}

/* The type of some other field of the word, so that types agree often. */
static bool copied_dtype(struct draw *d, uint64_t *out)
{
    const struct trn_struct_row *row = &trn_struct_table[d->id];
    uint64_t found[16];
    unsigned count = 0;
    for (unsigned i = 0; i < row->num_fields && count < 15; i++) {
        const struct trn_field_row *field = &row->fields[i];
        if (!holds_dtype(field) || !draw_present(d, field))
            continue;
        const uint64_t value = draw_get(d, field);
        found[count++] = field->type == TRN_TYPE_PAIR ? value & 15 : value;
        if (field->type == TRN_TYPE_PAIR)
            found[count++] = value >> 4;
    }
    if (count)
        *out = found[draw_below(d, count)];
    return count != 0;
}

static uint64_t draw_dtype(struct draw *d)
{
    static const uint8_t plain[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15};
    uint64_t value;
    if (draw_chance(d, 40) && copied_dtype(d, &value))
        return value;
    if (draw_chance(d, 85))
        return plain[draw_below(d, sizeof plain)];
    return draw_chance(d, 50) ? TRN_DTYPE_FP32R : draw_below(d, 32);
}

static uint64_t draw_member(struct draw *d, const struct trn_field_row *field)
{
    const struct trn_enum_row *row = &trn_enum_table[field->enum_id];
    for (;;) {
        const struct trn_enum_member *member =
            &row->members[draw_below(d, (uint32_t)row->num_members)];
        const bool invalid =
            field->enum_id == TRN_ENUM_WAIT_MODE || field->enum_id == TRN_ENUM_UPDATE_MODE
                ? member->value == 0xFF
                : false;
        if (trn_bits_get(member->isa_mask, d->isa, 1) && !invalid)
            return member->value;
    }
}

static bool enum_exists(const struct draw *d, enum trn_enum_id id)
{
    const struct trn_enum_row *row = &trn_enum_table[id];
    for (size_t i = 0; i < row->num_members; i++)
        if (trn_bits_get(row->members[i].isa_mask, d->isa, 1))
            return true;
    return false;
}

static uint64_t draw_number(struct draw *d, unsigned bits)
{
    const uint64_t all = trn_wordgen_next(d->g);
    if (draw_chance(d, 40))
        return 0;
    if (draw_chance(d, 60))
        return all % 130;
    return bits >= 64 ? all : all & ((UINT64_C(1) << bits) - 1);
}

static uint32_t draw_float(struct draw *d)
{
    static const float some[] = {0.0f, 1.0f, -1.0f, 0.5f, 2.0f, 3.0f, -0.25f, 1e-6f, 1e9f};
    static const uint32_t special[] = {0x7F800000, 0xFF800000, 0x7FC00000, 0x80000000, 0x00000001};
    if (draw_chance(d, 80))
        return trn_f32_bits(some[draw_below(d, sizeof some / sizeof some[0])]);
    if (draw_chance(d, 30))
        return special[draw_below(d, sizeof special / sizeof special[0])];
    return (uint32_t)trn_wordgen_next(d->g);
}

/* An immediate: whatever its src= may say, a number, a pointer or a register. */
static uint32_t draw_immediate(struct draw *d)
{
    const uint32_t roll = draw_below(d, 100);
    if (roll < 40)
        return draw_float(d);
    if (roll < 75)
        return draw_pointer(d);
    return draw_below(d, roll < 95 ? 64 : 256);
}

/* Table forms: an offset, or the register that holds it, and an index at bit 32 (dge.md 2.2). */
static uint64_t draw_table_address(struct draw *d)
{
    static const uint8_t offset[] = {TRN_ADDR8_MARKER_TABLE, TRN_ADDR8_MARKER_TABLE_SHAPE_REG};
    static const uint8_t reg[] = {
        TRN_ADDR8_MARKER_TABLE_OFFSET_REG, TRN_ADDR8_MARKER_TABLE_OFFSET_REG_WIDE,
        TRN_ADDR8_MARKER_TABLE_SHAPE_OFFSET_REG, TRN_ADDR8_MARKER_TABLE_SHAPE_OFFSET_REG_WIDE};
    const uint64_t index = (uint64_t)draw_below(d, 1u << 16) << 32;
    if (draw_chance(d, 50))
        return draw_below(d, 1u << 16) | index | (uint64_t)offset[draw_below(d, 2)] << 56;
    return draw_below(d, 63) | index | (uint64_t)reg[draw_below(d, 4)] << 56;
}

static uint64_t draw_addr8(struct draw *d)
{
    const uint32_t roll = draw_below(d, 100);
    const uint64_t reg = draw_below(d, 64) | (uint64_t)draw_below(d, 64) << 8;
    if (roll < 75)
        return (uint64_t)draw_below(d, 1u << 26) << 6;
    if (roll < 85)
        return reg | (uint64_t)TRN_ADDR8_MARKER_ADDR_REG << 56;
    if (roll < 92)
        return (uint64_t)draw_below(d, 1u << 26) << 6 | (uint64_t)TRN_ADDR8_MARKER_SHAPE_REG << 56;
    return draw_table_address(d);
}

static void draw_bytes(struct draw *d, const struct trn_field_row *field)
{
    for (unsigned i = 0; i < field->size; i++)
        bytes_of(d, field)[i] = draw_chance(d, 40) ? 0 : (uint8_t)trn_wordgen_next(d->g);
}

static void draw_generator(struct draw *d, const struct trn_field_row *field)
{
    uint8_t *bytes = bytes_of(d, field);
    trn_put32(bytes, (uint32_t)draw_number(d, 32));
    for (unsigned i = 0; i < 4; i++) {
        trn_put16(bytes + 4 + 2 * i, (uint16_t)draw_below(d, 64));
        trn_put16(bytes + 12 + 2 * i, (uint16_t)(1 + draw_below(d, 8)));
    }
}

static uint64_t draw_register(struct draw *d)
{
    return draw_chance(d, 95) ? draw_below(d, 64) : 128 + draw_below(d, 2);
}

static void draw_array(struct draw *d, const struct trn_field_row *field)
{
    const unsigned size = field->size / field->count;
    for (unsigned i = 0; i < field->count; i++) {
        const uint64_t value =
            field->type == TRN_TYPE_REG ? draw_register(d) : draw_number(d, 8 * size);
        memcpy(bytes_of(d, field) + i * size, &value, size);
    }
}

static uint64_t draw_nibble(struct draw *d, const struct trn_field_row *field, const char *prefix)
{
    uint64_t value;
    if (constrained(d, field, prefix, &value))
        return value & 15;
    return field->type == TRN_TYPE_PAIR ? draw_dtype(d) & 15 : draw_below(d, 3);
}

static uint64_t draw_scalar(struct draw *d, const struct trn_field_row *field)
{
    uint64_t value;
    const unsigned bits = field->bits ? field->bits : 8u * field->size;
    switch (field->type) {
    case TRN_TYPE_RESERVED:
        return 0;
    case TRN_TYPE_PAIR:
    case TRN_TYPE_SRCPAIR:
        value = draw_nibble(d, field, "lo ");
        return value | draw_nibble(d, field, "hi ") << 4;
    case TRN_TYPE_F32:
        return draw_float(d);
    case TRN_TYPE_IMM4:
        return draw_immediate(d);
    case TRN_TYPE_ADDR4:
        return draw_chance(d, 80) ? draw_pointer(d) : draw_below(d, 64) | UINT64_C(0x80) << 24;
    case TRN_TYPE_ADDR8:
        return draw_addr8(d);
    case TRN_TYPE_BOUNDREG:
        return draw_chance(d, 60) ? 0 : draw_below(d, 64) | (draw_chance(d, 70) ? 0x80 : 0xC0);
    case TRN_TYPE_REG:
        return draw_register(d);
    case TRN_TYPE_I32: /* steps and offsets: most are multiples of something */
        return draw_number(d, 32) << (draw_chance(d, 70) ? draw_below(d, 8) : 0);
    default:
        break;
    }
    if (strstr(field->name, "elem_size") && draw_chance(d, 80))
        return UINT64_C(1) << draw_below(d, 7);
    if (constrained(d, field, "", &value))
        return value;
    if (field->enum_id == TRN_ENUM_DTYPE)
        return draw_dtype(d);
    if (field->enum_id != TRN_ENUM_NONE && enum_exists(d, field->enum_id))
        return draw_member(d, field);
    return draw_number(d, bits);
}

static uint64_t draw_channels(struct draw *d)
{
    static const uint8_t some[] = {128, 128, 128, 64, 32, 32, 16, 1};
    return draw_chance(d, 80) ? some[draw_below(d, sizeof some)] : 1 + draw_below(d, 128);
}

void draw_field(struct draw *d, const struct trn_field_row *field)
{
    if (draw_is_pattern(field))
        draw_pattern(d, field);
    else if (field->type == TRN_TYPE_DATA4D)
        draw_generator(d, field);
    else if (field->type == TRN_TYPE_DESC16 || field->type == TRN_TYPE_CCINST ||
             field->type == TRN_TYPE_CHAR || field->type == TRN_TYPE_IMM8)
        draw_bytes(d, field);
    else if (field->count > 1)
        draw_array(d, field);
    else if (field->type == TRN_TYPE_RESERVED)
        memset(bytes_of(d, field), 0, field->bits ? 0 : field->size), draw_set(d, field, 0);
    else if (strcmp(field->name, "num_active_channels") == 0 && draw_chance(d, 90))
        draw_set(d, field, draw_channels(d));
    else
        draw_set(d, field, draw_scalar(d, field));
}

/* ---- hints --------------------------------------------------------------------------- */

static uint64_t some_hint(struct draw *d, const struct hints *hints)
{
    return hints->values[draw_below(d, hints->count)];
}

static void put_element(struct draw *d, const struct trn_field_row *field, unsigned i,
                        uint64_t value)
{
    const unsigned size = field->size / field->count;
    memcpy(bytes_of(d, field) + i * size, &value, size <= 8 ? size : 8);
}

/* One element, all of them, or a short list of different numbers with zeros behind. */
static void hint_elements(struct draw *d, const struct trn_field_row *field,
                          const struct hints *hints)
{
    const uint32_t roll = draw_below(d, 100);
    const unsigned listed = 1 + draw_below(d, field->count < 8 ? field->count : 8);
    const uint32_t first = draw_below(d, 40);
    if (roll < 40) {
        put_element(d, field, draw_below(d, field->count),
                    hints->count ? some_hint(d, hints) : draw_number(d, 8));
        return;
    }
    for (unsigned i = 0; i < field->count; i++)
        if (roll < 70)
            put_element(d, field, i, hints->count ? some_hint(d, hints) : draw_number(d, 8));
        else
            put_element(d, field, i, i < listed ? first + 2 * i : 0);
}

/* The field of the other side: src_num_elem_0 and dst_num_elem_0, op0 and op1. */
static const struct trn_field_row *counterpart(const struct draw *d,
                                               const struct trn_field_row *field)
{
    static const char *const pairs[][2] = {{"src", "dst"},  {"dst", "src"}, {"in_", "out_"},
                                           {"out_", "in_"}, {"min", "max"}, {"max", "min"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const size_t length = strlen(pairs[i][0]);
        if (strncmp(field->name, pairs[i][0], length) == 0) {
            char name[96];
            snprintf(name, sizeof name, "%s%s", pairs[i][1], field->name + length);
            return draw_find(d, name);
        }
    }
    return NULL;
}

void draw_hinted(struct draw *d, const struct trn_field_row *field, const struct hints *hints)
{
    if (draw_is_pattern(field)) {
        draw_pattern_hinted(d, field, hints);
        return;
    }
    if (field->count > 1) {
        if (draw_chance(d, 20))
            draw_field(d, field);
        else
            hint_elements(d, field, hints);
        return;
    }
    const struct trn_field_row *other = counterpart(d, field);
    if (other && other->type == field->type && draw_chance(d, 25)) {
        draw_set(d, field, draw_get(d, other));
    } else if (hints->count && draw_chance(d, 60)) {
        uint64_t value = some_hint(d, hints);
        if (draw_chance(d, 15))
            value *= 1 + draw_below(d, 8);
        if (field->type == TRN_TYPE_PAIR || field->type == TRN_TYPE_SRCPAIR) {
            const unsigned low = draw_chance(d, 50) ? 0 : 4;
            value = trn_bits_set(draw_get(d, field), low, 4, value);
        }
        draw_set(d, field, value);
    } else {
        draw_field(d, field);
    }
}

void draw_same_type(struct draw *d)
{
    const struct trn_struct_row *row = &trn_struct_table[d->id];
    const uint64_t code = draw_dtype(d);
    for (unsigned i = 0; i < row->num_fields; i++) {
        const struct trn_field_row *field = &row->fields[i];
        if (holds_dtype(field) && draw_present(d, field))
            draw_set(d, field, field->type == TRN_TYPE_PAIR ? (code & 15) * 0x11 : code);
    }
}
