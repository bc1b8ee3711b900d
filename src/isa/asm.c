/* SPDX-License-Identifier: Apache-2.0 */
/* A text of lines: directives, labels, instructions, operands, sync lines. */
#include "isa/asm.h"

#include <stdlib.h>

/* ---- directives -------------------------------------------------------------------- */

/* Next name of a directive's list; its length is 0 at the end. Commas and blanks separate. */
static const char *list_name(struct trn_asm *a, size_t *length)
{
    const char *name = trn_skip_spaces(a->at);
    while (*name == ',')
        name = trn_skip_spaces(name + 1);
    *length = (size_t)(trn_skip_name(name) - name);
    a->at = name + *length;
    return name;
}

static int generation_named(const char *name, size_t length)
{
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        if (trn_name_is(trn_gen_at(i)->name, name, length))
            return (int)i;
    return -1;
}

static void end_of_directive(struct trn_asm *a, const char *name, const char *expected)
{
    if (!trn_char_is(*a->at, TRN_CHAR_END))
        trn_asm_note(a, a->at, expected, "unexpected '%s' after %s", trn_asm_quote(a->at, 1).text,
                     name);
}

/* The generations that .gen lists, as a mask; 0 after an error. *first is the first of them. */
static uint8_t read_generations(struct trn_asm *a, unsigned *first)
{
    struct trn_asm_choices choices = {.list = "one of "};
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        trn_asm_add_choice(&choices, trn_gen_at(i)->name, true);
    uint8_t gens = 0;
    for (;;) {
        size_t length;
        const char *name = list_name(a, &length);
        if (length == 0)
            break;
        const int gen = generation_named(name, length);
        if (gen < 0) {
            trn_asm_note(a, name, trn_asm_suggest(&choices, name, length).text,
                         "unknown generation '%s'", trn_asm_quote(name, length).text);
            return 0;
        }
        if (gens == 0)
            *first = (unsigned)gen;
        gens = (uint8_t)trn_bits_set(gens, (unsigned)gen, 1, 1);
    }
    if (gens == 0)
        trn_asm_note(a, a->at, choices.list, ".gen needs the name of a generation");
    else
        end_of_directive(a, ".gen", NULL);
    return gens;
}

static void gen_directive(struct trn_asm *a, const char *start)
{
    unsigned first = 0;
    const uint8_t gens = read_generations(a, &first);
    if (gens == 0) {
        a->stop = a->gen == NULL;
        return;
    }
    if (a->gen_given || a->any_word) {
        trn_asm_note(a, start, NULL, "%s",
                     a->gen_given ? ".gen is given twice"
                                  : ".gen must stand before the first word");
        return;
    }
    a->gen_given = true;
    a->gens = gens;
    if (!a->gen)
        a->gen = trn_gen_at(first);
    a->isa = a->gen->isa;
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        a->stop |= trn_gen_at(i) == a->gen && !trn_bits_get(gens, i, 1);
    if (a->stop)
        trn_asm_note(a, start, NULL, "the text is not for %s", a->gen->name);
}

static void engine_directive(struct trn_asm *a)
{
    struct trn_asm_choices choices = {.list = "one of "};
    size_t length;
    const char *name = list_name(a, &length);
    for (int i = 0; i < TRN_ASM_NO_ENGINE; i++) {
        trn_asm_add_choice(&choices, trn_engine_name(i), true);
        if (length && trn_name_is(trn_engine_name(i), name, length)) {
            a->stream = i;
            a->at = trn_skip_spaces(a->at);
            end_of_directive(a, ".engine", "one engine a section");
            return;
        }
    }
    trn_asm_note(a, name, trn_asm_suggest(&choices, name, length).text, "unknown engine '%s'",
                 trn_asm_quote(name, length).text);
}

/* Everything but .gen and .engine needs to know the generation. */
static bool have_generation(struct trn_asm *a)
{
    if (a->gen)
        return true;
    a->stop = true;
    return trn_asm_error(a, a->at, "write .gen before it, or name one",
                         "the text does not say for which generation it is");
}

/* An instruction that its header switches off is written only behind this (tensor-scalar-multi.md
 * 1.1). */
static void disabled_directive(struct trn_asm *a)
{
    a->at = trn_skip_spaces(a->at);
    const size_t length = (size_t)(trn_skip_name(a->at) - a->at);
    if (length)
        trn_asm_instruction(a, length, true);
    else
        trn_asm_note(a, a->at, NULL, ".disabled needs the instruction that it allows");
}

