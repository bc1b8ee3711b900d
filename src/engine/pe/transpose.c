/* SPDX-License-Identifier: Apache-2.0 */
/* MATMUL in transpose mode: the moving operand is an identity, and element n of it picks the row
 * whose stationary bits go to element n of every column (pe-array.md 8). */
#include <string.h>

#include "engine/pe/product.h"
#include "engine/state.h"

/* Only whether a value is zero counts: a signed zero is one. */
static void fetch(const struct trn_pe_product *p, uint32_t begin, uint32_t end)
{
    for (uint32_t r = begin; r < end; r++)
        trn_pe_fetch(p->x, &p->moving, r, p->first, p->chunk, TRN_PE_FP32MODE_NONE,
                     p->x->state->pe.moving[0][r]);
}

/* The lowest row whose moving element is not zero (model choice pe_transpose_row); rows: none. */
static uint32_t row_of(const struct trn_pe_product *p, uint32_t n)
{
    const struct trn_pe_state *pe = &p->x->state->pe;
    uint32_t row = 0;
    while (row < p->word->tile.rows && pe->moving[0][row][n] == 0)
        row++;
    return row;
}

static void sum(const struct trn_pe_product *p, const struct trn_pe_block *b,
                enum trn_pe_finish finish, struct trn_pe_sums *kept,
                float *const out[TRN_PE_PANEL_COLUMNS])
{
    const struct trn_pe_tile *tile = &p->word->tile;
    const float *weights = trn_pe_weights(&p->x->state->pe, 0, tile->row, tile->column + b->column);
    (void)finish, (void)kept;
    for (uint32_t n = 0; n < b->count; n++) {
        const uint32_t row = row_of(p, b->n + n);
        for (uint32_t c = 0; c < b->columns; c++)
            if (row < tile->rows)
                memcpy(&out[c][n], &weights[row * TRN_PE_PANEL_COLUMNS + c], sizeof(float));
            else
                out[c][n] = 0;
    }
}

static const struct trn_pe_method transpose = {.fetch = fetch, .sum = sum};

trn_status trn_pe_transpose(struct trn_exec *x, const struct trn_pe_word *word)
{
    struct trn_pe_product p = {.x = x, .word = word, .method = &transpose, .passes = 1};
    trn_status status = trn_pe_open_source(x, word, TRN_TYPE_PATTERN3D, &p.moving);
    p.count = p.moving.count;
    if (!status)
        status = trn_pe_product(&p);
    if (!status)
        trn_exec_choice(x, TRN_CHOICE_PE_TRANSPOSE_ROW);
    return status;
}
