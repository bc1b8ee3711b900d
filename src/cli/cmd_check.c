/* SPDX-License-Identifier: Apache-2.0 */
/* trench check: every validity rule, per generation, each violation with its rule's name. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "trench/isa.h"

enum { MAX_FILE = 1 << 30, MAX_VIOLATIONS = 64 };

struct options {
    const char *input;
    const struct trn_gen *gen; /* NULL: all */
    int engine;
    bool before_lowering, json;
};

/* What one generation says of the file. */
struct verdict {
    const struct trn_gen *gen;
    size_t words, bad_words, violations, warnings;
    json_t *violation_list, *warning_list; /* NULL unless --json */
    bool assembled;                        /* the text has words on this generation */
    struct trn_diag error;                 /* why not, when it does not assemble */
};

static const struct argp_option argp_options[] = {
    {"gen", 'g', "GEN|all", 0, "check for one generation (default: all, or those that .gen names)",
     0},
    {"engine", 'e', "ENGINE", 0,
     "the engine whose stream it is (default: a word is legal if some engine takes it)", 0},
    {"before-lowering", 'b', NULL, 0, "accept pseudo words, which no device takes", 0},
    {"json", 'j', NULL, 0, "one JSON document (schema trench.check/1)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'g':
        options->gen = strcmp(arg, "all") == 0 ? NULL : cli_gen(arg);
        if (!options->gen && strcmp(arg, "all") != 0)
            exit(CLI_USAGE);
        return 0;
    case 'e':
        options->engine = cli_engine(arg);
        if (options->engine < 0)
            exit(CLI_USAGE);
        return 0;
    case 'b':
        options->before_lowering = true;
        return 0;
    case 'j':
        options->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->input)
            exit(cli_usage_error("check takes one file; '%s' is a second one", arg));
        options->input = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        exit(cli_usage_error("check needs a file: raw 64-byte words, or text named *.tasm"));
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    argp_options,
    parse,
    "FILE",
    "Check 64-byte words (or a program in text) against every rule that needs only the word.\v"
    "Each line names the place, the generation, the rule and its provenance (O observed, P public, "
    "I inferred, C carried over, MC model choice). Warnings leave a word valid. A file name of - "
    "is "
    "standard input. Exit status: 0 valid on every generation asked for, 1 not, 2 bad input.",
    NULL,
    NULL,
    NULL};

static const char *name_of(const struct options *options)
{
    return strcmp(options->input, "-") == 0 ? "<stdin>" : options->input;
}

/* ---- violations -------------------------------------------------------------------------- */

/* One word of a stream, for a message. */
struct place {
    const struct trn_stream *stream;
    size_t index;
};

static size_t offset_of(const struct place *place)
{
    return place->index * TRN_INST_BYTES;
}

static const uint8_t *word_at(const struct place *place)
{
    return place->stream->words + offset_of(place);
}

static const char *opcode_name(const struct place *place)
{
    const char *name = trn_opcode_name(word_at(place)[0]);
    return name ? name : "unknown opcode";
}

static void print_violation(const struct options *options, const struct verdict *verdict,
                            const struct place *place, const struct trn_violation *v)
{
    const struct trn_stream *stream = place->stream;
    if (stream->lines)
        printf("%s:%u: ", name_of(options), stream->lines[place->index]);
    else
        printf("%s:word %zu (0x%zx): ", name_of(options), place->index, offset_of(place));
    printf("%s%s%s: 0x%02x %s: %s%s: ", verdict->gen->name,
           stream->engine == TRN_ENGINE_ANY ? "" : " ",
           stream->engine == TRN_ENGINE_ANY ? "" : trn_engine_name(stream->engine),
           word_at(place)[0], opcode_name(place), v->warning ? "warning " : "", v->rule);
    const char *message = v->message;
    if (v->warning && strncmp(message, "warning: ", 9) == 0)
        message += 9;
    printf("%s%s%s [%s]\n", message, *v->detail ? "; " : "", v->detail, v->provenance);
}

