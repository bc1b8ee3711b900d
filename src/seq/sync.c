/* SPDX-License-Identifier: Apache-2.0 */
#include "seq/sync.h"

#include "isa_fields.h"
#include "trench/enums.h"

/* ---- waits -------------------------------------------------------------------------- */

enum operand { IMMEDIATE, REGISTER, REGISTER_OFFSET };

struct wait_kind {
    bool known;
    uint8_t on, compare, operand;
    bool level, toggles;
};

#define SEM_WAIT(relation, source)                                                                 \
    {                                                                                              \
        true, TRN_WAIT_SEMAPHORE, TRN_##relation, source, false, false                             \
    }
#define EVT_WAIT(level, toggles)                                                                   \
    {                                                                                              \
        true, TRN_WAIT_EVENT, 0, IMMEDIATE, level, toggles                                         \
    }

/* sync.md 3. Which generation knows a mode is the validator's question (enums.csv). */
static const struct wait_kind wait_kinds[256] = {
    [TRN_WAIT_MODE_NONE] = {.known = true},
    [TRN_WAIT_MODE_UNORDERED] = {.known = true}, /* model choice: no wait, program order kept */
    [TRN_WAIT_MODE_SEM_EQ_IMM] = SEM_WAIT(EQ, IMMEDIATE),
    [TRN_WAIT_MODE_SEM_LT_IMM] = SEM_WAIT(LT, IMMEDIATE),
    [TRN_WAIT_MODE_SEM_LE_IMM] = SEM_WAIT(LE, IMMEDIATE),
    [TRN_WAIT_MODE_SEM_GT_IMM] = SEM_WAIT(GT, IMMEDIATE),
    [TRN_WAIT_MODE_SEM_GE_IMM] = SEM_WAIT(GE, IMMEDIATE),
    [TRN_WAIT_MODE_SEM_EQ_REG] = SEM_WAIT(EQ, REGISTER),
    [TRN_WAIT_MODE_SEM_LT_REG] = SEM_WAIT(LT, REGISTER),
    [TRN_WAIT_MODE_SEM_LE_REG] = SEM_WAIT(LE, REGISTER),
    [TRN_WAIT_MODE_SEM_GT_REG] = SEM_WAIT(GT, REGISTER),
    [TRN_WAIT_MODE_SEM_GE_REG] = SEM_WAIT(GE, REGISTER),
    [TRN_WAIT_MODE_SEM_EQ_REG_OFFSET] = SEM_WAIT(EQ, REGISTER_OFFSET),
    [TRN_WAIT_MODE_SEM_LT_REG_OFFSET] = SEM_WAIT(LT, REGISTER_OFFSET),
    [TRN_WAIT_MODE_SEM_LE_REG_OFFSET] = SEM_WAIT(LE, REGISTER_OFFSET),
    [TRN_WAIT_MODE_SEM_GT_REG_OFFSET] = SEM_WAIT(GT, REGISTER_OFFSET),
    [TRN_WAIT_MODE_SEM_GE_REG_OFFSET] = SEM_WAIT(GE, REGISTER_OFFSET),
    [TRN_WAIT_MODE_EVT_SET] = EVT_WAIT(true, false),
    [TRN_WAIT_MODE_EVT_SET_THEN_CLEAR] = EVT_WAIT(true, true),
    [TRN_WAIT_MODE_EVT_CLEAR] = EVT_WAIT(false, false),
    [TRN_WAIT_MODE_EVT_CLEAR_THEN_SET] = EVT_WAIT(false, true),
};

/* The number a lane's value field stands for. */
static bool resolve(enum operand operand, uint32_t value, const struct trn_regs *regs, unsigned isa,
                    uint32_t *out)
{
    uint8_t bytes[4];
    switch (operand) {
    case IMMEDIATE:
        *out = value;
        return true;
    case REGISTER:
        return trn_reg_read(regs, value, out);
    case REGISTER_OFFSET: /* model choice: the offset is unsigned and the sum wraps */
        trn_put32(bytes, value);
        if (!trn_reg_read(regs, trn_sem_base_offset_reg(bytes, isa), out))
            return false;
        *out += trn_sem_base_offset_off(bytes, isa);
        return true;
    }
    return false;
}

bool trn_wait_decode(uint8_t mode, uint8_t index, uint32_t value, const struct trn_regs *regs,
                     unsigned isa, struct trn_wait *out)
{
    const struct wait_kind *kind = &wait_kinds[mode];
    *out = (struct trn_wait){.on = kind->on,
                             .compare = kind->compare,
                             .index = index,
                             .level = kind->level,
                             .toggles = kind->toggles,
                             .unordered = mode == TRN_WAIT_MODE_UNORDERED,
                             .offset = kind->operand == REGISTER_OFFSET};
    if (!kind->known)
        return false;
    return kind->on != TRN_WAIT_SEMAPHORE ||
           resolve(kind->operand, value, regs, isa, &out->threshold);
}

