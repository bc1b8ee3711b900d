/* SPDX-License-Identifier: Apache-2.0 */
/* The document of trench check, written as the words are checked. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check.h"
#include "cli/cli.h"

/* ---- values -------------------------------------------------------------------------------- */

/* The text of every row is plain ASCII; whatever is not goes through the library. */
static void put_string(const char *text)
{
    for (const char *c = text; *c; c++)
        if (*c < 0x20 || *c == '"' || *c == '\\' || *c == 0x7F) {
            json_t *string = json_string(text);
            json_dumpf(string, stdout, JSON_COMPACT | JSON_ENCODE_ANY);
            json_decref(string);
            return;
        }
    putchar_unlocked('"');
    fputs_unlocked(text, stdout);
    putchar_unlocked('"');
}

static void put_member(const char *name, const char *text)
{
    fprintf(stdout, ",\"%s\":", name);
    if (text)
        put_string(text);
    else
        fputs_unlocked("null", stdout);
}

/* An object that more members follow: without its closing brace. */
static void put_open_object(json_t *object)
{
    char *text = json_dumps(object, JSON_COMPACT);
    if (text)
        fwrite(text, 1, strlen(text) - 1, stdout);
    free(text);
    json_decref(object);
}

/* ---- one list ------------------------------------------------------------------------------ */

struct list {
    bool warnings; /* which of the two it takes */
    size_t count;
};

static void put_violation(void *context, const struct check_place *place,
                          const struct trn_violation *v)
{
    struct list *list = context;
    const struct trn_stream *stream = place->stream;
    const uint8_t opcode = check_word(place)[0];
    if (v->warning != list->warnings)
        return;
    fprintf(stdout, "%s{\"index\":%zu,\"offset\":%zu", list->count++ ? "," : "", place->index,
            check_offset(place));
    if (stream->engine != TRN_ENGINE_ANY)
        put_member("engine", trn_engine_name(stream->engine));
    if (stream->lines)
        fprintf(stdout, ",\"line\":%" PRIu32, stream->lines[place->index]);
    fprintf(stdout, ",\"opcode\":\"0x%02x\"", opcode);
    put_member("name", trn_opcode_name(opcode));
    put_member("rule", v->rule);
    put_member("field", v->field);
    put_member("message", v->message);
    put_member("detail", v->detail);
    put_member("provenance", v->provenance);
    putchar_unlocked('}');
}

/* ---- the document -------------------------------------------------------------------------- */

static void put_list(const struct check_options *options, struct check_verdict *verdict,
                     struct cli_progress *progress, struct list *list)
{
    verdict->words = verdict->bad_words = verdict->violations = verdict->warnings = 0;
    check_scan(options, verdict, progress, put_violation, list);
}

static void put_verdict(const struct check_options *options, struct check_verdict *verdict,
                        struct cli_progress *progress)
{
    struct list violations = {false, 0}, warnings = {true, 0};
    put_open_object(
        json_pack("{s:s,s:b}", "gen", verdict->gen->name, "valid", check_is_valid(verdict)));
    fputs(",\"violations\":[", stdout);
    put_list(options, verdict, progress, &violations);
    fputs("],\"warnings\":[", stdout);
    if (verdict->warnings) /* counted on the way */
        put_list(options, verdict, progress, &warnings);
    putchar(']');
    json_t *error = verdict->assembled ? NULL
                                       : json_pack("{s:s,s:s}", "where", verdict->error.where,
                                                   "message", verdict->error.message);
    if (error) {
        fputs(",\"error\":", stdout);
        json_dumpf(error, stdout, JSON_COMPACT);
        json_decref(error);
    }
    putchar('}');
}

void check_print_document(const struct check_options *options, struct check_verdict *verdicts,
                          size_t count, struct cli_progress *progress)
{
    size_t words = 0;
    for (size_t i = 0; i < count; i++)
        words = verdicts[i].words > words ? verdicts[i].words : words;
    json_t *document = json_object();
    json_object_set_new(document, "schema", json_string("trench.check/1"));
    json_object_set_new(document, "file", json_string(check_file_name(options)));
    json_object_set_new(document, "words", json_integer((json_int_t)words));
    put_open_object(document);
    fputs(",\"results\":[", stdout);
    for (size_t i = 0; i < count; i++) {
        if (i)
            putchar(',');
        put_verdict(options, &verdicts[i], progress);
    }
    fputs("]}\n", stdout);
}
