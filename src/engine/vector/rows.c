/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/vector/rows.h"

#include "engine/numeric.h"
#include "engine/state.h"

/* ---- views ------------------------------------------------------------------------ */

/* Bytes of a word of the view. */
static size_t view_size(enum trn_view view, size_t element)
{
    switch (view) {
    case TRN_VIEW_BITS64:
    case TRN_VIEW_INT64:
        return 8;
    case TRN_VIEW_F32:
    case TRN_VIEW_BITS32:
    case TRN_VIEW_INT32:
        return 4;
    case TRN_VIEW_RAW:
        break;
    }
    return element;
}

static bool view_is_plain(enum trn_view view, uint8_t dtype, size_t element)
{
    return view == TRN_VIEW_F32 ? dtype == TRN_DTYPE_FP32 : element == view_size(view, element);
}

static enum trn_extend view_extend(enum trn_view view)
{
    return view == TRN_VIEW_INT32 || view == TRN_VIEW_INT64 ? TRN_EXTEND_SIGN : TRN_EXTEND_ZERO;
}

size_t trn_rows_tile(const struct trn_rows *rows)
{
    return TRN_TILE_BYTES / view_size(rows->view, rows->operand.size);
}

/* ---- opening ---------------------------------------------------------------------- */

static bool has_64bit_integers(const struct trn_exec *x)
{
    return x->engine == TRN_NEURON_ENGINE_POOL && x->gen->pool_int64;
}

static trn_status check_dtype(struct trn_exec *x, uint8_t dtype, enum trn_view view)
{
    const size_t size = trn_dtype_size(dtype);
    if (trn_dtype_convertible(dtype, NULL) != TRN_OK || size == 0)
        return trn_exec_fault(x, TRN_FAULT_MISSING_SPECIFICATION, NULL,
                              "vector words on elements of dtype 0x%02x are not specified", dtype);
    if (size > view_size(view, size))
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, NULL,
                              "%s is only for integer and bitvec operators of TENSOR_TENSOR",
                              trn_dtype_name(dtype));
    if (size == 8 && !has_64bit_integers(x))
        return trn_exec_fault(x, TRN_FAULT_MISSING_SPECIFICATION, NULL,
                              "%s on %s of %s is not specified: only POOL has 64-bit integers, and "
                              "not on every generation",
                              trn_dtype_name(dtype), trn_engine_name(x->engine), x->gen->name);
    return TRN_OK;
}

struct trn_exec *trn_rows_watch(struct trn_exec *x, enum trn_view view, uint8_t dtype)
{
    const bool floating = view == TRN_VIEW_F32 && trn_dtype_kind(dtype) == TRN_DTYPE_KIND_FLOAT;
    return x->numeric_wanted && floating ? x : NULL;
}

trn_status trn_rows_open(struct trn_exec *x, const uint8_t *pattern, enum trn_field_type type,
                         uint8_t dtype, uint32_t channels, unsigned use, enum trn_view view,
                         struct trn_rows *out)
{
    trn_status status = check_dtype(x, dtype, view);
    if (status != TRN_OK)
        return status;
    status = trn_operand_open(x, pattern, type, dtype, channels, use, &out->operand);
    if (status != TRN_OK)
        return status;
    out->view = view;
    out->plain = view_is_plain(view, dtype, out->operand.size);
    out->direct = out->plain && out->operand.contiguous;
    out->watch = trn_rows_watch(x, view, dtype);
    if (out->watch && (use & TRN_OPERAND_WRITE))
        out->safe = trn_numeric_safe_of(dtype, &x->state->mode[x->engine]);
    if (!out->plain)
        trn_note_conversion(x, dtype, use & TRN_OPERAND_WRITE);
    return TRN_OK;
}

trn_status trn_rows_same_count(struct trn_exec *x, const char *rule, const struct trn_rows *src,
                               const struct trn_rows *dst)
{
    if (src->operand.count == dst->operand.count)
        return TRN_OK;
    return trn_exec_fault(
        x, TRN_FAULT_ILLEGAL_INSTRUCTION, rule, "source has %llu elements a lane, destination %llu",
        (unsigned long long)src->operand.count, (unsigned long long)dst->operand.count);
}

void trn_note_conversion(struct trn_exec *x, uint8_t dtype, bool written)
{
    if (dtype == TRN_DTYPE_FP8_EXP4)
        trn_exec_choice(x, TRN_CHOICE_FP8_MODE_DEFAULT);
    if (dtype == TRN_DTYPE_FP8_EXP3)
        trn_exec_choice(x, TRN_CHOICE_FP8_EXP3_SPECIALS);
    if (dtype == TRN_DTYPE_FP8_EXP2)
        trn_exec_choice(x, TRN_CHOICE_FP8_EXP2_FORM);
    if (written && dtype == TRN_DTYPE_FP32R)
        trn_exec_choice(x, TRN_CHOICE_FP32R_WIDTH);
    if (written && trn_stochastic_lfsr(&x->state->vector.stochastic[x->engine], dtype, 0))
        trn_exec_choice(x, TRN_CHOICE_STOCHASTIC_BITS);
}

