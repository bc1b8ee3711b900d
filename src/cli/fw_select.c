/* SPDX-License-Identifier: Apache-2.0 */
/* trench fw select: which image, hardware-decode table or library the host's runtime takes
 * (docs/hardware/firmware-images.md 11). */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/fw_pick.h"
#include "cli/ucode_env.h"
#include "trench/fw_data.h"
#include "trench/isa.h"

enum {
    OPT_CORE = 256,
    OPT_ARCH,
    OPT_REGION,
    OPT_FLAVOR,
    OPT_PROF,
    OPT_LIBRARY,
    OPT_OPCODES,
    OPT_ENV,
    OPT_JSON
};

enum what { WHAT_IMAGE, WHAT_PROF, WHAT_LIBRARY, WHAT_OPCODES, WHATS };

struct options {
    bool json, has_core, has_arch;
    enum what what;
    unsigned core, arch, region, flavor, kind, library;
    size_t num_opcodes;
    struct trn_fw_opset opset;
    struct trn_fw_env env;
    const char *file;
};

static const struct argp_option argp_options[] = {
    {"coretype", OPT_CORE, "N", 0, "row of the host's core-type table, 0 to 37", 0},
    {"arch-id", OPT_ARCH, "N", 0, "the management core's image of this arch_id", 0},
    {"region", OPT_REGION, "NAME", 0, "IRAM (default), DRAM, SRAM or EXTRAM of its memory image",
     0},
    {"flavor", OPT_FLAVOR, "KEY", 0,
     "1 PERF, 2 DEBUG, 3 TEST, 17 to 19 DKL of these; 0 (default) asks the environment", 0},
    {"hwdecode", OPT_PROF, "KIND", 0, "its hardware-decode table: cam or table", 0},
    {"library", OPT_LIBRARY, "N", 0, "its EXTISA library", 0},
    {"opcodes", OPT_OPCODES, "LIST", 0, "the libraries for these opcodes: 0xe4,0x7e or 0xf0/7", 0},
    {"env", OPT_ENV, "NAME=VALUE", 0,
     "environment of the runtime; that of this program is not read", 0},
    {"json", OPT_JSON, NULL, 0, "one JSON document (schema trench.fw.select/1)", 0},
    {0},
};

static bool number(const char *text, unsigned limit, unsigned *out)
{
    char *end;
    errno = 0;
    const unsigned long value = strtoul(text, &end, 0);
    *out = (unsigned)value;
    return isdigit((unsigned char)*text) && *end == '\0' && errno == 0 && value <= limit;
}

static void read_number(const char *option, const char *text, unsigned limit, unsigned *out)
{
    if (!number(text, limit, out))
        exit(cli_usage_error("--%s '%s' is not a number from 0 to %u", option, text, limit));
}

static void read_region(struct options *options, const char *text)
{
    for (unsigned region = 0; region <= TRN_FW_EXTRAM; region++) {
        if (strcasecmp(text, trn_fw_region_name((enum trn_fw_region)region)) == 0) {
            options->region = region;
            return;
        }
    }
    if (!number(text, UINT16_MAX, &options->region))
        exit(cli_usage_error("--region '%s': IRAM, DRAM, SRAM, EXTRAM or a number", text));
}

static void read_kind(struct options *options, const char *text)
{
    options->what = WHAT_PROF;
    if (strcasecmp(text, "cam") == 0 || strcasecmp(text, "table") == 0)
        options->kind = strcasecmp(text, "table") == 0;
    else if (!number(text, UINT16_MAX, &options->kind))
        exit(cli_usage_error("--hwdecode '%s': cam, table or a number", text));
}

