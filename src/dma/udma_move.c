/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes between device addresses and buffers. */
#include <stdlib.h>
#include <string.h>

#include "dma/udma_state.h"

/* The piece of a range that starts at `address`; *pointer NULL: no pointer to this place. */
static trn_status piece(struct trn_udma *engine, uint64_t address, uint64_t size, bool write,
                        uint8_t **pointer, uint64_t *length)
{
    *pointer = NULL;
    *length = size;
    if (!engine->ports.map)
        return TRN_OK;
    const trn_status status =
        engine->ports.map(engine->ports.context, address, size, write, pointer, length);
    if (status == TRN_OK && *pointer && *length == 0)
        return TRN_ERR_ADDRESS; /* not what the port promises */
    if (*length > size || !*pointer)
        *length = size;
    return status;
}

/* A range ends at the top of the address space. */
static bool wraps(uint64_t address, uint64_t size)
{
    return size != 0 && address + (size - 1) < address;
}

trn_status trn_udma_read_bytes(struct trn_udma *engine, uint64_t address, uint8_t *data,
                               uint64_t size)
{
    if (wraps(address, size))
        return TRN_ERR_ADDRESS;
    while (size > 0) {
        uint8_t *from;
        uint64_t have;
        const trn_status status = piece(engine, address, size, false, &from, &have);
        if (status != TRN_OK)
            return status;
        if (!from)
            return engine->ports.read(engine->ports.context, address, data, (size_t)size);
        memcpy(data, from, (size_t)have);
        address += have;
        data += have;
        size -= have;
    }
    return TRN_OK;
}

trn_status trn_udma_write_bytes(struct trn_udma *engine, uint64_t address, const uint8_t *data,
                                uint64_t size)
{
    if (wraps(address, size))
        return TRN_ERR_ADDRESS;
    while (size > 0) {
        uint8_t *to;
        uint64_t have;
        const trn_status status = piece(engine, address, size, true, &to, &have);
        if (status != TRN_OK)
            return status;
        if (!to)
            return engine->ports.write(engine->ports.context, address, data, (size_t)size);
        memcpy(to, data, (size_t)have);
        address += have;
        data += have;
        size -= have;
    }
    return TRN_OK;
}

bool trn_udma_stage_room(struct trn_udma_lane *lane, size_t size)
{
    if (size <= lane->stage_room)
        return true;
    size_t room = lane->stage_room ? lane->stage_room : TRN_UDMA_MAX_DESC_DATA;
    while (room < size)
        room *= 2;
    uint8_t *const stage = realloc(lane->stage, room);
    if (!stage)
        return false;
    lane->stage = stage;
    lane->stage_room = room;
    return true;
}

uint8_t *trn_udma_bounce(struct trn_udma *engine)
{
    if (!engine->bounce)
        engine->bounce = malloc(TRN_UDMA_MAX_DESC_DATA);
    return engine->bounce;
}

/* Through a buffer: read all, then write (3). */
static trn_status copy_by_way(struct trn_udma *engine, uint64_t from, uint64_t to, uint32_t size,
                              bool *source_failed)
{
    uint8_t *const bounce = trn_udma_bounce(engine);
    *source_failed = true;
    if (!bounce)
        return TRN_ERR_NO_MEMORY;
    const trn_status status = trn_udma_read_bytes(engine, from, bounce, size);
    if (status != TRN_OK)
        return status;
    *source_failed = false;
    return trn_udma_write_bytes(engine, to, bounce, size);
}

trn_status trn_udma_copy_bytes(struct trn_udma *engine, uint64_t from, uint64_t to, uint32_t size,
                               bool *source_failed)
{
    const struct trn_udma_ports *const ports = &engine->ports;
    uint8_t *in, *out;
    uint64_t have_in = 0, have_out = 0;
    *source_failed = true;
    if (wraps(from, size))
        return TRN_ERR_ADDRESS;
    trn_status status = piece(engine, from, size, false, &in, &have_in);
    if (status != TRN_OK)
        return status;
    const bool clean = !in && ports->clean && ports->clean(ports->context, from, size);
    if ((!in && !clean) || have_in != size || wraps(to, size))
        return copy_by_way(engine, from, to, size, source_failed);
    *source_failed = false;
    status = piece(engine, to, size, true, &out, &have_out);
    if (status != TRN_OK)
        return status;
    if ((!in && !out) || (out && have_out != size))
        return copy_by_way(engine, from, to, size, source_failed);
    if (!out) /* what has no pointer lies elsewhere */
        return ports->write(ports->context, to, in, size);
    *source_failed = !in;
    if (!in)
        return ports->read(ports->context, from, out, size);
    memmove(out, in, size); /* 3: read all, then write */
    return TRN_OK;
}
