/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of a word: selection, bounds, gates, records, lines (docs/hardware/dge.md; section
 * numbers are its). Expected values are the sheet's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "dma/dge_rig.h"
#include "dma/dge_words.h"

/* 15: the worked word. */
static const char worked[] = "B8 10 00 00 05 07 00 00 01 00 00 00 01 0A 01 00"
                             "00 00 00 10 00 00 00 00 00 01 00 00 00 00 00 00"
                             "02 00 01 00 40 00 94 00 00 00 00 00 20 00 00 00"
                             "40 00 00 00 00 00 00 00 02 00 01 00 40 00 03 03";

static uint32_t half(const uint8_t *raw, unsigned i)
{
    uint32_t value;
    memcpy(&value, raw + 4 * i, 4);
    return value;
}

static uint64_t address(const uint8_t *raw)
{
    uint64_t value;
    memcpy(&value, raw + 8, 8);
    return value;
}

/* Packets are dealt to one engine in the worked word: register 40 names one. */
static void test_the_worked_word_becomes_its_descriptors(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", NULL);
    rig_word(worked, word);
    rig.reg[20] = 0x10000000;
    rig.local[40] = 0x20000001; /* engine 0, queue 13 */
    assert_int_equal(rig_run(&rig, ACT, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.result, TRN_DGE_EMITTED);
    assert_int_equal(rig.outcome.backend, TRN_DGE_RTL);
    assert_int_equal(rig.num_descs, 6);
    const struct {
        bool write, semaphore;
        uint32_t word0, word1;
        uint64_t address;
    } expected[] = {
        {false, false, 0x05000040, 0x01080003, 0x10000000},
        {false, false, 0x09000040, 0x05080003, 0x10000100}, /* last data: write barrier */
        {true, false, 0x01000040, 0, 0x2000000000},
        {true, false, 0x01000040, 0, 0x2000000040},
        {false, true, 0x0D000004, 0x01080003, 0},
        {true, true, 0x01000004, 0, RIG_SEM_INC + 4 * 10},
    };
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(rig.desc[i].write, expected[i].write);
        assert_int_equal(rig.desc[i].semaphore, expected[i].semaphore);
        assert_int_equal(half(rig.raw[i], 0), expected[i].word0);
        assert_int_equal(half(rig.raw[i], 1), expected[i].word1);
        if (expected[i].address)
            assert_int_equal(address(rig.raw[i]), expected[i].address);
    }
    assert_int_equal(rig.semaphore[10], 1);
    assert_memory_equal(rig_at(&rig, RIG_SBUF, 64), rig_at(&rig, 0x10000000, 64), 64);
    assert_memory_equal(rig_at(&rig, RIG_SBUF + 64, 64), rig_at(&rig, 0x10000100, 64), 64);
    rig_close(&rig);
}

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

/* ---- backends (8.1) -------------------------------------------------------------------------- */

/* Kind of word 0 copy, 1 copy with a cast, 2 indirect, 3 transpose, 4 gather-transpose. */
static void make(uint8_t word[64], unsigned kind)
{
    const struct copy plain = {.src = 0x1000,
                               .dst = 0x200000,
                               .src_num = {1, 1},
                               .dst_num = {1, 1},
                               .src_size = 4,
                               .dst_size = 4,
                               .semaphore = 3,
                               .increment = 1};
    struct copy cast = plain;
    cast.in = I32;
    cast.out = F32;
    const struct indirect indirect = {.src = 0x1000,
                                      .dst = 0x200000,
                                      .src_step = 8,
                                      .dst_step = 8,
                                      .src_num = 1,
                                      .dst_num = 1,
                                      .src_size = 8,
                                      .dst_size = 8,
                                      .src_idx = 0x8000,
                                      .semaphore = 3,
                                      .increment = 1};
    const struct tiles tiles = {.src = 0x1000,
                                .dst = 0x200000,
                                .src_num = {1, 1},
                                .dst_num = {1, 1},
                                .row_step = 64,
                                .type = U16,
                                .cols = 32,
                                .semaphore = 3};
    const struct gather_tiles gather = {.src = 0x1000,
                                        .dst = 0x200000,
                                        .src_step = 64,
                                        .dst_step = 32,
                                        .count = 16,
                                        .elem_size = 8,
                                        .idx = 0x8000,
                                        .semaphore = 3};
    switch (kind) {
    case 0:
        word_b8(word, &plain);
        break;
    case 1:
        word_b8(word, &cast);
        break;
    case 2:
        word_bb(word, &indirect);
        break;
    case 3:
        word_bd(word, &tiles);
        break;
    default:
        word_f1(word, &gather);
        break;
    }
}

