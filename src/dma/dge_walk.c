/* SPDX-License-Identifier: Apache-2.0 */
/* Element walks of both sides, cut into the pieces that both have whole (dge.md 8.3, 8.5, 11). */
#include "dma/dge.h"
#include "trench/num.h"

/* Where a side is in its walk: dimension 0 fastest. */
struct cursor {
    const struct dge_side *side;
    const uint32_t *index; /* of dimension 0, when that is the one */
    uint32_t at[TRN_DGE_DIMS];
    uint64_t row;     /* where dimension 0 starts */
    uint64_t address; /* of the byte that is next */
    uint32_t left;    /* bytes of the element */
    bool good;        /* its index is inside the bound */
};

static inline void enter_element(struct cursor *c)
{
    const uint32_t at = c->at[0];
    uint64_t i = at;
    if (c->index) {
        c->good = c->side->good[at];
        i = c->index[at];
    }
    c->address = c->row + i * (uint64_t)c->side->step[0]; /* wraps (8.3) */
    c->left = c->side->elem_bytes;
}

static void enter_row(struct cursor *c)
{
    const struct dge_side *const side = c->side;
    c->row = side->start;
    c->good = true;
    for (unsigned k = 1; k < TRN_DGE_DIMS; k++) {
        uint64_t i = c->at[k];
        if (side->indexed && k == side->index_dim) {
            c->good = side->good[i];
            i = side->index[i];
        }
        c->row += i * (uint64_t)side->step[k];
    }
    enter_element(c);
}

static struct cursor begin(const struct dge_side *side)
{
    struct cursor c = {.side = side,
                       .index = side->indexed && side->index_dim == 0 ? side->index : NULL};
    enter_row(&c);
    return c;
}

static void next_row(struct cursor *c)
{
    c->at[0] = 0;
    for (unsigned k = 1; k < TRN_DGE_DIMS; k++) {
        if (++c->at[k] < c->side->num[k])
            break;
        c->at[k] = 0;
    }
    enter_row(c);
}

static inline void next_element(struct cursor *c)
{
    if (++c->at[0] < c->side->num[0])
        enter_element(c);
    else
        next_row(c);
}

static inline void advance(struct cursor *c, uint32_t bytes)
{
    c->left -= bytes;
    c->address += bytes;
    if (c->left == 0)
        next_element(c);
}

/* An element outside its bound begins here. */
static bool skips(const struct cursor *c)
{
    return !c->good && c->left == c->side->elem_bytes;
}

/* ---- plain copies: streams of bytes ---------------------------------------------------------- */

struct stream {
    struct cursor src, dst;
    uint64_t left; /* bytes */
    bool before;   /* the piece before this one was moved */
};

static void pass_over(struct dge_run_state *w, const struct stream *s)
{
    w->outcome->skipped += skips(&s->src) || (skips(&s->dst) && s->src.good);
}

static uint32_t smallest(uint64_t a, uint64_t b, uint32_t c)
{
    const uint64_t n = a < b ? a : b;
    return n < c ? (uint32_t)n : c;
}

/* Rows with good indices that lie in one element of the destination, none of it among their
 * sources. */
static uint32_t describe_rows(const struct stream *s, struct dge_piece *piece, uint32_t most)
{
    const struct cursor *const src = &s->src, *const dst = &s->dst;
    const struct dge_side *const side = src->side;
    const uint32_t bytes = side->elem_bytes, at = src->at[0];
    if (!src->index || src->left != bytes || !dst->good)
        return 0;
    const uint32_t room = smallest(dst->left / bytes, s->left / bytes, most);
    const uint32_t rows = smallest(room, side->num[0] - at, most);
    const bool joins = s->before && dst->left != dst->side->elem_bytes;
    for (uint32_t i = 0; i < rows; i++) {
        const uint64_t from = src->row + src->index[at + i] * (uint64_t)side->step[0];
        if (!side->good[at + i] || from - dst->address + bytes < (uint64_t)rows * bytes + bytes)
            return i;
        piece[i] = (struct dge_piece){.src = from,
                                      .dst = dst->address + (uint64_t)i * bytes,
                                      .bytes = bytes,
                                      .joins_dst = i > 0 || joins};
    }
    return rows;
}

