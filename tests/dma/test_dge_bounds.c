/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds, gates and records of a word (docs/hardware/dge.md 3, 7, 9; section numbers are its).
 * Expected values are the sheet's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "dma/dge_rig.h"
#include "dma/dge_words.h"

/* 15: R20 = 0x1000: address 0x1000 passes, 0x1001 fails. */
static void test_an_address_bound_is_less_or_equal(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", NULL);
    struct copy c = {.src = 0x1000,
                     .dst = RIG_SBUF,
                     .src_num = {1, 1},
                     .dst_num = {1, 1},
                     .src_size = 8,
                     .dst_size = 8,
                     .src_bound = 0x94,
                     .semaphore = 22,
                     .increment = 3};
    rig.reg[20] = 0x1000;
    word_b8(word, &c);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.result, TRN_DGE_EMITTED);
    c.src = 0x1001;
    word_b8(word, &c);
    const uint8_t before = *rig_at(&rig, RIG_SBUF, 1);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.result, TRN_DGE_SKIPPED_OOB);
    assert_false(rig.outcome.bound[TRN_DGE_SRC].pass);
    assert_int_equal(rig.outcome.bound[TRN_DGE_SRC].value, 0x1001);
    assert_int_equal(rig.outcome.bound[TRN_DGE_SRC].limit, 0x1000);
    assert_int_equal(rig.num_descs, 0);
    assert_int_equal(*rig_at(&rig, RIG_SBUF, 1), before);
    assert_int_equal(rig.semaphore[22], 6); /* 7.3: consumers do not hang */
    assert_true(rig_logged(&rig, "S: DGE: Failed bounds check. $S[22]+=3."));
    assert_false(rig_logged(&rig, "S: DGE: Dispatched error notification"));
    rig_close(&rig);
}

/* 7.2: a narrow limit has 32 bits, a table form with a wide offset 64, and the offset is compared.
 */
static void test_a_wide_limit_is_two_registers(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "mariana", NULL);
    struct copy c = {.dst = 0x200000,
                     .src_num = {1, 1},
                     .dst_num = {1, 1},
                     .src_size = 8,
                     .dst_size = 8,
                     .src_bound = 0x80 | 20};
    c.src = UINT64_C(0x2C00000300000005); /* table 3, offset registers 5 and 6 */
    rig.table[3] = UINT64_C(0) - UINT64_C(0x500000000);
    rig.reg[5] = 0x4000;
    rig.reg[6] = 5; /* offset 0x500004000 */
    rig.reg[20] = 0x4000;
    rig.reg[21] = 5;
    word_b8(word, &c);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.result, TRN_DGE_EMITTED);
    assert_int_equal(rig.outcome.bound[0].limit, UINT64_C(0x500004000));
    assert_int_equal(rig.outcome.bound[0].value, UINT64_C(0x500004000));
    assert_memory_equal(rig_at(&rig, 0x200000, 8), rig_at(&rig, 0x4000, 8), 8);
    rig.reg[20] = 0x3FFF;
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.result, TRN_DGE_SKIPPED_OOB);
    rig_close(&rig);
}

/* F31: a register pair moves what an immediate address moves. */
static void test_a_register_pair_is_an_address(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", NULL);
    struct copy c = {.src = 0x5000,
                     .dst = RIG_SBUF + 0x100,
                     .src_num = {4, 1},
                     .dst_num = {4, 1},
                     .src_step = {64, 0},
                     .dst_step = {16, 0},
                     .src_size = 16,
                     .dst_size = 16};
    word_b8(word, &c);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    uint8_t moved[64];
    memcpy(moved, rig_at(&rig, RIG_SBUF + 0x100, 64), 64);
    memset(rig_at(&rig, RIG_SBUF + 0x100, 64), 0, 64);
    rig.reg[20] = 0x5000;
    rig.reg[21] = 0;
    rig.reg[30] = 0x100;
    rig.reg[31] = 0x20;
    c.src = UINT64_C(0x8000000000000000) | 21 << 8 | 20;
    c.dst = UINT64_C(0x8000000000000000) | 31 << 8 | 30;
    word_b8(word, &c);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.result, TRN_DGE_EMITTED);
    assert_memory_equal(rig_at(&rig, RIG_SBUF + 0x100, 64), moved, 64);
    /* V6a: register 63 has no partner for a wide limit */
    c.src = UINT64_C(0x2C00000000000005);
    c.src_bound = 0xBF;
    word_b8(word, &c);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.result, TRN_DGE_ILLEGAL);
    rig_close(&rig);
}

/* ---- V6 and V7 over every byte --------------------------------------------------------------- */