/* Rows of 8.1: n none, p pool, r rtl, s software, - the generation lacks the
 * word, x the engine does not take it (0xF1 is POOL's). */
static const struct {
    const char *gen, *engine[5]; /* kinds 0..4 of each engine */
} backends[] = {
    {"sunda", {"nnn--", "nnn--", "nnn--", "nnn--", "nnn--"}},
    {"cayman", {"nnnnx", "rnnrx", "ppsss", "nnnnx", "rnnrx"}},
    {"mariana", {"nnnnx", "rnnrx", "ppsss", "nnnnx", "rnnrx"}},
    {"mariana_plus", {"nnnnx", "rnnrx", "ppsss", "nnnnx", "rnnrx"}},
    {"maverick", {"nnnnx", "xxxxx", "sssss", "nnnnx", "rnnrx"}},
};

static void check_backend(const char *gen, int engine, unsigned kind, char expected)
{
    static const char letters[] = {'n', 'p', 'r', 's'};
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, gen, NULL);
    rig.local[38] = 2;
    memset(rig.sbuf + 0x8000, 0, 64);
    make(word, kind);
    assert_int_equal(rig_run(&rig, engine, word, NULL),
                     expected == '-' ? TRN_ERR_UNSUPPORTED : TRN_OK);
    if (expected == '-') {
        rig_close(&rig);
        return;
    }
    if (expected == 'x') {
        assert_int_equal(rig.outcome.result, TRN_DGE_ILLEGAL);
        rig_close(&rig);
        return;
    }
    if (letters[rig.outcome.backend] != expected)
        fail_msg("%s engine %d kind %u: backend %s (%s)", gen, engine, kind,
                 trn_dge_backend_name(rig.outcome.backend), rig.outcome.reason);
    assert_int_equal(rig.outcome.result, expected == 'n' ? TRN_DGE_NO_BACKEND : TRN_DGE_EMITTED);
    assert_int_equal(rig.semaphore[3], expected != 'n');
    assert_int_equal(rig.num_descs == 0, expected == 'n');
    assert_int_equal(rig_logged(&rig, "S: DGE: NO BACKEND FOUND, doing nothing"),
                     expected == 'n' && strcmp(gen, "sunda") != 0 && strcmp(gen, "maverick") != 0);
    assert_int_equal(rig_logged(&rig, "S: DGE: Select backend Pool"), expected == 'p');
    assert_int_equal(rig_logged(&rig, "S: DGE: Select backend RTL"),
                     expected == 'r' && strcmp(gen, "maverick") != 0);
    if (expected == 'n')
        assert_int_equal(rig.num_records, strcmp(gen, "sunda") != 0);
    rig_close(&rig);
}

static void test_backends_by_generation_and_engine(void **state)
{
    (void)state;
    for (unsigned g = 0; g < 5; g++)
        for (int engine = 0; engine < 5; engine++)
            for (unsigned kind = 0; kind < 5; kind++)
                check_backend(backends[g].gen, engine, kind, backends[g].engine[engine][kind]);
}

static void test_sunda_says_why_and_an_option_expands(void **state)
{
    (void)state;
    struct trn_dge_options options = trn_dge_options_default();
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "sunda", &options);
    make(word, 0);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_non_null(strstr(rig.outcome.reason, "sunda"));
    assert_int_equal(rig.log_at, 0);
    rig_close(&rig);
    options.software_expander = true;
    rig_open(&rig, "sunda", &options);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.backend, TRN_DGE_SOFTWARE);
    assert_int_equal(rig.semaphore[3], 1);
    assert_int_equal(rig_run(&rig, ACT, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.result, TRN_DGE_NO_BACKEND);
    rig_close(&rig);
}

static void test_options_of_selection(void **state)
{
    (void)state;
    struct trn_dge_options options = trn_dge_options_default();
    options.select_strict = true;
    options.nobackend_posts_semaphore = true;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", &options);
    make(word, 3);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.backend, TRN_DGE_POOL); /* only the flags count */
    make(word, 0);
    assert_int_equal(rig_run(&rig, PE, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.result, TRN_DGE_NO_BACKEND);
    assert_int_equal(rig.semaphore[3], 2);
    rig_close(&rig);
    options = trn_dge_options_default();
    options.software = true;
    rig_open(&rig, "cayman", &options);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.backend, TRN_DGE_SOFTWARE);
    rig_close(&rig);
}

