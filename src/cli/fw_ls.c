/* SPDX-License-Identifier: Apache-2.0 */
/* trench fw ls: inventory of containers (docs/cli-contract.md, "fw"). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fw_ls.h"
#include "cli/sha256.h"

enum { OPT_SELECT = 256, OPT_HASH, OPT_SECTIONS, OPT_SEGMENTS, OPT_SYMBOLS, OPT_MEMBERS, OPT_JSON };

struct options {
    struct fw_ls ls;
    const char **paths;
    size_t num_paths;
};

static const struct argp_option argp_options[] = {
    {"select", OPT_SELECT, "GLOB", 0, "only images whose symbol or name matches", 0},
    {"hash", OPT_HASH, NULL, 0, "SHA-256 of every image, and whether the catalogue knows it", 0},
    {"members", OPT_MEMBERS, NULL, 0, "the members of an archive, as `ar t` lists them", 0},
    {"sections", OPT_SECTIONS, NULL, 0, "section headers, of members too", 0},
    {"segments", OPT_SEGMENTS, NULL, 0, "segment headers", 0},
    {"symbols", OPT_SYMBOLS, NULL, 0, "symbols, of members too", 0},
    {"json", OPT_JSON, NULL, 0, "one JSON document (schema trench.fw.ls/1)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *const options = state->input;
    struct fw_ls *const ls = &options->ls;
    switch (key) {
    case OPT_SELECT:
        ls->glob = arg;
        return 0;
    case OPT_HASH:
        ls->hash = true;
        return 0;
    case OPT_MEMBERS:
        ls->members = true;
        return 0;
    case OPT_SECTIONS:
        ls->sections = true;
        return 0;
    case OPT_SEGMENTS:
        ls->segments = true;
        return 0;
    case OPT_SYMBOLS:
        ls->symbols = true;
        return 0;
    case OPT_JSON:
        ls->json = true;
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
    "List the images of firmware containers: what the getters of an ELF shared object return, the "
    "members of an ar archive (thin ones too), Xtensa objects inside, or the file itself.\v"
    "A cursor is a getter of size 0: it points at the place where the next image starts. What an "
    "image is (code, data, prof cam, ...) comes from its bytes, its name from the symbol. With "
    "--hash "
    "an image is known (size and hash of a row of the catalogue), differs (the size of a row, "
    "another hash), no reference (nobody recorded the hash of that row) or unknown. Exit status: 0 "
    "listed, 1 nothing matches --select, 2 usage or bad input.",
    NULL,
    NULL,
    NULL};

/* Hash, verdict and the row of the catalogue behind it. */
static void print_hash(const struct trn_fw_image *image)
{
    uint8_t hash[TRN_FW_SHA256];
    char text[SHA256_TEXT];
    const struct trn_fw_known *row;
    if (trn_fw_sha256(image->bytes, image->size, hash, NULL) != TRN_OK)
        return;
    sha256_text(hash, text);
    const enum trn_fw_verdict verdict = trn_fw_identify(image, hash, &row);
    printf("%20s sha256 %s\n%20s %s%s%s\n", "", text, "", trn_fw_verdict_name(verdict),
           row ? ": " : "", row ? row->symbol : "");
}

/* ---- text ------------------------------------------------------------------------- */

/* The symbol of a getter, the name of a member without "img_" and "_contents.c.o". */
static void print_name(const struct trn_fw_image *image)
{
    enum { ROOM = 67 }; /* of 100 columns */
    char name[256];
    size_t length;
    const char *const base = trn_fw_name_base(image->symbol, &length);
    const bool is_member = image->source == TRN_FW_BY_MEMBER;
    snprintf(name, sizeof name, "%.*s", is_member && length < 255 ? (int)length : 255,
             is_member ? base : image->symbol);
    fw_plain(name);
    if (strlen(name) <= ROOM)
        puts(name);
    else
        printf("%.*s...\n", ROOM - 3, name);
}

static void print_image(const struct trn_fw *fw, const struct trn_fw_image *image,
                        const struct fw_ls *ls)
{
    char offset[24], size[24];
    const enum trn_fw_kind what = trn_fw_image_kind(fw, image);
    printf("%-10s %-9s %-11s ", fw_hex(image->offset, offset), fw_hex(image->size, size),
           image->is_cursor ? "cursor" : trn_fw_kind_name(what));
    print_name(image);
    if (ls->hash && !image->is_cursor)
        print_hash(image);
}

