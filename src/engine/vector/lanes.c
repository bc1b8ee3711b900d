/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/vector/lanes.h"

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

const void *trn_rows_read(const struct trn_rows *rows, const struct trn_num_mode *mode,
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

void trn_rows_write(const struct trn_rows *rows, const struct trn_num_mode *mode, uint32_t lane,
                    uint64_t first, size_t n, const void *words, struct trn_tile *tile)
{
    const struct trn_operand *operand = &rows->operand;
    const uint8_t dtype = operand->dtype;
    if (rows->plain) {
        trn_operand_scatter(operand, lane, first, n, words);
        return;
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
}

/* ---- overlap ---------------------------------------------------------------------- */

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

/* Greatest distance that every element of the operand keeps from its first, in whole multiples. */
static uint64_t grid(const struct trn_operand *operand, uint64_t g)
{
    for (uint32_t d = 0; d < operand->walk.dims; d++)
        if (operand->walk.num[d] > 1) {
            const int64_t step = operand->walk.step[d];
            g = gcd(g, (uint64_t)(step < 0 ? -step : step));
        }
    return g;
}

/* Elements of two patterns that interleave, such as even and odd columns, share no byte. */
static bool interleaved(const struct trn_operand *a, const struct trn_operand *b)
{
    if (a->indirect || b->indirect)
        return false;
    const uint64_t g = grid(b, grid(a, 0));
    if (g == 0)
        return false; /* one element each: the byte ranges have told already */
    const uint64_t apart = (b->byte % g + g - a->byte % g) % g;
    return apart >= a->size && apart + b->size <= g;
}

/* Adjacent elements whose writes stay behind the reads: when dst element m is written, src element
 * m + 1 begins no earlier than where it ends. Narrowing in place is the usual case. */
static bool stays_behind(const struct trn_operand *src, const struct trn_operand *dst)
{
    if (!src->contiguous || !dst->contiguous || src->count != dst->count)
        return false;
    /* linear in the element number, so the first and the last decide */
    const uint64_t last = src->count - 1;
    return dst->byte + (uint64_t)dst->size <= src->byte + (uint64_t)src->size &&
           dst->byte + last * dst->size <= src->byte + last * src->size;
}

bool trn_rows_hazard(const struct trn_rows *src, const struct trn_rows *dst)
{
    return trn_operand_overlap(&src->operand, &dst->operand) == TRN_OVERLAP_PARTIAL &&
           !interleaved(&src->operand, &dst->operand) &&
           !stays_behind(&src->operand, &dst->operand);
}

/* ---- element-wise words ----------------------------------------------------------- */

/* Below this many elements in all, handing work to another thread costs more than it saves. */
#define WORTH_SHARING 8192

void trn_lanes_run(struct trn_exec *x, uint32_t lanes, uint64_t elements,
                   void (*body)(void *context, uint32_t begin, uint32_t end), void *context)
{
    if (lanes * elements < WORTH_SHARING)
        body(context, 0, lanes);
    else
        trn_workers_run(x->workers, lanes, body, context);
}

/* A map with what was found out about it. */
struct map_run {
    const struct trn_map *map;
    uint64_t step;   /* elements a kernel call */
    bool out_direct; /* the kernel writes into memory */
};

static void map_lanes(void *context, uint32_t begin, uint32_t end)
{
    const struct map_run *run = context;
    const struct trn_map *map = run->map;
    const uint64_t count = map->dst.operand.count;
    struct trn_tile in[2], out;
    for (uint32_t lane = begin; lane < end; lane++) {
        const struct trn_num_mode mode = trn_rows_mode(map->x, &map->dst, lane);
        struct trn_row row = {.lane = lane, .mode = &mode};
        for (uint64_t first = 0; first < count; first += row.n) {
            row.first = first;
            row.n = (size_t)(count - first < run->step ? count - first : run->step);
            if (map->num_src > 0)
                row.a = trn_rows_read(&map->src[0], &mode, lane, first, row.n, &in[0]);
            if (map->num_src > 1)
                row.b = trn_rows_read(&map->src[1], &mode, lane, first, row.n, &in[1]);
            row.out = run->out_direct ? trn_operand_lane(&map->dst.operand, lane) +
                                            first * map->dst.operand.size
                                      : out.words;
            map->kernel(map->context, &row);
            if (!run->out_direct)
                trn_rows_write(&map->dst, &mode, lane, first, row.n, row.out, &out);
        }
    }
}

void trn_map_run(const struct trn_map *map)
{
    struct map_run run = {.map = map, .out_direct = map->dst.direct};
    bool direct = map->dst.direct;
    size_t tile = trn_rows_tile(&map->dst);
    bool hazard = false;
    for (unsigned i = 0; i < map->num_src; i++) {
        const struct trn_rows *src = &map->src[i];
        const size_t fits = trn_rows_tile(src);
        tile = fits < tile ? fits : tile;
        direct = direct && src->direct;
        if (trn_operand_overlap(&src->operand, &map->dst.operand) == TRN_OVERLAP_PARTIAL)
            run.out_direct = false;
        hazard = hazard || trn_rows_hazard(src, &map->dst);
    }
    if (hazard)
        trn_exec_choice(map->x, TRN_CHOICE_OVERLAP_STREAM_ORDER);
    if (hazard)
        run.step = 1;
    else
        run.step = direct && run.out_direct ? map->dst.operand.count : tile;
    trn_lanes_run(map->x, map->dst.operand.channels, map->dst.operand.count, map_lanes, &run);
}
