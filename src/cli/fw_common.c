/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

#include "cli/fw.h"
#include "cli/sha256.h"
#include "trench/isa.h"

trn_status fw_check_path(const char *path, struct trn_diag *diag)
{
    if (strcmp(path, "-") == 0)
        return trn_diag_set(diag, TRN_ERR_UNSUPPORTED, "-", NULL, "a file; ./- is one of that name",
                            "standard input cannot be mapped into memory as a container is");
    return TRN_OK;
}

struct trn_fw *fw_open(const char *path)
{
    struct trn_diag diag = {0};
    struct trn_fw *fw = NULL;
    trn_status status = fw_check_path(path, &diag);
    if (status == TRN_OK)
        status = trn_fw_open(path, &fw, &diag);
    if (status != TRN_OK)
        cli_print_diag(&diag);
    return fw;
}

char *fw_plain(char *text)
{
    for (char *at = text; *at; at++)
        if (iscntrl((unsigned char)*at))
            *at = '?';
    return text;
}

void fw_put_plain(const char *text)
{
    for (; *text; text++)
        putchar(iscntrl((unsigned char)*text) ? '?' : *text);
}

void fw_short_name(const struct trn_fw_image *image, char *out, size_t room)
{
    char name[TRN_FW_NAME_MAX];
    if (image->is_named)
        trn_fw_name_print(&image->name, name);
    snprintf(out, room, "%s", image->is_named ? name : image->symbol);
    fw_plain(out);
}

bool fw_selected(const struct trn_fw_image *image, const char *glob)
{
    if (!glob || fnmatch(glob, image->symbol, FNM_CASEFOLD) == 0)
        return true;
    size_t length;
    const char *const base = trn_fw_name_base(image->symbol, &length);
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1),
             base);
    return fnmatch(glob, name, FNM_CASEFOLD) == 0;
}

const char *fw_hex(uint64_t value, char out[24])
{
    snprintf(out, 24, "0x%" PRIx64, value);
    return out;
}

json_t *fw_hex_json(uint64_t value)
{
    char text[24];
    return json_string(fw_hex(value, text));
}

void fw_core_name(const struct trn_fw_image *image, char out[16])
{
    if (!image->is_named) {
        strcpy(out, "-");
        return;
    }
    snprintf(out, 16, "%s_%s", trn_fw_class_name(image->name.core),
             trn_engine_name(image->name.engine));
    for (char *at = out; *at; at++)
        *at = (char)toupper((unsigned char)*at);
}

json_t *fw_text_json(const char *text)
{
    json_t *const value = json_string(text);
    if (value)
        return value;
    char printable[256];
    size_t i = 0;
    for (; i < sizeof printable - 1 && text[i]; i++)
        printable[i] = (char)(isprint((unsigned char)text[i]) ? text[i] : '?');
    printable[i] = '\0';
    return json_string(printable);
}

static void name_json(json_t *object, const struct trn_fw_name *name)
{
    json_object_set_new(object, "gen", json_string(name->gen->name));
    json_object_set_new(object, "core", json_string(trn_fw_class_name(name->core)));
    json_object_set_new(object, "engine", json_string(trn_engine_name(name->engine)));
    json_object_set_new(object, "flavor", json_string(trn_fw_flavor_name(name->flavor)));
    json_object_set_new(object, "region", json_string(trn_fw_region_name(name->region)));
    json_object_set_new(object, "library",
                        name->region >= TRN_FW_EXTISA_SO ? json_integer(name->library)
                                                         : json_null());
}

json_t *fw_image_json(const struct trn_fw_image *image)
{
    static const char *const parts[] = {"gen", "core", "engine", "flavor", "region", "library"};
    json_t *const object = json_object();
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        json_object_set_new(object, parts[i], json_null());
    if (image->is_named)
        name_json(object, &image->name);
    const enum trn_fw_kind what = trn_fw_kind_of(image->bytes, image->size);
    json_object_set_new(object, "kind", json_string(image->is_cursor ? "cursor" : "image"));
    json_object_set_new(object, "what", json_string(trn_fw_kind_name(what)));
    json_object_set_new(object, "offset", fw_hex_json(image->offset));
    json_object_set_new(object, "size", fw_hex_json(image->size));
    json_object_set_new(object, "va", image->va ? fw_hex_json(image->va) : json_null());
    json_object_set_new(object, "getter",
                        image->getter_va ? fw_hex_json(image->getter_va) : json_null());
    json_object_set_new(object, "symbol", fw_text_json(image->symbol));
    json_object_set_new(object, "source", json_string(trn_fw_source_name(image->source)));
    json_object_set_new(object, "file", image->file ? fw_text_json(image->file) : json_null());
    return object;
}

void fw_hash_json(json_t *object, const struct trn_fw_image *image,
                  const uint8_t hash[TRN_FW_SHA256])
{
    char text[SHA256_TEXT];
    const struct trn_fw_known *row = NULL;
    sha256_text(hash, text);
    const enum trn_fw_verdict verdict = trn_fw_identify(image, hash, &row);
    json_object_set_new(object, "sha256", image->size ? json_string(text) : json_null());
    json_object_set_new(object, "known",
                        image->size ? json_string(trn_fw_verdict_name(verdict)) : json_null());
    json_object_set_new(object, "known_as", row ? json_string(row->symbol) : json_null());
}
