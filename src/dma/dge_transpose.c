/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles of 16 source rows that arrive transposed (dge.md 8.4, 11): 0xBD and 0xF1. */
#include "dma/dge.h"
#include "trench/num.h"
#include <stdlib.h>

enum {
    MAX_ROWS = 256, /* of a group of tiles that is transposed at once */
    MAX_COLS = 128,
    MAX_ELEMENT = 4,
    GROUP_BYTES = MAX_ROWS * MAX_COLS * MAX_ELEMENT
};

/* Rows of source tiles whose transposed columns lie together in the destination. */
struct group {
    const uint8_t *row[MAX_ROWS];
    uint32_t rows, cols, element;
    uint8_t *out;    /* cols lines of rows elements */
    uint8_t *buffer; /* for rows that the owner cannot show in place */
};

/* ---- kernels: 8x8 blocks of 16-bit, 4x4 blocks of 32-bit elements -------------------------------
 */

typedef uint16_t v8 __attribute__((vector_size(16)));
typedef uint32_t v4 __attribute__((vector_size(16)));

static inline v8 load8(const uint8_t *p)
{
    v8 v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline v4 as4(v8 v)
{
    return (v4)v;
}

#define LOW8(a, b)  __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH8(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define LOW4(a, b)  __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH4(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define PAIR0(a, b) __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define PAIR1(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7)

static inline void block8(const uint8_t *const row[8], size_t at, uint8_t *out, size_t pitch)
{
    v8 x[8];
    v4 y[8], z[8];
    for (unsigned i = 0; i < 8; i++)
        x[i] = load8(row[i] + at);
    for (unsigned i = 0; i < 4; i++) {
        y[2 * i] = as4(LOW8(x[2 * i], x[2 * i + 1]));
        y[2 * i + 1] = as4(HIGH8(x[2 * i], x[2 * i + 1]));
    }
    for (unsigned half = 0; half < 2; half++)
        for (unsigned i = 0; i < 2; i++) {
            z[4 * half + i] = LOW4(y[4 * half + i], y[4 * half + 2 + i]);
            z[4 * half + 2 + i] = HIGH4(y[4 * half + i], y[4 * half + 2 + i]);
        }
    static const uint8_t order[4] = {0, 2, 1, 3}; /* column pairs of z */
    for (unsigned i = 0; i < 4; i++) {
        const v4 first = PAIR0(z[order[i]], z[4 + order[i]]);
        const v4 second = PAIR1(z[order[i]], z[4 + order[i]]);
        memcpy(out + (2 * i) * pitch, &first, sizeof first);
        memcpy(out + (2 * i + 1) * pitch, &second, sizeof second);
    }
}

static inline void block4(const uint8_t *const row[4], size_t at, uint8_t *out, size_t pitch)
{
    v4 x[4], y[4];
    for (unsigned i = 0; i < 4; i++)
        memcpy(&x[i], row[i] + at, sizeof x[i]);
    y[0] = LOW4(x[0], x[1]);
    y[1] = HIGH4(x[0], x[1]);
    y[2] = LOW4(x[2], x[3]);
    y[3] = HIGH4(x[2], x[3]);
    for (unsigned i = 0; i < 2; i++) {
        const v4 first = PAIR0(y[i], y[2 + i]), second = PAIR1(y[i], y[2 + i]);
        memcpy(out + (2 * i) * pitch, &first, sizeof first);
        memcpy(out + (2 * i + 1) * pitch, &second, sizeof second);
    }
}

/* One by one: columns `from` and later of the rows first .. last-1. */
static void plain(const struct group *g, uint32_t from, uint32_t first, uint32_t last)
{
    const uint32_t n = g->element;
    for (uint32_t c = from; c < g->cols; c++)
        for (uint32_t r = first; r < last; r++)
            memcpy(g->out + (size_t)(c * g->rows + r) * n, g->row[r] + (size_t)c * n, n);
}

/* Blocks as far as they go. */
static void transpose(const struct group *g)
{
    const size_t pitch = (size_t)g->rows * g->element;
    const uint32_t block = 16 / g->element;
    const uint32_t rows = g->rows / block * block, cols = g->cols / block * block;
    for (uint32_t r = 0; r < rows; r += block)
        for (uint32_t c = 0; c < cols; c += block) {
            uint8_t *const out = g->out + c * pitch + (size_t)r * g->element;
            if (g->element == 2)
                block8(g->row + r, (size_t)c * 2, out, pitch);
            else
                block4(g->row + r, (size_t)c * 4, out, pitch);
        }
    plain(g, cols, 0, rows);
    plain(g, 0, rows, g->rows);
}

static trn_status show_row(struct dge_run_state *w, struct group *g, uint64_t address)
{
    const uint32_t bytes = g->cols * g->element;
    const uint8_t *const row = dge_view(w, address, bytes, g->buffer + (size_t)g->rows * bytes);
    if (!row)
        return TRN_ERR_ADDRESS; /* the outcome says which */
    g->row[g->rows++] = row;
    return TRN_OK;
}

/* ---- 0xBD ------------------------------------------------------------------------------------ */

struct place {
    uint32_t at[TRN_DGE_DIMS];
};

static uint64_t address_of(const struct dge_side *side, const struct place *place)
{
    uint64_t address = side->start;
    for (unsigned k = 0; k < TRN_DGE_DIMS; k++)
        address += place->at[k] * (uint64_t)side->step[k];
    return address;
}

static void step(const struct dge_side *side, struct place *place)
{
    for (unsigned k = 0; k < TRN_DGE_DIMS; k++) {
        if (++place->at[k] < side->num[k])
            return;
        place->at[k] = 0;
    }
}

/* 11: one partition in SBUF, packed elsewhere. */
static uint64_t column_pitch(const struct dge_run_state *w)
{
    return w->req.side[TRN_DGE_DST].in_sbuf
               ? w->dge->gen->sbuf_stride
               : (uint64_t)DGE_TILE_ROWS * w->req.side[TRN_DGE_DST].elem_bytes;
}

static void emit_tile(struct dge_run_state *w, uint64_t src, uint64_t dst)
{
    const uint32_t element = w->req.side[TRN_DGE_DST].elem_bytes;
    const struct dge_rows reads = {.address = src,
                                   .pitch = (uint64_t)w->req.row_step,
                                   .other = dst,
                                   .other_pitch = element,
                                   .bytes = w->req.cols * element,
                                   .count = w->req.rows};
    const struct dge_rows writes = {.address = dst,
                                    .pitch = column_pitch(w),
                                    .other = src,
                                    .other_pitch = element,
                                    .bytes = w->req.rows * element,
                                    .count = w->req.cols};
    dge_reserve(w, reads.count, writes.count);
    dge_emit_rows(w, TRN_DGE_SRC, &reads);
    dge_emit_rows(w, TRN_DGE_DST, &writes);
    dge_end_packet(w);
}

/* Columns of the group, each to its place. */
static trn_status store_columns(struct dge_run_state *w, struct group *g, uint64_t dst,
                                uint64_t pitch)
{
    const uint32_t bytes = g->rows * g->element;
    transpose(g);
    for (uint32_t c = 0; c < g->cols; c++) {
        const trn_status status = dge_store(w, dst + c * pitch, g->out + (size_t)c * bytes, bytes);
        if (status != TRN_OK)
            return status;
    }
    w->outcome->bytes += (uint64_t)g->cols * bytes;
    g->rows = 0;
    return TRN_OK;
}

static trn_status move_tiles(struct dge_run_state *w, struct group *g, uint64_t count)
{
    const struct dge_side *const src = &w->req.side[TRN_DGE_SRC], *const dst =
                                                                      &w->req.side[TRN_DGE_DST];
    const uint64_t tile_bytes = (uint64_t)DGE_TILE_ROWS * g->element;
    struct place from = {{0}}, to = {{0}};
    uint64_t first = 0,
             expected = 0; /* where the group's columns go; where the next tile's would */
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t in = address_of(src, &from), out = address_of(dst, &to);
        const bool joins = dst->in_sbuf && out == expected && g->rows + w->req.rows <= MAX_ROWS;
        if (g->rows && !joins) {
            const trn_status status = store_columns(w, g, first, column_pitch(w));
            if (status != TRN_OK)
                return status;
        }
        if (g->rows == 0)
            first = out;
        emit_tile(w, in, out);
        for (uint32_t r = 0; r < w->req.rows; r++) {
            const trn_status status = show_row(w, g, in + r * (uint64_t)w->req.row_step);
            if (status != TRN_OK)
                return status;
        }
        expected = out + tile_bytes;
        step(src, &from);
        step(dst, &to);
    }
    return g->rows ? store_columns(w, g, first, column_pitch(w)) : TRN_OK;
}

