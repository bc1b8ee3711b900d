/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/pe/word.h"

#include "engine/pe/pe.h"
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
    const uint8_t *source;
    bool has_zero_points;
    uint8_t transpose, perf_opt, perf_mode, seed_mode, tag_weight;
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
        .source = trn_##layout##_src_mem_pattern(word, isa),                                       \
        .fp32_mode = trn_##layout##_fp32_mode(word, isa),                                          \
        .has_zero_points = trn_##layout##_quant_offset_present(isa),                               \
        .transpose = OPTIONAL(layout, transpose_mode) || OPTIONAL(layout, flags_xpose),            \
        .perf_opt = OPTIONAL(layout, perf_opt), .perf_mode = OPTIONAL(layout, perf_mode),          \
        .seed_mode = OPTIONAL(layout, flags_seed_mode),                                            \
    }

static const char *opcode_name(const struct trn_exec *x)
{
    return trn_opcode_table[trn_common_opcode(x->word, x->gen->isa)].name;
}

/* ---- modes ------------------------------------------------------------------------- */

/* MAVERICK: the five bits above the address of an MX operand are its marker (isa-core.md 5). */
static bool is_mx(const struct fields *fields)
{
    enum { MX_ADDRESS_BITS = 24, MX_MARKER = 1 };
    const struct trn_addr4 source = trn_addr4_decode(fields->source);
    return !fields->grouped &&
           (fields->perf_mode != TRN_MX_PERF_MODE_NONE ||
            (!source.from_register && source.addr >> MX_ADDRESS_BITS == MX_MARKER));
}

/* UINT8 where words have zero points for it, and every floating-point type that the array takes. */
static bool takes_dtype(const struct fields *fields)
{
    if (trn_dtype_is_integer(fields->dtype))
        return fields->dtype == TRN_DTYPE_UINT8 && fields->has_zero_points;
    return trn_dtype_kind(fields->dtype) == TRN_DTYPE_KIND_FLOAT &&
           trn_dtype_size(fields->dtype) != 0;
}

static trn_status mode_of(struct trn_exec *x, const struct fields *fields, enum trn_pe_mode *out)
{
    if (is_mx(fields)) {
        *out = TRN_PE_MX;
        return TRN_OK;
    }
    if (!takes_dtype(fields))
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "mm_in_dtype",
                              "%s: the array takes no %s in this mode", opcode_name(x),
                              trn_dtype_name(fields->dtype));
    if (fields->perf_opt == TRN_PE_PERF_OPT_DOUBLE_COLUMN)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "mm_perf_opt",
                              "%s: perf_opt DOUBLE_COLUMN has no known meaning; NONE, DOUBLE_ROW "
                              "and DOUBLE_PIXEL have",
                              opcode_name(x));
    /* pe-array.md 13: no known producer; executes as NONE */
    if (fields->perf_opt == TRN_PE_PERF_OPT_DOUBLE_PIXEL)
        trn_exec_choice(x, TRN_CHOICE_PE_DOUBLE_PIXEL);
    *out = fields->tag_weight                               ? TRN_PE_TAG_WEIGHT
           : fields->transpose                              ? TRN_PE_TRANSPOSE
           : fields->perf_opt == TRN_PE_PERF_OPT_DOUBLE_ROW ? TRN_PE_DOUBLE_ROW
           : fields->dtype == TRN_DTYPE_UINT8               ? TRN_PE_INTEGER
                                                            : TRN_PE_DENSE;
    return TRN_OK;
}

/* ---- tiles ------------------------------------------------------------------------- */

/* A group code has one bit for each quadrant of the 128 rows or columns it names, on MAVERICK too
 * where words with groups are left (pe-array.md 2.1). */
static bool group_extent(uint8_t group, uint32_t *first, uint32_t *size)
{
    switch (group) {
    case TRN_PE_GROUP_Q0:
    case TRN_PE_GROUP_Q1:
    case TRN_PE_GROUP_Q2:
    case TRN_PE_GROUP_Q3:
    case TRN_PE_GROUP_H0:
    case TRN_PE_GROUP_H1:
    case TRN_PE_GROUP_ALL:
        *first = (uint32_t)__builtin_ctz(group) * TRN_PE_QUADRANT;
        *size = (uint32_t)__builtin_popcount(group) * TRN_PE_QUADRANT;
        return true;
    default:
        return false;
    }
}

trn_status trn_pe_tile_of_groups(struct trn_exec *x, uint8_t row_grp, uint8_t col_grp,
                                 struct trn_pe_tile *tile)
{
    tile->grouped = true;
    if (group_extent(row_grp, &tile->row, &tile->tile_rows) &&
        group_extent(col_grp, &tile->column, &tile->tile_columns))
        return TRN_OK;
    return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "mm_row_col_grp",
                          "%s: row_grp 0x%x or col_grp 0x%x is no group of the array",
                          opcode_name(x), row_grp, col_grp);
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
    trn_exec_choice(x, TRN_CHOICE_PE_TILE_LAYOUT);
    return TRN_OK;
}

trn_status trn_pe_check_tile(struct trn_exec *x, const struct trn_pe_tile *tile)
{
    if (tile->rows < 1 || tile->rows > tile->tile_rows)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "mm_rows",
                              "%s: %u active rows in a tile of %u", opcode_name(x), tile->rows,
                              tile->tile_rows);
    if (tile->columns < 1 || tile->columns > tile->tile_columns)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "mm_cols",
                              "%s: %u active columns in a tile of %u", opcode_name(x),
                              tile->columns, tile->tile_columns);
    return TRN_OK;
}

