/* SPDX-License-Identifier: Apache-2.0 */
/* The sets of the roster, put together from the compiled tables. */
#include "act/shipped.h"

#include <stdlib.h>
#include <string.h>

#include "act/recipes.h"
#include "act_pack.h"

const char *trn_act_shipped_name(size_t i)
{
    return i < trn_num_act_sets ? trn_act_roster[i].name : NULL;
}

int trn_act_shipped_find(const char *name)
{
    for (size_t i = 0; i < trn_num_act_sets; i++)
        if (strcmp(trn_act_roster[i].name, name) == 0)
            return (int)i;
    return -1;
}

static bool has(const struct trn_act_roster_row *row, uint8_t func_id)
{
    for (unsigned i = 0; i < row->num_members; i++)
        if (trn_act_recipes[row->members[i]].options.func_id == func_id)
            return true;
    return false;
}

int trn_act_shipped_with(const uint8_t *func_ids, size_t n)
{
    for (size_t i = 0; i < trn_num_act_sets; i++) {
        size_t found = 0;
        while (found < n && has(&trn_act_roster[i], func_ids[found]))
            found++;
        if (found == n)
            return (int)i;
    }
    return -1;
}

static void get_table(unsigned recipe, struct trn_act_table *out)
{
    const struct trn_act_shipped *const s = &trn_act_shipped[recipe];
    const struct trn_act_fit_options *const o = &trn_act_recipes[recipe].options;
    memset(out, 0, sizeof *out);
    strncpy(out->name, o->name, sizeof out->name - 1);
    strncpy(out->expression, o->expression, sizeof out->expression - 1);
    out->func_id = o->func_id;
    out->lo = o->lo;
    out->hi = o->hi;
    out->num_control = s->num_control;
    out->num_bucket = s->num_bucket;
    trn_act_profile_unpack(TRN_ACT_LAYOUT_LATER, s->profile, &out->profile);
    memcpy(out->control, trn_act_shipped_control + s->first_control,
           s->num_control * sizeof *out->control);
    memcpy(out->bucket, trn_act_shipped_bucket + s->first_bucket,
           s->num_bucket * sizeof *out->bucket);
}

trn_status trn_act_shipped_set(size_t i, enum trn_act_layout layout, struct trn_act_set *out,
                               struct trn_diag *diag)
{
    if (i >= trn_num_act_sets)
        return trn_diag_set(diag, TRN_ERR_NOT_FOUND, "set", NULL, NULL,
                            "there are %zu shipped sets", trn_num_act_sets);
    struct trn_act_table *const table = malloc(sizeof *table);
    if (!table)
        return trn_diag_set(diag, TRN_ERR_NO_MEMORY, NULL, NULL, NULL, "no memory for a table");
    const struct trn_act_roster_row *const row = &trn_act_roster[i];
    trn_status status = trn_act_set_init(out, row->name, layout, diag);
    for (unsigned k = 0; k < row->num_members && status == TRN_OK; k++) {
        get_table(row->members[k], table);
        status = trn_act_set_add(out, table, diag);
    }
    free(table);
    return status;
}
