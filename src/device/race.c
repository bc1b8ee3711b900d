/* SPDX-License-Identifier: Apache-2.0 */
#include "device/race.h"

#include <stdlib.h>
#include <string.h>

#include "device/core.h"

/* Words of an agent that are remembered of one byte, readers and writers apart. */
enum { KEPT_WORDS = 8, FIRST_SLOTS = 256 };

/* ---- life -------------------------------------------------------------------------- */

trn_status trn_race_create(struct trn_race **out)
{
    struct trn_race *race = calloc(1, sizeof *race);
    *out = race;
    if (!race)
        return TRN_ERR_NO_MEMORY;
    trn_order_init(&race->order);
    race->num_words = 1;
    race->num_slots = FIRST_SLOTS;
    race->slots = calloc(FIRST_SLOTS, sizeof *race->slots);
    race->words = calloc(FIRST_SLOTS / 2, sizeof *race->words);
    if (race->slots && race->words)
        return TRN_OK;
    trn_race_destroy(race);
    *out = NULL;
    return TRN_ERR_NO_MEMORY;
}

void trn_race_destroy(struct trn_race *race)
{
    if (!race)
        return;
    trn_order_free(&race->order);
    free(race->slots);
    free(race->words);
    free(race);
}

/* ---- who acts ---------------------------------------------------------------------- */

/* An agent past the last is not alone (order.h), and is reported by its own name all the same. */
static void act(struct trn_race *race, unsigned agent, struct trn_access_report who)
{
    race->actor = (struct trn_race_side){agent, who};
}

static struct trn_access_report engine_name(const struct trn_tpb *tpb, int engine)
{
    return (struct trn_access_report){.by = TRN_BY_WORD, .core = tpb->number, .engine = engine};
}

static unsigned engine_agent(const struct trn_tpb *tpb, int engine)
{
    return trn_order_agent(&tpb->device->race->order, TRN_BY_WORD, tpb->number, engine);
}

static unsigned dma_agent(struct trn_race *race, unsigned number)
{
    return trn_order_agent(&race->order, TRN_BY_DMA, 0, (int)number);
}

static void on_begin(void *context, int engine, bool early)
{
    const struct trn_tpb *tpb = context;
    struct trn_race *race = tpb->device->race;
    const unsigned agent = engine_agent(tpb, engine);
    trn_order_begin(&race->order, agent, early);
    race->order.agents[agent].live = true;
    act(race, agent, engine_name(tpb, engine));
}

static void post(const struct trn_tpb *tpb, const struct trn_sync_change *change)
{
    struct trn_race *race = tpb->device->race;
    trn_order_post(&race->order, race->actor.agent, tpb->number, change);
}

static void on_passed(void *context, const struct trn_wait *wait, bool takes)
{
    const struct trn_tpb *tpb = context;
    struct trn_race *race = tpb->device->race;
    trn_order_wait(&race->order, race->actor.agent, tpb->number, &tpb->sync, wait, takes);
    if (wait->toggles)
        post(tpb, &(struct trn_sync_change){.when = TRN_UPDATE_READ,
                                            .index = wait->index,
                                            .before = wait->level,
                                            .now = !wait->level});
}

static void on_changed(void *context, const struct trn_sync_change *change)
{
    post(context, change);
}

/* A program that looks at a value goes on as that value says: as if it had waited for it. */
static void on_read(void *context, bool is_semaphore, uint8_t index)
{
    const struct trn_tpb *tpb = context;
    struct trn_race *race = tpb->device->race;
    const struct trn_wait wait = {.on = is_semaphore ? TRN_WAIT_SEMAPHORE : TRN_WAIT_EVENT,
                                  .compare = TRN_EQ,
                                  .index = index,
                                  .threshold = tpb->sync.semaphore[index],
                                  .level = tpb->sync.event[index]};
    if (race->actor.agent != TRN_AGENT_HOST)
        trn_order_wait(&race->order, race->actor.agent, tpb->number, &tpb->sync, &wait, false);
}

void trn_race_listen(struct trn_tpb *tpb)
{
    tpb->watch.sync = (struct trn_sync_watch){.next = tpb->sync.watch,
                                              .context = tpb,
                                              .begin = on_begin,
                                              .passed = on_passed,
                                              .changed = on_changed,
                                              .read = on_read};
    tpb->sync.watch = &tpb->watch.sync;
}

/* ---- runs -------------------------------------------------------------------------- */

static bool in_program(const struct trn_seq *seq)
{
    return seq->state == TRN_SEQ_RUNNING || seq->state == TRN_SEQ_WAITING ||
           seq->state == TRN_SEQ_POSTING || seq->state == TRN_SEQ_BREAK;
}

