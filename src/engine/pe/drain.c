/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/pe/drain.h"

#include "base/bytes.h"
#include "engine/numeric.h"
#include "engine/state.h"

/* ---- one cell ---------------------------------------------------------------------- */

/* Bytes from the start of a lane's first element to that of stream position `position`. */
static int64_t cell_offset(const struct trn_operand *cells, uint32_t lane, uint64_t position)
{
    if (cells->indirect)
        return (int64_t)trn_get16(cells->index + lane * cells->index_pitch + 2 * position) *
               cells->size;
    int64_t offset = 0;
    for (uint32_t d = 0; d < cells->walk.dims; d++) {
        offset += (int64_t)(position % cells->walk.num[d]) * cells->walk.step[d];
        position /= cells->walk.num[d];
    }
    return offset;
}

static uint32_t cell_byte(const struct trn_operand *cells, uint32_t lane, uint64_t position)
{
    return (uint32_t)(cells->byte + cell_offset(cells, lane, position));
}

/* Adjacent cells of a lane that are treated alike. */
struct run {
    uint32_t partition, byte; /* of the first */
    uint32_t count;
    uint64_t position; /* of the first in the stream of the lane */
    bool overwrite;
};

/* cells[n] += s[n]; what the adder of the cells met. A cell that is overwritten adds nothing. */
static unsigned add(const struct trn_drain *drain, float *cells, const float *s, uint32_t count,
                    bool overwrite)
{
    float before[TRN_PE_BLOCK];
    if (!drain->watch || overwrite) {
        trn_pe_add(cells, s, count);
        return TRN_NUMERIC_NONE;
    }
    memcpy(before, cells, count * sizeof *before);
    trn_pe_add(cells, s, count);
    return trn_numeric_of_operands(before, count) | trn_numeric_of_operands(s, count) |
           trn_numeric_of_op(TRN_ALU_OP_ADD, before, 1, s, 1, cells, count);
}

static void add_f32(const struct trn_drain *drain, float *cells, const float *s, uint32_t count)
{
    const unsigned met = add(drain, cells, s, count, false);
    if (drain->watch)
        trn_numeric_raise(drain->watch, met, TRN_FP_SOURCE_PSUM);
}

/* One draw a cell from the state of its partition, bank and parity in the stream (11). */
static void round_by_chance(const struct trn_drain *drain, const struct run *run,
                            const float *values, uint8_t *cells)
{
    struct trn_num_mode mode = drain->num;
    for (uint32_t i = 0; i < run->count; i++) {
        const uint32_t bank = (run->byte + i * drain->cells.size) / drain->bank_bytes;
        const uint32_t parity = (run->position + i) % 2;
        mode.lfsr = &drain->seeds->state[run->partition][2 * bank + parity];
        trn_from_fp32_array(TRN_DTYPE_BFLOAT16, &mode, &values[i], cells + i * drain->cells.size,
                            1);
    }
}

/* Adjacent BF16 cells: round(cell + s), an overwritten cell counting as 0 (7.3). */
static void put_bf16(const struct trn_drain *drain, const struct run *run, uint8_t *cells,
                     const float *sums)
{
    const uint32_t count = run->count;
    const bool overwrite = run->overwrite;
    float values[TRN_PE_BLOCK] = {0};
    if (!overwrite)
        trn_to_fp32_array(TRN_DTYPE_BFLOAT16, &drain->num, cells, values, count);
    const unsigned met = add(drain, values, sums, count, overwrite);
    if (drain->seeds)
        round_by_chance(drain, run, values, cells);
    else
        trn_from_fp32_array(TRN_DTYPE_BFLOAT16, &drain->num, values, cells, count);
    if (drain->watch)
        trn_numeric_raise(
            drain->watch,
            met | trn_numeric_of_narrowing(TRN_DTYPE_BFLOAT16, &drain->num, values, cells, count),
            TRN_FP_SOURCE_PSUM);
}

static void put_f32(const struct trn_drain *drain, uint8_t *cells, const float *sums,
                    uint32_t count, bool overwrite)
{
    if (overwrite)
        trn_pe_put((float *)(void *)cells, sums, count);
    else
        add_f32(drain, (float *)(void *)cells, sums, count);
}

