/* SPDX-License-Identifier: Apache-2.0 */
/* Loading and multiplying block-scaled tiles (docs/hardware/pe-array.md 10): a cell holds four
 * values and a scale, a step adds four products times both scales. */
#include "engine/pe/mx.h"

#include <string.h>

#include "base/clones.h"
#include "engine/state.h"
#include "isa_fields.h"

enum { PLAIN_SCALE = 127, PER_BLOCK = TRN_PE_BLOCK / TRN_MX_STRIP };

/* ---- operands ------------------------------------------------------------------------------ */

/* MAVERICK's perf_mode names how a cell is fed; what the interleaved, tiled and eightfold forms lay
 * out differently is not known. */
static trn_status check_perf_mode(struct trn_exec *x, const struct trn_pe_word *word)
{
    const unsigned isa = x->gen->isa;
    const bool loads = trn_common_opcode(x->word, isa) == TRN_OPCODE_LDWEIGHTS;
    const uint8_t mode =
        loads ? trn_s3_lw_perf_mode(x->word, isa) : trn_s3d3_mm_perf_mode(x->word, isa);
    if (mode != TRN_MX_PERF_MODE_NONE && mode != TRN_MX_PERF_MODE_QUAD_ROW)
        return trn_exec_fault(x, TRN_FAULT_MISSING_SPECIFICATION, NULL,
                              "%s: how perf_mode %u lays out its operands is not specified; NONE "
                              "and QUAD_ROW are plain",
                              word->name, mode);
    if (!trn_mx_is_v2(word->source))
        return trn_exec_fault(x, TRN_FAULT_MISSING_SPECIFICATION, NULL,
                              "%s: an MX perf_mode on an operand without scales is not specified",
                              word->name);
    return TRN_OK;
}

static trn_status open_operand(struct trn_exec *x, const struct trn_pe_word *word,
                               struct trn_mx_operand *out)
{
    const uint8_t opcode = trn_common_opcode(x->word, x->gen->isa);
    const bool own = opcode == TRN_OPCODE_LDWEIGHTS_MX || opcode == TRN_OPCODE_MATMUL_MX;
    const unsigned use = TRN_OPERAND_READ | TRN_OPERAND_SBUF_ONLY;
    trn_status status = own ? TRN_OK : check_perf_mode(x, word);
    if (status)
        return status;
    status = own ? trn_mx_open(x, word->source, word->dtype, word->tile.rows, use, out)
                 : trn_mx_open_v2(x, word->source, word->dtype, word->tile.rows, use, out);
    if (status)
        return status;
    if (out->data.partition != word->tile.row)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, own ? "mx_src" : "mm_tile_src",
                              "%s: source in partition %u, but the rows of the tile start at %u",
                              word->name, out->data.partition, word->tile.row);
    return TRN_OK;
}

/* The result rests on how its codes are read. */
static void note_choices(struct trn_exec *x, const struct trn_pe_word *word)
{
    enum trn_choice choices[TRN_DTYPE_MAX_CHOICES];
    const bool coded = trn_pe_convlut_of(&x->state->pe.convlut, word->dtype, 0) != NULL;
    const size_t count =
        coded ? 0 : trn_dtype_choices(word->dtype, &x->state->mode[x->engine], choices);
    for (size_t i = 0; i < count; i++)
        trn_exec_choice(x, choices[i]);
    if (coded)
        trn_exec_choice(x, TRN_CHOICE_CONVLUT_ENTRIES);
}

static void fetch_values(const struct trn_exec *x, const struct trn_mx_operand *operand,
                         uint32_t array_row, uint32_t lane, uint64_t first, uint32_t count,
                         float *out)
{
    const uint16_t *table = trn_pe_convlut_of(&x->state->pe.convlut, operand->dtype, array_row);
    trn_mx_values(operand, &x->state->mode[x->engine], lane, first, count, table, out);
}

/* ---- stationary ---------------------------------------------------------------------------- */

