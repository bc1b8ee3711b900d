/* SPDX-License-Identifier: Apache-2.0 */
/* Times printer and assembler over files of words.
 * usage: bench_text generate COUNT FILE...   random valid words, one generation a file, in order
 *        bench_text time FILE...             CPU seconds: `words lines text_bytes dis asm` */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "isa/text_check.h"
#include "support/wordgen.h"

static int die(const char *what)
{
    fprintf(stderr, "bench_text: %s\n", what);
    return EXIT_FAILURE;
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int generate(size_t count, int num_files, char **files)
{
    for (int i = 0; i < num_files; i++) {
        struct trn_wordgen generator = trn_wordgen_init(1 + (uint64_t)i);
        FILE *out = fopen(files[i], "wb");
        if (!out)
            return die("cannot create the file");
        for (size_t k = 0; k < count; k++) {
            uint8_t word[TRN_INST_BYTES];
            if (!trn_wordgen_valid(&generator, trn_gen_at((unsigned)i % TRN_GEN_COUNT), NULL,
                                   word) ||
                fwrite(word, sizeof word, 1, out) != 1)
                return die("cannot write the words");
        }
        if (fclose(out) != 0)
            return die("cannot write the words");
    }
    return EXIT_SUCCESS;
}

struct totals {
    size_t words, lines, bytes;
    double dis, asm_;
};

static size_t count_lines(const struct text *text)
{
    size_t lines = 0;
    for (const char *at = text->data, *end = at + text->size;
         (at = memchr(at, '\n', (size_t)(end - at))); at++)
        lines++;
    return lines;
}

/* What /dev/null is to the peers. */
static trn_status drop(void *context, const char *data, size_t size)
{
    (void)data;
    *(size_t *)context += size;
    return TRN_OK;
}

static const char *time_words(const struct trn_gen *gen, const uint8_t *words, size_t num_words,
                              struct totals *totals)
{
    struct text text = {0};
    struct trn_program program = {0};
    size_t printed = 0;
    const double start = cpu_seconds();
    trn_dis_stream(gen, 0, words, num_words, drop, &printed);
    totals->dis += cpu_seconds() - start;
    if (trn_dis_stream(gen, 0, words, num_words, text_append, &text) != TRN_OK)
        return "out of memory";
    const double again = cpu_seconds();
    const trn_status status = trn_asm(text.data, text.size, NULL, &program, NULL, NULL, NULL);
    totals->asm_ += cpu_seconds() - again;
    const bool same = status == TRN_OK && text.size == printed &&
                      program.streams[0].num_words == num_words &&
                      memcmp(program.streams[0].words, words, num_words * TRN_INST_BYTES) == 0;
    totals->words += num_words;
    totals->lines += count_lines(&text);
    totals->bytes += text.size;
    trn_program_free(&program);
    free(text.data);
    return same ? NULL : "the words did not come back";
}

static int time_files(int num_files, char **files)
{
    struct totals totals = {0};
    for (int i = 0; i < num_files; i++) {
        FILE *in = fopen(files[i], "rb");
        if (!in || fseek(in, 0, SEEK_END) != 0)
            return die("cannot open the file");
        const size_t size = (size_t)ftell(in);
        rewind(in);
        uint8_t *words = malloc(size);
        if (!words || fread(words, 1, size, in) != size)
            return die("cannot read the file");
        fclose(in);
        const char *problem = time_words(trn_gen_at((unsigned)i % TRN_GEN_COUNT), words,
                                         size / TRN_INST_BYTES, &totals);
        free(words);
        if (problem)
            return die(problem);
    }
    printf("%zu %zu %zu %.6f %.6f\n", totals.words, totals.lines, totals.bytes, totals.dis,
           totals.asm_);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    if (argc > 3 && strcmp(argv[1], "generate") == 0)
        return generate(strtoul(argv[2], NULL, 10), argc - 3, argv + 3);
    if (argc > 2 && strcmp(argv[1], "time") == 0)
        return time_files(argc - 2, argv + 2);
    return die("usage: bench_text generate COUNT FILE... | bench_text time FILE...");
}
