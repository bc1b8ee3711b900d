/* SPDX-License-Identifier: Apache-2.0 */
/* One word: its mnemonic, its fields, what the text leaves out. */
#include <stdlib.h>

#include "isa/asm.h"
#include "isa/lookup.h"
#include "isa_fields.h"

/* ---- the stream -------------------------------------------------------------------- */

static bool grow(struct trn_asm_stream *stream)
{
    const size_t capacity = stream->capacity ? stream->capacity * 2 : 1024;
    uint8_t *words = realloc(stream->words, capacity * TRN_INST_BYTES);
    if (words)
        stream->words = words;
    uint32_t *lines = realloc(stream->lines, capacity * sizeof *lines);
    if (lines)
        stream->lines = lines;
    if (!words || !lines)
        return false;
    stream->capacity = capacity;
    return true;
}

static void append(struct trn_asm *a, const struct trn_asm_word *word)
{
    struct trn_asm_stream *stream = &a->streams[a->stream];
    if (stream->num_words == stream->capacity && !grow(stream)) {
        a->no_memory = true;
        return;
    }
    memcpy(stream->words + stream->num_words * TRN_INST_BYTES, word->bytes, TRN_INST_BYTES);
    stream->lines[stream->num_words++] = word->line;
}

/* ---- open and close ---------------------------------------------------------------- */

void trn_asm_open_word(struct trn_asm *a, uint8_t opcode, const struct trn_text_layout *layout)
{
    struct trn_asm_word *word = &a->word;
    word->open = true;
    word->bad = false;
    word->layout = layout;
    memset(word->bytes, 0, sizeof word->bytes);
    trn_common_opcode_set(word->bytes, a->isa, opcode);
    word->seen = 0;
    word->expected = 0;
    word->num_immediates = 0;
    word->relative_target = false;
    word->line = a->line_number;
    a->any_word = true;
    if (a->stream == TRN_ASM_NO_ENGINE && !a->streams[a->stream].num_words && !a->engine_optional)
        trn_asm_note(a, a->at,
                     "write .engine pe, act, pool, dve or sp before it, or name an engine",
                     "a word before any .engine");
}

static bool is_seen(const struct trn_asm_word *word, const struct trn_text_field *field)
{
    return trn_bits_get(word->seen, (unsigned)(field - word->layout->fields), 1);
}

/* A branch to a label is relative unless the text says otherwise. */
static void settle_target_mode(struct trn_asm_word *word)
{
    for (unsigned i = 0; i < word->layout->num_plain; i++) {
        const struct trn_text_field *field = &word->layout->fields[i];
        if (field->enum_id == TRN_ENUM_BR_TARGET_MODE && !is_seen(word, field))
            trn_text_set(field, word->bytes, TRN_BR_TARGET_MODE_REL_IMMEDIATE);
    }
}

void trn_asm_close_word(struct trn_asm *a)
{
    struct trn_asm_word *word = &a->word;
    if (!word->open)
        return;
    word->open = false;
    const struct trn_text_layout *layout = word->layout;
    if (layout) {
        trn_asm_settle_immediates(a);
        if (word->relative_target)
            settle_target_mode(word);
        for (unsigned i = 0; i < layout->num_initials; i++) {
            const struct trn_text_field *field = &layout->fields[layout->initials[i]];
            if (!is_seen(word, field))
                trn_text_set(field, word->bytes, trn_text_initial(layout, field, word->bytes));
        }
    }
    append(a, word);
}

/* ---- fields ------------------------------------------------------------------------ */

bool trn_asm_take(struct trn_asm *a, const struct trn_text_field *field, const char *at)
{
    struct trn_asm_word *word = &a->word;
    if (is_seen(word, field))
        return trn_asm_error(a, at, NULL, "'%s' is given twice", field->name);
    word->seen = trn_bits_set(word->seen, (unsigned)(field - word->layout->fields), 1, 1);
    return true;
}

/* Texts mostly follow the printed order, so the field after the last one is tried first. */
static const struct trn_text_field *find_in_order(struct trn_asm_word *word, const char *name,
                                                  size_t length)
{
    const struct trn_text_layout *layout = word->layout;
    for (size_t n = 0, i = word->expected; n < layout->num_fields; n++, i++) {
        if (i >= layout->num_fields)
            i = 0;
        const struct trn_text_field *field = &layout->fields[i];
        if (field->label_length == length + 2 && field->label[1] == *name &&
            memcmp(field->label + 1, name, length) == 0) {
            word->expected = i + 1;
            return field;
        }
    }
    return NULL;
}

