/* SPDX-License-Identifier: Apache-2.0 */
/* CAST: every conversion goes through fp32 (docs/hardware/numerics.md 4.2). */
#include <string.h>

#include "num/format.h"

#define BLOCK 1024 /* elements: a multiple of every container, and the block stays in L1 */

trn_status trn_convert_array(uint8_t in_dtype, uint8_t out_dtype, const struct trn_num_mode *mode,
                             const void *in, void *out, size_t n)
{
    trn_status status = trn_convert_check(in_dtype, mode);
    if (!status)
        status = trn_convert_check(out_dtype, mode);
    if (status || n == 0)
        return status;

    if (in_dtype == out_dtype) {
        uint64_t bytes;
        status = trn_dtype_array_bytes(in_dtype, n, &bytes);
        if (!status)
            memmove(out, in, (size_t)bytes);
        return status;
    }
    if (in_dtype == TRN_DTYPE_FP32 && (uintptr_t)in % _Alignof(float) == 0)
        return trn_from_fp32_array(out_dtype, mode, in, out, n);
    if (out_dtype == TRN_DTYPE_FP32 && (uintptr_t)out % _Alignof(float) == 0)
        return trn_to_fp32_array(in_dtype, mode, in, out, n);

    const unsigned in_bits = trn_dtype_bits(in_dtype), out_bits = trn_dtype_bits(out_dtype);
    const uint8_t *from = in;
    uint8_t *to = out;
    float block[BLOCK];
    for (size_t done = 0; done < n; done += BLOCK) {
        const size_t count = n - done < BLOCK ? n - done : BLOCK;
        trn_to_fp32_array(in_dtype, mode, from, block, count);
        trn_from_fp32_array(out_dtype, mode, block, to, count);
        from += (size_t)BLOCK / 8 * in_bits;
        to += (size_t)BLOCK / 8 * out_bits;
    }
    return TRN_OK;
}
