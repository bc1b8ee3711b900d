/* SPDX-License-Identifier: Apache-2.0 */
/* MATMUL: dst[m][n] (+)= sum over rows k of stationary[k][m] * moving[k][n] (pe-array.md 5, 7). */
#include "engine/pe/drain.h"
#include "engine/pe/numeric.h"
#include "engine/pe/pe.h"
#include "engine/state.h"
#include "isa_fields.h"

/* PSUM partitions: column 128 + c drains to partition c (pe-array.md 2.2). */
#define HALF_COLUMNS 128

struct matmul {
    struct trn_exec *x;
    struct trn_pe_word word;
    struct trn_operand moving;
    struct trn_drain drain;
    uint64_t count;                 /* moving elements a lane */
    enum trn_pe_fp32mode passes[2]; /* parts of the moving operand, in the order they stream */
    uint32_t num_passes;
    uint64_t first; /* chunk at work */
    uint32_t chunk;
    struct trn_pe_range weights; /* while numeric events are wanted */
    bool may_meet;               /* sums of this chunk have to be looked at one by one */
};

/* ---- operands ---------------------------------------------------------------------- */

static trn_status open_moving(struct matmul *m)
{
    struct trn_exec *x = m->x;
    const struct trn_pe_tile *tile = &m->word.tile;
    const trn_status status = trn_operand_open(
        x, trn_s3d3_mm_src_mem_pattern(x->word, x->gen->isa), TRN_TYPE_PATTERN3D, m->word.dtype,
        tile->rows, TRN_OPERAND_READ | TRN_OPERAND_SBUF_ONLY, &m->moving);
    if (status)
        return status;
    m->count = m->moving.count;
    if (m->moving.partition != tile->row)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION,
                              tile->grouped ? "mm_src" : "mm_tile_src",
                              "MATMUL: source in partition %u, but the rows of the tile start at "
                              "%u",
                              m->moving.partition, tile->row);
    return TRN_OK;
}

static uint8_t out_dtype(const struct trn_exec *x)
{
    const unsigned isa = x->gen->isa;
    const uint8_t dtype =
        trn_s3d3_mm_out_dtype_present(isa) ? trn_s3d3_mm_out_dtype(x->word, isa) : 0;
    return dtype ? dtype : TRN_DTYPE_FP32;
}

/* What the rules of dst say once registers are known. A tile of 256 columns has its upper half in
 * index 1 of the highest dimension. */
static trn_status check_result(const struct matmul *m, const struct trn_operand *cells)
{
    struct trn_exec *x = m->x;
    const struct trn_gen *gen = x->gen;
    const struct trn_pe_tile *tile = &m->word.tile;
    const bool halves = tile->tile_columns > HALF_COLUMNS;
    const uint32_t partition = tile->column % HALF_COLUMNS;
    if (cells->partition != partition)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION,
                              tile->grouped ? "mm_dst" : "mm_tile_dst",
                              "MATMUL: result in partition %u, but the columns of the tile drain "
                              "to %u",
                              cells->partition, partition);
    if (halves && (cells->indirect || cells->num[2] != 2))
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "mm_halves",
                              "MATMUL: a tile of 256 columns needs a result whose highest "
                              "dimension counts 2");
    if (cells->count != m->count * (halves ? 2 : 1))
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "mm_counts",
                              "MATMUL: %llu moving elements, %llu result elements a partition",
                              (unsigned long long)m->count, (unsigned long long)cells->count);
    const uint32_t bank = gen->psum_bank_bytes;
    if (gen->matmul_one_bank &&
        (cells->count > bank / sizeof(float) || cells->low / bank != (cells->high - 1) / bank))
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "mm_counts",
                              "MATMUL: %llu results in bytes 0x%x..0x%x of a partition do not stay "
                              "in one bank of %u bytes",
                              (unsigned long long)cells->count, cells->low, cells->high - 1, bank);
    return TRN_OK;
}