static void test_every_bound_byte(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", NULL);
    memset(rig.reg, 0xFF, sizeof rig.reg);
    for (unsigned byte = 0; byte < 256; byte++) {
        const struct copy c = {.src = 0x1000,
                               .dst = 0x2000,
                               .src_num = {1, 1},
                               .dst_num = {1, 1},
                               .src_size = 8,
                               .dst_size = 8,
                               .src_bound = (uint8_t)byte};
        /* the predicate as the manual quotes it: all three fields zero, or enabled */
        const unsigned reg = byte & 63, silent = byte >> 6 & 1, enabled = byte >> 7;
        const bool valid = (!enabled && !reg && !silent) || enabled;
        word_b8(word, &c);
        assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
        assert_int_equal(rig.outcome.result, valid ? TRN_DGE_EMITTED : TRN_DGE_ILLEGAL);
        if (!valid)
            assert_string_equal(rig.outcome.violations[0].rule, "has_valid_bound_check_reg");
    }
    rig_close(&rig);
}

/* Both predicates of the index path over all flag bytes and all 256 register bytes. */
static void test_every_index_bound_byte_and_flag(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", NULL);
    rig.ports.log = NULL;
    memset(rig.reg, 0xFF, sizeof rig.reg);
    const uint32_t index[4] = {0, 1, 2, 3};
    rig_indices(&rig, 0x8000, index, 4);
    for (unsigned flags = 0; flags < 256; flags++)
        for (unsigned byte = 0; byte < 256; byte++) {
            const struct indirect c = {.src = 0x1000,
                                       .dst = 0x200000,
                                       .src_step = 8,
                                       .dst_step = 8,
                                       .src_num = 4,
                                       .dst_num = 4,
                                       .src_size = 8,
                                       .dst_size = 8,
                                       .src_idx = 0x8000,
                                       .dst_idx = 0x8000,
                                       .flags = (uint8_t)flags,
                                       .src_bound = (uint8_t)byte};
            const unsigned mode = flags & 3, is_err = flags >> 2 & 1;
            const unsigned gather = flags >> 4 & 3, scatter = flags >> 6;
            const unsigned silent = byte >> 6 & 1, enabled = byte >> 7;
            const bool v13 = mode <= 2 && gather == 0 && scatter == 0; /* sides without shapes: X */
            const bool v7 = (byte == 0 || enabled) && (is_err || !silent);
            word_bb(word, &c);
            assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
            assert_int_equal(rig.outcome.result, v13 && v7 ? TRN_DGE_EMITTED : TRN_DGE_ILLEGAL);
        }
    rig_close(&rig);
}

/* ---- gates (9.1) ----------------------------------------------------------------------------- */

struct gate_case {
    bool flag, silent, is_err, need_flag, skip;
};

/* The composite gate as the manual writes it; -1: the word is illegal. */
static int expected_gate(const struct gate_case *g)
{
    if (!g->is_err && g->silent)
        return -1;
    if (g->skip && !g->is_err)
        return 0;
    return (g->flag || !g->need_flag) && !g->silent;
}

static void check_gate(const struct gate_case *g)
{
    struct trn_dge_options options = trn_dge_options_default();
    options.errors_need_flag = g->need_flag;
    options.idx_policy = g->skip ? TRN_DGE_IDX_OOB_SKIP : TRN_DGE_IDX_COMPOSITE;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", &options);
    const uint32_t index[2] = {1, 9};
    rig_indices(&rig, 0x8000, index, 2);
    rig.reg[20] = 8;
    rig.local[38] = g->flag ? 2 : 0xFFFFFFFD;
    const struct indirect c = {.src = 0x1000,
                               .dst = 0x2000,
                               .src_step = 8,
                               .dst_step = 8,
                               .src_num = 2,
                               .dst_num = 2,
                               .src_size = 8,
                               .dst_size = 8,
                               .src_idx = 0x8000,
                               .flags = g->is_err ? 4 : 0,
                               .semaphore = 9,
                               .increment = 1,
                               .src_bound = (uint8_t)(0x94 | g->silent << 6)};
    word_bb(word, &c);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    const int expected = expected_gate(g);
    if (expected < 0) {
        assert_int_equal(rig.outcome.result, TRN_DGE_ILLEGAL);
        assert_int_equal(rig.semaphore[9], 0);
        rig_close(&rig);
        return;
    }
    assert_int_equal(rig.outcome.result, TRN_DGE_SKIPPED_OOB);
    assert_int_equal(rig.outcome.report[TRN_DGE_SRC].dispatched, expected);
    assert_int_equal(rig.outcome.report[TRN_DGE_SRC].hard, g->is_err);
    assert_int_equal(rig.semaphore[9], 1);
    assert_int_equal(rig_logged(&rig, "S: DGE: Dispatched error notification"), expected);
    const unsigned completions = g->flag; /* one good element moved */
    assert_int_equal(rig.num_records, (unsigned)expected + completions);
    if (expected) {
        uint8_t raw[16];
        assert_int_equal(trn_record_encode(&rig.record[0], raw, NULL), TRN_OK);
        assert_int_equal(raw[0], g->is_err ? 0x0A : 0x09);
        assert_int_equal(raw[3] & 0x1F, 0x1F);
    }
    rig_close(&rig);
}

