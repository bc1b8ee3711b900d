/* SPDX-License-Identifier: Apache-2.0 */
/* The sums of PE columns on every code path of the host. Right values: docs/hardware/pe-array.md
 * 7.2 step by step with the C library's fmaf, and the sheet's own example. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/pe/columns.c"
#include "engine/pe/pairs.c"

#define DECLARE_COPY(copy)                                                                         \
    void copy##_columns(const float *w, const float *x, size_t x_pitch, uint32_t rows,             \
                        const struct trn_pe_sums *start, enum trn_pe_finish finish,                \
                        float *const out[TRN_PE_PANEL_COLUMNS]);                                   \
    void copy##_put(float *cells, const float *s, size_t count);                                   \
    void copy##_add(float *cells, const float *s, size_t count);                                   \
    void copy##_pairs(const float *const w[2], const float *const x[2], size_t x_pitch,            \
                      uint32_t rows, float *const out[TRN_PE_PANEL_COLUMNS]);
DECLARE_COPY(plain) /* a host without fused instructions */
DECLARE_COPY(v3)    /* a host with 256-bit vectors */

enum { ROWS = 128, COLUMNS = TRN_PE_PANEL_COLUMNS, BLOCK = TRN_PE_BLOCK, PITCH = BLOCK + 16 };

struct operands {
    float w[ROWS][COLUMNS], x[ROWS][PITCH];
};

static uint32_t random_bits(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 32);
}

/* Any bit pattern, now and then near 1, so that sums stay finite often enough to mean something. */
static float any_float(uint64_t *state, unsigned wild)
{
    const uint32_t bits = random_bits(state);
    if (random_bits(state) % 100 < wild)
        return trn_bits_f32(bits);
    return trn_bits_f32((bits & 0x807FFFFFu) | (120 + bits % 14) << 23);
}

static void fill(struct operands *operands, uint64_t seed, unsigned wild)
{
    for (int r = 0; r < ROWS; r++) {
        for (int c = 0; c < COLUMNS; c++)
            operands->w[r][c] = any_float(&seed, wild);
        for (int n = 0; n < PITCH; n++)
            operands->x[r][n] = any_float(&seed, wild);
    }
}

static float column_sum(const struct operands *operands, uint32_t rows, int c, int n, float s)
{
    for (uint32_t r = 0; r < rows; r++)
        s = fmaf(operands->w[r][c], operands->x[r][n], s);
    return s;
}

/* Equal bytes; NaNs only have to be NaNs until they reach a cell. */
static void assert_same(float got, float want)
{
    if (!isnan(got) || !isnan(want))
        assert_int_equal(trn_f32_bits(got), trn_f32_bits(want));
}

typedef void columns(const float *w, const float *x, size_t x_pitch, uint32_t rows,
                     const struct trn_pe_sums *start, enum trn_pe_finish finish,
                     float *const out[TRN_PE_PANEL_COLUMNS]);

static columns *const all_paths[] = {wide_tile, narrow_tile, trn_pe_columns, plain_columns,
                                     v3_columns};

/* The last path needs instructions that the host may lack. */
static int num_paths(void)
{
#if defined(__x86_64__)
    const bool has_v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    const bool has_v3 = true;
#endif
    return (int)(sizeof all_paths / sizeof *all_paths) - !has_v3;
}

static void run(columns *path, const struct operands *operands, uint32_t rows,
                const struct trn_pe_sums *start, enum trn_pe_finish finish, struct trn_pe_sums *out)
{
    float *rows_out[COLUMNS];
    for (int c = 0; c < COLUMNS; c++)
        rows_out[c] = out->s[c];
    path(operands->w[0], operands->x[0], PITCH, rows, start, finish, rows_out);
}

static void check_paths(const struct operands *operands, uint32_t rows)
{
    for (int p = 0; p < num_paths(); p++) {
        struct trn_pe_sums sums;
        run(all_paths[p], operands, rows, NULL, TRN_PE_KEEP, &sums);
        for (int c = 0; c < COLUMNS; c++)
            for (int n = 0; n < BLOCK; n++)
                assert_same(sums.s[c][n], column_sum(operands, rows, c, n, 0.0f));
    }
}

