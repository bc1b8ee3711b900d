/* SPDX-License-Identifier: Apache-2.0 */
/* Getters of data/hal-getters.csv by name (docs/hardware/hal-stpb.md 8.3, 17). */
#include <stdio.h>
#include <string.h>

#include "hal/accessors.h"
#include "hal/handle.h"

static const struct trn_hal_getter *find(const char *name)
{
    for (size_t i = 0; i < trn_hal_getter_count; i++)
        if (strcmp(trn_hal_getter_table[i].name, name) == 0)
            return &trn_hal_getter_table[i];
    return NULL;
}

/* Tables with a second layout have a second row (13.3). */
static const struct trn_hal_getter *chosen(const struct trn_hal *hal,
                                           const struct trn_hal_getter *getter)
{
    char name[64];
    if (!hal->options.dve_tables_per_arch)
        return getter;
    snprintf(name, sizeof name, "%s_per_arch", getter->name);
    const struct trn_hal_getter *const other = find(name);
    return other ? other : getter;
}

static unsigned ordinal(const struct trn_gen *gen)
{
    unsigned i = 0;
    while (trn_gen_at(i) != gen)
        i++;
    return i;
}

trn_status trn_leaf_get_param(struct trn_hal *hal, const struct trn_hal_getter *getter,
                              unsigned index, uint64_t *value)
{
    const struct trn_hal_values *const values = &chosen(hal, getter)->of[ordinal(hal->gen)];
    if (index < values->count) {
        *value = values->values[index];
        return TRN_OK;
    }
    if (values->count == 0)
        return trn_hal_fail(hal, TRN_ERR_ASSERT, getter->name, NULL, "%s has no %s",
                            hal->gen->title, getter->name);
    return trn_hal_fail(hal, TRN_ERR_ASSERT, getter->name, NULL, "%s: index %u is not 0 to %zu",
                        getter->name, index, values->count - 1);
}

trn_status trn_hal_get_param(struct trn_hal *hal, const char *name, unsigned index, uint64_t *value)
{
    const struct trn_hal_getter *const getter = find(name);
    void (*leaf)(void) = (void (*)(void))trn_leaf_get_param;
    *value = 0;
    trn_status status = trn_hal_alive(hal);
    if (status == TRN_OK && !getter)
        return trn_hal_fail(hal, TRN_ERR_NOT_FOUND, NULL, "a name of data/hal-getters.csv",
                            "no getter '%s'", name);
    if (status == TRN_OK && getter->slot)
        status = trn_hal_slot(hal, getter->slot, &leaf);
    return status == TRN_OK ? ((trn_hal_param_leaf *)leaf)(hal, getter, index, value) : status;
}
