/* SPDX-License-Identifier: Apache-2.0 */
/* What a dtype code is: questions that the row of dtypes.csv answers. */
#include <strings.h>

#include "num/num_rows.h"
#include "trench/num.h"

/* Names in common use for the manual's own (dtypes.csv, numerics.md 2). */
static const struct {
    const char *alias;
    uint8_t dtype;
} aliases[] = {
    {"bf16", TRN_DTYPE_BFLOAT16},
    {"half", TRN_DTYPE_FP16},
    {"f16", TRN_DTYPE_FP16},
    {"float16", TRN_DTYPE_FP16},
    {"float", TRN_DTYPE_FP32},
    {"f32", TRN_DTYPE_FP32},
    {"float32", TRN_DTYPE_FP32},
    {"float32r", TRN_DTYPE_FP32R},
    {"e3m4", TRN_DTYPE_FP8_EXP3},
    {"fp8_e3m4", TRN_DTYPE_FP8_EXP3},
    {"float8_e3m4", TRN_DTYPE_FP8_EXP3},
    {"e4m3", TRN_DTYPE_FP8_EXP4},
    {"fp8_e4m3", TRN_DTYPE_FP8_EXP4},
    {"float8_e4m3", TRN_DTYPE_FP8_EXP4},
    {"e5m2", TRN_DTYPE_FP8_EXP5},
    {"fp8_e5m2", TRN_DTYPE_FP8_EXP5},
    {"float8_e5m2", TRN_DTYPE_FP8_EXP5},
    {"e2m5", TRN_DTYPE_FP8_EXP2},
    {"fp8_e2m5", TRN_DTYPE_FP8_EXP2},
    {"fp4", TRN_DTYPE_FP4_EXP2},
    {"e2m1", TRN_DTYPE_FP4_EXP2},
    {"fp4_e2m1", TRN_DTYPE_FP4_EXP2},
    {"e8m0", TRN_DTYPE_SFP8_E8},
    {"i4", TRN_DTYPE_INT4},
    {"i8", TRN_DTYPE_INT8},
    {"u8", TRN_DTYPE_UINT8},
    {"i16", TRN_DTYPE_INT16},
    {"u16", TRN_DTYPE_UINT16},
    {"i32", TRN_DTYPE_INT32},
    {"u32", TRN_DTYPE_UINT32},
    {"i64", TRN_DTYPE_INT64},
    {"u64", TRN_DTYPE_UINT64},
};

enum trn_dtype_kind trn_dtype_kind(uint8_t dtype)
{
    const struct trn_dtype_row *row = &trn_dtype_table[dtype];
    if (row->bits == 0)
        return TRN_DTYPE_KIND_NONE;
    if (row->exp_bits != 0)
        return row->sign == TRN_SIGNED ? TRN_DTYPE_KIND_FLOAT : TRN_DTYPE_KIND_SCALE;
    return row->sign == TRN_SIGNLESS ? TRN_DTYPE_KIND_TRANSPORT : TRN_DTYPE_KIND_INTEGER;
}

const char *trn_dtype_name(uint8_t dtype)
{
    return trn_dtype_table[dtype].name;
}

int trn_dtype_find(const char *name)
{
    for (int code = 0; code < 256; code++)
        if (trn_dtype_table[code].bits && strcasecmp(trn_dtype_table[code].name, name) == 0)
            return code;
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
        if (strcasecmp(aliases[i].alias, name) == 0)
            return aliases[i].dtype;
    return -1;
}

unsigned trn_dtype_bits(uint8_t dtype)
{
    return trn_dtype_table[dtype].bits;
}

size_t trn_dtype_size(uint8_t dtype)
{
    const struct trn_dtype_row *row = &trn_dtype_table[dtype];
    return row->bits == 8 * row->size_bytes ? row->size_bytes : 0;
}

size_t trn_dtype_align(uint8_t dtype)
{
    const uint8_t align = trn_dtype_table[dtype].align_bytes;
    return align ? align : 1;
}

bool trn_dtype_is_signed(uint8_t dtype)
{
    return trn_dtype_table[dtype].sign == TRN_SIGNED;
}

bool trn_dtype_is_integer(uint8_t dtype)
{
    return trn_dtype_kind(dtype) == TRN_DTYPE_KIND_INTEGER;
}

trn_status trn_dtype_array_bytes(uint8_t dtype, uint64_t n, uint64_t *bytes)
{
    const struct trn_dtype_row *row = &trn_dtype_table[dtype];
    if (row->bits == 0)
        return TRN_ERR_INVALID;
    const uint64_t containers = n / row->size_elements + (n % row->size_elements != 0);
    if (__builtin_mul_overflow(containers, row->size_bytes, bytes))
        return TRN_ERR_TOO_LARGE;
    /* CPTCn: 8 codes to n bytes, and no container beyond the last started byte */
    if (trn_dtype_kind(dtype) == TRN_DTYPE_KIND_TRANSPORT)
        *bytes = n / 8 * row->bits + (n % 8 * row->bits + 7) / 8;
    return TRN_OK;
}

trn_status trn_dtype_convertible(uint8_t dtype, struct trn_diag *diag)
{
    switch (trn_dtype_kind(dtype)) {
    case TRN_DTYPE_KIND_FLOAT:
    case TRN_DTYPE_KIND_INTEGER:
    case TRN_DTYPE_KIND_SCALE:
        return TRN_OK;
    case TRN_DTYPE_KIND_TRANSPORT:
        return trn_diag_set(diag, TRN_ERR_UNSUPPORTED, NULL, NULL, "a float, integer or scale type",
                            "dtype 0x%02X (%s) only transports codes and has no numeric value",
                            dtype, trn_dtype_name(dtype));
    case TRN_DTYPE_KIND_NONE:
        break;
    }
    return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, "a code of data/dtypes.csv",
                        "dtype 0x%02X is not defined", dtype);
}