/* ---- 0xF1 ------------------------------------------------------------------------------------ */

/* Elements first .. first+n-1 of the gather, all inside the bound: their values become columns. */
static trn_status gather_run(struct dge_run_state *w, struct group *g, uint32_t first, uint32_t n)
{
    const struct dge_side *const src = &w->req.side[TRN_DGE_SRC], *const dst =
                                                                      &w->req.side[TRN_DGE_DST];
    const uint32_t element = dst->elem_bytes;
    const uint64_t to = dst->start + first * (uint64_t)element;
    dge_reserve(w, n, g->cols);
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t from =
            src->start + src->index[first + i] * (uint64_t)src->step[src->index_dim];
        const struct dge_rows read = {
            .address = from, .other = to + i * element, .bytes = src->elem_bytes, .count = 1};
        dge_emit_rows(w, TRN_DGE_SRC, &read);
        const trn_status status = show_row(w, g, from);
        if (status != TRN_OK)
            return status;
    }
    const struct dge_rows writes = {.address = to,
                                    .pitch = (uint64_t)dst->step[1],
                                    .other = src->start,
                                    .other_pitch = element,
                                    .bytes = n * element,
                                    .count = g->cols};
    dge_emit_rows(w, TRN_DGE_DST, &writes);
    dge_end_packet(w);
    return store_columns(w, g, to, (uint64_t)dst->step[1]);
}

