/* SPDX-License-Identifier: Apache-2.0 */
/* The observability census: docs/hardware/firmware-images.md 9, rule by rule. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "fw/data_rows.h"
#include "fw/strings_matcher.h"
#include "fw/strings_set.h"

struct census {
    const uint8_t *bytes;
    struct trn_fw_census *out;
    struct fw_matcher matcher;
    struct fw_set handlers, modules;
    size_t handler_room, module_room;
};

static bool starts_with(const uint8_t *text, size_t size, const char *prefix)
{
    const size_t length = strlen(prefix);
    return size >= length && memcmp(text, prefix, length) == 0;
}

static bool contains(const uint8_t *text, size_t size, const char *part)
{
    return memmem(text, size, part, strlen(part)) != NULL;
}

/* Room for one more entry; entries keep their place in the order. */
static void *room(void *entries, size_t count, size_t *capacity, size_t entry)
{
    if (count < *capacity)
        return entries;
    const size_t wanted = *capacity ? 2 * *capacity : 32;
    void *const more = realloc(entries, wanted * entry);
    if (more)
        *capacity = wanted;
    return more;
}

/* ---- rules 1 to 6: log lines ------------------------------------------------------ */

/* Length of the glue in front of "S: ", the tail of the pool's string before; -1: no log line. */
static int glue_of(const uint8_t *text, size_t size)
{
    for (int glue = 0; glue <= 3; glue++) {
        if (starts_with(text + glue, size - (size_t)glue, "S: "))
            return glue;
        if ((size_t)glue + 1 >= size ||
            !(isalpha(text[glue]) || text[glue] == '@' || text[glue] == '.'))
            return -1;
    }
    return -1;
}

/* `S: ` and one token, nothing else: rule 2. */
static bool is_handler(const uint8_t *name, size_t size)
{
    if (size == 0 || !isalpha(name[0]))
        return false;
    for (size_t i = 1; i < size; i++)
        if (!isalnum(name[i]) && !strchr("_/-", name[i]))
            return false;
    return true;
}

static trn_status add_handler(struct census *census, size_t offset, size_t size)
{
    struct trn_fw_census *const out = census->out;
    size_t number;
    bool is_new;
    if (census->handlers.count >= TRN_FW_DISTINCT) {
        out->cut = true;
        return TRN_OK;
    }
    if (fw_set_add(&census->handlers, census->bytes + offset, size, &number, &is_new) != TRN_OK)
        return TRN_ERR_NO_MEMORY;
    if (!is_new)
        return TRN_OK;
    struct trn_fw_text *const more =
        room(out->handlers, out->num_handlers, &census->handler_room, sizeof *more);
    if (!more)
        return TRN_ERR_NO_MEMORY;
    out->handlers = more;
    out->handlers[out->num_handlers++] = (struct trn_fw_text){offset, size};
    return TRN_OK;
}

static void name_generation(struct trn_fw_census *out, const uint8_t *text, size_t size)
{
    for (unsigned i = 0; i < TRN_GEN_COUNT && !out->gen; i++) {
        const char *const name = trn_gen_at(i)->name;
        if (strlen(name) == size && memcmp(text, name, size) == 0)
            out->gen = trn_gen_at(i);
    }
}

static trn_status log_line(struct census *census, struct trn_fw_text string)
{
    static const char dispatch[] = "S: Dispatch opcode=0x%x", begin[] = "S: BEGIN on ";
    struct trn_fw_census *const out = census->out;
    const uint8_t *text = census->bytes + string.offset;
    const int glue = glue_of(text, string.size);
    if (glue < 0)
        return TRN_OK;
    out->log_lines++;
    out->glued += glue > 0;
    const size_t at = string.offset + (size_t)glue, size = string.size - (size_t)glue;
    text += glue;
    if (size == sizeof dispatch - 1 && starts_with(text, size, dispatch) &&
        out->dispatch_logs++ == 0)
        out->dispatch_at = at;
    if (starts_with(text, size, begin))
        name_generation(out, text + sizeof begin - 1, size - (sizeof begin - 1));
    return is_handler(text + 3, size - 3) ? add_handler(census, at + 3, size - 3) : TRN_OK;
}

static void other_logs(struct trn_fw_census *out, const uint8_t *text, size_t size)
{
    out->pool_logs += starts_with(text, size, "P%i: ") || starts_with(text, size, "P%d: ");
    out->identity_logs += contains(text, size, "engine_idx=%u");
    out->sunda_tree |= contains(text, size, "sunda/seq/") || contains(text, size, "sunda/pool/");
}

