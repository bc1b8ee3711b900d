/* SPDX-License-Identifier: Apache-2.0 */
/* A word becomes a request: kind, shapes, addresses resolved (dge.md 2, 8.2, 8.3, 12). */
#include <stdarg.h>
#include <stdio.h>

#include "dma/dge.h"
#include "isa_fields.h"
#include "trench/num.h"

trn_status dge_illegal(struct dge_run_state *w, const char *rule, const char *format, ...)
{
    struct trn_dge_outcome *const o = w->outcome;
    va_list args;
    va_start(args, format);
    vsnprintf(o->reason, sizeof o->reason, format, args);
    va_end(args);
    o->result = TRN_DGE_ILLEGAL;
    if (o->num_violations < TRN_DGE_MAX_VIOLATIONS) {
        struct trn_violation *const v = &o->violations[o->num_violations++];
        *v = (struct trn_violation){
            .rule = rule, .message = "the word cannot be carried out", .provenance = "MC"};
        snprintf(v->detail, sizeof v->detail, "%.*s", (int)sizeof v->detail - 1, o->reason);
    }
    return TRN_ERR_INVALID;
}

uint64_t dge_elements(const struct dge_side *side)
{
    uint64_t n = 1;
    for (unsigned i = 0; i < TRN_DGE_DIMS; i++)
        if (__builtin_mul_overflow(n, side->num[i], &n))
            return UINT64_MAX;
    return n;
}

/* ---- shapes -------------------------------------------------------------------------------------
 */

static uint32_t bytes_of(uint16_t elem_size)
{
    return elem_size ? elem_size : UINT32_C(65536); /* 0 counts as 65536 (V11) */
}

/* What the word itself says of a side. */
struct plain {
    const uint8_t *addr;
    int32_t step[2];
    uint16_t num[2];
    uint8_t dims;
    uint32_t elem_bytes;
};

static int64_t step_bytes(const struct dge_run_state *w, int64_t step, uint32_t elem_bytes)
{
    /* 8.3: bytes, unless the option says elements; both fit 64 bits */
    return w->dge->options.step_unit == TRN_DGE_STEP_BYTES ? step : step * elem_bytes;
}

static trn_status shape_register(struct dge_run_state *w, const struct plain *plain,
                                 struct dge_side *side)
{
    const struct trn_dge_ports *const ports = &w->dge->ports;
    const uint32_t number = (uint32_t)plain->step[0]; /* 2.3: carried by step_elem[0] */
    struct trn_dge_shape shape;
    if (!ports->shape || ports->shape(ports->context, w->engine, number, &shape) != TRN_OK)
        return dge_illegal(w, "V3", "shape register %u does not exist", number);
    dge_log_shapes(w, number, &shape);
    dge_choice(w->dge, TRN_CHOICE_SHAPE_LAYOUT);
    side->dims = TRN_DGE_DIMS;
    for (unsigned i = 0; i < TRN_DGE_DIMS; i++) {
        side->num[i] = shape.num[i];
        side->step[i] = step_bytes(w, shape.step[i], plain->elem_bytes);
    }
    return TRN_OK;
}

/* 8.3: 2-dimensional words use entries 0 and 1; the others count 1. */
static trn_status side_of(struct dge_run_state *w, const struct plain *plain, struct dge_side *side)
{
    bool shape;
    const trn_status status = dge_addr8(w, plain->addr, side, &shape);
    if (status != TRN_OK)
        return status;
    side->elem_bytes = plain->elem_bytes;
    if (shape)
        return shape_register(w, plain, side);
    side->dims = plain->dims;
    for (unsigned i = 0; i < TRN_DGE_DIMS; i++) {
        side->num[i] = i < plain->dims ? plain->num[i] : 1;
        side->step[i] = i < plain->dims ? step_bytes(w, plain->step[i], plain->elem_bytes) : 0;
    }
    return TRN_OK;
}

