/* SPDX-License-Identifier: Apache-2.0 */
/* Moving elements of an opened operand, and how two operands lie to each other. */
#include <string.h>

#include "base/bytes.h"
#include "engine/operand.h"

/* Where a stream position lies: index of each dimension of the walk, offset from the lane's base.
 */
struct position {
    uint64_t index[4];
    int64_t offset;
};

static struct position position_of(const struct trn_operand *operand, uint64_t element)
{
    struct position position = {.offset = 0};
    for (unsigned d = 0; d < operand->walk.dims; d++) {
        position.index[d] = element % operand->walk.num[d];
        position.offset += (int64_t)position.index[d] * operand->walk.step[d];
        element /= operand->walk.num[d];
    }
    return position;
}

/* Past `count` elements of the innermost dimension, which ends there or is left alone. */
static void advance(const struct trn_operand *operand, struct position *position, uint64_t count)
{
    position->index[0] += count;
    position->offset += (int64_t)count * operand->walk.step[0];
    for (unsigned d = 0; position->index[d] == operand->walk.num[d] && d + 1 < operand->walk.dims;
         d++) {
        position->offset -= (int64_t)position->index[d] * operand->walk.step[d];
        position->index[d] = 0;
        position->index[d + 1]++;
        position->offset += operand->walk.step[d + 1];
    }
}

/* The adjacent side of a copy: out of memory into `out`, or from `in` into memory. */
struct packed {
    uint8_t *out;
    const uint8_t *in;
};

/* Below, `size` and `gather` are constants in every caller: what remains are the loops. */
#define INLINE static inline __attribute__((always_inline))

INLINE void move(uint8_t *memory, struct packed packed, size_t at, size_t bytes, bool gather)
{
    if (gather)
        memcpy(packed.out + at, memory, bytes);
    else
        memcpy(memory, packed.in + at, bytes);
}

/* One element many times: read once; of many writes to it the last one stays. */
INLINE void repeat(uint8_t *memory, struct packed packed, size_t at, uint64_t count, size_t size,
                   bool gather)
{
    if (!gather) {
        move(memory, packed, at + (count - 1) * size, size, false);
        return;
    }
    uint8_t element[8];
    memcpy(element, memory, size);
    for (uint64_t i = 0; i < count; i++)
        memcpy(packed.out + at + i * size, element, size);
}

INLINE void copy_row(uint8_t *memory, int64_t step, struct packed packed, size_t at, uint64_t count,
                     size_t size, bool gather)
{
    if (step == (int64_t)size) {
        move(memory, packed, at, count * size, gather);
        return;
    }
    if (step == 0) {
        repeat(memory, packed, at, count, size, gather);
        return;
    }
    for (; count >= 4; count -= 4) {
        move(memory, packed, at, size, gather);
        move(memory + step, packed, at + size, size, gather);
        move(memory + 2 * step, packed, at + 2 * size, size, gather);
        move(memory + 3 * step, packed, at + 3 * size, size, gather);
        memory += 4 * step;
        at += 4 * size;
    }
    for (; count > 0; count--) {
        move(memory, packed, at, size, gather);
        memory += step;
        at += size;
    }
}

INLINE void copy_walk(const struct trn_operand *operand, uint32_t lane, uint64_t first,
                      uint64_t count, struct packed packed, size_t size, bool gather)
{
    uint8_t *base = trn_operand_lane(operand, lane);
    struct position position = position_of(operand, first);
    for (uint64_t done = 0; done < count;) {
        const uint64_t left = operand->walk.num[0] - position.index[0];
        const uint64_t row = count - done < left ? count - done : left;
        copy_row(base + position.offset, operand->walk.step[0], packed, done * size, row, size,
                 gather);
        done += row;
        advance(operand, &position, row);
    }
}

INLINE void copy_list(const struct trn_operand *operand, uint32_t lane, uint64_t first,
                      uint64_t count, struct packed packed, size_t size, bool gather)
{
    uint8_t *base = trn_operand_lane(operand, lane);
    const uint8_t *list = operand->index + lane * operand->index_pitch + 2 * first;
    for (uint64_t i = 0; i < count; i++)
        move(base + trn_get16(list + 2 * i) * size, packed, i * size, size, gather);
}

INLINE void copy_sized(const struct trn_operand *operand, uint32_t lane, uint64_t first,
                       uint64_t count, struct packed packed, size_t size, bool gather)
{
    if (operand->indirect)
        copy_list(operand, lane, first, count, packed, size, gather);
    else
        copy_walk(operand, lane, first, count, packed, size, gather);
}

INLINE void copy(const struct trn_operand *operand, uint32_t lane, uint64_t first, uint64_t count,
                 struct packed packed, bool gather)
{
    switch (operand->size) {
    case 1:
        copy_sized(operand, lane, first, count, packed, 1, gather);
        break;
    case 2:
        copy_sized(operand, lane, first, count, packed, 2, gather);
        break;
    case 4:
        copy_sized(operand, lane, first, count, packed, 4, gather);
        break;
    default:
        copy_sized(operand, lane, first, count, packed, 8, gather);
        break;
    }
}

void trn_operand_gather(const struct trn_operand *operand, uint32_t lane, uint64_t first,
                        uint64_t count, void *out)
{
    const struct packed packed = {.out = out};
    if (operand->contiguous)
        memcpy(out, trn_operand_lane(operand, lane) + first * operand->size, count * operand->size);
    else
        copy(operand, lane, first, count, packed, true);
}

void trn_operand_scatter(const struct trn_operand *operand, uint32_t lane, uint64_t first,
                         uint64_t count, const void *in)
{
    const struct packed packed = {.in = in};
    if (operand->contiguous)
        memcpy(trn_operand_lane(operand, lane) + first * operand->size, in, count * operand->size);
    else
        copy(operand, lane, first, count, packed, false);
}

static bool same_elements(const struct trn_operand *a, const struct trn_operand *b)
{
    return !a->indirect && !b->indirect && a->partition == b->partition &&
           a->channels == b->channels && a->byte == b->byte && a->size == b->size &&
           a->walk.dims == b->walk.dims &&
           memcmp(a->walk.num, b->walk.num, sizeof a->walk.num) == 0 &&
           memcmp(a->walk.step, b->walk.step, sizeof a->walk.step) == 0;
}

/* No two elements of a lane share a byte, as far as steps that grow outwards show it. */
static bool elements_are_distinct(const struct trn_operand *operand)
{
    uint64_t extent = operand->size;
    for (unsigned d = 0; d < operand->walk.dims; d++) {
        const int64_t step = operand->walk.step[d];
        const uint64_t distance = (uint64_t)(step < 0 ? -step : step);
        if (operand->walk.num[d] > 1 && distance < extent)
            return false;
        extent += (operand->walk.num[d] - 1) * distance;
    }
    return true;
}

enum trn_overlap trn_operand_overlap(const struct trn_operand *a, const struct trn_operand *b)
{
    if (a->space != b->space || a->low >= b->high || b->low >= a->high ||
        a->partition >= b->partition + b->channels || b->partition >= a->partition + a->channels)
        return TRN_OVERLAP_NONE;
    return same_elements(a, b) && elements_are_distinct(a) ? TRN_OVERLAP_SAME : TRN_OVERLAP_PARTIAL;
}
