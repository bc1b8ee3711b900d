/* SPDX-License-Identifier: Apache-2.0 */
/**
 * trench/num.h - number formats, conversions, rounding and the ALU operators.
 *
 * Everything here is arithmetic on values and arrays: no device, no memory of earlier calls except
 * the random state that a caller hands in. Any thread may call any function at any time. The
 * definition is docs/hardware/numerics.md and vector-ops.md 1; every result is bit-exact by that
 * definition, on every host and on every code path (scalar, array, any vector width). The calling
 * thread must have the default floating-point environment: round to nearest, no flush to zero.
 *
 * Two kinds of argument appear throughout:
 *
 *  - `dtype` is a wire code (`enum trn_dtype` of trench/enums.h, rows of data/dtypes.csv); codes
 *    come from instruction words, so any value is accepted and undefined ones are an error value;
 *  - `op` is a wire code of an ALU operator (`enum trn_alu_op`, rows of data/alu-ops.csv).
 *
 * Which engine of which generation accepts a code is the validator's question (trench/isa.h).
 *
 * Arrays of a dtype (`void *`) are adjacent little-endian elements at any byte address. Arrays of
 * float and uint32_t are naturally aligned. An output may be exactly an input (same address, same
 * element size); otherwise outputs and inputs do not overlap. n == 0 reads and writes nothing
 * (reductions need n >= 1).
 */
#ifndef TRENCH_NUM_H
#define TRENCH_NUM_H

#include "trench/base.h"
#include "trench/choices.h"
#include "trench/enums.h"
#include "trench/gen.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- data types ---------------------------------------------------------------------------- */

/** What a dtype is used for. Only the first three convert. */
enum trn_dtype_kind {
    TRN_DTYPE_KIND_NONE,      /**< no table has the code, or INVALID */
    TRN_DTYPE_KIND_FLOAT,     /**< BF16, FP16, FP32, FP32R, FP8, FP4 */
    TRN_DTYPE_KIND_INTEGER,   /**< INT/UINT 8..64, INT4 */
    TRN_DTYPE_KIND_SCALE,     /**< SFP8: unsigned block scales, never a compute element */
    TRN_DTYPE_KIND_TRANSPORT, /**< CPTC: trellis codes; a decoder, not a conversion, reads them */
};

TRN_API enum trn_dtype_kind trn_dtype_kind(uint8_t dtype);

/** Name in the manual ("BFLOAT16"); NULL when no table has the code. Static storage. */
TRN_API const char *trn_dtype_name(uint8_t dtype);

/**
 * Code of a name, in any case: the manual's ("BFLOAT16"), or a common alias ("bf16", "fp32",
 * "float32", "f32", "int8", "i8", "e4m3", "fp8_e5m2" ...). -1 when there is none; INVALID is not
 * found. An alias names the wire code only: how FP8_EXP4 is read is a matter of the mode.
 */
TRN_API int trn_dtype_find(const char *name);

/** Bits of one element; 0 for undefined codes. */
TRN_API unsigned trn_dtype_bits(uint8_t dtype);

/** Bytes of one element: 1, 2, 4, 8; 0 where an element is not whole bytes (INT4, FP4, CPTC). */
TRN_API size_t trn_dtype_size(uint8_t dtype);

/** Required alignment of an address in bytes (docs/hardware/isa-core.md 5.1); at least 1. */
TRN_API size_t trn_dtype_align(uint8_t dtype);

/** Two's complement integer or signed floating-point format. */
TRN_API bool trn_dtype_is_signed(uint8_t dtype);

/** TRN_DTYPE_KIND_INTEGER. */
TRN_API bool trn_dtype_is_integer(uint8_t dtype);

/**
 * Bytes that `n` adjacent elements occupy, whole containers: 4-bit types are packed low nibble
 * first, FP4_EXP2 four to a 2-byte container, INT4 two to a byte (pe-array.md 10.2); CPTC n*bits/8
 * rounded up. TRN_ERR_TOO_LARGE when the product overflows, TRN_ERR_INVALID for an undefined code.
 */
TRN_API trn_status trn_dtype_array_bytes(uint8_t dtype, uint64_t n, uint64_t *bytes);

