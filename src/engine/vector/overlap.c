/* SPDX-License-Identifier: Apache-2.0 */
/* When a destination that overlaps a source forces elements to go one by one. Common cases that
 * look like overlap and are none, or do no harm, keep their speed. */
#include "engine/vector/rows.h"

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

/* Greatest common divisor of `g` and the distances of the elements of an operand. */
static uint64_t grid(const struct trn_operand *operand, uint64_t g)
{
    for (uint32_t d = 0; d < operand->walk.dims; d++)
        if (operand->walk.num[d] > 1) {
            const int64_t step = operand->walk.step[d];
            g = gcd(g, (uint64_t)(step < 0 ? -step : step));
        }
    return g;
}

/* Elements of two patterns that interleave, such as even and odd columns, share no byte. */
static bool interleaved(const struct trn_operand *a, const struct trn_operand *b)
{
    if (a->indirect || b->indirect)
        return false;
    const uint64_t g = grid(b, grid(a, 0));
    if (g == 0)
        return false; /* one element each: the byte ranges have told already */
    const uint64_t apart = (b->byte % g + g - a->byte % g) % g;
    return apart >= a->size && apart + b->size <= g;
}

/* Adjacent elements whose writes stay behind the reads: when dst element m is written, src element
 * m + 1 begins no earlier than where it ends. Narrowing in place is the usual case. */
static bool stays_behind(const struct trn_operand *src, const struct trn_operand *dst)
{
    if (!src->contiguous || !dst->contiguous || src->count != dst->count)
        return false;
    /* linear in the element number, so the first and the last decide */
    const uint64_t last = src->count - 1;
    return dst->byte + (uint64_t)dst->size <= src->byte + (uint64_t)src->size &&
           dst->byte + last * dst->size <= src->byte + last * src->size;
}

bool trn_rows_hazard(const struct trn_rows *src, const struct trn_rows *dst)
{
    return trn_operand_overlap(&src->operand, &dst->operand) == TRN_OVERLAP_PARTIAL &&
           !interleaved(&src->operand, &dst->operand) &&
           !stays_behind(&src->operand, &dst->operand);
}