static trn_status both_sides(struct dge_run_state *w, const struct plain *src,
                             const struct plain *dst)
{
    const trn_status status = side_of(w, src, &w->req.side[TRN_DGE_SRC]);
    return status == TRN_OK ? side_of(w, dst, &w->req.side[TRN_DGE_DST]) : status;
}

/* With a shape register only now are the totals known (V11, V12). */
static trn_status totals(struct dge_run_state *w, const char *rule)
{
    const struct dge_side *const src = &w->req.side[TRN_DGE_SRC];
    const struct dge_side *const dst = &w->req.side[TRN_DGE_DST];
    uint64_t a = dge_elements(src), b = dge_elements(dst);
    const bool bytes = !dge_computes(&w->req);
    if (bytes && (__builtin_mul_overflow(a, src->elem_bytes, &a) ||
                  __builtin_mul_overflow(b, dst->elem_bytes, &b)))
        return TRN_ERR_TOO_LARGE;
    if (a == b)
        return TRN_OK;
    return dge_illegal(w, rule, "the source has %llu %s and the destination %llu",
                       (unsigned long long)a, bytes ? "bytes" : "elements", (unsigned long long)b);
}

/* ---- the four words (2) ---------------------------------------------------------------------- */

static trn_status direct2d(struct dge_run_state *w, const uint8_t *word)
{
    const unsigned isa = w->dge->gen->isa;
    struct dge_request *const req = &w->req;
    const struct plain src = {
        .addr = trn_dma_direct2d_src_start_addr_bytes(word, isa),
        .step = {trn_dma_direct2d_src_step_elem_0(word, isa),
                 trn_dma_direct2d_src_step_elem_1(word, isa)},
        .num = {trn_dma_direct2d_src_num_elem_0(word, isa),
                trn_dma_direct2d_src_num_elem_1(word, isa)},
        .dims = 2,
        .elem_bytes = bytes_of(trn_dma_direct2d_src_elem_size(word, isa)),
    };
    const struct plain dst = {
        .addr = trn_dma_direct2d_dst_start_addr_bytes(word, isa),
        .step = {trn_dma_direct2d_dst_step_elem_0(word, isa),
                 trn_dma_direct2d_dst_step_elem_1(word, isa)},
        .num = {trn_dma_direct2d_dst_num_elem_0(word, isa),
                trn_dma_direct2d_dst_num_elem_1(word, isa)},
        .dims = 2,
        .elem_bytes = bytes_of(trn_dma_direct2d_dst_elem_size(word, isa)),
    };
    req->kind = DGE_DIRECT2D;
    req->semaphore = trn_dma_direct2d_semaphore(word, isa);
    req->increment = trn_dma_direct2d_sem_increment(word, isa);
    req->priority = trn_dma_direct2d_dma_configs_priority_class(word, isa);
    req->compute_op = trn_dma_direct2d_compute_op(word, isa);
    req->in_dtype = trn_dma_direct2d_in_dtype(word, isa);
    req->out_dtype = trn_dma_direct2d_out_dtype(word, isa);
    req->side[TRN_DGE_SRC].bound = trn_dma_direct2d_src_bound_reg(word, isa);
    req->side[TRN_DGE_DST].bound = trn_dma_direct2d_dst_bound_reg(word, isa);
    const trn_status status = both_sides(w, &src, &dst);
    return status == TRN_OK ? totals(w, "V11") : status;
}

static trn_status index_of(struct dge_run_state *w, enum trn_dge_side which, const uint8_t *addr4,
                           uint8_t dim)
{
    struct dge_side *const side = &w->req.side[which];
    if (side->dims > 1)
        dge_choice(w->dge, TRN_CHOICE_DGE_INDEXED_DIM);
    side->indexed = true;
    side->index_dim = dim;
    return dge_addr4(w, addr4, &side->index_address);
}

