/* SPDX-License-Identifier: Apache-2.0 */
/* LDWEIGHTS: partition k, stream element m -> row k, column m of a tile (pe-array.md 4). */
#include <string.h>

#include "base/clones.h"
#include "engine/pe/pe.h"
#include "engine/state.h"
#include "isa_fields.h"

static bool first_column_first(const struct trn_exec *x)
{
    const unsigned isa = x->gen->isa;
    return trn_s3_lw_flags_load_order_present(isa) &&
           trn_s3_lw_flags_load_order(x->word, isa) == TRN_PE_LW_ORDER_FIRST_COL_FIRST;
}

static trn_status open_source(struct trn_exec *x, const struct trn_pe_word *word,
                              struct trn_operand *source)
{
    const trn_status status = trn_operand_open(x, trn_s3_lw_src_mem_pattern(x->word, x->gen->isa),
                                               TRN_TYPE_PATTERN3D, word->dtype, word->tile.rows,
                                               TRN_OPERAND_READ | TRN_OPERAND_SBUF_ONLY, source);
    if (status)
        return status;
    if (source->partition != word->tile.row)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION,
                              word->tile.grouped ? "mm_src" : "mm_tile_src",
                              "LDWEIGHTS: source in partition %u, but the rows of the tile start "
                              "at %u",
                              source->partition, word->tile.row);
    if (source->count != word->tile.columns)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION,
                              word->tile.grouped ? "lw_counts" : "lw_counts_v5",
                              "LDWEIGHTS: %llu elements a partition for %u active columns",
                              (unsigned long long)source->count, word->tile.columns);
    return TRN_OK;
}

/* Stale weights must not leak into a later, smaller matmul: what the word does not load of its
 * tile becomes 0 (model choice). */
static void clear_rest(struct trn_exec *x, const struct trn_pe_tile *tile)
{
    if (tile->rows == tile->tile_rows && tile->columns == tile->tile_columns)
        return;
    trn_exec_choice(x, TRN_CHOICE_PE_TILE_REST);
    struct trn_pe_state *pe = &x->state->pe;
    for (uint32_t c = tile->column; c < tile->column + tile->tile_columns;
         c += TRN_PE_PANEL_COLUMNS)
        memset(trn_pe_weights(pe, tile->row, c), 0,
               tile->tile_rows * TRN_PE_PANEL_COLUMNS * sizeof(float));
}

static void note_loaded(struct trn_pe_state *pe, const struct trn_pe_word *word)
{
    const struct trn_pe_tile *tile = &word->tile;
    const enum trn_pe_loaded kind =
        word->fp32_mode == TRN_PE_FP32MODE_NONE ? TRN_PE_LOADED_NARROW : TRN_PE_LOADED_FP32;
    for (uint32_t r = 0; r < tile->tile_rows; r += TRN_PE_QUADRANT)
        for (uint32_t c = 0; c < tile->tile_columns; c += TRN_PE_QUADRANT)
            pe->loaded[(tile->row + r) / TRN_PE_QUADRANT][(tile->column + c) / TRN_PE_QUADRANT] =
                (uint8_t)kind;
}

typedef float panel_row __attribute__((vector_size(TRN_PE_PANEL_COLUMNS * sizeof(float))));

/* Active columns of one array row, which starts at `panels` (tiles start where panels do): column c
 * gets values[c], or values[columns - 1 - c]. */
TRN_CLONES static void store_row(float *panels, const float *values, uint32_t columns,
                                 bool reversed)
{
    uint32_t c = 0;
    for (; c + TRN_PE_PANEL_COLUMNS <= columns; c += TRN_PE_PANEL_COLUMNS) {
        panel_row row;
        if (reversed) {
            memcpy(&row, values + columns - TRN_PE_PANEL_COLUMNS - c, sizeof row);
            row = __builtin_shufflevector(row, row, 7, 6, 5, 4, 3, 2, 1, 0);
        } else {
            memcpy(&row, values + c, sizeof row);
        }
        memcpy(panels, &row, sizeof row);
        panels += TRN_PE_PANEL_FLOATS;
    }
    for (uint32_t i = 0; c < columns; c++, i++)
        panels[i] = values[reversed ? columns - 1 - c : c];
}

/* The usual lowering reads backwards, so that memory order is column order: one adjacent run. */
static bool adjacent_backwards(const struct trn_operand *source)
{
    return source->walk.dims == 1 && source->walk.step[0] == -(int64_t)source->size;
}

trn_status trn_pe_ldweights(struct trn_exec *x)
{
    struct trn_pe_word word;
    trn_status status = trn_pe_read_ldweights(x, &word);
    if (status)
        return status;
    if (word.fp32_mode == TRN_PE_FP32MODE_LOW_HIGH)
        return trn_exec_fault(x, TRN_FAULT_MISSING_SPECIFICATION, NULL,
                              "LDWEIGHTS: fp32_mode LOW_HIGH streams an operand twice; what it "
                              "leaves in a cell that holds one stationary value is not known");
    struct trn_operand source;
    status = open_source(x, &word, &source);
    if (status)
        return status;

    bool reversed = !first_column_first(x); /* the first element goes to the last column */
    if (adjacent_backwards(&source)) {
        source.base -= (source.count - 1) * source.size;
        source.contiguous = true;
        reversed = !reversed;
    }
    struct trn_pe_state *pe = &x->state->pe;
    clear_rest(x, &word.tile);
    for (uint32_t r = 0; r < word.tile.rows; r++) {
        float values[TRN_PE_COLUMNS];
        trn_pe_fetch(x, &source, r, 0, word.tile.columns, word.fp32_mode, values);
        store_row(trn_pe_weights(pe, word.tile.row + r, word.tile.column), values,
                  word.tile.columns, reversed);
    }
    note_loaded(pe, &word);
    return TRN_OK;
}
