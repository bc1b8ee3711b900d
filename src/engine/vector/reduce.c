/* SPDX-License-Identifier: Apache-2.0 */
/* TENSOR_REDUCE 0x42 and 0x52: the innermost dimensions that op_dim names fold into one element
 * (docs/hardware/vector-ops.md 3.1). The elements of a window follow each other in stream order:
 * window o is positions o * window .. o * window + window - 1.
 *
 * The order is sequential, one rounding a step (model choice reduce_order). One chain of dependent
 * operations is slow, so chains advance side by side: those of several lanes, or of several short
 * windows of one lane. */
#include "engine/numeric.h"
#include "engine/vector/operators.h"
#include "engine/vector/stream.h"
#include "engine/vector/words.h"

#define SIDE_BY_SIDE 32  /* lanes that advance together */
#define PIECE        256 /* elements of each of them at a time */
#define SHORT_WINDOW 64  /* windows up to this size go lane by lane when a lane has many */
#define MANY_WINDOWS 16
#define WORD         sizeof(uint32_t) /* both views have words of 4 bytes */

struct reduce {
    struct trn_exec *x;
    struct trn_rows src, dst;
    uint8_t op;
    bool bitvec, negated;
    uint64_t window; /* elements that fold into one */
};

/* ---- folding ---------------------------------------------------------------------- */

/* results[r] from the n words of row r, rows `pitch` bytes apart. */
static void fold(const struct reduce *reduce, const void *in, size_t pitch, size_t rows, size_t n,
                 uint32_t *results)
{
    /* the operator was checked when the word began: reductions cannot fail */
    if (reduce->bitvec)
        (void)trn_reduce_bitvec_rows(reduce->op, 32, in, pitch, rows, n, results);
    else
        (void)trn_reduce_rows(reduce->op, in, pitch, rows, n, (void *)results);
}

static void fold_and_look(const struct reduce *reduce, const void *in, size_t pitch, size_t rows,
                          size_t n, uint32_t *results)
{
    fold(reduce, in, pitch, rows, n, results);
    if (reduce->x->numeric_wanted && !reduce->bitvec)
        trn_numeric_raise(
            reduce->x, trn_numeric_of_folds(reduce->op, in, pitch, rows, n, (const void *)results),
            trn_numeric_source(reduce->x->engine));
}

static void finish(const struct reduce *reduce, uint32_t *results, size_t n)
{
    float *values = (void *)results;
    if (reduce->negated)
        (void)trn_alu_scalar_array(TRN_ALU_OP_MULT, values, -1.0f, false, values, n);
}

/* All windows of one lane, as many as fit a tile at a time. */
static void reduce_lane(const struct reduce *reduce, uint32_t lane)
{
    struct trn_tile in, out;
    uint32_t results[TRN_TILE_BYTES / WORD];
    const struct trn_num_mode mode = trn_rows_mode(reduce->x, &reduce->dst, lane);
    const uint64_t windows = reduce->dst.operand.count;
    const size_t size = (size_t)reduce->window;
    const size_t fit = TRN_TILE_BYTES / WORD / size;
    size_t n;
    for (uint64_t done = 0; done < windows; done += n) {
        n = windows - done < fit ? (size_t)(windows - done) : fit;
        const void *words = trn_rows_read(&reduce->src, &mode, lane, done * size, n * size, &in);
        fold_and_look(reduce, words, size * WORD, n, size, results);
        finish(reduce, results, n);
        trn_rows_write(&reduce->dst, &mode, lane, done, n, results, &out);
    }
}

/* Fold one window of several lanes; results so far go before the next piece as its first word. */
static void fold_pieces(const struct reduce *reduce, uint32_t lane, uint32_t lanes, uint64_t first,
                        uint32_t *results)
{
    _Alignas(64) uint32_t rows[SIDE_BY_SIDE][PIECE];
    struct trn_tile tile;
    const struct trn_num_mode mode = trn_rows_mode(reduce->x, &reduce->dst, lane);
    size_t carried = 0, n;
    for (uint64_t done = 0; done < reduce->window; done += n, carried = 1) {
        const uint64_t left = reduce->window - done;
        n = left < PIECE - carried ? (size_t)left : PIECE - carried;
        for (uint32_t i = 0; i < lanes; i++) {
            const void *words =
                trn_rows_read(&reduce->src, &mode, lane + i, first + done, n, &tile);
            if (carried)
                rows[i][0] = results[i];
            memcpy(&rows[i][carried], words, n * WORD);
        }
        fold_and_look(reduce, rows, sizeof rows[0], lanes, carried + n, results);
    }
}

