/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/numeric.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>

#include "base/bytes.h"
#include "base/clones.h"

enum { MAGNITUDE = 0x7FFFFFFF, INFINITE = 0x7F800000 };

/* ---- collecting ---------------------------------------------------------------------- */

enum trn_fp_source trn_numeric_source(int engine)
{
    switch (engine) {
    case TRN_NEURON_ENGINE_PE:
        return TRN_FP_SOURCE_PE;
    case TRN_NEURON_ENGINE_ACT:
        return TRN_FP_SOURCE_ACT;
    case TRN_NEURON_ENGINE_POOL:
        return TRN_FP_SOURCE_POOL;
    default:
        return TRN_FP_SOURCE_DVE;
    }
}

static uint32_t flag_of(unsigned id, enum trn_fp_source source)
{
    return (uint32_t)1 << (id * TRN_FP_SOURCES + source);
}

void trn_numeric_raise(struct trn_exec *x, unsigned causes, enum trn_fp_source source)
{
    uint32_t flags = 0;
    for (unsigned id = 0; id < TRN_NUMERIC_CAUSES; id++)
        if (trn_bits_get(causes & x->numeric_wanted, id, 1))
            flags |= flag_of(id, source);
    /* threads meet the same causes again and again */
    if ((atomic_load_explicit(&x->numeric_met, memory_order_relaxed) & flags) != flags)
        atomic_fetch_or_explicit(&x->numeric_met, flags, memory_order_relaxed);
}

unsigned trn_numeric_open(const struct trn_exec *x, enum trn_fp_source source)
{
    const uint32_t met = atomic_load_explicit(&x->numeric_met, memory_order_relaxed);
    unsigned open = x->numeric_wanted;
    for (unsigned id = 0; met && id < TRN_NUMERIC_CAUSES; id++)
        if (met & flag_of(id, source))
            open &= ~(1u << id);
    return open;
}

uint16_t trn_numeric_sources(uint32_t met, unsigned id)
{
    return (uint16_t)trn_bits_get(met, id * TRN_FP_SOURCES, TRN_FP_SOURCES);
}

/* ---- kinds of values ------------------------------------------------------------------ */

struct kinds {
    uint32_t zero, infinite, nan; /* not 0: there is one */
};

static inline uint32_t magnitude(float value)
{
    return trn_f32_bits(value) & MAGNITUDE;
}

TRN_CLONES static struct kinds kinds_of(const float *values, size_t n)
{
    uint32_t zero = 0, infinite = 0, nan = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t m = magnitude(values[i]);
        zero |= m == 0;
        infinite |= m == INFINITE;
        nan |= m > INFINITE;
    }
    return (struct kinds){zero, infinite, nan};
}

/* Whether there is a NaN or an infinity at all: without its sign bit a value is twice its
 * magnitude. */
TRN_CLONES static bool any_special(const float *values, size_t n)
{
    uint32_t largest = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t m = trn_f32_bits(values[i]) * 2;
        largest = m > largest ? m : largest;
    }
    return largest >= 2u * INFINITE;
}

unsigned trn_numeric_of_operands(const float *values, size_t n)
{
    if (!any_special(values, n))
        return TRN_NUMERIC_NONE;
    const struct kinds kinds = kinds_of(values, n);
    return (kinds.nan ? TRN_NUMERIC_NAN : 0) | (kinds.infinite ? TRN_NUMERIC_INF : 0);
}

/* ---- operators ------------------------------------------------------------------------ */

/* Whether the operator rounds at all, what its zeros may hide, and where it has a pole. */
struct op_traits {
    bool rounds;                           /* else results are among the operands, or 0 and 1 */
    bool shrinks;                          /* may turn what is not zero into zero */
    enum { NO_POLE, POLE_A, POLE_B } pole; /* infinite, and exact, where this operand is 0 */
};

static struct op_traits traits_of(uint8_t op)
{
    switch (op) {
    case TRN_ALU_OP_ADD:
    case TRN_ALU_OP_SUBTRACT:
    case TRN_ALU_OP_ABSOLUTE_DIFF:
    case TRN_ALU_OP_MOD:
        return (struct op_traits){.rounds = true};
    case TRN_ALU_OP_MULT:
    case TRN_ALU_OP_SQUARE:
        return (struct op_traits){.rounds = true, .shrinks = true};
    case TRN_ALU_OP_DIVIDE:
        return (struct op_traits){.rounds = true, .shrinks = true, .pole = POLE_B};
    case TRN_ALU_OP_POW:
        return (struct op_traits){.rounds = true, .shrinks = true, .pole = POLE_A};
    case TRN_ALU_OP_RSQRT:
        return (struct op_traits){.rounds = true, .pole = POLE_A};
    default:
        return (struct op_traits){.rounds = false};
    }
}