static trn_status indices(struct dge_run_state *w, const uint8_t *word)
{
    const unsigned isa = w->dge->gen->isa;
    const uint8_t mode = trn_dma_indirect1d_flags_indirect_mode(word, isa);
    trn_status status = TRN_OK;
    if (mode != TRN_INDIRECT_MODE_DST)
        status = index_of(w, TRN_DGE_SRC, trn_dma_indirect1d_src_idx_start_addr_bytes(word, isa),
                          trn_dma_indirect1d_flags_gather_dim(word, isa));
    if (status == TRN_OK && mode != TRN_INDIRECT_MODE_SRC)
        status = index_of(w, TRN_DGE_DST, trn_dma_indirect1d_dst_idx_start_addr_bytes(word, isa),
                          trn_dma_indirect1d_flags_scatter_dim(word, isa));
    return status;
}

static trn_status indirect(struct dge_run_state *w, const uint8_t *word)
{
    const unsigned isa = w->dge->gen->isa;
    struct dge_request *const req = &w->req;
    const struct plain src = {
        .addr = trn_dma_indirect1d_src_start_addr_bytes(word, isa),
        .step = {trn_dma_indirect1d_src_step_elem(word, isa)},
        .num = {trn_dma_indirect1d_src_num_elem(word, isa)},
        .dims = 1,
        .elem_bytes = bytes_of(trn_dma_indirect1d_src_elem_size(word, isa)),
    };
    const struct plain dst = {
        .addr = trn_dma_indirect1d_dst_start_addr_bytes(word, isa),
        .step = {trn_dma_indirect1d_dst_step_elem(word, isa)},
        .num = {trn_dma_indirect1d_dst_num_elem(word, isa)},
        .dims = 1,
        .elem_bytes = bytes_of(trn_dma_indirect1d_dst_elem_size(word, isa)),
    };
    req->kind = DGE_INDIRECT;
    req->semaphore = trn_dma_indirect1d_semaphore(word, isa);
    req->increment = trn_dma_indirect1d_sem_increment(word, isa);
    req->priority = trn_dma_indirect1d_dma_configs_priority_class(word, isa);
    req->compute_op = trn_dma_indirect1d_compute_op(word, isa);
    req->in_dtype = trn_dma_indirect1d_in_dtype(word, isa);
    req->out_dtype = trn_dma_indirect1d_out_dtype(word, isa);
    req->is_err = trn_dma_indirect1d_flags_idx_bound_is_err(word, isa);
    req->side[TRN_DGE_SRC].bound = trn_dma_indirect1d_src_idx_bound_reg(word, isa);
    req->side[TRN_DGE_DST].bound = trn_dma_indirect1d_dst_idx_bound_reg(word, isa);
    req->side[TRN_DGE_SRC].bounds_index = req->side[TRN_DGE_DST].bounds_index = true;
    trn_status status = both_sides(w, &src, &dst);
    if (status == TRN_OK)
        status = totals(w, "V12");
    return status == TRN_OK ? indices(w, word) : status;
}

/* 18: both sides count the same tiles. With a shape register only now are they known. */
static trn_status tile_counts(struct dge_run_state *w)
{
    const uint64_t src = dge_elements(&w->req.side[TRN_DGE_SRC]);
    const uint64_t dst = dge_elements(&w->req.side[TRN_DGE_DST]);
    if (src == dst)
        return TRN_OK;
    return dge_illegal(w, "transpose_tiles", "the source has %llu tiles and the destination %llu",
                       (unsigned long long)src, (unsigned long long)dst);
}

/* Tile columns of an on-chip destination go to consecutive partitions (11). */
static trn_status tile_partitions(struct dge_run_state *w)
{
    const struct trn_gen *const gen = w->dge->gen;
    const struct dge_side *const dst = &w->req.side[TRN_DGE_DST];
    if (!dst->in_sbuf)
        return TRN_OK;
    const uint64_t first = (dst->start - w->dge->ports.sbuf_base) / gen->sbuf_stride;
    if (first + w->req.cols <= gen->sbuf_partitions)
        return TRN_OK;
    return dge_illegal(w, "transpose_partitions",
                       "%u columns from partition %llu on need more than %u partitions",
                       w->req.cols, (unsigned long long)first, (unsigned)gen->sbuf_partitions);
}

