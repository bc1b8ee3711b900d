/* SPDX-License-Identifier: Apache-2.0 */
/* trench check: every validity rule, per generation, each violation with its rule's name. */
#include <stdlib.h>
#include <string.h>

#include "cli/check.h"
#include "cli/cli.h"

enum { MAX_FILE = 1 << 30, MAX_VIOLATIONS = 64 };

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
    struct check_options *options = state->input;
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

const char *check_file_name(const struct check_options *options)
{
    return strcmp(options->input, "-") == 0 ? "<stdin>" : options->input;
}

/* ---- violations -------------------------------------------------------------------------- */

static const char *opcode_name(const struct check_place *place)
{
    const char *name = trn_opcode_name(check_word(place)[0]);
    return name ? name : "unknown opcode";
}

/* Where violations are printed as text. */
struct printer {
    const struct check_options *options;
    const struct check_verdict *verdict;
    struct cli_progress *progress;
};

static void print_violation(void *context, const struct check_place *place,
                            const struct trn_violation *v)
{
    const struct printer *printer = context;
    const struct trn_stream *stream = place->stream;
    const char *file = check_file_name(printer->options);
    cli_progress_yield(printer->progress);
    if (stream->lines)
        printf("%s:%u: ", file, stream->lines[place->index]);
    else
        printf("%s:word %zu (0x%zx): ", file, place->index, check_offset(place));
    printf("%s%s%s: 0x%02x %s: %s%s: ", printer->verdict->gen->name,
           stream->engine == TRN_ENGINE_ANY ? "" : " ",
           stream->engine == TRN_ENGINE_ANY ? "" : trn_engine_name(stream->engine),
           check_word(place)[0], opcode_name(place), v->warning ? "warning " : "", v->rule);
    const char *message = v->message;
    if (v->warning && strncmp(message, "warning: ", 9) == 0)
        message += 9;
    printf("%s%s%s [%s]\n", message, *v->detail ? "; " : "", v->detail, v->provenance);
}

static void scan_word(struct check_verdict *verdict, const struct check_place *place,
                      const struct trn_check_options *check, check_visit visit, void *context)
{
    struct trn_violation found[MAX_VIOLATIONS];
    size_t count = 0;
    const trn_status status = trn_check_word(verdict->gen, check_word(place), check, found,
                                             visit ? MAX_VIOLATIONS : 0, visit ? &count : NULL);
    verdict->bad_words += status != TRN_OK;
    for (size_t k = 0; k < count && k < MAX_VIOLATIONS; k++) {
        *(found[k].warning ? &verdict->warnings : &verdict->violations) += 1;
        visit(context, place, &found[k]);
    }
}

void check_scan(const struct check_options *options, struct check_verdict *verdict,
                struct cli_progress *progress, check_visit visit, void *context)
{
    for (size_t s = 0; s < verdict->program.num_streams; s++) {
        const struct trn_stream *stream = &verdict->program.streams[s];
        struct trn_check_options check = {.engine = stream->engine,
                                          .before_lowering = options->before_lowering};
        if (options->engine != TRN_ENGINE_ANY && stream->engine != options->engine)
            continue;
        for (size_t i = 0; i < stream->num_words; i++) {
            const struct check_place place = {stream, i};
            const bool last = i + 1 == stream->num_words;
            check.next_word = last ? NULL : check_word(&place) + TRN_INST_BYTES;
            scan_word(verdict, &place, &check, visit, context);
            cli_progress(progress, 1);
        }
        verdict->words += stream->num_words;
    }
}

/* ---- the two kinds of file ------------------------------------------------------------------ */

static void read_raw(const struct check_options *options, struct check_verdict *verdict,
                     uint8_t *data, size_t size)
{
    verdict->program.streams[0] = (struct trn_stream){
        .engine = options->engine, .words = data, .num_words = size / TRN_INST_BYTES};
    verdict->program.num_streams = 1;
    verdict->assembled = true;
}

static void print_diag(void *context, const struct trn_diag *diag)
{
    (void)context;
    cli_print_diag(diag);
}

/* Assemble for the generation. *gens: what .gen lists. */
static void read_text(const struct check_options *options, struct check_verdict *verdict,
                      const char *text, size_t size, uint8_t *gens)
{
    const struct trn_asm_options asm_options = {
        .file = check_file_name(options),
        .gen = verdict->gen,
        .engine = options->engine,
        .engine_optional = true,
    };
    verdict->assembled = verdict->owned =
        trn_asm(text, size, &asm_options, &verdict->program, options->gen ? print_diag : NULL, NULL,
                &verdict->error) == TRN_OK;
    *gens = verdict->program.gens;
}

