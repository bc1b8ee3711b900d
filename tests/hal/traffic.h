/* SPDX-License-Identifier: Apache-2.0 */
/* The accesses of one call, typed in a test and compared with what crossed the fake bus. */
#ifndef TESTS_HAL_TRAFFIC_H
#define TESTS_HAL_TRAFFIC_H

#include "hal/bringup.h"

struct traffic {
    char kind; /* 'R' value read, 'W' value written, 'B' length */
    uint64_t offset, value;
};

/* Exactly these accesses, in this order; the bus forgets them, its contents stay. */
void expect_traffic(struct rig *rig, const struct traffic *list, size_t count);
#define EXPECT_TRAFFIC(rig, ...)                                                                   \
    do {                                                                                           \
        const struct traffic list_[] = {__VA_ARGS__};                                              \
        expect_traffic((rig), list_, sizeof list_ / sizeof list_[0]);                              \
    } while (0)
#define EXPECT_NO_TRAFFIC(rig) expect_traffic((rig), NULL, 0)

/* Forget what crossed the bus, keep its contents. */
void forget_traffic(struct rig *rig);

/* The one log line of the level; `function` NULL: any. */
void expect_line(const struct rig *rig, int level, const char *function, const char *text);

/* A new handle with these options (its observer is the rig's) and an empty bus. */
void rig_with_options(struct rig *rig, struct trn_hal_options options);

#endif