static size_t print_images(const struct trn_fw *fw, const struct fw_ls *ls)
{
    const struct trn_fw_image *image;
    size_t shown = 0;
    for (size_t i = 0; (image = trn_fw_image(fw, i)) != NULL; i++) {
        if (!fw_selected(image, ls->glob))
            continue;
        if (shown++ == 0)
            printf("%-10s %-9s %-11s %s\n", "offset", "size", "what", "symbol");
        print_image(fw, image, ls);
    }
    return shown;
}

static int list_text(const struct trn_fw *fw, const struct fw_ls *ls, size_t *shown)
{
    char what[128];
    size_t size;
    trn_fw_bytes(fw, &size);
    trn_fw_describe(fw, what, sizeof what);
    printf("%s: %s, %zu bytes\n", trn_fw_path(fw), what, size);
    struct trn_diag diag = {0};
    if (fw_ls_print_headers(fw, ls, &diag) != TRN_OK) {
        cli_print_diag(&diag);
        return CLI_USAGE;
    }
    *shown += print_images(fw, ls);
    fw_ls_print_totals(fw, ls);
    const char *note;
    for (size_t i = 0; (note = trn_fw_note(fw, i)) != NULL; i++) {
        fputs("  note: ", stdout);
        fw_put_plain(note);
        putchar('\n');
    }
    return CLI_OK;
}

/* ---- JSON ------------------------------------------------------------------------- */

static json_t *image_json(const struct trn_fw_image *image, const struct fw_ls *ls)
{
    uint8_t hash[TRN_FW_SHA256];
    json_t *const object = fw_image_json(image);
    if (ls->hash && trn_fw_sha256(image->bytes, image->size, hash, NULL) == TRN_OK)
        fw_hash_json(object, image, hash);
    return object;
}

static int list_json(const struct trn_fw *fw, const struct fw_ls *ls, json_t *files, size_t *shown)
{
    char what[128];
    size_t size;
    trn_fw_bytes(fw, &size);
    trn_fw_describe(fw, what, sizeof what);
    json_t *const images = json_array(), *const notes = json_array();
    json_t *const file = json_pack("{ss ss ss sI so so so}", "path", trn_fw_path(fw), "form",
                                   trn_fw_form_name(trn_fw_form_of(fw)), "description", what,
                                   "size", (json_int_t)size, "images", images, "notes", notes,
                                   "totals", fw_ls_totals_json(fw, ls));
    json_array_append_new(files, file);
    const struct trn_fw_image *image;
    for (size_t i = 0; (image = trn_fw_image(fw, i)) != NULL; i++)
        if (fw_selected(image, ls->glob)) {
            json_array_append_new(images, image_json(image, ls));
            (*shown)++;
        }
    const char *note;
    for (size_t i = 0; (note = trn_fw_note(fw, i)) != NULL; i++)
        json_array_append_new(notes, fw_text_json(note));
    struct trn_diag diag = {0};
    if (fw_ls_headers_json(fw, ls, file, &diag) == TRN_OK)
        return CLI_OK;
    cli_print_diag(&diag);
    return CLI_USAGE;
}

/* ---- all of them ------------------------------------------------------------------ */

static int list(const struct options *options, json_t *files)
{
    size_t shown = 0;
    for (size_t i = 0; i < options->num_paths; i++) {
        struct trn_fw *const fw = fw_open(options->paths[i]);
        if (!fw)
            return CLI_USAGE;
        if (i && !files)
            putchar('\n');
        const int status = files ? list_json(fw, &options->ls, files, &shown)
                                 : list_text(fw, &options->ls, &shown);
        trn_fw_close(fw);
        if (status != CLI_OK)
            return status;
    }
    if (shown || !options->ls.glob)
        return CLI_OK;
    fprintf(stderr, "trench: error: no image matches '%s'\n", options->ls.glob);
    return CLI_DOES_NOT_HOLD;
}

int fw_ls(int argc, char **argv)
{
    struct options options = {0};
    int status = cli_parse(&argp, argc, argv, &options);
    if (status)
        return status;
    if (options.num_paths == 0)
        return cli_usage_error("fw ls needs a file");
    if (!options.ls.json)
        return list(&options, NULL);
    json_t *const files = json_array();
    status = list(&options, files);
    if (status == CLI_USAGE)
        json_decref(files);
    else
        cli_print_json(json_pack("{ss so}", "schema", "trench.fw.ls/1", "files", files));
    return status;
}
