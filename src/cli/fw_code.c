/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/fw_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_SELECT = 256, OPT_CORE, OPT_BASE, OPT_LABEL, OPT_JSON };

static const struct argp_option argp_options[] = {
    {"select", OPT_SELECT, "GLOB", 0, "only images whose symbol or name matches", 0},
    {"core", OPT_CORE, "CORE", 0, "whose length rule holds: vision or scalar (NCFW)", 0},
    {"base", OPT_BASE, "ADDRESS", 0, "address of the first byte of a flat image", 0},
    {"label", OPT_LABEL, "ADDRESS", 0, "an instruction starts here for certain; may be repeated",
     0},
    {"json", OPT_JSON, NULL, 0, "one JSON document", 0},
    {0},
};

uint32_t fw_code_number(const char *option, const char *text)
{
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 0);
    if (end == text || *end || errno || *text == '-' || value > UINT32_MAX)
        exit(cli_usage_error("%s takes an address of 32 bits, not '%s'", option, text));
    return (uint32_t)value;
}

static int core_number(const char *text)
{
    for (int core = 0; core < TRN_XTENSA_CORES; core++)
        if (strcmp(trn_xtensa_core_name((enum trn_xtensa_core)core), text) == 0)
            return core;
    exit(cli_usage_error("--core is vision or scalar, not '%s'", text));
}