/* What the word does not load of its tile becomes 0 (model choice, as in LDWEIGHTS). */
static void clear_tile(struct trn_exec *x, const struct trn_pe_tile *tile)
{
    struct trn_pe_state *pe = &x->state->pe;
    if (tile->rows < tile->tile_rows || tile->columns < tile->tile_columns)
        trn_exec_choice(x, TRN_CHOICE_PE_TILE_REST);
    for (uint32_t r = tile->row; r < tile->row + tile->tile_rows; r++)
        memset(&pe->scale[r][tile->column], PLAIN_SCALE, tile->tile_columns);
    for (uint32_t v = 0; v < TRN_PE_VALUES; v++)
        for (uint32_t c = tile->column; c < tile->column + tile->tile_columns;
             c += TRN_PE_PANEL_COLUMNS)
            memset(trn_pe_weights(pe, v, tile->row, c), 0,
                   tile->tile_rows * TRN_PE_PANEL_COLUMNS * sizeof(float));
}

/* One value of each column, from containers of four, panel by panel. */
TRN_CLONES static void store_plane(float *panels, const float *packed, uint32_t columns,
                                   bool reversed)
{
    const float *from = reversed ? packed + (columns - 1) * TRN_PE_VALUES : packed;
    const ptrdiff_t step = reversed ? -TRN_PE_VALUES : TRN_PE_VALUES;
    uint32_t c = 0;
    for (; c + TRN_PE_PANEL_COLUMNS <= columns; c += TRN_PE_PANEL_COLUMNS) {
        for (int i = 0; i < TRN_PE_PANEL_COLUMNS; i++)
            panels[i] = from[i * step];
        from += TRN_PE_PANEL_COLUMNS * step;
        panels += TRN_PE_PANEL_FLOATS;
    }
    for (uint32_t i = 0; c < columns; c++, i++)
        panels[i] = from[(ptrdiff_t)i * step];
}

static void load_row(struct trn_exec *x, const struct trn_pe_word *word,
                     const struct trn_mx_operand *source, uint32_t r)
{
    const struct trn_pe_tile *tile = &word->tile;
    struct trn_pe_state *pe = &x->state->pe;
    float packed[TRN_PE_VALUES * TRN_PE_COLUMNS];
    uint8_t scales[TRN_PE_COLUMNS];
    fetch_values(x, source, tile->row + r, r, 0, tile->columns, packed);
    trn_mx_scales(source, r, 0, tile->columns, scales);
    const bool reversed = !word->first_column_first;
    for (uint32_t c = 0; c < tile->columns; c++)
        pe->scale[tile->row + r][tile->column + c] = scales[reversed ? tile->columns - 1 - c : c];
    for (uint32_t v = 0; v < TRN_PE_VALUES; v++)
        store_plane(trn_pe_weights(pe, v, tile->row + r, tile->column), packed + v, tile->columns,
                    reversed);
}

trn_status trn_pe_mx_load(struct trn_exec *x, const struct trn_pe_word *word)
{
    struct trn_mx_operand source;
    const trn_status status = open_operand(x, word, &source);
    if (status)
        return status;
    if (source.data.count != word->tile.columns)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "mx_counts",
                              "%s: %llu containers of four a partition for %u active columns",
                              word->name, (unsigned long long)source.data.count,
                              word->tile.columns);
    note_choices(x, word);
    clear_tile(x, &word->tile);
    for (uint32_t r = 0; r < word->tile.rows; r++)
        load_row(x, word, &source, r);
    trn_pe_note_loaded(&x->state->pe, word);
    return TRN_OK;
}

/* ---- moving -------------------------------------------------------------------------------- */

struct product {
    struct trn_pe_product base; /* first: the method gets a pointer to it */
    struct trn_mx_operand moving;
};

static void fetch_panels(const struct trn_pe_product *p, uint32_t r)
{
    struct trn_pe_state *pe = &p->x->state->pe;
    const struct trn_pe_tile *tile = &p->word->tile;
    for (uint32_t column = 0; column < tile->columns; column += TRN_PE_PANEL_COLUMNS) {
        const uint32_t c = tile->column + column;
        const float *values[TRN_PE_VALUES];
        for (uint32_t v = 0; v < TRN_PE_VALUES; v++)
            values[v] = trn_pe_weights(pe, v, tile->row + r, c);
        trn_mx_panel_row(&pe->mx.panel[column / TRN_PE_PANEL_COLUMNS], r, values,
                         &pe->scale[tile->row + r][c]);
    }
}

