/* SPDX-License-Identifier: Apache-2.0 */
/* Sets: functions placed one behind the other in the four tables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/check.h"
#include "act_pack.h"
#include "trench/act.h"

enum { OPCODE_ACTIVATE = 0x21, ANY = 0x00, EXACT = 0xFF };

trn_status trn_act_set_init(struct trn_act_set *set, const char *name, enum trn_act_layout layout,
                            struct trn_diag *diag)
{
    if (!trn_act_is_name(name))
        return trn_diag_set(diag, TRN_ERR_INVALID, "name", "ACT_NAME",
                            "1 to 63 printable characters without blanks",
                            "the name '%s' does not fit a set", name);
    memset(set, 0, sizeof *set);
    strncpy(set->name, name, sizeof set->name - 1);
    set->layout = layout;
    return TRN_OK;
}

struct trn_act_tables trn_act_set_tables(const struct trn_act_set *set)
{
    return (struct trn_act_tables){set->layout, set->cam,    set->profile,      set->control,
                                   set->bucket, set->member, set->num_functions};
}

static uint8_t *entry(uint8_t *table, size_t bytes, unsigned index)
{
    return table + bytes * index;
}

/* ---- placing --------------------------------------------------------------------------------- */

static trn_status full(const struct trn_act_set *set, const struct trn_act_table *table,
                       const char *what, unsigned used, unsigned wanted, unsigned all,
                       struct trn_diag *diag)
{
    char expected[64];
    snprintf(expected, sizeof expected, "at most %u %s in a set", all, what);
    return trn_diag_set(diag, TRN_ERR_TOO_LARGE, set->name, "ACT_CAPACITY", expected,
                        "%s needs %u %s and %u are in use", table->name, wanted, what, used);
}

static trn_status check_place(const struct trn_act_set *set, const struct trn_act_table *table,
                              struct trn_diag *diag)
{
    if (set->num_functions == TRN_ACT_PROFILE_ENTRIES)
        return full(set, table, "functions", set->num_functions, 1, TRN_ACT_PROFILE_ENTRIES, diag);
    if (set->num_control + table->num_control > TRN_ACT_CONTROL_ENTRIES)
        return full(set, table, "CONTROL words", set->num_control, table->num_control,
                    TRN_ACT_CONTROL_ENTRIES, diag);
    if (set->num_bucket + table->num_bucket > TRN_ACT_BUCKET_ENTRIES)
        return full(set, table, "buckets", set->num_bucket, table->num_bucket,
                    TRN_ACT_BUCKET_ENTRIES, diag);
    for (unsigned i = 0; i < set->num_functions; i++)
        if (set->member[i].func_id == table->func_id ||
            strcmp(set->member[i].name, table->name) == 0)
            return trn_diag_set(
                diag, TRN_ERR_INVALID, set->name, "ACT_DUPLICATE", "a name and a number of its own",
                "%s (%u) is there already when %s (%u) is added", set->member[i].name,
                set->member[i].func_id, table->name, table->func_id);
    return TRN_OK;
}

/* Bases and clamps count from the start of the tables (delta up) or of the function (down). */
static void move_profile(struct trn_act_profile *p, int control, int bucket)
{
    p->pwl_control_base_pos = (uint8_t)(p->pwl_control_base_pos + control);
    p->pwl_control_base_neg = (uint8_t)(p->pwl_control_base_neg + control);
    p->small_pos_signal_pwl_control = (uint32_t)((int)p->small_pos_signal_pwl_control + bucket);
    p->small_neg_signal_pwl_control = (uint32_t)((int)p->small_neg_signal_pwl_control + bucket);
    p->large_pos_signal_pwl_control = (uint32_t)((int)p->large_pos_signal_pwl_control + bucket);
    p->large_neg_signal_pwl_control = (uint32_t)((int)p->large_neg_signal_pwl_control + bucket);
}

