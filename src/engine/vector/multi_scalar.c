/* SPDX-License-Identifier: Apache-2.0 */
/* Words with one scalar for each W slice (docs/hardware/tensor-scalar-multi.md 6, 7): the loads
 * 0x70 and 0x71 fill eight flops a lane; 0x4F and 0x5F use one a slice, 0x87 a pair a slice, whose
 * second scalar multiplies. Shipped firmware only logs these words (1.1). */
#include "engine/state.h"
#include "engine/vector/map.h"
#include "engine/vector/operators.h"
#include "engine/vector/stages.h"
#include "engine/vector/words.h"

enum { FLOPS = TRN_SCALAR_FLOPS, PAIRS = FLOPS / 2 };

/* Do what the policy says about words whose firmware only logs. */
static trn_status run_stub(struct trn_exec *x, trn_handler contract)
{
    const uint8_t opcode = trn_common_opcode(x->word, x->gen->isa);
    struct trn_vector_state *const vector = &x->state->vector;
    trn_exec_choice(x, TRN_CHOICE_STUB_POLICY);
    switch (vector->options.stub_policy) {
    case TRN_STUB_LOG_ONLY:
        vector->logged_stubs++;
        return TRN_OK;
    case TRN_STUB_FAULT:
        return trn_exec_fault(x, TRN_FAULT_BAD_OPCODE, "stub_policy",
                              "opcode 0x%02x (%s) has no body but a log line in shipped firmware, "
                              "and stub_policy is fault",
                              opcode, trn_opcode_name(opcode));
    case TRN_STUB_ARCHITECTURAL:
        break;
    }
    return contract(x);
}

/* ---- the load ----------------------------------------------------------------------- */

static trn_status load(struct trn_exec *x)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    const bool bitvec = trn_common_opcode(w, isa) == TRN_OPCODE_TENSOR_SCALAR_IMM_LD_BITVEC;
    struct trn_scalar_flops *const flops = &x->state->vector.scalars;
    struct trn_rows src;
    const trn_status status =
        trn_rows_open(x, trn_s2_bn_src_mem_pattern(w, isa), TRN_TYPE_PATTERN2D,
                      trn_s2_bn_dtype(w, isa), trn_s2_bn_num_active_channels(w, isa),
                      TRN_OPERAND_READ, bitvec ? TRN_VIEW_BITS32 : TRN_VIEW_F32, &src);
    if (status != TRN_OK)
        return status;
    if (src.operand.count > FLOPS)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "L3",
                              "the source has %llu elements a lane; 1 to %d scalars are loaded",
                              (unsigned long long)src.operand.count, FLOPS);
    trn_exec_choice(x, TRN_CHOICE_SCALAR_FLOPS);
    flops->loaded = (uint32_t)src.operand.count;
    flops->bitvec = bitvec;
    struct trn_tile tile;
    for (uint32_t lane = 0; lane < src.operand.channels; lane++)
        memcpy(flops->bits[lane],
               trn_rows_read(&src, &x->state->mode[x->engine], lane, 0, flops->loaded, &tile),
               flops->loaded * sizeof(uint32_t));
    return TRN_OK;
}

trn_status trn_run_imm_ld(struct trn_exec *x)
{
    return run_stub(x, load);
}

/* ---- rows --------------------------------------------------------------------------- */

struct ptr_multi {
    const struct trn_scalar_flops *flops;
    uint8_t op;
    bool bitvec, dual;
    bool reverse[2];
    uint32_t slices;
    uint64_t slice;        /* elements of one */
    uint32_t step, second; /* the scalar of slice w is flop w * step, its partner `second` behind */
};

/* Elements of a row up to the end of the slice that begins it, and that slice. */
static struct trn_row next_piece(const struct ptr_multi *multi, const struct trn_row *row,
                                 size_t done, uint32_t *w)
{
    const uint64_t at = row->first + done;
    struct trn_row piece = *row;
    *w = (uint32_t)(at / multi->slice);
    const uint64_t left = (*w + UINT64_C(1)) * multi->slice - at;
    piece.n = left < row->n - done ? (size_t)left : row->n - done;
    piece.a = (const uint32_t *)row->a + done;
    piece.out = (uint32_t *)row->out + done;
    return piece;
}

