/* SPDX-License-Identifier: Apache-2.0 */
/* trench replay: play a recorded bus trace into the model and compare what it reads. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/replay.h"
#include "cli/run.h"
#include "trench/device.h"

enum { MAX_FILE = 1 << 30, OPT_BASE = 256, OPT_JSON };

struct options {
    const struct trn_gen *gen;
    const char *file;
    uint64_t base;
    bool json;
};

static const struct argp_option argp_options[] = {
    {"gen", 'g', "GEN", 0,
     "sunda, cayman, mariana, mariana_plus or maverick (default: what the "
     "file's comment says)",
     0},
    {"base", OPT_BASE, "ADDR", 0, "subtract this address of a BAR0 mapping from every offset", 0},
    {"json", OPT_JSON, NULL, 0, "one JSON document with every difference (schema trench.replay/1)",
     0},
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
    case OPT_BASE:
        if (!run_number(arg, UINT64_MAX, &options->base))
            exit(cli_usage_error("--base: '%s' is no address", arg));
        return 0;
    case OPT_JSON:
        options->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->file)
            exit(cli_usage_error("replay plays one file; '%s' is a second one", arg));
        options->file = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    argp_options,
    parse,
    "FILE",
    "Play a recorded trace of BAR0 into a model that comes out of reset, and report the first "
    "value "
    "that it reads differently.\v"
    "FILE (- is standard input) has one operation a line: R OFFSET VALUE, W OFFSET VALUE, or B "
    "OFFSET LENGTH SHA256 [FILE], in hexadecimal; a VALUE of ? or * is not compared, # begins a "
    "comment. A FILE is relative to the trace's own directory; a block without one is written when "
    "its hash is that of a default image. `trench bringup --record FILE` makes such a trace. Exit "
    "status: 0 no difference, 1 a difference, 2 usage or bad input.",
    NULL,
    NULL,
    NULL};

/* ---- reports ------------------------------------------------------------------------- */

static void print_text(const struct options *options, const char *name,
                       const struct replay_script *script, const struct replay_result *result)
{
    printf("%s: %zu operations, ", options->gen->name, script->count);
    if (result->num_differences == 0) {
        puts("no difference");
        return;
    }
    const struct replay_difference *first = &result->differences[0];
    printf("%zu %s; the first:\n  %s:%" PRIu32 ": offset 0x%" PRIx64 ": ", result->num_differences,
           result->num_differences == 1 ? "difference" : "differences", name, first->op->line,
           first->op->offset);
    if (first->refused)
        printf("the device refused the access: %s\n", trn_status_name(first->refused));
    else
        printf("wanted 0x%08" PRIx32 ", got 0x%08" PRIx32 "\n", first->op->value, first->got);
}

static json_t *difference_json(const struct replay_difference *difference)
{
    json_t *object = json_pack("{s:I}", "line", (json_int_t)difference->op->line);
    json_object_set_new(object, "offset", run_hex(difference->op->offset));
    if (difference->refused) {
        json_object_set_new(object, "refused", json_string(trn_status_name(difference->refused)));
        return object;
    }
    json_object_set_new(object, "wanted", run_hex(difference->op->value));
    json_object_set_new(object, "got", run_hex(difference->got));
    return object;
}

static void print_json(const struct options *options, const struct replay_script *script,
                       const struct replay_result *result)
{
    json_t *list = json_array();
    for (size_t i = 0; i < result->num_differences; i++)
        json_array_append_new(list, difference_json(&result->differences[i]));
    cli_print_json(json_pack("{s:s, s:s, s:I, s:I, s:I, s:o}", "schema", "trench.replay/1", "gen",
                             options->gen->name, "operations", (json_int_t)script->count, "played",
                             (json_int_t)result->played, "skipped_blocks",
                             (json_int_t)result->skipped_blocks, "differences", list));
}

static void note_skipped(const char *name, const struct replay_result *result)
{
    if (result->skipped_blocks)
        fprintf(stderr,
                "trench: %s:%" PRIu32 ": note: no FILE and not the hash of a default image; %zu "
                "such %s not written\n",
                name, result->first_skipped->line, result->skipped_blocks,
                result->skipped_blocks == 1 ? "block was" : "blocks were");
}

/* ---- the command --------------------------------------------------------------------- */

static int choose_gen(struct options *options, const struct replay_script *script)
{
    if (!options->gen && !script->gen)
        return cli_usage_error("--gen is missing, and the file does not say `# gen NAME`");
    if (!options->gen)
        options->gen = script->gen;
    if (script->gen && script->gen != options->gen)
        fprintf(stderr, "trench: note: recorded on %s, played on %s\n", script->gen->name,
                options->gen->name);
    return 0;
}

/* Directory of a path, "." without one. */
static void directory_of(const char *path, char *out, size_t size)
{
    const char *slash = strrchr(path, '/');
    const int length = slash ? (int)(slash - path) : 1;
    snprintf(out, size, "%.*s", length, slash ? path : ".");
}

static trn_status play(const struct options *options, const char *name,
                       const struct replay_script *script, struct replay_result *result,
                       struct trn_diag *diag)
{
    struct trn_device *device = NULL;
    char directory[4096];
    directory_of(options->file, directory, sizeof directory);
    trn_status status = trn_device_create(options->gen, NULL, &device, diag);
    if (status == TRN_OK)
        status = replay_play(script, name, directory, options->gen, trn_device_bar0(device), result,
                             diag);
    trn_device_destroy(device);
    return status;
}

static int replay(struct options *options, const char *text, size_t size)
{
    const char *name = strcmp(options->file, "-") == 0 ? "<stdin>" : options->file;
    struct replay_script script;
    struct replay_result result = {.differences = NULL};
    struct trn_diag diag = {.status = TRN_OK};
    int exit_status = CLI_USAGE;
    trn_status status = replay_parse(text, size, name, options->base, &script, &diag);
    if (status == TRN_OK && choose_gen(options, &script) == 0) {
        status = play(options, name, &script, &result, &diag);
        if (status == TRN_OK) {
            note_skipped(name, &result);
            if (options->json)
                print_json(options, &script, &result);
            else
                print_text(options, name, &script, &result);
            exit_status = result.num_differences ? CLI_DOES_NOT_HOLD : CLI_OK;
        }
    }
    if (status != TRN_OK)
        cli_print_diag(&diag);
    replay_result_free(&result);
    replay_free(&script);
    return exit_status;
}

int cmd_replay(int argc, char **argv)
{
    struct options options = {.gen = NULL};
    uint8_t *text = NULL;
    size_t size = 0;
    struct trn_diag diag;
    const int status = cli_parse(&argp, argc, argv, &options);
    if (status)
        return status;
    if (!options.file)
        return cli_usage_error("replay needs a FILE");
    if (cli_read_file(options.file, MAX_FILE, &text, &size, &diag) != TRN_OK) {
        cli_print_diag(&diag);
        return CLI_USAGE;
    }
    const int exit_status = replay(&options, (const char *)text, size);
    free(text);
    return exit_status;
}
