/* SPDX-License-Identifier: Apache-2.0 */
/* The encoder of PLANES (docs/hardware/cptc.md 7.5). */
#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "num/cptc.h"

struct grid {
    unsigned bits;
    double scale, bias;
    struct trn_cptc_values values;
};

static double bf16(uint16_t bits)
{
    return trn_bits_f32((uint32_t)trn_bits_set(0, 16, 16, bits));
}

static trn_status open_grid(const struct trn_cptc_format *format, struct grid *grid,
                            struct trn_diag *diag)
{
    *grid = (struct grid){.bits = format->bits,
                          .scale = bf16(format->constant[0]),
                          .bias = bf16(format->constant[1])};
    if (format->codec != TRN_CPTC_PLANES)
        return trn_diag_set(diag, TRN_ERR_UNSUPPORTED, NULL, NULL, "planes",
                            "%s has no encoder: its inverse is a search through a trellis",
                            trn_cptc_codec_name(format->codec));
    if (!isfinite(grid->scale) || !isfinite(grid->bias) || grid->scale == 0)
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL,
                            "finite numbers as BF16, and a scale that is not 0",
                            "scale 0x%04x (%g) and bias 0x%04x (%g) give no grid",
                            format->constant[0], grid->scale, format->constant[1], grid->bias);
    trn_cptc_values(format, &grid->values);
    return TRN_OK;
}

/* Codes in the order of the numbers that they stand for. */
static int lowest(unsigned bits)
{
    return bits == 1 ? 0 : bits >= 4 ? -(1 << (bits - 1)) : 0;
}

static unsigned code_of(unsigned bits, int place)
{
    return (unsigned)trn_bits_get((uint64_t)(int64_t)place, 0, bits);
}

/* One bit stands for -1 and +1, which lie two apart; other numbers are their own places. */
static double place_of(const struct grid *grid, float value)
{
    const double number = ((double)value - grid->bias) / grid->scale;
    return grid->bits == 1 ? (number + 1) / 2 : number;
}

static unsigned nearest(const struct grid *grid, float value)
{
    const int low = lowest(grid->bits), high = low + (1 << grid->bits) - 1;
    const double place = nearbyint(place_of(grid, value));
    const int at = place <= low ? low : place >= high ? high : (int)place;
    if (grid->values.of[code_of(grid->bits, at)] == value)
        return code_of(grid->bits, at);
    /* what a code stands for is rounded, which can put it half a step beside its own place */
    if (at > low && grid->values.of[code_of(grid->bits, at - 1)] == value)
        return code_of(grid->bits, at - 1);
    if (at < high && grid->values.of[code_of(grid->bits, at + 1)] == value)
        return code_of(grid->bits, at + 1);
    return code_of(grid->bits, at);
}

static void put_code(const struct trn_cptc_format *format, uint8_t *block, size_t packed,
                     unsigned code)
{
    const size_t plane_bytes = format->block_size / 8;
    for (unsigned p = 0; p < format->bits; p++) {
        uint8_t *byte = &block[p * plane_bytes + packed / 8];
        *byte = (uint8_t)trn_bits_set(*byte, (unsigned)(packed % 8), 1, trn_bits_get(code, p, 1));
    }
}

static void encode_block(const struct trn_cptc_format *format, const struct grid *grid,
                         const float *in, uint8_t *block)
{
    size_t g;
    memset(block, 0, trn_cptc_block_bytes(format));
    for (size_t base = 0; base < format->block_size; base += g) {
        g = trn_cptc_run(format->block_size - base);
        for (size_t j = 0; j < g; j++)
            put_code(format, block, base + trn_cptc_packed(j, g), nearest(grid, in[base + j]));
    }
}

trn_status trn_cptc_encode(const struct trn_cptc_format *format, const float *in, size_t blocks,
                           void *bytes, struct trn_diag *diag)
{
    struct grid grid;
    trn_status status = trn_cptc_check(format, diag);
    if (status == TRN_OK)
        status = open_grid(format, &grid, diag);
    if (status != TRN_OK)
        return status;
    for (size_t i = 0; i < blocks * format->block_size; i++)
        if (isnan(in[i]))
            return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, "numbers",
                                "element %zu is a NaN, which no code stands for", i);
    for (size_t i = 0; i < blocks; i++)
        encode_block(format, &grid, in + i * format->block_size,
                     (uint8_t *)bytes + i * trn_cptc_block_bytes(format));
    return TRN_OK;
}
