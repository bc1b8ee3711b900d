/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/traffic.h"

#include <string.h>

static bool is_access(const struct fake_event *event)
{
    return event->kind != 'L' && event->kind != '#';
}

void forget_traffic(struct rig *rig)
{
    rig->bus.count = rig->bus.accesses = 0;
}

void expect_traffic(struct rig *rig, const struct traffic *list, size_t count)
{
    const struct fake_bus *const bus = &rig->bus;
    size_t found = 0;
    for (size_t i = 0; i < bus->count; i++) {
        const struct fake_event *const event = &bus->event[i];
        if (!is_access(event))
            continue;
        if (found == count)
            fail_msg("%s: one access too many: %c 0x%llx 0x%llx", rig->gen->name, event->kind,
                     (unsigned long long)event->offset, (unsigned long long)event->value);
        const struct traffic *const wanted = &list[found++];
        if (event->kind != wanted->kind || event->offset != wanted->offset ||
            event->value != wanted->value)
            fail_msg("%s: access %zu is %c 0x%llx 0x%llx, wanted %c 0x%llx 0x%llx", rig->gen->name,
                     found, event->kind, (unsigned long long)event->offset,
                     (unsigned long long)event->value, wanted->kind,
                     (unsigned long long)wanted->offset, (unsigned long long)wanted->value);
    }
    if (found != count)
        fail_msg("%s: %zu accesses, wanted %zu", rig->gen->name, found, count);
    forget_traffic(rig);
}

void expect_line(const struct rig *rig, int level, const char *function, const char *text)
{
    const struct fake_bus *const bus = &rig->bus;
    const struct fake_event *line = NULL;
    for (size_t i = 0; i < bus->count; i++) {
        if (bus->event[i].kind != 'L' || bus->event[i].level != level)
            continue;
        if (line)
            fail_msg("%s: a second line of level %d: %s", rig->gen->name, level,
                     bus->event[i].text);
        line = &bus->event[i];
    }
    if (!line)
        fail_msg("%s: no line of level %d", rig->gen->name, level);
    assert_string_equal(line->text, text);
    if (function)
        assert_string_equal(line->function, function);
}

void rig_with_options(struct rig *rig, struct trn_hal_options options)
{
    struct trn_diag diag;
    trn_hal_destroy(rig->hal);
    fake_bus_clear(&rig->bus);
    options.observer = fake_bus_observer(&rig->bus);
    if (trn_hal_create(&rig->bus.bus, &options, &rig->hal, &diag) != TRN_OK)
        fail_msg("%s", diag.message);
    assert_int_equal(trn_hal_latch(rig->hal, rig->gen), TRN_OK);
}
