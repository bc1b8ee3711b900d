/* SPDX-License-Identifier: Apache-2.0 */
/* trench fw kernels: kernel information tables (docs/hardware/firmware-images.md 13.3). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/fw_kernels.h"
#include "trench/isa.h"

enum { OPT_SELECT = 256, OPT_FIND, OPT_SCAN, OPT_OFFSET, OPT_COUNT, OPT_JSON };

struct options {
    const char *glob;
    bool json, find, has_count;
    struct fw_kernel_query query;
    struct trn_fw_kernel_place place;
    const char **paths;
    size_t num_paths;
};

static const struct argp_option argp_options[] = {
    {"select", OPT_SELECT, "GLOB", 0, "only images whose symbol or name matches", 0},
    {"find-opcode", OPT_FIND, "OP[/SPEC]", 0, "which libraries have a kernel for this opcode", 0},
    {"scan", OPT_SCAN, NULL, 0, "find tables by their shape, whatever sections and symbols say", 0},
    {"offset", OPT_OFFSET, "BYTES", 0, "read a table here, with --count", 0},
    {"count", OPT_COUNT, "N", 0, "entries of the table at --offset", 0},
    {"json", OPT_JSON, NULL, 0, "one JSON document (schema trench.fw.kernels/1)", 0},
    {0},
};

static bool number(const char *text, unsigned long long limit, unsigned long long *out)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 0);
    return *text >= '0' && *text <= '9' && end != text && *end == '\0' && errno == 0 &&
           *out <= limit;
}

static bool parse_opcode(const char *text, struct fw_kernel_query *out)
{
    unsigned long long value;
    if (number(text, 255, &value)) {
        out->opcode = (unsigned)value;
        return true;
    }
    for (out->opcode = 0; out->opcode < 256; out->opcode++) {
        const char *const name = trn_opcode_name((uint8_t)out->opcode);
        if (name && strcasecmp(name, text) == 0)
            return true;
    }
    return false;
}

/* "0xe4", "228", "0xf0/7" or the name of an opcode; exits with a message. */
static void parse_query(const char *text, struct fw_kernel_query *out)
{
    unsigned long long value = 0;
    char opcode[64];
    const char *const slash = strchr(text, '/');
    const size_t length = slash ? (size_t)(slash - text) : strlen(text);
    snprintf(opcode, sizeof opcode, "%.*s", (int)(length < sizeof opcode ? length : sizeof opcode),
             text);
    if (!parse_opcode(opcode, out))
        exit(cli_usage_error("--find-opcode '%s': '%s' is no opcode; one is 0 to 0xff, or its name",
                             text, opcode));
    if (slash && !number(slash + 1, 255, &value))
        exit(cli_usage_error("--find-opcode '%s': '%s' is no spec; one is 0 to 255", text,
                             slash + 1));
    out->spec = slash ? (int)value : -1;
}