void trn_race_run_begins(struct trn_device *device)
{
    for (unsigned core = 0; core < TRN_MAX_CORES; core++)
        for (int e = 0; device->tpb[core] && e < TRN_ENGINES; e++)
            if (trn_seq_runnable(&device->tpb[core]->seq[e]))
                device->race->order.agents[engine_agent(device->tpb[core], e)].live = true;
}

/* The host has seen it end: what the host starts or posts from now on is behind it. */
static void settle(struct trn_device *device)
{
    struct trn_order *order = &device->race->order;
    for (unsigned a = 1; a < order->num_agents; a++)
        if (!order->agents[a].live)
            trn_order_pass_on(order, a, TRN_AGENT_HOST);
    for (unsigned a = 1; a < order->num_agents; a++)
        if (!order->agents[a].live)
            trn_order_pass_on(order, TRN_AGENT_HOST, a);
    trn_order_begin(order, TRN_AGENT_HOST, false);
}

void trn_race_run_ends(struct trn_device *device, bool settled)
{
    act(device->race, TRN_AGENT_HOST, (struct trn_access_report){.engine = -1});
    for (unsigned core = 0; core < TRN_MAX_CORES; core++)
        for (int e = 0; device->tpb[core] && e < TRN_ENGINES; e++)
            trn_race_idle(device->tpb[core], e);
    if (settled)
        settle(device);
}

void trn_race_idle(struct trn_tpb *tpb, int engine)
{
    const struct trn_seq *seq = &tpb->seq[engine];
    struct trn_order *order = &tpb->device->race->order;
    const unsigned agent = trn_order_find(order, TRN_BY_WORD, tpb->number, engine);
    if (agent != TRN_AGENT_HOST)
        order->agents[agent].live = in_program(seq) || trn_seq_runnable(seq);
}

/* ---- transfers and DMA engines ------------------------------------------------------- */

void trn_race_begin_transfer(struct trn_tpb *tpb, int engine)
{
    struct trn_race *race = tpb->device->race;
    const unsigned transfer = trn_order_agent(&race->order, TRN_BY_TRANSFER, tpb->number, engine);
    struct trn_access_report who = engine_name(tpb, engine);
    who.by = TRN_BY_TRANSFER;
    trn_order_begin_transfer(&race->order, transfer, engine_agent(tpb, engine));
    act(race, transfer, who);
}

void trn_race_end_transfer(struct trn_tpb *tpb, int engine)
{
    act(tpb->device->race, engine_agent(tpb, engine), engine_name(tpb, engine));
}

struct trn_race_side trn_race_begin_dma(struct trn_race *race, unsigned number)
{
    const struct trn_race_side before = race->actor;
    const unsigned agent = dma_agent(race, number);
    trn_order_begin(&race->order, agent, false);
    race->order.agents[agent].live = true;
    act(race, agent, (struct trn_access_report){.by = TRN_BY_DMA, .engine = (int)number});
    return before;
}

void trn_race_end_dma(struct trn_race *race, unsigned number, bool pending,
                      struct trn_race_side before)
{
    race->order.agents[dma_agent(race, number)].live = pending;
    race->actor = before;
}

void trn_race_rang_dma(struct trn_race *race, unsigned number)
{
    const unsigned agent = dma_agent(race, number);
    trn_order_pass_on(&race->order, race->actor.agent, agent);
    race->order.agents[agent].live = true;
}

void trn_race_rang_engine(const struct trn_seq *seq)
{
    const struct trn_tpb *tpb = seq->core->context;
    struct trn_race *race = tpb->device->race;
    trn_order_pass_on(&race->order, race->actor.agent, engine_agent(tpb, seq->engine));
}

/* ---- words ------------------------------------------------------------------------- */

static uint32_t slot_of(const struct trn_race *race, const struct trn_race_side *word)
{
    uint64_t hash = word->who.pc * UINT64_C(0x9E3779B97F4A7C15);
    hash = (hash ^ (word->agent * 2 + word->who.write)) * UINT64_C(0xBF58476D1CE4E5B9);
    return (uint32_t)(hash >> 32) & (race->num_slots - 1);
}

static bool same_word(const struct trn_race_side *a, const struct trn_race_side *b)
{
    return a->agent == b->agent && a->who.pc == b->who.pc && a->who.write == b->who.write &&
           a->who.by == b->who.by && a->who.core == b->who.core && a->who.engine == b->who.engine;
}

static bool grow_words(struct trn_race *race)
{
    if (race->num_slots > UINT32_MAX / 4)
        return false;
    const uint32_t more = race->num_slots * 2;
    struct trn_race_side *words = realloc(race->words, more / 2 * sizeof *words);
    if (!words)
        return false;
    race->words = words;
    uint32_t *slots = calloc(more, sizeof *slots);
    if (!slots)
        return false;
    free(race->slots);
    race->slots = slots;
    race->num_slots = more;
    for (uint32_t i = 1; i < race->num_words; i++) {
        uint32_t at = slot_of(race, &words[i]);
        while (slots[at] != 0)
            at = (at + 1) & (more - 1);
        slots[at] = i;
    }
    return true;
}

