/* SPDX-License-Identifier: Apache-2.0 */
/* TENSOR_TENSOR 0x41 and 0x51: dst[n] = src0[n] op src1[n] (docs/hardware/vector-ops.md 2.1). */
#include "engine/numeric.h"
#include "engine/vector/map.h"
#include "engine/vector/operators.h"
#include "engine/vector/words.h"

#define QUADRANT 32 /* partitions */

struct tensor_tensor {
    uint8_t op;
    unsigned bits;
    bool is_signed;
    bool *by_zero; /* of a lane: an integer division met the divisor 0 */
};

/* ---- rows ------------------------------------------------------------------------- */

static void row_f32(const void *context, const struct trn_row *row)
{
    const struct tensor_tensor *tt = context;
    (void)trn_alu_array(tt->op, row->a, row->b, row->out, row->n);
}

static unsigned row_numeric(const void *context, const struct trn_row *row)
{
    const struct tensor_tensor *tt = context;
    return trn_numeric_of_op(tt->op, row->a, 1, row->b, 1, row->out, row->n);
}

static unsigned row_bound(const void *context, uint32_t begin, uint32_t end,
                          const struct trn_numeric_range *in, struct trn_numeric_range *out)
{
    const struct tensor_tensor *tt = context;
    (void)begin;
    (void)end;
    return trn_numeric_may_meet(tt->op, &in[0], &in[1], out);
}

static void row_bits(const void *context, const struct trn_row *row)
{
    const struct tensor_tensor *tt = context;
    (void)trn_alu_bitvec_array(tt->op, tt->bits, row->a, 1, row->b, 1, row->out, row->n);
}

static void row_int(const void *context, const struct trn_row *row)
{
    const struct tensor_tensor *tt = context;
    const trn_status status =
        trn_alu_int_array(tt->op, tt->bits, tt->is_signed, row->a, 1, row->b, 1, row->out, row->n);
    if (status == TRN_ERR_RANGE)
        tt->by_zero[row->lane] = true;
}

/* ---- what the word works on ------------------------------------------------------- */

struct types {
    uint8_t src0, src1, out;
};

/* Operators that the POOL kernels do natively on 32-bit integers (vector-ops.md 2.1). */
static bool is_native_on_pool(uint8_t op)
{
    switch (op) {
    case TRN_ALU_OP_ADD:
    case TRN_ALU_OP_SUBTRACT:
    case TRN_ALU_OP_MULT:
    case TRN_ALU_OP_MAX:
    case TRN_ALU_OP_MIN:
    case TRN_ALU_OP_IS_EQ:
    case TRN_ALU_OP_IS_GT:
    case TRN_ALU_OP_IS_GE:
    case TRN_ALU_OP_IS_LE:
    case TRN_ALU_OP_IS_LT:
    case TRN_ALU_OP_IS_NE:
        return true;
    default:
        return false;
    }
}

static bool is_int32(uint8_t dtype)
{
    return dtype == TRN_DTYPE_INT32 || dtype == TRN_DTYPE_UINT32;
}

static bool is_wide(uint8_t dtype)
{
    return trn_dtype_size(dtype) == 8;
}

static bool has_mixed_signs(struct types t)
{
    return trn_dtype_is_signed(t.src0) != trn_dtype_is_signed(t.src1);
}

static enum trn_view view_of(const struct trn_exec *x, uint8_t opcode, uint8_t op, struct types t)
{
    if (opcode == TRN_OPCODE_TENSOR_TENSOR_BITVEC_OP)
        return is_wide(t.out) ? TRN_VIEW_BITS64 : TRN_VIEW_BITS32;

    const bool integers =
        trn_dtype_is_integer(t.src0) && trn_dtype_is_integer(t.src1) && trn_dtype_is_integer(t.out);
    const bool wide = is_wide(t.src0) || is_wide(t.src1) || is_wide(t.out);
    if (integers && (trn_op_is_integer_band(op) || op == TRN_ALU_OP_MOD))
        return wide ? TRN_VIEW_INT64 : TRN_VIEW_INT32;

    const bool native = x->engine == TRN_NEURON_ENGINE_POOL && is_native_on_pool(op) &&
                        is_int32(t.src0) && is_int32(t.src1) && is_int32(t.out);
    if (!native)
        return TRN_VIEW_F32;
    /* signed beside unsigned: 64 bits hold the values of both (model choice pool_mixed_sign) */
    return has_mixed_signs(t) ? TRN_VIEW_INT64 : TRN_VIEW_INT32;
}

/* ---- the word --------------------------------------------------------------------- */

static trn_status check_placement(struct trn_exec *x, const struct trn_operand *src0,
                                  const struct trn_operand *src1)
{
    const bool psum0 = src0->space == TRN_SPACE_PSUM, psum1 = src1->space == TRN_SPACE_PSUM;
    if (psum0 && psum1)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "TT5",
                              "both sources are in PSUM, at most one may be");
    if (!psum0 && !psum1 && src0->partition / QUADRANT != src1->partition / QUADRANT)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "TT4",
                              "sources in SBUF start in different quadrants: partitions %u and %u",
                              src0->partition, src1->partition);
    return TRN_OK;
}

