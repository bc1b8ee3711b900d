/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/clones.h"
#include "engine/pe/columns.h"

/* Every NaN of a sum is this one (docs/hardware/pe-array.md 7.2). */
enum { CANONICAL_NAN = 0x7FC00000, INFINITE = 0x7F800000, MAGNITUDE = 0x7FFFFFFF };

/* Sixteen accumulators of 16 floats for hosts with 32 wide registers, eight of 8 floats for the
 * rest: enough chains in flight to keep two fused multiply-add units busy, without a spill. */
#define TILE         wide_tile
#define TILE_LANES   16
#define TILE_COLUMNS 8
#include "engine/pe/tile.inc"

#define TILE         narrow_tile
#define TILE_LANES   8
#define TILE_COLUMNS 4
#include "engine/pe/tile.inc"

void trn_pe_columns(const float *w, const float *x, size_t x_pitch, uint32_t rows,
                    const struct trn_pe_sums *start, enum trn_pe_finish finish,
                    float *const out[TRN_PE_PANEL_COLUMNS])
{
    if (trn_host_has_wide_registers())
        wide_tile(w, x, x_pitch, rows, start, finish, out);
    else
        narrow_tile(w, x, x_pitch, rows, start, finish, out);
}

static inline float canonical(float s)
{
    return isnan(s) ? trn_bits_f32(CANONICAL_NAN) : s;
}

TRN_CLONES void trn_pe_put(float *cells, const float *s, size_t count)
{
    for (size_t n = 0; n < count; n++)
        cells[n] = canonical(s[n]);
}

TRN_CLONES void trn_pe_add(float *cells, const float *s, size_t count)
{
    for (size_t n = 0; n < count; n++)
        cells[n] = canonical(cells[n] + s[n]);
}