static trn_status transpose(struct dge_run_state *w, const uint8_t *word)
{
    const unsigned isa = w->dge->gen->isa;
    struct dge_request *const req = &w->req;
    const uint32_t bytes = (uint32_t)trn_dtype_size(trn_dma_direct2d_xpose_in_dtype(word, isa));
    const struct plain src = {
        .addr = trn_dma_direct2d_xpose_src_start_addr_bytes(word, isa),
        .step = {trn_dma_direct2d_xpose_src_step_elem_0(word, isa),
                 trn_dma_direct2d_xpose_src_step_elem_1(word, isa)},
        .num = {trn_dma_direct2d_xpose_src_num_elem_0(word, isa),
                trn_dma_direct2d_xpose_src_num_elem_1(word, isa)},
        .dims = 2,
        .elem_bytes = bytes,
    };
    const struct plain dst = {
        .addr = trn_dma_direct2d_xpose_dst_start_addr_bytes(word, isa),
        .step = {trn_dma_direct2d_xpose_dst_step_elem_0(word, isa),
                 trn_dma_direct2d_xpose_dst_step_elem_1(word, isa)},
        .num = {trn_dma_direct2d_xpose_dst_num_elem_0(word, isa),
                trn_dma_direct2d_xpose_dst_num_elem_1(word, isa)},
        .dims = 2,
        .elem_bytes = bytes,
    };
    req->kind = DGE_TRANSPOSE;
    req->semaphore = trn_dma_direct2d_xpose_semaphore(word, isa);
    req->increment = 1; /* 2: the word has no sem_increment byte */
    dge_choice(w->dge, TRN_CHOICE_DGE_ONE_PER_WORD);
    dge_choice(w->dge, TRN_CHOICE_DGE_TILE_PITCH);
    req->priority = trn_dma_direct2d_xpose_dma_configs_priority_class(word, isa);
    req->in_dtype = req->out_dtype = trn_dma_direct2d_xpose_in_dtype(word, isa);
    req->rows = trn_dma_direct2d_xpose_tile_src_rows(word, isa);
    req->cols = trn_dma_direct2d_xpose_tile_src_cols(word, isa);
    req->row_step = step_bytes(w, trn_dma_direct2d_xpose_tile_src_row_step(word, isa), bytes);
    req->side[TRN_DGE_SRC].bound = trn_dma_direct2d_xpose_src_bound_reg(word, isa);
    req->side[TRN_DGE_DST].bound = trn_dma_direct2d_xpose_dst_bound_reg(word, isa);
    trn_status status = both_sides(w, &src, &dst);
    if (status == TRN_OK)
        status = tile_counts(w);
    return status == TRN_OK ? tile_partitions(w) : status;
}

/* 18: counts that the word has and the transfer does not. */
static trn_status gather_shape(struct dge_run_state *w, uint16_t dst_rows)
{
    const struct dge_side *const src = &w->req.side[TRN_DGE_SRC];
    if (src->num[0] != 1 || src->num[2] != 1 || src->num[3] != 1)
        return dge_illegal(w, "gather_transpose_shape",
                           "the source counts %u elements in X where 1 is expected", src->num[0]);
    if (dst_rows != w->req.cols)
        return dge_illegal(w, "gather_transpose_shape",
                           "%u destination rows for elements of %u values", dst_rows, w->req.cols);
    return TRN_OK;
}

