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

/* Rows of a gather come from all over a table that no cache holds: the first lines of the next ones
 * are asked for while the ones before are copied; the processor follows from there. */
static void ask_for(const struct dge_piece *piece)
{
    enum { LINE = 64, AHEAD = 1024, WORTH_ASKING = 512 };
    if (piece->bytes < WORTH_ASKING)
        return;
    for (uint32_t at = 0; at < piece->bytes && at < AHEAD; at += LINE)
        __builtin_prefetch(piece->in + at);
}

bool dge_locate(struct dge_run_state *w, struct dge_piece *piece)
{
    uint64_t in_length, out_length;
    piece->out = NULL;
    if (whole(w, piece->src, piece->bytes, false, &piece->in, &in_length) != TRN_OK || !piece->in ||
        in_length < piece->bytes)
        return false;
    if (whole(w, piece->dst, piece->bytes, true, &piece->out, &out_length) == TRN_OK &&
        piece->out && out_length >= piece->bytes)
        return true;
    piece->out = NULL;
    return false;
}

uint32_t dge_locate_rows(struct dge_run_state *w, struct dge_piece *piece, uint32_t count)
{
    const uint32_t bytes = piece->bytes;
    uint64_t length;
    uint8_t *out;
    uint32_t found = 0;
    while (found < count &&
           whole(w, piece[found].src, bytes, false, &piece[found].in, &length) == TRN_OK &&
           piece[found].in && length >= bytes)
        found++;
    if (found == 0 || whole(w, piece->dst, found * bytes, true, &out, &length) != TRN_OK || !out)
        return 0;
    if (length < (uint64_t)found * bytes)
        found = (uint32_t)(length / bytes);
    for (uint32_t i = 0; i < found; i++, out += bytes)
        piece[i].out = out;
    return found;
}

enum { BEFORE = 2 }; /* pieces that are asked for before their turn */

void dge_expect(const struct dge_piece *piece, uint32_t count)
{
    for (uint32_t i = 0; i < count && i < BEFORE; i++)
        if (piece[i].out)
            ask_for(&piece[i]);
}

trn_status dge_copy(struct dge_run_state *w, const struct dge_piece *piece, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i + BEFORE < count && piece[i + BEFORE].out)
            ask_for(&piece[i + BEFORE]);
        if (piece[i].out) {
            move(piece[i].out, piece[i].in, piece[i].bytes);
        } else {
            const trn_status status = bounce(w, piece[i].src, piece[i].dst, piece[i].bytes);
            if (status != TRN_OK)
                return status;
        }
        w->outcome->bytes += piece[i].bytes;
    }
    return TRN_OK;
}