/* ---- configuration (6) ----------------------------------------------------------------------- */

static void test_the_mailbox_takes_engines_from_low_priorities(void **state)
{
    (void)state;
    /* 15: entry {0, 2, 0x00FF} */
    const uint8_t mailbox[4][4] = {
        {0, 2, 0xFF, 0x00}, {0, 0xFF, 0xFF, 0xFF}, {0, 0xFF, 0xFF, 0xFF}, {0, 0xFF, 0xFF, 0xFF}};
    assert_int_equal(trn_dge_mailbox_mask(mailbox, 3), 0x00FF);
    assert_int_equal(trn_dge_mailbox_mask(mailbox, 2), 0xFFFF);
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", NULL);
    const uint8_t none[4] = {0, 2, 0, 0};
    trn_dge_set_mailbox(rig.dge, 1, none);
    struct copy c = {.src = 0x1000,
                     .dst = 0x2000,
                     .src_num = {1, 1},
                     .dst_num = {1, 1},
                     .src_size = 8,
                     .dst_size = 8,
                     .priority = 3};
    word_b8(word, &c);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.result, TRN_DGE_NO_BACKEND);
    c.priority = 2;
    word_b8(word, &c);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.result, TRN_DGE_EMITTED);
    rig_close(&rig);
}

static void test_register_40_names_engines_and_a_queue(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", NULL);
    make(word, 0);
    rig.local[40] = 0x40000000; /* 6.7: a non-zero word without an engine */
    assert_int_equal(rig_run(&rig, ACT, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.result, TRN_DGE_NO_BACKEND);
    rig.local[40] = 0x40000030; /* engines 4 and 5, queue 14 */
    assert_int_equal(rig_run(&rig, ACT, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.result, TRN_DGE_EMITTED);
    assert_int_equal(rig.desc[0].dma, 4);
    assert_int_equal(rig.desc[0].queue, 14);
    assert_int_equal(rig.outcome.dmas, 1 << 4);
    assert_true(rig_logged(&rig, "S: Setting up DGE"));
    assert_int_equal(rig_run(&rig, ACT, word, NULL), TRN_OK);
    assert_false(rig_logged(&rig, "S: Setting up DGE")); /* a context is set up once */
    rig_close(&rig);
}

/* 6.3, 6.5: a carveout of 9 descriptors leaves 8 for data and its rings lie in SBUF. */
static void test_a_carveout_caps_the_descriptors_of_a_batch(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", NULL);
    rig.local[39] = 9 << 16 | 0x400; /* at byte 0x4000 of a partition */
    const struct copy c = {.src = 0x1000,
                           .dst = 0x20000,
                           .src_step = {64, 0},
                           .dst_step = {32, 0},
                           .src_num = {20, 1},
                           .dst_num = {20, 1},
                           .src_size = 16,
                           .dst_size = 16};
    word_b8(word, &c);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.batches, 3);
    assert_int_equal(rig.outcome.packets, 3);
    assert_int_equal(rig.outcome.read_descriptors, 20);
    /* the rings lie where register 39 says */
    assert_int_equal(half(rig_at(&rig, RIG_SBUF + 0x4000, 16), 0) & 0xFFFF, 16);
    for (unsigned i = 0; i < 20; i++)
        assert_memory_equal(rig_at(&rig, 0x20000 + 32 * i, 16), rig_at(&rig, 0x1000 + 64 * i, 16),
                            16);
    rig_close(&rig);
}

/* ---- faults of memory and of the stream ------------------------------------------------------ */

static void test_a_refusing_memory_aborts_the_engine(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", NULL);
    struct copy c = {.src = UINT64_C(0x7000000000),
                     .dst = 0x2000,
                     .src_num = {1, 1},
                     .dst_num = {1, 1},
                     .src_size = 8,
                     .dst_size = 8,
                     .semaphore = 4,
                     .increment = 1};
    word_b8(word, &c);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.result, TRN_DGE_ABORTED);
    assert_int_equal(rig.outcome.abort_side, TRN_DGE_SRC);
    assert_int_equal(rig.outcome.abort_address, UINT64_C(0x7000000000));
    c.dst = c.src;
    c.src = 0x1000;
    word_b8(word, &c);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.abort_side, TRN_DGE_DST);
    assert_int_equal(rig.semaphore[4], 0);
    rig_close(&rig);
}