static bool compare(enum trn_compare relation, int64_t a, int64_t b)
{
    switch (relation) {
    case TRN_EQ:
        return a == b;
    case TRN_LT:
        return a < b;
    case TRN_LE:
        return a <= b;
    case TRN_GT:
        return a > b;
    case TRN_GE:
        return a >= b;
    }
    return false;
}

bool trn_wait_holds(const struct trn_sync *sync, const struct trn_wait *wait)
{
    return trn_wait_holds_at(sync, wait,
                             wait->on == TRN_WAIT_EVENT ? sync->event[wait->index]
                                                        : sync->semaphore[wait->index]);
}

bool trn_wait_holds_at(const struct trn_sync *sync, const struct trn_wait *wait, uint32_t value)
{
    switch (wait->on) {
    case TRN_WAIT_NOTHING:
        return true;
    case TRN_WAIT_EVENT:
        return (value != 0) == wait->level;
    case TRN_WAIT_SEMAPHORE:
        break;
    }
    if (sync->compare_unsigned)
        return compare(wait->compare, value, wait->threshold);
    return compare(wait->compare, (int32_t)value, (int32_t)wait->threshold);
}

void trn_wait_pass(struct trn_sync *sync, const struct trn_wait *wait)
{
    if (wait->on == TRN_WAIT_EVENT && wait->toggles)
        sync->event[wait->index] = !wait->level;
}

const char *trn_wait_name(const struct trn_wait *wait)
{
    static const char *const relations[] = {"eq", "lt", "le", "gt", "ge"};
    if (wait->on == TRN_WAIT_EVENT)
        return wait->level ? "set" : "clear";
    return wait->on == TRN_WAIT_SEMAPHORE ? relations[wait->compare] : "";
}

/* ---- updates ------------------------------------------------------------------------ */

struct update_kind {
    bool known;
    uint8_t when, what;
    bool negate; /* subtract instead of add */
    bool fixed;  /* the operand is `constant`, the value field is ignored */
    bool from_register;
    uint8_t constant;
};

