/* SPDX-License-Identifier: Apache-2.0 */
/* A bus that writes down what crosses it, over a sparse memory of 32-bit words, and an observer
 * that writes the HAL's log lines and steps into the same list. The bus can refuse its n-th access,
 * and answer every read with all ones as a device that is gone from its link does; the observer can
 * make a step fail. */
#ifndef TESTS_HAL_FAKE_BUS_H
#define TESTS_HAL_FAKE_BUS_H

#include "trench/hal.h"

struct fake_event {
    char kind;       /* 'R', 'W', 'B' as in docs/cli-contract.md, 'r' a block read, 'L', '#' */
    uint64_t offset; /* of an access */
    uint64_t value;  /* of a register; length of a block */
    char digest[65]; /* SHA-256 of a written block when `digests` is set */
    struct trn_hal_where where; /* of a step */
    int level;                  /* of a log line */
    char function[64];
    char text[192];
};

struct fake_word {
    uint64_t offset; /* + 1; 0: free */
    uint32_t value;
};

struct fake_bus {
    struct trn_bus bus;
    const struct trn_bus *under; /* a device that answers instead of the memory, or NULL */
    struct fake_event *event;    /* a refused access is written down too */
    size_t count, room;
    size_t accesses; /* how many of the events are accesses */
    struct fake_word *word;
    size_t words, word_room;
    size_t fail_at; /* number of the access that is refused, from 1; 0: none */
    trn_status fail_status;
    bool all_ones;
    bool digests;
    int fail_engine; /* of the step that the observer makes fail */
    enum trn_hal_step fail_step;
    trn_status fail_code; /* 0: none fails */
};

void fake_bus_open(struct fake_bus *bus);
void fake_bus_close(struct fake_bus *bus);
/* Forget the events and the contents, keep the switches. */
void fake_bus_clear(struct fake_bus *bus);
struct trn_hal_observer fake_bus_observer(struct fake_bus *bus);
/* Contents without an access. A word nobody wrote is 0. */
void fake_bus_poke(struct fake_bus *bus, uint64_t offset, uint32_t value);
uint32_t fake_bus_peek(const struct fake_bus *bus, uint64_t offset);
/* How many accesses of a kind went to an offset. */
size_t fake_bus_count(const struct fake_bus *bus, char kind, uint64_t offset);
/* How many log lines of a level there are. */
size_t fake_bus_logs(const struct fake_bus *bus, int level);
/* The first log line whose text contains `text`, or NULL. */
const struct fake_event *fake_bus_find_log(const struct fake_bus *bus, const char *text);

#endif
