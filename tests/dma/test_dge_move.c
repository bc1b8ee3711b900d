/* SPDX-License-Identifier: Apache-2.0 */
/* What a word moves: indices, casts, sums, tiles (docs/hardware/dge.md 8.5, 11). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "dma/dge_rig.h"
#include "dma/dge_words.h"

static float f32(const uint8_t *at)
{
    float value;
    memcpy(&value, at, sizeof value);
    return value;
}

/* F10: 54 bytes to SBUF byte 0x92 (2 mod 4) over a filler of 0xEE: exactly these change, whichever
 * backend and descriptor carries them. */
static void test_f10_an_unaligned_word_changes_its_bytes_only(void **state)
{
    (void)state;
    static const int engines[] = {ACT, POOL};
    static const char *const gens[] = {"cayman", "mariana", "mariana_plus"};
    for (unsigned g = 0; g < 6; g++) {
        struct rig rig;
        uint8_t word[64];
        rig_open(&rig, gens[g / 2], NULL);
        uint8_t *const row = rig_at(&rig, RIG_SBUF, 0x100);
        memset(row, 0xEE, 0x100);
        const struct copy c = {.src = 0x1001,
                               .dst = RIG_SBUF + 0x92,
                               .src_num = {1, 1},
                               .dst_num = {1, 1},
                               .src_size = 54,
                               .dst_size = 54};
        word_b8(word, &c);
        assert_int_equal(rig_run(&rig, engines[g % 2], word, NULL), TRN_OK);
        assert_int_equal(rig.outcome.result, TRN_DGE_EMITTED);
        assert_int_equal(rig.outcome.bytes, 54);
        assert_int_equal(rig.outcome.write_descriptors, 1); /* not split */
        for (unsigned i = 0; i < 0x100; i++)
            assert_int_equal(
                row[i], i >= 0x92 && i < 0x92 + 54 ? *rig_at(&rig, 0x1001 + i - 0x92, 1) : 0xEE);
        rig_close(&rig);
    }
}

/* ---- indices -------------------------------------------------------------------------------- */

/* F20: rows 3i, i = 0..63, from 128 rows: 43 are there (0..126), 21 are not; the first bad one is
 * 129. The good ones are moved, the completion is posted, the engine goes on. */
static void test_a_mixed_index_vector_moves_what_is_there(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    uint32_t index[64];
    rig_open(&rig, "cayman", NULL);
    for (unsigned i = 0; i < 64; i++)
        index[i] = 3 * i;
    rig_indices(&rig, 0x8000, index, 64);
    rig.reg[20] = 127;
    rig.local[38] = 2;
    const struct indirect c = {.src = 0x10000,
                               .dst = 0x200000,
                               .src_step = 2048,
                               .dst_step = 2048,
                               .src_num = 64,
                               .dst_num = 64,
                               .src_size = 2048,
                               .dst_size = 2048,
                               .src_idx = 0x8000,
                               .src_bound = 0x94,
                               .semaphore = 6,
                               .increment = 1};
    memset(rig_at(&rig, 0x200000, 64 * 2048), 0xEE, 64 * 2048);
    word_bb(word, &c);
    for (unsigned round = 1; round <= 2; round++) {
        assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
        assert_int_equal(rig.outcome.result, TRN_DGE_SKIPPED_OOB);
        assert_int_equal(rig.outcome.elements, 64);
        assert_int_equal(rig.outcome.skipped, 21);
        assert_int_equal(rig.outcome.bytes, 43 * 2048);
        assert_int_equal(rig.outcome.read_descriptors, 43); /* 11 */
        assert_int_equal(rig.outcome.write_descriptors, 43);
        const struct trn_dge_report *const report = &rig.outcome.report[TRN_DGE_SRC];
        assert_int_equal(report->count, 21);
        assert_int_equal(report->position, 43);
        assert_int_equal(report->index, 129);
        assert_int_equal(report->index_address, RIG_SBUF + 0x8000 + 43 * 4);
        assert_int_equal(report->address, 0x10000 + 129 * 2048);
        assert_int_equal(rig.semaphore[6], round);
        assert_int_equal(rig.num_records, 2); /* the error and the completion */
    }
    for (unsigned i = 0; i < 64; i++)
        for (unsigned k = 0; k < 2048; k++)
            if (*rig_at(&rig, 0x200000 + 2048 * i + k, 1) !=
                (i < 43 ? *rig_at(&rig, 0x10000 + 6144 * i + k, 1) : 0xEE))
                fail_msg("row %u, byte %u", i, k);
    rig_close(&rig);
}

