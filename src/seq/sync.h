/* SPDX-License-Identifier: Apache-2.0 */
/* Semaphores and events of one core, and the wait and update modes that words carry
 * (docs/hardware/sync.md, sections 1 to 5). */
#ifndef TRN_SEQ_SYNC_H
#define TRN_SEQ_SYNC_H

#include "engine/exec.h"

enum { TRN_NUM_SEMAPHORES = 256, TRN_NUM_EVENTS = 256 };

enum { TRN_SYNC_BY_BUS = -1 }; /* not an engine: an access over the bus */

/* When an update of a word fires. */
enum trn_update_time { TRN_UPDATE_NEVER, TRN_UPDATE_READ, TRN_UPDATE_COMPLETE };

/* One update, as somebody who wants to tell the host sees it. */
struct trn_sync_change {
    int engine; /* TRN_SYNC_BY_BUS */
    enum trn_update_time when;
    bool is_semaphore;
    uint8_t index;
    uint8_t mode;         /* of the word; 0: over the bus */
    bool doubled;         /* event: it had this value */
    bool wrapped;         /* semaphore: a signed value crossed its end (over- or underflow) */
    bool added;           /* semaphore: the difference was added, nothing was overwritten */
    uint32_t before, now; /* values; events 0 or 1 */
};

struct trn_wait;

/* Somebody who wants to know what orders the words of the engines. */
struct trn_sync_watch {
    const struct trn_sync_watch *next; /* NULL: the last one */
    void *context;
    /* A word of the engine begins: its waits hold. `early`: it has an update that fires when its
     * inputs are read. */
    void (*begin)(void *context, int engine, bool early);
    /* A wait of it. `takes`: the word changes what it waited on. */
    void (*passed)(void *context, const struct trn_wait *wait, bool takes);
    /* A change, also one that nobody tells the host. */
    void (*changed)(void *context, const struct trn_sync_change *change);
    /* A program looked at it. May be NULL. */
    void (*read)(void *context, bool is_semaphore, uint8_t index);
};

/* One array a core, shared by its engines and the host. */
struct trn_sync {
    uint32_t semaphore[TRN_NUM_SEMAPHORES];
    bool event[TRN_NUM_EVENTS];
    bool compare_unsigned;  /* sync.md 1: the switch; signed by default */
    uint64_t underflows;    /* decrements that took a signed value below zero */
    uint64_t double_events; /* events set while set or cleared while clear */
    void *context;
    void (*changed)(void *context, const struct trn_sync_change *change); /* NULL: nobody asks */
    const struct trn_sync_watch *watch; /* the first of them; NULL: nobody */
};

enum trn_compare { TRN_EQ, TRN_LT, TRN_LE, TRN_GT, TRN_GE };

/* A wait of a word with its threshold resolved: what a blocked engine waits for. */
struct trn_wait {
    enum { TRN_WAIT_NOTHING, TRN_WAIT_SEMAPHORE, TRN_WAIT_EVENT } on;
    enum trn_compare compare; /* semaphores */
    uint8_t index;
    uint32_t threshold;
    bool level;             /* event value that lets the word pass */
    bool toggles;           /* the event flips when the word passes */
    bool unordered, offset; /* rests on a choice: UNORDERED, register plus offset */
};

/* The wait of a lane: mode and index bytes and the shared value, register forms read from `regs`.
 * False when the mode is none of WAIT_MODE or the register does not exist. */
bool trn_wait_decode(uint8_t mode, uint8_t index, uint32_t value, const struct trn_regs *regs,
                     unsigned isa, struct trn_wait *out);

bool trn_wait_holds(const struct trn_sync *sync, const struct trn_wait *wait);
/* The same of any value (an event: 0 or 1) in place of the present one. */
bool trn_wait_holds_at(const struct trn_sync *sync, const struct trn_wait *wait, uint32_t value);

/* The event side effect of a wait that holds (modes *_THEN_CLEAR and *_THEN_SET). */
void trn_wait_pass(struct trn_sync *sync, const struct trn_wait *wait);

/* "eq", "lt", ... for a semaphore; "set", "clear" for an event. */
const char *trn_wait_name(const struct trn_wait *wait);

struct trn_update {
    enum trn_update_time when;
    enum { TRN_UPDATE_EVENT, TRN_UPDATE_ADD, TRN_UPDATE_WRITE } what;
    uint8_t index, mode;
    uint32_t operand; /* added (wrapping) or written; events: 0 or 1 */
};

/* The update of a lane; false as trn_wait_decode. */
bool trn_update_decode(uint8_t mode, uint8_t index, uint32_t value, const struct trn_regs *regs,
                       struct trn_update *out);

void trn_update_apply(struct trn_sync *sync, int engine, const struct trn_update *update);

/* A word sets a semaphore to 0, or looks at a value, without a wait or an update. */
void trn_sync_clear(struct trn_sync *sync, int engine, uint8_t semaphore);
uint32_t trn_sync_look(const struct trn_sync *sync, bool is_semaphore, uint8_t index);

/* Read a register specifier: 0..63, or 128/129 for the PC pair. False when there is none. */
static inline bool trn_reg_read(const struct trn_regs *regs, uint32_t number, uint32_t *value)
{
    if (number < 64)
        *value = regs->r[number];
    else if (number == 128)
        *value = (uint32_t)regs->pc;
    else if (number == 129)
        *value = (uint32_t)(regs->pc >> 32);
    else
        return false;
    return true;
}

/* Write a register specifier; writes to the PC pair are dropped (sequencer.md 7.9). */
static inline bool trn_reg_write(struct trn_regs *regs, uint32_t number, uint32_t value)
{
    if (number < 64)
        regs->r[number] = value;
    return number < 64 || number == 128 || number == 129;
}

/* ---- the host's windows (sync.md 2) ------------------------------------------------- */

/* A 32-bit access at `offset` of the 1 MiB events-and-semaphores block. Reserved places read 0 and
 * drop writes, write-only windows read 0 (model choices of the sheet). */
uint32_t trn_sync_read(const struct trn_sync *sync, uint32_t offset);
void trn_sync_write(struct trn_sync *sync, uint32_t offset, uint32_t value);

#endif
