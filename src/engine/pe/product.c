/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/pe/product.h"

#include <string.h>

#include "engine/state.h"

/* PSUM partitions: column 128 + c drains to partition c (pe-array.md 2.2). */
#define HALF_COLUMNS 128

static uint32_t min(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* ---- the result -------------------------------------------------------------------- */

/* What the rules of dst say once registers are known. A tile of 256 columns has its upper half in
 * index 1 of the highest dimension. */
static trn_status check_result(const struct trn_pe_product *p, const struct trn_operand *cells)
{
    struct trn_exec *x = p->x;
    const struct trn_gen *gen = x->gen;
    const char *name = p->word->name;
    const struct trn_pe_tile *tile = &p->word->tile;
    const bool halves = tile->tile_columns > HALF_COLUMNS;
    const uint32_t partition = tile->column % HALF_COLUMNS;
    if (cells->partition != partition)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION,
                              tile->grouped ? "mm_dst" : "mm_tile_dst",
                              "%s: result in partition %u, but the columns of the tile drain to %u",
                              name, cells->partition, partition);
    if (halves && (cells->indirect || cells->num[2] != 2))
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "mm_halves",
                              "%s: a tile of 256 columns needs a result whose highest dimension "
                              "counts 2",
                              name);
    if (cells->count != p->count * (halves ? 2 : 1))
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "mm_counts",
                              "%s: %llu moving elements, %llu result elements a partition", name,
                              (unsigned long long)p->count, (unsigned long long)cells->count);
    const uint32_t bank = gen->psum_bank_bytes;
    if (gen->matmul_one_bank &&
        (cells->count > bank / sizeof(float) || cells->low / bank != (cells->high - 1) / bank))
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "mm_counts",
                              "%s: %llu results in bytes 0x%x..0x%x of a partition do not stay in "
                              "one bank of %u bytes",
                              name, (unsigned long long)cells->count, cells->low, cells->high - 1,
                              bank);
    return TRN_OK;
}

trn_status trn_pe_product_check(struct trn_pe_product *p, struct trn_operand *cells)
{
    const struct trn_pe_word *word = p->word;
    trn_status status = trn_operand_open(
        p->x, word->result, TRN_TYPE_PATTERN3D, word->out_dtype,
        min(word->tile.columns, HALF_COLUMNS),
        TRN_OPERAND_READ_WRITE | TRN_OPERAND_PSUM_ONLY | TRN_OPERAND_MATMUL, cells);
    if (!status)
        status = check_result(p, cells);
    if (!status)
        status = trn_pe_groups_check(p->x, cells, &word->group);
    return status ? status : trn_pe_check_loaded(p->x, word);
}

/* ---- sums ---------------------------------------------------------------------------- */

/* Cells that take all the block's sums as they come, if it is a whole one. */
static bool straight(const struct trn_pe_product *p, const struct trn_pe_block *b, float **cells,
                     enum trn_pe_finish *finish)
{
    if (!p->method->finishes || b->columns < TRN_PE_PANEL_COLUMNS || b->count < TRN_PE_BLOCK ||
        b->may_meet)
        return false;
    enum trn_pe_finish first = TRN_PE_KEEP;
    for (uint32_t c = 0; c < TRN_PE_PANEL_COLUMNS; c++) {
        cells[c] = trn_drain_cells(&p->drain, b->lane + c, b->position, finish);
        if (c == 0)
            first = *finish;
        if (!cells[c] || *finish != first)
            return false;
    }
    return true;
}

static void look_at_sums(const struct trn_pe_product *p, const struct trn_pe_block *b,
                         const struct trn_pe_sums *sums)
{
    struct trn_pe_state *pe = &p->x->state->pe;
    const struct trn_pe_tile *tile = &p->word->tile;
    struct trn_pe_terms terms = {.x_pitch = TRN_PE_BLOCK,
                                 .rows = tile->rows,
                                 .passes = p->passes,
                                 .values = p->method->values};
    for (uint32_t v = 0; v < TRN_PE_STRIP_VALUES; v++) {
        terms.w[v] = trn_pe_weights(pe, v, tile->row, tile->column + b->column);
        terms.x[v] = b->strip->x[v][0];
    }
    unsigned causes = TRN_NUMERIC_NONE;
    for (uint32_t c = 0; c < b->columns; c++)
        causes |= trn_pe_numeric_of_sums(&terms, c, sums->s[c], b->count);
    trn_numeric_raise(p->x, causes, TRN_FP_SOURCE_PE);
}

static void sum_block(const struct trn_pe_product *p, const struct trn_pe_block *b)
{
    struct trn_pe_sums sums;
    float *kept[TRN_PE_PANEL_COLUMNS], *cells[TRN_PE_PANEL_COLUMNS];
    enum trn_pe_finish finish = TRN_PE_KEEP;
    if (straight(p, b, cells, &finish)) {
        p->method->sum(p, b, finish, &sums, cells);
        return;
    }
    for (uint32_t c = 0; c < TRN_PE_PANEL_COLUMNS; c++)
        kept[c] = sums.s[c];
    p->method->sum(p, b, TRN_PE_KEEP, &sums, kept);
    if (b->may_meet)
        look_at_sums(p, b, &sums);
    for (uint32_t c = 0; c < b->columns; c++)
        trn_drain_put(&p->drain, b->lane + c, b->position, b->count, sums.s[c]);
}

/* ---- numeric events ------------------------------------------------------------------ */

static bool looks(const struct trn_pe_product *p)
{
    return p->x->numeric_wanted && p->method->values > 0;
}

