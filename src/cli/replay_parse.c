/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/replay.h"

/* One line, eaten from the left. */
struct line {
    const char *at, *end;
    const char *name;
    uint32_t number;
    struct trn_diag *diag;
};

/* A word of a line; empty at its end. */
struct word {
    const char *at;
    size_t length;
};

static trn_status bad(const struct line *line, const char *expected, const char *what,
                      struct word word)
{
    char where[192];
    snprintf(where, sizeof where, "%.160s:%u", line->name, line->number);
    char shown[41];
    const size_t length = word.length < sizeof shown ? word.length : sizeof shown - 1;
    for (size_t i = 0; i < length; i++) /* a trace may hold anything */
        shown[i] = word.at[i] >= ' ' && word.at[i] <= '~' ? word.at[i] : '?';
    shown[length] = '\0';
    return trn_diag_set(line->diag, TRN_ERR_FORMAT, where, NULL, expected, "%s '%s'", what, shown);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_comment(char c)
{
    return c == '#' || c == ';';
}

static struct word next_word(struct line *line)
{
    while (line->at < line->end && is_blank(*line->at))
        line->at++;
    struct word word = {.at = line->at};
    if (line->at < line->end && is_comment(*line->at))
        return word;
    while (line->at < line->end && !is_blank(*line->at))
        line->at++;
    word.length = (size_t)(line->at - word.at);
    return word;
}

static bool is_text(struct word word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.at, text, word.length) == 0;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool hex_number(struct word word, uint64_t max, uint64_t *out)
{
    uint64_t value = 0;
    if (word.length > 2 && word.at[0] == '0' && (word.at[1] == 'x' || word.at[1] == 'X')) {
        word.at += 2;
        word.length -= 2;
    }
    for (size_t i = 0; i < word.length; i++) {
        const int digit = hex_digit(word.at[i]);
        if (digit < 0 || value > UINT64_MAX / 16)
            return false;
        value = value * 16 + (unsigned)digit;
    }
    *out = value;
    return word.length > 0 && value <= max;
}

static trn_status take_offset(struct line *line, uint64_t base, struct replay_op *op)
{
    const struct word word = next_word(line);
    if (!hex_number(word, UINT64_MAX, &op->offset))
        return bad(line, "a hexadecimal BAR0 offset", "no offset:", word);
    if (op->offset < base)
        return bad(line, "--base is subtracted from every offset", "lies below --base:", word);
    op->offset -= base;
    if (op->kind != REPLAY_BLOCK && op->offset % sizeof(uint32_t) != 0)
        return bad(line, "registers lie at multiples of 4", "not aligned:", word);
    return TRN_OK;
}

static bool is_wildcard(struct word word)
{
    return is_text(word, "?") || is_text(word, "*");
}

static trn_status take_value(struct line *line, struct replay_op *op)
{
    const struct word word = next_word(line);
    uint64_t value = 0;
    op->any = op->kind == REPLAY_READ && is_wildcard(word);
    if (!op->any && !hex_number(word, UINT32_MAX, &value))
        return bad(line,
                   op->kind == REPLAY_READ ? "32 bits in hexadecimal, ? or *"
                                           : "32 bits in hexadecimal",
                   "no value:", word);
    op->value = (uint32_t)value;
    return TRN_OK;
}

static bool hash_digits(struct word word, uint8_t sha256[SHA256_BYTES])
{
    for (size_t i = 0; i < SHA256_BYTES; i++) {
        uint64_t byte = 0;
        if (hex_digit(word.at[2 * i]) < 0 ||
            !hex_number((struct word){word.at + 2 * i, 2}, UINT8_MAX, &byte))
            return false;
        sha256[i] = (uint8_t)byte;
    }
    return true;
}

static trn_status take_hash(struct line *line, struct replay_op *op)
{
    const struct word word = next_word(line);
    op->any = is_text(word, "-") || is_wildcard(word);
    if (op->any || (word.length == SHA256_TEXT - 1 && hash_digits(word, op->sha256)))
        return TRN_OK;
    return bad(line, "a SHA-256 of 64 digits, or -", "no hash:", word);
}

static trn_status take_length(struct line *line, struct replay_op *op)
{
    const struct word word = next_word(line);
    if (!hex_number(word, REPLAY_MAX_BLOCK, &op->length) || op->length == 0)
        return bad(line, "1 to 10000000 bytes in hexadecimal", "no length:", word);
    if (op->offset > UINT64_MAX - op->length)
        return bad(line, "offset + length inside 64 bits", "too long:", word);
    return TRN_OK;
}

/* The rest of the line, blanks and all. */
static void take_file(struct line *line, struct replay_op *op)
{
    while (line->at < line->end && is_blank(*line->at))
        line->at++;
    while (line->end > line->at && is_blank(line->end[-1]))
        line->end--;
    op->file_length = (size_t)(line->end - line->at);
    op->file = op->file_length ? line->at : NULL;
    line->at = line->end;
}

static trn_status take_operands(struct line *line, uint64_t base, struct replay_op *op)
{
    trn_status status = take_offset(line, base, op);
    if (op->kind != REPLAY_BLOCK)
        return status != TRN_OK ? status : take_value(line, op);
    if (status == TRN_OK)
        status = take_length(line, op);
    if (status == TRN_OK)
        status = take_hash(line, op);
    if (status == TRN_OK)
        take_file(line, op);
    return status;
}

static bool kind_of(struct word word, enum replay_kind *kind)
{
    static const char letters[] = {[REPLAY_READ] = 'r', [REPLAY_WRITE] = 'w', [REPLAY_BLOCK] = 'b'};
    for (size_t k = 0; word.length == 1 && k < sizeof letters; k++)
        if ((word.at[0] | 0x20) == letters[k]) {
            *kind = (enum replay_kind)k;
            return true;
        }
    return false;
}

static trn_status add_op(struct replay_script *script, const struct line *line,
                         const struct replay_op *op)
{
    if (script->count == script->capacity) {
        const size_t wanted = script->capacity ? 2 * script->capacity : 256;
        struct replay_op *grown = realloc(script->ops, wanted * sizeof *grown);
        if (!grown)
            return trn_diag_set(line->diag, TRN_ERR_NO_MEMORY, line->name, NULL, NULL,
                                "out of memory");
        script->ops = grown;
        script->capacity = wanted;
    }
    script->ops[script->count++] = *op;
    return TRN_OK;
}

/* `# gen NAME`. */
static void take_comment(struct line line, struct replay_script *script)
{
    char name[32];
    while (line.at < line.end && (is_blank(*line.at) || is_comment(*line.at)))
        line.at++;
    if (!is_text(next_word(&line), "gen"))
        return;
    const struct word word = next_word(&line);
    if (word.length >= sizeof name || memchr(word.at, '\0', word.length))
        return;
    memcpy(name, word.at, word.length);
    name[word.length] = '\0';
    if (!script->gen)
        script->gen = trn_gen_find(name);
}

static trn_status take_line(struct line *line, uint64_t base, struct replay_script *script)
{
    struct replay_op op = {.line = line->number};
    const struct word letter = next_word(line);
    if (letter.length == 0) {
        take_comment(*line, script);
        return TRN_OK;
    }
    if (is_text(letter, "L"))
        return TRN_OK;
    if (!kind_of(letter, &op.kind))
        return bad(line, "R OFFSET VALUE, W OFFSET VALUE or B OFFSET LENGTH SHA256 [FILE]",
                   "no operation:", letter);
    const trn_status status = take_operands(line, base, &op);
    if (status != TRN_OK)
        return status;
    const struct word rest = next_word(line);
    if (rest.length)
        return bad(line, "a comment begins with #", "more than an operation:", rest);
    return add_op(script, line, &op);
}

trn_status replay_parse(const char *text, size_t size, const char *name, uint64_t base,
                        struct replay_script *script, struct trn_diag *diag)
{
    *script = (struct replay_script){.ops = NULL};
    struct line line = {.name = name, .diag = diag};
    const char *const end = text + size;
    for (const char *at = text; at < end; at = line.end + 1) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        line.at = at;
        line.end = newline ? newline : end;
        line.number++;
        const char *const line_end = line.end;
        const trn_status status = take_line(&line, base, script);
        if (status != TRN_OK)
            return status;
        line.end = line_end; /* a B line cuts the blanks behind its file */
    }
    return TRN_OK;
}

void replay_free(struct replay_script *script)
{
    free(script->ops);
    *script = (struct replay_script){.ops = NULL};
}
