/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays: lists, strings, bytes, compact instructions. */
#include "isa/asm.h"

static int hex_value(char c)
{
    if (trn_char_is(c, TRN_CHAR_DIGIT))
        return c - '0';
    const char folded = trn_name_fold(c);
    return folded >= 'a' && folded <= 'f' ? folded - 'a' + 10 : -1;
}

/* ---- hex: -------------------------------------------------------------------------- */

bool trn_asm_at_hex(const struct trn_asm *a)
{
    return memcmp(a->at, "hex:", 4) == 0;
}

bool trn_asm_hex(struct trn_asm *a, uint8_t *bytes, size_t size)
{
    const char *at = a->at;
    if (!trn_asm_at_hex(a))
        return trn_asm_error(a, at, "hex: and two digits a byte, in memory order",
                             "bytes were expected");
    size_t digits = 0;
    for (a->at += 4; hex_value(*a->at) >= 0; a->at++, digits++)
        if (digits < 2 * size)
            bytes[digits / 2] = (uint8_t)(digits % 2 ? bytes[digits / 2] * 16 + hex_value(*a->at)
                                                     : hex_value(*a->at));
    if (digits != 2 * size)
        return trn_asm_error(a, at, NULL, "hex: needs %zu digits here, not %zu", 2 * size, digits);
    return true;
}

/* ---- lists ------------------------------------------------------------------------- */

/* How the elements between the brackets are written. */
struct element {
    uint8_t kind, size;
};

/* u8[..], u16[..], u32[..], i32[..] and f32[..] write other elements than the field's own. */
static const struct {
    const char *prefix;
    struct element element;
} prefixes[] = {
    {"u8[", {TRN_TEXT_UINT, 1}}, {"u16[", {TRN_TEXT_UINT, 2}},  {"u32[", {TRN_TEXT_UINT, 4}},
    {"i32[", {TRN_TEXT_INT, 4}}, {"f32[", {TRN_TEXT_FLOAT, 4}},
};

static bool element(struct trn_asm *a, const struct element *element, const char *what,
                    uint8_t *bytes)
{
    uint8_t number;
    uint64_t value;
    if (element->kind == TRN_TEXT_REG && !trn_char_is(*a->at, TRN_CHAR_DIGIT)) {
        if (!trn_asm_register(a, &number))
            return false;
        trn_put8(bytes, number);
        return true;
    }
    if (element->kind == TRN_TEXT_FLOAT)
        return trn_asm_float(a, what, bytes);
    if (!trn_asm_integer(a, what, element->size * 8u, element->kind == TRN_TEXT_INT, &value))
        return false;
    memcpy(bytes, &value, element->size);
    return true;
}

bool trn_asm_list(struct trn_asm *a, const struct trn_text_field *field)
{
    uint8_t *bytes = a->word.bytes + field->offset;
    if (trn_asm_at_hex(a))
        return trn_asm_hex(a, bytes, field->size);
    struct element kind = {field->element, (uint8_t)(field->size / field->count)};
    const char *open = a->at;
    for (size_t i = 0; *open != '[' && i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(a->at, prefixes[i].prefix, strlen(prefixes[i].prefix)) == 0) {
            kind = prefixes[i].element;
            a->at += strlen(prefixes[i].prefix) - 1;
        }
    if (!trn_asm_expect(a, '['))
        return false;
    for (size_t used = 0; *a->at != ']'; used += kind.size) {
        if (used && !trn_asm_expect(a, ','))
            return false;
        if (used + kind.size > field->size)
            return trn_asm_error(a, open, NULL, "'%s' holds at most %u elements", field->name,
                                 field->size / kind.size);
        if (!element(a, &kind, field->name, bytes + used))
            return false;
        a->at = trn_skip_spaces(a->at);
    }
    a->at++;
    return true;
}

/* ---- compact instructions ---------------------------------------------------------- */

/* NAME:BITS, NAME, or all 32 bits as one number. */
static bool ccinst(struct trn_asm *a, const char *what, uint8_t *bytes)
{
    const bool is_name = trn_char_is(*a->at, TRN_CHAR_FIRST);
    const char *at = a->at;
    uint64_t rest = 0;
    uint32_t first;
    if (!trn_asm_enum(a, TRN_ENUM_CCOP, what, is_name ? 8 : 32, &first))
        return false;
    const bool has_rest = *a->at == ':';
    if (has_rest) {
        a->at++;
        if (first > UINT8_MAX)
            return trn_asm_error(a, at, "OPERATION:BITS", "an operation has 8 bits");
        if (!trn_asm_integer(a, what, 24, false, &rest))
            return false;
    }
    trn_put32(bytes, has_rest ? (uint32_t)trn_bits_set(first, 8, 24, rest) : first);
    return true;
}

bool trn_asm_ccinsts(struct trn_asm *a, const struct trn_text_field *field)
{
    uint8_t *bytes = a->word.bytes + field->offset;
    const char *open = a->at;
    if (!trn_asm_expect(a, '['))
        return false;
    for (size_t used = 0; *a->at != ']'; used += 4) {
        if (used && !trn_asm_expect(a, ','))
            return false;
        if (used == field->size)
            return trn_asm_error(a, open, NULL, "'%s' holds at most %u elements", field->name,
                                 field->count);
        if (!ccinst(a, field->name, bytes + used))
            return false;
        a->at = trn_skip_spaces(a->at);
    }
    a->at++;
    return true;
}

/* ---- strings ----------------------------------------------------------------------- */

/* The character after a backslash; -1 and an error when there is no such escape. */
static int escape(struct trn_asm *a)
{
    static const char names[] = "\\\"nt0";
    static const char values[] = "\\\"\n\t";
    const char *name = *a->at ? strchr(names, *a->at) : NULL;
    if (name) {
        a->at++;
        return (uint8_t)values[name - names];
    }
    if (*a->at == 'x' && hex_value(a->at[1]) >= 0 && hex_value(a->at[2]) >= 0) {
        const int value = hex_value(a->at[1]) * 16 + hex_value(a->at[2]);
        a->at += 3;
        return value;
    }
    trn_asm_note(a, a->at - 1, "\\\\, \\\", \\n, \\t, \\0 and \\x41 are accepted",
                 "unknown escape in a string");
    return -1;
}

bool trn_asm_string(struct trn_asm *a, const struct trn_text_field *field)
{
    uint8_t *bytes = a->word.bytes + field->offset;
    const char *open = a->at;
    if (*open != '"')
        return trn_asm_error(a, open, "a text in double quotes", "'%s' takes a string",
                             field->name);
    size_t used = 0;
    for (a->at++; *a->at != '"'; used++) {
        if (*a->at == '\n')
            return trn_asm_error(a, open, NULL, "the string does not end on its line");
        int c = (uint8_t)*a->at++;
        if (c == '\\' && (c = escape(a)) < 0)
            return false;
        if (used < field->size)
            bytes[used] = (uint8_t)c;
    }
    a->at++;
    if (used > field->size)
        return trn_asm_error(a, open, NULL, "the string has %zu bytes, '%s' holds %u", used,
                             field->name, field->size);
    return true;
}
