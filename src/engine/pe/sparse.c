/* SPDX-License-Identifier: Apache-2.0 */
/* MATMUL_SPARSE: the tag of a cell picks the moving row and feature map that its weight multiplies
 * (docs/hardware/pe-array.md 12). */
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "engine/pe/product.h"
#include "engine/state.h"
#include "isa_fields.h"

enum { MAPS = 4 };

struct sparse {
    struct trn_pe_product base; /* first: the method gets a pointer to it */
    uint32_t maps;              /* feature maps a partition */
    enum trn_pe_fp32mode passes[2];
};

/* ---- operands ------------------------------------------------------------------------- */

static trn_status read_word(struct trn_exec *x, struct trn_pe_word *out)
{
    const uint8_t *word = x->word;
    const unsigned isa = x->gen->isa;
    const uint8_t cells = trn_s4d3_mm_out_dtype(word, isa);
    *out = (struct trn_pe_word){.name = "MATMUL_SPARSE",
                                .mode = TRN_PE_SPARSE,
                                .source = trn_s4d3_mm_src_mem_pattern(word, isa),
                                .dtype = trn_s4d3_mm_in_dtype(word, isa),
                                .fp32_mode = (enum trn_pe_fp32mode)trn_s4d3_mm_fp32_mode(word, isa),
                                .result = trn_s4d3_mm_dst_mem_pattern(word, isa),
                                .out_dtype = cells ? cells : TRN_DTYPE_FP32,
                                .group = trn_pe_group(trn_s4d3_mm_psum_accumulate_flags(word, isa),
                                                      trn_s4d3_mm_psum_zero_region(word, isa))};
    const trn_status status = trn_pe_tile_of_groups(x, trn_s4d3_mm_row_grp(word, isa),
                                                    trn_s4d3_mm_col_grp(word, isa), &out->tile);
    out->tile.rows = trn_s4d3_mm_num_active_rows(word, isa);
    out->tile.columns = trn_s4d3_mm_num_active_cols(word, isa);
    return status ? status : trn_pe_check_tile(x, &out->tile);
}

/* The highest dimension of the source counts the feature maps. */
static trn_status open_moving(struct sparse *s)
{
    struct trn_pe_product *p = &s->base;
    const trn_status status = trn_pe_open_source(p->x, p->word, TRN_TYPE_PATTERN4D, &p->moving);
    if (status)
        return status;
    s->maps = p->moving.num[3];
    if (p->moving.indirect || s->maps < 2 || s->maps > MAPS)
        return trn_exec_fault(p->x, TRN_FAULT_ILLEGAL_INSTRUCTION, "sparse_fmaps",
                              "MATMUL_SPARSE: %u feature maps a partition; 2 to 4 are legal",
                              p->moving.indirect ? 0 : s->maps);
    p->count = p->moving.count / s->maps;
    return TRN_OK;
}

static void list_passes(struct sparse *s)
{
    const bool both = s->base.word->fp32_mode == TRN_PE_FP32MODE_LOW_HIGH;
    s->passes[0] = both ? TRN_PE_FP32MODE_LOW : s->base.word->fp32_mode;
    s->passes[1] = TRN_PE_FP32MODE_HIGH;
    s->base.passes = both ? 2 : 1;
}

static void fetch(const struct trn_pe_product *p, uint32_t begin, uint32_t end)
{
    const struct sparse *s = (const struct sparse *)p;
    struct trn_pe_state *pe = &p->x->state->pe;
    for (uint32_t r = begin; r < end; r++)
        for (uint32_t map = 0; map < s->maps; map++) {
            const uint64_t first = map * p->count + p->first;
            trn_pe_fetch(p->x, &p->moving, r, first, p->chunk, s->passes[0], pe->moving[map][r]);
            if (p->passes > 1)
                trn_pe_fetch(p->x, &p->moving, r, first, p->chunk, s->passes[1],
                             pe->second[map][r]);
        }
}

/* ---- sums ------------------------------------------------------------------------------- */

/* What the cells of one column multiply; NULL: nothing. */
struct column {
    uint32_t rows;
    float weight[TRN_PE_ROWS];
    const float *moving[2][TRN_PE_ROWS];
};

/* What a tag of a cell of `row` picks (model choice sparse_selection). */
struct source {
    uint32_t map, row;
};

static struct source source_of(uint8_t tag, uint32_t row)
{
    return (struct source){.map = tag % MAPS,
                           .row = row % TRN_PE_QUADRANT + (uint32_t)(tag / MAPS) * TRN_PE_QUADRANT};
}

/* Whether the word moves it. */
static bool is_moved(const struct sparse *s, const struct source *from)
{
    const struct trn_pe_tile *tile = &s->base.word->tile;
    return from->map < s->maps && from->row >= tile->row && from->row < tile->row + tile->rows;
}

static void pick(const struct sparse *s, const struct trn_pe_block *b, uint32_t c,
                 struct column *out)
{
    struct trn_pe_state *pe = &s->base.x->state->pe;
    const struct trn_pe_tile *tile = &s->base.word->tile;
    const uint32_t column = tile->column + b->column + c;
    out->rows = tile->rows;
    for (uint32_t r = 0; r < out->rows; r++) {
        const uint32_t row = tile->row + r;
        const struct source from = source_of(pe->tag[row][column], row);
        const bool moves = is_moved(s, &from);
        const uint32_t lane = moves ? from.row - tile->row : 0;
        out->weight[r] = trn_pe_weights(pe, 0, row, column)[column % TRN_PE_PANEL_COLUMNS];
        out->moving[0][r] = moves ? pe->moving[from.map][lane] + b->n : NULL;
        out->moving[1][r] = moves ? pe->second[from.map][lane] + b->n : NULL;
    }
}