/* One word an opcode: byte 0, and byte 12 where a specialisation is given. */
static void read_opcodes(struct options *options, char *text)
{
    enum { SPEC_BYTE = 12 };
    char *rest = NULL;
    options->what = WHAT_OPCODES;
    for (char *item = strtok_r(text, ",", &rest); item; item = strtok_r(NULL, ",", &rest)) {
        uint8_t word[64] = {0};
        unsigned opcode, spec = 0;
        char *const slash = strchr(item, '/');
        if (slash)
            *slash = '\0';
        if (!number(item, 255, &opcode) || (slash && !number(slash + 1, 255, &spec)))
            exit(cli_usage_error("--opcodes: '%s' is no opcode from 0 to 0xff", item));
        word[0] = (uint8_t)opcode;
        word[SPEC_BYTE] = (uint8_t)spec;
        trn_fw_opset_add(&options->opset, word);
    }
    options->num_opcodes = trn_fw_opset_opcodes(&options->opset);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *const options = state->input;
    switch (key) {
    case OPT_CORE:
        options->has_core = true;
        read_number("coretype", arg, UINT16_MAX, &options->core);
        return 0;
    case OPT_ARCH:
        options->has_arch = true;
        read_number("arch-id", arg, UINT16_MAX, &options->arch);
        return 0;
    case OPT_REGION:
        read_region(options, arg);
        return 0;
    case OPT_FLAVOR:
        read_number("flavor", arg, UINT16_MAX, &options->flavor);
        return 0;
    case OPT_PROF:
        read_kind(options, arg);
        return 0;
    case OPT_LIBRARY:
        options->what = WHAT_LIBRARY;
        read_number("library", arg, UINT16_MAX, &options->library);
        return 0;
    case OPT_OPCODES:
        read_opcodes(options, arg);
        return 0;
    case OPT_ENV:
        if (ucode_env_add(&options->env, arg, UCODE_ENV_IMAGE))
            exit(CLI_USAGE);
        return 0;
    case OPT_JSON:
        options->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->file)
            exit(cli_usage_error("fw select takes one file, '%s' is a second one", arg));
        options->file = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    argp_options,
    parse,
    "[FILE]",
    "Answer as the host's resolvers do: the memory image of a core type, its hardware-decode "
    "table, "
    "an EXTISA library, or the library for a set of opcodes. With FILE the image is looked up in "
    "that container. Without --coretype the core-type table is printed; --arch-id asks for the "
    "management core's image.\v"
    "The result is the resolver's own code: 0 selected, 1 no such core, 2 no such flavour, region "
    "or kind, 3 no getter, 8 a flag that was removed. Exit status: 0 selected, 1 the resolver "
    "refuses, or FILE has no such image, 2 usage or bad input.",
    NULL,
    NULL,
    NULL};

/* ---- the table -------------------------------------------------------------------- */

static void print_slots(void)
{
    struct trn_fw_slot slot;
    printf("%-4s %-9s %-13s %-9s %-4s %-9s %s\n", "type", "core", "generation", "images of", "prof",
           "libraries", "flavours");
    for (unsigned i = 0; trn_fw_slot(i, &slot); i++) {
        char images[16];
        snprintf(images, sizeof images, "%s_%s", trn_fw_class_name(slot.core),
                 trn_engine_name(slot.engine));
        for (char *at = images; *at; at++)
            *at = (char)toupper((unsigned char)*at);
        printf("%-4u %-9s %-13s %-9s %-4s %-9u", i, slot.core_type, slot.gen->name, images,
               slot.has_prof ? "yes" : "-", slot.num_libraries);
        for (unsigned f = 0; f < slot.num_flavors; f++)
            printf(" %u", slot.flavors[f]);
        puts(slot.num_flavors ? "" : " - (removed)");
    }
}

static json_t *slots_json(void)
{
    struct trn_fw_slot slot;
    json_t *const list = json_array();
    for (unsigned i = 0; trn_fw_slot(i, &slot); i++) {
        json_t *const flavors = json_array();
        for (unsigned f = 0; f < slot.num_flavors; f++)
            json_array_append_new(flavors, json_integer(slot.flavors[f]));
        json_array_append_new(list, json_pack("{sI ss ss ss ss sb sI so}", "coretype",
                                              (json_int_t)i, "core", slot.core_type, "gen",
                                              slot.gen->name, "class", trn_fw_class_name(slot.core),
                                              "engine", trn_engine_name(slot.engine), "prof",
                                              (int)slot.has_prof, "libraries",
                                              (json_int_t)slot.num_libraries, "flavors", flavors));
    }
    return list;
}

/* ---- one answer ------------------------------------------------------------------- */

struct selection {
    enum trn_fw_select_code code;
    bool has_name, has_library;
    struct trn_fw_name name;
    unsigned library;
};

static struct selection select_one(const struct options *options)
{
    struct selection out = {0};
    size_t num = 0;
    switch (options->what) {
    case WHAT_PROF:
        out.code = trn_fw_select_prof(options->core, options->kind, &out.name);
        break;
    case WHAT_LIBRARY:
        out.code = trn_fw_select_library(options->core, options->flavor, options->library,
                                         &options->env, &out.name);
        break;
    case WHAT_OPCODES:
        out.code = trn_fw_libraries_for(options->core, options->num_opcodes, &options->env,
                                        &out.library, &num);
        out.has_library = num > 0;
        if (out.has_library)
            out.code =
                trn_fw_select_library(options->core, 1, out.library, &options->env, &out.name);
        break;
    default:
        out.code = trn_fw_select_image(options->core, options->region, options->flavor,
                                       &options->env, &out.name);
    }
    out.has_name =
        out.code == TRN_FW_SELECTED && (options->what != WHAT_OPCODES || out.has_library);
    return out;
}