static json_t *violation_to_json(const struct place *place, const struct trn_violation *v)
{
    const struct trn_stream *stream = place->stream;
    const char *name = trn_opcode_name(word_at(place)[0]);
    char opcode[8];
    snprintf(opcode, sizeof opcode, "0x%02x", word_at(place)[0]);
    json_t *object = json_object();
    json_object_set_new(object, "index", json_integer((json_int_t)place->index));
    json_object_set_new(object, "offset", json_integer((json_int_t)offset_of(place)));
    if (stream->engine != TRN_ENGINE_ANY)
        json_object_set_new(object, "engine", json_string(trn_engine_name(stream->engine)));
    if (stream->lines)
        json_object_set_new(object, "line", json_integer(stream->lines[place->index]));
    json_object_set_new(object, "opcode", json_string(opcode));
    json_object_set_new(object, "name", name ? json_string(name) : json_null());
    json_object_set_new(object, "rule", json_string(v->rule));
    json_object_set_new(object, "field", v->field ? json_string(v->field) : json_null());
    json_object_set_new(object, "message", json_string(v->message));
    json_object_set_new(object, "detail", json_string(v->detail));
    json_object_set_new(object, "provenance", json_string(v->provenance));
    return object;
}

static void report(const struct options *options, struct verdict *verdict,
                   const struct place *place, const struct trn_violation *v)
{
    *(v->warning ? &verdict->warnings : &verdict->violations) += 1;
    if (options->json)
        json_array_append_new(v->warning ? verdict->warning_list : verdict->violation_list,
                              violation_to_json(place, v));
    else
        print_violation(options, verdict, place, v);
}

static void check_stream(const struct options *options, struct verdict *verdict,
                         const struct trn_stream *stream)
{
    struct trn_check_options check = {.engine = stream->engine,
                                      .before_lowering = options->before_lowering};
    for (size_t i = 0; i < stream->num_words; i++) {
        const struct place place = {stream, i};
        struct trn_violation found[MAX_VIOLATIONS];
        size_t count = 0;
        check.next_word = i + 1 < stream->num_words ? word_at(&place) + TRN_INST_BYTES : NULL;
        if (trn_check_word(verdict->gen, word_at(&place), &check, found, MAX_VIOLATIONS, &count) !=
            TRN_OK)
            verdict->bad_words++;
        for (size_t k = 0; k < count && k < MAX_VIOLATIONS; k++)
            report(options, verdict, &place, &found[k]);
    }
    verdict->words += stream->num_words;
}

/* ---- the two kinds of file ------------------------------------------------------------------ */

static void check_raw(const struct options *options, struct verdict *verdict, uint8_t *data,
                      size_t size)
{
    const struct trn_stream stream = {
        .engine = options->engine, .words = data, .num_words = size / TRN_INST_BYTES};
    verdict->assembled = true;
    check_stream(options, verdict, &stream);
}

static void print_diag(void *context, const struct trn_diag *diag)
{
    (void)context;
    cli_print_diag(diag);
}

/* Assemble for the generation and check what comes out. *gens: what .gen lists, once known. */
static void check_text(const struct options *options, struct verdict *verdict, const char *text,
                       size_t size, uint8_t *gens)
{
    const struct trn_asm_options asm_options = {
        .file = name_of(options),
        .gen = verdict->gen,
        .engine = options->engine,
        .engine_optional = true,
    };
    struct trn_program program;
    if (trn_asm(text, size, &asm_options, &program, options->gen ? print_diag : NULL, NULL,
                &verdict->error) != TRN_OK)
        return;
    verdict->assembled = true;
    *gens = program.gens;
    for (size_t i = 0; i < program.num_streams; i++)
        if (options->engine == TRN_ENGINE_ANY || program.streams[i].engine == options->engine)
            check_stream(options, verdict, &program.streams[i]);
    trn_program_free(&program);
}

static bool is_text(const char *path, const uint8_t *data, size_t size)
{
    const size_t length = strlen(path);
    if (strcmp(path, "-") == 0)
        return size != 0 && !memchr(data, 0, size);
    return length >= 5 && strcmp(path + length - 5, ".tasm") == 0;
}

/* ---- the result ----------------------------------------------------------------------------- */

static bool is_valid(const struct verdict *verdict)
{
    return verdict->assembled && verdict->bad_words == 0;
}

static void print_summary(const struct options *options, const struct verdict *verdict)
{
    if (!verdict->assembled) {
        printf("%s: %s: does not assemble: %s\n", verdict->error.where, verdict->gen->name,
               verdict->error.message);
        return;
    }
    printf("%s: %s: ", name_of(options), verdict->gen->name);
    if (verdict->bad_words)
        printf("%zu of %zu words not valid, %zu violation%s", verdict->bad_words, verdict->words,
               verdict->violations, verdict->violations == 1 ? "" : "s");
    else
        printf("%zu word%s valid", verdict->words, verdict->words == 1 ? "" : "s");
    if (verdict->warnings)
        printf(", %zu warning%s", verdict->warnings, verdict->warnings == 1 ? "" : "s");
    printf("\n");
}