static void unknown_directive(struct trn_asm *a, const char *start, size_t length)
{
    struct trn_asm_choices choices = {.list = "one of "};
    trn_asm_add_choice(&choices, ".gen", true);
    trn_asm_add_choice(&choices, ".engine", true);
    trn_asm_add_choice(&choices, ".word", true);
    trn_asm_add_choice(&choices, ".disabled", true);
    trn_asm_note(a, start, trn_asm_suggest(&choices, start, length).text, "unknown directive '%s'",
                 trn_asm_quote(start, length).text);
}

static void directive(struct trn_asm *a)
{
    const char *start = a->at;
    const char *end = trn_skip_name(start + 1);
    const size_t length = (size_t)(end - start);
    a->at = end;
    trn_asm_close_word(a);
    if (trn_name_is(".gen", start, length)) {
        gen_directive(a, start);
    } else if (trn_name_is(".engine", start, length)) {
        engine_directive(a);
    } else if (trn_name_is(".word", start, length)) {
        if (have_generation(a))
            trn_asm_raw_word(a);
    } else if (trn_name_is(".disabled", start, length)) {
        if (have_generation(a))
            disabled_directive(a);
    } else {
        unknown_directive(a, start, length);
    }
}

/* ---- lines ------------------------------------------------------------------------- */

static void operand_line(struct trn_asm *a)
{
    if (!a->word.open)
        trn_asm_note(a, a->at, NULL, "fields belong to the word above them, and there is none");
    else
        trn_asm_operands(a);
}

static void parse_line(struct trn_asm *a)
{
    a->at = trn_skip_spaces(a->at);
    const char *end = trn_skip_name(a->at);
    while (*end == ':' && end != a->at) {
        trn_asm_define_label(a, (size_t)(end - a->at));
        a->at = trn_skip_spaces(end + 1);
        end = trn_skip_name(a->at);
    }
    if (trn_char_is(*a->at, TRN_CHAR_END))
        return;
    if (*a->at == '.') {
        directive(a);
        return;
    }
    if (end == a->at) {
        trn_asm_note(a, a->at, "a label, an instruction or a directive", "unexpected '%s'",
                     trn_asm_quote(a->at, 1).text);
        return;
    }
    if (*end == '=') {
        operand_line(a);
        return;
    }
    bool is_sync;
    const size_t length = (size_t)(end - a->at);
    trn_asm_sync_line(a, length, &is_sync);
    if (!is_sync && have_generation(a))
        trn_asm_instruction(a, length, false);
}

static bool find_nul(struct trn_asm *a, const char *line, size_t length)
{
    const char *nul = memchr(line, '\0', length);
    return nul && !trn_asm_error(a, nul, NULL, "a NUL byte is not text");
}

/* Whole lines; the last one ends in a newline and TRN_ASM_MARGIN readable bytes follow it. */
static void parse_lines(struct trn_asm *a, const char *text, size_t size)
{
    const char *end = text + size;
    for (const char *line = text; line < end && !trn_asm_full(a) && !a->stop;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        const size_t length = (size_t)(newline - line);
        a->line = a->at = line;
        a->line_number++;
        if (length > TRN_ASM_MAX_LINE)
            trn_asm_note(a, line + TRN_ASM_MAX_LINE, NULL, "the line is longer than %d bytes",
                         TRN_ASM_MAX_LINE);
        else if (!find_nul(a, line, length))
            parse_line(a);
        line = newline + 1;
    }
}

/* A text need not end in a newline, and nothing is readable behind it: its end is parsed from a
 * copy, which *tail owns until the labels in it have been resolved. */
static void parse_text(struct trn_asm *a, const char *text, size_t size, char **tail)
{
    const char *last = size > TRN_ASM_MARGIN ? memrchr(text, '\n', size - TRN_ASM_MARGIN) : NULL;
    const size_t head_size = last ? (size_t)(last - text) + 1 : 0, tail_size = size - head_size;
    *tail = calloc(tail_size + 1 + TRN_ASM_MARGIN, 1);
    if (!*tail) {
        a->no_memory = true;
        return;
    }
    if (tail_size)
        memcpy(*tail, text + head_size, tail_size);
    (*tail)[tail_size] = '\n';
    parse_lines(a, text, head_size);
    parse_lines(a, *tail, tail_size + 1);
    trn_asm_close_word(a);
    if (!trn_asm_full(a) && !a->stop && have_generation(a))
        trn_asm_resolve(a);
}

