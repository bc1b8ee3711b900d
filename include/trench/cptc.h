/* SPDX-License-Identifier: Apache-2.0 */
/**
 * trench/cptc.h - the CPTC compressed tensor codec (docs/hardware/cptc.md): 1 to 7 bits an element,
 * in blocks of a multiple of 8 elements, carried as 32-bit words.
 *
 * The bit packing and the arithmetic of the shipped decoder are not known. PLANES is the model's
 * own codec (section 7): every known fact holds in it and it has an exact inverse. BITSHIFT (8) is
 * another reading, which only decodes: its inverse is a search through a trellis.
 *
 * Everything here is arithmetic on arrays: no device, no state. Arrays of bytes may have any
 * alignment; inputs and outputs do not overlap.
 */
#ifndef TRENCH_CPTC_H
#define TRENCH_CPTC_H

#include "trench/base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TRN_CPTC_MAX_BITS = 7, TRN_CPTC_WORKERS = 6, TRN_CPTC_LANES = 64, TRN_CPTC_MAX_BLOCK = 248 };

/** cptc_codec: how the bits of a block are read. */
enum trn_cptc_codec { TRN_CPTC_PLANES, TRN_CPTC_BITSHIFT };

/** What the words of a program say about their blocks. */
struct trn_cptc_format {
    enum trn_cptc_codec codec;
    uint8_t bits;         /**< an element, 1 to 7 */
    uint8_t block_size;   /**< elements of a block, a multiple of 8 above 0 */
    uint16_t constant[2]; /**< PLANES: scale and bias as BF16; BITSHIFT: two multipliers */
};

/** "planes", "bitshift"; NULL for other values. */
TRN_API const char *trn_cptc_codec_name(enum trn_cptc_codec codec);
/** Codec of a name, -1 when there is none. */
TRN_API int trn_cptc_codec_find(const char *name);

/** Bits an element of a dtype code (1): 1 to 7 for CPTC1 to CPTC7, 0 for every other code. */
TRN_API unsigned trn_cptc_bits(uint8_t dtype);

/** Bytes of a block: n * block_size / 8, rounded up to whole 32-bit words (7.1). */
TRN_API size_t trn_cptc_block_bytes(const struct trn_cptc_format *format);

/** TRN_OK for a format that the calls below take; else TRN_ERR_INVALID and what would be right. */
TRN_API trn_status trn_cptc_check(const struct trn_cptc_format *format, struct trn_diag *diag);

/**
 * Element j of a run of 64 comes from byte lane T[j] of its 128 (4): the high byte of 16-bit word
 * T[j] >> 1, which is the packed place that PLANES reads it from. `j` is below TRN_CPTC_LANES.
 */
TRN_API uint8_t trn_cptc_lane(unsigned j);

/**
 * Decode `blocks` blocks, one behind the other: blocks * trn_cptc_block_bytes() bytes to blocks *
 * block_size values. PLANES rounds twice, after the product and after the sum; a NaN is the
 * canonical one. TRN_ERR_INVALID as trn_cptc_check; nothing is written then.
 */
TRN_API trn_status trn_cptc_decode(const struct trn_cptc_format *format, const void *bytes,
                                   size_t blocks, float *out, struct trn_diag *diag);

/**
 * Encode `blocks` blocks of values (7.5): the nearest code, of two equally near ones the even one,
 * values outside the range to its ends. Decoding gives back exactly what a code stands for. Padding
 * bytes are 0. TRN_ERR_UNSUPPORTED for BITSHIFT; TRN_ERR_INVALID for a scale of 0, constants that
 * are not finite, and a NaN, whose place diag names. The bytes are then not to be used.
 */
TRN_API trn_status trn_cptc_encode(const struct trn_cptc_format *format, const float *in,
                                   size_t blocks, void *bytes, struct trn_diag *diag);

/** The shipped decoder's worker for a number of bits (3.1, model choice of the even ones): 1 to 6;
 * 0 for other numbers. */
TRN_API unsigned trn_cptc_worker_of(unsigned bits);

/**
 * Blocks through a worker by number, as trn_cptc_decode. Workers 1, 3 and 5 look at the number of
 * bits themselves and refuse one that is not theirs: TRN_ERR_INVALID under the rule GUARD_MISMATCH.
 * The even ones trust whoever calls them (3). TRN_ERR_RANGE: no such worker.
 */
TRN_API trn_status trn_cptc_worker(unsigned worker, const struct trn_cptc_format *format,
                                   const void *bytes, size_t blocks, float *out,
                                   struct trn_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