/* ---- rule 8: module spine --------------------------------------------------------- */

static bool in_file_name(uint8_t c)
{
    return isalnum(c) || c == '_' || c == '+' || c == '.' || c == '-';
}

/* NAME.cpp, .hpp, .h, .cc or .c, with at least one character in front of the dot. */
static bool is_source(const uint8_t *name, size_t size)
{
    static const char *const endings[] = {".cpp", ".hpp", ".h", ".cc", ".c"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        const size_t length = strlen(endings[i]);
        if (size > length && memcmp(name + size - length, endings[i], length) == 0)
            return true;
    }
    return false;
}

static bool in_path(uint8_t c)
{
    return in_file_name(c) || c == '/';
}

static trn_status add_module(struct census *census, struct trn_fw_text string, size_t begin,
                             size_t end)
{
    struct trn_fw_census *const out = census->out;
    const uint8_t *const text = census->bytes + string.offset;
    size_t number;
    bool is_new;
    if (census->modules.count >= TRN_FW_DISTINCT) {
        out->cut = true;
        return TRN_OK;
    }
    if (fw_set_add(&census->modules, text + begin, end - begin, &number, &is_new) != TRN_OK)
        return TRN_ERR_NO_MEMORY;
    if (is_new) {
        struct trn_fw_module *const more =
            room(out->modules, out->num_modules, &census->module_room, sizeof *more);
        if (!more)
            return TRN_ERR_NO_MEMORY;
        out->modules = more;
        out->modules[out->num_modules++] =
            (struct trn_fw_module){.name = {string.offset + begin, end - begin}};
    }
    struct trn_fw_module *const module = &out->modules[number];
    if (begin == 0 || text[begin - 1] != '/') {
        module->bare++;
        return TRN_OK;
    }
    if (module->full++ > 0)
        return TRN_OK;
    size_t path = begin;
    while (path > 0 && in_path(text[path - 1]))
        path--;
    module->path = (struct trn_fw_text){string.offset + path, end - path};
    return TRN_OK;
}

static trn_status find_modules(struct census *census, struct trn_fw_text string)
{
    const uint8_t *const text = census->bytes + string.offset;
    for (const uint8_t *dot = memchr(text, '.', string.size); dot;) {
        size_t begin = (size_t)(dot - text), end = begin;
        while (begin > 0 && in_file_name(text[begin - 1]))
            begin--;
        while (end < string.size && in_file_name(text[end]))
            end++;
        if (is_source(text + begin, end - begin)) {
            const trn_status status = add_module(census, string, begin, end);
            if (status != TRN_OK)
                return status;
        }
        dot = memchr(text + end, '.', string.size - end);
    }
    return TRN_OK;
}

/* ---- all of them ------------------------------------------------------------------ */

static trn_status one_string(struct census *census, struct trn_fw_text string)
{
    const uint8_t *const text = census->bytes + string.offset;
    census->out->strings++;
    other_logs(census->out, text, string.size);
    fw_matcher_count(&census->matcher, text, string.size, string.offset, census->out->tokens);
    trn_status status = log_line(census, string);
    if (status == TRN_OK)
        status = find_modules(census, string);
    return status;
}

static trn_status all_strings(struct census *census, size_t size)
{
    struct trn_fw_text string;
    for (size_t at = 0; trn_fw_next_string(census->bytes, size, &at, &string);) {
        const trn_status status = one_string(census, string);
        if (status != TRN_OK)
            return status;
    }
    return TRN_OK;
}

trn_status trn_fw_census_take(const uint8_t *bytes, size_t size, struct trn_fw_census *out)
{
    struct census census = {.bytes = bytes, .out = out};
    memset(out, 0, sizeof *out);
    out->num_tokens = trn_num_fw_tokens < TRN_FW_TOKENS ? trn_num_fw_tokens : TRN_FW_TOKENS;
    for (size_t i = 0; i < out->num_tokens; i++) {
        out->tokens[i].token = trn_fw_tokens[i].text;
        out->tokens[i].set = trn_fw_tokens[i].set;
        out->tokens[i].note = trn_fw_tokens[i].note;
    }
    trn_status status = fw_matcher_make(&census.matcher);
    if (status == TRN_OK)
        status = all_strings(&census, size);
    fw_matcher_free(&census.matcher);
    fw_set_free(&census.handlers);
    fw_set_free(&census.modules);
    return status;
}

void trn_fw_census_free(struct trn_fw_census *census)
{
    free(census->handlers);
    free(census->modules);
    memset(census, 0, sizeof *census);
}
