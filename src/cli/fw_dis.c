/* SPDX-License-Identifier: Apache-2.0 */
/* trench fw dis: a linear listing of the code of images (docs/hardware/xtensa-subset.md 7). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fw_code.h"

enum { OPT_START = 256, OPT_STOP, OPT_SECTION, BYTES_A_LINE = 8 };

struct options {
    struct fw_code_options code;
    uint32_t start, stop;
    const char *section;
    json_t *images; /* NULL: text */
    size_t shown;
};

static const struct argp_option argp_options[] = {
    {"start", OPT_START, "ADDRESS", 0, "list from here (the sweep starts at the first byte)", 0},
    {"stop", OPT_STOP, "ADDRESS", 0, "list up to here", 0},
    {"section", OPT_SECTION, "NAME", 0, "only this section of an object", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *const options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->code;
        return 0;
    case OPT_START:
        options->start = fw_code_number("--start", arg);
        return 0;
    case OPT_STOP:
        options->stop = fw_code_number("--stop", arg);
        return 0;
    case OPT_SECTION:
        options->section = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&fw_code_argp, 0, NULL, 0}, {0}};

static const struct argp argp = {
    argp_options,
    parse,
    "FILE...",
    "List the code of firmware images by a linear sweep: the scalar instructions of the documented "
    "subset in the syntax of binutils; FLIX bundles by their format and length.\v"
    "A word that an l32r reaches is data (.literal); bytes that cannot be an instruction are "
    "passed "
    "over up to the next label or function entry (.byte). `<?` marks an instruction that is not "
    "believed, with the reason. JSON schema: trench.fw.dis/1. Exit status: 0 listed, 1 no code "
    "found, 2 usage or bad input.",
    children,
    NULL,
    NULL};

/* ---- text ------------------------------------------------------------------------- */

static void print_bytes(const uint8_t *bytes, size_t count, char out[4 * BYTES_A_LINE])
{
    *out = '\0';
    for (size_t i = 0; i < count && i < BYTES_A_LINE; i++)
        snprintf(out + 3 * i, 4, "%02x ", bytes[i]);
}

static void text_of(const struct trn_xtensa_item *item, char *out, size_t room)
{
    char insn[TRN_XTENSA_TEXT_MAX];
    if (item->kind == TRN_XTENSA_ITEM_LITERAL) {
        snprintf(out, room, ".literal 0x%08" PRIx32, item->insn.word);
    } else if (item->kind == TRN_XTENSA_ITEM_RAW) {
        snprintf(out, room, "%" PRIu32 " byte%s passed over", item->size,
                 item->size == 1 ? "" : "s");
    } else {
        trn_xtensa_print(&item->insn, insn);
        snprintf(out, room, "%s", insn);
    }
}

static void print_item(const struct trn_xtensa_code *code, const struct trn_xtensa_item *item)
{
    char bytes[4 * BYTES_A_LINE], text[128];
    const uint8_t *const at = code->bytes + (item->address - code->base);
    text_of(item, text, sizeof text);
    print_bytes(at, item->size, bytes);
    printf("%8" PRIx32 ":%c %-24s %s%s", item->address, item->is_label ? '*' : ' ', bytes, text,
           item->is_pending ? "  (unrelocated)" : "");
    if (item->doubt != TRN_XTENSA_SURE)
        printf("  <? %s", trn_xtensa_doubt_text(item->doubt));
    putchar('\n');
    for (uint32_t done = BYTES_A_LINE; done < item->size; done += BYTES_A_LINE) {
        print_bytes(at + done, item->size - done, bytes);
        printf("%8s   %s\n", "", bytes);
    }
}

static void print_stats(const struct trn_xtensa_stats *stats)
{
    printf("  %" PRIu64 " instructions, %" PRIu64 " bundles, %" PRIu64
           " outside the subset, %" PRIu64 " literals\n  %" PRIu64 " desyncs (%" PRIu64
           " bytes passed over), %" PRIu64 " not believed, %" PRIu64 " unrelocated\n",
           stats->instructions, stats->bundles, stats->outside, stats->literals, stats->desyncs,
           stats->raw_bytes, stats->suspects, stats->pending);
}

/* ---- JSON ------------------------------------------------------------------------- */

static json_t *item_json(const struct trn_xtensa_code *code, const struct trn_xtensa_item *item)
{
    static const char *const kinds[TRN_XTENSA_KINDS] = {"instruction", "bundle", "outside",
                                                        "illegal", "truncated"};
    static const char *const others[TRN_XTENSA_ITEMS] = {"", "literal", "raw"};
    char text[128], bytes[3 * 64 + 1] = "";
    const uint8_t *const at = code->bytes + (item->address - code->base);
    text_of(item, text, sizeof text);
    for (uint32_t i = 0; i < item->size && i < 64; i++)
        snprintf(bytes + 3 * (size_t)i, 4, i + 1 < item->size ? "%02x " : "%02x", at[i]);
    const char *const kind =
        item->kind == TRN_XTENSA_ITEM_CODE ? kinds[item->insn.kind] : others[item->kind];
    return json_pack("{so ss ss ss sb sb ss}", "address", fw_hex_json(item->address), "bytes",
                     bytes, "kind", kind, "text", text, "label", item->is_label, "unrelocated",
                     item->is_pending, "doubt", trn_xtensa_doubt_text(item->doubt));
}

