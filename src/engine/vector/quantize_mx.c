/* SPDX-License-Identifier: Apache-2.0 */
/* QUANTIZE_MX 0xE3: groups of 8 partitions and 4 elements become FP8 with one power of two beside
 * them (docs/hardware/numerics.md 7, isa-core.md 9.4, pe-array.md 10.2). */
#include <math.h>

#include "base/bytes.h"
#include "base/clones.h"
#include "engine/mx_operand.h"
#include "engine/numeric.h"
#include "engine/state.h"
#include "engine/vector/map.h"
#include "engine/vector/words.h"

enum {
    BLOCK = 64, /* containers of a lane that are done at a time */
    SCALE_BIAS = 127,
    SCALE_NAN = 0xFF,
    FP32_EXPONENT_LO = 23,
    INFINITE = 0x7F800000,
    MAGNITUDE = 0x7FFFFFFF
};

struct quantize {
    struct trn_exec *x;
    struct trn_operand src; /* pairs of 16-bit elements, two for each container */
    uint8_t in_dtype;
    struct trn_mx_operand dst;
    struct trn_num_mode mode;
    int emax;    /* exponent that the largest element of a group gets */
    uint8_t nan; /* code of a NaN */
};

/* ---- one group of partitions -------------------------------------------------------------- */

struct work {
    float values[TRN_MX_PARTITIONS][TRN_MX_PACKED * BLOCK];
    uint32_t largest[BLOCK]; /* bits of the largest magnitude; Inf and above: none */
    uint8_t scale[BLOCK];
    float inverse[BLOCK]; /* 1 / factor, a power of two */
};

static void read_lane(const struct quantize *q, uint32_t lane, uint64_t first, uint32_t count,
                      float *out)
{
    _Alignas(4) uint8_t pairs[2 * BLOCK * sizeof(uint32_t)];
    trn_operand_gather(&q->src, lane, 2 * first, 2 * (uint64_t)count, pairs);
    (void)trn_to_fp32_array(q->in_dtype, &q->mode, pairs, out, TRN_MX_PACKED * (size_t)count);
}

TRN_CLONES static void take_largest(const float *values, uint32_t count, uint32_t *largest)
{
    for (uint32_t f = 0; f < count; f++)
        for (uint32_t i = 0; i < TRN_MX_PACKED; i++) {
            const uint32_t m = trn_f32_bits(values[TRN_MX_PACKED * f + i]) & MAGNITUDE;
            largest[f] = m > largest[f] ? m : largest[f];
        }
}

/* X = 2^(floor(log2 a) - (Emax - 1)), 2^-127 for a group of zeros and where it would be less. */
static void find_scale(const struct quantize *q, struct work *w, uint32_t f)
{
    const float a = trn_bits_f32(w->largest[f]);
    const bool number = w->largest[f] < INFINITE; /* else no element's value matters */
    int exponent = number ? -SCALE_BIAS : 0;
    if (number && w->largest[f] != 0)
        exponent = ilogbf(a) - (q->emax - 1);
    exponent = exponent < -SCALE_BIAS ? -SCALE_BIAS : exponent;
    w->scale[f] = (uint8_t)(number ? exponent + SCALE_BIAS : SCALE_NAN);
    w->inverse[f] = trn_bits_f32((uint32_t)(SCALE_BIAS - exponent) << FP32_EXPONENT_LO);
}

TRN_CLONES static void divide(float *values, const float *inverse, uint32_t count)
{
    for (uint32_t f = 0; f < count; f++)
        for (uint32_t i = 0; i < TRN_MX_PACKED; i++)
            values[TRN_MX_PACKED * f + i] *= inverse[f];
}

static void watch(const struct quantize *q, const float *before, const float *divided,
                  const uint8_t *stored, size_t n)
{
    const enum trn_fp_source unit = trn_numeric_source(q->x->engine);
    trn_numeric_raise(q->x,
                      trn_numeric_of_operands(before, n) |
                          trn_numeric_of_narrowing(q->dst.dtype, &q->mode, divided, stored, n),
                      unit);
}

static void write_lane(const struct quantize *q, struct work *w, uint32_t lane, uint32_t row,
                       uint64_t first, uint32_t count)
{
    const size_t n = TRN_MX_PACKED * (size_t)count;
    _Alignas(4) uint8_t packed[TRN_MX_PACKED * BLOCK];
    float before[TRN_MX_PACKED * BLOCK];
    if (q->x->numeric_wanted)
        memcpy(before, w->values[row], n * sizeof *before);
    divide(w->values[row], w->inverse, count);
    (void)trn_from_fp32_array(q->dst.dtype, &q->mode, w->values[row], packed, n);
    for (uint32_t f = 0; f < count; f++)
        if (w->scale[f] == SCALE_NAN)
            memset(packed + TRN_MX_PACKED * (size_t)f, q->nan, TRN_MX_PACKED);
    if (q->x->numeric_wanted)
        watch(q, before, w->values[row], packed, n);
    trn_operand_scatter(&q->dst.data, lane, first, count, packed);
}