static void test_faithful_abort_stops_at_the_first_bad_index(void **state)
{
    (void)state;
    struct trn_dge_options options = trn_dge_options_default();
    options.faithful_abort = true;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", &options);
    const uint32_t index[4] = {1, 2, 900, 3};
    rig_indices(&rig, 0x8000, index, 4);
    rig.reg[20] = 127;
    rig.local[38] = 2;
    const struct indirect c = {.src = 0x10000,
                               .dst = 0x200000,
                               .src_step = 64,
                               .dst_step = 64,
                               .src_num = 4,
                               .dst_num = 4,
                               .src_size = 64,
                               .dst_size = 64,
                               .src_idx = 0x8000,
                               .src_bound = 0x94,
                               .semaphore = 6,
                               .increment = 1};
    memset(rig_at(&rig, 0x200000, 256), 0xEE, 256);
    word_bb(word, &c);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.result, TRN_DGE_ABORTED);
    assert_int_equal(rig.outcome.bytes, 128);
    assert_int_equal(rig.semaphore[6], 0);
    assert_int_equal(rig.num_records, 0);
    assert_memory_equal(rig_at(&rig, 0x200040, 64), rig_at(&rig, 0x10080, 64), 64);
    for (unsigned k = 128; k < 256; k++)
        assert_int_equal(*rig_at(&rig, 0x200000 + k, 1), 0xEE);
    rig_close(&rig);
}

/* 15: indices 5, 5, 200, 5 with data 1 and ADD: bin 5 = 3, bin 200 = 1. */
static void test_a_scatter_add_accumulates(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", NULL);
    const uint32_t index[4] = {5, 5, 200, 5};
    const float one[4] = {1, 1, 1, 1};
    rig_indices(&rig, 0x8000, index, 4);
    memcpy(rig_at(&rig, 0x1000, 16), one, 16);
    memset(rig_at(&rig, 0x20000, 1024), 0, 1024);
    const struct indirect c = {.src = 0x1000,
                               .dst = 0x20000,
                               .src_step = 4,
                               .dst_step = 4,
                               .src_num = 4,
                               .dst_num = 4,
                               .src_size = 4,
                               .dst_size = 4,
                               .dst_idx = 0x8000,
                               .flags = 0x0D,
                               .op = 1,
                               .in = F32,
                               .out = F32};
    word_bb(word, &c);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.result, TRN_DGE_EMITTED);
    for (unsigned i = 0; i < 256; i++)
        assert_true(f32(rig_at(&rig, 0x20000 + 4 * i, 4)) == (i == 5 ? 3 : i == 200 ? 1 : 0));
    rig_close(&rig);
}

/* 11: without ADD the last element wins, in index order. */
static void test_a_plain_scatter_keeps_the_last(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", NULL);
    const uint32_t index[3] = {2, 0, 2};
    rig_indices(&rig, 0x8000, index, 3);
    const struct indirect c = {.src = 0x1000,
                               .dst = 0x20000,
                               .src_step = 16,
                               .dst_step = 16,
                               .src_num = 3,
                               .dst_num = 3,
                               .src_size = 16,
                               .dst_size = 16,
                               .dst_idx = 0x8000,
                               .flags = 0x01};
    word_bb(word, &c);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_memory_equal(rig_at(&rig, 0x20020, 16), rig_at(&rig, 0x1020, 16), 16);
    assert_memory_equal(rig_at(&rig, 0x20000, 16), rig_at(&rig, 0x1010, 16), 16);
    rig_close(&rig);
}

/* 8.3, 11: start + index * step in 64 bits, signed steps, wrapping. 0xFFFFFFFF * -2^31 does not fit
 * 32 bits; a start that far up brings it back into memory. */
static void test_index_arithmetic_has_64_bits(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", NULL);
    const uint32_t index[2] = {0xFFFFFFFF, 0x80000000};
    rig_indices(&rig, 0x8000, index, 2);
    const int32_t step = INT32_MIN;
    const uint64_t back = UINT64_C(0xFFFFFFFF) * UINT64_C(0x80000000);
    struct indirect c = {.src = UINT64_C(0x8000000000001514),
                         .src_step = step,
                         .dst = 0x20000,
                         .dst_step = 64,
                         .src_num = 1,
                         .dst_num = 1,
                         .src_size = 64,
                         .dst_size = 64,
                         .src_idx = 0x8000};
    rig.reg[20] = (uint32_t)(back + 0x3000);
    rig.reg[21] = (uint32_t)((back + 0x3000) >> 32);
    word_bb(word, &c);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_string_equal(rig.outcome.reason, "");
    assert_memory_equal(rig_at(&rig, 0x20000, 64), rig_at(&rig, 0x3000, 64), 64);
    /* a bad index names the address that it would have reached */
    c.src_bound = 0x96;
    rig.reg[22] = 7;
    word_bb(word, &c);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.report[0].index, 0xFFFFFFFF);
    assert_int_equal(rig.outcome.report[0].address, 0x3000);
    assert_int_equal(rig.outcome.skipped, 1);
    assert_int_equal(rig.num_descs, 0);
    rig_close(&rig);
}

