/* SPDX-License-Identifier: Apache-2.0 */
/* trench dis: 64-byte words to text, or to JSON lines. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/word_json.h"
#include "trench/isa.h"

enum { MAX_WORDS_BYTES = 1 << 30 };

struct options {
    const char *input;
    const struct trn_gen *gen;
    int engine;
    bool json;
};

static const struct argp_option argp_options[] = {
    {"gen", 'g', "GEN", 0, "what the words mean (default: cayman, said on standard error)", 0},
    {"engine", 'e', "ENGINE", 0, "write .engine ENGINE before the first word", 0},
    {"json", 'j', NULL, 0, "one JSON object a word (schema trench.dis/1)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'g':
        options->gen = cli_gen(arg);
        if (!options->gen)
            exit(CLI_USAGE);
        return 0;
    case 'e':
        options->engine = cli_engine(arg);
        if (options->engine < 0)
            exit(CLI_USAGE);
        return 0;
    case 'j':
        options->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->input)
            exit(cli_usage_error("dis takes one file; '%s' is a second one", arg));
        options->input = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        exit(cli_usage_error("dis needs a file of 64-byte words"));
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    argp_options,
    parse,
    "FILE.bin",
    "Print 64-byte words as text that `trench asm` turns into the same bytes (docs/tasm.md).\v"
    "Layouts differ between generations: say with --gen which one the words are for. A file name "
    "of "
    "- is standard input.",
    NULL,
    NULL,
    NULL};

/* Words in a piece of text: lines that begin with a mnemonic or .word; others are labels,
 * directives and lines that belong to the word above. Pieces end with a line. */
static size_t count_words(const char *text, size_t size)
{
    size_t words = 0;
    for (const char *line = text, *end = text + size; line < end;) {
        words += (*line >= 'a' && *line <= 'z') || strncmp(line, ".word", 5) == 0;
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        line = newline ? newline + 1 : end;
    }
    return words;
}

static trn_status write_text(void *context, const char *text, size_t size)
{
    struct cli_progress *progress = context;
    if (progress->out)
        cli_progress(progress, count_words(text, size));
    return fwrite(text, 1, size, stdout) == size ? TRN_OK : TRN_ERR_IO;
}

static json_t *engines_to_json(uint8_t engines)
{
    json_t *list = json_array();
    for (int i = 0; trn_engine_name(i); i++)
        if (engines >> i & 1)
            json_array_append_new(list, json_string(trn_engine_name(i)));
    return list;
}

static json_t *word_to_json(const struct trn_gen *gen, const uint8_t *word, size_t index)
{
    char text[TRN_DIS_MAX], opcode[8];
    const size_t length = trn_dis_word(gen, word, text);
    const struct trn_word_info info = trn_word_info(gen, word);
    snprintf(opcode, sizeof opcode, "0x%02x", info.opcode);
    json_t *object = json_object();
    json_object_set_new(object, "schema", json_string("trench.dis/1"));
    json_object_set_new(object, "index", json_integer((json_int_t)index));
    json_object_set_new(object, "offset", json_integer((json_int_t)index * TRN_INST_BYTES));
    json_object_set_new(object, "gen", json_string(gen->name));
    json_object_set_new(object, "opcode", json_string(opcode));
    json_object_set_new(object, "name", info.name ? json_string(info.name) : json_null());
    json_object_set_new(object, "struct",
                        info.struct_name ? json_string(info.struct_name) : json_null());
    json_object_set_new(object, "engine", engines_to_json(info.engines));
    json_object_set_new(object, "fields", cli_word_fields(gen, word));
    json_object_set_new(object, "text", json_stringn(text, length - 1));
    json_object_set_new(object, "raw", cli_hex_string(word, TRN_INST_BYTES));
    return object;
}

static trn_status print(const struct options *options, const uint8_t *words, size_t num_words)
{
    struct cli_progress progress;
    trn_status status = TRN_OK;
    cli_progress_start(&progress, "dis", num_words, true);
    if (!options->json)
        status =
            trn_dis_stream(options->gen, options->engine, words, num_words, write_text, &progress);
    for (size_t i = 0; i < num_words && options->json; i++) {
        cli_print_json(word_to_json(options->gen, words + i * TRN_INST_BYTES, i));
        cli_progress(&progress, 1);
    }
    cli_progress_clear(&progress);
    return status;
}

static int disassemble(const struct options *options, const uint8_t *data, size_t size)
{
    struct trn_diag diag;
    if (size % TRN_INST_BYTES) {
        trn_diag_set(&diag, TRN_ERR_FORMAT, options->input, NULL, NULL,
                     "%zu bytes are not whole 64-byte words; the last one ends at byte %zu", size,
                     size / TRN_INST_BYTES * TRN_INST_BYTES);
        cli_print_diag(&diag);
        return CLI_USAGE;
    }
    const trn_status status = print(options, data, size / TRN_INST_BYTES);
    if (status == TRN_OK && fflush(stdout) == 0 && !ferror(stdout))
        return CLI_OK;
    trn_diag_set(&diag, status, "<stdout>", NULL, NULL, "%s",
                 status == TRN_ERR_NO_MEMORY ? "out of memory" : "cannot write");
    cli_print_diag(&diag);
    return CLI_USAGE;
}

int cmd_dis(int argc, char **argv)
{
    struct options options = {.engine = TRN_ENGINE_ANY};
    const int parsed = cli_parse(&argp, argc, argv, &options);
    if (parsed)
        return parsed < 0 ? CLI_OK : parsed;
    if (!options.gen) {
        options.gen = trn_gen_find("cayman");
        fprintf(stderr, "trench: note: no --gen, reading the words as cayman's\n");
    }
    uint8_t *data;
    size_t size;
    struct trn_diag diag;
    if (cli_read_file(options.input, MAX_WORDS_BYTES, &data, &size, &diag) != TRN_OK) {
        cli_print_diag(&diag);
        return CLI_USAGE;
    }
    const int status = disassemble(&options, data, size);
    free(data);
    return status;
}
