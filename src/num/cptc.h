/* SPDX-License-Identifier: Apache-2.0 */
/* What encoder and decoder of CPTC share (docs/hardware/cptc.md 7). */
#ifndef TRN_NUM_CPTC_H
#define TRN_NUM_CPTC_H

#include "trench/cptc.h"

enum { TRN_CPTC_CODES = 1 << TRN_CPTC_MAX_BITS };

/* Value of every code of a number of bits, by the scale and the bias (7.3). */
struct trn_cptc_values {
    float of[TRN_CPTC_CODES];
};
void trn_cptc_values(const struct trn_cptc_format *format, struct trn_cptc_values *out);

/* The number that a code stands for, before scale and bias. */
int trn_cptc_number(unsigned bits, unsigned code);

/* Codes of a run: the block's permutation goes over at most this many (7.2). */
static inline size_t trn_cptc_run(size_t left)
{
    return left < TRN_CPTC_LANES ? left : TRN_CPTC_LANES;
}

/* The packed code that element j of a run of g codes comes from. */
static inline size_t trn_cptc_packed(size_t j, size_t g)
{
    return (j & 3) * (g / 4) + (j >> 2);
}

#endif