/* By the sheet's name, or in upper case. */
static const struct trn_text_field *find_by_row(const struct trn_text_layout *layout,
                                                const struct trn_field_row *row)
{
    for (unsigned i = 0; i < layout->num_fields; i++)
        if (&trn_struct_table[layout->id].fields[layout->fields[i].row] == row)
            return &layout->fields[i];
    return NULL;
}

static const struct trn_text_field *no_such_field(struct trn_asm *a, const char *name,
                                                  size_t length)
{
    const struct trn_text_layout *layout = a->word.layout;
    struct trn_asm_choices choices = {.list = "its fields are "};
    for (unsigned i = 0; i < layout->num_fields; i++) {
        const struct trn_field_row *row =
            &trn_struct_table[layout->id].fields[layout->fields[i].row];
        trn_asm_add_choice(&choices, row->short_name,
                           i < layout->num_plain && row->type != TRN_TYPE_RESERVED);
    }
    trn_asm_note(a, name, trn_asm_suggest(&choices, name, length).text, "%s has no field '%s'",
                 trn_text_opcodes[a->word.bytes[0]].mnemonic, trn_asm_quote(name, length).text);
    return NULL;
}

static const struct trn_text_field *find_field(struct trn_asm *a, const char *name, size_t length)
{
    const struct trn_text_field *field = find_in_order(&a->word, name, length);
    if (field)
        return field;
    const struct trn_text_layout *layout = a->word.layout;
    const struct trn_field_row *row = trn_field_find((enum trn_struct_id)layout->id, name, length);
    if (!row || row == &trn_struct_table[layout->id].fields[0]) /* the opcode is the mnemonic */
        return no_such_field(a, name, length);
    field = find_by_row(layout, row);
    if (field)
        return field;
    uint8_t isa_mask = 0;
    for (unsigned isa = 0; isa < TRN_ISA_COUNT; isa++)
        isa_mask = (uint8_t)trn_bits_set(isa_mask, isa, 1, row->offset[isa] >= 0);
    trn_asm_note(a, name, trn_asm_who_has(isa_mask).text, "'%s' of %s does not exist on %s",
                 trn_asm_quote(name, length).text, trn_text_opcodes[a->word.bytes[0]].mnemonic,
                 a->gen->name);
    return NULL;
}

/* After byte 12 of 0xF0 the rest of the word may have another layout. */
static bool switch_arm(struct trn_asm *a, const char *at)
{
    struct trn_asm_word *word = &a->word;
    const enum trn_struct_id id = trn_word_struct(word->bytes, a->isa);
    if (id == word->layout->id)
        return true;
    if (word->seen != 1)
        return trn_asm_error(a, at, NULL,
                             "extended_opcode must be the first field: it decides "
                             "which others there are");
    word->layout = trn_text_layouts[a->isa][id];
    return true;
}

static bool assign(struct trn_asm *a, const char *name, size_t length)
{
    const struct trn_text_field *field = find_field(a, name, length);
    if (!field || !trn_asm_take(a, field, name))
        return false;
    a->at = name + length + 1;
    if (!trn_asm_value(a, field))
        return false;
    if (!trn_char_is(*a->at, TRN_CHAR_SPACE | TRN_CHAR_END))
        return trn_asm_error(a, a->at, NULL, "unexpected '%s' after the value of '%s'",
                             trn_asm_quote(a->at, 1).text, field->name);
    if (a->word.layout->id == TRN_STRUCT_EXTENDED && field == &a->word.layout->fields[0])
        return switch_arm(a, name);
    return true;
}

/* Past a bad operand: to the next `name=` after a blank, or to the end of the line. */
static const char *next_operand(const char *at)
{
    for (; !trn_char_is(*at, TRN_CHAR_END); at++) {
        if (!trn_char_is(*at, TRN_CHAR_SPACE))
            continue;
        const char *name = trn_skip_spaces(at);
        const char *end = trn_skip_name(name);
        if (end != name && *end == '=')
            return name;
    }
    return at;
}