static void test_both_sides_can_be_indexed(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "mariana", NULL);
    const uint32_t from[4] = {7, 1, 99, 2}, to[4] = {0, 88, 2, 1};
    rig_indices(&rig, 0x8000, from, 4);
    rig_indices(&rig, 0x8100, to, 4);
    rig.reg[20] = 50;
    const struct indirect c = {.src = 0x1000,
                               .dst = 0x20000,
                               .src_step = 32,
                               .dst_step = 32,
                               .src_num = 4,
                               .dst_num = 4,
                               .src_size = 32,
                               .dst_size = 32,
                               .src_idx = 0x8000,
                               .dst_idx = 0x8100,
                               .flags = 2,
                               .src_bound = 0x94,
                               .dst_bound = 0x94};
    rig.local[38] = 2;
    word_bb(word, &c);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.skipped, 2);
    assert_int_equal(rig.outcome.report[TRN_DGE_SRC].index, 99);
    assert_int_equal(rig.outcome.report[TRN_DGE_DST].index, 88);
    assert_int_equal(rig.num_records, 3); /* one a direction, and the completion */
    assert_memory_equal(rig_at(&rig, 0x20000, 32), rig_at(&rig, 0x1000 + 7 * 32, 32), 32);
    assert_memory_equal(rig_at(&rig, 0x20020, 32), rig_at(&rig, 0x1000 + 2 * 32, 32), 32);
    rig_close(&rig);
}

/* 11: with a shape register the indices count along gather_dim. */
static void test_an_indexed_dimension_of_a_shape(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", NULL);
    const uint32_t index[3] = {4, 0, 2};
    rig_indices(&rig, 0x8000, index, 3);
    rig.shape[1] = (struct trn_dge_shape){{2, 3, 1, 1}, {128, 1024, 0, 0}};
    const struct indirect c = {.src = UINT64_C(0x4000000000001000),
                               .src_step = 1,
                               .dst = 0x20000,
                               .dst_step = 16,
                               .dst_num = 6,
                               .src_size = 16,
                               .dst_size = 16,
                               .src_idx = 0x8000,
                               .flags = 1 << 4};
    word_bb(word, &c);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_string_equal(rig.outcome.reason, "");
    for (unsigned i = 0; i < 6; i++)
        assert_memory_equal(rig_at(&rig, 0x20000 + 16 * i, 16),
                            rig_at(&rig, 0x1000 + 128 * (i % 2) + 1024 * index[i / 2], 16), 16);
    rig_close(&rig);
}

/* ---- casts and sums -------------------------------------------------------------------------- */

static void test_a_cast_goes_through_fp32(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", NULL);
    const int32_t in[4] = {-3, 16777217, 100000, 0};
    memcpy(rig_at(&rig, 0x1000, 16), in, 16);
    struct copy c = {.src = 0x1000,
                     .dst = 0x2000,
                     .src_step = {4, 0},
                     .dst_step = {2, 0},
                     .src_num = {4, 1},
                     .dst_num = {4, 1},
                     .src_size = 4,
                     .dst_size = 2,
                     .in = I32,
                     .out = BF16};
    word_b8(word, &c);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_string_equal(rig.outcome.reason, "");
    const uint16_t expected[4] = {0xC040, 0x4B80, 0x47C3, 0}; /* BF16 of the FP32 values */
    assert_memory_equal(rig_at(&rig, 0x2000, 8), expected, 8);
    /* 8.5: the source descriptor has the compute form; op 4 at bits 25:23 of the second word */
    assert_int_equal((rig.raw[0][7] & 3) << 1 | rig.raw[0][6] >> 7, 4);
    rig_close(&rig);
}

