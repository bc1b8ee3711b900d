/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of a word: selection, configuration, faults (docs/hardware/dge.md 6, 8, 10, 15;
 * section numbers are its). Expected values are the sheet's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "dma/dge_rig.h"
#include "dma/dge_words.h"

/* Packets are dealt to one engine in the worked word: register 40 names one. */
static void test_the_worked_word_becomes_its_descriptors(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64];
    rig_open(&rig, "cayman", NULL);
    rig_word(WORKED_WORD, word);
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
        assert_int_equal(desc_word(rig.raw[i], 0), expected[i].word0);
        assert_int_equal(desc_word(rig.raw[i], 1), expected[i].word1);
        if (expected[i].address)
            assert_int_equal(desc_address(rig.raw[i]), expected[i].address);
    }
    assert_int_equal(rig.semaphore[10], 1);
    assert_memory_equal(rig_at(&rig, RIG_SBUF, 64), rig_at(&rig, 0x10000000, 64), 64);
    assert_memory_equal(rig_at(&rig, RIG_SBUF + 64, 64), rig_at(&rig, 0x10000100, 64), 64);
    rig_close(&rig);
}

/* ---- backends (8.1) -------------------------------------------------------------------------- */

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
    word_of_kind(word, kind);
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
    word_of_kind(word, 0);
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
    word_of_kind(word, 3);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.backend, TRN_DGE_POOL); /* only the flags count */
    word_of_kind(word, 0);
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
    word_of_kind(word, 0);
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
    assert_int_equal(desc_word(rig_at(&rig, RIG_SBUF + 0x4000, 16), 0) & 0xFFFF, 16);
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
    word_of_kind(word, 2);
    memset(rig.sbuf + 0x8000, 0, 64);
    assert_int_equal(rig_run(&rig, POOL, word, NULL), TRN_OK);
    assert_int_equal(rig.outcome.result, TRN_DGE_COUNT_ERROR);
    assert_true(rig_logged(&rig, "P0: ERROR: DescriptorStream wrote 0 descriptors, expected 1"));
    /* 9.4: S4 as S3, whose record the sequencer posts: fatal, block 2 (POOL), word 0x123, the
     * opcode */
    assert_int_equal(rig.num_records, 0);
    assert_int_equal(rig.outcome.num_records, 1);
    assert_int_equal(trn_record_encode(&rig.outcome.records[0], raw, NULL), TRN_OK);
    assert_memory_equal(raw, ((const uint8_t[8]){0x0A, 0, 0, 0x1F, 0x32, 0x12, 0xBB, 0}), 8);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_worked_word_becomes_its_descriptors),
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
