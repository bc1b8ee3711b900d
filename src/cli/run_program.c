/* SPDX-License-Identifier: Apache-2.0 */
/* Queues of words: raw files, text files, streams of one text. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/run.h"

enum { MAX_FILE = 1 << 30, QUEUE_SPACING = 0x1000000 };

bool run_number(const char *text, uint64_t max, uint64_t *out)
{
    char *end = NULL;
    if (text[0] < '0' || text[0] > '9') /* no sign, no blank */
        return false;
    errno = 0;
    *out = strtoull(text, &end, 0);
    return *end == '\0' && errno == 0 && *out <= max;
}

int run_engine_find(const char *name)
{
    for (int e = 0; e < TRN_ENGINES; e++)
        if (strcasecmp(name, trn_engine_name(e)) == 0)
            return e;
    return -1;
}

static int parse_engine(const char *name, int *engine)
{
    *engine = run_engine_find(name);
    if (*engine < 0)
        return cli_usage_error("unknown engine '%s'; pe, act, pool, dve and sp exist", name);
    return 0;
}

int run_parse_queue(const char *text, struct run_source *source)
{
    char name[64];
    const char *equals = strchr(text, '=');
    const size_t length = equals ? (size_t)(equals - text) : 0;
    if (!equals || !equals[1] || length >= sizeof name)
        return cli_usage_error("--queue %s: ENGINE=FILE or ENGINE@ADDR=FILE is expected", text);
    memcpy(name, text, length);
    name[length] = '\0';
    *source = (struct run_source){.file = equals + 1};
    char *at = strchr(name, '@');
    if (at) {
        *at = '\0';
        source->placed = true;
        if (!run_number(at + 1, UINT64_MAX, &source->address) ||
            source->address % TRN_INST_BYTES != 0)
            return cli_usage_error("--queue %s: '%s' is no multiple of 64", text, at + 1);
    }
    return parse_engine(name, &source->engine);
}

/* ---- files --------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *suffix)
{
    const size_t n = strlen(text), m = strlen(suffix);
    return n >= m && strcmp(text + n - m, suffix) == 0;
}

/* By the name; else raw words have bytes that no text has. */
static bool looks_like_text(const struct run_source *source)
{
    if (ends_with(source->file, ".tasm"))
        return true;
    if (ends_with(source->file, ".bin"))
        return false;
    for (size_t i = 0; i < source->size; i++)
        if (source->bytes[i] < '\t' || source->bytes[i] == 0x7F)
            return false;
    return true;
}

int run_read_sources(struct run_options *options)
{
    for (size_t i = 0; i < options->num_sources; i++) {
        struct run_source *source = &options->sources[i];
        struct trn_diag diag;
        if (cli_read_file(source->file, MAX_FILE, &source->bytes, &source->size, &diag) != TRN_OK) {
            cli_print_diag(&diag);
            return CLI_USAGE;
        }
        source->is_text = looks_like_text(source);
        if (!source->is_text && source->engine == TRN_ENGINE_ANY)
            return cli_usage_error("%s is not text; raw words need --queue ENGINE=FILE",
                                   source->file);
        if (!source->is_text && (source->size == 0 || source->size % TRN_INST_BYTES != 0))
            return cli_usage_error("%s has %zu bytes; a queue of raw words is a multiple of 64, "
                                   "not empty",
                                   source->file, source->size);
    }
    return 0;
}

void run_free_sources(struct run_options *options)
{
    for (size_t i = 0; i < options->num_sources; i++)
        free(options->sources[i].bytes);
}

/* ---- words for a generation ------------------------------------------------------------------ */

static void print_diag(void *context, const struct trn_diag *diag)
{
    (void)context;
    cli_print_diag(diag);
}