static json_t *verdict_to_json(const struct verdict *verdict)
{
    json_t *object = json_object();
    json_object_set_new(object, "gen", json_string(verdict->gen->name));
    json_object_set_new(object, "valid", json_boolean(is_valid(verdict)));
    json_object_set_new(object, "violations", verdict->violation_list);
    json_object_set_new(object, "warnings", verdict->warning_list);
    if (!verdict->assembled)
        json_object_set_new(object, "error",
                            json_pack("{s:s,s:s}", "where", verdict->error.where, "message",
                                      verdict->error.message));
    return object;
}

static void print_document(const struct options *options, const struct verdict *verdicts,
                           size_t count)
{
    json_t *document = json_object(), *results = json_array();
    size_t words = 0;
    for (size_t i = 0; i < count; i++) {
        words = verdicts[i].words > words ? verdicts[i].words : words;
        json_array_append_new(results, verdict_to_json(&verdicts[i]));
    }
    json_object_set_new(document, "schema", json_string("trench.check/1"));
    json_object_set_new(document, "file", json_string(name_of(options)));
    json_object_set_new(document, "words", json_integer((json_int_t)words));
    json_object_set_new(document, "results", results);
    cli_print_json(document);
}

/* Of a verdict that is not reported; NULL lists are fine. */
static void drop_lists(struct verdict *verdict)
{
    json_decref(verdict->violation_list);
    json_decref(verdict->warning_list);
}

/* Check on each generation asked for; of a text only on those that it lists. */
static int check_file(const struct options *options, uint8_t *data, size_t size)
{
    const bool text = is_text(options->input, data, size);
    struct verdict verdicts[TRN_GEN_COUNT];
    size_t count = 0, assembled = 0;
    uint8_t gens = 0; /* 0: not known yet */
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        const struct trn_gen *gen = trn_gen_at(g);
        if (options->gen && gen != options->gen)
            continue;
        verdicts[count] = (struct verdict){.gen = gen};
        if (options->json) {
            verdicts[count].violation_list = json_array();
            verdicts[count].warning_list = json_array();
        }
        if (text)
            check_text(options, &verdicts[count], (const char *)data, size, &gens);
        else
            check_raw(options, &verdicts[count], data, size);
        assembled += verdicts[count++].assembled;
    }
    if (assembled == 0) {
        if (!options->gen) /* with --gen every error has been printed */
            cli_print_diag(&verdicts[0].error);
        for (size_t i = 0; i < count; i++)
            drop_lists(&verdicts[i]);
        return CLI_USAGE;
    }
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (verdicts[i].assembled || options->gen || gens >> i & 1)
            verdicts[kept++] = verdicts[i];
        else
            drop_lists(&verdicts[i]);
    }
    bool valid = true;
    for (size_t i = 0; i < kept; i++) {
        valid = valid && is_valid(&verdicts[i]);
        if (!options->json)
            print_summary(options, &verdicts[i]);
    }
    if (options->json)
        print_document(options, verdicts, kept);
    return valid ? CLI_OK : CLI_DOES_NOT_HOLD;
}

int cmd_check(int argc, char **argv)
{
    struct options options = {.engine = TRN_ENGINE_ANY};
    const int parsed = cli_parse(&argp, argc, argv, &options);
    if (parsed)
        return parsed < 0 ? CLI_OK : parsed;
    uint8_t *data;
    size_t size;
    struct trn_diag diag;
    if (cli_read_file(options.input, MAX_FILE, &data, &size, &diag) != TRN_OK) {
        cli_print_diag(&diag);
        return CLI_USAGE;
    }
    int status;
    if (!is_text(options.input, data, size) && size % TRN_INST_BYTES) {
        trn_diag_set(&diag, TRN_ERR_FORMAT, name_of(&options), NULL, NULL,
                     "%zu bytes are not whole 64-byte words; the last one ends at byte %zu", size,
                     size / TRN_INST_BYTES * TRN_INST_BYTES);
        cli_print_diag(&diag);
        status = CLI_USAGE;
    } else {
        status = check_file(&options, data, size);
    }
    free(data);
    if (fflush(stdout) != 0 || ferror(stdout))
        return cli_usage_error("cannot write to standard output");
    return status;
}
