/* SPDX-License-Identifier: Apache-2.0 */
/* check over random valid words: word-generations a second, one thread, median of five.
 * usage: bench_check [NUMBER OF WORDS] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/wordgen.h"

enum { DEFAULT_WORDS = 262144, RUNS = 5, CAPACITY = 32 };

/* What one word costs on every generation. */
enum question {
    VALIDITY,   /* valid or not */
    VIOLATIONS, /* ... and every violation with its detail */
};

/* CPU time of the one thread, so that a busy machine does not change the figure. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Seconds for all words on all generations; *valid counts the verdicts. */
static double pass(const uint8_t *words, size_t count, enum question question, size_t *valid)
{
    const double start = now();
    *valid = 0;
    for (size_t i = 0; i < count; i++)
        for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
            const uint8_t *word = words + i * TRN_INST_BYTES;
            struct trn_violation found[CAPACITY];
            size_t n;
            *valid +=
                (question == VALIDITY
                     ? trn_check_word(trn_gen_at(g), word, NULL, NULL, 0, NULL)
                     : trn_check_word(trn_gen_at(g), word, NULL, found, CAPACITY, &n)) == TRN_OK;
        }
    return now() - start;
}

static void measure(const char *what, const uint8_t *words, size_t count, enum question question)
{
    double seconds[RUNS];
    size_t valid = 0;
    for (unsigned i = 0; i < RUNS; i++)
        seconds[i] = pass(words, count, question, &valid);
    qsort(seconds, RUNS, sizeof seconds[0], ascending);
    const double checks = (double)count * TRN_GEN_COUNT;
    printf("%-42s %7.2f million word-generations/s  (%zu of %.0f valid)\n", what,
           checks / seconds[RUNS / 2] / 1e6, valid, checks);
}

static void print_machine(void)
{
    char line[256];
    FILE *info = fopen("/proc/cpuinfo", "r");
    while (info && fgets(line, sizeof line, info))
        if (strncmp(line, "model name", 10) == 0) {
            printf("machine:%s", strchr(line, ':') + 1);
            break;
        }
    if (info)
        fclose(info);
}

/* Words valid on the generations in turn; `everywhere` keeps those valid on all. */
static uint8_t *make_words(size_t count, bool everywhere)
{
    static struct trn_wordgen g[TRN_GEN_COUNT];
    uint8_t *words = malloc(count * TRN_INST_BYTES);
    if (!words)
        exit(1);
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        g[i] = trn_wordgen_init(i);
    for (size_t i = 0; i < count;) {
        const unsigned gen = everywhere ? 0 : (unsigned)(i % TRN_GEN_COUNT);
        uint8_t *word = words + i * TRN_INST_BYTES;
        bool keep = trn_wordgen_valid(&g[gen], trn_gen_at(gen), NULL, word);
        for (unsigned k = 0; k < TRN_GEN_COUNT && everywhere && keep; k++)
            keep = trn_check_word(trn_gen_at(k), word, NULL, NULL, 0, NULL) == TRN_OK;
        i += keep;
    }
    return words;
}

int main(int argc, char **argv)
{
    const size_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : DEFAULT_WORDS;
    if (argc > 2 || count == 0) {
        fprintf(stderr, "usage: bench_check [NUMBER OF WORDS]\n");
        return 2;
    }
    print_machine();
    printf("check, %zu random valid words on 5 generations, 1 thread, CPU time, median of %d\n",
           count, RUNS);
    uint8_t *words = make_words(count, false);
    measure("valid on one generation at least", words, count, VALIDITY);
    measure("... with every violation and detail", words, count, VIOLATIONS);
    free(words);
    words = make_words(count, true);
    measure("valid on all", words, count, VALIDITY);
    measure("... asked for violations", words, count, VIOLATIONS);
    free(words);
    return 0;
}