struct trn_num_mode trn_rows_mode(struct trn_exec *x, const struct trn_rows *dst, uint32_t lane)
{
    struct trn_num_mode mode = x->state->mode[x->engine];
    mode.lfsr = trn_stochastic_lfsr(&x->state->vector.stochastic[x->engine], dst->operand.dtype,
                                    dst->operand.partition + lane);
    return mode;
}

/* ---- numeric events ---------------------------------------------------------------- */

static void look_at_operands(const struct trn_rows *rows, const void *words, size_t n)
{
    const enum trn_fp_source unit = trn_numeric_source(rows->watch->engine);
    if (trn_numeric_open(rows->watch, unit) & (TRN_NUMERIC_NAN | TRN_NUMERIC_INF))
        trn_numeric_raise(rows->watch, trn_numeric_of_operands(words, n), unit);
}

static void look_at_narrowing(const struct trn_rows *rows, const struct trn_num_mode *mode,
                              const void *words, const void *raw, size_t n)
{
    const enum trn_fp_source unit = trn_numeric_source(rows->watch->engine);
    const unsigned open = trn_numeric_open(rows->watch, unit);
    struct trn_numeric_range range = trn_numeric_range_empty();
    if (!(open & (TRN_NUMERIC_UNDERFLOW | TRN_NUMERIC_OVERFLOW)))
        return;
    trn_numeric_range_add(&range, words, 1, 0, n);
    if (trn_numeric_may_narrow(&rows->safe, &range) & open)
        trn_numeric_raise(rows->watch,
                          trn_numeric_of_narrowing(rows->operand.dtype, mode, words, raw, n), unit);
}

/* ---- reading and writing ---------------------------------------------------------- */

/* Stored elements of a lane: where they lie, or copied to `buffer`. */
static const void *stored(const struct trn_operand *operand, uint32_t lane, uint64_t first,
                          size_t n, void *buffer)
{
    if (operand->contiguous)
        return trn_operand_lane(operand, lane) + first * operand->size;
    trn_operand_gather(operand, lane, first, n, buffer);
    return buffer;
}

const void *trn_rows_fetch(const struct trn_rows *rows, const struct trn_num_mode *mode,
                           uint32_t lane, uint64_t first, size_t n, struct trn_tile *tile)
{
    const uint8_t dtype = rows->operand.dtype;
    const void *raw = stored(&rows->operand, lane, first, n, tile->raw);
    if (rows->plain)
        return raw;
    /* the dtype was checked when the operand was opened: conversions cannot fail */
    void *words = tile->words;
    if (rows->view == TRN_VIEW_F32)
        (void)trn_to_fp32_array(dtype, mode, raw, words, n);
    else if (view_size(rows->view, 0) == 4)
        (void)trn_to_u32_array(dtype, view_extend(rows->view), raw, words, n);
    else
        (void)trn_to_u64_array(dtype, view_extend(rows->view), raw, words, n);
    return words;
}

const void *trn_rows_read(const struct trn_rows *rows, const struct trn_num_mode *mode,
                          uint32_t lane, uint64_t first, size_t n, struct trn_tile *tile)
{
    const void *words = trn_rows_fetch(rows, mode, lane, first, n, tile);
    if (rows->watch)
        look_at_operands(rows, words, n);
    return words;
}

const void *trn_rows_store(const struct trn_rows *rows, const struct trn_num_mode *mode,
                           uint32_t lane, uint64_t first, size_t n, const void *words,
                           struct trn_tile *tile)
{
    const struct trn_operand *operand = &rows->operand;
    const uint8_t dtype = operand->dtype;
    if (rows->plain) {
        trn_operand_scatter(operand, lane, first, n, words);
        return words;
    }
    void *raw =
        operand->contiguous ? trn_operand_lane(operand, lane) + first * operand->size : tile->raw;
    if (rows->view == TRN_VIEW_F32)
        (void)trn_from_fp32_array(dtype, mode, words, raw, n);
    else if (view_size(rows->view, 0) == 4)
        (void)trn_from_u32_array(dtype, words, raw, n);
    else
        (void)trn_from_u64_array(dtype, words, raw, n);
    if (!operand->contiguous)
        trn_operand_scatter(operand, lane, first, n, raw);
    return raw;
}

void trn_rows_write(const struct trn_rows *rows, const struct trn_num_mode *mode, uint32_t lane,
                    uint64_t first, size_t n, const void *words, struct trn_tile *tile)
{
    const void *raw = trn_rows_store(rows, mode, lane, first, n, words, tile);
    if (rows->watch && !rows->plain)
        look_at_narrowing(rows, mode, words, raw, n);
}