static trn_status open_rows(struct trn_exec *x, struct types t, enum trn_view view,
                            struct trn_map *map)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    const uint32_t channels = trn_s3s3d3_tt_num_active_channels(w, isa);
    map->num_src = 2;
    trn_status status = trn_rows_open(x, trn_s3s3d3_tt_src0_mem_pattern(w, isa), TRN_TYPE_PATTERN3D,
                                      t.src0, channels, TRN_OPERAND_READ, view, &map->src[0]);
    if (status == TRN_OK)
        status = trn_rows_open(x, trn_s3s3d3_tt_src1_mem_pattern(w, isa), TRN_TYPE_PATTERN3D,
                               t.src1, channels, TRN_OPERAND_READ, view, &map->src[1]);
    if (status == TRN_OK)
        status = check_placement(x, &map->src[0].operand, &map->src[1].operand);
    if (status == TRN_OK)
        status = trn_rows_open(x, trn_s3s3d3_tt_dst_mem_pattern(w, isa), TRN_TYPE_PATTERN3D, t.out,
                               channels, TRN_OPERAND_WRITE, view, &map->dst);
    for (int i = 0; i < 2 && status == TRN_OK; i++)
        status = trn_rows_same_count(x, "tt_counts", &map->src[i], &map->dst);
    return status;
}

static bool divides(uint8_t op)
{
    return op == TRN_ALU_OP_MOD || op == TRN_ALU_OP_DIVIDE_INT || op == TRN_ALU_OP_MOD_INT ||
           op == TRN_ALU_OP_DIVIDE_UINT || op == TRN_ALU_OP_MOD_UINT;
}

static trn_status divided_by_zero(struct trn_exec *x, uint32_t lane)
{
    return trn_exec_fault(x, TRN_FAULT_DIVIDE_BY_ZERO, NULL,
                          "integer divisor 0 in lane %u (error-handling.md 2)", lane);
}

static bool any_zero(const uint8_t *words, unsigned bits, size_t n)
{
    bool zero = false;
    for (size_t i = 0; i < n; i++)
        zero |= (bits == 64 ? trn_get64(words + i * 8) : trn_get32(words + i * 4)) == 0;
    return zero;
}

/* An integer divisor 0 is a hard fault (docs/hardware/error-handling.md 2). It is looked for first,
 * so that a refused word writes nothing. */
static trn_status check_divisors(struct trn_exec *x, const struct trn_rows *divisors)
{
    struct trn_tile tile;
    const uint64_t count = divisors->operand.count;
    const size_t fit = trn_rows_tile(divisors);
    size_t n;
    for (uint32_t lane = 0; lane < divisors->operand.channels; lane++)
        for (uint64_t first = 0; first < count; first += n) {
            n = count - first < fit ? (size_t)(count - first) : fit;
            const void *words = trn_rows_read(divisors, NULL, lane, first, n, &tile);
            if (any_zero(words, trn_view_bits(divisors->view), n))
                return divided_by_zero(x, lane);
        }
    return TRN_OK;
}

/* A divisor that became 0 while the word ran, by a destination that lies over it. */
static trn_status check_by_zero(struct trn_exec *x, const bool *by_zero)
{
    for (uint32_t lane = 0; lane < TRN_LANES; lane++)
        if (by_zero[lane])
            return divided_by_zero(x, lane);
    return TRN_OK;
}

trn_status trn_run_tensor_tensor(struct trn_exec *x)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    const uint8_t op = trn_s3s3d3_tt_op(w, isa);
    const struct types types = {.src0 = trn_s3s3d3_tt_in0_in1_dtype_lo(w, isa),
                                .src1 = trn_s3s3d3_tt_in0_in1_dtype_hi(w, isa),
                                .out = trn_s3s3d3_tt_out_dtype(w, isa)};
    const enum trn_view view = view_of(x, trn_common_opcode(w, isa), op, types);
    const bool integer = view == TRN_VIEW_INT32 || view == TRN_VIEW_INT64;
    bool by_zero[TRN_LANES] = {false};
    const struct tensor_tensor tt = {.op = op,
                                     .bits = trn_view_bits(view),
                                     .is_signed =
                                         has_mixed_signs(types) || trn_dtype_is_signed(types.src0),
                                     .by_zero = by_zero};
    struct trn_map map = {.x = x,
                          .kernel = integer                ? row_int
                                    : view == TRN_VIEW_F32 ? row_f32
                                                           : row_bits,
                          .context = &tt,
                          .numeric = view == TRN_VIEW_F32 ? row_numeric : NULL,
                          .bound = view == TRN_VIEW_F32 ? row_bound : NULL,
                          .tells = trn_numeric_tells(op),
                          .op = op};
    trn_status status = trn_op_check(x, op, view, types.out);
    if (status == TRN_OK)
        status = open_rows(x, types, view, &map);
    if (status == TRN_OK && integer && divides(op))
        status = check_divisors(x, &map.src[1]);
    if (status != TRN_OK)
        return status;
    if (integer && has_mixed_signs(types))
        trn_exec_choice(x, TRN_CHOICE_POOL_MIXED_SIGN);
    trn_map_run(&map);
    return check_by_zero(x, by_zero);
}
