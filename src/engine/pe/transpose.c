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

uint32_t trn_pe_transposed_row(const struct trn_pe_state *pe, const struct trn_pe_tile *tile,
                               uint32_t n)
{
    uint32_t row = 0;
    while (row < tile->rows && pe->moving[0][row][n] == 0)
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
        const uint32_t row = trn_pe_transposed_row(&p->x->state->pe, tile, b->n + n);
        for (uint32_t c = 0; c < b->columns; c++)
            if (row < tile->rows)
                memcpy(&out[c][n], &weights[row * TRN_PE_PANEL_COLUMNS + c], sizeof(float));
            else
                out[c][n] = 0;
    }
}

static const struct trn_pe_method transpose = {.fetch = fetch, .sum = sum};

/* More than one row picks an element: undefined. The lowest wins (model choice pe_transpose_row),
 * or the word is refused. */
static trn_status check_identity(const struct trn_pe_product *p)
{
    float values[TRN_PE_CHUNK];
    for (uint64_t first = 0; first < p->count; first += TRN_PE_CHUNK) {
        const uint64_t left = p->count - first;
        const uint32_t count = left < TRN_PE_CHUNK ? (uint32_t)left : TRN_PE_CHUNK;
        uint8_t rows[TRN_PE_CHUNK] = {0};
        for (uint32_t r = 0; r < p->word->tile.rows; r++) {
            trn_pe_fetch(p->x, &p->moving, r, first, count, TRN_PE_FP32MODE_NONE, values);
            for (uint32_t n = 0; n < count; n++)
                if (values[n] != 0 && rows[n]++)
                    return trn_exec_fault(p->x, TRN_FAULT_ILLEGAL_INSTRUCTION, "PE_TRANSPOSE_ROWS",
                                          "%s: more than one row has a moving element %llu that is "
                                          "not 0, row %u among them; an identity has one",
                                          p->word->name, (unsigned long long)first + n, r);
        }
    }
    return TRN_OK;
}

trn_status trn_pe_transpose(struct trn_exec *x, const struct trn_pe_word *word)
{
    struct trn_pe_product p = {.x = x, .word = word, .method = &transpose, .passes = 1};
    trn_status status = trn_pe_open_source(x, word, TRN_TYPE_PATTERN3D, &p.moving);
    p.count = p.moving.count;
    if (!status && x->state->pe.options.strict)
        status = check_identity(&p);
    if (!status)
        status = trn_pe_product(&p);
    if (!status)
        trn_exec_choice(x, TRN_CHOICE_PE_TRANSPOSE_ROW);
    return status;
}