bool trn_numeric_rounds(uint8_t op)
{
    return traits_of(op).rounds;
}

bool trn_numeric_shrinks(uint8_t op)
{
    return traits_of(op).shrinks;
}

/* What is infinite or a NaN stays so, or becomes a NaN or a quotient of 0; and a 0 of a product or
 * a quotient stays 0 or becomes a NaN. POW and MOD turn them into numbers. */
bool trn_numeric_tells(uint8_t op)
{
    return op == TRN_ALU_OP_ADD || op == TRN_ALU_OP_SUBTRACT || op == TRN_ALU_OP_ABSOLUTE_DIFF ||
           op == TRN_ALU_OP_MULT || op == TRN_ALU_OP_DIVIDE;
}

static inline uint32_t is_ordinary(uint32_t m) /* finite and not zero */
{
    return (m != 0) & (m < INFINITE);
}

/* A zero of two ordinary operands: for all of mult, divide and pow the exact value is not zero. */
TRN_CLONES static uint32_t shrank(const float *a, size_t a_step, const float *b, size_t b_step,
                                  const float *out, size_t n)
{
    uint32_t met = 0;
    if (a_step && b_step)
        for (size_t i = 0; i < n; i++)
            met |= (magnitude(out[i]) == 0) & is_ordinary(magnitude(a[i])) &
                   is_ordinary(magnitude(b[i]));
    else if (a_step && is_ordinary(magnitude(*b)))
        for (size_t i = 0; i < n; i++)
            met |= (magnitude(out[i]) == 0) & is_ordinary(magnitude(a[i]));
    else if (b_step && is_ordinary(magnitude(*a)))
        for (size_t i = 0; i < n; i++)
            met |= (magnitude(out[i]) == 0) & is_ordinary(magnitude(b[i]));
    return met;
}

/* Infinite results of finite operands. */
static unsigned of_infinities(struct op_traits traits, const float *a, size_t a_step,
                              const float *b, size_t b_step, const float *out, size_t n)
{
    unsigned causes = TRN_NUMERIC_NONE;
    for (size_t i = 0; i < n; i++) {
        const float left = a[i * a_step], right = b[i * b_step];
        if (!isinf(out[i]) || !isfinite(left) || !isfinite(right))
            continue;
        const bool pole =
            (traits.pole == POLE_A && left == 0) || (traits.pole == POLE_B && right == 0);
        causes |= pole ? TRN_NUMERIC_INF : TRN_NUMERIC_OVERFLOW;
    }
    return causes;
}

unsigned trn_numeric_of_op(uint8_t op, const float *a, size_t a_step, const float *b, size_t b_step,
                           const float *out, size_t n)
{
    const struct op_traits traits = traits_of(op);
    const bool unary = trn_alu_arity(op) < 2;
    static const float one = 1.0f;
    if (op == TRN_ALU_OP_SQUARE) {
        b = a;
        b_step = a_step;
    } else if (!b) {
        b = &one;
        b_step = 0;
    }
    unsigned causes = TRN_NUMERIC_NONE;
    if (!a_step)
        causes |= trn_numeric_of_operands(a, 1);
    if (!b_step && !unary)
        causes |= trn_numeric_of_operands(b, 1);
    if (!traits.rounds)
        return causes;
    const struct kinds kinds = kinds_of(out, n);
    if (kinds.nan)
        causes |= TRN_NUMERIC_NAN;
    if (kinds.infinite)
        causes |= of_infinities(traits, a, a_step, b, b_step, out, n);
    if (kinds.zero && traits.shrinks && shrank(a, a_step, b, b_step, out, n))
        causes |= TRN_NUMERIC_UNDERFLOW;
    return causes;
}

