/* SPDX-License-Identifier: Apache-2.0 */
/* trench explain: what the manual says about a name or a number. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/explain_text.h"
#include "trench/device.h"
#include "trench/manual.h"

/* More entries of one kind than this are listed, not printed page by page. */
enum { PAGES_OF_A_KIND = 3, NEAR_NAMES = 6 };

struct options {
    const char *query;
    const struct trn_gen *gen;
    bool json;
};

static const struct argp_option argp_options[] = {
    {"gen", 'g', "GEN", 0, "only what exists on this generation, as it is there", 0},
    {"json", 'j', NULL, 0, "one JSON document (schema trench.explain/1)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'g':
        options->gen = cli_gen(arg);
        if (!options->gen)
            exit(CLI_USAGE);
        return 0;
    case 'j':
        options->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->query)
            exit(cli_usage_error("explain takes one name or number; '%s' is a second one", arg));
        options->query = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        exit(cli_usage_error("explain needs a name or a number: an opcode, struct, field, enum, "
                             "register, rule, ..."));
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    argp_options,
    parse,
    "NAME|0xNN",
    "Print what the hardware manual says about a name or a number: opcodes, structs, fields, "
    "enums, "
    "data types, ALU operators, registers, apertures, notification records, errors, rules, model "
    "choices, generation members, and subjects: cptc, mx, sparse, converter_table, pe_modes, pci, "
    "...\v"
    "Fields are STRUCT.FIELD or the bare name, registers BLOCK.NAME. Exit status 1 when nothing "
    "has "
    "that name; near names are suggested.",
    NULL,
    NULL,
    NULL};

/* ---- JSON ------------------------------------------------------------------------- */

static json_t *list_to_json(const char *items)
{
    json_t *array = json_array();
    while (*items) {
        const size_t length = strcspn(items, " ");
        json_array_append_new(array, json_stringn(items, length));
        items += length + (items[length] == ' ');
    }
    return array;
}

static json_t *per_isa_to_json(const int16_t per_isa[4])
{
    static const char *const names[] = {"sunda", "cayman", "mariana", "maverick"};
    json_t *object = json_object();
    for (unsigned isa = 0; isa < 4; isa++)
        json_object_set_new(object, names[isa],
                            per_isa[isa] < 0 ? json_null() : json_integer(per_isa[isa]));
    return object;
}

static json_t *value_to_json(const struct trn_manual_value *value)
{
    switch (value->type) {
    case TRN_MANUAL_TEXT:
        return json_string(value->text);
    case TRN_MANUAL_LIST:
        return list_to_json(value->text);
    case TRN_MANUAL_NUMBER:
        return json_integer(value->number);
    case TRN_MANUAL_HEX:
        return json_sprintf("0x%0*" PRIx64, (int)value->digits, (uint64_t)value->number);
    case TRN_MANUAL_BOOL:
        return json_boolean(value->number != 0);
    case TRN_MANUAL_PER_ISA:
        return per_isa_to_json(value->per_isa);
    case TRN_MANUAL_NOTHING:
        break;
    }
    return json_null();
}

