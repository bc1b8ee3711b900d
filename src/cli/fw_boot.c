/* SPDX-License-Identifier: Apache-2.0 */
/* trench fw boot: reset path of code images, head of data images
 * (docs/hardware/firmware-images.md 6). */
#include <inttypes.h>
#include <string.h>

#include "cli/fw_code.h"

enum { MATCHES = 512, FIRST_LOOK = 4, DETAILED = 4 };

struct boot {
    struct fw_code_options code;
    bool detailed;
    size_t shown;
    json_t *images; /* NULL: text */
};

enum { OPT_LONG = 256 };

static const struct argp_option argp_options[] = {
    {"long", OPT_LONG, NULL, 0, "every instruction of the reset path, however many images", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct boot *const boot = state->input;
    (void)arg;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &boot->code;
        return 0;
    case OPT_LONG:
        boot->detailed = true;
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
    "Decode the reset path of code images (vectors, trampoline, enter_run, halt, second hub) and "
    "the head of data images (magic, initial words), and name the documented generations that "
    "share it.\v"
    "MARIANA and MARIANA_PLUS have the same head; a key that several share names them all. One "
    "line an image where there are more than four, without --long. JSON schema: trench.fw.boot/1. "
    "Exit status: 0 every one decodes, 1 one does not or none is there, 2 usage or bad input.",
    children,
    NULL,
    NULL};

/* ---- names ------------------------------------------------------------------------ */

static const char *magic_name(uint32_t magic)
{
    if (magic == TRN_FW_READY)
        return "READY";
    return magic == TRN_FW_CLAIM ? "CLAIM" : "neither READY nor CLAIM";
}

static const char *limit_name(enum trn_fw_limit limit)
{
    static const char *const names[] = {"other", "0x00ffffff", "0xffffff00"};
    return names[limit];
}

/* "cayman,mariana,mariana_plus Q7" */
static void short_matches(const struct trn_fw_boot *boot, char *out, size_t room)
{
    size_t used = 0;
    snprintf(out, room, "-");
    for (size_t i = 0; i < boot->num_matches && used < room; i++) {
        const struct trn_fw_head *const head = boot->match[i];
        const bool last = i + 1 == boot->num_matches || boot->match[i + 1]->core != head->core;
        const int more = snprintf(out + used, room - used, "%s%s%s%s", trn_gen_at(head->gen)->name,
                                  last ? " " : ",", last ? trn_fw_class_name(head->core) : "",
                                  last && i + 1 < boot->num_matches ? " or " : "");
        used += more > 0 ? (size_t)more : 0;
    }
}

/* ---- text ------------------------------------------------------------------------- */

static void print_line(const struct trn_fw_image *image, uint32_t offset, const char *what)
{
    struct trn_xtensa_insn insn;
    char text[TRN_XTENSA_TEXT_MAX], bytes[12] = "";
    const size_t left = offset < image->size ? (size_t)(image->size - offset) : 0;
    if (left == 0)
        return;
    trn_xtensa_decode(TRN_XTENSA_VISION, image->bytes + offset, left, offset, &insn);
    trn_xtensa_print(&insn, text);
    for (size_t i = 0; i < insn.length && i < 3; i++)
        snprintf(bytes + 3 * i, sizeof bytes - 3 * i, "%02x ", image->bytes[offset + i]);
    printf("  %6" PRIx32 ": %-10s %-*s%s\n", offset, bytes, *what ? 33 : 0, text, what);
}

static void print_entered(const struct trn_fw_image *image, uint32_t offset)
{
    struct trn_xtensa_insn insn;
    for (int i = 0; i < FIRST_LOOK && offset < image->size; i++) {
        trn_xtensa_decode(TRN_XTENSA_VISION, image->bytes + offset, (size_t)(image->size - offset),
                          offset, &insn);
        if (insn.length == 0)
            return;
        print_line(image, offset, i ? "" : "C entry");
        offset += insn.length;
    }
}

static void print_path(const struct trn_fw_image *image, const struct trn_fw_boot *boot)
{
    char matches[MATCHES];
    uint32_t at = boot->primary;
    print_line(image, 0, "primary vector");
    print_line(image, 6, "secondary vector");
    for (size_t i = 0; i < boot->num_trampoline; i++) {
        print_line(image, at, i ? "" : "trampoline");
        at += boot->trampoline[i].length;
    }
    print_line(image, boot->secondary, "end of the secondary vector");
    print_entered(image, boot->enter);
    printf("  enter_run 0x%" PRIx32 ", offset 0x%" PRIx32 " in %s\n", boot->enter_run, boot->enter,
           trn_fw_region_name(boot->residence));
    if (boot->has_hub)
        printf("  second hub at 0x%" PRIx32 ", table 0x%" PRIx32 "\n", boot->hub, boot->hub_table);
    trn_fw_boot_describe(boot, matches, sizeof matches);
    printf("  documented: %s\n", boot->num_matches ? matches : "no such head");
}

static void print_code(const struct boot *boot, const struct trn_fw_image *image,
                       const struct trn_fw_boot *path, bool first)
{
    char name[256], matches[MATCHES];
    fw_code_name(image, name, sizeof name);
    if (!path->is_head) {
        printf("%-*s no reset path: %s at 0x%" PRIx32 "\n", FW_NAME_COLUMN, name, path->refused,
               path->refused_at);
        return;
    }
    if (boot->detailed) {
        printf("%s: reset path\n", name);
        print_path(image, path);
        return;
    }
    if (first)
        printf("%-*s %-6s %-6s %-10s %s\n", FW_NAME_COLUMN, "image", "first", "second", "enter_run",
               "documented head");
    short_matches(path, matches, sizeof matches);
    printf("%-*s 0x%-4" PRIx32 " 0x%-4" PRIx32 " 0x%-8" PRIx32 " %s\n", FW_NAME_COLUMN, name,
           path->primary, path->secondary, path->enter_run, matches);
}

static void print_data(const struct boot *boot, const struct trn_fw_image *image,
                       const struct trn_fw_data_head *head)
{
    char name[256];
    fw_code_name(image, name, sizeof name);
    if (!boot->detailed) {
        printf("%-*s data, %s, %s, limits %s\n", FW_NAME_COLUMN, name, magic_name(head->magic),
               head->has_init ? "4 x 0x1000" : "no 4 x 0x1000", limit_name(head->limit));
        return;
    }
    printf("%s: data segment\n  0x00: 0x%08" PRIx32 "  %s\n", name, head->magic,
           magic_name(head->magic));
    printf("  0x18: 0x%" PRIx32 " 0x%" PRIx32 " 0x%" PRIx32 " 0x%" PRIx32 "  %s\n", head->init[0],
           head->init[1], head->init[2], head->init[3],
           head->has_init ? "initial words, as documented" : "not the documented 4 x 0x1000");
    printf("  0x28: 0x%08" PRIx32 " 0x%08" PRIx32 " 0x%08" PRIx32 " 0x%08" PRIx32 "  %s\n",
           head->limits[0], head->limits[1], head->limits[2], head->limits[3],
           head->limit == TRN_FW_LIMIT_OTHER ? "not documented"
                                             : "one of the two documented values");
}

/* ---- JSON ------------------------------------------------------------------------- */

static json_t *trampoline_json(const struct trn_fw_boot *path)
{
    char text[TRN_XTENSA_TEXT_MAX];
    json_t *const list = json_array();
    for (size_t i = 0; i < path->num_trampoline; i++) {
        trn_xtensa_print(&path->trampoline[i], text);
        json_array_append_new(list, json_string(text));
    }
    return list;
}

static json_t *matches_json(const struct trn_fw_boot *path)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < path->num_matches; i++) {
        const struct trn_fw_head *const head = path->match[i];
        json_array_append_new(list, json_pack("{ss ss ss ss}", "gen", trn_gen_at(head->gen)->name,
                                              "core", trn_fw_class_name(head->core), "engines",
                                              head->engines, "confidence", head->confidence));
    }
    return list;
}

