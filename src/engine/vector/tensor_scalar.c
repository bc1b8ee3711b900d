/* SPDX-License-Identifier: Apache-2.0 */
/* TENSOR_SCALAR 0x43 and 0x53 and their pointer forms 0x44 and 0x54: (src op0 imm0) op1 imm1, each
 * stage reversible (docs/hardware/tensor-scalar-multi.md 8). */
#include "engine/vector/map.h"
#include "engine/vector/operators.h"
#include "engine/vector/scalar.h"
#include "engine/vector/stages.h"
#include "engine/vector/words.h"

struct tensor_scalar {
    uint8_t op[2];
    bool reverse[2];
    bool bitvec, is_signed;
    struct trn_scalar imm[2];
};

/* ---- rows ------------------------------------------------------------------------- */

static struct trn_ts_op stage_of(const struct tensor_scalar *ts, int i, uint32_t lane)
{
    return (struct trn_ts_op){
        .op = ts->op[i], .reverse = ts->reverse[i], .imm = trn_scalar_f32(&ts->imm[i], lane)};
}

static void row_f32(const void *context, const struct trn_row *row)
{
    (void)trn_alu_ts_row(stage_of(context, 0, row->lane), stage_of(context, 1, row->lane), row->a,
                         row->out, row->n);
}

static unsigned row_numeric(const void *context, const struct trn_row *row)
{
    return trn_stages_numeric(stage_of(context, 0, row->lane), stage_of(context, 1, row->lane),
                              row->a, row->out, row->n);
}

/* What stage i can meet in some lanes: its immediates, and what comes of them and of a range. */
static unsigned bound_of_stage(const struct tensor_scalar *ts, int i, uint32_t begin, uint32_t end,
                               const struct trn_numeric_range *in, struct trn_numeric_range *out)
{
    struct trn_numeric_range imm = trn_numeric_range_of(trn_scalar_f32(&ts->imm[i], begin));
    if (ts->imm[i].in_memory && end - begin > 1)
        trn_numeric_range_add(&imm, (const void *)trn_scalar_of(&ts->imm[i], begin), 1, 0,
                              end - begin);
    return trn_stage_bound(ts->op[i], ts->reverse[i], &imm, in, out);
}

static unsigned row_bound(const void *context, uint32_t begin, uint32_t end,
                          const struct trn_numeric_range *in, struct trn_numeric_range *out)
{
    struct trn_numeric_range between;
    const unsigned first = bound_of_stage(context, 0, begin, end, in, &between);
    return first | bound_of_stage(context, 1, begin, end, &between, out);
}

/* A word whose immediates are the same for all lanes. */
struct same_lanes {
    struct trn_ts_op op[2];
    const uint8_t *in;
    uint8_t *out;
    size_t in_pitch, out_pitch, n;
};
_Static_assert(sizeof(struct same_lanes) <= TRN_WORKERS_SMALL, "fits what a worker gets");

static void some_lanes_f32(void *context, uint32_t begin, uint32_t end)
{
    const struct same_lanes *all = context;
    (void)trn_alu_ts_rows(all->op[0], all->op[1], (const void *)(all->in + begin * all->in_pitch),
                          all->in_pitch, (void *)(all->out + begin * all->out_pitch),
                          all->out_pitch, end - begin, all->n);
}

static struct same_lanes same_lanes_of(const struct trn_map *map)
{
    const struct trn_operand *src = &map->src[0].operand, *dst = &map->dst.operand;
    return (struct same_lanes){.op = {stage_of(map->context, 0, 0), stage_of(map->context, 1, 0)},
                               .in = src->base,
                               .out = dst->base,
                               .in_pitch = src->pitch,
                               .out_pitch = dst->pitch,
                               .n = (size_t)dst->count};
}

static void lanes_f32(const struct trn_map *map)
{
    struct same_lanes all = same_lanes_of(map);
    trn_lanes_begin_small(map, some_lanes_f32, &all, sizeof all);
}

static void lanes_f32_some(const struct trn_map *map, uint32_t begin, uint32_t end)
{
    struct same_lanes all = same_lanes_of(map);
    some_lanes_f32(&all, begin, end);
}

/* One stage on 32-bit words; of a and b one is the immediate, which stands still (step 0). */
static void run_stage(const struct tensor_scalar *ts, uint8_t op, const void *a, size_t a_step,
                      const void *b, size_t b_step, const struct trn_row *row)
{
    if (ts->bitvec)
        (void)trn_alu_bitvec_array(op, 32, a, a_step, b, b_step, row->out, row->n);
    else
        (void)trn_alu_int_array(op, 32, ts->is_signed, a, a_step, b, b_step, row->out, row->n);
}

static void row_words(const void *context, const struct trn_row *row)
{
    const struct tensor_scalar *ts = context;
    const void *in = row->a;
    for (int i = 0; i < 2; i++, in = row->out) {
        const uint32_t *imm = trn_scalar_of(&ts->imm[i], row->lane);
        if (ts->reverse[i])
            run_stage(ts, ts->op[i], imm, 0, in, 1, row);
        else
            run_stage(ts, ts->op[i], in, 1, imm, 0, row);
    }
}

/* ---- the word --------------------------------------------------------------------- */

static bool is_bitvec(uint8_t opcode)
{
    return opcode == TRN_OPCODE_TENSOR_SCALAR_BITVEC_OP ||
           opcode == TRN_OPCODE_TENSOR_SCALAR_PTR_BITVEC_OP;
}

