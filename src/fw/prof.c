/* SPDX-License-Identifier: Apache-2.0 */
/* Hardware-decode CAM and TABLE: docs/hardware/firmware-images.md 12. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "fw/data_rows.h"

/* A CAM record is four words. A TABLE record is 128 bytes, of which 24 are used. */
enum { CAM_RECORD = 16, MASK_AT = 4, ENABLE_AT = 8, CAM_RESERVED_AT = 12 };
enum { TABLE_RECORD = 128, CFG1_AT = 4, DESCRIPTOR_AT = 8, CLASS_AT = 0x14, USED = 0x18 };

void trn_fw_prof_entry(const uint8_t *cam, const uint8_t *table, unsigned slot,
                       struct trn_fw_prof_entry *out)
{
    const uint8_t *const record = cam + (size_t)slot * CAM_RECORD;
    *out = (struct trn_fw_prof_entry){
        .opcode = trn_get32(record),
        .mask = trn_get32(record + MASK_AT),
        .enable = trn_get32(record + ENABLE_AT),
        .reserved = trn_get32(record + CAM_RESERVED_AT),
    };
    if (!table)
        return;
    const uint8_t *const row = table + (size_t)slot * TABLE_RECORD;
    out->cfg0 = trn_get32(row);
    out->cfg1 = trn_get32(row + CFG1_AT);
    memcpy(out->descriptor, row + DESCRIPTOR_AT, sizeof out->descriptor);
    out->class_word = trn_get32(row + CLASS_AT);
}

/* ---- invariants ------------------------------------------------------------------- */

/* Note the first one that does not hold; the result is false, for `return`. */
static bool TRN_PRINTF(4, 5)
    broken(struct trn_fw_prof *out, int slot, const char *rule, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(out->problem, sizeof out->problem, format, args);
    va_end(args);
    out->slot = slot;
    out->rule = rule;
    out->holds = false;
    return false;
}

static bool is_zero(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i])
            return false;
    return true;
}

static bool check_sizes(size_t cam_size, const uint8_t *table, size_t table_size,
                        struct trn_fw_prof *out)
{
    if (cam_size != TRN_FW_PROF_CAM_BYTES)
        return broken(out, -1, "cam_size", "the CAM has 0x%zx bytes, it must have 0x%x", cam_size,
                      TRN_FW_PROF_CAM_BYTES);
    if (table && table_size != TRN_FW_PROF_TABLE_BYTES)
        return broken(out, -1, "table_size", "the TABLE has 0x%zx bytes, it must have 0x%x",
                      table_size, TRN_FW_PROF_TABLE_BYTES);
    return true;
}

/* Domains of the four words of one record. */
static bool check_record(const uint8_t *cam, int slot, struct trn_fw_prof *out)
{
    struct trn_fw_prof_entry entry;
    trn_fw_prof_entry(cam, NULL, (unsigned)slot, &entry);
    if (entry.mask != 0 && entry.mask != 0xFF && entry.mask != 0x1FF)
        return broken(out, slot, "cam_mask", "slot %d: mask 0x%" PRIx32 " is not 0, 0xff or 0x1ff",
                      slot, entry.mask);
    if (entry.enable > 1)
        return broken(out, slot, "cam_enable", "slot %d: enable 0x%" PRIx32 " is not 0 or 1", slot,
                      entry.enable);
    if (entry.reserved)
        return broken(out, slot, "cam_reserved",
                      "slot %d: the reserved word is 0x%" PRIx32 ", it must be 0", slot,
                      entry.reserved);
    if (!entry.enable && !is_zero(cam + (size_t)slot * CAM_RECORD, CAM_RECORD))
        return broken(out, slot, "cam_unarmed", "slot %d is not armed but not zero", slot);
    return true;
}

/* Armed records are the first ones, and the last of them matches everything. */
static bool check_cam(const uint8_t *cam, struct trn_fw_prof *out)
{
    struct trn_fw_prof_entry entry, last = {.mask = 1};
    int empty = -1;
    for (int slot = 0; slot < TRN_FW_PROF_SLOTS; slot++) {
        if (!check_record(cam, slot, out))
            return false;
        trn_fw_prof_entry(cam, NULL, (unsigned)slot, &entry);
        if (!entry.enable) {
            empty = empty < 0 ? slot : empty;
            continue;
        }
        if (empty >= 0)
            return broken(out, empty, "cam_gap", "slot %d is not armed, slot %d behind it is",
                          empty, slot);
        out->armed++;
        last = entry;
    }
    if (out->armed && (last.opcode || last.mask))
        return broken(out, (int)out->armed - 1, "cam_wildcard",
                      "slot %zu is the last armed one, it must be the wildcard {0,0,1,0}",
                      out->armed - 1);
    return true;
}

