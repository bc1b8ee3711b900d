/* SPDX-License-Identifier: Apache-2.0 */
/* wait and update lines: `wait sem=3 ge 1`, `update sem=4 inc complete`. */
#include "isa/asm.h"
#include "isa/lookup.h"
#include "isa/text_sync.h"
#include "isa_fields.h"

/* Which half of which sync block a line writes. */
struct sync_line {
    const char *keyword;
    bool is_update;
    unsigned lane;
};

static const struct sync_line sync_lines[] = {
    {"wait", false, 0},
    {"update", true, 0},
    {"ext_wait", false, 1},
    {"ext_update", true, 1},
};

/* What the line says, as far as it has been read. */
struct reading {
    const struct sync_line *line;
    const char *index_kind; /* "sem", "evt", NULL */
    const char *index_at, *mode_at;
    size_t mode_length;
    uint64_t index;
    enum trn_sync_operand operand;
    uint32_t value;
};

static const struct trn_sync_mode *modes_of(const struct sync_line *line, size_t *count)
{
    *count = line->is_update ? trn_num_update_modes : trn_num_wait_modes;
    return line->is_update ? trn_update_modes : trn_wait_modes;
}

/* sem=3 or evt=3; a mode without an index (`wait unordered`) has neither. */
static bool read_index(struct trn_asm *a, struct reading *r)
{
    r->index_at = a->at;
    const char *end = trn_skip_name(a->at);
    if (*end != '=')
        return true;
    const size_t length = (size_t)(end - a->at);
    if (trn_name_is("sem", a->at, length))
        r->index_kind = "sem";
    else if (trn_name_is("evt", a->at, length))
        r->index_kind = "evt";
    else
        return trn_asm_error(a, a->at, "sem=N or evt=N", "'%s' is neither sem nor evt",
                             trn_asm_quote(a->at, length).text);
    a->at = end + 1;
    return trn_asm_integer(a, r->index_kind, 8, false, &r->index);
}

/* A number, rN, or rN+OFFSET; nothing where the line goes on with a word or ends. */
static bool read_operand(struct trn_asm *a, struct reading *r)
{
    a->at = trn_skip_spaces(a->at);
    uint8_t reg;
    uint64_t value = 0;
    r->operand = TRN_SYNC_NOTHING;
    const char *end = trn_read_register(a->at, &reg);
    if (end && *end == '+') {
        a->at = end + 1;
        if (!trn_asm_integer(a, "offset", 24, false, &value))
            return false;
        uint8_t bytes[4] = {0};
        trn_sem_base_offset_reg_set(bytes, 0, reg);
        trn_sem_base_offset_off_set(bytes, 0, (uint32_t)value);
        r->operand = TRN_SYNC_REGISTER_OFFSET;
        r->value = trn_get32(bytes);
    } else if (end) {
        a->at = end;
        r->operand = TRN_SYNC_REGISTER;
        r->value = reg;
    } else if (!trn_char_is(*a->at, TRN_CHAR_END | TRN_CHAR_FIRST)) {
        if (!trn_asm_integer(a, "value", 32, false, &value))
            return false;
        r->operand = TRN_SYNC_NUMBER;
        r->value = (uint32_t)value;
    }
    return true;
}

static bool same_kind(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static void no_such_mode(struct trn_asm *a, const struct reading *r)
{
    size_t count;
    const struct trn_sync_mode *modes = modes_of(r->line, &count);
    const char *last = "";
    struct trn_asm_choices choices = {.list = "one of "};
    for (size_t i = 0; i < count; i++) {
        if (!same_kind(modes[i].index, r->index_kind) || strcmp(last, modes[i].word) == 0)
            continue;
        last = modes[i].word;
        trn_asm_add_choice(&choices, last, true);
    }
    if (r->mode_length == 0)
        trn_asm_note(a, r->mode_at, choices.list, "a mode was expected");
    else
        trn_asm_note(
            a, r->mode_at, trn_asm_suggest(&choices, r->mode_at, r->mode_length).text,
            "%s has no mode '%s'%s%s", r->line->keyword,
            trn_asm_quote(r->mode_at, r->mode_length).text,
            r->index_kind ? " for " : " without sem= or evt=", r->index_kind ? r->index_kind : "");
}

/* Does the mode have the index and the word of the line? */
static bool has_word(const struct trn_sync_mode *mode, const struct reading *r)
{
    return same_kind(mode->index, r->index_kind) &&
           trn_name_is(mode->word, r->mode_at, r->mode_length);
}

/* The mode whose word, index, operand and moment the line has; NULL after an error. */
static const struct trn_sync_mode *find_mode(struct trn_asm *a, const struct reading *r,
                                             bool on_read)
{
    size_t count;
    const struct trn_sync_mode *modes = modes_of(r->line, &count), *named = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!has_word(&modes[i], r))
            continue;
        named = &modes[i];
        if (named->operand == r->operand && named->on_read == on_read)
            return named;
    }
    if (named)
        trn_asm_note(a, r->mode_at, NULL, "'%s' %s", trn_asm_quote(r->mode_at, r->mode_length).text,
                     r->operand == TRN_SYNC_NOTHING ? "needs a number or a register"
                                                    : "does not take this operand");
    else
        no_such_mode(a, r);
    return NULL;
}

