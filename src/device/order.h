/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is ordered behind what, in one run of a device (docs/races.md). Whoever touches memory is an
 * agent with a clock, which says for every agent up to which time its accesses are over for this
 * one. An update of a semaphore or an event publishes the clock, a wait that passes takes over what
 * it could not have passed without.
 */
#ifndef TRN_DEVICE_ORDER_H
#define TRN_DEVICE_ORDER_H

#include "seq/sync.h"
#include "trench/device.h"

/* Agents past the last share it: accesses of those are never unordered. */
enum { TRN_MAX_AGENTS = 96, TRN_AGENT_HOST = 0, TRN_ORDER_CORES = 8 };

struct trn_clock {
    uint32_t time[TRN_MAX_AGENTS];
};

struct trn_agent {
    enum trn_access_by by;
    unsigned core;
    int engine;
    bool live; /* it may touch memory again without being started anew */
    struct trn_clock clock;
    /* Times of the accesses of the current word. A word that posts when its inputs are read writes
     * at a later time than it reads. */
    uint32_t reads, writes;
    bool published; /* `writes` is: later accesses need another time */
    struct {
        bool is_semaphore;
        uint8_t index;
    } waited[2]; /* what the current word waited on */
    unsigned num_waited;
};

/* A semaphore or an event: the updates that are not yet far in the past. */
struct trn_channel;

struct trn_order {
    struct trn_agent agents[TRN_MAX_AGENTS];
    unsigned num_agents;
    struct trn_channel *semaphores[TRN_ORDER_CORES][TRN_NUM_SEMAPHORES];
    struct trn_channel *events[TRN_ORDER_CORES][TRN_NUM_EVENTS];
};

void trn_order_init(struct trn_order *order); /* the host is there */
void trn_order_free(struct trn_order *order);

/* The number of an agent; TRN_AGENT_HOST when it has never acted. */
unsigned trn_order_find(const struct trn_order *order, enum trn_access_by by, unsigned core,
                        int engine);
/* The same, made now if need be; a new one is behind everything that the host is behind. */
unsigned trn_order_agent(struct trn_order *order, enum trn_access_by by, unsigned core, int engine);

/* The next word of an agent, or the next piece of its work, begins. */
void trn_order_begin(struct trn_order *order, unsigned agent, bool early);
/* A transfer of the word that `engine` executes: behind it, not behind other transfers. */
void trn_order_begin_transfer(struct trn_order *order, unsigned transfer, unsigned engine);
/* What `to` does from now on is behind what `from` has done. */
void trn_order_pass_on(struct trn_order *order, unsigned from, unsigned to);

/* The agent changes a semaphore or an event of a core. */
void trn_order_post(struct trn_order *order, unsigned agent, unsigned core,
                    const struct trn_sync_change *change);
/* A wait of the agent's current word holds. `takes`: the same word changes what it waited on. */
void trn_order_wait(struct trn_order *order, unsigned agent, unsigned core,
                    const struct trn_sync *sync, const struct trn_wait *wait, bool takes);

/* Whether what agent `who` did at `time` is over for the current word of `agent`. */
bool trn_order_knows(const struct trn_order *order, unsigned agent, unsigned who, uint32_t time);
/* Whether it is over for all that other agents may do from now on. */
bool trn_order_all_know(const struct trn_order *order, unsigned who, uint32_t time);

#endif
