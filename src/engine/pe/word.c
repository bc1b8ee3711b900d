/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/pe/word.h"

#include "isa/pattern.h"
#include "isa_fields.h"
#include "trench/num.h"

/* Fields that both layouts have, 0 where a generation has none. */
struct fields {
    bool grouped; /* tiles are groups of quadrants; else they have a size and a position */
    uint8_t row_grp, col_grp;
    uint8_t row_size, col_size, row_sel, col_sel;
    uint8_t rows, columns;
    uint8_t dtype, fp32_mode;
    struct trn_addr4 source;
    uint8_t transpose, perf_opt, perf_mode, seed_mode;
};

#define OPTIONAL(layout, field)                                                                    \
    (trn_##layout##_##field##_present(isa) ? trn_##layout##_##field(word, isa) : (uint8_t)0)

#define FIELDS(layout)                                                                             \
    {                                                                                              \
        .grouped = trn_##layout##_row_grp_present(isa), .row_grp = OPTIONAL(layout, row_grp),      \
        .col_grp = OPTIONAL(layout, col_grp), .row_size = OPTIONAL(layout, tile_size_row_size),    \
        .col_size = OPTIONAL(layout, tile_size_col_size),                                          \
        .row_sel = OPTIONAL(layout, tile_sel_row_sel),                                             \
        .col_sel = OPTIONAL(layout, tile_sel_col_sel),                                             \
        .rows = trn_##layout##_num_active_rows(word, isa),                                         \
        .columns = trn_##layout##_num_active_cols(word, isa),                                      \
        .dtype = trn_##layout##_in_dtype(word, isa),                                               \
        .source = trn_addr4_decode(trn_##layout##_src_mem_pattern(word, isa)),                     \
        .fp32_mode = trn_##layout##_fp32_mode(word, isa),                                          \
        .transpose = OPTIONAL(layout, transpose_mode) || OPTIONAL(layout, flags_xpose),            \
        .perf_opt = OPTIONAL(layout, perf_opt), .perf_mode = OPTIONAL(layout, perf_mode),          \
        .seed_mode = OPTIONAL(layout, flags_seed_mode),                                            \
    }

static const char *opcode_name(const struct trn_exec *x)
{
    return trn_opcode_table[trn_common_opcode(x->word, x->gen->isa)].name;
}

static trn_status not_modelled(struct trn_exec *x, const char *mode)
{
    return trn_exec_fault(x, TRN_FAULT_NOT_MODELLED, NULL, "%s: %s is not modelled yet",
                          opcode_name(x), mode);
}

/* MAVERICK: the five bits above the address of an MX operand are its marker (isa-core.md 5). */
static bool is_mx(const struct fields *fields)
{
    enum { MX_ADDRESS_BITS = 24, MX_MARKER = 1 };
    return !fields->grouped && !fields->source.from_register &&
           fields->source.addr >> MX_ADDRESS_BITS == MX_MARKER;
}

/* Modes that the sheet specifies and this version does not execute. */
static trn_status refuse_modes(struct trn_exec *x, const struct fields *fields)
{
    if (fields->transpose)
        return not_modelled(x, "transpose mode");
    if (fields->perf_opt == TRN_PE_PERF_OPT_DOUBLE_ROW)
        return not_modelled(x, "perf_opt DOUBLE_ROW");
    if (fields->perf_opt == TRN_PE_PERF_OPT_DOUBLE_COLUMN)
        return not_modelled(x, "perf_opt DOUBLE_COLUMN");
    if (is_mx(fields))
        return not_modelled(x, "an MX operand");
    if (fields->perf_mode != TRN_MX_PERF_MODE_NONE)
        return not_modelled(x, "an MX perf_mode");
    if (fields->seed_mode != TRN_PE_SEED_MODE_NONE)
        return not_modelled(x, "seed_mode");
    if (trn_dtype_is_integer(fields->dtype))
        return not_modelled(x, "an integer in_dtype");
    if (trn_dtype_size(fields->dtype) == 0)
        return not_modelled(x, "an MX in_dtype");
    /* pe-array.md 13: no known producer; executes as NONE */
    if (fields->perf_opt == TRN_PE_PERF_OPT_DOUBLE_PIXEL)
        trn_exec_choice(x, TRN_CHOICE_PE_DOUBLE_PIXEL);
    return TRN_OK;
}

/* A group code has one bit for each quadrant of the rows or columns it names. */
static bool group_extent(uint8_t group, uint32_t quadrant, uint32_t *first, uint32_t *size)
{
    switch (group) {
    case TRN_PE_GROUP_Q0:
    case TRN_PE_GROUP_Q1:
    case TRN_PE_GROUP_Q2:
    case TRN_PE_GROUP_Q3:
    case TRN_PE_GROUP_H0:
    case TRN_PE_GROUP_H1:
    case TRN_PE_GROUP_ALL:
        *first = (uint32_t)__builtin_ctz(group) * quadrant;
        *size = (uint32_t)__builtin_popcount(group) * quadrant;
        return true;
    default:
        return false;
    }
}

static trn_status tile_of_groups(struct trn_exec *x, const struct fields *fields,
                                 struct trn_pe_tile *tile)
{
    const struct trn_gen *gen = x->gen;
    if (!group_extent(fields->row_grp, gen->pe_rows / gen->pe_row_groups, &tile->row,
                      &tile->tile_rows) ||
        !group_extent(fields->col_grp, gen->pe_cols / gen->pe_col_groups, &tile->column,
                      &tile->tile_columns))
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "mm_row_col_grp",
                              "%s: row_grp 0x%x or col_grp 0x%x is no group of the array",
                              opcode_name(x), fields->row_grp, fields->col_grp);
    tile->rows = fields->rows;
    tile->columns = fields->columns;
    return TRN_OK;
}

/* MAVERICK: sizes are binary logarithms, the selectors count tiles of that size, and 0 active
 * columns mean 256 (pe-array.md 2.2; the nibble order is a model choice). */
static trn_status tile_of_sizes(struct trn_exec *x, const struct fields *fields,
                                struct trn_pe_tile *tile)
{
    const bool known =
        (fields->row_size == TRN_TILE_ROW_SIZE_R64 || fields->row_size == TRN_TILE_ROW_SIZE_R128) &&
        (fields->col_size == TRN_TILE_COL_SIZE_C128 || fields->col_size == TRN_TILE_COL_SIZE_C256);
    tile->tile_rows = known ? 1u << fields->row_size : 0;
    tile->tile_columns = known ? 1u << fields->col_size : 0;
    tile->row = fields->row_sel * tile->tile_rows;
    tile->column = fields->col_sel * tile->tile_columns;
    if (!known || tile->row + tile->tile_rows > x->gen->pe_rows ||
        tile->column + tile->tile_columns > x->gen->pe_cols)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "mm_tile",
                              "%s: tile_size 0x%x/0x%x with tile_sel %u/%u is no tile of the array",
                              opcode_name(x), fields->row_size, fields->col_size, fields->row_sel,
                              fields->col_sel);
    tile->rows = fields->rows;
    tile->columns = fields->columns ? fields->columns : 256;
    trn_exec_choice(x, TRN_CHOICE_PE_TILE_LAYOUT);
    return TRN_OK;
}

