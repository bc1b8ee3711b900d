/* SPDX-License-Identifier: Apache-2.0 */
/* What every word that multiplies does around its sums: result cells, chunks of moving elements,
 * panels of columns, threads, numeric events (docs/hardware/pe-array.md 5). A method says how the
 * moving values are decoded and how the sums of a block are formed. */
#ifndef TRN_ENGINE_PE_PRODUCT_H
#define TRN_ENGINE_PE_PRODUCT_H

#include "engine/pe/drain.h"
#include "engine/pe/numeric.h"
#include "engine/pe/pe.h"

#define TRN_PE_STRIP_VALUES 2

struct trn_pe_product {
    struct trn_exec *x;
    const struct trn_pe_word *word;
    const struct trn_pe_method *method;
    struct trn_operand moving; /* of the methods that have one operand */
    uint64_t count;            /* moving elements a lane: results of a column */
    uint32_t passes;           /* of an FP32 operand, in scratch planes; else 1 */
    struct trn_drain drain;

    uint32_t half, half_step; /* columns at work: both halves of a wide tile, or one */
    uint64_t first;           /* chunk at work, of methods that fetch */
    uint32_t chunk;
    struct trn_pe_range weights; /* while numeric events are looked for */
};

/* Moving values of one block of elements [value or pass][row][element]: what a first cache holds.
 */
struct trn_pe_strip {
    _Alignas(64) float x[TRN_PE_STRIP_VALUES][TRN_PE_ROWS][TRN_PE_BLOCK];
};

/* One panel of columns of the tile, one block of moving elements. */
struct trn_pe_block {
    const struct trn_pe_strip *strip; /* of a method that decodes */
    uint32_t n;                       /* of one that fetches: first moving element in the chunk */
    uint32_t count;                   /* elements that are real */
    bool may_meet;                    /* sums have to be looked at one by one */
    uint32_t column, columns; /* the panel's first column in the tile; columns that are active */
    uint32_t lane;            /* first result lane */
    uint64_t position;        /* of the block's first result in the stream of a lane */
};

struct trn_pe_method {
    /* Values a cell, for the numeric events of sums of a method that decodes; 0: what the method
     * moves is not looked at. */
    uint32_t values;
    /* `sum` can finish into cells; else it always gets TRN_PE_KEEP. */
    bool finishes;
    /* Decode `count` elements of every row, up to TRN_PE_BLOCK. Each thread does so for itself:
     * less work than to read what another core has written. */
    void (*decode)(const struct trn_pe_product *p, uint64_t first, uint32_t count,
                   struct trn_pe_strip *out);
    /* Or, where that is NULL: the chunk of rows begin .. end-1 into scratch that threads share. */
    void (*fetch)(const struct trn_pe_product *p, uint32_t begin, uint32_t end);
    /* Sums of a block into out[column], TRN_PE_BLOCK floats each, as `finish` says. out[c] are
     * kept->s[c] where finish is TRN_PE_KEEP; kept is room otherwise. */
    void (*sum)(const struct trn_pe_product *p, const struct trn_pe_block *b,
                enum trn_pe_finish finish, struct trn_pe_sums *kept,
                float *const out[TRN_PE_PANEL_COLUMNS]);
};

/*
 * Resolve the result of p->word for p->count moving elements and check what its rules say, and the
 * cells of the array (trn_pe_check_loaded). Nothing is changed yet.
 */
trn_status trn_pe_product_check(struct trn_pe_product *p, struct trn_operand *cells);
/* Form and drain all sums; cannot fail. */
void trn_pe_product_run(struct trn_pe_product *p, const struct trn_operand *cells);

/* Both, for a product whose operand is open. */
trn_status trn_pe_product(struct trn_pe_product *p);

#endif
