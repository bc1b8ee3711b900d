/* SPDX-License-Identifier: Apache-2.0 */
/* Written with the host's own vectors: what is chosen between depends on masks, which vector
 * extensions of C would bring from mask registers and back again for every choice. */
#include "act/quick.h"

#include "act/eval.h"
#include "base/bytes.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#define HOST __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define STEP HOST __attribute__((always_inline)) static inline

enum { LANES = 16, VECTORS = TRN_ACT_QUICK_GROUP / LANES };
enum { MANTISSA_BITS = 23, LSB_AT = 27, BUCKET_MASK = 0x7FF, ROW_SHIFT = 4 };
enum { MAGNITUDE = 0x7FFFFFFF, BF16_BYTES = 2 };

bool trn_act_quick_host(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

/* ---- the bucket ------------------------------------------------------------------------------ */

STEP __m512i splat(uint32_t word)
{
    return _mm512_set1_epi32((int)word);
}

STEP __m512i as_words(__m512 floats)
{
    return _mm512_castps_si512(floats);
}

STEP __m512 as_floats(__m512i words)
{
    return _mm512_castsi512_ps(words);
}

/* Of 32 words the one that the low five bits of `which` name. */
STEP __m512i pick(const void *words, __m512i which)
{
    const __m512i *const half = words;
    return _mm512_permutex2var_epi32(_mm512_load_si512(half), which, _mm512_load_si512(half + 1));
}

/* The number of the side. */
STEP __m512i of_side(bool folded, __mmask16 negative, const uint32_t number[2])
{
    const __m512i positive = splat(number[0]);
    return folded ? positive : _mm512_mask_mov_epi32(positive, negative, splat(number[1]));
}

/* Three operands at once: the code is the truth table of a, b, c = 0xF0, 0xCC, 0xAA. */
enum { A_AND_B_OR_C = 0xEA, A_OR_B_NOT_C = 0x54, A_XOR_B_AND_C = 0x78 };

STEP __m512i fold(const struct trn_act_function *f, __m512i bits)
{
    return _mm512_ternarylogic_epi32(bits, splat(f->places.fold_keep), splat(f->places.fold_set),
                                     A_AND_B_OR_C);
}

/* Values on their way to their buckets. */
struct spot {
    __m512i sel, magnitude, place;
    __mmask16 negative, not_large, not_small;
};

/* The place of the octave or of a clamp. */
STEP struct spot begin(const struct trn_act_function *f, bool folded, __m512i bits)
{
    const struct trn_act_quick *const q = &f->quick;
    struct spot s = {.sel = fold(f, bits)};
    const __m512i octave = _mm512_srli_epi32(s.sel, MANTISSA_BITS);
    s.magnitude = _mm512_and_si512(s.sel, splat(MAGNITUDE));
    s.place = pick(q->octave[0], octave);
    if (!folded) {
        s.negative = _mm512_movepi32_mask(s.sel);
        s.place = _mm512_mask_mov_epi32(s.place, s.negative, pick(q->octave[1], octave));
    }
    s.not_large = _mm512_cmplt_epu32_mask(s.magnitude, of_side(folded, s.negative, q->large_from));
    s.not_small = _mm512_cmpge_epu32_mask(s.magnitude, of_side(folded, s.negative, q->small_end));
    s.place = _mm512_mask_mov_epi32(of_side(folded, s.negative, q->large), s.not_large, s.place);
    s.place = _mm512_mask_mov_epi32(of_side(folded, s.negative, q->small), s.not_small, s.place);
    return s;
}

STEP __m512i lsb_of(const struct spot *s)
{
    return _mm512_srli_epi32(s->place, LSB_AT);
}

STEP __m512i bucket_of(const struct spot *s)
{
    const __m512i section = _mm512_srlv_epi32(s->sel, lsb_of(s));
    return _mm512_and_si512(_mm512_add_epi32(section, s->place), splat(BUCKET_MASK));
}

/* The centre: sel without what lies in its section, and half the section less one step, which is
 * (lo + hi) / 2 rounded towards zero. */
STEP __m512 middle_of(const struct spot *s)
{
    const __m512i half = _mm512_srli_epi32(_mm512_sllv_epi32(splat(1), lsb_of(s)), 1);
    const __m512i below = _mm512_sub_epi32(half, splat(1));
    return as_floats(_mm512_ternarylogic_epi32(s->sel, below, half, A_OR_B_NOT_C));
}

/* From the centre, which is 0 for a clamp. */
STEP __m512 distance_of(const struct spot *s)
{
    const __mmask16 octave = s->not_large & s->not_small;
    return _mm512_sub_ps(as_floats(s->sel), _mm512_maskz_mov_ps(octave, middle_of(s)));
}

STEP void find(const struct trn_act_function *f, bool folded, const uint32_t *bits, uint32_t *sel,
               uint32_t *offset, float *t, size_t n)
{
    for (size_t i = 0; i < n; i += LANES) {
        const struct spot s = begin(f, folded, _mm512_load_si512(bits + i));
        _mm512_store_si512(sel + i, s.sel);
        _mm512_store_si512(offset + i, _mm512_slli_epi32(bucket_of(&s), ROW_SHIFT));
        _mm512_store_ps(t + i, distance_of(&s));
    }
}

HOST void trn_act_quick_find(const struct trn_act_function *f, const uint32_t *bits, uint32_t *sel,
                             uint32_t *offset, float *t, size_t n)
{
    if (f->quick.folded)
        find(f, true, bits, sel, offset, t, n);
    else
        find(f, false, bits, sel, offset, t, n);
}

/* ---- results to be rounded to BF16 ----------------------------------------------------------- */

/* Large clamps are constants: their t does not matter, as long as it is a number. */
STEP __m512 small_distance_of(const struct spot *s)
{
    const __m512 middle = _mm512_maskz_mov_ps(s->not_small, middle_of(s));
    return _mm512_maskz_sub_ps(s->not_large, as_floats(s->sel), middle);
}

/* Of values: how far above sure_from, as a number without sign; below it that is much. */
STEP __m512i above_sure(const struct trn_act_quick *q, __m512i magnitude)
{
    return _mm512_sub_epi32(magnitude, splat(q->sure_from));
}

STEP __mmask16 is_unsure(const struct trn_act_quick *q, __m512i above)
{
    return _mm512_cmpge_epu32_mask(above, splat(q->sure_size));
}

/* The cubic, its sign where the value was reflected, and half of a BF16 step above it: where there
 * is no tie the upper half is then rounded to nearest. A few f32 steps more tell ties: the lower
 * half is small. */
STEP __m512i result_of(const struct trn_act_function *f, bool folded, __m512i bits, __m512 t,
                       const __m512 c[4])
{
    const __m512 line = _mm512_add_ps(_mm512_mul_ps(t, c[1]), c[0]);
    const __m512 curve = _mm512_add_ps(_mm512_mul_ps(t, c[3]), c[2]);
    const __m512i r = as_words(_mm512_add_ps(line, _mm512_mul_ps(_mm512_mul_ps(t, t), curve)));
    const __m512i half = splat(0x8000 + TRN_ACT_QUICK_TIE);
    if (!folded)
        return _mm512_add_epi32(r, half);
    const __m512i reflected = _mm512_xor_si512(bits, fold(f, bits)); /* at most the sign */
    const __m512i turned =
        _mm512_ternarylogic_epi32(r, reflected, splat(f->places.unfold_sign), A_XOR_B_AND_C);
    return _mm512_add_epi32(turned, half);
}

STEP __m512i above_tie(__m512i result)
{
    return _mm512_and_si512(result, splat(0xFFFF));
}

STEP __mmask16 is_near_tie(__m512i above)
{
    return _mm512_cmple_epu32_mask(above, splat(2 * TRN_ACT_QUICK_TIE));
}

STEP void pick_columns(const struct trn_act_quick *q, __m512i bucket, __m512 c[4])
{
    const __mmask16 upper = _mm512_test_epi32_mask(bucket, splat(TRN_ACT_QUICK_FEW / 2));
    for (int k = 0; k < 4; k++)
        c[k] = as_floats(_mm512_mask_mov_epi32(pick(q->column[k], bucket), upper,
                                               pick(q->column[k] + TRN_ACT_QUICK_FEW / 2, bucket)));
}

/* Four rows behind each other. */
STEP __m512 four_rows(const uint8_t *rows, const uint32_t *offset)
{
    const __m512 a = _mm512_castps128_ps512(_mm_load_ps((const void *)(rows + offset[0])));
    const __m512 b = _mm512_insertf32x4(a, _mm_load_ps((const void *)(rows + offset[4])), 1);
    const __m512 c = _mm512_insertf32x4(b, _mm_load_ps((const void *)(rows + offset[8])), 2);
    return _mm512_insertf32x4(c, _mm_load_ps((const void *)(rows + offset[12])), 3);
}

/* Quarter q of the vectors that are read holds rows 4q .. 4q + 3, so that what is taken within
 * quarters comes out in order. */
STEP void load_columns(const struct trn_act_function *f, const uint32_t *offset, __m512 c[4])
{
    const uint8_t *const rows = (const uint8_t *)f->coefficients.row;
    const __m512 r0 = four_rows(rows, offset), r1 = four_rows(rows, offset + 1);
    const __m512 r2 = four_rows(rows, offset + 2), r3 = four_rows(rows, offset + 3);
    const __m512d a = _mm512_castps_pd(_mm512_unpacklo_ps(r0, r1));
    const __m512d b = _mm512_castps_pd(_mm512_unpackhi_ps(r0, r1));
    const __m512d d = _mm512_castps_pd(_mm512_unpacklo_ps(r2, r3));
    const __m512d e = _mm512_castps_pd(_mm512_unpackhi_ps(r2, r3));
    c[0] = _mm512_castpd_ps(_mm512_unpacklo_pd(a, d));
    c[1] = _mm512_castpd_ps(_mm512_unpackhi_pd(a, d));
    c[2] = _mm512_castpd_ps(_mm512_unpacklo_pd(b, e));
    c[3] = _mm512_castpd_ps(_mm512_unpackhi_pd(b, e));
}

/* Values of the affine stage. */
STEP __m512i load(const struct trn_act_line *line, const float *x, int i)
{
    const __m512 product =
        _mm512_mul_ps(_mm512_loadu_ps(x + (ptrdiff_t)i * LANES), _mm512_set1_ps(line->scale));
    return as_words(_mm512_add_ps(product, _mm512_set1_ps(line->bias)));
}

/* The upper halves: of two vectors every other 16-bit word. */
STEP void store(const __m512i result[VECTORS], uint8_t *out)
{
    static const uint16_t upper[32] = {1,  3,  5,  7,  9,  11, 13, 15, 17, 19, 21,
                                       23, 25, 27, 29, 31, 33, 35, 37, 39, 41, 43,
                                       45, 47, 49, 51, 53, 55, 57, 59, 61, 63};
    const __m512i which = _mm512_loadu_si512(upper);
    for (int i = 0; i < VECTORS; i += 2)
        _mm512_storeu_si512(out + (ptrdiff_t)i * LANES * BF16_BYTES,
                            _mm512_permutex2var_epi16(result[i], which, result[i + 1]));
}

/* What a group has met: the furthest above sure_from, and the nearest above a tie. */
struct doubts {
    __m512i far, near;
};

STEP struct doubts no_doubts(void)
{
    return (struct doubts){.far = splat(0), .near = splat(UINT32_MAX)};
}

STEP void note_far(const struct trn_act_quick *q, const struct spot *s, struct doubts *d)
{
    d->far = _mm512_max_epu32(d->far, above_sure(q, s->magnitude));
}

STEP void note_tie(__m512i result, struct doubts *d)
{
    d->near = _mm512_min_epu32(d->near, above_tie(result));
}

STEP bool has_doubts(const struct trn_act_quick *q, const struct doubts *d)
{
    return (is_unsure(q, d->far) | is_near_tie(d->near)) != 0;
}

/* Which values they are about. */
STEP uint64_t doubtful_of(const struct trn_act_quick *q, const struct trn_act_line *line,
                          const float *x, const __m512i result[VECTORS])
{
    uint64_t doubtful = 0;
    for (int i = 0; i < VECTORS; i++) {
        const __m512i magnitude = _mm512_and_si512(load(line, x, i), splat(MAGNITUDE));
        const __mmask16 lanes =
            is_unsure(q, above_sure(q, magnitude)) | is_near_tie(above_tie(result[i]));
        doubtful |= (uint64_t)lanes << (i * LANES);
    }
    return doubtful;
}

/* Store a group's results; its doubtful values. */
STEP uint64_t finish(const struct trn_act_quick *q, const struct trn_act_line *line, const float *x,
                     const __m512i result[VECTORS], const struct doubts *d, uint8_t *out)
{
    store(result, out);
    return has_doubts(q, d) ? doubtful_of(q, line, x, result) : 0;
}

/* Coefficients from vectors. */
STEP void few(const struct trn_act_function *f, bool folded, const struct trn_act_line *line,
              const float *x, uint8_t *out, uint64_t *doubtful, size_t groups)
{
    for (size_t g = 0; g < groups; g++) {
        const size_t at = g * TRN_ACT_QUICK_GROUP;
        struct doubts d = no_doubts();
        __m512i result[VECTORS];
        for (int i = 0; i < VECTORS; i++) {
            const __m512i bits = load(line, x + at, i);
            const struct spot s = begin(f, folded, bits);
            __m512 c[4];
            pick_columns(&f->quick, bucket_of(&s), c);
            result[i] = result_of(f, folded, bits, small_distance_of(&s), c);
            note_far(&f->quick, &s, &d);
            note_tie(result[i], &d);
        }
        doubtful[g] = finish(&f->quick, line, x + at, result, &d, out + at * BF16_BYTES);
    }
}

/* Coefficients from memory: the offsets of a group wait there until the last is known, as a number
 * is loaded sooner when its vector has been stored for a while. */
STEP void many(const struct trn_act_function *f, bool folded, const struct trn_act_line *line,
               const float *x, uint8_t *out, uint64_t *doubtful, size_t groups)
{
    _Alignas(64) uint32_t offset[TRN_ACT_QUICK_GROUP];
    for (size_t g = 0; g < groups; g++) {
        const size_t at = g * TRN_ACT_QUICK_GROUP;
        struct doubts d = no_doubts();
        __m512i bits[VECTORS], result[VECTORS];
        __m512 t[VECTORS];
        for (int i = 0; i < VECTORS; i++) {
            bits[i] = load(line, x + at, i);
            const struct spot s = begin(f, folded, bits[i]);
            _mm512_store_si512(offset + i * LANES, _mm512_slli_epi32(bucket_of(&s), ROW_SHIFT));
            t[i] = small_distance_of(&s);
            note_far(&f->quick, &s, &d);
        }
        for (int i = 0; i < VECTORS; i++) {
            __m512 c[4];
            load_columns(f, offset + i * LANES, c);
            result[i] = result_of(f, folded, bits[i], t[i], c);
            note_tie(result[i], &d);
        }
        doubtful[g] = finish(&f->quick, line, x + at, result, &d, out + at * BF16_BYTES);
    }
}

HOST void trn_act_quick_bf16(const struct trn_act_function *f, const struct trn_act_line *line,
                             const float *x, void *out, uint64_t *doubtful, size_t groups)
{
    const bool folded = f->quick.folded;
    if (f->quick.few && folded)
        few(f, true, line, x, out, doubtful, groups);
    else if (f->quick.few)
        few(f, false, line, x, out, doubtful, groups);
    else if (folded)
        many(f, true, line, x, out, doubtful, groups);
    else
        many(f, false, line, x, out, doubtful, groups);
}

#else /* another host: nobody calls them */

bool trn_act_quick_host(void)
{
    return false;
}

void trn_act_quick_find(const struct trn_act_function *f, const uint32_t *bits, uint32_t *sel,
                        uint32_t *offset, float *t, size_t n)
{
    (void)f, (void)bits, (void)sel, (void)offset, (void)t, (void)n;
}

void trn_act_quick_bf16(const struct trn_act_function *f, const struct trn_act_line *line,
                        const float *x, void *out, uint64_t *doubtful, size_t groups)
{
    (void)f, (void)line, (void)x, (void)out;
    memset(doubtful, 0xFF, groups * sizeof *doubtful);
}

#endif
