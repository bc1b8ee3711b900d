/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/fw_strings.h"
#include "trench/isa.h"

/* Names that occur, of one set. */
static size_t present(const struct trn_fw_census *census, enum trn_fw_token_set set)
{
    size_t count = 0;
    for (size_t i = 0; i < census->num_tokens; i++)
        count += census->tokens[i].set == set && census->tokens[i].whole > 0;
    return count;
}

static size_t with_path(const struct trn_fw_census *census)
{
    size_t count = 0;
    for (size_t i = 0; i < census->num_modules; i++)
        count += census->modules[i].full > 0;
    return count;
}

void fw_strings_print_row(const struct fw_picked *picked, const struct trn_fw_census *census)
{
    if (!census) {
        printf("%-46s %6s %5s %5s %5s %4s %5s %4s %4s\n", "image", "texts", "S:", "names",
               "P%i:", "disp", "files", "comp", "abs");
        return;
    }
    printf("%-46s %6zu %5zu %5zu %5zu %4zu %5zu %4zu %4zu\n", picked->name, census->strings,
           census->log_lines, census->num_handlers, census->pool_logs, census->dispatch_logs,
           census->num_modules, present(census, TRN_FW_COMPUTE), present(census, TRN_FW_ABSENCE));
}

/* ---- roster ----------------------------------------------------------------------- */

/* Generation and engine of an image: by its name, the generation else by what it logs. */
static const struct trn_gen *gen_of(const struct fw_picked *picked,
                                    const struct trn_fw_census *census)
{
    return picked->image->is_named ? picked->image->name.gen : census->gen;
}

/* Engine of a sequencer's image; -1: not known, or a core that logs no handlers. */
static int engine_of(const struct fw_picked *picked)
{
    const struct trn_fw_image *const image = picked->image;
    return image->is_named && image->name.core == TRN_FW_NX ? image->name.engine : -1;
}

struct roster {
    bool is_known;
    size_t expected, found, unknown;
};

static struct roster compare(const struct fw_picked *picked, const struct trn_fw_census *census)
{
    const struct trn_gen *const gen = gen_of(picked, census);
    const int engine = engine_of(picked);
    struct roster roster = {0};
    if (!gen || engine < 0 || !trn_fw_has_roster(gen, engine) || census->num_handlers == 0)
        return roster;
    roster.is_known = true;
    while (trn_fw_roster_name(gen, engine, roster.expected))
        roster.expected++;
    for (size_t i = 0; i < census->num_handlers; i++) {
        const char *const name = (const char *)picked->image->bytes + census->handlers[i].offset;
        if (trn_fw_roster_has(gen, engine, name, census->handlers[i].size))
            roster.found++;
        else
            roster.unknown++;
    }
    return roster;
}

static bool is_logged(const struct fw_picked *picked, const struct trn_fw_census *census,
                      const char *name)
{
    for (size_t i = 0; i < census->num_handlers; i++)
        if (census->handlers[i].size == strlen(name) &&
            memcmp(picked->image->bytes + census->handlers[i].offset, name, strlen(name)) == 0)
            return true;
    return false;
}

static void print_roster(const struct fw_picked *picked, const struct trn_fw_census *census)
{
    const struct roster roster = compare(picked, census);
    if (!roster.is_known) {
        printf("  roster      not derivable: %s\n",
               census->num_handlers ? "no list for this image" : "the image names no handler");
        return;
    }
    const struct trn_gen *const gen = gen_of(picked, census);
    const int engine = engine_of(picked);
    printf("  roster      %zu of %zu names of %s %s, %zu others\n", roster.found, roster.expected,
           gen->name, trn_engine_name(engine), roster.unknown);
    for (size_t i = 0; i < roster.expected; i++)
        if (!is_logged(picked, census, trn_fw_roster_name(gen, engine, i)))
            printf("    missing   %s\n", trn_fw_roster_name(gen, engine, i));
    for (size_t i = 0; i < census->num_handlers; i++) {
        const char *const name = (const char *)picked->image->bytes + census->handlers[i].offset;
        if (!trn_fw_roster_has(gen, engine, name, census->handlers[i].size))
            printf("    other     %.*s\n", (int)census->handlers[i].size, name);
    }
}

/* ---- text ------------------------------------------------------------------------- */

enum { WIDTH = 100, INDENT = 4 };

static void print_handlers(const struct fw_picked *picked, const struct trn_fw_census *census)
{
    size_t column = 0;
    for (size_t i = 0; i < census->num_handlers; i++) {
        const struct trn_fw_text *const name = &census->handlers[i];
        if (column + name->size + 1 > WIDTH) {
            putchar('\n');
            column = 0;
        }
        if (column == 0)
            column = (size_t)printf("%*s", INDENT, "");
        fw_print_text(picked->image->bytes + name->offset, name->size);
        putchar(' ');
        column += name->size + 1;
    }
    if (column)
        putchar('\n');
}

