/* SPDX-License-Identifier: Apache-2.0 */
/* Random instruction words, made from the tables: what property tests, fuzz targets and benches
 * feed on. Same seed, same words, on every host. */
#ifndef TRN_TESTS_WORDGEN_H
#define TRN_TESTS_WORDGEN_H

#include <stdbool.h>
#include <stdint.h>

#include "trench/isa.h"

/* Large (16 KiB): it remembers the last valid word of each opcode for one generation and engine,
 * and most words are made by changing that one further. */
struct trn_wordgen {
    uint64_t state; /* splitmix64 */
    const struct trn_gen *gen;
    int engine;
    uint8_t known[256]; /* 1: words[] has one; 2: a long search found none */
    uint8_t words[256][TRN_INST_BYTES];
};

struct trn_wordgen trn_wordgen_init(uint64_t seed);

/* A number, and a number below `bound` (which is not 0). */
uint64_t trn_wordgen_next(struct trn_wordgen *g);
uint32_t trn_wordgen_below(struct trn_wordgen *g, uint32_t bound);

/* What a valid word is made for. */
struct trn_wordgen_want {
    int opcode;           /* 0..255, or -1: any that can be valid */
    int engine;           /* 0..4, or TRN_ENGINE_ANY */
    bool before_lowering; /* pseudo words too */
};

/* Fill `word` with a word that trn_check_word accepts on `gen` (warnings allowed). `want` may be
 * NULL: any opcode on any engine, after lowering. Returns false, and leaves zeros, when no such
 * word can be: the opcode does not exist there, no engine takes it, or a rule forbids it always. */
bool trn_wordgen_valid(struct trn_wordgen *g, const struct trn_gen *gen,
                       const struct trn_wordgen_want *want, uint8_t word[TRN_INST_BYTES]);

/* Whether any valid word with that opcode exists on `gen` (for some engine, or for `engine`). */
bool trn_wordgen_possible(const struct trn_gen *gen, const struct trn_wordgen_want *want);

/* A word that breaks the rule (a name of rules.csv that the check reports) and as little else as a
 * long search finds. *others, if not NULL, is how many other rules it breaks, warnings apart; with
 * a warning as the rule, a word is left that is valid. Returns false when no word broke the rule.
 */
bool trn_wordgen_break(struct trn_wordgen *g, const struct trn_gen *gen, const char *rule,
                       const struct trn_wordgen_want *want, uint8_t word[TRN_INST_BYTES],
                       unsigned *others);

/* 64 random bytes; one time in two the first is an opcode that `gen` has. */
void trn_wordgen_random(struct trn_wordgen *g, const struct trn_gen *gen,
                        uint8_t word[TRN_INST_BYTES]);

/* Change one to three random bytes, bits or fields of a word: near misses. */
void trn_wordgen_mutate(struct trn_wordgen *g, const struct trn_gen *gen,
                        uint8_t word[TRN_INST_BYTES]);

#endif
