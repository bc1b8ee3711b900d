/* SPDX-License-Identifier: Apache-2.0 */
/* The seeds, and the words that move them: PE_MANAGE_SEED, and MATMUL with a seed_mode (pe-array.md
 * 3, 11). */
#include "engine/pe/seeds.h"

#include "base/bytes.h"
#include "engine/pe/product.h"
#include "engine/state.h"
#include "isa_fields.h"

void trn_pe_seeds_write(struct trn_pe_seeds *seeds, uint32_t value)
{
    for (uint32_t lane = 0; lane < TRN_PE_SEED_LANES; lane++)
        for (uint32_t i = 0; i < TRN_PE_SEEDS; i++)
            seeds->state[lane][i] = trn_sr_seed(lane, value);
}

void trn_pe_seeds_reset(struct trn_pe_seeds *seeds)
{
    trn_pe_seeds_write(seeds, 1);
    seeds->on = false;
}

void trn_pe_seeds_load(struct trn_pe_seeds *seeds, uint32_t lane, uint32_t index, uint32_t value)
{
    seeds->state[lane][index] = value ? value : 1;
}

/* ---- PE_MANAGE_SEED ------------------------------------------------------------------ */

/* Partition k holds seed k of every PSUM partition. */
static trn_status load(struct trn_exec *x)
{
    const unsigned isa = x->gen->isa;
    struct trn_operand source;
    const trn_status status = trn_operand_open(
        x, trn_s2s1d2_pe_seed_src_seed_mem_pattern(x->word, isa), TRN_TYPE_PATTERN2D,
        TRN_DTYPE_UINT32, TRN_PE_SEEDS, TRN_OPERAND_READ | TRN_OPERAND_SBUF_ONLY, &source);
    if (status)
        return status;
    if (source.count != TRN_PE_SEED_LANES)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "seed_fields",
                              "PE_MANAGE_SEED: %llu seeds a partition; %u are loaded",
                              (unsigned long long)source.count, (unsigned)TRN_PE_SEED_LANES);
    for (uint32_t k = 0; k < TRN_PE_SEEDS; k++) {
        uint32_t seeds[TRN_PE_SEED_LANES];
        trn_operand_gather(&source, k, 0, TRN_PE_SEED_LANES, seeds);
        for (uint32_t lane = 0; lane < TRN_PE_SEED_LANES; lane++)
            trn_pe_seeds_load(&x->state->pe.seeds, lane, k, seeds[lane]);
    }
    return TRN_OK;
}

/* The cells of every PSUM partition take its seeds. */
static trn_status save(struct trn_exec *x)
{
    const unsigned isa = x->gen->isa;
    struct trn_operand cells;
    const trn_status status = trn_operand_open(
        x, trn_s2s1d2_pe_seed_dst_seed_mem_pattern(x->word, isa), TRN_TYPE_PATTERN2D,
        TRN_DTYPE_UINT32, TRN_PE_SEED_LANES, TRN_OPERAND_WRITE | TRN_OPERAND_PSUM_ONLY, &cells);
    if (status)
        return status;
    if (cells.count != TRN_PE_SEEDS)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "seed_fields",
                              "PE_MANAGE_SEED: %llu results a partition; %u seeds are saved",
                              (unsigned long long)cells.count, (unsigned)TRN_PE_SEEDS);
    for (uint32_t lane = 0; lane < TRN_PE_SEED_LANES; lane++)
        trn_operand_scatter(&cells, lane, 0, TRN_PE_SEEDS, x->state->pe.seeds.state[lane]);
    return TRN_OK;
}

/* What the identity pattern names is not looked at (model choice pe_seed_words). */
trn_status trn_pe_manage_seed(struct trn_exec *x)
{
    trn_exec_choice(x, TRN_CHOICE_PE_SEED_WORDS);
    switch (trn_s2s1d2_pe_seed_mode(x->word, x->gen->isa)) {
    case TRN_PE_SEED_MODE_LOAD_SEED:
        return load(x);
    case TRN_PE_SEED_MODE_SAVE_SEED:
        return save(x);
    default:
        return TRN_OK;
    }
}

/* ---- MATMUL with a seed_mode: the micro-operations of the word above (model choice) ------ */

static trn_status wrong_seeds(struct trn_exec *x, const char *what)
{
    return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "mm_seed_mode",
                          "MATMUL: %s; 16 seeds of 32 bits are moved a column", what);
}

/* A transpose whose columns end in the seeds of their partitions. */
static trn_status load_by_transpose(struct trn_exec *x, const struct trn_pe_word *word)
{
    struct trn_operand moving;
    trn_status status = trn_pe_open_source(x, word, TRN_TYPE_PATTERN3D, &moving);
    if (status)
        return status;
    if (moving.count != TRN_PE_SEEDS || moving.size != sizeof(uint32_t))
        return wrong_seeds(x, "seed_mode LOAD_SEED needs an FP32 identity of 16 elements");
    status = trn_pe_check_loaded(x, word);
    if (status)
        return status;
    struct trn_pe_state *pe = &x->state->pe;
    const struct trn_pe_tile *tile = &word->tile;
    for (uint32_t r = 0; r < tile->rows; r++)
        trn_pe_fetch(x, &moving, r, 0, TRN_PE_SEEDS, TRN_PE_FP32MODE_NONE, pe->moving[0][r]);
    for (uint32_t n = 0; n < TRN_PE_SEEDS; n++) {
        const uint32_t row = trn_pe_transposed_row(pe, tile, n);
        for (uint32_t c = 0; c < tile->columns && row < tile->rows; c++)
            trn_pe_seeds_load(
                &pe->seeds, (tile->column + c) % TRN_PE_SEED_LANES, n,
                trn_f32_bits(*trn_pe_weight(pe, 0, tile->row + row, tile->column + c)));
    }
    return TRN_OK;
}

static trn_status save_to_cells(struct trn_exec *x, const struct trn_pe_word *word)
{
    struct trn_operand cells;
    const struct trn_pe_tile *tile = &word->tile;
    const uint32_t lanes = tile->columns < TRN_PE_SEED_LANES ? tile->columns : TRN_PE_SEED_LANES;
    const trn_status status =
        trn_operand_open(x, word->result, TRN_TYPE_PATTERN3D, TRN_DTYPE_UINT32, lanes,
                         TRN_OPERAND_WRITE | TRN_OPERAND_PSUM_ONLY, &cells);
    if (status)
        return status;
    if (cells.count != TRN_PE_SEEDS)
        return wrong_seeds(x, "seed_mode SAVE_SEED needs 16 result cells a partition");
    for (uint32_t lane = 0; lane < lanes; lane++)
        trn_operand_scatter(&cells, lane, 0, TRN_PE_SEEDS,
                            x->state->pe.seeds.state[cells.partition + lane]);
    return TRN_OK;
}

trn_status trn_pe_move_seeds(struct trn_exec *x, const struct trn_pe_word *word)
{
    trn_exec_choice(x, TRN_CHOICE_PE_SEED_WORDS);
    return word->seed_mode == TRN_PE_SEED_MODE_LOAD_SEED ? load_by_transpose(x, word)
                                                         : save_to_cells(x, word);
}
