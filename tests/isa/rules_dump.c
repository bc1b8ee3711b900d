/* SPDX-License-Identifier: Apache-2.0 */
/* Words and what trn_check_word says about them, one a line, for rules_oracle.py:
 * rules_dump COUNT SEED -> generation engine before_lowering next_opcode word rule:field ... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/wordgen.h"

enum { CAPACITY = 64 };

static void dump(const struct trn_gen *gen, const uint8_t *word,
                 const struct trn_check_options *options)
{
    struct trn_violation found[CAPACITY];
    size_t count = 0;
    trn_check_word(gen, word, options, found, CAPACITY, &count);
    printf("%s %s %d ", gen->name,
           options->engine == TRN_ENGINE_ANY ? "any" : trn_engine_name(options->engine),
           options->before_lowering);
    if (options->next_word)
        printf("%02x ", options->next_word[0]);
    else
        printf("- ");
    for (unsigned i = 0; i < TRN_INST_BYTES; i++)
        printf("%02x", word[i]);
    for (size_t i = 0; i < count && i < CAPACITY; i++)
        printf(" %s:%s", found[i].rule, found[i].field ? found[i].field : "-");
    printf("\n");
}

/* One word in five is random, two are near misses, two are valid. */
static void make(struct trn_wordgen *g, const struct trn_gen *gen, bool before_lowering,
                 uint8_t *word)
{
    const struct trn_wordgen_want want = {
        .opcode = -1, .engine = TRN_ENGINE_ANY, .before_lowering = before_lowering};
    const uint32_t roll = trn_wordgen_below(g, 5);
    if (roll == 0) {
        trn_wordgen_random(g, gen, word);
        return;
    }
    trn_wordgen_valid(g, gen, &want, word);
    if (roll < 3)
        trn_wordgen_mutate(g, gen, word);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    const long count = strtol(argv[1], NULL, 10);
    static struct trn_wordgen g;
    g = trn_wordgen_init(strtoull(argv[2], NULL, 10));
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        for (long n = 0; n < count; n++) {
            uint8_t word[TRN_INST_BYTES], next[TRN_INST_BYTES] = {0};
            next[0] = trn_wordgen_below(&g, 4) ? 0xDA : 0xA4;
            const struct trn_check_options options = {
                .engine = trn_wordgen_below(&g, 2) ? TRN_ENGINE_ANY : (int)trn_wordgen_below(&g, 5),
                .before_lowering = trn_wordgen_below(&g, 2) != 0,
                .next_word = trn_wordgen_below(&g, 8) ? next : NULL,
            };
            make(&g, trn_gen_at(i), options.before_lowering, word);
            dump(trn_gen_at(i), word, &options);
        }
    return 0;
}
