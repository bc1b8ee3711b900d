/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/text_sync.h"

#include "isa_fields.h"
#include "trench/enums.h"

#define WAIT(name, text, what)                                                                     \
    {                                                                                              \
        .mode = TRN_WAIT_MODE_##name, .index = "sem", .word = text, .operand = what                \
    }
#define WAIT_EVENT(name, text)                                                                     \
    {                                                                                              \
        .mode = TRN_WAIT_MODE_##name, .index = "evt", .word = text                                 \
    }
#define SEMAPHORE_WAITS(name, text)                                                                \
    WAIT(SEM_##name##_IMM, text, TRN_SYNC_NUMBER),                                                 \
        WAIT(SEM_##name##_REG, text, TRN_SYNC_REGISTER),                                           \
        WAIT(SEM_##name##_REG_OFFSET, text, TRN_SYNC_REGISTER_OFFSET)

const struct trn_sync_mode trn_wait_modes[] = {
    SEMAPHORE_WAITS(GE, "ge"),
    SEMAPHORE_WAITS(EQ, "eq"),
    SEMAPHORE_WAITS(LT, "lt"),
    SEMAPHORE_WAITS(LE, "le"),
    SEMAPHORE_WAITS(GT, "gt"),
    WAIT_EVENT(EVT_SET, "set"),
    WAIT_EVENT(EVT_SET_THEN_CLEAR, "set_then_clear"),
    WAIT_EVENT(EVT_CLEAR, "clear"),
    WAIT_EVENT(EVT_CLEAR_THEN_SET, "clear_then_set"),
    {.mode = TRN_WAIT_MODE_UNORDERED, .word = "unordered"},
};

#define UPDATE(name, text, what)                                                                   \
    {.mode = TRN_UPDATE_MODE_SEM_##name##_READ,                                                    \
     .on_read = true,                                                                              \
     .index = "sem",                                                                               \
     .word = text,                                                                                 \
     .operand = what},                                                                             \
    {                                                                                              \
        .mode = TRN_UPDATE_MODE_SEM_##name##_COMPLETE, .index = "sem", .word = text,               \
        .operand = what                                                                            \
    }
#define UPDATE_EVENT(name, text)                                                                   \
    {.mode = TRN_UPDATE_MODE_EVT_##name##_READ, .on_read = true, .index = "evt", .word = text},    \
    {                                                                                              \
        .mode = TRN_UPDATE_MODE_EVT_##name##_COMPLETE, .index = "evt", .word = text                \
    }

const struct trn_sync_mode trn_update_modes[] = {
    UPDATE(INC, "inc", TRN_SYNC_NOTHING),
    UPDATE(DEC, "dec", TRN_SYNC_NOTHING),
    UPDATE(ADD_IMM, "add", TRN_SYNC_NUMBER),
    UPDATE(ADD_REG, "add", TRN_SYNC_REGISTER),
    UPDATE(SUB_IMM, "sub", TRN_SYNC_NUMBER),
    UPDATE(SUB_REG, "sub", TRN_SYNC_REGISTER),
    UPDATE(WR_IMM, "wr", TRN_SYNC_NUMBER),
    UPDATE(WR_REG, "wr", TRN_SYNC_REGISTER),
    UPDATE_EVENT(SET, "set"),
    UPDATE_EVENT(CLR, "clr"),
};

const size_t trn_num_wait_modes = sizeof trn_wait_modes / sizeof trn_wait_modes[0];
const size_t trn_num_update_modes = sizeof trn_update_modes / sizeof trn_update_modes[0];

static const struct trn_sync_mode *find(const struct trn_sync_mode *modes, size_t count,
                                        uint8_t mode)
{
    for (size_t i = 0; i < count; i++)
        if (modes[i].mode == mode)
            return &modes[i];
    return NULL;
}

const struct trn_sync_mode *trn_wait_mode(uint8_t mode)
{
    return find(trn_wait_modes, trn_num_wait_modes, mode);
}

const struct trn_sync_mode *trn_update_mode(uint8_t mode)
{
    return find(trn_update_modes, trn_num_update_modes, mode);
}

struct trn_sync_lane trn_sync_lane(const uint8_t *word, unsigned lane)
{
    if (lane == 0)
        return (struct trn_sync_lane){
            .wait_mode = trn_common_wait_mode(word, 0),
            .wait_idx = trn_common_wait_idx(word, 0),
            .update_mode = trn_common_update_mode(word, 0),
            .update_idx = trn_common_update_idx(word, 0),
            .wait_value = trn_common_semaphore_value(word, 0),
            .update_value = trn_common_semaphore_value(word, 0),
        };
    return (struct trn_sync_lane){
        .wait_mode = trn_ctrl_es_ext_wait_mode(word, 0),
        .wait_idx = trn_ctrl_es_ext_wait_idx(word, 0),
        .update_mode = trn_ctrl_es_ext_update_mode(word, 0),
        .update_idx = trn_ctrl_es_ext_update_idx(word, 0),
        .wait_value = trn_ctrl_es_ext_wait_value(word, 0),
        .update_value = trn_ctrl_es_ext_update_value(word, 0),
    };
}
