/* SPDX-License-Identifier: Apache-2.0 */
/* A handle over a fake bus, for tests of single calls. */
#ifndef TESTS_HAL_HOST_H
#define TESTS_HAL_HOST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "hal/fake_bus.h"

struct host {
    struct fake_bus bus;
    struct trn_hal *hal;
};

/* `gen` NULL: nothing latched. `options` NULL: none; its observer is replaced. */
void host_open(struct host *host, const char *gen, const struct trn_hal_options *options);
void host_close(struct host *host);
/* What crossed the bus and was logged since the last call, one a line: "R 304", "W 30C 5",
 * "B 2B87000 400", "L1 text"; numbers in hex without 0x. Steps are left out. */
void host_expect(struct host *host, const char *lines);
/* The diagnostic's message. */
const char *host_said(const struct host *host);

#endif
