/* SPDX-License-Identifier: Apache-2.0 */
/* MAX8 0x6C: the eight largest elements of a row (docs/hardware/vector-ops.md 8.1). */
#include <math.h>

#include "engine/vector/stream.h"
#include "engine/vector/words.h"

#define EIGHT TRN_EIGHT

/* The largest so far, largest first; of equal ones the earlier stands first and stays longer. */
struct largest {
    float value[EIGHT];
    size_t count;
};

static void offer(struct largest *largest, float value)
{
    const bool full = largest->count == EIGHT;
    if (isnan(value) || (full && !(value > largest->value[EIGHT - 1])))
        return;
    size_t at = full ? EIGHT - 1 : largest->count++;
    for (; at > 0 && value > largest->value[at - 1]; at--)
        largest->value[at] = largest->value[at - 1];
    largest->value[at] = value;
}

static void offer_row(struct largest *largest, const float *x, size_t n)
{
    size_t i = 0;
    for (; i < n && largest->count < EIGHT; i++)
        offer(largest, x[i]);
    for (; i + 16 <= n; i += 16) {
        /* most blocks of a long row hold nothing larger than the smallest of the eight */
        int larger = 0;
        for (size_t k = 0; k < 16; k++)
            larger |= x[i + k] > largest->value[EIGHT - 1];
        for (size_t k = 0; larger && k < 16; k++)
            offer(largest, x[i + k]);
    }
    for (; i < n; i++)
        offer(largest, x[i]);
}

/* Smallest first; a NaN stands below every number and is written where numbers are missing (model
 * choice max8_order). */
static void ascending(const struct largest *largest, float out[EIGHT])
{
    for (size_t k = 0; k < EIGHT; k++) {
        const size_t rank = EIGHT - 1 - k;
        out[k] = rank < largest->count ? largest->value[rank] : NAN;
    }
}

struct max8 {
    struct trn_exec *x;
    struct trn_rows src, dst;
};

static void max8_lanes(void *context, uint32_t begin, uint32_t end)
{
    const struct max8 *max8 = context;
    const uint64_t count = max8->src.operand.count;
    const size_t tile_size = trn_rows_tile(&max8->src);
    struct trn_tile tile;
    size_t n;
    for (uint32_t lane = begin; lane < end; lane++) {
        const struct trn_num_mode mode = trn_rows_mode(max8->x, &max8->dst, lane);
        struct largest largest = {.count = 0};
        for (uint64_t first = 0; first < count; first += n) {
            n = count - first < tile_size ? (size_t)(count - first) : tile_size;
            offer_row(&largest, trn_rows_read(&max8->src, &mode, lane, first, n, &tile), n);
        }
        float out[EIGHT];
        ascending(&largest, out);
        trn_rows_write(&max8->dst, &mode, lane, 0, EIGHT, out, &tile);
    }
}

trn_status trn_run_max8(struct trn_exec *x)
{
    struct max8 max8 = {.x = x};
    const trn_status status = trn_eight_open(x, TRN_VIEW_F32, &max8.src, &max8.dst);
    if (status != TRN_OK)
        return status;
    trn_exec_choice(x, TRN_CHOICE_MAX8_ORDER);
    trn_lanes_run(x, max8.src.operand.channels, max8.src.operand.count, max8_lanes, &max8);
    return TRN_OK;
}