static json_t *table_to_json(const struct trn_manual_table *table)
{
    json_t *rows = json_array();
    for (size_t r = 0; r < table->num_rows; r++) {
        json_t *row = json_object();
        for (size_t c = 0; c < table->num_columns; c++)
            json_object_set_new(row, table->columns[c].key,
                                value_to_json(&table->cells[r * table->num_columns + c]));
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *page_to_json(const struct trn_manual_page *page)
{
    json_t *object = json_object();
    json_object_set_new(object, "kind", json_string(trn_manual_kind_name(page->kind)));
    json_object_set_new(object, "name", json_string(page->name));
    json_object_set_new(object, "summary", json_string(page->summary));
    for (size_t i = 0; i < page->num_facts; i++)
        json_object_set_new(object, page->facts[i].key, value_to_json(&page->facts[i].value));
    for (size_t i = 0; i < page->num_tables; i++)
        json_object_set_new(object, page->tables[i].key, table_to_json(&page->tables[i]));
    return object;
}

static json_t *document(const struct options *options, struct trn_manual_page *const *pages,
                        size_t count)
{
    json_t *results = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(results, page_to_json(pages[i]));
    json_t *root = json_object();
    json_object_set_new(root, "schema", json_string("trench.explain/1"));
    json_object_set_new(root, "query", json_string(options->query));
    json_object_set_new(root, "gen", options->gen ? json_string(options->gen->name) : json_null());
    json_object_set_new(root, "results", results);
    return root;
}

/* ---- text ------------------------------------------------------------------------- */

/* Fields and enum members of one name are many and short: a table says more than pages. */
static bool is_overview(enum trn_manual_kind kind, size_t count)
{
    const bool is_short = kind == TRN_MANUAL_FIELD || kind == TRN_MANUAL_MEMBER;
    return count > (is_short ? 1 : PAGES_OF_A_KIND);
}

static void print_text(struct trn_manual_page *const *pages, size_t count)
{
    for (size_t first = 0; first < count;) {
        size_t last = first + 1;
        while (last < count && pages[last]->kind == pages[first]->kind)
            last++;
        if (first)
            putchar('\n');
        if (is_overview(pages[first]->kind, last - first)) {
            explain_print_overview(trn_manual_kind_name(pages[first]->kind), pages + first,
                                   last - first);
            first = last;
        } else {
            explain_print_page(pages[first++]);
        }
    }
}

/* ---- nothing found ---------------------------------------------------------------- */

static void print_generations(unsigned mask)
{
    const char *separator = "";
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        if (mask >> g & 1) {
            fprintf(stderr, "%s%s", separator, trn_gen_at(g)->name);
            separator = ", ";
        }
}

/* The name exists, on other generations: say which. */
static bool say_elsewhere(const struct options *options)
{
    struct trn_manual_ref ref;
    if (!options->gen || trn_manual_find(options->query, NULL, &ref, 1) == 0)
        return false;
    fprintf(stderr, "trench: error: '%s' is not on %s; it is on ", options->query,
            options->gen->name);
    print_generations(trn_manual_generations(ref));
    fputc('\n', stderr);
    return true;
}

static int nothing_found(const struct options *options)
{
    char names[NEAR_NAMES][TRN_MANUAL_NAME_MAX];
    const size_t near = trn_manual_near(options->query, options->gen, names, NEAR_NAMES);
    if (options->json) {
        json_t *root = document(options, NULL, 0);
        json_t *list = json_array();
        for (size_t i = 0; i < near; i++)
            json_array_append_new(list, json_string(names[i]));
        json_object_set_new(root, "near", list);
        cli_print_json(root);
    }
    if (say_elsewhere(options))
        return CLI_DOES_NOT_HOLD;
    fprintf(stderr, "trench: error: nothing in the manual is called '%s'", options->query);
    for (size_t i = 0; i < near; i++)
        fprintf(stderr, "%s'%s'", i ? ", " : "; near names: ", names[i]);
    fputc('\n', stderr);
    return CLI_DOES_NOT_HOLD;
}

/* ---- command ---------------------------------------------------------------------- */

static trn_status make_pages(const struct options *options, const struct trn_manual_ref *hits,
                             struct trn_manual_page **pages, size_t count, struct trn_diag *diag)
{
    trn_status status = TRN_OK;
    for (size_t i = 0; i < count && status == TRN_OK; i++)
        status = trn_manual_page(hits[i], options->gen, trn_opcode_modelled, &pages[i], diag);
    return status;
}

static int explain(const struct options *options, size_t count)
{
    struct trn_diag diag = {0};
    struct trn_manual_ref *hits = calloc(count, sizeof *hits);
    struct trn_manual_page **pages = calloc(count, sizeof(struct trn_manual_page *));
    trn_status status = TRN_ERR_NO_MEMORY;
    if (hits && pages) {
        trn_manual_find(options->query, options->gen, hits, count);
        status = make_pages(options, hits, pages, count, &diag);
    }
    if (status != TRN_OK)
        cli_usage_error("%s", *diag.message ? diag.message : "out of memory");
    else if (options->json)
        cli_print_json(document(options, pages, count));
    else
        print_text(pages, count);
    for (size_t i = 0; pages && i < count; i++)
        trn_manual_free(pages[i]);
    free(pages);
    free(hits);
    return status == TRN_OK ? CLI_OK : CLI_USAGE;
}

int cmd_explain(int argc, char **argv)
{
    struct options options = {0};
    const int error = cli_parse(&argp, argc, argv, &options);
    if (error)
        return error < 0 ? CLI_OK : error;
    const size_t count = trn_manual_find(options.query, options.gen, NULL, 0);
    return count ? explain(&options, count) : nothing_found(&options);
}