static void test_a_short_stream_is_a_count_error(void **state)
{
    (void)state;
    struct trn_dge_options options = trn_dge_options_default();
    options.lose_descriptors = 1;
    struct rig rig;
    uint8_t word[64], raw[16];
    rig_open(&rig, "cayman", &options);
    make(word, 2);
    memset(rig.sbuf + 0x8000, 0, 64);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.result, TRN_DGE_COUNT_ERROR);
    assert_true(rig_logged(&rig, "P0: ERROR: DescriptorStream wrote 0 descriptors, expected 1"));
    assert_int_equal(trn_record_encode(&rig.record[0], raw, NULL), TRN_OK);
    assert_int_equal(raw[0], 0x0A);
    assert_int_equal(rig.semaphore[3], 0);
    rig_close(&rig);
}

static void test_a_word_larger_than_the_limit_is_refused(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", NULL);
    const struct copy c = {
        .src = 0x1000, .dst = 0x2000, .src_num = {65535, 65535}, .dst_num = {65535, 65535}};
    word_b8(word, &c);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_ERR_TOO_LARGE);
    rig_close(&rig);
}

/* 10: golden bytes 45 23 11 8E FF 00 20 40 differ in the bit that infers the program counter. */
static void test_the_completion_record(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64], raw[16];
    rig_open(&rig, "cayman", NULL);
    rig.local[38] = 2;
    rig.local[40] = 0x200000FF;
    /* 8 partitions: 8 engines; 512 elements of 64 bytes: 8 packets, one an engine */
    const struct copy c = {.src = 0x1000,
                           .dst = RIG_SBUF,
                           .src_step = {64, 4096},
                           .dst_step = {64, RIG_PARTITION},
                           .src_num = {64, 8},
                           .dst_num = {64, 8},
                           .src_size = 64,
                           .dst_size = 64};
    word_b8(word, &c);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.packets, 8);
    assert_int_equal(rig.num_records, 1);
    assert_int_equal(trn_record_encode(&rig.record[0], raw, NULL), TRN_OK);
    const uint8_t expected[8] = {0x23, 0x01, 0x10, 0x0E, 0xFF, 0x00, 0x01, 0x00};
    assert_memory_equal(raw, expected, 8);
    rig.local[38] = 0;
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.num_records, 0);
    rig_close(&rig);
}

/* ---- lines (13) ------------------------------------------------------------------------------ */

static void test_lines_of_the_pool_backend(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", NULL);
    rig.local[40] = 0x20000001;
    rig.reg[20] = 0x10000000;
    rig_word(worked, word);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    static const char *const lines[] = {
        "S: DGE: Select backend Pool",
        "S: Setting up DGE",
        "S: DGE contexts 0x2c/0x2d init sw=0 engine=0 queue_idx=13 queue_num=16",
        "S: DGE Reshape: Analyzed tensor (nelem_target = 2, step_target = 0x100 (-1P), base = "
        "0x10000000 (-1P)): Reshape Strategy = 0, Requested Reshape Kind = 0, Partition Range = 0, "
        "Num Partitions = 0",
        "S: DGE Reshape: Analyzed tensor (nelem_target = 2, step_target = 0x40 (0P), base = 0x0 "
        "(0P)): Reshape Strategy = 0, Requested Reshape Kind = 0, Partition Range = 1, Num "
        "Partitions = 1",
        "S: DGE Reshape: Assessed simple tensor pair params (Num Partitions A = 0, Num Partitions "
        "B = 1, #DMA Avail = 1, HBM Only = 0): Reshape Kind = 0, #DMA = 1",
        "S: DGE $S[10]+=1@dmacomplete src=[0x94]@0x10000000[0x100,0x0][2,1] "
        "dst=[0x0]@0x2000000000[0x40,0x0][2,1] cast:0x3->0x3 bounds:(1 0x10000000<=0x10000000, 0 "
        "0x2000000000<=0x0) compute_op: 0x0",
        "S: push REGWRITE to DMA[0]",
        "S: push GENERATE to DMA[0]: RD : addr=0x10000000, elem_size=64, sem_num=10",
        "S: push GENERATE to DMA[0]: WR : addr=0x2000000040, elem_size=64, sem_num=10",
        "S: push DIMPUSH to DMA[0]: [2,2][256,64]",
        "S: push DIMPUSH to DMA[0]: [1,1][0,0]",
    };
    for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (!rig_logged(&rig, lines[i]))
            fail_msg("no line '%s' in\n%s", lines[i], rig.log);
    rig_close(&rig);
    rig_open(&rig, "mariana_plus", NULL); /* 1.1: no REGWRITE there */
    rig.reg[20] = 0x10000000;
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_null(strstr(rig.log, "REGWRITE"));
    assert_non_null(strstr(rig.log, "push GENERATE"));
    rig_close(&rig);
}

