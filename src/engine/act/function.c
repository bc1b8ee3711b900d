/* SPDX-License-Identifier: Apache-2.0 */
/* The path of an element (docs/hardware/activation.md 1, 4): affine stage, function, accumulator.
 */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "engine/act/words.h"
#include "engine/numeric.h"
#include "engine/state.h"

/* ---- which function -------------------------------------------------------------------------- */

/* Order of the registers from zero_val on (activation.md 5.1). */
enum { ZERO, POS_INF, NEG_INF, NOT_A_NUMBER };

static struct trn_act_detector detector_at(const uint32_t *registers, int which)
{
    const uint32_t *pair = registers + (size_t)2 * (unsigned)which;
    return (struct trn_act_detector){.value = pair[0], .mask = pair[1]};
}

/* A zero_mask of 0, as after reset, would detect every value: the bank counts as not programmed,
 * and the values of the engine's init hold (model choice act_detectors). */
static struct trn_act_specials specials_of(const struct trn_act_state *act)
{
    struct trn_act_specials out = trn_act_specials_default();
    const uint32_t *const registers = act->registers;
    if (registers && detector_at(registers, ZERO).mask != 0) {
        out.zero = detector_at(registers, ZERO);
        out.pos_inf = detector_at(registers, POS_INF);
        out.neg_inf = detector_at(registers, NEG_INF);
        out.nan = detector_at(registers, NOT_A_NUMBER);
    }
    out.negzero_is_zero = act->negzero_is_zero;
    return out;
}

static bool same_detector(struct trn_act_detector a, struct trn_act_detector b)
{
    return a.value == b.value && a.mask == b.mask;
}

static bool same_specials(const struct trn_act_specials *a, const struct trn_act_specials *b)
{
    return same_detector(a->zero, b->zero) && same_detector(a->nan, b->nan) &&
           same_detector(a->pos_inf, b->pos_inf) && same_detector(a->neg_inf, b->neg_inf) &&
           a->negzero_is_zero == b->negzero_is_zero;
}

static bool is_ready(const struct trn_act_ready *ready, uint64_t writes, uint8_t opcode,
                     uint8_t func_id, const struct trn_act_specials *specials)
{
    return ready->valid && ready->writes == writes && ready->opcode == opcode &&
           ready->func_id == func_id && same_specials(&ready->specials, specials);
}

/* No CAM entry matches: say where one would. */
static trn_status refuse_function(struct trn_exec *x, uint8_t opcode, uint8_t func_id)
{
    const struct trn_act_state *const act = &x->state->act;
    const unsigned with = trn_act_set_with(act, x->gen, opcode, func_id);
    char help[80] = "none has one";
    if (with < act->num_sets)
        snprintf(help, sizeof help, "set %u has one (ACTIVATION_TABLE_LOAD act_tbl_sel=%u)", with,
                 with);
    return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "act_profile",
                          "no activation profile: no CAM entry matches opcode 0x%02x and "
                          "function %u; %u %s registered, %s",
                          opcode, func_id, act->num_sets,
                          act->num_sets == 1 ? "set is" : "sets are", help);
}

static trn_status make_from_tables(struct trn_exec *x, uint8_t opcode, uint8_t func_id,
                                   const struct trn_act_specials *specials,
                                   struct trn_act_ready *out)
{
    const struct trn_act_tables tables = trn_act_store_tables(&x->state->act, x->gen);
    const int slot = trn_act_find_slot(&tables, opcode, func_id);
    if (slot < 0)
        return refuse_function(x, opcode, func_id);
    trn_act_prepare(&tables, (unsigned)slot, specials, 0, &out->function);
    return TRN_OK;
}

