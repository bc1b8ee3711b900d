/* SPDX-License-Identifier: Apache-2.0 */
#include "device/order.h"

#include <stdlib.h>
#include <string.h>

/* Updates of one semaphore that are told apart; when there are more, the older half counts as done
 * by everybody who waits. */
enum { POSTS = 128 };

struct post {
    struct trn_clock clock; /* of the agent, at its update */
    unsigned agent;
    uint32_t time;
    bool added; /* else overwritten */
    bool took;  /* by the word that waited on it: a lock, a P operation */
    uint32_t value;
};

struct trn_channel {
    struct trn_clock clock; /* of the older updates, and what they left */
    uint32_t value;
    unsigned count;
    struct post posts[POSTS];
};

/* ---- agents ------------------------------------------------------------------------ */

void trn_order_init(struct trn_order *order)
{
    *order = (struct trn_order){.num_agents = 1};
    order->agents[TRN_AGENT_HOST] =
        (struct trn_agent){.by = TRN_BY_DMA, .engine = -1, .live = true, .reads = 1, .writes = 1};
}

void trn_order_free(struct trn_order *order)
{
    for (unsigned core = 0; core < TRN_ORDER_CORES; core++) {
        for (unsigned i = 0; i < TRN_NUM_SEMAPHORES; i++)
            free(order->semaphores[core][i]);
        for (unsigned i = 0; i < TRN_NUM_EVENTS; i++)
            free(order->events[core][i]);
    }
}

unsigned trn_order_find(const struct trn_order *order, enum trn_access_by by, unsigned core,
                        int engine)
{
    for (unsigned a = 1; a < order->num_agents; a++) {
        const struct trn_agent *agent = &order->agents[a];
        if (agent->by == by && agent->core == core && agent->engine == engine)
            return a;
    }
    return TRN_AGENT_HOST;
}

unsigned trn_order_agent(struct trn_order *order, enum trn_access_by by, unsigned core, int engine)
{
    const unsigned known = trn_order_find(order, by, core, engine);
    if (known != TRN_AGENT_HOST)
        return known;
    if (order->num_agents == TRN_MAX_AGENTS)
        return TRN_MAX_AGENTS - 1;
    order->agents[order->num_agents] =
        (struct trn_agent){.by = by,
                           .core = core,
                           .engine = engine,
                           .clock = order->agents[TRN_AGENT_HOST].clock,
                           .reads = 1,
                           .writes = 1};
    return order->num_agents++;
}

static void join(struct trn_clock *clock, const struct trn_clock *other)
{
    for (unsigned a = 0; a < TRN_MAX_AGENTS; a++)
        clock->time[a] = clock->time[a] > other->time[a] ? clock->time[a] : other->time[a];
}

/* Its clock with its own accesses up to `time` in it. */
static struct trn_clock publish(struct trn_agent *agent, unsigned number, uint32_t time)
{
    struct trn_clock clock = agent->clock;
    clock.time[number] = time;
    agent->published = agent->published || time == agent->writes;
    if (agent->by != TRN_BY_TRANSFER)
        agent->clock.time[number] = time;
    return clock;
}

void trn_order_begin(struct trn_order *order, unsigned agent, bool early)
{
    struct trn_agent *a = &order->agents[agent];
    a->writes += a->published;
    a->reads = a->writes;
    a->writes += early;
    a->published = false;
    a->num_waited = 0;
}

void trn_order_begin_transfer(struct trn_order *order, unsigned transfer, unsigned engine)
{
    struct trn_agent *t = &order->agents[transfer], *e = &order->agents[engine];
    t->clock = publish(e, engine, e->writes);
    t->reads = t->writes = t->writes + 1;
}

void trn_order_pass_on(struct trn_order *order, unsigned from, unsigned to)
{
    struct trn_agent *f = &order->agents[from];
    const struct trn_clock clock = publish(f, from, f->writes);
    join(&order->agents[to].clock, &clock);
}

bool trn_order_knows(const struct trn_order *order, unsigned agent, unsigned who, uint32_t time)
{
    const struct trn_agent *a = &order->agents[agent];
    if (agent == who && (a->by != TRN_BY_TRANSFER || time == a->writes))
        return true;
    return a->clock.time[who] >= time;
}

/* Transfers begin behind a word of their engine, and know what it knows; engines that the host
 * starts later know what the host knows. */
bool trn_order_all_know(const struct trn_order *order, unsigned who, uint32_t time)
{
    for (unsigned a = 0; a < order->num_agents; a++)
        if (a != who && order->agents[a].live && order->agents[a].clock.time[who] < time)
            return false;
    return true;
}

/* ---- semaphores and events --------------------------------------------------------- */

static struct trn_channel **channel_of(struct trn_order *order, unsigned core, bool is_semaphore,
                                       uint8_t index)
{
    return is_semaphore ? &order->semaphores[core][index] : &order->events[core][index];
}

