/* SPDX-License-Identifier: Apache-2.0 */
#include "act/recipes.h"

#include <string.h>
#include <strings.h>

const struct trn_act_recipe *trn_act_recipe_at(size_t i)
{
    return i < trn_num_act_recipes ? &trn_act_recipes[i] : NULL;
}

/* The text behind '[' without its ']'; an empty length when there is none. */
static size_t variant_of(const char *name, const char **variant)
{
    const char *const open = strchr(name, '[');
    *variant = open ? open + 1 : name;
    return open && open[1] ? strlen(open + 1) - 1 : 0;
}

static bool is_called(const char *own, const char *name, size_t length)
{
    return strlen(own) == length && strncasecmp(own, name, length) == 0;
}

const struct trn_act_recipe *trn_act_recipe_find(const char *name)
{
    const char *variant;
    const size_t length = variant_of(name, &variant), base = strcspn(name, "[");
    if (base == 0 || (name[base] == '[' && (length == 0 || variant[length] != ']')))
        return NULL;
    for (size_t i = 0; i < trn_num_act_recipes; i++) {
        const struct trn_act_recipe *const r = &trn_act_recipes[i];
        const bool same =
            is_called(r->options.name, name, base) || is_called(r->manual, name, base);
        const bool fits = length == 0 || (strlen(r->variant) == length &&
                                          strncmp(r->variant, variant, length) == 0);
        if (same && fits)
            return r;
    }
    return NULL;
}