static trn_status gather_transpose(struct dge_run_state *w, const uint8_t *word)
{
    const unsigned isa = w->dge->gen->isa;
    struct dge_request *const req = &w->req;
    const uint32_t bytes = (uint32_t)trn_dtype_size(trn_dma_gather_xpose_dtype_lo(word, isa));
    const uint16_t elem_size = trn_dma_gather_xpose_elem_size(word, isa);
    const struct plain src = {
        .addr = trn_dma_gather_xpose_src_start_addr_bytes(word, isa),
        .step = {trn_dma_gather_xpose_src_step_elem_0(word, isa),
                 trn_dma_gather_xpose_src_step_elem_1(word, isa)},
        .num = {trn_dma_gather_xpose_src_num_elem_0(word, isa),
                trn_dma_gather_xpose_src_num_elem_1(word, isa)},
        .dims = 2,
        .elem_bytes = elem_size,
    };
    const struct plain dst = {
        .addr = trn_dma_gather_xpose_dst_start_addr_bytes(word, isa),
        .step = {(int32_t)bytes, trn_dma_gather_xpose_dst_step_elem_1(word, isa)},
        .num = {trn_dma_gather_xpose_dst_num_elem_0(word, isa),
                trn_dma_gather_xpose_dst_num_elem_1(word, isa)},
        .dims = 2,
        .elem_bytes = bytes,
    };
    req->kind = DGE_GATHER_TRANSPOSE;
    req->semaphore = trn_dma_gather_xpose_semaphore(word, isa);
    req->increment = 1;
    dge_choice(w->dge, TRN_CHOICE_DGE_ONE_PER_WORD);
    req->priority = trn_dma_gather_xpose_dma_configs_priority_class(word, isa);
    req->in_dtype = req->out_dtype = trn_dma_gather_xpose_dtype_lo(word, isa);
    req->rows = DGE_TILE_ROWS;
    req->cols = elem_size / bytes;
    req->side[TRN_DGE_SRC].bound = trn_dma_gather_xpose_src_idx_bound_reg(word, isa);
    req->side[TRN_DGE_SRC].bounds_index = true;
    req->side[TRN_DGE_DST].bound = trn_dma_gather_xpose_dst_bound_reg(word, isa);
    bool shape;
    trn_status status = side_of(w, &src, &req->side[TRN_DGE_SRC]);
    if (status == TRN_OK)
        status = dge_addr8(w, dst.addr, &req->side[TRN_DGE_DST], &shape);
    if (status == TRN_OK && shape)
        return dge_illegal(w, "gather_transpose_shape",
                           "the destination of a gather-transpose has no shape register");
    if (status == TRN_OK)
        status = side_of(w, &dst, &req->side[TRN_DGE_DST]);
    if (status == TRN_OK)
        status = gather_shape(w, dst.num[1]);
    if (status == TRN_OK)
        status = index_of(w, TRN_DGE_SRC, trn_dma_gather_xpose_src_idx_start_addr_bytes(word, isa),
                          trn_dma_gather_xpose_flags_gather_dim(word, isa));
    return status;
}

/* ---- inline forms (12) ----------------------------------------------------------------------- */

static const uint8_t engine_counts[] = {[TRN_DMA_ENGINE_COUNT_ONE] = 1,
                                        [TRN_DMA_ENGINE_COUNT_TWO] = 2,
                                        [TRN_DMA_ENGINE_COUNT_FOUR] = 4,
                                        [TRN_DMA_ENGINE_COUNT_EIGHT] = 8};

static trn_status inline_side(struct dge_run_state *w, const uint8_t *addr, uint8_t mode,
                              const uint8_t *step, const uint8_t *num, uint16_t elem_size,
                              struct dge_side *side)
{
    side->dims = 2;
    side->elem_bytes = bytes_of(elem_size);
    for (unsigned i = 0; i < TRN_DGE_DIMS; i++) {
        side->num[i] = i < 2 ? trn_get16(num + 2 * i) : 1;
        side->step[i] =
            i < 2 ? step_bytes(w, (int32_t)trn_get32(step + 4 * i), side->elem_bytes) : 0;
    }
    return dge_inline_address(w, addr, mode, side);
}

