/* SPDX-License-Identifier: Apache-2.0 */
/**
 * trench/gen.h - the generations as constant descriptions.
 *
 * `struct trn_gen` is made from data/generations.csv: one member a row. Code asks a member
 * (gen->sbuf_active_bytes), never which generation it is.
 */
#ifndef TRENCH_GEN_H
#define TRENCH_GEN_H

#include "trench/base.h"
#include "trench/gen_fields.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TRN_GEN_COUNT 5

/** The i-th generation, 0 sunda .. 4 maverick; NULL when i is out of range. Static storage. */
TRN_API const struct trn_gen *trn_gen_at(unsigned i);

/** Generation of that name (lower case, as in the command line); NULL when there is none. */
TRN_API const struct trn_gen *trn_gen_find(const char *name);

/** Kinds of value a description holds. */
enum trn_gen_type { TRN_GEN_STR, TRN_GEN_BOOL, TRN_GEN_U8, TRN_GEN_U16, TRN_GEN_U32, TRN_GEN_U64 };

/** One member of struct trn_gen, described: for matrices and `trench explain`. */
struct trn_gen_row {
    const char *field; /**< member name */
    enum trn_gen_type type;
    size_t offset;                         /**< in struct trn_gen */
    const char *unit;                      /**< may be empty */
    const char *sheet;                     /**< where the fact stands in docs/hardware/ */
    const char *confidence[TRN_GEN_COUNT]; /**< O, I, C, MC, OPEN per generation */
    const char *meaning;
};

/** The i-th row of the description; NULL past the end. */
TRN_API const struct trn_gen_row *trn_gen_row_at(size_t i);

/** Value of a numeric row for a generation (0 for strings). */
TRN_API uint64_t trn_gen_value(const struct trn_gen *gen, const struct trn_gen_row *row);
/** Value of a string row (empty for numbers). */
TRN_API const char *trn_gen_string(const struct trn_gen *gen, const struct trn_gen_row *row);

#ifdef __cplusplus
}
#endif
#endif