static bool check_table(const uint8_t *table, struct trn_fw_prof *out)
{
    for (int slot = 0; slot < TRN_FW_PROF_SLOTS; slot++) {
        const uint8_t *const record = table + (size_t)slot * TABLE_RECORD;
        const bool is_armed = (size_t)slot < out->armed;
        if (is_armed && is_zero(record, TABLE_RECORD))
            return broken(out, slot, "table_record", "slot %d is armed and its record is zero",
                          slot);
        if (!is_armed && !is_zero(record, TABLE_RECORD))
            return broken(out, slot, "table_unarmed",
                          "slot %d is not armed and its record is not zero", slot);
        for (size_t at = USED; at < TABLE_RECORD; at++)
            if (record[at])
                return broken(out, slot, "table_tail",
                              "slot %d: byte 0x%zx of its record is 0x%02x, it must be 0", slot, at,
                              record[at]);
    }
    return true;
}

static size_t count_armed(const uint8_t *cam)
{
    size_t armed = 0;
    for (unsigned slot = 0; slot < TRN_FW_PROF_SLOTS; slot++)
        armed += trn_get32(cam + (size_t)slot * CAM_RECORD + ENABLE_AT) == 1;
    return armed;
}

static size_t count_words(const uint8_t *table)
{
    size_t words = 0;
    for (size_t at = 0; at < TRN_FW_PROF_TABLE_BYTES; at += 4)
        words += trn_get32(table + at) != 0;
    return words;
}

/* ---- known sets ------------------------------------------------------------------- */

static bool has_slot(const struct trn_fw_prof_set *set, uint32_t opcode, uint32_t mask)
{
    for (size_t i = 0; i < set->count; i++) {
        const struct trn_fw_prof_slot *const slot = &trn_fw_prof_slots[set->first + i];
        if (slot->opcode == opcode && slot->mask == mask)
            return true;
    }
    return false;
}

/* The same opcodes with the same masks, in any order. */
static bool same_set(const uint8_t *cam, size_t armed, const struct trn_fw_prof_set *set)
{
    struct trn_fw_prof_entry entry;
    if (armed != set->count)
        return false;
    for (unsigned slot = 0; slot < armed; slot++) {
        trn_fw_prof_entry(cam, NULL, slot, &entry);
        if (!has_slot(set, entry.opcode, entry.mask))
            return false;
    }
    return true;
}

void trn_fw_prof_check(const uint8_t *cam, size_t cam_size, const uint8_t *table, size_t table_size,
                       struct trn_fw_prof *out)
{
    *out = (struct trn_fw_prof){.holds = true, .slot = -1, .rule = ""};
    if (!check_sizes(cam_size, table, table_size, out))
        return;
    if (table)
        out->nonzero_words = count_words(table);
    if (!check_cam(cam, out)) {
        out->armed = count_armed(cam);
        return;
    }
    for (size_t i = 0; i < trn_num_fw_prof_sets; i++)
        if (same_set(cam, out->armed, &trn_fw_prof_sets[i])) {
            out->gens |= trn_fw_prof_sets[i].gens;
            out->engines |= trn_fw_prof_sets[i].engines;
        }
    if (table)
        check_table(table, out);
}

bool trn_fw_prof_known(const struct trn_gen *gen, int engine, size_t i, uint32_t *opcode,
                       uint32_t *mask)
{
    for (size_t row = 0; row < trn_num_fw_prof_sets; row++) {
        const struct trn_fw_prof_set *const set = &trn_fw_prof_sets[row];
        if (!(set->gens & 1U << trn_fw_gen_number(gen)) || !(set->engines & 1U << engine))
            continue;
        if (i >= set->count)
            return false;
        *opcode = trn_fw_prof_slots[set->first + i].opcode;
        *mask = trn_fw_prof_slots[set->first + i].mask;
        return true;
    }
    return false;
}
