/* SPDX-License-Identifier: Apache-2.0 */
/* MATMUL of a double row: a cell multiplies two values by two moving ones a step, so that 128 rows
 * contract 256 (pe-array.md 5, 7.2). The halves of the moving stream are the two. */
#include "engine/pe/product.h"
#include "engine/state.h"

enum { PAIR = 2 };

static void fetch(const struct trn_pe_product *p, uint32_t begin, uint32_t end)
{
    for (uint32_t r = begin; r < end; r++)
        for (uint32_t v = 0; v < PAIR; v++)
            trn_pe_fetch(p->x, &p->moving, r, v * p->count + p->first, p->chunk,
                         TRN_PE_FP32MODE_NONE, p->x->state->pe.moving[v][r]);
}

static void sum(const struct trn_pe_product *p, const struct trn_pe_block *b,
                enum trn_pe_finish finish, struct trn_pe_sums *kept,
                float *const out[TRN_PE_PANEL_COLUMNS])
{
    struct trn_pe_state *pe = &p->x->state->pe;
    const struct trn_pe_tile *tile = &p->word->tile;
    const float *w[PAIR], *x[PAIR];
    (void)finish, (void)kept;
    for (uint32_t v = 0; v < PAIR; v++) {
        w[v] = trn_pe_weights(pe, v, tile->row, tile->column + b->column);
        x[v] = pe->moving[v][0] + b->n;
    }
    trn_pe_pairs(w, x, TRN_PE_CHUNK_PITCH, tile->rows, out);
}

static const struct trn_pe_method double_row = {.values = PAIR, .fetch = fetch, .sum = sum};

trn_status trn_pe_double_row(struct trn_exec *x, const struct trn_pe_word *word)
{
    struct trn_pe_product p = {.x = x, .word = word, .method = &double_row, .passes = 1};
    trn_status status = trn_pe_open_source(x, word, TRN_TYPE_PATTERN3D, &p.moving);
    if (status)
        return status;
    p.count = p.moving.count / PAIR;
    if (p.moving.count % PAIR != 0)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "mm_counts",
                              "%s: %llu moving elements a partition are no pairs", word->name,
                              (unsigned long long)p.moving.count);
    status = trn_pe_product(&p);
    if (!status)
        trn_exec_choice(x, TRN_CHOICE_PE_COLUMN_ORDER);
    return status;
}
