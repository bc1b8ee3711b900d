/* SPDX-License-Identifier: Apache-2.0 */
/* The CPTC decoder of POOL's library 3: 0xE4 into the CPTC tile, 0xF0/7 from memory to memory
 * (docs/hardware/cptc.md 2, 5, 7.4). */
#include <stdarg.h>
#include <stdio.h>

#include "engine/convlut.h"
#include "engine/pool/pool.h"
#include "engine/state.h"
#include "engine/vector/map.h"
#include "trench/enums.h"

enum { UNIT_WORDS = 4, UNIT_BITS = 128, CODE_BITS = 3 };
/* Blocks that are decoded together: at least one of 7 bits and 248 elements, which has 220 bytes.
 */
enum { STEP_BYTES = 1024, STEP_VALUES = 1024 };

/* ---- lines and errors (2.1) ------------------------------------------------------------ */

/* "P0: ...": the model's POOL has one core that speaks. */
static void say(struct trn_exec *x, bool error, const char *format, ...) TRN_PRINTF(3, 4);
static void say(struct trn_exec *x, bool error, const char *format, ...)
{
    char line[160] = "P0: ";
    va_list args;
    va_start(args, format);
    vsnprintf(line + 4, sizeof line - 4, format, args);
    va_end(args);
    x->state->pool.kernel_errors += error;
    if (x->kernel_line)
        x->kernel_line(x->kernel_context, x->engine, error, line);
}

/* Low three bits of the code, whatever the others say: the dispatcher does not look (3.1). */
static uint8_t bits_of(uint8_t lut_dtype)
{
    return (uint8_t)trn_bits_get(lut_dtype, 0, CODE_BITS);
}

static void constants_of(const uint8_t *field, struct trn_cptc_format *format)
{
    format->constant[0] = trn_get16(field);
    format->constant[1] = trn_get16(field + sizeof(uint16_t));
}

/* ---- 0xE4 -------------------------------------------------------------------------------- */

struct to_tile {
    struct trn_pool_state *pool;
    struct trn_operand src;
    struct trn_cptc_format format;
    unsigned worker;
};

static void fill_rows(void *context, uint32_t begin, uint32_t end)
{
    const struct to_tile *to = context;
    uint8_t unit[UNIT_WORDS * sizeof(uint32_t)];
    for (uint32_t row = begin; row < end; row++) {
        trn_operand_gather(&to->src, row, 0, UNIT_WORDS, unit);
        (void)trn_cptc_worker(to->worker, &to->format, unit, 1, to->pool->tile[row], NULL);
    }
}

/* A block of no elements is decoded too: nothing is left in the tile (convlut.md 3). */
static trn_status decode_to_tile(struct trn_exec *x)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    const uint8_t lut_dtype = trn_s2_convlut_lut_dtype(w, isa);
    struct to_tile to = {.pool = &x->state->pool,
                         .format = {.codec = x->state->pool.codec,
                                    .bits = bits_of(lut_dtype),
                                    .block_size = trn_s2_convlut_block_size(w, isa)}};
    constants_of(trn_s2_convlut_multiplicative_const(w, isa), &to.format);
    to.worker = trn_cptc_worker_of(to.format.bits);
    if (!to.worker) {
        say(x, true, "Error, lut_dtype 0x%x has no bits for cptc_decode", lut_dtype);
        return TRN_OK;
    }
    if (to.format.bits * to.format.block_size > UNIT_BITS) {
        say(x, true, "Error, CPTC_BLOCK_TOO_LARGE : %u x %u bits", to.format.block_size,
            to.format.bits);
        return TRN_OK;
    }
    const trn_status status = trn_operand_open(
        x, trn_s2_convlut_src_mem_pattern(w, isa), TRN_TYPE_PATTERN2D, TRN_DTYPE_UINT32,
        TRN_CPTC_TILE_ROWS, TRN_OPERAND_READ | TRN_OPERAND_SBUF_ONLY, &to.src);
    if (status != TRN_OK)
        return status;
    if (to.src.count != UNIT_WORDS)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "has_conv_lut_load_src_element_cnt",
                              "the source has %llu words a partition; a unit has %d",
                              (unsigned long long)to.src.count, UNIT_WORDS);
    trn_exec_choice(x, TRN_CHOICE_CPTC_CODEC);
    trn_exec_choice(x, TRN_CHOICE_CPTC_TILE);
    to.pool->length = to.format.block_size;
    if (to.format.block_size)
        trn_lanes_run(x, TRN_CPTC_TILE_ROWS, to.format.block_size, fill_rows, &to);
    return TRN_OK;
}

trn_status trn_pool_conv_lut_load(struct trn_exec *x)
{
    if (trn_convlut_is_cptc(x))
        return decode_to_tile(x);
    x->state->pool.legacy_ignored++;
    trn_exec_choice(x, TRN_CHOICE_CONVLUT_LEGACY_ON_POOL);
    return TRN_OK;
}

/* ---- 0xF0/7 -------------------------------------------------------------------------------- */

struct to_memory {
    struct trn_exec *x;
    struct trn_operand src;
    struct trn_rows dst;
    struct trn_cptc_format format;
    unsigned worker;
    size_t block_bytes, block_words;
    bool overlap; /* results may change words that are still to be read: block after block */
    uint64_t blocks;
};

/* How many of the blocks that are left are decoded in one step. */
static size_t step_of(const struct to_memory *to, uint64_t left)
{
    const size_t by_bytes = STEP_BYTES / to->block_bytes;
    const size_t by_values = STEP_VALUES / to->format.block_size;
    const size_t most = to->overlap ? 1 : by_bytes < by_values ? by_bytes : by_values;
    return left < most ? (size_t)left : most;
}