static void fetch_strips(const struct product *p, uint32_t r)
{
    struct trn_exec *x = p->base.x;
    float packed[TRN_PE_VALUES * TRN_PE_CHUNK];
    uint8_t scales[TRN_PE_CHUNK];
    const uint32_t chunk = p->base.chunk;
    const uint32_t strips = (chunk + TRN_MX_STRIP - 1) / TRN_MX_STRIP;
    const uint32_t rest = strips * TRN_MX_STRIP - chunk;
    fetch_values(x, &p->moving, p->base.word->tile.row + r, r, p->base.first, chunk, packed);
    trn_mx_scales(&p->moving, r, p->base.first, chunk, scales);
    memset(packed + TRN_PE_VALUES * (size_t)chunk, 0, TRN_PE_VALUES * rest * sizeof *packed);
    memset(scales + chunk, PLAIN_SCALE, rest);
    for (uint32_t s = 0; s < strips; s++)
        trn_mx_strip_row(&x->state->pe.mx.strip[s], r,
                         packed + (size_t)TRN_PE_VALUES * TRN_MX_STRIP * s,
                         scales + TRN_MX_STRIP * s);
}

/* The stationary values are made ready with the first chunk. */
static void fetch(const struct trn_pe_product *p, uint32_t begin, uint32_t end)
{
    for (uint32_t r = begin; r < end; r++) {
        if (p->first == 0)
            fetch_panels(p, r);
        fetch_strips((const struct product *)p, r);
    }
}

static void look(const struct trn_pe_product *p, const struct trn_pe_block *b,
                 const struct trn_mx_panel *w, const struct trn_mx_strip *x, uint32_t count,
                 float *const sums[TRN_PE_PANEL_COLUMNS])
{
    trn_numeric_raise(p->x,
                      trn_mx_numeric_of_operands(w, x, p->word->tile.rows) |
                          trn_mx_numeric_of_sums(w, x, p->word->tile.rows, b->columns, count, sums),
                      TRN_FP_SOURCE_PE);
}

static void sum(const struct trn_pe_product *p, const struct trn_pe_block *b,
                enum trn_pe_finish finish, struct trn_pe_sums *kept,
                float *const out[TRN_PE_PANEL_COLUMNS])
{
    struct trn_pe_mx *mx = &p->x->state->pe.mx;
    const struct trn_mx_panel *panel = &mx->panel[b->column / TRN_PE_PANEL_COLUMNS];
    (void)finish, (void)kept;
    for (uint32_t s = 0; s < PER_BLOCK && s * TRN_MX_STRIP < b->count; s++) {
        const struct trn_mx_strip *strip = &mx->strip[b->n / TRN_MX_STRIP + s];
        float *sums[TRN_PE_PANEL_COLUMNS];
        for (uint32_t c = 0; c < TRN_PE_PANEL_COLUMNS; c++)
            sums[c] = out[c] + s * TRN_MX_STRIP;
        trn_mx_columns(panel, strip, p->word->tile.rows, sums);
        if (p->x->numeric_wanted) {
            const uint32_t left = b->count - s * TRN_MX_STRIP;
            look(p, b, panel, strip, left < TRN_MX_STRIP ? left : TRN_MX_STRIP, sums);
        }
    }
}

static const struct trn_pe_method method = {.values = 0, .fetch = fetch, .sum = sum};

trn_status trn_pe_mx_multiply(struct trn_exec *x, const struct trn_pe_word *word)
{
    struct product p = {.base = {.x = x, .word = word, .method = &method, .passes = 1}};
    trn_status status = open_operand(x, word, &p.moving);
    if (status)
        return status;
    p.base.count = p.moving.data.count;
    status = trn_pe_product(&p.base);
    if (!status) {
        note_choices(x, word);
        trn_exec_choice(x, TRN_CHOICE_PE_COLUMN_ORDER);
    }
    return status;
}
