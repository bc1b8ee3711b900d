/* SPDX-License-Identifier: Apache-2.0 */
/* Operands in SBUF as the array takes them (pe-array.md 6, 7.1). */
#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/clones.h"
#include "engine/pe/pe.h"
#include "engine/state.h"

trn_status trn_pe_open_source(struct trn_exec *x, const struct trn_pe_word *word,
                              enum trn_field_type type, struct trn_operand *out)
{
    const trn_status status = trn_operand_open(x, word->source, type, word->dtype, word->tile.rows,
                                               TRN_OPERAND_READ | TRN_OPERAND_SBUF_ONLY, out);
    if (status || out->partition == word->tile.row)
        return status;
    return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION,
                          word->tile.grouped ? "mm_src" : "mm_tile_src",
                          "%s: source in partition %u, but the rows of the tile start at %u",
                          word->name, out->partition, word->tile.row);
}

/* HI is the FP32R rounding of a value, LO the exact rest; Inf and NaN are all HI (7.1). */
static void split(const struct trn_num_mode *mode, enum trn_pe_fp32mode pass, float *values,
                  uint32_t count)
{
    float high[TRN_PE_CHUNK];
    trn_from_fp32_array(TRN_DTYPE_FP32R, mode, values, high, count);
    if (pass == TRN_PE_FP32MODE_HIGH)
        memcpy(values, high, count * sizeof *values);
    else
        for (uint32_t i = 0; i < count; i++)
            values[i] = isfinite(values[i]) ? values[i] - high[i] : 0.0f;
}

/* BF16 without the quieting of signalling NaNs, which the array's own steps do: half the work. */
TRN_CLONES static void widen_bf16(const uint16_t *elements, float *out, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        out[i] = trn_bits_f32((uint32_t)elements[i] << 16);
}

/* The elements where they lie, or gathered in `room`. */
static const uint8_t *adjacent(const struct trn_operand *operand, uint32_t lane, uint64_t first,
                               uint32_t count, uint8_t *room)
{
    if (operand->contiguous)
        return trn_operand_lane(operand, lane) + first * operand->size;
    trn_operand_gather(operand, lane, first, count, room);
    return room;
}

void trn_pe_fetch(const struct trn_exec *x, const struct trn_operand *operand, uint32_t lane,
                  uint64_t first, uint32_t count, enum trn_pe_fp32mode pass, float *out)
{
    const struct trn_num_mode *mode = &x->state->mode[x->engine];
    _Alignas(4) uint8_t room[TRN_PE_CHUNK * sizeof(float)];
    const uint8_t *elements = adjacent(operand, lane, first, count, room);
    if (operand->dtype == TRN_DTYPE_BFLOAT16) {
        widen_bf16((const uint16_t *)(const void *)elements, out, count);
        return;
    }
    /* the word's rules admit convertible types only, so this cannot fail */
    trn_to_fp32_array(operand->dtype, mode, elements, out, count);
    if (pass != TRN_PE_FP32MODE_NONE)
        split(mode, pass, out, count);
}

void trn_pe_fetch_bits(const struct trn_operand *operand, uint32_t lane, uint64_t first,
                       uint32_t count, float *out)
{
    _Alignas(4) uint8_t room[TRN_PE_CHUNK * sizeof(float)];
    uint32_t bits[TRN_PE_CHUNK];
    trn_to_u32_array(operand->dtype, TRN_EXTEND_ZERO, adjacent(operand, lane, first, count, room),
                     bits, count);
    memcpy(out, bits, count * sizeof *out);
}
