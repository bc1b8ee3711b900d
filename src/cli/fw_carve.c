/* SPDX-License-Identifier: Apache-2.0 */
/* trench fw carve: every image of a container as a file, with a manifest. */
#include <stdlib.h>
#include <string.h>

#include "cli/carve_dir.h"
#include "cli/fw_code.h"

enum { OPT_SELECT = 256, OPT_JSON };

struct options {
    const char *path, *glob, *out;
    bool json;
};

static const struct argp_option argp_options[] = {
    {"output", 'o', "DIR", 0, "new directory for the files (required)", 0},
    {"select", OPT_SELECT, "GLOB", 0, "only images whose symbol or name matches", 0},
    {"json", OPT_JSON, NULL, 0, "print the manifest too (schema trench.fw.carve/1)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *const options = state->input;
    switch (key) {
    case 'o':
        options->out = arg;
        return 0;
    case OPT_SELECT:
        options->glob = arg;
        return 0;
    case OPT_JSON:
        options->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->path)
            exit(cli_usage_error("fw carve takes one file; '%s' is a second one", arg));
        options->path = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    argp_options,
    parse,
    "FILE -o DIR",
    "Write each image of a container to a file of its own, and manifest.json, which says what each "
    "is, where it came from and its SHA-256.\v"
    "DIR must not exist: it appears whole or not at all. Files are called after the images; "
    "characters that could lead out of DIR become '_', a name that comes twice gets a number. "
    "Cursors (size 0) are in the manifest and have no file. Exit status: 0 carved, 1 nothing "
    "matches --select, 2 usage or bad input.",
    NULL,
    NULL,
    NULL};

static const char *ending_of(const struct trn_fw_image *image)
{
    switch (trn_fw_kind_of(image->bytes, image->size)) {
    case TRN_FW_KIND_XTENSA_ELF:
    case TRN_FW_KIND_ELF:
        return ".elf";
    case TRN_FW_KIND_JSON:
        return ".json";
    default:
        return ".bin";
    }
}

static trn_status carve_image(struct carve_dir *dir, const struct trn_fw_image *image,
                              json_t *images)
{
    uint8_t hash[TRN_FW_SHA256];
    trn_status status = trn_fw_sha256(image->bytes, image->size, hash, dir->diag);
    if (status != TRN_OK)
        return status;
    json_t *const object = fw_image_json(image);
    json_array_append_new(images, object);
    fw_hash_json(object, image, hash);
    json_object_set_new(object, "unrelocated", json_integer((json_int_t)fw_code_warn(image)));
    json_object_set_new(object, "carved", json_null());
    if (image->size == 0)
        return TRN_OK;
    size_t length;
    char name[CARVE_NAME_MAX];
    const char *const base = trn_fw_name_base(image->symbol, &length);
    status = carve_file(dir, base, length, ending_of(image), image->bytes, image->size, name);
    if (status == TRN_OK)
        json_object_set_new(object, "carved", json_string(name));
    return status;
}

static trn_status write_manifest(struct carve_dir *dir, const json_t *manifest)
{
    char *const text = json_dumps(manifest, JSON_INDENT(1));
    if (!text)
        return trn_diag_set(dir->diag, TRN_ERR_NO_MEMORY, NULL, NULL, NULL, "out of memory");
    const trn_status status = carve_manifest(dir, text);
    free(text);
    return status;
}

static trn_status carve_all(const struct trn_fw *fw, const char *glob, struct carve_dir *dir,
                            json_t *manifest)
{
    json_t *const images = json_object_get(manifest, "images");
    const struct trn_fw_image *image;
    for (size_t i = 0; (image = trn_fw_image(fw, i)) != NULL; i++) {
        const trn_status status =
            fw_selected(image, glob) ? carve_image(dir, image, images) : TRN_OK;
        if (status != TRN_OK)
            return status;
    }
    return write_manifest(dir, manifest);
}

static size_t count_selected(const struct trn_fw *fw, const char *glob, size_t *cursors)
{
    const struct trn_fw_image *image;
    size_t images = 0;
    *cursors = 0;
    for (size_t i = 0; (image = trn_fw_image(fw, i)) != NULL; i++) {
        images += fw_selected(image, glob) && image->size != 0;
        *cursors += fw_selected(image, glob) && image->size == 0;
    }
    return images;
}

static int carve(const struct trn_fw *fw, const struct options *options, json_t *manifest)
{
    size_t cursors;
    const size_t images = count_selected(fw, options->glob, &cursors);
    if (images + cursors == 0) {
        fprintf(stderr, "trench: %s: error: no image %s%s\n", trn_fw_path(fw),
                options->glob ? "matches " : "is in there", options->glob ? options->glob : "");
        return CLI_DOES_NOT_HOLD;
    }
    struct trn_diag diag = {0};
    struct carve_dir dir;
    trn_status status = carve_open(options->out, &dir, &diag);
    if (status == TRN_OK) {
        status = carve_all(fw, options->glob, &dir, manifest);
        if (status == TRN_OK)
            status = carve_finish(&dir);
        else
            carve_abandon(&dir);
    }
    if (status != TRN_OK) {
        cli_print_diag(&diag);
        return CLI_USAGE;
    }
    if (!options->json)
        printf("%s: %zu images carved into %s, %zu cursors\n", trn_fw_path(fw), images,
               options->out, cursors);
    return CLI_OK;
}

int fw_carve(int argc, char **argv)
{
    struct options options = {0};
    int status = cli_parse(&argp, argc, argv, &options);
    if (status)
        return status;
    if (!options.path || !options.out)
        return cli_usage_error("fw carve needs a file, and -o with a new directory");
    struct trn_fw *const fw = fw_open(options.path);
    if (!fw)
        return CLI_USAGE;
    json_t *const manifest =
        json_pack("{ss ss ss so}", "schema", "trench.fw.carve/1", "path", options.path, "form",
                  trn_fw_form_name(trn_fw_form_of(fw)), "images", json_array());
    status = carve(fw, &options, manifest);
    if (status == CLI_OK && options.json)
        cli_print_json(json_incref(manifest));
    json_decref(manifest);
    trn_fw_close(fw);
    return status;
}