static trn_status add_queue(struct run_program *program, const struct run_source *source,
                            struct run_queue queue, struct trn_diag *diag)
{
    if (run_queue_of(program, queue.engine))
        return trn_diag_set(diag, TRN_ERR_INVALID, source->file, NULL, NULL,
                            "%s already has a queue", trn_engine_name(queue.engine));
    if (queue.num_words == 0)
        return trn_diag_set(diag, TRN_ERR_INVALID, source->file, NULL, NULL, "%s has no words",
                            trn_engine_name(queue.engine));
    queue.file = source->file;
    queue.placed = source->placed;
    queue.address =
        source->placed ? source->address : (uint64_t)QUEUE_SPACING * ((unsigned)queue.engine + 1);
    program->queues[program->num_queues++] = queue;
    return TRN_OK;
}

static trn_status add_text(struct run_program *program, const struct run_source *source,
                           const struct trn_gen *gen, bool quiet, const struct trn_gen **chosen,
                           struct trn_diag *diag)
{
    struct trn_program *text = &program->texts[program->num_texts];
    const struct trn_asm_options options = {.file = strcmp(source->file, "-") == 0 ? "<stdin>"
                                                                                   : source->file,
                                            .gen = gen,
                                            .engine = source->engine};
    trn_status status = trn_asm((const char *)source->bytes, source->size, &options, text,
                                quiet ? NULL : print_diag, NULL, diag);
    if (status != TRN_OK) {
        if (!quiet && status != TRN_ERR_NO_MEMORY)
            diag->message[0] = '\0'; /* all of them are printed */
        return status;
    }
    program->num_texts++;
    program->gens &= text->gens;
    *chosen = text->gen;
    for (size_t i = 0; i < text->num_streams && status == TRN_OK; i++) {
        const struct trn_stream *stream = &text->streams[i];
        if (source->engine != TRN_ENGINE_ANY && stream->engine != source->engine)
            return trn_diag_set(diag, TRN_ERR_INVALID, source->file, NULL, NULL,
                                "the queue of %s has words for %s", trn_engine_name(source->engine),
                                trn_engine_name(stream->engine));
        status = add_queue(program, source,
                           (struct run_queue){.engine = stream->engine,
                                              .words = stream->words,
                                              .lines = stream->lines,
                                              .num_words = stream->num_words},
                           diag);
    }
    return status;
}

static trn_status check_places(const struct run_program *program, struct trn_diag *diag)
{
    for (size_t i = 0; i < program->num_queues; i++)
        for (size_t j = 0; j < i; j++) {
            const struct run_queue *a = &program->queues[i], *b = &program->queues[j];
            if (a->address < b->address + b->num_words * TRN_INST_BYTES &&
                b->address < a->address + a->num_words * TRN_INST_BYTES)
                return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, "--queue ENGINE@ADDR=FILE",
                                    "the queues of %s and %s overlap in device memory",
                                    trn_engine_name(b->engine), trn_engine_name(a->engine));
        }
    return TRN_OK;
}

/* Whether the text says for which generations it is: `.gen` outside of a comment. */
static bool names_gen(const struct run_source *source)
{
    const char *at = (const char *)source->bytes, *end = at + source->size;
    bool comment = false, blank = true;
    for (; end - at >= 5; at++) {
        if (blank && !comment && strncasecmp(at, ".gen", 4) == 0 && (at[4] == ' ' || at[4] == '\t'))
            return true;
        comment = *at != '\n' && (comment || *at == ';');
        blank = strchr(" \t\r\n:", *at) && *at != '\0';
    }
    return false;
}

/* The generation when nobody names one. */
static const struct trn_gen *default_gen(const struct run_options *options, bool quiet)
{
    for (size_t i = 0; i < options->num_sources; i++)
        if (options->sources[i].is_text && names_gen(&options->sources[i]))
            return NULL;
    if (!quiet)
        fputs("trench: note: no --gen and no .gen; running on cayman\n", stderr);
    return trn_gen_find("cayman");
}

static trn_status add_source(const struct run_source *source, const struct trn_gen *gen, bool quiet,
                             struct run_program *out, const struct trn_gen **chosen,
                             struct trn_diag *diag)
{
    const struct run_queue raw = {.engine = source->engine,
                                  .words = source->bytes,
                                  .num_words = source->size / TRN_INST_BYTES};
    return source->is_text ? add_text(out, source, gen, quiet, chosen, diag)
                           : add_queue(out, source, raw, diag);
}

