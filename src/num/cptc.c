/* SPDX-License-Identifier: Apache-2.0 */
/* Formats, workers and decoders of CPTC (docs/hardware/cptc.md; section numbers are its). */
#include "num/cptc.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/bytes.h"
#include "num/num_rows.h"

/* ---- formats ------------------------------------------------------------------------ */

static const char *const codec_names[] = {
    [TRN_CPTC_PLANES] = "planes", [TRN_CPTC_BITSHIFT] = "bitshift"};
enum { CODECS = sizeof codec_names / sizeof codec_names[0] };

const char *trn_cptc_codec_name(enum trn_cptc_codec codec)
{
    return (unsigned)codec < CODECS ? codec_names[codec] : NULL;
}

int trn_cptc_codec_find(const char *name)
{
    for (int i = 0; i < CODECS; i++)
        if (strcasecmp(name, codec_names[i]) == 0)
            return i;
    return -1;
}

unsigned trn_cptc_bits(uint8_t dtype)
{
    enum { CLASS = 0x18, BITS = 3, CODE_BITS = 8 };
    const unsigned bits = (unsigned)trn_bits_get(dtype, 0, BITS);
    return trn_bits_get(dtype, BITS, CODE_BITS - BITS) == CLASS >> BITS ? bits : 0;
}

size_t trn_cptc_block_bytes(const struct trn_cptc_format *format)
{
    const size_t bytes = (size_t)format->bits * format->block_size / 8;
    return (bytes + sizeof(uint32_t) - 1) / sizeof(uint32_t) * sizeof(uint32_t);
}

trn_status trn_cptc_check(const struct trn_cptc_format *format, struct trn_diag *diag)
{
    if (!trn_cptc_codec_name(format->codec))
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, "planes or bitshift",
                            "codec %d does not exist", (int)format->codec);
    if (format->bits < 1 || format->bits > TRN_CPTC_MAX_BITS)
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, "1 to 7", "%u bits an element",
                            format->bits);
    if (format->block_size == 0 || format->block_size % 8 != 0)
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, "cptc_block_size",
                            "a multiple of 8 from 8 to 248", "blocks of %u elements",
                            format->block_size);
    return TRN_OK;
}

uint8_t trn_cptc_lane(unsigned j)
{
    return (uint8_t)(2 * trn_cptc_packed(j % TRN_CPTC_LANES, TRN_CPTC_LANES) + 1);
}

/* ---- workers (3) -------------------------------------------------------------------- */

_Static_assert(sizeof trn_cptc_worker_table == TRN_CPTC_WORKERS * sizeof trn_cptc_worker_table[0],
               "one row a worker");

unsigned trn_cptc_worker_of(unsigned bits)
{
    for (unsigned i = 0; i < TRN_CPTC_WORKERS; i++)
        if (bits >= trn_cptc_worker_table[i].first_bits &&
            bits <= trn_cptc_worker_table[i].last_bits)
            return i + 1;
    return 0;
}

trn_status trn_cptc_worker(unsigned worker, const struct trn_cptc_format *format, const void *bytes,
                           size_t blocks, float *out, struct trn_diag *diag)
{
    if (worker < 1 || worker > TRN_CPTC_WORKERS)
        return trn_diag_set(diag, TRN_ERR_RANGE, NULL, NULL, "1 to 6", "there is no worker %u",
                            worker);
    const unsigned guard = trn_cptc_worker_table[worker - 1].guard;
    if (guard && format->bits != guard)
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, "GUARD_MISMATCH", NULL,
                            "worker %u decodes %u bits an element, not %u", worker, guard,
                            format->bits);
    return trn_cptc_decode(format, bytes, blocks, out, diag);
}

/* ---- values (7.3) -------------------------------------------------------------------- */

int trn_cptc_number(unsigned bits, unsigned code)
{
    if (bits == 1)
        return code ? 1 : -1;
    const int wrap = 1 << bits;
    return bits >= 4 && (int)code >= wrap / 2 ? (int)code - wrap : (int)code;
}

static float bf16(uint16_t bits)
{
    return trn_bits_f32((uint32_t)trn_bits_set(0, 16, 16, bits));
}

