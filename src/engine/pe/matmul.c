/* SPDX-License-Identifier: Apache-2.0 */
/* MATMUL of one value a cell: dst[m][n] (+)= sum over rows k of stationary[k][m] * moving[k][n]
 * (pe-array.md 5, 7). */
#include "engine/pe/product.h"
#include "engine/state.h"

/* Parts of the moving operand, in the order they stream (pe-array.md 7.2). */
static uint32_t list_passes(enum trn_pe_fp32mode mode, enum trn_pe_fp32mode passes[2])
{
    uint32_t count = 0;
    if (mode == TRN_PE_FP32MODE_LOW_HIGH)
        passes[count++] = TRN_PE_FP32MODE_LOW;
    passes[count++] = mode == TRN_PE_FP32MODE_LOW_HIGH ? TRN_PE_FP32MODE_HIGH : mode;
    return count;
}

static void decode(const struct trn_pe_product *p, uint64_t first, uint32_t count,
                   struct trn_pe_strip *out)
{
    enum trn_pe_fp32mode passes[2] = {TRN_PE_FP32MODE_NONE};
    const uint32_t passes_count = list_passes(p->word->fp32_mode, passes);
    for (uint32_t pass = 0; pass < passes_count; pass++)
        trn_pe_fetch_rows(p->x, &p->moving, p->word->tile.rows, first, count, passes[pass],
                          out->x[pass]);
}

static void sum(const struct trn_pe_product *p, const struct trn_pe_block *b,
                enum trn_pe_finish finish, struct trn_pe_sums *kept,
                float *const out[TRN_PE_PANEL_COLUMNS])
{
    struct trn_pe_state *pe = &p->x->state->pe;
    const struct trn_pe_tile *tile = &p->word->tile;
    const float *weights = trn_pe_weights(pe, 0, tile->row, tile->column + b->column);
    float *between[TRN_PE_PANEL_COLUMNS];
    for (uint32_t c = 0; c < TRN_PE_PANEL_COLUMNS; c++)
        between[c] = kept->s[c];
    for (uint32_t pass = 0; pass < p->passes; pass++) {
        const bool last = pass == p->passes - 1;
        trn_pe_columns(weights, b->strip->x[pass][0], TRN_PE_BLOCK, tile->rows,
                       pass > 0 ? kept : NULL, last ? finish : TRN_PE_KEEP, last ? out : between);
    }
}

static const struct trn_pe_method dense = {
    .values = 1, .finishes = true, .decode = decode, .sum = sum};

trn_status trn_pe_multiply(struct trn_exec *x, const struct trn_pe_word *word)
{
    enum trn_pe_fp32mode passes[2];
    struct trn_pe_product p = {
        .x = x, .word = word, .method = &dense, .passes = list_passes(word->fp32_mode, passes)};
    trn_status status = trn_pe_open_source(x, word, TRN_TYPE_PATTERN3D, &p.moving);
    p.count = p.moving.count;
    if (!status)
        status = trn_pe_product(&p);
    if (status)
        return status;
    trn_exec_choice(x, TRN_CHOICE_PE_COLUMN_ORDER);
    if (word->fp32_mode != TRN_PE_FP32MODE_NONE)
        trn_exec_choice(x, TRN_CHOICE_PE_FP32_SPLIT);
    return TRN_OK;
}
