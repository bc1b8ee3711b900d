/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of fp32 rows. Each row is a chain of dependent roundings in stream order
 * (docs/hardware/numerics.md 5.1); rows are independent, so sixteen chains ride in one vector, and
 * the elements are brought into that shape by 4 x 4 transposes in registers. */
#include "num/alu_f32.h"

typedef float v4 __attribute__((vector_size(16)));
typedef float v8 __attribute__((vector_size(32)));
typedef float v16 __attribute__((vector_size(64)));

#define LANES 16 /* rows in a vector */
#define PAIR  (2 * LANES)

TRN_INLINE v4 load4(const float *p)
{
    v4 v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* Four elements of the rows i, i + 4, i + 8, i + 12. */
TRN_INLINE void load_rows(const float *const *rows, size_t i, size_t column, v16 *out)
{
    const v8 low = __builtin_shufflevector(load4(rows[i] + column), load4(rows[i + 4] + column), 0,
                                           1, 2, 3, 4, 5, 6, 7);
    const v8 high = __builtin_shufflevector(load4(rows[i + 8] + column),
                                            load4(rows[i + 12] + column), 0, 1, 2, 3, 4, 5, 6, 7);
    *out = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

/* Pick from a pair of vectors, the same way in each quarter. */
#define QUARTERS(A, B, I, J, K, L)                                                                 \
    __builtin_shufflevector(A, B, (I), (J), (K), (L), (I) + 4, (J) + 4, (K) + 4, (L) + 4, (I) + 8, \
                            (J) + 8, (K) + 8, (L) + 8, (I) + 12, (J) + 12, (K) + 12, (L) + 12)

/* Columns `column` .. + 3 of sixteen rows, row r in element r. */
TRN_INLINE void load_columns(const float *const *rows, size_t column, v16 out[4])
{
    v16 a, b, c, d;
    load_rows(rows, 0, column, &a);
    load_rows(rows, 1, column, &b);
    load_rows(rows, 2, column, &c);
    load_rows(rows, 3, column, &d);
    const v16 ab01 = QUARTERS(a, b, 0, 16, 1, 17), ab23 = QUARTERS(a, b, 2, 18, 3, 19);
    const v16 cd01 = QUARTERS(c, d, 0, 16, 1, 17), cd23 = QUARTERS(c, d, 2, 18, 3, 19);
    out[0] = QUARTERS(ab01, cd01, 0, 1, 16, 17);
    out[1] = QUARTERS(ab01, cd01, 2, 3, 18, 19);
    out[2] = QUARTERS(ab23, cd23, 0, 1, 16, 17);
    out[3] = QUARTERS(ab23, cd23, 2, 3, 18, 19);
}

/* Two times sixteen rows of n >= 4 elements, so that one chain's latency hides the other's. */
#define CHAIN(NAME, OP)                                                                            \
    TRN_INLINE void NAME##_columns(const float *const *rows, size_t column, v16 *acc)              \
    {                                                                                              \
        v16 x[4];                                                                                  \
        load_columns(rows, column, x);                                                             \
        *acc = column == 0 ? x[0] : *acc OP x[0];                                                  \
        *acc = *acc OP x[1];                                                                       \
        *acc = *acc OP x[2];                                                                       \
        *acc = *acc OP x[3];                                                                       \
    }                                                                                              \
    TRN_CLONES static void NAME(const float *const *rows, size_t n, float *out)                    \
    {                                                                                              \
        v16 acc[2] = {{0}, {0}};                                                                   \
        size_t column = 0;                                                                         \
        for (; column + 16 <= n; column += 16)                                                     \
            for (size_t half = 0; half < 2; half++)                                                \
                for (size_t i = 0; i < 16; i += 4)                                                 \
                    NAME##_columns(rows + half * LANES, column + i, &acc[half]);                   \
        for (; column + 4 <= n; column += 4)                                                       \
            for (size_t half = 0; half < 2; half++)                                                \
                NAME##_columns(rows + half * LANES, column, &acc[half]);                           \
        memcpy(out, acc, sizeof acc);                                                              \
        for (; column < n; column++)                                                               \
            for (size_t r = 0; r < PAIR; r++)                                                      \
                out[r] = out[r] OP rows[r][column];                                                \
    }

CHAIN(chain_add, +)
CHAIN(chain_subtract, -)
CHAIN(chain_mult, *)

typedef void chain_fn(const float *const *rows, size_t n, float *out);

static chain_fn *chain_of(uint8_t op)
{
    switch (op) {
    case TRN_ALU_OP_ADD:
        return chain_add;
    case TRN_ALU_OP_SUBTRACT:
        return chain_subtract;
    case TRN_ALU_OP_MULT:
        return chain_mult;
    default:
        return NULL;
    }
}

static const float *row_at(const float *in, size_t pitch, size_t r)
{
    return (const float *)(const void *)((const uint8_t *)in + r * pitch);
}

static void reduce_chains(chain_fn *chain, const float *in, size_t pitch, size_t lanes, size_t n,
                          float *out)
{
    for (size_t done = 0; done < lanes; done += PAIR) {
        const size_t count = lanes - done < PAIR ? lanes - done : PAIR;
        const float *rows[PAIR];
        float result[PAIR];
        for (size_t r = 0; r < PAIR; r++) /* missing rows: the last one again */
            rows[r] = row_at(in, pitch, done + (r < count ? r : count - 1));
        chain(rows, n, result);
        for (size_t r = 0; r < count; r++)
            out[done + r] = trn_canonical(result[r]);
    }
}

/* MAX and MIN do not round, so their result does not depend on the order: the largest non-NaN
 * element in the order where -0 < +0, and NaN when there is none. The loop looks only at values;
 * which zero it is, and whether there was a number at all, is looked up when it can matter. */
#define WAYS 64 /* independent comparisons, more than the hardware can overlap */

#define ORDER_FREE(NAME, LESS, FIRST, ZERO)                                                        \
    TRN_CLONES static float NAME(const float *x, size_t n)                                         \
    {                                                                                              \
        float best[WAYS];                                                                          \
        for (size_t k = 0; k < WAYS; k++)                                                          \
            best[k] = FIRST;                                                                       \
        size_t i = 0;                                                                              \
        for (; i + WAYS <= n; i += WAYS)                                                           \
            for (size_t k = 0; k < WAYS; k++)                                                      \
                best[k] = best[k] LESS x[i + k] ? x[i + k] : best[k];                              \
        for (size_t width = WAYS / 2; width; width /= 2)                                           \
            for (size_t k = 0; k < width; k++)                                                     \
                best[k] = best[k] LESS best[k + width] ? best[k + width] : best[k];                \
        float r = best[0];                                                                         \
        for (; i < n; i++)                                                                         \
            r = r LESS x[i] ? x[i] : r;                                                            \
        if (r == 0 || r == (FIRST)) {                                                              \
            bool zero = false, number = false;                                                     \
            for (i = 0; i < n; i++) {                                                              \
                zero |= trn_f32_bits(x[i]) == (ZERO);                                              \
                number |= x[i] == r;                                                               \
            }                                                                                      \
            if (!number)                                                                           \
                return trn_bits_f32(TRN_F32_NAN);                                                  \
            if (r == 0)                                                                            \
                return trn_bits_f32(zero ? (ZERO) : (ZERO) ^ TRN_F32_SIGN);                        \
        }                                                                                          \
        return r;                                                                                  \
    }

ORDER_FREE(row_max, <, -INFINITY, 0u)
ORDER_FREE(row_min, >, INFINITY, TRN_F32_SIGN)

/* Any operator: one column of up to COLUMN rows at a time. */
#define COLUMN 64

static void reduce_columns(uint8_t op, const float *in, size_t pitch, size_t lanes, size_t n,
                           float *out)
{
    for (size_t done = 0; done < lanes; done += COLUMN) {
        const size_t count = lanes - done < COLUMN ? lanes - done : COLUMN;
        float column[COLUMN];
        for (size_t r = 0; r < count; r++)
            out[done + r] = *row_at(in, pitch, done + r);
        for (size_t i = 1; i < n; i++) {
            for (size_t r = 0; r < count; r++)
                column[r] = row_at(in, pitch, done + r)[i];
            trn_alu_array(op, out + done, column, out + done, count);
        }
    }
}

trn_status trn_reduce_rows(uint8_t op, const float *in, size_t pitch, size_t lanes, size_t n,
                           float *out)
{
    if (!trn_alu_is_f32(op))
        return TRN_ERR_UNSUPPORTED;
    if (n == 0 || pitch % sizeof *in != 0)
        return TRN_ERR_INVALID;

    chain_fn *chain = chain_of(op);
    if (chain && n >= 4)
        reduce_chains(chain, in, pitch, lanes, n, out);
    else if (op == TRN_ALU_OP_MAX && n > 1)
        for (size_t r = 0; r < lanes; r++)
            out[r] = row_max(row_at(in, pitch, r), n);
    else if (op == TRN_ALU_OP_MIN && n > 1)
        for (size_t r = 0; r < lanes; r++)
            out[r] = row_min(row_at(in, pitch, r), n);
    else
        reduce_columns(op, in, pitch, lanes, n, out);
    return TRN_OK;
}
