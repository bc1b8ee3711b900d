/* SPDX-License-Identifier: Apache-2.0 */
/* What LDWEIGHTS and MATMUL have in common: which part of the array a word addresses and how its
 * operand is read (docs/hardware/pe-array.md 2.1, 2.2, 6, 7.1). */
#ifndef TRN_ENGINE_PE_WORD_H
#define TRN_ENGINE_PE_WORD_H

#include "engine/exec.h"
#include "trench/enums.h"

/* A tile of the array and the rows and columns of it that the word uses. */
struct trn_pe_tile {
    bool grouped;                  /* named by row and column groups; else by size and position */
    uint32_t row, tile_rows, rows; /* first row, rows of the tile, active rows */
    uint32_t column, tile_columns, columns; /* the same for columns */
};

struct trn_pe_word {
    struct trn_pe_tile tile;
    uint8_t dtype;
    enum trn_pe_fp32mode fp32_mode;
};

/*
 * Decode x->word as LDWEIGHTS or MATMUL. Faults: TRN_FAULT_NOT_MODELLED for a mode that is
 * specified and not built, naming it; an illegal instruction for a tile that the array does not
 * have.
 */
trn_status trn_pe_read_ldweights(struct trn_exec *x, struct trn_pe_word *out);
trn_status trn_pe_read_matmul(struct trn_exec *x, struct trn_pe_word *out);

#endif