/* One entry a function, for any opcode (activation.md 3.1). */
static void put_cam(struct trn_act_set *set, unsigned slot, uint8_t func_id)
{
    const struct trn_act_cam cam = {.opcode = OPCODE_ACTIVATE,
                                    .opcode_mask = ANY,
                                    .func_id = func_id,
                                    .func_id_mask = EXACT,
                                    .valid = 1};
    trn_act_cam_pack(set->layout, &cam, entry(set->cam, TRN_ACT_CAM_BYTES, slot));
}

static void put_entries(struct trn_act_set *set, const struct trn_act_table *table)
{
    for (unsigned i = 0; i < table->num_control; i++) {
        struct trn_act_control control = table->control[i];
        control.act_tbl_base = (uint16_t)(control.act_tbl_base + set->num_bucket);
        trn_act_control_pack(set->layout, &control,
                             entry(set->control, TRN_ACT_CONTROL_BYTES, set->num_control + i));
    }
    for (unsigned i = 0; i < table->num_bucket; i++)
        trn_act_bucket_pack(set->layout, &table->bucket[i],
                            entry(set->bucket, TRN_ACT_BUCKET_BYTES, set->num_bucket + i));
}

trn_status trn_act_set_add(struct trn_act_set *set, const struct trn_act_table *table,
                           struct trn_diag *diag)
{
    const trn_status status = check_place(set, table, diag);
    if (status != TRN_OK)
        return status;
    const unsigned slot = set->num_functions;
    struct trn_act_profile profile = table->profile;
    move_profile(&profile, set->num_control, set->num_bucket);
    trn_act_profile_pack(set->layout, &profile, entry(set->profile, TRN_ACT_PROFILE_BYTES, slot));
    put_cam(set, slot, table->func_id);
    put_entries(set, table);
    struct trn_act_member *const member = &set->member[slot];
    memcpy(member->name, table->name, sizeof member->name);
    memcpy(member->expression, table->expression, sizeof member->expression);
    member->func_id = table->func_id;
    member->slot = (uint8_t)slot;
    member->lo = table->lo;
    member->hi = table->hi;
    set->num_functions++;
    set->num_control = (uint16_t)(set->num_control + table->num_control);
    set->num_bucket = (uint16_t)(set->num_bucket + table->num_bucket);
    return TRN_OK;
}

/* ---- taking out ------------------------------------------------------------------------------ */

static uint8_t smaller_base(const struct trn_act_profile *p)
{
    return p->pwl_control_base_neg < p->pwl_control_base_pos ? p->pwl_control_base_neg
                                                             : p->pwl_control_base_pos;
}

static void profile_at(const struct trn_act_set *set, unsigned i, struct trn_act_profile *out)
{
    const unsigned slot = set->member[i].slot;
    trn_act_profile_unpack(set->layout, set->profile + (size_t)slot * TRN_ACT_PROFILE_BYTES, out);
}

static void control_at(const struct trn_act_set *set, unsigned i, struct trn_act_control *out)
{
    trn_act_control_unpack(set->layout, set->control + (size_t)i * TRN_ACT_CONTROL_BYTES, out);
}

/* Members stand in the order of their places, each up to where the next one begins; the clamps end
 * its buckets. */
static unsigned control_end(const struct trn_act_set *set, unsigned i)
{
    struct trn_act_profile next;
    if (i + 1 >= set->num_functions)
        return set->num_control;
    profile_at(set, i + 1, &next);
    return smaller_base(&next);
}

static unsigned bucket_end(const struct trn_act_set *set, unsigned i)
{
    struct trn_act_profile p;
    profile_at(set, i, &p);
    return (unsigned)trn_bits_get(p.large_neg_signal_pwl_control, 0, 11) + 1;
}