static bool is_text(const char *path, const uint8_t *data, size_t size)
{
    const size_t length = strlen(path);
    if (strcmp(path, "-") == 0)
        return size != 0 && !memchr(data, 0, size);
    return length >= 5 && strcmp(path + length - 5, ".tasm") == 0;
}

/* ---- the result ----------------------------------------------------------------------------- */

bool check_is_valid(const struct check_verdict *verdict)
{
    return verdict->assembled && verdict->bad_words == 0;
}

static void print_summary(const struct check_options *options, const struct check_verdict *verdict)
{
    if (!verdict->assembled) {
        printf("%s: %s: does not assemble: %s\n", verdict->error.where, verdict->gen->name,
               verdict->error.message);
        return;
    }
    printf("%s: %s: ", check_file_name(options), verdict->gen->name);
    if (verdict->bad_words)
        printf("%zu of %zu words not valid, %zu violation%s", verdict->bad_words, verdict->words,
               verdict->violations, verdict->violations == 1 ? "" : "s");
    else
        printf("%zu word%s valid", verdict->words, verdict->words == 1 ? "" : "s");
    if (verdict->warnings)
        printf(", %zu warning%s", verdict->warnings, verdict->warnings == 1 ? "" : "s");
    printf("\n");
}

/* Verdicts on each generation asked for; returns how many. *gens: what a text lists. */
static size_t read_verdicts(const struct check_options *options, uint8_t *data, size_t size,
                            struct check_verdict *verdicts, uint8_t *gens)
{
    const bool text = is_text(options->input, data, size);
    size_t count = 0;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        struct check_verdict *verdict = &verdicts[count];
        if (options->gen && trn_gen_at(g) != options->gen)
            continue;
        *verdict = (struct check_verdict){.gen = trn_gen_at(g)};
        if (text)
            read_text(options, verdict, (const char *)data, size, gens);
        else
            read_raw(options, verdict, data, size);
        count++;
    }
    return count;
}

/* Leave out generations that a text does not list; returns how many stay. */
static size_t keep_listed(const struct check_options *options, struct check_verdict *verdicts,
                          size_t count, uint8_t gens)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (verdicts[i].assembled || options->gen || gens >> i & 1)
            verdicts[kept++] = verdicts[i];
    return kept;
}

/* The bar counts each word once a generation, in a document once more for its list. */
static void start_progress(const struct check_options *options,
                           const struct check_verdict *verdicts, size_t count,
                           struct cli_progress *progress)
{
    uint64_t words = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t s = 0; s < verdicts[i].program.num_streams; s++)
            words += verdicts[i].program.streams[s].num_words;
    cli_progress_start(progress, "check", options->json ? 2 * words : words, false);
}

static int judge(const struct check_options *options, struct check_verdict *verdicts, size_t count,
                 struct cli_progress *progress)
{
    bool valid = true;
    for (size_t i = 0; i < count; i++) {
        struct printer printer = {options, &verdicts[i], progress};
        check_scan(options, &verdicts[i], progress, options->json ? NULL : print_violation,
                   &printer);
        valid = valid && check_is_valid(&verdicts[i]);
    }
    if (options->json)
        check_print_document(options, verdicts, count, progress);
    cli_progress_clear(progress);
    for (size_t i = 0; i < count && !options->json; i++)
        print_summary(options, &verdicts[i]);
    return valid ? CLI_OK : CLI_DOES_NOT_HOLD;
}

/* Check on each generation asked for; of a text only on those that it lists. */
static int check_file(const struct check_options *options, uint8_t *data, size_t size)
{
    struct check_verdict verdicts[TRN_GEN_COUNT];
    struct cli_progress progress;
    uint8_t gens = 0; /* words: 0 */
    const size_t count = read_verdicts(options, data, size, verdicts, &gens);
    size_t assembled = 0;
    for (size_t i = 0; i < count; i++)
        assembled += verdicts[i].assembled;
    if (assembled == 0) {
        if (!options->gen) /* with --gen every error has been printed */
            cli_print_diag(&verdicts[gens ? __builtin_ctz(gens) : 0].error);
        return CLI_USAGE;
    }
    const size_t kept = keep_listed(options, verdicts, count, gens);
    start_progress(options, verdicts, kept, &progress);
    const int status = judge(options, verdicts, kept, &progress);
    for (size_t i = 0; i < kept; i++)
        if (verdicts[i].owned)
            trn_program_free(&verdicts[i].program);
    return status;
}

int cmd_check(int argc, char **argv)
{
    struct check_options options = {.engine = TRN_ENGINE_ANY};
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
        trn_diag_set(&diag, TRN_ERR_FORMAT, check_file_name(&options), NULL, NULL,
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