/* The rows of a gather, as many as are in place; the owner is asked once for all that they write.
 */
static uint32_t find_rows(struct dge_run_state *w, struct stream *s, struct dge_piece *piece,
                          uint32_t most)
{
    enum { WORTH_IT = 2 };
    uint32_t count = describe_rows(s, piece, most);
    if (count < WORTH_IT)
        return 0;
    count = dge_locate_rows(w, piece, count);
    if (count == 0)
        return 0;
    const uint64_t bytes = (uint64_t)count * piece->bytes;
    s->before = true;
    s->left -= bytes;
    s->src.at[0] += count - 1;
    next_element(&s->src);
    advance(&s->dst, (uint32_t)bytes);
    return count;
}

/* The next pieces, up to one that is not in place. */
static uint32_t find_pieces(struct dge_run_state *w, struct stream *s, struct dge_piece *piece,
                            uint32_t most)
{
    uint32_t count = 0;
    bool in_place = true;
    while (s->left && count < most && in_place) {
        const uint32_t rows = find_rows(w, s, piece + count, most - count);
        count += rows;
        if (rows)
            continue;
        struct cursor *const src = &s->src, *const dst = &s->dst;
        const uint32_t n = src->left < dst->left ? src->left : dst->left;
        const bool good = src->good && dst->good;
        if (good) {
            struct dge_piece *const p = &piece[count++];
            p->src = src->address;
            p->dst = dst->address;
            p->bytes = n;
            p->joins_src = s->before && src->left != src->side->elem_bytes;
            p->joins_dst = s->before && dst->left != dst->side->elem_bytes;
            in_place = dge_locate(w, p);
        } else if (w->dge->options.faithful_abort) {
            s->left = 0;
            break;
        } else {
            pass_over(w, s);
        }
        s->before = good;
        s->left -= n;
        advance(src, n);
        advance(dst, n);
    }
    return count;
}

/* As many at a time as a packet has descriptors: first they are found and described, then copied.
 * What came before a fault has been moved. */
static trn_status move_bytes(struct dge_run_state *w, uint64_t total)
{
    struct dge_piece piece[DGE_PACKET_DESCS];
    struct stream s = {.src = begin(&w->req.side[TRN_DGE_SRC]),
                       .dst = begin(&w->req.side[TRN_DGE_DST]),
                       .left = total};
    trn_status status = TRN_OK;
    while (s.left && status == TRN_OK) {
        const uint32_t count = find_pieces(w, &s, piece, DGE_PACKET_DESCS);
        dge_expect(piece, count);
        dge_emit_pieces(w, piece, count);
        status = dge_copy(w, piece, count);
    }
    return status;
}

/* ---- casts and compute: pairs of elements ---------------------------------------------------- */

static const uint8_t alu_of[] = {
    [TRN_DGE_COMPUTE_OP_NONE] = TRN_ALU_OP_BYPASS,   [TRN_DGE_COMPUTE_OP_ADD] = TRN_ALU_OP_ADD,
    [TRN_DGE_COMPUTE_OP_MULTIPLY] = TRN_ALU_OP_MULT, [TRN_DGE_COMPUTE_OP_MAX] = TRN_ALU_OP_MAX,
    [TRN_DGE_COMPUTE_OP_MIN] = TRN_ALU_OP_MIN,
};

