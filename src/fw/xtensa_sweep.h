/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep and the literals it knows. */
#ifndef TRN_FW_XTENSA_SWEEP_H
#define TRN_FW_XTENSA_SWEEP_H

#include "fw/xtensa.h"

struct trn_xtensa_sweep {
    const struct trn_xtensa_code *code;
    uint8_t *literal;   /* one bit an aligned word: an l32r reaches it */
    uint64_t num_words; /* from the word that holds the first byte */
    size_t at;          /* offset of the next piece */
    size_t next_label, next_pending;
    bool in_step; /* nothing doubtful since the last place that is certain */
    struct trn_xtensa_stats stats;
};

/* Literals: set once before the sweep. */
void trn_xtensa_find_literals(struct trn_xtensa_sweep *sweep);
bool trn_xtensa_is_literal(const struct trn_xtensa_sweep *sweep, size_t offset);
/* Where the next literal or label behind `offset` and before `end` starts; `end` without one. */
size_t trn_xtensa_next_mark(const struct trn_xtensa_sweep *sweep, size_t offset, size_t end);

/* Back to the first byte; what is known about literals stays. */
void trn_xtensa_rewind(struct trn_xtensa_sweep *sweep);

#endif
