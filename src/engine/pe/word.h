/* SPDX-License-Identifier: Apache-2.0 */
/* What the words of the matrix engine say, whatever their layout: which part of the array they
 * address, how their operands are read and what becomes of the sums
 * (docs/hardware/pe-array.md 2.1, 2.2, 3, 6, 7.1, 9). */
#ifndef TRN_ENGINE_PE_WORD_H
#define TRN_ENGINE_PE_WORD_H

#include "engine/exec.h"
#include "engine/pe/drain.h"
#include "trench/enums.h"

/* What a word does, told from its opcode and mode fields once. */
enum trn_pe_mode {
    TRN_PE_DENSE,      /* one value a cell; FP32 operands in one or two passes */
    TRN_PE_INTEGER,    /* UINT8 with zero points */
    TRN_PE_DOUBLE_ROW, /* two values a cell */
    TRN_PE_TRANSPOSE,  /* bits of the stationary values move */
    TRN_PE_TAG_WEIGHT, /* LDWEIGHTS of pairs of a weight and a tag */
    TRN_PE_MX,         /* four values and a scale a cell */
    TRN_PE_SPARSE,     /* tags choose the moving values */
    TRN_PE_SEED,       /* MATMUL that moves rounding seeds */
    TRN_PE_MODES
};

/* A tile of the array and the rows and columns of it that the word uses. */
struct trn_pe_tile {
    bool grouped;                  /* named by row and column groups; else by size and position */
    uint32_t row, tile_rows, rows; /* first row, rows of the tile, active rows */
    uint32_t column, tile_columns, columns; /* the same for columns */
};

struct trn_pe_word {
    const char *name; /* of the opcode */
    enum trn_pe_mode mode;
    struct trn_pe_tile tile;
    const uint8_t *source; /* pattern of the operand */
    uint8_t dtype;
    enum trn_pe_fp32mode fp32_mode;
    enum trn_pe_seed_mode seed_mode;
    bool first_column_first; /* LDWEIGHTS: element i goes to column i, else to the last but i */

    /* words that multiply */
    const uint8_t *result;                /* pattern in PSUM */
    uint8_t out_dtype;                    /* of its cells, see engine/pe/drain.h */
    uint8_t moving_zero, stationary_zero; /* TRN_PE_INTEGER */
    struct trn_drain_group group;
};

/*
 * Decode x->word as LDWEIGHTS or MATMUL. Faults: an illegal instruction for a mode that the
 * generation does not have or for a tile that the array does not have.
 */
trn_status trn_pe_read_ldweights(struct trn_exec *x, struct trn_pe_word *out);
trn_status trn_pe_read_matmul(struct trn_exec *x, struct trn_pe_word *out);

/* The tile of a row and a column group, for words of layouts of their own. */
trn_status trn_pe_tile_of_groups(struct trn_exec *x, uint8_t row_grp, uint8_t col_grp,
                                 struct trn_pe_tile *tile);
/* Whether the active rows and columns lie inside the tile. */
trn_status trn_pe_check_tile(struct trn_exec *x, const struct trn_pe_tile *tile);

/* What psum_accumulate_flags and psum_zero_region say (pe-array.md 9). */
struct trn_drain_group trn_pe_group(uint8_t flags, uint8_t zero_region);

#endif
