/* SPDX-License-Identifier: Apache-2.0 */
/* Words over several lanes at once: results that become BF16 and nothing else go from the source to
 * the destination in one step; and accumulators of different lanes are chains that do not depend on
 * each other, so that those of a batch are added up side by side. */
#include <string.h>

#include "engine/act/words.h"
#include "engine/state.h"

/* A word as a body over lanes sees it. */
struct batch {
    const struct trn_act_word *word;
    const struct trn_rows *src, *dst;
};

/* ---- to BF16 --------------------------------------------------------------------------------- */

static struct trn_act_line line_of(const struct trn_act_word *word, uint32_t lane)
{
    return (struct trn_act_line){trn_scalar_f32(&word->stage[0].imm, lane),
                                 trn_scalar_f32(&word->stage[1].imm, lane)};
}

static void bf16_row(const struct batch *b, const struct trn_num_mode *mode, uint32_t lane,
                     uint64_t first, size_t n)
{
    const struct trn_operand *const to = &b->dst->operand;
    const struct trn_act_line line = line_of(b->word, lane);
    struct trn_tile in;
    uint8_t room[TRN_TILE_BYTES];
    const float *const x = trn_rows_fetch(b->src, mode, lane, first, n, &in);
    uint8_t *const out = to->contiguous ? trn_operand_lane(to, lane) + first * to->size : room;
    trn_act_apply_bf16(b->word->function, trn_scalar_f32(&b->word->alpha, lane),
                       b->word->affine ? &line : NULL, x, mode, out, n);
    if (!to->contiguous)
        trn_operand_scatter(to, lane, first, n, out);
}

static void bf16_lanes(void *context, uint32_t begin, uint32_t end)
{
    const struct batch *const b = context;
    const uint64_t count = b->dst->operand.count;
    const size_t most = trn_rows_tile(b->src);
    size_t n;
    for (uint32_t lane = begin; lane < end; lane++) {
        const struct trn_num_mode mode = trn_rows_mode(b->word->x, b->dst, lane);
        for (uint64_t first = 0; first < count; first += n) {
            n = (size_t)(count - first < most ? count - first : most);
            bf16_row(b, &mode, lane, first, n);
        }
    }
}

static bool goes_to_bf16(const struct trn_act_word *word, const struct trn_rows *dst)
{
    const bool multiplies_and_adds =
        word->stage[0].op == TRN_ALU_OP_MULT && word->stage[1].op == TRN_ALU_OP_ADD;
    return dst->operand.dtype == TRN_DTYPE_BFLOAT16 && !trn_rows_mode(word->x, dst, 0).lfsr &&
           (!word->affine || multiplies_and_adds) && !word->quantize;
}

/* ---- accumulators ---------------------------------------------------------------------------- */

enum { BATCH_LANES = 32, BATCH_COLUMNS = 128 };

/* Accumulators in front of results. */
struct sheet {
    _Alignas(64) float row[BATCH_LANES][1 + BATCH_COLUMNS];
};

static void compute_row(const struct batch *b, uint32_t lane, uint64_t first, size_t n, float *out)
{
    const struct trn_num_mode mode = trn_rows_mode(b->word->x, b->dst, lane);
    struct trn_tile in, stored;
    trn_act_affine(b->word, lane, trn_rows_fetch(b->src, &mode, lane, first, n, &in), out, n);
    trn_act_results(b->word, lane, out, out, n);
    (void)trn_rows_store(b->dst, &mode, lane, first, n, out, &stored);
}

static void accumulate_columns(const struct batch *b, uint32_t lane, uint32_t lanes, uint64_t first,
                               size_t n, struct sheet *sheet)
{
    float *const accumulator = &b->word->x->state->act.accumulator[lane];
    for (uint32_t i = 0; i < lanes; i++) {
        sheet->row[i][0] = accumulator[i];
        compute_row(b, lane + i, first, n, sheet->row[i] + 1);
    }
    (void)trn_reduce_rows(b->word->reduce_op, sheet->row[0], sizeof sheet->row[0], lanes, 1 + n,
                          accumulator);
}

static void accumulate_lanes(void *context, uint32_t begin, uint32_t end)
{
    const struct batch *const b = context;
    const uint64_t count = b->dst->operand.count;
    struct sheet sheet;
    uint32_t lanes;
    size_t n;
    for (uint32_t lane = begin; lane < end; lane += lanes) {
        lanes = end - lane < BATCH_LANES ? end - lane : BATCH_LANES;
        for (uint64_t first = 0; first < count; first += n) {
            n = (size_t)(count - first < BATCH_COLUMNS ? count - first : BATCH_COLUMNS);
            accumulate_columns(b, lane, lanes, first, n, &sheet);
        }
    }
}

/* ---- the word -------------------------------------------------------------------------------- */

bool trn_act_run_batches(struct trn_act_word *word, const struct trn_rows *src,
                         const struct trn_rows *dst)
{
    struct batch batch = {.word = word, .src = src, .dst = dst};
    const uint32_t channels = dst->operand.channels;
    if (word->formula || word->x->numeric_wanted ||
        trn_operand_overlap(&src->operand, &dst->operand) != TRN_OVERLAP_NONE)
        return false;
    if (word->accumulate)
        trn_lanes_run(word->x, channels, dst->operand.count, accumulate_lanes, &batch);
    else if (goes_to_bf16(word, dst))
        trn_lanes_run(word->x, channels, dst->operand.count, bf16_lanes, &batch);
    else
        return false;
    return true;
}
