/* SPDX-License-Identifier: Apache-2.0 */
/* MATMUL of UINT8 operands: dst[m][n] (+)= sum over rows k of (stationary[k][m] - zero) *
 * (moving[k][n] - zero) as a 32-bit integer (pe-array.md 5). The zero points are those of the
 * MATMUL (model choice pe_zero_points).
 *
 * Products of two bytes summed over 128 rows stay below 2^24, so every step is exact in fp32. */
#include "engine/pe/product.h"
#include "engine/state.h"

/* Moving values less their zero point. */
static void decode(const struct trn_pe_product *p, uint64_t first, uint32_t count,
                   struct trn_pe_strip *out)
{
    const uint32_t rows = p->word->tile.rows;
    trn_pe_fetch_rows(p->x, &p->moving, rows, first, count, TRN_PE_FP32MODE_NONE, out->x[0]);
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t n = 0; n < count; n++)
            out->x[0][r][n] -= p->word->moving_zero;
}

/* sum (w - zero) x = sum w x - zero * sum x */
static void sum(const struct trn_pe_product *p, const struct trn_pe_block *b,
                enum trn_pe_finish finish, struct trn_pe_sums *kept,
                float *const out[TRN_PE_PANEL_COLUMNS])
{
    struct trn_pe_state *pe = &p->x->state->pe;
    const struct trn_pe_tile *tile = &p->word->tile;
    (void)kept;
    trn_pe_columns(trn_pe_weights(pe, 0, tile->row, tile->column + b->column), b->strip->x[0][0],
                   TRN_PE_BLOCK, tile->rows, NULL, finish, out);
    float moving[TRN_PE_BLOCK] = {0};
    for (uint32_t r = 0; r < tile->rows; r++)
        for (uint32_t n = 0; n < TRN_PE_BLOCK; n++)
            moving[n] += b->strip->x[0][r][n];
    for (uint32_t c = 0; c < TRN_PE_PANEL_COLUMNS; c++)
        for (uint32_t n = 0; n < TRN_PE_BLOCK; n++)
            out[c][n] -= p->word->stationary_zero * moving[n];
}

static const struct trn_pe_method integer = {.decode = decode, .sum = sum};

trn_status trn_pe_integer(struct trn_exec *x, const struct trn_pe_word *word)
{
    struct trn_pe_product p = {.x = x, .word = word, .method = &integer, .passes = 1};
    trn_status status = trn_pe_open_source(x, word, TRN_TYPE_PATTERN3D, &p.moving);
    p.count = p.moving.count;
    if (!status)
        status = trn_pe_product(&p);
    if (!status)
        trn_exec_choice(x, TRN_CHOICE_PE_ZERO_POINTS);
    return status;
}
