/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes through the owner's memory port. */
#include "dma/dge.h"

enum { MAX_BYTES = 65536 }; /* of a descriptor */

trn_status dge_aborted(struct dge_run_state *w, enum trn_dge_side side, uint64_t address,
                       trn_status status)
{
    struct trn_dge_outcome *const o = w->outcome;
    o->result = TRN_DGE_ABORTED;
    o->abort_status = status;
    o->abort_side = side;
    o->abort_address = address;
    o->abort_dma = w->num_dmas ? w->dma[o->packets % w->num_dmas] : 0;
    o->abort_queue = w->queue;
    return status;
}

/* Host memory of `size` bytes that lie together; NULL with TRN_OK: they do not, or have none. */
static inline trn_status whole(const struct dge_run_state *w, uint64_t address, uint32_t size,
                               bool write, uint8_t **at, uint64_t *length)
{
    const struct trn_dge_ports *const ports = &w->dge->ports;
    *at = NULL;
    *length = 0;
    return ports->map ? ports->map(ports->context, address, size, write, at, length) : TRN_OK;
}

trn_status dge_load(struct dge_run_state *w, uint64_t from, void *data, uint32_t size)
{
    const struct trn_dge_ports *const ports = &w->dge->ports;
    uint8_t *out = data;
    while (size) {
        uint8_t *at;
        uint64_t length;
        trn_status status = whole(w, from, size, false, &at, &length);
        uint32_t n = size;
        if (status == TRN_OK && at) {
            n = length < size ? (uint32_t)length : size;
            memcpy(out, at, n);
        } else if (status == TRN_OK) {
            status = ports->read(ports->context, from, out, n);
        }
        if (status != TRN_OK)
            return dge_aborted(w, TRN_DGE_SRC, from, status);
        out += n;
        from += n;
        size -= n;
    }
    return TRN_OK;
}

trn_status dge_store(struct dge_run_state *w, uint64_t to, const void *data, uint32_t size)
{
    const struct trn_dge_ports *const ports = &w->dge->ports;
    const uint8_t *in = data;
    while (size) {
        uint8_t *at;
        uint64_t length;
        trn_status status = whole(w, to, size, true, &at, &length);
        uint32_t n = size;
        if (status == TRN_OK && at) {
            n = length < size ? (uint32_t)length : size;
            memcpy(at, in, n);
        } else if (status == TRN_OK) {
            status = ports->write(ports->context, to, in, n);
        }
        if (status != TRN_OK)
            return dge_aborted(w, TRN_DGE_DST, to, status);
        in += n;
        to += n;
        size -= n;
    }
    return TRN_OK;
}

const uint8_t *dge_view(struct dge_run_state *w, uint64_t from, uint32_t size, uint8_t *buffer)
{
    uint8_t *at;
    uint64_t length;
    const trn_status status = whole(w, from, size, false, &at, &length);
    if (status != TRN_OK) {
        dge_aborted(w, TRN_DGE_SRC, from, status);
        return NULL;
    }
    if (at && length >= size)
        return at;
    return dge_load(w, from, buffer, size) == TRN_OK ? buffer : NULL;
}

/* udma.md 3: a descriptor's bytes are read before the first one is written. */
static trn_status bounce(struct dge_run_state *w, uint64_t from, uint64_t to, uint32_t size)
{
    uint8_t buffer[MAX_BYTES];
    const trn_status status = dge_load(w, from, buffer, size);
    return status == TRN_OK ? dge_store(w, to, buffer, size) : status;
}

/* Moves of a known size become the processor's own block copy, which does not read the lines that
 * it will overwrite. */
static void move(uint8_t *out, const uint8_t *in, uint32_t size)
{
    enum { BLOCK = 2048 };
    const uintptr_t apart = out < in ? (uintptr_t)(in - out) : (uintptr_t)(out - in);
    if (apart < size || size < BLOCK) {
        memmove(out, in, size);
        return;
    }
    for (; size >= BLOCK; size -= BLOCK, out += BLOCK, in += BLOCK)
        memcpy(out, in, BLOCK);
    if (size)
        memcpy(out, in, size);
}

void dge_flush(struct dge_run_state *w)
{
    for (uint32_t i = 0; i < w->num_pending; i++)
        move(w->pending[i].out, w->pending[i].in, w->pending[i].size);
    w->num_pending = 0;
}

/* Rows of a gather come from all over a table that no cache holds: the first lines of the next ones
 * are asked for while the ones before are copied. */
static void put_off(struct dge_run_state *w, uint8_t *out, const uint8_t *in, uint32_t size)
{
    enum { LINE = 64, AHEAD = 2048 };
    for (uint32_t at = 0; at < size && at < AHEAD; at += LINE)
        __builtin_prefetch(in + at);
    w->pending[w->num_pending++] = (struct dge_pending){out, in, size};
    if (w->num_pending == DGE_MAX_PENDING)
        dge_flush(w);
}

trn_status dge_copy(struct dge_run_state *w, uint64_t from, uint64_t to, uint32_t size)
{
    enum { WORTH_WAITING = 512 };
    uint8_t *in, *out;
    uint64_t in_length, out_length;
    trn_status status = whole(w, from, size, false, &in, &in_length);
    if (status != TRN_OK)
        return dge_aborted(w, TRN_DGE_SRC, from, status);
    const bool in_place = in && in_length >= size;
    if (in_place) {
        status = whole(w, to, size, true, &out, &out_length);
        if (status != TRN_OK)
            return dge_aborted(w, TRN_DGE_DST, to, status);
    }
    if (in_place && out && out_length >= size && size >= WORTH_WAITING) {
        put_off(w, out, in, size);
        return TRN_OK;
    }
    dge_flush(w);
    if (!in_place || !out || out_length < size)
        return bounce(w, from, to, size);
    memmove(out, in, size);
    return TRN_OK;
}