static trn_status make_ready(struct trn_exec *x, uint8_t opcode, uint8_t func_id,
                             const struct trn_act_specials *specials, struct trn_act_ready *out)
{
    const struct trn_act_state *const act = &x->state->act;
    const trn_status status = act->exact ? trn_act_make_exact(x, func_id, out)
                                         : make_from_tables(x, opcode, func_id, specials, out);
    if (status != TRN_OK)
        return status;
    out->function.specials = *specials;
    out->opcode = opcode;
    out->func_id = func_id;
    out->writes = act->store.writes;
    out->specials = *specials;
    out->valid = true;
    return TRN_OK;
}

trn_status trn_act_find(struct trn_exec *x, uint8_t func_id, struct trn_act_word *word)
{
    struct trn_act_state *const act = &x->state->act;
    const uint8_t opcode = trn_common_opcode(x->word, x->gen->isa);
    const struct trn_act_specials specials = specials_of(act);
    struct trn_act_ready *ready = &act->ready[func_id % TRN_ACT_READY];
    if (!is_ready(ready, act->store.writes, opcode, func_id, &specials)) {
        ready->valid = false;
        const trn_status status = make_ready(x, opcode, func_id, &specials, ready);
        if (status != TRN_OK)
            return status;
    }
    word->x = x;
    word->function = &ready->function;
    word->formula = act->exact ? &ready->formula : NULL;
    word->affine = !ready->function.profile.bias_scale_fma_bypass;
    trn_exec_choice(x, TRN_CHOICE_ACT_DETECTORS);
    if (act->exact) {
        trn_exec_choice(x, TRN_CHOICE_ACT_EXACT);
    } else {
        trn_exec_choice(x, TRN_CHOICE_ACT_CAM_MATCH);
        trn_exec_choice(x, TRN_CHOICE_ACT_CUBIC);
    }
    return TRN_OK;
}

void trn_act_fuse(struct trn_act_word *word)
{
    const struct trn_act_profile *const p = &word->function->profile;
    if (trn_bits_get(p->scale_fuse_en, 0, 1))
        trn_scalar_set(&word->stage[0].imm, p->scale_const);
    if (trn_bits_get(p->bias_fuse_en, 0, 1))
        trn_scalar_set(&word->stage[1].imm, p->bias_const);
}

/* ---- one row --------------------------------------------------------------------------------- */

enum { CHUNK = TRN_TILE_BYTES / sizeof(float) };

static struct trn_ts_op stage_of(const struct trn_act_word *word, int i, uint32_t lane)
{
    return (struct trn_ts_op){.op = word->stage[i].op,
                              .reverse = word->stage[i].reverse,
                              .imm = trn_scalar_f32(&word->stage[i].imm, lane)};
}

void trn_act_affine(const struct trn_act_word *word, uint32_t lane, const float *in, float *v,
                    size_t n)
{
    if (word->affine)
        (void)trn_alu_ts_row(stage_of(word, 0, lane), stage_of(word, 1, lane), in, v, n);
    else if (in != v)
        memcpy(v, in, n * sizeof *v);
}

void trn_act_results(const struct trn_act_word *word, uint32_t lane, const float *v, float *out,
                     size_t n)
{
    const float alpha = trn_scalar_f32(&word->alpha, lane);
    if (word->formula)
        trn_act_formula_apply(word->formula, &word->function->specials, alpha, v, out, n);
    else
        trn_act_apply_alpha(word->function, alpha, v, out, n);
}

static const struct trn_ts_op *quantize_of(const struct trn_act_word *word, struct trn_ts_op ops[2])
{
    ops[0] = (struct trn_ts_op){.op = TRN_ALU_OP_MULT, .imm = word->quant_scale};
    ops[1] = (struct trn_ts_op){.op = TRN_ALU_OP_ADD, .imm = word->quant_zero};
    return ops;
}

/* accumulator = (..(accumulator op f0) op ..), one rounding a step (activation.md 7). */
static void add_up(const struct trn_act_word *word, uint32_t lane, const float *results, size_t n)
{
    float *const accumulator = &word->x->state->act.accumulator[lane];
    _Alignas(64) float row[1 + CHUNK];
    row[0] = *accumulator;
    memcpy(row + 1, results, n * sizeof *row);
    (void)trn_reduce_rows(word->reduce_op, row, sizeof row, 1, 1 + n, accumulator);
    if (word->x->numeric_wanted)
        trn_numeric_raise(
            word->x, trn_numeric_of_folds(word->reduce_op, row, sizeof row, 1, 1 + n, accumulator),
            trn_numeric_source(word->x->engine));
}

