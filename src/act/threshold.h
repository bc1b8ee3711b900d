/* SPDX-License-Identifier: Apache-2.0 */
/* The four thresholds of a PROFILE as magnitudes: a biased exponent and a tie-break mantissa in two
 * fields (activation.md 3.2). */
#ifndef TRN_ACT_THRESHOLD_H
#define TRN_ACT_THRESHOLD_H

#include "base/bytes.h"
#include "trench/act_fields.h"

enum {
    TRN_ACT_MANTISSA_BITS = 23,
    TRN_ACT_EXPONENT_BITS = 8,
    TRN_ACT_THRESHOLD_LSBS = 11,
    TRN_ACT_THRESHOLD_MSBS = 12,
};

/* exponent_offset: the lowest octave in two's complement. */
static inline int trn_act_lowest_octave(const struct trn_act_profile *p)
{
    enum { SIGN = 0x80 };
    return (p->exponent_offset ^ SIGN) - SIGN;
}

/* Exponent and mantissa of magnitude bits into the fields of one threshold, tie test on. */
#define TRN_ACT_THRESHOLD(end)                                                                     \
    static inline void trn_act_set_##end(struct trn_act_profile *p, uint32_t magnitude)            \
    {                                                                                              \
        p->end##_signal_threshold =                                                                \
            (uint8_t)trn_bits_get(magnitude, TRN_ACT_MANTISSA_BITS, TRN_ACT_EXPONENT_BITS);        \
        p->end##_mantissa_threshold_msbs =                                                         \
            (uint16_t)trn_bits_get(magnitude, TRN_ACT_THRESHOLD_LSBS, TRN_ACT_THRESHOLD_MSBS);     \
        p->end##_mantissa_threshold_lsbs =                                                         \
            (uint16_t)trn_bits_get(magnitude, 0, TRN_ACT_THRESHOLD_LSBS);                          \
        p->end##_mantissa_compare_enable = 1;                                                      \
    }                                                                                              \
    static inline uint32_t trn_act_get_##end(const struct trn_act_profile *p)                      \
    {                                                                                              \
        uint64_t magnitude = p->end##_mantissa_threshold_lsbs;                                     \
        magnitude = trn_bits_set(magnitude, TRN_ACT_THRESHOLD_LSBS, TRN_ACT_THRESHOLD_MSBS,        \
                                 p->end##_mantissa_threshold_msbs);                                \
        return (uint32_t)trn_bits_set(magnitude, TRN_ACT_MANTISSA_BITS, TRN_ACT_EXPONENT_BITS,     \
                                      p->end##_signal_threshold);                                  \
    }

TRN_ACT_THRESHOLD(small_pos)
TRN_ACT_THRESHOLD(small_neg)
TRN_ACT_THRESHOLD(large_pos)
TRN_ACT_THRESHOLD(large_neg)

#endif