void trn_asm_operands(struct trn_asm *a)
{
    for (;;) {
        const char *name = trn_skip_spaces(a->at);
        a->at = name;
        if (trn_char_is(*name, TRN_CHAR_END) || a->word.bad)
            return;
        const char *end = trn_skip_name(name);
        bool good;
        if (end == name || *end != '=') {
            const size_t length = end == name ? 1 : (size_t)(end - name);
            good = trn_asm_error(a, name, "operands are written field=value", "unexpected '%s'",
                                 trn_asm_quote(name, length).text);
        } else if (!a->word.layout) {
            good = trn_asm_error(a, name, NULL, ".word takes no fields");
        } else {
            good = assign(a, name, (size_t)(end - name));
        }
        if (!good)
            a->at = next_operand(a->at > name ? a->at : name);
    }
}

/* ---- instructions ------------------------------------------------------------------ */

static bool unknown_mnemonic(struct trn_asm *a, size_t length)
{
    struct trn_asm_choices choices = {
        .list = "`trench explain` knows the opcodes; unknown ones are written as .word"};
    for (unsigned i = 0; i < 256; i++)
        if (trn_text_layouts[a->isa][trn_opcode_struct[a->isa][i]])
            trn_asm_add_choice(&choices, trn_text_opcodes[i].mnemonic, false);
    return trn_asm_error(a, a->at, trn_asm_suggest(&choices, a->at, length).text,
                         "unknown mnemonic '%s'", trn_asm_quote(a->at, length).text);
}

/* `allowed`: the text says that the opcode is one that its header switches off. */
static bool check_disabled(struct trn_asm *a, const struct trn_opcode_row *row, bool allowed)
{
    const bool disabled = row->exec == TRN_EXEC_NEVER;
    if (disabled == allowed)
        return true;
    return disabled
               ? trn_asm_error(a, a->at, "write .disabled before it to have the word all the same",
                               "'%s' is switched off on %s and never executes", row->mnemonic,
                               a->gen->name)
               : trn_asm_error(a, a->at, "leave .disabled out", "'%s' is not switched off on %s",
                               row->mnemonic, a->gen->name);
}

static bool open_instruction(struct trn_asm *a, size_t length, bool is_branch, bool disabled)
{
    const int opcode = is_branch ? TRN_OPCODE_COMPARE_BRANCH : trn_opcode_find(a->at, length);
    if (opcode < 0)
        return unknown_mnemonic(a, length);
    const struct trn_opcode_row *row = &trn_opcode_table[opcode];
    if (!trn_bits_get(row->isa_mask, a->isa, 1))
        return trn_asm_error(a, a->at, trn_asm_who_has(row->isa_mask).text,
                             "'%s' does not exist on %s", row->mnemonic, a->gen->name);
    const struct trn_text_layout *layout =
        trn_text_layouts[a->isa][trn_opcode_struct[a->isa][opcode]];
    if (!layout)
        return trn_asm_error(a, a->at, "write its 64 bytes with .word",
                             "'%s' has no known layout on %s", row->mnemonic, a->gen->name);
    if (!check_disabled(a, row, disabled))
        return false;
    trn_asm_open_word(a, (uint8_t)opcode, layout);
    return true;
}

void trn_asm_instruction(struct trn_asm *a, size_t length, bool disabled)
{
    trn_asm_close_word(a);
    const bool is_branch = trn_name_is("branch", a->at, length);
    if (!open_instruction(a, length, is_branch, disabled)) {
        trn_asm_open_word(a, 0, NULL); /* its place counts, so that labels stay right */
        a->word.bad = true;
        return;
    }
    a->at += length;
    if (is_branch && !trn_asm_branch_operands(a))
        a->at = next_operand(a->at);
    trn_asm_operands(a);
}

void trn_asm_raw_word(struct trn_asm *a)
{
    trn_asm_open_word(a, 0, NULL);
    const char *first = a->at = trn_skip_spaces(a->at);
    size_t digits = 0;
    for (; !trn_char_is(*a->at, TRN_CHAR_END); a->at++) {
        if (trn_char_is(*a->at, TRN_CHAR_SPACE))
            continue;
        const char c = trn_name_fold(*a->at);
        const bool is_digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
        if (!is_digit) {
            trn_asm_note(a, a->at, NULL, "'%s' is no hexadecimal digit",
                         trn_asm_quote(a->at, 1).text);
            return;
        }
        const unsigned value = c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a' + 10);
        if (digits < 2 * TRN_INST_BYTES) {
            uint8_t *byte = &a->word.bytes[digits / 2];
            *byte = (uint8_t)(*byte * 16 + value);
        }
        digits++;
    }
    if (digits != 2 * TRN_INST_BYTES)
        trn_asm_note(a, first, "the 64 bytes of a word in memory order",
                     ".word needs 128 hexadecimal digits, not %zu", digits);
}