static const uint32_t *scalar_of(const struct ptr_multi *multi, uint32_t lane, uint32_t w, int i)
{
    return &multi->flops->bits[lane][w * multi->step + (i ? multi->second : 0)];
}

/* The second operator of 0x87 is not in the word (7.2). */
static struct trn_ts_op stage_of(const struct ptr_multi *multi, uint32_t lane, uint32_t w, int i)
{
    return (struct trn_ts_op){.op = i ? (uint8_t)TRN_ALU_OP_MULT : multi->op,
                              .reverse = multi->reverse[i],
                              .imm = trn_bits_f32(*scalar_of(multi, lane, w, i))};
}

static void row_one(const void *context, const struct trn_row *row)
{
    uint32_t w;
    struct trn_row piece;
    for (size_t done = 0; done < row->n; done += piece.n) {
        piece = next_piece(context, row, done, &w);
        const struct trn_ts_op stage = stage_of(context, row->lane, w, 0);
        (void)trn_alu_scalar_array(stage.op, piece.a, stage.imm, stage.reverse, piece.out, piece.n);
    }
}

static void row_dual(const void *context, const struct trn_row *row)
{
    uint32_t w;
    struct trn_row piece;
    for (size_t done = 0; done < row->n; done += piece.n) {
        piece = next_piece(context, row, done, &w);
        (void)trn_alu_ts_row(stage_of(context, row->lane, w, 0), stage_of(context, row->lane, w, 1),
                             piece.a, piece.out, piece.n);
    }
}

static void row_bits(const void *context, const struct trn_row *row)
{
    const struct ptr_multi *multi = context;
    uint32_t w;
    struct trn_row piece;
    for (size_t done = 0; done < row->n; done += piece.n) {
        piece = next_piece(multi, row, done, &w);
        const void *scalar = scalar_of(multi, row->lane, w, 0);
        if (multi->reverse[0])
            (void)trn_alu_bitvec_array(multi->op, 32, scalar, 0, piece.a, 1, piece.out, piece.n);
        else
            (void)trn_alu_bitvec_array(multi->op, 32, piece.a, 1, scalar, 0, piece.out, piece.n);
    }
}

/* ---- numeric events ----------------------------------------------------------------- */

static unsigned row_numeric(const void *context, const struct trn_row *row)
{
    const struct ptr_multi *multi = context;
    unsigned causes = TRN_NUMERIC_NONE;
    uint32_t w;
    struct trn_row piece;
    for (size_t done = 0; done < row->n; done += piece.n) {
        piece = next_piece(multi, row, done, &w);
        const struct trn_ts_op first = stage_of(multi, row->lane, w, 0);
        causes |= multi->dual ? trn_stages_numeric(first, stage_of(multi, row->lane, w, 1), piece.a,
                                                   piece.out, piece.n)
                              : trn_stage_numeric(first, piece.a, piece.out, piece.n);
    }
    return causes;
}

/* What the first or second scalars of all slices lie between, in some lanes. */
static struct trn_numeric_range scalar_range(const struct ptr_multi *multi, int i, uint32_t begin,
                                             uint32_t end)
{
    struct trn_numeric_range range = trn_numeric_range_empty();
    for (uint32_t w = 0; w < multi->slices; w++)
        trn_numeric_range_add(&range, (const void *)scalar_of(multi, begin, w, i), end - begin,
                              sizeof multi->flops->bits[0], 1);
    return range;
}

static unsigned row_bound(const void *context, uint32_t begin, uint32_t end,
                          const struct trn_numeric_range *in, struct trn_numeric_range *out)
{
    const struct ptr_multi *multi = context;
    const struct trn_numeric_range first = scalar_range(multi, 0, begin, end);
    struct trn_numeric_range between;
    if (!multi->dual)
        return trn_stage_bound(multi->op, multi->reverse[0], &first, in, out);
    const struct trn_numeric_range second = scalar_range(multi, 1, begin, end);
    return trn_stage_bound(multi->op, multi->reverse[0], &first, in, &between) |
           trn_stage_bound(TRN_ALU_OP_MULT, multi->reverse[1], &second, &between, out);
}

/* ---- the word ----------------------------------------------------------------------- */