static void test_compute_reads_the_destination(void **state)
{
    (void)state;
    static const struct {
        uint8_t op;
        float result[3];
    } cases[] = {{1, {3, -1, 8}}, {2, {2, -2, 15}}, {3, {2, 1, 5}}, {4, {1, -2, 3}}};
    const float a[3] = {1, -2, 3}, b[3] = {2, 1, 5};
    for (unsigned i = 0; i < 4; i++) {
        struct rig rig;
        uint8_t word[64];
        rig_open(&rig, "mariana", NULL);
        memcpy(rig_at(&rig, 0x1000, 12), a, 12);
        memcpy(rig_at(&rig, 0x2000, 12), b, 12);
        const struct copy c = {.src = 0x1000,
                               .dst = 0x2000,
                               .src_step = {4, 0},
                               .dst_step = {4, 0},
                               .src_num = {3, 1},
                               .dst_num = {3, 1},
                               .src_size = 4,
                               .dst_size = 4,
                               .in = F32,
                               .out = F32,
                               .op = cases[i].op};
        word_b8(word, &c);
        assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
        assert_memory_equal(rig_at(&rig, 0x2000, 12), cases[i].result, 12);
        rig_close(&rig);
    }
}

/* ---- streams ----------------------------------------------------------------------------------
 */

/* Element sizes differ: byte streams are re-blocked; what the owner shows in pieces is the same. */
static void test_streams_are_blocked_again(void **state)
{
    (void)state;
    for (unsigned piecewise = 0; piecewise < 2; piecewise++) {
        struct rig rig;
        uint8_t word[64];
        rig_open(&rig, "cayman", NULL);
        rig.piecewise = piecewise;
        const struct copy c = {.src = 0x1001,
                               .dst = 0x20003,
                               .src_step = {100, 0},
                               .dst_step = {37, 400},
                               .src_num = {6, 1},
                               .dst_num = {5, 2},
                               .src_size = 25,
                               .dst_size = 15};
        word_b8(word, &c);
        assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
        assert_int_equal(rig.outcome.read_descriptors, 6);
        assert_int_equal(rig.outcome.write_descriptors, 10);
        for (unsigned i = 0; i < 150; i++)
            assert_int_equal(
                *rig_at(&rig, 0x20003 + 37 * (i / 15 % 5) + 400 * (i / 75) + i % 15, 1),
                *rig_at(&rig, 0x1001 + 100 * (i / 25) + i % 25, 1));
        rig_close(&rig);
    }
}

/* 8.3: the other unit of steps. */
static void test_steps_in_elements(void **state)
{
    (void)state;
    struct trn_dge_options options = trn_dge_options_default();
    options.step_unit = TRN_DGE_STEP_ELEMENTS;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", &options);
    const struct copy c = {.src = 0x1000,
                           .dst = 0x20000,
                           .src_step = {2, 0},
                           .dst_step = {1, 0},
                           .src_num = {4, 1},
                           .dst_num = {4, 1},
                           .src_size = 16,
                           .dst_size = 16};
    word_b8(word, &c);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    for (unsigned i = 0; i < 4; i++)
        assert_memory_equal(rig_at(&rig, 0x20000 + 16 * i, 16), rig_at(&rig, 0x1000 + 32 * i, 16),
                            16);
    rig_close(&rig);
}

/* ---- tiles --------------------------------------------------------------------------------------
 */

static void check_transpose(uint8_t type, unsigned bytes, unsigned cols, uint64_t dst, bool pieces)
{
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", NULL);
    rig.piecewise = pieces;
    /* eight tiles along the rows of a matrix with a pitch of 1024 bytes */
    const unsigned pitch = 1024, tile = 16 * bytes;
    const struct tiles c = {.src = 0x10000,
                            .dst = dst,
                            .src_step = {16 * 1024, 0},
                            .dst_step = {dst >= RIG_SBUF ? (int)tile : (int)(cols * tile), 0},
                            .src_num = {8, 1},
                            .dst_num = {8, 1},
                            .row_step = 1024,
                            .type = type,
                            .cols = (uint8_t)cols,
                            .semaphore = 2};
    word_bd(word, &c);
    assert_int_equal(rig_run(&rig, ACT, word, NULL), TRN_OK);
    assert_string_equal(rig.outcome.reason, "");
    for (unsigned r = 0; r < 128; r++)
        for (unsigned col = 0; col < cols; col++) {
            const uint64_t at = dst >= RIG_SBUF
                                    ? dst + (uint64_t)col * RIG_PARTITION + r * bytes
                                    : dst + r / 16 * cols * tile + col * tile + r % 16 * bytes;
            if (memcmp(rig_at(&rig, at, bytes),
                       rig_at(&rig, 0x10000 + r * pitch + col * bytes, bytes), bytes) != 0)
                fail_msg("row %u column %u", r, col);
        }
    assert_int_equal(rig.semaphore[2], 1);
    assert_int_equal(rig.outcome.packets, 8);
    rig_close(&rig);
}

