/* SPDX-License-Identifier: Apache-2.0 */
/* Word -> text -> word is exact for every byte pattern, and the text is canonical. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "isa/text_check.h"

#if defined(__SANITIZE_ADDRESS__)
enum { RANDOM_WORDS = 100000, BIT_STRIDE = 8 };
#else
enum { RANDOM_WORDS = 1000000, BIT_STRIDE = 1 };
#endif

enum { BATCH = 4096 };

static uint8_t words[BATCH * TRN_INST_BYTES];

static uint64_t next_random(uint64_t *state) /* splitmix64 */
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static void check_batch(const struct trn_gen *gen, size_t num_words)
{
    size_t index;
    struct trn_diag diag = {0};
    const char *problem = text_round_trip(gen, words, num_words, &index, &diag);
    if (!problem)
        return;
    char text[TRN_DIS_MAX];
    trn_dis_word(gen, words + index * TRN_INST_BYTES, text);
    fail_msg("%s: %s: %s: %s\n%s", gen->name, problem, diag.where, diag.message, text);
}

/* Half of the words dense, half with mostly zero bits, so that every arm of every form is met. */
static void fill_random(uint64_t *state, uint8_t *word, unsigned opcode)
{
    const uint64_t shape = next_random(state);
    for (size_t i = 0; i < TRN_INST_BYTES; i += 8) {
        uint64_t bits = next_random(state);
        if (shape & 1)
            bits &= next_random(state) & next_random(state);
        memcpy(word + i, &bits, sizeof bits);
    }
    word[0] = (uint8_t)opcode;
    if (shape & 2) {
        const uint8_t header[] = {0x10, 0, 0};
        memcpy(word + 1, header, sizeof header);
    }
    if (shape & 4)
        memset(word + 4, 0, 8);
    if ((shape & 8) && opcode == 0xF0)
        word[12] = (uint8_t)(shape >> 32 & 15);
    if (shape & 16)
        for (size_t i = 12; i < TRN_INST_BYTES; i++)
            if (next_random(state) & 1)
                word[i] = 0;
}

static void test_random_words_of_every_opcode_round_trip(void **unused)
{
    (void)unused;
    uint64_t state = 1;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        for (size_t done = 0; done < RANDOM_WORDS / TRN_GEN_COUNT; done += BATCH) {
            for (size_t i = 0; i < BATCH; i++)
                fill_random(&state, words + i * TRN_INST_BYTES, (unsigned)(done + i) % 256);
            check_batch(trn_gen_at(g), BATCH);
        }
}

/* A word that is zero but for its opcode, the usual length and one other bit: no bit of any layout
 * is lost, and none is taken for another. */
static void test_every_bit_of_every_opcode_round_trips(void **unused)
{
    (void)unused;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        size_t used = 0;
        for (unsigned opcode = 0; opcode < 256; opcode++)
            for (size_t bit = 8; bit < 8 * TRN_INST_BYTES; bit += BIT_STRIDE) {
                uint8_t *word = words + used++ * TRN_INST_BYTES;
                memset(word, 0, TRN_INST_BYTES);
                word[0] = (uint8_t)opcode;
                word[1] = 0x10;
                word[bit / 8] = (uint8_t)(word[bit / 8] ^ 1u << bit % 8);
                if (used == BATCH) {
                    check_batch(trn_gen_at(g), used);
                    used = 0;
                }
            }
        check_batch(trn_gen_at(g), used);
    }
}

/* Every value of every byte, under the opcodes whose struct selects forms by bytes. */
static void test_every_byte_value_round_trips(void **unused)
{
    (void)unused;
    static const uint8_t opcodes[] = {0x01, 0x43, 0x0A, 0xA0, 0xA9, 0xB6, 0xB8, 0xB9, 0xDA, 0xF0};
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        size_t used = 0;
        for (size_t i = 0; i < sizeof opcodes; i++)
            for (size_t at = 1; at < TRN_INST_BYTES; at++)
                for (unsigned value = 0; value < 256; value += BIT_STRIDE) {
                    uint8_t *word = words + used++ * TRN_INST_BYTES;
                    memset(word, 0, TRN_INST_BYTES);
                    word[0] = opcodes[i];
                    word[1] = 0x10;
                    word[at] = (uint8_t)value;
                    if (used == BATCH) {
                        check_batch(trn_gen_at(g), used);
                        used = 0;
                    }
                }
        check_batch(trn_gen_at(g), used);
    }
}

/* Branches near both ends of a stream: labels inside it, distances outside and between words. */
static void test_branch_targets_round_trip(void **unused)
{
    (void)unused;
    enum { WORDS = 64 };
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        for (int distance = -70 * TRN_INST_BYTES; distance <= 70 * TRN_INST_BYTES; distance += 32) {
            memset(words, 0, WORDS * TRN_INST_BYTES);
            for (size_t i = 0; i < WORDS; i++) {
                uint8_t *word = words + i * TRN_INST_BYTES;
                const uint8_t branch[] = {0xA9, 0x10};
                memcpy(word, branch, sizeof branch);
                word[13] = 8; /* INT32 */
                word[14] = 3; /* REL_IMMEDIATE */
                memcpy(word + 48, &distance, sizeof distance);
            }
            check_batch(trn_gen_at(g), WORDS);
        }
}

/* The promise of TRN_DIS_MAX, with room to spare. */
static void test_longest_text_fits(void **unused)
{
    (void)unused;
    char text[TRN_DIS_MAX];
    uint8_t word[TRN_INST_BYTES];
    size_t longest = 0;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        for (unsigned opcode = 0; opcode < 256; opcode++)
            for (unsigned fill = 0; fill < 256; fill++) {
                memset(word, (int)fill, sizeof word);
                word[0] = (uint8_t)opcode;
                const size_t length = trn_dis_word(trn_gen_at(g), word, text);
                longest = length > longest ? length : longest;
            }
    assert_true(longest > 256 && longest < TRN_DIS_MAX / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_words_of_every_opcode_round_trip),
        cmocka_unit_test(test_every_bit_of_every_opcode_round_trips),
        cmocka_unit_test(test_every_byte_value_round_trips),
        cmocka_unit_test(test_branch_targets_round_trip),
        cmocka_unit_test(test_longest_text_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