static json_t *stats_json(const struct trn_xtensa_stats *stats)
{
    return json_pack("{sI sI sI sI sI sI sI sI}", "instructions", (json_int_t)stats->instructions,
                     "bundles", (json_int_t)stats->bundles, "outside", (json_int_t)stats->outside,
                     "literals", (json_int_t)stats->literals, "desyncs", (json_int_t)stats->desyncs,
                     "raw_bytes", (json_int_t)stats->raw_bytes, "suspects",
                     (json_int_t)stats->suspects, "unrelocated", (json_int_t)stats->pending);
}

/* ---- all of them ------------------------------------------------------------------ */

static int list(const struct options *options, const struct trn_xtensa_code *code, json_t *section)
{
    struct trn_diag diag = {0};
    struct trn_xtensa_sweep *sweep;
    struct trn_xtensa_item item;
    json_t *const items = json_array();
    if (trn_xtensa_sweep_create(code, &sweep, &diag) != TRN_OK) {
        json_decref(items);
        cli_print_diag(&diag);
        return CLI_USAGE;
    }
    while (trn_xtensa_sweep_next(sweep, &item)) {
        if (item.address < options->start || item.address >= options->stop)
            continue;
        if (section)
            json_array_append_new(items, item_json(code, &item));
        else
            print_item(code, &item);
    }
    if (section) {
        json_object_set_new(section, "items", json_incref(items));
        json_object_set_new(section, "sweep", stats_json(trn_xtensa_sweep_stats(sweep)));
    } else {
        print_stats(trn_xtensa_sweep_stats(sweep));
    }
    json_decref(items);
    trn_xtensa_sweep_destroy(sweep);
    return CLI_OK;
}

static int list_sections(struct options *options, const struct trn_fw_image *image,
                         const struct trn_fw_code *code, json_t *sections)
{
    struct trn_xtensa_code section;
    const char *name;
    char title[256];
    int status = CLI_OK;
    fw_short_name(image, title, sizeof title);
    for (size_t i = 0;
         status == CLI_OK && fw_code_section(code, i, &options->code, &section, &name); i++) {
        if (options->section && strcmp(options->section, name) != 0)
            continue;
        json_t *object = NULL;
        options->shown++;
        if (sections) {
            object = json_pack("{ss so so}", "section", name, "base", fw_hex_json(section.base),
                               "size", fw_hex_json(section.size));
            json_array_append_new(sections, object);
        } else {
            printf("%s%s%s: 0x%zx bytes at 0x%" PRIx32 "\n", title, *name ? " " : "", name,
                   section.size, section.base);
        }
        status = list(options, &section, object);
    }
    return status;
}

static int visit(void *context, struct trn_fw *fw, const struct trn_fw_image *image)
{
    struct options *const options = context;
    json_t *sections = NULL;
    (void)fw;
    if (!fw_code_holds_code(image))
        return CLI_OK;
    struct trn_fw_code *const code = fw_code_open(image);
    if (!code)
        return CLI_USAGE;
    if (options->images) {
        json_t *const object = fw_code_image_json(image);
        sections = json_array();
        json_object_set_new(object, "unrelocated",
                            json_integer((json_int_t)trn_fw_code_pending(code)));
        json_object_set_new(object, "sections", sections);
        json_array_append_new(options->images, object);
    }
    const int status = list_sections(options, image, code, sections);
    trn_fw_code_close(code);
    return status;
}

int fw_dis(int argc, char **argv)
{
    struct options options = {.code = {.core = -1}, .stop = UINT32_MAX};
    int status = cli_parse(&argp, argc, argv, &options);
    if (status)
        return status;
    if (options.start >= options.stop)
        return cli_usage_error("--start 0x%" PRIx32 " lies behind --stop 0x%" PRIx32, options.start,
                               options.stop);
    if (options.code.json)
        options.images = json_array();
    status = fw_code_each(&options.code, visit, &options);
    if (status == CLI_OK && options.shown == 0) {
        if (options.section)
            fprintf(stderr, "trench: error: no code in a section '%s'\n", options.section);
        else
            fputs("trench: error: no code image in there\n", stderr);
        status = CLI_DOES_NOT_HOLD;
    }
    if (options.images && status != CLI_USAGE)
        cli_print_json(json_pack("{ss so}", "schema", "trench.fw.dis/1", "images", options.images));
    else
        json_decref(options.images);
    return status;
}
