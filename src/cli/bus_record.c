/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/bus_record.h"

#include <stdlib.h>
#include <string.h>

const char *bus_op_name(enum bus_op op)
{
    static const char *const names[] = {[BUS_READ32] = "read32",
                                        [BUS_WRITE32] = "write32",
                                        [BUS_READ_BLOCK] = "read_block",
                                        [BUS_WRITE_BLOCK] = "write_block",
                                        [BUS_LOG] = "log"};
    return names[op];
}

/* A fresh event at the end; NULL when memory ran out. */
static struct bus_event *next_event(struct bus_recorder *recorder, enum bus_op op)
{
    if (recorder->num_events == recorder->capacity) {
        const size_t wanted = recorder->capacity ? 2 * recorder->capacity : 1024;
        struct bus_event *grown = realloc(recorder->events, wanted * sizeof *grown);
        if (!grown) {
            recorder->lost = true;
            return NULL;
        }
        recorder->events = grown;
        recorder->capacity = wanted;
    }
    struct bus_event *event = &recorder->events[recorder->num_events++];
    *event = (struct bus_event){.op = op, .where = recorder->where};
    return event;
}

/* Offset on the inner bus. What the host computed without the base is one already. */
static uint64_t inner_offset(const struct bus_recorder *recorder, uint64_t offset)
{
    return offset >= recorder->base ? offset - recorder->base : offset;
}

/* Whether the access belongs to the announced pair. */
static bool take_rmw(struct bus_recorder *recorder, uint64_t offset)
{
    if (recorder->rmw_left == 0 || offset != recorder->rmw_offset)
        return false;
    recorder->rmw_left--;
    return true;
}

static struct bus_event *next_register(struct bus_recorder *recorder, enum bus_op op,
                                       uint64_t offset)
{
    struct bus_event *event = next_event(recorder, op);
    if (!event)
        return NULL;
    event->offset = offset;
    event->size = sizeof(uint32_t);
    event->rmw = take_rmw(recorder, offset);
    event->mask = event->rmw ? recorder->rmw_mask : 0;
    return event;
}

static trn_status recorder_read32(void *context, uint64_t offset, uint32_t *value)
{
    struct bus_recorder *recorder = context;
    offset = inner_offset(recorder, offset);
    struct bus_event *event = next_register(recorder, BUS_READ32, offset);
    if (!event)
        return TRN_ERR_NO_MEMORY;
    event->status = recorder->inner->read32(recorder->inner->context, offset, value);
    event->value = *value;
    return event->status;
}

static trn_status recorder_write32(void *context, uint64_t offset, uint32_t value)
{
    struct bus_recorder *recorder = context;
    offset = inner_offset(recorder, offset);
    struct bus_event *event = next_register(recorder, BUS_WRITE32, offset);
    if (!event)
        return TRN_ERR_NO_MEMORY;
    event->value = value;
    event->status = recorder->inner->write32(recorder->inner->context, offset, value);
    return event->status;
}

static bool has_image(const struct bus_recorder *recorder, const uint8_t *sha256)
{
    for (size_t i = 0; i < recorder->num_images; i++)
        if (memcmp(recorder->images[i].sha256, sha256, SHA256_BYTES) == 0)
            return true;
    return false;
}

static trn_status keep_image(struct bus_recorder *recorder, const uint8_t *sha256, const void *data,
                             size_t size)
{
    if (has_image(recorder, sha256))
        return TRN_OK;
    uint8_t *copy = malloc(size ? size : 1);
    struct bus_image *grown =
        copy ? realloc(recorder->images, (recorder->num_images + 1) * sizeof *grown) : NULL;
    if (!grown) {
        free(copy);
        recorder->lost = true;
        return TRN_ERR_NO_MEMORY;
    }
    memcpy(copy, data, size);
    recorder->images = grown;
    struct bus_image *image = &recorder->images[recorder->num_images++];
    *image = (struct bus_image){.data = copy, .size = size};
    memcpy(image->sha256, sha256, SHA256_BYTES);
    return TRN_OK;
}

static trn_status recorder_read_block(void *context, uint64_t offset, void *data, size_t size)
{
    struct bus_recorder *recorder = context;
    struct bus_event *event = next_event(recorder, BUS_READ_BLOCK);
    if (!event)
        return TRN_ERR_NO_MEMORY;
    event->offset = inner_offset(recorder, offset);
    event->size = size;
    event->status =
        recorder->inner->read_block(recorder->inner->context, event->offset, data, size);
    if (event->status != TRN_OK)
        return event->status;
    return sha256_of(data, size, event->sha256);
}

static trn_status recorder_write_block(void *context, uint64_t offset, const void *data,
                                       size_t size)
{
    struct bus_recorder *recorder = context;
    struct bus_event *event = next_event(recorder, BUS_WRITE_BLOCK);
    if (!event)
        return TRN_ERR_NO_MEMORY;
    event->offset = inner_offset(recorder, offset);
    event->size = size;
    event->status = sha256_of(data, size, event->sha256);
    if (event->status == TRN_OK && recorder->keep_images)
        event->status = keep_image(recorder, event->sha256, data, size);
    if (event->status == TRN_OK)
        event->status =
            recorder->inner->write_block(recorder->inner->context, event->offset, data, size);
    return event->status;
}

struct trn_bus bus_recorder_bus(struct bus_recorder *recorder)
{
    return (struct trn_bus){.context = recorder,
                            .read32 = recorder_read32,
                            .write32 = recorder_write32,
                            .read_block = recorder_read_block,
                            .write_block = recorder_write_block};
}

/* An orchestrator's own line comes just before its first step (hal-stpb.md 18). */
static bool opens_chain(const struct bus_recorder *recorder, const struct trn_hal_where *where)
{
    return where->step == TRN_HAL_STEP_REGS_INIT && recorder->num_events > 0 &&
           recorder->events[recorder->num_events - 1].op == BUS_LOG;
}

void bus_recorder_step(struct bus_recorder *recorder, const struct trn_hal_where *where)
{
    if (opens_chain(recorder, where))
        recorder->events[recorder->num_events - 1].where = *where;
    recorder->where = *where;
}

void bus_recorder_rmw(struct bus_recorder *recorder, uint64_t offset, uint32_t mask)
{
    recorder->rmw_offset = inner_offset(recorder, offset);
    recorder->rmw_mask = mask;
    recorder->rmw_left = 2; /* one read, one write */
}

void bus_recorder_log(struct bus_recorder *recorder, int level, const char *function,
                      const char *text)
{
    struct bus_event *event = next_event(recorder, BUS_LOG);
    if (!event)
        return;
    event->level = level;
    event->function = strdup(function);
    event->text = strdup(text);
    if (event->function && event->text)
        return;
    free(event->function);
    free(event->text);
    recorder->num_events--;
    recorder->lost = true;
}

void bus_recorder_free(struct bus_recorder *recorder)
{
    for (size_t i = 0; i < recorder->num_events; i++) {
        free(recorder->events[i].function);
        free(recorder->events[i].text);
    }
    for (size_t i = 0; i < recorder->num_images; i++)
        free(recorder->images[i].data);
    free(recorder->events);
    free(recorder->images);
    *recorder = (struct bus_recorder){.inner = NULL};
}
