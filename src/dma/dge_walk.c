/* SPDX-License-Identifier: Apache-2.0 */
/* Element walks of both sides, cut into the pieces that both have whole (dge.md 8.3, 8.5, 11). */
#include "dma/dge.h"
#include "trench/num.h"

/* Where a side is in its walk: dimension 0 fastest. */
struct cursor {
    const struct dge_side *side;
    uint32_t at[TRN_DGE_DIMS];
    uint64_t address; /* of the byte that is next */
    uint32_t left;    /* bytes of the element */
    bool good;        /* its index is inside the bound */
};

static void enter(struct cursor *c)
{
    const struct dge_side *const side = c->side;
    c->address = side->start;
    c->left = side->elem_bytes;
    c->good = true;
    for (unsigned k = 0; k < TRN_DGE_DIMS; k++) {
        uint64_t i = c->at[k];
        if (side->indexed && k == side->index_dim) {
            c->good = side->good[i];
            i = side->index[i];
        }
        c->address += i * (uint64_t)side->step[k]; /* wraps (8.3) */
    }
}

static struct cursor begin(const struct dge_side *side)
{
    struct cursor c = {.side = side};
    enter(&c);
    return c;
}

static void next_element(struct cursor *c)
{
    for (unsigned k = 0; k < TRN_DGE_DIMS; k++) {
        if (++c->at[k] < c->side->num[k])
            break;
        c->at[k] = 0;
    }
    enter(c);
}

static void advance(struct cursor *c, uint32_t bytes)
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

static trn_status copy_pieces(struct dge_run_state *w, uint64_t total)
{
    struct cursor src = begin(&w->req.side[TRN_DGE_SRC]), dst = begin(&w->req.side[TRN_DGE_DST]);
    bool before = false; /* the piece before this one was moved */
    while (total) {
        const uint32_t n = src.left < dst.left ? src.left : dst.left;
        const bool good = src.good && dst.good;
        if (good) {
            dge_emit_piece(w, src.address, dst.address, n, n,
                           before && src.left != src.side->elem_bytes,
                           before && dst.left != dst.side->elem_bytes);
            const trn_status status = dge_copy(w, src.address, dst.address, n);
            if (status != TRN_OK)
                return status;
            w->outcome->bytes += n;
        } else if (w->dge->options.faithful_abort) {
            return TRN_OK;
        } else {
            w->outcome->skipped += skips(&src) || (skips(&dst) && src.good);
        }
        before = good;
        total -= n;
        advance(&src, n);
        advance(&dst, n);
    }
    return TRN_OK;
}

static trn_status move_bytes(struct dge_run_state *w, uint64_t total)
{
    w->num_pending = 0;
    const trn_status status = copy_pieces(w, total);
    dge_flush(w); /* what came before a fault has been moved */
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
