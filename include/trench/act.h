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

struct trn_act_member;

/** The four tables as the device holds them, each whole: entries x bytes of an entry. */
struct trn_act_tables {
    enum trn_act_layout layout;
    const uint8_t *cam;
    const uint8_t *profile;
    const uint8_t *control;
    const uint8_t *bucket;
    /** Who is in them, when that is known; act.mode = exact takes expressions from here. */
    const struct trn_act_member *member;
    unsigned num_members;
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

/* ---- one function ---------------------------------------------------------------------------- */

/** Bytes of a name, its NUL included. */
#define TRN_ACT_NAME_BYTES 64
/** Bytes of an expression, its NUL included. */
#define TRN_ACT_EXPRESSION_BYTES 256

/**
 * A function's part of the tables, not placed yet: CONTROL words count buckets from its first one,
 * the clamps of the PROFILE too, and its control bases are 0 and the negative octaves' number.
 * About 48 KB.
 */
struct trn_act_table {
    char name[TRN_ACT_NAME_BYTES];
    char expression[TRN_ACT_EXPRESSION_BYTES]; /**< what it was fitted to; may be empty */
    uint8_t func_id;
    float lo, hi; /**< inputs that it was made for; outside a clamp answers */
    struct trn_act_profile profile;
    uint16_t num_control;
    uint16_t num_bucket;
    struct trn_act_control control[TRN_ACT_CONTROL_ENTRIES];
    struct trn_act_bucket bucket[TRN_ACT_BUCKET_ENTRIES];
};

/** Symmetry that a table uses (activation.md 5.3). */
enum trn_act_fold {
    TRN_ACT_FOLD_AUTO, /**< found by looking at the function */
    TRN_ACT_FOLD_NONE,
    TRN_ACT_FOLD_ODD,
    TRN_ACT_FOLD_EVEN,
    TRN_ACT_FOLD_POINT, /**< about (0, c/2), c = f(x) + f(-x); the negative half is stored */
};

/** What answers beyond a finite end of the range. */
enum trn_act_outside {
    TRN_ACT_OUTSIDE_HOLD,        /**< the value at the end */
    TRN_ACT_OUTSIDE_EXTRAPOLATE, /**< the cubic about the end */
};

/** What to fit. Start from trn_act_fit_options_default(). */
struct trn_act_fit_options {
    const char *name;       /**< of the table */
    const char *expression; /**< in x; trn_act_expression_help() */
    uint8_t func_id;
    float lo, hi; /**< -Inf and +Inf: everything */
    enum trn_act_fold fold;
    enum trn_act_outside outside;
    bool parametric;      /**< parametric ReLU: the slope below 0 comes with the instruction */
    bool taylor;          /**< coefficients of the Taylor series, not Chebyshev interpolation */
    unsigned max_buckets; /**< of the table, its 4 clamps included */
    unsigned max_control; /**< octaves of both regions */
    double floor;         /**< results below it are fitted to this size's accuracy */
    double tolerance;     /**< 0: the best within max_buckets; else relative error to reach */
    const char *extract;  /**< NULL, or the plan: "LOWEST: SIZE*COUNT SIZE ..." in octaves */
    uint32_t large_pos, large_neg; /**< with `extract`: bits of the first saturated magnitude */
    const char *special[4]; /**< result for zero, NaN, +Inf, -Inf as hexadecimal bits, or NULL */
};

TRN_API struct trn_act_fit_options trn_act_fit_options_default(void);

/**
 * Fit a function (activation.md 10). *tolerance (may be NULL) receives the relative error that the
 * sections were chosen for. TRN_ERR_INVALID: the expression does not parse, diverges in the range,
 * or an option is outside its rule; TRN_ERR_TOO_LARGE: the tables cannot hold it, and what would
 * help. *out is then unchanged.
 */
TRN_API trn_status trn_act_fit(const struct trn_act_fit_options *options, struct trn_act_table *out,
                               double *tolerance, struct trn_diag *diag);

/** How a shipped function is made: a row of data/act-recipes.csv. Static storage. */
struct trn_act_recipe {
    struct trn_act_fit_options options;
    const char *variant; /**< budget name in a set's roster; empty for the residents of every set */
    const char *sheet;
    const char *confidence;
    const char *note;
    const char *manual; /**< the function's other name in the manual, such as "Prelu"; or empty */
};

/** The i-th recipe; NULL past the end. */
TRN_API const struct trn_act_recipe *trn_act_recipe_at(size_t i);

/** "gelu" (its first variant) or "gelu[general]", in capitals or not; the manual's other name will
 * do. NULL when there is none. */
TRN_API const struct trn_act_recipe *trn_act_recipe_find(const char *name);

/** The i-th named function of an expression and its meaning; NULL past the end. */
TRN_API const char *trn_act_expression_function(size_t i, const char **meaning);

/**
 * Error of a table against its function. Formats: 0 FP32, 1 BF16, 2 FP16. A result is rounded to
 * the format and held against the exact value, in units of the last place of that value. Inputs
 * outside the table's range are left out, as are those where neither has a number, and of the
 * units values without a last place: 0, and infinities on both sides. At the largest value of a
 * format the result is not rounded.
 */
struct trn_act_error {
    double max_ulp[3], mean_ulp[3];
    float max_ulp_at[3];
    double max_absolute, mean_absolute;
    float max_absolute_at;
    uint64_t inputs;  /**< measured */
    uint64_t outside; /**< left out */
};

/** The finite BF16 inputs (65,280 of the 65,536), and `n` FP32 inputs spread over the range. */
TRN_API trn_status trn_act_measure(const struct trn_act_table *table, const char *expression,
                                   uint64_t n, struct trn_act_error *bf16,
                                   struct trn_act_error *fp32, struct trn_diag *diag);

/** f(x[i]) in double, for plots. TRN_ERR_INVALID when the expression does not parse. */
TRN_API trn_status trn_act_expression_values(const char *expression, const float *x, double *out,
                                             size_t n, struct trn_diag *diag);

/** Whether a function was made for this input. */
TRN_API bool trn_act_in_range(const struct trn_act_table *table, float x);

/* ---- sets ------------------------------------------------------------------------------------ */

/** A function of a set. */
struct trn_act_member {
    char name[TRN_ACT_NAME_BYTES];
    char expression[TRN_ACT_EXPRESSION_BYTES];
    uint8_t func_id;
    uint8_t slot;
    float lo, hi;
};

/** Functions that are resident together: the four tables, whole. About 110 KB: not for the stack.
 */
struct trn_act_set {
    char name[TRN_ACT_NAME_BYTES];
    enum trn_act_layout layout;
    uint16_t num_functions;
    uint16_t num_control; /**< words in use */
    uint16_t num_bucket;
    struct trn_act_member member[TRN_ACT_PROFILE_ENTRIES];
    uint8_t cam[TRN_ACT_CAM_ENTRIES * TRN_ACT_CAM_BYTES];
    uint8_t profile[TRN_ACT_PROFILE_ENTRIES * TRN_ACT_PROFILE_BYTES];
    uint8_t control[TRN_ACT_CONTROL_ENTRIES * TRN_ACT_CONTROL_BYTES];
    uint8_t bucket[TRN_ACT_BUCKET_ENTRIES * TRN_ACT_BUCKET_BYTES];
};

/** An empty set. TRN_ERR_INVALID: the name is empty or longer than 63 characters. */
TRN_API trn_status trn_act_set_init(struct trn_act_set *set, const char *name,
                                    enum trn_act_layout layout, struct trn_diag *diag);

/** Place a function behind those already there. TRN_ERR_TOO_LARGE: a table is full, which and by
 * how much; TRN_ERR_INVALID: the number or name is taken. The set is then unchanged. */
TRN_API trn_status trn_act_set_add(struct trn_act_set *set, const struct trn_act_table *table,
                                   struct trn_diag *diag);

/** Take the i-th function out again, as it was before it was placed. */
TRN_API trn_status trn_act_set_get(const struct trn_act_set *set, unsigned i,
                                   struct trn_act_table *table, struct trn_diag *diag);

/** Index of a function by name or by number ("7", "0x07"); -1 when the set has none. */
TRN_API int trn_act_set_find(const struct trn_act_set *set, const char *name);

/** The same entries in another layout. */
TRN_API void trn_act_set_convert(struct trn_act_set *set, enum trn_act_layout layout);

/** The set's tables, borrowed. */
TRN_API struct trn_act_tables trn_act_set_tables(const struct trn_act_set *set);

/** A finding of trn_act_set_check(). */
struct trn_act_finding {
    bool is_error;
    const char *rule;
    char where[64];
    char message[256];
    char expected[128];
};

/**
 * Hold a set against the rules of docs/activation.md: capacities, places inside the tables,
 * sections and thresholds that belong together, the layout. Stores up to `max` findings and
 * returns how many there are.
 */
TRN_API size_t trn_act_set_check(const struct trn_act_set *set, struct trn_act_finding *findings,
                                 size_t max);

/**
 * The choice act.mode = exact (activation.md 9): out[i] = the expression of the function at v[i],
 * rounded once; special values are detected as with tables. TRN_ERR_INVALID: the function has no
 * expression, or one that does not parse.
 */
TRN_API trn_status trn_act_exact_array(const struct trn_act_member *member,
                                       const struct trn_act_specials *specials, float alpha,
                                       const float *v, float *out, size_t n, struct trn_diag *diag);

/* ---- entries, decoded ------------------------------------------------------------------------ */

enum trn_act_entry { TRN_ACT_CAM, TRN_ACT_PROFILE, TRN_ACT_CONTROL, TRN_ACT_BUCKET };

/** A field of an entry. Strings have static storage. */
struct trn_act_field {
    const char *name;
    unsigned bit_lo, bits;
    uint32_t value;
    const char *meaning;
};

/** The i-th field that the layout has, out of the entry's bytes; false past the end. */
TRN_API bool trn_act_field_at(enum trn_act_entry entry, enum trn_act_layout layout,
                              const uint8_t *bytes, size_t i, struct trn_act_field *out);

/* ---- shipped sets ---------------------------------------------------------------------------- */

/**
 * Name of the i-th shipped set, NULL past the end. Places 0 to 20 are the Trainium roster
 * (activation.md 9): an instruction's act_tbl_sel names them when they are registered in this
 * order; the last one, "general", holds the functions that programs use most.
 */
TRN_API const char *trn_act_shipped_name(size_t i);

/** Place of a shipped set by name, or of the first that has all `n` functions; -1 when none. */
TRN_API int trn_act_shipped_find(const char *name);
TRN_API int trn_act_shipped_with(const uint8_t *func_ids, size_t n);

/** Make the i-th shipped set in a layout. TRN_ERR_NOT_FOUND past the end. */
TRN_API trn_status trn_act_shipped_set(size_t i, enum trn_act_layout layout,
                                       struct trn_act_set *out, struct trn_diag *diag);

/* ---- files ----------------------------------------------------------------------------------- */

/** Largest file. */
#define TRN_ACT_FILE_MAX (256 * 1024)

/**
 * Read a set out of a file's bytes; `file` names it in diagnostics. TRN_ERR_FORMAT: not such a
 * file, or truncated; TRN_ERR_INVALID: the first error that trn_act_set_check() finds.
 */
TRN_API trn_status trn_act_file_parse(const void *bytes, size_t size, const char *file,
                                      struct trn_act_set *out, struct trn_diag *diag);

/** The file of a set: at most TRN_ACT_FILE_MAX bytes to `out`; returns how many. */
TRN_API size_t trn_act_file_build(const struct trn_act_set *set, uint8_t *out);

/** TRN_OK when the set has the layout of this generation, else TRN_ERR_INVALID and both names. */
TRN_API trn_status trn_act_set_expect(const struct trn_act_set *set, const char *file,
                                      const struct trn_gen *gen, struct trn_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