static void test_lines_of_the_hardware_backend(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "mariana", NULL);
    rig.local[40] = 0x20000001;
    rig.shape[2] = (struct trn_dge_shape){{2, 3, 1, 1}, {64, -256, 0, 0}};
    const struct copy c = {.src = UINT64_C(0x4000000000008000),
                           .src_step = {2, 0},
                           .dst = 0x20000,
                           .dst_step = {64, 0},
                           .dst_num = {6, 1},
                           .src_size = 64,
                           .dst_size = 64,
                           .semaphore = 7,
                           .increment = 2};
    word_b8(word, &c);
    assert_int_equal(rig_run(&rig, SP, word, NULL), TRN_OK);
    static const char *const lines[] = {
        "S: dge_shape[2].step = [ 0x0040, 0xff00, 0x0000, 0x0000 ]",
        "S: dge_shape[2].num  = [ 0x0002, 0x0003, 0x0001, 0x0001 ]",
        "S: DGE: Select backend RTL",
        "S: DGE RTL backend: $S[7]+=2@dmacomplete "
        "src=[0x0]@0x8000[0x40,0xffffff00,0x0,0x0,0x0|0x0,0x0][2,3,1,1,1|1,1] "
        "dst=[0x0]@0x20000[0x40,0x0,0x0,0x0,0x0|0x0,0x0][6,1,1,1,1|1,1]",
        "S: push DIMPUSH to DMA[0]: [3,1][-256,0]",
    };
    for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (!rig_logged(&rig, lines[i]))
            fail_msg("no line '%s' in\n%s", lines[i], rig.log);
    for (unsigned i = 0; i < 6; i++)
        assert_memory_equal(rig_at(&rig, 0x20000 + 64 * i, 64),
                            rig_at(&rig, 0x8000 + 64 * (i % 2) - 256 * (i / 2), 64), 64);
    rig_close(&rig);
}

static void test_lines_of_the_software_backend(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", NULL);
    const uint32_t index[4] = {3, 0xFFFFFFFF, 1, 2};
    rig_indices(&rig, 0x8000, index, 4);
    rig.reg[20] = 7;
    rig.local[38] = 2;
    rig.local[40] = 0x20000001;
    const struct indirect c = {.src = 0x1000,
                               .dst = 0x20000,
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
    word_bb(word, &c);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    static const char *const lines[] = {
        "S: DGE software backend: $S[6]+=1@dmacomplete src=[0x94]@0x1000[0x40,0x0,0x0,0x0]"
        "[4,1,1,1] dst=[0x0]@0x20000[0x40,0x0,0x0,0x0][4,1,1,1] cast:0x3->0x3, "
        "indirection_dim=0x0, reshape_kind=0x0",
        "P0: DGE INDIRECT",
        "P0: Before IVP_MULUSAN_2X32: address=0x0_1000, last_indices=0x2, indirection_step=0x40",
        "P0: After IVP_MULUSAN_2X32: address=0x0_1080, last_indices=0x2, indirection_step=0x40",
        "Indirection masks: our_indices_valid = 0xd, other_indices_valid = 0xf, srx_idx_max = 7, "
        "dst_idx_max = 0",
        "S: DGE: Failed bounds check. $S[6]+=1.",
        "S: DGE: Dispatched error notification",
        "P0: Generating 4 descriptors; ring_ndesc = 4097",
        "P0: Trigger DMA; sdma_bcast_base = 0x00000000, trigger addr = 0x0002e038, mask = "
        "0x00000001 n_desc=4",
        "P0: Trigger DMA; sdma_bcast_base = 0x00000000, trigger addr = 0x0000e038, mask = "
        "0x00000001 n_desc=4",
    };
    for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (!rig_logged(&rig, lines[i]))
            fail_msg("no line '%s' in\n%s", lines[i], rig.log);
    rig_close(&rig);
}

/* ---- inline forms (12) ----------------------------------------------------------------------- */

static void test_memcpy2_updates_both_semaphores(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64] = {0xB9, 0x10};
    rig_open(&rig, "maverick", NULL);
    word[10] = 3 | 1 << 5; /* engines 3 and 4 */
    word[11] = 5 << 2;     /* queue 5 */
    word[12] = 0x20;       /* source immediate, destination register plus offset */
    word[13] = 0x11;
    put(word, 14, 2, 40);
    put(word, 16, 8, 0x3000);
    put(word, 24, 4, 256);
    put(word, 32, 2, 4);
    put(word, 34, 2, 1);
    put(word, 36, 2, 32);
    put(word, 38, 2, 41);
    word[40] = 10;
    put(word, 44, 4, 0x40);
    put(word, 48, 4, 32);
    put(word, 56, 2, 4);
    put(word, 58, 2, 1);
    put(word, 60, 2, 32);
    rig.reg[10] = 0x40000;
    assert_int_equal(rig_run(&rig, SP, word, NULL), TRN_OK);
    assert_string_equal(rig.outcome.reason, "");
    assert_int_equal(rig.outcome.result, TRN_DGE_EMITTED);
    assert_int_equal(rig.semaphore[40], 1);
    assert_int_equal(rig.semaphore[41], 1);
    assert_int_equal(rig.desc[0].dma, 3);
    assert_int_equal(rig.desc[0].queue, 5);
    for (unsigned i = 0; i < 4; i++)
        assert_memory_equal(rig_at(&rig, 0x40040 + 32 * i, 32), rig_at(&rig, 0x3000 + 256 * i, 32),
                            32);
    rig_close(&rig);
}