static void write_scales(const struct quantize *q, const struct work *w, uint32_t lane,
                         uint64_t first, uint32_t count)
{
    enum { QUADRANT = 32 };
    trn_operand_scatter(&q->dst.scales[lane / QUADRANT], lane % QUADRANT / TRN_MX_PARTITIONS, first,
                        count, w->scale);
}

static void quantize_block(const struct quantize *q, uint32_t group, uint64_t first, uint32_t count)
{
    struct work w = {.largest = {0}};
    const uint32_t lane = group * TRN_MX_PARTITIONS;
    for (uint32_t row = 0; row < TRN_MX_PARTITIONS; row++) {
        read_lane(q, lane + row, first, count, w.values[row]);
        take_largest(w.values[row], count, w.largest);
    }
    for (uint32_t f = 0; f < count; f++)
        find_scale(q, &w, f);
    for (uint32_t row = 0; row < TRN_MX_PARTITIONS; row++)
        write_lane(q, &w, lane + row, row, first, count);
    write_scales(q, &w, lane, first, count);
}

/* ---- the word ----------------------------------------------------------------------------- */

static void quantize_groups(void *context, uint32_t begin, uint32_t end)
{
    const struct quantize *q = context;
    const uint64_t all = q->dst.data.count;
    for (uint32_t group = begin; group < end; group++)
        for (uint64_t first = 0; first < all; first += BLOCK)
            quantize_block(q, group, first, (uint32_t)(all - first < BLOCK ? all - first : BLOCK));
}

/* Container by container over all partitions: all sources of one before its result, as words whose
 * operands overlap act (tensor-scalar-multi.md 7.1). */
static void quantize_in_order(const struct quantize *q)
{
    const uint32_t groups = q->src.channels / TRN_MX_PARTITIONS;
    for (uint64_t f = 0; f < q->dst.data.count; f++)
        for (uint32_t group = 0; group < groups; group++)
            quantize_block(q, group, f, 1);
}

static bool overlaps(const struct quantize *q)
{
    bool any = trn_operand_overlap(&q->src, &q->dst.data) != TRN_OVERLAP_NONE;
    for (uint32_t i = 0; i < 4 && q->dst.scales[i].channels; i++)
        any = any || trn_operand_overlap(&q->src, &q->dst.scales[i]) != TRN_OVERLAP_NONE ||
              trn_operand_overlap(&q->dst.data, &q->dst.scales[i]) != TRN_OVERLAP_NONE;
    return any;
}

static trn_status open_operands(struct quantize *q)
{
    struct trn_exec *x = q->x;
    const uint8_t *word = x->word;
    const unsigned isa = x->gen->isa;
    const uint32_t lanes = trn_s3dmx1_quant_num_active_channels(word, isa);
    trn_status status = trn_operand_open(x, trn_s3dmx1_quant_src_mem_pattern(word, isa),
                                         TRN_TYPE_PATTERN3D, TRN_DTYPE_UINT32, lanes,
                                         TRN_OPERAND_READ | TRN_OPERAND_SBUF_ONLY, &q->src);
    if (status == TRN_OK)
        status = trn_mx_open(x, trn_s3dmx1_quant_dst_mem_pattern(word, isa),
                             trn_s3dmx1_quant_out_dtype(word, isa), lanes,
                             TRN_OPERAND_WRITE | TRN_OPERAND_SBUF_ONLY, &q->dst);
    if (status == TRN_OK && q->src.count != 2 * q->dst.data.count)
        status =
            trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "quant_counts",
                           "QUANTIZE_MX: %llu pairs a partition for %llu containers of four",
                           (unsigned long long)q->src.count, (unsigned long long)q->dst.data.count);
    return status;
}

static void open_format(struct quantize *q)
{
    struct trn_exec *x = q->x;
    enum { LENGTH_SATURATE = 0x11 };
    const float nan = NAN;
    q->in_dtype = trn_s3dmx1_quant_in_dtype(x->word, x->gen->isa);
    q->mode = x->state->mode[x->engine];
    q->mode.fp8_saturate |= trn_common_inst_word_len(x->word, x->gen->isa) == LENGTH_SATURATE;
    q->emax = q->dst.dtype == TRN_DTYPE_FP8_EXP5 ? 15 : 8;
    struct trn_num_mode plain = q->mode;
    plain.fp8_nan_suppress = false;
    (void)trn_from_fp32_array(q->dst.dtype, &plain, &nan, &q->nan, 1);
    trn_exec_choice(x, TRN_CHOICE_MX_SATURATE);
    trn_exec_choice(x, TRN_CHOICE_MX_QUANT_SPECIALS);
    trn_note_conversion(x, q->dst.dtype, false);
}

trn_status trn_run_quantize_mx(struct trn_exec *x)
{
    struct quantize q = {.x = x};
    const trn_status status = open_operands(&q);
    if (status != TRN_OK)
        return status;
    open_format(&q);
    if (overlaps(&q))
        quantize_in_order(&q);
    else
        trn_lanes_run(x, q.src.channels / TRN_MX_PARTITIONS,
                      TRN_MX_PARTITIONS * TRN_MX_PACKED * q.dst.data.count, quantize_groups, &q);
    return TRN_OK;
}