/**
 * Whether the functions below convert this dtype: TRN_OK, TRN_ERR_UNSUPPORTED for transport codes,
 * TRN_ERR_INVALID for undefined ones, with the reason in *diag (may be NULL).
 */
TRN_API trn_status trn_dtype_convertible(uint8_t dtype, struct trn_diag *diag);

/* ---- conversion mode ----------------------------------------------------------------------- */

/** How wire code FP8_EXP4 is read (numerics.md 2.1). */
enum trn_fp8_reading {
    TRN_FP8_LEGACY, /**< IEEE-like: largest finite value 240, Inf 78, NaN 7C */
    TRN_FP8_FN,     /**< OCP e4m3fn: largest finite value 448, no Inf, NaN 7F */
};

/** How a value that is no integer becomes one (numerics.md 4.1). */
enum trn_int_rounding {
    TRN_INT_RNE,      /**< to nearest, ties to even: every engine's default */
    TRN_INT_TRUNCATE, /**< toward zero: option for the POOL cores' convert instruction */
};

/** Engine state that a conversion depends on. Fill it with trn_num_mode_default(). */
struct trn_num_mode {
    enum trn_fp8_reading fp8_e4m3;
    bool fp8_saturate;      /**< FP8 overflow gives the largest finite value, not Inf or NaN */
    bool fp8_nan_suppress;  /**< NaN into FP8 gives a signed zero */
    uint8_t emax_e4m3;      /**< largest exponent of a finite FP8_EXP4 result; 0: no extra cap */
    uint8_t emax_e5m2;      /**< the same for FP8_EXP5 */
    uint8_t fp32r_mantissa; /**< explicit mantissa bits FP32R keeps: 10, 11 (default) or 13 */
    enum trn_int_rounding int_rounding;
    /**
     * NULL: round to nearest, ties to even. Else stochastic rounding (numerics.md 6) for the
     * targets of trn_sr_target(): the state of the converter LFSR of one lane, advanced once for
     * each converted element. The caller owns it and hands each lane (partition) its own.
     */
    uint32_t *lfsr;
};

/** The mode after reset (numerics.md 10): FP8 reading and saturation of the generation, RNE. */
TRN_API void trn_num_mode_default(const struct trn_gen *gen, struct trn_num_mode *mode);

/** Next state, which is also the output, of the 32-bit LFSR (vector-ops.md 13.3). */
TRN_API uint32_t trn_lfsr_next(uint32_t *state);

/** State of lane `lane` after the seed register was written with `value` (numerics.md 6). */
TRN_API uint32_t trn_sr_seed(uint32_t lane, uint32_t value);

/** Whether stochastic rounding applies to this target: BF16, FP16, FP32R and the FP8 codes. */
TRN_API bool trn_sr_target(uint8_t dtype);

/** Most model choices that one conversion rests on. */
#define TRN_DTYPE_MAX_CHOICES 2

/**
 * The model choices that reading or writing this dtype under `mode` rests on, so that whoever
 * executes a conversion can count them: how its special codes are read, its width, how it rounds.
 * Returns how many it stored.
 */
TRN_API size_t trn_dtype_choices(uint8_t dtype, const struct trn_num_mode *mode,
                                 enum trn_choice out[TRN_DTYPE_MAX_CHOICES]);

/* ---- conversion ---------------------------------------------------------------------------- */

/*
 * Errors of every function below: those of trn_dtype_convertible(); TRN_ERR_INVALID for a mode
 * member outside its set. Nothing is written then.
 */

/**
 * Widen (numerics.md 3). Floats are exact, subnormals included; a signalling NaN of a narrower
 * format becomes quiet, sign and payload kept; FP32 and FP32R are copied bit by bit. Integers round
 * once, to nearest even. Scales (SFP8) give their value; code FF is NaN.
 */
TRN_API trn_status trn_to_fp32_array(uint8_t dtype, const struct trn_num_mode *mode, const void *in,
                                     float *out, size_t n);

