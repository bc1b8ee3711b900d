/* SPDX-License-Identifier: Apache-2.0 */
/* trench notify decode: 16-byte notification records as sentences, or as JSON lines. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/record_json.h"
#include "trench/drain.h"
#include "trench/notify.h"

enum { MAX_BYTES = 1 << 30 };

struct options {
    const char *action, *input;
    const struct trn_gen *gen;
    bool json, all, once;
};

enum { OPT_ALL = 256, OPT_ONCE };

static const struct argp_option argp_options[] = {
    {"gen", 'g', "GEN", 0, "what the numbers mean; needed", 0},
    {"json", 'j', NULL, 0, "one JSON object a record (schema trench.notify/1)", 0},
    {"all", OPT_ALL, NULL, 0, "also records of 16 zero bytes, which a ring has where none was yet",
     0},
    {"once", OPT_ONCE, NULL, 0,
     "each kind of record once, with how many there are: type, error, engine and source agree", 0},
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
    case 'j':
        options->json = true;
        return 0;
    case OPT_ALL:
        options->all = true;
        return 0;
    case OPT_ONCE:
        options->once = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->input)
            exit(cli_usage_error("notify decode takes one file; '%s' is a second one", arg));
        if (!options->action)
            options->action = arg;
        else
            options->input = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    argp_options,
    parse,
    "decode FILE",
    "Read a ring or a file of 16-byte notification records.\v"
    "Each record becomes a sentence: what happened, who did it, what the runtime reports. Numbers "
    "mean different things on different generations, so --gen is needed. A record of no known type "
    "is said to be one, and the exit status is 1. A file name of - is standard input.",
    NULL,
    NULL,
    NULL};

/* ---- one record --------------------------------------------------------------------------------
 */

static bool is_empty(const uint8_t raw[TRN_RECORD_BYTES])
{
    static const uint8_t zero[TRN_RECORD_BYTES];
    return memcmp(raw, zero, sizeof zero) == 0;
}

static void print_text(size_t index, const struct trn_record *record, const char *text)
{
    const char *const name = trn_record_name(record->type);
    printf("%6zu  phase %d  %20llu ps  %-19s  %s\n", index, record->phase,
           (unsigned long long)record->timestamp, name ? name : "?", text);
}

/* Whether the record is one that the sheets know. */
static bool print(const struct options *options, size_t index, const uint8_t *raw)
{
    struct trn_record record;
    char text[CLI_RECORD_TEXT_MAX];
    const bool known = cli_record_read(options->gen, raw, &record, text);
    if (options->json)
        cli_print_json(cli_record_json(options->gen, index, raw));
    else
        print_text(index, &record, text);
    return known;
}

/* ---- each kind once (F01) ----------------------------------------------------------------------
 */

static void print_kind(const struct options *options, const struct trn_collect_kind *kind)
{
    const char *const name = trn_record_name(kind->first.type);
    char text[TRN_RECORD_TEXT_MAX];
    trn_record_text(options->gen, &kind->first, text);
    if (!options->json) {
        printf("%8llu x  %-19s  %s\n", (unsigned long long)kind->count, name ? name : "?", text);
        return;
    }
    char first[20], last[20];
    snprintf(first, sizeof first, "0x%x", kind->first_pc);
    snprintf(last, sizeof last, "0x%x", kind->last_pc);
    const struct trn_record_host host = trn_record_host(&kind->first);
    cli_print_json(json_pack("{s:s, s:s?, s:I, s:s, s:s, s:i, s:s}", "schema", "trench.notify/1",
                             "type", name, "count", (json_int_t)kind->count, "first_pc", first,
                             "last_pc", last, "status", (int)host.status, "text", text));
}

static int print_kinds(const struct options *options, const struct trn_collect *kinds)
{
    for (size_t i = 0; i < kinds->num_kinds; i++)
        print_kind(options, &kinds->kinds[i]);
    if (kinds->others)
        fprintf(stderr, "trench: note: %llu record%s of further kinds\n",
                (unsigned long long)kinds->others, kinds->others == 1 ? " is" : "s are");
    if (kinds->unknown)
        fprintf(stderr, "trench: note: %llu record%s of no known type\n",
                (unsigned long long)kinds->unknown, kinds->unknown == 1 ? " is" : "s are");
    return kinds->unknown ? CLI_DOES_NOT_HOLD : CLI_OK;
}

/* ---- the file
 * ------------------------------------------------------------------------------------ */

static int decode(const struct options *options, const uint8_t *data, size_t size)
{
    if (size % TRN_RECORD_BYTES) {
        struct trn_diag diag;
        trn_diag_set(&diag, TRN_ERR_FORMAT, options->input, NULL, NULL,
                     "%zu bytes are not whole 16-byte records; the last one ends at byte %zu", size,
                     size / TRN_RECORD_BYTES * TRN_RECORD_BYTES);
        cli_print_diag(&diag);
        return CLI_USAGE;
    }
    size_t unknown = 0, empty = 0;
    struct trn_collect kinds = {.num_kinds = 0};
    for (size_t i = 0; i < size / TRN_RECORD_BYTES; i++) {
        const uint8_t *const raw = data + i * TRN_RECORD_BYTES;
        if (!options->all && is_empty(raw))
            empty++;
        else if (options->once)
            trn_collect_add(&kinds, raw);
        else
            unknown += !print(options, i, raw);
    }
    if (empty && !options->json)
        fprintf(stderr, "trench: note: %zu empty record%s left out\n", empty,
                empty == 1 ? "" : "s");
    if (options->once)
        return print_kinds(options, &kinds);
    return unknown ? CLI_DOES_NOT_HOLD : CLI_OK;
}

static int check(const struct options *options)
{
    if (!options->action)
        return cli_usage_error("notify needs an action: decode");
    if (strcmp(options->action, "decode") != 0)
        return cli_usage_error("notify has no action '%s'; decode is there", options->action);
    if (!options->input)
        return cli_usage_error("notify decode needs a file of 16-byte records");
    if (!options->gen)
        return cli_usage_error("notify decode needs --gen: records mean other things on another "
                               "generation");
    return CLI_OK;
}

int cmd_notify(int argc, char **argv)
{
    struct options options = {0};
    const int parsed = cli_parse(&argp, argc, argv, &options);
    if (parsed)
        return parsed < 0 ? CLI_OK : parsed;
    if (check(&options) != CLI_OK)
        return CLI_USAGE;
    uint8_t *data;
    size_t size;
    struct trn_diag diag;
    if (cli_read_file(options.input, MAX_BYTES, &data, &size, &diag) != TRN_OK) {
        cli_print_diag(&diag);
        return CLI_USAGE;
    }
    const int status = decode(&options, data, size);
    free(data);
    return status;
}