/* Which semaphore a finished side counts up: LOCAL_SEM_INC and its counter form are modelled. */
static trn_status update(struct dge_run_state *w, uint8_t mode, uint8_t *amount)
{
    *amount = mode != TRN_DMA_SEMA_UPDATE_MODE_NONE;
    if (mode == TRN_DMA_SEMA_UPDATE_MODE_NONE || mode == TRN_DMA_SEMA_UPDATE_MODE_LOCAL_SEM_INC ||
        mode == TRN_DMA_SEMA_UPDATE_MODE_LOCAL_SEM_INC_COUNTER)
        return TRN_OK;
    return dge_illegal(w, "DMA_SEMA_UPDATE_MODE", "semaphore update mode %u is not modelled", mode);
}

static trn_status memcpy2(struct dge_run_state *w, const uint8_t *word)
{
    const unsigned isa = w->dge->gen->isa;
    struct dge_request *const req = &w->req;
    req->kind = DGE_DIRECT2D;
    req->inline_form = true;
    req->in_dtype = req->out_dtype = TRN_DTYPE_UINT8;
    req->first_dma = trn_dma_copy2d_dma_engines_start_id(word, isa);
    req->num_dmas = engine_counts[trn_dma_copy2d_dma_engines_engine_count(word, isa)];
    req->queue = trn_dma_copy2d_dma_flags_queue_id(word, isa);
    req->read_semaphore = trn_dma_copy2d_rd_done_sema_update_idx(word, isa);
    req->semaphore = (uint8_t)trn_dma_copy2d_wr_done_sema_update_idx(word, isa);
    trn_status status =
        update(w, trn_dma_copy2d_sema_update_mode_rd_done(word, isa), &req->read_update);
    if (status == TRN_OK)
        status = update(w, trn_dma_copy2d_sema_update_mode_wr_done(word, isa), &req->increment);
    if (status == TRN_OK)
        status = inline_side(w, trn_dma_copy2d_src_start_addr_bytes(word, isa),
                             trn_dma_copy2d_addr_mode_src(word, isa),
                             trn_dma_copy2d_src_step_elem(word, isa),
                             trn_dma_copy2d_src_num_elem(word, isa),
                             trn_dma_copy2d_src_elem_size(word, isa), &req->side[TRN_DGE_SRC]);
    if (status == TRN_OK)
        status = inline_side(w, trn_dma_copy2d_dst_start_addr_bytes(word, isa),
                             trn_dma_copy2d_addr_mode_dst(word, isa),
                             trn_dma_copy2d_dst_step_elem(word, isa),
                             trn_dma_copy2d_dst_num_elem(word, isa),
                             trn_dma_copy2d_dst_elem_size(word, isa), &req->side[TRN_DGE_DST]);
    return status == TRN_OK ? totals(w, "V11") : status;
}

static trn_status immediate(struct dge_run_state *w, const uint8_t *word)
{
    const unsigned isa = w->dge->gen->isa;
    w->req.kind = DGE_IMMEDIATE;
    w->req.inline_form = true;
    w->req.first_dma = trn_dma_immediate_dma_engines_start_id(word, isa);
    w->req.num_dmas = 1;
    w->req.queue = trn_dma_immediate_dma_flags_queue_id(word, isa);
    return TRN_OK;
}

trn_status dge_decode(struct dge_run_state *w, const uint8_t *word)
{
    w->req = (struct dge_request){.opcode = word[0]};
    switch (word[0]) {
    case TRN_OPCODE_DMAMEMCPY:
        return direct2d(w, word);
    case TRN_OPCODE_DMA_INDIRECT:
        return indirect(w, word);
    case TRN_OPCODE_DMA_TRANSPOSE:
        return transpose(w, word);
    case TRN_OPCODE_DMA_GATHER_TRANSPOSE:
        return gather_transpose(w, word);
    case TRN_OPCODE_DMA_MEMCPY2:
        return memcpy2(w, word);
    case TRN_OPCODE_DMA_IMMEDIATE:
        return immediate(w, word);
    default:
        return TRN_ERR_UNSUPPORTED;
    }
}
