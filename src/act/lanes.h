/* SPDX-License-Identifier: Apache-2.0 */
/* Sixteen values side by side. The compiler splits the vectors where the host's are shorter; they
 * are handed on by address, as no calling convention is theirs on every host. */
#ifndef TRN_ACT_LANES_H
#define TRN_ACT_LANES_H

#include <stddef.h>
#include <stdint.h>

#include "num/elements.h"

enum { TRN_ACT_LANES = 16 };

typedef uint32_t trn_word16 __attribute__((vector_size(64)));
typedef float trn_float4 __attribute__((vector_size(16)));
typedef float trn_float8 __attribute__((vector_size(32)));
typedef float trn_float16 __attribute__((vector_size(64)));
typedef double trn_double16 __attribute__((vector_size(128)));

/* Four rows of four floats behind each other. */
TRN_INLINE void trn_act_four_rows(const uint8_t *rows, const uint32_t *offset, trn_float16 *out)
{
    const trn_float4 a = *(const trn_float4 *)(const void *)(rows + offset[0]);
    const trn_float4 b = *(const trn_float4 *)(const void *)(rows + offset[4]);
    const trn_float4 c = *(const trn_float4 *)(const void *)(rows + offset[8]);
    const trn_float4 d = *(const trn_float4 *)(const void *)(rows + offset[12]);
    const trn_float8 low = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
    const trn_float8 high = __builtin_shufflevector(c, d, 0, 1, 2, 3, 4, 5, 6, 7);
    *out = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

/* Pick from a pair of vectors, the same way in each quarter. */
#define TRN_ACT_QUARTERS(A, B, I, J, K, L)                                                         \
    __builtin_shufflevector(A, B, (I), (J), (K), (L), (I) + 4, (J) + 4, (K) + 4, (L) + 4, (I) + 8, \
                            (J) + 8, (K) + 8, (L) + 8, (I) + 12, (J) + 12, (K) + 12, (L) + 12)

/* The rows at sixteen byte offsets, a column a vector. Quarter q of the vectors that are read holds
 * rows 4q .. 4q + 3, so that what is taken within quarters comes out in order. */
TRN_INLINE void trn_act_columns(const float (*rows)[4], const uint32_t *offset, trn_float16 d[4])
{
    const uint8_t *const bytes = (const uint8_t *)rows;
    trn_float16 a, b, c, e;
    trn_act_four_rows(bytes, offset, &a);
    trn_act_four_rows(bytes, offset + 1, &b);
    trn_act_four_rows(bytes, offset + 2, &c);
    trn_act_four_rows(bytes, offset + 3, &e);
    const trn_float16 ab01 = TRN_ACT_QUARTERS(a, b, 0, 16, 1, 17);
    const trn_float16 ab23 = TRN_ACT_QUARTERS(a, b, 2, 18, 3, 19);
    const trn_float16 ce01 = TRN_ACT_QUARTERS(c, e, 0, 16, 1, 17);
    const trn_float16 ce23 = TRN_ACT_QUARTERS(c, e, 2, 18, 3, 19);
    d[0] = TRN_ACT_QUARTERS(ab01, ce01, 0, 1, 16, 17);
    d[1] = TRN_ACT_QUARTERS(ab01, ce01, 2, 3, 18, 19);
    d[2] = TRN_ACT_QUARTERS(ab23, ce23, 0, 1, 16, 17);
    d[3] = TRN_ACT_QUARTERS(ab23, ce23, 2, 3, 18, 19);
}

#endif