/* The number of a word of the actor; 0: memory is short. */
static uint32_t word_number(struct trn_race *race, const struct trn_access *access)
{
    struct trn_race_side word = race->actor;
    word.who.pc = word.who.by == TRN_BY_DMA ? 0 : access->pc;
    word.who.write = access->write;
    uint32_t at = slot_of(race, &word);
    while (race->slots[at] != 0 && !same_word(&race->words[race->slots[at]], &word))
        at = (at + 1) & (race->num_slots - 1);
    if (race->slots[at] != 0)
        return race->slots[at];
    if (race->num_words == race->num_slots / 2) {
        if (!grow_words(race))
            return 0;
        at = slot_of(race, &word);
        while (race->slots[at] != 0)
            at = (at + 1) & (race->num_slots - 1);
    }
    race->words[race->num_words] = word;
    return race->slots[at] = race->num_words++;
}

/* ---- accesses ---------------------------------------------------------------------- */

struct touch {
    struct trn_tpb *tpb;
    struct trn_race *race;
    enum trn_space space;
    struct trn_past now;
    bool write;
};

static void compare(const struct touch *touch, const struct trn_past *past, size_t row,
                    uint64_t byte)
{
    const struct trn_race *race = touch->race;
    const struct trn_race_side *before = &race->words[past->who];
    if (!(touch->write || before->who.write) ||
        trn_order_knows(&race->order, race->actor.agent, before->agent, past->time))
        return;
    trn_watch_race(touch->tpb, touch->space, (uint32_t)row, byte, &before->who,
                   &race->words[touch->now.who].who);
}

/* Insert by number of the word. */
static size_t insert(struct trn_past *list, size_t count, struct trn_past past)
{
    size_t at = count;
    for (; at > 0 && list[at - 1].who > past.who; at--)
        list[at] = list[at - 1];
    list[at] = past;
    return count + 1;
}

static bool older(const struct trn_past *a, const struct trn_past *b)
{
    return a->time != b->time ? a->time < b->time : a->who < b->who;
}

/* Of the words of one agent, readers or writers, the oldest goes when there are too many. */
static size_t forget_oldest(const struct trn_race *race, struct trn_past *list, size_t count,
                            const struct trn_race_side *like)
{
    size_t alike = 0, oldest = 0;
    for (size_t i = 0; i < count; i++) {
        const struct trn_race_side *word = &race->words[list[i].who];
        if (word->agent != like->agent || word->who.write != like->who.write)
            continue;
        if (alike++ == 0 || older(&list[i], &list[oldest]))
            oldest = i;
    }
    if (alike <= KEPT_WORDS && count < TRN_HISTORY_PASTS)
        return count;
    if (alike == 1) /* too many agents: another one's goes */
        oldest = oldest == 0;
    memmove(list + oldest, list + oldest + 1, (count - oldest - 1) * sizeof *list);
    return count - 1;
}

static size_t next(void *context, size_t row, uint64_t byte, const struct trn_past *old,
                   size_t count, struct trn_past now[TRN_HISTORY_PASTS])
{
    const struct touch *touch = context;
    const struct trn_race *race = touch->race;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const struct trn_race_side *word = &race->words[old[i].who];
        compare(touch, &old[i], row, byte);
        if (old[i].who != touch->now.who &&
            !trn_order_all_know(&race->order, word->agent, old[i].time))
            now[kept++] = old[i];
    }
    if (trn_order_all_know(&race->order, race->actor.agent, touch->now.time))
        return kept;
    kept = insert(now, kept, touch->now);
    return forget_oldest(race, now, kept, &race->words[touch->now.who]);
}

static struct trn_history *history_of(struct trn_tpb *tpb, enum trn_space space)
{
    switch (space) {
    case TRN_SPACE_SBUF:
        return tpb->watch.sbuf;
    case TRN_SPACE_PSUM:
        return tpb->watch.psum;
    case TRN_SPACE_HBM:
        return tpb->stack->history;
    default:
        return NULL;
    }
}

void trn_race_access(struct trn_tpb *tpb, const struct trn_access *access)
{
    struct trn_race *race = tpb->device->race;
    struct trn_history *history = history_of(tpb, access->space);
    const struct trn_agent *agent = &race->order.agents[race->actor.agent];
    const bool by_host = access->engine == TRN_ENGINE_HOST && agent->by != TRN_BY_DMA;
    if (race->actor.agent == TRN_AGENT_HOST || by_host || !history)
        return;
    struct touch touch = {
        .tpb = tpb,
        .race = race,
        .space = access->space,
        .now = {word_number(race, access), access->write ? agent->writes : agent->reads},
        .write = access->write};
    if (touch.now.who != 0)
        trn_history_access(history, access, next, &touch);
}