static void test_every_path_sums_rows_in_order_with_one_rounding_a_step(void **state)
{
    (void)state;
    struct operands operands;
    for (uint32_t rows = 1; rows <= ROWS; rows += rows < 8 ? 1 : 15) {
        fill(&operands, rows, 0);
        check_paths(&operands, rows);
    }
}

static void test_every_path_agrees_on_specials_and_subnormals(void **state)
{
    (void)state;
    struct operands operands;
    for (unsigned wild = 1; wild <= 100; wild += 33) {
        fill(&operands, wild, wild);
        check_paths(&operands, 1);
        check_paths(&operands, 3);
        check_paths(&operands, ROWS);
    }
}

static void test_a_second_pass_goes_on_with_the_same_sums(void **state)
{
    (void)state;
    struct operands low, high;
    fill(&low, 11, 2);
    fill(&high, 12, 2);
    memcpy(high.w, low.w, sizeof high.w);
    for (int p = 0; p < num_paths(); p++) {
        struct trn_pe_sums sums;
        run(all_paths[p], &low, ROWS, NULL, TRN_PE_KEEP, &sums);
        run(all_paths[p], &high, ROWS, &sums, TRN_PE_KEEP, &sums);
        for (int c = 0; c < COLUMNS; c++)
            for (int n = 0; n < BLOCK; n++)
                assert_same(sums.s[c][n],
                            column_sum(&high, ROWS, c, n, column_sum(&low, ROWS, c, n, 0.0f)));
    }
}

/* w = 1FC00000, x = 15000000, s = 00000001: the product is 1.5 * 2^-64 * 2^-85 = 1.5 * 2^-149.
 * Fused: 2.5 * 2^-149 rounds once, to even: 2. Unfused: 1.5 rounds to 2 first, and 2 + 1 = 3. */
static void test_a_step_is_fused(void **state)
{
    (void)state;
    static const float one_ulp[2][2] = {{0x1p-149f, 1.0f}, {0x1.8p-64f, 0x1p-85f}};
    for (int p = 0; p < num_paths(); p++) {
        struct operands operands = {0};
        for (int r = 0; r < 2; r++) {
            for (int c = 0; c < COLUMNS; c++)
                operands.w[r][c] = one_ulp[r][0];
            for (int n = 0; n < BLOCK; n++)
                operands.x[r][n] = one_ulp[r][1];
        }
        assert_int_equal(trn_f32_bits(operands.w[1][0]), 0x1FC00000);
        assert_int_equal(trn_f32_bits(operands.x[1][0]), 0x15000000);
        struct trn_pe_sums sums;
        run(all_paths[p], &operands, 2, NULL, TRN_PE_KEEP, &sums);
        for (int c = 0; c < COLUMNS; c++)
            for (int n = 0; n < BLOCK; n++)
                assert_int_equal(trn_f32_bits(sums.s[c][n]), 2);
    }
}

typedef void pairs(const float *const w[2], const float *const x[2], size_t x_pitch, uint32_t rows,
                   float *const out[TRN_PE_PANEL_COLUMNS]);

/* pe-array.md 7.2: both products and their sum in double, one rounding to float a row. */
static float pair_sum(const struct operands operands[2], uint32_t rows, int c, int n)
{
    float s = 0;
    for (uint32_t r = 0; r < rows; r++) {
        const double p = (double)operands[0].w[r][c] * (double)operands[0].x[r][n] +
                         (double)operands[1].w[r][c] * (double)operands[1].x[r][n];
        s = (float)((double)s + p);
    }
    return s;
}