static void test_dma_immediate_sends_ready_descriptors(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64] = {0xBA, 0x10};
    rig_open(&rig, "maverick", NULL);
    word[10] = 6;
    word[11] = 2 << 2;
    word[12] = 2 | 1 << 3; /* two descriptors, the second from registers */
    word[14] = 8;
    for (unsigned i = 0; i < 16; i++)
        word[16 + i] = (uint8_t)(0xA0 + i);
    for (unsigned i = 0; i < 4; i++)
        rig.reg[8 + i] = 0x01020304 * (i + 1);
    assert_int_equal(rig_run(&rig, SP, word, NULL), TRN_OK);
    assert_string_equal(rig.outcome.reason, "");
    assert_int_equal(rig.num_sent, 2);
    assert_int_equal(rig.sent_dma, 6);
    assert_int_equal(rig.sent_queue, 2);
    assert_memory_equal(rig.sent, word + 16, 16);
    assert_memory_equal(rig.sent + 16, &rig.reg[8], 16);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_worked_word_becomes_its_descriptors),
        cmocka_unit_test(test_an_address_bound_is_less_or_equal),
        cmocka_unit_test(test_a_wide_limit_is_two_registers),
        cmocka_unit_test(test_a_register_pair_is_an_address),
        cmocka_unit_test(test_every_bound_byte),
        cmocka_unit_test(test_every_index_bound_byte_and_flag),
        cmocka_unit_test(test_the_gate_is_the_and_of_its_parts),
        cmocka_unit_test(test_the_error_record_byte_by_byte),
        cmocka_unit_test(test_a_suppress_bit_silences_its_own_side),
        cmocka_unit_test(test_the_source_is_named_first),
        cmocka_unit_test(test_backends_by_generation_and_engine),
        cmocka_unit_test(test_sunda_says_why_and_an_option_expands),
        cmocka_unit_test(test_options_of_selection),
        cmocka_unit_test(test_the_mailbox_takes_engines_from_low_priorities),
        cmocka_unit_test(test_register_40_names_engines_and_a_queue),
        cmocka_unit_test(test_a_carveout_caps_the_descriptors_of_a_batch),
        cmocka_unit_test(test_a_refusing_memory_aborts_the_engine),
        cmocka_unit_test(test_a_short_stream_is_a_count_error),
        cmocka_unit_test(test_a_word_larger_than_the_limit_is_refused),
        cmocka_unit_test(test_the_completion_record),
        cmocka_unit_test(test_lines_of_the_pool_backend),
        cmocka_unit_test(test_lines_of_the_hardware_backend),
        cmocka_unit_test(test_lines_of_the_software_backend),
        cmocka_unit_test(test_memcpy2_updates_both_semaphores),
        cmocka_unit_test(test_dma_immediate_sends_ready_descriptors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