static void print_modules(const struct fw_picked *picked, const struct trn_fw_census *census)
{
    printf("  modules     %zu: %zu with a path, %zu bare\n", census->num_modules, with_path(census),
           census->num_modules - with_path(census));
    for (size_t i = 0; i < census->num_modules; i++) {
        const struct trn_fw_module *const module = &census->modules[i];
        const uint8_t *const bytes = picked->image->bytes;
        printf("    ");
        fw_print_text(bytes + module->name.offset, module->name.size);
        printf("%*s %zu full, %zu bare  ",
               module->name.size < 24 ? (int)(24 - module->name.size) : 0, "", module->full,
               module->bare);
        /* The directory says which tree it is of; the name stands in front. */
        if (module->path.size > module->name.size)
            fw_print_text(bytes + module->path.offset, module->path.size - module->name.size);
        putchar('\n');
    }
}

static void print_tokens(const struct trn_fw_census *census)
{
    for (size_t i = 0; i < census->num_tokens; i++) {
        const struct trn_fw_token_hits *const hits = &census->tokens[i];
        if (hits->raw == 0)
            continue;
        printf("    %-9s %-34s %4zu as it counts, %4zu anywhere", trn_fw_token_set_name(hits->set),
               hits->token, hits->whole, hits->raw);
        if (hits->whole)
            printf(", first at 0x%zx", hits->first);
        putchar('\n');
    }
}

static void print_generation(const struct trn_fw_census *census)
{
    printf("  generation  %s", census->gen ? census->gen->name : "-");
    if (census->sunda_tree)
        printf("; source paths of sunda");
    putchar('\n');
}

void fw_strings_print(const struct fw_picked *picked, const struct trn_fw_census *census)
{
    printf("%s: %zu strings\n", picked->name, census->strings);
    printf("  log lines   S: %zu (%zu behind glue), P%%i: %zu, dispatch %zu", census->log_lines,
           census->glued, census->pool_logs, census->dispatch_logs);
    if (census->dispatch_logs)
        printf(" at 0x%zx", census->dispatch_at);
    printf(", identity %zu\n", census->identity_logs);
    print_generation(census);
    printf("  handlers    %zu%s\n", census->num_handlers,
           census->cut ? " kept, there are more" : "");
    print_handlers(picked, census);
    print_roster(picked, census);
    print_modules(picked, census);
    printf("  tokens      %zu compute names, %zu of the absence scan; in the text at all:\n",
           present(census, TRN_FW_COMPUTE), present(census, TRN_FW_ABSENCE));
    print_tokens(census);
}

/* ---- JSON ------------------------------------------------------------------------- */

static json_t *modules_json(const uint8_t *bytes, const struct trn_fw_census *census)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < census->num_modules; i++) {
        const struct trn_fw_module *const module = &census->modules[i];
        json_array_append_new(
            list, json_pack("{so sI sI so}", "name",
                            fw_bytes_json(bytes + module->name.offset, module->name.size), "full",
                            (json_int_t)module->full, "bare", (json_int_t)module->bare, "path",
                            module->path.size
                                ? fw_bytes_json(bytes + module->path.offset, module->path.size)
                                : json_null()));
    }
    return list;
}

static json_t *tokens_json(const struct trn_fw_census *census)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < census->num_tokens; i++) {
        const struct trn_fw_token_hits *const hits = &census->tokens[i];
        json_array_append_new(
            list, json_pack("{ss ss sI sI so}", "token", hits->token, "set",
                            trn_fw_token_set_name(hits->set), "count", (json_int_t)hits->whole,
                            "raw", (json_int_t)hits->raw, "first",
                            hits->whole ? fw_hex_json(hits->first) : json_null()));
    }
    return list;
}

static json_t *roster_json(const struct fw_picked *picked, const struct trn_fw_census *census)
{
    const struct roster roster = compare(picked, census);
    if (!roster.is_known)
        return json_null();
    return json_pack("{sI sI sI}", "expected", (json_int_t)roster.expected, "found",
                     (json_int_t)roster.found, "others", (json_int_t)roster.unknown);
}

json_t *fw_strings_json(const struct fw_picked *picked, const struct trn_fw_census *census)
{
    const uint8_t *const bytes = picked->image->bytes;
    json_t *const object = fw_picked_json(picked), *const handlers = json_array();
    for (size_t i = 0; i < census->num_handlers; i++)
        json_array_append_new(
            handlers, fw_bytes_json(bytes + census->handlers[i].offset, census->handlers[i].size));
    json_t *const counts =
        json_pack("{sI sI sI sI sI sI}", "strings", (json_int_t)census->strings, "log_lines",
                  (json_int_t)census->log_lines, "glued", (json_int_t)census->glued, "pool_logs",
                  (json_int_t)census->pool_logs, "dispatch_logs", (json_int_t)census->dispatch_logs,
                  "identity_logs", (json_int_t)census->identity_logs);
    json_object_update_new(object, counts);
    json_object_set_new(object, "dispatch_at",
                        census->dispatch_logs ? fw_hex_json(census->dispatch_at) : json_null());
    json_object_set_new(object, "gen", census->gen ? json_string(census->gen->name) : json_null());
    json_object_set_new(object, "sunda_tree", json_boolean(census->sunda_tree));
    json_object_set_new(object, "cut", json_boolean(census->cut));
    json_object_set_new(object, "handlers", handlers);
    json_object_set_new(object, "roster", roster_json(picked, census));
    json_object_set_new(object, "modules", modules_json(bytes, census));
    json_object_set_new(object, "tokens", tokens_json(census));
    return object;
}
