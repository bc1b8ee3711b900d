/* SPDX-License-Identifier: Apache-2.0 */
/* Tags of structured sparsity: LDTAGS, and LDWEIGHTS of weights with tags beside them
 * (docs/hardware/pe-array.md 4, 12). */
#include <string.h>

#include "base/bytes.h"
#include "engine/pe/pe.h"
#include "engine/state.h"
#include "isa_fields.h"

enum {
    TAGGED_COLUMNS = 128, /* LDTAGS has no column count */
    TAGS_AN_ELEMENT = 4,
    TAG_BITS = 4,
    ELEMENTS = TAGGED_COLUMNS / TAGS_AN_ELEMENT
};

static void clear_tags(struct trn_exec *x, const struct trn_pe_tile *tile)
{
    if (tile->rows < tile->tile_rows || tile->columns < tile->tile_columns)
        trn_exec_choice(x, TRN_CHOICE_PE_TILE_REST);
    for (uint32_t r = tile->row; r < tile->row + tile->tile_rows; r++)
        memset(&x->state->pe.tag[r][tile->column], 0, tile->tile_columns);
}

/* ---- LDTAGS ------------------------------------------------------------------------- */

static trn_status read_ldtags(struct trn_exec *x, struct trn_pe_word *out)
{
    const uint8_t *word = x->word;
    const unsigned isa = x->gen->isa;
    *out = (struct trn_pe_word){.name = "LDTAGS",
                                .mode = TRN_PE_SPARSE,
                                .source = trn_s3_lt_src_mem_pattern(word, isa),
                                .dtype = trn_s3_lt_in_dtype(word, isa)};
    const trn_status status = trn_pe_tile_of_groups(x, trn_s3_lt_row_grp(word, isa),
                                                    trn_s3_lt_col_grp(word, isa), &out->tile);
    out->tile.rows = trn_s3_lt_num_active_rows(word, isa);
    out->tile.columns = out->tile.tile_columns;
    return status ? status : trn_pe_check_tile(x, &out->tile);
}

/* The first element goes to the last four columns, its lowest nibble to the last of them. */
static void put_tags(uint8_t *tags, const uint8_t *elements, uint8_t force)
{
    for (uint32_t i = 0; i < ELEMENTS; i++)
        for (uint32_t k = 0; k < TAGS_AN_ELEMENT; k++) {
            const uint8_t tag =
                (uint8_t)trn_bits_get(trn_get16(elements + 2 * i), k * TAG_BITS, TAG_BITS);
            tags[TAGGED_COLUMNS - 1 - (TAGS_AN_ELEMENT * i + k)] = tag | force;
        }
}

trn_status trn_pe_ldtags(struct trn_exec *x)
{
    struct trn_pe_word word;
    struct trn_operand source;
    trn_status status = read_ldtags(x, &word);
    if (!status)
        status = trn_pe_open_source(x, &word, TRN_TYPE_PATTERN3D, &source);
    if (!status && source.count != ELEMENTS)
        status = trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "lt_counts",
                                "LDTAGS: %llu elements a partition; 32 with four tags each are "
                                "expected",
                                (unsigned long long)source.count);
    if (status)
        return status;
    clear_tags(x, &word.tile);
    const uint8_t force = trn_s3_lt_force_tag_bits(x->word, x->gen->isa);
    for (uint32_t r = 0; r < word.tile.rows; r++) {
        uint8_t elements[ELEMENTS * sizeof(uint16_t)];
        trn_operand_gather(&source, r, 0, ELEMENTS, elements);
        put_tags(x->state->pe.tag[word.tile.row + r], elements, force);
    }
    return TRN_OK;
}

/* ---- weights and tags ---------------------------------------------------------------- */

/* Elements of 32 bits: a weight, and above it a tag. */
static void put_pairs(struct trn_exec *x, const struct trn_pe_word *word, const uint8_t *pairs,
                      uint32_t row)
{
    enum { PAIR = 4 };
    struct trn_pe_state *pe = &x->state->pe;
    const uint32_t columns = word->tile.columns;
    uint16_t narrow[TRN_PE_COLUMNS];
    float values[TRN_PE_COLUMNS];
    for (uint32_t i = 0; i < columns; i++)
        narrow[i] = trn_get16(pairs + PAIR * (size_t)i);
    (void)trn_to_fp32_array(word->dtype, &x->state->mode[x->engine], narrow, values, columns);
    for (uint32_t i = 0; i < columns; i++) {
        const uint32_t c = word->tile.column + (word->first_column_first ? i : columns - 1 - i);
        trn_pe_weights(pe, 0, row, c)[c % TRN_PE_PANEL_COLUMNS] = values[i];
        pe->tag[row][c] =
            (uint8_t)trn_bits_get(trn_get16(pairs + PAIR * (size_t)i + 2), 0, TAG_BITS);
    }
}

trn_status trn_pe_tag_weights(struct trn_exec *x, const struct trn_pe_word *word)
{
    const struct trn_pe_tile *tile = &word->tile;
    struct trn_pe_word pairs = *word;
    struct trn_operand source;
    pairs.dtype = TRN_DTYPE_UINT32;
    const trn_status status = trn_pe_open_source(x, &pairs, TRN_TYPE_PATTERN3D, &source);
    if (status)
        return status;
    if (source.count != tile->columns)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "lw_counts",
                              "%s: %llu pairs of a weight and a tag for %u active columns",
                              word->name, (unsigned long long)source.count, tile->columns);
    trn_exec_choice(x, TRN_CHOICE_SPARSE_TAG_WEIGHT);
    clear_tags(x, tile);
    for (uint32_t c = tile->column; c < tile->column + tile->tile_columns;
         c += TRN_PE_PANEL_COLUMNS)
        memset(trn_pe_weights(&x->state->pe, 0, tile->row, c), 0,
               tile->tile_rows * TRN_PE_PANEL_COLUMNS * sizeof(float));
    for (uint32_t r = 0; r < tile->rows; r++) {
        uint8_t elements[TRN_PE_COLUMNS * sizeof(uint32_t)];
        trn_operand_gather(&source, r, 0, tile->columns, elements);
        put_pairs(x, word, elements, tile->row + r);
    }
    trn_pe_note_loaded(&x->state->pe, word);
    return TRN_OK;
}
