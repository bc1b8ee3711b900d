/* SPDX-License-Identifier: Apache-2.0 */
/* Activation words (docs/hardware/activation.md 2): what their parts give each other. */
#ifndef TRN_ENGINE_ACT_WORDS_H
#define TRN_ENGINE_ACT_WORDS_H

#include "engine/act/act.h"
#include "engine/vector/map.h"
#include "engine/vector/scalar.h"

/* ---- function.c: from a stored element to the result of the function ----------------------- */

/* One stage of the affine part: x op imm, or imm op x. */
struct trn_act_stage {
    uint8_t op;
    bool reverse;
    struct trn_scalar imm;
};

/* f(affine(x)), what is added up, and what is stored. */
struct trn_act_word {
    struct trn_exec *x;
    const struct trn_act_function *function;
    const struct trn_act_formula *formula; /* act.mode = exact: evaluated in its place; or NULL */
    struct trn_act_stage stage[2];
    struct trn_scalar alpha; /* of parametric ReLU */
    bool affine;             /* false: the function takes the element as it is */

    bool quantize; /* ACTIVATE_QUANTIZE: the result again is scaled and shifted */
    float quant_scale, quant_zero;

    bool accumulate;   /* results go into the lane's accumulator ... */
    uint8_t reduce_op; /* ... by this operator */
};

/* The function that the word's opcode and number select; a fault when no CAM entry matches. */
trn_status trn_act_find(struct trn_exec *x, uint8_t func_id, struct trn_act_word *word);

/* Stage 0 multiplies by scale and stage 1 adds bias; the PROFILE's own constants where it has some.
 */
void trn_act_fuse(struct trn_act_word *word);

/* v = the affine stage of n elements of a lane; v may be `in`. */
void trn_act_affine(const struct trn_act_word *word, uint32_t lane, const float *in, float *v,
                    size_t n);

/* out = the function of n such values; out may be v. */
void trn_act_results(const struct trn_act_word *word, uint32_t lane, const float *v, float *out,
                     size_t n);

/* Run the word over the elements of src; dst has as many. */
void trn_act_run(struct trn_act_word *word, struct trn_rows *src, struct trn_rows *dst);

/* ---- batches.c ----------------------------------------------------------------------------- */

/* Run words that are common and have a quicker way than an element-wise word in general, with the
 * same results; false when the word is none of them. */
bool trn_act_run_batches(struct trn_act_word *word, const struct trn_rows *src,
                         const struct trn_rows *dst);

/* ---- exact.c, strict.c: the choices act.mode and act.strict -------------------------------- */

/* Fill `out` with the formula of a function instead of its tables; a fault when it has none. */
trn_status trn_act_make_exact(struct trn_exec *x, uint8_t func_id, struct trn_act_ready *out);

/* Strict: a fault when some value of the word reads a section that its function does not have.
 * Called before anything is changed. */
trn_status trn_act_check_sections(const struct trn_act_word *word, const struct trn_rows *src);

/* ---- handlers ------------------------------------------------------------------------------ */

trn_status trn_run_activate(struct trn_exec *x);
trn_status trn_run_activate_quantize(struct trn_exec *x);
trn_status trn_run_activation_table_load(struct trn_exec *x);
trn_status trn_run_activation_read_accumulator(struct trn_exec *x);
trn_status trn_run_activate2(struct trn_exec *x);

#endif
