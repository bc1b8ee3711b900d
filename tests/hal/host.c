/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/host.h"

#include <stdio.h>

void host_open(struct host *host, const char *gen, const struct trn_hal_options *options)
{
    struct trn_hal_options chosen = {0};
    memset(host, 0, sizeof *host);
    fake_bus_open(&host->bus);
    if (options)
        chosen = *options;
    chosen.observer = fake_bus_observer(&host->bus);
    assert_int_equal(trn_hal_create(&host->bus.bus, &chosen, &host->hal, NULL), TRN_OK);
    if (gen)
        assert_int_equal(trn_hal_latch(host->hal, trn_gen_find(gen)), TRN_OK);
}

void host_close(struct host *host)
{
    trn_hal_destroy(host->hal);
    fake_bus_close(&host->bus);
}

static int print(char *line, size_t room, const struct fake_event *event)
{
    const unsigned long long offset = event->offset, value = event->value;
    switch (event->kind) {
    case 'R':
        return snprintf(line, room, "R %llX\n", offset);
    case 'W':
    case 'B':
        return snprintf(line, room, "%c %llX %llX\n", event->kind, offset, value);
    case 'L':
        return snprintf(line, room, "L%d %s\n", event->level, event->text);
    default:
        return 0;
    }
}

void host_expect(struct host *host, const char *lines)
{
    char text[8192] = "";
    size_t used = 0;
    for (size_t i = 0; i < host->bus.count; i++) {
        used += (size_t)print(text + used, sizeof text - used, &host->bus.event[i]);
        assert_true(used < sizeof text);
    }
    assert_string_equal(text, lines);
    host->bus.count = 0;
    host->bus.accesses = 0;
}

const char *host_said(const struct host *host)
{
    return trn_hal_diag(host->hal)->message;
}
