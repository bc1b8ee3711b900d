/* SPDX-License-Identifier: Apache-2.0 */
/* The words that programs are made of: valid ones of every opcode, and near misses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "isa/text_check.h"
#include "support/wordgen.h"

#if defined(__SANITIZE_ADDRESS__)
enum { ROUNDS = 2, WORDS = 2000 };
#else
enum { ROUNDS = 10, WORDS = 20000 };
#endif

enum { OPCODES = 256 };

static uint8_t words[2 * OPCODES * TRN_INST_BYTES];

static void check(const struct trn_gen *gen, size_t num_words)
{
    size_t index;
    struct trn_diag diag = {0};
    const char *problem = text_round_trip(gen, words, num_words, &index, &diag);
    if (!problem)
        return;
    char text[TRN_DIS_MAX] = "";
    if (index < num_words)
        trn_dis_word(gen, words + index * TRN_INST_BYTES, text);
    fail_msg("%s: %s: %s: %s\n%s", gen->name, problem, diag.where, diag.message, text);
}

/* One word of each opcode that can be valid, pseudo words included, and a near miss of it. */
static size_t fill(struct trn_wordgen *generator, const struct trn_gen *gen)
{
    size_t used = 0;
    for (int opcode = 0; opcode < OPCODES; opcode++) {
        const struct trn_wordgen_want want = {
            .opcode = opcode, .engine = TRN_ENGINE_ANY, .before_lowering = true};
        uint8_t *word = words + used * TRN_INST_BYTES;
        if (!trn_wordgen_possible(gen, &want) || !trn_wordgen_valid(generator, gen, &want, word))
            continue;
        memcpy(word + TRN_INST_BYTES, word, TRN_INST_BYTES);
        trn_wordgen_mutate(generator, gen, word + TRN_INST_BYTES);
        used += 2;
    }
    return used;
}

static void test_valid_words_and_near_misses_round_trip(void **state)
{
    (void)state;
    struct trn_wordgen generator = trn_wordgen_init(11);
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        for (int round = 0; round < ROUNDS; round++) {
            const size_t used = fill(&generator, trn_gen_at(g));
            assert_true(used > 200);
            check(trn_gen_at(g), used);
        }
}

/* What check calls valid is written with a mnemonic, unless nobody knows its layout. */
static void test_valid_words_print_with_their_mnemonic(void **state)
{
    (void)state;
    struct trn_wordgen generator = trn_wordgen_init(12);
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        for (int i = 0; i < WORDS; i++) {
            uint8_t word[TRN_INST_BYTES];
            char text[TRN_DIS_MAX];
            assert_true(trn_wordgen_valid(&generator, trn_gen_at(g), NULL, word));
            trn_dis_word(trn_gen_at(g), word, text);
            const bool known = trn_word_info(trn_gen_at(g), word).struct_name != NULL;
            if (known == (strncmp(text, ".word", 5) == 0))
                fail_msg("%s: %s", trn_gen_at(g)->name, text);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valid_words_and_near_misses_round_trip),
        cmocka_unit_test(test_valid_words_print_with_their_mnemonic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
