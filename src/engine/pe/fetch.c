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

/* ---- a block of many rows at once ---------------------------------------------------- */

static inline __attribute__((always_inline)) void widen_block(const uint16_t *elements, float *out)
{
    for (uint32_t n = 0; n < TRN_PE_BLOCK; n++)
        out[n] = trn_bits_f32((uint32_t)elements[n] << 16);
}

/* Rows lie `pitch` bytes apart. */
TRN_CLONES static void widen_bf16_rows(const uint8_t *from, size_t pitch, uint32_t rows,
                                       float (*out)[TRN_PE_BLOCK])
{
    for (uint32_t r = 0; r < rows; r++)
        widen_block((const uint16_t *)(const void *)(from + r * pitch), out[r]);
}

/* BF16 of the 128 magnitudes of a type of 8 bits. */
enum { LOOKUPS = 32, MAGNITUDES = 128, SIGN8 = 0x80, UPPER_HALF = 0x40 };
typedef uint8_t bytes __attribute__((vector_size(LOOKUPS)));
typedef uint16_t halves __attribute__((vector_size(LOOKUPS * sizeof(uint16_t))));
struct magnitudes {
    halves of[MAGNITUDES / LOOKUPS];
};

/* False for a type that is not a sign and a magnitude, or not exact in BF16. */
TRN_CLONES static bool list_magnitudes(uint8_t dtype, const struct trn_num_mode *mode,
                                       struct magnitudes *out)
{
    uint8_t codes[2 * MAGNITUDES];
    float values[2 * MAGNITUDES];
    uint16_t list[MAGNITUDES];
    uint32_t unlike = 0;
    for (uint32_t code = 0; code < 2 * MAGNITUDES; code++)
        codes[code] = (uint8_t)code;
    trn_to_fp32_array(dtype, mode, codes, values, 2 * MAGNITUDES);
    for (uint32_t code = 0; code < MAGNITUDES; code++) {
        const uint32_t bits = trn_f32_bits(values[code]);
        unlike |= bits % 0x10000;
        unlike |= (bits + 0x80000000) ^ trn_f32_bits(values[MAGNITUDES + code]);
        list[code] = (uint16_t)(bits / 0x10000);
    }
    memcpy(out, list, sizeof list);
    return unlike == 0;
}

/* Entry code % 64 of two vectors: one instruction of a host with wide registers. */
static inline __attribute__((always_inline)) void pick(const halves *two, const halves *code,
                                                       halves *out)
{
#if defined(__clang__)
    for (int i = 0; i < LOOKUPS; i++)
        (*out)[i] = two[(*code)[i] / LOOKUPS % 2][(*code)[i] % LOOKUPS];
#else
    *out = __builtin_shuffle(two[0], two[1], *code);
#endif
}

TRN_CLONES static void look_up_rows(const struct magnitudes *table, const uint8_t *from,
                                    size_t pitch, uint32_t rows, float (*out)[TRN_PE_BLOCK])
{
    for (uint32_t r = 0; r < rows; r++) {
        uint16_t row[TRN_PE_BLOCK];
        for (uint32_t n = 0; n < TRN_PE_BLOCK; n += LOOKUPS) {
            bytes narrow;
            memcpy(&narrow, from + r * pitch + n, sizeof narrow);
            const halves code = __builtin_convertvector(narrow, halves);
            halves lower, upper;
            pick(&table->of[0], &code, &lower);
            pick(&table->of[2], &code, &upper);
            const halves is_upper = (halves)((code & UPPER_HALF) != 0);
            const halves all = (lower & ~is_upper) | (upper & is_upper) | (code & SIGN8) << 8;
            memcpy(row + n, &all, sizeof all);
        }
        widen_block(row, out[r]);
    }
}

/* Decode the rows by tables, where the host shuffles 64 entries in a step. */
static bool look_up(const struct trn_exec *x, const struct trn_operand *operand, uint32_t rows,
                    uint64_t first, float (*out)[TRN_PE_BLOCK])
{
    struct magnitudes table;
    if (operand->size != 1 || !trn_host_has_wide_registers() ||
        !list_magnitudes(operand->dtype, &x->state->mode[x->engine], &table))
        return false;
    look_up_rows(&table, trn_operand_lane(operand, 0) + first, operand->pitch, rows, out);
    return true;
}

void trn_pe_fetch_rows(const struct trn_exec *x, const struct trn_operand *operand, uint32_t rows,
                       uint64_t first, uint32_t count, enum trn_pe_fp32mode pass,
                       float (*out)[TRN_PE_BLOCK])
{
    if (operand->contiguous && count == TRN_PE_BLOCK) {
        if (operand->dtype == TRN_DTYPE_BFLOAT16) {
            widen_bf16_rows(trn_operand_lane(operand, 0) + first * operand->size, operand->pitch,
                            rows, out);
            return;
        }
        if (look_up(x, operand, rows, first, out))
            return;
    }
    for (uint32_t r = 0; r < rows; r++)
        trn_pe_fetch(x, operand, r, first, count, pass, out[r]);
}

/* ---- bits ----------------------------------------------------------------------------- */

void trn_pe_fetch_bits(const struct trn_operand *operand, uint32_t lane, uint64_t first,
                       uint32_t count, float *out)
{
    _Alignas(4) uint8_t room[TRN_PE_CHUNK * sizeof(float)];
    uint32_t bits[TRN_PE_CHUNK];
    trn_to_u32_array(operand->dtype, TRN_EXTEND_ZERO, adjacent(operand, lane, first, count, room),
                     bits, count);
    memcpy(out, bits, count * sizeof *out);
}