#define EVENT(value)               TRN_UPDATE_EVENT, false, true, false, value
#define STEP(negate)               TRN_UPDATE_ADD, negate, true, false, 1
#define ADD(negate, from_register) TRN_UPDATE_ADD, negate, false, from_register, 0
#define WRITE(from_register)       TRN_UPDATE_WRITE, false, false, from_register, 0
#define BOTH(name, ...)                                                                            \
    [TRN_UPDATE_MODE_##name##_READ] = {true, TRN_UPDATE_READ, __VA_ARGS__},                        \
    [TRN_UPDATE_MODE_##name##_COMPLETE] = {true, TRN_UPDATE_COMPLETE, __VA_ARGS__}

/* sync.md 4. */
static const struct update_kind update_kinds[256] = {
    [TRN_UPDATE_MODE_NONE] = {.known = true, .when = TRN_UPDATE_NEVER},
    BOTH(EVT_SET, EVENT(1)),
    BOTH(EVT_CLR, EVENT(0)),
    BOTH(SEM_INC, STEP(false)),
    BOTH(SEM_DEC, STEP(true)),
    BOTH(SEM_ADD_IMM, ADD(false, false)),
    BOTH(SEM_SUB_IMM, ADD(true, false)),
    BOTH(SEM_WR_IMM, WRITE(false)),
    BOTH(SEM_ADD_REG, ADD(false, true)),
    BOTH(SEM_SUB_REG, ADD(true, true)),
    BOTH(SEM_WR_REG, WRITE(true)),
};

bool trn_update_decode(uint8_t mode, uint8_t index, uint32_t value, const struct trn_regs *regs,
                       struct trn_update *out)
{
    const struct update_kind *kind = &update_kinds[mode];
    uint32_t operand = kind->fixed ? kind->constant : value;
    *out = (struct trn_update){.when = TRN_UPDATE_NEVER};
    if (!kind->known || (kind->from_register && !trn_reg_read(regs, value, &operand)))
        return false;
    out->when = kind->when;
    out->what = kind->what;
    out->index = index;
    out->mode = mode;
    out->operand = kind->negate ? 0u - operand : operand;
    return true;
}

/* Who makes an update, by which mode, and when in its word. */
struct actor {
    int engine;
    uint8_t mode;
    enum trn_update_time when;
};

static bool anybody(const struct trn_sync *sync)
{
    return sync->changed || sync->watch;
}

static void tell_watches(const struct trn_sync *sync, const struct trn_sync_change *change)
{
    for (const struct trn_sync_watch *watch = sync->watch; watch; watch = watch->next)
        watch->changed(watch->context, change);
}

static void tell(struct trn_sync *sync, struct actor actor, struct trn_sync_change change)
{
    change.engine = actor.engine;
    change.mode = actor.mode;
    change.when = actor.when;
    tell_watches(sync, &change);
    if (sync->changed)
        sync->changed(sync->context, &change);
}

static void set_event(struct trn_sync *sync, struct actor actor, uint8_t index, bool value)
{
    const bool before = sync->event[index];
    if (before == value)
        sync->double_events++;
    sync->event[index] = value;
    if (anybody(sync))
        tell(sync, actor,
             (struct trn_sync_change){
                 .index = index, .doubled = before == value, .before = before, .now = value});
}

static void set_semaphore(struct trn_sync *sync, struct actor actor, uint8_t index, uint32_t value,
                          bool wrapped, bool added)
{
    const uint32_t before = sync->semaphore[index];
    sync->semaphore[index] = value;
    if (anybody(sync))
        tell(sync, actor,
             (struct trn_sync_change){.is_semaphore = true,
                                      .index = index,
                                      .wrapped = wrapped,
                                      .added = added,
                                      .before = before,
                                      .now = value});
}

static void add(struct trn_sync *sync, struct actor actor, uint8_t index, uint32_t delta)
{
    const uint32_t before = sync->semaphore[index], after = before + delta;
    const bool falls = (int32_t)delta < 0;
    const bool underflow = falls && (int32_t)before >= 0 && (int32_t)after < 0;
    const bool overflow = !falls && (int32_t)before >= 0 && (int32_t)after < 0;
    sync->underflows += underflow;
    set_semaphore(sync, actor, index, after, underflow || overflow, true);
}

void trn_update_apply(struct trn_sync *sync, int engine, const struct trn_update *update)
{
    const struct actor actor = {engine, update->mode, update->when};
    switch (update->what) {
    case TRN_UPDATE_EVENT:
        set_event(sync, actor, update->index, update->operand != 0);
        return;
    case TRN_UPDATE_ADD:
        add(sync, actor, update->index, update->operand);
        return;
    case TRN_UPDATE_WRITE:
        set_semaphore(sync, actor, update->index, update->operand, false, false);
        return;
    }
}

void trn_sync_clear(struct trn_sync *sync, int engine, uint8_t semaphore)
{
    const struct trn_sync_change change = {.engine = engine,
                                           .is_semaphore = true,
                                           .index = semaphore,
                                           .before = sync->semaphore[semaphore]};
    sync->semaphore[semaphore] = 0;
    tell_watches(sync, &change);
}

uint32_t trn_sync_look(const struct trn_sync *sync, bool is_semaphore, uint8_t index)
{
    for (const struct trn_sync_watch *watch = sync->watch; watch; watch = watch->next)
        if (watch->read)
            watch->read(watch->context, is_semaphore, index);
    return is_semaphore ? sync->semaphore[index] : sync->event[index];
}

/* ---- the host's windows ------------------------------------------------------------- */

enum window { EVENTS, SEM_READ, SEM_SET, SEM_INC, SEM_DEC, NUM_WINDOWS };

static const uint32_t window_base[NUM_WINDOWS] = {
    [EVENTS] = 0x0000,  [SEM_READ] = 0x1000, [SEM_SET] = 0x1400,
    [SEM_INC] = 0x1800, [SEM_DEC] = 0x1C00,
};

/* Window of an offset and the number inside it; NUM_WINDOWS for a reserved place. */
static enum window find_window(uint32_t offset, uint8_t *index)
{
    for (int w = 0; w < NUM_WINDOWS; w++) {
        const uint32_t distance = offset - window_base[w];
        if (offset >= window_base[w] && distance < 4 * TRN_NUM_SEMAPHORES) {
            *index = (uint8_t)(distance / 4);
            return (enum window)w;
        }
    }
    return NUM_WINDOWS;
}

uint32_t trn_sync_read(const struct trn_sync *sync, uint32_t offset)
{
    uint8_t index = 0;
    switch (find_window(offset, &index)) {
    case EVENTS:
        return trn_sync_look(sync, false, index);
    case SEM_READ:
        return trn_sync_look(sync, true, index);
    default:
        return 0;
    }
}

void trn_sync_write(struct trn_sync *sync, uint32_t offset, uint32_t value)
{
    const struct actor bus = {TRN_SYNC_BY_BUS, TRN_UPDATE_MODE_NONE, TRN_UPDATE_NEVER};
    uint8_t index = 0;
    switch (find_window(offset, &index)) {
    case EVENTS:
        set_event(sync, bus, index, trn_bits_get(value, 0, 1) != 0);
        return;
    case SEM_SET:
        set_semaphore(sync, bus, index, value, false, false);
        return;
    case SEM_INC:
        add(sync, bus, index, value);
        return;
    case SEM_DEC:
        add(sync, bus, index, 0u - value);
        return;
    default:
        return;
    }
}