static int by_address(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void add_label(struct fw_code_options *options, const char *text)
{
    if (options->num_labels == FW_LABELS_MAX)
        exit(cli_usage_error("at most %d labels", FW_LABELS_MAX));
    options->label[options->num_labels++] = fw_code_number("--label", text);
    qsort(options->label, options->num_labels, sizeof options->label[0], by_address);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct fw_code_options *const options = state->input;
    switch (key) {
    case OPT_SELECT:
        options->glob = arg;
        return 0;
    case OPT_CORE:
        options->core = core_number(arg);
        return 0;
    case OPT_BASE:
        options->base = fw_code_number("--base", arg);
        options->has_base = true;
        return 0;
    case OPT_LABEL:
        add_label(options, arg);
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

const struct argp fw_code_argp = {argp_options, parse, NULL, NULL, NULL, NULL, NULL};

/* ---- images ----------------------------------------------------------------------- */

static bool is_big_endian(const struct trn_fw_image *image)
{
    return trn_fw_kind_of(image->bytes, image->size) == TRN_FW_KIND_BIG_ENDIAN;
}

static int each_image(struct trn_fw *fw, const struct fw_code_options *options,
                      fw_code_visit *visit, void *context, size_t *seen)
{
    const struct trn_fw_image *image;
    int worst = CLI_OK;
    for (size_t i = 0; (image = trn_fw_image(fw, i)) != NULL && worst != CLI_USAGE; i++) {
        if (image->is_cursor || !fw_selected(image, options->glob))
            continue;
        (*seen)++;
        if (image->source == TRN_FW_WHOLE_FILE && is_big_endian(image))
            return cli_usage_error("%s: big-endian Xtensa code; little-endian images are read",
                                   trn_fw_path(fw));
        const int status = visit(context, fw, image);
        worst = status > worst ? status : worst;
    }
    return worst;
}

int fw_code_each(const struct fw_code_options *options, fw_code_visit *visit, void *context)
{
    size_t seen = 0;
    int worst = CLI_OK;
    if (options->num_paths == 0)
        return cli_usage_error("a file is needed");
    for (size_t i = 0; i < options->num_paths && worst != CLI_USAGE; i++) {
        struct trn_fw *const fw = fw_open(options->paths[i]);
        if (!fw)
            return CLI_USAGE;
        const int status = each_image(fw, options, visit, context, &seen);
        worst = status > worst ? status : worst;
        trn_fw_close(fw);
    }
    if (worst == CLI_OK && seen == 0 && options->glob) {
        fprintf(stderr, "trench: error: no image matches '%s'\n", options->glob);
        return CLI_DOES_NOT_HOLD;
    }
    return worst;
}

void fw_code_name(const struct trn_fw_image *image, char *out, size_t room)
{
    static const char longer[] = "DYNAMIC_KERNEL_LOAD";
    char name[256];
    fw_short_name(image, name, sizeof name);
    const char *const found = strstr(name, longer);
    if (image->is_named && found)
        snprintf(out, room, "%.*sDKL%s", (int)(found - name), name, found + sizeof longer - 1);
    else
        snprintf(out, room, "%s", name);
}

bool fw_code_holds_code(const struct trn_fw_image *image)
{
    switch (trn_fw_kind_of(image->bytes, image->size)) {
    case TRN_FW_KIND_CODE:
    case TRN_FW_KIND_EXTRAM:
    case TRN_FW_KIND_XTENSA_ELF:
        return true;
    case TRN_FW_KIND_OTHER:
        return !image->is_named || image->name.region == TRN_FW_IRAM ||
               image->name.region == TRN_FW_SRAM || image->name.region == TRN_FW_EXTRAM;
    default:
        return false;
    }
}

const struct trn_fw_image *fw_code_data_of(const struct trn_fw *fw,
                                           const struct trn_fw_image *image)
{
    const struct trn_fw_image *other;
    for (size_t i = 0; image->is_named && (other = trn_fw_image(fw, i)) != NULL; i++)
        if (other->is_named && !other->is_cursor && other->name.region == TRN_FW_DRAM &&
            other->name.gen == image->name.gen && other->name.core == image->name.core &&
            other->name.engine == image->name.engine && other->name.flavor == image->name.flavor)
            return other;
    return NULL;
}

json_t *fw_code_image_json(const struct trn_fw_image *image)
{
    char name[256];
    json_t *const object = fw_image_json(image);
    fw_short_name(image, name, sizeof name);
    json_object_set_new(object, "image", json_string(name));
    return object;
}

/* ---- code ------------------------------------------------------------------------- */

static void warn_unrelocated(const struct trn_fw_image *image, size_t pending)
{
    fprintf(stderr,
            "trench: warning: %s is unrelocated: %zu instructions wait for a relocation "
            "(R_XTENSA_SLOT0_OP) and have no meaning before it\n",
            image->symbol, pending);
}

size_t fw_code_pending(const struct trn_fw_image *image)
{
    struct trn_fw_code *code;
    if (trn_fw_kind_of(image->bytes, image->size) != TRN_FW_KIND_XTENSA_ELF ||
        trn_fw_code_open(image, &code, NULL) != TRN_OK)
        return 0;
    const size_t pending = trn_fw_code_pending(code);
    trn_fw_code_close(code);
    return pending;
}

size_t fw_code_warn(const struct trn_fw_image *image)
{
    const size_t pending = fw_code_pending(image);
    if (pending)
        warn_unrelocated(image, pending);
    return pending;
}

struct trn_fw_code *fw_code_open(const struct trn_fw_image *image)
{
    struct trn_diag diag = {0};
    struct trn_fw_code *code;
    if (trn_fw_code_open(image, &code, &diag) != TRN_OK) {
        cli_print_diag(&diag);
        return NULL;
    }
    const size_t pending = trn_fw_code_pending(code);
    if (pending)
        warn_unrelocated(image, pending);
    return code;
}

bool fw_code_section(const struct trn_fw_code *code, size_t index,
                     const struct fw_code_options *options, struct trn_xtensa_code *out,
                     const char **name)
{
    const struct trn_xtensa_code *const section = trn_fw_code_section(code, index, name);
    if (!section)
        return false;
    *out = *section;
    if (options->core >= 0)
        out->core = (enum trn_xtensa_core)options->core;
    if (options->has_base && **name == '\0') {
        out->base = options->base;
        out->num_labels = 0;
    }
    if (options->num_labels) {
        out->label = options->label;
        out->num_labels = options->num_labels;
    }
    return true;
}
