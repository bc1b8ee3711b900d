/* SPDX-License-Identifier: Apache-2.0 */
/* The error of a table against its function, in units of the last place of three formats. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "act/eval.h"
#include "act/expr.h"
#include "base/bytes.h"
#include "trench/num.h"

enum { FORMATS = 3, CHUNK = 1024, BF16_CODES = 65536, BF16_SHIFT = 16 };

static const struct {
    uint8_t dtype;
    int mantissa_bits, lowest; /* exponent of the smallest normal value */
} formats[FORMATS] = {
    {TRN_DTYPE_FP32, 23, -126}, {TRN_DTYPE_BFLOAT16, 7, -126}, {TRN_DTYPE_FP16, 10, -14}};

bool trn_act_in_range(const struct trn_act_table *table, float x)
{
    const bool folded = table->profile.symmetry_opt_en && table->lo > 0;
    const float v = folded ? fabsf(x) : x;
    return v >= table->lo && v <= table->hi;
}

struct sums {
    struct trn_act_error *error;
    const struct trn_act_table *table;
    const struct trn_act_function *function;
    const struct trn_expr *expr;
    const struct trn_num_mode *mode;
};

/* Distance between neighbours of the format around `exact`. */
static double ulp_of(int format, long double exact)
{
    const int lowest = formats[format].lowest;
    const int exponent = exact == 0 ? lowest : ilogbl(exact);
    return ldexp(1, (exponent > lowest ? exponent : lowest) - formats[format].mantissa_bits);
}

static float rounded(const struct trn_num_mode *mode, int format, float value)
{
    uint64_t bits = 0;
    float out = value;
    trn_from_fp32(formats[format].dtype, mode, value, &bits);
    trn_to_fp32(formats[format].dtype, mode, bits, &out);
    return out;
}

static void add_ulp(const struct sums *s, int format, float x, float value, long double exact)
{
    struct trn_act_error *const e = s->error;
    const float got = format ? rounded(s->mode, format, value) : value;
    const float want = format ? rounded(s->mode, format, (float)exact) : (float)exact;
    if (exact == 0 || (isinf(got) && isinf(want) && got == want))
        return;                                                  /* no last place */
    const float shown = isinf(got) || isinf(want) ? value : got; /* at the end of the format */
    double ulp = (double)(fabsl(shown - exact) / ulp_of(format, exact));
    ulp = isnan(ulp) ? (double)INFINITY : ulp;
    e->mean_ulp[format] += ulp;
    if (ulp > e->max_ulp[format]) {
        e->max_ulp[format] = ulp;
        e->max_ulp_at[format] = x;
    }
}

static void add_input(const struct sums *s, float x, float value)
{
    struct trn_act_error *const e = s->error;
    const long double exact = trn_expr_value(s->expr, x);
    if (!trn_act_in_range(s->table, x) || (isnan(exact) && isnan(value))) {
        e->outside++;
        return;
    }
    e->inputs++;
    for (int format = 0; format < FORMATS; format++)
        add_ulp(s, format, x, value, exact);
    const double absolute = (double)fabsl(value - exact);
    if (!isfinite(absolute))
        return;
    e->mean_absolute += absolute;
    if (absolute > e->max_absolute) {
        e->max_absolute = absolute;
        e->max_absolute_at = x;
    }
}

static void add_chunk(const struct sums *s, const float *x, size_t n)
{
    float value[CHUNK];
    trn_act_apply(s->function, x, value, n);
    for (size_t i = 0; i < n; i++)
        add_input(s, x[i], value[i]);
}

static void finish(struct trn_act_error *e)
{
    const double n = e->inputs ? (double)e->inputs : 1;
    for (int format = 0; format < FORMATS; format++)
        e->mean_ulp[format] /= n;
    e->mean_absolute /= n;
}

