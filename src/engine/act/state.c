/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/act/act.h"

#include <stdlib.h>
#include <string.h>

#include "act/eval.h"

enum {
    CAM_BYTES = TRN_ACT_CAM_ENTRIES * TRN_ACT_CAM_BYTES,
    PROFILE_BYTES = TRN_ACT_PROFILE_ENTRIES * TRN_ACT_PROFILE_BYTES,
    CONTROL_BYTES = TRN_ACT_CONTROL_ENTRIES * TRN_ACT_CONTROL_BYTES,
    BUCKET_BYTES = TRN_ACT_BUCKET_ENTRIES * TRN_ACT_BUCKET_BYTES,
};

struct trn_act_set_bytes {
    uint8_t cam[CAM_BYTES];
    uint8_t profile[PROFILE_BYTES];
    uint8_t control[CONTROL_BYTES];
    uint8_t bucket[BUCKET_BYTES];
    unsigned num_members;
    struct trn_act_member member[TRN_ACT_PROFILE_ENTRIES];
};

_Static_assert((int)CAM_BYTES <= (int)TRN_ACT_CAM_ROOM &&
                   (int)PROFILE_BYTES <= (int)TRN_ACT_PROFILE_ROOM &&
                   (int)CONTROL_BYTES <= (int)TRN_ACT_CONTROL_ROOM &&
                   (int)BUCKET_BYTES <= (int)TRN_ACT_BUCKET_ROOM,
               "the tables lie at the start of their local storage");

void trn_act_reset(struct trn_act_state *act)
{
    memset(act->accumulator, 0, sizeof act->accumulator);
    for (unsigned i = 0; i < TRN_ACT_READY; i++)
        act->ready[i].valid = false;
}

void trn_act_close(struct trn_act_state *act)
{
    for (unsigned i = 0; i < act->num_sets; i++)
        free(act->sets[i]);
    act->num_sets = act->resident = 0;
}

struct trn_act_tables trn_act_store_tables(const struct trn_act_state *act,
                                           const struct trn_gen *gen)
{
    return (struct trn_act_tables){.layout = (enum trn_act_layout)gen->act_layout,
                                   .cam = act->store.cam,
                                   .profile = act->store.profile,
                                   .control = act->store.control,
                                   .bucket = act->store.bucket};
}

trn_status trn_act_register(struct trn_act_state *act, const struct trn_act_tables *set)
{
    if (act->num_sets == TRN_ACT_MAX_SETS)
        return TRN_ERR_TOO_LARGE;
    struct trn_act_set_bytes *copy = malloc(sizeof *copy);
    if (!copy)
        return TRN_ERR_NO_MEMORY;
    memcpy(copy->cam, set->cam, CAM_BYTES);
    memcpy(copy->profile, set->profile, PROFILE_BYTES);
    memcpy(copy->control, set->control, CONTROL_BYTES);
    memcpy(copy->bucket, set->bucket, BUCKET_BYTES);
    copy->num_members = set->num_members;
    for (unsigned i = 0; i < set->num_members; i++)
        copy->member[i] = set->member[i];
    act->sets[act->num_sets++] = copy;
    return TRN_OK;
}

void trn_act_select(struct trn_act_state *act, unsigned index)
{
    const struct trn_act_set_bytes *set = act->sets[index];
    memcpy(act->store.cam, set->cam, CAM_BYTES);
    memcpy(act->store.profile, set->profile, PROFILE_BYTES);
    memcpy(act->store.control, set->control, CONTROL_BYTES);
    memcpy(act->store.bucket, set->bucket, BUCKET_BYTES);
    act->store.writes++;
    act->resident = index;
}

unsigned trn_act_set_with(const struct trn_act_state *act, const struct trn_gen *gen,
                          uint8_t opcode, uint8_t func_id)
{
    unsigned i = 0;
    for (; i < act->num_sets; i++) {
        const struct trn_act_tables tables = {.layout = (enum trn_act_layout)gen->act_layout,
                                              .cam = act->sets[i]->cam};
        if (trn_act_find_slot(&tables, opcode, func_id) >= 0)
            break;
    }
    return i;
}

const struct trn_act_member *trn_act_resident_members(const struct trn_act_state *act,
                                                      size_t *count)
{
    *count = act->resident < act->num_sets ? act->sets[act->resident]->num_members : 0;
    return *count ? act->sets[act->resident]->member : NULL;
}