static trn_status open_result(struct matmul *m, struct trn_operand *cells)
{
    struct trn_exec *x = m->x;
    const uint32_t columns = m->word.tile.columns;
    const trn_status status = trn_operand_open(
        x, trn_s3d3_mm_dst_mem_pattern(x->word, x->gen->isa), TRN_TYPE_PATTERN3D, out_dtype(x),
        columns < HALF_COLUMNS ? columns : HALF_COLUMNS,
        TRN_OPERAND_READ_WRITE | TRN_OPERAND_PSUM_ONLY | TRN_OPERAND_MATMUL, cells);
    return status ? status : check_result(m, cells);
}

/* FP32 operands go with FP32 operands only; cells nobody loaded hold 0 (model choice). */
static trn_status check_weights(const struct matmul *m)
{
    const struct trn_pe_state *pe = &m->x->state->pe;
    const struct trn_pe_tile *tile = &m->word.tile;
    const bool fp32 = m->word.fp32_mode != TRN_PE_FP32MODE_NONE;
    const enum trn_pe_loaded wrong = fp32 ? TRN_PE_LOADED_NARROW : TRN_PE_LOADED_FP32;
    bool missing = false;
    for (uint32_t r = 0; r < tile->rows; r += TRN_PE_QUADRANT)
        for (uint32_t c = 0; c < tile->columns; c += TRN_PE_QUADRANT) {
            const uint8_t loaded =
                pe->loaded[(tile->row + r) / TRN_PE_QUADRANT][(tile->column + c) / TRN_PE_QUADRANT];
            if (loaded == wrong)
                return trn_exec_fault(m->x, TRN_FAULT_ILLEGAL_INSTRUCTION, NULL,
                                      "MATMUL: moving operand %s FP32, but the stationary values "
                                      "of row %u, column %u are %sFP32",
                                      fp32 ? "is" : "is not", tile->row + r, tile->column + c,
                                      fp32 ? "not " : "");
            missing |= loaded == TRN_PE_LOADED_NOTHING;
        }
    if (missing)
        trn_exec_choice(m->x, TRN_CHOICE_PE_UNLOADED);
    return TRN_OK;
}

/* ---- accumulate modes -------------------------------------------------------------- */

/* How the word treats the cells it reaches, and how many banks its group start frees. */
static enum trn_drain_mode drain_mode(const struct trn_exec *x, uint32_t *banks)
{
    const unsigned isa = x->gen->isa;
    *banks = 0;
    if (!trn_s3d3_mm_psum_accumulate_flags_present(isa))
        return trn_s3d3_mm_flags_accumulate(x->word, isa) == TRN_ACCUMULATE_MODE_ACCUMULATE
                   ? TRN_DRAIN_ADD
                   : TRN_DRAIN_OVERWRITE;
    switch (trn_s3d3_mm_psum_accumulate_flags(x->word, isa)) {
    case TRN_PSUM_ACCUM_FLAGS_MULTI_START:
    case TRN_PSUM_ACCUM_FLAGS_SINGLE:
        *banks = 1u << trn_s3d3_mm_psum_zero_region(x->word, isa);
        return TRN_DRAIN_OVERWRITE;
    case TRN_PSUM_ACCUM_FLAGS_BEGIN_ACCUM:
    case TRN_PSUM_ACCUM_FLAGS_BEGIN_ACCUM_END:
        return TRN_DRAIN_ADD;
    default:
        return TRN_DRAIN_ADD_OR_FRESH;
    }
}

static void list_passes(struct matmul *m)
{
    const enum trn_pe_fp32mode mode = m->word.fp32_mode;
    m->num_passes = 0;
    if (mode == TRN_PE_FP32MODE_LOW_HIGH)
        m->passes[m->num_passes++] = TRN_PE_FP32MODE_LOW;
    m->passes[m->num_passes++] = mode == TRN_PE_FP32MODE_LOW_HIGH ? TRN_PE_FP32MODE_HIGH : mode;
}