static trn_status read_tile(struct trn_exec *x, const struct fields *fields,
                            struct trn_pe_tile *tile)
{
    const trn_status status = fields->grouped
                                  ? trn_pe_tile_of_groups(x, fields->row_grp, fields->col_grp, tile)
                                  : tile_of_sizes(x, fields, tile);
    if (status)
        return status;
    tile->rows = fields->rows;
    tile->columns = fields->columns || fields->grouped ? fields->columns : TRN_PE_COLUMNS;
    return trn_pe_check_tile(x, tile);
}

/* ---- words ------------------------------------------------------------------------- */

static trn_status decode(struct trn_exec *x, const struct fields *fields, struct trn_pe_word *out)
{
    *out = (struct trn_pe_word){.name = opcode_name(x),
                                .source = fields->source,
                                .dtype = fields->dtype,
                                .fp32_mode = (enum trn_pe_fp32mode)fields->fp32_mode,
                                .seed_mode = (enum trn_pe_seed_mode)fields->seed_mode};
    const trn_status status = mode_of(x, fields, &out->mode);
    return status ? status : read_tile(x, fields, &out->tile);
}

trn_status trn_pe_read_ldweights(struct trn_exec *x, struct trn_pe_word *out)
{
    const uint8_t *word = x->word;
    const unsigned isa = x->gen->isa;
    struct fields fields = FIELDS(s3_lw);
    fields.tag_weight = OPTIONAL(s3_lw, flags_tag_weight_mode);
    const trn_status status = decode(x, &fields, out);
    out->first_column_first = OPTIONAL(s3_lw, flags_load_order) == TRN_PE_LW_ORDER_FIRST_COL_FIRST;
    return status;
}

struct trn_drain_group trn_pe_group(uint8_t flags, uint8_t zero_region)
{
    struct trn_drain_group group = {.zero_banks = 0};
    switch (flags) {
    case TRN_PSUM_ACCUM_FLAGS_MULTI_START:
    case TRN_PSUM_ACCUM_FLAGS_SINGLE:
        group.mode = TRN_DRAIN_OVERWRITE;
        group.zero_banks = 1u << zero_region;
        group.opens = true;
        break;
    case TRN_PSUM_ACCUM_FLAGS_BEGIN_ACCUM:
    case TRN_PSUM_ACCUM_FLAGS_BEGIN_ACCUM_END:
        group.mode = TRN_DRAIN_ADD;
        group.opens = true;
        break;
    default:
        group.mode = TRN_DRAIN_ADD_OR_FRESH;
    }
    group.closes = flags == TRN_PSUM_ACCUM_FLAGS_MULTI_END ||
                   flags == TRN_PSUM_ACCUM_FLAGS_SINGLE ||
                   flags == TRN_PSUM_ACCUM_FLAGS_BEGIN_ACCUM_END;
    return group;
}

/* MAVERICK has no groups: a word adds or overwrites. */
static struct trn_drain_group group_of(const uint8_t *word, unsigned isa)
{
    if (trn_s3d3_mm_psum_accumulate_flags_present(isa))
        return trn_pe_group(trn_s3d3_mm_psum_accumulate_flags(word, isa),
                            trn_s3d3_mm_psum_zero_region(word, isa));
    const bool add = trn_s3d3_mm_flags_accumulate(word, isa) == TRN_ACCUMULATE_MODE_ACCUMULATE;
    return (struct trn_drain_group){.mode = add ? TRN_DRAIN_ADD : TRN_DRAIN_OVERWRITE};
}

/* What PSUM cells hold. Transposed elements keep their bits in cells of at least 16 (8); integer
 * sums are signed (5). */
static uint8_t cells_of(const struct trn_pe_word *word, uint8_t out_dtype)
{
    if (word->mode == TRN_PE_TRANSPOSE)
        return trn_dtype_size(word->dtype) == sizeof(uint32_t) ? TRN_DTYPE_UINT32
                                                               : TRN_DTYPE_UINT16;
    if (word->mode == TRN_PE_INTEGER)
        return TRN_DTYPE_INT32;
    return out_dtype ? out_dtype : TRN_DTYPE_FP32;
}

trn_status trn_pe_read_matmul(struct trn_exec *x, struct trn_pe_word *out)
{
    const uint8_t *word = x->word;
    const unsigned isa = x->gen->isa;
    const struct fields fields = FIELDS(s3d3_mm);
    const trn_status status = decode(x, &fields, out);
    if (status)
        return status;
    if (fields.seed_mode != TRN_PE_SEED_MODE_NONE)
        out->mode = TRN_PE_SEED;
    out->result = trn_s3d3_mm_dst_mem_pattern(word, isa);
    out->out_dtype = cells_of(out, OPTIONAL(s3d3_mm, out_dtype));
    out->group = group_of(word, isa);
    if (out->mode == TRN_PE_INTEGER) {
        const uint8_t *zero_points = trn_s3d3_mm_quant_offset(word, isa);
        out->moving_zero = zero_points[0];
        out->stationary_zero = zero_points[1];
    }
    return TRN_OK;
}