/* Texts that name a generation come first: the others are assembled for it. */
static trn_status make(const struct run_options *options, const struct trn_gen *gen, bool quiet,
                       struct run_program *out, const struct trn_gen **chosen,
                       struct trn_diag *diag)
{
    for (int naming = 1; naming >= 0; naming--)
        for (size_t i = 0; i < options->num_sources; i++) {
            const struct run_source *source = &options->sources[i];
            if ((source->is_text && names_gen(source)) != naming)
                continue;
            const trn_status status = add_source(source, gen, quiet, out, chosen, diag);
            if (status != TRN_OK)
                return status;
            gen = gen ? gen : *chosen;
        }
    if (out->num_queues == 0)
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, NULL, "there is no word to run");
    return check_places(out, diag);
}

trn_status run_program_make(const struct run_options *options, const struct trn_gen *gen,
                            bool quiet, struct run_program *out, const struct trn_gen **chosen,
                            struct trn_diag *diag)
{
    *out = (struct run_program){.gens = UINT8_MAX};
    gen = gen ? gen : default_gen(options, quiet);
    *chosen = gen;
    trn_diag_set(diag, TRN_OK, NULL, NULL, NULL, "%s", "");
    const trn_status status = make(options, gen, quiet, out, chosen, diag);
    if (status != TRN_OK)
        run_program_free(out);
    return status;
}

void run_program_free(struct run_program *program)
{
    for (size_t i = 0; i < program->num_texts; i++)
        trn_program_free(&program->texts[i]);
    *program = (struct run_program){.num_queues = 0};
}

const struct run_queue *run_queue_of(const struct run_program *program, int engine)
{
    for (size_t i = 0; i < program->num_queues; i++)
        if (program->queues[i].engine == engine)
            return &program->queues[i];
    return NULL;
}

/* ---- places ------------------------------------------------------------------------------------
 */

/* The queue, when the program counter has left its words. */
static const struct run_queue *left_queue(const struct run_program *program, int engine,
                                          uint64_t pc)
{
    const struct run_queue *queue = run_queue_of(program, engine);
    const bool inside =
        queue && pc >= queue->address && (pc - queue->address) / TRN_INST_BYTES < queue->num_words;
    return inside ? NULL : queue;
}

void run_fault_message(const struct run_program *program, const struct trn_fault_report *fault,
                       char *where, size_t where_size, char *message, size_t size)
{
    const struct run_queue *left = left_queue(program, fault->engine, fault->pc);
    uint64_t pc = fault->pc;
    if (left) /* the nearest word of it */
        pc = left->address + (pc < left->address ? 0 : (left->num_words - 1) * TRN_INST_BYTES);
    run_where(program, fault->engine, pc, where, where_size);
    if (!left)
        snprintf(message, size, "%s", fault->message);
    else if (fault->pc < left->address)
        snprintf(message, size, "went before the first word of %s: %s", left->file, fault->message);
    else
        snprintf(message, size, "ran past the last word of %s (halt missing?): %s", left->file,
                 fault->message);
}

void run_where(const struct run_program *program, int engine, uint64_t pc, char *out, size_t size)
{
    const struct run_queue *queue = run_queue_of(program, engine);
    out[0] = '\0';
    if (!queue || pc < queue->address)
        return;
    const uint64_t offset = pc - queue->address, index = offset / TRN_INST_BYTES;
    if (index >= queue->num_words)
        return;
    if (queue->lines)
        snprintf(out, size, "%s:%u", queue->file, queue->lines[index]);
    else
        snprintf(out, size, "%s+0x%llx", queue->file, (unsigned long long)offset);
}

void run_pc(const struct run_program *program, int engine, uint64_t pc, char *out, size_t size)
{
    const struct run_queue *queue = run_queue_of(program, engine);
    const uint64_t base = queue ? queue->address : 0;
    if (pc >= base)
        snprintf(out, size, "0x%llx", (unsigned long long)(pc - base));
    else
        snprintf(out, size, "-0x%llx", (unsigned long long)(base - pc));
}