void trn_cptc_values(const struct trn_cptc_format *format, struct trn_cptc_values *out)
{
    const float scale = bf16(format->constant[0]), bias = bf16(format->constant[1]);
    for (unsigned code = 0; code < 1u << format->bits; code++) {
        const float product = (float)trn_cptc_number(format->bits, code) * scale;
        const float value = product + bias;
        out->of[code] = isnan(value) ? trn_bits_f32(0x7FC00000) : value;
    }
}

/* ---- PLANES (7.1, 7.2) --------------------------------------------------------------- */

/* Bit k of a byte as byte k of the result, 0 or 1. */
static uint64_t spread(uint8_t byte)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    const uint64_t bits = byte * ones & UINT64_C(0x8040201008040201);
    return (bits + 0x7F * ones) / 0x80 & ones;
}

/* Codes of the `bytes` bytes of each plane from `at` on, eight a byte. */
static void read_codes(const struct trn_cptc_format *format, const uint8_t *at, size_t bytes,
                       uint8_t codes[TRN_CPTC_LANES])
{
    const size_t plane_bytes = format->block_size / 8;
    for (size_t i = 0; i < bytes; i++) {
        uint64_t eight = 0;
        for (unsigned p = 0; p < format->bits; p++)
            eight |= spread(at[p * plane_bytes + i]) << p;
        trn_put64(codes + 8 * i, eight);
    }
}

static void decode_planes(const struct trn_cptc_format *format,
                          const struct trn_cptc_values *values, const uint8_t *block, float *out)
{
    uint8_t codes[TRN_CPTC_LANES];
    size_t g;
    for (size_t base = 0; base < format->block_size; base += g) {
        g = trn_cptc_run(format->block_size - base);
        read_codes(format, block + base / 8, g / 8, codes);
        for (size_t j = 0; j < g; j++)
            /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript): 8 divides g */
            out[base + j] = values->of[codes[trn_cptc_packed(j, g)]];
    }
}

/* ---- BITSHIFT (8) --------------------------------------------------------------------- */

enum { STATE_BITS = 32, HALF_BITS = 16, HIGH_BITS = 8 };

/* The window of the stream that begins at bit `first`, wrapping at its end. Bit i of the stream is
 * bit i % 8 of byte i / 8, and the window's first bit its lowest (model choice). */
static uint32_t state_at(const uint8_t *stream, size_t bits, size_t first)
{
    uint64_t state = 0;
    for (unsigned k = 0; k < STATE_BITS; k++) {
        const size_t at = (first + k) % bits;
        state = trn_bits_set(state, k, 1, trn_bits_get(stream[at / 8], (unsigned)(at % 8), 1));
    }
    return (uint32_t)state;
}

static void decode_bitshift(const struct trn_cptc_format *format, const uint8_t *block, float *out)
{
    const size_t bits = (size_t)format->bits * format->block_size;
    for (size_t e = 0; e < format->block_size; e++) {
        const uint32_t state = state_at(block, bits, e * format->bits);
        const uint32_t low = (uint32_t)trn_bits_get(state, 0, HALF_BITS);
        const uint32_t high = (uint32_t)trn_bits_get(state, HALF_BITS, HALF_BITS);
        const uint32_t hash = low * format->constant[0] + high * format->constant[1];
        out[e] = (float)((int)trn_bits_get(hash, HIGH_BITS, HIGH_BITS) - (1 << (HIGH_BITS - 1)));
    }
}

/* ---- blocks --------------------------------------------------------------------------- */

trn_status trn_cptc_decode(const struct trn_cptc_format *format, const void *bytes, size_t blocks,
                           float *out, struct trn_diag *diag)
{
    const trn_status status = trn_cptc_check(format, diag);
    if (status != TRN_OK)
        return status;
    const size_t size = trn_cptc_block_bytes(format);
    const uint8_t *block = bytes;
    struct trn_cptc_values values;
    if (format->codec == TRN_CPTC_PLANES)
        trn_cptc_values(format, &values);
    for (size_t i = 0; i < blocks; i++, block += size, out += format->block_size)
        if (format->codec == TRN_CPTC_PLANES)
            decode_planes(format, &values, block, out);
        else
            decode_bitshift(format, block, out);
    return TRN_OK;
}