static void code_json(json_t *object, const struct trn_fw_boot *path)
{
    json_object_set_new(object, "reset_path", json_boolean(path->is_head));
    if (!path->is_head) {
        json_object_set_new(object, "refused", json_string(path->refused));
        json_object_set_new(object, "refused_at", fw_hex_json(path->refused_at));
        return;
    }
    json_object_set_new(object, "primary", fw_hex_json(path->primary));
    json_object_set_new(object, "secondary", fw_hex_json(path->secondary));
    json_object_set_new(object, "trampoline", trampoline_json(path));
    json_object_set_new(object, "halt", json_integer(path->halt));
    json_object_set_new(object, "enter_run", fw_hex_json(path->enter_run));
    json_object_set_new(object, "enter_offset", fw_hex_json(path->enter));
    json_object_set_new(object, "residence", json_string(trn_fw_region_name(path->residence)));
    json_object_set_new(object, "hub", path->has_hub ? fw_hex_json(path->hub) : json_null());
    json_object_set_new(object, "hub_table",
                        path->has_hub ? fw_hex_json(path->hub_table) : json_null());
    json_object_set_new(object, "documented", matches_json(path));
}

static json_t *words_json(const uint32_t words[4])
{
    json_t *const list = json_array();
    for (int i = 0; i < 4; i++)
        json_array_append_new(list, fw_hex_json(words[i]));
    return list;
}

