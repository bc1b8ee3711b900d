/* SPDX-License-Identifier: Apache-2.0 */
/* Stochastic rounding of the output converters (docs/hardware/numerics.md 6): one LFSR draw for
 * each element, NaNs and exact values included (model choice). */
#include "num/format.h"

/* Significand of |x| plus random bits below the target's last place, then truncated. */
static uint32_t narrow_magnitude(uint32_t mag, uint32_t random, unsigned man_bits, unsigned bias)
{
    const uint32_t exponent = mag >> 23;
    const uint32_t significand = (mag & 0x7FFFFF) | (exponent ? 0x800000 : 0);
    const uint32_t from = exponent ? exponent : 1;
    const uint32_t lowest = 128 - bias; /* of a normal number of the target */
    const uint32_t place = from > lowest ? from : lowest;
    const uint32_t drop = 23 - man_bits + (place - from);
    uint32_t steps;
    if (drop <= 24) {
        steps = (significand + (random & ((1u << drop) - 1))) >> drop;
    } else {
        /* below half the smallest subnormal: up with probability |x| / smallest, from the top 24
         * bits; 24 more places make every significand smaller than the first non-zero draw */
        const uint32_t places = drop - 24 < 24 ? drop - 24 : 24;
        steps = (uint64_t)(random >> 8) << places < significand;
    }
    return ((place - lowest) << man_bits) + steps;
}

void trn_narrow_stochastic(uint8_t dtype, const struct trn_num_mode *mode, const float *in,
                           void *out, size_t n)
{
    struct trn_format f;
    trn_format_get(dtype, mode, &f);
    const size_t size = trn_dtype_size(dtype);
    uint8_t *to = out;
    for (size_t i = 0; i < n; i++) {
        const uint32_t u = trn_f32_bits(in[i]);
        const uint32_t random = trn_lfsr_next(mode->lfsr);
        const uint32_t code = narrow_magnitude(u & ~TRN_F32_SIGN, random, f.man_bits, f.bias);
        uint32_t bits = trn_narrow_finish(in[i], code, &f);
        if (dtype == TRN_DTYPE_FP32R)
            bits <<= 23 - f.man_bits;
        memcpy(to + i * size, &bits, size);
    }
}