/**
 * Narrow (numerics.md 4): one rounding by the mode, subnormals kept, NaN to the canonical NaN of
 * the target, overflow as the format and the mode say. Integers: round, clamp, NaN to the end that
 * its sign names. FP32 is copied bit by bit. FP4 and FP8_EXP2 have no specials: overflow and Inf
 * give the largest value, NaN the largest positive one. Scales: to nearest, too large gives FE,
 * zero the smallest code, NaN and negative values the NaN code FF (model choices). For packed 4-bit
 * types whole containers are written, unused nibbles as zero.
 */
TRN_API trn_status trn_from_fp32_array(uint8_t dtype, const struct trn_num_mode *mode,
                                       const float *in, void *out, size_t n);

/**
 * CAST (numerics.md 4.2): in -> fp32 -> out, so integers are exact up to 2^24 only. Equal dtypes
 * copy the bytes.
 */
TRN_API trn_status trn_convert_array(uint8_t in_dtype, uint8_t out_dtype,
                                     const struct trn_num_mode *mode, const void *in, void *out,
                                     size_t n);

/** One element: its bits in the low trn_dtype_bits() bits (higher ones are ignored). */
TRN_API trn_status trn_to_fp32(uint8_t dtype, const struct trn_num_mode *mode, uint64_t bits,
                               float *out);
TRN_API trn_status trn_from_fp32(uint8_t dtype, const struct trn_num_mode *mode, float value,
                                 uint64_t *bits);

/** How a narrow element fills a 32- or 64-bit word. */
enum trn_extend {
    TRN_EXTEND_ZERO, /**< raw bits, zeros above: bitvec operators (numerics.md 1) */
    TRN_EXTEND_SIGN, /**< the integer's value in two's complement: integer operators */
};

/**
 * Raw bits of any dtype of whole bytes up to the word's size (other dtypes: TRN_ERR_INVALID), one
 * word an element, no conversion. TRN_EXTEND_SIGN extends signed integers and zero-extends the
 * rest.
 */
TRN_API trn_status trn_to_u32_array(uint8_t dtype, enum trn_extend extend, const void *in,
                                    uint32_t *out, size_t n);
TRN_API trn_status trn_to_u64_array(uint8_t dtype, enum trn_extend extend, const void *in,
                                    uint64_t *out, size_t n);

/** Store the low bits of each word (numerics.md 4.3): no rounding, no saturation. */
TRN_API trn_status trn_from_u32_array(uint8_t dtype, const uint32_t *in, void *out, size_t n);
TRN_API trn_status trn_from_u64_array(uint8_t dtype, const uint64_t *in, void *out, size_t n);

/* ---- ALU operators ------------------------------------------------------------------------- */

/** Name in the manual ("ADD"); NULL when no table has the code. Static storage. */
TRN_API const char *trn_alu_name(uint8_t op);

/** Code of a name in any case, -1 when there is none. */
TRN_API int trn_alu_find(const char *name);

/** Operands an operator reads: 1 or 2; 0 for undefined codes. */
TRN_API unsigned trn_alu_arity(uint8_t op);

/** Whether the fp32, bitvec and integer functions below know the operator. */
TRN_API bool trn_alu_is_f32(uint8_t op);
TRN_API bool trn_alu_is_bitvec(uint8_t op);
TRN_API bool trn_alu_is_int(uint8_t op);

/*
 * fp32 operators (numerics.md 5, vector-ops.md 1): one rounding each, subnormals kept, compares
 * and logicals give 1.0 or 0.0, every NaN result is 7FC00000 (BYPASS alone passes bits through).
 * MAX and MIN: NaN loses; MAX(+0,-0) = +0, MIN = -0; ABS_MAX, ABS_MIN, RE_LU follow them.
 * TRN_ERR_UNSUPPORTED when trn_alu_is_f32() is false; nothing is written then.
 */

TRN_API trn_status trn_alu_f32(uint8_t op, float a, float b, float *out);

/** out[i] = a[i] op b[i]. Unary operators do not read `b`, which may then be NULL. */
TRN_API trn_status trn_alu_array(uint8_t op, const float *a, const float *b, float *out, size_t n);

/** out[i] = a[i] op s, or s op a[i] when `reverse`. */
TRN_API trn_status trn_alu_scalar_array(uint8_t op, const float *a, float s, bool reverse,
                                        float *out, size_t n);

