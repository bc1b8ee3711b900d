/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong, where, and what would have been right. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "isa/asm.h"

static void add(struct trn_asm *a, uint32_t line, size_t column, const char *expected,
                const char *format, va_list args) TRN_PRINTF(5, 0);

static void add(struct trn_asm *a, uint32_t line, size_t column, const char *expected,
                const char *format, va_list args)
{
    if (trn_asm_full(a))
        return;
    if (!a->errors)
        a->errors = calloc(TRN_ASM_MAX_ERRORS, sizeof *a->errors);
    if (!a->errors) {
        a->no_memory = true;
        return;
    }
    struct trn_asm_error *error = &a->errors[a->num_errors++];
    char where[160], message[sizeof error->diag.message];
    snprintf(where, sizeof where, "%.120s:%u:%zu", a->file, line, column);
    vsnprintf(message, sizeof message, format, args);
    trn_diag_set(&error->diag, TRN_ERR_INVALID, where, NULL, expected, "%s", message);
    error->line = line;
    error->column = column;
}

void trn_asm_note(struct trn_asm *a, const char *at, const char *expected, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(a, a->line_number, (size_t)(at - a->line) + 1, expected, format, args);
    va_end(args);
}

void trn_asm_note_at(struct trn_asm *a, uint32_t line, size_t column, const char *expected,
                     const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(a, line, column, expected, format, args);
    va_end(args);
}

/* Source text may hold anything: what is not printable ASCII becomes '?'. */
struct trn_asm_quote trn_asm_quote(const char *name, size_t length)
{
    struct trn_asm_quote quote;
    const size_t room = sizeof quote.text - 1;
    const bool cut = length > room;
    const size_t used = cut ? room - 3 : length;
    for (size_t i = 0; i < used; i++)
        quote.text[i] = name[i] >= 0x20 && name[i] < 0x7F ? name[i] : '?';
    if (cut)
        memcpy(quote.text + used, "...", 3);
    quote.text[cut ? room : used] = '\0';
    return quote;
}

/* ---- nearest name ------------------------------------------------------------------ */

enum { NEAREST_MAX = 48 };

/* Levenshtein distance, case aside; both names are at most NEAREST_MAX long. */
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t row[NEAREST_MAX + 1];
    for (size_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (size_t i = 0; i < a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 1; j <= b_length; j++) {
            const size_t change = diagonal + (trn_name_fold(a[i]) != trn_name_fold(b[j - 1]));
            const size_t insert = row[j - 1] + 1, erase = row[j] + 1;
            diagonal = row[j];
            row[j] = change < insert ? change : insert;
            if (erase < row[j])
                row[j] = erase;
        }
    }
    return row[b_length];
}

void trn_asm_add_choice(struct trn_asm_choices *choices, const char *name, bool listed)
{
    static const char more[] = ", ...";
    if (choices->count < sizeof choices->names / sizeof choices->names[0])
        choices->names[choices->count++] = name;
    const size_t used = strlen(choices->list);
    char *end = choices->list + used;
    if (!listed || (used > sizeof more && strcmp(end - sizeof more + 1, more) == 0))
        return;
    const bool fits = used + strlen(name) + 2 + sizeof more < sizeof choices->list;
    const bool is_first = used == 0 || end[-1] == ' ';
    snprintf(end, sizeof choices->list - used, "%s%s", is_first ? "" : ", ", fits ? name : "...");
}

struct trn_asm_hint trn_asm_suggest(const struct trn_asm_choices *choices, const char *name,
                                    size_t length)
{
    struct trn_asm_hint hint = {""};
    const char *best = NULL;
    size_t best_distance = length / 3 + 2;
    for (size_t i = 0; i < choices->count && length <= NEAREST_MAX; i++) {
        const size_t other = strlen(choices->names[i]);
        if (other > NEAREST_MAX)
            continue;
        const size_t distance = edit_distance(name, length, choices->names[i], other);
        if (distance < best_distance) {
            best_distance = distance;
            best = choices->names[i];
        }
    }
    if (best)
        snprintf(hint.text, sizeof hint.text, "did you mean '%s'?", best);
    else
        snprintf(hint.text, sizeof hint.text, "%s", choices->list);
    return hint;
}

struct trn_asm_hint trn_asm_who_has(uint8_t isa_mask)
{
    struct trn_asm_hint hint = {"no generation has it"};
    const char *names[TRN_GEN_COUNT];
    size_t count = 0;
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        if (trn_bits_get(isa_mask, trn_gen_at(i)->isa, 1))
            names[count++] = trn_gen_at(i)->name;
    char *out = hint.text;
    for (size_t i = 0; i < count; i++) {
        if (i)
            out = stpcpy(out, i + 1 == count ? " and " : ", ");
        out = stpcpy(out, names[i]);
    }
    if (count)
        strcpy(out, count == 1 ? " has it" : " have it");
    return hint;
}
