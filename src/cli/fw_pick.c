/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/fw_pick.h"

static bool is_container(const struct trn_fw *fw)
{
    const enum trn_fw_form form = trn_fw_form_of(fw);
    return form != TRN_FW_FLAT && form != TRN_FW_XTENSA && form != TRN_FW_ELF_OTHER;
}

static bool add(struct fw_pick *pick, const struct trn_fw *fw, const struct trn_fw_image *image)
{
    struct fw_picked *const more = realloc(pick->images, (pick->count + 1) * sizeof *more);
    if (!more)
        return false;
    pick->images = more;
    struct fw_picked *const picked = &more[pick->count++];
    *picked = (struct fw_picked){image, trn_fw_path(fw), !is_container(fw), ""};
    if (picked->is_alone) {
        const char *const slash = strrchr(picked->path, '/');
        snprintf(picked->name, sizeof picked->name, "%s", slash ? slash + 1 : picked->path);
    } else {
        fw_short_name(image, picked->name, sizeof picked->name);
    }
    return true;
}

static bool pick_file(struct fw_pick *pick, const struct trn_fw *fw, const char *glob,
                      fw_pick_default *shown)
{
    const struct trn_fw_image *image;
    for (size_t i = 0; (image = trn_fw_image(fw, i)) != NULL; i++) {
        const bool is_wanted = glob ? fw_selected(image, glob) : !is_container(fw) || shown(image);
        if (!image->is_cursor && is_wanted && !add(pick, fw, image))
            return false;
    }
    return true;
}

int fw_pick_open(const char *const *paths, size_t num_paths, const char *glob,
                 fw_pick_default *shown, struct fw_pick *out)
{
    *out = (struct fw_pick){.files = calloc(num_paths + 1, sizeof *out->files)};
    for (size_t i = 0; out->files && i < num_paths; i++) {
        struct trn_fw *const fw = fw_open(paths[i]);
        if (!fw)
            return CLI_USAGE;
        out->files[out->num_files++].fw = fw;
        if (!pick_file(out, fw, glob, shown))
            return cli_usage_error("out of memory");
    }
    if (!out->files)
        return cli_usage_error("out of memory");
    if (out->count)
        return CLI_OK;
    if (glob)
        fprintf(stderr, "trench: error: no image matches '%s'\n", glob);
    else
        fprintf(stderr, "trench: error: no image of this kind; `trench fw ls` lists what is there, "
                        "--select GLOB takes any image\n");
    return CLI_DOES_NOT_HOLD;
}

void fw_pick_close(struct fw_pick *pick)
{
    for (size_t i = 0; i < pick->num_files; i++)
        trn_fw_close(pick->files[i].fw);
    free(pick->files);
    free(pick->images);
    *pick = (struct fw_pick){0};
}

json_t *fw_bytes_json(const uint8_t *text, size_t size)
{
    char *const copy = malloc(size + 1);
    if (!copy)
        return json_null();
    for (size_t i = 0; i < size; i++)
        copy[i] = (char)(text[i] >= 0x20 && text[i] <= 0x7e ? text[i] : '?');
    json_t *const value = json_stringn(copy, size);
    free(copy);
    return value;
}

void fw_print_text(const uint8_t *text, size_t size)
{
    fwrite(text, 1, size, stdout);
}

json_t *fw_picked_json(const struct fw_picked *picked)
{
    return json_pack("{so so so so}", "file",
                     fw_bytes_json((const uint8_t *)picked->path, strlen(picked->path)), "image",
                     fw_bytes_json((const uint8_t *)picked->name, strlen(picked->name)), "offset",
                     fw_hex_json(picked->image->offset), "size", fw_hex_json(picked->image->size));
}
