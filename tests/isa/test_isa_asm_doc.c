/* SPDX-License-Identifier: Apache-2.0 */
/* Every program of docs/tasm.md: it assembles, it is valid, it round-trips; every struct has one.
 * usage: test_isa_asm_doc DOCS/tasm.md */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/tables.h"
#include "isa/text_check.h"

enum { MAX_PROGRAMS = 200 };

/* One fenced block: ```tasm GENERATION ENGINE. */
struct program {
    char heading[64]; /* the last ### above it */
    char gen[16], engine[8];
    const char *text;
    size_t size;
    unsigned line;
};

static const char *doc_path;
static char *doc;
static struct program programs[MAX_PROGRAMS];
static size_t num_programs;

static int read_doc(void **state)
{
    (void)state;
    FILE *file = fopen(doc_path, "rb");
    assert_non_null(file);
    doc = calloc(1 << 20, 1);
    assert_non_null(doc);
    const size_t size = fread(doc, 1, (1 << 20) - 1, file);
    fclose(file);
    assert_true(size > 0 && size < (1 << 20) - 1);
    char heading[64] = "";
    struct program *open = NULL;
    unsigned line = 1;
    for (char *at = doc; at && *at; at = strchr(at, '\n'), at = at ? at + 1 : NULL, line++) {
        if (open && strncmp(at, "```", 3) == 0) {
            open->size = (size_t)(at - open->text);
            open = NULL;
        } else if (!open && strncmp(at, "### ", 4) == 0) {
            sscanf(at, "### %63[^\n]", heading);
        } else if (!open && strncmp(at, "```tasm ", 8) == 0) {
            assert_true(num_programs < MAX_PROGRAMS);
            open = &programs[num_programs++];
            assert_int_equal(sscanf(at, "```tasm %15s %7s", open->gen, open->engine), 2);
            strcpy(open->heading, heading);
            open->text = strchr(at, '\n') + 1;
            open->line = line;
        }
    }
    return 0;
}

static int free_doc(void **state)
{
    (void)state;
    free(doc);
    return 0;
}

/* Pseudo words have no engine: their block says `host`. */
static bool is_host(const struct program *p)
{
    return strcmp(p->engine, "host") == 0;
}

static struct trn_program assemble(const struct program *p)
{
    const struct trn_asm_options options = {.gen = trn_gen_find(p->gen),
                                            .engine = is_host(p) ? 4 : trn_engine_find(p->engine)};
    struct trn_program program;
    struct trn_diag diag;
    assert_non_null(options.gen);
    assert_true(options.engine >= 0);
    if (trn_asm(p->text, p->size, &options, &program, NULL, NULL, &diag) != TRN_OK)
        fail_msg("block at line %u: %s: %s (%s)", p->line, diag.where, diag.message, diag.expected);
    assert_int_equal(program.num_streams, 1);
    return program;
}

static void test_every_program_is_valid_and_round_trips(void **state)
{
    (void)state;
    assert_true(num_programs > 80);
    for (size_t i = 0; i < num_programs; i++) {
        const struct program *p = &programs[i];
        struct trn_program program = assemble(p);
        const struct trn_stream *stream = &program.streams[0];
        for (size_t k = 0; k < stream->num_words; k++) {
            const struct trn_check_options options = {
                .engine = is_host(p) ? TRN_ENGINE_ANY : stream->engine,
                .before_lowering = is_host(p),
                .next_word =
                    k + 1 < stream->num_words ? stream->words + (k + 1) * TRN_INST_BYTES : NULL,
            };
            struct trn_violation violation;
            if (trn_check_word(program.gen, stream->words + k * TRN_INST_BYTES, &options,
                               &violation, 1, NULL) != TRN_OK)
                fail_msg("block at line %u, word %zu: %s: %s", p->line, k, violation.rule,
                         violation.message);
        }
        size_t index;
        struct trn_diag diag;
        const char *problem =
            text_round_trip(program.gen, stream->words, stream->num_words, &index, &diag);
        if (problem)
            fail_msg("block at line %u: %s", p->line, problem);
        trn_program_free(&program);
    }
}

static bool has_example(const char *struct_name)
{
    for (size_t i = 0; i < num_programs; i++) {
        if (strcmp(programs[i].heading, struct_name) != 0)
            continue;
        struct trn_program program = assemble(&programs[i]);
        const char *name = trn_word_info(program.gen, program.streams[0].words).struct_name;
        const bool right = name && strcmp(name, struct_name) == 0;
        trn_program_free(&program);
        return right;
    }
    return false;
}

static void test_every_struct_has_an_example(void **state)
{
    (void)state;
    for (int id = TRN_STRUCT_NONE + 1; id < TRN_STRUCT_COUNT; id++)
        if (!has_example(trn_struct_table[id].name))
            fail_msg("%s has no example", trn_struct_table[id].name);
}

/* Section 1 shows a program and what `trench dis` makes of it. */
static void test_second_program_is_the_first_one_printed(void **state)
{
    (void)state;
    struct trn_program program = assemble(&programs[0]);
    struct text text = {0};
    assert_int_equal(trn_dis_stream(program.gen, program.streams[0].engine,
                                    program.streams[0].words, program.streams[0].num_words,
                                    text_append, &text),
                     TRN_OK);
    assert_int_equal(text.size, programs[1].size);
    assert_memory_equal(text.data, programs[1].text, text.size);
    free(text.data);
    trn_program_free(&program);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s docs/tasm.md\n", argv[0]);
        return 2;
    }
    doc_path = argv[1];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_program_is_valid_and_round_trips),
        cmocka_unit_test(test_every_struct_has_an_example),
        cmocka_unit_test(test_second_program_is_the_first_one_printed),
    };
    return cmocka_run_group_tests(tests, read_doc, free_doc);
}