static trn_status decode(struct trn_exec *x, const struct fields *fields, struct trn_pe_word *out)
{
    trn_status status = refuse_modes(x, fields);
    if (status)
        return status;
    struct trn_pe_tile *tile = &out->tile;
    tile->grouped = fields->grouped;
    status = fields->grouped ? tile_of_groups(x, fields, tile) : tile_of_sizes(x, fields, tile);
    if (status)
        return status;
    if (tile->rows < 1 || tile->rows > tile->tile_rows)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "mm_rows",
                              "%s: %u active rows in a tile of %u", opcode_name(x), tile->rows,
                              tile->tile_rows);
    if (tile->columns < 1 || tile->columns > tile->tile_columns)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "mm_cols",
                              "%s: %u active columns in a tile of %u", opcode_name(x),
                              tile->columns, tile->tile_columns);
    out->dtype = fields->dtype;
    out->fp32_mode = (enum trn_pe_fp32mode)fields->fp32_mode;
    return TRN_OK;
}

trn_status trn_pe_read_ldweights(struct trn_exec *x, struct trn_pe_word *out)
{
    const uint8_t *word = x->word;
    const unsigned isa = x->gen->isa;
    const struct fields fields = FIELDS(s3_lw);
    if (OPTIONAL(s3_lw, flags_tag_weight_mode))
        return not_modelled(x, "tag-weight mode");
    return decode(x, &fields, out);
}

trn_status trn_pe_read_matmul(struct trn_exec *x, struct trn_pe_word *out)
{
    const uint8_t *word = x->word;
    const unsigned isa = x->gen->isa;
    const struct fields fields = FIELDS(s3d3_mm);
    return decode(x, &fields, out);
}