/** One operator of a tensor-scalar row: x op imm, or imm op x when `reverse`. */
struct trn_ts_op {
    uint8_t op;
    bool reverse;
    float imm;
};

/**
 * TENSOR_SCALAR on one row: out[i] = (in[i] op0 imm0) op1 imm1, op0's result rounded to fp32 before
 * op1 reads it (never a fused multiply-add), in one pass over memory.
 */
TRN_API trn_status trn_alu_ts_row(struct trn_ts_op op0, struct trn_ts_op op1, const float *in,
                                  float *out, size_t n);

/**
 * The same on `rows` rows of n elements: row r is read at in + r * in_pitch and written at
 * out + r * out_pitch (bytes, multiples of 4). A row may be written over itself; different rows do
 * not overlap.
 */
TRN_API trn_status trn_alu_ts_rows(struct trn_ts_op op0, struct trn_ts_op op1, const float *in,
                                   size_t in_pitch, float *out, size_t out_pitch, size_t rows,
                                   size_t n);

/**
 * TENSOR_REDUCE on `lanes` rows of n >= 1 elements: out[r] = (..(x0 op x1) op ..) op x[n-1] with
 * x = row r, at in + r * pitch (pitch in bytes, a multiple of 4). The result is that of the
 * sequential order, rounding by rounding (numerics.md 5.1); rows advance side by side. n == 1
 * copies. `out` does not overlap the rows.
 */
TRN_API trn_status trn_reduce_rows(uint8_t op, const float *in, size_t pitch, size_t lanes,
                                   size_t n, float *out);

/*
 * Bitvec operators on raw words (narrow elements zero-extended, low bits stored afterwards).
 * Shift counts of the word's size or more give 0, or the sign fill (numerics.md 8). CRC32 steps
 * over the four (or eight) little-endian bytes of b from running value a (model choice).
 *
 * Integer operators: exact, wrapping in `bits` (32 or 64); operands sign- or zero-extended. They
 * are the integer band C4..E1 and the base-band codes that have an integer meaning (POOL native
 * integers, the sequencer's ALU_OP): BYPASS, bitwise, shifts, ADD, SUBTRACT, MULT, DIVIDE, MOD,
 * MAX, MIN, compares and logicals (1 or 0), ABSOLUTE_*, ABS_*, RE_LU, SQUARE. `is_signed` decides
 * where the code does not: DIVIDE_INT, MOD_INT and *_INT are signed, *_UINT unsigned. Quotients
 * truncate, remainders have the dividend's sign, INT_MIN / -1 wraps. Division by zero stores 0
 * there and returns TRN_ERR_RANGE after all elements are done,
 * so that the sequencer can make it the fault it is there.
 *
 * AMAX and AMIN are reductions to the index of the first extreme element; the elementwise
 * functions answer TRN_ERR_UNSUPPORTED, as for any operator that is not of the class.
 *
 * Array forms: operand a is a[i * a_step], steps 0 (one scalar) or 1; likewise b. Words are
 * uint32_t for bits == 32, uint64_t for 64.
 */

TRN_API trn_status trn_alu_bitvec(uint8_t op, unsigned bits, uint64_t a, uint64_t b, uint64_t *out);
TRN_API trn_status trn_alu_int(uint8_t op, unsigned bits, bool is_signed, uint64_t a, uint64_t b,
                               uint64_t *out);

TRN_API trn_status trn_alu_bitvec_array(uint8_t op, unsigned bits, const void *a, size_t a_step,
                                        const void *b, size_t b_step, void *out, size_t n);
TRN_API trn_status trn_alu_int_array(uint8_t op, unsigned bits, bool is_signed, const void *a,
                                     size_t a_step, const void *b, size_t b_step, void *out,
                                     size_t n);

/** As trn_reduce_rows(), on words; `out` holds one word a lane (AMAX, AMIN: the index). */
TRN_API trn_status trn_reduce_bitvec_rows(uint8_t op, unsigned bits, const void *in, size_t pitch,
                                          size_t lanes, size_t n, void *out);
TRN_API trn_status trn_reduce_int_rows(uint8_t op, unsigned bits, bool is_signed, const void *in,
                                       size_t pitch, size_t lanes, size_t n, void *out);

#ifdef __cplusplus
}
#endif
#endif