static void decode_lane(const struct to_memory *to, uint32_t lane)
{
    const struct trn_num_mode mode = trn_rows_mode(to->x, &to->dst, lane);
    const uint8_t block_size = to->format.block_size;
    uint8_t bytes[STEP_BYTES];
    float values[STEP_VALUES];
    struct trn_tile tile;
    size_t n;
    for (uint64_t block = 0; block < to->blocks; block += n) {
        n = step_of(to, to->blocks - block);
        trn_operand_gather(&to->src, lane, block * to->block_words, n * to->block_words, bytes);
        (void)trn_cptc_worker(to->worker, &to->format, bytes, n, values, NULL);
        trn_rows_write(&to->dst, &mode, lane, block * block_size, n * block_size, values, &tile);
    }
}

static void decode_lanes(void *context, uint32_t begin, uint32_t end)
{
    for (uint32_t lane = begin; lane < end; lane++)
        decode_lane(context, lane);
}

static bool stores(uint8_t dtype)
{
    return dtype == TRN_DTYPE_FP32 || dtype == TRN_DTYPE_FP16 || dtype == TRN_DTYPE_BFLOAT16 ||
           dtype == TRN_DTYPE_INT8 || dtype == TRN_DTYPE_UINT8;
}

/* The checks of 7.4, as far as the word alone decides them. */
static bool accepts(struct trn_exec *x, uint8_t lut_dtype, const struct trn_cptc_format *format)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    const uint8_t in_dtype = trn_extended_cptc_in_dtype(w, isa);
    const uint8_t out_dtype = trn_extended_cptc_out_dtype(w, isa);
    if (in_dtype != TRN_DTYPE_UINT32)
        say(x, true, "Error, unsupported in_dtype for cptc_decode : 0x%x", in_dtype);
    else if (!stores(out_dtype))
        say(x, true, "Error, unsupported out_dtype for cptc_decode : 0x%x", out_dtype);
    else if (!trn_cptc_bits(lut_dtype))
        say(x, true, "Error, unsupported lut_dtype for cptc_decode : 0x%x", lut_dtype);
    else if (trn_cptc_check(format, NULL) != TRN_OK)
        say(x, true, "Error, unsupported block_size for cptc_decode : %u", format->block_size);
    else
        return true;
    return false;
}

static trn_status open_operands(struct trn_exec *x, struct to_memory *to)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    const uint32_t channels = trn_extended_cptc_num_active_channels(w, isa);
    const trn_status status = trn_operand_open(x, trn_extended_cptc_src_mem_pattern(w, isa),
                                               TRN_TYPE_PATTERN3D, TRN_DTYPE_UINT32, channels,
                                               TRN_OPERAND_READ | TRN_OPERAND_SBUF_ONLY, &to->src);
    if (status != TRN_OK)
        return status;
    return trn_rows_open(x, trn_extended_cptc_dst_mem_pattern(w, isa), TRN_TYPE_PATTERN3D,
                         trn_extended_cptc_out_dtype(w, isa), channels,
                         TRN_OPERAND_WRITE | TRN_OPERAND_SBUF_ONLY, TRN_VIEW_F32, &to->dst);
}

static bool counts_fit(struct trn_exec *x, struct to_memory *to)
{
    to->blocks = to->src.count / to->block_words;
    if (to->src.count % to->block_words == 0 &&
        to->dst.operand.count == to->blocks * to->format.block_size)
        return true;
    say(x, true, "Error, cptc_decode : %llu words for blocks of %zu, %llu elements",
        (unsigned long long)to->src.count, to->block_words,
        (unsigned long long)to->dst.operand.count);
    return false;
}

static trn_status decode_to_memory(struct trn_exec *x)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    const uint8_t lut_dtype = trn_extended_cptc_lut_dtype(w, isa);
    struct to_memory to = {.x = x,
                           .format = {.codec = x->state->pool.codec,
                                      .bits = bits_of(lut_dtype),
                                      .block_size = trn_extended_cptc_block_size(w, isa)}};
    say(x, false, "Decode : ExtendedInstCptcDecode : num_active_chans = %d",
        trn_extended_cptc_num_active_channels(w, isa));
    constants_of(trn_extended_cptc_multiplicative_const(w, isa), &to.format);
    if (!accepts(x, lut_dtype, &to.format))
        return TRN_OK;
    to.worker = trn_cptc_worker_of(to.format.bits);
    to.block_bytes = trn_cptc_block_bytes(&to.format);
    to.block_words = to.block_bytes / sizeof(uint32_t);
    const trn_status status = open_operands(x, &to);
    if (status != TRN_OK || !counts_fit(x, &to))
        return status;
    to.overlap = trn_operand_overlap(&to.src, &to.dst.operand) != TRN_OVERLAP_NONE;
    trn_exec_choice(x, TRN_CHOICE_CPTC_CODEC);
    trn_lanes_run(x, to.src.channels, to.dst.operand.count, decode_lanes, &to);
    return TRN_OK;
}

trn_status trn_run_extended_inst(struct trn_exec *x)
{
    const uint8_t spec = trn_extended_cptc_extended_opcode(x->word, x->gen->isa);
    if (spec == TRN_EXTENDED_OPCODE_CPTC_DECODE)
        return decode_to_memory(x);
    return trn_exec_fault(x, TRN_FAULT_NOT_MODELLED, NULL,
                          "EXTENDED_INST with extended_opcode %u is specified but not modelled yet",
                          spec);
}
