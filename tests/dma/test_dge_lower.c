/* SPDX-License-Identifier: Apache-2.0 */
/* Pseudo words become real ones (docs/hardware/dge.md 4). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "dma/dge_rig.h"
#include "dma/dge_words.h"

static void pseudo(uint8_t w[64], uint8_t op)
{
    const struct copy c = {.src = 0x1000,
                           .dst = 0x20000,
                           .src_step = {64, 0},
                           .dst_step = {32, 0},
                           .src_num = {4, 1},
                           .dst_num = {4, 1},
                           .src_size = 32,
                           .dst_size = 32,
                           .src_bound = 0x94,
                           .semaphore = 21,
                           .increment = 2,
                           .op = op,
                           .priority = 3};
    word_b8(w, &c);
    w[0] = 0xD4;
    w[5] = 7;
}

static void test_a_pseudo_word_is_packed_anew(void **state)
{
    (void)state;
    const struct trn_gen *const gen = trn_gen_find("cayman");
    struct trn_diag diag;
    uint8_t word[64], next[64] = {0xDA}, out[64], expected[64];
    unsigned consumed;
    pseudo(word, 0);
    memcpy(expected, word, 64);
    expected[0] = 0xB8;
    assert_int_equal(trn_dge_lower(gen, word, NULL, out, &consumed, &diag), TRN_OK);
    assert_int_equal(consumed, 1);
    assert_memory_equal(out, expected, 64);
    pseudo(word, 1);
    next[1] = 0x0D;
    next[2] = 128;
    next[3] = 1;
    put(next, 4, 4, 0x8000);
    put(next, 8, 4, 0x9000);
    const struct indirect c = {.src = 0x1000,
                               .dst = 0x20000,
                               .src_step = 64,
                               .dst_step = 32,
                               .src_num = 4,
                               .dst_num = 4,
                               .src_size = 32,
                               .dst_size = 32,
                               .src_idx = 0x8000,
                               .dst_idx = 0x9000,
                               .flags = 0x0D,
                               .src_bound = 0x94,
                               .semaphore = 21,
                               .increment = 2,
                               .op = 1,
                               .priority = 3};
    word_bb(expected, &c);
    expected[5] = 7;
    assert_int_equal(trn_dge_lower(gen, word, next, out, &consumed, &diag), TRN_OK);
    assert_int_equal(consumed, 2);
    assert_memory_equal(out, expected, 64);
    pseudo(word, 2);
    word[62] = word[63] = U16;
    put(next, 20, 4, 0x400);
    next[24] = 16;
    next[25] = 128;
    const struct tiles t = {.src = 0x1000,
                            .dst = 0x20000,
                            .src_step = {64, 0},
                            .dst_step = {32, 0},
                            .src_num = {4, 1},
                            .dst_num = {4, 1},
                            .row_step = 0x400,
                            .src_bound = 0x94,
                            .type = U16,
                            .cols = 128,
                            .semaphore = 21,
                            .priority = 3};
    word_bd(expected, &t);
    expected[5] = 7;
    assert_int_equal(trn_dge_lower(gen, word, next, out, &consumed, &diag), TRN_OK);
    assert_memory_equal(out, expected, 64);
}

static void test_lowering_refuses_in_the_firmware_s_words(void **state)
{
    (void)state;
    struct trn_diag diag;
    uint8_t word[64], next[64] = {0xB8}, out[64];
    unsigned consumed;
    pseudo(word, 1);
    assert_int_equal(trn_dge_lower(trn_gen_find("cayman"), word, next, out, &consumed, &diag),
                     TRN_ERR_INVALID);
    assert_string_equal(diag.message,
                        "Pseudo dma indirect1d instruction must be followed by extension");
    next[0] = 0xDA;
    pseudo(word, 2); /* 15: dge_op 2 on SUNDA */
    assert_int_equal(trn_dge_lower(trn_gen_find("sunda"), word, next, out, &consumed, &diag),
                     TRN_ERR_INVALID);
    assert_string_equal(diag.message, "Unsupported dynamic dma opcode 2");
    pseudo(word, 4);
    assert_int_equal(trn_dge_lower(trn_gen_find("mariana"), word, next, out, &consumed, &diag),
                     TRN_ERR_INVALID);
    pseudo(word, 0);
    word[23] = 0x10; /* a NEFF variable */
    assert_int_equal(trn_dge_lower(trn_gen_find("mariana"), word, next, out, &consumed, &diag),
                     TRN_ERR_INVALID);
}

static void test_a_pseudo_word_executes_lowered(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t word[64], next[64] = {0xDA};
    rig_open(&rig, "cayman", NULL);
    const uint32_t index[4] = {3, 1, 0, 2};
    rig_indices(&rig, 0x8000, index, 4);
    pseudo(word, 1);
    next[2] = 128;
    put(next, 4, 4, 0x8000);
    put(next, 12, 4, 32 * 10);
    rig.reg[20] = 9;
    assert_int_equal(rig_run(&rig, POOL, word, next), TRN_OK);
    assert_string_equal(rig.outcome.reason, "");
    assert_int_equal(rig.outcome.consumed, 2);
    assert_memory_equal(rig_at(&rig, 0x20000, 32), rig_at(&rig, 0x1000 + 3 * 64, 32), 32);
    /* 4: the last legal index of 320 bytes of 32 is 9 */
    uint64_t values[2];
    trn_dge_bound_values(rig.gen, word, next, values);
    assert_int_equal(values[0], 9);
    pseudo(word, 2);
    trn_dge_bound_values(rig.gen, word, next, values);
    assert_int_equal(values[0], 320 - 32);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_pseudo_word_is_packed_anew),
        cmocka_unit_test(test_lowering_refuses_in_the_firmware_s_words),
        cmocka_unit_test(test_a_pseudo_word_executes_lowered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