/* ---- the work ---------------------------------------------------------------------- */

static uint32_t min(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Decode the chunk of rows begin .. end-1. */
static void fetch_rows(void *context, uint32_t begin, uint32_t end)
{
    const struct matmul *m = context;
    struct trn_pe_state *pe = &m->x->state->pe;
    for (uint32_t r = begin; r < end; r++)
        for (uint32_t p = 0; p < m->num_passes; p++)
            trn_pe_fetch(m->x, &m->moving, r, m->first, m->chunk, m->passes[p], pe->moving[p][r]);
}

/* One panel of columns of the tile, one block of moving elements. */
struct block {
    uint32_t lane, columns; /* first PSUM lane, columns that are active */
    uint64_t position;      /* of the block's first result in the stream of a lane */
    uint32_t count;         /* moving elements that are real */
};

/* Cells that take all the block's sums as they come, if it is a whole one. */
static bool straight(const struct matmul *m, const struct block *b, float **cells,
                     enum trn_pe_finish *finish)
{
    if (b->columns < TRN_PE_PANEL_COLUMNS || b->count < TRN_PE_BLOCK || m->may_meet)
        return false;
    enum trn_pe_finish first = TRN_PE_KEEP;
    for (uint32_t c = 0; c < TRN_PE_PANEL_COLUMNS; c++) {
        cells[c] = trn_drain_cells(&m->drain, b->lane + c, b->position, finish);
        if (c == 0)
            first = *finish;
        if (!cells[c] || *finish != first)
            return false;
    }
    return true;
}

static void look_at_sums(const struct matmul *m, const float *weights, uint32_t n,
                         const struct block *b, const struct trn_pe_sums *sums)
{
    struct trn_pe_state *pe = &m->x->state->pe;
    const struct trn_pe_terms terms = {.w = weights,
                                       .x = {pe->moving[0][0] + n, pe->moving[1][0] + n},
                                       .x_pitch = TRN_PE_CHUNK_PITCH,
                                       .rows = m->word.tile.rows,
                                       .passes = m->num_passes};
    unsigned causes = TRN_NUMERIC_NONE;
    for (uint32_t c = 0; c < b->columns; c++)
        causes |= trn_pe_numeric_of_sums(&terms, c, sums->s[c], b->count);
    trn_numeric_raise(m->x, causes, TRN_FP_SOURCE_PE);
}

static void sum_block(const struct matmul *m, uint32_t column, uint32_t n)
{
    const struct trn_pe_tile *tile = &m->word.tile;
    struct trn_pe_state *pe = &m->x->state->pe;
    const float *weights = trn_pe_weights(pe, tile->row, tile->column + column);
    const struct block b = {.lane = column % HALF_COLUMNS,
                            .columns = min(tile->columns - column, TRN_PE_PANEL_COLUMNS),
                            .position = column / HALF_COLUMNS * m->count + m->first + n,
                            .count = min(m->chunk - n, TRN_PE_BLOCK)};
    struct trn_pe_sums sums;
    float *kept[TRN_PE_PANEL_COLUMNS], *cells[TRN_PE_PANEL_COLUMNS];
    for (uint32_t c = 0; c < TRN_PE_PANEL_COLUMNS; c++)
        kept[c] = sums.s[c];
    enum trn_pe_finish finish = TRN_PE_KEEP;
    const bool to_cells = straight(m, &b, cells, &finish);
    for (uint32_t p = 0; p < m->num_passes; p++) {
        const bool last = to_cells && p == m->num_passes - 1;
        trn_pe_columns(weights, pe->moving[p][0] + n, TRN_PE_CHUNK_PITCH, tile->rows,
                       p > 0 ? &sums : NULL, last ? finish : TRN_PE_KEEP, last ? cells : kept);
    }
    if (m->may_meet)
        look_at_sums(m, weights, n, &b, &sums);
    if (!to_cells)
        for (uint32_t c = 0; c < b.columns; c++)
            trn_drain_put(&m->drain, b.lane + c, b.position, b.count, sums.s[c]);
}

/* Panels begin .. end-1 of PSUM partitions: whoever has a partition does all that lands there. */
static void sum_panels(void *context, uint32_t begin, uint32_t end)
{
    const struct matmul *m = context;
    for (uint32_t n = 0; n < m->chunk; n += TRN_PE_BLOCK)
        for (uint32_t panel = begin; panel < end; panel++)
            for (uint32_t column = panel * TRN_PE_PANEL_COLUMNS; column < m->word.tile.columns;
                 column += HALF_COLUMNS)
                sum_block(m, column, n);
}

/* The stationary values of the tile, panel by panel. */
static void look_at_weights(struct matmul *m)
{
    const struct trn_pe_tile *tile = &m->word.tile;
    m->weights = trn_pe_range_empty();
    for (uint32_t column = 0; column < tile->columns; column += TRN_PE_PANEL_COLUMNS)
        trn_pe_range_add(
            &m->weights, trn_pe_weights(&m->x->state->pe, tile->row, tile->column + column),
            tile->rows, TRN_PE_PANEL_COLUMNS, min(tile->columns - column, TRN_PE_PANEL_COLUMNS));
    trn_numeric_raise(m->x, trn_pe_numeric_of_range(&m->weights), TRN_FP_SOURCE_PE);
}

/* What the chunk's values are like says whether its sums can be anything but ordinary. */
static void look_at_chunk(struct matmul *m)
{
    struct trn_pe_range moving = trn_pe_range_empty();
    for (uint32_t p = 0; p < m->num_passes; p++)
        trn_pe_range_add(&moving, m->x->state->pe.moving[p][0], m->word.tile.rows,
                         TRN_PE_CHUNK_PITCH, m->chunk);
    trn_numeric_raise(m->x, trn_pe_numeric_of_range(&moving), TRN_FP_SOURCE_PE);
    m->may_meet = trn_pe_may_meet(&m->weights, &moving, m->word.tile.rows * m->num_passes);
}

static void multiply(struct matmul *m)
{
    struct trn_workers *workers = m->x->workers;
    const uint32_t lanes = m->drain.cells.channels;
    const uint32_t panels = (lanes + TRN_PE_PANEL_COLUMNS - 1) / TRN_PE_PANEL_COLUMNS;
    for (m->first = 0; m->first < m->count; m->first += m->chunk) {
        const uint64_t left = m->count - m->first;
        m->chunk = left < TRN_PE_CHUNK ? (uint32_t)left : TRN_PE_CHUNK;
        trn_workers_run(workers, m->word.tile.rows, fetch_rows, m);
        if (m->x->numeric_wanted)
            look_at_chunk(m);
        trn_workers_run(workers, panels, sum_panels, m);
    }
}

trn_status trn_pe_matmul(struct trn_exec *x)
{
    struct matmul m = {.x = x};
    struct trn_operand cells;
    trn_status status = trn_pe_read_matmul(x, &m.word);
    if (!status)
        status = open_moving(&m);
    if (!status)
        status = open_result(&m, &cells);
    if (!status)
        status = check_weights(&m);
    if (status)
        return status;
    trn_exec_choice(x, TRN_CHOICE_PE_COLUMN_ORDER);
    if (m.word.fp32_mode != TRN_PE_FP32MODE_NONE)
        trn_exec_choice(x, TRN_CHOICE_PE_FP32_SPLIT);
    list_passes(&m);
    uint32_t banks;
    const enum trn_drain_mode mode = drain_mode(x, &banks);
    trn_drain_open(&m.drain, x, &cells, mode, banks);
    if (x->numeric_wanted)
        look_at_weights(&m);
    multiply(&m);
    return TRN_OK;
}
