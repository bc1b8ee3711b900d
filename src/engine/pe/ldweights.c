/* SPDX-License-Identifier: Apache-2.0 */
/* LDWEIGHTS: partition k, stream element m -> row k, column m of a tile (pe-array.md 4). */
#include <string.h>

#include "base/clones.h"
#include "engine/pe/pe.h"
#include "engine/state.h"

static uint32_t min(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Values of a cell: the halves of a double row's stream stand one behind the other. */
static uint32_t values_of(const struct trn_pe_word *word)
{
    return word->mode == TRN_PE_DOUBLE_ROW ? 2 : 1;
}

static trn_status check_count(struct trn_exec *x, const struct trn_pe_word *word,
                              const struct trn_operand *source)
{
    const uint64_t wanted = (uint64_t)word->tile.columns * values_of(word);
    if (source->count == wanted)
        return TRN_OK;
    return trn_exec_fault(
        x, TRN_FAULT_ILLEGAL_INSTRUCTION, word->tile.grouped ? "lw_counts" : "lw_counts_v5",
        "%s: %llu elements a partition for %u active columns; %llu are expected", word->name,
        (unsigned long long)source->count, word->tile.columns, (unsigned long long)wanted);
}

/* Stale weights must not leak into a later, smaller matmul: what the word does not load of its
 * tile becomes 0 (model choice). */
static void clear_rest(struct trn_exec *x, const struct trn_pe_tile *tile)
{
    if (tile->rows == tile->tile_rows && tile->columns == tile->tile_columns)
        return;
    trn_exec_choice(x, TRN_CHOICE_PE_TILE_REST);
    for (uint32_t v = 0; v < TRN_PE_VALUES; v++)
        for (uint32_t c = tile->column; c < tile->column + tile->tile_columns;
             c += TRN_PE_PANEL_COLUMNS)
            memset(trn_pe_weights(&x->state->pe, v, tile->row, c), 0,
                   tile->tile_rows * TRN_PE_PANEL_COLUMNS * sizeof(float));
}

typedef float panel_row __attribute__((vector_size(TRN_PE_PANEL_COLUMNS * sizeof(float))));

/* `rows` rows of one panel, from elements `first` .. `first` + columns - 1 of each row of `values`,
 * or from the same backwards. */
TRN_CLONES static void store_panel(float *panel, const float (*values)[TRN_PE_BLOCK], uint32_t rows,
                                   uint32_t first, uint32_t columns, bool reversed)
{
    if (columns < TRN_PE_PANEL_COLUMNS) {
        for (uint32_t r = 0; r < rows; r++)
            for (uint32_t c = 0; c < columns; c++)
                panel[r * TRN_PE_PANEL_COLUMNS + c] =
                    values[r][first + (reversed ? columns - 1 - c : c)];
        return;
    }
    for (uint32_t r = 0; r < rows; r++) {
        panel_row row;
        memcpy(&row, values[r] + first, sizeof row);
        if (reversed)
            row = __builtin_shufflevector(row, row, 7, 6, 5, 4, 3, 2, 1, 0);
        memcpy(panel + r * TRN_PE_PANEL_COLUMNS, &row, sizeof row);
    }
}

/* The usual lowering reads backwards, so that memory order is column order: one adjacent run. */
static bool adjacent_backwards(const struct trn_operand *source)
{
    return source->walk.dims == 1 && source->walk.step[0] == -(int64_t)source->size;
}

struct load {
    struct trn_exec *x;
    const struct trn_pe_word *word;
    struct trn_operand source;
    bool reversed; /* the first element goes to the last column */
};

/* Elements first .. first + count - 1 of all rows, count <= TRN_PE_BLOCK. */
static void fetch(const struct load *load, uint64_t first, uint32_t count,
                  float (*out)[TRN_PE_BLOCK])
{
    const struct trn_pe_word *word = load->word;
    if (word->mode == TRN_PE_TRANSPOSE)
        for (uint32_t r = 0; r < word->tile.rows; r++)
            trn_pe_fetch_bits(&load->source, r, first, count, out[r]);
    else
        trn_pe_fetch_rows(load->x, &load->source, word->tile.rows, first, count, word->fp32_mode,
                          out);
}

/* Columns left .. right-1 of plane v; they are whole panels, but for the last of a tile. */
static void load_block(const struct load *load, uint32_t v, uint32_t left, uint32_t right)
{
    _Alignas(64) float values[TRN_PE_ROWS][TRN_PE_BLOCK];
    const struct trn_pe_tile *tile = &load->word->tile;
    const uint32_t first = load->reversed ? tile->columns - right : left;
    fetch(load, (uint64_t)v * tile->columns + first, right - left, values);
    for (uint32_t column = left; column < right; column += TRN_PE_PANEL_COLUMNS) {
        const uint32_t columns = min(right - column, TRN_PE_PANEL_COLUMNS);
        store_panel(trn_pe_weights(&load->x->state->pe, v, tile->row, tile->column + column),
                    (const float(*)[TRN_PE_BLOCK])values, tile->rows,
                    load->reversed ? right - column - columns : column - left, columns,
                    load->reversed);
    }
}

/* Each thread loads the panels that it multiplies later: they are in its core's caches. */
static void load_panels(void *context, uint32_t begin, uint32_t end)
{
    const struct load *load = context;
    const uint32_t right = min(end * TRN_PE_PANEL_COLUMNS, load->word->tile.columns);
    for (uint32_t v = 0; v < values_of(load->word); v++)
        for (uint32_t left = begin * TRN_PE_PANEL_COLUMNS; left < right; left += TRN_PE_BLOCK)
            load_block(load, v, left, min(left + TRN_PE_BLOCK, right));
}

trn_status trn_pe_load(struct trn_exec *x, const struct trn_pe_word *word)
{
    const struct trn_pe_tile *tile = &word->tile;
    struct trn_pe_state *pe = &x->state->pe;
    if (word->mode == TRN_PE_DENSE && word->fp32_mode == TRN_PE_FP32MODE_LOW_HIGH)
        return trn_exec_fault(x, TRN_FAULT_MISSING_SPECIFICATION, NULL,
                              "LDWEIGHTS: fp32_mode LOW_HIGH streams an operand twice; what it "
                              "leaves in a cell that holds one stationary value is not known");
    struct load load = {.x = x, .word = word, .reversed = !word->first_column_first};
    struct trn_operand *const source = &load.source;
    trn_status status = trn_pe_open_source(x, word, TRN_TYPE_PATTERN3D, source);
    if (!status)
        status = check_count(x, word, source);
    if (status)
        return status;

    if (values_of(word) == 1 && adjacent_backwards(source)) {
        source->base -= (source->count - 1) * source->size;
        source->contiguous = true;
        load.reversed = !load.reversed;
    }
    clear_rest(x, tile);
    trn_workers_run(x->workers, (tile->columns + TRN_PE_PANEL_COLUMNS - 1) / TRN_PE_PANEL_COLUMNS,
                    load_panels, &load);
    trn_pe_note_loaded(pe, word);
    return TRN_OK;
}