/* Rows of a window that are looked at and folded while they are in the first-level cache. */
#define WATCHED_LANES 8

static void look_at_rows(const struct reduce *reduce, uint32_t lane, uint32_t lanes, uint64_t first,
                         enum trn_fp_source unit)
{
    const struct trn_operand *src = &reduce->src.operand;
    struct trn_numeric_range range = trn_numeric_range_empty();
    trn_numeric_range_add(&range, (const void *)(trn_operand_lane(src, lane) + first * WORD), lanes,
                          src->pitch, (size_t)reduce->window);
    trn_numeric_raise(reduce->x, trn_numeric_of_range(&range), unit);
}

/* Rows whose results are not ordinary are folded once more, piece by piece. */
static void look_at_results(const struct reduce *reduce, uint32_t lane, uint32_t lanes,
                            uint64_t first, const uint32_t *results, enum trn_fp_source unit)
{
    uint32_t again;
    struct trn_numeric_range range = trn_numeric_range_empty();
    trn_numeric_range_add(&range, (const void *)results, 1, 0, lanes);
    if (trn_numeric_is_ordinary(reduce->op, &range))
        return;
    for (uint32_t i = 0; i < lanes && trn_numeric_open(reduce->x, unit); i++) {
        range = trn_numeric_range_empty();
        trn_numeric_range_add(&range, (const void *)&results[i], 1, 0, 1);
        if (!trn_numeric_is_ordinary(reduce->op, &range))
            fold_pieces(reduce, lane + i, 1, first, &again);
    }
}

/* Fold a window where it lies. */
static void fold_in_memory(const struct reduce *reduce, uint32_t lane, uint32_t lanes,
                           uint64_t first, uint32_t *results)
{
    const struct trn_operand *src = &reduce->src.operand;
    const enum trn_fp_source unit = trn_numeric_source(reduce->x->engine);
    const bool watched = reduce->src.watch && trn_numeric_open(reduce->x, unit);
    const bool by_results = trn_numeric_tells(reduce->op);
    const uint32_t at_once = watched && !by_results ? WATCHED_LANES : lanes;
    uint32_t n;
    for (uint32_t done = 0; done < lanes; done += n) {
        n = lanes - done < at_once ? lanes - done : at_once;
        if (watched && !by_results)
            look_at_rows(reduce, lane + done, n, first, unit);
        fold(reduce, trn_operand_lane(src, lane + done) + first * WORD, src->pitch, n,
             (size_t)reduce->window, results + done);
    }
    if (watched && by_results)
        look_at_results(reduce, lane, lanes, first, results, unit);
}

static void fold_window(const struct reduce *reduce, uint32_t lane, uint32_t lanes, uint64_t first,
                        uint32_t *results)
{
    /* a step that rounds and is not told of by the result is looked at in its piece */
    const bool by_steps =
        reduce->src.watch && trn_numeric_rounds(reduce->op) && !trn_numeric_tells(reduce->op);
    if (reduce->src.direct && !by_steps)
        fold_in_memory(reduce, lane, lanes, first, results);
    else
        fold_pieces(reduce, lane, lanes, first, results);
}

static void reduce_lanes(const struct reduce *reduce, uint32_t lane, uint32_t lanes)
{
    struct trn_tile tile;
    uint32_t results[SIDE_BY_SIDE];
    for (uint64_t o = 0; o < reduce->dst.operand.count; o++) {
        fold_window(reduce, lane, lanes, o * reduce->window, results);
        finish(reduce, results, lanes);
        for (uint32_t i = 0; i < lanes; i++) {
            const struct trn_num_mode mode = trn_rows_mode(reduce->x, &reduce->dst, lane + i);
            trn_rows_write(&reduce->dst, &mode, lane + i, o, 1, &results[i], &tile);
        }
    }
}