static const char *meaning(enum trn_fw_select_code code)
{
    switch (code) {
    case TRN_FW_SELECTED:
        return "selected";
    case TRN_FW_SELECT_NO_CORE:
        return "no such core type, or none with libraries";
    case TRN_FW_SELECT_NO_FLAVOR:
        return "no such flavour, region or kind";
    case TRN_FW_SELECT_NO_GETTER:
        return "no getter in that place";
    case TRN_FW_SELECT_NO_PLACE:
        return "no place for the answer";
    case TRN_FW_SELECT_REMOVED:
        return "NRTUCODE_MPLUS_ON_MARIANA is removed, use NEURON_RT_DBG_V4_PLUS";
    }
    return "-";
}

/* The image of that name, cursors too; NULL: the container has none. */
static const struct trn_fw_image *look_up(const struct trn_fw *fw, const char *name)
{
    const struct trn_fw_image *image;
    char other[TRN_FW_NAME_MAX];
    for (size_t i = 0; (image = trn_fw_image(fw, i)) != NULL; i++) {
        if (!image->is_named)
            continue;
        trn_fw_name_print(&image->name, other);
        if (strcmp(other, name) == 0)
            return image;
    }
    return NULL;
}

static void print_selection(const struct options *options, const struct selection *selection,
                            const char *name, const struct trn_fw_image *image)
{
    printf("%d %s\n", (int)selection->code, meaning(selection->code));
    if (selection->has_library)
        printf("  library  EXTISA_%u, for %zu opcodes (their values do not matter)\n",
               selection->library, options->num_opcodes);
    if (selection->has_name)
        printf("  image    %s\n", name);
    if (image)
        printf("  place    offset 0x%llx, size 0x%llx%s\n", (unsigned long long)image->offset,
               (unsigned long long)image->size, image->is_cursor ? " (cursor)" : "");
    else if (selection->has_name && options->file)
        printf("  place    not in this file\n");
}

static json_t *selection_json(const struct selection *selection, const char *name,
                              const struct trn_fw_image *image)
{
    return json_pack("{ss sI ss so so so}", "schema", "trench.fw.select/1", "code",
                     (json_int_t)selection->code, "meaning", meaning(selection->code), "library",
                     selection->has_library ? json_integer((json_int_t)selection->library)
                                            : json_null(),
                     "image", selection->has_name ? json_string(name) : json_null(), "place",
                     image ? fw_image_json(image) : json_null());
}

static int answer(const struct options *options)
{
    const struct selection selection = select_one(options);
    char name[TRN_FW_NAME_MAX] = "";
    struct trn_fw *fw = NULL;
    if (options->file && !(fw = fw_open(options->file)))
        return CLI_USAGE;
    if (selection.has_name)
        trn_fw_name_print(&selection.name, name);
    const struct trn_fw_image *const image = fw && selection.has_name ? look_up(fw, name) : NULL;
    if (options->json)
        cli_print_json(selection_json(&selection, name, image));
    else
        print_selection(options, &selection, name, image);
    const bool is_missing = fw && selection.has_name && !image;
    trn_fw_close(fw);
    return selection.code == TRN_FW_SELECTED && !is_missing ? CLI_OK : CLI_DOES_NOT_HOLD;
}

/* 15: a resolver of its own library, which knows no core types. */
static int answer_management(const struct options *options)
{
    const char *image;
    const enum trn_fw_select_code code = trn_fw_select_management(options->arch, &image);
    const char *const said = image ? "selected" : "no image of this arch_id";
    if (options->json)
        cli_print_json(json_pack("{ss sI ss ss?}", "schema", "trench.fw.select/1", "code",
                                 (json_int_t)code, "meaning", said, "management", image));
    else
        printf("%d %s\n", (int)code, said);
    if (!options->json && image)
        printf("  image    %s_ncfw_iram_bin, %s_ncfw_dram_bin\n", image, image);
    return code == TRN_FW_SELECTED ? CLI_OK : CLI_DOES_NOT_HOLD;
}

int fw_select(int argc, char **argv)
{
    struct options options = {0};
    const int status = cli_parse(&argp, argc, argv, &options);
    if (status)
        return status;
    if (options.has_arch)
        return options.has_core || options.what != WHAT_IMAGE || options.file
                   ? cli_usage_error("--arch-id stands alone: the management core has no core type")
                   : answer_management(&options);
    if (options.has_core)
        return answer(&options);
    if (options.what != WHAT_IMAGE || options.file)
        return cli_usage_error("fw select needs --coretype N");
    if (options.json)
        cli_print_json(json_pack("{ss so}", "schema", "trench.fw.select/1", "slots", slots_json()));
    else
        print_slots();
    return CLI_OK;
}