static void test_every_path_sums_pairs_in_double(void **state)
{
    (void)state;
    static pairs *const paths[] = {trn_pe_pairs, plain_pairs, v3_pairs};
    static struct operands operands[2];
    for (unsigned wild = 0; wild <= 40; wild += 4) {
        const uint32_t rows = wild == 0 ? ROWS : wild;
        fill(&operands[0], 200 + wild, wild);
        fill(&operands[1], 300 + wild, wild);
        const float *const w[2] = {operands[0].w[0], operands[1].w[0]};
        const float *const x[2] = {operands[0].x[0], operands[1].x[0]};
        for (int p = 0; p < num_paths() - 2; p++) {
            struct trn_pe_sums sums;
            float *out[COLUMNS];
            for (int c = 0; c < COLUMNS; c++)
                out[c] = sums.s[c];
            paths[p](w, x, PITCH, rows, out);
            for (int c = 0; c < COLUMNS; c++)
                for (int n = 0; n < BLOCK; n++)
                    assert_same(sums.s[c][n], pair_sum(operands, rows, c, n));
        }
    }
}

/* Straight into cells: what trn_pe_put and trn_pe_add make of the kept sums, NaNs included. */
static void test_every_path_finishes_cells_alike(void **state)
{
    (void)state;
    struct operands operands;
    for (unsigned wild = 0; wild <= 100; wild += 10) {
        fill(&operands, 100 + wild, wild);
        for (int p = 0; p < num_paths(); p++) {
            struct trn_pe_sums kept, put, added;
            run(all_paths[p], &operands, 5, NULL, TRN_PE_KEEP, &kept);
            run(all_paths[p], &operands, 5, NULL, TRN_PE_PUT, &put);
            memcpy(&added, &operands, sizeof added); /* any content */
            run(all_paths[p], &operands, 5, NULL, TRN_PE_ADD, &added);
            for (int c = 0; c < COLUMNS; c++) {
                float cells[BLOCK];
                trn_pe_put(cells, kept.s[c], BLOCK);
                assert_memory_equal(put.s[c], cells, sizeof cells);
                memcpy(cells, (const float *)(const void *)&operands + c * BLOCK, sizeof cells);
                trn_pe_add(cells, kept.s[c], BLOCK);
                assert_memory_equal(added.s[c], cells, sizeof cells);
            }
        }
    }
}

static void test_cells_take_sums_with_canonical_nans(void **state)
{
    (void)state;
    const float nan = trn_bits_f32(0xFFA00001u);
    const float sums[] = {1.0f, nan, -0.0f, INFINITY, 0x1p-149f, -INFINITY, 3.0f};
    const uint32_t put[] = {0x3F800000, 0x7FC00000, 0x80000000, 0x7F800000,
                            0x00000001, 0xFF800000, 0x40400000};
    const float before[] = {2.0f, 1.0f, -0.0f, -INFINITY, 0x1p-149f, -1.0f, nan};
    const uint32_t added[] = {0x40400000, 0x7FC00000, 0x80000000, 0x7FC00000,
                              0x00000002, 0xFF800000, 0x7FC00000};
    for (int plain = 0; plain < 2; plain++) {
        float cells[7];
        (plain ? plain_put : trn_pe_put)(cells, sums, 7);
        for (int i = 0; i < 7; i++)
            assert_int_equal(trn_f32_bits(cells[i]), put[i]);
        memcpy(cells, before, sizeof cells);
        (plain ? plain_add : trn_pe_add)(cells, sums, 7);
        for (int i = 0; i < 7; i++)
            assert_int_equal(trn_f32_bits(cells[i]), added[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_path_sums_rows_in_order_with_one_rounding_a_step),
        cmocka_unit_test(test_every_path_agrees_on_specials_and_subnormals),
        cmocka_unit_test(test_a_second_pass_goes_on_with_the_same_sums),
        cmocka_unit_test(test_a_step_is_fused),
        cmocka_unit_test(test_every_path_sums_pairs_in_double),
        cmocka_unit_test(test_every_path_finishes_cells_alike),
        cmocka_unit_test(test_cells_take_sums_with_canonical_nans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