static void run_by_lane(void *context, uint32_t begin, uint32_t end)
{
    for (uint32_t lane = begin; lane < end; lane++)
        reduce_lane(context, lane);
}

static void run_side_by_side(void *context, uint32_t begin, uint32_t end)
{
    for (uint32_t lane = begin; lane < end; lane += SIDE_BY_SIDE)
        reduce_lanes(context, lane, end - lane < SIDE_BY_SIDE ? end - lane : SIDE_BY_SIDE);
}

/* ---- the word --------------------------------------------------------------------- */

/* Product of the counts that op_dim names; 0 when it names none. */
static uint64_t window_of(const struct trn_operand *src, uint8_t op_dim)
{
    unsigned dims = 0;
    switch (op_dim) {
    case TRN_TENSOR_SUBDIM_X:
        dims = 1;
        break;
    case TRN_TENSOR_SUBDIM_XY:
        dims = 2;
        break;
    case TRN_TENSOR_SUBDIM_XYZ:
        dims = 3;
        break;
    case TRN_TENSOR_SUBDIM_XYZW:
        dims = 4;
        break;
    default:
        return 0;
    }
    uint64_t window = 1;
    for (unsigned d = 0; d < dims; d++)
        window *= src->num[d];
    return window;
}

static trn_status check_counts(struct trn_exec *x, const struct reduce *reduce)
{
    const uint64_t count = reduce->src.operand.count, results = reduce->dst.operand.count;
    if (reduce->window == 0)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "tr_op_dim",
                              "op_dim names no dimensions");
    if (results * reduce->window != count)
        return trn_exec_fault(
            x, TRN_FAULT_ILLEGAL_INSTRUCTION, "tr_counts",
            "source has %llu elements a lane, destination %llu for windows of %llu",
            (unsigned long long)count, (unsigned long long)results,
            (unsigned long long)reduce->window);
    return TRN_OK;
}

/* A bitvec reduction folds raw integer bits and stores the low ones (vector-ops.md 3.1). */
static trn_status check_integers(struct trn_exec *x, uint8_t in_dtype, uint8_t out_dtype)
{
    if (trn_dtype_is_integer(in_dtype) && trn_dtype_is_integer(out_dtype))
        return TRN_OK;
    return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, NULL,
                          "a bitvec reduction takes integer dtypes, not %s to %s",
                          trn_dtype_name(in_dtype), trn_dtype_name(out_dtype));
}

trn_status trn_run_tensor_reduce(struct trn_exec *x)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    const uint8_t in_dtype = trn_s4d4_tr_in_dtype(w, isa);
    struct reduce reduce = {
        .x = x,
        .op = trn_s4d4_tr_op(w, isa),
        .bitvec = trn_common_opcode(w, isa) == TRN_OPCODE_TENSOR_REDUCE_BITVEC_OP,
        .negated = trn_s4d4_tr_negated(w, isa) != 0,
    };
    const enum trn_view view = reduce.bitvec ? TRN_VIEW_BITS32 : TRN_VIEW_F32;
    trn_status status = trn_op_check(x, reduce.op, view, in_dtype);
    if (status == TRN_OK && reduce.bitvec)
        status = check_integers(x, in_dtype, trn_s4d4_tr_out_dtype(w, isa));
    if (status == TRN_OK)
        status = trn_stream_open(x, view, &reduce.src, &reduce.dst);
    if (status != TRN_OK)
        return status;
    reduce.window = window_of(&reduce.src.operand, trn_s4d4_tr_op_dim(w, isa));
    status = check_counts(x, &reduce);
    if (status != TRN_OK)
        return status;

    trn_exec_choice(x, TRN_CHOICE_REDUCE_ORDER);
    const bool hazard = trn_rows_hazard(&reduce.src, &reduce.dst);
    if (hazard)
        trn_exec_choice(x, TRN_CHOICE_OVERLAP_STREAM_ORDER);
    const bool by_lane =
        !hazard && reduce.window <= SHORT_WINDOW && reduce.dst.operand.count >= MANY_WINDOWS;
    trn_lanes_run(x, reduce.src.operand.channels, reduce.src.operand.count,
                  by_lane ? run_by_lane : run_side_by_side, &reduce);
    return TRN_OK;
}
