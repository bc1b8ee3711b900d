/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of recipes and of sets, made from data/act-recipes.csv and data/act_sets.csv. */
#ifndef TRN_ACT_RECIPES_H
#define TRN_ACT_RECIPES_H

#include "trench/act.h"

struct trn_act_roster_row {
    const char *name;
    const uint16_t *members; /* recipes, in their order in the tables */
    uint16_t num_members;
};

extern const struct trn_act_recipe trn_act_recipes[];
extern const size_t trn_num_act_recipes;
extern const struct trn_act_roster_row trn_act_roster[];
extern const size_t trn_num_act_sets;

#endif
