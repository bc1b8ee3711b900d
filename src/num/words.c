/* SPDX-License-Identifier: Apache-2.0 */
/* Raw elements to and from the 32- and 64-bit words that bitvec and integer operators work on. */
#include "num/elements.h"

#define COPY(TO, FROM)                                                                             \
    for (size_t i = 0; i < n; i++)                                                                 \
    (TO)[i] = (__typeof__(*(TO)))(FROM)[i]

TRN_CLONES static void load32(size_t size, bool sign, const void *in, uint32_t *out, size_t n)
{
    if (size == 1 && sign)
        COPY(out, (const int8_t *)in);
    else if (size == 1)
        COPY(out, (const uint8_t *)in);
    else if (size == 2 && sign)
        COPY(out, (const trn_packed_i16 *)in);
    else if (size == 2)
        COPY(out, (const trn_packed_u16 *)in);
    else
        COPY(out, (const trn_packed_u32 *)in);
}

TRN_CLONES static void load64(size_t size, bool sign, const void *in, uint64_t *out, size_t n)
{
    if (size == 1 && sign)
        COPY(out, (const int8_t *)in);
    else if (size == 1)
        COPY(out, (const uint8_t *)in);
    else if (size == 2 && sign)
        COPY(out, (const trn_packed_i16 *)in);
    else if (size == 2)
        COPY(out, (const trn_packed_u16 *)in);
    else if (size == 4 && sign)
        COPY(out, (const trn_packed_i32 *)in);
    else if (size == 4)
        COPY(out, (const trn_packed_u32 *)in);
    else
        COPY(out, (const trn_packed_u64 *)in);
}

TRN_CLONES static void store32(size_t size, const uint32_t *in, void *out, size_t n)
{
    if (size == 1)
        COPY((uint8_t *)out, in);
    else if (size == 2)
        COPY((trn_packed_u16 *)out, in);
    else
        COPY((trn_packed_u32 *)out, in);
}

TRN_CLONES static void store64(size_t size, const uint64_t *in, void *out, size_t n)
{
    if (size == 1)
        COPY((uint8_t *)out, in);
    else if (size == 2)
        COPY((trn_packed_u16 *)out, in);
    else if (size == 4)
        COPY((trn_packed_u32 *)out, in);
    else
        COPY((trn_packed_u64 *)out, in);
}

/* Whether elements fill whole bytes and fit a word of `word` bytes. */
static bool fits(uint8_t dtype, size_t word)
{
    const size_t size = trn_dtype_size(dtype);
    return size != 0 && size <= word;
}

static bool extends_sign(uint8_t dtype, enum trn_extend extend)
{
    return extend == TRN_EXTEND_SIGN && trn_dtype_is_integer(dtype) && trn_dtype_is_signed(dtype);
}

trn_status trn_to_u32_array(uint8_t dtype, enum trn_extend extend, const void *in, uint32_t *out,
                            size_t n)
{
    if (!fits(dtype, sizeof *out))
        return TRN_ERR_INVALID;
    load32(trn_dtype_size(dtype), extends_sign(dtype, extend), in, out, n);
    return TRN_OK;
}

trn_status trn_to_u64_array(uint8_t dtype, enum trn_extend extend, const void *in, uint64_t *out,
                            size_t n)
{
    if (!fits(dtype, sizeof *out))
        return TRN_ERR_INVALID;
    load64(trn_dtype_size(dtype), extends_sign(dtype, extend), in, out, n);
    return TRN_OK;
}

trn_status trn_from_u32_array(uint8_t dtype, const uint32_t *in, void *out, size_t n)
{
    if (!fits(dtype, sizeof *in))
        return TRN_ERR_INVALID;
    store32(trn_dtype_size(dtype), in, out, n);
    return TRN_OK;
}

trn_status trn_from_u64_array(uint8_t dtype, const uint64_t *in, void *out, size_t n)
{
    if (!fits(dtype, sizeof *in))
        return TRN_ERR_INVALID;
    store64(trn_dtype_size(dtype), in, out, n);
    return TRN_OK;
}