/* The stationary values of the tile, plane by plane and panel by panel. */
static void look_at_weights(struct trn_pe_product *p)
{
    const struct trn_pe_tile *tile = &p->word->tile;
    p->weights = trn_pe_range_empty();
    for (uint32_t v = 0; v < p->method->values; v++)
        for (uint32_t column = 0; column < tile->columns; column += TRN_PE_PANEL_COLUMNS)
            trn_pe_range_add(&p->weights,
                             trn_pe_weights(&p->x->state->pe, v, tile->row, tile->column + column),
                             tile->rows, TRN_PE_PANEL_COLUMNS,
                             min(tile->columns - column, TRN_PE_PANEL_COLUMNS));
    trn_numeric_raise(p->x, trn_pe_numeric_of_range(&p->weights), TRN_FP_SOURCE_PE);
}

/* Whether the sums of a strip can be anything but ordinary, from what its values are like. */
static bool look_at_strip(const struct trn_pe_product *p, const struct trn_pe_strip *strip,
                          uint32_t count)
{
    const uint32_t planes = p->passes * p->method->values;
    struct trn_pe_range moving = trn_pe_range_empty();
    for (uint32_t v = 0; v < planes; v++)
        trn_pe_range_add(&moving, strip->x[v][0], p->word->tile.rows, TRN_PE_BLOCK, count);
    trn_numeric_raise(p->x, trn_pe_numeric_of_range(&moving), TRN_FP_SOURCE_PE);
    return trn_pe_may_meet(&p->weights, &moving, p->word->tile.rows * planes);
}

/* ---- the work ---------------------------------------------------------------------- */

/* Panel i of the order in which a share is done: by turns from its lower and its upper edge. With
 * even steps a core would fetch ahead beyond the edge, out of the caches of the core that is at
 * work there. */
static uint32_t by_turns(uint32_t begin, uint32_t end, uint32_t i)
{
    return i % 2 ? end - 1 - i / 2 : begin + i / 2;
}

/* Whoever has a PSUM partition does all that lands there: panels begin .. end-1, columns p->half,
 * p->half + p->half_step and so on of each. The moving elements from `first` on are those of
 * `block`. */
static void sum_panels(const struct trn_pe_product *p, uint32_t begin, uint32_t end, uint64_t first,
                       struct trn_pe_block *block)
{
    const uint32_t columns = p->word->tile.columns;
    for (uint32_t i = 0; i < end - begin; i++) {
        const uint32_t panel = by_turns(begin, end, i);
        for (uint32_t column = p->half + panel * TRN_PE_PANEL_COLUMNS; column < columns;
             column += p->half_step) {
            block->column = column;
            block->columns = min(columns - column, TRN_PE_PANEL_COLUMNS);
            block->lane = column % HALF_COLUMNS;
            block->position = column / HALF_COLUMNS * p->count + first;
            sum_block(p, block);
        }
    }
}

static uint32_t up_to(uint64_t left, uint32_t most)
{
    return left < most ? (uint32_t)left : most;
}

static void decode_and_sum(void *context, uint32_t begin, uint32_t end)
{
    const struct trn_pe_product *p = context;
    struct trn_pe_strip strip;
    struct trn_pe_block block = {.strip = &strip};
    for (uint64_t first = 0; first < p->count; first += TRN_PE_BLOCK) {
        block.count = up_to(p->count - first, TRN_PE_BLOCK);
        if (block.count < TRN_PE_BLOCK)
            memset(&strip, 0, sizeof strip);
        p->method->decode(p, first, block.count, &strip);
        block.may_meet = looks(p) && look_at_strip(p, &strip, block.count);
        sum_panels(p, begin, end, first, &block);
    }
}

static void fetch_rows(void *context, uint32_t begin, uint32_t end)
{
    const struct trn_pe_product *p = context;
    p->method->fetch(p, begin, end);
}

static void sum_chunk(void *context, uint32_t begin, uint32_t end)
{
    const struct trn_pe_product *p = context;
    struct trn_pe_block block = {.n = 0};
    for (; block.n < p->chunk; block.n += TRN_PE_BLOCK) {
        block.count = min(p->chunk - block.n, TRN_PE_BLOCK);
        sum_panels(p, begin, end, p->first + block.n, &block);
    }
}

static void sweep(struct trn_pe_product *p)
{
    struct trn_workers *workers = p->x->workers;
    const uint32_t lanes = p->drain.cells.channels;
    const uint32_t panels = (lanes + TRN_PE_PANEL_COLUMNS - 1) / TRN_PE_PANEL_COLUMNS;
    if (p->method->decode) {
        trn_workers_run(workers, panels, decode_and_sum, p);
        return;
    }
    for (p->first = 0; p->first < p->count; p->first += p->chunk) {
        p->chunk = up_to(p->count - p->first, TRN_PE_CHUNK);
        trn_workers_run(workers, p->word->tile.rows, fetch_rows, p);
        trn_workers_run(workers, panels, sum_chunk, p);
    }
}

void trn_pe_product_run(struct trn_pe_product *p, const struct trn_operand *cells)
{
    trn_drain_open(&p->drain, p->x, cells, &p->word->group);
    trn_pe_groups_note(&p->x->state->pe.groups, p->x->gen, cells, &p->word->group);
    if (looks(p))
        look_at_weights(p);
    p->half_step = HALF_COLUMNS;
    if (!p->drain.seeds) {
        sweep(p);
        return;
    }
    /* random bits are drawn in the order of a lane's stream: one half, then the other */
    p->half_step = TRN_PE_COLUMNS;
    for (p->half = 0; p->half < p->word->tile.columns; p->half += HALF_COLUMNS)
        sweep(p);
}

trn_status trn_pe_product(struct trn_pe_product *p)
{
    struct trn_operand cells;
    const trn_status status = trn_pe_product_check(p, &cells);
    if (status)
        return status;
    trn_pe_product_run(p, &cells);
    return TRN_OK;
}
