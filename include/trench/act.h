/* SPDX-License-Identifier: Apache-2.0 */
/**
 * trench/act.h - tables of the activation engine: evaluation, sets and files, fitting.
 *
 * The machine is docs/hardware/activation.md. Four tables of fixed size hold every function: CAM
 * (which function number is which slot), PROFILE (one entry a slot), CONTROL (one word an octave)
 * and BUCKET (one cubic a section). Entries are described by trench/act_fields.h, made from
 * data/act-entry-fields.csv and data/act_profile_fields.csv.
 *
 * Everything here is arithmetic on bytes that the caller owns; any thread may call any function.
 */
#ifndef TRENCH_ACT_H
#define TRENCH_ACT_H

#include "trench/act_fields.h"
#include "trench/base.h"
#include "trench/gen.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Entries of each table (activation.md 3.5). */
enum {
    TRN_ACT_CAM_ENTRIES = 128,
    TRN_ACT_PROFILE_ENTRIES = 64,
    TRN_ACT_CONTROL_ENTRIES = 256,
    TRN_ACT_BUCKET_ENTRIES = 2048,
};

/** The four tables as the device holds them, each whole: entries x bytes of an entry. */
struct trn_act_tables {
    enum trn_act_layout layout;
    const uint8_t *cam;
    const uint8_t *profile;
    const uint8_t *control;
    const uint8_t *bucket;
};

/* ---- evaluation ---------------------------------------------------------------------------- */

/** A value is of the class when its bits and the mask are the detector's value. */
struct trn_act_detector {
    uint32_t value;
    uint32_t mask;
};

/** The special-value registers (activation.md 5.1), in the order of the test. */
struct trn_act_specials {
    struct trn_act_detector zero;
    struct trn_act_detector nan;
    struct trn_act_detector pos_inf;
    struct trn_act_detector neg_inf;
    bool negzero_is_zero; /**< choice act.negzero_is_zero: -0 is of the class zero too */
};

/** What the host programs at engine init. */
TRN_API struct trn_act_specials trn_act_specials_default(void);

/**
 * Slot of the first valid CAM entry that matches the opcode and the function number, modulo the
 * number of PROFILE entries; -1 when none does (activation.md 3.1).
 */
TRN_API int trn_act_find_slot(const struct trn_act_tables *tables, uint8_t opcode, uint8_t func_id);

/**
 * out[i] = function of slot `slot` at v[i], by activation.md 5.2 and 5.4; v is what the affine
 * stage gives, alpha the parameter of parametric ReLU (other functions do not read it). Every NaN
 * that the polynomial gives is 7FC00000. out may be v.
 */
TRN_API void trn_act_eval_array(const struct trn_act_tables *tables, unsigned slot,
                                const struct trn_act_specials *specials, float alpha,
                                const float *v, float *out, size_t n);

#ifdef __cplusplus
}
#endif
#endif
