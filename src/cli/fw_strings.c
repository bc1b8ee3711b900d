/* SPDX-License-Identifier: Apache-2.0 */
/* trench fw strings: the observability census (docs/hardware/firmware-images.md 9, 10). */
#include <stdlib.h>

#include "cli/fw_strings.h"
#include "cli/progress.h"

enum { OPT_SELECT = 256, OPT_LIST, OPT_COMMON, OPT_DETAIL, OPT_JSON };

struct options {
    const char *glob;
    bool list, common, detail, json;
    const char **paths;
    size_t num_paths;
};

static const struct argp_option argp_options[] = {
    {"select", OPT_SELECT, "GLOB", 0, "only images whose symbol or name matches", 0},
    {"detail", OPT_DETAIL, NULL, 0, "handlers, modules and tokens of each image, not a line each",
     0},
    {"list", OPT_LIST, NULL, 0, "every string with its offset in the image", 0},
    {"common", OPT_COMMON, NULL, 0, "strings that all images share, and each one's own", 0},
    {"json", OPT_JSON, NULL, 0, "one JSON document (schema trench.fw.strings/1)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *const options = state->input;
    switch (key) {
    case OPT_SELECT:
        options->glob = arg;
        return 0;
    case OPT_LIST:
        options->list = true;
        return 0;
    case OPT_COMMON:
        options->common = true;
        return 0;
    case OPT_DETAIL:
        options->detail = true;
        return 0;
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
    "Census of the strings of firmware images: runs of three printable bytes or more that a NUL "
    "ends. Counts sequencer log lines (S:), handlers that name themselves in one, pool log lines "
    "(P%i:), dispatch log lines (disp), source files (files), names of operations (comp) and "
    "tokens of the absence scan (abs). Of a container the data segments are taken, or what "
    "--select says; one image is shown in detail.\v"
    "A name counts as a whole word: `Cast` in bad_cast is C++ type information. Exit status: 0 "
    "counted, 1 no such image, 2 usage or bad input.",
    NULL,
    NULL,
    NULL};

static bool is_data(const struct trn_fw_image *image)
{
    return trn_fw_kind_of(image->bytes, image->size) == TRN_FW_KIND_DATA;
}

/* ---- --list ----------------------------------------------------------------------- */

static void list_strings(const struct fw_pick *pick)
{
    for (size_t i = 0; i < pick->count; i++) {
        const struct trn_fw_image *const image = pick->images[i].image;
        struct trn_fw_text text;
        if (pick->count > 1)
            printf("%s:\n", pick->images[i].name);
        for (size_t at = 0; trn_fw_next_string(image->bytes, image->size, &at, &text);) {
            printf("0x%-8zx ", text.offset);
            fw_print_text(image->bytes + text.offset, text.size);
            putchar('\n');
        }
    }
}

static json_t *list_json(const struct fw_pick *pick)
{
    json_t *const images = json_array();
    for (size_t i = 0; i < pick->count; i++) {
        const struct trn_fw_image *const image = pick->images[i].image;
        json_t *const object = fw_picked_json(&pick->images[i]), *const texts = json_array();
        struct trn_fw_text text;
        for (size_t at = 0; trn_fw_next_string(image->bytes, image->size, &at, &text);)
            json_array_append_new(texts,
                                  json_pack("{so so}", "offset", fw_hex_json(text.offset), "text",
                                            fw_bytes_json(image->bytes + text.offset, text.size)));
        json_object_set_new(object, "list", texts);
        json_array_append_new(images, object);
    }
    return images;
}

/* ---- --common --------------------------------------------------------------------- */

static void common_text(const struct fw_pick *pick, const struct trn_fw_common *common)
{
    printf("%zu strings are common to all %zu images\n", common->common, pick->count);
    for (size_t i = 0; i < pick->count; i++) {
        printf("  %-46s %5zu of its own", pick->images[i].name, common->unique[i]);
        if (common->unique[i]) {
            printf(", one is:\n    ");
            fw_print_text(pick->images[i].image->bytes + common->one[i].offset,
                          common->one[i].size);
        }
        putchar('\n');
    }
}

static json_t *common_json(const struct fw_pick *pick, const struct trn_fw_common *common)
{
    json_t *const images = json_array();
    for (size_t i = 0; i < pick->count; i++) {
        json_t *const object = fw_picked_json(&pick->images[i]);
        json_object_set_new(object, "unique", json_integer((json_int_t)common->unique[i]));
        json_object_set_new(
            object, "one",
            common->unique[i] ? fw_bytes_json(pick->images[i].image->bytes + common->one[i].offset,
                                              common->one[i].size)
                              : json_null());
        json_array_append_new(images, object);
    }
    return json_pack("{ss sI so}", "schema", "trench.fw.strings/1", "common",
                     (json_int_t)common->common, "images", images);
}

static int compare(const struct fw_pick *pick, bool json)
{
    struct trn_diag diag = {0};
    struct trn_fw_common common;
    struct trn_fw_span *const spans = calloc(pick->count, sizeof *spans);
    if (!spans)
        return cli_usage_error("out of memory");
    for (size_t i = 0; i < pick->count; i++)
        spans[i] = (struct trn_fw_span){pick->images[i].image->bytes, pick->images[i].image->size};
    const trn_status status = trn_fw_strings_common(spans, pick->count, &common, &diag);
    free(spans);
    if (status != TRN_OK)
        cli_print_diag(&diag);
    else if (json)
        cli_print_json(common_json(pick, &common));
    else
        common_text(pick, &common);
    trn_fw_common_free(&common);
    return status == TRN_OK ? CLI_OK : CLI_USAGE;
}

/* ---- census ----------------------------------------------------------------------- */

static int census(const struct fw_pick *pick, const struct options *options)
{
    json_t *const images = json_array();
    const bool detail = options->detail || pick->count == 1;
    struct cli_progress progress;
    cli_progress_start(&progress, "strings", pick->count, !options->json);
    if (!options->json && !detail)
        fw_strings_print_row(NULL, NULL);
    for (size_t i = 0; i < pick->count; i++, cli_progress(&progress, 1)) {
        const struct trn_fw_image *const image = pick->images[i].image;
        struct trn_fw_census census;
        if (trn_fw_census_take(image->bytes, image->size, &census) != TRN_OK) {
            cli_progress_clear(&progress);
            trn_fw_census_free(&census);
            json_decref(images);
            return cli_usage_error("out of memory");
        }
        if (options->json)
            json_array_append_new(images, fw_strings_json(&pick->images[i], &census));
        else if (detail)
            fw_strings_print(&pick->images[i], &census);
        else
            fw_strings_print_row(&pick->images[i], &census);
        trn_fw_census_free(&census);
    }
    cli_progress_clear(&progress);
    if (options->json)
        cli_print_json(json_pack("{ss sO}", "schema", "trench.fw.strings/1", "images", images));
    json_decref(images);
    return CLI_OK;
}

static int run(const struct fw_pick *pick, const struct options *options)
{
    if (options->common)
        return compare(pick, options->json);
    if (!options->list)
        return census(pick, options);
    if (options->json)
        cli_print_json(
            json_pack("{ss so}", "schema", "trench.fw.strings/1", "images", list_json(pick)));
    else
        list_strings(pick);
    return CLI_OK;
}

int fw_strings(int argc, char **argv)
{
    struct options options = {0};
    int status = cli_parse(&argp, argc, argv, &options);
    if (status)
        return status;
    if (options.num_paths == 0)
        return cli_usage_error("fw strings needs a file");
    if (options.list + options.common + options.detail > 1)
        return cli_usage_error("--list, --common and --detail are different answers; ask for one");
    struct fw_pick pick;
    status = fw_pick_open(options.paths, options.num_paths, options.glob, is_data, &pick);
    if (status == CLI_OK)
        status = run(&pick, &options);
    fw_pick_close(&pick);
    return status;
}