static error_t parse_place(struct options *options, int key, const char *arg)
{
    unsigned long long value;
    if (!number(arg, key == OPT_COUNT ? TRN_FW_KERNELS_MAX : SIZE_MAX, &value))
        exit(cli_usage_error("--%s '%s' is no number in range",
                             key == OPT_COUNT ? "count" : "offset", arg));
    if (key == OPT_COUNT) {
        options->place.count = (size_t)value;
        options->has_count = true;
    } else {
        options->place.offset = (size_t)value;
        options->place.has_offset = true;
    }
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *const options = state->input;
    switch (key) {
    case OPT_SELECT:
        options->glob = arg;
        return 0;
    case OPT_FIND:
        options->find = true;
        parse_query(arg, &options->query);
        return 0;
    case OPT_SCAN:
        options->place.scan_only = true;
        return 0;
    case OPT_OFFSET:
    case OPT_COUNT:
        return parse_place(options, key, arg);
    case OPT_JSON:
        options->json = true;
        return 0;
    case ARGP_KEY_ARGS:
        options->paths = (const char **)state->argv + state->next;
        options->num_paths = (size_t)(state->argc - state->next);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    argp_options,
    parse,
    "FILE...",
    "Kernel information tables of Xtensa objects (EXTISA libraries) in a container or of an image: "
    "8 bytes an entry, key and function. A table is found by the section or the symbol "
    "kernel_info_table, else by the shape of its entries. Entries are checked and named from "
    "data/kernel-info.csv. The JSON text beside a library is held against its table.\v"
    "--find-opcode 0xe4 prints each entry of that opcode, and for an opcode with two meanings "
    "which leg has a kernel. Exit status: 0 tables are sound (found, with --find-opcode), 1 an "
    "entry or the JSON text is broken, or nothing was found, 2 usage or bad input.",
    NULL,
    NULL,
    NULL};

static bool is_library(const struct trn_fw_image *image)
{
    return trn_fw_kind_of(image->bytes, image->size) == TRN_FW_KIND_XTENSA_ELF;
}

/* ---- answers ---------------------------------------------------------------------- */

struct answer {
    const struct options *options;
    const struct fw_pick *pick;
    json_t *list; /* NULL: text */
    size_t tables, hits;
    unsigned libraries; /* that have the opcode asked for */
    bool broken;
};

static void show_hit(struct answer *answer, const struct fw_picked *picked,
                     const struct trn_fw_kernel_table *table, const struct trn_fw_kernel *kernel)
{
    const struct trn_fw_image *const image = picked->image;
    answer->hits++;
    if (image->is_named && image->name.region == TRN_FW_EXTISA_SO)
        answer->libraries |= 1U << image->name.library;
    else if (table->by_keys)
        answer->libraries |= 1U << table->library;
    if (answer->list) {
        json_t *const object = fw_picked_json(picked);
        json_object_update_new(object, fw_kernel_json(picked, table, kernel));
        json_array_append_new(answer->list, object);
        return;
    }
    const char *const name = fw_kernels_name(picked, table, kernel);
    printf("%s: index %zu, spec %u, function 0x%08x\n    %.90s\n", picked->name,
           (size_t)(kernel - table->entries), kernel->spec, kernel->func_va, name ? name : "-");
}

static void search(struct answer *answer, const struct fw_picked *picked,
                   const struct trn_fw_kernel_table *table)
{
    const struct fw_kernel_query *const query = &answer->options->query;
    for (size_t i = 0; i < table->count; i++)
        if (table->entries[i].opcode == query->opcode &&
            (query->spec < 0 || table->entries[i].spec == (unsigned)query->spec))
            show_hit(answer, picked, table, &table->entries[i]);
}

static void show(struct answer *answer, const struct fw_picked *picked,
                 const struct trn_fw_kernel_table *table)
{
    answer->tables++;
    answer->broken |= (table->flaws & TRN_FW_KERNEL_ERRORS) != 0 || table->odd_size;
    if (answer->options->find) {
        search(answer, picked, table);
        return;
    }
    struct fw_sidecar sidecar;
    fw_sidecar_read(answer->pick, picked, table, &sidecar);
    answer->broken |= sidecar.is_broken;
    if (answer->list)
        json_array_append_new(answer->list, fw_kernels_json(picked, table, &sidecar));
    else
        fw_kernels_print(picked, table, &sidecar);
    fw_sidecar_free(&sidecar);
}

static int show_image(struct answer *answer, const struct fw_picked *picked)
{
    const struct trn_fw_image *const image = picked->image;
    struct trn_diag diag = {0};
    struct trn_fw_kernels kernels;
    const trn_status status = trn_fw_kernels_find(image->bytes, image->size,
                                                  picked->is_alone ? picked->path : picked->name,
                                                  &answer->options->place, &kernels, &diag);
    if (status != TRN_OK)
        cli_print_diag(&diag);
    for (size_t i = 0; status == TRN_OK && i < kernels.count; i++)
        show(answer, picked, &kernels.tables[i]);
    trn_fw_kernels_free(&kernels);
    return status == TRN_OK ? CLI_OK : CLI_USAGE;
}

static void finish_json(const struct answer *answer)
{
    const struct options *const options = answer->options;
    if (!options->find) {
        cli_print_json(
            json_pack("{ss sO}", "schema", "trench.fw.kernels/1", "tables", answer->list));
        return;
    }
    cli_print_json(
        json_pack("{ss so so sI sO so}", "schema", "trench.fw.kernels/1", "opcode",
                  fw_hex_json(options->query.opcode), "spec",
                  options->query.spec < 0 ? json_null() : json_integer(options->query.spec),
                  "tables_searched", (json_int_t)answer->tables, "found", answer->list, "legs",
                  fw_kernels_legs_json(&options->query, answer->libraries)));
}

static void finish_text(const struct answer *answer)
{
    const struct options *const options = answer->options;
    if (!options->find) {
        if (answer->tables == 0)
            puts("no kernel table");
        return;
    }
    const char *const name = trn_opcode_name((uint8_t)options->query.opcode);
    printf("0x%02x %s: %zu entries in %zu tables\n", options->query.opcode, name ? name : "-",
           answer->hits, answer->tables);
    fw_kernels_print_legs(&options->query, answer->libraries);
}

static int run(const struct fw_pick *pick, const struct options *options)
{
    struct answer answer = {
        .options = options, .pick = pick, .list = options->json ? json_array() : NULL};
    int status = CLI_OK;
    for (size_t i = 0; status == CLI_OK && i < pick->count; i++)
        status = show_image(&answer, &pick->images[i]);
    if (status == CLI_OK) {
        if (answer.list)
            finish_json(&answer);
        else
            finish_text(&answer);
        if (answer.tables == 0 || (options->find ? answer.hits == 0 : answer.broken))
            status = CLI_DOES_NOT_HOLD;
    }
    json_decref(answer.list);
    return status;
}

int fw_kernels(int argc, char **argv)
{
    struct options options = {0};
    int status = cli_parse(&argp, argc, argv, &options);
    if (status)
        return status;
    if (options.num_paths == 0)
        return cli_usage_error("fw kernels needs a file");
    if (options.place.has_offset != options.has_count)
        return cli_usage_error("--offset and --count go together");
    if (options.place.has_offset && options.place.scan_only)
        return cli_usage_error("--scan looks for tables, --offset names one; give one of them");
    struct fw_pick pick;
    status = fw_pick_open(options.paths, options.num_paths, options.glob, is_library, &pick);
    if (status == CLI_OK)
        status = run(&pick, &options);
    fw_pick_close(&pick);
    return status;
}