static void test_tiles_arrive_transposed(void **state)
{
    (void)state;
    check_transpose(U16, 2, 128, RIG_SBUF + 0x400, false);
    check_transpose(BF16, 2, 61, RIG_SBUF + 0x20, false);
    check_transpose(F32, 4, 64, RIG_SBUF, false);
    check_transpose(F32, 4, 7, RIG_SBUF + 3 * RIG_PARTITION, true);
    check_transpose(U16, 2, 128, 0x400000, false);
    check_transpose(F32, 4, 33, 0x400000, true);
}

static void test_a_tile_must_fit_its_partitions(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", NULL);
    struct tiles c = {.src = 0x10000,
                      .dst = RIG_SBUF + 64 * RIG_PARTITION,
                      .src_num = {1, 1},
                      .dst_num = {1, 1},
                      .row_step = 256,
                      .type = U16,
                      .cols = 64};
    word_bd(word, &c);
    assert_int_equal(rig_run(&rig, ACT, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.result, TRN_DGE_EMITTED);
    c.cols = 65;
    word_bd(word, &c);
    assert_int_equal(rig_run(&rig, ACT, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.result, TRN_DGE_ILLEGAL);
    rig_close(&rig);
}

/* 11: value (r, c): position r in the gathered row, gather position c; a bad index leaves its
 * column alone. */
static void test_gathered_rows_arrive_as_columns(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    uint32_t index[32];
    rig_open(&rig, "cayman", NULL);
    for (unsigned i = 0; i < 32; i++)
        index[i] = i == 5 || i == 16 ? 1000 : (7 * i) % 50;
    rig_indices(&rig, 0x8000, index, 32);
    rig.reg[20] = 49;
    rig.local[38] = 2;
    const struct gather_tiles c = {.src = 0x10000,
                                   .dst = RIG_SBUF + 0x100,
                                   .src_step = 48,
                                   .dst_step = RIG_PARTITION,
                                   .count = 32,
                                   .elem_size = 20,
                                   .idx = 0x8000,
                                   .src_bound = 0x94,
                                   .semaphore = 8};
    word_f1(word, &c);
    uint8_t before[10][64];
    for (unsigned r = 0; r < 10; r++)
        memcpy(before[r], rig_at(&rig, RIG_SBUF + 0x100 + r * RIG_PARTITION, 64), 64);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.skipped, 2);
    assert_int_equal(rig.outcome.packets, 3); /* 0..4, 6..15, 17..31 */
    for (unsigned r = 0; r < 10; r++)
        for (unsigned k = 0; k < 32; k++) {
            const uint8_t *const value = index[k] == 1000
                                             ? &before[r][2 * k]
                                             : rig_at(&rig, 0x10000 + 48 * index[k] + 2 * r, 2);
            assert_memory_equal(rig_at(&rig, RIG_SBUF + 0x100 + r * RIG_PARTITION + 2 * k, 2),
                                value, 2);
        }
    /* 18: error id 09 although index bounds of 0xBB could make it hard */
    assert_int_equal(rig.record[0].body.tpb_error_sequencer.error_id, 9);
    assert_int_equal(rig.semaphore[8], 1);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_f10_an_unaligned_word_changes_its_bytes_only),
        cmocka_unit_test(test_a_mixed_index_vector_moves_what_is_there),
        cmocka_unit_test(test_faithful_abort_stops_at_the_first_bad_index),
        cmocka_unit_test(test_a_scatter_add_accumulates),
        cmocka_unit_test(test_a_plain_scatter_keeps_the_last),
        cmocka_unit_test(test_index_arithmetic_has_64_bits),
        cmocka_unit_test(test_both_sides_can_be_indexed),
        cmocka_unit_test(test_an_indexed_dimension_of_a_shape),
        cmocka_unit_test(test_a_cast_goes_through_fp32),
        cmocka_unit_test(test_compute_reads_the_destination),
        cmocka_unit_test(test_streams_are_blocked_again),
        cmocka_unit_test(test_steps_in_elements),
        cmocka_unit_test(test_tiles_arrive_transposed),
        cmocka_unit_test(test_a_tile_must_fit_its_partitions),
        cmocka_unit_test(test_gathered_rows_arrive_as_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