/* Sums of integers are exact and below 2^24 (pe-array.md 5); what they are added to wraps. */
static void put_int32(uint8_t *cells, const float *sums, uint32_t count, bool overwrite)
{
    for (uint32_t i = 0; i < count; i++, cells += sizeof(uint32_t)) {
        const uint32_t before = overwrite ? 0 : trn_get32(cells);
        trn_put32(cells, before + (uint32_t)(int32_t)sums[i]);
    }
}

static void put_bits(uint8_t *cells, uint32_t size, const float *sums, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, cells += size) {
        const uint32_t bits = trn_f32_bits(sums[i]);
        if (size == sizeof(uint16_t))
            trn_put16(cells, (uint16_t)bits);
        else
            trn_put32(cells, bits);
    }
}

static void put_cells(const struct trn_drain *drain, const struct run *run, const float *sums)
{
    const struct trn_operand *operand = &drain->cells;
    uint8_t *const cells =
        trn_operand_lane(operand, run->partition - operand->partition) + run->byte - operand->byte;
    switch (operand->dtype) {
    case TRN_DTYPE_BFLOAT16:
        put_bf16(drain, run, cells, sums);
        break;
    case TRN_DTYPE_INT32:
        put_int32(cells, sums, run->count, run->overwrite);
        break;
    case TRN_DTYPE_UINT16:
    case TRN_DTYPE_UINT32:
        put_bits(cells, operand->size, sums, run->count);
        break;
    default:
        put_f32(drain, cells, sums, run->count, run->overwrite);
    }
}

/* ---- freshness --------------------------------------------------------------------- */

static void clear_lane(const struct trn_drain *drain, uint32_t lane)
{
    const struct trn_operand *cells = &drain->cells;
    const uint32_t partition = cells->partition + lane;
    if (cells->contiguous) {
        trn_fresh_clear(drain->fresh, partition, cells->low, cells->high - cells->low);
        return;
    }
    for (uint64_t i = 0; i < cells->count; i++)
        trn_fresh_clear(drain->fresh, partition, cell_byte(cells, lane, i), cells->size);
}

/* The banks that a group start frees: aligned to their number, around the first cell. Adjacent
 * cells of the word itself are left out, since it overwrites them; scattered ones are cleared
 * later. */
static void mark_region(const struct trn_drain *drain, const struct trn_gen *gen, uint32_t banks)
{
    const struct trn_operand *cells = &drain->cells;
    const uint32_t size = banks * gen->psum_bank_bytes;
    const uint32_t begin = cells->byte / size * size, end = begin + size;
    const uint32_t low = cells->contiguous ? cells->low : end;
    const uint32_t high = cells->contiguous ? cells->high : end;
    for (uint32_t lane = 0; lane < cells->channels; lane++) {
        if (begin < low)
            trn_fresh_mark(drain->fresh, cells->partition + lane, begin, low - begin);
        if (high < end)
            trn_fresh_mark(drain->fresh, cells->partition + lane, high, end - high);
    }
}

/* psum.zero = eager: the same bytes become zeros, as the reference simulator has it. */
static void clear_region(struct trn_mem *mem, const struct trn_operand *cells,
                         const struct trn_gen *gen, uint32_t banks)
{
    const struct trn_plane *plane = trn_mem_plane(mem, TRN_SPACE_PSUM);
    const uint32_t size = banks * gen->psum_bank_bytes;
    for (uint32_t lane = 0; lane < cells->channels; lane++)
        memset(trn_plane_at(plane, cells->partition + lane, cells->byte / size * size), 0, size);
}

/* Decide for a whole lane of adjacent cells where that is possible. */
static enum trn_drain_mode lane_mode(const struct trn_drain *drain, uint32_t lane)
{
    const struct trn_operand *cells = &drain->cells;
    if (!cells->contiguous)
        return TRN_DRAIN_ADD_OR_FRESH;
    switch (trn_fresh_ask(drain->fresh, cells->partition + lane, cells->low,
                          cells->high - cells->low)) {
    case TRN_FRESH_NONE:
        return TRN_DRAIN_ADD;
    case TRN_FRESH_ALL:
        clear_lane(drain, lane);
        return TRN_DRAIN_OVERWRITE;
    default:
        return TRN_DRAIN_ADD_OR_FRESH;
    }
}