/* Tiles of 16 indices; an index outside its bound leaves its column alone and parts the packet. */
static trn_status gather_tiles(struct dge_run_state *w, struct group *g, uint32_t count)
{
    const struct dge_side *const src = &w->req.side[TRN_DGE_SRC];
    for (uint32_t i = 0; i < count;) {
        if (!src->good[i]) {
            if (w->dge->options.faithful_abort)
                return TRN_OK;
            w->outcome->skipped++;
            i++;
            continue;
        }
        uint32_t n = 1;
        while ((i + n) % DGE_TILE_ROWS != 0 && i + n < count && src->good[i + n])
            n++;
        const trn_status status = gather_run(w, g, i, n);
        if (status != TRN_OK)
            return status;
        i += n;
    }
    return TRN_OK;
}

trn_status dge_move_tiles(struct dge_run_state *w)
{
    const struct dge_side *const src = &w->req.side[TRN_DGE_SRC];
    const uint64_t count = dge_elements(src);
    struct trn_dge *const dge = w->dge;
    if (count == 0)
        return TRN_OK;
    if (count > dge->options.max_bytes / (DGE_TILE_ROWS * (uint64_t)w->req.cols))
        return TRN_ERR_TOO_LARGE;
    if (!dge->tile) {
        dge->tile = malloc(2 * (size_t)GROUP_BYTES);
        if (!dge->tile)
            return TRN_ERR_NO_MEMORY;
    }
    struct group g = {.cols = w->req.cols,
                      .element = w->req.side[TRN_DGE_DST].elem_bytes,
                      .out = dge->tile,
                      .buffer = dge->tile + GROUP_BYTES};
    w->outcome->elements = count;
    if (w->req.kind == DGE_TRANSPOSE)
        return move_tiles(w, &g, count);
    return gather_tiles(w, &g, (uint32_t)count);
}