static void data_json(json_t *object, const struct trn_fw_data_head *head)
{
    json_object_set_new(object, "magic", fw_hex_json(head->magic));
    json_object_set_new(object, "state", json_string(magic_name(head->magic)));
    json_object_set_new(object, "has_init", json_boolean(head->has_init));
    json_object_set_new(object, "init", words_json(head->init));
    json_object_set_new(object, "limit", json_string(limit_name(head->limit)));
    json_object_set_new(object, "limits", words_json(head->limits));
}

/* ---- images ----------------------------------------------------------------------- */

static int show_code(struct boot *boot, const struct trn_fw_image *image)
{
    struct trn_fw_boot path;
    trn_fw_boot_decode(image->bytes, image->size, &path);
    if (boot->images) {
        json_t *const object = fw_code_image_json(image);
        code_json(object, &path);
        json_array_append_new(boot->images, object);
    } else {
        print_code(boot, image, &path, boot->shown == 0);
    }
    boot->shown++;
    return path.is_head ? CLI_OK : CLI_DOES_NOT_HOLD;
}

static int show_data(struct boot *boot, const struct trn_fw_image *image, const uint8_t *bytes,
                     uint64_t size)
{
    struct trn_fw_data_head head;
    const bool is_whole = trn_fw_data_decode(bytes, size, &head);
    if (boot->images) {
        json_t *const object = fw_code_image_json(image);
        data_json(object, &head);
        json_array_append_new(boot->images, object);
    } else {
        print_data(boot, image, &head);
    }
    boot->shown++;
    return is_whole && head.has_init ? CLI_OK : CLI_DOES_NOT_HOLD;
}

/* An EXTISA object has no reset path; its data segment is the section .globstruct. */
static bool find_globstruct(void *context, const struct trn_fw_section *section)
{
    struct trn_fw_section *const found = context;
    if (strcmp(section->name, ".globstruct") != 0)
        return true;
    *found = *section;
    return false;
}

static int show_object(struct boot *boot, const struct trn_fw_image *image)
{
    struct trn_fw_section section = {0};
    struct trn_diag diag = {0};
    struct trn_fw *object;
    if (trn_fw_open_bytes(image->bytes, (size_t)image->size, image->symbol, &object, &diag) !=
        TRN_OK) {
        cli_print_diag(&diag);
        return CLI_USAGE;
    }
    const trn_status status =
        trn_fw_sections(object, TRN_FW_WHOLE, find_globstruct, &section, &diag);
    trn_fw_close(object);
    if (status != TRN_OK) {
        cli_print_diag(&diag);
        return CLI_USAGE;
    }
    if (section.size == 0 || section.offset > image->size)
        return CLI_OK; /* SUNDA's has none */
    return show_data(boot, image, image->bytes + section.offset, section.size);
}

static int visit(void *context, struct trn_fw *fw, const struct trn_fw_image *image)
{
    struct boot *const boot = context;
    (void)fw;
    switch (trn_fw_kind_of(image->bytes, image->size)) {
    case TRN_FW_KIND_CODE:
        return show_code(boot, image);
    case TRN_FW_KIND_DATA:
        return show_data(boot, image, image->bytes, image->size);
    case TRN_FW_KIND_XTENSA_ELF:
        return show_object(boot, image);
    case TRN_FW_KIND_OTHER:
        return !image->is_named ? show_code(boot, image) : CLI_OK;
    default:
        return CLI_OK;
    }
}

static int count(void *context, struct trn_fw *fw, const struct trn_fw_image *image)
{
    (void)fw, (void)image;
    ++*(size_t *)context;
    return CLI_OK;
}

int fw_boot(int argc, char **argv)
{
    struct boot boot = {.code = {.core = -1}};
    size_t images = 0;
    int status = cli_parse(&argp, argc, argv, &boot);
    if (status)
        return status;
    status = fw_code_each(&boot.code, count, &images);
    if (status != CLI_OK)
        return status;
    boot.detailed = boot.detailed || images <= DETAILED;
    if (boot.code.json)
        boot.images = json_array();
    status = fw_code_each(&boot.code, visit, &boot);
    if (status == CLI_OK && boot.shown == 0) {
        fputs("trench: error: no code and no data image in there\n", stderr);
        status = CLI_DOES_NOT_HOLD;
    }
    if (boot.images && status != CLI_USAGE)
        cli_print_json(json_pack("{ss so}", "schema", "trench.fw.boot/1", "images", boot.images));
    else
        json_decref(boot.images);
    return status;
}
