/* SPDX-License-Identifier: Apache-2.0 */
/* MATMUL of a double row: a cell multiplies two values by two moving ones a step, so that 128 rows
 * contract 256 (pe-array.md 5, 7.2). The halves of the moving stream are the two. */
#include "engine/pe/product.h"
#include "engine/state.h"

enum { PAIR = 2 };

static void decode(const struct trn_pe_product *p, uint64_t first, uint32_t count,
                   struct trn_pe_strip *out)
{
    for (uint32_t v = 0; v < PAIR; v++)
        trn_pe_fetch_rows(p->x, &p->moving, p->word->tile.rows, v * p->count + first, count,
                          TRN_PE_FP32MODE_NONE, out->x[v]);
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
        x[v] = b->strip->x[v][0];
    }
    trn_pe_pairs(w, x, TRN_PE_BLOCK, tile->rows, out);
}

static const struct trn_pe_method double_row = {.values = PAIR, .decode = decode, .sum = sum};

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