static void measure_bf16(const struct sums *s)
{
    float x[CHUNK];
    size_t n = 0;
    for (uint32_t code = 0; code < BF16_CODES; code++) {
        const float value = trn_bits_f32(code << BF16_SHIFT);
        if (!isfinite(value))
            continue;
        x[n++] = value;
        if (n == CHUNK) {
            add_chunk(s, x, n);
            n = 0;
        }
    }
    add_chunk(s, x, n);
    finish(s->error);
}

/* Magnitudes of the range by their bits, in equal steps: as many in every octave, like the format
 * itself. */
static void measure_side(const struct sums *s, uint32_t first, uint32_t last, bool negative,
                         uint64_t count)
{
    float x[CHUNK];
    size_t n = 0;
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t bits = first + (uint32_t)((uint64_t)(last - first) * i / (count - 1));
        x[n++] = negative ? -trn_bits_f32(bits) : trn_bits_f32(bits);
        if (n == CHUNK || i + 1 == count) {
            add_chunk(s, x, n);
            n = 0;
        }
    }
}

static void measure_fp32(const struct sums *s, uint64_t count)
{
    const float lo = s->table->lo, hi = s->table->hi;
    const bool both = s->table->profile.symmetry_opt_en && lo > 0;
    const bool has_neg = lo < 0 || both, has_pos = hi > 0;
    const uint32_t largest = trn_f32_bits(0x1.fffffep127F);
    const uint32_t pos_end = isinf(hi) ? largest : trn_f32_bits(hi);
    const uint32_t neg_end = both ? pos_end : isinf(lo) ? largest : trn_f32_bits(-lo);
    const uint32_t begin = lo > 0 ? trn_f32_bits(lo) : 1;
    const uint64_t each = (count + 1) / (has_neg && has_pos ? 2 : 1);
    if (has_pos)
        measure_side(s, begin, pos_end, false, each);
    if (has_neg)
        measure_side(s, hi < 0 ? trn_f32_bits(-hi) : begin, neg_end, true, each);
    finish(s->error);
}

/* The function alone in a set: what the tables will answer, entry for entry. */
static trn_status prepare_alone(const struct trn_act_table *table, struct trn_act_set *set,
                                struct trn_act_function *function, struct trn_diag *diag)
{
    const struct trn_act_specials specials = trn_act_specials_default();
    trn_status status = trn_act_set_init(set, "measure", TRN_ACT_LAYOUT_LATER, diag);
    if (status == TRN_OK)
        status = trn_act_set_add(set, table, diag);
    if (status != TRN_OK)
        return status;
    const struct trn_act_tables tables = trn_act_set_tables(set);
    trn_act_prepare(&tables, 0, &specials, 1, function);
    return TRN_OK;
}

trn_status trn_act_measure(const struct trn_act_table *table, const char *expression, uint64_t n,
                           struct trn_act_error *bf16, struct trn_act_error *fp32,
                           struct trn_diag *diag)
{
    struct trn_expr expr;
    struct trn_act_function function;
    struct trn_num_mode mode;
    trn_status status = trn_expr_parse(expression, &expr, diag);
    if (status != TRN_OK)
        return status;
    struct trn_act_set *const set = malloc(sizeof *set);
    if (!set)
        return trn_diag_set(diag, TRN_ERR_NO_MEMORY, NULL, NULL, NULL, "no memory for a set");
    status = prepare_alone(table, set, &function, diag);
    if (status == TRN_OK) {
        trn_num_mode_default(trn_gen_at(1), &mode);
        struct sums sums = {bf16, table, &function, &expr, &mode};
        memset(bf16, 0, sizeof *bf16);
        memset(fp32, 0, sizeof *fp32);
        measure_bf16(&sums);
        sums.error = fp32;
        measure_fp32(&sums, n > 4 ? n : 4);
    }
    free(set);
    return status;
}

trn_status trn_act_expression_values(const char *expression, const float *x, double *out, size_t n,
                                     struct trn_diag *diag)
{
    struct trn_expr expr;
    const trn_status status = trn_expr_parse(expression, &expr, diag);
    for (size_t i = 0; i < n && status == TRN_OK; i++)
        out[i] = (double)trn_expr_value(&expr, x[i]);
    return status;
}
