/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of the same bytes that nothing orders (docs/races.md): who touches memory now, what is
 * remembered of each byte, and what is reported. A device that is not asked for it has none. */
#ifndef TRN_DEVICE_RACE_H
#define TRN_DEVICE_RACE_H

#include "device/order.h"
#include "mem/history.h"

struct trn_device;
struct trn_seq;
struct trn_tpb;

/* Somebody who touches memory, as the order knows it and as a finding says it. */
struct trn_race_side {
    unsigned agent;
    struct trn_access_report who;
};

struct trn_race {
    struct trn_order order;
    struct trn_race_side actor;  /* who does something now; pc and write are each access's own */
    struct trn_race_side *words; /* that have touched memory, readers and writers; 0: none */
    uint32_t *slots;             /* their numbers by hash; 0: free */
    uint32_t num_words, num_slots;
};

trn_status trn_race_create(struct trn_race **out);
void trn_race_destroy(struct trn_race *race); /* NULL is fine */
/* What the words of a core wait on and post. */
void trn_race_listen(struct trn_tpb *tpb);

/* trn_device_run begins, and ends: nothing can go on by itself, or it was cut short. */
void trn_race_run_begins(struct trn_device *device);
void trn_race_run_ends(struct trn_device *device, bool settled);
/* An engine could do nothing. */
void trn_race_idle(struct trn_tpb *tpb, int engine);

/* The word that `engine` executes has its transfer, until it is the engine's turn again. */
void trn_race_begin_transfer(struct trn_tpb *tpb, int engine);
void trn_race_end_transfer(struct trn_tpb *tpb, int engine);

/* A DMA engine moves descriptors, `pending`: more are left. Answers who did something before. */
struct trn_race_side trn_race_begin_dma(struct trn_race *race, unsigned number);
void trn_race_end_dma(struct trn_race *race, unsigned number, bool pending,
                      struct trn_race_side before);
/* Whoever acts now has written to a register of a DMA engine or of an engine: what that does is
 * behind it. */
void trn_race_rang_dma(struct trn_race *race, unsigned number);
void trn_race_rang_engine(const struct trn_seq *seq);

void trn_race_access(struct trn_tpb *tpb, const struct trn_access *access);

#endif