/* ---- the program ------------------------------------------------------------------- */

void trn_program_free(struct trn_program *program)
{
    if (!program)
        return;
    for (size_t i = 0; i < program->num_streams; i++) {
        free(program->streams[i].words);
        free(program->streams[i].lines);
    }
    *program = (struct trn_program){0};
}

static int compare_errors(const void *x, const void *y)
{
    const struct trn_asm_error *a = x, *b = y;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return (a->column > b->column) - (a->column < b->column);
}

static trn_status report(struct trn_asm *a, trn_diag_sink sink, void *context,
                         struct trn_diag *diag)
{
    if (a->num_errors == 0)
        return trn_diag_set(diag, TRN_ERR_NO_MEMORY, a->file, NULL, NULL, "out of memory");
    qsort(a->errors, a->num_errors, sizeof *a->errors, compare_errors);
    for (size_t i = 0; sink && i < a->num_errors; i++)
        sink(context, &a->errors[i].diag);
    if (diag)
        *diag = a->errors[0].diag;
    return TRN_ERR_INVALID;
}

/* The streams that have words, in engine order; they pass into the program's hands. */
static void hand_over(struct trn_asm *a, struct trn_program *out)
{
    *out = (struct trn_program){.gen = a->gen, .gens = a->gens};
    for (int i = 0; i < TRN_ASM_STREAMS; i++) {
        struct trn_asm_stream *stream = &a->streams[i];
        if (stream->num_words == 0)
            continue;
        out->streams[out->num_streams++] = (struct trn_stream){
            .engine = i == TRN_ASM_NO_ENGINE ? TRN_ENGINE_ANY : i,
            .words = stream->words,
            .lines = stream->lines,
            .num_words = stream->num_words,
        };
        *stream = (struct trn_asm_stream){0};
    }
}

static void free_parts(struct trn_asm *a)
{
    for (int i = 0; i < TRN_ASM_STREAMS; i++) {
        free(a->streams[i].words);
        free(a->streams[i].lines);
    }
    free(a->labels.items);
    free(a->references.items);
    free(a->errors);
}

/* A text with words before its first .engine cannot name engines later. */
static void check_streams(struct trn_asm *a)
{
    if (!a->streams[TRN_ASM_NO_ENGINE].num_words || !a->engine_optional)
        return;
    for (int i = 0; i < TRN_ASM_NO_ENGINE; i++)
        if (a->streams[i].num_words) {
            trn_asm_note_at(a, a->streams[TRN_ASM_NO_ENGINE].lines[0], 1,
                            "write .engine before the first word",
                            "some words have an engine and this one has none");
            return;
        }
}

trn_status trn_asm(const char *text, size_t size, const struct trn_asm_options *options,
                   struct trn_program *out, trn_diag_sink sink, void *context,
                   struct trn_diag *diag)
{
    static const struct trn_asm_options defaults = {.engine = TRN_ENGINE_ANY};
    const struct trn_asm_options *o = options ? options : &defaults;
    *out = (struct trn_program){0};
    if (o->engine != TRN_ENGINE_ANY && !trn_engine_name(o->engine))
        return trn_diag_set(diag, TRN_ERR_INVALID, o->file, NULL, "0..4, or TRN_ENGINE_ANY",
                            "engine %d does not exist", o->engine);
    struct trn_asm a = {
        .file = o->file ? o->file : "<text>",
        .gen = o->gen,
        .isa = o->gen ? o->gen->isa : 0,
        .gens = (1 << TRN_GEN_COUNT) - 1,
        .engine_optional = o->engine_optional,
        .stream = o->engine == TRN_ENGINE_ANY ? TRN_ASM_NO_ENGINE : o->engine,
    };
    char *tail = NULL;
    parse_text(&a, text, size, &tail);
    check_streams(&a);
    trn_status status = TRN_OK;
    if (a.num_errors || a.no_memory) {
        out->gens = a.gens;
        status = report(&a, sink, context, diag);
    } else {
        hand_over(&a, out);
    }
    free_parts(&a);
    free(tail);
    return status;
}