trn_status trn_act_set_get(const struct trn_act_set *set, unsigned i, struct trn_act_table *table,
                           struct trn_diag *diag)
{
    if (i >= set->num_functions)
        return trn_diag_set(diag, TRN_ERR_NOT_FOUND, set->name, NULL, NULL,
                            "the set has %u functions", set->num_functions);
    memset(table, 0, sizeof *table);
    memcpy(table->name, set->member[i].name, sizeof table->name);
    memcpy(table->expression, set->member[i].expression, sizeof table->expression);
    table->func_id = set->member[i].func_id;
    table->lo = set->member[i].lo;
    table->hi = set->member[i].hi;
    profile_at(set, i, &table->profile);
    const unsigned first = smaller_base(&table->profile), last = control_end(set, i);
    const unsigned begin = i ? bucket_end(set, i - 1) : 0, end = bucket_end(set, i);
    if (last < first || last > set->num_control || end < begin || end > set->num_bucket)
        return trn_diag_set(diag, TRN_ERR_FORMAT, set->name, "ACT_OVERLAP", NULL,
                            "the entries of %s do not stand behind those of the function before",
                            table->name);
    move_profile(&table->profile, -(int)first, -(int)begin);
    table->num_control = (uint16_t)(last - first);
    table->num_bucket = (uint16_t)(end - begin);
    for (unsigned k = 0; k < table->num_control; k++) {
        control_at(set, first + k, &table->control[k]);
        table->control[k].act_tbl_base = (uint16_t)(table->control[k].act_tbl_base - begin);
    }
    for (unsigned k = 0; k < table->num_bucket; k++)
        trn_act_bucket_unpack(set->layout, set->bucket + (size_t)(begin + k) * TRN_ACT_BUCKET_BYTES,
                              &table->bucket[k]);
    return TRN_OK;
}

int trn_act_set_find(const struct trn_act_set *set, const char *name)
{
    char *end;
    const unsigned long number = strtoul(name, &end, 0);
    const bool numeric = end != name && *end == '\0';
    for (unsigned i = 0; i < set->num_functions; i++)
        if (numeric ? set->member[i].func_id == number : strcmp(set->member[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* ---- layouts --------------------------------------------------------------------------------- */

void trn_act_set_convert(struct trn_act_set *set, enum trn_act_layout layout)
{
    for (unsigned i = 0; i < TRN_ACT_CAM_ENTRIES; i++) {
        struct trn_act_cam cam;
        trn_act_cam_unpack(set->layout, entry(set->cam, TRN_ACT_CAM_BYTES, i), &cam);
        trn_act_cam_pack(layout, &cam, entry(set->cam, TRN_ACT_CAM_BYTES, i));
    }
    for (unsigned i = 0; i < TRN_ACT_PROFILE_ENTRIES; i++) {
        struct trn_act_profile p;
        trn_act_profile_unpack(set->layout, entry(set->profile, TRN_ACT_PROFILE_BYTES, i), &p);
        trn_act_profile_pack(layout, &p, entry(set->profile, TRN_ACT_PROFILE_BYTES, i));
    }
    set->layout = layout;
}

static const char *layout_name(enum trn_act_layout layout)
{
    return layout == TRN_ACT_LAYOUT_SUNDA ? "sunda's layout" : "the later layout";
}

trn_status trn_act_set_expect(const struct trn_act_set *set, const char *file,
                              const struct trn_gen *gen, struct trn_diag *diag)
{
    char expected[96];
    if (set->layout == (enum trn_act_layout)gen->act_layout)
        return TRN_OK;
    snprintf(expected, sizeof expected, "a table with %s (trench act fit --gen %s)",
             layout_name((enum trn_act_layout)gen->act_layout), gen->name);
    return trn_diag_set(diag, TRN_ERR_INVALID, file, "ACT_LAYOUT", expected,
                        "the table has %s, in which the masks of the CAM stand the other way "
                        "round; %s reads %s",
                        layout_name(set->layout), gen->name,
                        layout_name((enum trn_act_layout)gen->act_layout));
}