TRN_CLONES static void sum_column(const struct column *column, uint32_t passes, float *out)
{
    float s[TRN_PE_BLOCK] = {0};
    for (uint32_t pass = 0; pass < passes; pass++)
        for (uint32_t r = 0; r < column->rows; r++) {
            const float w = column->weight[r];
            const float *x = column->moving[pass][r];
            for (uint32_t n = 0; x && n < TRN_PE_BLOCK; n++)
                s[n] = fmaf(w, x[n], s[n]);
        }
    memcpy(out, s, sizeof s);
}

/* The sums as one panel of weights and one row of moving values for each step, which is what
 * pe/numeric.h looks at. */
static void look(const struct sparse *s, const struct column *column, uint32_t count,
                 const float *sums)
{
    const uint32_t rows = column->rows;
    unsigned met = TRN_NUMERIC_NONE;
    float w[TRN_PE_ROWS][TRN_PE_PANEL_COLUMNS], x[2][TRN_PE_ROWS];
    for (uint32_t n = 0; n < count; n++) {
        uint32_t steps = 0;
        for (uint32_t r = 0; r < rows; r++) {
            if (!column->moving[0][r])
                continue;
            w[steps][0] = column->weight[r];
            x[0][steps] = column->moving[0][r][n];
            x[1][steps++] = column->moving[1][r][n];
        }
        const struct trn_pe_terms terms = {.w = {w[0]},
                                           .x = {x[0], x[1]},
                                           .x_pitch = 1,
                                           .rows = steps,
                                           .passes = s->base.passes,
                                           .values = 1};
        met |=
            trn_numeric_of_operands(x[0], steps) | trn_pe_numeric_of_sums(&terms, 0, sums + n, 1);
    }
    trn_numeric_raise(s->base.x, met | trn_numeric_of_operands(column->weight, rows),
                      TRN_FP_SOURCE_PE);
}

static void sum(const struct trn_pe_product *p, const struct trn_pe_block *b,
                enum trn_pe_finish finish, struct trn_pe_sums *kept,
                float *const out[TRN_PE_PANEL_COLUMNS])
{
    const struct sparse *s = (const struct sparse *)p;
    (void)finish, (void)kept;
    for (uint32_t c = 0; c < b->columns; c++) {
        struct column column;
        pick(s, b, c, &column);
        sum_column(&column, p->passes, out[c]);
        if (p->x->numeric_wanted)
            look(s, &column, b->count, out[c]);
    }
}

static const struct trn_pe_method method = {.values = 0, .fetch = fetch, .sum = sum};

/* ---- the word --------------------------------------------------------------------------- */

/* A tag that picks what is not there: what the array then does is not known. */
static trn_status meet_absent(const struct sparse *s, uint32_t row, uint32_t column)
{
    struct trn_exec *x = s->base.x;
    const struct trn_pe_tile *tile = &s->base.word->tile;
    const uint8_t tag = x->state->pe.tag[row][column];
    const struct source from = source_of(tag, row);
    if (!x->state->pe.options.strict) {
        trn_exec_choice(x, TRN_CHOICE_SPARSE_ABSENT);
        return TRN_OK;
    }
    return trn_exec_fault(
        x, TRN_FAULT_ILLEGAL_INSTRUCTION, "sparse_absent",
        "MATMUL_SPARSE: tag 0x%x in row %u, column %u picks feature map %u of row "
        "%u; the word moves maps 0 to %u of rows %u to %u",
        tag, row, column, from.map, from.row, s->maps - 1, tile->row, tile->row + tile->rows - 1);
}

/* The first one decides: by the strict choice it is refused, else its cell adds nothing. */
static trn_status check_tags(const struct sparse *s)
{
    const struct trn_pe_tile *tile = &s->base.word->tile;
    for (uint32_t row = tile->row; row < tile->row + tile->rows; row++)
        for (uint32_t column = tile->column; column < tile->column + tile->columns; column++) {
            const struct source from = source_of(s->base.x->state->pe.tag[row][column], row);
            if (!is_moved(s, &from))
                return meet_absent(s, row, column);
        }
    return TRN_OK;
}

trn_status trn_pe_matmul_sparse(struct trn_exec *x)
{
    struct trn_pe_word word;
    struct sparse s = {.base = {.x = x, .word = &word, .method = &method}};
    trn_status status = read_word(x, &word);
    if (!status)
        status = open_moving(&s);
    if (status)
        return status;
    struct trn_operand cells;
    list_passes(&s);
    status = trn_pe_product_check(&s.base, &cells);
    if (!status)
        status = check_tags(&s);
    if (status)
        return status;
    trn_pe_product_run(&s.base, &cells);
    trn_exec_choice(x, TRN_CHOICE_SPARSE_SELECTION);
    trn_exec_choice(x, TRN_CHOICE_PE_COLUMN_ORDER);
    if (word.fp32_mode != TRN_PE_FP32MODE_NONE)
        trn_exec_choice(x, TRN_CHOICE_PE_FP32_SPLIT);
    return TRN_OK;
}
