/* SPDX-License-Identifier: Apache-2.0 */
/* Immediates of a word (docs/hardware/isa-core.md 7.3): in the word, or one a lane in memory. */
#ifndef TRN_ENGINE_VECTOR_SCALAR_H
#define TRN_ENGINE_VECTOR_SCALAR_H

#include "engine/vector/rows.h"

/* One immediate: 32 bits, fp32 or a zero-extended integer as the word's class asks. */
struct trn_scalar {
    bool in_memory;           /* one a lane; else bits[0] serves all */
    struct trn_operand place; /* when it is in memory */
    uint32_t bits[TRN_LANES];
};

/* `source` is an IMM_SRC, `field` the IMM_VAL of the word, `dtype` what a pointer points at. The
 * scalars of all lanes are read now, before the first result is written. */
trn_status trn_scalar_load(struct trn_exec *x, uint8_t source, const uint8_t *field, uint8_t dtype,
                           enum trn_view view, uint32_t channels, struct trn_scalar *out);

/* One a lane at an address that the word or a register holds. */
trn_status trn_scalar_at(struct trn_exec *x, uint32_t address, uint8_t dtype, enum trn_view view,
                         uint32_t channels, struct trn_scalar *out);

/* Note that results are written over scalars in memory. */
void trn_scalar_note_overlap(struct trn_exec *x, const struct trn_scalar *scalar,
                             const struct trn_rows *dst);

static inline const uint32_t *trn_scalar_of(const struct trn_scalar *scalar, uint32_t lane)
{
    return &scalar->bits[scalar->in_memory ? lane : 0];
}

static inline float trn_scalar_f32(const struct trn_scalar *scalar, uint32_t lane)
{
    return trn_bits_f32(*trn_scalar_of(scalar, lane));
}

static inline void trn_scalar_set(struct trn_scalar *scalar, uint32_t bits)
{
    scalar->in_memory = false;
    scalar->bits[0] = bits;
}

#endif