void trn_drain_open(struct trn_drain *drain, struct trn_exec *x, const struct trn_operand *cells,
                    const struct trn_drain_group *group)
{
    enum trn_drain_mode mode = group->mode;
    drain->cells = *cells;
    drain->num = x->state->mode[x->engine];
    drain->fresh = x->mem->fresh;
    drain->watch = x->numeric_wanted ? x : NULL;
    drain->bank_bytes = x->gen->psum_bank_bytes;
    struct trn_pe_state *pe = &x->state->pe;
    drain->seeds = cells->dtype == TRN_DTYPE_BFLOAT16 && pe->seeds.on ? &pe->seeds : NULL;
    if (drain->seeds)
        trn_exec_choice(x, TRN_CHOICE_PE_STOCHASTIC);
    if (group->zero_banks > 0 && pe->options.eager_zero)
        clear_region(x->mem, cells, x->gen, group->zero_banks);
    else if (group->zero_banks > 0)
        mark_region(drain, x->gen, group->zero_banks);
    const bool touched = trn_fresh_touched(drain->fresh);
    if (mode == TRN_DRAIN_ADD_OR_FRESH && !touched)
        mode = TRN_DRAIN_ADD;
    bool met_fresh = false;
    for (uint32_t lane = 0; lane < cells->channels; lane++) {
        drain->lane_mode[lane] = (uint8_t)mode;
        if (mode == TRN_DRAIN_ADD_OR_FRESH) {
            drain->lane_mode[lane] = (uint8_t)lane_mode(drain, lane);
            met_fresh |= drain->lane_mode[lane] != TRN_DRAIN_ADD;
        } else if (touched) {
            clear_lane(drain, lane);
        }
    }
    if (met_fresh)
        trn_exec_choice(x, TRN_CHOICE_PSUM_LAZY_ZERO);
}

/* ---- writing ----------------------------------------------------------------------- */

/* Cell after cell: a scattered result, or a lane with fresh cells among others. */
static void put_one_by_one(const struct trn_drain *drain, uint32_t lane, uint64_t first,
                           uint32_t count, const float *sums)
{
    const struct trn_operand *cells = &drain->cells;
    for (uint32_t i = 0; i < count; i++) {
        struct run run = {.partition = cells->partition + lane,
                          .byte = cell_byte(cells, lane, first + i),
                          .count = 1,
                          .position = first + i,
                          .overwrite = drain->lane_mode[lane] == TRN_DRAIN_OVERWRITE};
        if (drain->lane_mode[lane] == TRN_DRAIN_ADD_OR_FRESH) {
            run.overwrite =
                trn_fresh_ask(drain->fresh, run.partition, run.byte, cells->size) == TRN_FRESH_ALL;
            trn_fresh_clear(drain->fresh, run.partition, run.byte, cells->size);
        }
        put_cells(drain, &run, &sums[i]);
    }
}

void trn_drain_put(const struct trn_drain *drain, uint32_t lane, uint64_t first, uint32_t count,
                   const float *sums)
{
    const struct trn_operand *cells = &drain->cells;
    if (!cells->contiguous || drain->lane_mode[lane] == TRN_DRAIN_ADD_OR_FRESH) {
        put_one_by_one(drain, lane, first, count, sums);
        return;
    }
    const struct run run = {.partition = cells->partition + lane,
                            .byte = cells->byte + (uint32_t)first * cells->size,
                            .count = count,
                            .position = first,
                            .overwrite = drain->lane_mode[lane] == TRN_DRAIN_OVERWRITE};
    put_cells(drain, &run, sums);
}

float *trn_drain_cells(const struct trn_drain *drain, uint32_t lane, uint64_t first,
                       enum trn_pe_finish *finish)
{
    const struct trn_operand *cells = &drain->cells;
    if (!cells->contiguous || cells->dtype != TRN_DTYPE_FP32 ||
        drain->lane_mode[lane] == TRN_DRAIN_ADD_OR_FRESH)
        return NULL;
    *finish = drain->lane_mode[lane] == TRN_DRAIN_OVERWRITE ? TRN_PE_PUT : TRN_PE_ADD;
    if (drain->watch && *finish == TRN_PE_ADD)
        return NULL;
    return (float *)(void *)(trn_operand_lane(cells, lane) + first * cells->size);
}