unsigned trn_numeric_of_function(const float *in, const float *out, size_t n)
{
    const struct kinds kinds = kinds_of(out, n);
    unsigned causes = TRN_NUMERIC_NONE;
    for (size_t i = 0; i < n && (kinds.nan || kinds.infinite); i++) {
        const uint32_t from = magnitude(in[i]), to = magnitude(out[i]);
        if (to > INFINITE && from <= INFINITE)
            causes |= TRN_NUMERIC_NAN;
        if (to == INFINITE && from < INFINITE)
            causes |= from == 0 ? TRN_NUMERIC_INF : TRN_NUMERIC_OVERFLOW;
    }
    return causes;
}

/* What a fold of n values met, whose result is 0, infinite or a NaN. */
static unsigned of_special_fold(const float *in, size_t n, float out)
{
    if (isnan(out))
        return TRN_NUMERIC_NAN;
    const struct kinds kinds = kinds_of(in, n);
    if (out == 0)
        return kinds.zero || kinds.infinite ? TRN_NUMERIC_NONE : TRN_NUMERIC_UNDERFLOW;
    return kinds.infinite ? TRN_NUMERIC_NONE : TRN_NUMERIC_OVERFLOW;
}

unsigned trn_numeric_of_folds(uint8_t op, const float *in, size_t pitch, size_t rows, size_t n,
                              const float *out)
{
    const struct op_traits traits = traits_of(op);
    unsigned causes = TRN_NUMERIC_NONE;
    if (!traits.rounds || n < 2)
        return causes;
    for (size_t r = 0; r < rows; r++) {
        const float *row = (const void *)((const uint8_t *)in + r * pitch);
        if (out[r] == 0 ? traits.shrinks : !isfinite(out[r]))
            causes |= of_special_fold(row, n, out[r]);
    }
    return causes;
}

/* ---- narrowing ------------------------------------------------------------------------- */

/* The magnitude from which on a finite value is clamped (numerics.md 4): half a step above the
 * largest finite one, and that itself when its tie goes up. Infinite where nothing is clamped. */
struct clamp {
    float bound;
    bool at_bound;
};

static struct clamp clamp_of(uint8_t dtype, const struct trn_num_mode *mode)
{
    struct trn_num_mode plain = *mode;
    struct clamp clamp = {.bound = INFINITY, .at_bound = false};
    uint64_t code = 0;
    float largest = INFINITY, next = 0;
    plain.lfsr = NULL; /* asking draws no random bits */
    (void)trn_from_fp32(dtype, &plain, FLT_MAX, &code);
    (void)trn_to_fp32(dtype, &plain, code, &largest);
    if (!isfinite(largest) || code == 0)
        return clamp;
    (void)trn_to_fp32(dtype, &plain, code - 1, &next);
    clamp.bound = largest + (largest - next) / 2;
    clamp.at_bound = code % 2 != 0;
    return clamp;
}

struct narrowed {
    uint32_t vanished, clamped;
};

TRN_CLONES static struct narrowed narrowed_of(const float *in, const float *stored, size_t n,
                                              uint32_t first_clamped)
{
    uint32_t vanished = 0, clamped = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t m = magnitude(in[i]), s = magnitude(stored[i]);
        vanished |= (s == 0) & (m != 0) & (m < INFINITE);
        clamped |= (m < INFINITE) & ((s >= INFINITE) | (m >= first_clamped));
    }
    return (struct narrowed){vanished, clamped};
}

unsigned trn_numeric_of_narrowing(uint8_t dtype, const struct trn_num_mode *mode, const float *in,
                                  const void *stored, size_t n)
{
    enum { AT_ONCE = 512 };
    if (trn_dtype_kind(dtype) != TRN_DTYPE_KIND_FLOAT || dtype == TRN_DTYPE_FP32)
        return TRN_NUMERIC_NONE;
    const struct clamp clamp = clamp_of(dtype, mode);
    const uint32_t first_clamped = magnitude(clamp.bound) + !clamp.at_bound;
    const size_t size = trn_dtype_size(dtype);
    unsigned causes = TRN_NUMERIC_NONE;
    float back[AT_ONCE];
    for (size_t done = 0, count; done < n; done += count) {
        count = n - done < AT_ONCE ? n - done : AT_ONCE;
        (void)trn_to_fp32_array(dtype, mode, (const uint8_t *)stored + done * size, back, count);
        const struct narrowed met = narrowed_of(in + done, back, count, first_clamped);
        causes |=
            (met.vanished ? TRN_NUMERIC_UNDERFLOW : 0) | (met.clamped ? TRN_NUMERIC_OVERFLOW : 0);
    }
    return causes;
}
