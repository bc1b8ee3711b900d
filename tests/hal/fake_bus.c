/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <openssl/sha.h>

#include "hal/fake_bus.h"

/* ---- contents: open addressing, grown before it is three quarters full -------------------------
 */

static struct fake_word *slot(struct fake_word *words, size_t room, uint64_t offset)
{
    size_t at = (size_t)(offset * UINT64_C(0x9E3779B97F4A7C15) >> 32) % room;
    while (words[at].offset != 0 && words[at].offset != offset + 1)
        at = (at + 1) % room;
    return &words[at];
}

static void grow(struct fake_bus *bus)
{
    const size_t room = bus->word_room ? 2 * bus->word_room : 256;
    struct fake_word *words = calloc(room, sizeof *words);
    assert_non_null(words);
    for (size_t i = 0; i < bus->word_room; i++)
        if (bus->word[i].offset != 0)
            *slot(words, room, bus->word[i].offset - 1) = bus->word[i];
    free(bus->word);
    bus->word = words;
    bus->word_room = room;
}

void fake_bus_poke(struct fake_bus *bus, uint64_t offset, uint32_t value)
{
    if (4 * (bus->words + 1) > 3 * bus->word_room)
        grow(bus);
    struct fake_word *word = slot(bus->word, bus->word_room, offset);
    if (word->offset == 0)
        bus->words++;
    *word = (struct fake_word){offset + 1, value};
}

uint32_t fake_bus_peek(const struct fake_bus *bus, uint64_t offset)
{
    return bus->word_room ? slot(bus->word, bus->word_room, offset)->value : 0;
}

/* ---- events ---------------------------------------------------------------------------------- */

static struct fake_event *add(struct fake_bus *bus, char kind)
{
    if (bus->count == bus->room) {
        bus->room = bus->room ? 2 * bus->room : 512;
        bus->event = realloc(bus->event, bus->room * sizeof *bus->event);
        assert_non_null(bus->event);
    }
    struct fake_event *event = &bus->event[bus->count++];
    *event = (struct fake_event){.kind = kind};
    return event;
}

/* Write an access down; NULL: it is refused. */
static struct fake_event *access(struct fake_bus *bus, char kind, uint64_t offset, uint64_t value)
{
    struct fake_event *event = add(bus, kind);
    event->offset = offset;
    event->value = value;
    bus->accesses++;
    return bus->fail_at == 0 || bus->accesses < bus->fail_at ? event : NULL;
}

static trn_status fake_read(void *context, uint64_t offset, uint32_t *value)
{
    struct fake_bus *bus = context;
    uint32_t word = bus->all_ones ? UINT32_MAX : fake_bus_peek(bus, offset);
    trn_status status = TRN_OK;
    if (bus->under)
        status = bus->under->read32(bus->under->context, offset, &word);
    if (!access(bus, 'R', offset, word))
        return bus->fail_status;
    *value = word;
    return status;
}

static trn_status fake_write(void *context, uint64_t offset, uint32_t value)
{
    struct fake_bus *bus = context;
    if (!access(bus, 'W', offset, value))
        return bus->fail_status;
    if (bus->under)
        return bus->under->write32(bus->under->context, offset, value);
    fake_bus_poke(bus, offset, value);
    return TRN_OK;
}

static trn_status fake_write_block(void *context, uint64_t offset, const void *data, size_t size)
{
    struct fake_bus *bus = context;
    struct fake_event *event = access(bus, 'B', offset, size);
    if (!event)
        return bus->fail_status;
    if (bus->digests) {
        unsigned char digest[SHA256_DIGEST_LENGTH];
        SHA256(data, size, digest);
        for (size_t i = 0; i < sizeof digest; i++)
            snprintf(event->digest + 2 * i, 3, "%02x", digest[i]);
    }
    if (bus->under)
        return bus->under->write_block(bus->under->context, offset, data, size);
    return TRN_OK;
}

/* The HAL has no burst read (hal-stpb.md 4.1): whoever asks for one is found in the list. */
static trn_status fake_read_block(void *context, uint64_t offset, void *data, size_t size)
{
    struct fake_bus *bus = context;
    if (!access(bus, 'r', offset, size))
        return bus->fail_status;
    memset(data, bus->all_ones ? 0xFF : 0, size);
    return TRN_OK;
}

/* ---- the observer ------------------------------------------------------------------------------
 */

static trn_status fake_step(void *context, const struct trn_hal_where *where)
{
    struct fake_bus *bus = context;
    add(bus, '#')->where = *where;
    const bool mine = where->engine == bus->fail_engine && where->step == bus->fail_step;
    return mine ? bus->fail_code : TRN_OK;
}

static void fake_log(void *context, int level, const char *function, const char *text)
{
    struct fake_bus *bus = context;
    struct fake_event *event = add(bus, 'L');
    event->level = level;
    snprintf(event->function, sizeof event->function, "%s", function);
    snprintf(event->text, sizeof event->text, "%s", text);
}

struct trn_hal_observer fake_bus_observer(struct fake_bus *bus)
{
    return (struct trn_hal_observer){.context = bus, .step = fake_step, .log = fake_log};
}

/* ---- opening, closing, counting
 * ------------------------------------------------------------------ */

void fake_bus_open(struct fake_bus *bus)
{
    *bus = (struct fake_bus){.bus = {bus, fake_read, fake_write, fake_read_block, fake_write_block},
                             .fail_status = TRN_ERR_IO};
}

void fake_bus_clear(struct fake_bus *bus)
{
    bus->count = bus->accesses = 0;
    bus->words = 0;
    if (bus->word)
        memset(bus->word, 0, bus->word_room * sizeof *bus->word);
}

void fake_bus_close(struct fake_bus *bus)
{
    free(bus->event);
    free(bus->word);
}

size_t fake_bus_count(const struct fake_bus *bus, char kind, uint64_t offset)
{
    size_t count = 0;
    for (size_t i = 0; i < bus->count; i++)
        count += bus->event[i].kind == kind && bus->event[i].offset == offset;
    return count;
}

size_t fake_bus_logs(const struct fake_bus *bus, int level)
{
    size_t count = 0;
    for (size_t i = 0; i < bus->count; i++)
        count += bus->event[i].kind == 'L' && bus->event[i].level == level;
    return count;
}

const struct fake_event *fake_bus_find_log(const struct fake_bus *bus, const char *text)
{
    for (size_t i = 0; i < bus->count; i++)
        if (bus->event[i].kind == 'L' && strstr(bus->event[i].text, text))
            return &bus->event[i];
    return NULL;
}