/* 0x44 and 0x54: both immediates are pointers, whatever their source bytes (which are 0) say. */
static bool is_pointer_form(uint8_t opcode)
{
    return opcode == TRN_OPCODE_TENSOR_SCALAR_PTR_ARITH_OP ||
           opcode == TRN_OPCODE_TENSOR_SCALAR_PTR_BITVEC_OP;
}

/* Integer operators of 0x43 (MAVERICK) work on exact 32-bit integers, and their immediates are the
 * 32 raw bits (model choice ts_int_immediate). */
static trn_status check_integers(struct trn_exec *x, uint8_t in_dtype, uint8_t out_dtype)
{
    if (!trn_dtype_is_integer(in_dtype) || !trn_dtype_is_integer(out_dtype))
        return trn_exec_fault(x, TRN_FAULT_MISSING_SPECIFICATION, NULL,
                              "integer operators on %s to %s are not specified",
                              trn_dtype_name(in_dtype), trn_dtype_name(out_dtype));
    trn_exec_choice(x, TRN_CHOICE_TS_INT_IMMEDIATE);
    return TRN_OK;
}

static trn_status open_rows(struct trn_exec *x, enum trn_view view, struct trn_map *map)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    const uint32_t channels = trn_s3d3_ts_num_active_channels(w, isa);
    map->num_src = 1;
    trn_status status =
        trn_rows_open(x, trn_s3d3_ts_src_mem_pattern(w, isa), TRN_TYPE_PATTERN3D,
                      trn_s3d3_ts_in_dtype(w, isa), channels, TRN_OPERAND_READ, view, &map->src[0]);
    if (status == TRN_OK)
        status = trn_rows_open(x, trn_s3d3_ts_dst_mem_pattern(w, isa), TRN_TYPE_PATTERN3D,
                               trn_s3d3_ts_out_dtype(w, isa), channels, TRN_OPERAND_WRITE, view,
                               &map->dst);
    if (status == TRN_OK)
        status = trn_rows_same_count(x, "T9", &map->src[0], &map->dst);
    return status;
}

static trn_status load_scalars(struct trn_exec *x, enum trn_view view, struct tensor_scalar *ts)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    const bool pointers = is_pointer_form(trn_common_opcode(w, isa));
    const uint32_t channels = trn_s3d3_ts_num_active_channels(w, isa);
    const uint8_t source0 = pointers ? TRN_IMM_SRC_POINTER : trn_s3d3_ts_imm0_src(w, isa);
    const uint8_t source1 = pointers ? TRN_IMM_SRC_POINTER : trn_s3d3_ts_imm1_src(w, isa);
    const uint8_t dtype = ts->bitvec ? trn_s3d3_ts_in_dtype(w, isa) : TRN_DTYPE_FP32;
    const trn_status status = trn_scalar_load(x, source0, trn_s3d3_ts_imm0_bytes(w, isa), dtype,
                                              view, channels, &ts->imm[0]);
    if (status != TRN_OK)
        return status;
    return trn_scalar_load(x, source1, trn_s3d3_ts_imm1_bytes(w, isa), dtype, view, channels,
                           &ts->imm[1]);
}

static enum trn_view view_of(const struct tensor_scalar *ts)
{
    if (ts->bitvec)
        return TRN_VIEW_BITS32;
    const bool integer = trn_op_is_integer_band(ts->op[0]) || trn_op_is_integer_band(ts->op[1]);
    return integer ? TRN_VIEW_INT32 : TRN_VIEW_F32;
}

trn_status trn_run_tensor_scalar(struct trn_exec *x)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    const uint8_t in_dtype = trn_s3d3_ts_in_dtype(w, isa);
    const uint8_t reverse = trn_s3d3_ts_reverse_operands(w, isa);
    struct tensor_scalar ts; /* not cleared: most of it is room for scalars in memory */
    ts.op[0] = trn_s3d3_ts_op0(w, isa);
    ts.op[1] = trn_s3d3_ts_op1(w, isa);
    ts.reverse[0] = reverse == TRN_REV_OPS_FIRST || reverse == TRN_REV_OPS_BOTH;
    ts.reverse[1] = reverse == TRN_REV_OPS_SECOND || reverse == TRN_REV_OPS_BOTH;
    ts.bitvec = is_bitvec(trn_common_opcode(w, isa));
    ts.is_signed = trn_dtype_is_signed(in_dtype);
    const enum trn_view view = view_of(&ts);
    struct trn_map map = {.x = x,
                          .kernel = view == TRN_VIEW_F32 ? row_f32 : row_words,
                          .context = &ts,
                          .numeric = view == TRN_VIEW_F32 ? row_numeric : NULL,
                          .bound = view == TRN_VIEW_F32 ? row_bound : NULL};

    trn_status status = TRN_OK;
    for (int i = 0; i < 2 && status == TRN_OK; i++)
        status = trn_op_check(x, ts.op[i], view, in_dtype);
    if (status == TRN_OK && view == TRN_VIEW_INT32)
        status = check_integers(x, in_dtype, trn_s3d3_ts_out_dtype(w, isa));
    if (status == TRN_OK)
        status = load_scalars(x, view, &ts);
    if (status == TRN_OK)
        status = open_rows(x, view, &map);
    if (status != TRN_OK)
        return status;
    if (view == TRN_VIEW_F32 && !ts.imm[0].in_memory && !ts.imm[1].in_memory) {
        map.in_memory = lanes_f32;
        map.in_memory_some = lanes_f32_some;
    }
    for (int i = 0; i < 2; i++)
        trn_scalar_note_overlap(x, &ts.imm[i], &map.dst);
    trn_map_run(&map);
    return TRN_OK;
}
