/* SPDX-License-Identifier: Apache-2.0 */
/* trench asm: text to 64-byte words. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "trench/isa.h"

enum { MAX_TEXT = 1 << 30 };

struct options {
    const char *input, *output;
    const struct trn_gen *gen;
    int engine;
};

static const struct argp_option argp_options[] = {
    {"output", 'o', "OUT.bin", 0, "where the words go; - is standard output", 0},
    {"gen", 'g', "GEN", 0, "assemble for this generation (default: the first that .gen names)", 0},
    {"engine", 'e', "ENGINE", 0,
     "write the words of this engine only; words before any .engine "
     "are its own",
     0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'o':
        options->output = arg;
        return 0;
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
    case ARGP_KEY_ARG:
        if (options->input)
            exit(cli_usage_error("asm takes one file; '%s' is a second one", arg));
        options->input = arg;
        return 0;
    case ARGP_KEY_END:
        if (!options->input || !options->output)
            exit(cli_usage_error("asm needs a file and -o OUT.bin"));
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    argp_options,
    parse,
    "FILE.tasm -o OUT.bin",
    "Assemble a program into 64-byte words (docs/tasm.md).\v"
    "A text with several .engine sections gives one file an engine: OUT.dve.bin beside OUT.pe.bin. "
    "A file name of - is standard input or output. Nothing is written when the text has an error; "
    "every error is reported, up to 50.",
    NULL,
    NULL,
    NULL};

static void print_diag(void *context, const struct trn_diag *diag)
{
    (void)context;
    cli_print_diag(diag);
}

/* OUT.bin becomes OUT.dve.bin. */
static trn_status name_for_engine(const char *output, int engine, char *name, size_t size,
                                  struct trn_diag *diag)
{
    const char *slash = strrchr(output, '/');
    const char *dot = strrchr(output, '.');
    const size_t stem = dot && (!slash || dot > slash + 1) && dot > output ? (size_t)(dot - output)
                                                                           : strlen(output);
    const int length = snprintf(name, size, "%.*s.%s%s", (int)stem, output, trn_engine_name(engine),
                                output + stem);
    if (length < 0 || (size_t)length >= size)
        return trn_diag_set(diag, TRN_ERR_INVALID, output, NULL, NULL, "the path is too long");
    return TRN_OK;
}

static trn_status write_stream(const char *path, const struct trn_stream *stream,
                               struct trn_diag *diag)
{
    return cli_write_file(path, stream->words, stream->num_words * TRN_INST_BYTES, diag);
}

static trn_status write_program(const struct options *options, const struct trn_program *program,
                                struct trn_diag *diag)
{
    if (program->num_streams == 0)
        return cli_write_file(options->output, "", 0, diag);
    if (program->num_streams == 1)
        return write_stream(options->output, &program->streams[0], diag);
    if (strcmp(options->output, "-") == 0)
        return trn_diag_set(diag, TRN_ERR_INVALID, options->input, NULL, "name one with --engine",
                            "the text has %zu streams and standard "
                            "output takes one",
                            program->num_streams);
    for (size_t i = 0; i < program->num_streams; i++) {
        char path[4096];
        trn_status status =
            name_for_engine(options->output, program->streams[i].engine, path, sizeof path, diag);
        if (status == TRN_OK)
            status = write_stream(path, &program->streams[i], diag);
        if (status != TRN_OK)
            return status;
    }
    return TRN_OK;
}

/* Only the stream that --engine names. */
static trn_status write_engine(const struct options *options, const struct trn_program *program,
                               struct trn_diag *diag)
{
    for (size_t i = 0; i < program->num_streams; i++)
        if (program->streams[i].engine == options->engine)
            return write_stream(options->output, &program->streams[i], diag);
    return trn_diag_set(diag, TRN_ERR_NOT_FOUND, options->input, NULL, NULL,
                        "the text has no words for %s", trn_engine_name(options->engine));
}

static int assemble(const struct options *options, const char *text, size_t size)
{
    const struct trn_asm_options asm_options = {
        .file = strcmp(options->input, "-") == 0 ? "<stdin>" : options->input,
        .gen = options->gen,
        .engine = options->engine,
        .engine_optional = true,
    };
    struct trn_program program;
    struct trn_diag diag;
    if (trn_asm(text, size, &asm_options, &program, print_diag, NULL, &diag) != TRN_OK) {
        if (diag.status == TRN_ERR_NO_MEMORY)
            cli_print_diag(&diag);
        return CLI_USAGE;
    }
    const trn_status status = options->engine == TRN_ENGINE_ANY
                                  ? write_program(options, &program, &diag)
                                  : write_engine(options, &program, &diag);
    trn_program_free(&program);
    if (status == TRN_OK)
        return CLI_OK;
    cli_print_diag(&diag);
    return CLI_USAGE;
}

int cmd_asm(int argc, char **argv)
{
    struct options options = {.engine = TRN_ENGINE_ANY};
    const int parsed = cli_parse(&argp, argc, argv, &options);
    if (parsed)
        return parsed < 0 ? CLI_OK : parsed;
    uint8_t *text;
    size_t size;
    struct trn_diag diag;
    if (cli_read_file(options.input, MAX_TEXT, &text, &size, &diag) != TRN_OK) {
        cli_print_diag(&diag);
        return CLI_USAGE;
    }
    const int status = assemble(&options, (const char *)text, size);
    free(text);
    return status;
}