/* B = op(A, B): source type -> FP32, the operator, FP32 -> destination type (8.5). */
static trn_status one_pair(struct dge_run_state *w, const struct trn_num_mode *mode, uint64_t from,
                           uint64_t to)
{
    const struct dge_request *const req = &w->req;
    const uint32_t in_bytes = req->side[TRN_DGE_SRC].elem_bytes;
    const uint32_t out_bytes = req->side[TRN_DGE_DST].elem_bytes;
    uint8_t in[8] = {0}, out[8] = {0};
    trn_status status = dge_load(w, from, in, in_bytes);
    if (status != TRN_OK)
        return status;
    if (req->compute_op == TRN_DGE_COMPUTE_OP_NONE) {
        trn_convert_array(req->in_dtype, req->out_dtype, mode, in, out, 1);
        return dge_store(w, to, out, out_bytes);
    }
    float a = 0, b = 0, result = 0;
    status = dge_load(w, to, out, out_bytes);
    if (status != TRN_OK)
        return status;
    trn_to_fp32_array(req->in_dtype, mode, in, &a, 1);
    trn_to_fp32_array(req->out_dtype, mode, out, &b, 1);
    trn_alu_f32(alu_of[req->compute_op], a, b, &result);
    trn_from_fp32_array(req->out_dtype, mode, &result, out, 1);
    return dge_store(w, to, out, out_bytes);
}

static trn_status move_elements(struct dge_run_state *w, uint64_t count)
{
    struct trn_num_mode mode;
    trn_num_mode_default(w->dge->gen, &mode);
    struct cursor src = begin(&w->req.side[TRN_DGE_SRC]), dst = begin(&w->req.side[TRN_DGE_DST]);
    for (; count; count--) {
        if (src.good && dst.good) {
            dge_emit_piece(w, src.address, dst.address, src.left, dst.left, false, false);
            const trn_status status = one_pair(w, &mode, src.address, dst.address);
            if (status != TRN_OK)
                return status;
            w->outcome->bytes += dst.left;
        } else if (w->dge->options.faithful_abort) {
            return TRN_OK;
        } else {
            w->outcome->skipped++;
        }
        next_element(&src);
        next_element(&dst);
    }
    return TRN_OK;
}

static trn_status check_types(struct dge_run_state *w)
{
    const uint8_t types[TRN_DGE_SIDES] = {w->req.in_dtype, w->req.out_dtype};
    for (unsigned i = 0; i < TRN_DGE_SIDES; i++)
        if (trn_dtype_convertible(types[i], NULL) != TRN_OK ||
            trn_dtype_size(types[i]) != w->req.side[i].elem_bytes)
            return dge_illegal(w, "V11", "an element of %u bytes is no %s",
                               w->req.side[i].elem_bytes,
                               trn_dtype_name(types[i]) ? trn_dtype_name(types[i]) : "known type");
    return TRN_OK;
}

/* Both element counts and bytes; TRN_ERR_TOO_LARGE above the owner's limit. */
static trn_status measure(struct dge_run_state *w, uint64_t *elements, uint64_t *bytes)
{
    const struct dge_side *const src = &w->req.side[TRN_DGE_SRC], *const dst =
                                                                      &w->req.side[TRN_DGE_DST];
    const uint64_t a = dge_elements(src), b = dge_elements(dst);
    *elements = a > b ? a : b;
    *bytes = 0;
    if (__builtin_mul_overflow(a, src->elem_bytes, bytes) || *bytes > w->dge->options.max_bytes ||
        b > w->dge->options.max_bytes)
        return TRN_ERR_TOO_LARGE;
    w->outcome->elements = *elements;
    return TRN_OK;
}

trn_status dge_move(struct dge_run_state *w)
{
    const struct dge_side *const src = &w->req.side[TRN_DGE_SRC], *const dst =
                                                                      &w->req.side[TRN_DGE_DST];
    uint64_t elements, bytes;
    trn_status status = measure(w, &elements, &bytes);
    if (status != TRN_OK || bytes == 0)
        return status;
    if (src->elem_bytes != dst->elem_bytes && w->req.kind == DGE_INDIRECT)
        dge_choice(w->dge, TRN_CHOICE_DGE_SKIPPED_BYTES);
    if (!dge_computes(&w->req))
        return move_bytes(w, bytes);
    status = check_types(w);
    return status == TRN_OK ? move_elements(w, elements) : status;
}