static void test_the_gate_is_the_and_of_its_parts(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 32; i++) {
        const struct gate_case g = {i & 1, i >> 1 & 1, i >> 2 & 1, i >> 3 & 1, i >> 4 & 1};
        check_gate(&g);
    }
}

/* 9.2: header between the metadata halves; block of POOL 2, program counter 0x48C0 / 64 = 0x123,
 * info the opcode. */
static void test_the_error_record_byte_by_byte(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64], raw[16];
    rig_open(&rig, "cayman", NULL);
    rig.local[38] = 2;
    rig.reg[20] = 0;
    const struct copy c = {.src = 0x1000,
                           .dst = 0x2000,
                           .src_num = {1, 1},
                           .dst_num = {1, 1},
                           .src_size = 8,
                           .dst_size = 8,
                           .src_bound = 0x94};
    word_b8(word, &c);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.num_records, 1);
    assert_int_equal(trn_record_encode(&rig.record[0], raw, NULL), TRN_OK);
    const uint8_t expected[16] = {0x09, 0, 0, 0x1F, 0x32, 0x12, 0xB8, 0};
    assert_memory_equal(raw, expected, 16);
    rig_close(&rig);
}

static void test_a_suppress_bit_silences_its_own_side(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 4; bits++) {
        struct rig rig;
        uint8_t word[64];
        rig_open(&rig, "cayman", NULL);
        rig.local[38] = 2;
        rig.reg[20] = 0xFFFFFFFF;
        const struct copy c = {.src = 0x1000,
                               .dst = 0x2000,
                               .src_num = {1, 1},
                               .dst_num = {1, 1},
                               .src_size = 8,
                               .dst_size = 8,
                               .src_bound = (uint8_t)(0x94 | (bits & 1) << 6),
                               .dst_bound = (uint8_t)(0x95 | (bits >> 1) << 6)};
        word_b8(word, &c);
        assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
        assert_true(rig.outcome.report[TRN_DGE_DST].failed);
        assert_false(rig.outcome.report[TRN_DGE_SRC].failed);
        assert_int_equal(rig.num_records, bits >> 1 ? 0 : 1);
        rig_close(&rig);
    }
}

/* 7.2: the source is reported when both fail; 7.3: the option for the other reading of the line. */
static void test_the_source_is_named_first(void **state)
{
    (void)state;
    struct trn_dge_options options = trn_dge_options_default();
    options.log_reading = TRN_DGE_LOG_BOUND;
    options.oob_posts_semaphore = false;
    options.oob_record = TRN_DGE_RECORD_CUSTOM;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", &options);
    rig.local[38] = 2;
    rig.reg[20] = 0xFF0;
    rig.reg[21] = 0xFF1;
    const struct copy c = {.src = 0x1000,
                           .dst = 0x2000,
                           .src_num = {1, 1},
                           .dst_num = {1, 1},
                           .src_size = 8,
                           .dst_size = 8,
                           .src_bound = 0x94,
                           .dst_bound = 0x95,
                           .semaphore = 5,
                           .increment = 1};
    word_b8(word, &c);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_true(rig_logged(&rig, "S: DGE: Failed bounds check. $S[20]+=16."));
    assert_int_equal(rig.num_records, 1);
    assert_int_equal(rig.record[0].type, 0x0E); /* TPB_POOL_EXPLICIT */
    assert_int_equal(rig.record[0].body.explicit_notify.soft_reset_counter, 4);
    assert_true(rig.outcome.report[TRN_DGE_DST].failed);
    assert_int_equal(rig.semaphore[5], 0);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_address_bound_is_less_or_equal),
        cmocka_unit_test(test_a_wide_limit_is_two_registers),
        cmocka_unit_test(test_a_register_pair_is_an_address),
        cmocka_unit_test(test_every_bound_byte),
        cmocka_unit_test(test_every_index_bound_byte_and_flag),
        cmocka_unit_test(test_the_gate_is_the_and_of_its_parts),
        cmocka_unit_test(test_the_error_record_byte_by_byte),
        cmocka_unit_test(test_a_suppress_bit_silences_its_own_side),
        cmocka_unit_test(test_the_source_is_named_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