static trn_status open_rows(struct trn_exec *x, enum trn_view view, struct trn_map *map)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    const uint32_t channels = trn_s4d4_tsm_num_active_channels(w, isa);
    map->num_src = 1;
    trn_status status = trn_rows_open(x, trn_s4d4_tsm_src_mem_pattern(w, isa), TRN_TYPE_PATTERN4D,
                                      trn_s4d4_tsm_in_dtype(w, isa), channels, TRN_OPERAND_READ,
                                      view, &map->src[0]);
    if (status == TRN_OK)
        status = trn_rows_open(x, trn_s4d4_tsm_dst_mem_pattern(w, isa), TRN_TYPE_PATTERN4D,
                               trn_s4d4_tsm_out_dtype(w, isa), channels, TRN_OPERAND_WRITE, view,
                               &map->dst);
    if (status == TRN_OK)
        status = trn_rows_same_count(x, "R13", &map->src[0], &map->dst);
    return status;
}

/* Counts may come from a register, and are known only now. */
static trn_status slice(struct trn_exec *x, const struct trn_operand *src, struct ptr_multi *multi)
{
    const uint32_t most = multi->dual ? PAIRS : FLOPS;
    multi->slices = src->num[3];
    multi->slice = src->count / src->num[3];
    const bool interleaved = x->state->vector.options.pair_layout == TRN_PAIR_INTERLEAVED;
    multi->step = multi->dual && interleaved ? 2 : 1;
    multi->second = interleaved ? 1 : multi->slices;
    if (multi->slices <= most)
        return TRN_OK;
    return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION,
                          multi->dual ? "has_valid_src_slices_tsm_dual" : "R3",
                          "%u slices (num_elem[3]); 1 to %u are legal", multi->slices, most);
}

/* Nothing compares a word with the load before it: what the flops hold is used (4.3, 6.1). */
static void note_mismatch(struct trn_exec *x, const struct ptr_multi *multi)
{
    struct trn_vector_state *const vector = &x->state->vector;
    vector->stale_scalars += vector->scalars.loaded != multi->slices * (multi->dual ? 2 : 1);
    vector->mixed_scalars += vector->scalars.loaded && vector->scalars.bitvec != multi->bitvec;
    trn_exec_choice(x, TRN_CHOICE_SCALAR_FLOPS);
    if (multi->dual)
        trn_exec_choice(x, TRN_CHOICE_DUAL_PAIRS);
}

static trn_status ptr_multi(struct trn_exec *x)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    const uint8_t opcode = trn_common_opcode(w, isa);
    const uint8_t reverse = trn_s4d4_tsm_reverse_operands(w, isa);
    struct ptr_multi multi = {
        .flops = &x->state->vector.scalars,
        .op = trn_s4d4_tsm_op(w, isa),
        .bitvec = opcode == TRN_OPCODE_TENSOR_SCALAR_PTR_MULTI_BITVEC,
        .dual = opcode == TRN_OPCODE_TENSOR_SCALAR_PTR_MULTI_DUAL_ARITH,
        .reverse = {reverse == TRN_REV_OPS_FIRST || reverse == TRN_REV_OPS_BOTH,
                    reverse == TRN_REV_OPS_SECOND || reverse == TRN_REV_OPS_BOTH}};
    const enum trn_view view = multi.bitvec ? TRN_VIEW_BITS32 : TRN_VIEW_F32;
    struct trn_map map = {.x = x,
                          .kernel = multi.bitvec ? row_bits
                                    : multi.dual ? row_dual
                                                 : row_one,
                          .context = &multi,
                          .numeric = multi.bitvec ? NULL : row_numeric,
                          .bound = multi.bitvec ? NULL : row_bound};

    /* narrow bitvec elements are 32-bit words here, shifts included (7.1) */
    const uint8_t dtype = multi.bitvec ? TRN_DTYPE_UINT32 : trn_s4d4_tsm_in_dtype(w, isa);
    trn_status status = trn_op_check(x, multi.op, view, dtype);
    if (status == TRN_OK)
        status = open_rows(x, view, &map);
    if (status == TRN_OK)
        status = slice(x, &map.src[0].operand, &multi);
    if (status != TRN_OK)
        return status;
    note_mismatch(x, &multi);
    trn_map_run(&map);
    return TRN_OK;
}

trn_status trn_run_ptr_multi(struct trn_exec *x)
{
    return run_stub(x, ptr_multi);
}