/* The generation must have the mode. */
static bool mode_exists(struct trn_asm *a, const struct reading *r,
                        const struct trn_sync_mode *mode)
{
    const enum trn_enum_id id = r->line->is_update ? TRN_ENUM_UPDATE_MODE : TRN_ENUM_WAIT_MODE;
    if (trn_text_member(id, mode->mode, a->isa))
        return true;
    const struct trn_enum_row *row = &trn_enum_table[id];
    const uint8_t isa_mask = row->members[row->by_value[mode->mode] - 1].isa_mask;
    return trn_asm_error(a, r->mode_at, trn_asm_who_has(isa_mask).text,
                         "this mode does not exist on %s", a->gen->name);
}

/* read or complete, which is what an update without either means. */
static bool read_moment(struct trn_asm *a, bool *on_read)
{
    a->at = trn_skip_spaces(a->at);
    const char *end = trn_skip_name(a->at);
    const size_t length = (size_t)(end - a->at);
    *on_read = trn_name_is("read", a->at, length);
    if (length && !*on_read && !trn_name_is("complete", a->at, length))
        return trn_asm_error(a, a->at, "read or complete", "unexpected '%s'",
                             trn_asm_quote(a->at, length).text);
    a->at = end;
    return true;
}

/* Put a value into a field of the lane; the shared one may be given twice when it is the same. */
static bool store_value(struct trn_asm *a, const struct reading *r,
                        const struct trn_text_field *field)
{
    struct trn_asm_word *word = &a->word;
    const unsigned place = (unsigned)(field - word->layout->fields);
    if (trn_bits_get(word->seen, place, 1) && trn_text_get(field, word->bytes) != r->value)
        return trn_asm_error(a, r->mode_at,
                             "use EVENT_SEMAPHORE or two words for two values (sync.md 5)",
                             "wait and update share one value, and it is %llu already",
                             (unsigned long long)trn_text_get(field, word->bytes));
    word->seen = trn_bits_set(word->seen, place, 1, 1);
    trn_text_set(field, word->bytes, r->value);
    return true;
}

/* Places of the lane's fields: wait_mode, wait_idx, update_mode, update_idx, value(s). */
static bool store(struct trn_asm *a, const struct reading *r, const struct trn_sync_mode *mode)
{
    struct trn_asm_word *word = &a->word;
    const struct trn_text_field *lane = &word->layout->fields[word->layout->lanes[r->line->lane]];
    const struct trn_text_field *fields = lane + (r->line->is_update ? 2 : 0);
    const struct trn_text_field *value = lane + (r->line->is_update && r->line->lane ? 5 : 4);
    if (!trn_asm_take(a, &fields[0], r->index_at))
        return false;
    trn_text_set(&fields[0], word->bytes, mode->mode);
    if (mode->index) {
        if (!trn_asm_take(a, &fields[1], r->index_at))
            return false;
        trn_text_set(&fields[1], word->bytes, r->index);
    }
    return mode->operand == TRN_SYNC_NOTHING || store_value(a, r, value);
}

static bool read_line(struct trn_asm *a, const struct sync_line *line)
{
    struct reading r = {.line = line};
    bool on_read = false;
    if (!read_index(a, &r))
        return false;
    r.mode_at = a->at = trn_skip_spaces(a->at);
    const char *end = trn_skip_name(a->at);
    r.mode_length = (size_t)(end - a->at);
    a->at = end;
    if (!read_operand(a, &r) || (line->is_update && !read_moment(a, &on_read)))
        return false;
    const struct trn_sync_mode *mode = find_mode(a, &r, on_read);
    if (!mode || !mode_exists(a, &r, mode))
        return false;
    a->at = trn_skip_spaces(a->at);
    if (!trn_char_is(*a->at, TRN_CHAR_END))
        return trn_asm_error(a, a->at, NULL, "unexpected '%s' at the end of the line",
                             trn_asm_quote(a->at, 1).text);
    return store(a, &r, mode);
}

void trn_asm_sync_line(struct trn_asm *a, size_t length, bool *handled)
{
    const struct sync_line *line = NULL;
    for (size_t i = 0; i < sizeof sync_lines / sizeof sync_lines[0]; i++)
        if (trn_name_is(sync_lines[i].keyword, a->at, length))
            line = &sync_lines[i];
    *handled = line != NULL;
    if (!line)
        return;
    const struct trn_asm_word *word = &a->word;
    const char *start = a->at;
    a->at = trn_skip_spaces(a->at + length);
    if (!word->open) {
        trn_asm_note(a, start, NULL, "'%s' belongs to the word above it, and there is none",
                     line->keyword);
    } else if (word->bad) {
        return;
    } else if (!word->layout || word->layout->lanes[line->lane] == TRN_TEXT_NO_FIELD) {
        trn_asm_note(a, start, NULL, "%s has no sync block for '%s'",
                     word->layout ? trn_text_opcodes[word->bytes[0]].mnemonic : ".word",
                     line->keyword);
    } else {
        read_line(a, line);
    }
}