static void row_function(const void *context, const struct trn_row *row)
{
    const struct trn_act_word *word = context;
    const float *in = row->a;
    float *out = row->out;
    size_t n;
    for (size_t done = 0; done < row->n; done += n) {
        n = row->n - done < CHUNK ? row->n - done : CHUNK;
        trn_act_affine(word, row->lane, in + done, out + done, n);
        trn_act_results(word, row->lane, out + done, out + done, n);
        if (word->accumulate)
            add_up(word, row->lane, out + done, n);
        struct trn_ts_op ops[2];
        if (word->quantize && quantize_of(word, ops))
            (void)trn_alu_ts_row(ops[0], ops[1], out + done, out + done, n);
    }
}

/* ---- numeric events -------------------------------------------------------------------------- */

static unsigned numeric_of_stage(struct trn_ts_op stage, const float *in, const float *out,
                                 size_t n)
{
    return stage.reverse ? trn_numeric_of_op(stage.op, &stage.imm, 0, in, 1, out, n)
                         : trn_numeric_of_op(stage.op, in, 1, &stage.imm, 0, out, n);
}

/* Two stages behind each other; what lies between them is computed once more. */
static unsigned numeric_of_stages(struct trn_ts_op first, struct trn_ts_op second, const float *in,
                                  const float *out, size_t n)
{
    float between[CHUNK];
    (void)trn_alu_scalar_array(first.op, in, first.imm, first.reverse, between, n);
    return numeric_of_stage(first, in, between, n) | numeric_of_stage(second, between, out, n);
}

/* The affine stage, the function, the quantisation: each as if it were a word of its own. */
static unsigned numeric_of_chunk(const struct trn_act_word *word, uint32_t lane, const float *in,
                                 const float *out, size_t n)
{
    float v[CHUNK], f[CHUNK];
    struct trn_ts_op ops[2];
    unsigned causes = TRN_NUMERIC_NONE;
    trn_act_affine(word, lane, in, v, n);
    if (word->affine)
        causes |= numeric_of_stages(stage_of(word, 0, lane), stage_of(word, 1, lane), in, v, n);
    trn_act_results(word, lane, v, f, n);
    causes |= trn_numeric_of_function(v, f, n);
    if (word->quantize && quantize_of(word, ops))
        causes |= numeric_of_stages(ops[0], ops[1], f, out, n);
    return causes;
}

static unsigned row_numeric(const void *context, const struct trn_row *row)
{
    const float *in = row->a, *out = row->out;
    unsigned causes = TRN_NUMERIC_NONE;
    size_t n;
    for (size_t done = 0; done < row->n; done += n) {
        n = row->n - done < CHUNK ? row->n - done : CHUNK;
        causes |= numeric_of_chunk(context, row->lane, in + done, out + done, n);
    }
    return causes;
}

/* ---- the word -------------------------------------------------------------------------------- */

void trn_act_run(struct trn_act_word *word, struct trn_rows *src, struct trn_rows *dst)
{
    struct trn_map map = {.x = word->x,
                          .num_src = 1,
                          .kernel = row_function,
                          .context = word,
                          .numeric = row_numeric};
    map.src[0] = *src;
    map.dst = *dst;
    if (word->accumulate)
        trn_exec_choice(word->x, TRN_CHOICE_ACT_ACCUMULATE);
    trn_scalar_note_overlap(word->x, &word->stage[0].imm, dst);
    trn_scalar_note_overlap(word->x, &word->stage[1].imm, dst);
    trn_scalar_note_overlap(word->x, &word->alpha, dst);
    if (!trn_act_run_batches(word, src, dst))
        trn_map_run(&map);
}