static uint32_t after(const struct post *post, uint32_t value)
{
    return post->added ? value + post->value : post->value;
}

static void forget_half(struct trn_channel *channel)
{
    for (unsigned i = 0; i < POSTS / 2; i++) {
        join(&channel->clock, &channel->posts[i].clock);
        channel->value = after(&channel->posts[i], channel->value);
    }
    channel->count -= POSTS / 2;
    memmove(channel->posts, channel->posts + POSTS / 2, channel->count * sizeof channel->posts[0]);
}

static bool waits_on(const struct trn_agent *agent, const struct trn_sync_change *change)
{
    for (unsigned i = 0; i < agent->num_waited; i++)
        if (agent->waited[i].is_semaphore == change->is_semaphore &&
            agent->waited[i].index == change->index)
            return true;
    return false;
}

void trn_order_post(struct trn_order *order, unsigned agent, unsigned core,
                    const struct trn_sync_change *change)
{
    struct trn_channel **at = channel_of(order, core, change->is_semaphore, change->index);
    struct trn_agent *a = &order->agents[agent];
    if (!*at) {
        *at = calloc(1, sizeof **at);
        if (!*at) /* then nothing is known of it, and nothing is ordered by it */
            return;
        (*at)->value = change->before;
    }
    struct trn_channel *channel = *at;
    if (channel->count == POSTS)
        forget_half(channel);
    struct post *post = &channel->posts[channel->count++];
    post->agent = agent;
    post->time = change->when == TRN_UPDATE_READ ? a->reads : a->writes;
    post->clock = publish(a, agent, post->time);
    post->added = change->added;
    post->value = change->added ? change->now - change->before : change->now;
    post->took = waits_on(a, change);
    if (a->by == TRN_BY_DMA) /* the host, too: its updates follow one another */
        trn_order_begin(order, agent, false);
}

/* ---- waits ------------------------------------------------------------------------- */

struct waiting {
    const struct trn_channel *channel;
    const struct trn_sync *sync;
    const struct trn_wait *wait;
    bool takes;
    unsigned first; /* the states that the wait may have met begin before this update */
};

/* Whether the wait could not have passed without what agent `who` did from `time` on, and all that
 * is behind it: in none of the states that the other updates lead through, from those that came
 * before the wait anyway. */
static bool is_needed(const struct waiting *w, unsigned who, uint32_t time)
{
    uint32_t value = w->channel->value;
    for (unsigned i = 0;; i++) {
        if (i >= w->first && trn_wait_holds_at(w->sync, w->wait, value))
            return false;
        if (i == w->channel->count)
            return true;
        const struct post *post = &w->channel->posts[i];
        if (post->clock.time[who] < time)
            value = after(post, value);
        else if (w->takes && post->took && i < w->first) /* it came before */
            return true;
    }
}

/* The last time of an agent that is needed, if it is behind `known`. What is needed at a time is at
 * every time before it. */
static uint32_t needed_time(const struct waiting *w, unsigned who, uint32_t known)
{
    uint32_t least = UINT32_MAX; /* that is not */
    for (unsigned i = w->channel->count; i-- > 0;) {
        const uint32_t time = w->channel->posts[i].clock.time[who];
        if (time <= known || time >= least)
            continue;
        if (is_needed(w, who, time))
            known = time;
        else
            least = time;
    }
    return known;
}

/* Updates that came before the wait in every order that keeps what has been decided: what the agent
 * knows, and, for a wait that takes, whoever took before. */
static unsigned first_open(const struct trn_order *order, unsigned agent,
                           const struct trn_channel *channel, bool takes)
{
    unsigned first = 0;
    for (unsigned i = 0; i < channel->count; i++) {
        const struct post *post = &channel->posts[i];
        if (order->agents[agent].clock.time[post->agent] >= post->time || (takes && post->took))
            first = i + 1;
    }
    return first;
}

void trn_order_wait(struct trn_order *order, unsigned agent, unsigned core,
                    const struct trn_sync *sync, const struct trn_wait *wait, bool takes)
{
    struct trn_agent *a = &order->agents[agent];
    const bool is_semaphore = wait->on == TRN_WAIT_SEMAPHORE;
    const struct trn_channel *channel = *channel_of(order, core, is_semaphore, wait->index);
    if (a->num_waited < sizeof a->waited / sizeof a->waited[0]) {
        a->waited[a->num_waited].is_semaphore = is_semaphore;
        a->waited[a->num_waited++].index = wait->index;
    }
    if (!channel) /* as the host left it */
        return;
    const struct waiting w = {channel, sync, wait, takes, first_open(order, agent, channel, takes)};
    join(&a->clock, &channel->clock);
    for (unsigned who = 0; who < order->num_agents; who++)
        if (who != agent)
            a->clock.time[who] = needed_time(&w, who, a->clock.time[who]);
}
